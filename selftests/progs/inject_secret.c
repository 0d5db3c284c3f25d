// SPDX-License-Identifier: GPL-2.0
/*
 * Scripts: what must not be seen by everybody. Who knows an id on the wire can
 * inject data; who knows a token can end a connection.
 */
#include <stdlib.h>
#include <unistd.h>
#include <linux/mrc_netlink.h>
#include "inject.h"

#define ROOM	(256 * 1024)

static bool contains(const void *buf, size_t len, __u64 value)
{
	__u64 swapped = htobe64(value);

	return memmem(buf, len, &value, sizeof(value)) ||
	       memmem(buf, len, &swapped, sizeof(swapped));
}

static void check_listing(int cmd, const struct conn *c)
{
	char *buf = malloc(ROOM);
	int len = app_listing(cmd, buf, ROOM);
	in_addr_t ip = c->ip;

	/* The connection is in it, ... */
	must(memmem(buf, len, &ip, sizeof(ip)));
	/* ... under another name. */
	must(!contains(buf, len, c->cid));
	must(!contains(buf, len, c->peer_cid));
	must(!contains(buf, len, c->token));
	must(!contains(buf, len, c->peer_token));
	must(!contains(buf, len, c->nonce));
	must(!contains(buf, len, c->peer_nonce));
	must(!contains(buf, len, c->key.word[0]));
	must(!contains(buf, len, c->key.word[1]));
	free(buf);
}

static void listings(void)
{
	int listener = app_listen(app_port, 4), fd;
	struct mrc_info *info;
	struct conn c;

	conn_init(&c, us0);
	fd = conn_open(&c, listener);
	check_listing(MRC_CMD_CONN_GET, &c);
	check_listing(MRC_CMD_PATH_GET, &c);
	info = app_info(fd);
	must(!contains(info, sizeof(*info) + info->path_count *
		       sizeof(struct mrc_path_info), c.peer_cid));
}

const struct inject_test tests_secret[] = {
	{ "listings", listings },
	{ }
};
