// SPDX-License-Identifier: GPL-2.0
/*
 * The bodies of the tracepoints that trace.h declares, and how they show
 * addresses. Called by the tracepoints, when one is on.
 */
#define CREATE_TRACE_POINTS
#include "observe/trace.h"
#include "socket/name.h"

/**
 * mrc_trace_addr() - an address for events
 * @addr: address
 * @to: 16 bytes, IPv4 becomes ::ffff:a.b.c.d
 */
void mrc_trace_addr(const struct mrc_addr *addr, u8 *to)
{
	struct in6_addr ip;

	mrc_addr_map(addr, &ip);
	memcpy(to, &ip, sizeof(ip));
}

/**
 * mrc_trace_names() - the names of a socket for events
 * @sk: socket
 * @local: 16 bytes, IPv4 becomes ::ffff:a.b.c.d
 * @remote: likewise
 */
void mrc_trace_names(const struct sock *sk, u8 *local, u8 *remote)
{
	struct mrc_addr addr;

	mrc_name_local(sk, &addr);
	mrc_trace_addr(&addr, local);
	mrc_name_remote(sk, &addr);
	mrc_trace_addr(&addr, remote);
}
