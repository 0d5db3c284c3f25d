/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fixture of mrc_sock_effect and mrc_sock_pair: every test runs on a connected
 * pair over loopback, of TCP and of AF_MRC, over IPv4 and IPv6, of streams and
 * of messages. Where these differ, the test branches and says why. Each program
 * includes this once, after defining nothing.
 */
#ifndef MRC_SELFTESTS_PAIR_FIXTURE_H
#define MRC_SELFTESTS_PAIR_FIXTURE_H

#include "sock_fixture.h"

FIXTURE(pair) {
	struct sockaddr_storage addr;	/* of the listener */
	int listener;
	int client;
	int server;
};

FIXTURE_VARIANT(pair) {
	bool mrc;
	bool six;
	bool messages;
};

FIXTURE_VARIANT_ADD(pair, tcp) {
	.mrc = false,
};

FIXTURE_VARIANT_ADD(pair, tcp6) {
	.six = true,
};

FIXTURE_VARIANT_ADD(pair, mrc) {
	.mrc = true,
};

FIXTURE_VARIANT_ADD(pair, mrc6) {
	.mrc = true,
	.six = true,
};

FIXTURE_VARIANT_ADD(pair, mrc_message) {
	.mrc = true,
	.messages = true,
};

FIXTURE_VARIANT_ADD(pair, mrc6_message) {
	.mrc = true,
	.six = true,
	.messages = true,
};

static inline int pair_socket(const struct _fixture_variant_pair *v)
{
	if (!v->mrc)
		return socket(v->six ? AF_INET6 : AF_INET, SOCK_STREAM, 0);
	return socket(AF_MRC, v->messages ? SOCK_SEQPACKET : SOCK_STREAM,
		      v->six ? MRCPROTO_IPV6 : MRCPROTO_IPV4);
}

/* The loopback address of the version, with any port. */
static inline socklen_t pair_loopback(const struct _fixture_variant_pair *v,
				      struct sockaddr_storage *addr)
{
	struct sockaddr_in6 sin6 = {
		.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT,
	};
	struct sockaddr_in sin = loopback(0);

	memset(addr, 0, sizeof(*addr));
	memcpy(addr, v->six ? (void *)&sin6 : (void *)&sin,
	       v->six ? sizeof(sin6) : sizeof(sin));
	return v->six ? sizeof(sin6) : sizeof(sin);
}

static inline int pair_bind(const struct _fixture_variant_pair *v, int fd,
			    const struct sockaddr_storage *addr)
{
	return bind(fd, (const struct sockaddr *)addr,
		    v->six ? sizeof(struct sockaddr_in6) :
			     sizeof(struct sockaddr_in));
}

static inline int pair_connect(const struct _fixture_variant_pair *v, int fd,
			       const struct sockaddr_storage *addr)
{
	return connect(fd, (const struct sockaddr *)addr,
		       v->six ? sizeof(struct sockaddr_in6) :
				sizeof(struct sockaddr_in));
}

static inline int pair_name(int fd, struct sockaddr_storage *addr)
{
	socklen_t len = sizeof(*addr);

	return getsockname(fd, (struct sockaddr *)addr, &len);
}

/* Port of a name, network order; it is at the same place in both versions. */
static inline __u16 pair_port(const struct sockaddr_storage *addr)
{
	return ((const struct sockaddr_in *)addr)->sin_port;
}

static inline int pair_listen(const struct _fixture_variant_pair *v,
			      struct sockaddr_storage *addr)
{
	int fd = pair_socket(v);

	pair_loopback(v, addr);
	return pair_bind(v, fd, addr) || listen(fd, 16) ||
	       pair_name(fd, addr) ? -1 : fd;
}

CHOOSE_VARIANT(pair)

FIXTURE_SETUP(pair)
{
	self->listener = pair_listen(variant, &self->addr);
	ASSERT_LE(0, self->listener) TH_LOG("listener: %s", strerror(errno));
	self->client = pair_socket(variant);
	ASSERT_EQ(0, pair_connect(variant, self->client, &self->addr))
		TH_LOG("connect: %s", strerror(errno));
	self->server = accept(self->listener, NULL, NULL);
	ASSERT_LE(0, self->server) TH_LOG("accept: %s", strerror(errno));
}

FIXTURE_TEARDOWN(pair)
{
	close(self->listener);
	close(self->client);
	close(self->server);
}

#endif /* MRC_SELFTESTS_PAIR_FIXTURE_H */
