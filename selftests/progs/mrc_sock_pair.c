// SPDX-License-Identifier: GPL-2.0
/*
 * Socket surface, part 13: what flags of send and receive do, the ioctls, and
 * options whose effect shows on one connection. See pair_fixture.h; run by
 * cases/socket_options.sh.
 */
#include <linux/sockios.h>
#include <net/if.h>
#include "pair_fixture.h"

static int readable(int fd)
{
	int n = -1;

	return ioctl(fd, FIONREAD, &n) ? -1 : n;
}

TEST_F(pair, peek)
{
	char data[8] = "";

	EXPECT_EQ(5, send(self->client, "abcde", 5, 0));
	ASSERT_EQ(POLLIN, poll_for(self->server, POLLIN, PATIENCE));
	EXPECT_EQ(2, recv(self->server, data, 2, MSG_PEEK));
	EXPECT_EQ(5, recv(self->server, data, 8, MSG_PEEK));
	EXPECT_EQ(5, recv(self->server, data, 8, 0));
	EXPECT_EQ(0, memcmp(data, "abcde", 5));
	EXPECT_ERRNO(EAGAIN, recv(self->server, data, 8,
				  MSG_PEEK | MSG_DONTWAIT));
}

TEST_F(pair, wait_all)
{
	struct timespec ts = { .tv_nsec = 50000000 };
	char data[8] = "";

	if (!fork()) {
		send(self->client, "abc", 3, 0);
		nanosleep(&ts, NULL);
		send(self->client, "def", 3, 0);
		_exit(0);
	}
	/* A message is all there is to wait for. */
	EXPECT_EQ(variant->messages ? 3 : 6,
		  recv(self->server, data, 6, MSG_WAITALL));
	EXPECT_EQ(0, memcmp(data, "abcdef", variant->messages ? 3 : 6));
	wait(NULL);
	if (variant->messages)
		EXPECT_EQ(3, recv(self->server, data, 6, MSG_WAITALL));
	/* The end ends the waiting. */
	EXPECT_EQ(2, send(self->client, "gh", 2, 0));
	ASSERT_EQ(0, shutdown(self->client, SHUT_WR));
	EXPECT_EQ(2, recv(self->server, data, 6, MSG_WAITALL));
	EXPECT_EQ(0, recv(self->server, data, 6, MSG_WAITALL));
}

TEST_F(pair, trunc)
{
	char data[8] = "zzzzzzz";

	EXPECT_EQ(5, send(self->client, "abcde", 5, 0));
	ASSERT_EQ(POLLIN, poll_for(self->server, POLLIN, PATIENCE));
	if (variant->messages) {
		/* The rest of the message is gone, and its length told. */
		EXPECT_EQ(5, recv(self->server, data, 2, MSG_TRUNC));
		EXPECT_EQ(0, memcmp(data, "abz", 3));
	} else {
		/* Dropped, and not copied. */
		EXPECT_EQ(2, recv(self->server, data, 2, MSG_TRUNC));
		EXPECT_EQ(0, memcmp(data, "zzz", 3));
		EXPECT_EQ(3, recv(self->server, data, 8, 0));
		EXPECT_EQ(0, memcmp(data, "cde", 3));
	}
	EXPECT_EQ(0, readable(self->server));
}

TEST_F(pair, dont_wait)
{
	size_t sent;
	char byte;

	EXPECT_ERRNO(EAGAIN, recv(self->server, &byte, 1, MSG_DONTWAIT));
	EXPECT_ERRNO(EAGAIN, recv(self->server, &byte, 1,
				  MSG_DONTWAIT | MSG_WAITALL));
	sent = send_full(self->client);
	EXPECT_LT(0, sent);
	EXPECT_ERRNO(EAGAIN, send(self->client, "x", 1, MSG_DONTWAIT));
	EXPECT_EQ(0, drain(self->server, sent));
	EXPECT_EQ(POLLOUT, poll_for(self->client, POLLOUT, PATIENCE));
}

static int signals;

static void on_pipe(int sig)
{
	__atomic_fetch_add(&signals, sig == SIGPIPE, __ATOMIC_RELAXED);
}

TEST_F(pair, no_signal)
{
	const struct sigaction act = { .sa_handler = on_pipe };
	char byte;

	sigaction(SIGPIPE, &act, NULL);
	EXPECT_EQ(1, send(self->server, "x", 1, MSG_NOSIGNAL));
	EXPECT_EQ(1, recv(self->client, &byte, 1, MSG_NOSIGNAL));
	ASSERT_EQ(0, shutdown(self->client, SHUT_WR));
	EXPECT_ERRNO(EPIPE, send(self->client, "x", 1, MSG_NOSIGNAL));
	EXPECT_EQ(0, __atomic_load_n(&signals, __ATOMIC_RELAXED));
	EXPECT_ERRNO(EPIPE, send(self->client, "x", 1, 0));
	EXPECT_EQ(1, __atomic_load_n(&signals, __ATOMIC_RELAXED));
}

