/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The connection, which is also the socket: struct mrc_sock.
 *
 * Everything is guarded by the socket lock (process context: lock_sock();
 * softirq: bh_lock_sock() and !sock_owned_by_user()) unless a field says
 * otherwise. sk_state holds TCP_* numbers (or MRC_TIME_WAIT) and is written by
 * mrc_conn_state_set() only.
 */
#ifndef _MRC_CONN_H
#define _MRC_CONN_H

#include <linux/hrtimer.h>
#include <linux/siphash.h>
#include <net/inet_sock.h>
#include <net/sock.h>
#include "conn/conn_state.h"
#include "conn/opts.h"
#include "limits.h"
#include "net_ns.h"
#include "path/path.h"
#include "reliable/rxq.h"
#include "reliable/txq.h"
#include "sched/sched.h"
#include "socket/fallback.h"

/* Bits of mrc_sock.deferred: work that met a socket owned by a process. */
enum mrc_conn_deferred {
	MRC_DEFER_SERVICE,	/* the timer ran out */
	MRC_DEFER_DEVICES,	/* a device or an address has changed */
	MRC_DEFER_ENDPOINTS,	/* the endpoints have changed */
	MRC_DEFER_RESET,	/* the peer has aborted */
	MRC_DEFER_OUTPUT,	/* packets came: answer all of them at once */
	MRC_DEFER_UNREACHABLE,	/* the peer has no AF_MRC, says ICMP */
};

/**
 * struct mrc_conn_announce - an address of ours that the peer must know
 * @addr: address; the port is not used
 * @endpoint_id: endpoint that it came from
 * @serial: of the message
 * @op: MRC_WIRE_ADDR_*
 * @backup: flag of the endpoint
 * @acked: the peer has it
 */
struct mrc_conn_announce {
	struct mrc_addr addr;
	u32 endpoint_id;
	u32 serial;
	u8 op;
	bool backup;
	bool acked;
};

/**
 * struct mrc_conn_remote - an address of the peer
 * @addr: address; the port is not used
 * @serial: of the last message about it
 * @backup: the peer wants it used last
 * @gone: withdrawn; remembered, so that an old announcement is told from a new
 */
struct mrc_conn_remote {
	struct mrc_addr addr;
	u32 serial;
	bool backup;
	bool gone;
};

