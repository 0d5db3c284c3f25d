// SPDX-License-Identifier: GPL-2.0
/*
 * Socket surface, part 6: socket options. See sock_fixture.h; run by
 * cases/basic_socket.sh.
 */
#include "sock_fixture.h"

TEST_F(sock, generic)
{
	int fd = self->client;

	EXPECT_EQ(SOCK_STREAM, get_opt(fd, SOL_SOCKET, SO_TYPE));
	EXPECT_EQ(0, get_opt(fd, SOL_SOCKET, SO_ACCEPTCONN));
	EXPECT_EQ(1, get_opt(self->listener, SOL_SOCKET, SO_ACCEPTCONN));
	EXPECT_EQ(0, get_opt(fd, SOL_SOCKET, SO_ERROR));
	EXPECT_NE(INT_MIN, get_opt(fd, SOL_SOCKET, SO_PROTOCOL));
	/* Both carry IPv4, and AF_MRC is an inet sock for the core. */
	EXPECT_EQ(AF_INET, get_opt(fd, SOL_SOCKET, SO_DOMAIN));
	EXPECT_EQ(0, set_opt(fd, SOL_SOCKET, SO_KEEPALIVE, 1));
	EXPECT_EQ(1, get_opt(fd, SOL_SOCKET, SO_KEEPALIVE));
	EXPECT_EQ(0, set_opt(fd, SOL_SOCKET, SO_PRIORITY, 3));
	EXPECT_EQ(0, set_opt(fd, SOL_SOCKET, SO_MARK, 7));
	EXPECT_EQ(0, set_opt(fd, SOL_SOCKET, SO_MAX_PACING_RATE, 250000000));
	EXPECT_EQ(0, setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3));
}

TEST_F(sock, reuseaddr_in_any_state)
{
	int fds[] = { self->listener, self->client, self->server };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fds); i++) {
		EXPECT_EQ(0, set_opt(fds[i], SOL_SOCKET, SO_REUSEADDR, 1));
		EXPECT_EQ(1, get_opt(fds[i], SOL_SOCKET, SO_REUSEADDR));
	}
}

TEST_F(sock, buffers)
{
	int fd = self->client;

	EXPECT_LT(0, get_opt(fd, SOL_SOCKET, SO_SNDBUF));
	EXPECT_LT(0, get_opt(fd, SOL_SOCKET, SO_RCVBUF));
	EXPECT_EQ(0, set_opt(fd, SOL_SOCKET, SO_SNDBUF, 65536));
	EXPECT_EQ(131072, get_opt(fd, SOL_SOCKET, SO_SNDBUF));
	EXPECT_EQ(0, set_opt(fd, SOL_SOCKET, SO_RCVBUF, 65536));
	EXPECT_EQ(131072, get_opt(fd, SOL_SOCKET, SO_RCVBUF));
	EXPECT_EQ(0, set_opt(fd, SOL_SOCKET, SO_SNDBUF, 0));
	EXPECT_EQ(0, set_opt(fd, SOL_SOCKET, SO_RCVBUF, 0));
	/* Even the smallest buffers move data. */
	EXPECT_EQ(1, send(fd, "x", 1, 0));
	EXPECT_EQ(1, recv_all(self->server, &(char){ 0 }, 1));
	EXPECT_EQ(1, send(self->server, "x", 1, 0));
	EXPECT_EQ(1, recv_all(fd, &(char){ 0 }, 1));
}

TEST_F(sock, timeouts)
{
	struct timeval tv = { .tv_sec = 3, .tv_usec = 500000 };
	socklen_t len = sizeof(tv);
	int fd = self->client;

	EXPECT_EQ(0, setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, len));
	EXPECT_EQ(0, setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &tv, len));
	memset(&tv, 0, sizeof(tv));
	EXPECT_EQ(0, getsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, &len));
	EXPECT_EQ(3, tv.tv_sec);
	EXPECT_EQ(0, getsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &tv, &len));
	EXPECT_EQ(3, tv.tv_sec);
}

