// SPDX-License-Identifier: GPL-2.0
/*
 * connect() of AF_MRC to where only TCP listens, on this host: AF_MRC refuses,
 * TCP is tried at once.
 */
#include "fallback_fixture.h"
#include <pthread.h>
#include <stdatomic.h>
#include <sys/sendfile.h>

/* A TCP server and an AF_MRC client of it, connected. */
static int meet(const struct _fixture_variant_fall *v, union any_addr *addr,
		int *client, int *server)
{
	int listener = listen_on(tcp_socket(v), addr);

	*client = mrc_socket(v);
	if (listener < 0 || connect_any(*client, addr))
		return -1;
	*server = accept(listener, NULL, NULL);
	close(listener);
	return *server < 0 ? -1 : 0;
}

TEST_F(fall, connects_to_tcp)
{
	union any_addr name = { };
	socklen_t len = sizeof(name);
	struct tcp_info info = { };
	int client, server;

	ASSERT_EQ(0, meet(variant, &self->addr, &client, &server));
	EXPECT_TRUE(talks(client, server));
	EXPECT_EQ(MRC_FALLBACK_REFUSED, reason_of(client));
	EXPECT_EQ(IPPROTO_TCP, get_opt(client, SOL_SOCKET, SO_PROTOCOL));
	EXPECT_EQ(SOCK_STREAM, get_opt(client, SOL_SOCKET, SO_TYPE));
	EXPECT_EQ(variant->family, get_opt(client, SOL_SOCKET, SO_DOMAIN));
	ASSERT_EQ(0, getpeername(client, &name.sa, &len));
	EXPECT_EQ(addr_len(&self->addr), len);
	EXPECT_EQ(0, memcmp(&name, &self->addr, addr_len(&name)));
	len = sizeof(info);
	ASSERT_EQ(0, getsockopt(client, IPPROTO_TCP, TCP_INFO, &info, &len));
	EXPECT_EQ(TCP_ESTABLISHED, info.tcpi_state);
	EXPECT_LT(0, info.tcpi_snd_mss);
}

TEST_F(fall, half_close)
{
	int client, server;
	char byte;

	ASSERT_EQ(0, meet(variant, &self->addr, &client, &server));
	ASSERT_EQ(0, shutdown(client, SHUT_WR));
	EXPECT_EQ(0, recv_all(server, &byte, 1));
	ASSERT_EQ(1, send(server, "x", 1, 0));
	EXPECT_EQ(1, recv_all(client, &byte, 1));
	EXPECT_ERRNO(EPIPE, send(client, "x", 1, MSG_NOSIGNAL));
	close(server);
	EXPECT_EQ(POLLIN | POLLHUP | POLLRDHUP,
		  poll_until(client, POLLIN | POLLRDHUP,
			     POLLIN | POLLHUP | POLLRDHUP));
}

TEST_F(fall, reset)
{
	struct linger off = { .l_onoff = 1 };
	int client, server;
	char byte;

	ASSERT_EQ(0, meet(variant, &self->addr, &client, &server));
	ASSERT_EQ(0, setsockopt(client, SOL_SOCKET, SO_LINGER, &off,
				sizeof(off)));
	close(client);
	ASSERT_LT(0, poll_for(server, POLLIN, PATIENCE));
	EXPECT_ERRNO(ECONNRESET, recv(server, &byte, 1, 0));
	close(server);
	self->addr = loopback_of(variant->family);
	ASSERT_EQ(0, meet(variant, &self->addr, &client, &server));
	ASSERT_EQ(0, setsockopt(server, SOL_SOCKET, SO_LINGER, &off,
				sizeof(off)));
	close(server);
	ASSERT_LT(0, poll_for(client, POLLIN, PATIENCE));
	EXPECT_ERRNO(ECONNRESET, recv(client, &byte, 1, 0));
}

