// SPDX-License-Identifier: GPL-2.0
/*
 * The one timer of a connection, and work that met an owned socket.
 *
 * Every deadline (handshake, loss, silence, probes, pacing, delayed ACK,
 * announcements, keep-alive, lingering) is looked at by mrc_conn_service();
 * the timer is armed for the earliest. It is moved to an earlier time at
 * once, to a later one only when it runs out: a spurious run is cheaper than
 * reprogramming with each ACK. A connection without a deadline arms none.
 *
 * Guarded by the socket lock; the handler runs in softirq.
 */
#include "conn/conn.h"
#include "conn/conn_close.h"
#include "conn/conn_service.h"
#include "conn/output.h"
#include "path/path_object.h"

static enum hrtimer_restart expired(struct hrtimer *timer)
{
	struct mrc_sock *msk = container_of(timer, struct mrc_sock, timer);
	struct sock *sk = mrc_conn_sk(msk);

	/* A queued timer holds no reference; destruction waits for it. */
	if (!refcount_inc_not_zero(&sk->sk_refcnt))
		return HRTIMER_NORESTART;
	bh_lock_sock(sk);
	if (sock_owned_by_user(sk)) {
		/* The owner runs the service in its release_cb. */
		set_bit(MRC_DEFER_SERVICE, &msk->deferred);
	} else {
		msk->timer_ns = 0;
		mrc_conn_service(msk);
	}
	bh_unlock_sock(sk);
	sock_put(sk);
	return HRTIMER_NORESTART;
}

/**
 * mrc_conn_timer_init() - prepare the timer of a new connection
 * @msk: connection
 */
void mrc_conn_timer_init(struct mrc_sock *msk)
{
	hrtimer_init(&msk->timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_SOFT);
	msk->timer.function = expired;
	msk->timer_ns = 0;
}

/**
 * mrc_conn_timer_update() - arm the timer for the earliest deadline
 * @msk: connection
 *
 * Context: socket lock held.
 */
void mrc_conn_timer_update(struct mrc_sock *msk)
{
	struct sock *sk = mrc_conn_sk(msk);
	u64 next;

	if (sk->sk_state == TCP_CLOSE || sk->sk_state == TCP_LISTEN)
		return;
	next = mrc_conn_service_next(msk);
	if (!next || (msk->timer_ns && msk->timer_ns <= next))
		return;
	msk->timer_ns = next;
	hrtimer_start(&msk->timer, ns_to_ktime(next), HRTIMER_MODE_ABS_SOFT);
}

/**
 * mrc_conn_timer_stop() - no deadline matters any more
 * @msk: connection
 *
 * A handler that is already running finds the state CLOSE.
 *
 * Context: socket lock held.
 */
void mrc_conn_timer_stop(struct mrc_sock *msk)
{
	hrtimer_try_to_cancel(&msk->timer);
	msk->timer_ns = 0;
}

static void manage_paths(struct mrc_sock *msk)
{
	mrc_path_manage(msk);
	mrc_output_finish(msk);
}

static void run_deferred(struct mrc_sock *msk)
{
	if (test_and_clear_bit(MRC_DEFER_RESET, &msk->deferred))
		mrc_conn_reset_deferred(msk);
	if (test_and_clear_bit(MRC_DEFER_UNREACHABLE, &msk->deferred))
		mrc_fallback_request(msk, MRC_FALLBACK_UNREACHABLE);
	if (test_and_clear_bit(MRC_DEFER_DEVICES, &msk->deferred))
		mrc_path_check_local(msk);
	if (test_and_clear_bit(MRC_DEFER_ENDPOINTS, &msk->deferred))
		manage_paths(msk);
	if (test_and_clear_bit(MRC_DEFER_SERVICE, &msk->deferred)) {
		msk->timer_ns = 0;
		mrc_conn_service(msk);
	}
	if (test_and_clear_bit(MRC_DEFER_OUTPUT, &msk->deferred))
		mrc_output_finish(msk);
}

/**
 * mrc_conn_release_cb() - the owner of a socket lets go of it
 * @sk: socket
 *
 * Context: process, from release_sock(), lock held, BHs off.
 */
void mrc_conn_release_cb(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);

	while (READ_ONCE(msk->deferred))
		run_deferred(msk);
	mrc_fallback_released(msk);
}

/**
 * mrc_conn_defer() - do something now, or when the owner lets go
 * @msk: connection
 * @what: the work
 *
 * Context: any but hardirq; no socket lock held.
 */
void mrc_conn_defer(struct mrc_sock *msk, enum mrc_conn_deferred what)
{
	struct sock *sk = mrc_conn_sk(msk);

	local_bh_disable();
	bh_lock_sock(sk);
	set_bit(what, &msk->deferred);
	if (!sock_owned_by_user(sk))
		run_deferred(msk);
	bh_unlock_sock(sk);
	local_bh_enable();
}
