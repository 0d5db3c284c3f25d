/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints of AF_MRC: the stable place to attach perf, bpftrace and BPF.
 *
 * Every event names the connection (cid, sport, dport) and the namespace
 * (netns: its inode number, net_cookie), path events also the path. Fields
 * are plain numbers, so that they can be read without type information; the
 * lists below tell tracing tools the names. Addresses have 16 bytes, IPv4 as
 * ::ffff:a.b.c.d. Called under the socket lock.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM mrc

#if !defined(_MRC_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _MRC_TRACE_H

#include <linux/tracepoint.h>
#include <net/tcp_states.h>
#include "conn/conn.h"

#ifndef _MRC_TRACE_H_ONCE
#define _MRC_TRACE_H_ONCE

/* Why packets were given up. */
enum mrc_loss_why {
	MRC_LOSS_REORDER,	/* packets sent later have arrived */
	MRC_LOSS_TIMEOUT,	/* nothing came back, all paths silent */
	MRC_LOSS_PATH,		/* the path was given up */
};

/**
 * mrc_trace_srtt_us() - smoothed round-trip time for events and netlink
 * @path: path
 *
 * Context: socket lock held.
 * Return: microseconds, 0: no sample yet.
 */
static inline u32 mrc_trace_srtt_us(const struct mrc_path *path)
{
	return path->rtt.srtt_us >> 3;
}

void mrc_trace_addr(const struct mrc_addr *addr, u8 *to);
void mrc_trace_names(const struct sock *sk, u8 *local, u8 *remote);

#endif /* _MRC_TRACE_H_ONCE */

#define mrc_trace_conn_states				\
	EM(TCP_ESTABLISHED,	"established")		\
	EM(TCP_SYN_SENT,	"syn-sent")		\
	EM(TCP_SYN_RECV,	"syn-recv")		\
	EM(TCP_FIN_WAIT1,	"fin-wait-1")		\
	EM(TCP_FIN_WAIT2,	"fin-wait-2")		\
	EM(TCP_TIME_WAIT,	"time-wait")		\
	EM(TCP_CLOSE,		"close")		\
	EM(TCP_CLOSE_WAIT,	"close-wait")		\
	EM(TCP_LAST_ACK,	"last-ack")		\
	EM(TCP_LISTEN,		"listen")		\
	E_(TCP_CLOSING,		"closing")

#define mrc_trace_conn_reasons				\
	EM(MRC_CONN_APP,	"app")			\
	EM(MRC_CONN_HANDSHAKE,	"handshake")		\
	EM(MRC_CONN_FIN,	"fin")			\
	EM(MRC_CONN_RESET,	"reset")		\
	EM(MRC_CONN_ABORT,	"abort")		\
	EM(MRC_CONN_REFUSED,	"refused")		\
	EM(MRC_CONN_TIMEOUT,	"timeout")		\
	E_(MRC_CONN_FALLBACK,	"fallback")

#define mrc_trace_path_states				\
	EM(MRC_PATH_PROBING,	"probing")		\
	EM(MRC_PATH_GOOD,	"good")			\
	EM(MRC_PATH_SKIP,	"skip")			\
	EM(MRC_PATH_ASSUMED_BAD, "assumed-bad")		\
	E_(MRC_PATH_DENIED,	"denied")

#define mrc_trace_path_reasons				\
	EM(MRC_REASON_NONE,	"none")			\
	EM(MRC_REASON_OPEN,	"open")			\
	EM(MRC_REASON_JOIN,	"join")			\
	EM(MRC_REASON_TIMEOUT,	"timeout")		\
	EM(MRC_REASON_PROBE,	"probe")		\
	EM(MRC_REASON_CARRIER,	"carrier")		\
	EM(MRC_REASON_ROUTE,	"route")		\
	EM(MRC_REASON_ADDRESS,	"address")		\
	EM(MRC_REASON_PEER,	"peer")			\
	EM(MRC_REASON_ADMIN,	"admin")		\
	EM(MRC_REASON_ECN,	"ecn")			\
	E_(MRC_REASON_MOVED,	"moved")

#define mrc_trace_loss_whys				\
	EM(MRC_LOSS_REORDER,	"reorder")		\
	EM(MRC_LOSS_TIMEOUT,	"timeout")		\
	E_(MRC_LOSS_PATH,	"path")