TEST_F(fall, nonblocking)
{
	int listener = listen_on(tcp_socket(variant), &self->addr);
	struct epoll_event event = { .events = EPOLLOUT | EPOLLET };
	int client = mrc_socket(variant), epoll = epoll_create1(0);

	ASSERT_LE(0, listener);
	ASSERT_EQ(0, set_nonblock(client));
	ASSERT_EQ(0, epoll_ctl(epoll, EPOLL_CTL_ADD, client, &event));
	/* An unconnected socket reports at once. */
	ASSERT_EQ(1, epoll_wait(epoll, &event, 1, PATIENCE));
	EXPECT_ERRNO(EINPROGRESS, connect_any(client, &self->addr));
	ASSERT_EQ(1, epoll_wait(epoll, &event, 1, PATIENCE));
	EXPECT_EQ(EPOLLOUT, event.events);
	EXPECT_EQ(0, get_opt(client, SOL_SOCKET, SO_ERROR));
	EXPECT_EQ(0, connect_any(client, &self->addr));
	EXPECT_ERRNO(EISCONN, connect_any(client, &self->addr));
	EXPECT_TRUE(talks(client, accept(listener, NULL, NULL)));
	EXPECT_EQ(MRC_FALLBACK_REFUSED, reason_of(client));
}

TEST_F(fall, refused_twice)
{
	int fd = listen_on(tcp_socket(variant), &self->addr);
	int client = mrc_socket(variant);

	close(fd);
	EXPECT_ERRNO(ECONNREFUSED, connect_any(client, &self->addr));
	EXPECT_EQ(POLLOUT | POLLHUP, poll_for(client, POLLOUT, 0));
	ASSERT_EQ(0, set_nonblock(client));
	EXPECT_ERRNO(EINPROGRESS, connect_any(client, &self->addr));
	EXPECT_EQ(POLLOUT | POLLERR | POLLHUP,
		  poll_until(client, POLLOUT, POLLOUT | POLLERR | POLLHUP));
	EXPECT_EQ(ECONNREFUSED, get_opt(client, SOL_SOCKET, SO_ERROR));
}

/* Who tries until a server is there must not end up on TCP. */
TEST_F(fall, tries_again)
{
	int fd = listen_on(tcp_socket(variant), &self->addr);
	int client = mrc_socket(variant), server;
	unsigned int i;

	close(fd);
	for (i = 0; i < 20; i++)
		EXPECT_ERRNO(ECONNREFUSED, connect_any(client, &self->addr));
	server = listen_on(mrc_socket(variant), &self->addr);
	ASSERT_LE(0, server) TH_LOG("%s", strerror(errno));
	ASSERT_EQ(0, connect_any(client, &self->addr));
	EXPECT_EQ(MRC_FALLBACK_NONE, reason_of(client));
	EXPECT_TRUE(talks(client, accept(server, NULL, NULL)));
}

TEST_F(fall, disconnected)
{
	struct sockaddr none = { .sa_family = AF_UNSPEC };
	int client, server;

	ASSERT_EQ(0, meet(variant, &self->addr, &client, &server));
	ASSERT_EQ(0, connect(client, &none, sizeof(none)));
	self->addr = loopback_of(variant->family);
	server = listen_on(mrc_socket(variant), &self->addr);
	ASSERT_LE(0, server);
	ASSERT_EQ(0, connect_any(client, &self->addr));
	EXPECT_EQ(MRC_FALLBACK_NONE, reason_of(client));
	EXPECT_TRUE(talks(client, accept(server, NULL, NULL)));
}

TEST_F(fall, strict_never)
{
	int listener = listen_on(tcp_socket(variant), &self->addr);
	int client = strict_socket(variant);

	ASSERT_LE(0, listener);
	ASSERT_LE(0, client) TH_LOG("%s", strerror(errno));
	EXPECT_EQ(variant->protocol | MRCPROTO_STRICT,
		  get_opt(client, SOL_SOCKET, SO_PROTOCOL));
	EXPECT_ERRNO(ECONNREFUSED, connect_any(client, &self->addr));
	EXPECT_EQ(MRC_FALLBACK_NONE, reason_of(client));
	EXPECT_EQ(0, poll_for(listener, POLLIN, QUIET));
}

