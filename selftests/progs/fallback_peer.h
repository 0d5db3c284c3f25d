/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The other host, which has no AF_MRC: cases/fallback.sh has started servers
 * of TCP there, on MRC_PEER_PORT, that send back what they get, and tells with
 * MRC_PEER4 and MRC_PEER6 where. MRC_PEER_REASON is the reason that is
 * expected, MRC_PEER_LEAST and MRC_PEER_MOST the time that it takes, in
 * milliseconds.
 */
#ifndef MRC_SELFTESTS_FALLBACK_PEER_H
#define MRC_SELFTESTS_FALLBACK_PEER_H

#include "fallback_fixture.h"

static inline int number(const char *name)
{
	const char *text = getenv(name);

	return text ? atoi(text) : -1;
}

/* The peer's address; false: the case has none of this version of IP. */
static inline bool peer(const struct _fixture_variant_fall *v, union any_addr *addr)
{
	const char *text = getenv(v->peer);

	memset(addr, 0, sizeof(*addr));
	addr->sa.sa_family = v->family;
	addr->sin.sin_port = htons(number("MRC_PEER_PORT"));
	return text && inet_pton(v->family, text, v->family == AF_INET ?
				 (void *)&addr->sin.sin_addr :
				 (void *)&addr->sin6.sin6_addr) == 1;
}

static inline bool echoes(int fd)
{
	char buf[5];

	return send(fd, "hello", 5, MSG_NOSIGNAL) == 5 &&
	       recv_all(fd, buf, 5) == 5 && !memcmp(buf, "hello", 5);
}

#endif /* MRC_SELFTESTS_FALLBACK_PEER_H */
