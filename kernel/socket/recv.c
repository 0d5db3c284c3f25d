// SPDX-License-Identifier: GPL-2.0
/*
 * recv() and its relatives.
 *
 * In-order data lie in sk_receive_queue, one struct mrc_rx_entry in the
 * control block of each skb; a superframe holds many packets, whose payloads
 * are copied one after the other. Softirq appends under the socket lock, only
 * the owner of the lock removes. Semantics of flags, time-outs and errors are
 * those of TCP. Called by the socket layer.
 */
#include <linux/sched/signal.h>
#include <linux/skbuff.h>
#include <net/inet_common.h>
#include "conn/cursor.h"
#include "socket/room.h"

/**
 * struct recv_op - a receive operation under way
 * @sk: socket
 * @msg: where the bytes go
 * @len: bytes still wanted
 * @target: bytes after which it need not wait any more
 * @flags: MSG_*
 * @copied: bytes delivered, or negative errno when there are none
 * @fault: user memory could not be written
 * @seq: stream offset of the next byte
 * @timeo: how long it may still wait, jiffies
 */
struct recv_op {
	struct sock *sk;
	struct msghdr *msg;
	size_t len;
	int target;
	int flags;
	int copied;
	bool fault;
	u64 seq;
	long timeo;
};

/* The skb that has the next byte; *done: bytes of it before that one. */
static struct sk_buff *find(const struct recv_op *op, u32 *done)
{
	struct sk_buff *skb;

	skb_queue_walk(&op->sk->sk_receive_queue, skb) {
		const struct mrc_rx_entry *entry = mrc_rx_entry(skb);

		if (op->seq - entry->start < entry->len) {
			*done = op->seq - entry->start;
			return skb;
		}
	}
	return NULL;
}

/*
 * Copies bytes that lie between two headers. Whether the memory may be copied
 * to a user at all is asked once for each area, not for each packet.
 */
static bool copy_piece(struct msghdr *msg, struct mrc_cursor *cur, u32 pos,
		       u32 bytes)
{
	const u8 *area = cur->checked;

	if (!mrc_cursor_seek(cur, pos) || cur->end - pos < bytes)
		return !skb_copy_datagram_msg(cur->skb, pos, msg, bytes);
	if (cur->data != area) {
		if (!check_copy_size(cur->data, cur->end - cur->begin, true))
			return false;
		cur->checked = cur->data;
	}
	return _copy_to_iter(cur->data + (pos - cur->begin), bytes,
			     &msg->msg_iter) == bytes;
}

/**
 * mrc_recv_copy() - copy stream bytes out of one skb to the user
 * @msg: where they go
 * @skb: skb of the receive queue
 * @done: bytes of it to leave out
 * @bytes: how many, at most what is left of it
 *
 * Context: process, socket lock held, may fault.
 * Return: bytes copied; less than @bytes: user memory cannot be written.
 */
u32 mrc_recv_copy(struct msghdr *msg, struct sk_buff *skb, u32 done, u32 bytes)
{
	const struct mrc_rx_entry *entry = mrc_rx_entry(skb);
	u32 used = 0, piece, pos;
	struct mrc_cursor cur;

	mrc_cursor_init(&cur, skb);
	piece = mrc_rxq_piece(entry, done, &pos);
	while (used < bytes) {
		piece = min(piece, bytes - used);
		if (WARN_ON_ONCE(!piece) || !copy_piece(msg, &cur, pos, piece))
			break;
		used += piece;
		/* Behind the next header. */
		pos += piece + entry->hdr;
		piece = entry->stride - entry->hdr;
	}
	return used;
}

/* Copies out of one skb. Returns the bytes that arrived at the user. */
static u32 copy(struct recv_op *op, struct sk_buff *skb, u32 done)
{
	u32 left = min_t(size_t, op->len, mrc_rx_entry(skb)->len - done);
	u32 used;

	if (op->flags & MSG_TRUNC)
		return left;
	used = mrc_recv_copy(op->msg, skb, done, left);
	op->fault = used < left;
	return used;
}