TEST_F(fall, messages_never)
{
	int listener = listen_on(tcp_socket(variant), &self->addr);
	int client = socket(AF_MRC, SOCK_SEQPACKET, variant->protocol);

	ASSERT_LE(0, listener);
	EXPECT_ERRNO(ECONNREFUSED, connect_any(client, &self->addr));
	EXPECT_EQ(0, poll_for(listener, POLLIN, QUIET));
}

TEST_F(fall, refused_options)
{
	int client, server, one = 1;

	ASSERT_EQ(0, meet(variant, &self->addr, &client, &server));
	EXPECT_ERRNO(EOPNOTSUPP, set_opt(client, SOL_MRC, MRC_UNORDERED, 1));
	EXPECT_EQ(0, get_opt(client, SOL_MRC, MRC_UNORDERED));
	EXPECT_ERRNO(ENOPROTOOPT, setsockopt(client, IPPROTO_TCP, TCP_ULP,
					     "tls", 3));
	if (variant->family == AF_INET6)
		EXPECT_ERRNO(ENOPROTOOPT,
			     setsockopt(client, IPPROTO_IPV6, IPV6_ADDRFORM,
					&one, sizeof(one)));
	EXPECT_TRUE(talks(client, server));
}

/* An option set while the socket becomes TCP is not lost. */
TEST_F(fall, option_in_between)
{
	int listener = listen_on(tcp_socket(variant), &self->addr);
	unsigned int i;
	int client;

	ASSERT_LE(0, listener);
	for (i = 0; i < 60; i++) {
		client = mrc_socket(variant);
		ASSERT_EQ(0, set_nonblock(client));
		EXPECT_ERRNO(EINPROGRESS, connect_any(client, &self->addr));
		while (i % 4 && reason_of(client) == MRC_FALLBACK_NONE &&
		       i % 2)
			;
		EXPECT_EQ(0, set_opt(client, SOL_SOCKET, SO_KEEPALIVE, 1));
		EXPECT_EQ(0, set_opt(client, SOL_SOCKET, SO_PRIORITY, 3));
		EXPECT_EQ(0, set_opt(client, IPPROTO_TCP, TCP_NODELAY, 1));
		ASSERT_LT(0, poll_for(client, POLLOUT, PATIENCE));
		EXPECT_TRUE(option_becomes(client, SOL_SOCKET, SO_KEEPALIVE,
					   1));
		EXPECT_TRUE(option_becomes(client, SOL_SOCKET, SO_PRIORITY,
					   3));
		EXPECT_EQ(1, get_opt(client, IPPROTO_TCP, TCP_NODELAY));
		close(client);
		close(accept(listener, NULL, NULL));
	}
}

/* The name of an algorithm of TCP's counts from the fall-back on. */
TEST_F(fall, congestion_of_tcp)
{
	int listener = listen_on(tcp_socket(variant), &self->addr);
	int client = mrc_socket(variant);
	socklen_t len = 16;
	char name[16] = "";

	ASSERT_LE(0, listener);
	EXPECT_EQ(0, setsockopt(client, IPPROTO_TCP, TCP_CONGESTION, "reno",
				4));
	EXPECT_EQ(0, getsockopt(client, IPPROTO_TCP, TCP_CONGESTION, name,
				&len));
	EXPECT_STREQ("dctcp", name);
	ASSERT_EQ(0, connect_any(client, &self->addr));
	EXPECT_NE(MRC_FALLBACK_NONE, reason_of(client));
	len = sizeof(name);
	EXPECT_EQ(0, getsockopt(client, IPPROTO_TCP, TCP_CONGESTION, name,
				&len));
	EXPECT_STREQ("reno", name);
	close(client);
	close(listener);
}

