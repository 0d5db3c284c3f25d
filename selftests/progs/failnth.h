/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What mrc_failnth makes run out of memory: operations on a small set of
 * sockets, each with its way to be prepared, done and judged.
 */
#ifndef MRC_SELFTESTS_FAILNTH_H
#define MRC_SELFTESTS_FAILNTH_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <linux/types.h>
#include <linux/mrc.h>

/* More than any socket holds at first. */
#define RIG_BYTES	(1024 * 1024)

/**
 * struct rig - the sockets of one attempt, in AF_MRC on loopback
 * @type: SOCK_STREAM or SOCK_SEQPACKET
 * @addr: of the listener
 * @listener: listens
 * @client: connected to @server, or not yet (-1)
 * @server: accepted, or not yet (-1)
 * @fd: what the operation made; -1: nothing
 * @pipe: for splice
 */
struct rig {
	int type;
	struct sockaddr_in addr;
	int listener;
	int client;
	int server;
	int fd;
	int pipe[2];
};

/**
 * struct op - an operation of which an allocation is to fail
 * @name: of the test
 * @type: of the sockets
 * @connected: wants @client and @server
 * @again: may end with EAGAIN, as with TCP: memory is waited for
 * @prepare: before memory runs out; optional
 * @act: the operation: 0, or a negative errno
 * @judge: whether all is as it must be, after @act ended with the error given
 *	(0: none); memory is back. Optional.
 */
struct op {
	const char *name;
	int type;
	bool connected;
	bool again;
	bool (*prepare)(struct rig *rig);
	int (*act)(struct rig *rig);
	bool (*judge)(struct rig *rig, int err);
};

extern char rig_data[RIG_BYTES];
extern const struct op ops_open[], ops_data[], ops_control[];

bool rig_has_socket(struct rig *rig);
bool rig_flows(int from, int to, size_t bytes);
bool rig_ends(int fd, int err);

#endif /* MRC_SELFTESTS_FAILNTH_H */