TEST_F(sock, tcp_level_readback)
{
	static const struct {
		int name;
		int value;
	} opts[] = {
		{ TCP_NODELAY, 1 },
		{ TCP_KEEPIDLE, 60 },
		{ TCP_KEEPINTVL, 30 },
		{ TCP_KEEPCNT, 3 },
		{ TCP_USER_TIMEOUT, 15000 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(opts); i++) {
		EXPECT_EQ(0, set_opt(self->client, IPPROTO_TCP, opts[i].name,
				     opts[i].value))
			TH_LOG("set %d: %s", opts[i].name, strerror(errno));
		EXPECT_EQ(opts[i].value, get_opt(self->client, IPPROTO_TCP,
						 opts[i].name))
			TH_LOG("get %d", opts[i].name);
	}
	EXPECT_EQ(0, set_opt(self->client, IPPROTO_TCP, TCP_NODELAY, 0));
	EXPECT_EQ(0, get_opt(self->client, IPPROTO_TCP, TCP_NODELAY));
}

TEST_F(sock, tcp_level_accepted)
{
	static const int names[] = { TCP_CORK, TCP_QUICKACK };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		EXPECT_EQ(0, set_opt(self->client, IPPROTO_TCP, names[i], 1));
		EXPECT_EQ(0, set_opt(self->client, IPPROTO_TCP, names[i], 0));
	}
	EXPECT_EQ(0, set_opt(self->listener, IPPROTO_TCP, TCP_DEFER_ACCEPT,
			     1));
	EXPECT_EQ(0, set_opt(self->client, IPPROTO_IP, IP_TOS, 0x10));
	EXPECT_EQ(0x10, get_opt(self->client, IPPROTO_IP, IP_TOS));
	EXPECT_EQ(0, set_opt(self->client, IPPROTO_IP,
			     IP_BIND_ADDRESS_NO_PORT, 1));
}

TEST_F(sock, cork)
{
	char data[4];

	EXPECT_EQ(0, set_opt(self->client, IPPROTO_TCP, TCP_CORK, 1));
	EXPECT_EQ(2, send(self->client, "ab", 2, 0));
	EXPECT_EQ(2, send(self->client, "cd", 2, 0));
	EXPECT_EQ(0, set_opt(self->client, IPPROTO_TCP, TCP_CORK, 0));
	EXPECT_EQ(4, recv_all(self->server, data, 4));
	EXPECT_EQ(0, memcmp(data, "abcd", 4));
}

TEST_F(sock, maxseg)
{
	int fd = socket(variant->family, SOCK_STREAM, 0);

	EXPECT_LT(0, get_opt(self->client, IPPROTO_TCP, TCP_MAXSEG));
	EXPECT_EQ(0, set_opt(fd, IPPROTO_TCP, TCP_MAXSEG, 1000));
	ASSERT_EQ(0, connect_in(fd, &self->addr));
	EXPECT_LT(0, get_opt(fd, IPPROTO_TCP, TCP_MAXSEG));
	EXPECT_GE(1000, get_opt(fd, IPPROTO_TCP, TCP_MAXSEG));
	EXPECT_ERRNO(EINVAL, set_opt(fd, IPPROTO_TCP, TCP_MAXSEG, 1));
	EXPECT_ERRNO(EINVAL, set_opt(fd, IPPROTO_TCP, TCP_MAXSEG, -1));
	close(fd);
}

TEST_F(sock, info)
{
	struct tcp_info info;
	socklen_t len = sizeof(info);
	char byte;

	EXPECT_EQ(1, send(self->client, "x", 1, 0));
	EXPECT_EQ(1, recv_all(self->server, &byte, 1));
	memset(&info, 0, sizeof(info));
	ASSERT_EQ(0, getsockopt(self->client, IPPROTO_TCP, TCP_INFO, &info,
				&len));
	EXPECT_EQ(1, info.tcpi_state);
	EXPECT_LT(0, info.tcpi_snd_mss);
	EXPECT_LT(0, info.tcpi_snd_cwnd);
	EXPECT_LT(0, info.tcpi_rtt);
	/* A short buffer gets the front of it. */
	len = 4;
	EXPECT_EQ(0, getsockopt(self->client, IPPROTO_TCP, TCP_INFO, &info,
				&len));
	EXPECT_EQ(4, len);
	len = sizeof(info);
	EXPECT_EQ(0, getsockopt(self->listener, IPPROTO_TCP, TCP_INFO, &info,
				&len));
	EXPECT_EQ(10, info.tcpi_state);
}

TEST_F(sock, congestion)
{
	char name[16] = "", again[16] = "";
	socklen_t len = sizeof(name);

	ASSERT_EQ(0, getsockopt(self->client, IPPROTO_TCP, TCP_CONGESTION,
				name, &len));
	EXPECT_NE(0, name[0]);
	EXPECT_EQ(0, setsockopt(self->client, IPPROTO_TCP, TCP_CONGESTION,
				name, strlen(name)));
	len = sizeof(again);
	EXPECT_EQ(0, getsockopt(self->client, IPPROTO_TCP, TCP_CONGESTION,
				again, &len));
	EXPECT_STREQ(name, again);
	EXPECT_ERRNO(ENOENT, setsockopt(self->client, IPPROTO_TCP,
					TCP_CONGESTION, "nonsense", 8));
}

