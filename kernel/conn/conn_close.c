// SPDX-License-Identifier: GPL-2.0
/*
 * Ends of a connection: FIN in both directions, RESET, and what is left.
 *
 * Socket lock held unless said otherwise.
 */
#include <net/tcp_states.h>
#include "conn/conn.h"
#include "conn/control.h"
#include "conn/conn_close.h"
#include "conn/input.h"
#include "conn/output.h"
#include "conn/receive.h"
#include "observe/mib.h"
#include "path/path_object.h"
#include "path/udp.h"
#include "socket/socket.h"
#include "wire/build.h"

/* Time in TIME_WAIT: a lost last ACK is asked for again within it. */
#define TIME_WAIT_MIN_NS	(50 * MRC_NSEC_PER_MSEC)
#define TIME_WAIT_MAX_NS	(2 * MRC_NSEC_PER_SEC)

/* Queues the end of the stream. Who ends one may wait for the memory: without
 * it the connection could only be reset.
 */
static int queue_fin(struct mrc_sock *msk)
{
	gfp_t gfp = mrc_conn_sk(msk)->sk_allocation;
	struct mrc_chunk *chunk;

	if (gfpflags_allow_blocking(gfp))
		gfp |= __GFP_NOFAIL;
	chunk = mrc_chunk_alloc(msk, gfp);
	if (!chunk)
		return -ENOBUFS;
	chunk->offset = msk->txq.end;
	chunk->len = 1;
	chunk->mss = 1;
	chunk->npackets = 1;
	chunk->flags = MRC_CHUNK_FIN | MRC_CHUNK_FULL;
	mrc_txq_add(&msk->txq, chunk);
	msk->fin_queued = true;
	return 0;
}

/**
 * mrc_conn_shutdown() - the application will not send any more
 * @msk: connection; nothing happens in states without a stream to end
 *
 * What was written before is still delivered.
 */
void mrc_conn_shutdown(struct mrc_sock *msk)
{
	struct sock *sk = mrc_conn_sk(msk);
	int next;

	if (sk->sk_state == TCP_ESTABLISHED)
		next = TCP_FIN_WAIT1;
	else if (sk->sk_state == TCP_CLOSE_WAIT)
		next = TCP_LAST_ACK;
	else
		return;
	if (queue_fin(msk)) {
		/* Without memory for the end the peer could take what it has
		 * for the whole.
		 */
		mrc_conn_abort(msk, ENOBUFS, MRC_WIRE_R_ABORT);
		return;
	}
	mrc_conn_state_set(msk, next, MRC_CONN_APP);
	mrc_output_push(msk);
}

/**
 * mrc_conn_orphan() - no process holds the socket any more
 * @msk: connection; may already be closed
 */
void mrc_conn_orphan(struct mrc_sock *msk)
{
	if (mrc_conn_sk(msk)->sk_state == TCP_CLOSE)
		return;
	if (!msk->linger_ns)
		msk->linger_ns = ktime_get_ns() + MRC_ORPHAN_TIMEOUT_NS;
	mrc_conn_timer_update(msk);
}

/* The RESET of this connection, on one path. */
static void send_reset(struct mrc_path *path, u16 reason)
{
	struct mrc_sock *msk = path->msk;
	struct mrc_wire_reset msg;

	mrc_build_reset(&msg, msk->local_cid, msk->local_token, reason);
	mrc_control_send(path, &msg, sizeof(msg));
}

/**
 * mrc_conn_abort() - end the connection at once and tell the peer
 * @msk: connection
 * @err: errno for the application, positive; 0: none
 * @wire_reason: enum mrc_wire_reason for the peer
 */
void mrc_conn_abort(struct mrc_sock *msk, int err, u16 wire_reason)
{
	struct sock *sk = mrc_conn_sk(msk);
	enum mrc_conn_reason reason = MRC_CONN_ABORT;
	int i;

	if (sk->sk_state == TCP_CLOSE)
		return;
	if (wire_reason == MRC_WIRE_R_TIMEOUT) {
		MRC_INC_STATS(msk->mn, ConnTimeout);
		reason = MRC_CONN_TIMEOUT;
	}
	if (msk->remote_cid) {
		MRC_INC_STATS(msk->mn, ConnResetOut);
		for (i = 0; i < msk->npaths; i++)
			if (msk->path[i]->state != MRC_PATH_PROBING)
				send_reset(msk->path[i], wire_reason);
	}
	msk->aborted = true;
	mrc_conn_done(msk, err, reason);
}

