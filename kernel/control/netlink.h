/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The generic netlink family "mrc": registration, and what its handlers share.
 *
 * Handlers run in process context under the generic netlink lock; none holds
 * more than one socket lock at a time.
 */
#ifndef _MRC_NETLINK_H
#define _MRC_NETLINK_H

#include "control/netlink_gen.h"
#include "net_ns.h"
#include "path/addr.h"

extern struct genl_family mrc_nl_family;

/**
 * mrc_netlink_net() - our part of the namespace that a request is for
 * @info: request
 *
 * Return: never NULL.
 */
static inline struct mrc_net *mrc_netlink_net(struct genl_info *info)
{
	return mrc_net_ns_get(genl_info_net(info));
}

void *mrc_netlink_put(struct sk_buff *skb, struct netlink_callback *cb,
		      u8 cmd);
int mrc_netlink_put_addr(struct sk_buff *skb, int type,
			 const struct mrc_addr *addr);
int mrc_netlink_init(void);
void mrc_netlink_exit(void);

#endif /* _MRC_NETLINK_H */
