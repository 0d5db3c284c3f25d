// SPDX-License-Identifier: GPL-2.0
/*
 * Socket surface, part 8: SOCK_SEQPACKET. Every test runs once on AF_UNIX,
 * which has had such sockets for long, and once on AF_MRC over loopback. Run
 * by cases/seqpacket.sh.
 */
#include <pthread.h>
#include <sys/un.h>
#include "sock_fixture.h"

#define LARGEST	(1024 * 1024)

FIXTURE(message) {
	int listener;
	int client;
	int server;
	struct sockaddr_in addr;
};

FIXTURE_VARIANT(message) {
	bool mrc;
};

FIXTURE_VARIANT_ADD(message, unix) {
	.mrc = false,
};

FIXTURE_VARIANT_ADD(message, mrc) {
	.mrc = true,
};

static int connect_to(const struct sockaddr_in *addr, int type)
{
	int fd = socket(AF_MRC, type, 0);

	if (fd < 0 || connect_in(fd, addr))
		return -1;
	return fd;
}

FIXTURE_SETUP(message)
{
	int pair[2];

	self->listener = -1;
	if (!variant->mrc) {
		ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair));
		self->client = pair[0];
		self->server = pair[1];
		return;
	}
	self->listener = socket(AF_MRC, SOCK_SEQPACKET, 0);
	ASSERT_GE(self->listener, 0);
	self->addr = loopback(0);
	ASSERT_EQ(0, bind_in(self->listener, &self->addr));
	ASSERT_EQ(0, listen(self->listener, 8));
	ASSERT_EQ(0, sockname(self->listener, &self->addr));
	self->client = connect_to(&self->addr, SOCK_SEQPACKET);
	ASSERT_GE(self->client, 0);
	self->server = accept(self->listener, NULL, NULL);
	ASSERT_GE(self->server, 0);
}

FIXTURE_TEARDOWN(message)
{
	close(self->client);
	close(self->server);
	if (self->listener >= 0)
		close(self->listener);
}

static void fill(unsigned char *data, size_t len, unsigned int seed)
{
	for (size_t i = 0; i < len; i++)
		data[i] = (seed + i * 7) >> (i % 3);
}

/* One recvmsg(); returns its result, the flags in *flags. */
static ssize_t receive(int fd, void *data, size_t len, int ask, int *flags)
{
	struct iovec iov = { .iov_base = data, .iov_len = len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t ret = recvmsg(fd, &msg, ask);

	*flags = msg.msg_flags;
	return ret;
}

TEST_F(message, boundaries)
{
	static const size_t sizes[] = { 1, 1, 2, 1440, 1441, 5000, 1, 60000 };
	static unsigned char out[65536], in[65536];
	int flags;

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		fill(out, sizes[i], i);
		ASSERT_EQ(sizes[i], send(self->client, out, sizes[i], 0));
	}
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		fill(out, sizes[i], i);
		ASSERT_NE(0, poll_for(self->server, POLLIN, PATIENCE));
		ASSERT_EQ(sizes[i], receive(self->server, in, sizeof(in), 0,
					    &flags));
		EXPECT_EQ(0, memcmp(in, out, sizes[i]));
		EXPECT_EQ(0, flags & MSG_TRUNC);
		/* AF_UNIX marks no ends; POSIX wants it. */
		if (variant->mrc)
			EXPECT_EQ(MSG_EOR, flags & MSG_EOR);
	}
}

TEST_F(message, cut_off)
{
	char in[64];
	int flags;

	ASSERT_EQ(26, send(self->client, "abcdefghijklmnopqrstuvwxyz", 26, 0));
	ASSERT_EQ(6, send(self->client, "second", 6, 0));
	ASSERT_EQ(26, send(self->client, "abcdefghijklmnopqrstuvwxyz", 26, 0));
	ASSERT_EQ(5, send(self->client, "fifth", 5, 0));
	ASSERT_NE(0, poll_for(self->server, POLLIN, PATIENCE));
	ASSERT_EQ(3, receive(self->server, in, 3, 0, &flags));
	EXPECT_EQ(0, memcmp(in, "abc", 3));
	EXPECT_EQ(MSG_TRUNC, flags & MSG_TRUNC);
	/* What did not fit is gone. */
	ASSERT_EQ(6, receive(self->server, in, sizeof(in), 0, &flags));
	EXPECT_EQ(0, memcmp(in, "second", 6));
	EXPECT_EQ(0, flags & MSG_TRUNC);
	/* Asked for, the length of the message is returned. */
	ASSERT_EQ(26, receive(self->server, in, 3, MSG_TRUNC, &flags));
	ASSERT_EQ(5, recv(self->server, in, sizeof(in), 0));
	EXPECT_EQ(0, memcmp(in, "fifth", 5));
}

