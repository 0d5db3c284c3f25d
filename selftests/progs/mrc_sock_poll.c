// SPDX-License-Identifier: GPL-2.0
/*
 * Socket surface, part 4: poll, select and epoll, level and edge. See
 * sock_fixture.h; run by cases/basic_socket.sh.
 */
#include "sock_fixture.h"

#define ALL (POLLIN | POLLOUT | POLLPRI | POLLRDNORM | POLLRDHUP)
#define READABLE (POLLIN | POLLRDNORM)

TEST_F(sock, fresh)
{
	int fd = socket(variant->family, SOCK_STREAM, 0);

	EXPECT_EQ(POLLOUT | POLLHUP, poll_for(fd, ALL, 0));
	close(fd);
}

TEST_F(sock, listener)
{
	int client;

	EXPECT_EQ(0, poll_for(self->listener, ALL, 0));
	client = open_client(variant->family, &self->addr);
	ASSERT_LE(0, client);
	EXPECT_EQ(READABLE, poll_for(self->listener, ALL, PATIENCE));
	close(client);
}

TEST_F(sock, idle_and_data)
{
	char byte;

	EXPECT_EQ(POLLOUT, poll_for(self->server, ALL, 0));
	EXPECT_EQ(0, poll_for(self->server, POLLIN, 20));
	EXPECT_EQ(1, send(self->client, "x", 1, 0));
	EXPECT_EQ(READABLE, poll_for(self->server, ALL & ~POLLOUT, PATIENCE));
	EXPECT_EQ(READABLE | POLLOUT, poll_for(self->server, ALL, 0));
	EXPECT_EQ(1, recv(self->server, &byte, 1, 0));
	EXPECT_EQ(POLLOUT, poll_for(self->server, ALL, 0));
}

TEST_F(sock, half_closed)
{
	char byte;

	ASSERT_EQ(0, shutdown(self->client, SHUT_WR));
	EXPECT_EQ(READABLE | POLLRDHUP | POLLOUT,
		  poll_until(self->server, ALL,
			     READABLE | POLLRDHUP | POLLOUT));
	EXPECT_EQ(0, recv(self->server, &byte, 1, 0));
	/* End of stream stays readable. */
	EXPECT_EQ(READABLE | POLLRDHUP | POLLOUT,
		  poll_for(self->server, ALL, 0));
}

TEST_F(sock, both_closed)
{
	int wanted = READABLE | POLLRDHUP | POLLOUT | POLLHUP;

	ASSERT_EQ(0, shutdown(self->client, SHUT_WR));
	ASSERT_EQ(0, shutdown(self->server, SHUT_WR));
	EXPECT_EQ(wanted, poll_until(self->server, ALL, wanted));
	EXPECT_EQ(wanted, poll_until(self->client, ALL, wanted));
}

TEST_F(sock, reset)
{
	struct linger linger = { .l_onoff = 1 };

	ASSERT_EQ(0, setsockopt(self->client, SOL_SOCKET, SO_LINGER, &linger,
				sizeof(linger)));
	close(self->client);
	EXPECT_EQ(POLLERR | POLLHUP | POLLIN,
		  poll_until(self->server, POLLIN,
			     POLLERR | POLLHUP | POLLIN));
	EXPECT_EQ(ECONNRESET, get_opt(self->server, SOL_SOCKET, SO_ERROR));
}

TEST_F(sock, select)
{
	struct timeval tv = { .tv_sec = PATIENCE / 1000 };
	fd_set in, out;

	FD_ZERO(&in);
	FD_ZERO(&out);
	FD_SET(self->client, &out);
	EXPECT_EQ(1, select(self->client + 1, NULL, &out, NULL, &tv));
	EXPECT_EQ(1, send(self->client, "x", 1, 0));
	FD_SET(self->server, &in);
	EXPECT_EQ(1, select(self->server + 1, &in, NULL, NULL, &tv));
	EXPECT_NE(0, FD_ISSET(self->server, &in));
}

static int epoll_add(int ep, int fd, __u32 events)
{
	struct epoll_event ev = { .events = events };

	return epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev);
}

static __u32 epoll_for(int ep, int ms)
{
	struct epoll_event ev = {};

	return epoll_wait(ep, &ev, 1, ms) == 1 ? ev.events : 0;
}

TEST_F(sock, level)
{
	int ep = epoll_create1(0);
	char byte;

	ASSERT_EQ(0, epoll_add(ep, self->server, EPOLLIN));
	EXPECT_EQ(0, epoll_for(ep, 0));
	EXPECT_EQ(2, send(self->client, "xy", 2, 0));
	EXPECT_EQ(EPOLLIN, epoll_for(ep, PATIENCE));
	EXPECT_EQ(EPOLLIN, epoll_for(ep, 0));
	EXPECT_EQ(1, recv(self->server, &byte, 1, 0));
	EXPECT_EQ(1, recv_all(self->server, &byte, 1));
	EXPECT_EQ(0, epoll_for(ep, 0));
	close(ep);
}

