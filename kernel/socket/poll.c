// SPDX-License-Identifier: GPL-2.0
/*
 * poll(), select() and epoll: which events hold now.
 *
 * The rules are those of TCP, bit for bit: programs depend on them. No lock is
 * taken; every change of what is read here is followed by a wake-up. Called
 * by fallback_ops.c in process context.
 */
#include <net/inet_common.h>
#include "socket/room.h"

/**
 * mrc_poll_readable() - is there enough to wake a reader?
 * @msk: connection
 * @target: bytes that the reader waits for
 *
 * A buffer that is nearly full, or a lack of memory, wakes it with less: more
 * might never come.
 *
 * Context: any.
 * Return: true when a read will not block.
 */
bool mrc_poll_readable(const struct mrc_sock *msk, int target)
{
	const struct sock *sk = mrc_conn_sk(msk);
	u64 ready = mrc_recv_ready(msk);
	int rcvbuf = READ_ONCE(sk->sk_rcvbuf);

	if (!ready)
		return false;
	if (mrc_conn_has_messages(msk))
		return true;
	if (ready >= target || sk_under_memory_pressure(sk))
		return true;
	return atomic_read(&sk->sk_rmem_alloc) > rcvbuf - rcvbuf / 8;
}

static __poll_t write_mask(struct sock *sk, int shutdown)
{
	if (shutdown & SEND_SHUTDOWN || __sk_stream_is_writeable(sk, 1))
		return EPOLLOUT | EPOLLWRNORM;
	sk_set_bit(SOCKWQ_ASYNC_NOSPACE, sk);
	set_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
	/* Space may have come before the bit; pairs with mrc_send_space(). */
	smp_mb__after_atomic();
	return __sk_stream_is_writeable(sk, 1) ? EPOLLOUT | EPOLLWRNORM : 0;
}

static __poll_t listen_mask(const struct mrc_sock *msk)
{
	if (list_empty(&msk->accept_queue) && !mrc_fallback_waits(msk))
		return 0;
	return EPOLLIN | EPOLLRDNORM;
}

/**
 * mrc_poll_mask() - events of a socket that is not a TCP one
 * @sk: socket
 *
 * Context: process, no lock; the caller is queued already.
 * Return: EPOLL* bits that hold.
 */
__poll_t mrc_poll_mask(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);
	__poll_t mask = 0;
	int shutdown, state;

	/* pairs with mrc_conn_state_set(): what comes with a state is seen */
	state = smp_load_acquire(&sk->sk_state);
	if (state == TCP_LISTEN)
		return listen_mask(msk);

	shutdown = READ_ONCE(sk->sk_shutdown);
	if (shutdown == SHUTDOWN_MASK || state == TCP_CLOSE)
		mask |= EPOLLHUP;
	if (shutdown & RCV_SHUTDOWN)
		mask |= EPOLLIN | EPOLLRDNORM | EPOLLRDHUP;
	if (state != TCP_SYN_SENT) {
		if (mrc_poll_readable(msk, sock_rcvlowat(sk, 0, INT_MAX)))
			mask |= EPOLLIN | EPOLLRDNORM;
		mask |= write_mask(sk, shutdown);
	}
	smp_rmb();	/* the state is written before the error */
	if (READ_ONCE(sk->sk_err) ||
	    !skb_queue_empty_lockless(&sk->sk_error_queue))
		mask |= EPOLLERR;
	return mask;
}
