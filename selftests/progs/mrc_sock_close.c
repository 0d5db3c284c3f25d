// SPDX-License-Identifier: GPL-2.0
/*
 * Socket surface, part 5: shutdown, close, linger and reset. See
 * sock_fixture.h; run by cases/basic_socket.sh.
 */
#include "sock_fixture.h"

static int set_linger(int fd, int on, int seconds)
{
	struct linger linger = { .l_onoff = on, .l_linger = seconds };

	return setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
}

TEST_F(sock, half_close)
{
	char data[8];

	EXPECT_EQ(3, send(self->client, "req", 3, 0));
	ASSERT_EQ(0, shutdown(self->client, SHUT_WR));
	EXPECT_EQ(3, recv_all(self->server, data, sizeof(data)));
	EXPECT_EQ(0, recv(self->server, data, 1, 0));
	/* The other direction still works. */
	EXPECT_EQ(5, send(self->server, "reply", 5, 0));
	EXPECT_EQ(5, recv_all(self->client, data, 5));
	EXPECT_EQ(0, memcmp(data, "reply", 5));
	ASSERT_EQ(0, shutdown(self->server, SHUT_WR));
	EXPECT_EQ(0, recv_all(self->client, data, 1));
	EXPECT_ERRNO(EPIPE, send(self->client, "x", 1, MSG_NOSIGNAL));
}

TEST_F(sock, shutdown_read)
{
	char byte;

	ASSERT_EQ(0, shutdown(self->server, SHUT_RD));
	EXPECT_EQ(0, recv(self->server, &byte, 1, 0));
	EXPECT_EQ(1, send(self->client, "x", 1, MSG_NOSIGNAL));
	EXPECT_EQ(1, send(self->server, "y", 1, MSG_NOSIGNAL));
	EXPECT_EQ(1, recv_all(self->client, &byte, 1));
}

TEST_F(sock, shutdown_bad)
{
	int fd = socket(variant->family, SOCK_STREAM, 0);

	EXPECT_ERRNO(ENOTCONN, shutdown(fd, SHUT_WR));
	EXPECT_ERRNO(EINVAL, shutdown(self->client, 3));
	EXPECT_ERRNO(EINVAL, shutdown(self->client, -1));
	EXPECT_EQ(0, shutdown(self->client, SHUT_WR));
	EXPECT_EQ(0, shutdown(self->client, SHUT_WR));
	close(fd);
}

TEST_F(sock, shutdown_wakes_reader)
{
	struct timespec ts = { .tv_nsec = 50000000 };
	pid_t child = fork();
	char byte;

	if (!child) {
		nanosleep(&ts, NULL);
		_exit(shutdown(self->server, SHUT_RDWR));
	}
	EXPECT_EQ(0, recv(self->server, &byte, 1, 0));
	waitpid(child, NULL, 0);
}

TEST_F_SIGNAL(sock, write_after_shutdown, SIGPIPE)
{
	ASSERT_EQ(0, shutdown(self->client, SHUT_WR));
	send(self->client, "x", 1, 0);
}

TEST_F(sock, close_then_data_then_end)
{
	char data[8];

	EXPECT_EQ(4, send(self->client, "last", 4, 0));
	close(self->client);
	EXPECT_EQ(4, recv_all(self->server, data, sizeof(data)));
	EXPECT_EQ(0, recv(self->server, data, 1, 0));
	EXPECT_EQ(0, recv(self->server, data, 1, 0));
	EXPECT_EQ(0, get_opt(self->server, SOL_SOCKET, SO_ERROR));
}

TEST_F(sock, unread_data_resets)
{
	char byte;

	EXPECT_EQ(1, send(self->client, "x", 1, 0));
	ASSERT_NE(0, poll_for(self->server, POLLIN, PATIENCE));
	close(self->server);
	ASSERT_NE(0, poll_for(self->client, POLLIN, PATIENCE));
	EXPECT_ERRNO(ECONNRESET, recv(self->client, &byte, 1, 0));
	EXPECT_ERRNO(EPIPE, send(self->client, "x", 1, MSG_NOSIGNAL));
	EXPECT_EQ(0, recv(self->client, &byte, 1, 0));
}

TEST_F(sock, linger_zero_resets)
{
	char byte;

	ASSERT_EQ(0, set_linger(self->server, 1, 0));
	close(self->server);
	ASSERT_NE(0, poll_for(self->client, POLLIN, PATIENCE));
	EXPECT_ERRNO(ECONNRESET, recv(self->client, &byte, 1, 0));
}

