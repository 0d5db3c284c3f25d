/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of a connection: numbers, reasons, and the one who writes it.
 *
 * It stands in sk_state, guarded by the socket lock.
 */
#ifndef _MRC_CONN_STATE_H
#define _MRC_CONN_STATE_H

#include <net/tcp_states.h>

struct mrc_sock;

/*
 * TIME_WAIT of a whole socket. With TCP_TIME_WAIT in sk_state the kernel takes
 * it for the stub that TCP leaves behind, which is no socket (sk_fullsock()).
 */
#define MRC_TIME_WAIT	TCP_MAX_STATES

/* Why a connection changed its state; names in observe/trace.h. */
enum mrc_conn_reason {
	MRC_CONN_APP,		/* a system call */
	MRC_CONN_HANDSHAKE,	/* the peer answered */
	MRC_CONN_FIN,		/* end of a stream */
	MRC_CONN_RESET,		/* aborted by the peer */
	MRC_CONN_ABORT,		/* aborted here */
	MRC_CONN_REFUSED,	/* nobody listens */
	MRC_CONN_TIMEOUT,	/* nothing came back */
	MRC_CONN_FALLBACK,	/* goes on over TCP */
	__MRC_CONN_REASONS
};

/**
 * mrc_conn_state_shown() - state of a connection, numbered as for TCP
 * @state: value of sk_state
 *
 * Return: TCP_*, also for MRC_TIME_WAIT.
 */
static inline int mrc_conn_state_shown(int state)
{
	return state == MRC_TIME_WAIT ? (int)TCP_TIME_WAIT : state;
}

void mrc_conn_state_set(struct mrc_sock *msk, int state,
			enum mrc_conn_reason reason);

#endif /* _MRC_CONN_STATE_H */
