// SPDX-License-Identifier: GPL-2.0
/*
 * connect() of AF_MRC to a host that has none, with nothing remembered.
 */
#include "fallback_peer.h"
#include <pthread.h>

TEST_F(fall, nonblocking)
{
	int fd = mrc_socket(variant), epoll = epoll_create1(0);
	struct epoll_event event = { .events = EPOLLOUT | EPOLLET };

	if (!peer(variant, &self->addr))
		SKIP(return, "no peer");
	ASSERT_EQ(0, set_nonblock(fd));
	EXPECT_ERRNO(EINPROGRESS, connect_any(fd, &self->addr));
	ASSERT_EQ(0, epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event));
	ASSERT_EQ(1, epoll_wait(epoll, &event, 1, PATIENCE));
	EXPECT_EQ(EPOLLOUT, event.events);
	EXPECT_EQ(0, get_opt(fd, SOL_SOCKET, SO_ERROR));
	EXPECT_EQ(number("MRC_PEER_REASON"), reason_of(fd));
	EXPECT_TRUE(echoes(fd));
}

/**
 * struct shared - what the threads of a test work on
 * @fd: socket
 * @addr: where it connects to
 */
struct shared {
	int fd;
	union any_addr addr;
};

static void *begin(void *arg)
{
	struct shared *shared = arg;

	return (void *)(long)connect_any(shared->fd, &shared->addr);
}

static void *write_byte(void *arg)
{
	struct shared *shared = arg;

	return (void *)(long)send(shared->fd, "w", 1, MSG_NOSIGNAL);
}

/* Threads that wait in connect(), send() and recv() while it changes. */
TEST_F(fall, blocked_threads)
{
	struct shared arg = { .fd = mrc_socket(variant) };
	void *connected, *written;
	pthread_t threads[2];
	char byte;

	if (!peer(variant, &self->addr))
		SKIP(return, "no peer");
	arg.addr = self->addr;
	ASSERT_EQ(0, pthread_create(&threads[0], NULL, begin, &arg));
	usleep(20000);
	ASSERT_EQ(0, pthread_create(&threads[1], NULL, write_byte, &arg));
	EXPECT_EQ(1, recv(arg.fd, &byte, 1, 0)) TH_LOG("%s", strerror(errno));
	EXPECT_EQ('w', byte);
	pthread_join(threads[0], &connected);
	pthread_join(threads[1], &written);
	EXPECT_EQ(NULL, connected);
	EXPECT_EQ((void *)1, written);
	EXPECT_EQ(number("MRC_PEER_REASON"), reason_of(arg.fd));
}

/* No ICMP and no silence leads a strict socket to TCP. */
TEST_F(fall, strict)
{
	int fd = strict_socket(variant);

	if (!peer(variant, &self->addr))
		SKIP(return, "no peer");
	ASSERT_EQ(0, set_opt(fd, IPPROTO_TCP, TCP_SYNCNT, 3));
	EXPECT_ERRNO(ETIMEDOUT, connect_any(fd, &self->addr));
}

TEST_HARNESS_MAIN
