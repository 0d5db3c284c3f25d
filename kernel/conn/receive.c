// SPDX-License-Identifier: GPL-2.0
/*
 * Receiving data: packets become runs, runs become the stream.
 *
 * Packets of one skb that continue one another are one entry of the reorder
 * or receive queue. A packet number is noted (and later acknowledged) only
 * after its bytes have found their place. Socket lock held.
 */
#include <net/inet_ecn.h>
#include "conn/conn.h"
#include "conn/conn_close.h"
#include "conn/control.h"
#include "conn/cursor.h"
#include "conn/input.h"
#include "conn/output.h"
#include "conn/receive.h"
#include "conn/rx_collect.h"
#include "conn/rx_message.h"
#include "conn/rx_run.h"
#include "observe/mib.h"
#include "observe/trace.h"
#include "path/path_object.h"
#include "wire/parse.h"

/* Beyond twice the buffer, for what is charged least well and for a last
 * superframe; see mrc_ack_window().
 */
#define ROOM_SPARE	SZ_128K

static void drop_entry(struct mrc_rxq *rxq, struct mrc_rx_entry *entry)
{
	kfree_skb(mrc_rx_skb(entry));
}

/**
 * mrc_receive_purge() - drop what waits behind a hole
 * @msk: connection that is over
 */
void mrc_receive_purge(struct mrc_sock *msk)
{
	struct rb_node *node;

	while ((node = rb_first(&msk->rxq.root))) {
		rb_erase(node, &msk->rxq.root);
		kfree_skb(mrc_rx_skb(rb_entry(node, struct mrc_rx_entry,
					      node)));
	}
	msk->rxq.bytes = 0;
}

/* The entry at rxq.nxt: to the application. */
static void deliver(struct mrc_sock *msk, struct sk_buff *skb, u64 now)
{
	struct sock *sk = mrc_conn_sk(msk);
	struct mrc_rx_entry *entry = mrc_rx_entry(skb);

	mrc_rxq_delivered(&msk->rxq, entry);
	if (entry->flags & MRC_RX_FIN) {
		kfree_skb(skb);
		mrc_conn_rcv_fin(msk, now);
		return;
	}
	if (mrc_conn_has_messages(msk) && !mrc_rx_message_next(msk, entry)) {
		kfree_skb(skb);
		mrc_conn_abort(msk, EPROTO, MRC_WIRE_R_MESSAGE);
		return;
	}
	msk->received_bytes += entry->len;
	if (entry->flags & MRC_RX_GONE) {
		kfree_skb(skb);
		return;
	}
	trace_mrc_deliver(msk, entry->start, entry->len);
	skb = mrc_rx_collect(msk, skb);
	if (skb)
		__skb_queue_tail(&sk->sk_receive_queue, skb);
}

/*
 * Is there memory for a run? What the window promises finds some: it counts
 * payload, as packets have come so far, and here their memory counts, so that
 * twice the buffer may be in use. The next byte in order always finds room.
 */
static bool admit(struct mrc_sock *msk, struct sk_buff *skb, u64 offset)
{
	struct sock *sk = mrc_conn_sk(msk);
	u64 limit = 2ULL * max_t(u32, READ_ONCE(sk->sk_rcvbuf),
				 msk->rcv_buffer) + ROOM_SPARE;

	if (offset <= msk->rxq.nxt)
		limit += ROOM_SPARE;
	/* A message cannot be read before the whole of it has come. */
	if (mrc_conn_has_messages(msk))
		limit += 2 * MRC_MESSAGE_MAX;
	if ((u32)atomic_read(&sk->sk_rmem_alloc) > limit ||
	    !sk_rmem_schedule(sk, skb, skb->truesize)) {
		MRC_INC_STATS(msk->mn, RxMemoryDrops);
		return false;
	}
	return true;
}

/* How much of the memory is payload, for the window. */
static void learn_ratio(struct mrc_sock *msk, u32 payload, u32 truesize)
{
	int ratio = clamp_t(u64, ((u64)payload << 8) / truesize, 32, 256);

	if (payload)
		msk->rcv_ratio += (ratio - msk->rcv_ratio) / 8;
}

