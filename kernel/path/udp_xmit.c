// SPDX-License-Identifier: GPL-2.0
/*
 * Routes of paths, and putting packets on the wire.
 *
 * Called under the socket lock of the connection, in softirq or process
 * context; answers to strangers are sent without any lock. What differs
 * between IPv4 and IPv6 is in udp4.c and udp6.c.
 */
#include <linux/netdevice.h>
#include <linux/udp.h>
#include <net/inet_ecn.h>
#include "conn/conn.h"
#include "observe/mib.h"
#include "path/path_object.h"
#include "path/udp.h"
#include "socket/name.h"
#include "wire/format.h"

/**
 * mrc_udp_routable() - do two addresses make a path of their own
 * @mn: namespace
 * @local: source address
 * @remote: destination address of the same family
 * @ifindex: device to leave by; 0: any
 * @mark: SO_MARK of the socket
 *
 * Only with a route in the tables, and only when it leaves by the device that
 * carries the source address: a path that left by another would share that
 * device with the paths that belong there.
 *
 * Return: true when they do.
 */
bool mrc_udp_routable(struct mrc_net *mn, const struct mrc_addr *local,
		      const struct mrc_addr *remote, int ifindex, u32 mark)
{
	const struct mrc_udp_flow flow = {
		.local = local,
		.remote = remote,
		.ifindex = ifindex,
		.mark = mark,
	};

	return mrc_udp_ops(local->family)->routable(mn, &flow);
}

/**
 * mrc_udp_header_len() - headers that a packet has before the MRC header
 * @path: path
 *
 * Return: bytes of the IP and UDP headers.
 */
u32 mrc_udp_header_len(const struct mrc_path *path)
{
	return mrc_udp_ops(path->local.family)->header_len;
}

/* Payload of a data packet that @dst and the peer allow. */
static u16 path_mss(const struct mrc_path *path, const struct dst_entry *dst)
{
	const struct mrc_conn_opts *opts = &path->msk->opts;
	u32 mss = dst_mtu(dst);

	mss -= min_t(u32, mss, mrc_udp_header_len(path) + MRC_WIRE_DATA_LEN);
	mss = min_t(u32, mss, path->peer_mss);
	if (opts->maxseg)
		mss = min_t(u32, mss, opts->maxseg);
	/* Headers within a superframe stay aligned. */
	return round_down(clamp_t(u32, mss, MRC_MSS_MIN, MRC_MSS_MAX), 8);
}

static struct dst_entry *find_route(struct mrc_path *path)
{
	const struct sock *sk = mrc_conn_sk(path->msk);
	const struct mrc_udp_flow flow = {
		.local = &path->local,
		.remote = &path->remote,
		.ifindex = path->ifindex ?: sk->sk_bound_dev_if,
		.mark = sk->sk_mark,
	};

	return mrc_udp_ops(path->local.family)->route(path->msk->mn, &flow,
						      &path->dst_cookie);
}

/**
 * mrc_udp_path_route() - find or renew the route of a path
 * @path: path
 *
 * Keeps mrc_path.mss in step with the MTU.
 *
 * Context: socket lock held.
 * Return: 0, or the error of the route lookup; -EADDRNOTAVAIL when the
 * source address is no longer local.
 */
int mrc_udp_path_route(struct mrc_path *path)
{
	struct dst_entry *dst = path->dst;
	struct net_device *dev;
	bool up;
	u16 mss;

	if (dst && !dst_check(dst, path->dst_cookie)) {
		dst_release(dst);
		dst = NULL;
		path->dst = NULL;
	}
	if (!dst) {
		dst = find_route(path);
		if (IS_ERR(dst))
			return PTR_ERR(dst);
		path->dst = dst;
	}
	rcu_read_lock();
	dev = READ_ONCE(dst->dev);
	up = netif_running(dev) && netif_carrier_ok(dev);
	rcu_read_unlock();
	if (!up)
		return -ENETDOWN;
	mss = path_mss(path, dst);
	if (mss != path->mss) {
		path->mss = mss;
		mrc_path_update_mss(path->msk);
		mrc_rate_set_mss(&path->rate, mss + MRC_WIRE_DATA_LEN);
	}
	return 0;
}

/* @skb: UDP payload with MRC_UDP_HEADROOM before it; consumed, as is the
 * reference to @dst. @ttl is negative: what the route says.
 */
