// SPDX-License-Identifier: GPL-2.0
/*
 * UDP over IPv6: routes, local addresses, headers.
 *
 * Owns nothing. Called by udp_xmit.c under the socket lock of a connection or
 * for an answer to a stranger, and by the endpoints; any context but hardirq.
 * Only in kernels with IPv6.
 */
#include <net/addrconf.h>
#include <net/ip6_fib.h>
#include <net/ip6_route.h>
#include <net/udp_tunnel.h>
#include "path/udp.h"

/* The entropy value again, for switches that hash the flow label: they need
 * not look beyond the IPv6 header, and fragments stay together.
 */
static __be32 flow_label(const struct mrc_addr *local)
{
	return htonl(ntohs(local->port));
}

/* Route with a reference, or NULL. */
static struct dst_entry *lookup(struct mrc_net *mn,
				const struct mrc_udp_flow *flow)
{
	struct flowi6 fl6 = {
		.flowi6_oif = flow->ifindex,
		.flowi6_mark = flow->mark,
		.flowi6_proto = IPPROTO_UDP,
		.flowlabel = flow_label(flow->local),
		.saddr = *mrc_addr_in6(flow->local),
		.daddr = *mrc_addr_in6(flow->remote),
		.fl6_sport = flow->local->port,
		.fl6_dport = flow->remote->port,
	};

	/* With a source address a device is only a wish otherwise. */
	return ip6_route_output_flags(mn->net, NULL, &fl6, flow->ifindex ?
				      RT6_LOOKUP_F_IFACE : 0);
}

static bool is_local(struct mrc_net *mn, const struct mrc_addr *addr)
{
	return ipv6_chk_addr(mn->net, mrc_addr_in6(addr), NULL, 0);
}

static struct dst_entry *route(struct mrc_net *mn,
			       const struct mrc_udp_flow *flow, u32 *cookie)
{
	struct dst_entry *dst;
	int err;

	if (!is_local(mn, flow->local))
		return ERR_PTR(-EADDRNOTAVAIL);
	dst = lookup(mn, flow);
	err = dst->error;
	if (err) {
		dst_release(dst);
		return ERR_PTR(err);
	}
	*cookie = rt6_get_cookie((struct rt6_info *)dst);
	return dst;
}

static bool routable(struct mrc_net *mn, const struct mrc_udp_flow *flow)
{
	const struct in6_addr *source = mrc_addr_in6(flow->local);
	struct dst_entry *dst = lookup(mn, flow);
	bool ok = false;

	rcu_read_lock();
	if (!dst->error)
		ok = ((struct rt6_info *)dst)->rt6i_flags & RTF_LOCAL ||
		     ipv6_chk_addr(mn->net, source, READ_ONCE(dst->dev), 1);
	rcu_read_unlock();
	dst_release(dst);
	return ok;
}

static int hoplimit(const struct dst_entry *dst)
{
	return ip6_dst_hoplimit((struct dst_entry *)dst);
}

static void xmit(struct mrc_net *mn, struct dst_entry *dst,
		 struct sk_buff *skb, const struct mrc_addr *local,
		 const struct mrc_addr *remote, u8 tos, u8 ttl)
{
	/* As without DF in IPv4: what does not fit is fragmented here. */
	skb->ignore_df = 1;
	udp_tunnel6_xmit_skb(dst, mn->udp6->sk, skb, NULL, mrc_addr_in6(local),
			     mrc_addr_in6(remote), tos, ttl,
			     flow_label(local), local->port, remote->port,
			     false);
}

const struct mrc_udp_ops mrc_udp6_ops = {
	.header_len	= sizeof(struct ipv6hdr) + sizeof(struct udphdr),
	.route		= route,
	.routable	= routable,
	.is_local	= is_local,
	.hoplimit	= hoplimit,
	.xmit		= xmit,
};
