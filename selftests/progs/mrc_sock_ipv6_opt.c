// SPDX-License-Identifier: GPL-2.0
/*
 * Socket surface over IPv6, part 3: options, what a listener hands down, and
 * the ends of connections. See ipv6_fixture.h; run by cases/ipv6_socket.sh.
 */
#include "ipv6_fixture.h"

TEST_F(six, v6only_option)
{
	struct sockaddr_in6 addr = six_addr("::", 0);
	int fd = six_socket(variant);

	EXPECT_EQ(0, get_opt(fd, IPPROTO_IPV6, IPV6_V6ONLY));
	ASSERT_EQ(0, set_opt(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1));
	EXPECT_EQ(1, get_opt(fd, IPPROTO_IPV6, IPV6_V6ONLY));
	ASSERT_EQ(0, set_opt(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0));
	ASSERT_EQ(0, bind_six(fd, &addr));
	EXPECT_ERRNO(EINVAL, set_opt(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1));
	close(fd);
	/* Who binds an IPv6 address takes nothing else. */
	fd = six_socket(variant);
	addr = six_addr("::1", 0);
	ASSERT_EQ(0, bind_six(fd, &addr));
	EXPECT_EQ(1, get_opt(fd, IPPROTO_IPV6, IPV6_V6ONLY));
	close(fd);
}

TEST_F(six, values)
{
	int fd = six_socket(variant), four = four_socket(variant);

	EXPECT_EQ(0, get_opt(fd, IPPROTO_IPV6, IPV6_TCLASS));
	ASSERT_EQ(0, set_opt(fd, IPPROTO_IPV6, IPV6_TCLASS, 0x2b));
	EXPECT_EQ(0x28, get_opt(fd, IPPROTO_IPV6, IPV6_TCLASS));
	EXPECT_ERRNO(EINVAL, set_opt(fd, IPPROTO_IPV6, IPV6_TCLASS, 256));
	EXPECT_EQ(64, get_opt(fd, IPPROTO_IPV6, IPV6_UNICAST_HOPS));
	ASSERT_EQ(0, set_opt(fd, IPPROTO_IPV6, IPV6_UNICAST_HOPS, 9));
	EXPECT_EQ(9, get_opt(fd, IPPROTO_IPV6, IPV6_UNICAST_HOPS));
	EXPECT_ERRNO(EINVAL,
		     set_opt(fd, IPPROTO_IPV6, IPV6_UNICAST_HOPS, 256));
	ASSERT_EQ(0, set_opt(fd, IPPROTO_IPV6, IPV6_RECVTCLASS, 1));
	EXPECT_EQ(1, get_opt(fd, IPPROTO_IPV6, IPV6_RECVTCLASS));
	ASSERT_EQ(0, set_opt(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER,
			     IPV6_PMTUDISC_DO));
	EXPECT_EQ(IPV6_PMTUDISC_DO,
		  get_opt(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER));
	ASSERT_EQ(0, set_opt(fd, IPPROTO_IPV6, IPV6_RECVERR, 1));
	EXPECT_EQ(1, get_opt(fd, IPPROTO_IPV6, IPV6_RECVERR));
	/* The level of IPv4 is there, too. */
	ASSERT_EQ(0, set_opt(fd, IPPROTO_IP, IP_TOS, 0x28));
	EXPECT_EQ(0x28, get_opt(fd, IPPROTO_IP, IP_TOS));
	EXPECT_ERRNO(ENOPROTOOPT, set_opt(fd, IPPROTO_IPV6, 9999, 1));
	EXPECT_ERRNO(ENOPROTOOPT,
		     set_opt(four, IPPROTO_IPV6, IPV6_V6ONLY, 1));
	EXPECT_EQ(INT_MIN, get_opt(four, IPPROTO_IPV6, IPV6_TCLASS));
	EXPECT_EQ(EOPNOTSUPP, errno);
	close(four);
	close(fd);
}

TEST_F(six, inherited)
{
	struct sockaddr_in6 addr = six_addr("::", 0), to;
	int listener = listen_six(variant, &addr, false);
	int client = six_socket(variant), server;

	ASSERT_LE(0, listener);
	ASSERT_EQ(0, set_opt(listener, IPPROTO_IPV6, IPV6_TCLASS, 0x48));
	ASSERT_EQ(0, set_opt(listener, IPPROTO_IPV6, IPV6_UNICAST_HOPS, 7));
	ASSERT_EQ(0, set_opt(listener, IPPROTO_TCP, TCP_NODELAY, 1));
	to = six_addr("::1", ntohs(addr.sin6_port));
	ASSERT_EQ(0, connect_six(client, &to));
	server = accept(listener, NULL, NULL);
	ASSERT_LE(0, server);
	EXPECT_EQ(0x48, get_opt(server, IPPROTO_IPV6, IPV6_TCLASS));
	EXPECT_EQ(7, get_opt(server, IPPROTO_IPV6, IPV6_UNICAST_HOPS));
	EXPECT_EQ(1, get_opt(server, IPPROTO_TCP, TCP_NODELAY));
	/* The child's options are its own. */
	ASSERT_EQ(0, set_opt(server, IPPROTO_IPV6, IPV6_TCLASS, 0x20));
	EXPECT_EQ(0x48, get_opt(listener, IPPROTO_IPV6, IPV6_TCLASS));
	close(server);
	EXPECT_EQ(0x48, get_opt(listener, IPPROTO_IPV6, IPV6_TCLASS));
	close(client);
	close(listener);
}

