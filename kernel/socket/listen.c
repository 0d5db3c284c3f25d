// SPDX-License-Identifier: GPL-2.0
/*
 * Listening: the backlog, children waiting in it, accept().
 *
 * The queue belongs to the listener and is guarded by its socket lock. A
 * queued child is owned by the queue (one reference) and holds a reference to
 * its listener; accept() hands the child's reference to the new socket. Lock
 * order: listener, then child. The handshake fills the queue in softirq, or
 * from the backlog of the listener.
 */
#include <linux/sched/signal.h>
#include <net/inet_common.h>
#include "socket/room.h"
#include "wire/format.h"

/* CLOSE -> LISTEN, on the port that bind() chose or on any. */
static int begin(struct mrc_sock *msk, int backlog)
{
	struct sock *sk = mrc_conn_sk(msk);
	int err;

	if (!msk->inet.inet_num) {
		err = mrc_port_get(sk, 0);
		if (err)
			return err;
		msk->inet.inet_sport = htons(msk->inet.inet_num);
	}
	err = mrc_port_listen(msk);
	if (err)
		return err;
	err = mrc_fallback_listen(msk, backlog);
	if (err) {
		mrc_port_unlisten(msk);
		return err;
	}
	sk->sk_ack_backlog = 0;
	mrc_conn_state_set(msk, TCP_LISTEN, MRC_CONN_APP);
	return 0;
}

/**
 * mrc_listen_start() - listen()
 * @sock: socket, unconnected or listening already
 * @backlog: children that may wait; clamped by the socket layer
 *
 * Context: process; takes the socket lock.
 * Return: 0; -EINVAL: connected; -EADDRINUSE: another socket listens there.
 */
int mrc_listen_start(struct socket *sock, int backlog)
{
	struct sock *sk = sock->sk;
	int err = -EINVAL;

	lock_sock(sk);
	if (sock->state == SS_UNCONNECTED &&
	    mrc_socket_in(sk, TCPF_CLOSE | TCPF_LISTEN)) {
		WRITE_ONCE(sk->sk_max_ack_backlog, backlog);
		err = sk->sk_state == TCP_LISTEN ?
		      mrc_fallback_listen(mrc_sk(sk), backlog) :
		      begin(mrc_sk(sk), backlog);
	}
	release_sock(sk);
	return err;
}

/* Fields of the clone that must not be shared, or that mean the listener. */
static void init_child(struct mrc_sock *child, struct mrc_sock *listener)
{
	struct sock *sk = mrc_conn_sk(child), *lsk = mrc_conn_sk(listener);
	struct inet_sock *inet = &child->inet;

	sk->sk_state = TCP_CLOSE;
	sk->sk_ack_backlog = 0;
	sk->sk_max_ack_backlog = 0;
	sk->sk_disconnects = 0;
	sk->sk_shutdown = 0;
	sk->sk_frag.page = NULL;
	sk->sk_frag.offset = 0;
	atomic64_set(&sk->sk_cookie, 0);
	sock_set_flag(sk, SOCK_RCU_FREE);
	inet->inet_num = 0;
	RCU_INIT_POINTER(inet->inet_opt, NULL);
	inet->mc_list = NULL;
	if (sk->sk_family == AF_INET6)
		mrc_inet6_clone(sk);

	INIT_HLIST_NODE(&child->port_node);
	INIT_HLIST_NODE(&child->listen_node);
	child->port_bound = false;
	mrc_family_restart(child);
	mrc_conn_timer_init(child);
	memset(&child->fallback, 0, sizeof(child->fallback));
	mrc_fallback_child(child);
	child->server = true;
	/* What only a listener has. */
	child->opts.defer_accept_s = 0;
	child->opts.fastopen = 0;
	mrc_class_child(sk, child->opts.class);
	child->listener = lsk;
	sock_hold(lsk);
	mrc_port_inherit(child, listener);
}

/**
 * mrc_listen_child() - make the socket of a new connection
 * @listener: listening socket
 *
 * The child has all options and the port of the listener, no remote address
 * yet, state CLOSE, and one reference: that of the queue. Until it is hashed
 * no packet finds it.
 *
 * Context: softirq or process, lock of the listener held.
 * Return: child, not locked; NULL: no memory.
 */
struct mrc_sock *mrc_listen_child(struct mrc_sock *listener)
{
	struct sock *lsk = mrc_conn_sk(listener), *sk;

	lockdep_assert(lockdep_sock_is_held(lsk));
	local_bh_disable();
	sk = sk_clone_lock(lsk, GFP_ATOMIC);
	if (sk) {
		__acquire(&sk->sk_lock.slock);	/* sparse does not know */
		bh_unlock_sock(sk);
	}
	local_bh_enable();
	if (!sk)
		return NULL;
	__sock_put(sk);		/* a clone is born with two references */
	mrc_family_lock_init(sk);
	init_child(mrc_sk(sk), listener);
	return mrc_sk(sk);
}

/* The child needs its listener no more. */
static void leave_listener(struct mrc_sock *child)
{
	struct sock *lsk = child->listener;

	child->listener = NULL;
	sock_put(lsk);
}

/**
 * mrc_listen_drop() - free a child that was not queued
 * @child: from mrc_listen_child(), state CLOSE, not hashed
 *
 * Context: any, lock of the listener held.
 */
void mrc_listen_drop(struct mrc_sock *child)
{
	struct sock *sk = mrc_conn_sk(child);

	leave_listener(child);
	mrc_port_put(child);
	sock_orphan(sk);
	sock_put(sk);
}

