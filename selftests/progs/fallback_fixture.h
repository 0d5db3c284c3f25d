/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fixture of the mrc_fallback* programs: sockets of AF_MRC and of TCP that
 * meet on one port, over both versions of IP. Each program includes this once,
 * after defining nothing.
 */
#ifndef MRC_SELFTESTS_FALLBACK_FIXTURE_H
#define MRC_SELFTESTS_FALLBACK_FIXTURE_H

#include "sock_fixture.h"

/* An address of either version of IP. */
union any_addr {
	struct sockaddr sa;
	struct sockaddr_in sin;
	struct sockaddr_in6 sin6;
};

FIXTURE(fall) {
	union any_addr addr;	/* loopback, port 0 */
};

FIXTURE_VARIANT(fall) {
	int family;		/* of TCP */
	int protocol;		/* of AF_MRC */
	const char *peer;	/* variable with the address of another host */
};

FIXTURE_VARIANT_ADD(fall, ipv4) {
	.family = AF_INET,
	.protocol = MRCPROTO_IPV4,
	.peer = "MRC_PEER4",
};

FIXTURE_VARIANT_ADD(fall, ipv6) {
	.family = AF_INET6,
	.protocol = MRCPROTO_IPV6,
	.peer = "MRC_PEER6",
};

static inline union any_addr loopback_of(int family)
{
	union any_addr addr = { };

	addr.sa.sa_family = family;
	if (family == AF_INET)
		addr.sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else
		addr.sin6.sin6_addr = in6addr_loopback;
	return addr;
}

FIXTURE_SETUP(fall)
{
	self->addr = loopback_of(variant->family);
}

FIXTURE_TEARDOWN(fall)
{
}

static inline socklen_t addr_len(const union any_addr *addr)
{
	return addr->sa.sa_family == AF_INET ? sizeof(addr->sin) :
					       sizeof(addr->sin6);
}

static inline int bind_any(int fd, const union any_addr *addr)
{
	return bind(fd, &addr->sa, addr_len(addr));
}

static inline int connect_any(int fd, const union any_addr *addr)
{
	return connect(fd, &addr->sa, addr_len(addr));
}

static inline int name_any(int fd, union any_addr *addr)
{
	socklen_t len = sizeof(*addr);

	return getsockname(fd, &addr->sa, &len);
}

static inline int tcp_socket(const struct _fixture_variant_fall *v)
{
	return socket(v->family, SOCK_STREAM, IPPROTO_TCP);
}

static inline int mrc_socket(const struct _fixture_variant_fall *v)
{
	return socket(AF_MRC, SOCK_STREAM, v->protocol);
}

static inline int strict_socket(const struct _fixture_variant_fall *v)
{
	return socket(AF_MRC, SOCK_STREAM, v->protocol | MRCPROTO_STRICT);
}

/* Binds to @addr and listens; the port of @addr is set to the one in use. */
static inline int listen_on(int fd, union any_addr *addr)
{
	return fd < 0 || bind_any(fd, addr) || listen(fd, 16) ||
	       name_any(fd, addr) ? -1 : fd;
}

/* enum mrc_fallback_reason of a socket; -1: not one of AF_MRC. */
static inline int reason_of(int fd)
{
	struct mrc_info info = { };
	socklen_t len = sizeof(info);

	if (getsockopt(fd, SOL_MRC, MRC_INFO, &info, &len) ||
	    len < sizeof(info))
		return -1;
	return info.fallback;
}

/* Is the option what it was set to, soon? */
static inline bool option_becomes(int fd, int level, int name, int value)
{
	long long end = now_ms() + PATIENCE;

	while (get_opt(fd, level, name) != value)
		if (now_ms() > end)
			return false;
	return true;
}

/* Bytes go both ways, and each end sees the end of the other. */
static inline bool talks(int client, int server)
{
	char buf[8] = "";

	return send(client, "ping", 4, MSG_NOSIGNAL) == 4 &&
	       recv_all(server, buf, 4) == 4 && !memcmp(buf, "ping", 4) &&
	       send(server, "pong", 4, MSG_NOSIGNAL) == 4 &&
	       recv_all(client, buf, 4) == 4 && !memcmp(buf, "pong", 4);
}

#endif /* MRC_SELFTESTS_FALLBACK_FIXTURE_H */