static void account(struct recv_op *op, struct sk_buff *skb, u32 bytes)
{
	struct mrc_rx_entry *entry = mrc_rx_entry(skb);

	op->seq += bytes;
	op->copied += bytes;
	op->len -= bytes;
	if (op->flags & MSG_PEEK)
		return;
	WRITE_ONCE(mrc_sk(op->sk)->copied, op->seq);
	if (bytes == entry->len)
		sk_eat_skb(op->sk, skb);
	else
		mrc_rxq_trim(entry, bytes);
}

/**
 * mrc_recv_may_wait() - nothing can be read: is it worth waiting?
 * @sk: socket
 * @timeo: how long the caller may wait, jiffies
 *
 * Context: process, socket lock held.
 * Return: 1: yes; 0: the stream has ended; -EAGAIN, -EINTR, -ENOTCONN,
 * -MRC_MOVED or the error of the connection.
 */
int mrc_recv_may_wait(struct sock *sk, long timeo)
{
	if (mrc_sk(sk)->fallback.active)
		return -MRC_MOVED;
	if (sock_flag(sk, SOCK_DONE))
		return 0;
	if (sk->sk_err)
		return sock_error(sk);
	if (sk->sk_shutdown & RCV_SHUTDOWN)
		return 0;
	if (sk->sk_state == TCP_CLOSE)
		return -ENOTCONN;
	if (!timeo)
		return -EAGAIN;
	if (signal_pending(current))
		return sock_intr_errno(timeo);
	return 1;
}

/* Nothing to copy. 1: wait for more; 0: that was it; or negative errno. */
static int may_wait(const struct recv_op *op)
{
	struct sock *sk = op->sk;

	if (op->copied >= op->target && !READ_ONCE(sk->sk_backlog.tail))
		return 0;
	if (op->copied)
		return op->timeo && !sk->sk_err && sk->sk_state != TCP_CLOSE &&
		       !(sk->sk_shutdown & RCV_SHUTDOWN) &&
		       !signal_pending(current);
	return mrc_recv_may_wait(sk, op->timeo);
}

/* Tells the peer of the room that reading has made. */
static void consumed(const struct recv_op *op)
{
	if (op->copied > 0 && !(op->flags & MSG_PEEK))
		mrc_ack_consumed(mrc_sk(op->sk));
}

/* Gives up the lock, so another reader may take bytes meanwhile. */
static int wait(struct recv_op *op)
{
	struct mrc_sock *msk = mrc_sk(op->sk);
	int err = 0;

	if (op->copied >= op->target) {
		__sk_flush_backlog(op->sk);
	} else {
		consumed(op);
		err = sk_wait_data(op->sk, &op->timeo,
				   skb_peek_tail(&op->sk->sk_receive_queue));
	}
	if (!(op->flags & MSG_PEEK) || op->seq - op->copied != msk->copied)
		op->seq = msk->copied;
	return err < 0 ? err : 1;
}

static void recv_locked(struct recv_op *op)
{
	struct sk_buff *skb;
	u32 done;
	int ret;

	do {
		skb = find(op, &done);
		if (skb) {
			account(op, skb, copy(op, skb, done));
			ret = op->fault ? -EFAULT : 1;
		} else {
			ret = may_wait(op);
			if (ret > 0)
				ret = wait(op);
		}
	} while (ret > 0 && op->len);
	if (ret < 0 && !op->copied)
		op->copied = ret;
	consumed(op);
}

/*
 * Bytes left after this call, or 1 for an end of the stream that is still to
 * be read. Under the socket lock.
 */
static int bytes_left(const struct sock *sk)
{
	u64 ready = mrc_recv_ready(mrc_sk(sk));

	if (!ready && sock_flag(sk, SOCK_DONE))
		return 1;
	return min_t(u64, ready, INT_MAX);
}