/* First reading: tell user space the values. */
#undef EM
#undef E_
#define EM(a, b) TRACE_DEFINE_ENUM(a);
#define E_(a, b) TRACE_DEFINE_ENUM(a);

mrc_trace_conn_states
mrc_trace_conn_reasons
mrc_trace_path_states
mrc_trace_path_reasons
mrc_trace_loss_whys

/* Second reading: pairs for __print_symbolic(). */
#undef EM
#undef E_
#define EM(a, b) { a, b },
#define E_(a, b) { a, b }

TRACE_EVENT(mrc_conn_state,
	TP_PROTO(const struct mrc_sock *msk, int old, int new,
		 enum mrc_conn_reason reason),
	TP_ARGS(msk, old, new, reason),
	TP_STRUCT__entry(
		__field(__u64, cid)
		__field(__u64, remote_cid)
		__field(__u64, net_cookie)
		__field(__u32, netns)
		__field(__u16, sport)
		__field(__u16, dport)
		__field(int, old)
		__field(int, new)
		__field(int, reason)
		__array(__u8, saddr, 16)
		__array(__u8, daddr, 16)
	),
	TP_fast_assign(
		__entry->cid = msk->public_id;
		__entry->remote_cid = msk->remote_cid;
		__entry->net_cookie = sock_net(mrc_conn_sk(msk))->net_cookie;
		__entry->netns = sock_net(mrc_conn_sk(msk))->ns.inum;
		__entry->sport = msk->inet.inet_num;
		__entry->dport = be16_to_cpu(msk->inet.inet_dport);
		__entry->old = old;
		__entry->new = new;
		__entry->reason = reason;
		mrc_trace_names(mrc_conn_sk(msk), __entry->saddr,
				__entry->daddr);
	),
	TP_printk("cid=%016llx netns=%u sport=%u dport=%u saddr=%pI6c daddr=%pI6c old=%s new=%s reason=%s",
		  __entry->cid, __entry->netns, __entry->sport,
		  __entry->dport, __entry->saddr, __entry->daddr,
		  __print_symbolic(__entry->old, mrc_trace_conn_states),
		  __print_symbolic(__entry->new, mrc_trace_conn_states),
		  __print_symbolic(__entry->reason, mrc_trace_conn_reasons))
);

TRACE_EVENT(mrc_path_state,
	TP_PROTO(const struct mrc_path *path, int old, int new,
		 enum mrc_path_reason reason),
	TP_ARGS(path, old, new, reason),
	TP_STRUCT__entry(
		__field(__u64, cid)
		__field(__u64, net_cookie)
		__field(__u32, netns)
		__field(__u16, sport)
		__field(__u16, dport)
		__field(__u16, path_id)
		__field(__u8, backup)
		__field(int, ifindex)
		__field(int, old)
		__field(int, new)
		__field(int, reason)
		__array(__u8, laddr, 16)
		__array(__u8, raddr, 16)
	),
	TP_fast_assign(
		__entry->cid = path->msk->public_id;
		__entry->net_cookie =
			sock_net(mrc_conn_sk(path->msk))->net_cookie;
		__entry->netns = sock_net(mrc_conn_sk(path->msk))->ns.inum;
		__entry->sport = path->msk->inet.inet_num;
		__entry->dport = be16_to_cpu(path->msk->inet.inet_dport);
		__entry->path_id = path->id;
		__entry->backup = path->backup;
		__entry->ifindex = path->ifindex;
		__entry->old = old;
		__entry->new = new;
		__entry->reason = reason;
		mrc_trace_addr(&path->local, __entry->laddr);
		mrc_trace_addr(&path->remote, __entry->raddr);
	),
	TP_printk("cid=%016llx netns=%u sport=%u dport=%u path_id=%u laddr=%pI6c raddr=%pI6c ifindex=%d backup=%u old=%s new=%s reason=%s",
		  __entry->cid, __entry->netns, __entry->sport,
		  __entry->dport, __entry->path_id, __entry->laddr,
		  __entry->raddr, __entry->ifindex, __entry->backup,
		  __print_symbolic(__entry->old, mrc_trace_path_states),
		  __print_symbolic(__entry->new, mrc_trace_path_states),
		  __print_symbolic(__entry->reason, mrc_trace_path_reasons))
);

