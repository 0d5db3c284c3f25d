/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What AF_MRC keeps per network namespace.
 */
#ifndef _MRC_NET_NS_H
#define _MRC_NET_NS_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <net/net_namespace.h>
#include "wire/key.h"

struct mrc_mib;
struct mrc_rate_ops;
struct mrc_sched_ops;
struct ctl_table_header;
struct socket;

/* Hosts without AF_MRC that a namespace remembers. */
#define MRC_FALLBACK_HOSTS	256

/**
 * struct mrc_fallback_host - a host that has no AF_MRC
 * @ip: its address, network order; IPv4 in the first word, the rest 0
 * @until: when to ask again, jiffies
 * @family: AF_INET or AF_INET6; 0: none
 */
struct mrc_fallback_host {
	__be32 ip[4];
	unsigned long until;
	u16 family;
};

/* Buckets of the port table: ports are few, scans are short. */
#define MRC_PORT_BUCKETS	256

/**
 * struct mrc_limits - limits that the operator sets
 * @max_paths: paths of one connection, 1..MRC_PATHS_MAX
 * @max_announced: addresses accepted from one peer, 0..MRC_ADDRS_MAX
 */
struct mrc_limits {
	u32 max_paths;
	u32 max_announced;
};

/**
 * struct mrc_net - AF_MRC in one network namespace
 * @net: the namespace
 * @secret: keys of cookies, ids and tokens; written once
 * @lock: serialises changes of the configuration (endpoints, limits, UDP
 *	socket); taken in process context, inside the generic netlink lock
 * @endpoints: struct mrc_endpoint.node; changed under @lock, read under RCU
 * @endpoint_count: entries of @endpoints, under @lock
 * @endpoint_id: last id given out, under @lock
 * @limits: read without a lock, written under @lock
 * @udp: kernel UDP socket of all paths over IPv4; opened under @lock by the
 *	first socket of the namespace, closed when the namespace goes
 * @udp6: that of all paths over IPv6, opened before @udp; NULL: no IPv6
 * @icmp: raw socket that hears of hosts without AF_MRC; opened with @udp
 * @icmp6: the same for IPv6; NULL: no IPv6
 * @udp_port: port that both are bound to, network order
 * @sysctl_udp_port: port to use when @udp is opened, host order
 * @sysctl_wmem: min, default, max of a send buffer, bytes
 * @sysctl_rmem: min, default, max of a receive buffer, bytes
 * @sysctl_fallback_timeout: silence after which connect() tries TCP, ms
 * @sysctl_fallback_memory: how long it is remembered, seconds
 * @sysctl_nat_keepalive: idle time after which a path through a NAT is asked,
 *	seconds; 0: never
 * @sysctl_header: registration of net.mrc
 * @rate: default rate controller
 * @sched: default scheduler
 * @port_lock: guards @ports and @listeners; taken with BHs off, inside a
 *	socket lock
 * @ports: bound sockets by local port
 * @listeners: those that listen, again; also read under RCU
 * @fallback_lock: guards what follows, BHs off; a leaf
 * @fallbacks: struct mrc_fallback.node: connections over TCP
 * @fallback_hosts: hosts without AF_MRC
 * @fallback_seed: where a host stands; written once
 * @mib: counters
 * @conns: sockets that are hashed by connection id
 * @event_seq: notices sent to netlink listeners so far
 * @reply_tokens: answers to strangers that may still be sent this second
 * @reply_second: the second that @reply_tokens belongs to
 */
struct mrc_net {
	struct net *net;
	struct mrc_key_secret secret;

	struct mutex lock;	/* of what follows, down to @udp_port */
	struct list_head endpoints;
	u32 endpoint_count;
	u32 endpoint_id;
	struct mrc_limits limits;
	struct socket *udp;
	struct socket *udp6;
	struct socket *icmp;
	struct socket *icmp6;
	__be16 udp_port;

	int sysctl_udp_port;
	int sysctl_wmem[3];
	int sysctl_rmem[3];
	int sysctl_fallback_timeout;
	int sysctl_fallback_memory;
	int sysctl_nat_keepalive;
	struct ctl_table_header *sysctl_header;
	const struct mrc_rate_ops *rate;
	const struct mrc_sched_ops *sched;

	spinlock_t port_lock;	/* of both tables below */
	struct hlist_head ports[MRC_PORT_BUCKETS];
	struct hlist_head listeners[MRC_PORT_BUCKETS];

	spinlock_t fallback_lock;	/* of what follows, down to the seed */
	struct list_head fallbacks;
	struct mrc_fallback_host fallback_hosts[MRC_FALLBACK_HOSTS];
	u32 fallback_seed;

	struct mrc_mib __percpu *mib;
	atomic_t conns;
	atomic64_t event_seq;
	atomic_t reply_tokens;
	unsigned long reply_second;
};

struct mrc_net *mrc_net_ns_get(const struct net *net);
int mrc_net_ns_init(void);
void mrc_net_ns_exit(void);

#endif /* _MRC_NET_NS_H */
