// SPDX-License-Identifier: GPL-2.0
/*
 * Listeners of AF_MRC that TCP clients call, port numbers that both families
 * share, and options on their way to TCP.
 */
#include "fallback_fixture.h"

TEST_F(fall, both_clients)
{
	int listener = listen_on(mrc_socket(variant), &self->addr);
	int client[2], server[2], i, k, tcp = 0;
	char byte;

	ASSERT_LE(0, listener);
	EXPECT_EQ(0, poll_for(listener, POLLIN, 0));
	client[0] = tcp_socket(variant);
	client[1] = mrc_socket(variant);
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, connect_any(client[i], &self->addr));
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(POLLIN, poll_for(listener, POLLIN, PATIENCE));
		server[i] = accept(listener, NULL, NULL);
		ASSERT_LE(0, server[i]);
		k = reason_of(server[i]) == MRC_FALLBACK_ACCEPTED ? 0 : 1;
		tcp += !k;
		EXPECT_EQ(k ? variant->protocol : IPPROTO_TCP,
			  get_opt(server[i], SOL_SOCKET, SO_PROTOCOL));
		EXPECT_TRUE(talks(client[k], server[i]));
		close(client[k]);
		EXPECT_EQ(0, recv_all(server[i], &byte, 1));
		close(server[i]);
	}
	EXPECT_EQ(1, tcp);
}

/* A blocked accept() and an edge-triggered epoll see TCP clients, too. */
TEST_F(fall, wakes_listener)
{
	int listener = listen_on(mrc_socket(variant), &self->addr);
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	int client, epoll = epoll_create1(0), status, i;
	pid_t pid;

	ASSERT_LE(0, listener);
	pid = fork();
	if (!pid) {
		usleep(QUIET * 1000);
		client = tcp_socket(variant);
		_exit(connect_any(client, &self->addr) ||
		      recv_all(client, &status, 1) != 1);
	}
	client = accept(listener, NULL, NULL);
	ASSERT_LE(0, client);
	ASSERT_EQ(1, send(client, "x", 1, 0));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	close(client);
	ASSERT_EQ(0, set_nonblock(listener));
	ASSERT_EQ(0, epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event));
	for (i = 0; i < 3; i++) {
		client = tcp_socket(variant);
		ASSERT_EQ(0, connect_any(client, &self->addr));
		ASSERT_EQ(1, epoll_wait(epoll, &event, 1, PATIENCE));
		close(accept(listener, NULL, NULL));
		EXPECT_ERRNO(EAGAIN, accept(listener, NULL, NULL));
		close(client);
	}
}

TEST_F(fall, strict_listener)
{
	int listener = listen_on(strict_socket(variant), &self->addr);
	int tcp = tcp_socket(variant), client = mrc_socket(variant);

	ASSERT_LE(0, listener);
	EXPECT_ERRNO(ECONNREFUSED, connect_any(tcp, &self->addr));
	ASSERT_EQ(0, connect_any(client, &self->addr));
	EXPECT_EQ(MRC_FALLBACK_NONE, reason_of(client));
	EXPECT_TRUE(talks(client, accept(listener, NULL, NULL)));
}

TEST_F(fall, listener_ends)
{
	int listener = listen_on(mrc_socket(variant), &self->addr);
	int waiting = tcp_socket(variant), late = tcp_socket(variant);
	char byte;

	ASSERT_EQ(0, connect_any(waiting, &self->addr));
	ASSERT_EQ(POLLIN, poll_for(listener, POLLIN, PATIENCE));
	ASSERT_EQ(0, shutdown(listener, SHUT_RD));
	ASSERT_LT(0, poll_for(waiting, POLLIN, PATIENCE));
	EXPECT_ERRNO(ECONNRESET, recv(waiting, &byte, 1, 0));
	EXPECT_ERRNO(ECONNREFUSED, connect_any(late, &self->addr));
	EXPECT_ERRNO(EINVAL, accept(listener, NULL, NULL));
	ASSERT_EQ(0, listen(listener, 4));
	close(waiting);
	waiting = tcp_socket(variant);
	/* Bound to port 0: it may have got another one. */
	ASSERT_EQ(0, name_any(listener, &self->addr));
	ASSERT_EQ(0, connect_any(waiting, &self->addr));
	EXPECT_TRUE(talks(waiting, accept(listener, NULL, NULL)));
	close(listener);
	EXPECT_ERRNO(ECONNREFUSED, connect_any(late, &self->addr));
	EXPECT_EQ(1, send(waiting, "x", 1, MSG_NOSIGNAL));
}

