/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which path takes the next superframe: the decision, behind an ops table.
 *
 * The caller describes every living path and what waits to be sent; the
 * scheduler answers with a path, or tells how long to wait because a path
 * that cannot send right now would still deliver sooner. Pure.
 */
#ifndef _MRC_SCHED_H
#define _MRC_SCHED_H

#include <linux/types.h>

/**
 * struct mrc_sched_path - a path as the scheduler sees it
 * @good: may carry data (state GOOD, or a backup that is needed)
 * @room: bytes that the congestion window still allows; 0: blocked
 * @wait_ns: pacing: how long until the next departure; 0: now
 * @queue_ns: from mrc_pacer_queue_ns(): time until a burst that was just sent
 *	has left; 0: nothing, or not known
 * @inflight: bytes out
 * @cwnd: congestion window, bytes
 * @rate: bytes per second it delivers; never 0
 * @srtt_us: smoothed RTT less what has drained since (mrc_rtt_aged_us()),
 *	microseconds; 0: not known
 * @min_us: smallest RTT, microseconds; 0: not known, then half of @srtt_us
 *	counts as one way. What is above it is taken for queueing of the data
 * @mss: wire bytes of a full packet
 */
struct mrc_sched_path {
	bool good;
	u32 room;
	u64 wait_ns;
	u64 queue_ns;
	u64 inflight;
	u64 cwnd;
	u64 rate;
	u32 srtt_us;
	u32 min_us;
	u32 mss;
};

/**
 * struct mrc_sched_req - what waits to be sent
 * @paths: the paths
 * @npaths: their number
 * @last: index chosen last time; -1: none (for rotation between equals)
 * @avoid: index not to choose unless it is the only one; -1: none
 * @len: bytes about to be sent
 * @backlog: stream bytes that wait, @len included
 * @window: stream bytes that the receiver accepts, beyond those already out
 * @urgent: bytes that block the receiver (a retransmission)
 */
struct mrc_sched_req {
	const struct mrc_sched_path *paths;
	int npaths;
	int last;
	int avoid;
	u32 len;
	u64 backlog;
	u64 window;
	bool urgent;
};

/**
 * struct mrc_sched_ops - a scheduler
 * @name: as in ``mrcctl``
 * @pick: returns the index of a path that can send now, or -1; then
 *	*@wait_ns is the time after which to ask again because of pacing
 *	(U64_MAX: an ACK has to come first). Never answers with a path whose
 *	@good is false, @room is 0 or @wait_ns is not 0
 */
struct mrc_sched_ops {
	const char *name;
	int (*pick)(const struct mrc_sched_req *req, u64 *wait_ns);
};

extern const struct mrc_sched_ops mrc_sched_earliest;
extern const struct mrc_sched_ops mrc_sched_latency;

const struct mrc_sched_ops *mrc_sched_find(const char *name);

#endif /* _MRC_SCHED_H */