static void fill_entry(struct mrc_rx_entry *entry, const struct mrc_rx_run *run,
		       u32 stride)
{
	memset(entry, 0, sizeof(*entry));
	entry->start = run->first.offset;
	entry->len = run->len;
	entry->pos = run->pos;
	entry->stride = stride;
	entry->hdr = MRC_WIRE_DATA_LEN;
	if (run->first.flags & MRC_WIRE_F_BEGIN)
		entry->flags |= MRC_RX_BEGIN;
	if (run->wire.hdr.flags & MRC_WIRE_F_END)
		entry->flags |= MRC_RX_END;
	if (run->first.flags & MRC_WIRE_F_FIN) {
		entry->flags = MRC_RX_FIN;
		entry->len = 1;
	}
}

/* Takes everything that has become in order. */
static void deliver_ready(struct mrc_sock *msk, u64 now)
{
	struct mrc_rx_entry *entry;

	while (mrc_conn_sk(msk)->sk_state != TCP_CLOSE &&
	       (entry = mrc_rxq_next(&msk->rxq, drop_entry)))
		deliver(msk, mrc_rx_skb(entry), now);
}

/* Puts a run into the stream; consumes @skb. Returns true: acknowledge it. */
static bool place(struct mrc_sock *msk, struct sk_buff *skb,
		  const struct mrc_rx_run *run, u32 stride, u64 now)
{
	struct sock *sk = mrc_conn_sk(msk);
	struct mrc_rx_entry *entry = mrc_rx_entry(skb);

	if (sock_flag(sk, SOCK_DEAD) && run->len &&
	    run->first.offset + run->len > msk->rxq.nxt) {
		/* Nobody will read it: the peer should know. */
		kfree_skb(skb);
		mrc_conn_abort(msk, 0, MRC_WIRE_R_CLOSED);
		return false;
	}
	/* Sent again in vain: it needs an ACK, and no memory. */
	if (run->len && run->first.offset + run->len <= msk->rxq.nxt) {
		kfree_skb(skb);
		return true;
	}
	if (!admit(msk, skb, run->first.offset)) {
		kfree_skb(skb);
		return false;
	}
	learn_ratio(msk, run->len, skb->truesize);
	skb_set_owner_r(skb, sk);
	fill_entry(entry, run, stride);
	switch (mrc_rxq_insert(&msk->rxq, entry, drop_entry)) {
	case MRC_RX_IN_ORDER:
		deliver(msk, skb, now);
		deliver_ready(msk, now);
		/* The paths are gone when that has ended the connection. */
		return sk->sk_state != TCP_CLOSE;
	case MRC_RX_QUEUED:
		MRC_ADD_STATS(msk->mn, RxReorderPackets, run->packets);
		mrc_rx_message_early(msk, entry);
		mrc_rx_collect_waiting(msk, skb);
		return true;
	case MRC_RX_DUPLICATE:
		kfree_skb(skb);
		return true;
	default:
		MRC_ADD_STATS(msk->mn, RxWindowPackets, run->packets);
		kfree_skb(skb);
		return false;
	}
}

/* The packet numbers of a run whose bytes were taken. */
static void note(struct mrc_sock *msk, struct mrc_path *path,
		 const struct mrc_rx_run *run, u8 ecn, u64 now)
{
	struct mrc_path_rx *rx = &path->rx;
	u32 psn = run->first.psn, fresh, next = mrc_psn_next(&rx->set);
	u32 bytes = run->len + run->packets * MRC_WIRE_DATA_LEN;
	bool ce = ecn == INET_ECN_CE;

	mrc_psn_advance(&rx->set, run->first.floor);
	fresh = mrc_psn_add(&rx->set, psn, psn + run->packets);
	rx->duplicates += run->packets - fresh;
	MRC_ADD_STATS(msk->mn, RxDupPackets, run->packets - fresh);
	rx->packets += run->packets;
	rx->bytes += bytes;
	if (ce) {
		rx->ce_packets += run->packets;
		MRC_ADD_STATS(msk->mn, RxCePackets, run->packets);
	}
	if (mrc_psn_next(&rx->set) != next) {
		rx->ts = run->first.ts;
		rx->ts_ns = now;
	}
	if (rx->ce != ce || psn != next || run->ack_now)
		msk->ack_now = true;
	rx->ce = ce;
	rx->news = MRC_PATH_NEWS;
	MRC_ADD_STATS(msk->mn, RxPackets, run->packets);
	MRC_ADD_STATS(msk->mn, RxBytes, run->len);
	trace_mrc_superframe_rx(path, psn, run->packets, bytes, ce);
}

