// SPDX-License-Identifier: GPL-2.0
/*
 * UDP over IPv4: routes, local addresses, headers.
 *
 * Owns nothing. Called by udp_xmit.c under the socket lock of a connection or
 * for an answer to a stranger, and by the endpoints; any context but hardirq.
 */
#include <linux/inetdevice.h>
#include <net/ip.h>
#include <net/ip_fib.h>
#include <net/route.h>
#include <net/udp_tunnel.h>
#include "path/udp.h"

static void fill_flow(struct flowi4 *fl4, const struct mrc_udp_flow *flow)
{
	*fl4 = (struct flowi4) {
		.flowi4_oif = flow->ifindex,
		.flowi4_mark = flow->mark,
		.flowi4_proto = IPPROTO_UDP,
		.saddr = flow->local->ip[0],
		.daddr = flow->remote->ip[0],
		.fl4_sport = flow->local->port,
		.fl4_dport = flow->remote->port,
	};
}

static struct dst_entry *route(struct mrc_net *mn,
			       const struct mrc_udp_flow *flow, u32 *cookie)
{
	struct flowi4 fl4;
	struct rtable *rt;

	fill_flow(&fl4, flow);
	*cookie = 0;
	rt = ip_route_output_key(mn->net, &fl4);
	if (!IS_ERR(rt))
		return &rt->dst;
	return ERR_PTR(PTR_ERR(rt) == -EINVAL ? -EADDRNOTAVAIL : PTR_ERR(rt));
}

/* A route in the tables, not the guess "it must be on this link" that a
 * lookup with a device ends in.
 */
static bool routable(struct mrc_net *mn, const struct mrc_udp_flow *flow)
{
	struct fib_result res;
	struct net_device *dev;
	struct flowi4 fl4;
	bool ok = false;

	fill_flow(&fl4, flow);
	fl4.flowi4_scope = RT_SCOPE_UNIVERSE;
	rcu_read_lock();
	if (!fib_lookup(mn->net, &fl4, &res, FIB_LOOKUP_IGNORE_LINKSTATE)) {
		dev = __ip_dev_find(mn->net, fl4.saddr, false);
		ok = res.type == RTN_LOCAL ||
		     (res.type == RTN_UNICAST && dev &&
		      fib_info_nh_uses_dev(res.fi, dev));
	}
	rcu_read_unlock();
	return ok;
}

static bool is_local(struct mrc_net *mn, const struct mrc_addr *addr)
{
	struct net_device *dev = ip_dev_find(mn->net, addr->ip[0]);

	dev_put(dev);
	return dev;
}

static int hoplimit(const struct dst_entry *dst)
{
	return ip4_dst_hoplimit(dst);
}

/* No DF: what was laid out for a larger MTU, or meets a smaller one on its
 * way, is fragmented rather than lost.
 */
static void xmit(struct mrc_net *mn, struct dst_entry *dst,
		 struct sk_buff *skb, const struct mrc_addr *local,
		 const struct mrc_addr *remote, u8 tos, u8 ttl)
{
	udp_tunnel_xmit_skb((struct rtable *)dst, mn->udp->sk, skb,
			    local->ip[0], remote->ip[0], tos, ttl, 0,
			    local->port, remote->port, false, false);
}

const struct mrc_udp_ops mrc_udp4_ops = {
	.header_len	= sizeof(struct iphdr) + sizeof(struct udphdr),
	.route		= route,
	.routable	= routable,
	.is_local	= is_local,
	.hoplimit	= hoplimit,
	.xmit		= xmit,
};
