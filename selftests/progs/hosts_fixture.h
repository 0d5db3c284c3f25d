/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the mrc_hosts_* programs share: sockets of either host of lib/topo.sh, each
 * of which is a network namespace. The case tells the namespaces (MRC_HOST_A,
 * MRC_HOST_B) and how many paths AF_MRC is to have (MRC_HOST_PATHS). Each program
 * includes this once.
 */
#ifndef MRC_SELFTESTS_HOSTS_FIXTURE_H
#define MRC_SELFTESTS_HOSTS_FIXTURE_H

#include <sched.h>
#include "sock_fixture.h"

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

#endif /* MRC_SELFTESTS_HOSTS_FIXTURE_H */
