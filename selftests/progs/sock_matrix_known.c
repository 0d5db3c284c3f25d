// SPDX-License-Identifier: GPL-2.0
/*
 * What AF_MRC answers differently from TCP on purpose, by option and step.
 * Each line has its reason in Documentation/socket-api.rst, too.
 */
#include <errno.h>
#include <linux/types.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/socket.h>
#include "matrix.h"

/* Names that the C library's headers may not have. */
#ifndef SO_TXREHASH
#define SO_TXREHASH		74
#endif
#ifndef IP_PROTOCOL
#define IP_PROTOCOL		52
#endif

/* How it differs. */
enum kind {
	VALUE,		/* both succeed, what is read differs */
	REFUSED,	/* AF_MRC does not have it: ENOPROTOOPT */
	OTHER,		/* AF_MRC gives another answer */
};

/**
 * struct known - a difference that is meant
 * @level: of the option
 * @name: of the option
 * @what: KNOWN_* steps in which it may differ
 * @kind: how it differs
 * @which: sockets of which it may differ
 * @met: it was seen
 */
struct known {
	int level;
	int name;
	unsigned int what;
	enum kind kind;
	unsigned int which;
	bool met;
};

#define READING	(KNOWN_GET | KNOWN_BACK | KNOWN_CHILD)

#define DIFFERS_OF(sockets, opt_level, opt_name, steps, how) \
	{ .level = opt_level, .name = opt_name, .what = steps, .kind = how, \
	  .which = sockets }
#define DIFFERS(opt_level, opt_name, steps, how) \
	DIFFERS_OF(ANY, opt_level, opt_name, steps, how)

static struct known list[] = {
	/* Limits and sizes of its own. */
	DIFFERS(SOL_SOCKET, SO_SNDBUF, KNOWN_GET | KNOWN_CHILD, VALUE),
	DIFFERS(SOL_SOCKET, SO_RCVBUF, KNOWN_GET | KNOWN_CHILD, VALUE),
	DIFFERS(SOL_SOCKET, SO_RCVLOWAT, KNOWN_BACK, VALUE),
	DIFFERS(SOL_SOCKET, SO_MEMINFO, READING, VALUE),
	/* Names of sockets. */
	DIFFERS(SOL_SOCKET, SO_COOKIE, READING, VALUE),
	DIFFERS(SOL_SOCKET, SO_PROTOCOL, READING, VALUE),
	DIFFERS(SOL_IP, IP_PROTOCOL, READING, VALUE),
	/* The core asks whether it is TCP. */
	DIFFERS(SOL_SOCKET, SO_TIMESTAMPING, KNOWN_SET, OTHER),
	DIFFERS(SOL_SOCKET, 65 /* SO_TIMESTAMPING_NEW */, KNOWN_SET, OTHER),
	DIFFERS(SOL_SOCKET, SO_ZEROCOPY, KNOWN_SET | KNOWN_CHILD, OTHER),
	/* Packets are those of a UDP socket. */
	DIFFERS(SOL_SOCKET, SO_INCOMING_CPU, READING, VALUE),
	DIFFERS(SOL_SOCKET, SO_TXREHASH, KNOWN_GET, VALUE),
	/* Many paths, so there is not one MTU or hop count. */
	DIFFERS(SOL_IP, IP_MTU, READING, OTHER),
	DIFFERS_OF(ANY4, SOL_IP, IP_MULTICAST_TTL, KNOWN_GET | KNOWN_CHILD,
		   VALUE),
	DIFFERS_OF(ANY6, SOL_IPV6, IPV6_MULTICAST_IF, KNOWN_GET | KNOWN_CHILD,
		   VALUE),
	DIFFERS_OF(ANY6, SOL_IPV6, IPV6_MULTICAST_HOPS, KNOWN_GET | KNOWN_CHILD,
		   VALUE),
	DIFFERS_OF(ANY6, SOL_IPV6, IPV6_MTU, READING, OTHER),
	DIFFERS_OF(ANY6, SOL_IPV6, IPV6_PATHMTU, READING, OTHER),
	DIFFERS(SOL_TCP, TCP_MAXSEG, READING, VALUE),
	/* Defaults and rounding. */
	DIFFERS(SOL_TCP, TCP_SYNCNT, KNOWN_GET, VALUE),
	DIFFERS(SOL_TCP, TCP_DEFER_ACCEPT, KNOWN_BACK, VALUE),
	DIFFERS(SOL_TCP, TCP_INFO, READING, VALUE),
	DIFFERS(SOL_TCP, TCP_CONGESTION, READING, VALUE),
	DIFFERS(SOL_TCP, TCP_FASTOPEN_CONNECT, KNOWN_SET, OTHER),
	DIFFERS_OF(MESSAGE, SOL_SOCKET, SO_TYPE, READING, VALUE),
	/* What AF_MRC does not have. */
	DIFFERS_OF(ANY6, SOL_IPV6, 1 /* IPV6_ADDRFORM */, KNOWN_ALL, REFUSED),
	DIFFERS_OF(MESSAGE, SOL_IP, 9 /* IP_PKTOPTIONS */, READING, REFUSED),
	DIFFERS_OF(MESSAGE6, SOL_IPV6, 6 /* IPV6_2292PKTOPTIONS */, READING,
		   REFUSED),
	DIFFERS(SOL_TCP, TCP_WINDOW_CLAMP, KNOWN_ALL, REFUSED),
	DIFFERS(SOL_TCP, TCP_MD5SIG, KNOWN_SET, REFUSED),
	DIFFERS(SOL_TCP, TCP_THIN_LINEAR_TIMEOUTS, KNOWN_ALL, REFUSED),
	DIFFERS(SOL_TCP, TCP_THIN_DUPACK, KNOWN_ALL, REFUSED),
	DIFFERS(SOL_TCP, TCP_REPAIR, KNOWN_ALL, REFUSED),
	DIFFERS(SOL_TCP, TCP_REPAIR_QUEUE, KNOWN_ALL, REFUSED),
	DIFFERS(SOL_TCP, TCP_QUEUE_SEQ, KNOWN_ALL, REFUSED),
	DIFFERS(SOL_TCP, TCP_REPAIR_OPTIONS, KNOWN_SET, REFUSED),
	DIFFERS(SOL_TCP, TCP_TIMESTAMP, KNOWN_ALL, REFUSED),
	DIFFERS(SOL_TCP, TCP_CC_INFO, READING, REFUSED),
	DIFFERS(SOL_TCP, TCP_SAVE_SYN, KNOWN_ALL, REFUSED),
	DIFFERS(SOL_TCP, TCP_SAVED_SYN, READING, REFUSED),
	DIFFERS(SOL_TCP, TCP_REPAIR_WINDOW, KNOWN_ALL, REFUSED),
	DIFFERS(SOL_TCP, TCP_ULP, KNOWN_ALL, REFUSED),
	DIFFERS(SOL_TCP, TCP_MD5SIG_EXT, KNOWN_SET, REFUSED),
	DIFFERS(SOL_TCP, TCP_FASTOPEN_KEY, KNOWN_ALL, REFUSED),
	DIFFERS(SOL_TCP, TCP_FASTOPEN_NO_COOKIE, KNOWN_ALL, REFUSED),
	DIFFERS(SOL_TCP, TCP_ZEROCOPY_RECEIVE, READING, REFUSED),
	DIFFERS(SOL_TCP, TCP_TX_DELAY, KNOWN_ALL, REFUSED),
};