/**
 * mrc_conn_done() - the connection is over
 * @msk: connection or listener
 * @err: errno for the application, positive; 0: none
 * @reason: why
 *
 * What was received in order stays readable; all else is given back. May be
 * called again.
 */
void mrc_conn_done(struct mrc_sock *msk, int err, enum mrc_conn_reason reason)
{
	struct sock *sk = mrc_conn_sk(msk);

	if (sk->sk_state == TCP_SYN_SENT && reason == MRC_CONN_TIMEOUT)
		MRC_INC_STATS(msk->mn, ConnTimeout);
	if (sk->sk_state != TCP_CLOSE)
		mrc_conn_state_set(msk, TCP_CLOSE, reason);
	mrc_conn_timer_stop(msk);
	mrc_conn_unhash(msk);
	mrc_path_free_all(msk);
	mrc_txq_purge(&msk->txq);
	mrc_receive_purge(msk);
	sk->sk_shutdown = SHUTDOWN_MASK;
	if (err) {
		WRITE_ONCE(sk->sk_err, err);
		sk_error_report(sk);
	}
	if (!sock_flag(sk, SOCK_DEAD))
		sk->sk_state_change(sk);
	else
		mrc_port_put(msk);
}

/**
 * mrc_conn_destroy() - give back what a closed connection still holds
 * @msk: connection that nobody can see any more
 *
 * Context: RCU callback or process; no lock.
 */
void mrc_conn_destroy(struct mrc_sock *msk)
{
	mrc_receive_purge(msk);
	mrc_txq_purge(&msk->txq);
}

/* Our FIN has arrived. */
static void fin_acked(struct mrc_sock *msk, u64 now)
{
	struct sock *sk = mrc_conn_sk(msk);

	switch (sk->sk_state) {
	case TCP_FIN_WAIT1:
		mrc_conn_state_set(msk, TCP_FIN_WAIT2, MRC_CONN_FIN);
		if (!sock_flag(sk, SOCK_DEAD))
			sk->sk_state_change(sk);
		break;
	case TCP_CLOSING:
		mrc_conn_time_wait(msk, now);
		break;
	case TCP_LAST_ACK:
		mrc_conn_done(msk, 0, MRC_CONN_FIN);
		break;
	}
}

/**
 * mrc_conn_check_fin() - has the peer acknowledged the end of our stream
 * @msk: connection whose send queue has just become shorter
 * @now: ktime_get_ns()
 */
void mrc_conn_check_fin(struct mrc_sock *msk, u64 now)
{
	if (msk->fin_queued && msk->txq.una == msk->txq.end)
		fin_acked(msk, now);
}

/**
 * mrc_conn_time_wait() - both directions have ended
 * @msk: connection
 * @now: ktime_get_ns()
 *
 * It stays for a few round trips to acknowledge a repeated FIN.
 */
void mrc_conn_time_wait(struct mrc_sock *msk, u64 now)
{
	struct sock *sk = mrc_conn_sk(msk);
	struct mrc_path *path = mrc_path_best(msk, 0);
	u64 wait = TIME_WAIT_MIN_NS;

	if (path)
		wait = clamp_t(u64, 3 * mrc_rtt_silence_ns(&path->rtt),
			       TIME_WAIT_MIN_NS, TIME_WAIT_MAX_NS);
	mrc_conn_state_set(msk, MRC_TIME_WAIT, MRC_CONN_FIN);
	msk->linger_ns = now + wait;
	if (!sock_flag(sk, SOCK_DEAD))
		sk->sk_state_change(sk);
}

/**
 * mrc_conn_rcv_fin() - the peer's stream has ended, everything is in order
 * @msk: connection
 * @now: ktime_get_ns()
 */
