// SPDX-License-Identifier: GPL-2.0
/*
 * What is due on a connection: each deadline is compared with the clock, what
 * has passed is done. Running too early or too often is harmless.
 *
 * Deadlines of a connection, and who sets them:
 *   init_next_ns	INIT or OPEN again (conn_open.c)
 *   fallback_ns		no answer to the INIT: TCP (conn_open.c)
 *   ack_ns		delayed ACK (ack.c)
 *   pace_ns		next superframe (output.c)
 *   persist_ns		ask for a window update (output.c)
 *   announce_next_ns	ADDR again (path_addr.c)
 *   linger_ns		give up closing (conn_close.c)
 *   progress_ns	plus the user time-out: give up (here)
 * and of each path:
 *   loss_ns		packets to be given up (ack_apply.c, here)
 *   join.next_ns	JOIN or CONFIRM again (path_join.c)
 *   probe.due_ns	silence, probes (path_probe.c)
 *
 * Socket lock held.
 */
#include "conn/conn.h"
#include "conn/conn_close.h"
#include "conn/conn_service.h"
#include "conn/input.h"
#include "conn/output.h"
#include "observe/mib.h"
#include "path/path_object.h"
#include "wire/format.h"

/* While ACKs come in they look at the silence of each path in time (see
 * mrc_conn_service_silence()); the timer, which costs more, may be late.
 */
#define PROBE_SLACK_NS	(1 * MRC_NSEC_PER_MSEC)

static u64 user_timeout(const struct mrc_sock *msk)
{
	if (msk->opts.user_timeout_ms)
		return msk->opts.user_timeout_ms * MRC_NSEC_PER_MSEC;
	return MRC_USER_TIMEOUT_NS;
}

/* When anything was last heard of the peer. */
static u64 heard_ns(const struct mrc_sock *msk)
{
	u64 heard = msk->progress_ns;
	int i;

	for (i = 0; i < msk->npaths; i++)
		heard = max(heard, msk->path[i]->rx.heard_ns);
	return heard;
}

static bool something_out(const struct mrc_sock *msk)
{
	return msk->txq.una != msk->txq.end;
}

static u64 keepalive_due(const struct mrc_sock *msk)
{
	if (!sock_flag(mrc_conn_sk(msk), SOCK_KEEPOPEN))
		return 0;
	return max(heard_ns(msk) + msk->opts.keepidle_s * MRC_NSEC_PER_SEC,
		   msk->keepalive_ns);
}

static u64 give_up_due(const struct mrc_sock *msk)
{
	if (mrc_conn_sk(msk)->sk_state == TCP_SYN_SENT || !something_out(msk))
		return 0;
	return heard_ns(msk) + user_timeout(msk);
}

/**
 * mrc_conn_service_next() - earliest deadline of a connection
 * @msk: connection
 *
 * Context: socket lock held.
 * Return: time in ktime_get_ns() terms; 0: nothing is due ever.
 */
u64 mrc_conn_service_next(const struct mrc_sock *msk)
{
	const struct mrc_path *path;
	u64 next;
	int i;

	next = mrc_conn_earlier(msk->init_next_ns, msk->ack_ns);
	next = mrc_conn_earlier(next, msk->fallback_ns);
	next = mrc_conn_earlier(next, msk->pace_ns);
	next = mrc_conn_earlier(next, msk->persist_ns);
	next = mrc_conn_earlier(next, msk->announce_next_ns);
	next = mrc_conn_earlier(next, msk->linger_ns);
	next = mrc_conn_earlier(next, keepalive_due(msk));
	next = mrc_conn_earlier(next, give_up_due(msk));
	for (i = 0; i < msk->npaths; i++) {
		path = msk->path[i];
		next = mrc_conn_earlier(next, path->loss_ns);
		next = mrc_conn_earlier(next, path->join.next_ns);
		if (path->probe.due_ns)
			next = mrc_conn_earlier(next, path->probe.due_ns +
						PROBE_SLACK_NS);
	}
	return next;
}

/* Returns false when the connection has ended. */
static bool service_handshake(struct mrc_sock *msk, u64 now)
{
	if (msk->fallback_ns && msk->fallback_ns <= now) {
		msk->fallback_ns = 0;
		if (mrc_fallback_request(msk, MRC_FALLBACK_SILENT))
			return true;
	}
	if (!msk->init_next_ns || msk->init_next_ns > now)
		return true;
	if (msk->confirmed)
		msk->init_next_ns = 0;
	else if (mrc_conn_sk(msk)->sk_state == TCP_SYN_SENT)
		mrc_conn_send_init(msk, now);
	else if (msk->progress_ns + user_timeout(msk) <= now)
		mrc_conn_abort(msk, ETIMEDOUT, MRC_WIRE_R_TIMEOUT);
	else
		mrc_conn_send_open(msk, now);
	return mrc_conn_sk(msk)->sk_state != TCP_CLOSE;
}

