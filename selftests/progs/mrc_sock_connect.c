// SPDX-License-Identifier: GPL-2.0
/*
 * Socket surface, part 2: connect, names and what a listener hands down. See
 * sock_fixture.h; run by cases/basic_socket.sh.
 */
#include "sock_fixture.h"

TEST_F(sock, names_before)
{
	struct sockaddr_in addr;
	int fd = socket(variant->family, SOCK_STREAM, 0);

	ASSERT_EQ(0, sockname(fd, &addr));
	EXPECT_EQ(AF_INET, addr.sin_family);
	EXPECT_EQ(0, addr.sin_port);
	EXPECT_EQ(0, addr.sin_addr.s_addr);
	EXPECT_ERRNO(ENOTCONN, peername(fd, &addr));
	EXPECT_ERRNO(ENOTCONN, peername(self->listener, &addr));
	close(fd);
}

TEST_F(sock, nonblocking)
{
	int fd = socket(variant->family, SOCK_STREAM | SOCK_NONBLOCK, 0);
	int ret = connect_in(fd, &self->addr);
	int server;
	char byte;

	ASSERT_TRUE(!ret || errno == EINPROGRESS)
		TH_LOG("%s", strerror(errno));
	ASSERT_EQ(POLLOUT, poll_for(fd, POLLOUT, PATIENCE));
	EXPECT_EQ(0, get_opt(fd, SOL_SOCKET, SO_ERROR));
	/* TCP reports success once more, then EISCONN; both are right. */
	ret = connect_in(fd, &self->addr);
	EXPECT_TRUE(!ret || errno == EISCONN);
	EXPECT_ERRNO(EISCONN, connect_in(fd, &self->addr));
	server = accept(self->listener, NULL, NULL);
	ASSERT_LE(0, server);
	EXPECT_EQ(1, send(fd, "x", 1, 0));
	EXPECT_EQ(1, recv_all(server, &byte, 1));
	close(server);
	close(fd);
}

TEST_F(sock, refused)
{
	struct sockaddr_in dead = dead_port(variant->family);
	int fd = socket(variant->family, SOCK_STREAM, 0);
	long long start = now_ms();

	EXPECT_ERRNO(ECONNREFUSED, connect_in(fd, &dead));
	EXPECT_GT(PATIENCE, now_ms() - start);
	EXPECT_EQ(0, get_opt(fd, SOL_SOCKET, SO_ERROR));
	close(fd);
}

TEST_F(sock, refused_nonblocking)
{
	struct sockaddr_in dead = dead_port(variant->family);
	int fd = socket(variant->family, SOCK_STREAM | SOCK_NONBLOCK, 0);

	errno = 0;
	EXPECT_EQ(-1, connect_in(fd, &dead));
	if (errno != ECONNREFUSED) {
		EXPECT_EQ(EINPROGRESS, errno);
		EXPECT_EQ(POLLOUT | POLLERR | POLLHUP,
			  poll_for(fd, POLLOUT, PATIENCE));
		EXPECT_EQ(ECONNREFUSED, get_opt(fd, SOL_SOCKET, SO_ERROR));
	}
	EXPECT_EQ(0, get_opt(fd, SOL_SOCKET, SO_ERROR));
	close(fd);
}

TEST_F(sock, refused_then_connected)
{
	struct sockaddr_in dead = dead_port(variant->family);
	int fd = socket(variant->family, SOCK_STREAM, 0);

	EXPECT_ERRNO(ECONNREFUSED, connect_in(fd, &dead));
	EXPECT_EQ(0, connect_in(fd, &self->addr))
		TH_LOG("%s", strerror(errno));
	close(fd);
}

TEST_F(sock, twice)
{
	EXPECT_ERRNO(EISCONN, connect_in(self->client, &self->addr));
	EXPECT_ERRNO(EISCONN, connect_in(self->server, &self->addr));
	EXPECT_ERRNO(EISCONN, connect_in(self->listener, &self->addr));
}

TEST_F(sock, bad_address)
{
	struct sockaddr_in addr = self->addr;
	int fd = socket(variant->family, SOCK_STREAM, 0);

	EXPECT_ERRNO(EINVAL, connect(fd, (struct sockaddr *)&addr, 4));
	EXPECT_ERRNO(EINVAL, connect(fd, (struct sockaddr *)&addr, -1));
	EXPECT_ERRNO(EFAULT, connect(fd, (struct sockaddr *)8, sizeof(addr)));
	addr.sin_family = AF_INET6;
	EXPECT_ERRNO(EAFNOSUPPORT, connect_in(fd, &addr));
	addr.sin_family = AF_UNIX;
	EXPECT_ERRNO(EAFNOSUPPORT, connect_in(fd, &addr));
	EXPECT_EQ(0, connect_in(fd, &self->addr));
	close(fd);
}

TEST_F(sock, unreachable)
{
	struct sockaddr_in addr = loopback(9);
	int fd = socket(variant->family, SOCK_STREAM, 0);

	/* The case runs this where only loopback has a route. */
	inet_pton(AF_INET, "192.0.2.1", &addr.sin_addr);
	EXPECT_ERRNO(ENETUNREACH, connect_in(fd, &addr));
	inet_pton(AF_INET, "224.0.0.1", &addr.sin_addr);
	EXPECT_ERRNO(ENETUNREACH, connect_in(fd, &addr));
	EXPECT_EQ(0, connect_in(fd, &self->addr))
		TH_LOG("%s", strerror(errno));
	close(fd);
}

