/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The UDP sockets of a namespace: everything AF_MRC sends and receives.
 */
#ifndef _MRC_UDP_H
#define _MRC_UDP_H

#include <linux/skbuff.h>
#include <net/dst.h>
#include "net_ns.h"
#include "path/path.h"

/* Bytes before the UDP payload: link, IP and UDP headers. */
#define MRC_UDP_HEADROOM	128

/**
 * struct mrc_udp_flow - where packets go
 * @local: source address and UDP port
 * @remote: destination address and UDP port
 * @ifindex: device to leave by; 0: any
 * @mark: SO_MARK of the socket
 */
struct mrc_udp_flow {
	const struct mrc_addr *local;
	const struct mrc_addr *remote;
	int ifindex;
	u32 mark;
};

/**
 * struct mrc_udp_ops - what each version of IP does in its own way
 * @header_len: IP and UDP headers before the MRC header, bytes
 * @route: route of a flow with a reference, and its cookie for dst_check();
 *	or an error pointer, -EADDRNOTAVAIL: the source address is not local
 * @routable: do two addresses make a path of their own; see
 *	mrc_udp_routable()
 * @is_local: may packets have this source address
 * @hoplimit: TTL or hop limit of a route
 * @xmit: put headers before the payload and send it; consumes the skb and
 *	the reference to the route; tos and ttl are those of the IP header
 */
struct mrc_udp_ops {
	u32 header_len;
	struct dst_entry *(*route)(struct mrc_net *mn,
				   const struct mrc_udp_flow *flow,
				   u32 *cookie);
	bool (*routable)(struct mrc_net *mn, const struct mrc_udp_flow *flow);
	bool (*is_local)(struct mrc_net *mn, const struct mrc_addr *addr);
	int (*hoplimit)(const struct dst_entry *dst);
	void (*xmit)(struct mrc_net *mn, struct dst_entry *dst,
		     struct sk_buff *skb, const struct mrc_addr *local,
		     const struct mrc_addr *remote, u8 tos, u8 ttl);
};

extern const struct mrc_udp_ops mrc_udp4_ops;
extern const struct mrc_udp_ops mrc_udp6_ops;

/**
 * mrc_udp_ops() - operations of an address family
 * @family: AF_INET or AF_INET6
 *
 * Return: operations; NULL: this kernel does not speak it (only AF_INET6).
 */
static inline const struct mrc_udp_ops *mrc_udp_ops(u16 family)
{
	if (family == AF_INET)
		return &mrc_udp4_ops;
#if IS_ENABLED(CONFIG_IPV6)
	if (ipv6_mod_enabled())
		return &mrc_udp6_ops;
#endif
	return NULL;
}

/* udp.c */
int mrc_udp_open(struct mrc_net *mn);
void mrc_udp_close(struct mrc_net *mn);

/* udp_xmit.c */
int mrc_udp_path_route(struct mrc_path *path);
u32 mrc_udp_header_len(const struct mrc_path *path);
bool mrc_udp_routable(struct mrc_net *mn, const struct mrc_addr *local,
		      const struct mrc_addr *remote, int ifindex, u32 mark);
int mrc_udp_xmit(struct mrc_path *path, struct sk_buff *skb, bool data);
struct sk_buff *mrc_udp_alloc(const void *msg, u32 len, gfp_t gfp);
int mrc_udp_reply(struct mrc_net *mn, const struct mrc_addr *local,
		  const struct mrc_addr *remote, int ifindex, const void *msg,
		  u32 len);

#endif /* _MRC_UDP_H */
