// SPDX-License-Identifier: GPL-2.0
/*
 * DCTCP (RFC 8257) per path, for rates from 1 Mbit/s to 400 Gbit/s.
 *
 * Owns the private part of struct mrc_rate, guarded by the socket lock; called
 * by the core only. To ECN it answers in proportion to the share of marked
 * packets; to loss like CUBIC (RFC 9438). Slow start ends with the first mark
 * or loss, or when the RTT has risen (RFC 9406). Afterwards the window grows
 * by the largest of one packet per round trip, the cubic curve, and, when the
 * path has shown neither mark nor loss nor delay for many round trips, a
 * sixteenth of the window, less when the last bad window is near: somebody
 * else has left. Pure.
 */
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/math64.h>
#include <linux/string.h>

#include "limits.h"
#include "rate/cubic.h"
#include "rate/hystart.h"
#include "rate/rate.h"

/* The share of marks is kept as a fraction of 2^20; its weight is 1/16. */
#define ALPHA_BITS	20
#define ALPHA_ONE	BIT(ALPHA_BITS)
#define ALPHA_GAIN	4

/* Window left after a loss, tenths (RFC 9438 section 4.6). */
#define BETA_TENTHS	7

/* Round trips without any sign of congestion before faster growth. */
#define CLEAN_ROUNDS	16

/*
 * Growth per round trip: careful slow start; after CLEAN_ROUNDS, of the window
 * and at most of what is missing to the last bad one.
 */
#define CAREFUL_SHARE	8
#define CLEAN_SHARE	16
#define GAP_SHARE	8

/* Bytes of one ACK that count for growth; keeps products within 64 bits. */
#define ACKED_MAX	0x08000000U

/**
 * struct dctcp - private state
 * @alpha: smoothed share of marked packets, 0..ALPHA_ONE
 * @round_ce: marked packets of the running round trip
 * @round_rx: packets received in it
 * @clean_rounds: round trips in a row without mark, loss or delay; saturates
 * @round_lost: the running round trip saw a loss
 * @hystart: delay
 * @cubic: growth after a cut
 * @credit: growth below one byte, in units of 1/cwnd
 */
struct dctcp {
	u32 alpha;
	u32 round_ce;
	u32 round_rx;
	u16 clean_rounds;
	bool round_lost;
	struct mrc_hystart hystart;
	struct mrc_cubic cubic;
	u64 credit;
};

static_assert(sizeof(struct dctcp) <= sizeof(((struct mrc_rate *)0)->priv));

static struct dctcp *private(struct mrc_rate *rate)
{
	return (struct dctcp *)rate->priv;
}

static void dctcp_init(struct mrc_rate *rate)
{
	struct dctcp *dc = private(rate);

	memset(dc, 0, sizeof(*dc));
	dc->alpha = ALPHA_ONE;
}

/* Sets a smaller window and starts the way back from there. */
static void cut(struct mrc_rate *rate, u64 cwnd)
{
	struct dctcp *dc = private(rate);
	u64 before = rate->cwnd;

	if (cwnd < mrc_rate_floor(rate))
		cwnd = mrc_rate_floor(rate);
	if (cwnd > before)
		cwnd = before;
	rate->cwnd = cwnd;
	rate->ssthresh = cwnd;
	dc->clean_rounds = 0;
	dc->credit = 0;
	mrc_cubic_cut(&dc->cubic, before, cwnd, rate->mss);
}

/* A round trip has ended: look at its marks, its losses and its delay. */
static void end_round(struct mrc_rate *rate)
{
	struct dctcp *dc = private(rate);
	u32 share = 0;
	bool clean;

	if (dc->round_rx) {
		u32 ce = dc->round_ce;

		if (ce > dc->round_rx)
			ce = dc->round_rx;
		share = div_u64((u64)ce << ALPHA_BITS, dc->round_rx);
		dc->alpha = dc->alpha - (dc->alpha >> ALPHA_GAIN) +
			    (share >> ALPHA_GAIN);
	}
	clean = !dc->round_ce && !dc->round_lost && !dc->hystart.delayed;
	if (!clean)
		dc->clean_rounds = 0;
	else if (dc->clean_rounds < CLEAN_ROUNDS)
		dc->clean_rounds++;
	dc->round_ce = 0;
	dc->round_rx = 0;
	dc->round_lost = false;

	if (mrc_hystart_round(&dc->hystart) && rate->cwnd < rate->ssthresh)
		cut(rate, rate->cwnd);
}

