// SPDX-License-Identifier: GPL-2.0
/*
 * mrcctl conn: connections and listening sockets.
 */
#include <linux/mrc_netlink.h>
#include <stdio.h>
#include <string.h>
#include "args.h"
#include "attr_gen.h"
#include "nl.h"
#include "out.h"

static const struct out_col columns[] = {
	{ "conn", "CONN", OUT_ID, MRC_A_CONN_ID, 0 },
	{ "type", "TYPE", OUT_NAME, MRC_A_CONN_TYPE, 0 },
	{ "state", "STATE", OUT_NAME, MRC_A_CONN_STATE, 0 },
	{ "fallback", "FALLBACK", OUT_NAME, MRC_A_CONN_FALLBACK, 0 },
	{ "server", NULL, OUT_BOOL, MRC_A_CONN_SERVER, 0 },
	{ "local", "LOCAL", OUT_ADDR, MRC_A_CONN_LOCAL_ADDR,
	  MRC_A_CONN_LOCAL_PORT },
	{ "remote", "REMOTE", OUT_ADDR, MRC_A_CONN_REMOTE_ADDR,
	  MRC_A_CONN_REMOTE_PORT },
	{ "dev", NULL, OUT_DEV, MRC_A_CONN_IFINDEX, 0 },
	{ "uid", "UID", OUT_NUMBER, MRC_A_CONN_UID, 0 },
	{ "inode", NULL, OUT_NUMBER, MRC_A_CONN_INODE, 0 },
	{ "paths", "PATHS", OUT_NUMBER, MRC_A_CONN_PATHS, 0 },
	{ "mss", NULL, OUT_NUMBER, MRC_A_CONN_MSS, 0 },
	{ "rate", "RATE", OUT_STRING, MRC_A_CONN_RATE, 0 },
	{ "sched", "SCHED", OUT_STRING, MRC_A_CONN_SCHED, 0 },
	{ "class", "CLASS", OUT_NAME, MRC_A_CONN_CLASS, 0 },
	{ "snd_queue", "SNDQ", OUT_BYTES, MRC_A_CONN_SND_QUEUE, 0 },
	{ "unsent", NULL, OUT_BYTES, MRC_A_CONN_UNSENT, 0 },
	{ "snd_window", "WINDOW", OUT_BYTES, MRC_A_CONN_SND_WINDOW, 0 },
	{ "rcv_queue", "RCVQ", OUT_BYTES, MRC_A_CONN_RCV_QUEUE, 0 },
	{ "reorder_queue", "REORDER", OUT_BYTES, MRC_A_CONN_REORDER_QUEUE, 0 },
	{ "sent_bytes", "SENT", OUT_BYTES, MRC_A_CONN_SENT_BYTES, 0 },
	{ "acked_bytes", "ACKED", OUT_BYTES, MRC_A_CONN_ACKED_BYTES, 0 },
	{ "received_bytes", "RECEIVED", OUT_BYTES, MRC_A_CONN_RECEIVED_BYTES,
	  0 },
	{ "accept_queue", NULL, OUT_NUMBER, MRC_A_CONN_ACCEPT_QUEUE, 0 },
	{ "backlog", NULL, OUT_NUMBER, MRC_A_CONN_BACKLOG, 0 },
};

static int run_show(const struct ctx *ctx, int argc, char **argv)
{
	const char *word;
	struct nl_req req;
	__u64 id;
	int status;

	status = args_conn_filter(ctx, argc, argv, &word, &id);
	if (!status)
		status = nl_req_open(&req, ctx, MRC_CMD_CONN_GET, true,
				     &attr_set_conn);
	if (status)
		return status;
	if (word)
		nl_req_u64(&req, MRC_A_CONN_ID, id, word);
	return out_table(ctx, &req, columns, ARRAY_SIZE(columns));
}

static int print_id(const struct attr_msg *msg, void *arg)
{
	__u64 id = attr_number(msg, MRC_A_CONN_ID);

	(void)arg;
	if (id)
		printf("%016llx\n", (unsigned long long)id);
	return 0;
}

/**
 * cmd_conn_complete() - print the ids that can follow "conn"
 * @prev: word before the one to be completed
 */
void cmd_conn_complete(const char *prev)
{
	struct nl_req req;

	if (strcmp(prev, "conn") ||
	    nl_req_open(&req, NULL, MRC_CMD_CONN_GET, true, &attr_set_conn))
		return;
	req.visit = print_id;
	nl_req_run(&req);
}

static const char * const words[] = { "conn", NULL };

const struct command cmd_conn_show = {
	.object		= "conn",
	.verb		= "show",
	.fallback	= true,
	.args		= "[conn ID]",
	.help		= "list connections and listening sockets",
	.words		= words,
	.complete	= cmd_conn_complete,
	.run		= run_show,
};
