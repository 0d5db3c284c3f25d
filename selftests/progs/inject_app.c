// SPDX-License-Identifier: GPL-2.0
/*
 * The application's side of the injector: sockets of AF_MRC on the module's
 * host, and what the host says of itself.
 */
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>
#include "genl.h"
#include "inject.h"

static int host_socket(int protocol)
{
	int fd;

	net_enter_host();
	fd = socket(AF_MRC, SOCK_STREAM | SOCK_NONBLOCK, protocol);
	if (fd < 0)
		fail("socket: %s", strerror(errno));
	net_leave_host();
	return fd;
}

int app_socket(void)
{
	/* The answers on the wire are what is tested, not TCP. */
	return host_socket(MRCPROTO_IPV4 | MRCPROTO_STRICT);
}

int app_listen(__u16 port, int backlog)
{
	struct sockaddr_in sin = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
	};
	int fd = app_socket(), one = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, (struct sockaddr *)&sin, sizeof(sin)) ||
	    listen(fd, backlog))
		fail("listen: %s", strerror(errno));
	return fd;
}

static void wait_for(int fd, int events, const char *what)
{
	struct pollfd pfd = { .fd = fd, .events = events };

	if (poll(&pfd, 1, patience()) <= 0)
		fail("%s: nothing came", what);
}

int app_accept(int listener)
{
	int fd;

	wait_for(listener, POLLIN, "accept");
	fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
	if (fd < 0)
		fail("accept: %s", strerror(errno));
	return fd;
}

static int begin_connect(int fd, in_addr_t dst, __u16 port)
{
	struct sockaddr_in sin = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = dst,
	};

	if (!connect(fd, (struct sockaddr *)&sin, sizeof(sin)) ||
	    errno != EINPROGRESS)
		fail("connect: %s", strerror(errno));
	return fd;
}

int app_connect(in_addr_t dst, __u16 port)
{
	return begin_connect(app_socket(), dst, port);
}

/* TCP will do, too. */
int app_connect_any(in_addr_t dst, __u16 port)
{
	return begin_connect(host_socket(MRCPROTO_IPV4), dst, port);
}

static int so_error(int fd)
{
	socklen_t len = sizeof(int);
	int err = -1;

	getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len);
	return err;
}

void app_connected(int fd)
{
	wait_for(fd, POLLOUT, "connect");
	must_eq(so_error(fd), 0);
}

/* Exactly these bytes come next. */
void app_read(int fd, const void *data, size_t len)
{
	size_t got = 0;
	ssize_t n;
	char *buf = malloc(len);

	while (got < len) {
		wait_for(fd, POLLIN, "read");
		n = recv(fd, buf + got, len - got, 0);
		if (n <= 0)
			fail("read %zu of %zu bytes: %s", got, len,
			     n ? strerror(errno) : "end");
		got += n;
	}
	must(!data || !memcmp(buf, data, len));
	free(buf);
}

void app_write(int fd, const void *data, size_t len)
{
	must_eq(send(fd, data, len, MSG_NOSIGNAL), len);
}

/* The stream ends here. */
void app_end(int fd)
{
	char byte;

	wait_for(fd, POLLIN, "end of the stream");
	must_eq(recv(fd, &byte, 1, 0), 0);
}

/* The connection has ended, or ends now, with this error. */
void app_error(int fd, int wanted)
{
	struct pollfd pfd = { .fd = fd };

	if (poll(&pfd, 1, patience()) <= 0)
		fail("error %s expected, none came", strerror(wanted));
	must_eq(so_error(fd), wanted);
}

/* Connections (listener) or bytes that are ready: poll() without waiting. */
int app_pending(int fd)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };

	return poll(&pfd, 1, 0) > 0 ? pfd.revents : 0;
}

struct mrc_info *app_info(int fd)
{
	static union {
		struct mrc_info info;
		char room[sizeof(struct mrc_info) +
			  MRC_PATHS_MAX * sizeof(struct mrc_path_info)];
	} u;
	socklen_t len = sizeof(u);

	if (getsockopt(fd, SOL_MRC, MRC_INFO, &u, &len))
		fail("MRC_INFO: %s", strerror(errno));
	return &u.info;
}

int app_state(int fd)
{
	return app_info(fd)->state;
}

void app_state_is(int fd, int state)
{
	must_eq(app_state(fd), state);
}

int app_paths(int fd)
{
	return app_info(fd)->path_count;
}

static struct genl *host_genl(void)
{
	static struct genl genl = { .fd = -1 };

	if (genl.fd >= 0)
		return &genl;
	net_enter_host();
	if (genl_open(&genl))
		fail("generic netlink: %s", strerror(errno));
	net_leave_host();
	return &genl;
}

/* A counter of the module's host. */
__u64 stat_get(const char *name)
{
	static char buf[32768];
	const struct nlattr *stat = NULL, *attr;
	struct genl *genl = host_genl();
	__u64 value = 0;
	int len;

	len = genl_do(genl, MRC_CMD_STATS_GET, NULL, 0, buf, sizeof(buf));
	if (len < 0)
		fail("stats-get: %s", strerror(-len));
	while ((stat = genl_walk(genl_attrs(buf), genl_len(buf), stat))) {
		attr = genl_find(stat, MRC_A_STAT_NAME);
		if (!attr || strcmp(genl_data(attr), name))
			continue;
		attr = genl_find(stat, MRC_A_STAT_VALUE);
		memcpy(&value, genl_data(attr), sizeof(value));
		return value;
	}
	fail("no counter %s", name);
}

/* Raw bytes of a dump as user nobody sees it; their number. */
int app_listing(int cmd, void *buf, size_t size)
{
	struct genl genl;
	int len;

	net_enter_host();
	if (seteuid(65534) || genl_open(&genl))
		fail("netlink as nobody: %s", strerror(errno));
	len = genl_dump(&genl, cmd, NULL, 0, buf, size);
	close(genl.fd);
	if (seteuid(0))
		fail("seteuid: %s", strerror(errno));
	net_leave_host();
	must(len > 0);
	return len;
}

/* Sets a limit, MRC_A_LIMITS_*, of the module's host. */
void app_limit(int limit, unsigned int value)
{
	struct {
		struct nlattr attr;
		__u32 value;
	} req = {
		.attr = { .nla_len = 8, .nla_type = limit },
		.value = value,
	};
	char buf[1024];

	must_eq(genl_do(host_genl(), MRC_CMD_LIMITS_SET, &req, sizeof(req),
			buf, sizeof(buf)), 0);
}
