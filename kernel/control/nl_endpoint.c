// SPDX-License-Identifier: GPL-2.0
/*
 * Netlink handlers of endpoints: local addresses offered for paths. They turn
 * attributes into arguments; path/endpoint.c decides and changes the list
 * under mrc_net.lock. Called by the generic netlink core, process context.
 */
#include <linux/netdevice.h>
#include <net/sock.h>
#include "control/netlink.h"
#include "path/endpoint.h"

/**
 * struct endpoint_dump - where a dump continues
 * @last: id of the endpoint sent last; ids ascend and are never reused
 */
struct endpoint_dump {
	u32 last;
};

static int read_address(struct genl_info *info, struct mrc_addr *addr)
{
	struct nlattr *attr = info->attrs[MRC_A_ENDPOINT_ADDRESS];

	if (GENL_REQ_ATTR_CHECK(info, MRC_A_ENDPOINT_ADDRESS)) {
		GENL_SET_ERR_MSG(info, "address is missing");
		return -EINVAL;
	}
	memset(addr, 0, sizeof(*addr));
	switch (nla_len(attr)) {
	case sizeof(struct in_addr):
		addr->family = AF_INET;
		break;
	case sizeof(struct in6_addr):
		addr->family = AF_INET6;
		break;
	default:
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "address has neither 4 nor 16 bytes");
		return -EINVAL;
	}
	nla_memcpy(addr->ip, attr, sizeof(addr->ip));
	mrc_addr_unmap(addr);
	return 0;
}

/* Names the address as the culprit unless somebody was more precise. */
static int blame_address(struct genl_info *info, int err)
{
	struct netlink_ext_ack *extack = info->extack;

	if (err && extack && !extack->bad_attr)
		NL_SET_BAD_ATTR(extack, info->attrs[MRC_A_ENDPOINT_ADDRESS]);
	return err;
}

static int read_device_name(struct genl_info *info, int *ifindex)
{
	struct nlattr *attr = info->attrs[MRC_A_ENDPOINT_IFNAME];
	char name[IFNAMSIZ];
	int index = 0;
	struct net_device *dev;

	nla_strscpy(name, attr, sizeof(name));
	rcu_read_lock();
	dev = dev_get_by_name_rcu(genl_info_net(info), name);
	if (dev)
		index = dev->ifindex;
	rcu_read_unlock();
	if (!index) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "no network device has this name");
		return -ENODEV;
	}
	if (*ifindex && *ifindex != index) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "ifname and ifindex name different devices");
		return -EINVAL;
	}
	*ifindex = index;
	return 0;
}

/* *@ifindex is 0 when the request names no device. */
static int read_device(struct genl_info *info, int *ifindex)
{
	struct nlattr *attr = info->attrs[MRC_A_ENDPOINT_IFINDEX];
	struct net_device *dev;

	*ifindex = 0;
	if (attr) {
		*ifindex = nla_get_u32(attr);
		rcu_read_lock();
		dev = dev_get_by_index_rcu(genl_info_net(info), *ifindex);
		rcu_read_unlock();
		if (!dev) {
			NL_SET_ERR_MSG_ATTR(info->extack, attr,
					    "no network device has this ifindex");
			return -ENODEV;
		}
	}
	if (info->attrs[MRC_A_ENDPOINT_IFNAME])
		return read_device_name(info, ifindex);
	return 0;
}

static int read_flags(struct genl_info *info, u32 *flags)
{
	struct nlattr *attr = info->attrs[MRC_A_ENDPOINT_FLAGS];

	*flags = MRC_ENDPOINT_INITIATE | MRC_ENDPOINT_ANNOUNCE;
	if (!attr)
		return 0;
	*flags = nla_get_u32(attr);
	if (*flags & (MRC_ENDPOINT_INITIATE | MRC_ENDPOINT_ANNOUNCE))
		return 0;
	NL_SET_ERR_MSG_ATTR(info->extack, attr,
			    "flags have neither initiate nor announce");
	return -EINVAL;
}

/**
 * mrc_nl_endpoint_add_doit() - offer an address for paths
 * @skb: request
 * @info: request, parsed
 *
 * Context: process, generic netlink lock held.
 * Return: 0 or a negative errno with extack set.
 */
int mrc_nl_endpoint_add_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mrc_addr addr;
	int ifindex, err;
	u32 flags;

	err = read_address(info, &addr);
	if (!err)
		err = read_device(info, &ifindex);
	if (!err)
		err = read_flags(info, &flags);
	if (err)
		return err;
	err = mrc_endpoint_add(mrc_netlink_net(info), &addr, ifindex, flags,
			       info->extack);
	return blame_address(info, err);
}

/**
 * mrc_nl_endpoint_del_doit() - take an address back
 * @skb: request
 * @info: request, parsed
 *
 * Context: process, generic netlink lock held.
 * Return: 0 or a negative errno with extack set.
 */
int mrc_nl_endpoint_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mrc_addr addr;
	int err;

	err = read_address(info, &addr);
	if (err)
		return err;
	err = mrc_endpoint_del(mrc_netlink_net(info), &addr, info->extack);
	return blame_address(info, err);
}

/**
 * mrc_nl_endpoint_flush_doit() - take all addresses back
 * @skb: request
 * @info: request, parsed
 *
 * Context: process, generic netlink lock held.
 * Return: 0.
 */
int mrc_nl_endpoint_flush_doit(struct sk_buff *skb, struct genl_info *info)
{
	mrc_endpoint_flush(mrc_netlink_net(info));
	return 0;
}

static int put_endpoint(struct sk_buff *skb, struct netlink_callback *cb,
			const struct mrc_endpoint *endpoint)
{
	void *hdr = mrc_netlink_put(skb, cb, MRC_CMD_ENDPOINT_GET);

	if (!hdr)
		return -EMSGSIZE;
	if (mrc_netlink_put_addr(skb, MRC_A_ENDPOINT_ADDRESS, &endpoint->addr) ||
	    (endpoint->ifindex &&
	     nla_put_u32(skb, MRC_A_ENDPOINT_IFINDEX, endpoint->ifindex)) ||
	    nla_put_u32(skb, MRC_A_ENDPOINT_FLAGS, endpoint->flags) ||
	    nla_put_u32(skb, MRC_A_ENDPOINT_ID, endpoint->id)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/**
 * mrc_nl_endpoint_get_dumpit() - list the endpoints
 * @skb: message to fill
 * @cb: dump
 *
 * Context: process, generic netlink lock held.
 * Return: bytes in @skb; 0: the end.
 */
int mrc_nl_endpoint_get_dumpit(struct sk_buff *skb,
			       struct netlink_callback *cb)
{
	struct mrc_net *mn = mrc_net_ns_get(sock_net(skb->sk));
	struct endpoint_dump *ctx = (void *)cb->ctx;
	const struct mrc_endpoint *endpoint;

	rcu_read_lock();
	list_for_each_entry_rcu(endpoint, &mn->endpoints, node) {
		if (endpoint->id <= ctx->last)
			continue;
		if (put_endpoint(skb, cb, endpoint))
			break;
		ctx->last = endpoint->id;
	}
	rcu_read_unlock();
	return skb->len;
}
