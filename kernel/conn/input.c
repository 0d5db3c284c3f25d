// SPDX-License-Identifier: GPL-2.0
/*
 * From the UDP socket to the connection.
 *
 * An skb is one packet or, after GRO or from a sender's superframe, many of
 * equal length. Neighbours in one skb share the UDP 4-tuple, not always the
 * connection: the skb is cut into runs of one connection and one type. Runs
 * for a socket that a process owns wait in its backlog.
 *
 * Softirq, RCU read side; the backlog is worked off in process context with
 * the socket lock held.
 */
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <net/dsfield.h>
#include <net/inet_ecn.h>
#include "conn/control.h"
#include "conn/cursor.h"
#include "conn/input.h"
#include "conn/output.h"
#include "path/path_object.h"
#include "path/udp.h"
#include "wire/parse.h"
#include "wire/run.h"

/* Answers to strangers, per second and namespace. */
#define REPLIES_PER_SECOND	1000

/**
 * mrc_input_parse_error() - count a packet that could not be parsed
 * @mn: namespace
 * @error: enum mrc_parse_error
 */
void mrc_input_parse_error(struct mrc_net *mn, int error)
{
	switch (error) {
	case MRC_PARSE_SHORT:
		MRC_INC_STATS(mn, RxShort);
		break;
	case MRC_PARSE_VERSION:
		MRC_INC_STATS(mn, RxVersion);
		break;
	case MRC_PARSE_TYPE:
		MRC_INC_STATS(mn, RxType);
		break;
	case MRC_PARSE_LENGTH:
		MRC_INC_STATS(mn, RxLength);
		break;
	default:
		MRC_INC_STATS(mn, RxValue);
		break;
	}
}

/**
 * mrc_input_may_reply() - is there an answer left for a stranger
 * @mn: namespace
 *
 * Bounds what forged packets can make this host send.
 *
 * Return: true when one may be sent.
 */
bool mrc_input_may_reply(struct mrc_net *mn)
{
	unsigned long second = jiffies / HZ;

	if (READ_ONCE(mn->reply_second) != second) {
		WRITE_ONCE(mn->reply_second, second);
		atomic_set(&mn->reply_tokens, REPLIES_PER_SECOND);
	}
	if (atomic_dec_if_positive(&mn->reply_tokens) >= 0)
		return true;
	MRC_INC_STATS(mn, RateLimited);
	return false;
}

/**
 * mrc_input_addrs() - both ends of a received packet
 * @mn: namespace
 * @in: origin of the packet
 * @local: set to the address that it was sent to, and our UDP port
 * @remote: set to where it came from
 */
void mrc_input_addrs(const struct mrc_net *mn, const struct mrc_input *in,
		     struct mrc_addr *local, struct mrc_addr *remote)
{
	mrc_addr_set(local, in->family, in->daddr, mn->udp_port);
	mrc_addr_set(remote, in->family, in->saddr, in->sport);
}

/**
 * mrc_input_scope() - the link that the addresses of a packet belong to
 * @in: origin of the packet
 *
 * Return: index of the device when one of them is link-local, else 0.
 */
int mrc_input_scope(const struct mrc_input *in)
{
	struct mrc_addr addr;

	mrc_addr_set(&addr, in->family, in->saddr, 0);
	if (mrc_addr_is_link_local(&addr))
		return in->ifindex;
	mrc_addr_set(&addr, in->family, in->daddr, 0);
	return mrc_addr_is_link_local(&addr) ? in->ifindex : 0;
}

/**
 * mrc_input_on() - does a packet travel on a path
 * @in: origin of the packet
 * @path: path
 *
 * Return: true when both IP addresses are those of the path.
 */
bool mrc_input_on(const struct mrc_input *in, const struct mrc_path *path)
{
	return mrc_addr_is(&path->remote, in->family, in->saddr) &&
	       mrc_addr_is(&path->local, in->family, in->daddr);
}

/**
 * mrc_input_path() - path of a received packet, by id and 4-tuple
 * @msk: connection
 * @in: origin of the packet
 * @path_id: id in the packet
 *
 * Context: socket lock held.
 * Return: the path, or NULL (counted).
 */