TRACE_EVENT(mrc_superframe_tx,
	TP_PROTO(const struct mrc_path *path, u32 psn, u32 packets, u32 bytes,
		 bool retrans),
	TP_ARGS(path, psn, packets, bytes, retrans),
	TP_STRUCT__entry(
		__field(__u64, cid)
		__field(__u64, net_cookie)
		__field(__u32, netns)
		__field(__u16, sport)
		__field(__u16, dport)
		__field(__u16, path_id)
		__field(__u8, retrans)
		__field(__u32, psn)
		__field(__u32, packets)
		__field(__u32, bytes)
		__array(__u8, laddr, 16)
		__array(__u8, raddr, 16)
	),
	TP_fast_assign(
		__entry->cid = path->msk->public_id;
		__entry->net_cookie =
			sock_net(mrc_conn_sk(path->msk))->net_cookie;
		__entry->netns = sock_net(mrc_conn_sk(path->msk))->ns.inum;
		__entry->sport = path->msk->inet.inet_num;
		__entry->dport = be16_to_cpu(path->msk->inet.inet_dport);
		__entry->path_id = path->id;
		__entry->retrans = retrans;
		__entry->psn = psn;
		__entry->packets = packets;
		__entry->bytes = bytes;
		mrc_trace_addr(&path->local, __entry->laddr);
		mrc_trace_addr(&path->remote, __entry->raddr);
	),
	TP_printk("cid=%016llx netns=%u sport=%u dport=%u path_id=%u laddr=%pI6c raddr=%pI6c psn=%u packets=%u bytes=%u retrans=%u",
		  __entry->cid, __entry->netns, __entry->sport,
		  __entry->dport, __entry->path_id, __entry->laddr,
		  __entry->raddr, __entry->psn, __entry->packets,
		  __entry->bytes, __entry->retrans)
);

TRACE_EVENT(mrc_superframe_rx,
	TP_PROTO(const struct mrc_path *path, u32 psn, u32 packets, u32 bytes,
		 bool ce),
	TP_ARGS(path, psn, packets, bytes, ce),
	TP_STRUCT__entry(
		__field(__u64, cid)
		__field(__u64, net_cookie)
		__field(__u32, netns)
		__field(__u16, sport)
		__field(__u16, dport)
		__field(__u16, path_id)
		__field(__u8, ce)
		__field(__u32, psn)
		__field(__u32, packets)
		__field(__u32, bytes)
		__array(__u8, laddr, 16)
		__array(__u8, raddr, 16)
	),
	TP_fast_assign(
		__entry->cid = path->msk->public_id;
		__entry->net_cookie =
			sock_net(mrc_conn_sk(path->msk))->net_cookie;
		__entry->netns = sock_net(mrc_conn_sk(path->msk))->ns.inum;
		__entry->sport = path->msk->inet.inet_num;
		__entry->dport = be16_to_cpu(path->msk->inet.inet_dport);
		__entry->path_id = path->id;
		__entry->ce = ce;
		__entry->psn = psn;
		__entry->packets = packets;
		__entry->bytes = bytes;
		mrc_trace_addr(&path->local, __entry->laddr);
		mrc_trace_addr(&path->remote, __entry->raddr);
	),
	TP_printk("cid=%016llx netns=%u sport=%u dport=%u path_id=%u laddr=%pI6c raddr=%pI6c psn=%u packets=%u bytes=%u ce=%u",
		  __entry->cid, __entry->netns, __entry->sport,
		  __entry->dport, __entry->path_id, __entry->laddr,
		  __entry->raddr, __entry->psn, __entry->packets,
		  __entry->bytes, __entry->ce)
);