/* Closed at every moment of it. */
TEST_F(fall, closed_in_between)
{
	int listener = listen_on(tcp_socket(variant), &self->addr);
	struct timespec ts = { };
	unsigned int i;
	int client;

	ASSERT_LE(0, listener);
	ASSERT_EQ(0, set_nonblock(listener));
	for (i = 0; i < 120; i++) {
		client = mrc_socket(variant);
		ASSERT_LE(0, client);
		ASSERT_EQ(0, set_nonblock(client));
		connect_any(client, &self->addr);
		ts.tv_nsec = i * 8000;
		nanosleep(&ts, NULL);
		close(client);
		close(accept(listener, NULL, NULL));
	}
}

/**
 * struct rival - threads that use one socket at once
 * @fd: the socket
 * @addr: where it connects to
 * @stop: they end
 */
struct rival {
	int fd;
	union any_addr addr;
	atomic_bool stop;
};

static void *use(void *arg)
{
	struct rival *rival = arg;
	union any_addr name;
	char byte;

	while (!rival->stop) {
		poll_for(rival->fd, POLLIN | POLLOUT, 0);
		send(rival->fd, "x", 1, MSG_NOSIGNAL);
		recv(rival->fd, &byte, 1, 0);
		name_any(rival->fd, &name);
		get_opt(rival->fd, SOL_SOCKET, SO_ERROR);
		reason_of(rival->fd);
		set_opt(rival->fd, IPPROTO_TCP, TCP_NODELAY, 1);
		set_opt(rival->fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	}
	return NULL;
}

static void *reconnect(void *arg)
{
	struct sockaddr none = { .sa_family = AF_UNSPEC };
	struct rival *rival = arg;

	while (!rival->stop) {
		connect_any(rival->fd, &rival->addr);
		if (now_ms() % 3)
			poll_for(rival->fd, POLLOUT, 1);
		if (now_ms() % 5)
			connect(rival->fd, &none, sizeof(none));
		else
			shutdown(rival->fd, SHUT_RDWR);
	}
	return NULL;
}

/* To and fro between both families, with others looking on. */
TEST_F(fall, rivals)
{
	int listener = listen_on(tcp_socket(variant), &self->addr);
	struct rival rival = { .addr = self->addr };
	long long end = now_ms() + 2000;
	pthread_t threads[3];

	ASSERT_LE(0, listener);
	ASSERT_EQ(0, set_nonblock(listener));
	rival.fd = mrc_socket(variant);
	ASSERT_EQ(0, set_nonblock(rival.fd));
	ASSERT_EQ(0, pthread_create(&threads[0], NULL, use, &rival));
	ASSERT_EQ(0, pthread_create(&threads[1], NULL, reconnect, &rival));
	ASSERT_EQ(0, pthread_create(&threads[2], NULL, reconnect, &rival));
	while (now_ms() < end)
		close(accept(listener, NULL, NULL));
	rival.stop = true;
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	pthread_join(threads[2], NULL);
	close(rival.fd);
}

TEST_F(fall, sendfile_and_fork)
{
	char buf[16] = "0123456789abcdef", got[16];
	int client, server, file, status;
	pid_t pid;

	ASSERT_EQ(0, meet(variant, &self->addr, &client, &server));
	file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
	ASSERT_EQ(16, write(file, buf, 16));
	ASSERT_EQ(0, lseek(file, 0, SEEK_SET));
	pid = fork();
	if (!pid)
		_exit(sendfile(client, file, NULL, 16) != 16);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	ASSERT_EQ(16, recv_all(server, got, 16));
	EXPECT_EQ(0, memcmp(buf, got, 16));
	EXPECT_TRUE(talks(client, server));
}

TEST_HARNESS_MAIN
