// SPDX-License-Identifier: GPL-2.0
/*
 * Operations of mrc_failnth that make connections and end them.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "failnth.h"

static int result(int rc)
{
	return rc < 0 ? -errno : 0;
}

static int make_stream(struct rig *rig)
{
	rig->fd = socket(AF_MRC, SOCK_STREAM, 0);
	return result(rig->fd);
}

static int make_stream6(struct rig *rig)
{
	rig->fd = socket(AF_MRC, SOCK_STREAM, MRCPROTO_IPV6);
	return result(rig->fd);
}

static int make_packets(struct rig *rig)
{
	rig->fd = socket(AF_MRC, SOCK_SEQPACKET, 0);
	return result(rig->fd);
}

static bool made(struct rig *rig, int err)
{
	return err ? rig->fd < 0 : rig->fd >= 0;
}

/**
 * rig_has_socket - an operation's prepare(): a stream socket to work on
 * @rig: gets it as @fd
 */
bool rig_has_socket(struct rig *rig)
{
	return !make_stream(rig);
}

static int bind_somewhere(struct rig *rig)
{
	struct sockaddr_in any = { .sin_family = AF_INET };

	return result(bind(rig->fd, (struct sockaddr *)&any, sizeof(any)));
}

/* What could not be bound can be bound when memory is back. */
static bool can_listen(struct rig *rig, int err)
{
	if (err && bind_somewhere(rig))
		return false;
	return !listen(rig->fd, 4);
}

static bool with_client(struct rig *rig)
{
	rig->client = socket(AF_MRC, rig->type, 0);
	return rig->client >= 0;
}

static int connect_client(struct rig *rig)
{
	return result(connect(rig->client, (struct sockaddr *)&rig->addr,
			      sizeof(rig->addr)));
}

static bool connects(struct rig *rig, int err)
{
	if (err && connect_client(rig))
		return false;
	rig->server = accept(rig->listener, NULL, NULL);
	return rig->server >= 0 && rig_flows(rig->client, rig->server, 10000) &&
	       rig_flows(rig->server, rig->client, 10000);
}

static bool with_waiting(struct rig *rig)
{
	return with_client(rig) && !connect_client(rig);
}

static int accept_one(struct rig *rig)
{
	rig->server = accept(rig->listener, NULL, NULL);
	return result(rig->server);
}

/* A failed accept() has lost nobody who waits. */
static bool accepted(struct rig *rig, int err)
{
	if (err && accept_one(rig))
		return false;
	return rig_flows(rig->client, rig->server, 10000);
}

static int finish(struct rig *rig)
{
	return result(shutdown(rig->client, SHUT_WR));
}

static bool finished(struct rig *rig, int err)
{
	if (err && finish(rig))
		return false;
	return rig_ends(rig->server, 0) &&
	       rig_flows(rig->server, rig->client, 10000);
}

static int close_client(struct rig *rig)
{
	int fd = rig->client;

	rig->client = -1;
	return result(close(fd));
}

/* However little memory there is, the peer learns of the end. */
static bool peer_sees_end(struct rig *rig, int err)
{
	return !err && rig_ends(rig->server, 0);
}

/* Nobody listens in AF_MRC, so it is to go on over TCP. */
static bool with_tcp_listener(struct rig *rig)
{
	socklen_t len = sizeof(rig->addr);

	close(rig->listener);
	rig->addr.sin_port = 0;
	rig->listener = socket(AF_INET, SOCK_STREAM, 0);
	return rig->listener >= 0 && with_client(rig) &&
	       !bind(rig->listener, (struct sockaddr *)&rig->addr, len) &&
	       !listen(rig->listener, 8) &&
	       !getsockname(rig->listener, (struct sockaddr *)&rig->addr, &len);
}

/* A client of plain TCP waits at the listener. */
static bool with_tcp_client(struct rig *rig)
{
	rig->client = socket(AF_INET, SOCK_STREAM, 0);
	return rig->client >= 0 && !connect_client(rig);
}

/* Closed so, a socket sends a RESET. */
static bool with_no_linger(struct rig *rig)
{
	struct linger now = { .l_onoff = 1 };

	return !setsockopt(rig->client, SOL_SOCKET, SO_LINGER, &now,
			   sizeof(now));
}

static int disconnect_client(struct rig *rig)
{
	struct sockaddr nowhere = { .sa_family = AF_UNSPEC };

	return result(connect(rig->client, &nowhere, sizeof(nowhere)));
}

/* A RESET without memory is lost, as on a bad path: who writes finds out. */
static bool peer_is_told(struct rig *rig, int err)
{
	if (err)
		return false;
	if (send(rig->server, "x", 1, MSG_NOSIGNAL) < 0)
		return errno == ECONNRESET;
	return rig_ends(rig->server, ECONNRESET);
}

const struct op ops_open[] = {
	{ "socket: stream", SOCK_STREAM, .act = make_stream, .judge = made },
	{ "socket: IPv6", SOCK_STREAM, .act = make_stream6, .judge = made },
	{ "socket: packets", SOCK_STREAM, .act = make_packets, .judge = made },
	{ "bind", SOCK_STREAM, .prepare = rig_has_socket, .act = bind_somewhere,
	  .judge = can_listen },
	{ "connect", SOCK_STREAM, .prepare = with_client,
	  .act = connect_client, .judge = connects },
	{ "accept", SOCK_STREAM, .prepare = with_waiting,
	  .act = accept_one, .judge = accepted },
	{ "shutdown", SOCK_STREAM, true, .act = finish, .judge = finished },
	{ "close", SOCK_STREAM, true, .act = close_client,
	  .judge = peer_sees_end },
	{ "close: reset", SOCK_STREAM, true, .prepare = with_no_linger,
	  .act = close_client, .judge = peer_is_told },
	{ "disconnect", SOCK_STREAM, true, .act = disconnect_client,
	  .judge = peer_is_told },
	{ "connect: fall-back", SOCK_STREAM, .prepare = with_tcp_listener,
	  .act = connect_client, .judge = connects },
	{ "accept: fall-back", SOCK_STREAM, .prepare = with_tcp_client,
	  .act = accept_one, .judge = accepted },
	{ },
};
