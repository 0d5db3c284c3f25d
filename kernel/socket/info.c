// SPDX-License-Identifier: GPL-2.0
/*
 * What a connection tells about itself: TCP_INFO and MRC_INFO.
 *
 * struct tcp_info knows one path, so windows and rates are added up over the
 * good paths and times are those of the fastest. Taken under the socket lock;
 * called by getsockopt().
 */
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <net/tcp.h>
#include "path/udp.h"
#include "reliable/rtt.h"
#include "socket/room.h"
#include "wire/format.h"

static u32 us_of(u64 ns)
{
	return min_t(u64, ns / MRC_NSEC_PER_USEC, U32_MAX);
}

/* The good path with the smallest RTT, or any path. */
static const struct mrc_path *fastest(const struct mrc_sock *msk)
{
	const struct mrc_path *path, *best = NULL;
	int i;

	for (i = 0; i < msk->npaths; i++) {
		path = msk->path[i];
		if (!best || (path->state == MRC_PATH_GOOD &&
			      (best->state != MRC_PATH_GOOD ||
			       path->rtt.srtt_us < best->rtt.srtt_us)))
			best = path;
	}
	return best;
}

static void fill_fastest(const struct mrc_sock *msk, struct tcp_info *info)
{
	const struct mrc_path *path = fastest(msk);

	if (!path)
		return;
	info->tcpi_rtt = path->rtt.srtt_us >> 3;
	info->tcpi_rttvar = path->rtt.rttvar_us >> 2;
	info->tcpi_min_rtt = path->rtt.min_us;
	info->tcpi_rto = us_of(mrc_rtt_silence_ns(&path->rtt));
	info->tcpi_pmtu = msk->mss + MRC_WIRE_DATA_LEN +
			  mrc_udp_header_len(path);
}

/* Sums over the paths; windows are in packets, as TCP's are. */
static void fill_paths(const struct mrc_sock *msk, struct tcp_info *info)
{
	u32 wire = msk->mss + MRC_WIRE_DATA_LEN;
	u64 cwnd = 0, inflight = 0, retrans = 0;
	int i;

	for (i = 0; i < msk->npaths; i++) {
		const struct mrc_path *path = msk->path[i];

		inflight += path->inflight.bytes;
		retrans += path->retransmitted_packets;
		info->tcpi_bytes_sent += path->sent_bytes;
		info->tcpi_segs_out += path->inflight.sent_packets;
		info->tcpi_segs_in += path->rx.packets;
		info->tcpi_delivered_ce += path->ce_packets;
		if (path->state != MRC_PATH_GOOD)
			continue;
		cwnd += path->rate.cwnd;
		info->tcpi_pacing_rate += path->rate.pacing_rate;
		info->tcpi_delivery_rate += path->rate.delivery_rate;
	}
	info->tcpi_snd_cwnd = div_u64(cwnd, wire);
	info->tcpi_unacked = div_u64(inflight, wire);
	info->tcpi_total_retrans = retrans;
	info->tcpi_data_segs_out = info->tcpi_segs_out;
	info->tcpi_data_segs_in = info->tcpi_segs_in;
	if (info->tcpi_bytes_sent > msk->sent_bytes)
		info->tcpi_bytes_retrans = info->tcpi_bytes_sent -
					   msk->sent_bytes;
}

static void fill_tcp(const struct mrc_sock *msk, struct tcp_info *info)
{
	const struct sock *sk = mrc_conn_sk(msk);
	unsigned long rate = READ_ONCE(sk->sk_max_pacing_rate);

	info->tcpi_state = mrc_conn_state_shown(sk->sk_state);
	info->tcpi_max_pacing_rate = rate == ~0UL ? ~0ULL : rate;
	if (sk->sk_state == TCP_LISTEN) {
		info->tcpi_unacked = READ_ONCE(sk->sk_ack_backlog);
		info->tcpi_sacked = READ_ONCE(sk->sk_max_ack_backlog);
		return;
	}
	info->tcpi_options = TCPI_OPT_TIMESTAMPS | TCPI_OPT_SACK |
			     TCPI_OPT_ECN;
	info->tcpi_snd_mss = msk->mss;
	info->tcpi_rcv_mss = msk->mss;
	info->tcpi_advmss = msk->mss;
	info->tcpi_lost = msk->txq.lost_packets;
	info->tcpi_rcv_space = msk->rcvq_space;
	info->tcpi_bytes_acked = msk->txq.una;
	info->tcpi_bytes_received = msk->received_bytes;
	info->tcpi_notsent_bytes = mrc_txq_unsent_bytes(&msk->txq);
	if (msk->peer_window > msk->txq.una)
		info->tcpi_snd_wnd = min_t(u64, U32_MAX,
					   msk->peer_window - msk->txq.una);
	fill_fastest(msk, info);
	fill_paths(msk, info);
}

/**
 * mrc_info_tcp() - getsockopt(TCP_INFO)
 * @msk: connection
 * @optval: user buffer for struct tcp_info, or its beginning
 * @optlen: its size; set to the bytes written
 *
 * Context: process; takes the socket lock.
 * Return: 0, -EINVAL or -EFAULT.
 */