/**
 * struct mrc_sock - connection and socket
 * @inet: the INET socket; first. inet_num, inet_saddr, inet_daddr, inet_dport
 *	carry the names that getsockname() and getpeername() give
 * @mn: per-namespace state
 * @opts: socket options
 * @fallback: the TCP socket behind this one
 *
 * Identity, written before the socket is hashed, constant afterwards:
 * @public_id: name for tools and events; not the id on the wire, since who
 *	knows that one can inject data
 * @local_cid: id that the peer puts into every packet for us
 * @remote_cid: id that we put into every packet; 0: not known yet
 * @cid_node: in the table of local ids (RCU)
 * @remote_node: in the table of remote ids (RCU), for RESET
 * @key: keys the MACs
 * @local_nonce: our part of the key
 * @local_token: what our RESET carries
 * @remote_token: what the peer's RESET must carry
 * @server: this side accepted
 * @confirmed: the peer has sent something that proves it has our OPEN
 * @confirmed_ns: since when; 0 on the accepting side
 *
 * Handshake (client):
 * @init_tries: INITs sent
 * @init_next_ns: when to repeat INIT (or OPEN); 0: never
 * @cookie: of the INIT_ACK, network order
 * @cookie_time: of the INIT_ACK, network order
 * @remote_nonce: of the INIT_ACK
 * @fallback_ns: when silence means that TCP is to be tried; 0: never
 * @fallback_wanted: TCP is to be tried: enum mrc_fallback_reason
 *
 * Ports and listening (see socket/port.h, socket/listen.h):
 * @port_node: in mrc_net.ports; guarded by mrc_net.port_lock
 * @listen_node: in mrc_net.listeners; guarded by mrc_net.port_lock
 * @port_bound: @port_node is in use
 * @listener: child not accepted yet: the listening socket, one reference
 * @accept_node: child: in @accept_queue of @listener
 * @accept_queue: listener: children ready for accept()
 *
 * Sending:
 * @txq: what the peer does not have yet
 * @peer_window: first stream offset that the peer does not accept
 * @mss: payload bytes per packet of new chunks
 * @fin_queued: the stream has its end
 * @short_end: stream offset after the last short packet sent (Nagle)
 * @cork_ns: since when a short tail has been held for MSG_MORE; 0: it is not
 * @idle: everything written was acknowledged
 * @more: the last write announced more (MSG_MORE): a short tail may wait
 * @sched: scheduler
 * @sched_last: index of the path chosen last
 * @rate_ops: rate controller for new paths
 * @progress_ns: when the peer last acknowledged something, or when the send
 *	queue was last empty
 * @pace_ns: when pacing lets the next superframe go; 0: not waiting
 * @persist_ns: window closed, nothing out: when to ask again; 0: not armed
 *
 * Receiving:
 * @rxq: reorder queue; in-order data lies in sk_receive_queue, one
 *	struct mrc_rx_entry in the control block of each skb
 * @rcv_ratio: payload of received skbs per byte of memory, times 256, smoothed
 * @rcv_buffer: SO_RCVBUF for which the window was promised; more than now while
 *	a larger one has promised more
 * @rcv_advertised: window edge of the last ACK that left
 * @copied: stream offset up to which the application has read
 * @rx_messages: whole messages in sk_receive_queue (SOCK_SEQPACKET)
 * @rx_partial: bytes of the message behind them that have come in order
 * @rx_early: a message was delivered before its turn: wake the reader
 * @ack_serial: ACKs sent
 * @ack_skbs: data skbs received since the last ACK
 * @ack_bytes: their bytes
 * @ack_sent_ns: when the last ACK left
 * @ack_now: do not delay the next ACK
 * @ack_by_reader: the application sends the ACK when it has read
 * @ack_ns: when the delayed ACK is due; 0: none
 * @ack_path: id of the path on which data came last
 * @rcvq_space: bytes read in the last measured round trip (autotuning)
 * @rcvq_copied: @copied when the measurement began
 * @rcvq_ns: when the measurement began
 *
 * Paths:
 * @path: living paths, packed
 * @npaths: their number
 * @next_path_id: next id this side gives out
 * @remotes: addresses of the peer
 * @nremotes: their number
 * @announces: addresses we announce
 * @nannounces: their number
 * @addr_serial: last serial of an ADDR
 * @announce_next_ns: when to repeat unacknowledged announcements; 0: never
 * @announce_tries: repetitions since the last change
 *
 * Timer and deferral:
 * @timer: runs mrc_conn_service(); holds no reference, cancelled last
 * @timer_ns: when it is due; 0: not armed
 * @deferred: enum mrc_conn_deferred bits, atomic
 * @linger_ns: closing: when to give up; 0: never
 * @keepalive_ns: when the next keep-alive PING may leave; 0: none was sent
 * @aborted: a RESET was sent or received
 *
 * Figures:
 * @sent_bytes: stream bytes sent for the first time
 * @received_bytes: stream bytes received in order
 */
struct mrc_sock {
	struct inet_sock inet;
	struct mrc_net *mn;
	struct mrc_conn_opts opts;
	struct mrc_fallback fallback;

	u64 public_id;
	u64 local_cid;
	u64 remote_cid;
	struct hlist_node cid_node;
	struct hlist_node remote_node;
	siphash_key_t key;
	u64 local_nonce;
	u64 local_token;
	u64 remote_token;
	bool server;
	bool confirmed;
	u64 confirmed_ns;

	u32 init_tries;
	u64 init_next_ns;
	__be64 cookie;
	__be32 cookie_time;
	u64 remote_nonce;
	u64 fallback_ns;
	u8 fallback_wanted;

	struct hlist_node port_node;
	struct hlist_node listen_node;
	bool port_bound;
	struct sock *listener;
	struct list_head accept_node;
	struct list_head accept_queue;

	struct mrc_txq txq;
	u64 peer_window;
	u16 mss;
	bool fin_queued;
	u64 short_end;
	u64 cork_ns;
	bool idle;
	bool more;
	const struct mrc_sched_ops *sched;
	int sched_last;
	const struct mrc_rate_ops *rate_ops;
	u64 progress_ns;
	u64 pace_ns;
	u64 persist_ns;

	struct mrc_rxq rxq;
	int rcv_ratio;
	u32 rcv_buffer;
	u64 rcv_advertised;
	u64 copied;
	u32 rx_messages;
	u32 rx_partial;
	bool rx_early;
	u32 ack_serial;
	u32 ack_skbs;
	u32 ack_bytes;
	u64 ack_sent_ns;
	bool ack_now;
	bool ack_by_reader;
	u64 ack_ns;
	u16 ack_path;
	u32 rcvq_space;
	u64 rcvq_copied;
	u64 rcvq_ns;

	struct mrc_path *path[MRC_PATHS_MAX];
	int npaths;
	u16 next_path_id;
	struct mrc_conn_remote remotes[MRC_ADDRS_MAX];
	int nremotes;
	struct mrc_conn_announce announces[MRC_ADDRS_MAX];
	int nannounces;
	u32 addr_serial;
	u64 announce_next_ns;
	u32 announce_tries;

