// SPDX-License-Identifier: GPL-2.0
/*
 * Socket surface, part 9: SO_REUSEPORT. Several listeners share a port and
 * the connections to it. See sock_fixture.h; run by cases/basic_socket.sh.
 */
#include "sock_fixture.h"

#define LISTENERS	4
#define CONNECTIONS	64

/* A bound socket with SO_REUSEPORT; -1 with errno set. */
static int open_bound(int family, struct sockaddr_in *addr)
{
	int fd = socket(family, SOCK_STREAM, 0);

	if (fd >= 0 && !set_opt(fd, SOL_SOCKET, SO_REUSEPORT, 1) &&
	    !bind_in(fd, addr) && !sockname(fd, addr))
		return fd;
	close(fd);
	return -1;
}

static int open_sharing(int family, struct sockaddr_in *addr)
{
	int fd = open_bound(family, addr);

	return fd >= 0 && !listen(fd, CONNECTIONS) ? fd : -1;
}

static int first_ready(const struct pollfd *pfd, int nfds)
{
	int i = nfds - 1;

	while (i > 0 && !pfd[i].revents)
		i--;
	return i;
}

/* Connects and accepts @count times; what each listener got goes to @got. */
static int spread(int family, const struct sockaddr_in *addr, const int *fds,
		  int nfds, int count, int *got)
{
	struct pollfd pfd[LISTENERS];
	int i, j, client, fd;

	for (j = 0; j < nfds; j++)
		pfd[j] = (struct pollfd){ .fd = fds[j], .events = POLLIN };
	for (i = 0; i < count; i++) {
		client = open_client(family, addr);
		if (client < 0 || poll(pfd, nfds, PATIENCE) != 1)
			return i;
		j = first_ready(pfd, nfds);
		fd = accept(fds[j], NULL, NULL);
		got[j]++;
		/* Whoever got it can talk to the client. */
		if (send(client, "x", 1, 0) != 1 ||
		    recv_all(fd, &(char){ 0 }, 1) != 1)
			return i;
		close(client);
		close(fd);
	}
	return count;
}

TEST_F(sock, spreads)
{
	struct sockaddr_in addr = loopback(0);
	int fds[LISTENERS], got[LISTENERS] = {};
	int i;

	for (i = 0; i < LISTENERS; i++) {
		fds[i] = open_sharing(variant->family, &addr);
		ASSERT_LE(0, fds[i]) TH_LOG("%d: %s", i, strerror(errno));
		EXPECT_EQ(1, get_opt(fds[i], SOL_SOCKET, SO_REUSEPORT));
	}
	EXPECT_EQ(CONNECTIONS, spread(variant->family, &addr, fds, LISTENERS,
				      CONNECTIONS, got));
	/* An even share is 16; chance leaves one below 3 once in 10^6. */
	for (i = 0; i < LISTENERS; i++) {
		EXPECT_LE(3, got[i])
			TH_LOG("listener %d got %d", i, got[i]);
	}

	/* When one goes, the others take its share. */
	close(fds[LISTENERS - 1]);
	EXPECT_EQ(CONNECTIONS / 2,
		  spread(variant->family, &addr, fds, LISTENERS - 1,
			 CONNECTIONS / 2, got));
	for (i = 0; i < LISTENERS - 1; i++)
		close(fds[i]);
	EXPECT_EQ(-1, open_client(variant->family, &addr));
	EXPECT_EQ(ECONNREFUSED, errno);
}

TEST_F(sock, all_must_agree)
{
	struct sockaddr_in addr = loopback(0);
	int plain = socket(variant->family, SOCK_STREAM, 0);
	int fd = open_sharing(variant->family, &addr);

	ASSERT_LE(0, fd);
	EXPECT_ERRNO(EADDRINUSE, bind_in(plain, &addr));
	/* Nor does SO_REUSEADDR help beside a listener. */
	ASSERT_EQ(0, set_opt(plain, SOL_SOCKET, SO_REUSEADDR, 1));
	EXPECT_ERRNO(EADDRINUSE, bind_in(plain, &addr));
	EXPECT_EQ(-1, open_bound(variant->family, &self->addr));
	EXPECT_EQ(EADDRINUSE, errno);
	close(plain);
	close(fd);
}

