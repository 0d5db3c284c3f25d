// SPDX-License-Identifier: GPL-2.0
/*
 * The moment when a socket becomes a TCP socket, and an AF_MRC one again.
 *
 * When the handshake of AF_MRC has no luck (refused, ICMP, silence) a work
 * item opens the connection over TCP and puts the TCP socket where the
 * application's socket had the AF_MRC one; pollers, blocked writers and
 * connect() itself wait on the same queue and look again. A peer that has sent
 * an INIT_ACK is never left.
 *
 * sock->sk changes under the locks of both sockets (towards TCP: that of the
 * AF_MRC one suffices, nobody knows the other yet), so it is constant for who
 * holds the lock of either.
 */
#include <net/inet_common.h>
#include <net/tcp.h>
#include "observe/mib.h"
#include "path/addr.h"
#include "socket/name.h"
#include "socket/room.h"

static struct workqueue_struct *queue;

/* What any new socket has; it is not exported. */
static void (*default_state_change)(struct sock *sk);

/**
 * mrc_fallback_init() - prepare the work queue
 *
 * Context: process, module load.
 * Return: 0 or -ENOMEM.
 */
int mrc_fallback_init(void)
{
	queue = alloc_workqueue("mrc_fallback", WQ_UNBOUND, 0);
	return queue ? 0 : -ENOMEM;
}

/**
 * mrc_fallback_exit() - wait for the last work item
 *
 * Context: process, module unload; no socket is left.
 */
void mrc_fallback_exit(void)
{
	destroy_workqueue(queue);
}

/* Callback of the TCP socket, its lock held: has TCP had more luck? */
static void tcp_state_change(struct sock *sk)
{
	struct mrc_addr peer;

	if (sk->sk_state == TCP_ESTABLISHED) {
		sk->sk_state_change = default_state_change;
		mrc_name_remote(sk, &peer);
		mrc_addr_unmap(&peer);
		mrc_fallback_note(mrc_net_ns_get(sock_net(sk)), &peer);
	}
	default_state_change(sk);
}

/**
 * mrc_fallback_settle() - TCP has nothing more to report
 * @tcp: TCP socket that has been connecting
 *
 * Context: process; takes the lock of @tcp.
 */
void mrc_fallback_settle(struct sock *tcp)
{
	lock_sock(tcp);
	if (tcp->sk_state_change == tcp_state_change)
		tcp->sk_state_change = default_state_change;
	release_sock(tcp);
}

static void count(const struct mrc_sock *msk, u8 reason)
{
	switch (reason) {
	case MRC_FALLBACK_REFUSED:
		MRC_INC_STATS(msk->mn, FallbackRefused);
		break;
	case MRC_FALLBACK_UNREACHABLE:
		MRC_INC_STATS(msk->mn, FallbackUnreachable);
		break;
	case MRC_FALLBACK_SILENT:
		MRC_INC_STATS(msk->mn, FallbackSilent);
		break;
	case MRC_FALLBACK_REMEMBERED:
		MRC_INC_STATS(msk->mn, FallbackRemembered);
		break;
	}
}

/* TCP begins to connect from where bind() has put the socket. */
static int connect_tcp(struct mrc_sock *msk, struct sockaddr *addr, int len,
		       u8 reason)
{
	struct sock *sk = mrc_conn_sk(msk), *tcp = msk->fallback.tcp->sk;
	int err = 0;

	mrc_fallback_opts_sync(msk);
	/* With IP_BIND_ADDRESS_NO_PORT only the address was given. */
	if (sk->sk_userlocks & SOCK_BINDADDR_LOCK &&
	    !(tcp->sk_userlocks & SOCK_BINDADDR_LOCK))
		err = mrc_fallback_bind(msk, 0);
	if (err)
		return err;
	lock_sock(tcp);
	WRITE_ONCE(default_state_change, tcp->sk_state_change);
	/* A refusal tells of a port, not of a host. */
	if (reason == MRC_FALLBACK_SILENT || reason == MRC_FALLBACK_UNREACHABLE)
		tcp->sk_state_change = tcp_state_change;
	err = __inet_stream_connect(msk->fallback.tcp, addr, len, O_NONBLOCK,
				    0);
	if (err == -EINPROGRESS)
		err = 0;
	if (err)
		tcp->sk_state_change = default_state_change;
	release_sock(tcp);
	return err;
}

/**
 * mrc_fallback_switch() - the application's socket becomes the TCP one
 * @msk: socket in state CLOSE or SYN_SENT
 * @addr: where TCP connects to
 * @len: its length
 * @reason: enum mrc_fallback_reason
 *
 * Context: process, socket lock held.
 * Return: 0: TCP is connecting, or connected; an error of TCP's connect():
 * nothing has changed.
 */
