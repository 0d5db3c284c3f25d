// SPDX-License-Identifier: GPL-2.0
/*
 * Taking an ACK: what has arrived, what is lost, what rate control learns.
 *
 * Socket lock held.
 */
#include "conn/conn.h"
#include "conn/conn_close.h"
#include "conn/control.h"
#include "conn/output.h"
#include "observe/mib.h"
#include "observe/trace.h"
#include "path/path_object.h"
#include "socket/socket.h"
#include "wire/parse.h"

/* Counts what @res says and tells rate control. */
static void account(struct mrc_path *path, const struct mrc_ack_result *res,
		    bool cwnd_limited, u64 now)
{
	struct mrc_net *mn = path->msk->mn;

	path->acked_bytes += res->acked_bytes;
	path->ce_packets += res->ce_packets;
	if (res->lost_packets) {
		MRC_ADD_STATS(mn, LostPackets, res->lost_packets);
		trace_mrc_loss(path, res->lost_psn, res->lost_packets,
			       res->lost_bytes, MRC_LOSS_REORDER);
	}
	if (res->spurious_packets)
		MRC_ADD_STATS(mn, SpuriousPackets, res->spurious_packets);
	mrc_path_cap_rate(path);
	mrc_rate_update(&path->rate, &path->rtt, &path->inflight, res,
			cwnd_limited, now);
	trace_mrc_rate(path);
}

/**
 * mrc_ack_detect() - give up what must be lost by now
 * @path: path whose loss deadline has passed, or that was heard of
 * @now: ktime_get_ns()
 */
void mrc_ack_detect(struct mrc_path *path, u64 now)
{
	struct mrc_ack_result res = {};

	path->loss_ns = mrc_inflight_detect(&path->inflight, &path->msk->txq,
					    &path->rtt, now, &res);
	if (res.lost_packets)
		account(path, &res, false, now);
}

/* One path record of an ACK. */
static void apply_path(struct mrc_sock *msk, const struct mrc_ack_path *rec,
		       u64 now)
{
	struct mrc_path *path = mrc_path_find(msk, rec->path_id);
	struct mrc_ack_result res = {};
	bool limited;
	u32 rtt_us;

	if (!path)
		return;
	limited = mrc_rate_room(&path->rate, &path->inflight) <
		  2 * path->rate.mss;
	if (mrc_inflight_ack(&path->inflight, &msk->txq, rec, now, &res)) {
		MRC_INC_STATS(msk->mn, RxBadAcks);
		return;
	}
	if (res.newest_acked) {
		rtt_us = (u32)(now / MRC_NSEC_PER_USEC) - rec->ts_echo;
		if (rtt_us >= rec->delay_us)
			mrc_rtt_sample(&path->rtt, rtt_us - rec->delay_us,
				       now);
	}
	if (res.acked_packets && path->state == MRC_PATH_GOOD)
		mrc_path_probe_alive(path, now);
	path->loss_ns = mrc_inflight_detect(&path->inflight, &msk->txq,
					    &path->rtt, now, &res);
	if (res.acked_packets || res.lost_packets || res.spurious_packets ||
	    res.ce_packets)
		account(path, &res, limited, now);
	mrc_inflight_forget(&path->inflight, &msk->txq,
			    now - min(now, 4 * mrc_rtt_silence_ns(&path->rtt)));
}

/**
 * mrc_ack_apply() - an ACK has arrived
 * @msk: connection
 * @path: path on which it arrived
 * @pkt: the packet
 * @len: its bytes
 */
void mrc_ack_apply(struct mrc_sock *msk, struct mrc_path *path,
		   const void *pkt, u32 len)
{
	u64 now = ktime_get_ns(), una = msk->txq.una;
	struct mrc_ack_path rec;
	struct mrc_parse_ack ack;
	int error;

	error = mrc_parse_ack(pkt, len, &ack);
	if (error) {
		mrc_input_parse_error(msk->mn, error);
		return;
	}
	if (ack.data_ack > msk->txq.nxt) {
		MRC_INC_STATS(msk->mn, RxBadAcks);
		return;
	}
	MRC_INC_STATS(msk->mn, RxAcks);
	if (ack.window > msk->peer_window) {
		msk->peer_window = ack.window;
		msk->persist_ns = 0;
	}
	while (mrc_parse_ack_next(&ack, &rec))
		apply_path(msk, &rec, now);
	mrc_txq_ack(&msk->txq, ack.data_ack);
	if (msk->txq.una != una) {
		msk->progress_ns = now;
		mrc_send_space(msk);
		mrc_conn_check_fin(msk, now);
	}
}
