// SPDX-License-Identifier: GPL-2.0
/*
 * Endpoints: local addresses that a namespace offers for paths.
 *
 * Changed by generic netlink under mrc_net.lock, read under RCU by the path
 * manager. Connections are told after each change.
 */
#include <linux/netlink.h>
#include <linux/slab.h>
#include "net_ns.h"
#include "path/endpoint.h"
#include "path/path_object.h"
#include "path/udp.h"

static struct mrc_endpoint *find(struct mrc_net *mn,
				 const struct mrc_addr *addr)
{
	struct mrc_endpoint *ep;

	lockdep_assert_held(&mn->lock);
	list_for_each_entry(ep, &mn->endpoints, node)
		if (mrc_addr_same_ip(&ep->addr, addr))
			return ep;
	return NULL;
}

static int check(struct mrc_net *mn, const struct mrc_addr *addr,
		 struct netlink_ext_ack *extack)
{
	const struct mrc_udp_ops *ops = mrc_udp_ops(addr->family);

	lockdep_assert_held(&mn->lock);
	if (!ops) {
		NL_SET_ERR_MSG(extack, "this kernel has no IPv6");
		return -EAFNOSUPPORT;
	}
	if (mrc_addr_is_link_local(addr)) {
		NL_SET_ERR_MSG(extack,
			       "a link-local address means nothing on other links");
		return -EINVAL;
	}
	if (find(mn, addr)) {
		NL_SET_ERR_MSG(extack, "this address is an endpoint already");
		return -EEXIST;
	}
	if (mn->endpoint_count >= MRC_ENDPOINTS_MAX) {
		NL_SET_ERR_MSG(extack, "no more than 64 endpoints");
		return -ENOSPC;
	}
	if (!ops->is_local(mn, addr)) {
		NL_SET_ERR_MSG(extack,
			       "this address is not one of this host's");
		return -EADDRNOTAVAIL;
	}
	return 0;
}

/**
 * mrc_endpoint_add() - offer a local address for paths
 * @mn: namespace
 * @addr: address; must be local
 * @ifindex: device that its packets must leave by; 0: the route decides
 * @flags: MRC_ENDPOINT_*
 * @extack: told why it was refused
 *
 * Context: process.
 * Return: 0, -EEXIST, -ENOSPC, -EADDRNOTAVAIL, -EINVAL (link-local),
 * -EAFNOSUPPORT (no IPv6) or -ENOMEM.
 */
int mrc_endpoint_add(struct mrc_net *mn, const struct mrc_addr *addr,
		     int ifindex, u32 flags, struct netlink_ext_ack *extack)
{
	struct mrc_endpoint *ep;
	int err;

	ep = kzalloc(sizeof(*ep), GFP_KERNEL_ACCOUNT);
	if (!ep)
		return -ENOMEM;
	mutex_lock(&mn->lock);
	err = check(mn, addr, extack);
	if (err) {
		mutex_unlock(&mn->lock);
		kfree(ep);
		return err;
	}
	ep->addr = *addr;
	ep->addr.port = 0;
	ep->ifindex = ifindex;
	ep->flags = flags;
	ep->id = ++mn->endpoint_id;
	mn->endpoint_count++;
	list_add_tail_rcu(&ep->node, &mn->endpoints);
	mutex_unlock(&mn->lock);
	mrc_path_notify_endpoints(mn->net);
	return 0;
}

static void unlink_endpoint(struct mrc_net *mn, struct mrc_endpoint *ep)
{
	lockdep_assert_held(&mn->lock);
	list_del_rcu(&ep->node);
	mn->endpoint_count--;
	kfree_rcu(ep, rcu);
}

/**
 * mrc_endpoint_del() - withdraw a local address
 * @mn: namespace
 * @addr: address
 * @extack: told why it was refused
 *
 * Context: process.
 * Return: 0 or -ENOENT.
 */
int mrc_endpoint_del(struct mrc_net *mn, const struct mrc_addr *addr,
		     struct netlink_ext_ack *extack)
{
	struct mrc_endpoint *ep;

	mutex_lock(&mn->lock);
	ep = find(mn, addr);
	if (ep)
		unlink_endpoint(mn, ep);
	mutex_unlock(&mn->lock);
	if (!ep) {
		NL_SET_ERR_MSG(extack, "this address is not an endpoint");
		return -ENOENT;
	}
	mrc_path_notify_endpoints(mn->net);
	return 0;
}

/**
 * mrc_endpoint_free_all() - forget every endpoint, tell nobody
 * @mn: namespace
 *
 * Context: process.
 */
void mrc_endpoint_free_all(struct mrc_net *mn)
{
	struct mrc_endpoint *ep, *next;

	mutex_lock(&mn->lock);
	list_for_each_entry_safe(ep, next, &mn->endpoints, node)
		unlink_endpoint(mn, ep);
	mutex_unlock(&mn->lock);
}

/**
 * mrc_endpoint_flush() - withdraw every endpoint
 * @mn: namespace
 *
 * Context: process.
 */
void mrc_endpoint_flush(struct mrc_net *mn)
{
	mrc_endpoint_free_all(mn);
	mrc_path_notify_endpoints(mn->net);
}
