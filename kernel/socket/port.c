// SPDX-License-Identifier: GPL-2.0
/*
 * Local ports: who has which, and who listens.
 *
 * mrc_net.ports and mrc_net.listeners, hashed by port, guarded by
 * mrc_net.port_lock, which is taken inside a socket lock; the search for a
 * listener reads under RCU and does not meet the connections of its port. The
 * rules of sharing are those of TCP, whose port of the same number is bound
 * with it. A port belongs to a socket from bind()
 * (or connect()) until it is closed; children share that of their listener.
 * Called by bind(), connect(), listen(), close and the handshake.
 */
#include <linux/kernel.h>
#include <linux/math.h>
#include <linux/random.h>
#include <linux/rculist.h>
#include <net/addrconf.h>
#include <net/ip.h>
#include "socket/name.h"
#include "socket/room.h"

/* How strictly a port is wanted. */
enum port_use {
	PORT_BIND,	/* that very port: SO_REUSEADDR, SO_REUSEPORT apply */
	PORT_UNIQUE,	/* any port that nobody else has */
	PORT_SHARED,	/* any port: connections to elsewhere may share it */
};

static struct hlist_head *bucket_of(struct mrc_net *mn, u16 port)
{
	return &mn->ports[port % MRC_PORT_BUCKETS];
}

static struct hlist_head *listeners_of(struct mrc_net *mn, u16 port)
{
	return &mn->listeners[port % MRC_PORT_BUCKETS];
}

/* Would both sockets get the same packets? */
static bool overlaps(const struct sock *sk, const struct sock *sk2)
{
	int dev = READ_ONCE(sk->sk_bound_dev_if);
	int dev2 = READ_ONCE(sk2->sk_bound_dev_if);

	if (dev && dev2 && dev != dev2)
		return false;
	return inet_rcv_saddr_equal(sk, sk2, true);
}

/* Two connections may share a port when they go to different places. */
static bool may_share(const struct sock *sk, const struct sock *sk2)
{
	struct mrc_addr local, peer, peer2;

	if (sk2->sk_userlocks & SOCK_BINDPORT_LOCK)
		return false;
	mrc_name_ends(sk, &local, &peer);
	mrc_name_ends(sk2, &local, &peer2);
	return peer2.port &&
	       (peer.port != peer2.port || !mrc_addr_same_ip(&peer, &peer2));
}

/* Does @other keep @msk from using their common port? */
static bool conflicts(const struct mrc_sock *msk, const struct mrc_sock *other,
		      enum port_use use)
{
	const struct sock *sk = mrc_conn_sk(msk), *sk2 = mrc_conn_sk(other);

	if (sk == sk2 || !overlaps(sk, sk2))
		return false;
	if (use == PORT_UNIQUE)
		return true;
	if (use == PORT_SHARED)
		return !may_share(sk, sk2);
	if (sk->sk_reuse && sk2->sk_reuse && hlist_unhashed(&other->listen_node))
		return false;
	return !sk->sk_reuseport || !sk2->sk_reuseport ||
	       !uid_eq(sk->sk_uid, sk2->sk_uid);
}

static bool is_free(struct mrc_sock *msk, u16 port, enum port_use use)
{
	struct mrc_sock *other;

	lockdep_assert_held(&msk->mn->port_lock);
	hlist_for_each_entry(other, bucket_of(msk->mn, port), port_node) {
		if (other->inet.inet_num == port &&
		    conflicts(msk, other, use))
			return false;
	}
	return true;
}

static void add(struct mrc_sock *msk, u16 port)
{
	lockdep_assert_held(&msk->mn->port_lock);
	msk->inet.inet_num = port;
	msk->port_bound = true;
	hlist_add_head(&msk->port_node, bucket_of(msk->mn, port));
}

/* The port of AF_MRC alone. */
static int take(struct mrc_sock *msk, u16 port, enum port_use use)
{
	int err = -EADDRINUSE;

	spin_lock_bh(&msk->mn->port_lock);
	if (is_free(msk, port, use)) {
		add(msk, port);
		err = 0;
	}
	spin_unlock_bh(&msk->mn->port_lock);
	return err;
}

/* The port of AF_MRC and that of TCP: nobody shall have the other one. */
static int take_both(struct mrc_sock *msk, u16 port, enum port_use use)
{
	int err = take(msk, port, use);

	if (err)
		return err;
	err = mrc_fallback_bind(msk, port);
	if (err)
		mrc_port_put(msk);
	return err;
}

/* An ephemeral port, the search begins at a random one. */
static int take_any(struct mrc_sock *msk, enum port_use use,
		    int (*take_it)(struct mrc_sock *msk, u16 port,
				   enum port_use use))
{
	struct sock *sk = mrc_conn_sk(msk);
	int low, high, i, range, start, err;
	u16 port;

	inet_sk_get_local_port_range(sk, &low, &high);
	range = high - low + 1;
	start = reciprocal_scale(get_random_u32(), range);
	for (i = 0; i < range; i++) {
		port = low + (start + i) % range;
		if (inet_is_local_reserved_port(sock_net(sk), port))
			continue;
		err = take_it(msk, port, use);
		if (err != -EADDRINUSE)
			return err;
		cond_resched();
	}
	return -EADDRINUSE;
}

/**
 * mrc_port_get() - bind a socket to a local port
 * @sk: socket with its local address set, bound to no port
 * @port: port, host order; 0: an ephemeral one that nobody has
 *
 * Context: process, socket lock held.
 * Return: 0 or -EADDRINUSE, or why TCP cannot have it.
 */
