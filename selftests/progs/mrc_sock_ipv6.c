// SPDX-License-Identifier: GPL-2.0
/*
 * Socket surface over IPv6, part 1: names, connect and accept in both families.
 * See ipv6_fixture.h; run by cases/ipv6_socket.sh.
 */
#include "ipv6_fixture.h"

TEST_F(six, names_before)
{
	struct sockaddr_in6 addr;
	socklen_t len = 128;
	int fd = six_socket(variant);

	ASSERT_LE(0, fd) TH_LOG("%s", strerror(errno));
	ASSERT_EQ(0, getsockname(fd, (struct sockaddr *)&addr, &len));
	EXPECT_EQ(sizeof(addr), len);
	EXPECT_EQ(AF_INET6, addr.sin6_family);
	EXPECT_STREQ("::", text_of(&addr));
	EXPECT_EQ(0, addr.sin6_port);
	EXPECT_EQ(0, addr.sin6_scope_id);
	EXPECT_ERRNO(ENOTCONN, peername_six(fd, &addr));
	EXPECT_EQ(AF_INET6, get_opt(fd, SOL_SOCKET, SO_DOMAIN));
	EXPECT_EQ(SOCK_STREAM, get_opt(fd, SOL_SOCKET, SO_TYPE));
	close(fd);
}

TEST_F(six, type_flags)
{
	int fd = socket(variant->family6, SOCK_STREAM | SOCK_NONBLOCK |
			SOCK_CLOEXEC, variant->protocol6);

	ASSERT_LE(0, fd);
	EXPECT_EQ(O_NONBLOCK, fcntl(fd, F_GETFL) & O_NONBLOCK);
	EXPECT_EQ(FD_CLOEXEC, fcntl(fd, F_GETFD) & FD_CLOEXEC);
	close(fd);
}

TEST_F(six, native_names)
{
	struct sockaddr_in6 addr = six_addr("::1", 0), mine, seen;
	int listener = listen_six(variant, &addr, false);
	int client = six_socket(variant), server;
	socklen_t len = 128;

	ASSERT_LE(0, listener);
	EXPECT_STREQ("::1", text_of(&addr));
	ASSERT_EQ(0, connect_six(client, &addr)) TH_LOG("%s", strerror(errno));
	server = accept(listener, (struct sockaddr *)&seen, &len);
	ASSERT_LE(0, server);
	EXPECT_EQ(sizeof(seen), len);
	ASSERT_EQ(0, sockname_six(client, &mine));
	EXPECT_EQ(0, memcmp(&mine, &seen, sizeof(mine)));
	EXPECT_EQ(AF_INET6, seen.sin6_family);
	EXPECT_STREQ("::1", text_of(&seen));
	EXPECT_EQ(0, seen.sin6_scope_id);
	EXPECT_EQ(0, seen.sin6_flowinfo);
	ASSERT_EQ(0, peername_six(client, &seen));
	EXPECT_EQ(0, memcmp(&addr, &seen, sizeof(addr)));
	ASSERT_EQ(0, sockname_six(server, &seen));
	EXPECT_EQ(0, memcmp(&addr, &seen, sizeof(addr)));
	close(client);
	close(server);
	close(listener);
}

