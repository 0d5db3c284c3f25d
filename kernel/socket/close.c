// SPDX-License-Identifier: GPL-2.0
/*
 * close() and shutdown(): what becomes of the connection.
 *
 * Decides as TCP does: unread data or a zero linger time reset the
 * connection, anything else ends the stream in order and lets the rest be
 * delivered without a process. Called through mrc_prot in process context.
 */
#include <net/inet_common.h>
#include "socket/room.h"
#include "wire/format.h"

/* Frees what was received; true when the application has missed data. */
static bool drop_unread(struct sock *sk)
{
	struct sk_buff *skb;
	bool unread = false;

	while ((skb = __skb_dequeue(&sk->sk_receive_queue))) {
		const struct mrc_rx_entry *entry = mrc_rx_entry(skb);

		if (entry->len && !(entry->flags & MRC_RX_FIN))
			unread = true;
		__kfree_skb(skb);
	}
	return unread;
}

/* Ends the stream in order; a corked tail goes with it. */
static void finish(struct mrc_sock *msk)
{
	if (!mrc_socket_in(mrc_conn_sk(msk),
			   TCPF_ESTABLISHED | TCPF_CLOSE_WAIT))
		return;
	mrc_chunk_close(msk);
	mrc_conn_shutdown(msk);
}

/* The connection gets its end; the socket is still owned by the process. */
static void end(struct sock *sk, long timeout)
{
	struct mrc_sock *msk = mrc_sk(sk);
	bool unread;

	WRITE_ONCE(sk->sk_shutdown, SHUTDOWN_MASK);
	if (sk->sk_state == TCP_LISTEN) {
		mrc_listen_stop(msk);
		return;
	}
	unread = drop_unread(sk);
	if (sk->sk_state == TCP_CLOSE)
		return;
	if (unread) {
		mrc_conn_abort(msk, 0, MRC_WIRE_R_CLOSED);
	} else if (sock_flag(sk, SOCK_LINGER) && !sk->sk_lingertime) {
		mrc_conn_abort(msk, 0, MRC_WIRE_R_ABORT);
	} else if (sk->sk_state == TCP_SYN_SENT) {
		mrc_conn_done(msk, 0, MRC_CONN_APP);
	} else {
		finish(msk);
		sk_stream_wait_close(sk, timeout);
	}
}

/**
 * mrc_close_end() - close()
 * @sk: socket; the caller's reference is consumed
 * @timeout: how long to linger, jiffies
 *
 * Context: process; takes the socket lock, may sleep for @timeout.
 */
void mrc_close_end(struct sock *sk, long timeout)
{
	struct mrc_sock *msk = mrc_sk(sk);

	lock_sock(sk);
	end(sk, timeout);
	sock_orphan(sk);
	if (sk->sk_state == TCP_CLOSE) {
		/* Packets may have come while it waited, or before a reset. */
		__skb_queue_purge(&sk->sk_receive_queue);
		mrc_conn_done(msk, 0, MRC_CONN_APP);
		mrc_port_put(msk);
	} else {
		mrc_conn_orphan(msk);
	}
	release_sock(sk);
	sock_put(sk);
}

/**
 * mrc_close_shutdown() - shutdown()
 * @sk: socket; sk_shutdown is set already
 * @how: SEND_SHUTDOWN and RCV_SHUTDOWN bits
 *
 * Nothing tells the peer that reading has ended here: its data are
 * acknowledged and can still be read, as with TCP.
 *
 * Context: process, socket lock held.
 */
void mrc_close_shutdown(struct sock *sk, int how)
{
	sock_owned_by_me(sk);
	if (how & SEND_SHUTDOWN)
		finish(mrc_sk(sk));
}