int mrc_info_tcp(struct mrc_sock *msk, char __user *optval,
		 int __user *optlen)
{
	struct sock *sk = mrc_conn_sk(msk);
	struct tcp_info info;

	memset(&info, 0, sizeof(info));
	lock_sock(sk);
	fill_tcp(msk, &info);
	release_sock(sk);
	return mrc_sockopt_answer(&info, sizeof(info), optval, optlen);
}

/**
 * mrc_info_fill() - figures of a connection, without its paths
 * @msk: connection
 * @info: to be filled; path_count is set to 0
 *
 * Context: socket lock held.
 */
void mrc_info_fill(struct mrc_sock *msk, struct mrc_info *info)
{
	const struct mrc_txq *txq = &msk->txq;

	lockdep_assert(lockdep_sock_is_held(mrc_conn_sk(msk)));
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	info->path_size = sizeof(struct mrc_path_info);
	info->state = mrc_conn_state_shown(mrc_conn_sk(msk)->sk_state);
	info->conn_class = msk->opts.class;
	info->rcv_queue = min_t(u64, mrc_recv_ready(msk), U32_MAX);
	info->reorder_queue = min_t(u64, msk->rxq.bytes, U32_MAX);
	info->snd_queue = min_t(u64, txq->end - txq->una, U32_MAX);
	if (msk->peer_window > txq->nxt)
		info->snd_window = min_t(u64, msk->peer_window - txq->nxt,
					 U32_MAX);
	info->sent_bytes = msk->sent_bytes;
	info->acked_bytes = txq->una;
	info->received_bytes = msk->received_bytes;
}

/**
 * mrc_info_mrc() - getsockopt(MRC_INFO)
 * @msk: connection
 * @optval: user buffer: struct mrc_info and as many paths as it holds
 * @optlen: its size; set to the bytes written
 *
 * Context: process; takes the socket lock, may sleep.
 * Return: 0, -EINVAL, -EFAULT or -ENOMEM.
 */
int mrc_info_mrc(struct mrc_sock *msk, char __user *optval,
		 int __user *optlen)
{
	struct sock *sk = mrc_conn_sk(msk);
	struct mrc_info *info;
	u32 i, count, room;
	int len, err;

	if (get_user(len, optlen))
		return -EFAULT;
	if (len < 0)
		return -EINVAL;
	info = kzalloc(struct_size(info, paths, MRC_PATHS_MAX), GFP_KERNEL);
	if (!info)
		return -ENOMEM;
	room = len < sizeof(*info) ? 0 :
	       (len - sizeof(*info)) / sizeof(info->paths[0]);
	lock_sock(sk);
	mrc_info_fill(msk, info);
	count = min_t(u32, room, msk->npaths);
	for (i = 0; i < count; i++)
		mrc_conn_path_info(msk->path[i], &info->paths[i]);
	info->path_count = count;
	release_sock(sk);
	err = mrc_sockopt_answer(info, struct_size(info, paths, count), optval,
				 optlen);
	kfree(info);
	return err;
}

/**
 * mrc_info_fallback_fill() - figures of a connection over TCP
 * @tcp: TCP socket
 * @reason: enum mrc_fallback_reason
 * @info: to be filled
 *
 * Context: lock of @tcp held.
 */
void mrc_info_fallback_fill(struct sock *tcp, u8 reason, struct mrc_info *info)
{
	const struct tcp_sock *tp = tcp_sk(tcp);

	sock_owned_by_me(tcp);
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	info->path_size = sizeof(struct mrc_path_info);
	info->fallback = reason;
	info->conn_class = mrc_class_of_tcp(tcp);
	info->state = tcp->sk_state;
	if (mrc_socket_in(tcp, TCPF_CLOSE | TCPF_LISTEN | TCPF_SYN_SENT))
		return;
	info->rcv_queue = tcp_inq(tcp);
	info->snd_queue = tp->write_seq - tp->snd_una;
	info->snd_window = tp->snd_wnd;
	info->sent_bytes = tp->bytes_sent - tp->bytes_retrans;
	info->acked_bytes = tp->bytes_acked;
	info->received_bytes = tp->bytes_received;
}

/**
 * mrc_info_fallback() - getsockopt(MRC_INFO) of a socket that goes over TCP
 * @tcp: TCP socket
 * @reason: enum mrc_fallback_reason
 * @optval: user buffer for struct mrc_info
 * @optlen: its size; set to the bytes written
 *
 * Context: process; takes the socket lock.
 * Return: 0, -EINVAL or -EFAULT.
 */
int mrc_info_fallback(struct sock *tcp, u8 reason, char __user *optval,
		      int __user *optlen)
{
	struct mrc_info info;

	lock_sock(tcp);
	mrc_info_fallback_fill(tcp, reason, &info);
	release_sock(tcp);
	return mrc_sockopt_answer(&info, sizeof(info), optval, optlen);
}