TEST_F(pair, more)
{
	long long start = now_ms();
	char data[4];

	EXPECT_EQ(2, send(self->client, "ab", 2, MSG_MORE));
	/* A message is whole: it waits for nothing. */
	poll_for(self->server, POLLIN, variant->messages ? PATIENCE : 40);
	/* After 200 ms it goes anyway, and this process may be slow. */
	if (variant->messages || now_ms() - start < 150)
		EXPECT_EQ(variant->messages ? 2 : 0, readable(self->server));
	EXPECT_EQ(2, send(self->client, "cd", 2, 0));
	EXPECT_EQ(4, recv_all(self->server, data, 4));
	EXPECT_EQ(0, memcmp(data, "abcd", 4));
}

TEST_F(pair, end_of_record)
{
	char data[4];
	struct iovec iov = { .iov_base = data, .iov_len = 4 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	EXPECT_EQ(2, send(self->client, "ab", 2, MSG_EOR));
	EXPECT_EQ(2, recvmsg(self->server, &msg, 0));
	EXPECT_EQ(variant->messages ? MSG_EOR : 0, msg.msg_flags);
}

TEST_F(pair, odd_flags)
{
	char data[4];

	EXPECT_ERRNO(EAGAIN, recv(self->server, data, 4, MSG_ERRQUEUE));
	EXPECT_ERRNO(EINVAL, recv(self->server, data, 4, MSG_OOB));
	/* There is no urgent data. */
	if (variant->mrc)
		EXPECT_ERRNO(EOPNOTSUPP, send(self->client, "x", 1, MSG_OOB));
	else
		EXPECT_EQ(1, send(self->client, "x", 1, MSG_OOB));
	/* Without SO_ZEROCOPY the flag means nothing. */
	EXPECT_EQ(1, send(self->client, "y", 1, MSG_ZEROCOPY));
	EXPECT_EQ(1, send(self->client, "y", 1, MSG_CONFIRM | MSG_DONTROUTE));
	EXPECT_EQ(1, recv_all(self->server, data, 1));
}

TEST_F(pair, address_of_connected)
{
	char byte;

	/* As for TCP: not looked at. */
	EXPECT_EQ(1, sendto(self->client, "x", 1, 0,
			    (struct sockaddr *)&self->addr,
			    sizeof(self->addr)));
	EXPECT_EQ(1, recv_all(self->server, &byte, 1));
}

TEST_F(pair, ioctls)
{
	long long end = now_ms() + PATIENCE;
	struct ifreq ifr = { .ifr_name = "lo" };
	int n = -1;

	EXPECT_EQ(0, readable(self->server));
	EXPECT_EQ(3, send(self->client, "abc", 3, 0));
	ASSERT_EQ(POLLIN, poll_for(self->server, POLLIN, PATIENCE));
	EXPECT_EQ(3, readable(self->server));
	/* Nothing is left once it is acknowledged. */
	while (!ioctl(self->client, SIOCOUTQ, &n) && n && now_ms() < end)
		poll_for(self->client, 0, 1);
	EXPECT_EQ(0, n);
	ASSERT_EQ(0, ioctl(self->client, SIOCOUTQNSD, &n));
	EXPECT_EQ(0, n);
	ASSERT_EQ(0, ioctl(self->server, SIOCATMARK, &n));
	EXPECT_EQ(0, n);
	EXPECT_ERRNO(EINVAL, ioctl(self->listener, FIONREAD, &n));
	EXPECT_ERRNO(ENOTTY, ioctl(self->client, 0x12345678, &n));
	EXPECT_EQ(0, ioctl(self->client, SIOCGIFMTU, &ifr));
}

TEST_F(pair, time_outs)
{
	struct timeval tv = { .tv_usec = 150000 };
	long long start = now_ms();
	char chunk[4096] = "";

	ASSERT_EQ(0, setsockopt(self->server, SOL_SOCKET, SO_RCVTIMEO, &tv,
				sizeof(tv)));
	EXPECT_ERRNO(EAGAIN, recv(self->server, chunk, 1, 0));
	EXPECT_LE(140, now_ms() - start);
	send_full(self->client);
	ASSERT_EQ(0, setsockopt(self->client, SOL_SOCKET, SO_SNDTIMEO, &tv,
				sizeof(tv)));
	start = now_ms();
	EXPECT_ERRNO(EAGAIN, send(self->client, chunk, sizeof(chunk), 0));
	EXPECT_LE(140, now_ms() - start);
}

TEST_F(pair, linger_zero_resets)
{
	struct linger linger = { .l_onoff = 1 };
	char byte;

	ASSERT_EQ(0, setsockopt(self->client, SOL_SOCKET, SO_LINGER, &linger,
				sizeof(linger)));
	close(self->client);
	self->client = -1;
	EXPECT_NE(0, poll_for(self->server, POLLIN, PATIENCE));
	EXPECT_ERRNO(ECONNRESET, recv(self->server, &byte, 1, 0));
	EXPECT_ERRNO(EPIPE, send(self->server, "x", 1, MSG_NOSIGNAL));
}

TEST_F(pair, unread_data_resets)
{
	char byte;

	EXPECT_EQ(3, send(self->server, "abc", 3, 0));
	ASSERT_EQ(POLLIN, poll_for(self->client, POLLIN, PATIENCE));
	close(self->client);
	self->client = -1;
	EXPECT_NE(0, poll_for(self->server, POLLIN, PATIENCE));
	EXPECT_ERRNO(ECONNRESET, recv(self->server, &byte, 1, 0));
}

TEST_F(pair, linger_waits)
{
	struct linger linger = { .l_onoff = 1, .l_linger = 8 };
	char data[4];

	ASSERT_EQ(0, setsockopt(self->client, SOL_SOCKET, SO_LINGER, &linger,
				sizeof(linger)));
	EXPECT_EQ(4, send(self->client, "abcd", 4, 0));
	EXPECT_EQ(0, close(self->client));
	self->client = -1;
	/* What close() waited for is there. */
	EXPECT_EQ(POLLIN, poll_for(self->server, POLLIN, 0));
	EXPECT_EQ(4, recv_all(self->server, data, 4));
	EXPECT_EQ(0, recv(self->server, data, 4, 0));
}

TEST_F(pair, buffers_limit)
{
	size_t small, large;

	ASSERT_EQ(0, set_opt(self->client, SOL_SOCKET, SO_SNDBUF, 100000));
	ASSERT_EQ(0, set_opt(self->server, SOL_SOCKET, SO_RCVBUF, 100000));
	small = send_full(self->client);
	ASSERT_EQ(0, drain(self->server, small));
	EXPECT_GT(2000000, small);
	ASSERT_EQ(0, set_opt(self->client, SOL_SOCKET, SO_SNDBUFFORCE,
			     2000000));
	large = send_full(self->client);
	EXPECT_LT(small, large);
	EXPECT_EQ(0, drain(self->server, large));
}

TEST_F(pair, largest_segment)
{
	struct tcp_info info = {};
	socklen_t len = sizeof(info);
	int fd = pair_socket(variant);

	ASSERT_EQ(0, set_opt(fd, IPPROTO_TCP, TCP_MAXSEG, 640));
	ASSERT_EQ(0, pair_connect(variant, fd, &self->addr));
	ASSERT_EQ(0, getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len));
	EXPECT_LT(0, info.tcpi_snd_mss);
	EXPECT_GE(640, info.tcpi_snd_mss);
	EXPECT_GE(640, get_opt(fd, IPPROTO_TCP, TCP_MAXSEG));
	close(fd);
}

