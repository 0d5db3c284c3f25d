// SPDX-License-Identifier: GPL-2.0
/*
 * Round-trip time of one path: smoothed, deviation, windowed minimum.
 *
 * Owns struct mrc_rtt. Smoothing and gains are those of RFC 6298; the minimum
 * is kept over two half windows, so that it forgets a route that is gone. ACK
 * processing adds samples, timers and rate control read. Pure: guarded by the
 * socket lock.
 */
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>
#include "limits.h"
#include "reliable/rtt.h"

/* Samples outside are clamped, microseconds. */
#define RTT_SAMPLE_MIN_US	1U
#define RTT_SAMPLE_MAX_US	60000000U

#define RTT_INITIAL_NS		(MRC_RTT_INITIAL_US * MRC_NSEC_PER_USEC)

/* Mean deviation; half the initial RTT before any sample (RFC 9002 5.3). */
static u64 var_ns(const struct mrc_rtt *rtt)
{
	if (!rtt->srtt_us)
		return RTT_INITIAL_NS / 2;
	return rtt->rttvar_us * MRC_NSEC_PER_USEC / 4;
}

/**
 * mrc_rtt_init() - forget every sample
 * @rtt: estimate
 */
void mrc_rtt_init(struct mrc_rtt *rtt)
{
	memset(rtt, 0, sizeof(*rtt));
}

/* Windowed minimum: one half window full, one filling. */
static void sample_min(struct mrc_rtt *rtt, u32 sample_us, u64 now)
{
	u64 age = now - rtt->window_ns;

	if (!rtt->min_us || age >= MRC_RTT_MIN_AGE_NS) {
		/* Both halves are older than a window. */
		rtt->min_us = sample_us;
		rtt->next_min_us = sample_us;
		rtt->window_ns = now;
		return;
	}
	if (age >= MRC_RTT_MIN_AGE_NS / 2) {
		rtt->min_us = rtt->next_min_us;
		rtt->next_min_us = sample_us;
		rtt->window_ns = now;
	}
	rtt->next_min_us = min(rtt->next_min_us, sample_us);
	rtt->min_us = min(rtt->min_us, rtt->next_min_us);
}

/**
 * mrc_rtt_sample() - a round trip was measured
 * @rtt: estimate
 * @sample_us: its time, the peer's delay subtracted, microseconds; clamped to
 *	1 us..60 s
 * @now: time, nanoseconds, never going back
 */
void mrc_rtt_sample(struct mrc_rtt *rtt, u32 sample_us, u64 now)
{
	u32 error, mean;

	sample_us = clamp(sample_us, RTT_SAMPLE_MIN_US, RTT_SAMPLE_MAX_US);
	rtt->latest_us = sample_us;
	rtt->sample_ns = now;
	sample_min(rtt, sample_us, now);
	if (!rtt->srtt_us) {
		rtt->srtt_us = sample_us * 8;
		rtt->rttvar_us = sample_us * 2;
		return;
	}
	mean = rtt->srtt_us / 8;
	error = max(mean, sample_us) - min(mean, sample_us);
	rtt->rttvar_us += error - rtt->rttvar_us / 4;
	/* Never reaches 0: mean and sample are at least 1. */
	rtt->srtt_us += sample_us - mean;
}

/**
 * mrc_rtt_smooth_ns() - smoothed RTT
 * @rtt: estimate
 *
 * Return: nanoseconds; MRC_RTT_INITIAL_US worth before any sample.
 */
u64 mrc_rtt_smooth_ns(const struct mrc_rtt *rtt)
{
	if (!rtt->srtt_us)
		return RTT_INITIAL_NS;
	return rtt->srtt_us * MRC_NSEC_PER_USEC / 8;
}

/**
 * mrc_rtt_aged_us() - smoothed RTT, as a packet sent now would meet it
 * @rtt: estimate
 * @now: time, nanoseconds
 *
 * What the RTT has above its minimum is a queue, and while no sample comes it
 * drains: a path that rested for as long as its queue was is an empty one.
 * What was sent since the last sample is not counted.
 *
 * Return: microseconds, not below the minimum; 0: no sample yet.
 */
u32 mrc_rtt_aged_us(const struct mrc_rtt *rtt, u64 now)
{
	u32 mean = rtt->srtt_us / 8, queue;
	u64 rest;

	if (mean <= rtt->min_us)
		return mean;
	queue = mean - rtt->min_us;
	rest = now > rtt->sample_ns ?
	       (now - rtt->sample_ns) / MRC_NSEC_PER_USEC : 0;
	return mean - (u32)min_t(u64, queue, rest);
}

/**
 * mrc_rtt_min_ns() - smallest RTT of the last MRC_RTT_MIN_AGE_NS
 * @rtt: estimate
 *
 * Return: nanoseconds; MRC_RTT_INITIAL_US worth before any sample.
 */
u64 mrc_rtt_min_ns(const struct mrc_rtt *rtt)
{
	if (!rtt->min_us)
		return RTT_INITIAL_NS;
	return rtt->min_us * MRC_NSEC_PER_USEC;
}

/**
 * mrc_rtt_delack_ns() - how long a receiver may hold an ACK of data
 * @rtt: estimate
 *
 * Return: a quarter of the RTT within MRC_DELACK_MIN_NS..MRC_DELACK_MAX_NS.
 */
u64 mrc_rtt_delack_ns(const struct mrc_rtt *rtt)
{
	return clamp_t(u64, mrc_rtt_smooth_ns(rtt) / 4, MRC_DELACK_MIN_NS,
		       MRC_DELACK_MAX_NS);
}

/**
 * mrc_rtt_probe_ns() - after how much silence to ask with a PING
 * @rtt: estimate
 *
 * The probe timeout of RFC 9002 section 6.2 with a shorter deviation term
 * (a PING costs little): the peer may rightly hold its ACK for a while.
 *
 * Return: nanoseconds since the last departure or ACK.
 */
u64 mrc_rtt_probe_ns(const struct mrc_rtt *rtt)
{
	return mrc_rtt_smooth_ns(rtt) + 2 * var_ns(rtt) + mrc_rtt_delack_ns(rtt);
}

/**
 * mrc_rtt_silence_ns() - after how much silence a busy path may be judged
 * @rtt: estimate
 *
 * Return: nanoseconds without any ACK while data is out.
 */
u64 mrc_rtt_silence_ns(const struct mrc_rtt *rtt)
{
	u64 ns = 2 * mrc_rtt_smooth_ns(rtt) + 4 * var_ns(rtt);

	return max_t(u64, ns, MRC_SILENCE_MIN_NS) + mrc_rtt_delack_ns(rtt);
}