TEST_F(sock, same_user_only)
{
	struct sockaddr_in addr = loopback(0);
	int fd = open_sharing(variant->family, &addr);
	int other;

	ASSERT_LE(0, fd);
	if (geteuid())
		SKIP(return, "needs root");
	ASSERT_EQ(0, seteuid(65534));
	other = open_bound(variant->family, &addr);
	ASSERT_EQ(0, seteuid(0));
	EXPECT_EQ(-1, other);
	other = open_bound(variant->family, &addr);
	EXPECT_LE(0, other);
	close(other);
	close(fd);
}

TEST_F(sock, specific_address_first)
{
	struct sockaddr_in addr = loopback(0), any;
	int fds[2], got[2] = {};

	fds[0] = open_sharing(variant->family, &addr);
	ASSERT_LE(0, fds[0]);
	any = addr;
	any.sin_addr.s_addr = htonl(INADDR_ANY);
	fds[1] = open_sharing(variant->family, &any);
	ASSERT_LE(0, fds[1]) TH_LOG("%s", strerror(errno));
	EXPECT_EQ(8, spread(variant->family, &addr, fds, 2, 8, got));
	EXPECT_EQ(8, got[0]);
	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1);
	EXPECT_EQ(8, spread(variant->family, &addr, fds, 2, 8, got));
	EXPECT_EQ(8, got[1]);
	close(fds[0]);
	close(fds[1]);
}

TEST_F(sock, bound_without_listening)
{
	struct sockaddr_in addr = loopback(0);
	int fds[2], got[2] = {};

	fds[0] = open_bound(variant->family, &addr);
	fds[1] = open_sharing(variant->family, &addr);
	ASSERT_LE(0, fds[0]);
	ASSERT_LE(0, fds[1]);
	/* Only those that listen get connections. */
	EXPECT_EQ(8, spread(variant->family, &addr, &fds[1], 1, 8, got));
	EXPECT_EQ(0, listen(fds[0], 8));
	EXPECT_EQ(32, spread(variant->family, &addr, fds, 2, 32, got));
	EXPECT_LT(0, got[0]);
	close(fds[0]);
	close(fds[1]);
}

/* A server that is replaced: the new one binds while clients are connected. */
TEST_F(sock, beside_connections)
{
	struct sockaddr_in addr = loopback(0);
	int fd = open_sharing(variant->family, &addr);
	int client, server, next;
	char byte;

	ASSERT_LE(0, fd);
	client = open_client(variant->family, &addr);
	server = accept(fd, NULL, NULL);
	ASSERT_LE(0, server);
	EXPECT_EQ(1, get_opt(server, SOL_SOCKET, SO_REUSEPORT));
	close(fd);
	next = open_sharing(variant->family, &addr);
	EXPECT_LE(0, next) TH_LOG("%s", strerror(errno));
	EXPECT_EQ(1, send(client, "x", 1, 0));
	EXPECT_EQ(1, recv_all(server, &byte, 1));
	close(next);
	close(client);
	close(server);
}

TEST_F(sock, set_on_listener)
{
	struct sockaddr_in addr = self->addr;
	int fd;

	/* Too late for the listener, and yet it counts for later ones. */
	EXPECT_EQ(0, set_opt(self->listener, SOL_SOCKET, SO_REUSEPORT, 1));
	EXPECT_EQ(1, get_opt(self->listener, SOL_SOCKET, SO_REUSEPORT));
	fd = open_bound(variant->family, &addr);
	EXPECT_EQ(-1, fd);
	close(fd);
}

TEST_HARNESS_MAIN
