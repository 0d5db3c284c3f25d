// SPDX-License-Identifier: GPL-2.0
/*
 * Names of a socket: what getsockname() and getpeername() answer.
 *
 * An AF_INET6 socket has a name of IPv4 as ::ffff:a.b.c.d beside the IPv4
 * address itself, and LOOPBACK4_IPV6 there when it has none: that is how the
 * kernel's comparisons of addresses want it. Used by connect, accept and what
 * shows sockets; see name.h for the lock.
 */
#include <net/inet_hashtables.h>
#include <net/transp_v6.h>
#include "socket/name.h"

static void set_ipv4(struct mrc_addr *addr, __be32 ip, __be16 port)
{
	*addr = (struct mrc_addr) {
		.family = AF_INET,
		.port = port,
		.ip[0] = ip,
	};
}

/**
 * mrc_name_local() - what getsockname() answers
 * @sk: socket
 * @addr: set to it, of the socket's family
 */
void mrc_name_local(const struct sock *sk, struct mrc_addr *addr)
{
	const struct inet_sock *inet = inet_sk(sk);

#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6) {
		mrc_addr_set(addr, AF_INET6,
			     sk->sk_v6_rcv_saddr.s6_addr32, inet->inet_sport);
		return;
	}
#endif
	set_ipv4(addr, inet->inet_saddr, inet->inet_sport);
}

/**
 * mrc_name_remote() - what getpeername() answers
 * @sk: socket
 * @addr: set to it, of the socket's family
 */
void mrc_name_remote(const struct sock *sk, struct mrc_addr *addr)
{
	const struct inet_sock *inet = inet_sk(sk);

#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6) {
		mrc_addr_set(addr, AF_INET6, sk->sk_v6_daddr.s6_addr32,
			     inet->inet_dport);
		return;
	}
#endif
	set_ipv4(addr, inet->inet_daddr, inet->inet_dport);
}

/**
 * mrc_name_ends() - the addresses that packets of the first path have
 * @sk: socket with both names set
 * @local: set to the local one
 * @remote: set to the remote one
 */
void mrc_name_ends(const struct sock *sk, struct mrc_addr *local,
		   struct mrc_addr *remote)
{
	mrc_name_local(sk, local);
	mrc_name_remote(sk, remote);
	mrc_addr_unmap(local);
	mrc_addr_unmap(remote);
}

/**
 * mrc_name_set_local() - give a socket its local address
 * @sk: socket; of family AF_INET6 when the address is
 * @addr: address, not mapped; its port is not used
 */
void mrc_name_set_local(struct sock *sk, const struct mrc_addr *addr)
{
	struct inet_sock *inet = inet_sk(sk);

	inet->inet_saddr = addr->family == AF_INET ? addr->ip[0] :
						     LOOPBACK4_IPV6;
	sk_rcv_saddr_set(sk, inet->inet_saddr);
#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6) {
		mrc_addr_map(addr, &sk->sk_v6_rcv_saddr);
		inet6_sk(sk)->saddr = sk->sk_v6_rcv_saddr;
	}
#endif
}

/**
 * mrc_name_set_remote() - give a socket the address of its peer
 * @sk: socket; of family AF_INET6 when the address is
 * @addr: address, not mapped; its port is not used
 */
void mrc_name_set_remote(struct sock *sk, const struct mrc_addr *addr)
{
	sk_daddr_set(sk, addr->family == AF_INET ? addr->ip[0] :
						   LOOPBACK4_IPV6);
#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6)
		mrc_addr_map(addr, &sk->sk_v6_daddr);
#endif
}

/**
 * mrc_name_forget_remote() - the socket has no peer any more
 * @sk: socket
 */
void mrc_name_forget_remote(struct sock *sk)
{
	sk_daddr_set(sk, 0);
	inet_sk(sk)->inet_dport = 0;
#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6)
		sk->sk_v6_daddr = in6addr_any;
#endif
}
