/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Netlink view of sockets: what nl_conn.c and nl_fallback.c share.
 */
#ifndef _MRC_NL_CONN_H
#define _MRC_NL_CONN_H

#include <linux/types.h>

struct netlink_callback;
struct sk_buff;
struct sock;

int mrc_nl_conn_put_socket(struct sk_buff *skb, struct netlink_callback *cb,
			   struct sock *sk, u64 id, bool server);
int mrc_nl_fallback_dump(struct sk_buff *skb, struct netlink_callback *cb,
			 u32 *skip);
bool mrc_nl_fallback_dump_one(struct sk_buff *skb, struct netlink_callback *cb,
			      u64 id);

#endif /* _MRC_NL_CONN_H */