/* Accepted connections outlive the listener, of which clients still wait. */
TEST_F(fall, backlog)
{
	int listener = listen_on(mrc_socket(variant), &self->addr);
	int client[12], server[12];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(client); i++) {
		client[i] = i % 2 ? tcp_socket(variant) : mrc_socket(variant);
		ASSERT_EQ(0, connect_any(client[i], &self->addr));
	}
	for (i = 0; i < ARRAY_SIZE(server); i++) {
		server[i] = accept(listener, NULL, NULL);
		ASSERT_LE(0, server[i]);
		ASSERT_EQ(1, send(server[i], "x", 1, 0));
	}
	close(listener);
	for (i = 0; i < ARRAY_SIZE(client); i++) {
		char byte;

		EXPECT_EQ(1, recv_all(client[i], &byte, 1));
		close(client[i]);
		EXPECT_EQ(0, recv_all(server[i], &byte, 1));
		close(server[i]);
	}
}

static void take_turns(struct __test_metadata *_metadata,
		       const struct _fixture_variant_fall *v,
		       const union any_addr *from, int type, int protocol)
{
	union any_addr addr = *from;
	int mrc = socket(AF_MRC, type, protocol), tcp = tcp_socket(v);

	/* Whoever is first has the port, chosen or ephemeral. */
	ASSERT_EQ(0, bind_any(mrc, &addr));
	ASSERT_EQ(0, name_any(mrc, &addr));
	EXPECT_ERRNO(EADDRINUSE, bind_any(tcp, &addr));
	close(mrc);
	ASSERT_EQ(0, bind_any(tcp, &addr)) TH_LOG("%s", strerror(errno));
	mrc = socket(AF_MRC, type, protocol);
	EXPECT_ERRNO(EADDRINUSE, bind_any(mrc, &addr));
	ASSERT_EQ(0, listen(tcp, 1));
	EXPECT_ERRNO(EADDRINUSE, bind_any(mrc, &addr));
	close(tcp);
	ASSERT_EQ(0, bind_any(mrc, &addr)) TH_LOG("%s", strerror(errno));
	close(mrc);
}

TEST_F(fall, ports_are_shared)
{
	take_turns(_metadata, variant, &self->addr, SOCK_STREAM,
		   variant->protocol);
	take_turns(_metadata, variant, &self->addr, SOCK_STREAM,
		   variant->protocol | MRCPROTO_STRICT);
	take_turns(_metadata, variant, &self->addr, SOCK_SEQPACKET,
		   variant->protocol);
}

/* SO_REUSEADDR and SO_REUSEPORT hold between the families as within one. */
TEST_F(fall, ports_are_reused)
{
	int mrc = mrc_socket(variant), tcp = tcp_socket(variant);

	ASSERT_EQ(0, set_opt(mrc, SOL_SOCKET, SO_REUSEADDR, 1));
	ASSERT_EQ(0, bind_any(mrc, &self->addr));
	ASSERT_EQ(0, name_any(mrc, &self->addr));
	ASSERT_EQ(0, set_opt(tcp, SOL_SOCKET, SO_REUSEADDR, 1));
	ASSERT_EQ(0, bind_any(tcp, &self->addr));
	ASSERT_EQ(0, listen(tcp, 1));
	EXPECT_ERRNO(EADDRINUSE, listen(mrc, 1));
	close(tcp);
	ASSERT_EQ(0, listen(mrc, 1));
	close(mrc);
	mrc = mrc_socket(variant);
	tcp = tcp_socket(variant);
	ASSERT_EQ(0, set_opt(mrc, SOL_SOCKET, SO_REUSEPORT, 1));
	ASSERT_EQ(0, set_opt(tcp, SOL_SOCKET, SO_REUSEPORT, 1));
	ASSERT_EQ(0, bind_any(mrc, &self->addr));
	ASSERT_EQ(0, bind_any(tcp, &self->addr));
	ASSERT_EQ(0, listen(mrc, 1));
	ASSERT_EQ(0, listen(tcp, 1));
	close(mrc);
	close(tcp);
}