/**
 * mrc_listen_full() - is there no room for one more child?
 * @listener: listening socket
 *
 * Context: lock of the listener held.
 * Return: true when the backlog is used up.
 */
bool mrc_listen_full(const struct mrc_sock *listener)
{
	return sk_acceptq_is_full(mrc_conn_sk(listener));
}

/**
 * mrc_listen_queue() - a child is ready for accept()
 * @listener: listening socket
 * @child: established child
 *
 * Context: any, lock of the listener held.
 */
void mrc_listen_queue(struct mrc_sock *listener, struct mrc_sock *child)
{
	struct sock *lsk = mrc_conn_sk(listener);

	lockdep_assert(lockdep_sock_is_held(lsk));
	list_add_tail(&child->accept_node, &listener->accept_queue);
	sk_acceptq_added(lsk);
	lsk->sk_data_ready(lsk);
}

/* Does anybody wait, in either queue? */
static bool is_empty(const struct mrc_sock *listener)
{
	return list_empty(&listener->accept_queue) &&
	       !mrc_fallback_waits(listener);
}

/* Oldest child of the queue, which must not be empty. */
static struct mrc_sock *dequeue(struct mrc_sock *listener)
{
	struct mrc_sock *child;

	child = list_first_entry(&listener->accept_queue, struct mrc_sock,
				 accept_node);
	list_del_init(&child->accept_node);
	sk_acceptq_removed(mrc_conn_sk(listener));
	return child;
}

/* Nobody will ever accept this child. */
static void kill_child(struct mrc_sock *child)
{
	struct sock *sk = mrc_conn_sk(child);

	lock_sock_nested(sk, SINGLE_DEPTH_NESTING);
	sock_orphan(sk);
	mrc_conn_abort(child, ECONNRESET, MRC_WIRE_R_CLOSED);
	mrc_port_put(child);
	leave_listener(child);
	release_sock(sk);
	sock_put(sk);
}

/**
 * mrc_listen_stop() - stop listening
 * @listener: listening socket; waiting children are reset
 *
 * Context: process, lock of the listener held.
 */
void mrc_listen_stop(struct mrc_sock *listener)
{
	sock_owned_by_me(mrc_conn_sk(listener));
	mrc_conn_state_set(listener, TCP_CLOSE, MRC_CONN_APP);
	mrc_port_unlisten(listener);
	mrc_fallback_unlisten(listener);
	while (!list_empty(&listener->accept_queue)) {
		kill_child(dequeue(listener));
		cond_resched();
	}
}

/* Waits for a child; one arrival wakes one waiter. */
static int wait_for_child(struct mrc_sock *listener, long timeo)
{
	struct sock *sk = mrc_conn_sk(listener);
	DEFINE_WAIT(wait);
	int err;

	do {
		prepare_to_wait_exclusive(sk_sleep(sk), &wait,
					  TASK_INTERRUPTIBLE);
		release_sock(sk);
		if (is_empty(listener))
			timeo = schedule_timeout(timeo);
		sched_annotate_sleep();
		lock_sock(sk);
		if (!is_empty(listener))
			err = 0;
		else if (sk->sk_state != TCP_LISTEN)
			err = -EINVAL;
		else if (signal_pending(current))
			err = sock_intr_errno(timeo);
		else
			err = timeo ? 1 : -EAGAIN;
	} while (err > 0);
	finish_wait(sk_sleep(sk), &wait);
	return err;
}

/* One of those who wait; NULL: a TCP client has gone meanwhile. */
static struct sock *take_one(struct mrc_sock *listener, bool kern)
{
	bool tcp_first = listener->fallback.turn;
	struct sock *child = NULL;

	if (tcp_first || list_empty(&listener->accept_queue))
		child = mrc_fallback_accept(listener, kern);
	listener->fallback.turn = !tcp_first;
	if (!child && !list_empty(&listener->accept_queue))
		child = mrc_conn_sk(dequeue(listener));
	return child;
}

/**
 * mrc_listen_accept() - accept()
 * @sk: listening socket
 * @flags: O_NONBLOCK or 0
 * @err: set when NULL is returned: -EINVAL: not listening; -EAGAIN;
 *	-EINTR and -ERESTARTSYS
 * @kern: called by the kernel; not used
 *
 * A child that died meanwhile is handed out, too: reading tells its error.
 * TCP clients are taken when nobody else waits, and after each of the others,
 * so that neither queue can hold up the other.
 *
 * Context: process; takes the socket lock, may sleep.
 * Return: child whose reference passes to the caller, perhaps a TCP socket, or
 * NULL.
 */
struct sock *mrc_listen_accept(struct sock *sk, int flags, int *err,
			       bool kern)
{
	struct mrc_sock *listener = mrc_sk(sk);
	struct sock *child = NULL;
	int error = 0;
	long timeo;

	lock_sock(sk);
	if (sk->sk_state != TCP_LISTEN) {
		error = -EINVAL;
	} else if (is_empty(listener)) {
		timeo = sock_rcvtimeo(sk, flags & O_NONBLOCK);
		error = timeo ? wait_for_child(listener, timeo) : -EAGAIN;
	}
	if (!error)
		child = take_one(listener, kern);
	release_sock(sk);
	if (!child) {
		*err = error ? : -EAGAIN;
		return NULL;
	}
	if (mrc_fallback_is_tcp(child))
		return child;
	lock_sock(child);
	leave_listener(mrc_sk(child));
	release_sock(child);
	return child;
}
