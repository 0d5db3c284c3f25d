// SPDX-License-Identifier: GPL-2.0
/*
 * The core of rate control: what every controller needs.
 *
 * Owns struct mrc_rate, guarded by the socket lock. ACK and timer code report
 * here; the core finds the ends of round trips, asks the controller for at
 * most one reaction to ECN and one to loss in each, takes back what proved a
 * mistake, and derives pacing and delivery rate. Pure.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "limits.h"
#include "rate/rate.h"
#include "rate/span.h"
#include "reliable/seq.h"

/* Pacing ahead of the window, in quarters: RFC 9002 section 7.7, Linux TCP. */
#define GAIN_SLOW_START	8
#define GAIN_AVOIDANCE	5

/* Distance at which an old mark is drawn along, long before numbers wrap. */
#define PSN_FAR		0x40000000U

static const struct mrc_rate_ops *const mrc_rate_all[] = {
	&mrc_rate_dctcp,
};

/**
 * mrc_rate_find() - controller of a name
 * @name: as in TCP_CONGESTION
 *
 * Context: any.
 * Return: controller or NULL.
 */
const struct mrc_rate_ops *mrc_rate_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(mrc_rate_all); i++)
		if (!strcmp(mrc_rate_all[i]->name, name))
			return mrc_rate_all[i];
	return NULL;
}

/**
 * mrc_rate_init() - a path begins, or begins anew
 * @rate: state to set; all of it, @max_pacing too
 * @ops: controller
 * @mss: wire bytes of a full packet, not 0
 * @next_psn: first PSN that will be sent
 *
 * Without an RTT nothing is paced: the initial window leaves at once.
 *
 * Context: any, socket lock held.
 */
void mrc_rate_init(struct mrc_rate *rate, const struct mrc_rate_ops *ops,
		   u32 mss, u32 next_psn)
{
	memset(rate, 0, sizeof(*rate));
	rate->ops = ops;
	rate->mss = mss;
	rate->cwnd = (u64)MRC_CWND_INITIAL * mss;
	rate->ssthresh = U64_MAX;
	rate->max_pacing = U64_MAX;
	rate->pacing_rate = U64_MAX;
	rate->round_psn = next_psn;
	rate->recover_psn = next_psn;
	ops->init(rate);
}

/**
 * mrc_rate_set_mss() - the path's packet size has changed
 * @rate: state
 * @mss: wire bytes of a full packet, not 0
 *
 * Context: any, socket lock held.
 */
void mrc_rate_set_mss(struct mrc_rate *rate, u32 mss)
{
	rate->mss = mss;
	if (rate->cwnd < mrc_rate_floor(rate))
		rate->cwnd = mrc_rate_floor(rate);
}

static void set_pacing(struct mrc_rate *rate, const struct mrc_rtt *rtt)
{
	u64 gain = rate->cwnd < rate->ssthresh ? GAIN_SLOW_START :
						 GAIN_AVOIDANCE;
	u64 pacing = U64_MAX;

	if (rtt->srtt_us)
		pacing = mrc_span_ns(rate->cwnd * gain / 4,
				     mrc_rtt_smooth_ns(rtt));
	if (pacing > rate->max_pacing)
		pacing = rate->max_pacing;
	rate->pacing_rate = pacing ? pacing : 1;
}

/* Quick to believe more; less is believed slowly, and not of an idle path. */
static void filter_delivery(struct mrc_rate *rate,
			    const struct mrc_ack_result *res)
{
	u64 old = rate->delivery_rate;

	if (!res->rate)
		return;
	if (!old)
		rate->delivery_rate = res->rate;
	else if (res->rate > old)
		rate->delivery_rate += (res->rate - old + 1) / 2;
	else if (!res->app_limited)
		rate->delivery_rate -= (old - res->rate) / 8;
}

/*
 * Was the window in use? Pacing and superframes leave it partly empty when an
 * ACK arrives, so the answer is the most that was out in a whole round trip:
 * half in slow start, as the window doubles, else all but a superframe.
 */
static bool window_used(struct mrc_rate *rate, const struct mrc_inflight *inf,
			const struct mrc_ack_result *res)
{
	u64 out = inf->bytes + res->acked_bytes + res->lost_bytes;
	u64 peak;

	if (rate->round_start) {
		rate->last_peak = rate->peak;
		rate->peak = 0;
	}
	if (rate->peak < out)
		rate->peak = out;
	peak = rate->peak > rate->last_peak ? rate->peak : rate->last_peak;
	if (rate->cwnd < rate->ssthresh)
		return 2 * peak > rate->cwnd;
	return peak + mrc_rate_burst(rate) > rate->cwnd && 2 * peak > rate->cwnd;
}

static void note_rounds(struct mrc_rate *rate, const struct mrc_inflight *inf,
			const struct mrc_ack_result *res)
{
	rate->round_start = false;
	if (!res->acked_packets)
		return;
	if (!mrc_seq_before(inf->rack_psn, rate->round_psn)) {
		rate->round_psn = inf->next_psn;
		rate->round_start = true;
	}
	if (rate->ecn_cwnd && !mrc_seq_before(inf->rack_psn, rate->ecn_psn))
		rate->ecn_cwnd = 0;
	if (!mrc_seq_before(inf->rack_psn, rate->recover_psn))
		rate->in_recovery = false;
	if (inf->next_psn - rate->recover_psn > PSN_FAR)
		rate->recover_psn = inf->next_psn - PSN_FAR;
}

