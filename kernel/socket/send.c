// SPDX-License-Identifier: GPL-2.0
/*
 * send() and its relatives, and waking those who wait to send.
 *
 * User data go into chunks (chunk.c); each complete chunk is offered to the
 * output at once, what is left at the end of the call. The size of the send
 * buffer follows the windows of the paths until SO_SNDBUF fixes it. Guarded
 * by the socket lock; writers in process context, space in softirq.
 */
#include <linux/poll.h>
#include <linux/uio.h>
#include <net/inet_common.h>
#include "socket/room.h"

/* sendfile() says "more" with a flag of its own where it still exists. */
#ifdef MSG_SENDPAGE_NOTLAST
#define MORE_FLAGS	(MSG_MORE | MSG_SENDPAGE_NOTLAST)
#else
#define MORE_FLAGS	MSG_MORE
#endif

/* States in which the application may write. */
#define OPEN_STATES	(TCPF_ESTABLISHED | TCPF_CLOSE_WAIT)

/**
 * mrc_send_prepare() - may this call write at all? Waits for the handshake
 * @sk: socket
 * @msg: flags and control messages are looked at
 * @timeo: how long it may wait, jiffies; what is left of it
 *
 * Context: process, socket lock held, may sleep.
 * Return: 0; -EOPNOTSUPP, -EINVAL, -EPIPE, -EAGAIN, -EINTR, -MRC_MOVED or the
 * error of the connection.
 */
int mrc_send_prepare(struct sock *sk, struct msghdr *msg, long *timeo)
{
	struct sockcm_cookie cookie;
	int err;

	if (msg->msg_flags & (MSG_OOB | MSG_FASTOPEN))
		return -EOPNOTSUPP;
	if (!mrc_socket_in(sk, OPEN_STATES)) {
		err = sk_stream_wait_connect(sk, timeo);
		if (mrc_sk(sk)->fallback.active)
			return -MRC_MOVED;
		if (err)
			return err;
	}
	if (msg->msg_controllen) {
		sockcm_init(&cookie, sk);
		if (sock_cmsg_send(sk, msg, &cookie))
			return -EINVAL;
	}
	sk_clear_bit(SOCKWQ_ASYNC_NOSPACE, sk);
	return 0;
}

static bool is_closed(const struct sock *sk)
{
	return sk->sk_err || (sk->sk_shutdown & SEND_SHUTDOWN);
}

/* The buffer is full: everything must go, then wait. */
static int wait_for_space(struct mrc_sock *msk, bool push, long *timeo)
{
	struct sock *sk = mrc_conn_sk(msk);

	set_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
	if (push) {
		msk->more = false;
		mrc_output_push(msk);
	}
	return sk_stream_wait_memory(sk, timeo);
}

/* A chunk is complete: see what has come back meanwhile, and send it. */
static void push_chunk(struct mrc_sock *msk)
{
	sk_flush_backlog(mrc_conn_sk(msk));
	mrc_output_push(msk);
}

/* Queues the data of a write; *copied counts, also when an error ends it. */
static int queue_data(struct mrc_sock *msk, struct msghdr *msg, long *timeo,
		      int *copied)
{
	struct sock *sk = mrc_conn_sk(msk);
	int bytes, err;
	bool full;

	while (msg_data_left(msg)) {
		if (is_closed(sk))
			return -EPIPE;
		bytes = mrc_chunk_write(msk, &msg->msg_iter, &full);
		if (bytes > 0) {
			*copied += bytes;
			if (full)
				push_chunk(msk);
			continue;
		}
		if (bytes != -ENOBUFS)
			return bytes;
		err = wait_for_space(msk, *copied, timeo);
		if (err)
			return err;
	}
	return 0;
}

static int send_locked(struct mrc_sock *msk, struct msghdr *msg)
{
	struct sock *sk = mrc_conn_sk(msk);
	int flags = msg->msg_flags;
	int copied = 0, err;
	long timeo;

	timeo = sock_sndtimeo(sk, flags & MSG_DONTWAIT);
	err = mrc_send_prepare(sk, msg, &timeo);
	if (!err && is_closed(sk))
		err = -EPIPE;
	if (!err)
		err = queue_data(msk, msg, &timeo, &copied);
	if (copied) {
		msk->more = flags & MORE_FLAGS;
		mrc_output_push(msk);
		return copied;
	}
	if (!err)
		return 0;
	err = sk_stream_error(sk, flags, err);
	/* Nothing is under way that would wake an edge-triggered waiter. */
	if (err == -EAGAIN && list_empty(&msk->txq.chunks))
		sk->sk_write_space(sk);
	return err;
}