TEST_F(fall, dual_stack)
{
	union any_addr four = loopback_of(AF_INET);
	int listener, client = socket(AF_INET, SOCK_STREAM, 0), only;

	if (variant->family != AF_INET6)
		return;
	self->addr.sin6.sin6_addr = in6addr_any;
	listener = listen_on(mrc_socket(variant), &self->addr);
	ASSERT_LE(0, listener);
	four.sin.sin_port = self->addr.sin6.sin6_port;
	ASSERT_EQ(0, connect_any(client, &four));
	EXPECT_TRUE(talks(client, accept(listener, NULL, NULL)));
	close(client);
	close(listener);
	only = mrc_socket(variant);
	self->addr.sin6.sin6_port = 0;
	ASSERT_EQ(0, set_opt(only, IPPROTO_IPV6, IPV6_V6ONLY, 1));
	ASSERT_LE(0, listen_on(only, &self->addr));
	four.sin.sin_port = self->addr.sin6.sin6_port;
	client = socket(AF_INET, SOCK_STREAM, 0);
	EXPECT_ERRNO(ECONNREFUSED, connect_any(client, &four));
	listener = socket(AF_MRC, SOCK_STREAM, MRCPROTO_IPV4);
	EXPECT_EQ(0, bind_any(listener, &four));
}

static const struct {
	int level;
	int name;
	int value;
	int family;
} options[] = {
	{ SOL_SOCKET, SO_KEEPALIVE, 1, 0 },
	{ SOL_SOCKET, SO_OOBINLINE, 1, 0 },
	{ SOL_SOCKET, SO_MARK, 77, 0 },
	{ SOL_SOCKET, SO_RCVLOWAT, 5, 0 },
	{ SOL_SOCKET, SO_TIMESTAMP, 1, 0 },
	{ IPPROTO_TCP, TCP_NODELAY, 1, 0 },
	{ IPPROTO_TCP, TCP_KEEPIDLE, 33, 0 },
	{ IPPROTO_TCP, TCP_KEEPINTVL, 7, 0 },
	{ IPPROTO_TCP, TCP_KEEPCNT, 3, 0 },
	{ IPPROTO_TCP, TCP_USER_TIMEOUT, 5000, 0 },
	{ IPPROTO_TCP, TCP_NOTSENT_LOWAT, 9999, 0 },
	{ IPPROTO_IP, IP_TOS, 0x48, AF_INET },
	{ IPPROTO_IP, IP_TTL, 55, AF_INET },
	{ IPPROTO_IPV6, IPV6_TCLASS, 0x48, AF_INET6 },
	{ IPPROTO_IPV6, IPV6_UNICAST_HOPS, 55, AF_INET6 },
};

static void set_options(struct __test_metadata *_metadata, int fd, int family)
{
	struct linger linger = { .l_onoff = 1, .l_linger = 3 };
	struct timeval tv = { .tv_sec = 2 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(options); i++)
		if (!options[i].family || options[i].family == family)
			EXPECT_EQ(0, set_opt(fd, options[i].level,
					     options[i].name,
					     options[i].value));
	EXPECT_EQ(0, setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger,
				sizeof(linger)));
	EXPECT_EQ(0, setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)));
	EXPECT_EQ(0, set_opt(fd, SOL_SOCKET, SO_RCVBUF, 50000));
	EXPECT_EQ(0, set_opt(fd, SOL_SOCKET, SO_SNDBUF, 60000));
}