TEST_F(six, dual_stack_listener)
{
	struct sockaddr_in6 addr = six_addr("::", 0), seen;
	int listener = listen_six(variant, &addr, false);
	int client = four_socket(variant), server;
	struct sockaddr_in sin, mine;
	socklen_t len = sizeof(seen);

	ASSERT_LE(0, listener);
	sin = loopback(ntohs(addr.sin6_port));
	ASSERT_EQ(0, connect_in(client, &sin)) TH_LOG("%s", strerror(errno));
	server = accept(listener, (struct sockaddr *)&seen, &len);
	ASSERT_LE(0, server);
	ASSERT_EQ(0, sockname(client, &mine));
	EXPECT_EQ(AF_INET6, seen.sin6_family);
	EXPECT_STREQ("::ffff:127.0.0.1", text_of(&seen));
	EXPECT_EQ(mine.sin_port, seen.sin6_port);
	ASSERT_EQ(0, sockname_six(server, &seen));
	EXPECT_STREQ("::ffff:127.0.0.1", text_of(&seen));
	EXPECT_EQ(addr.sin6_port, seen.sin6_port);
	ASSERT_EQ(0, peername(client, &mine));
	EXPECT_EQ(AF_INET, mine.sin_family);
	EXPECT_EQ(sin.sin_port, mine.sin_port);
	close(client);
	close(server);
	/* The same socket takes IPv6. */
	addr = six_addr("::1", ntohs(addr.sin6_port));
	client = six_socket(variant);
	ASSERT_EQ(0, connect_six(client, &addr)) TH_LOG("%s", strerror(errno));
	server = accept(listener, (struct sockaddr *)&seen, &len);
	ASSERT_LE(0, server);
	EXPECT_STREQ("::1", text_of(&seen));
	close(client);
	close(server);
	close(listener);
}

TEST_F(six, mapped_connect)
{
	struct sockaddr_in sin = loopback(0), peer;
	int listener = listen_four(variant, &sin);
	struct sockaddr_in6 addr, seen;
	int client = six_socket(variant), server;
	socklen_t len = sizeof(peer);

	ASSERT_LE(0, listener);
	addr = six_addr("::ffff:127.0.0.1", ntohs(sin.sin_port));
	ASSERT_EQ(0, connect_six(client, &addr)) TH_LOG("%s", strerror(errno));
	server = accept(listener, (struct sockaddr *)&peer, &len);
	ASSERT_LE(0, server);
	EXPECT_EQ(sizeof(peer), len);
	EXPECT_EQ(AF_INET, peer.sin_family);
	EXPECT_EQ(htonl(INADDR_LOOPBACK), peer.sin_addr.s_addr);
	ASSERT_EQ(0, sockname_six(client, &seen));
	EXPECT_STREQ("::ffff:127.0.0.1", text_of(&seen));
	EXPECT_EQ(peer.sin_port, seen.sin6_port);
	ASSERT_EQ(0, peername_six(client, &seen));
	EXPECT_EQ(0, memcmp(&addr, &seen, sizeof(addr)));
	close(client);
	close(server);
	close(listener);
}

TEST_F(six, mapped_bind)
{
	struct sockaddr_in6 addr = six_addr("::ffff:127.0.0.1", 0), seen;
	int listener = listen_six(variant, &addr, false);
	int client = four_socket(variant), server, other;
	struct sockaddr_in sin;

	ASSERT_LE(0, listener) TH_LOG("%s", strerror(errno));
	EXPECT_STREQ("::ffff:127.0.0.1", text_of(&addr));
	sin = loopback(ntohs(addr.sin6_port));
	ASSERT_EQ(0, connect_in(client, &sin)) TH_LOG("%s", strerror(errno));
	server = accept(listener, NULL, NULL);
	ASSERT_LE(0, server);
	ASSERT_EQ(0, peername_six(server, &seen));
	EXPECT_STREQ("::ffff:127.0.0.1", text_of(&seen));
	/* It does not listen on ::1. */
	other = six_socket(variant);
	addr = six_addr("::1", ntohs(sin.sin_port));
	EXPECT_ERRNO(ECONNREFUSED, connect_six(other, &addr));
	close(other);
	close(client);
	close(server);
	close(listener);
}

