// SPDX-License-Identifier: GPL-2.0
/*
 * Socket surface, part 1: socket, bind and listen. See sock_fixture.h; run by
 * cases/basic_socket.sh.
 */
#include "sock_fixture.h"

TEST_F(sock, types)
{
	EXPECT_ERRNO(ESOCKTNOSUPPORT, socket(variant->family, 7, 0));
	EXPECT_ERRNO(EINVAL, socket(variant->family, 15, 0));
	if (!variant->mrc)
		return;
	/* AF_INET has other types than a stream; AF_MRC has not. */
	EXPECT_ERRNO(ESOCKTNOSUPPORT, socket(AF_MRC, SOCK_DGRAM, 0));
	EXPECT_ERRNO(ESOCKTNOSUPPORT, socket(AF_MRC, SOCK_RAW, 0));
}

TEST_F(sock, protocols)
{
	EXPECT_ERRNO(EPROTONOSUPPORT,
		     socket(variant->family, SOCK_STREAM, 250));
	EXPECT_ERRNO(EINVAL, socket(variant->family, SOCK_STREAM, -1));
}

TEST_F(sock, type_flags)
{
	int fd = socket(variant->family,
			SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	ASSERT_LE(0, fd);
	EXPECT_EQ(O_NONBLOCK, fcntl(fd, F_GETFL) & O_NONBLOCK);
	EXPECT_EQ(FD_CLOEXEC, fcntl(fd, F_GETFD) & FD_CLOEXEC);
	close(fd);
}

TEST_F(sock, bind_ephemeral)
{
	struct sockaddr_in one = loopback(0), two = loopback(0);
	int a = socket(variant->family, SOCK_STREAM, 0);
	int b = socket(variant->family, SOCK_STREAM, 0);

	ASSERT_EQ(0, bind_in(a, &one));
	ASSERT_EQ(0, bind_in(b, &two));
	ASSERT_EQ(0, sockname(a, &one));
	ASSERT_EQ(0, sockname(b, &two));
	EXPECT_EQ(AF_INET, one.sin_family);
	EXPECT_EQ(htonl(INADDR_LOOPBACK), one.sin_addr.s_addr);
	EXPECT_NE(0, one.sin_port);
	EXPECT_NE(one.sin_port, two.sin_port);
	close(a);
	close(b);
}

TEST_F(sock, bind_conflict)
{
	struct sockaddr_in any = self->addr;
	int fd = socket(variant->family, SOCK_STREAM, 0);

	any.sin_addr.s_addr = htonl(INADDR_ANY);
	EXPECT_ERRNO(EADDRINUSE, bind_in(fd, &self->addr));
	EXPECT_ERRNO(EADDRINUSE, bind_in(fd, &any));
	/* Another address of the same port is free. */
	any.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1);
	EXPECT_EQ(0, bind_in(fd, &any));
	close(fd);
}

TEST_F(sock, bind_reuseaddr)
{
	struct sockaddr_in addr = self->addr;
	int plain = socket(variant->family, SOCK_STREAM, 0);
	int reuse = socket(variant->family, SOCK_STREAM, 0);

	/* A connection still uses the port, the listener is gone. */
	close(self->listener);
	EXPECT_ERRNO(EADDRINUSE, bind_in(plain, &addr));
	ASSERT_EQ(0, set_opt(reuse, SOL_SOCKET, SO_REUSEADDR, 1));
	ASSERT_EQ(0, set_opt(self->server, SOL_SOCKET, SO_REUSEADDR, 1));
	EXPECT_EQ(0, bind_in(reuse, &addr))
		TH_LOG("%s", strerror(errno));
	EXPECT_EQ(0, listen(reuse, 5));
	close(plain);
	close(reuse);
}

TEST_F(sock, bind_reuseaddr_not_listening)
{
	int fd = socket(variant->family, SOCK_STREAM, 0);

	ASSERT_EQ(0, set_opt(fd, SOL_SOCKET, SO_REUSEADDR, 1));
	ASSERT_EQ(0, set_opt(self->listener, SOL_SOCKET, SO_REUSEADDR, 1));
	EXPECT_ERRNO(EADDRINUSE, bind_in(fd, &self->addr));
	close(fd);
}