static void check_options(struct __test_metadata *_metadata, int fd,
			  int family)
{
	struct linger linger = { };
	struct timeval tv = { };
	socklen_t len = sizeof(linger);
	unsigned int i;

	EXPECT_EQ(IPPROTO_TCP, get_opt(fd, SOL_SOCKET, SO_PROTOCOL));
	for (i = 0; i < ARRAY_SIZE(options); i++)
		if (!options[i].family || options[i].family == family)
			EXPECT_EQ(options[i].value,
				  get_opt(fd, options[i].level,
					  options[i].name))
				TH_LOG("option %d of level %d",
				       options[i].name, options[i].level);
	EXPECT_EQ(0, getsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, &len));
	EXPECT_EQ(1, linger.l_onoff);
	EXPECT_EQ(3, linger.l_linger);
	len = sizeof(tv);
	EXPECT_EQ(0, getsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, &len));
	EXPECT_EQ(2, tv.tv_sec);
	EXPECT_EQ(100000, get_opt(fd, SOL_SOCKET, SO_RCVBUF));
	EXPECT_EQ(120000, get_opt(fd, SOL_SOCKET, SO_SNDBUF));
}

TEST_F(fall, options_of_client)
{
	int listener = listen_on(tcp_socket(variant), &self->addr);
	int client = mrc_socket(variant);

	ASSERT_LE(0, listener);
	set_options(_metadata, client, variant->family);
	ASSERT_EQ(0, connect_any(client, &self->addr));
	check_options(_metadata, client, variant->family);
}

TEST_F(fall, options_of_listener)
{
	int listener = mrc_socket(variant), client = tcp_socket(variant);
	int server;

	set_options(_metadata, listener, variant->family);
	ASSERT_LE(0, listen_on(listener, &self->addr));
	ASSERT_EQ(0, connect_any(client, &self->addr));
	server = accept(listener, NULL, NULL);
	ASSERT_LE(0, server);
	check_options(_metadata, server, variant->family);
}

/* Set when it listens already, they hold for clients to come. */
TEST_F(fall, options_of_listener_later)
{
	int listener = listen_on(mrc_socket(variant), &self->addr);
	long long end = now_ms() + PATIENCE;
	int client, server, value;

	ASSERT_EQ(0, set_opt(listener, SOL_SOCKET, SO_KEEPALIVE, 1));
	ASSERT_EQ(0, set_opt(listener, IPPROTO_TCP, TCP_KEEPIDLE, 44));
	do {
		client = tcp_socket(variant);
		ASSERT_EQ(0, connect_any(client, &self->addr));
		server = accept(listener, NULL, NULL);
		value = get_opt(server, SOL_SOCKET, SO_KEEPALIVE);
		EXPECT_EQ(44, get_opt(server, IPPROTO_TCP, TCP_KEEPIDLE));
		close(client);
		close(server);
	} while (!value && now_ms() < end);
	EXPECT_EQ(1, value);
}

/* What bind() was given the connection over TCP comes from. */
TEST_F(fall, bound_client)
{
	int listener = listen_on(tcp_socket(variant), &self->addr);
	union any_addr name, own = loopback_of(variant->family);
	int client = mrc_socket(variant);

	ASSERT_LE(0, listener);
	ASSERT_EQ(0, bind_any(client, &own));
	ASSERT_EQ(0, name_any(client, &own));
	ASSERT_EQ(0, connect_any(client, &self->addr));
	EXPECT_EQ(MRC_FALLBACK_REFUSED, reason_of(client));
	ASSERT_EQ(0, name_any(client, &name));
	EXPECT_EQ(own.sin.sin_port, name.sin.sin_port);
	close(client);
	client = mrc_socket(variant);
	own = loopback_of(variant->family);
	if (variant->family == AF_INET)
		own.sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1);
	ASSERT_EQ(0, set_opt(client, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1));
	ASSERT_EQ(0, bind_any(client, &own));
	ASSERT_EQ(0, connect_any(client, &self->addr));
	ASSERT_EQ(0, name_any(client, &name));
	EXPECT_EQ(own.sin.sin_addr.s_addr, name.sin.sin_addr.s_addr);
}

TEST_HARNESS_MAIN
