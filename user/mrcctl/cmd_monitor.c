// SPDX-License-Identifier: GPL-2.0
/*
 * mrcctl monitor: one line for each change of state, as it happens.
 */
#include <errno.h>
#include <linux/mrc_netlink.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <netlink/socket.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "args.h"
#include "attr_gen.h"
#include "fail.h"
#include "nl.h"
#include "out.h"

/* Notices that may wait in the kernel, bytes of memory. */
#define RECEIVE_MEMORY	(4 * 1024 * 1024)

#define BUFFER_SIZE	65536

/**
 * struct event_kind - one kind of notice
 * @name: JSON value of "event"
 * @set: its attributes
 * @cols: what is shown, in this order
 * @ncols: their number
 * @seq: number of the attribute with the number of the event
 */
struct event_kind {
	const char *name;
	const struct attr_set *set;
	const struct out_col *cols;
	unsigned int ncols;
	unsigned int seq;
};

/**
 * struct monitor - the running command
 * @ctx: command
 * @fd: netlink socket, member of the group of events
 * @family: number of the family
 * @buf: BUFFER_SIZE bytes
 * @seq: number of the last event; 0: none yet
 * @overrun: events were lost, and that has not been printed
 */
struct monitor {
	const struct ctx *ctx;
	int fd;
	int family;
	char *buf;
	__u64 seq;
	bool overrun;
};

static const struct out_col conn_columns[] = {
	{ "time", "", OUT_TIME, MRC_A_CONN_EVENT_TIME, 0 },
	{ "seq", NULL, OUT_NUMBER, MRC_A_CONN_EVENT_SEQ, 0 },
	{ "conn", "conn", OUT_ID, MRC_A_CONN_EVENT_CONN_ID, 0 },
	{ "local", "local", OUT_ADDR, MRC_A_CONN_EVENT_LOCAL_ADDR,
	  MRC_A_CONN_EVENT_LOCAL_PORT },
	{ "remote", "remote", OUT_ADDR, MRC_A_CONN_EVENT_REMOTE_ADDR,
	  MRC_A_CONN_EVENT_REMOTE_PORT },
	{ "old", "state", OUT_NAME, MRC_A_CONN_EVENT_OLD, 0 },
	{ "new", "->", OUT_NAME, MRC_A_CONN_EVENT_NEW, 0 },
	{ "reason", "reason", OUT_NAME, MRC_A_CONN_EVENT_REASON, 0 },
};

static const struct out_col path_columns[] = {
	{ "time", "", OUT_TIME, MRC_A_PATH_EVENT_TIME, 0 },
	{ "seq", NULL, OUT_NUMBER, MRC_A_PATH_EVENT_SEQ, 0 },
	{ "conn", "conn", OUT_ID, MRC_A_PATH_EVENT_CONN_ID, 0 },
	{ "path", "path", OUT_NUMBER, MRC_A_PATH_EVENT_ID, 0 },
	{ "local", "local", OUT_ADDR, MRC_A_PATH_EVENT_LOCAL_ADDR,
	  MRC_A_PATH_EVENT_LOCAL_PORT },
	{ "remote", "remote", OUT_ADDR, MRC_A_PATH_EVENT_REMOTE_ADDR,
	  MRC_A_PATH_EVENT_REMOTE_PORT },
	{ "dev", "dev", OUT_DEV, MRC_A_PATH_EVENT_IFINDEX, 0 },
	{ "backup", NULL, OUT_BOOL, MRC_A_PATH_EVENT_BACKUP, 0 },
	{ "old", "state", OUT_NAME, MRC_A_PATH_EVENT_OLD, 0 },
	{ "new", "->", OUT_NAME, MRC_A_PATH_EVENT_NEW, 0 },
	{ "reason", "reason", OUT_NAME, MRC_A_PATH_EVENT_REASON, 0 },
};

static const struct event_kind conn_kind = {
	.name = "conn", .set = &attr_set_conn_event,
	.cols = conn_columns, .ncols = ARRAY_SIZE(conn_columns),
	.seq = MRC_A_CONN_EVENT_SEQ,
};

static const struct event_kind path_kind = {
	.name = "path", .set = &attr_set_path_event,
	.cols = path_columns, .ncols = ARRAY_SIZE(path_columns),
	.seq = MRC_A_PATH_EVENT_SEQ,
};

static void print_text(const struct ctx *ctx, const struct event_kind *kind,
		       const struct attr_msg *msg)
{
	char buf[VALUE_TEXT];
	unsigned int i;

	for (i = 0; i < kind->ncols; i++) {
		const struct out_col *col = &kind->cols[i];
		const char *label = col->title;

		if (!label && ctx->details)
			label = col->key;
		if (label)
			printf("%s%s%s%s", i ? " " : "", label,
			       label[0] ? " " : "",
			       value_text(col, msg, buf, sizeof(buf)));
	}
	putchar('\n');
}