TEST_F(sock, bind_twice)
{
	struct sockaddr_in addr = loopback(0);
	int fd = socket(variant->family, SOCK_STREAM, 0);

	ASSERT_EQ(0, bind_in(fd, &addr));
	EXPECT_ERRNO(EINVAL, bind_in(fd, &addr));
	EXPECT_ERRNO(EINVAL, bind_in(self->client, &addr));
	close(fd);
}

TEST_F(sock, bind_bad_address)
{
	struct sockaddr_in addr = loopback(0);
	int fd = socket(variant->family, SOCK_STREAM, 0);

	inet_pton(AF_INET, "192.0.2.1", &addr.sin_addr);
	EXPECT_ERRNO(EADDRNOTAVAIL, bind_in(fd, &addr));
	addr = loopback(0);
	addr.sin_family = AF_INET6;
	EXPECT_ERRNO(EAFNOSUPPORT, bind_in(fd, &addr));
	addr.sin_family = AF_INET;
	EXPECT_ERRNO(EINVAL, bind(fd, (struct sockaddr *)&addr, 4));
	EXPECT_ERRNO(EINVAL, bind(fd, (struct sockaddr *)&addr, -1));
	EXPECT_ERRNO(EFAULT, bind(fd, (struct sockaddr *)8, sizeof(addr)));
	EXPECT_EQ(0, bind_in(fd, &addr));
	close(fd);
}

TEST_F(sock, bind_privileged)
{
	struct sockaddr_in addr = loopback(81);
	int fd = socket(variant->family, SOCK_STREAM, 0);

	if (geteuid())
		SKIP(return, "needs root");
	ASSERT_EQ(0, seteuid(65534));
	EXPECT_ERRNO(EACCES, bind_in(fd, &addr));
	ASSERT_EQ(0, seteuid(0));
	EXPECT_EQ(0, bind_in(fd, &addr));
	close(fd);
}

TEST_F(sock, bind_release)
{
	struct sockaddr_in addr = loopback(0);
	int fd, i;

	/* A port that was only bound is free at once after close. */
	for (i = 0; i < 50; i++) {
		fd = socket(variant->family, SOCK_STREAM, 0);
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, bind_in(fd, &addr))
			TH_LOG("round %d: %s", i, strerror(errno));
		ASSERT_EQ(0, sockname(fd, &addr));
		close(fd);
	}
}

TEST_F(sock, listen_backlog)
{
	static const int backlogs[] = { 0, 1, 4096, INT_MAX, -1 };
	size_t i;
	int fd;

	for (i = 0; i < ARRAY_SIZE(backlogs); i++)
		EXPECT_EQ(0, listen(self->listener, backlogs[i]))
			TH_LOG("backlog %d: %s", backlogs[i], strerror(errno));
	fd = open_client(variant->family, &self->addr);
	EXPECT_LE(0, fd);
	close(fd);
}

TEST_F(sock, listen_unbound)
{
	struct sockaddr_in addr;
	int fd = socket(variant->family, SOCK_STREAM, 0);
	int client;

	ASSERT_EQ(0, listen(fd, 1));
	ASSERT_EQ(0, sockname(fd, &addr));
	EXPECT_EQ(htonl(INADDR_ANY), addr.sin_addr.s_addr);
	ASSERT_NE(0, addr.sin_port);
	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	client = open_client(variant->family, &addr);
	EXPECT_LE(0, client);
	close(client);
	close(fd);
}

TEST_F(sock, listen_connected)
{
	EXPECT_ERRNO(EINVAL, listen(self->client, 1));
	EXPECT_ERRNO(EINVAL, listen(self->server, 1));
}

TEST_F(sock, listen_queue)
{
	struct sockaddr_in addr;
	int listener = open_listener(variant->family, 1, &addr);
	int one, two, got;
	char byte;

	/* A second client waits in a backlog of one until it is accepted. */
	ASSERT_LE(0, listener);
	one = open_client(variant->family, &addr);
	two = open_client(variant->family, &addr);
	ASSERT_LE(0, one);
	ASSERT_LE(0, two);
	EXPECT_EQ(1, send(one, "1", 1, 0));
	EXPECT_EQ(1, send(two, "2", 1, 0));
	got = accept(listener, NULL, NULL);
	ASSERT_LE(0, got);
	EXPECT_EQ(1, recv_all(got, &byte, 1));
	EXPECT_EQ('1', byte);
	close(got);
	got = accept(listener, NULL, NULL);
	ASSERT_LE(0, got);
	EXPECT_EQ(1, recv_all(got, &byte, 1));
	EXPECT_EQ('2', byte);
	close(got);
	close(one);
	close(two);
	close(listener);
}