/* Programs ask for TCP's algorithms; what AF_MRC uses stays and is told. */
TEST_F(sock, congestion_of_tcp)
{
	int fds[] = { self->client, self->server, self->listener };
	char name[16] = "", before[16] = "";
	socklen_t len;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fds); i++) {
		len = sizeof(before);
		ASSERT_EQ(0, getsockopt(fds[i], IPPROTO_TCP, TCP_CONGESTION,
					before, &len));
		EXPECT_EQ(0, setsockopt(fds[i], IPPROTO_TCP, TCP_CONGESTION,
					"reno", 4));
		len = sizeof(name);
		EXPECT_EQ(0, getsockopt(fds[i], IPPROTO_TCP, TCP_CONGESTION,
					name, &len));
		EXPECT_STREQ(variant->mrc ? before : "reno", name);
		EXPECT_ERRNO(ENOENT, setsockopt(fds[i], IPPROTO_TCP,
						TCP_CONGESTION, "nonsense", 8));
	}
}

TEST_F(sock, upper_layer)
{
	/* TCP says that it has no such layer, AF_MRC that it has none. */
	EXPECT_ERRNO(variant->mrc ? ENOPROTOOPT : ENOENT,
		     setsockopt(self->client, IPPROTO_TCP, TCP_ULP, "nonsense",
				8));
}

TEST_F(sock, v6only)
{
	EXPECT_ERRNO(ENOPROTOOPT,
		     set_opt(self->listener, IPPROTO_IPV6, 26, 0));
}

TEST_F(sock, mrc_info)
{
	union {
		struct mrc_info info;
		char bytes[4096];
	} u = {};
	socklen_t len = sizeof(u);

	if (!variant->mrc) {
		EXPECT_NE(0, getsockopt(self->server, SOL_MRC, MRC_INFO, &u,
					&len));
		return;
	}
	EXPECT_EQ(1, send(self->client, "x", 1, 0));
	EXPECT_EQ(1, recv_all(self->server, &(char){ 0 }, 1));
	ASSERT_EQ(0, getsockopt(self->server, SOL_MRC, MRC_INFO, &u, &len));
	EXPECT_EQ(sizeof(struct mrc_info), u.info.size);
	EXPECT_EQ(sizeof(struct mrc_path_info), u.info.path_size);
	EXPECT_EQ(1, u.info.state);
	EXPECT_EQ(1, u.info.path_count);
	EXPECT_EQ(1, u.info.received_bytes);
	EXPECT_EQ(MRC_PATH_GOOD, u.info.paths[0].state);
	EXPECT_EQ(AF_INET, u.info.paths[0].family);
	EXPECT_EQ(0, memcmp(u.info.paths[0].remote_addr, "\x7f\0\0\1", 4));
	EXPECT_LT(0, u.info.paths[0].mss);
}

TEST_F(sock, bad_arguments)
{
	int fd = self->client;
	socklen_t len = sizeof(int);
	int value = 1;

	EXPECT_ERRNO(EINVAL, setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &value, 1));
	EXPECT_ERRNO(EINVAL, setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &value,
					1));
	EXPECT_ERRNO(EINVAL, setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &value,
					-1));
	EXPECT_ERRNO(EFAULT, setsockopt(fd, IPPROTO_TCP, TCP_NODELAY,
					(void *)8, 4));
	EXPECT_ERRNO(EFAULT, getsockopt(fd, IPPROTO_TCP, TCP_NODELAY,
					(void *)8, &len));
	EXPECT_ERRNO(EFAULT, getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &value,
					(void *)8));
	len = -1;
	EXPECT_ERRNO(EINVAL, getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &value,
					&len));
	len = sizeof(int);
	EXPECT_ERRNO(ENOPROTOOPT, set_opt(fd, IPPROTO_TCP, 9999, 1));
	EXPECT_ERRNO(ENOPROTOOPT, getsockopt(fd, IPPROTO_TCP, 9999, &value,
					     &len));
	EXPECT_ERRNO(ENOPROTOOPT, set_opt(fd, 9999, 1, 1));
	/* TCP answers EOPNOTSUPP here, which is no better. */
	EXPECT_EQ(-1, getsockopt(fd, 9999, 1, &value, &len));
	EXPECT_TRUE(errno == ENOPROTOOPT || errno == EOPNOTSUPP)
		TH_LOG("%s", strerror(errno));
	EXPECT_ERRNO(ENOPROTOOPT, set_opt(fd, SOL_SOCKET, 9999, 1));
}

TEST_HARNESS_MAIN