	struct hrtimer timer;
	u64 timer_ns;
	unsigned long deferred;
	u64 linger_ns;
	u64 keepalive_ns;
	bool aborted;

	u64 sent_bytes;
	u64 received_bytes;
};

/**
 * mrc_sk() - the connection of a socket
 * @sk: socket of family AF_MRC
 *
 * Return: @sk as struct mrc_sock.
 */
static inline struct mrc_sock *mrc_sk(const struct sock *sk)
{
	return (struct mrc_sock *)sk;
}

/**
 * mrc_conn_sk() - the socket of a connection
 * @msk: connection
 *
 * Return: @msk as struct sock.
 */
static inline struct sock *mrc_conn_sk(const struct mrc_sock *msk)
{
	return (struct sock *)&msk->inet.sk;
}

/**
 * mrc_conn_has_messages() - does a connection keep message boundaries
 * @msk: connection or listener
 *
 * Return: true for SOCK_SEQPACKET.
 */
static inline bool mrc_conn_has_messages(const struct mrc_sock *msk)
{
	return mrc_conn_sk(msk)->sk_type == SOCK_SEQPACKET;
}

/**
 * mrc_conn_is_prompt() - do small writes leave at once
 * @msk: connection
 *
 * Return: true with TCP_NODELAY, and for the class "latency".
 */
static inline bool mrc_conn_is_prompt(const struct mrc_sock *msk)
{
	return msk->opts.nodelay || msk->opts.class == MRC_CLASS_LATENCY;
}

/**
 * mrc_rx_entry() - the stream bytes of a received skb
 * @skb: data skb in sk_receive_queue or in the reorder queue
 *
 * Return: the entry in the control block.
 */
static inline struct mrc_rx_entry *mrc_rx_entry(struct sk_buff *skb)
{
	BUILD_BUG_ON(sizeof(struct mrc_rx_entry) > sizeof(skb->cb));
	return (struct mrc_rx_entry *)skb->cb;
}

/**
 * mrc_rx_skb() - the skb of a reorder queue entry
 * @entry: entry in a control block
 *
 * Return: the skb.
 */
static inline struct sk_buff *mrc_rx_skb(struct mrc_rx_entry *entry)
{
	return container_of((void *)entry, struct sk_buff, cb);
}

/* conn_object.c */
int mrc_conn_table_init(void);
void mrc_conn_table_exit(void);
void mrc_conn_init(struct mrc_sock *msk);
int mrc_conn_hash(struct mrc_sock *msk);
void mrc_conn_unhash(struct mrc_sock *msk);
struct mrc_sock *mrc_conn_find(struct net *net, u64 cid);
struct mrc_sock *mrc_conn_find_remote(struct net *net, u64 remote_cid);
struct mrc_sock *mrc_conn_find_public(struct net *net, u64 id);
u64 mrc_conn_new_cid(void);
u64 mrc_conn_new_public_id(void);
int mrc_conn_walk(struct net *net, u32 *bucket, u32 *skip,
		  int (*visit)(struct mrc_sock *msk, void *arg), void *arg);

/* conn_open.c: lock_sock held, names set, port bound */
int mrc_conn_connect(struct mrc_sock *msk);

/* conn_close.c: socket lock held */
void mrc_conn_shutdown(struct mrc_sock *msk);
void mrc_conn_abort(struct mrc_sock *msk, int err, u16 wire_reason);
void mrc_conn_done(struct mrc_sock *msk, int err, enum mrc_conn_reason reason);
void mrc_conn_orphan(struct mrc_sock *msk);
void mrc_conn_destroy(struct mrc_sock *msk);

/* conn_timer.c */
void mrc_conn_timer_init(struct mrc_sock *msk);
void mrc_conn_timer_update(struct mrc_sock *msk);
void mrc_conn_timer_stop(struct mrc_sock *msk);
void mrc_conn_service(struct mrc_sock *msk);
void mrc_conn_release_cb(struct sock *sk);
void mrc_conn_defer(struct mrc_sock *msk, enum mrc_conn_deferred what);

/* output.c: socket lock held */
void mrc_output_push(struct mrc_sock *msk);

/* ack.c: socket lock held */
void mrc_ack_consumed(struct mrc_sock *msk);

/* input.c */
int mrc_input_backlog(struct sock *sk, struct sk_buff *skb);

/* conn_info.c: socket lock held */
void mrc_conn_path_info(const struct mrc_path *path,
			struct mrc_path_info *info);

#endif /* _MRC_CONN_H */
