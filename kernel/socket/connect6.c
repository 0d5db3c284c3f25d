// SPDX-License-Identifier: GPL-2.0
/*
 * connect() of an AF_INET6 socket: which addresses, by the rules of TCP.
 *
 * Called by connect.c in process context, socket lock held; only in kernels
 * with IPv6.
 */
#include <linux/bpf-cgroup.h>
#include <linux/in6.h>
#include <net/ip6_route.h>
#include <net/ipv6.h>
#include "socket/name.h"
#include "socket/room.h"

/**
 * mrc_connect6_check() - let cgroup programs see an address
 * @sk: socket of family AF_INET6
 * @uaddr: address given to connect()
 * @len: its length
 *
 * Context: process, socket lock held.
 * Return: 0; -EINVAL: too short; what the program says.
 */
int mrc_connect6_check(struct sock *sk, struct sockaddr *uaddr, int len)
{
	sock_owned_by_me(sk);
	if (len < SIN6_LEN_RFC2133)
		return -EINVAL;
	return BPF_CGROUP_RUN_PROG_INET6_CONNECT(sk, uaddr);
}

/* A link-local address holds on one link: it names the device. */
static int take_scope(struct sock *sk, const struct sockaddr_in6 *addr,
		      int len)
{
	if (len >= (int)sizeof(*addr) && addr->sin6_scope_id) {
		if (!sk_dev_equal_l3scope(sk, addr->sin6_scope_id))
			return -EINVAL;
		sk->sk_bound_dev_if = addr->sin6_scope_id;
	}
	return sk->sk_bound_dev_if ? 0 : -EINVAL;
}

/* As mrc_connect_route(), IPv6. */
static int route(struct sock *sk, const struct in6_addr *daddr)
{
	struct flowi6 fl6 = {
		.flowi6_proto = IPPROTO_UDP,
		.flowi6_oif = sk->sk_bound_dev_if,
		.flowi6_mark = sk->sk_mark,
		.flowi6_uid = sk->sk_uid,
		.daddr = *daddr,
		.saddr = sk->sk_v6_rcv_saddr,
		.fl6_dport = mrc_sk(sk)->mn->udp_port,
	};
	struct dst_entry *dst;
	struct mrc_addr addr;

	dst = ip6_dst_lookup_flow(sock_net(sk), sk, &fl6, NULL);
	if (IS_ERR(dst))
		return PTR_ERR(dst);
	dst_release(dst);
	mrc_addr_set(&addr, AF_INET6, fl6.saddr.s6_addr32, 0);
	mrc_name_set_local(sk, &addr);
	mrc_addr_set(&addr, AF_INET6, daddr->s6_addr32, 0);
	mrc_name_set_remote(sk, &addr);
	return 0;
}

/**
 * mrc_connect6_address() - set the names of a connection to be opened
 * @sk: socket of family AF_INET6, state CLOSE
 * @uaddr: struct sockaddr_in6, perhaps of an IPv4 address
 * @len: its length
 *
 * Context: process, socket lock held.
 * Return: 0; -EINVAL: length or scope; -EAFNOSUPPORT; -ENETUNREACH and what
 * else routing says.
 */
int mrc_connect6_address(struct sock *sk, const struct sockaddr *uaddr,
			 int len)
{
	const struct sockaddr_in6 *addr = (const struct sockaddr_in6 *)uaddr;
	struct in6_addr daddr;
	int type, err;

	if (len < SIN6_LEN_RFC2133)
		return -EINVAL;
	if (addr->sin6_family != AF_INET6)
		return -EAFNOSUPPORT;
	daddr = addr->sin6_addr;
	if (ipv6_addr_any(&daddr)) {
		if (ipv6_addr_v4mapped(&sk->sk_v6_rcv_saddr))
			ipv6_addr_set_v4mapped(htonl(INADDR_LOOPBACK), &daddr);
		else
			daddr = in6addr_loopback;
	}
	type = ipv6_addr_type(&daddr);
	if (type & IPV6_ADDR_MULTICAST)
		return -ENETUNREACH;
	if (type & IPV6_ADDR_LINKLOCAL) {
		err = take_scope(sk, addr, len);
		if (err)
			return err;
	}
	if (type != IPV6_ADDR_MAPPED)
		err = route(sk, &daddr);
	else if (ipv6_only_sock(sk))
		err = -ENETUNREACH;
	else
		err = mrc_connect_route(sk, daddr.s6_addr32[3]);
	if (!err)
		inet_sk(sk)->inet_dport = addr->sin6_port;
	return err;
}