TEST_F(sock, write_to_closed)
{
	long long end = now_ms() + PATIENCE;
	ssize_t n = 1;

	close(self->server);
	ASSERT_NE(0, poll_for(self->client, POLLIN, PATIENCE));
	/* The first write finds out, a later one is told. */
	while (n > 0 && now_ms() < end) {
		errno = 0;
		n = send(self->client, "x", 1, MSG_NOSIGNAL);
	}
	EXPECT_EQ(-1, n);
	EXPECT_TRUE(errno == EPIPE || errno == ECONNRESET)
		TH_LOG("%s", strerror(errno));
}

TEST_F(sock, close_delivers_unsent)
{
	size_t sent;
	char byte;

	ASSERT_EQ(0, set_opt(self->client, SOL_SOCKET, SO_SNDBUF, 1 << 20));
	sent = send_full(self->client);
	EXPECT_LT(0, sent);
	close(self->client);
	EXPECT_EQ(0, drain(self->server, sent));
	EXPECT_EQ(0, recv_all(self->server, &byte, 1));
	EXPECT_EQ(0, get_opt(self->server, SOL_SOCKET, SO_ERROR));
}

TEST_F(sock, linger_waits)
{
	struct timespec ts = { .tv_nsec = 100000000 };
	long long start;
	size_t sent;
	pid_t child;

	ASSERT_EQ(0, set_linger(self->client, 1, 10));
	sent = send_full(self->client);
	child = fork();
	if (!child) {
		close(self->client);
		nanosleep(&ts, NULL);
		_exit(drain(self->server, sent) != 0);
	}
	close(self->server);
	start = now_ms();
	EXPECT_EQ(0, close(self->client));
	EXPECT_GT(10000, now_ms() - start);
	EXPECT_EQ(child, waitpid(child, &(int){ 0 }, 0));
}

TEST_F(sock, linger_times_out)
{
	long long start;

	/* Nobody reads: close gives up after the time it was given. */
	ASSERT_EQ(0, set_linger(self->client, 1, 1));
	send_full(self->client);
	start = now_ms();
	EXPECT_EQ(0, close(self->client));
	EXPECT_LE(900, now_ms() - start);
	EXPECT_GT(PATIENCE, now_ms() - start);
}

TEST_F(sock, duplicate)
{
	int copy = dup(self->client);
	char byte;

	ASSERT_LE(0, copy);
	close(self->client);
	EXPECT_EQ(1, send(copy, "x", 1, 0));
	EXPECT_EQ(1, recv_all(self->server, &byte, 1));
	close(copy);
	EXPECT_EQ(0, recv_all(self->server, &byte, 1));
}

TEST_F(sock, killed_process)
{
	pid_t child = fork();
	char byte;

	if (!child)
		for (;;)
			pause();
	/* The child's copy keeps the connection open ... */
	close(self->client);
	EXPECT_EQ(0, poll_for(self->server, POLLIN, QUIET));
	/* ... until the child is gone. */
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	EXPECT_NE(0, poll_for(self->server, POLLIN, PATIENCE));
	EXPECT_EQ(0, recv(self->server, &byte, 1, 0));
}

TEST_F(sock, simultaneous_close)
{
	char byte;
	int i;

	for (i = 0; i < 50; i++) {
		int client = open_client(variant->family, &self->addr);
		int server = accept(self->listener, NULL, NULL);

		ASSERT_LE(0, client);
		ASSERT_LE(0, server);
		ASSERT_EQ(0, shutdown(client, SHUT_WR));
		ASSERT_EQ(0, shutdown(server, SHUT_WR));
		EXPECT_EQ(0, recv_all(client, &byte, 1));
		EXPECT_EQ(0, recv_all(server, &byte, 1));
		EXPECT_EQ(0, get_opt(client, SOL_SOCKET, SO_ERROR));
		close(client);
		close(server);
	}
}

TEST_F(sock, close_while_connecting)
{
	int i, fd;

	ASSERT_EQ(0, listen(self->listener, 64));
	for (i = 0; i < 50; i++) {
		fd = socket(variant->family, SOCK_STREAM | SOCK_NONBLOCK, 0);
		ASSERT_LE(0, fd);
		connect_in(fd, &self->addr);
		close(fd);
	}
	fd = open_client(variant->family, &self->addr);
	EXPECT_LE(0, fd) TH_LOG("%s", strerror(errno));
	close(fd);
}

TEST_HARNESS_MAIN
