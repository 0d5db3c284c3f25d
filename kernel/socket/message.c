// SPDX-License-Identifier: GPL-2.0
/*
 * send() and recv() of SOCK_SEQPACKET: whole messages.
 *
 * A message is queued whole or not at all and read whole or not at all; what
 * does not fit into the reader's buffer is lost, as everywhere. Its packets
 * are runs of the connection's one stream, so loss recovery, reordering and
 * flow control know nothing of messages; only the boundaries are marked. The
 * receive queue holds each message as one or more skbs, the last of which has
 * MRC_RX_END, or many small ones in one skb (MRC_RX_PACKED). Guarded by the
 * socket lock; process context.
 */
#include <linux/sched/signal.h>
#include <linux/uio.h>
#include <net/inet_common.h>
#include "socket/room.h"

static bool is_closed(const struct sock *sk)
{
	return sk->sk_err || (sk->sk_shutdown & SEND_SHUTDOWN);
}

static int send_locked(struct mrc_sock *msk, struct msghdr *msg, size_t size)
{
	struct sock *sk = mrc_conn_sk(msk);
	long timeo = sock_sndtimeo(sk, msg->msg_flags & MSG_DONTWAIT);
	int err;

	err = mrc_send_prepare(sk, msg, &timeo);
	while (!err && !is_closed(sk) && !sk_stream_memory_free(sk)) {
		set_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
		mrc_output_push(msk);
		err = sk_stream_wait_memory(sk, &timeo);
	}
	if (!err && is_closed(sk))
		err = -EPIPE;
	if (!err)
		err = mrc_chunk_write_message(msk, &msg->msg_iter);
	if (err)
		return sk_stream_error(sk, msg->msg_flags, err);
	msk->more = msg->msg_flags & MSG_MORE;
	mrc_output_push(msk);
	return size;
}

/**
 * mrc_message_send() - sendmsg() of a SOCK_SEQPACKET socket
 * @sk: socket
 * @msg: the message; the address is not looked at
 * @size: bytes
 *
 * MSG_EOR is implied. The send buffer may be exceeded by one message.
 *
 * Context: process; takes the socket lock, may sleep.
 * Return: @size; -EMSGSIZE: empty or above MRC_MESSAGE_MAX; -ENOBUFS: no memory;
 * else as mrc_send_msg().
 */
int mrc_message_send(struct sock *sk, struct msghdr *msg, size_t size)
{
	int ret;

	if (!size || size > MRC_MESSAGE_MAX)
		return -EMSGSIZE;
	lock_sock(sk);
	ret = send_locked(mrc_sk(sk), msg, size);
	release_sock(sk);
	return ret;
}

/* Waits for a whole message. 1: there is one; 0: the end; negative errno. */
static int wait_message(struct sock *sk, long *timeo)
{
	struct mrc_sock *msk = mrc_sk(sk);
	int ret;

	while (!msk->rx_messages) {
		ret = mrc_recv_may_wait(sk, *timeo);
		if (ret <= 0)
			return ret;
		mrc_ack_consumed(msk);
		ret = sk_wait_data(sk, timeo,
				   skb_peek_tail(&sk->sk_receive_queue));
		if (ret < 0)
			return ret;
	}
	return 1;
}

/* Bytes of the next message that lie in an skb of the queue. */
static u32 part_len(struct sk_buff *skb)
{
	const struct mrc_rx_entry *entry = mrc_rx_entry(skb);
	u16 len;

	if (!(entry->flags & MRC_RX_PACKED))
		return entry->len;
	memcpy(&len, skb->data + entry->pos - sizeof(len), sizeof(len));
	return len;
}

/* Bytes of the first message of the queue. */
static u32 first_len(const struct sock *sk)
{
	struct sk_buff *skb;
	u32 total = 0;

	skb_queue_walk(&sk->sk_receive_queue, skb) {
		total += part_len(skb);
		if (mrc_rx_entry(skb)->flags & MRC_RX_END)
			break;
	}
	return total;
}

/* Copies as much of the first message as @len has room for. */
static int copy_message(struct sock *sk, struct msghdr *msg, size_t len)
{
	struct sk_buff *skb;
	u32 copied = 0, bytes;

	skb_queue_walk(&sk->sk_receive_queue, skb) {
		bytes = min_t(size_t, len - copied, part_len(skb));
		if (mrc_recv_copy(msg, skb, 0, bytes) < bytes)
			return -EFAULT;
		copied += bytes;
		if (copied == len || mrc_rx_entry(skb)->flags & MRC_RX_END)
			break;
	}
	return copied;
}

/* Takes what an skb has of the next message away from it. */
static void drop_part(struct sock *sk, struct sk_buff *skb)
{
	struct mrc_rx_entry *entry = mrc_rx_entry(skb);
	u32 len = part_len(skb);

	if (len == entry->len) {
		sk_eat_skb(sk, skb);
		return;
	}
	entry->start += len;
	entry->len -= len;
	entry->pos += len + MRC_RX_PACKED_HEAD;
}

static void drop_message(struct mrc_sock *msk, u32 total)
{
	struct sock *sk = mrc_conn_sk(msk);
	struct sk_buff *skb;
	bool end = false;

	while (!end && (skb = skb_peek(&sk->sk_receive_queue))) {
		end = mrc_rx_entry(skb)->flags & MRC_RX_END;
		drop_part(sk, skb);
	}
	WRITE_ONCE(msk->rx_messages, msk->rx_messages - 1);
	WRITE_ONCE(msk->copied, msk->copied + total);
	mrc_ack_consumed(msk);
}

static int recv_locked(struct sock *sk, struct msghdr *msg, size_t len,
		       int flags)
{
	long timeo = sock_rcvtimeo(sk, flags & MSG_DONTWAIT);
	int ret, copied;
	u32 total;

	if (sk->sk_state == TCP_LISTEN)
		return -ENOTCONN;
	ret = wait_message(sk, &timeo);
	if (ret <= 0)
		return ret;
	copied = copy_message(sk, msg, len);
	if (copied < 0)
		return copied;
	total = first_len(sk);
	msg->msg_flags |= MSG_EOR;
	if (copied < total)
		msg->msg_flags |= MSG_TRUNC;
	if (!(flags & MSG_PEEK))
		drop_message(mrc_sk(sk), total);
	return flags & MSG_TRUNC ? total : copied;
}

/**
 * mrc_message_recv() - recvmsg() of a SOCK_SEQPACKET socket
 * @sk: socket
 * @msg: where the message goes; msg_flags tell MSG_EOR and MSG_TRUNC
 * @len: bytes it has room for; the rest of the message is dropped
 * @flags: MSG_PEEK, MSG_TRUNC (return the length of the message),
 *	MSG_DONTWAIT; others have no effect
 *
 * Context: process; takes the socket lock, may sleep.
 * Return: bytes; 0: no more messages; -EAGAIN, -EINTR, -ENOTCONN, -EFAULT, or
 * the error of the connection.
 */
int mrc_message_recv(struct sock *sk, struct msghdr *msg, size_t len,
		     int flags)
{
	int ret;

	lock_sock(sk);
	ret = recv_locked(sk, msg, len, flags);
	release_sock(sk);
	return ret;
}

/**
 * mrc_message_next_len() - FIONREAD: bytes of the next message
 * @msk: connection
 *
 * Context: socket lock held.
 * Return: bytes; 0: there is none.
 */
u32 mrc_message_next_len(const struct mrc_sock *msk)
{
	return msk->rx_messages ? first_len(mrc_conn_sk(msk)) : 0;
}
