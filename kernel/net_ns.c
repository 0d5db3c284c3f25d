// SPDX-License-Identifier: GPL-2.0
/*
 * AF_MRC in one network namespace: made with it, gone with it.
 */
#include <linux/random.h>
#include <net/netns/generic.h>
#include "limits.h"
#include "net_ns.h"
#include "observe/mib.h"
#include "path/endpoint.h"
#include "path/udp.h"
#include "rate/rate.h"
#include "sched/sched.h"
#include "sysctl.h"

static unsigned int net_id;

/**
 * mrc_net_ns_get() - AF_MRC in a namespace
 * @net: namespace
 *
 * Return: never NULL while the namespace lives.
 */
struct mrc_net *mrc_net_ns_get(const struct net *net)
{
	return net_generic(net, net_id);
}

static int __net_init net_init(struct net *net)
{
	struct mrc_net *mn = mrc_net_ns_get(net);
	int i, err;

	mn->net = net;
	mutex_init(&mn->lock);
	spin_lock_init(&mn->port_lock);
	spin_lock_init(&mn->fallback_lock);
	INIT_LIST_HEAD(&mn->fallbacks);
	mn->fallback_seed = get_random_u32();
	INIT_LIST_HEAD(&mn->endpoints);
	for (i = 0; i < MRC_PORT_BUCKETS; i++)
		INIT_HLIST_HEAD(&mn->ports[i]);
	get_random_bytes(&mn->secret, sizeof(mn->secret));
	mn->limits.max_paths = MRC_PATHS_MAX;
	mn->limits.max_announced = MRC_ADDRS_MAX - 1;
	mn->rate = &mrc_rate_dctcp;
	mn->sched = &mrc_sched_earliest;
	mn->mib = alloc_percpu(struct mrc_mib);
	if (!mn->mib)
		return -ENOMEM;
	err = mrc_sysctl_register(mn);
	if (err)
		free_percpu(mn->mib);
	return err;
}

/* No AF_MRC socket is left: each holds a reference to the namespace. */
static void __net_exit net_exit(struct net *net)
{
	struct mrc_net *mn = mrc_net_ns_get(net);

	mrc_sysctl_unregister(mn);
	mrc_udp_close(mn);
	mrc_endpoint_free_all(mn);
	free_percpu(mn->mib);
}

static struct pernet_operations net_ops = {
	.init = net_init,
	.exit = net_exit,
	.id = &net_id,
	.size = sizeof(struct mrc_net),
};

/**
 * mrc_net_ns_init() - set up every namespace, now and to come
 *
 * Return: 0 or a negative error.
 */
int mrc_net_ns_init(void)
{
	return register_pernet_subsys(&net_ops);
}

/**
 * mrc_net_ns_exit() - leave every namespace
 */
void mrc_net_ns_exit(void)
{
	unregister_pernet_subsys(&net_ops);
}