TEST_F(six, bad_addresses)
{
	struct sockaddr_in6 addr = six_addr("::1", 0);
	struct sockaddr_in sin = loopback(0);
	int fd = six_socket(variant), four = four_socket(variant);

	EXPECT_ERRNO(EINVAL, bind(fd, (struct sockaddr *)&sin, sizeof(sin)));
	EXPECT_ERRNO(EINVAL, bind(fd, (struct sockaddr *)&addr, 23));
	EXPECT_ERRNO(EINVAL, connect(fd, (struct sockaddr *)&addr, 23));
	addr.sin6_family = AF_INET;
	EXPECT_ERRNO(EAFNOSUPPORT, bind_six(fd, &addr));
	EXPECT_ERRNO(EAFNOSUPPORT, connect_six(fd, &addr));
	addr = six_addr("ff02::1", 7);
	EXPECT_ERRNO(EINVAL, bind_six(fd, &addr));
	EXPECT_ERRNO(ENETUNREACH, connect_six(fd, &addr));
	addr = six_addr("2001:db8::7", 7);
	EXPECT_ERRNO(EADDRNOTAVAIL, bind_six(fd, &addr));
	EXPECT_ERRNO(ENETUNREACH, connect_six(fd, &addr));
	addr = six_addr("fe80::7", 7);
	EXPECT_ERRNO(EINVAL, bind_six(fd, &addr));
	EXPECT_ERRNO(EINVAL, connect_six(fd, &addr));
	addr = six_addr("::1", 7);
	EXPECT_ERRNO(EAFNOSUPPORT, connect_six(four, &addr));
	EXPECT_ERRNO(EAFNOSUPPORT, bind_six(four, &addr));
	close(four);
	close(fd);
}

TEST_F(six, short_sockaddr)
{
	struct sockaddr_in6 addr = six_addr("::1", 0);
	int listener = listen_six(variant, &addr, false);
	int fd = six_socket(variant);

	/* RFC 2133 had no scope id. */
	ASSERT_LE(0, listener);
	EXPECT_EQ(0, connect(fd, (struct sockaddr *)&addr, 24));
	close(fd);
	close(listener);
}

TEST_F(six, any_means_loopback)
{
	struct sockaddr_in6 addr = six_addr("::", 0), to, seen;
	int listener = listen_six(variant, &addr, false);
	int fd = six_socket(variant);

	ASSERT_LE(0, listener);
	to = six_addr("::", ntohs(addr.sin6_port));
	EXPECT_EQ(0, connect_six(fd, &to)) TH_LOG("%s", strerror(errno));
	ASSERT_EQ(0, peername_six(fd, &seen));
	EXPECT_STREQ("::1", text_of(&seen));
	close(fd);
	fd = six_socket(variant);
	addr = six_addr("::ffff:127.0.0.1", 0);
	ASSERT_EQ(0, bind_six(fd, &addr));
	EXPECT_EQ(0, connect_six(fd, &to)) TH_LOG("%s", strerror(errno));
	ASSERT_EQ(0, peername_six(fd, &seen));
	EXPECT_STREQ("::ffff:127.0.0.1", text_of(&seen));
	close(fd);
	close(listener);
}

TEST_F(six, bound_client)
{
	struct sockaddr_in6 addr = six_addr("::1", 0), mine = addr, seen;
	int listener = listen_six(variant, &addr, false);
	int fd = six_socket(variant), server;

	ASSERT_LE(0, listener);
	ASSERT_EQ(0, bind_six(fd, &mine));
	ASSERT_EQ(0, sockname_six(fd, &mine));
	ASSERT_EQ(0, connect_six(fd, &addr));
	server = accept(listener, NULL, NULL);
	ASSERT_LE(0, server);
	ASSERT_EQ(0, peername_six(server, &seen));
	EXPECT_EQ(0, memcmp(&mine, &seen, sizeof(mine)));
	close(server);
	close(fd);
	/* From an IPv6 address there is no way to an IPv4 one. */
	fd = six_socket(variant);
	mine.sin6_port = 0;
	ASSERT_EQ(0, bind_six(fd, &mine));
	seen = six_addr("::ffff:127.0.0.1", 7);
	EXPECT_ERRNO(ENETUNREACH, connect_six(fd, &seen));
	close(fd);
	close(listener);
}

TEST_F(six, refused)
{
	struct sockaddr_in6 dead = six_addr("::1", 0);
	int fd = listen_six(variant, &dead, false);

	close(fd);
	fd = six_socket(variant);
	EXPECT_ERRNO(ECONNREFUSED, connect_six(fd, &dead));
	dead = six_addr("::ffff:127.0.0.1", ntohs(dead.sin6_port));
	EXPECT_ERRNO(ECONNREFUSED, connect_six(fd, &dead));
	close(fd);
}

