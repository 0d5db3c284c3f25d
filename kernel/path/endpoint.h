/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Endpoints: local addresses that a namespace offers for paths.
 *
 * Kept in mrc_net.endpoints; changed under mrc_net.lock, read under RCU.
 */
#ifndef _MRC_ENDPOINT_H
#define _MRC_ENDPOINT_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include "path/path.h"

struct mrc_net;
struct netlink_ext_ack;

/* Flags of struct mrc_endpoint; the same bits as in the netlink ABI. */
#define MRC_ENDPOINT_INITIATE	0x1	/* open paths from it */
#define MRC_ENDPOINT_ANNOUNCE	0x2	/* tell the peer of it */
#define MRC_ENDPOINT_BACKUP	0x4	/* only while no other path is good */

/**
 * struct mrc_endpoint - a local address offered for paths
 * @node: in mrc_net.endpoints
 * @rcu: for freeing
 * @addr: address; the port is 0
 * @ifindex: device that its packets must leave by; 0: the route decides
 * @flags: MRC_ENDPOINT_*
 * @id: 1.., never reused while the namespace lives
 */
struct mrc_endpoint {
	struct list_head node;
	struct rcu_head rcu;
	struct mrc_addr addr;
	int ifindex;
	u32 flags;
	u32 id;
};

int mrc_endpoint_add(struct mrc_net *mn, const struct mrc_addr *addr,
		     int ifindex, u32 flags, struct netlink_ext_ack *extack);
int mrc_endpoint_del(struct mrc_net *mn, const struct mrc_addr *addr,
		     struct netlink_ext_ack *extack);
void mrc_endpoint_flush(struct mrc_net *mn);
void mrc_endpoint_free_all(struct mrc_net *mn);

#endif /* _MRC_ENDPOINT_H */
