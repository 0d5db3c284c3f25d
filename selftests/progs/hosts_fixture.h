/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fixture of the mrc_hosts_* programs: a connection from host A to host B of
 * lib/topo.sh, each in its network namespace, over TCP and over AF_MRC. The case
 * tells the namespaces (MRC_HOST_A, MRC_HOST_B) and how many paths AF_MRC is
 * to have (MRC_HOST_PATHS). Each program includes this once.
 */
#ifndef MRC_SELFTESTS_HOSTS_FIXTURE_H
#define MRC_SELFTESTS_HOSTS_FIXTURE_H

#include <pthread.h>
#include <sched.h>
#include "sock_fixture.h"

#define EVENTS (POLLIN | POLLOUT | POLLPRI | POLLRDNORM | POLLRDHUP)
/* Longest time in which the other host must have noticed, milliseconds: many
 * round trips of the paths, and little beside any time-out.
 */
#define SOON	1500

FIXTURE(hosts) {
	struct sockaddr_in addr;	/* of the listener, on host B */
	int listener;
	int client;			/* on host A */
	int server;			/* on host B */
};

FIXTURE_VARIANT(hosts) {
	int family;
	bool mrc;
};

FIXTURE_VARIANT_ADD(hosts, tcp) {
	.family = AF_INET,
	.mrc = false,
};

FIXTURE_VARIANT_ADD(hosts, mrc) {
	.family = AF_MRC,
	.mrc = true,
};

CHOOSE_VARIANT(hosts)

/* Sockets that are made from now on are those of this host. */
static inline int on_host(char host)
{
	const char *name = getenv(host == 'a' ? "MRC_HOST_A" : "MRC_HOST_B");
	char path[128];
	int fd, ret;

	snprintf(path, sizeof(path), "/run/netns/%s", name ?: "");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ret = fd < 0 ? -1 : setns(fd, CLONE_NEWNET);
	close(fd);
	return ret;
}

static inline int path_count(void)
{
	const char *text = getenv("MRC_HOST_PATHS");

	return text ? atoi(text) : 1;
}

/* Address of path @k, @side 1 (host A) or 2 (host B). */
static inline struct sockaddr_in host_addr(int k, int side, __u16 port)
{
	struct sockaddr_in sin = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(0x0a090000 | k << 8 | side),
		.sin_port = htons(port),
	};

	return sin;
}

/* Paths that are cut. */
static bool is_cut[MRC_PATHS_MAX];

/* What comes out of path @k at host @to. */
static inline int ingress(const char *verb, int k, char to, const char *what)
{
	char cmd[256];

	snprintf(cmd, sizeof(cmd), "tc -n $MRC_HOST_%c filter %s dev %c%d %s",
		 to == 'a' ? 'A' : 'B', verb, to, k, what);
	return system(cmd);
}

/* Path @k becomes a black hole; its link stays up. */
static inline int cut(int k)
{
	const char *what = "ingress pref 1 handle 1 matchall action drop";

	is_cut[k] = true;
	return ingress("replace", k, 'b', what) ||
	       ingress("replace", k, 'a', what);
}

static inline int heal(int k)
{
	if (!is_cut[k])
		return 0;
	is_cut[k] = false;
	return ingress("del", k, 'b', "ingress pref 1") ||
	       ingress("del", k, 'a', "ingress pref 1");
}

/* One of several paths: TCP has but one. */
static inline int cut_one(const struct _fixture_variant_hosts *v)
{
	return v->mrc && path_count() > 1 ? cut(0) : 0;
}

static inline int cut_all(void)
{
	int k, ret = 0;

	for (k = 0; k < path_count(); k++)
		ret |= cut(k);
	return ret;
}

static inline void heal_all(void)
{
	int k;

	for (k = 0; k < path_count(); k++)
		heal(k);
}

/* What MRC_INFO says until the next call; NULL: the socket is not of AF_MRC. */
static inline const struct mrc_info *info_of(int fd)
{
	static __u64 room[8192];
	const struct mrc_info *info = (const void *)room;
	socklen_t len = sizeof(room);

	if (getsockopt(fd, SOL_MRC, MRC_INFO, room, &len) ||
	    info->path_size != sizeof(info->paths[0]))
		return NULL;
	return info;
}