struct mrc_path *mrc_input_path(struct mrc_sock *msk,
				const struct mrc_input *in, u16 path_id)
{
	struct mrc_path *path = mrc_path_find(msk, path_id);

	if (!path) {
		MRC_INC_STATS(msk->mn, RxUnknownPath);
		return NULL;
	}
	if (!mrc_input_on(in, path)) {
		MRC_INC_STATS(msk->mn, RxWrongTuple);
		return NULL;
	}
	return path;
}

/*
 * Socket lock held; consumes @skb. Return: true when there may be something to
 * send now.
 */
static bool process(struct mrc_sock *msk, struct sk_buff *skb)
{
	struct mrc_input in = *mrc_input_cb(skb);
	struct sock *sk = mrc_conn_sk(msk);

	if (sk->sk_state == TCP_LISTEN) {
		mrc_conn_open_backlog(sk, skb);
		return false;
	}
	if (sk->sk_state == TCP_CLOSE) {
		kfree_skb(skb);
		return false;
	}
	if (in.type == MRC_WIRE_DATA) {
		mrc_receive_data(msk, skb, &in);
	} else {
		mrc_control_rcv(msk, skb, &in);
		consume_skb(skb);
	}
	return sk->sk_state != TCP_CLOSE;
}

/**
 * mrc_input_backlog() - take an skb that had waited for the socket lock
 * @sk: socket
 * @skb: skb, consumed
 *
 * What it leads to waits for the last one: to answer each would let their
 * sender fill the backlog as fast as it is emptied, and the process that holds
 * the lock would never come back to its own work.
 *
 * Context: process, socket lock held.
 * Return: 0.
 */
int mrc_input_backlog(struct sock *sk, struct sk_buff *skb)
{
	struct mrc_sock *msk = mrc_sk(sk);

	if (process(msk, skb))
		set_bit(MRC_DEFER_OUTPUT, &msk->deferred);
	return 0;
}

/* Hands a run to a socket; consumes @skb. */
static void deliver(struct mrc_sock *msk, struct sk_buff *skb)
{
	struct sock *sk = mrc_conn_sk(msk);
	u32 limit;

	bh_lock_sock(sk);
	if (!sock_owned_by_user(sk)) {
		if (process(msk, skb))
			mrc_output_finish(msk);
	} else {
		/* What the peer may have under way must fit, twice. */
		limit = 2 * (READ_ONCE(sk->sk_rcvbuf) +
			     READ_ONCE(sk->sk_sndbuf)) + SZ_1M;
		if (sk_add_backlog(sk, skb, limit)) {
			MRC_INC_STATS(msk->mn, RxBacklogDrops);
			kfree_skb(skb);
		}
	}
	bh_unlock_sock(sk);
}

/* A message that names no connection of ours; consumes @skb. */
static void rcv_stranger(struct mrc_net *mn, struct sk_buff *skb)
{
	const struct mrc_input *in = mrc_input_cb(skb);
	u8 buf[sizeof(struct mrc_wire_open)];
	const struct mrc_wire_hdr *hdr;
	u32 len = in->end - in->pos;
	const void *msg;

	msg = skb_header_pointer(skb, in->pos, min_t(u32, len, sizeof(buf)),
				 buf);
	if (!msg)
		goto drop;
	switch (in->type) {
	case MRC_WIRE_INIT:
		mrc_conn_rcv_init(mn, in, msg);
		break;
	case MRC_WIRE_OPEN:
		mrc_conn_rcv_open(mn, skb, in, msg);
		return;
	case MRC_WIRE_RESET:
		mrc_conn_rcv_reset(mn, in, msg);
		break;
	case MRC_WIRE_INIT_ACK:
	case MRC_WIRE_REFUSE:
		MRC_INC_STATS(mn, RxUnknownConn);
		break;
	default:
		MRC_INC_STATS(mn, RxUnknownConn);
		hdr = msg;
		mrc_conn_reply_reset(mn, in, be64_to_cpu(hdr->cid), len,
				     MRC_WIRE_R_UNKNOWN);
		break;
	}
drop:
	consume_skb(skb);
}

/* One run: finds its connection; consumes @skb. */
static void rcv_run(struct mrc_net *mn, struct sk_buff *skb, u64 cid)
{
	struct mrc_sock *msk = cid ? mrc_conn_find(mn->net, cid) : NULL;

	if (!msk) {
		rcv_stranger(mn, skb);
		return;
	}
	deliver(msk, skb);
	sock_put(mrc_conn_sk(msk));
}

