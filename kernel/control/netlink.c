// SPDX-License-Identifier: GPL-2.0
/*
 * Owns the registration of the generic netlink family. Everything that is
 * checked before a handler runs (permission, attribute types, ranges) stands
 * in the generated tables; see Documentation/netlink/specs/mrc.yaml.
 *
 * Called by main.c, before the first socket can exist and after the last.
 */
#include <linux/module.h>
#include <net/tcp_states.h>
#include "conn/conn.h"
#include "control/netlink.h"
#include "path/endpoint.h"

/* Numbers inside the module are sent as they are: they must be those of the
 * specification.
 */
static_assert(MRC_CONN_STATE_ESTABLISHED == (int)TCP_ESTABLISHED);
static_assert(MRC_CONN_STATE_SYN_RECV == (int)TCP_SYN_RECV);
static_assert(MRC_CONN_STATE_CLOSE == (int)TCP_CLOSE);
static_assert(MRC_CONN_STATE_LISTEN == (int)TCP_LISTEN);
static_assert(MRC_CONN_STATE_CLOSING == (int)TCP_CLOSING);
static_assert(MRC_CONN_FALLBACK_REFUSED == (int)MRC_FALLBACK_REFUSED);
static_assert(MRC_CONN_FALLBACK_ACCEPTED == (int)MRC_FALLBACK_ACCEPTED);
static_assert(MRC_CONN_FALLBACK_ACCEPTED + 1 == (int)__MRC_FALLBACK_REASONS);
static_assert(MRC_CONN_REASON_HANDSHAKE == (int)MRC_CONN_HANDSHAKE);
static_assert(MRC_CONN_REASON_ABORT == (int)MRC_CONN_ABORT);
static_assert(MRC_CONN_REASON_TIMEOUT == (int)MRC_CONN_TIMEOUT);
static_assert(MRC_CONN_REASON_FALLBACK == (int)MRC_CONN_FALLBACK);
static_assert(MRC_CONN_REASON_FALLBACK + 1 == (int)__MRC_CONN_REASONS);
static_assert(MRC_PATH_STATE_SKIP == (int)MRC_PATH_SKIP);
static_assert(MRC_PATH_STATE_DENIED + 1 == (int)__MRC_PATH_STATES);
static_assert(MRC_PATH_REASON_PROBE == (int)MRC_REASON_PROBE);
static_assert(MRC_PATH_REASON_PEER == (int)MRC_REASON_PEER);
static_assert(MRC_PATH_REASON_MOVED + 1 == (int)__MRC_REASONS);
static_assert(MRC_ENDPOINT_FLAG_INITIATE == MRC_ENDPOINT_INITIATE);
static_assert(MRC_ENDPOINT_FLAG_ANNOUNCE == MRC_ENDPOINT_ANNOUNCE);
static_assert(MRC_ENDPOINT_FLAG_BACKUP == MRC_ENDPOINT_BACKUP);

struct genl_family mrc_nl_family __ro_after_init = {
	.name		= MRC_FAMILY_NAME,
	.version	= MRC_FAMILY_VERSION,
	.netnsok	= true,
	.module		= THIS_MODULE,
	.ops		= mrc_nl_ops,
	.n_ops		= ARRAY_SIZE(mrc_nl_ops),
	.mcgrps		= mrc_nl_groups,
	.n_mcgrps	= ARRAY_SIZE(mrc_nl_groups),
};

/**
 * mrc_netlink_put() - begin a message of a dump
 * @skb: dump buffer
 * @cb: dump
 * @cmd: MRC_CMD_*
 *
 * Return: header for genlmsg_end() or genlmsg_cancel(); NULL: @skb is full.
 */
void *mrc_netlink_put(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd)
{
	return genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
			   cb->nlh->nlmsg_seq, &mrc_nl_family, NLM_F_MULTI,
			   cmd);
}

/**
 * mrc_netlink_put_addr() - add an IP address to a message
 * @skb: message
 * @type: number of the attribute
 * @addr: address; IPv4 takes 4 bytes, IPv6 16
 *
 * Return: 0 or -EMSGSIZE.
 */
int mrc_netlink_put_addr(struct sk_buff *skb, int type,
			 const struct mrc_addr *addr)
{
	return nla_put(skb, type, addr->family == AF_INET ?
		       sizeof(struct in_addr) : sizeof(struct in6_addr),
		       addr->ip);
}

/**
 * mrc_netlink_init() - register the family
 *
 * Context: process, module load; the namespaces are set up, no socket exists.
 * Return: 0 or a negative errno.
 */
int __init mrc_netlink_init(void)
{
	return genl_register_family(&mrc_nl_family);
}

/**
 * mrc_netlink_exit() - unregister the family
 *
 * Context: process, module unload; no socket is left.
 */
void mrc_netlink_exit(void)
{
	genl_unregister_family(&mrc_nl_family);
}