TRACE_EVENT(mrc_loss,
	TP_PROTO(const struct mrc_path *path, u32 psn, u32 packets, u32 bytes,
		 enum mrc_loss_why why),
	TP_ARGS(path, psn, packets, bytes, why),
	TP_STRUCT__entry(
		__field(__u64, cid)
		__field(__u64, net_cookie)
		__field(__u32, netns)
		__field(__u16, sport)
		__field(__u16, dport)
		__field(__u16, path_id)
		__field(__u32, psn)
		__field(__u32, packets)
		__field(__u32, bytes)
		__field(int, why)
	),
	TP_fast_assign(
		__entry->cid = path->msk->public_id;
		__entry->net_cookie =
			sock_net(mrc_conn_sk(path->msk))->net_cookie;
		__entry->netns = sock_net(mrc_conn_sk(path->msk))->ns.inum;
		__entry->sport = path->msk->inet.inet_num;
		__entry->dport = be16_to_cpu(path->msk->inet.inet_dport);
		__entry->path_id = path->id;
		__entry->psn = psn;
		__entry->packets = packets;
		__entry->bytes = bytes;
		__entry->why = why;
	),
	TP_printk("cid=%016llx netns=%u sport=%u dport=%u path_id=%u psn=%u packets=%u bytes=%u why=%s",
		  __entry->cid, __entry->netns, __entry->sport,
		  __entry->dport, __entry->path_id, __entry->psn,
		  __entry->packets, __entry->bytes,
		  __print_symbolic(__entry->why, mrc_trace_loss_whys))
);

TRACE_EVENT(mrc_rate,
	TP_PROTO(const struct mrc_path *path),
	TP_ARGS(path),
	TP_STRUCT__entry(
		__field(__u64, cid)
		__field(__u64, net_cookie)
		__field(__u32, netns)
		__field(__u16, sport)
		__field(__u16, dport)
		__field(__u16, path_id)
		__field(__u64, cwnd)
		__field(__u64, ssthresh)
		__field(__u64, inflight)
		__field(__u32, srtt_us)
		__field(__u32, min_rtt_us)
		__field(__u64, pacing_rate)
		__field(__u64, delivery_rate)
	),
	TP_fast_assign(
		__entry->cid = path->msk->public_id;
		__entry->net_cookie =
			sock_net(mrc_conn_sk(path->msk))->net_cookie;
		__entry->netns = sock_net(mrc_conn_sk(path->msk))->ns.inum;
		__entry->sport = path->msk->inet.inet_num;
		__entry->dport = be16_to_cpu(path->msk->inet.inet_dport);
		__entry->path_id = path->id;
		__entry->cwnd = path->rate.cwnd;
		__entry->ssthresh = path->rate.ssthresh;
		__entry->inflight = path->inflight.bytes;
		__entry->srtt_us = mrc_trace_srtt_us(path);
		__entry->min_rtt_us = path->rtt.min_us;
		__entry->pacing_rate = path->rate.pacing_rate;
		__entry->delivery_rate = path->rate.delivery_rate;
	),
	TP_printk("cid=%016llx netns=%u sport=%u dport=%u path_id=%u cwnd=%llu ssthresh=%llu inflight=%llu srtt_us=%u min_rtt_us=%u pacing_rate=%llu delivery_rate=%llu",
		  __entry->cid, __entry->netns, __entry->sport,
		  __entry->dport, __entry->path_id, __entry->cwnd,
		  __entry->ssthresh, __entry->inflight, __entry->srtt_us,
		  __entry->min_rtt_us, __entry->pacing_rate,
		  __entry->delivery_rate)
);

TRACE_EVENT(mrc_deliver,
	TP_PROTO(const struct mrc_sock *msk, u64 offset, u32 bytes),
	TP_ARGS(msk, offset, bytes),
	TP_STRUCT__entry(
		__field(__u64, cid)
		__field(__u64, net_cookie)
		__field(__u32, netns)
		__field(__u16, sport)
		__field(__u16, dport)
		__field(__u64, offset)
		__field(__u32, bytes)
	),
	TP_fast_assign(
		__entry->cid = msk->public_id;
		__entry->net_cookie = sock_net(mrc_conn_sk(msk))->net_cookie;
		__entry->netns = sock_net(mrc_conn_sk(msk))->ns.inum;
		__entry->sport = msk->inet.inet_num;
		__entry->dport = be16_to_cpu(msk->inet.inet_dport);
		__entry->offset = offset;
		__entry->bytes = bytes;
	),
	TP_printk("cid=%016llx netns=%u sport=%u dport=%u offset=%llu bytes=%u",
		  __entry->cid, __entry->netns, __entry->sport,
		  __entry->dport, __entry->offset, __entry->bytes)
);

#undef EM
#undef E_

#endif /* _MRC_TRACE_H */

/* The folder is relative to kernel/, which every object has on its path. */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH observe
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
