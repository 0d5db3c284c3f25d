// SPDX-License-Identifier: GPL-2.0
/*
 * The only writer of a path's state.
 *
 *   PROBING --handshake or join--> GOOD
 *   GOOD --silence, carrier, route, address, peer--> ASSUMED_BAD
 *   ASSUMED_BAD --answers probes--> GOOD, with a fresh window
 *   GOOD <--> SKIP	(congested: rests one rotation)
 *   any <--> DENIED	(the operator)
 *
 * Socket lock held.
 */
#include "conn/conn.h"
#include "conn/output.h"
#include "control/nl_event.h"
#include "observe/mib.h"
#include "observe/trace.h"
#include "path/path_object.h"
#include "wire/format.h"
#include "path/udp.h"

#define S(state)	(1U << MRC_PATH_##state)

static const u8 allowed[__MRC_PATH_STATES] = {
	[MRC_PATH_PROBING] = S(GOOD) | S(ASSUMED_BAD) | S(DENIED),
	[MRC_PATH_GOOD] = S(SKIP) | S(ASSUMED_BAD) | S(DENIED),
	[MRC_PATH_SKIP] = S(GOOD) | S(ASSUMED_BAD) | S(DENIED),
	[MRC_PATH_ASSUMED_BAD] = S(GOOD) | S(DENIED),
	[MRC_PATH_DENIED] = S(PROBING) | S(ASSUMED_BAD),
};

/* The path may carry data, as if it were new. */
static void enter_good(struct mrc_path *path, u64 now)
{
	memset(&path->probe, 0, sizeof(path->probe));
	path->probe.alive_ns = now;
	path->join.next_ns = 0;
	path->inflight.first_out_ns = now;
	path->pacer.next_ns = 0;
	mrc_udp_path_route(path);
	mrc_rate_init(&path->rate, path->msk->rate_ops,
		      path->mss + MRC_WIRE_DATA_LEN, path->inflight.next_psn);
	mrc_path_cap_rate(path);
	MRC_INC_STATS(path->msk->mn, PathGood);
}

/* Everything out is sent again elsewhere, at once. */
static void enter_bad(struct mrc_path *path, u64 now)
{
	struct mrc_sock *msk = path->msk;
	struct mrc_ack_result res = {};

	mrc_inflight_lose_all(&path->inflight, &msk->txq, &res);
	path->loss_ns = 0;
	path->bad_count++;
	memset(&path->probe, 0, sizeof(path->probe));
	path->probe.due_ns = now;
	MRC_INC_STATS(msk->mn, PathBad);
	MRC_ADD_STATS(msk->mn, TxReinjectPackets, res.lost_packets);
	if (res.lost_packets)
		trace_mrc_loss(path, res.lost_psn, res.lost_packets,
			       res.lost_bytes, MRC_LOSS_PATH);
}

/**
 * mrc_path_state_set() - change the state of a path
 * @path: path
 * @state: MRC_PATH_*
 * @reason: why
 *
 * The caller sends what became free to be sent (mrc_output_finish()).
 */
void mrc_path_state_set(struct mrc_path *path, u8 state,
			enum mrc_path_reason reason)
{
	struct mrc_sock *msk = path->msk;
	u64 now = ktime_get_ns();
	u8 old = path->state;

	if (old == state)
		return;
	if (WARN_ON_ONCE(!(allowed[old] & (1U << state))))
		return;
	path->state = state;
	if (state == MRC_PATH_GOOD && old != MRC_PATH_SKIP)
		enter_good(path, now);
	else if (state == MRC_PATH_ASSUMED_BAD)
		enter_bad(path, now);
	mrc_path_update_mss(msk);
	trace_mrc_path_state(path, old, state, reason);
	mrc_nl_event_path(path, old, state, reason);
}