TEST_F(pair, port_at_connect)
{
	struct sockaddr_storage addr;
	int fd = pair_socket(variant);

	ASSERT_EQ(0, set_opt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1));
	pair_loopback(variant, &addr);
	ASSERT_EQ(0, pair_bind(variant, fd, &addr));
	ASSERT_EQ(0, pair_name(fd, &addr));
	EXPECT_EQ(0, pair_port(&addr));
	ASSERT_EQ(0, pair_connect(variant, fd, &self->addr));
	ASSERT_EQ(0, pair_name(fd, &addr));
	EXPECT_NE(0, pair_port(&addr));
	close(fd);
}

TEST_F(pair, address_in_use)
{
	int fd = pair_socket(variant);

	EXPECT_ERRNO(EADDRINUSE, pair_bind(variant, fd, &self->addr));
	ASSERT_EQ(0, set_opt(fd, SOL_SOCKET, SO_REUSEADDR, 1));
	EXPECT_ERRNO(EADDRINUSE, pair_bind(variant, fd, &self->addr));
	/* Connections of the port are in nobody's way. */
	ASSERT_EQ(0, set_opt(self->listener, SOL_SOCKET, SO_REUSEADDR, 1));
	ASSERT_EQ(0, set_opt(self->server, SOL_SOCKET, SO_REUSEADDR, 1));
	close(self->listener);
	EXPECT_EQ(0, pair_bind(variant, fd, &self->addr));
	EXPECT_EQ(0, listen(fd, 4));
	self->listener = fd;
}

TEST_F(pair, who_am_i)
{
	int fds[] = { self->listener, self->client, self->server };
	char name[IFNAMSIZ] = "";
	socklen_t len = sizeof(name);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fds); i++) {
		EXPECT_EQ(variant->messages ? SOCK_SEQPACKET : SOCK_STREAM,
			  get_opt(fds[i], SOL_SOCKET, SO_TYPE));
		EXPECT_EQ(variant->six ? AF_INET6 : AF_INET,
			  get_opt(fds[i], SOL_SOCKET, SO_DOMAIN));
		EXPECT_EQ(!i, get_opt(fds[i], SOL_SOCKET, SO_ACCEPTCONN));
		EXPECT_EQ(0, get_opt(fds[i], SOL_SOCKET, SO_ERROR));
	}
	ASSERT_EQ(0, setsockopt(self->client, SOL_SOCKET, SO_BINDTODEVICE,
				"lo", 3));
	ASSERT_EQ(0, getsockopt(self->client, SOL_SOCKET, SO_BINDTODEVICE,
				name, &len));
	EXPECT_STREQ("lo", name);
	EXPECT_ERRNO(ENODEV, setsockopt(self->client, SOL_SOCKET,
					SO_BINDTODEVICE, "no-such", 8));
}

TEST_HARNESS_MAIN
