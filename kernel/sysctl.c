// SPDX-License-Identifier: GPL-2.0
/*
 * Defaults of a namespace under net.mrc: UDP port, buffer sizes, fall-back.
 *
 * Everything that concerns paths is configured by generic netlink.
 */
#include <linux/slab.h>
#include <linux/sysctl.h>
#include "limits.h"
#include "net_ns.h"
#include "sysctl.h"

/* Buffers: smallest, first, and largest by autotuning, bytes. */
#define BUFFER_MIN		4096
#define SNDBUF_DEFAULT		(256 << 10)
#define RCVBUF_DEFAULT		(512 << 10)
#define BUFFER_MAX		(64 << 20)

static int port_min = 1;
static int port_max = 65535;
static int buffer_min = BUFFER_MIN;
static int timeout_min = 10;
static int timeout_max = 60000;
static int memory_min;
static int memory_max = 86400;
static int keepalive_min;
static int keepalive_max = 3600;

static const struct ctl_table template[] = {
	{
		.procname = "udp_port",
		.data = (void *)offsetof(struct mrc_net, sysctl_udp_port),
		.maxlen = sizeof(int),
		.mode = 0644,
		.proc_handler = proc_dointvec_minmax,
		.extra1 = &port_min,
		.extra2 = &port_max,
	},
	{
		.procname = "wmem",
		.data = (void *)offsetof(struct mrc_net, sysctl_wmem),
		.maxlen = 3 * sizeof(int),
		.mode = 0644,
		.proc_handler = proc_dointvec_minmax,
		.extra1 = &buffer_min,
	},
	{
		.procname = "rmem",
		.data = (void *)offsetof(struct mrc_net, sysctl_rmem),
		.maxlen = 3 * sizeof(int),
		.mode = 0644,
		.proc_handler = proc_dointvec_minmax,
		.extra1 = &buffer_min,
	},
	{
		.procname = "fallback_timeout",
		.data = (void *)offsetof(struct mrc_net,
					 sysctl_fallback_timeout),
		.maxlen = sizeof(int),
		.mode = 0644,
		.proc_handler = proc_dointvec_minmax,
		.extra1 = &timeout_min,
		.extra2 = &timeout_max,
	},
	{
		.procname = "fallback_memory",
		.data = (void *)offsetof(struct mrc_net,
					 sysctl_fallback_memory),
		.maxlen = sizeof(int),
		.mode = 0644,
		.proc_handler = proc_dointvec_minmax,
		.extra1 = &memory_min,
		.extra2 = &memory_max,
	},
	{
		.procname = "nat_keepalive",
		.data = (void *)offsetof(struct mrc_net, sysctl_nat_keepalive),
		.maxlen = sizeof(int),
		.mode = 0644,
		.proc_handler = proc_dointvec_minmax,
		.extra1 = &keepalive_min,
		.extra2 = &keepalive_max,
	},
	{}
};

/**
 * mrc_sysctl_register() - set the defaults of a namespace and show them
 * @mn: namespace
 *
 * Return: 0 or -ENOMEM.
 */
int mrc_sysctl_register(struct mrc_net *mn)
{
	struct ctl_table *table;
	int i;

	mn->sysctl_udp_port = MRC_UDP_PORT;
	mn->sysctl_fallback_timeout = MRC_FALLBACK_TIMEOUT_MS;
	mn->sysctl_fallback_memory = MRC_FALLBACK_MEMORY_S;
	mn->sysctl_nat_keepalive = MRC_NAT_KEEPALIVE_S;
	mn->sysctl_wmem[0] = BUFFER_MIN;
	mn->sysctl_wmem[1] = SNDBUF_DEFAULT;
	mn->sysctl_wmem[2] = BUFFER_MAX;
	mn->sysctl_rmem[0] = BUFFER_MIN;
	mn->sysctl_rmem[1] = RCVBUF_DEFAULT;
	mn->sysctl_rmem[2] = BUFFER_MAX;
	table = kmemdup(template, sizeof(template), GFP_KERNEL);
	if (!table)
		return -ENOMEM;
	for (i = 0; table[i].procname; i++)
		table[i].data = (char *)mn + (unsigned long)table[i].data;
	mn->sysctl_header = register_net_sysctl(mn->net, "net/mrc", table);
	if (!mn->sysctl_header) {
		kfree(table);
		return -ENOMEM;
	}
	return 0;
}

/**
 * mrc_sysctl_unregister() - the namespace goes
 * @mn: namespace
 */
void mrc_sysctl_unregister(struct mrc_net *mn)
{
	struct ctl_table *table = mn->sysctl_header->ctl_table_arg;

	unregister_net_sysctl_table(mn->sysctl_header);
	kfree(table);
}
