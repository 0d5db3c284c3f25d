// SPDX-License-Identifier: GPL-2.0
/*
 * Routes of paths, and putting packets on the wire.
 *
 * Called under the socket lock of the connection, in softirq or process
 * context; answers to strangers are sent without any lock.
 */
#include <linux/inetdevice.h>
#include <net/inet_ecn.h>
#include <net/ip.h>
#include <net/ip_fib.h>
#include <net/route.h>
#include <net/udp.h>
#include <net/udp_tunnel.h>
#include "conn/conn.h"
#include "observe/mib.h"
#include "path/path_object.h"
#include "path/udp.h"
#include "wire/format.h"

/* IPv4 and UDP headers before the MRC header. */
#define IP_UDP_LEN	(sizeof(struct iphdr) + sizeof(struct udphdr))

/**
 * mrc_udp_route() - route from one address to another
 * @mn: namespace
 * @local: source address and UDP port
 * @remote: destination address and UDP port
 * @ifindex: device to leave by; 0: any
 * @mark: SO_MARK of the socket
 *
 * Return: route with a reference, or an error pointer.
 */
struct rtable *mrc_udp_route(struct mrc_net *mn, const struct mrc_addr *local,
			     const struct mrc_addr *remote, int ifindex,
			     u32 mark)
{
	struct flowi4 fl4 = {
		.flowi4_oif = ifindex,
		.flowi4_mark = mark,
		.flowi4_proto = IPPROTO_UDP,
		.saddr = local->ip[0],
		.daddr = remote->ip[0],
		.fl4_sport = local->port,
		.fl4_dport = remote->port,
	};

	return ip_route_output_key(mn->net, &fl4);
}

/**
 * mrc_udp_routable() - do two addresses make a path of their own
 * @mn: namespace
 * @local: source address
 * @remote: destination address
 * @ifindex: device to leave by; 0: any
 * @mark: SO_MARK of the socket
 *
 * Only with a route in the tables (not the guess "it must be on this link"
 * that a lookup with a device ends in), and only when it leaves by the device
 * that carries the source address: a path that left by another would share
 * that device with the paths that belong there.
 *
 * Return: true when they do.
 */
bool mrc_udp_routable(struct mrc_net *mn, const struct mrc_addr *local,
		      const struct mrc_addr *remote, int ifindex, u32 mark)
{
	struct flowi4 fl4 = {
		.flowi4_oif = ifindex,
		.flowi4_mark = mark,
		.flowi4_proto = IPPROTO_UDP,
		.flowi4_scope = RT_SCOPE_UNIVERSE,
		.saddr = local->ip[0],
		.daddr = remote->ip[0],
		.fl4_sport = local->port,
		.fl4_dport = remote->port,
	};
	struct fib_result res;
	struct net_device *dev;
	bool ok = false;

	rcu_read_lock();
	if (!fib_lookup(mn->net, &fl4, &res, FIB_LOOKUP_IGNORE_LINKSTATE)) {
		dev = __ip_dev_find(mn->net, local->ip[0], false);
		ok = res.type == RTN_LOCAL ||
		     (res.type == RTN_UNICAST && dev &&
		      fib_info_nh_uses_dev(res.fi, dev));
	}
	rcu_read_unlock();
	return ok;
}

/* Payload of a data packet that @dst and the peer allow. */
static u16 path_mss(const struct mrc_path *path, const struct dst_entry *dst)
{
	const struct mrc_conn_opts *opts = &path->msk->opts;
	u32 mss = dst_mtu(dst);

	mss -= min_t(u32, mss, IP_UDP_LEN + MRC_WIRE_DATA_LEN);
	mss = min_t(u32, mss, path->peer_mss);
	if (opts->maxseg)
		mss = min_t(u32, mss, opts->maxseg);
	/* Headers within a superframe stay aligned. */
	return round_down(clamp_t(u32, mss, MRC_MSS_MIN, MRC_MSS_MAX), 8);
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
	struct sock *sk = mrc_conn_sk(path->msk);
	struct dst_entry *dst = path->dst;
	struct net_device *dev;
	struct rtable *rt;
	bool up;
	u16 mss;

	if (dst && !dst_check(dst, path->dst_cookie)) {
		dst_release(dst);
		dst = NULL;
		path->dst = NULL;
	}
	if (!dst) {
		rt = mrc_udp_route(path->msk->mn, &path->local, &path->remote,
				   path->ifindex ?: sk->sk_bound_dev_if,
				   sk->sk_mark);
		if (IS_ERR(rt))
			return PTR_ERR(rt) == -EINVAL ? -EADDRNOTAVAIL :
							PTR_ERR(rt);
		dst = &rt->dst;
		path->dst = dst;
		path->dst_cookie = 0;
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

/* @skb: UDP payload with MRC_UDP_HEADROOM before it; consumed. */
static void xmit_skb(struct mrc_net *mn, struct rtable *rt,
		     struct sk_buff *skb, const struct mrc_addr *local,
		     const struct mrc_addr *remote, u8 tos, u8 ttl)
{
	/* The core skips the checksum fields of a GSO skb; devices that cut
	 * it up need them.
	 */
	if (skb_is_gso(skb)) {
		skb->ip_summed = CHECKSUM_PARTIAL;
		skb->csum_start = skb_headroom(skb) - sizeof(struct udphdr);
		skb->csum_offset = offsetof(struct udphdr, check);
	}
	/* No DF: what was laid out for a larger MTU, or meets a smaller one on
	 * its way, is fragmented rather than lost.
	 */
	udp_tunnel_xmit_skb(rt, mn->udp->sk, skb, local->ip[0], remote->ip[0],
			    tos, ttl, 0, local->port, remote->port, false,
			    false);
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
	const struct inet_sock *inet = inet_sk(sk);
	struct rtable *rt;
	int err, ttl;
	u8 tos;

	err = mrc_udp_path_route(path);
	if (err) {
		MRC_INC_STATS(mn, TxErrors);
		kfree_skb(skb);
		return err;
	}
	rt = (struct rtable *)path->dst;
	dst_hold(&rt->dst);
	tos = (inet->tos & ~INET_ECN_MASK) | (data ? INET_ECN_ECT_0 : 0);
	ttl = inet->uc_ttl < 0 ? ip4_dst_hoplimit(&rt->dst) : inet->uc_ttl;
	skb->priority = sk->sk_priority;
	skb->mark = sk->sk_mark;
	skb_set_owner_w(skb, sk);
	xmit_skb(mn, rt, skb, &path->local, &path->remote, tos, ttl);
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
	struct sk_buff *skb;
	struct rtable *rt;

	/* Pairs with mrc_udp_open(). */
	if (!smp_load_acquire(&mn->udp))
		return -ENOTCONN;
	rt = mrc_udp_route(mn, local, remote, ifindex, 0);
	if (IS_ERR(rt))
		return PTR_ERR(rt);
	skb = mrc_udp_alloc(msg, len, GFP_ATOMIC);
	if (!skb) {
		ip_rt_put(rt);
		return -ENOMEM;
	}
	xmit_skb(mn, rt, skb, local, remote, 0, ip4_dst_hoplimit(&rt->dst));
	return 0;
}