void mrc_conn_rcv_fin(struct mrc_sock *msk, u64 now)
{
	struct sock *sk = mrc_conn_sk(msk);

	sk->sk_shutdown |= RCV_SHUTDOWN;
	sock_set_flag(sk, SOCK_DONE);
	msk->ack_now = true;
	switch (sk->sk_state) {
	case TCP_ESTABLISHED:
		mrc_conn_state_set(msk, TCP_CLOSE_WAIT, MRC_CONN_FIN);
		break;
	case TCP_FIN_WAIT1:
		mrc_conn_state_set(msk, TCP_CLOSING, MRC_CONN_FIN);
		break;
	case TCP_FIN_WAIT2:
		mrc_ack_send(msk, now);
		mrc_conn_time_wait(msk, now);
		return;
	}
	if (sock_flag(sk, SOCK_DEAD))
		return;
	sk->sk_state_change(sk);
	if (sk->sk_shutdown == SHUTDOWN_MASK)
		sk_wake_async(sk, SOCK_WAKE_WAITD, POLL_HUP);
	else
		sk_wake_async(sk, SOCK_WAKE_WAITD, POLL_IN);
}

/* Socket locked and not owned, or in the backlog. */
static void reset(struct mrc_sock *msk)
{
	struct sock *sk = mrc_conn_sk(msk);
	int err = ECONNRESET;

	switch (sk->sk_state) {
	case TCP_CLOSE:
		return;
	case TCP_CLOSE_WAIT:
		err = EPIPE;
		break;
	case TCP_LAST_ACK:
	case TCP_CLOSING:
	case MRC_TIME_WAIT:
		/* Both streams had ended; the peer has already forgotten. */
		if (msk->txq.una + 1 < msk->txq.end)
			break;
		mrc_conn_done(msk, 0, MRC_CONN_FIN);
		return;
	}
	MRC_INC_STATS(msk->mn, ConnResetIn);
	mrc_conn_done(msk, err, MRC_CONN_RESET);
}

/**
 * mrc_conn_rcv_reset() - a RESET has arrived
 * @mn: namespace
 * @in: origin of the packet
 * @msg: the message; its length is checked here
 *
 * Context: softirq, RCU read side, no lock.
 */
void mrc_conn_rcv_reset(struct mrc_net *mn, const struct mrc_input *in,
			const struct mrc_wire_reset *msg)
{
	struct mrc_sock *msk;
	struct sock *sk;

	if (in->end - in->pos != sizeof(*msg)) {
		MRC_INC_STATS(mn, RxShort);
		return;
	}
	msk = mrc_conn_find_remote(mn->net, be64_to_cpu(msg->cid));
	if (!msk) {
		MRC_INC_STATS(mn, RxUnknownConn);
		return;
	}
	sk = mrc_conn_sk(msk);
	bh_lock_sock(sk);
	if (msk->remote_token != be64_to_cpu(msg->token)) {
		MRC_INC_STATS(mn, RxBadToken);
	} else if (be16_to_cpu(msg->hdr.path_id) == MRC_WIRE_R_UNKNOWN &&
		   (!msk->confirmed || ktime_get_ns() - msk->confirmed_ns <
		    MRC_RESET_GRACE_NS)) {
		/* Our OPEN was overtaken or lost; it is being repeated, or it
		 * has arrived after what this answers. A peer that knows us no
		 * more will say so again.
		 */
	} else if (sock_owned_by_user(sk)) {
		set_bit(MRC_DEFER_RESET, &msk->deferred);
	} else {
		reset(msk);
	}
	bh_unlock_sock(sk);
	sock_put(sk);
}

/**
 * mrc_conn_reset_deferred() - a RESET that came while the socket was owned
 * @msk: connection
 *
 * Context: process, socket lock held.
 */
void mrc_conn_reset_deferred(struct mrc_sock *msk)
{
	reset(msk);
}

/**
 * mrc_conn_reply_reset() - tell a peer that its connection is not known here
 * @mn: namespace
 * @in: origin of the packet that names it
 * @cid: id that it used
 * @len: bytes of its packet; a shorter one than a RESET gets no answer
 * @reason: enum mrc_wire_reason
 *
 * Context: softirq or process, no lock.
 */
void mrc_conn_reply_reset(struct mrc_net *mn, const struct mrc_input *in,
			  u64 cid, u32 len, u16 reason)
{
	struct mrc_addr local, remote;
	struct mrc_wire_reset msg;

	if (len < sizeof(msg) || !cid || !mrc_input_may_reply(mn))
		return;
	mrc_build_reset(&msg, cid, mrc_key_token(&mn->secret, cid), reason);
	mrc_input_addrs(mn, in, &local, &remote);
	/* A peer behind a NAT is not reached this way; it times out. */
	remote.port = mn->udp_port;
	mrc_udp_reply(mn, &local, &remote, mrc_input_scope(in), &msg,
		      sizeof(msg));
}
