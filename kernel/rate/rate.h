/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rate control of one path: how much may be out, how fast may it leave.
 *
 * A controller is a table of functions over struct mrc_rate. The core here
 * turns its window into a pacing rate, counts congestion episodes (at most
 * one reaction per round trip) and takes a reaction back when it proves
 * spurious. Pure; guarded by the socket lock.
 */
#ifndef _MRC_RATE_H
#define _MRC_RATE_H

#include <linux/types.h>
#include "limits.h"
#include "reliable/inflight.h"
#include "reliable/rtt.h"

struct mrc_rate;

/**
 * struct mrc_rate_ops - a rate controller
 * @name: as in TCP_CONGESTION and ``mrcctl``
 * @init: sets @cwnd, @ssthresh and the private part
 * @on_ack: bytes were acknowledged; @cwnd_limited: the window was in use
 * @on_ecn: first CE mark since the last reaction's round trip ended
 * @on_loss: first loss since the last answered loss's round trip ended
 * @on_timeout: nothing came back for the silence time
 * @on_undo: the last @on_loss was a mistake; the core has put @cwnd and
 *	@ssthresh back
 *
 * All are called under the socket lock, in any context, and must leave @cwnd
 * at or above mrc_rate_floor().
 */
struct mrc_rate_ops {
	const char *name;
	void (*init)(struct mrc_rate *rate);
	void (*on_ack)(struct mrc_rate *rate, const struct mrc_rtt *rtt,
		       const struct mrc_ack_result *res, bool cwnd_limited,
		       u64 now);
	void (*on_ecn)(struct mrc_rate *rate, const struct mrc_rtt *rtt,
		       u64 now);
	void (*on_loss)(struct mrc_rate *rate, const struct mrc_rtt *rtt,
			u64 now);
	void (*on_timeout)(struct mrc_rate *rate);
	void (*on_undo)(struct mrc_rate *rate);
};

/**
 * struct mrc_rate - rate control state of one path
 * @ops: controller
 * @mss: wire bytes of a full packet
 * @cwnd: bytes that may be out
 * @ssthresh: bytes; below, the window doubles every round trip
 * @prior_cwnd: @cwnd before the last reaction to loss, for undo; 0: none
 * @prior_ssthresh: @ssthresh before it
 * @ecn_cwnd: @cwnd before the reaction to ECN of this round trip; 0: none
 * @max_pacing: bytes per second, SO_MAX_PACING_RATE; U64_MAX: none
 * @pacing_rate: bytes per second
 * @delivery_rate: bytes per second that the path has lately delivered;
 *	0: not known. The scheduler's estimate
 * @round_psn: a round trip ends when this PSN is acknowledged
 * @round_start: the ACK in hand ended a round trip
 * @peak: most bytes out in this round trip
 * @last_peak: most bytes out in the one before
 * @ecn_psn: the reaction to ECN lasts until this PSN is acknowledged
 * @recover_psn: losses of PSNs before belong to the episode already answered
 * @in_recovery: an episode is under way
 * @episode_lost: packets given up in it
 * @episode_spurious: of those, packets that arrived after all
 * @priv: private state of the controller
 */
struct mrc_rate {
	const struct mrc_rate_ops *ops;
	u32 mss;
	u64 cwnd;
	u64 ssthresh;
	u64 prior_cwnd;
	u64 prior_ssthresh;
	u64 ecn_cwnd;
	u64 max_pacing;
	u64 pacing_rate;
	u64 delivery_rate;
	u32 round_psn;
	bool round_start;
	u64 peak;
	u64 last_peak;
	u32 ecn_psn;
	u32 recover_psn;
	bool in_recovery;
	u32 episode_lost;
	u32 episode_spurious;
	u64 priv[12];
};

/**
 * mrc_rate_floor() - smallest window
 * @rate: rate control state
 *
 * Return: bytes.
 */
static inline u64 mrc_rate_floor(const struct mrc_rate *rate)
{
	return (u64)MRC_CWND_MIN * rate->mss;
}

extern const struct mrc_rate_ops mrc_rate_dctcp;

const struct mrc_rate_ops *mrc_rate_find(const char *name);
void mrc_rate_init(struct mrc_rate *rate, const struct mrc_rate_ops *ops,
		   u32 mss, u32 next_psn);
void mrc_rate_set_mss(struct mrc_rate *rate, u32 mss);
void mrc_rate_update(struct mrc_rate *rate, const struct mrc_rtt *rtt,
		     const struct mrc_inflight *inf,
		     const struct mrc_ack_result *res, bool cwnd_limited,
		     u64 now);
void mrc_rate_timeout(struct mrc_rate *rate, const struct mrc_rtt *rtt,
		      const struct mrc_inflight *inf);
u32 mrc_rate_room(const struct mrc_rate *rate, const struct mrc_inflight *inf);
u32 mrc_rate_burst(const struct mrc_rate *rate);
u64 mrc_rate_capacity(const struct mrc_rate *rate, const struct mrc_rtt *rtt);

#endif /* _MRC_RATE_H */
