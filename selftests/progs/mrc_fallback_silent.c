// SPDX-License-Identifier: GPL-2.0
/*
 * connect() of AF_MRC to a host that does not answer it, with nothing
 * remembered: what happens before TCP is tried.
 */
#include "fallback_peer.h"

/* The time-out comes before TCP. */
TEST_F(fall, silent_timeout)
{
	struct timeval tv = { .tv_usec = 300000 };
	long long start = now_ms();
	int fd = mrc_socket(variant);

	if (!peer(variant, &self->addr))
		SKIP(return, "no peer");
	ASSERT_EQ(0, setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &tv, sizeof(tv)));
	EXPECT_ERRNO(EINPROGRESS, connect_any(fd, &self->addr));
	EXPECT_LE(290, now_ms() - start);
	ASSERT_LT(0, poll_for(fd, POLLOUT, PATIENCE));
	EXPECT_EQ(0, connect_any(fd, &self->addr));
	EXPECT_EQ(MRC_FALLBACK_SILENT, reason_of(fd));
	EXPECT_TRUE(echoes(fd));
}

static void on_alarm(int sig)
{
	(void)sig;
}

TEST_F(fall, silent_interrupted)
{
	struct sigaction action = { .sa_handler = on_alarm };
	struct itimerval timer = { .it_value.tv_usec = 100000 };
	int fd = mrc_socket(variant);

	if (!peer(variant, &self->addr))
		SKIP(return, "no peer");
	ASSERT_EQ(0, sigaction(SIGALRM, &action, NULL));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &timer, NULL));
	EXPECT_ERRNO(EINTR, connect_any(fd, &self->addr));
	ASSERT_LT(0, poll_for(fd, POLLOUT, PATIENCE));
	EXPECT_EQ(MRC_FALLBACK_SILENT, reason_of(fd));
	EXPECT_TRUE(echoes(fd));
}

TEST_F(fall, silent_undone)
{
	struct sockaddr none = { .sa_family = AF_UNSPEC };
	long long end = now_ms() + 1500;
	int fd = mrc_socket(variant);

	if (!peer(variant, &self->addr))
		SKIP(return, "no peer");
	ASSERT_EQ(0, set_nonblock(fd));
	EXPECT_ERRNO(EINPROGRESS, connect_any(fd, &self->addr));
	ASSERT_EQ(0, connect(fd, &none, sizeof(none)));
	EXPECT_EQ(ECONNRESET, get_opt(fd, SOL_SOCKET, SO_ERROR));
	while (now_ms() < end) {
		ASSERT_EQ(MRC_FALLBACK_NONE, reason_of(fd));
		ASSERT_EQ(POLLOUT | POLLHUP, poll_for(fd, POLLOUT, 0));
		usleep(10000);
	}
}

/* With few attempts silence is noticed earlier. */
TEST_F(fall, silent_syncnt)
{
	int fd = mrc_socket(variant);
	long long start = now_ms();

	if (!peer(variant, &self->addr))
		SKIP(return, "no peer");
	ASSERT_EQ(0, set_opt(fd, IPPROTO_TCP, TCP_SYNCNT, 1));
	ASSERT_EQ(0, connect_any(fd, &self->addr));
	EXPECT_GE(950, now_ms() - start);
	EXPECT_EQ(MRC_FALLBACK_SILENT, reason_of(fd));
}

TEST_HARNESS_MAIN