static void react_to_loss(struct mrc_rate *rate, const struct mrc_rtt *rtt,
			  const struct mrc_inflight *inf,
			  const struct mrc_ack_result *res, u64 now)
{
	if (mrc_seq_before(res->lost_psn, rate->recover_psn)) {
		rate->episode_lost += res->lost_packets;
		return;
	}
	rate->prior_cwnd = rate->cwnd;
	rate->prior_ssthresh = rate->ssthresh;
	rate->episode_lost = res->lost_packets;
	rate->episode_spurious = 0;
	rate->in_recovery = true;
	rate->recover_psn = inf->next_psn;
	rate->ops->on_loss(rate, rtt, now);
}

static void take_back(struct mrc_rate *rate, u32 spurious)
{
	if (!rate->prior_cwnd)
		return;
	rate->episode_spurious += spurious;
	if (rate->episode_spurious < rate->episode_lost)
		return;
	if (rate->cwnd < rate->prior_cwnd)
		rate->cwnd = rate->prior_cwnd;
	if (rate->ssthresh < rate->prior_ssthresh)
		rate->ssthresh = rate->prior_ssthresh;
	rate->prior_cwnd = 0;
	rate->in_recovery = false;
	rate->ops->on_undo(rate);
}

/**
 * mrc_rate_update() - an ACK or a timer has changed something on the path
 * @rate: state
 * @rtt: RTT estimate, the new sample included
 * @inf: packets of the path, the change included
 * @res: the change
 * @cwnd_limited: the window is known to have held the sender back; what was
 *	out tells too
 * @now: nanoseconds
 *
 * Context: any, socket lock held.
 */
void mrc_rate_update(struct mrc_rate *rate, const struct mrc_rtt *rtt,
		     const struct mrc_inflight *inf,
		     const struct mrc_ack_result *res, bool cwnd_limited,
		     u64 now)
{
	filter_delivery(rate, res);
	note_rounds(rate, inf, res);
	cwnd_limited |= window_used(rate, inf, res);
	if (rate->ecn_cwnd || rate->in_recovery || res->lost_packets)
		cwnd_limited = false;
	rate->ops->on_ack(rate, rtt, res, cwnd_limited, now);

	if (res->ce_packets && !rate->ecn_cwnd && !rate->in_recovery) {
		rate->ecn_cwnd = rate->cwnd;
		rate->ecn_psn = inf->next_psn;
		rate->ops->on_ecn(rate, rtt, now);
	}
	if (res->lost_packets)
		react_to_loss(rate, rtt, inf, res, now);
	if (res->spurious_packets)
		take_back(rate, res->spurious_packets);
	set_pacing(rate, rtt);
}

/**
 * mrc_rate_timeout() - nothing came back for the silence time
 * @rate: state
 * @rtt: RTT estimate
 * @inf: packets of the path
 *
 * Context: any, socket lock held.
 */
void mrc_rate_timeout(struct mrc_rate *rate, const struct mrc_rtt *rtt,
		      const struct mrc_inflight *inf)
{
	rate->prior_cwnd = 0;
	rate->ecn_cwnd = 0;
	rate->in_recovery = true;
	rate->recover_psn = inf->next_psn;
	rate->round_psn = inf->next_psn;
	rate->ops->on_timeout(rate);
	set_pacing(rate, rtt);
}

/**
 * mrc_rate_room() - what the window still allows
 * @rate: state
 * @inf: packets of the path
 *
 * A window that is not full admits one packet, so that small ones move.
 *
 * Context: any, socket lock held.
 * Return: bytes; 0: wait for an ACK.
 */
u32 mrc_rate_room(const struct mrc_rate *rate, const struct mrc_inflight *inf)
{
	u64 room;

	if (inf->bytes >= rate->cwnd)
		return 0;
	room = rate->cwnd - inf->bytes;
	if (room < rate->mss)
		room = rate->mss;
	return room > U32_MAX ? U32_MAX : room;
}

/**
 * mrc_rate_burst() - bytes of the next superframe
 * @rate: state
 *
 * One superframe covers MRC_SUPERFRAME_NS at the pacing rate: large where it
 * is cheap, small where it would be a burst that others wait behind.
 *
 * Context: any, socket lock held.
 * Return: bytes, whole packets, 2 at least unless only one fits.
 */
u32 mrc_rate_burst(const struct mrc_rate *rate)
{
	u64 bytes = mrc_span_bytes(rate->pacing_rate, MRC_SUPERFRAME_NS);
	u32 packets;

	if (bytes > MRC_SUPERFRAME_BYTES)
		bytes = MRC_SUPERFRAME_BYTES;
	if (bytes < 2ULL * rate->mss)
		bytes = 2ULL * rate->mss;
	packets = (u32)bytes / rate->mss;
	if (packets > MRC_CHUNK_PACKETS)
		packets = MRC_CHUNK_PACKETS;
	return packets * rate->mss;
}

/**
 * mrc_rate_capacity() - what the path would deliver if it were kept busy
 * @rate: state
 * @rtt: RTT estimate
 *
 * For the scheduler. A path that had little to do has delivered little; its
 * window tells more, and in slow start it will be sent ahead of the window.
 *
 * Context: any, socket lock held.
 * Return: bytes per second, never 0; U64_MAX: not known.
 */
u64 mrc_rate_capacity(const struct mrc_rate *rate, const struct mrc_rtt *rtt)
{
	u64 window = U64_MAX;

	if (rate->cwnd < rate->ssthresh)
		window = rate->pacing_rate;
	else if (rtt->srtt_us)
		window = mrc_span_ns(rate->cwnd, mrc_rtt_smooth_ns(rtt));
	if (window < rate->delivery_rate)
		window = rate->delivery_rate;
	if (window > rate->max_pacing)
		window = rate->max_pacing;
	return window ? window : 1;
}