/* Silence that outlasts keepcnt PINGs ends the connection. */
static bool service_keepalive(struct mrc_sock *msk, u64 now)
{
	u64 due = keepalive_due(msk);
	u64 gap = msk->opts.keepintvl_s * MRC_NSEC_PER_SEC;
	struct mrc_path *path;

	if (!due || due > now)
		return true;
	if (msk->keepalive_ns && heard_ns(msk) + gap *
	    msk->opts.keepcnt + msk->opts.keepidle_s * MRC_NSEC_PER_SEC <= now) {
		mrc_conn_abort(msk, ETIMEDOUT, MRC_WIRE_R_TIMEOUT);
		return false;
	}
	path = mrc_path_best(msk, 0);
	if (path)
		mrc_path_probe_ping(path, now);
	msk->keepalive_ns = now + gap;
	return true;
}

/* Returns false when the connection has ended. */
static bool service_ends(struct mrc_sock *msk, u64 now)
{
	struct sock *sk = mrc_conn_sk(msk);
	u64 due = give_up_due(msk);

	if (due && due <= now) {
		mrc_conn_abort(msk, ETIMEDOUT, MRC_WIRE_R_TIMEOUT);
		return false;
	}
	if (msk->linger_ns && msk->linger_ns <= now) {
		if (sk->sk_state == MRC_TIME_WAIT) {
			mrc_conn_done(msk, 0, MRC_CONN_FIN);
			return false;
		}
		/* An orphan whose peer lives may take its time, as with TCP. */
		if (sk->sk_state != TCP_FIN_WAIT2 && something_out(msk) &&
		    heard_ns(msk) + MRC_ORPHAN_TIMEOUT_NS > now &&
		    msk->progress_ns + MRC_ORPHAN_MAX_NS > now) {
			msk->linger_ns = now + MRC_ORPHAN_TIMEOUT_NS;
		} else {
			mrc_conn_abort(msk, ETIMEDOUT, MRC_WIRE_R_TIMEOUT);
			return false;
		}
	}
	return service_keepalive(msk, now);
}

static void service_paths(struct mrc_sock *msk, u64 now)
{
	struct mrc_path *path;
	int i;

	for (i = 0; i < msk->npaths; i++) {
		path = msk->path[i];
		if (path->join.next_ns && path->join.next_ns <= now)
			mrc_path_join_service(path, now);
		if (path->loss_ns && path->loss_ns <= now)
			mrc_ack_detect(path, now);
	}
	mrc_conn_service_silence(msk, now);
}

/**
 * mrc_conn_service_silence() - look at paths that have been silent
 * @msk: connection; something has just arrived on one of them
 * @now: ktime_get_ns()
 *
 * Context: socket lock held, softirq or process.
 */
void mrc_conn_service_silence(struct mrc_sock *msk, u64 now)
{
	int i;

	for (i = 0; i < msk->npaths; i++)
		if (msk->path[i]->probe.due_ns &&
		    msk->path[i]->probe.due_ns <= now)
			mrc_path_probe_service(msk->path[i], now);
}

/**
 * mrc_conn_service() - do what is due
 * @msk: connection
 *
 * Context: socket lock held, softirq or process.
 */
void mrc_conn_service(struct mrc_sock *msk)
{
	struct sock *sk = mrc_conn_sk(msk);
	u64 now = ktime_get_ns();
	struct mrc_path *path;

	if (sk->sk_state == TCP_CLOSE || sk->sk_state == TCP_LISTEN)
		return;
	if (!service_handshake(msk, now) || !service_ends(msk, now))
		return;
	service_paths(msk, now);
	if (msk->announce_next_ns && msk->announce_next_ns <= now)
		mrc_path_addr_service(msk, now);
	if (msk->persist_ns && msk->persist_ns <= now) {
		path = mrc_path_best(msk, msk->ack_path);
		if (path)
			mrc_path_probe_ping(path, now);
		msk->persist_ns = now + min_t(u64, 2 * (now - msk->progress_ns)
					      + MRC_PROBE_MIN_NS,
					      MRC_RTO_MAX_NS);
	}
	if (msk->ack_ns && msk->ack_ns <= now)
		msk->ack_now = true;
	if (msk->pace_ns <= now)
		msk->pace_ns = 0;
	mrc_output_finish(msk);
}