TEST_F(sock, listener_close_resets)
{
	struct sockaddr_in addr;
	int listener = open_listener(variant->family, 4, &addr);
	int client = open_client(variant->family, &addr);
	char byte;

	ASSERT_LE(0, client);
	/* Nobody accepted it: the client must not hang. */
	close(listener);
	EXPECT_NE(0, poll_for(client, POLLIN, PATIENCE) & POLLIN);
	EXPECT_ERRNO(ECONNRESET, recv(client, &byte, 1, 0));
	close(client);
}

TEST_F(sock, accept_flags)
{
	int client = open_client(variant->family, &self->addr);
	int other = open_client(variant->family, &self->addr);
	int fd;

	ASSERT_LE(0, client);
	ASSERT_LE(0, other);
	EXPECT_ERRNO(EINVAL, accept4(self->listener, NULL, NULL, 1));
	fd = accept4(self->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	ASSERT_LE(0, fd);
	EXPECT_EQ(O_NONBLOCK, fcntl(fd, F_GETFL) & O_NONBLOCK);
	EXPECT_EQ(FD_CLOEXEC, fcntl(fd, F_GETFD) & FD_CLOEXEC);
	close(fd);
	/* The listener's O_NONBLOCK is not inherited. */
	ASSERT_EQ(0, set_nonblock(self->listener));
	ASSERT_NE(0, poll_for(self->listener, POLLIN, PATIENCE));
	fd = accept(self->listener, NULL, NULL);
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, fcntl(fd, F_GETFL) & O_NONBLOCK);
	close(fd);
	EXPECT_ERRNO(EAGAIN, accept(self->listener, NULL, NULL));
	close(client);
	close(other);
}

TEST_F(sock, accept_bad)
{
	int fd = socket(variant->family, SOCK_STREAM, 0);

	EXPECT_ERRNO(EINVAL, accept(fd, NULL, NULL));
	EXPECT_ERRNO(EINVAL, accept(self->client, NULL, NULL));
	close(fd);
}

TEST_F(sock, accept_names)
{
	struct sockaddr_in mine, seen, peer;
	socklen_t len = sizeof(seen);
	int client = open_client(variant->family, &self->addr);
	int fd;

	ASSERT_LE(0, client);
	fd = accept(self->listener, (struct sockaddr *)&seen, &len);
	ASSERT_LE(0, fd);
	EXPECT_EQ(sizeof(seen), len);
	ASSERT_EQ(0, sockname(client, &mine));
	EXPECT_EQ(AF_INET, seen.sin_family);
	EXPECT_EQ(mine.sin_port, seen.sin_port);
	EXPECT_EQ(mine.sin_addr.s_addr, seen.sin_addr.s_addr);
	ASSERT_EQ(0, peername(fd, &peer));
	EXPECT_EQ(mine.sin_port, peer.sin_port);
	EXPECT_EQ(mine.sin_addr.s_addr, peer.sin_addr.s_addr);
	ASSERT_EQ(0, sockname(fd, &peer));
	EXPECT_EQ(self->addr.sin_port, peer.sin_port);
	ASSERT_EQ(0, peername(client, &peer));
	EXPECT_EQ(self->addr.sin_port, peer.sin_port);
	EXPECT_EQ(self->addr.sin_addr.s_addr, peer.sin_addr.s_addr);
	close(fd);
	close(client);
}

TEST_F(sock, accept_short_address)
{
	struct sockaddr_in seen;
	socklen_t len = 4;
	int client = open_client(variant->family, &self->addr);
	int fd;

	ASSERT_LE(0, client);
	memset(&seen, 0x55, sizeof(seen));
	fd = accept(self->listener, (struct sockaddr *)&seen, &len);
	ASSERT_LE(0, fd);
	EXPECT_EQ(sizeof(seen), len);
	EXPECT_EQ(0x55555555, seen.sin_addr.s_addr);
	close(fd);
	close(client);
}

TEST_HARNESS_MAIN
