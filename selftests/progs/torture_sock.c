// SPDX-License-Identifier: GPL-2.0
/*
 * Sockets of mrc_torture: three listeners of a worker, and a connection with
 * the options of its plan. Strict ones for AF_MRC, as a fall-back to TCP would
 * test nothing.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/mrc.h>

#include "torture.h"

static int open_socket(bool mrc, bool six)
{
	if (mrc)
		return socket(AF_MRC, SOCK_STREAM, MRCPROTO_STRICT |
			      (six ? MRCPROTO_IPV6 : MRCPROTO_IPV4));
	return socket(six ? AF_INET6 : AF_INET, SOCK_STREAM, 0);
}

static int set_int(int fd, int level, int name, int value)
{
	return setsockopt(fd, level, name, &value, sizeof(value));
}

/**
 * torture_sock_listen() - a listener on any address
 * @mrc: of AF_MRC, else TCP
 * @which: LISTEN_IPV4, LISTEN_IPV6 or LISTEN_DUAL
 * @port: port, host order
 *
 * Return: socket, or -1 with errno.
 */
int torture_sock_listen(bool mrc, int which, __u16 port)
{
	bool six = which != LISTEN_IPV4;
	struct sockaddr_in6 sin6 = {
		.sin6_family = AF_INET6, .sin6_port = htons(port),
	};
	struct sockaddr_in sin = {
		.sin_family = AF_INET, .sin_port = htons(port),
	};
	int fd = open_socket(mrc, six);

	if (fd < 0 || set_int(fd, SOL_SOCKET, SO_REUSEADDR, 1) ||
	    (six && set_int(fd, IPPROTO_IPV6, IPV6_V6ONLY,
			    which == LISTEN_IPV6)) ||
	    bind(fd, six ? (void *)&sin6 : (void *)&sin,
		 six ? sizeof(sin6) : sizeof(sin)) || listen(fd, 4))
		return -1;
	return fd;
}

static int set_options(struct torture_end *e)
{
	static const struct linger linger = { .l_onoff = 1, .l_linger = 100 };
	const struct torture_side *s = e->side;
	const struct {
		int level, name, value;
	} opts[] = {
		{ SOL_SOCKET, SO_SNDBUF, s->sndbuf },
		{ SOL_SOCKET, SO_RCVBUF, s->rcvbuf },
		{ SOL_SOCKET, SO_RCVLOWAT, s->lowat },
		{ IPPROTO_TCP, TCP_NOTSENT_LOWAT, s->notsent },
		{ IPPROTO_TCP, TCP_MAXSEG, e->role ? 0 : s->maxseg },
		{ IPPROTO_TCP, TCP_NODELAY, s->nodelay },
		{ IPPROTO_TCP, TCP_CORK, s->cork },
		{ IPPROTO_TCP, TCP_INQ, s->recv == RECV_MSG },
	};
	size_t i;

	for (i = 0; i < sizeof(opts) / sizeof(*opts); i++)
		if (opts[i].value &&
		    set_int(e->fd, opts[i].level, opts[i].name, opts[i].value))
			return torture_fail(e, "option %d: %s", opts[i].name,
					    strerror(errno));
	if (s->linger && setsockopt(e->fd, SOL_SOCKET, SO_LINGER, &linger,
				    sizeof(linger)))
		return torture_fail(e, "SO_LINGER: %s", strerror(errno));
	if (s->wait != WAIT_BLOCK && fcntl(e->fd, F_SETFL, O_NONBLOCK))
		return torture_fail(e, "F_SETFL: %s", strerror(errno));
	return 0;
}

/**
 * torture_sock_accept() - the server's connection of a transfer
 * @e: end, gets the socket and an error
 * @listeners: the listeners of this worker
 *
 * Return: 0 or -1.
 */
int torture_sock_accept(struct torture_end *e, const int *listeners)
{
	static const int which[] = {
		[NET_IPV4] = LISTEN_IPV4,
		[NET_IPV6] = LISTEN_IPV6,
		[NET_MAPPED] = LISTEN_IPV4,
		[NET_DUAL4] = LISTEN_DUAL,
		[NET_DUAL6] = LISTEN_DUAL,
	};
	struct sockaddr_in6 name;
	socklen_t len = sizeof(name);

	e->fd = accept4(listeners[which[e->plan->net]],
			(struct sockaddr *)&name, &len, SOCK_CLOEXEC);
	if (e->fd < 0)
		return torture_fail(e, "accept: %s", strerror(errno));
	if (e->plan->net == NET_DUAL4 &&
	    !IN6_IS_ADDR_V4MAPPED(&name.sin6_addr))
		return torture_fail(e, "the client's name is not mapped");
	return set_options(e);
}

static int wait_connected(struct torture_end *e)
{
	struct pollfd pfd = { .fd = e->fd, .events = POLLOUT };
	socklen_t len = sizeof(int);
	int err = 0;

	if (poll(&pfd, 1, -1) != 1)
		return torture_fail(e, "poll: %s", strerror(errno));
	if (getsockopt(e->fd, SOL_SOCKET, SO_ERROR, &err, &len))
		return torture_fail(e, "SO_ERROR: %s", strerror(errno));
	return err ? torture_fail(e, "connect: %s", strerror(err)) : 0;
}

/**
 * torture_sock_connect() - the client's connection of a transfer
 * @e: end, gets the socket and an error
 * @mrc: over AF_MRC, else TCP
 * @port: of the server's first listener
 * @addrs: the server's addresses, of IPv4 and IPv6 by turns
 * @count: number of pairs
 *
 * Return: 0 or -1.
 */
int torture_sock_connect(struct torture_end *e, bool mrc, __u16 port,
			 char **addrs, unsigned int count)
{
	static const int which[] = {
		LISTEN_IPV4, LISTEN_IPV6, LISTEN_IPV4, LISTEN_DUAL, LISTEN_DUAL
	};
	enum torture_net net = e->plan->net;
	bool six = net == NET_IPV6 || net == NET_MAPPED || net == NET_DUAL6;
	char **pair = addrs + e->plan->path % count * 2;
	struct sockaddr_in6 sin6 = { .sin6_family = AF_INET6 };
	struct sockaddr_in sin = { .sin_family = AF_INET };
	char text[64];

	sin.sin_port = htons(port + which[net]);
	sin6.sin6_port = sin.sin_port;
	inet_pton(AF_INET, pair[0], &sin.sin_addr);
	snprintf(text, sizeof(text), net == NET_MAPPED ? "::ffff:%s" : "%s",
		 net == NET_MAPPED ? pair[0] : pair[1]);
	inet_pton(AF_INET6, text, &sin6.sin6_addr);
	e->fd = open_socket(mrc, six);
	if (e->fd < 0)
		return torture_fail(e, "socket: %s", strerror(errno));
	if (set_options(e))
		return -1;
	if (!connect(e->fd, six ? (void *)&sin6 : (void *)&sin,
		     six ? sizeof(sin6) : sizeof(sin)))
		return 0;
	if (errno != EINPROGRESS)
		return torture_fail(e, "connect: %s", strerror(errno));
	return wait_connected(e);
}
