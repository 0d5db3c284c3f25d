// SPDX-License-Identifier: GPL-2.0
/*
 * Socket surface over IPv6, part 2: who may bind beside whom, and who gets the
 * connection. See ipv6_fixture.h; run by cases/ipv6_socket.sh.
 */
#include "ipv6_fixture.h"

/* Who may bind beside whom: without V6ONLY [::] includes 0.0.0.0. */
TEST_F(six, any_conflicts)
{
	struct sockaddr_in6 any6 = six_addr("::", 0);
	struct sockaddr_in any4 = loopback(0);
	int six = six_socket(variant), four = four_socket(variant);

	ASSERT_EQ(0, bind_six(six, &any6));
	ASSERT_EQ(0, sockname_six(six, &any6));
	any4.sin_port = any6.sin6_port;
	EXPECT_ERRNO(EADDRINUSE, bind_in(four, &any4));
	any4.sin_addr.s_addr = htonl(INADDR_ANY);
	EXPECT_ERRNO(EADDRINUSE, bind_in(four, &any4));
	close(six);
	/* And the other way round. */
	ASSERT_EQ(0, bind_in(four, &any4)) TH_LOG("%s", strerror(errno));
	six = six_socket(variant);
	EXPECT_ERRNO(EADDRINUSE, bind_six(six, &any6));
	any6 = six_addr("::ffff:127.0.0.1", ntohs(any4.sin_port));
	EXPECT_ERRNO(EADDRINUSE, bind_six(six, &any6));
	any6 = six_addr("::1", ntohs(any4.sin_port));
	EXPECT_EQ(0, bind_six(six, &any6)) TH_LOG("%s", strerror(errno));
	close(six);
	close(four);
}

TEST_F(six, v6only_beside_v4)
{
	struct sockaddr_in6 any6 = six_addr("::", 0), to6;
	int six = listen_six(variant, &any6, true), four, fd, server;
	struct sockaddr_in any4, to4;
	char byte;

	ASSERT_LE(0, six);
	any4 = loopback(ntohs(any6.sin6_port));
	to4 = any4;
	/* Nobody listens on IPv4 yet. */
	fd = four_socket(variant);
	EXPECT_ERRNO(ECONNREFUSED, connect_in(fd, &to4));
	close(fd);
	any4.sin_addr.s_addr = htonl(INADDR_ANY);
	four = listen_four(variant, &any4);
	ASSERT_LE(0, four) TH_LOG("%s", strerror(errno));
	fd = four_socket(variant);
	ASSERT_EQ(0, connect_in(fd, &to4));
	ASSERT_EQ(1, send(fd, "4", 1, 0));
	server = accept(four, NULL, NULL);
	ASSERT_LE(0, server);
	EXPECT_EQ(1, recv_all(server, &byte, 1));
	close(server);
	close(fd);
	to6 = six_addr("::1", ntohs(any6.sin6_port));
	fd = six_socket(variant);
	ASSERT_EQ(0, connect_six(fd, &to6));
	ASSERT_EQ(1, send(fd, "6", 1, 0));
	server = accept(six, NULL, NULL);
	ASSERT_LE(0, server);
	EXPECT_EQ(1, recv_all(server, &byte, 1));
	EXPECT_EQ('6', byte);
	close(server);
	close(fd);
	close(six);
	close(four);
}

TEST_F(six, specific_listener_wins)
{
	struct sockaddr_in6 any6 = six_addr("::", 0), one6;
	int any = six_socket(variant), one = six_socket(variant), fd;

	/* Both may bind with SO_REUSEADDR; only one of them may listen. */
	ASSERT_EQ(0, set_opt(any, SOL_SOCKET, SO_REUSEADDR, 1));
	ASSERT_EQ(0, set_opt(one, SOL_SOCKET, SO_REUSEADDR, 1));
	ASSERT_EQ(0, bind_six(any, &any6));
	ASSERT_EQ(0, sockname_six(any, &any6));
	one6 = six_addr("::1", ntohs(any6.sin6_port));
	ASSERT_EQ(0, bind_six(one, &one6)) TH_LOG("%s", strerror(errno));
	ASSERT_EQ(0, listen(one, 4));
	EXPECT_ERRNO(EADDRINUSE, listen(any, 4));
	fd = six_socket(variant);
	EXPECT_EQ(0, connect_six(fd, &one6));
	close(fd);
	close(one);
	close(any);
}

TEST_F(six, v6only_refuses_v4)
{
	struct sockaddr_in sin = loopback(0);
	int listener = listen_four(variant, &sin);
	int fd = six_socket(variant);
	struct sockaddr_in6 addr;

	ASSERT_LE(0, listener);
	ASSERT_EQ(0, set_opt(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1));
	addr = six_addr("::ffff:127.0.0.1", 0);
	EXPECT_ERRNO(EINVAL, bind_six(fd, &addr));
	addr.sin6_port = sin.sin_port;
	EXPECT_ERRNO(ENETUNREACH, connect_six(fd, &addr));
	ASSERT_EQ(0, set_opt(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0));
	EXPECT_EQ(0, connect_six(fd, &addr)) TH_LOG("%s", strerror(errno));
	close(fd);
	close(listener);
}

TEST_HARNESS_MAIN