int mrc_fallback_switch(struct mrc_sock *msk, struct sockaddr *addr, int len,
			u8 reason)
{
	struct mrc_fallback *fb = &msk->fallback;
	struct sock *sk = mrc_conn_sk(msk), *tcp = fb->tcp->sk;
	struct socket *sock = sk->sk_socket;
	int err;

	err = connect_tcp(msk, addr, len, reason);
	if (err)
		return err;
	count(msk, reason);
	set_bit(SOCK_SUPPORT_ZC, &sock->flags);
	fb->tcp->file = sock->file;
	fb->reason = reason;
	WRITE_ONCE(fb->active, true);
	sock->state = SS_CONNECTING;
	/* Who sees the other state of @sk below sees this, too. */
	smp_store_release(&sock->sk, tcp);
	mrc_fallback_list_add(fb, tcp);
	if (sk->sk_state != TCP_CLOSE)
		mrc_conn_done(msk, 0, MRC_CONN_FALLBACK);
	mrc_connect_start_over(sk);
	wake_up_interruptible_all(&sock->wq.wait);
	return 0;
}

/**
 * mrc_fallback_switch_back() - back to AF_MRC before anything new begins
 * @sock: socket; nothing happens unless TCP has failed or was undone
 *
 * Context: process; takes both socket locks.
 */
void mrc_fallback_switch_back(struct socket *sock)
{
	struct mrc_fallback *fb = mrc_fallback_of(sock);
	struct sock *sk, *tcp;

	if (!fb || !fb->msk || !READ_ONCE(fb->active))
		return;
	sk = mrc_conn_sk(fb->msk);
	tcp = fb->tcp->sk;
	lock_sock(sk);
	lock_sock(tcp);
	if (fb->active && sock->state == SS_UNCONNECTED &&
	    tcp->sk_state == TCP_CLOSE) {
		if (tcp->sk_state_change == tcp_state_change)
			tcp->sk_state_change = default_state_change;
		tcp->sk_err = 0;
		fb->tcp->state = SS_UNCONNECTED;
		clear_bit(SOCK_SUPPORT_ZC, &sock->flags);
		mrc_fallback_list_del(fb);
		fb->reason = MRC_FALLBACK_NONE;
		WRITE_ONCE(sk->sk_shutdown, 0);
		WRITE_ONCE(fb->active, false);
		/* pairs with lock_current() and mrc_fallback_poll() */
		smp_store_release(&sock->sk, sk);
	}
	release_sock(tcp);
	/* An ephemeral port was given up by the AF_MRC socket. */
	if (!inet_sk(sk)->inet_num)
		mrc_fallback_unbind(fb->msk);
	release_sock(sk);
}

/* Softirq or process, socket lock held: has the work item something to do? */
static void start_work(struct mrc_sock *msk)
{
	sock_hold(mrc_conn_sk(msk));
	if (!queue_work(queue, &msk->fallback.work))
		__sock_put(mrc_conn_sk(msk));
}

/**
 * mrc_fallback_request() - AF_MRC has no luck: try TCP, if that is allowed
 * @msk: connection in SYN_SENT
 * @reason: enum mrc_fallback_reason
 *
 * The state stays SYN_SENT until TCP has begun; an INIT_ACK that comes
 * meanwhile wins.
 *
 * Context: any, socket lock held.
 * Return: false: TCP is no way out, AF_MRC must fail.
 */
bool mrc_fallback_request(struct mrc_sock *msk, u8 reason)
{
	if (!msk->fallback.allowed || !msk->fallback.tcp)
		return false;
	if (mrc_conn_sk(msk)->sk_state != TCP_SYN_SENT)
		return false;
	if (msk->fallback_wanted)
		return true;
	msk->fallback_wanted = reason;
	msk->init_next_ns = 0;
	msk->fallback_ns = 0;
	start_work(msk);
	return true;
}

/* Lock of @msk held. */
static void fall_back(struct mrc_sock *msk)
{
	struct sockaddr_storage addr;
	u8 reason = msk->fallback_wanted;
	int err, len;

	len = mrc_fallback_peer(msk, &addr);
	err = mrc_fallback_switch(msk, (struct sockaddr *)&addr, len, reason);
	if (err)
		mrc_conn_done(msk, -err, reason == MRC_FALLBACK_SILENT ?
			      MRC_CONN_TIMEOUT : MRC_CONN_REFUSED);
}

static void work(struct work_struct *work)
{
	struct mrc_fallback *fb = container_of(work, struct mrc_fallback,
					       work);
	struct mrc_sock *msk = container_of(fb, struct mrc_sock, fallback);
	struct sock *sk = mrc_conn_sk(msk);

	lock_sock(sk);
	/* Without the TCP socket release() is under way. */
	if (fb->tcp) {
		if (msk->fallback_wanted && sk->sk_state == TCP_SYN_SENT)
			fall_back(msk);
		mrc_fallback_opts_sync(msk);
	}
	release_sock(sk);
	sock_put(sk);
}

/**
 * mrc_fallback_child() - prepare the work item of a socket
 * @msk: new socket
 */
void mrc_fallback_child(struct mrc_sock *msk)
{
	INIT_WORK(&msk->fallback.work, work);
}

/**
 * mrc_fallback_released() - somebody has let go of the socket lock
 * @msk: socket
 *
 * TCP clients of a listener, and a socket that became TCP while somebody
 * waited to set an option, must get what was set just now.
 *
 * Context: process, from release_sock(), lock held, BHs off.
 */
void mrc_fallback_released(struct mrc_sock *msk)
{
	if (!msk->fallback.tcp ||
	    !(msk->fallback.active ||
	      mrc_conn_sk(msk)->sk_state == TCP_LISTEN))
		return;
	if (mrc_fallback_opts_changed(msk))
		start_work(msk);
}