/* Consumes @skb. Returns false when the connection has ended. */
static bool take_run(struct mrc_sock *msk, struct sk_buff *skb,
		     const struct mrc_input *in, const struct mrc_rx_run *run,
		     u64 now)
{
	struct mrc_path *path = mrc_input_path(msk, in, run->first.path_id);

	if (!path) {
		kfree_skb(skb);
		return true;
	}
	path->rx.heard_ns = now;
	msk->ack_path = path->id;
	if (place(msk, skb, run, in->stride, now))
		note(msk, path, run, in->ecn, now);
	return mrc_conn_sk(msk)->sk_state != TCP_CLOSE;
}

/**
 * mrc_receive_data() - data packets of this connection have arrived
 * @msk: connection
 * @skb: they lie at @in->pos..@in->end of it; consumed
 * @in: origin
 */
void mrc_receive_data(struct mrc_sock *msk, struct sk_buff *skb,
		      const struct mrc_input *in)
{
	struct sock *sk = mrc_conn_sk(msk);
	u32 pos, len;
	struct mrc_wire_data buf;
	const void *hdr;
	struct mrc_cursor cur;
	u64 now = ktime_get_ns(), nxt = msk->rxq.nxt;
	struct mrc_parse_data data;
	struct sk_buff *clone;
	struct mrc_rx_run run = {};
	int error;

	if (sk->sk_state == TCP_SYN_SENT) {
		kfree_skb(skb);
		return;
	}
	MRC_INC_STATS(msk->mn, RxSuperframes);
	mrc_cursor_init(&cur, skb);
	for (pos = in->pos; pos < in->end; pos += len) {
		len = min_t(u32, in->stride, in->end - pos);
		hdr = mrc_cursor_get(&cur, pos, min_t(u32, len, sizeof(buf)),
				     &buf);
		error = hdr ? mrc_parse_data(hdr, len, &data) :
			      MRC_PARSE_SHORT;
		if (error) {
			mrc_input_parse_error(msk->mn, error);
			continue;
		}
		if (run.packets &&
		    !mrc_rx_run_continues(&run, &data, in->stride)) {
			clone = skb_clone(skb, GFP_ATOMIC | __GFP_NOWARN);
			/* Each run is charged for its part of the memory. */
			if (clone)
				clone->truesize = SKB_TRUESIZE(0) +
						  run.packets * in->stride;
			if (clone && !take_run(msk, clone, in, &run, now)) {
				kfree_skb(skb);
				return;
			}
		}
		mrc_rx_run_add(&run, &data, hdr, pos, in->stride);
		len += mrc_rx_run_follow(&run, &cur, in, pos + len);
	}
	if (!run.packets) {
		kfree_skb(skb);
		return;
	}
	if (!take_run(msk, skb, in, &run, now))
		return;
	mrc_control_confirm(msk);
	/* An answer tells that the question arrived: Nagle need not wait. */
	msk->short_end = 0;
	mrc_ack_data(msk, in->end - in->pos, now);
	if ((msk->rxq.nxt != nxt || msk->rx_early) &&
	    !sock_flag(sk, SOCK_DEAD))
		sk->sk_data_ready(sk);
	msk->rx_early = false;
}

/**
 * mrc_receive_autotune() - let the receive buffer follow the rate
 * @msk: connection; the application has just read
 *
 * Once a round trip of the slowest path: as much payload as was read in it
 * must fit four times, for what is on its way, what waits behind a hole until
 * it is sent again, what comes meanwhile, and growth (dynamic right-sizing, as
 * TCP does it for one path).
 */
void mrc_receive_autotune(struct mrc_sock *msk)
{
	struct sock *sk = mrc_conn_sk(msk);
	u64 now = ktime_get_ns(), rtt = MRC_NSEC_PER_MSEC, copied, want;
	int i;

	for (i = 0; i < msk->npaths; i++)
		if (msk->path[i]->state == MRC_PATH_GOOD)
			rtt = max(rtt, mrc_rtt_smooth_ns(&msk->path[i]->rtt));
	if (now - msk->rcvq_ns < rtt)
		return;
	copied = msk->copied - msk->rcvq_copied;
	if (copied > msk->rcvq_space &&
	    !(sk->sk_userlocks & SOCK_RCVBUF_LOCK)) {
		msk->rcvq_space = min_t(u64, copied, U32_MAX);
		want = min_t(u64, 4 * copied * 256 / msk->rcv_ratio,
			     READ_ONCE(msk->mn->sysctl_rmem[2]));
		if (want > READ_ONCE(sk->sk_rcvbuf))
			WRITE_ONCE(sk->sk_rcvbuf, (int)want);
	}
	msk->rcvq_copied = msk->copied;
	msk->rcvq_ns = now;
}
