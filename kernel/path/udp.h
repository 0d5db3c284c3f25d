/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The UDP socket of a namespace: everything AF_MRC sends and receives.
 */
#ifndef _MRC_UDP_H
#define _MRC_UDP_H

#include <linux/skbuff.h>
#include "net_ns.h"
#include "path/path.h"

/* Bytes before the UDP payload: link, IP and UDP headers. */
#define MRC_UDP_HEADROOM	128

int mrc_udp_open(struct mrc_net *mn);
void mrc_udp_close(struct mrc_net *mn);

struct rtable;
struct rtable *mrc_udp_route(struct mrc_net *mn, const struct mrc_addr *local,
			     const struct mrc_addr *remote, int ifindex,
			     u32 mark);
int mrc_udp_path_route(struct mrc_path *path);
bool mrc_udp_routable(struct mrc_net *mn, const struct mrc_addr *local,
		      const struct mrc_addr *remote, int ifindex, u32 mark);
int mrc_udp_xmit(struct mrc_path *path, struct sk_buff *skb, bool data);
struct sk_buff *mrc_udp_alloc(const void *msg, u32 len, gfp_t gfp);
int mrc_udp_reply(struct mrc_net *mn, const struct mrc_addr *local,
		  const struct mrc_addr *remote, int ifindex, const void *msg,
		  u32 len);

#endif /* _MRC_UDP_H */