enum { COUNT = sizeof(list) / sizeof(*list) };

static unsigned int chosen;

static bool fits(const struct known *known, int tcp_err, int mrc_err)
{
	switch (known->kind) {
	case VALUE:
		return !tcp_err && !mrc_err;
	case REFUSED:
		return mrc_err == ENOPROTOOPT;
	default:
		return true;
	}
}

/**
 * matrix_choose() - tell what is compared from now on
 * @which: one of STREAM4 to MESSAGE6
 */
void matrix_choose(unsigned int which)
{
	chosen = which;
}

/**
 * matrix_known() - may this differ?
 * @opt: option
 * @what: one KNOWN_* bit
 * @tcp_err: errno of TCP, 0 when it succeeded
 * @mrc_err: errno of AF_MRC, 0 when it succeeded
 *
 * Return: true when the difference is on the list.
 */
bool matrix_known(const struct option *opt, unsigned int what, int tcp_err,
		  int mrc_err)
{
	size_t i;

	for (i = 0; i < COUNT; i++) {
		struct known *known = &list[i];

		if (known->level != opt->level || known->name != opt->name ||
		    !(known->what & what) || !(known->which & chosen) ||
		    !fits(known, tcp_err, mrc_err))
			continue;
		known->met = true;
		return true;
	}
	return false;
}

/**
 * matrix_unused() - differences on the list that never showed
 *
 * Return: their number; each is printed.
 */
unsigned int matrix_unused(void)
{
	unsigned int count = 0;
	size_t i;

	for (i = 0; i < COUNT; i++) {
		if (list[i].met || !(list[i].which & chosen))
			continue;
		/* Only streams of IPv4 meet every value in every state. */
		if (chosen != STREAM4 && list[i].which & STREAM4)
			continue;
		count++;
		printf("# level %d option %d no longer differs\n",
		       list[i].level, list[i].name);
	}
	return count;
}