TEST_F(message, peek)
{
	char in[64];
	int flags;

	ASSERT_EQ(5, send(self->client, "first", 5, 0));
	ASSERT_EQ(6, send(self->client, "second", 6, 0));
	for (int i = 0; i < 3; i++) {
		memset(in, 0, sizeof(in));
		ASSERT_EQ(5, receive(self->server, in, sizeof(in), MSG_PEEK,
				     &flags));
		EXPECT_EQ(0, memcmp(in, "first", 5));
	}
	EXPECT_EQ(2, receive(self->server, in, 2, MSG_PEEK, &flags));
	EXPECT_EQ(MSG_TRUNC, flags & MSG_TRUNC);
	EXPECT_EQ(5, recv(self->server, in, sizeof(in), 0));
	EXPECT_EQ(6, recv(self->server, in, sizeof(in), MSG_PEEK));
	EXPECT_EQ(6, recv(self->server, in, sizeof(in), 0));
}

TEST_F(message, one_call_one_message)
{
	struct iovec out[3] = {
		{ .iov_base = "one ", .iov_len = 4 },
		{ .iov_base = "call ", .iov_len = 5 },
		{ .iov_base = "only", .iov_len = 4 },
	};
	char in[64];

	ASSERT_EQ(13, writev(self->client, out, 3));
	ASSERT_EQ(4, write(self->client, "next", 4));
	ASSERT_EQ(13, read(self->server, in, sizeof(in)));
	EXPECT_EQ(0, memcmp(in, "one call only", 13));
	ASSERT_EQ(4, read(self->server, in, sizeof(in)));
}

TEST_F(message, nothing_there)
{
	char in[8];

	EXPECT_ERRNO(EAGAIN, recv(self->server, in, sizeof(in), MSG_DONTWAIT));
	EXPECT_EQ(0, poll_for(self->server, POLLIN, QUIET) & POLLIN);
	ASSERT_EQ(1, send(self->client, "x", 1, 0));
	EXPECT_EQ(POLLIN, poll_for(self->server, POLLIN, PATIENCE) & POLLIN);
	EXPECT_EQ(1, recv(self->server, in, sizeof(in), 0));
	EXPECT_ERRNO(EAGAIN, recv(self->server, in, sizeof(in), MSG_DONTWAIT));
}

