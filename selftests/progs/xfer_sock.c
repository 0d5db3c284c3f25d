// SPDX-License-Identifier: GPL-2.0
/*
 * Socket set-up of mrc_xfer: one connected socket of the family asked for.
 * Called once, by mrc_xfer.c; reports the call that failed in the progress.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <arpa/inet.h>
#include <linux/mrc.h>

#include "xfer.h"

#ifndef IPPROTO_MPTCP
#define IPPROTO_MPTCP 262
#endif

static int fail(struct xfer_progress *p, int fd, const char *where)
{
	p->error = errno;
	p->where = where;
	if (fd >= 0)
		close(fd);
	return -1;
}

/**
 * xfer_sock_family() - socket family for a word of the command line
 * @word: "mrc", "tcp" or "mptcp"
 *
 * Return: the address family, or -1 when the word is not known.
 */
int xfer_sock_family(const char *word)
{
	if (!strcmp(word, "mrc"))
		return AF_MRC;
	if (!strcmp(word, "tcp") || !strcmp(word, "mptcp"))
		return AF_INET;
	return -1;
}

static bool is_ipv6(const struct xfer_options *o)
{
	return o->addr.sa.sa_family == AF_INET6;
}

static int open_socket(const struct xfer_options *o)
{
	int family = xfer_sock_family(o->family), protocol = 0;

	if (family == AF_MRC)
		protocol = is_ipv6(o) ? MRCPROTO_IPV6 : MRCPROTO_IPV4;
	else if (is_ipv6(o))
		family = AF_INET6;
	if (!strcmp(o->family, "mptcp"))
		protocol = IPPROTO_MPTCP;
	return socket(family, SOCK_STREAM | SOCK_CLOEXEC, protocol);
}

/* @addr with a port, as large as its family wants it. */
static socklen_t with_port(union xfer_addr *addr, __u16 port)
{
	if (addr->sa.sa_family == AF_INET6) {
		addr->sin6.sin6_port = htons(port);
		return sizeof(addr->sin6);
	}
	addr->sin.sin_family = AF_INET;
	addr->sin.sin_port = htons(port);
	return sizeof(addr->sin);
}

static int set_int(int fd, int level, int name, int value)
{
	return setsockopt(fd, level, name, &value, sizeof(value));
}

static int set_options(int fd, const struct xfer_options *o)
{
	if (o->sndbuf && set_int(fd, SOL_SOCKET, SO_SNDBUF, o->sndbuf))
		return -1;
	if (o->rcvbuf && set_int(fd, SOL_SOCKET, SO_RCVBUF, o->rcvbuf))
		return -1;
	if (o->maxseg && set_int(fd, IPPROTO_TCP, TCP_MAXSEG, o->maxseg))
		return -1;
	if (o->nodelay && set_int(fd, IPPROTO_TCP, TCP_NODELAY, 1))
		return -1;
	if (o->congestion &&
	    setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, o->congestion,
		       strlen(o->congestion)))
		return -1;
	return 0;
}

static int set_nonblocking(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

static int wait_connected(int fd)
{
	struct pollfd pfd = { .fd = fd, .events = POLLOUT };
	socklen_t len = sizeof(int);
	int err = 0;

	while (poll(&pfd, 1, -1) < 0)
		if (errno != EINTR)
			return -1;
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len))
		return -1;
	errno = err;
	return err ? -1 : 0;
}

static int open_client(const struct xfer_options *o, struct xfer_progress *p,
		       int fd)
{
	union xfer_addr from = o->from, to = o->addr;
	socklen_t len = with_port(&to, o->port);

	if (from.sa.sa_family != AF_UNSPEC &&
	    bind(fd, &from.sa, with_port(&from, 0)))
		return fail(p, fd, "bind");
	if (o->mode != XFER_BLOCK && set_nonblocking(fd))
		return fail(p, fd, "fcntl");
	if (!connect(fd, &to.sa, len))
		return fd;
	if (errno != EINPROGRESS || wait_connected(fd))
		return fail(p, fd, "connect");
	return fd;
}

static void tell_ready(const union xfer_addr *addr)
{
	bool six = addr->sa.sa_family == AF_INET6;
	char text[INET6_ADDRSTRLEN] = "";

	inet_ntop(addr->sa.sa_family, six ? (void *)&addr->sin6.sin6_addr :
		  (void *)&addr->sin.sin_addr, text, sizeof(text));
	fprintf(stderr, "ready %s %u\n", text,
		ntohs(six ? addr->sin6.sin6_port : addr->sin.sin_port));
}

static int open_server(const struct xfer_options *o, struct xfer_progress *p,
		       int fd)
{
	union xfer_addr addr = o->addr;
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	socklen_t len = with_port(&addr, o->port);
	int conn;

	if (set_int(fd, SOL_SOCKET, SO_REUSEADDR, 1))
		return fail(p, fd, "setsockopt SO_REUSEADDR");
	if (bind(fd, &addr.sa, len))
		return fail(p, fd, "bind");
	if (listen(fd, 8))
		return fail(p, fd, "listen");
	if (getsockname(fd, &addr.sa, &len))
		return fail(p, fd, "getsockname");
	tell_ready(&addr);
	if (o->mode != XFER_BLOCK) {
		if (set_nonblocking(fd))
			return fail(p, fd, "fcntl");
		if (poll(&pfd, 1, -1) < 0)
			return fail(p, fd, "poll");
	}
	conn = accept4(fd, NULL, NULL, o->mode == XFER_BLOCK ?
		       SOCK_CLOEXEC : SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (conn < 0)
		return fail(p, fd, "accept4");
	/* MPTCP takes further subflows through the listener: it stays. */
	if (strcmp(o->family, "mptcp"))
		close(fd);
	return conn;
}

/**
 * xfer_sock_open() - make the connection, as client or server
 * @o: options
 * @p: gets the errno and the name of the call when one fails
 *
 * A server prints "ready ADDRESS PORT" on stderr once it listens.
 *
 * Return: a connected socket, non-blocking unless @o->mode is XFER_BLOCK, or
 * -1.
 */
int xfer_sock_open(const struct xfer_options *o, struct xfer_progress *p)
{
	int fd = open_socket(o);

	if (fd < 0)
		return fail(p, -1, "socket");
	if (set_options(fd, o))
		return fail(p, fd, "setsockopt");
	return o->server ? open_server(o, p, fd) : open_client(o, p, fd);
}
