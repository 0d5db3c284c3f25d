/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of a socket: what getsockname() and getpeername() answer.
 *
 * They stand where every INET socket has them, for AF_INET6 sockets twice: as
 * IPv6 addresses and, where there is one, as the IPv4 address. Socket lock
 * held, or the socket is not visible yet; readers that only show them do
 * without.
 */
#ifndef _MRC_NAME_H
#define _MRC_NAME_H

#include "conn/conn.h"

/**
 * mrc_name_is_ipv6() - was the connection opened over IPv6
 * @sk: connected socket
 *
 * Return: false for sockets of family AF_INET, and for those of AF_INET6
 * whose peer is ::ffff:a.b.c.d.
 */
static inline bool mrc_name_is_ipv6(const struct sock *sk)
{
#if IS_ENABLED(CONFIG_IPV6)
	return sk->sk_family == AF_INET6 &&
	       !ipv6_addr_v4mapped(&sk->sk_v6_daddr);
#else
	return false;
#endif
}

void mrc_name_local(const struct sock *sk, struct mrc_addr *addr);
void mrc_name_remote(const struct sock *sk, struct mrc_addr *addr);
void mrc_name_ends(const struct sock *sk, struct mrc_addr *local,
		   struct mrc_addr *remote);
void mrc_name_set_local(struct sock *sk, const struct mrc_addr *addr);
void mrc_name_set_remote(struct sock *sk, const struct mrc_addr *addr);
void mrc_name_forget_remote(struct sock *sk);

#endif /* _MRC_NAME_H */
