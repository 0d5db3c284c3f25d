// SPDX-License-Identifier: GPL-2.0
/*
 * Sending ACKs: when, on which path, with which window.
 *
 * One packet reports every path with news. It leaves at once when the sender
 * waits for it (flag, gap, CE, second skb, window opened), when the reader has
 * read (near paths), else after a quarter of the round-trip time. Socket lock
 * held.
 */
#include "conn/conn.h"
#include "conn/conn_service.h"
#include "conn/control.h"
#include "conn/output.h"
#include "conn/receive.h"
#include "observe/mib.h"
#include "path/path_object.h"
#include "path/udp.h"
#include "wire/build.h"

/**
 * mrc_ack_window() - first stream offset that we do not accept
 * @msk: connection
 *
 * The payload for which the free buffer will do, as packets have come so far,
 * beyond what has arrived. Never moves back.
 *
 * Return: the offset; also remembered in the receive queue.
 */
u64 mrc_ack_window(struct mrc_sock *msk)
{
	struct sock *sk = mrc_conn_sk(msk);
	u32 rcvbuf = READ_ONCE(sk->sk_rcvbuf);
	s64 space = (s64)rcvbuf - atomic_read(&sk->sk_rmem_alloc);
	u64 edge;

	space = max_t(s64, space * msk->rcv_ratio / 256, 0);
	/* A packet cannot be split: there must be room for the largest. */
	if (atomic_read(&sk->sk_rmem_alloc) <= rcvbuf / 2)
		space = max_t(s64, space, MRC_MSS_MAX);
	/* A message cannot be read before the whole of it has come. */
	if (mrc_conn_has_messages(msk) && !msk->rx_messages)
		space = max_t(s64, space, MRC_MESSAGE_MAX - msk->rx_partial);
	edge = msk->rxq.nxt + msk->rxq.bytes + space;
	/* What a larger buffer has promised is kept with its memory. */
	if (edge >= msk->rxq.window || rcvbuf > msk->rcv_buffer)
		msk->rcv_buffer = rcvbuf;
	msk->rxq.window = max(msk->rxq.window, edge);
	return msk->rxq.window;
}

static void add_path(struct mrc_build_ack *ack, struct mrc_path *path, u64 now,
		     bool *full)
{
	struct mrc_build_path rec = {
		.path_id = path->id,
		.set = &path->rx.set,
		.ts_echo = path->rx.ts,
		.delay_us = (u32)((now - path->rx.ts_ns) / MRC_NSEC_PER_USEC),
		.rx_packets = (u32)path->rx.packets,
		.rx_bytes = (u32)path->rx.bytes,
		.ce_packets = (u32)path->rx.ce_packets,
	};

	if (mrc_build_ack_path(ack, &rec))
		path->rx.news--;
	else
		*full = true;
}

/**
 * mrc_ack_send_on() - send an ACK on a path
 * @msk: connection
 * @on: path to send it on
 * @now: ktime_get_ns()
 */
void mrc_ack_send_on(struct mrc_sock *msk, struct mrc_path *on, u64 now)
{
	u64 window = mrc_ack_window(msk);
	u8 buf[MRC_ACK_BYTES_MAX];
	struct mrc_build_ack ack;
	bool full;
	int i = 0;

	do {
		full = false;
		mrc_build_ack_begin(&ack, buf, sizeof(buf), msk->remote_cid,
				    on->id, ++msk->ack_serial, msk->rxq.nxt,
				    window);
		for (; i < msk->npaths && !full; i++)
			if (msk->path[i]->rx.news)
				add_path(&ack, msk->path[i], now, &full);
		if (full)
			i--;
		mrc_control_send(on, buf, mrc_build_ack_end(&ack));
		MRC_INC_STATS(msk->mn, TxAcks);
	} while (full && ack.npaths);
	msk->rcv_advertised = window;
	msk->ack_sent_ns = now;
	msk->ack_skbs = 0;
	msk->ack_bytes = 0;
	msk->ack_now = false;
	msk->ack_by_reader = false;
	msk->ack_ns = 0;
}

/**
 * mrc_ack_send() - send an ACK on the path on which data came last
 * @msk: connection
 * @now: ktime_get_ns()
 */