TEST_F(sock, bound_client)
{
	struct sockaddr_in mine = loopback(0), seen;
	int fd = socket(variant->family, SOCK_STREAM, 0);
	int server;

	ASSERT_EQ(0, bind_in(fd, &mine));
	ASSERT_EQ(0, sockname(fd, &mine));
	ASSERT_EQ(0, connect_in(fd, &self->addr));
	server = accept(self->listener, NULL, NULL);
	ASSERT_LE(0, server);
	ASSERT_EQ(0, peername(server, &seen));
	EXPECT_EQ(mine.sin_port, seen.sin_port);
	close(server);
	close(fd);
}

TEST_F(sock, any_means_loopback)
{
	struct sockaddr_in addr = self->addr;
	int fd = socket(variant->family, SOCK_STREAM, 0);

	addr.sin_addr.s_addr = htonl(INADDR_ANY);
	EXPECT_EQ(0, connect_in(fd, &addr)) TH_LOG("%s", strerror(errno));
	close(fd);
}

TEST_F(sock, data_before_accept)
{
	int client = open_client(variant->family, &self->addr);
	char data[16];
	int fd;

	ASSERT_LE(0, client);
	EXPECT_EQ(5, send(client, "early", 5, 0));
	close(client);
	fd = accept(self->listener, NULL, NULL);
	ASSERT_LE(0, fd);
	EXPECT_EQ(5, recv_all(fd, data, sizeof(data)));
	EXPECT_EQ(0, memcmp(data, "early", 5));
	close(fd);
}

TEST_F(sock, inherited_options)
{
	struct linger linger = { .l_onoff = 1, .l_linger = 3 };
	socklen_t len = sizeof(linger);
	int l = self->listener;
	int client, fd;

	ASSERT_EQ(0, set_opt(l, IPPROTO_TCP, TCP_NODELAY, 1));
	ASSERT_EQ(0, set_opt(l, SOL_SOCKET, SO_KEEPALIVE, 1));
	ASSERT_EQ(0, set_opt(l, IPPROTO_TCP, TCP_KEEPIDLE, 77));
	ASSERT_EQ(0, set_opt(l, IPPROTO_TCP, TCP_USER_TIMEOUT, 12345));
	ASSERT_EQ(0, set_opt(l, SOL_SOCKET, SO_SNDBUF, 50000));
	ASSERT_EQ(0, set_opt(l, SOL_SOCKET, SO_RCVBUF, 60000));
	ASSERT_EQ(0, setsockopt(l, SOL_SOCKET, SO_LINGER, &linger, len));
	client = open_client(variant->family, &self->addr);
	ASSERT_LE(0, client);
	fd = accept(l, NULL, NULL);
	ASSERT_LE(0, fd);
	EXPECT_LT(0, get_opt(fd, IPPROTO_TCP, TCP_NODELAY));
	EXPECT_EQ(1, get_opt(fd, SOL_SOCKET, SO_KEEPALIVE));
	EXPECT_EQ(77, get_opt(fd, IPPROTO_TCP, TCP_KEEPIDLE));
	EXPECT_EQ(12345, get_opt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT));
	EXPECT_EQ(100000, get_opt(fd, SOL_SOCKET, SO_SNDBUF));
	EXPECT_EQ(120000, get_opt(fd, SOL_SOCKET, SO_RCVBUF));
	memset(&linger, 0, sizeof(linger));
	EXPECT_EQ(0, getsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, &len));
	EXPECT_EQ(1, linger.l_onoff);
	EXPECT_EQ(3, linger.l_linger);
	close(fd);
	close(client);
}

TEST_F(sock, many_in_turn)
{
	char byte;
	int i, client, fd;

	for (i = 0; i < 100; i++) {
		client = open_client(variant->family, &self->addr);
		ASSERT_LE(0, client) TH_LOG("round %d: %s", i, strerror(errno));
		fd = accept(self->listener, NULL, NULL);
		ASSERT_LE(0, fd);
		ASSERT_EQ(1, send(client, "x", 1, 0));
		ASSERT_EQ(1, recv_all(fd, &byte, 1));
		close(client);
		ASSERT_EQ(0, recv_all(fd, &byte, 1));
		close(fd);
	}
}

TEST_F(sock, many_at_once)
{
	int client[64], server[64];
	unsigned int i;
	char byte;

	ASSERT_EQ(0, listen(self->listener, 64));
	for (i = 0; i < ARRAY_SIZE(client); i++) {
		client[i] = open_client(variant->family, &self->addr);
		ASSERT_LE(0, client[i]) TH_LOG("%u: %s", i, strerror(errno));
	}
	for (i = 0; i < ARRAY_SIZE(server); i++) {
		server[i] = accept(self->listener, NULL, NULL);
		ASSERT_LE(0, server[i]);
	}
	for (i = 0; i < ARRAY_SIZE(client); i++)
		ASSERT_EQ(1, send(client[i], "x", 1, 0));
	for (i = 0; i < ARRAY_SIZE(server); i++) {
		EXPECT_EQ(1, recv_all(server[i], &byte, 1));
		close(server[i]);
		close(client[i]);
	}
}

static void on_alarm(int sig)
{
	(void)sig;
}

TEST_F(sock, accept_interrupted)
{
	struct sigaction action = { .sa_handler = on_alarm };
	struct itimerval timer = {
		.it_value.tv_usec = 50000,
		.it_interval.tv_usec = 50000,
	};
	struct itimerval off = {};

	ASSERT_EQ(0, sigaction(SIGALRM, &action, NULL));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &timer, NULL));
	EXPECT_ERRNO(EINTR, accept(self->listener, NULL, NULL));
	EXPECT_ERRNO(EINTR, recv(self->client, &action, 1, 0));
	setitimer(ITIMER_REAL, &off, NULL);
}

TEST_HARNESS_MAIN