static void xmit_skb(struct mrc_net *mn, struct dst_entry *dst,
		     struct sk_buff *skb, const struct mrc_addr *local,
		     const struct mrc_addr *remote, u8 tos, int ttl)
{
	const struct mrc_udp_ops *ops = mrc_udp_ops(local->family);

	/* The core skips the checksum fields of a GSO skb; devices that cut
	 * it up need them.
	 */
	if (skb_is_gso(skb)) {
		skb->ip_summed = CHECKSUM_PARTIAL;
		skb->csum_start = skb_headroom(skb) - sizeof(struct udphdr);
		skb->csum_offset = offsetof(struct udphdr, check);
	}
	ops->xmit(mn, dst, skb, local, remote, tos,
		  ttl < 0 ? ops->hoplimit(dst) : ttl);
}

/* IP_TOS and IP_TTL hold for every path, or, when the connection was opened
 * over IPv6, IPV6_TCLASS and IPV6_UNICAST_HOPS. ECN bits are ours.
 */
static void service_class(const struct sock *sk, u8 *tos, int *ttl)
{
	const struct inet_sock *inet = inet_sk(sk);

	*tos = inet->tos & ~INET_ECN_MASK;
	*ttl = inet->uc_ttl;
#if IS_ENABLED(CONFIG_IPV6)
	if (mrc_name_is_ipv6(sk)) {
		*tos = inet6_sk(sk)->tclass & ~INET_ECN_MASK;
		*ttl = inet6_sk(sk)->hop_limit;
	}
#endif
}

/**
 * mrc_udp_xmit() - send a packet or superframe on a path
 * @path: path
 * @skb: UDP payload; consumed in any case
 * @data: true: ECT(0), counted by rate control; false: control packet
 *
 * Context: socket lock held.
 * Return: 0, or why the path cannot be used (see mrc_udp_path_route()).
 */
int mrc_udp_xmit(struct mrc_path *path, struct sk_buff *skb, bool data)
{
	struct sock *sk = mrc_conn_sk(path->msk);
	struct mrc_net *mn = path->msk->mn;
	int err, ttl;
	u8 tos;

	err = mrc_udp_path_route(path);
	if (err) {
		MRC_INC_STATS(mn, TxErrors);
		kfree_skb(skb);
		return err;
	}
	dst_hold(path->dst);
	service_class(sk, &tos, &ttl);
	if (data)
		tos |= INET_ECN_ECT_0;
	skb->priority = sk->sk_priority;
	skb->mark = sk->sk_mark;
	skb_set_owner_w(skb, sk);
	xmit_skb(mn, path->dst, skb, &path->local, &path->remote, tos, ttl);
	return 0;
}

/**
 * mrc_udp_alloc() - skb with a message and room for the headers before it
 * @msg: message; NULL: none yet
 * @len: bytes of linear space
 * @gfp: allocation flags
 *
 * Return: skb, or NULL.
 */
struct sk_buff *mrc_udp_alloc(const void *msg, u32 len, gfp_t gfp)
{
	struct sk_buff *skb = alloc_skb(MRC_UDP_HEADROOM + len, gfp);

	if (!skb)
		return NULL;
	skb_reserve(skb, MRC_UDP_HEADROOM);
	if (msg)
		skb_put_data(skb, msg, len);
	return skb;
}

/**
 * mrc_udp_reply() - answer a packet that belongs to no connection
 * @mn: namespace
 * @local: address and port that the packet was sent to
 * @remote: where it came from
 * @ifindex: device for link-local routing; 0: any
 * @msg: answer
 * @len: its bytes
 *
 * Return: 0 or a negative error.
 */
int mrc_udp_reply(struct mrc_net *mn, const struct mrc_addr *local,
		  const struct mrc_addr *remote, int ifindex, const void *msg,
		  u32 len)
{
	const struct mrc_udp_flow flow = {
		.local = local,
		.remote = remote,
		.ifindex = ifindex,
	};
	struct dst_entry *dst;
	struct sk_buff *skb;
	u32 cookie;

	/* Pairs with mrc_udp_open(). */
	if (!smp_load_acquire(&mn->udp))
		return -ENOTCONN;
	dst = mrc_udp_ops(local->family)->route(mn, &flow, &cookie);
	if (IS_ERR(dst))
		return PTR_ERR(dst);
	skb = mrc_udp_alloc(msg, len, GFP_ATOMIC);
	if (!skb) {
		dst_release(dst);
		return -ENOMEM;
	}
	xmit_skb(mn, dst, skb, local, remote, 0, -1);
	return 0;
}
