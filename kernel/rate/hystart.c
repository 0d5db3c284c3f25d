// SPDX-License-Identifier: GPL-2.0
/*
 * HyStart++ (RFC 9406) for paths from 10 microseconds to half a second.
 *
 * Owns struct mrc_hystart, guarded by the socket lock; rate controllers call
 * it. A period is one round trip or more, until it has enough samples: a short
 * path has one ACK per round trip and more noise than delay. Its smallest RTT
 * is compared with the path's smallest ever, not with the period before, so
 * that a slow rise adds up. The first alarm only slows the growth; it must be
 * confirmed, else free growth goes on. Pure.
 */
#include <linux/string.h>

#include "rate/hystart.h"

/* Samples without which a period says nothing (RFC 9406: N_RTT_SAMPLE). */
#define HYSTART_SAMPLES		8

/*
 * An eighth of the RTT counts as a rise, within these bounds. RFC 9406 starts
 * at 4 ms, a thousand times the RTT of a rack; 1 ms is still above what a
 * busy host adds to eight samples in a row.
 */
#define HYSTART_RISE_MIN_US	1000
#define HYSTART_RISE_MAX_US	16000

/*
 * Periods of confirmation. RFC 9406 grows by a quarter for five; at an eighth
 * for three the queue grows by 1.4 instead of 3.
 */
#define HYSTART_CAREFUL_ROUNDS	3

/**
 * mrc_hystart_init() - forget everything
 * @hs: state
 *
 * Context: any, socket lock held.
 */
void mrc_hystart_init(struct mrc_hystart *hs)
{
	memset(hs, 0, sizeof(*hs));
}

/**
 * mrc_hystart_sample() - take note of an RTT sample
 * @hs: state
 * @rtt: estimate that has the sample already
 *
 * Context: any, socket lock held.
 */
void mrc_hystart_sample(struct mrc_hystart *hs, const struct mrc_rtt *rtt)
{
	u32 rise = rtt->min_us / 8;

	if (rise < HYSTART_RISE_MIN_US)
		rise = HYSTART_RISE_MIN_US;
	if (rise > HYSTART_RISE_MAX_US)
		rise = HYSTART_RISE_MAX_US;

	if (!hs->min_us || rtt->latest_us < hs->min_us)
		hs->min_us = rtt->latest_us;
	if (hs->samples < HYSTART_SAMPLES)
		hs->samples++;
	if (hs->samples < HYSTART_SAMPLES)
		return;
	hs->delayed = hs->min_us >= rtt->min_us + rise;
	if (hs->delayed && !hs->careful)
		hs->careful = 1;
}

/**
 * mrc_hystart_round() - a round trip has ended
 * @hs: state
 *
 * Context: any, socket lock held.
 * Return: true when the rise is confirmed: leave slow start.
 */
bool mrc_hystart_round(struct mrc_hystart *hs)
{
	if (hs->samples < HYSTART_SAMPLES)
		return false;
	hs->samples = 0;
	hs->min_us = 0;
	if (!hs->careful)
		return false;
	if (!hs->delayed) {
		hs->careful = 0;
		return false;
	}
	return ++hs->careful > HYSTART_CAREFUL_ROUNDS;
}