static void print_event(const struct ctx *ctx, const struct event_kind *kind,
			const struct attr_msg *msg)
{
	struct json_object *obj, *cols;

	if (!ctx->json) {
		print_text(ctx, kind, msg);
		return;
	}
	obj = json_object_new_object();
	json_object_object_add(obj, "event",
			       json_object_new_string(kind->name));
	cols = out_json(kind->cols, kind->ncols, msg);
	json_object_object_foreach(cols, key, value)
		json_object_object_add(obj, key, json_object_get(value));
	json_object_put(cols);
	out_json_print(obj);
}

/* @count: how many; 0: nobody knows. */
static void print_lost(const struct ctx *ctx, unsigned long long count)
{
	if (ctx->json && count)
		printf("{\"event\":\"lost\",\"count\":%llu}\n", count);
	else if (ctx->json)
		puts("{\"event\":\"lost\",\"count\":null}");
	else if (count)
		printf("-- %llu events were lost here: they came faster than they were read --\n",
		       count);
	else
		puts("-- events were lost here: they came faster than they were read --");
}

static void read_event(struct monitor *mon, struct nlmsghdr *hdr)
{
	const struct event_kind *kind;
	struct genlmsghdr *genl;
	struct attr_msg msg;
	__u64 seq;

	if (hdr->nlmsg_type != mon->family || !genlmsg_valid_hdr(hdr, 0))
		return;
	genl = genlmsg_hdr(hdr);
	if (genl->cmd == MRC_CMD_CONN_EVENT)
		kind = &conn_kind;
	else if (genl->cmd == MRC_CMD_PATH_EVENT)
		kind = &path_kind;
	else
		return;
	if (attr_parse(&msg, kind->set, genlmsg_attrdata(genl, 0),
		       genlmsg_attrlen(genl, 0)))
		return;
	seq = attr_number(&msg, kind->seq);
	if (mon->overrun && mon->seq && seq > mon->seq + 1) {
		print_lost(mon->ctx, seq - mon->seq - 1);
		mon->overrun = false;
	}
	mon->seq = seq;
	print_event(mon->ctx, kind, &msg);
}

/* Waits for a notice; false: nobody reads our output any more. */
static bool wait_event(const struct monitor *mon)
{
	struct pollfd fds[] = {
		{ .fd = mon->fd, .events = POLLIN },
		{ .fd = STDOUT_FILENO },
	};

	while (poll(fds, ARRAY_SIZE(fds), -1) < 0 && errno == EINTR)
		;
	return !(fds[1].revents & (POLLERR | POLLHUP));
}

/*
 * Reads what is there. The kernel reports an overrun before the notices that
 * were queued when it happened: the gap in their numbers shows where it was.
 * Returns false with errno set when the socket failed.
 */
static bool read_events(struct monitor *mon)
{
	struct nlmsghdr *hdr;
	int len;

	for (;;) {
		len = recv(mon->fd, mon->buf, BUFFER_SIZE, MSG_DONTWAIT);
		if (len < 0 && errno == ENOBUFS)
			mon->overrun = true;
		if (len < 0 && (errno == ENOBUFS || errno == EINTR))
			continue;
		if (len < 0)
			break;
		for (hdr = (struct nlmsghdr *)mon->buf; nlmsg_ok(hdr, len);
		     hdr = nlmsg_next(hdr, &len))
			read_event(mon, hdr);
	}
	return errno == EAGAIN;
}

static int follow(struct monitor *mon)
{
	while (wait_event(mon)) {
		if (!read_events(mon))
			return fail(mon->ctx, EXIT_REFUSED, NULL,
				    "netlink: %s", strerror(errno));
		/* Nothing came after the loss: it ends the list so far. */
		if (mon->overrun) {
			print_lost(mon->ctx, 0);
			mon->overrun = false;
		}
		if (ferror(stdout))
			return EXIT_REFUSED;
	}
	return EXIT_OK;
}

static int join(const struct ctx *ctx, struct nl_sock *sk)
{
	int group;

	nl_socket_set_buffer_size(sk, RECEIVE_MEMORY, 0);
	group = genl_ctrl_resolve_grp(sk, MRC_FAMILY_NAME, MRC_MCGRP_EVENTS);
	if (group >= 0 && !nl_socket_add_membership(sk, group))
		return EXIT_OK;
	return fail(ctx, EXIT_REFUSED, NULL,
		    "the kernel does not offer the group of events");
}

static int run_monitor(const struct ctx *ctx, int argc, char **argv)
{
	struct monitor mon = { .ctx = ctx };
	struct nl_sock *sk;
	int status;

	status = args_none(ctx, argc, argv);
	if (!status)
		status = nl_family_open(ctx, &sk, &mon.family);
	if (status)
		return status;
	status = join(ctx, sk);
	mon.fd = nl_socket_get_fd(sk);
	mon.buf = malloc(BUFFER_SIZE);
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!status)
		status = mon.buf ? follow(&mon) :
			 fail(ctx, EXIT_REFUSED, NULL, "out of memory");
	free(mon.buf);
	nl_socket_free(sk);
	return status;
}

const struct command cmd_monitor = {
	.object		= "monitor",
	.args		= "",
	.help		= "print changes of connections and paths as they happen",
	.run		= run_monitor,
};