/**
 * mrc_send_msg() - sendmsg() and everything built on it
 * @sk: socket
 * @msg: data and flags; the address is not looked at, as with TCP
 * @size: bytes
 *
 * MSG_ZEROCOPY is not possible to ask for: SO_ZEROCOPY is refused.
 *
 * Context: process; takes the socket lock, may sleep.
 * Return: bytes queued; -EPIPE (and SIGPIPE), -EAGAIN, -EINTR, -EFAULT,
 * -EOPNOTSUPP, or the error of the connection.
 */
int mrc_send_msg(struct sock *sk, struct msghdr *msg, size_t size)
{
	int ret;

	if (sk->sk_type == SOCK_SEQPACKET)
		return mrc_message_send(sk, msg, size);
	lock_sock(sk);
	ret = send_locked(mrc_sk(sk), msg);
	release_sock(sk);
	return ret;
}

/**
 * mrc_send_memory_free() - proto.stream_memory_free: TCP_NOTSENT_LOWAT
 * @sk: socket
 * @wake: 1: is it worth waking a writer? 0: may one go on?
 *
 * Context: any.
 * Return: true when few enough bytes wait for their first departure.
 */
bool mrc_send_memory_free(const struct sock *sk, int wake)
{
	const struct mrc_sock *msk = mrc_sk(sk);
	u32 lowat = READ_ONCE(msk->opts.notsent_lowat);
	u64 unsent;

	if (!lowat)
		return true;
	unsent = READ_ONCE(msk->txq.end) - READ_ONCE(msk->txq.nxt);
	return unsent << wake < lowat;
}

/**
 * mrc_send_write_space() - sk_write_space: wake writers when it is worth it
 * @sk: socket
 *
 * Context: any, socket lock held.
 */
void mrc_send_write_space(struct sock *sk)
{
	struct socket *sock = sk->sk_socket;
	struct socket_wq *wq;

	if (!sock || !__sk_stream_is_writeable(sk, 1))
		return;
	clear_bit(SOCK_NOSPACE, &sock->flags);
	rcu_read_lock();
	wq = rcu_dereference(sk->sk_wq);
	if (skwq_has_sleeper(wq))
		wake_up_interruptible_poll(&wq->wait, EPOLLOUT | EPOLLWRNORM |
					   EPOLLWRBAND);
	if (wq && wq->fasync_list && !(sk->sk_shutdown & SEND_SHUTDOWN))
		sock_wake_async(wq, SOCK_WAKE_SPACE, POLL_OUT);
	rcu_read_unlock();
}

/*
 * Three times what the windows allow: one for what is out, one for what has
 * arrived but waits behind a hole on another path, one for what is being
 * written, so that an ACK never finds the queue empty.
 */
static void grow_buffer(struct mrc_sock *msk)
{
	struct sock *sk = mrc_conn_sk(msk);
	u64 want = 2 * MRC_SUPERFRAME_BYTES;
	int i;

	if (sk->sk_userlocks & SOCK_SNDBUF_LOCK ||
	    sk_under_memory_pressure(sk))
		return;
	for (i = 0; i < msk->npaths; i++)
		if (msk->path[i]->state == MRC_PATH_GOOD)
			want += 3 * (u64)msk->path[i]->rate.cwnd;
	want = min_t(u64, want, READ_ONCE(msk->mn->sysctl_wmem[2]));
	if (want > sk->sk_sndbuf)
		WRITE_ONCE(sk->sk_sndbuf, want);
}

/**
 * mrc_send_space() - the peer has acknowledged something
 * @msk: connection
 *
 * To be called once after an ACK was applied.
 *
 * Context: any, socket lock held.
 */
void mrc_send_space(struct mrc_sock *msk)
{
	struct sock *sk = mrc_conn_sk(msk);

	lockdep_assert(lockdep_sock_is_held(sk));
	grow_buffer(msk);
	smp_mb();	/* pairs with mrc_poll_mask(): set the bit, look again */
	if (sk->sk_socket && test_bit(SOCK_NOSPACE, &sk->sk_socket->flags))
		sk->sk_write_space(sk);
}