TEST_F(six, multicast_is_refused)
{
	struct ipv6_mreq mreq = {};
	int fd = six_socket(variant);

	inet_pton(AF_INET6, "ff02::77", &mreq.ipv6mr_multiaddr);
	mreq.ipv6mr_interface = if_nametoindex("lo");
	EXPECT_ERRNO(EPROTO, setsockopt(fd, IPPROTO_IPV6, IPV6_JOIN_GROUP,
					&mreq, sizeof(mreq)));
	close(fd);
}

/* A child must not take its listener's group and options with it. */
TEST_F(six, lists_stay_with_listener)
{
	struct sockaddr_in6 addr = six_addr("::1", 0);
	int listener = listen_six(variant, &addr, false);
	__u8 hops[8] = { 0, 0, 1, 4 };
	int i, client, server;

	ASSERT_LE(0, listener);
	ASSERT_EQ(0, setsockopt(listener, IPPROTO_IPV6, IPV6_DSTOPTS, hops,
				sizeof(hops))) TH_LOG("%s", strerror(errno));
	for (i = 0; i < 3; i++) {
		client = six_socket(variant);
		ASSERT_EQ(0, connect_six(client, &addr));
		server = accept(listener, NULL, NULL);
		ASSERT_LE(0, server);
		close(client);
		close(server);
	}
	close(listener);
}

TEST_F(six, stream)
{
	static char out[300000], in[sizeof(out)];
	size_t i, sent = 0;
	ssize_t n;
	int fds[2];

	for (i = 0; i < sizeof(out); i++)
		out[i] = i * 7 + i / 251;
	ASSERT_EQ(0, pair_six(variant, fds));
	while (sent < sizeof(out)) {
		n = send(fds[0], out + sent, sizeof(out) - sent, MSG_DONTWAIT);
		if (n < 0)
			break;
		sent += n;
	}
	EXPECT_LT(0, sent);
	shutdown(fds[0], SHUT_WR);
	EXPECT_EQ(sent, recv_all(fds[1], in, sizeof(in)));
	EXPECT_EQ(0, memcmp(in, out, sent));
	close(fds[0]);
	close(fds[1]);
}

/* Calls on sockets whose connection is ending, in every order. */
TEST_F(six, calls_at_the_end)
{
	struct sockaddr_in6 addr;
	int fds[2], round;
	char byte;

	for (round = 0; round < 4; round++) {
		int first = round & 1, second = !first;

		ASSERT_EQ(0, pair_six(variant, fds));
		shutdown(fds[first], SHUT_WR);
		EXPECT_EQ(0, recv_all(fds[second], &byte, 1));
		shutdown(fds[second], SHUT_WR);
		EXPECT_EQ(0, recv_all(fds[first], &byte, 1));
		peername_six(fds[first], &addr);
		ASSERT_EQ(0, sockname_six(fds[first], &addr));
		EXPECT_EQ(AF_INET6, addr.sin6_family);
		EXPECT_EQ(0, set_opt(fds[first], IPPROTO_IPV6, IPV6_TCLASS,
				     0x20));
		EXPECT_EQ(0x20, get_opt(fds[first], IPPROTO_IPV6,
					IPV6_TCLASS));
		if (round & 2)
			close(fds[second]);
		close(fds[first]);
		if (!(round & 2))
			close(fds[second]);
	}
}

TEST_F(six, info_of_paths)
{
	union {
		struct mrc_info info;
		char bytes[4096];
	} u;
	struct sockaddr_in6 addr;
	socklen_t len = sizeof(u);
	int fds[2];

	if (variant->protocol6 != MRCPROTO_IPV6)
		return;
	ASSERT_EQ(0, pair_six(variant, fds));
	ASSERT_EQ(0, getsockopt(fds[0], SOL_MRC, MRC_INFO, &u, &len));
	ASSERT_EQ(1, u.info.path_count);
	EXPECT_EQ(AF_INET6, u.info.paths[0].family);
	ASSERT_EQ(0, sockname_six(fds[0], &addr));
	EXPECT_EQ(0, memcmp(u.info.paths[0].local_addr, &addr.sin6_addr, 16));
	EXPECT_EQ(0, memcmp(u.info.paths[0].remote_addr, &addr.sin6_addr, 16));
	EXPECT_EQ(1, get_opt(fds[0], SOL_SOCKET, SO_PROTOCOL));
	close(fds[0]);
	close(fds[1]);
}

TEST_HARNESS_MAIN