/* Bytes by which the window should grow in one round trip. */
static u64 growth(struct mrc_rate *rate, const struct mrc_rtt *rtt, u64 now)
{
	struct dctcp *dc = private(rate);
	u64 target = mrc_cubic_target(&dc->cubic, rate->mss,
				      mrc_rtt_smooth_ns(rtt), now);
	u64 most = rate->cwnd / 2;
	u64 grow = 0;
	u64 probe;

	if (target > rate->cwnd)
		grow = target - rate->cwnd;
	if (grow > most)
		grow = most;
	if (dc->clean_rounds == CLEAN_ROUNDS) {
		probe = rate->cwnd / CLEAN_SHARE;
		if (dc->cubic.w_max > rate->cwnd &&
		    probe > (dc->cubic.w_max - rate->cwnd) / GAP_SHARE)
			probe = (dc->cubic.w_max - rate->cwnd) / GAP_SHARE;
		if (grow < probe)
			grow = probe;
	}
	return grow > rate->mss ? grow : rate->mss;
}

static void dctcp_on_ack(struct mrc_rate *rate, const struct mrc_rtt *rtt,
			 const struct mrc_ack_result *res, bool cwnd_limited,
			 u64 now)
{
	struct dctcp *dc = private(rate);
	u32 acked = res->acked_bytes < ACKED_MAX ? res->acked_bytes : ACKED_MAX;
	u64 whole;

	dc->round_ce += res->ce_packets;
	dc->round_rx += res->rx_packets;
	dc->round_lost |= res->lost_packets > 0;
	if (res->acked_packets && rtt->latest_us)
		mrc_hystart_sample(&dc->hystart, rtt);
	if (rate->round_start)
		end_round(rate);
	if (!cwnd_limited || !acked)
		return;

	if (rate->cwnd < rate->ssthresh) {
		rate->cwnd += dc->hystart.careful ? acked / CAREFUL_SHARE :
						    acked;
		if (rate->cwnd > rate->ssthresh)
			rate->cwnd = rate->ssthresh;
	} else {
		dc->credit += acked * growth(rate, rtt, now);
		whole = div64_u64(dc->credit, rate->cwnd);
		dc->credit -= whole * rate->cwnd;
		rate->cwnd += whole;
	}
	if (rate->cwnd > MRC_CWND_MAX)
		rate->cwnd = MRC_CWND_MAX;
}

static void dctcp_on_ecn(struct mrc_rate *rate, const struct mrc_rtt *rtt,
			 u64 now)
{
	u64 share = rate->cwnd * private(rate)->alpha >> ALPHA_BITS;

	cut(rate, rate->cwnd - share / 2);
}

/* A cut for ECN in the same round trip counts: both mean the same queue. */
static void dctcp_on_loss(struct mrc_rate *rate, const struct mrc_rtt *rtt,
			  u64 now)
{
	u64 before = rate->ecn_cwnd > rate->cwnd ? rate->ecn_cwnd : rate->cwnd;

	cut(rate, div_u64(before * BETA_TENTHS, 10));
}

static void dctcp_on_timeout(struct mrc_rate *rate)
{
	struct dctcp *dc = private(rate);

	cut(rate, rate->cwnd / 2);
	rate->cwnd = mrc_rate_floor(rate);
	mrc_hystart_init(&dc->hystart);
}

static void dctcp_on_undo(struct mrc_rate *rate)
{
	struct dctcp *dc = private(rate);

	dc->round_lost = false;
	dc->cubic.w_max = 0;
	mrc_cubic_cut(&dc->cubic, rate->cwnd, rate->cwnd, rate->mss);
}

const struct mrc_rate_ops mrc_rate_dctcp = {
	.name = "dctcp",
	.init = dctcp_init,
	.on_ack = dctcp_on_ack,
	.on_ecn = dctcp_on_ecn,
	.on_loss = dctcp_on_loss,
	.on_timeout = dctcp_on_timeout,
	.on_undo = dctcp_on_undo,
};
