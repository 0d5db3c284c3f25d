// SPDX-License-Identifier: GPL-2.0
/*
 * The only writer of a connection's state.
 *
 *   CLOSE --listen()--> LISTEN
 *   CLOSE --connect()--> SYN_SENT --INIT_ACK--> ESTABLISHED
 *   SYN_SENT --no luck, goes on over TCP--> CLOSE
 *   CLOSE --OPEN received (child)--> ESTABLISHED
 *   ESTABLISHED --shutdown/close--> FIN_WAIT1 --FIN acked--> FIN_WAIT2
 *   ESTABLISHED --FIN received--> CLOSE_WAIT --shutdown/close--> LAST_ACK
 *   FIN_WAIT1 --FIN received--> CLOSING --FIN acked--> TIME_WAIT
 *   FIN_WAIT2 --FIN received--> TIME_WAIT --a few RTTs--> CLOSE
 *   LAST_ACK --FIN acked--> CLOSE
 *   any --reset, abort, time-out--> CLOSE
 *
 * Guarded by the socket lock.
 */
#include <net/tcp_states.h>
#include "conn/conn.h"
#include "control/nl_event.h"
#include "observe/mib.h"
#include "observe/trace.h"

#define TIME_WAITF	BIT(MRC_TIME_WAIT)

/* States that may follow each state. */
static const u16 allowed[MRC_TIME_WAIT + 1] = {
	[TCP_CLOSE] = TCPF_LISTEN | TCPF_SYN_SENT | TCPF_ESTABLISHED,
	[TCP_LISTEN] = TCPF_CLOSE,
	[TCP_SYN_SENT] = TCPF_ESTABLISHED | TCPF_CLOSE,
	[TCP_ESTABLISHED] = TCPF_FIN_WAIT1 | TCPF_CLOSE_WAIT | TCPF_CLOSE,
	[TCP_FIN_WAIT1] = TCPF_FIN_WAIT2 | TCPF_CLOSING | TCPF_CLOSE,
	[TCP_FIN_WAIT2] = TIME_WAITF | TCPF_CLOSE,
	[TCP_CLOSE_WAIT] = TCPF_LAST_ACK | TCPF_CLOSE,
	[TCP_CLOSING] = TIME_WAITF | TCPF_CLOSE,
	[TCP_LAST_ACK] = TCPF_CLOSE,
	[MRC_TIME_WAIT] = TCPF_CLOSE,
};

/**
 * mrc_conn_state_set() - change the state of a connection
 * @msk: connection
 * @state: TCP_* or MRC_TIME_WAIT
 * @reason: why
 *
 * Context: socket lock held.
 */
void mrc_conn_state_set(struct mrc_sock *msk, int state,
			enum mrc_conn_reason reason)
{
	struct sock *sk = mrc_conn_sk(msk);
	int old = sk->sk_state;

	if (old == state)
		return;
	if (WARN_ON_ONCE(!(allowed[old] & (1 << state))))
		return;
	/* Readers without the lock (poll, lookups) see what led here. */
	smp_store_release(&sk->sk_state, state);
	if (state == TCP_ESTABLISHED) {
		if (msk->server)
			MRC_INC_STATS(msk->mn, ConnPassive);
		else
			MRC_INC_STATS(msk->mn, ConnActive);
	}
	old = mrc_conn_state_shown(old);
	state = mrc_conn_state_shown(state);
	trace_mrc_conn_state(msk, old, state, reason);
	mrc_nl_event_conn(msk, old, state, reason);
}