/* Paths of a connection in a state; all states for -1; -1: not of AF_MRC. */
static inline int paths_in(int fd, int state)
{
	const struct mrc_info *info = info_of(fd);
	int n = 0;
	__u32 i;

	if (!info)
		return -1;
	for (i = 0; i < info->path_count; i++)
		n += state < 0 || info->paths[i].state == state;
	return n;
}

static inline void pause_ms(int ms)
{
	struct timespec ts = {
		.tv_sec = ms / 1000,
		.tv_nsec = ms % 1000 * 1000000l,
	};

	nanosleep(&ts, NULL);
}

/* Does the connection get @wanted good paths? */
static inline bool paths_become(int fd, int wanted)
{
	long long end = now_ms() + PATIENCE;

	while (paths_in(fd, MRC_PATH_GOOD) != wanted) {
		if (now_ms() > end)
			return false;
		pause_ms(1);
	}
	return true;
}

/* A listener on path 0 of host B; @addr gets its name. */
static inline int host_listener(int family, struct sockaddr_in *addr)
{
	int fd = -1;

	if (on_host('b'))
		return -1;
	fd = socket(family, SOCK_STREAM, 0);
	*addr = host_addr(0, 2, 0);
	if (fd < 0 || set_opt(fd, SOL_SOCKET, SO_REUSEADDR, 1) ||
	    bind_in(fd, addr) || listen(fd, 64) || sockname(fd, addr))
		return -1;
	return fd;
}

/* Connects from host A, with all paths; fds: [0] client, [1] server. */
static inline int host_pair(const struct _fixture_variant_hosts *v, int listener,
			    const struct sockaddr_in *addr, int *fds)
{
	fds[1] = -1;
	if (on_host('a'))
		return -1;
	fds[0] = socket(v->family, SOCK_STREAM, 0);
	if (fds[0] < 0 || connect_in(fds[0], addr))
		return -1;
	fds[1] = accept(listener, NULL, NULL);
	if (fds[1] < 0)
		return -1;
	return !v->mrc || (paths_become(fds[0], path_count()) &&
			   paths_become(fds[1], path_count())) ? 0 : -1;
}

/* What stands at a position of the streams that tests compare. */
static inline unsigned char byte_at(size_t at)
{
	return at * 7 + (at >> 8) * 3 + (at >> 16);
}

static inline void fill_stream(unsigned char *data, size_t at, size_t len)
{
	for (size_t i = 0; i < len; i++)
		data[i] = byte_at(at + i);
}

static inline bool is_stream(const unsigned char *data, size_t at, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (data[i] != byte_at(at + i))
			return false;
	return true;
}

/* Writes bytes @at.. of the stream; what was written. */
static inline size_t write_stream(int fd, size_t at, size_t len)
{
	static __thread unsigned char chunk[65536];
	size_t done = 0, part;
	ssize_t n;

	while (done < len) {
		part = len - done < sizeof(chunk) ? len - done : sizeof(chunk);
		fill_stream(chunk, at + done, part);
		n = send(fd, chunk, part, MSG_NOSIGNAL);
		if (n <= 0)
			break;
		done += n;
	}
	return done;
}

/* Reads bytes @at.. and compares; how many came and were right. */
static inline size_t read_stream(int fd, size_t at, size_t len)
{
	static __thread unsigned char chunk[65536];
	size_t done = 0, part;
	ssize_t n;

	while (done < len) {
		part = len - done < sizeof(chunk) ? len - done : sizeof(chunk);
		if (poll_for(fd, POLLIN, PATIENCE) <= 0)
			break;
		n = recv(fd, chunk, part, 0);
		if (n <= 0 || !is_stream(chunk, at + done, n))
			break;
		done += n;
	}
	return done;
}

FIXTURE_SETUP(hosts)
{
	sigset_t chld;
	int fds[2];

	/* That of system(), called by a thread, would wake the others. */
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	self->client = -1;
	self->server = -1;
	self->listener = host_listener(variant->family, &self->addr);
	ASSERT_LE(0, self->listener)
		TH_LOG("listener: %s", strerror(errno));
	ASSERT_EQ(0, host_pair(variant, self->listener, &self->addr, fds))
		TH_LOG("connect, accept, paths: %s", strerror(errno));
	self->client = fds[0];
	self->server = fds[1];
}

FIXTURE_TEARDOWN(hosts)
{
	heal_all();
	close(self->listener);
	close(self->client);
	close(self->server);
}

#endif /* MRC_SELFTESTS_HOSTS_FIXTURE_H */
