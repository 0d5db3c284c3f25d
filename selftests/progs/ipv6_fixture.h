/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fixture of the mrc_sock_ipv6* programs: sockets of family AF_INET6 and their
 * meetings with those of AF_INET, once on TCP and once on AF_MRC. The same is
 * expected of both. Each program includes this once, after defining nothing.
 */
#ifndef MRC_SELFTESTS_IPV6_FIXTURE_H
#define MRC_SELFTESTS_IPV6_FIXTURE_H

#include "sock_fixture.h"
#include <ifaddrs.h>
#include <net/if.h>

FIXTURE(six) {
	int unused;
};

FIXTURE_VARIANT(six) {
	int family4;
	int family6;
	int protocol6;
};

FIXTURE_VARIANT_ADD(six, tcp) {
	.family4 = AF_INET,
	.family6 = AF_INET6,
};

FIXTURE_VARIANT_ADD(six, mrc) {
	.family4 = AF_MRC,
	.family6 = AF_MRC,
	.protocol6 = MRCPROTO_IPV6,
};

CHOOSE_VARIANT(six)

FIXTURE_SETUP(six)
{
}

FIXTURE_TEARDOWN(six)
{
}

static inline int six_socket(const struct _fixture_variant_six *v)
{
	return socket(v->family6, SOCK_STREAM, v->protocol6);
}

static inline int four_socket(const struct _fixture_variant_six *v)
{
	return socket(v->family4, SOCK_STREAM, 0);
}

static inline struct sockaddr_in6 six_addr(const char *text, __u16 port)
{
	struct sockaddr_in6 sin6 = {
		.sin6_family = AF_INET6,
		.sin6_port = htons(port),
	};

	inet_pton(AF_INET6, text, &sin6.sin6_addr);
	return sin6;
}

static inline int bind_six(int fd, const struct sockaddr_in6 *sin6)
{
	return bind(fd, (const struct sockaddr *)sin6, sizeof(*sin6));
}

static inline int connect_six(int fd, const struct sockaddr_in6 *sin6)
{
	return connect(fd, (const struct sockaddr *)sin6, sizeof(*sin6));
}

static inline int sockname_six(int fd, struct sockaddr_in6 *sin6)
{
	socklen_t len = sizeof(*sin6);

	memset(sin6, 0x55, sizeof(*sin6));
	return getsockname(fd, (struct sockaddr *)sin6, &len);
}

static inline int peername_six(int fd, struct sockaddr_in6 *sin6)
{
	socklen_t len = sizeof(*sin6);

	memset(sin6, 0x55, sizeof(*sin6));
	return getpeername(fd, (struct sockaddr *)sin6, &len);
}

/* The address as text. */
static inline const char *text_of(const struct sockaddr_in6 *sin6)
{
	static char text[INET6_ADDRSTRLEN];

	return inet_ntop(sin6->sin6_family, &sin6->sin6_addr, text,
			 sizeof(text)) ?: "no address";
}

/* A listener; the port in @addr may be 0. */
static inline int listen_six(const struct _fixture_variant_six *v, struct sockaddr_in6 *addr,
			     bool only)
{
	int fd = six_socket(v);

	if (fd < 0 || set_opt(fd, IPPROTO_IPV6, IPV6_V6ONLY, only) ||
	    bind_six(fd, addr) || listen(fd, 8) || sockname_six(fd, addr))
		return -1;
	return fd;
}

static inline int listen_four(const struct _fixture_variant_six *v, struct sockaddr_in *addr)
{
	int fd = four_socket(v);

	if (fd < 0 || bind_in(fd, addr) || listen(fd, 8) || sockname(fd, addr))
		return -1;
	return fd;
}

/* A connected pair over ::1: [0] the client, [1] the server. */
static inline int pair_six(const struct _fixture_variant_six *v, int *fds)
{
	struct sockaddr_in6 addr = six_addr("::1", 0);
	int listener = listen_six(v, &addr, false);

	fds[0] = six_socket(v);
	if (listener < 0 || fds[0] < 0 || connect_six(fds[0], &addr))
		return -1;
	fds[1] = accept(listener, NULL, NULL);
	close(listener);
	return fds[1] < 0 ? -1 : 0;
}

#endif /* MRC_SELFTESTS_IPV6_FIXTURE_H */