/* TCP_INQ asks in a control message, io_uring in the call. */
static void tell_left(struct msghdr *msg, bool inq, int left)
{
	if (msg->msg_get_inq)
		msg->msg_inq = left;
	if (inq)
		put_cmsg(msg, SOL_TCP, TCP_CM_INQ, sizeof(left), &left);
}

/**
 * mrc_recv_msg() - recvmsg() and everything built on it
 * @sk: socket
 * @msg: where the bytes go; no address is given, as with TCP
 * @len: bytes wanted
 * @flags: MSG_PEEK, MSG_WAITALL, MSG_TRUNC (discard), MSG_DONTWAIT,
 *	MSG_ERRQUEUE; others have no effect
 * @addr_len: set by MSG_ERRQUEUE only
 *
 * Context: process; takes the socket lock, may sleep.
 * Return: bytes; 0: end of the stream; -EAGAIN, -EINTR, -ENOTCONN, -EFAULT,
 * -EINVAL (MSG_OOB), or the error of the connection.
 */
int mrc_recv_msg(struct sock *sk, struct msghdr *msg, size_t len, int flags,
		 int *addr_len)
{
	struct recv_op op = {
		.sk = sk, .msg = msg, .len = len, .flags = flags,
	};
	bool inq;
	int left;

	if (flags & MSG_ERRQUEUE)
		return inet_recv_error(sk, msg, len, addr_len);
	if (flags & MSG_OOB)
		return -EINVAL;
	if (sk->sk_type == SOCK_SEQPACKET)
		return mrc_message_recv(sk, msg, len, flags);
	lock_sock(sk);
	if (sk->sk_state == TCP_LISTEN) {
		op.copied = -ENOTCONN;
	} else {
		op.seq = mrc_sk(sk)->copied;
		op.timeo = sock_rcvtimeo(sk, flags & MSG_DONTWAIT);
		op.target = sock_rcvlowat(sk, flags & MSG_WAITALL, len);
		recv_locked(&op);
	}
	inq = mrc_sk(sk)->opts.inq;
	left = bytes_left(sk);
	release_sock(sk);
	if (op.copied >= 0)
		tell_left(msg, inq, left);
	return op.copied;
}

/**
 * mrc_recv_ready() - bytes that can be read at once
 * @msk: connection
 *
 * Context: any; exact under the socket lock.
 * Return: bytes, messages for SOCK_SEQPACKET; the end does not count.
 */
u64 mrc_recv_ready(const struct mrc_sock *msk)
{
	u64 end = min(READ_ONCE(msk->rxq.nxt), READ_ONCE(msk->rxq.fin));
	u64 copied = READ_ONCE(msk->copied);

	/* Whole messages only, which need not be those in order. */
	if (mrc_conn_has_messages(msk))
		return READ_ONCE(msk->rx_messages);
	return end > copied ? end - copied : 0;
}

/**
 * mrc_recv_lowat() - SO_RCVLOWAT
 * @sk: socket
 * @val: bytes
 *
 * A limit that the buffer cannot reach would block for ever, so the buffer
 * grows with it, or the limit is cut.
 *
 * Context: process, socket lock held.
 * Return: 0.
 */
int mrc_recv_lowat(struct sock *sk, int val)
{
	bool locked = sk->sk_userlocks & SOCK_RCVBUF_LOCK;
	struct mrc_sock *msk = mrc_sk(sk);
	int cap;

	cap = locked ? sk->sk_rcvbuf : READ_ONCE(msk->mn->sysctl_rmem[2]);
	val = min(val, cap / 2);
	WRITE_ONCE(sk->sk_rcvlowat, val ? : 1);
	if (sock_flag(sk, SOCK_DONE) ||
	    mrc_poll_readable(msk, sk->sk_rcvlowat))
		sk->sk_data_ready(sk);
	if (!locked && val * 2 > sk->sk_rcvbuf)
		WRITE_ONCE(sk->sk_rcvbuf, val * 2);
	return 0;
}