/* Sets the end of the run of data packets for the connection in @first. */
static void find_end(struct mrc_cursor *cur, struct mrc_input *in, u32 size,
		     const struct mrc_wire_hdr *first)
{
	struct mrc_wire_hdr buf;
	u32 left, span, same;
	const void *hdr;

	while (in->end < size) {
		/* The last packet may be shorter than the others. */
		left = DIV_ROUND_UP(size - in->end, in->stride);
		span = mrc_cursor_span(cur, in->end, sizeof(buf), in->stride,
				       &hdr);
		if (!span) {
			hdr = skb_header_pointer(cur->skb, in->end,
						 sizeof(buf), &buf);
			if (!hdr)
				return;
			span = 1;
		}
		span = min(span, left);
		same = mrc_run_same_conn(first, hdr, in->stride, span);
		in->end = min(in->end + same * in->stride, size);
		if (same < span)
			return;
	}
}

/* Length of the run that begins at @in->pos: same connection, data only. */
static bool next_run(struct mrc_net *mn, struct mrc_cursor *cur,
		     struct mrc_input *in, u32 size, u64 *cid)
{
	u32 pos = in->pos, len = min_t(u32, in->stride, size - pos);
	const struct mrc_wire_hdr *hdr;
	struct mrc_wire_hdr buf;
	enum mrc_wire_type type;
	int error;

	in->end = pos + len;
	hdr = mrc_cursor_get(cur, pos, min_t(u32, len, sizeof(buf)), &buf);
	error = hdr ? mrc_parse_header(hdr, len, &type) : MRC_PARSE_SHORT;
	if (error) {
		mrc_input_parse_error(mn, error);
		return false;
	}
	in->type = type;
	*cid = be64_to_cpu(hdr->cid);
	/* The receiver parses the rest of each header. */
	if (type == MRC_WIRE_DATA)
		find_end(cur, in, size, hdr);
	return true;
}

/* What the IP header says. */
static void read_header(struct mrc_input *in, struct sk_buff *skb)
{
	if (skb->protocol == htons(ETH_P_IPV6)) {
		const struct ipv6hdr *ip6h = ipv6_hdr(skb);

		in->family = AF_INET6;
		memcpy(in->saddr, &ip6h->saddr, sizeof(in->saddr));
		memcpy(in->daddr, &ip6h->daddr, sizeof(in->daddr));
		in->ecn = ipv6_get_dsfield(ip6h) & INET_ECN_MASK;
		/* Scopes count even where packets take the loopback. */
		in->ifindex = inet6_iif(skb);
	} else {
		in->family = AF_INET;
		in->saddr[0] = ip_hdr(skb)->saddr;
		in->daddr[0] = ip_hdr(skb)->daddr;
		in->ecn = ip_hdr(skb)->tos & INET_ECN_MASK;
		in->ifindex = skb->skb_iif;
	}
}

/**
 * mrc_input_rcv() - take an skb from the UDP socket
 * @mn: namespace
 * @skb: UDP payload, checksum verified, IP header still in place; consumed
 *
 * Context: softirq.
 */
void mrc_input_rcv(struct mrc_net *mn, struct sk_buff *skb)
{
	struct mrc_input in = {
		.sport = udp_hdr(skb)->source,
	};
	u32 size = skb->len;
	u32 stride = skb_is_gso(skb) ? skb_shinfo(skb)->gso_size : size;
	struct mrc_cursor cur;
	struct sk_buff *run;
	u64 cid;

	if (!size || size > U16_MAX || !stride) {
		MRC_INC_STATS(mn, RxShort);
		kfree_skb(skb);
		return;
	}
	in.stride = stride;
	read_header(&in, skb);
	mrc_cursor_init(&cur, skb);
	rcu_read_lock();
	while (in.pos < size) {
		bool ok = next_run(mn, &cur, &in, size, &cid);
		bool last = in.end >= size;

		if (ok) {
			run = last ? skb : skb_clone(skb, GFP_ATOMIC);
			if (run) {
				*mrc_input_cb(run) = in;
				rcv_run(mn, run, cid);
			}
			if (last) {
				skb = NULL;
				break;
			}
		}
		if (last)
			break;
		in.pos = in.end;
	}
	rcu_read_unlock();
	kfree_skb(skb);
}
