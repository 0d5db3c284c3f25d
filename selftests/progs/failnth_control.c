// SPDX-License-Identifier: GPL-2.0
/*
 * Operations of mrc_failnth on options, and by netlink.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include "failnth.h"
#include "genl.h"

static int ask_info(struct rig *rig)
{
	static char info[65536];
	socklen_t len = sizeof(info);

	return getsockopt(rig->client, SOL_MRC, MRC_INFO, info, &len) ?
	       -errno : 0;
}

static int share_port(struct rig *rig)
{
	struct sockaddr_in any = { .sin_family = AF_INET };
	int one = 1;

	if (setsockopt(rig->fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof(one)))
		return -errno;
	return bind(rig->fd, (struct sockaddr *)&any, sizeof(any)) ?
	       -errno : 0;
}

static bool can_share(struct rig *rig, int err)
{
	if (err && share_port(rig))
		return false;
	return !listen(rig->fd, 4);
}

static bool still_flows(struct rig *rig, int err)
{
	(void)err;
	return rig_flows(rig->client, rig->server, 10000) &&
	       rig_flows(rig->server, rig->client, 10000);
}

static struct genl genl;

static bool with_netlink(struct rig *rig)
{
	struct timeval limit = { .tv_sec = 10 };

	if (rig->fd >= 0)
		close(rig->fd);
	rig->fd = -1;
	if (genl_open(&genl))
		return false;
	rig->fd = genl.fd;
	return !setsockopt(rig->fd, SOL_SOCKET, SO_RCVTIMEO, &limit,
			   sizeof(limit));
}

/* The case gives this address to the loopback device. */
#define ENDPOINT	0x0a090001

static int change_endpoint(int cmd)
{
	struct {
		struct nlattr attr;
		struct in_addr addr;
	} req = {
		.attr = {
			.nla_len = sizeof(req),
			.nla_type = MRC_A_ENDPOINT_ADDRESS,
		},
		.addr.s_addr = htonl(ENDPOINT),
	};
	char buf[8192];
	int rc;

	rc = genl_do(&genl, cmd, &req, sizeof(req), buf, sizeof(buf));
	return rc < 0 ? rc : 0;
}

static int add_endpoint(struct rig *rig)
{
	(void)rig;
	return change_endpoint(MRC_CMD_ENDPOINT_ADD);
}

static int del_endpoint(struct rig *rig)
{
	(void)rig;
	return change_endpoint(MRC_CMD_ENDPOINT_DEL);
}

/* It was added or it was not: then it can be now. */
static bool added(struct rig *rig, int err)
{
	/* An answer that was lost may have been a yes. */
	if (err && with_netlink(rig))
		err = add_endpoint(rig);
	if (err && err != -EEXIST)
		return false;
	return !del_endpoint(rig) && still_flows(rig, 0);
}

static bool with_endpoint(struct rig *rig)
{
	return with_netlink(rig) && !add_endpoint(rig);
}

static bool deleted(struct rig *rig, int err)
{
	if (err && with_netlink(rig))
		err = del_endpoint(rig);
	return (!err || err == -ENOENT) && still_flows(rig, 0);
}

static int list(int cmd)
{
	static char buf[65536];
	int n = genl_dump(&genl, cmd, NULL, 0, buf, sizeof(buf));

	return n < 0 ? n : 0;
}

static int list_conns(struct rig *rig)
{
	(void)rig;
	return list(MRC_CMD_CONN_GET);
}

static int list_paths(struct rig *rig)
{
	(void)rig;
	return list(MRC_CMD_PATH_GET);
}

static int list_endpoints(struct rig *rig)
{
	(void)rig;
	return list(MRC_CMD_ENDPOINT_GET);
}

/* What was left in the middle holds nothing up. */
static bool lists(struct rig *rig, int err)
{
	if (err && !with_netlink(rig))
		return false;
	return !list_conns(rig) && still_flows(rig, 0);
}

const struct op ops_control[] = {
	{ "MRC_INFO", SOCK_STREAM, true, .act = ask_info,
	  .judge = still_flows },
	{ "SO_REUSEPORT", SOCK_STREAM, .prepare = rig_has_socket,
	  .act = share_port, .judge = can_share },
	{ "endpoint add", SOCK_STREAM, true, .prepare = with_netlink,
	  .act = add_endpoint, .judge = added },
	{ "endpoint del", SOCK_STREAM, true, .prepare = with_endpoint,
	  .act = del_endpoint, .judge = deleted },
	{ "endpoint show", SOCK_STREAM, true, .prepare = with_netlink,
	  .act = list_endpoints, .judge = lists },
	{ "conn show", SOCK_STREAM, true, .prepare = with_netlink,
	  .act = list_conns, .judge = lists },
	{ "path show", SOCK_STREAM, true, .prepare = with_netlink,
	  .act = list_paths, .judge = lists },
	{ },
};