void mrc_ack_send(struct mrc_sock *msk, u64 now)
{
	struct mrc_path *path = mrc_path_best(msk, msk->ack_path);

	msk->ack_now = false;
	msk->ack_ns = 0;
	if (path)
		mrc_ack_send_on(msk, path, now);
}

/*
 * When data that has arrived must be acknowledged at the latest; 0: now.
 *
 * Every second full packet is acknowledged, as TCP does, but while they come
 * faster than that a sixteenth of a round trip is enough: more ACKs would
 * cost both sides time and tell nothing new. Small messages may wait longer.
 *
 * On a near path a timer costs more than the ACK. On a very near one the
 * reader, which is being woken, sends it when it has read: that spares the
 * sender's CPU, where the data often arrives on such a path, and its ACK is
 * the window update as well. A reader that does not come is not waited for.
 */
static u64 ack_due(struct mrc_sock *msk, u64 rtt, u64 now)
{
	if (msk->ack_bytes < MRC_DELACK_PACKETS * msk->mss)
		return now + clamp_t(u64, rtt / 4, MRC_DELACK_MIN_NS,
				     MRC_DELACK_MAX_NS);
	if (rtt < MRC_DELACK_NEAR_NS) {
		if (!rtt || rtt >= MRC_SUPERFRAME_NS ||
		    msk->ack_bytes >= MRC_DELACK_READER_BYTES)
			return 0;
		msk->ack_by_reader = true;
		/* Longer than this would look like silence, if that matters. */
		return now + (msk->npaths > 1 ? MRC_DELACK_BURST_NS :
						MRC_DELACK_MIN_NS);
	}
	if (now - msk->ack_sent_ns >= rtt / 16 ||
	    msk->ack_skbs >= MRC_DELACK_SKBS_MAX)
		return 0;
	return now + max_t(u64, rtt / 16, MRC_DELACK_BURST_NS);
}

/**
 * mrc_ack_data() - data has arrived: an ACK is owed
 * @msk: connection
 * @bytes: payload that has arrived
 * @now: ktime_get_ns()
 */
void mrc_ack_data(struct mrc_sock *msk, u32 bytes, u64 now)
{
	struct mrc_path *path = mrc_path_find(msk, msk->ack_path);
	u64 rtt = path && path->rtt.srtt_us ? mrc_rtt_smooth_ns(&path->rtt) : 0;
	u64 due;

	msk->ack_skbs++;
	msk->ack_bytes += bytes;
	if (msk->ack_now)
		return;
	due = ack_due(msk, rtt, now);
	if (due)
		msk->ack_ns = mrc_conn_earlier(msk->ack_ns, due);
	else
		msk->ack_now = true;
}

/**
 * mrc_ack_consumed() - the application has read: tell a waiting sender
 * @msk: connection
 *
 * A window update leaves when there is room for a quarter of the payload that
 * the buffer can hold, or for two full superframes, since the last one; for a
 * packet at least, when the buffer holds some.
 */
void mrc_ack_consumed(struct mrc_sock *msk)
{
	struct sock *sk = mrc_conn_sk(msk);
	u32 rcvbuf = READ_ONCE(sk->sk_rcvbuf);
	u64 edge, left, step;

	if (!((1 << sk->sk_state) &
	      (TCPF_ESTABLISHED | TCPF_FIN_WAIT1 | TCPF_FIN_WAIT2)))
		return;
	mrc_receive_autotune(msk);
	edge = mrc_ack_window(msk);
	if (msk->ack_by_reader && msk->ack_ns) {
		mrc_ack_send(msk, ktime_get_ns());
		return;
	}
	step = max_t(u64, (u64)rcvbuf * msk->rcv_ratio / 256,
		     min_t(u32, 4 * msk->mss, rcvbuf)) / 4;
	if (edge - msk->rcv_advertised <
	    min_t(u64, step, 2 * MRC_SUPERFRAME_BYTES))
		return;
	/* No need while the sender still has half of it. */
	left = msk->rcv_advertised - min(msk->rcv_advertised, msk->rxq.nxt);
	if (left > (edge - msk->rxq.nxt) / 2)
		return;
	mrc_ack_send(msk, ktime_get_ns());
}
