/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Addresses of paths, endpoints and sockets, of either version of IP.
 *
 * Packets travel between addresses of family AF_INET or AF_INET6 proper; an
 * IPv4 address mapped into IPv6 is only the name that an AF_INET6 socket gives
 * to it. Plain values, no locks.
 */
#ifndef _MRC_ADDR_H
#define _MRC_ADDR_H

#include <linux/socket.h>
#include <linux/string.h>
#include <linux/types.h>
#include <net/ipv6.h>

/**
 * struct mrc_addr - an IP address and a port
 * @family: AF_INET or AF_INET6
 * @port: port, network order
 * @ip: address, network order; IPv4 in the first word, the rest 0
 */
struct mrc_addr {
	u16 family;
	__be16 port;
	__be32 ip[4];
};

/**
 * mrc_addr_in6() - the address in the kernel's type
 * @addr: address of family AF_INET6
 *
 * Return: the same memory.
 */
static inline struct in6_addr *mrc_addr_in6(const struct mrc_addr *addr)
{
	return (struct in6_addr *)addr->ip;
}

/**
 * mrc_addr_set() - make an address of what a packet carries
 * @addr: to fill
 * @family: AF_INET or AF_INET6
 * @ip: IPv4 in the first word, the rest 0
 * @port: port, network order
 */
static inline void mrc_addr_set(struct mrc_addr *addr, u16 family,
				const __be32 ip[4], __be16 port)
{
	addr->family = family;
	addr->port = port;
	memcpy(addr->ip, ip, sizeof(addr->ip));
}

/**
 * mrc_addr_is() - is this the address
 * @addr: address
 * @family: AF_INET or AF_INET6
 * @ip: IPv4 in the first word, the rest 0
 *
 * Return: true when family and IP address are equal, whatever the port.
 */
static inline bool mrc_addr_is(const struct mrc_addr *addr, u16 family,
			       const __be32 ip[4])
{
	return addr->family == family &&
	       !((addr->ip[0] ^ ip[0]) | (addr->ip[1] ^ ip[1]) |
		 (addr->ip[2] ^ ip[2]) | (addr->ip[3] ^ ip[3]));
}

/**
 * mrc_addr_same_ip() - do two addresses differ in their ports at most
 * @a: address
 * @b: address
 *
 * Return: true when family and IP address are equal.
 */
static inline bool mrc_addr_same_ip(const struct mrc_addr *a,
				    const struct mrc_addr *b)
{
	return mrc_addr_is(a, b->family, b->ip);
}

/**
 * mrc_addr_is_any() - is it 0.0.0.0 or ::
 * @addr: address
 *
 * Return: true when it is.
 */
static inline bool mrc_addr_is_any(const struct mrc_addr *addr)
{
	return !(addr->ip[0] | addr->ip[1] | addr->ip[2] | addr->ip[3]);
}

/**
 * mrc_addr_is_link_local() - does it mean something on one link only
 * @addr: address
 *
 * Return: true for fe80::/10.
 */
static inline bool mrc_addr_is_link_local(const struct mrc_addr *addr)
{
	return addr->family == AF_INET6 &&
	       (addr->ip[0] & htonl(0xffc00000)) == htonl(0xfe800000);
}

/**
 * mrc_addr_map() - write an address as IPv6 has it
 * @addr: address
 * @ip: set to it, IPv4 as ::ffff:a.b.c.d
 */
static inline void mrc_addr_map(const struct mrc_addr *addr,
				struct in6_addr *ip)
{
	if (addr->family == AF_INET6)
		*ip = *mrc_addr_in6(addr);
	else
		ipv6_addr_set_v4mapped(addr->ip[0], ip);
}

/**
 * mrc_addr_unmap() - the address by which packets travel
 * @addr: address; ::ffff:a.b.c.d becomes a.b.c.d
 */
static inline void mrc_addr_unmap(struct mrc_addr *addr)
{
	if (addr->family != AF_INET6 ||
	    !ipv6_addr_v4mapped(mrc_addr_in6(addr)))
		return;
	addr->family = AF_INET;
	addr->ip[0] = addr->ip[3];
	addr->ip[1] = 0;
	addr->ip[2] = 0;
	addr->ip[3] = 0;
}

#endif /* _MRC_ADDR_H */