TEST_F(sock, edge)
{
	int ep = epoll_create1(0);
	char data[4];

	ASSERT_EQ(0, epoll_add(ep, self->server, EPOLLIN | EPOLLET));
	EXPECT_EQ(1, send(self->client, "x", 1, 0));
	EXPECT_EQ(EPOLLIN, epoll_for(ep, PATIENCE));
	/* Nothing new: no event, although data is there. */
	EXPECT_EQ(0, epoll_for(ep, QUIET));
	/* New data makes a new edge, although the old was not read. */
	EXPECT_EQ(1, send(self->client, "y", 1, 0));
	EXPECT_EQ(EPOLLIN, epoll_for(ep, PATIENCE));
	EXPECT_EQ(2, recv_all(self->server, data, 2));
	ASSERT_EQ(0, shutdown(self->client, SHUT_WR));
	EXPECT_EQ(EPOLLIN, epoll_for(ep, PATIENCE));
	close(ep);
}

TEST_F(sock, edge_before_add)
{
	int ep = epoll_create1(0);

	EXPECT_EQ(1, send(self->client, "x", 1, 0));
	ASSERT_NE(0, poll_for(self->server, POLLIN, PATIENCE));
	ASSERT_EQ(0, epoll_add(ep, self->server, EPOLLIN | EPOLLET));
	EXPECT_EQ(EPOLLIN, epoll_for(ep, 0));
	close(ep);
}

TEST_F(sock, edge_writable)
{
	int ep = epoll_create1(0);
	size_t sent;

	ASSERT_EQ(0, set_nonblock(self->client));
	ASSERT_EQ(0, epoll_add(ep, self->client, EPOLLOUT | EPOLLET));
	EXPECT_EQ(EPOLLOUT, epoll_for(ep, 0));
	sent = send_full(self->client);
	while (epoll_for(ep, QUIET))
		sent += send_full(self->client);
	EXPECT_EQ(0, drain(self->server, sent));
	EXPECT_EQ(EPOLLOUT, epoll_for(ep, PATIENCE));
	close(ep);
}

TEST_F(sock, epoll_rdhup)
{
	__u32 wanted = EPOLLIN | EPOLLRDHUP;
	int ep = epoll_create1(0);

	ASSERT_EQ(0, epoll_add(ep, self->server, wanted | EPOLLET));
	ASSERT_EQ(0, shutdown(self->client, SHUT_WR));
	EXPECT_EQ(wanted, epoll_for(ep, PATIENCE));
	close(ep);
}

TEST_F(sock, epoll_hup)
{
	int ep = epoll_create1(0);

	/* HUP and ERR are reported without being asked for. */
	ASSERT_EQ(0, epoll_add(ep, self->server, 0));
	ASSERT_EQ(0, shutdown(self->client, SHUT_WR));
	EXPECT_EQ(0, epoll_for(ep, QUIET));
	ASSERT_EQ(0, shutdown(self->server, SHUT_WR));
	EXPECT_EQ(EPOLLHUP, epoll_for(ep, PATIENCE));
	close(ep);
}

TEST_F(sock, epoll_oneshot)
{
	struct epoll_event ev = { .events = EPOLLIN | EPOLLONESHOT };
	int ep = epoll_create1(0);

	ASSERT_EQ(0, epoll_add(ep, self->server, ev.events));
	EXPECT_EQ(1, send(self->client, "x", 1, 0));
	EXPECT_EQ(EPOLLIN, epoll_for(ep, PATIENCE));
	EXPECT_EQ(1, send(self->client, "y", 1, 0));
	EXPECT_EQ(0, epoll_for(ep, QUIET));
	ASSERT_EQ(0, epoll_ctl(ep, EPOLL_CTL_MOD, self->server, &ev));
	EXPECT_EQ(EPOLLIN, epoll_for(ep, PATIENCE));
	close(ep);
}

TEST_F(sock, epoll_listener_exclusive)
{
	int ep = epoll_create1(0);
	int client;

	ASSERT_EQ(0, epoll_add(ep, self->listener, EPOLLIN | EPOLLEXCLUSIVE));
	EXPECT_EQ(0, epoll_for(ep, 0));
	client = open_client(variant->family, &self->addr);
	ASSERT_LE(0, client);
	EXPECT_EQ(EPOLLIN, epoll_for(ep, PATIENCE));
	close(client);
	close(ep);
}

TEST_HARNESS_MAIN
