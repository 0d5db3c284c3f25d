// SPDX-License-Identifier: GPL-2.0
/*
 * Operations of mrc_failnth that move data.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "failnth.h"

#define SMALL	100
#define LARGE	150000

/* What the operation moved. */
static ssize_t moved;

static int note(ssize_t n)
{
	moved = n;
	return n < 0 ? -errno : 0;
}

static int send_small(struct rig *rig)
{
	return note(send(rig->client, rig_data, SMALL, MSG_DONTWAIT));
}

static int send_large(struct rig *rig)
{
	return note(send(rig->client, rig_data, LARGE, MSG_DONTWAIT));
}

/* A writer that may wait does so until there is memory, as with TCP. */
static int send_all(struct rig *rig)
{
	return note(send(rig->client, rig_data, SMALL, 0));
}

static int send_more(struct rig *rig)
{
	return note(send(rig->client, rig_data, SMALL,
			 MSG_DONTWAIT | MSG_MORE));
}

/* Nothing but what was taken arrives, and the rest can follow. */
static bool arrives(struct rig *rig, int err)
{
	static char got[LARGE];
	struct pollfd pfd = { .fd = rig->server, .events = POLLIN };
	ssize_t in = 0, n;

	if (err)
		moved = 0;
	while (in < moved) {
		if (poll(&pfd, 1, 10000) <= 0)
			return false;
		n = recv(rig->server, got + in, LARGE - in, MSG_DONTWAIT);
		if (n <= 0)
			return false;
		in += n;
	}
	return !memcmp(got, rig_data, moved) &&
	       rig_flows(rig->client, rig->server, 300000) &&
	       rig_flows(rig->server, rig->client, 300000);
}

static bool with_data(struct rig *rig)
{
	struct pollfd pfd = { .fd = rig->server, .events = POLLIN };

	return send(rig->client, rig_data, LARGE / 10, 0) == LARGE / 10 &&
	       poll(&pfd, 1, 10000) == 1;
}

/* What was not read is still there. */
static bool rest_is_there(struct rig *rig, int err)
{
	static char got[LARGE / 10];
	size_t from = err ? 0 : moved, in;
	ssize_t n;

	for (in = from; in < sizeof(got); in += n) {
		n = recv(rig->server, got + in, sizeof(got) - in, 0);
		if (n <= 0)
			return false;
	}
	return !memcmp(got + from, rig_data + from, sizeof(got) - from) &&
	       rig_flows(rig->client, rig->server, 10000);
}

static int splice_in(struct rig *rig)
{
	return note(splice(rig->server, NULL, rig->pipe[1], NULL, 4096,
			   SPLICE_F_NONBLOCK));
}

static bool with_pipe(struct rig *rig)
{
	return write(rig->pipe[1], rig_data, 20000) == 20000;
}

static int splice_out(struct rig *rig)
{
	return note(splice(rig->pipe[0], NULL, rig->client, NULL, 20000,
			   SPLICE_F_NONBLOCK));
}

static int send_long_packet(struct rig *rig)
{
	return note(send(rig->client, rig_data, 60000, MSG_DONTWAIT));
}

/* A message is sent whole or not at all. */
static bool whole(struct rig *rig, int err)
{
	static char got[65536];
	struct pollfd pfd = { .fd = rig->server, .events = POLLIN };
	ssize_t wanted = err ? 5 : moved;

	if (err && send(rig->client, "again", 5, 0) != 5)
		return false;
	return poll(&pfd, 1, 10000) == 1 &&
	       recv(rig->server, got, sizeof(got), 0) == wanted &&
	       !memcmp(got, err ? "again" : rig_data, wanted);
}

const struct op ops_data[] = {
	{ "send: little", SOCK_STREAM, true, true, .act = send_small,
	  .judge = arrives },
	{ "send: much", SOCK_STREAM, true, true, .act = send_large,
	  .judge = arrives },
	{ "send: waits", SOCK_STREAM, true, .act = send_all,
	  .judge = arrives },
	{ "send: more to come", SOCK_STREAM, true, true, .act = send_more,
	  .judge = arrives },
	{ "splice from the socket", SOCK_STREAM, true, true,
	  .prepare = with_data, .act = splice_in, .judge = rest_is_there },
	{ "splice into the socket", SOCK_STREAM, true, true,
	  .prepare = with_pipe, .act = splice_out, .judge = arrives },
	{ "message: short", SOCK_SEQPACKET, true, true, .act = send_small,
	  .judge = whole },
	{ "message: long", SOCK_SEQPACKET, true, true, .act = send_long_packet,
	  .judge = whole },
	{ },
};
