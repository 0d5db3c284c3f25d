// SPDX-License-Identifier: GPL-2.0
/*
 * connect(), bind() and listen() of a socket that may become a TCP one.
 *
 * connect() begins with AF_MRC, unless the host is known to have none, and
 * waits for the outcome of whatever it has become meanwhile: sock->sk is looked
 * up again after each wake-up. All three bring a socket whose connection over
 * TCP has failed back to AF_MRC first. Called by the socket layer in process
 * context; the locks are those of fallback_switch.c.
 */
#include <linux/sched/signal.h>
#include <net/inet_common.h>
#include <net/ipv6.h>
#include "path/addr.h"
#include "socket/room.h"

/* The current socket of @sock, locked. */
static struct sock *lock_current(struct socket *sock)
{
	struct sock *sk;

	for (;;) {
		/* pairs with mrc_fallback_switch() */
		sk = smp_load_acquire(&sock->sk);
		lock_sock(sk);
		if (sk == READ_ONCE(sock->sk))
			return sk;
		release_sock(sk);
	}
}

/* Is the host at @uaddr known to have no AF_MRC? */
static bool is_known(const struct mrc_sock *msk, const struct sockaddr *uaddr,
		     int len)
{
	const struct sockaddr_in6 *sin6 = (const struct sockaddr_in6 *)uaddr;
	const struct sockaddr_in *sin = (const struct sockaddr_in *)uaddr;
	struct mrc_addr addr = { .family = uaddr->sa_family };

	if (uaddr->sa_family != mrc_conn_sk(msk)->sk_family)
		return false;
	if (addr.family == AF_INET && len >= (int)sizeof(*sin))
		addr.ip[0] = sin->sin_addr.s_addr;
	else if (addr.family == AF_INET6 && len >= SIN6_LEN_RFC2133)
		memcpy(addr.ip, &sin6->sin6_addr, sizeof(addr.ip));
	else
		return false;
	mrc_addr_unmap(&addr);
	return mrc_fallback_known(msk->mn, &addr);
}

/* Begins, or looks how far it is; never waits. */
static int connect_now(struct socket *sock, struct sockaddr *uaddr, int len)
{
	struct sock *sk = lock_current(sock);
	struct mrc_sock *msk = mrc_sk(sk);
	int err;

	if (!mrc_fallback_is_tcp(sk) && msk->fallback.allowed &&
	    sock->state == SS_UNCONNECTED && sk->sk_state == TCP_CLOSE &&
	    len >= (int)sizeof(uaddr->sa_family) &&
	    is_known(msk, uaddr, len)) {
		err = mrc_fallback_switch(msk, uaddr, len,
					  MRC_FALLBACK_REMEMBERED);
		if (!err)
			err = -EINPROGRESS;
	} else {
		err = __inet_stream_connect(sock, uaddr, len, O_NONBLOCK, 0);
	}
	release_sock(sk);
	return err;
}

static bool is_connecting(const struct socket *sock)
{
	const struct sock *sk;
	int state;

	do {
		/* pairs with mrc_fallback_switch() */
		sk = smp_load_acquire(&sock->sk);
		/* pairs with mrc_conn_state_set(): who sees CLOSE because of a
		 * fall-back sees the other socket, too
		 */
		state = smp_load_acquire(&sk->sk_state);
	} while (sk != READ_ONCE(sock->sk));
	return (1 << state) & (TCPF_SYN_SENT | TCPF_SYN_RECV);
}

/* Returns 0 when there is an outcome, else @err or that of a signal. */
static int wait_for_outcome(struct socket *sock, int err)
{
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	long timeo = sock_sndtimeo(READ_ONCE(sock->sk), false);

	add_wait_queue(&sock->wq.wait, &wait);
	while (is_connecting(sock)) {
		if (!timeo)
			goto out;
		if (signal_pending(current)) {
			err = sock_intr_errno(timeo);
			goto out;
		}
		timeo = wait_woken(&wait, TASK_INTERRUPTIBLE, timeo);
	}
	err = 0;
out:
	remove_wait_queue(&sock->wq.wait, &wait);
	return err;
}

/* What became of it; another thread may have asked before. */
static int outcome(struct socket *sock, struct sockaddr *uaddr, int len)
{
	struct sock *sk = lock_current(sock);
	int err = -ECONNABORTED;

	if (sock->state == SS_CONNECTED)
		err = 0;
	else if (sock->state == SS_CONNECTING)
		err = __inet_stream_connect(sock, uaddr, len, O_NONBLOCK, 0);
	release_sock(sk);
	return err;
}

/**
 * mrc_fallback_connect() - proto_ops.connect
 * @sock: socket
 * @uaddr: address
 * @len: its length
 * @flags: O_NONBLOCK or 0
 *
 * Context: process, may sleep.
 * Return: as connect() of TCP.
 */
int mrc_fallback_connect(struct socket *sock, struct sockaddr *uaddr, int len,
			 int flags)
{
	int err;

	mrc_fallback_switch_back(sock);
	err = connect_now(sock, uaddr, len);
	if ((err != -EINPROGRESS && err != -EALREADY) || flags & O_NONBLOCK)
		return err;
	err = wait_for_outcome(sock, err);
	return err ? : outcome(sock, uaddr, len);
}

/**
 * mrc_fallback_bind_socket() - proto_ops.bind
 * @sock: socket
 * @uaddr: address
 * @len: its length
 *
 * Context: process.
 * Return: as bind() of TCP.
 */
int mrc_fallback_bind_socket(struct socket *sock, struct sockaddr *uaddr,
			     int len)
{
	mrc_fallback_switch_back(sock);
#if IS_ENABLED(CONFIG_IPV6)
	if (READ_ONCE(sock->sk)->sk_family == AF_INET6)
		return inet6_bind(sock, uaddr, len);
#endif
	return inet_bind(sock, uaddr, len);
}

/**
 * mrc_fallback_listen_socket() - proto_ops.listen
 * @sock: socket
 * @backlog: connections that may wait, in each of both queues
 *
 * Context: process.
 * Return: as listen() of TCP.
 */
int mrc_fallback_listen_socket(struct socket *sock, int backlog)
{
	mrc_fallback_switch_back(sock);
	if (mrc_fallback_is_tcp(READ_ONCE(sock->sk)))
		return inet_listen(sock, backlog);
	return mrc_listen_start(sock, backlog);
}