TEST_F(six, disconnect_and_again)
{
	struct sockaddr_in6 addr = six_addr("::", 0), seen;
	struct sockaddr none = { .sa_family = AF_UNSPEC };
	int listener = listen_six(variant, &addr, false);
	int fd = six_socket(variant);
	struct sockaddr_in6 to = six_addr("::1", ntohs(addr.sin6_port));

	ASSERT_LE(0, listener);
	ASSERT_EQ(0, connect_six(fd, &to));
	ASSERT_EQ(0, connect(fd, &none, sizeof(none)));
	EXPECT_ERRNO(ENOTCONN, peername_six(fd, &seen));
	ASSERT_EQ(0, sockname_six(fd, &seen));
	EXPECT_STREQ("::", text_of(&seen));
	to = six_addr("::ffff:127.0.0.1", ntohs(addr.sin6_port));
	ASSERT_EQ(0, connect_six(fd, &to)) TH_LOG("%s", strerror(errno));
	ASSERT_EQ(0, peername_six(fd, &seen));
	EXPECT_STREQ("::ffff:127.0.0.1", text_of(&seen));
	close(fd);
	close(listener);
}

/* A link-local address of this host; its scope is the device. */
static int own_link_local(struct sockaddr_in6 *addr)
{
	struct ifaddrs *list, *ifa;
	int found = -1;

	if (getifaddrs(&list))
		return -1;
	for (ifa = list; ifa; ifa = ifa->ifa_next) {
		struct sockaddr_in6 *sin6 = (void *)ifa->ifa_addr;

		if (found && sin6 && sin6->sin6_family == AF_INET6 &&
		    IN6_IS_ADDR_LINKLOCAL(&sin6->sin6_addr)) {
			*addr = *sin6;
			found = 0;
		}
	}
	freeifaddrs(list);
	return found;
}

TEST_F(six, scope_ids)
{
	struct sockaddr_in6 addr, seen, elsewhere;
	int listener, client, server;
	socklen_t len = sizeof(seen);
	__u32 scope;

	if (own_link_local(&addr))
		SKIP(return, "no link-local address");
	scope = addr.sin6_scope_id;
	ASSERT_NE(0, scope);
	addr.sin6_port = 0;
	listener = listen_six(variant, &addr, false);
	ASSERT_LE(0, listener) TH_LOG("%s", strerror(errno));
	EXPECT_EQ(scope, addr.sin6_scope_id);
	client = six_socket(variant);
	elsewhere = addr;
	elsewhere.sin6_scope_id = 0;
	EXPECT_ERRNO(EINVAL, connect_six(client, &elsewhere));
	elsewhere.sin6_scope_id = scope + 1000;
	ASSERT_EQ(0, connect_six(client, &addr)) TH_LOG("%s", strerror(errno));
	server = accept(listener, (struct sockaddr *)&seen, &len);
	ASSERT_LE(0, server);
	EXPECT_EQ(scope, seen.sin6_scope_id);
	EXPECT_EQ(0, memcmp(&addr.sin6_addr, &seen.sin6_addr, 16));
	ASSERT_EQ(0, peername_six(client, &seen));
	EXPECT_EQ(0, memcmp(&addr, &seen, sizeof(addr)));
	ASSERT_EQ(0, sockname_six(client, &seen));
	EXPECT_EQ(scope, seen.sin6_scope_id);
	ASSERT_EQ(0, peername_six(server, &seen));
	EXPECT_EQ(scope, seen.sin6_scope_id);
	ASSERT_EQ(1, send(client, "x", 1, 0));
	ASSERT_EQ(1, recv_all(server, &seen, 1));
	close(client);
	close(server);
	close(listener);
	/* A socket of one link does not reach another. */
	client = six_socket(variant);
	addr.sin6_port = 0;
	ASSERT_EQ(0, bind_six(client, &addr));
	EXPECT_ERRNO(EINVAL, connect_six(client, &elsewhere));
	close(client);
}

TEST_HARNESS_MAIN