int mrc_port_get(struct sock *sk, unsigned short port)
{
	struct mrc_sock *msk = mrc_sk(sk);

	sock_owned_by_me(sk);
	if (port)
		return take_both(msk, port, PORT_BIND);
	return take_any(msk, PORT_UNIQUE, take_both);
}

/**
 * mrc_port_connect() - find a local port for connect()
 * @msk: socket with both addresses and the remote port set
 *
 * Context: process, socket lock held.
 * Return: 0; -EADDRNOTAVAIL: all ports are in use.
 */
int mrc_port_connect(struct mrc_sock *msk)
{
	sock_owned_by_me(mrc_conn_sk(msk));
	if (take_any(msk, PORT_UNIQUE, take) &&
	    take_any(msk, PORT_SHARED, take))
		return -EADDRNOTAVAIL;
	return 0;
}

/**
 * mrc_port_listen() - claim the port of a bound socket for listening
 * @msk: bound socket
 *
 * Several sockets may have been bound to the port with SO_REUSEADDR, but only
 * one of them may listen.
 *
 * Context: process, socket lock held.
 * Return: 0 or -EADDRINUSE.
 */
int mrc_port_listen(struct mrc_sock *msk)
{
	u16 port = msk->inet.inet_num;
	int err = -EADDRINUSE;

	sock_owned_by_me(mrc_conn_sk(msk));
	spin_lock_bh(&msk->mn->port_lock);
	if (is_free(msk, port, PORT_BIND)) {
		hlist_add_head_rcu(&msk->listen_node,
				   listeners_of(msk->mn, port));
		err = 0;
	}
	spin_unlock_bh(&msk->mn->port_lock);
	return err;
}

/**
 * mrc_port_unlisten() - a listener stops, and stays bound
 * @msk: listener
 *
 * Context: socket lock held.
 */
void mrc_port_unlisten(struct mrc_sock *msk)
{
	spin_lock_bh(&msk->mn->port_lock);
	hlist_del_init_rcu(&msk->listen_node);
	spin_unlock_bh(&msk->mn->port_lock);
}

/**
 * mrc_port_inherit() - a child gets the port of its listener
 * @child: new connection, bound to no port
 * @listener: its listener
 *
 * Context: any; lock of the listener held.
 */
void mrc_port_inherit(struct mrc_sock *child, struct mrc_sock *listener)
{
	spin_lock_bh(&child->mn->port_lock);
	if (!child->port_bound)
		add(child, listener->inet.inet_num);
	spin_unlock_bh(&child->mn->port_lock);
}

/**
 * mrc_port_put() - give back the port
 * @msk: socket, bound or not
 *
 * Context: any; socket lock held, or the last reference is gone.
 */
void mrc_port_put(struct mrc_sock *msk)
{
	spin_lock_bh(&msk->mn->port_lock);
	if (msk->port_bound) {
		hlist_del_init_rcu(&msk->listen_node);
		hlist_del_init(&msk->port_node);
		msk->port_bound = false;
		msk->inet.inet_num = 0;
	}
	spin_unlock_bh(&msk->mn->port_lock);
}

/**
 * mrc_port_release() - bind() was refused after all
 * @sk: socket
 *
 * Context: process, socket lock held.
 */
void mrc_port_release(struct sock *sk)
{
	sock_owned_by_me(sk);
	mrc_port_put(mrc_sk(sk));
	mrc_fallback_unbind(mrc_sk(sk));
}

/* How well a listener fits; 0: not at all. */
static int score(const struct sock *sk, const struct mrc_addr *called,
		 int ifindex)
{
	int dev = READ_ONCE(sk->sk_bound_dev_if);
	struct mrc_addr addr;
	bool any;

	/* pairs with mrc_conn_state_set(): a listener is complete */
	if (smp_load_acquire(&sk->sk_state) != TCP_LISTEN)
		return 0;
	if (called->family == AF_INET ? ipv6_only_sock(sk) :
					sk->sk_family == AF_INET)
		return 0;
	mrc_name_local(sk, &addr);
	mrc_addr_unmap(&addr);
	any = mrc_addr_is_any(&addr);
	if (!any && !mrc_addr_same_ip(&addr, called))
		return 0;
	if (dev && dev != ifindex)
		return 0;
	return 1 + (any ? 0 : 4) + (dev ? 2 : 0) +
	       (sk->sk_family == called->family);
}

/**
 * mrc_port_find_listener() - who accepts connections to an address?
 * @mn: namespace
 * @called: address and port that the client called
 * @ifindex: device that the packet came by
 *
 * The most specific one wins: an address before a device before the family
 * that was called (an AF_INET6 socket may take both). Among equals, which SO_REUSEPORT makes
 * possible, chance decides.
 *
 * Context: RCU read side held.
 * Return: listener with a reference that the caller puts, or NULL.
 */
struct mrc_sock *mrc_port_find_listener(struct mrc_net *mn,
					const struct mrc_addr *called,
					int ifindex)
{
	u16 port = ntohs(called->port);
	struct mrc_sock *msk, *found = NULL;
	int points, best = 0;
	u32 equals = 0;

	hlist_for_each_entry_rcu(msk, listeners_of(mn, port), listen_node) {
		if (READ_ONCE(msk->inet.inet_num) != port)
			continue;
		points = score(mrc_conn_sk(msk), called, ifindex);
		if (!points || points < best)
			continue;
		equals = points == best ? equals + 1 : 1;
		best = points;
		if (equals == 1 || !reciprocal_scale(get_random_u32(), equals))
			found = msk;
	}
	if (found && !refcount_inc_not_zero(&mrc_conn_sk(found)->sk_refcnt))
		return NULL;
	return found;
}