TEST_F(message, sizes)
{
	unsigned char *out = malloc(LARGEST + 1), *in = malloc(LARGEST + 1);
	pid_t child;
	int status;

	ASSERT_TRUE(out && in);
	/* AF_UNIX is limited by its send buffer. */
	if (!variant->mrc) {
		EXPECT_EQ(0, set_opt(self->client, SOL_SOCKET, SO_SNDBUF,
				     4096));
		EXPECT_ERRNO(EMSGSIZE, send(self->client, out, LARGEST, 0));
		free(out);
		free(in);
		return;
	}
	EXPECT_ERRNO(EMSGSIZE, send(self->client, out, LARGEST + 1, 0));
	EXPECT_ERRNO(EMSGSIZE, send(self->client, out, 0, 0));
	/* Also with the smallest of buffers, as it was promised. */
	EXPECT_EQ(0, set_opt(self->server, SOL_SOCKET, SO_RCVBUF, 4096));
	EXPECT_EQ(0, set_opt(self->client, SOL_SOCKET, SO_SNDBUF, 4096));
	child = fork();
	ASSERT_GE(child, 0);
	if (!child) {
		for (int i = 0; i < 3; i++) {
			fill(out, LARGEST, i);
			if (send(self->client, out, LARGEST, 0) != LARGEST)
				_exit(1);
		}
		_exit(0);
	}
	for (int i = 0; i < 3; i++) {
		fill(out, LARGEST, i);
		ASSERT_NE(0, poll_for(self->server, POLLIN, PATIENCE));
		ASSERT_EQ(LARGEST, recv(self->server, in, LARGEST + 1, 0));
		EXPECT_EQ(0, memcmp(in, out, LARGEST));
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	free(out);
	free(in);
}

TEST_F(message, fill_and_drain)
{
	static char data[3000];
	int sent = 0, got = 0, flags;

	while (send(self->client, data, 1 + sent % sizeof(data),
		    MSG_DONTWAIT) > 0)
		sent++;
	EXPECT_EQ(EAGAIN, errno);
	EXPECT_GT(sent, 1);
	while (got < sent) {
		ASSERT_NE(0, poll_for(self->server, POLLIN, PATIENCE));
		ASSERT_EQ(1 + got % sizeof(data),
			  receive(self->server, data, sizeof(data), 0, &flags));
		got++;
	}
	EXPECT_NE(0, poll_for(self->client, POLLOUT, PATIENCE) & POLLOUT);
	EXPECT_ERRNO(EAGAIN, recv(self->server, data, 1, MSG_DONTWAIT));
}

TEST_F(message, end)
{
	char in[8];

	ASSERT_EQ(4, send(self->client, "last", 4, 0));
	ASSERT_EQ(0, shutdown(self->client, SHUT_WR));
	EXPECT_EQ(4, recv(self->server, in, sizeof(in), 0));
	EXPECT_EQ(0, recv(self->server, in, sizeof(in), 0));
	EXPECT_EQ(0, recv(self->server, in, sizeof(in), 0));
	ASSERT_EQ(5, send(self->server, "reply", 5, 0));
	EXPECT_EQ(5, recv(self->client, in, sizeof(in), 0));
	EXPECT_ERRNO(EPIPE, send(self->client, "x", 1, MSG_NOSIGNAL));
}

TEST_F(message, next_length)
{
	char in[8];
	int bytes;

	ASSERT_EQ(4, send(self->client, "four", 4, 0));
	ASSERT_EQ(6, send(self->client, "second", 6, 0));
	ASSERT_NE(0, poll_for(self->server, POLLIN, PATIENCE));
	ASSERT_EQ(0, ioctl(self->server, FIONREAD, &bytes));
	/* AF_UNIX counts all messages. */
	EXPECT_EQ(variant->mrc ? 4 : 10, bytes);
	ASSERT_EQ(4, recv(self->server, in, sizeof(in), 0));
	ASSERT_NE(0, poll_for(self->server, POLLIN, PATIENCE));
	ASSERT_EQ(0, ioctl(self->server, FIONREAD, &bytes));
	EXPECT_EQ(6, bytes);
}

TEST_F(message, types_do_not_mix)
{
	struct sockaddr_in addr = loopback(0);
	int fd, stream;

	EXPECT_EQ(SOCK_SEQPACKET, get_opt(self->client, SOL_SOCKET, SO_TYPE));
	EXPECT_EQ(SOCK_SEQPACKET, get_opt(self->server, SOL_SOCKET, SO_TYPE));
	/* A pair has no listener. */
	if (!variant->mrc)
		return;
	fd = socket(AF_MRC, SOCK_STREAM, 0);
	EXPECT_ERRNO(EPROTOTYPE, connect_in(fd, &self->addr));
	close(fd);
	stream = socket(AF_MRC, SOCK_STREAM, 0);
	ASSERT_EQ(0, bind_in(stream, &addr));
	ASSERT_EQ(0, listen(stream, 1));
	ASSERT_EQ(0, sockname(stream, &addr));
	fd = socket(AF_MRC, SOCK_SEQPACKET, 0);
	EXPECT_ERRNO(EPROTOTYPE, connect_in(fd, &addr));
	close(fd);
	close(stream);
	EXPECT_ERRNO(ESOCKTNOSUPPORT, socket(AF_MRC, SOCK_DGRAM, 0));
}

TEST_F(message, unordered_option)
{
	int stream = socket(AF_MRC, SOCK_STREAM, 0), on = 1, fd;

	if (!variant->mrc) {
		close(stream);
		return;
	}
	EXPECT_EQ(0, get_opt(self->client, SOL_MRC, MRC_UNORDERED));
	ASSERT_EQ(0, set_opt(self->client, SOL_MRC, MRC_UNORDERED, 1));
	EXPECT_EQ(1, get_opt(self->client, SOL_MRC, MRC_UNORDERED));
	EXPECT_ERRNO(EINVAL, setsockopt(self->client, SOL_MRC, MRC_UNORDERED,
					&on, 2));
	EXPECT_ERRNO(EOPNOTSUPP, set_opt(stream, SOL_MRC, MRC_UNORDERED, 1));
	EXPECT_ERRNO(ENOPROTOOPT, set_opt(self->client, SOL_MRC, 99, 1));
	close(stream);
	/* A connection has it from its listener. */
	ASSERT_EQ(0, set_opt(self->listener, SOL_MRC, MRC_UNORDERED, 1));
	stream = connect_to(&self->addr, SOCK_SEQPACKET);
	fd = accept(self->listener, NULL, NULL);
	ASSERT_GE(fd, 0);
	EXPECT_EQ(1, get_opt(fd, SOL_MRC, MRC_UNORDERED));
	close(fd);
	close(stream);
}

TEST_F(message, bad_memory_keeps_the_message)
{
	char in[8];

	ASSERT_EQ(4, send(self->client, "kept", 4, 0));
	ASSERT_NE(0, poll_for(self->server, POLLIN, PATIENCE));
	EXPECT_ERRNO(EFAULT, send(self->client, (void *)1, 100, 0));
	if (variant->mrc)
		EXPECT_ERRNO(EFAULT, recv(self->server, (void *)1, 4, 0));
	EXPECT_EQ(4, recv(self->server, in, sizeof(in), 0));
	/* The message that could not be copied was not begun. */
	EXPECT_ERRNO(EAGAIN, recv(self->server, in, sizeof(in), MSG_DONTWAIT));
	ASSERT_EQ(5, send(self->client, "again", 5, 0));
	EXPECT_EQ(5, recv(self->server, in, sizeof(in), 0));
}

TEST_HARNESS_MAIN
