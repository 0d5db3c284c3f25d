/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fixture of the mrc_sock_* programs: every test runs once on TCP and once on
 * AF_MRC, on loopback, and expects the same. Where AF_MRC differs on purpose,
 * the test says so with a branch on variant->mrc and the reason beside it.
 * Each program includes this once, after defining nothing.
 */
#ifndef MRC_SELFTESTS_SOCK_FIXTURE_H
#define MRC_SELFTESTS_SOCK_FIXTURE_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <linux/types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <linux/mrc.h>
#include "kselftest_harness.h"

/* The harness compares with a plain 0 whatever the other side's type. */
#pragma GCC diagnostic ignored "-Wsign-compare"
/* And it hands a variant to tests that have none. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Longest time a test waits for something that must happen, milliseconds. */
#define PATIENCE	8000
/* Time in which something that must not happen would have, milliseconds. */
#define QUIET		100

#define EXPECT_ERRNO(number, call) do { \
	errno = 0; \
	EXPECT_EQ(-1, (call)) TH_LOG("%s succeeded", #call); \
	EXPECT_EQ(number, errno) TH_LOG("%s: %s", #call, strerror(errno)); \
} while (0)

FIXTURE(sock) {
	struct sockaddr_in addr;	/* of the listener */
	int listener;
	int client;
	int server;
};

FIXTURE_VARIANT(sock) {
	int family;
	bool mrc;
};

FIXTURE_VARIANT_ADD(sock, tcp) {
	.family = AF_INET,
	.mrc = false,
};

FIXTURE_VARIANT_ADD(sock, mrc) {
	.family = AF_MRC,
	.mrc = true,
};

static inline void keep_variant(struct __fixture_metadata *fixture,
				struct __fixture_variant_metadata *v)
{
	__LIST_APPEND(fixture->variant, v);
}

/* Leaves only variants that begin with MRC_VARIANT, if there are any. */
static inline void choose_variant(struct __fixture_metadata *fixture)
{
	struct __fixture_variant_metadata *all = fixture->variant, *v, *next;
	const char *only = getenv("MRC_VARIANT");

	if (!only)
		return;
	fixture->variant = NULL;
	for (v = all; v; v = next) {
		next = v->next;
		if (!strncmp(v->name, only, strlen(only)))
			keep_variant(fixture, v);
	}
	if (!fixture->variant)
		fixture->variant = all;
}

/* Runs after the variants above it have been registered. */
#define CHOOSE_VARIANT(fixture) \
	static void __attribute__((constructor)) fixture##_choose(void) \
	{ \
		choose_variant(&_##fixture##_fixture_object); \
	}

CHOOSE_VARIANT(sock)

static inline struct sockaddr_in loopback(__u16 port)
{
	struct sockaddr_in sin = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		.sin_port = htons(port),
	};

	return sin;
}

static inline int bind_in(int fd, const struct sockaddr_in *sin)
{
	return bind(fd, (const struct sockaddr *)sin, sizeof(*sin));
}

static inline int connect_in(int fd, const struct sockaddr_in *sin)
{
	return connect(fd, (const struct sockaddr *)sin, sizeof(*sin));
}

static inline int sockname(int fd, struct sockaddr_in *sin)
{
	socklen_t len = sizeof(*sin);

	return getsockname(fd, (struct sockaddr *)sin, &len);
}

static inline int peername(int fd, struct sockaddr_in *sin)
{
	socklen_t len = sizeof(*sin);

	return getpeername(fd, (struct sockaddr *)sin, &len);
}

static inline int set_opt(int fd, int level, int name, int value)
{
	return setsockopt(fd, level, name, &value, sizeof(value));
}

/* Value of an integer option, INT_MIN when it cannot be read. */
static inline int get_opt(int fd, int level, int name)
{
	socklen_t len = sizeof(int);
	int value = 0;

	return getsockopt(fd, level, name, &value, &len) ? INT_MIN : value;
}

static inline int set_nonblock(int fd)
{
	return fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

/* poll() one descriptor: what happened, 0 on timeout. */
static inline int poll_for(int fd, int events, int ms)
{
	struct pollfd pfd = { .fd = fd, .events = events };

	return poll(&pfd, 1, ms) < 0 ? -1 : pfd.revents;
}

static inline long long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ll + ts.tv_nsec / 1000000;
}

/* Poll until exactly these events are seen; the last seen are returned. */
static inline int poll_until(int fd, int events, int wanted)
{
	long long end = now_ms() + PATIENCE;
	struct timespec ts = { .tv_nsec = 1000000 };
	int seen;

	while ((seen = poll_for(fd, events, 0)) != wanted && now_ms() < end)
		nanosleep(&ts, NULL);
	return seen;
}

/* A listener on an ephemeral loopback port. */
static inline int open_listener(int family, int backlog,
				struct sockaddr_in *addr)
{
	int fd = socket(family, SOCK_STREAM, 0);

	*addr = loopback(0);
	if (fd < 0 || bind_in(fd, addr) || listen(fd, backlog) ||
	    sockname(fd, addr))
		return -1;
	return fd;
}

static inline int open_client(int family, const struct sockaddr_in *addr)
{
	int fd = socket(family, SOCK_STREAM, 0);

	return fd < 0 || connect_in(fd, addr) ? -1 : fd;
}

/* A loopback port on which nobody listens. */
static inline struct sockaddr_in dead_port(int family)
{
	struct sockaddr_in addr;
	int fd = open_listener(family, 1, &addr);

	close(fd);
	return addr;
}

/* Receive exactly @len bytes; the number that came before end or error. */
static inline ssize_t recv_all(int fd, void *data, size_t len)
{
	size_t got = 0;
	ssize_t n;

	while (got < len) {
		if (poll_for(fd, POLLIN, PATIENCE) <= 0)
			break;
		n = recv(fd, (char *)data + got, len - got, 0);
		if (n <= 0)
			break;
		got += n;
	}
	return got;
}

/* Write until the socket takes nothing, and stays so; the bytes taken. */
static inline size_t send_full(int fd)
{
	static char chunk[16384];
	size_t sent = 0, before;
	ssize_t n;

	do {
		before = sent;
		while ((n = send(fd, chunk, sizeof(chunk),
				 MSG_NOSIGNAL | MSG_DONTWAIT)) > 0)
			sent += n;
		poll_for(fd, POLLOUT, QUIET);
	} while (sent != before);
	return sent;
}

/* Read and drop until @bytes have come; what was missing. */
static inline size_t drain(int fd, size_t bytes)
{
	static char chunk[65536];
	size_t left = bytes;
	ssize_t n;

	while (left) {
		n = recv_all(fd, chunk, left < sizeof(chunk) ?
			     left : sizeof(chunk));
		if (n <= 0)
			break;
		left -= n;
	}
	return left;
}

FIXTURE_SETUP(sock)
{
	self->listener = open_listener(variant->family, 16, &self->addr);
	ASSERT_LE(0, self->listener)
		TH_LOG("listener: %s", strerror(errno));
	self->client = open_client(variant->family, &self->addr);
	ASSERT_LE(0, self->client)
		TH_LOG("connect: %s", strerror(errno));
	self->server = accept(self->listener, NULL, NULL);
	ASSERT_LE(0, self->server)
		TH_LOG("accept: %s", strerror(errno));
}

FIXTURE_TEARDOWN(sock)
{
	close(self->listener);
	close(self->client);
	close(self->server);
}

#endif /* MRC_SELFTESTS_SOCK_FIXTURE_H */
