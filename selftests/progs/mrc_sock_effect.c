// SPDX-License-Identifier: GPL-2.0
/*
 * Socket surface, part 11: what options and flags do, beyond being stored. The
 * link of the host falls silent in some tests (netem on lo), so each program
 * needs a network namespace of its own. See pair_fixture.h; run by
 * cases/socket_options.sh.
 */
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/sockios.h>
#include <linux/udp.h>
#include "pair_fixture.h"

#define UDP_PORT	4795

/* Nothing passes the loopback device any more. False: no tc, or no netem. */
static bool silence(void)
{
	return !system("tc qdisc replace dev lo root netem loss 100% 2>&1");
}

static bool speak(void)
{
	return !system("tc qdisc del dev lo root 2>&1");
}

TEST_F(pair, receive_low_water)
{
	struct timespec ts = { .tv_nsec = 50000000 };
	char data[8];

	EXPECT_EQ(0, set_opt(self->server, SOL_SOCKET, SO_RCVLOWAT, 5));
	EXPECT_EQ(5, get_opt(self->server, SOL_SOCKET, SO_RCVLOWAT));
	EXPECT_EQ(4, send(self->client, "abcd", 4, 0));
	if (variant->messages) {
		/* A message is whole, whatever its length. */
		EXPECT_EQ(POLLIN, poll_for(self->server, POLLIN, PATIENCE));
		EXPECT_EQ(4, recv(self->server, data, 8, 0));
		return;
	}
	EXPECT_EQ(0, poll_for(self->server, POLLIN, QUIET));
	EXPECT_EQ(1, send(self->client, "e", 1, 0));
	EXPECT_EQ(POLLIN, poll_for(self->server, POLLIN, PATIENCE));
	EXPECT_EQ(5, recv(self->server, data, 8, 0));
	if (variant->mrc) {
		/* TCP forgets to wake a reader that has a part already. */
		EXPECT_EQ(4, send(self->client, "abcd", 4, 0));
		if (!fork()) {
			nanosleep(&ts, NULL);
			send(self->client, "ef", 2, 0);
			_exit(0);
		}
		EXPECT_LE(5, recv(self->server, data, 8, 0));
		wait(NULL);
	}
	EXPECT_EQ(0, set_opt(self->server, SOL_SOCKET, SO_RCVLOWAT, 0));
	EXPECT_EQ(1, get_opt(self->server, SOL_SOCKET, SO_RCVLOWAT));
}

TEST_F(pair, low_water_and_end)
{
	char data[8];

	EXPECT_EQ(0, set_opt(self->server, SOL_SOCKET, SO_RCVLOWAT, 100));
	EXPECT_EQ(2, send(self->client, "ab", 2, 0));
	ASSERT_EQ(0, shutdown(self->client, SHUT_WR));
	EXPECT_NE(0, poll_for(self->server, POLLIN, PATIENCE));
	EXPECT_EQ(2, recv(self->server, data, 8, 0));
	EXPECT_EQ(0, recv(self->server, data, 8, 0));
}

TEST_F(pair, low_water_above_buffer)
{
	static char data[400000];
	int fd = self->server;

	/* The buffer grows with it, or waiting would never end. */
	EXPECT_EQ(0, set_opt(fd, SOL_SOCKET, SO_RCVLOWAT, sizeof(data)));
	if (!fork()) {
		send(self->client, data, sizeof(data), 0);
		_exit(0);
	}
	EXPECT_NE(0, poll_for(fd, POLLIN, PATIENCE));
	EXPECT_EQ(sizeof(data), recv_all(fd, data, sizeof(data)));
	wait(NULL);
}

TEST_F(pair, not_sent_low_water)
{
	static char data[16384];
	size_t sent = 0;
	int n = 0;

	ASSERT_EQ(0, set_nonblock(self->client));
	ASSERT_EQ(0, set_opt(self->client, IPPROTO_TCP, TCP_NOTSENT_LOWAT,
			     32768));
	while (poll_for(self->client, POLLOUT, QUIET) == POLLOUT &&
	       sent < 1 << 26) {
		ssize_t taken = send(self->client, data, sizeof(data), 0);

		if (taken <= 0)
			break;
		sent += taken;
	}
	ASSERT_EQ(0, ioctl(self->client, SIOCOUTQNSD, &n));
	EXPECT_GE(32768 + 2 * (int)sizeof(data), n);
	EXPECT_EQ(0, drain(self->server, sent));
	EXPECT_EQ(POLLOUT, poll_for(self->client, POLLOUT, PATIENCE));
}

TEST_F(pair, cork_holds)
{
	long long start = now_ms();
	char data[4];
	int n = 0;

	EXPECT_EQ(0, set_opt(self->client, IPPROTO_TCP, TCP_CORK, 1));
	EXPECT_EQ(2, send(self->client, "ab", 2, 0));
	/* A message is whole: it waits for nothing. */
	poll_for(self->server, POLLIN, variant->messages ? PATIENCE : 40);
	EXPECT_EQ(0, ioctl(self->server, FIONREAD, &n));
	/* After 200 ms it goes anyway, and this process may be slow. */
	if (variant->messages || now_ms() - start < 150)
		EXPECT_EQ(variant->messages ? 2 : 0, n);
	EXPECT_EQ(2, send(self->client, "cd", 2, 0));
	EXPECT_EQ(4, recv_all(self->server, data, 4));
	EXPECT_EQ(0, memcmp(data, "abcd", 4));
}

TEST_F(pair, left_in_queue)
{
	char data[5], control[64];
	struct iovec iov = { .iov_base = data, .iov_len = 2 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *cmsg;

	EXPECT_EQ(0, get_opt(self->server, IPPROTO_TCP, TCP_INQ));
	ASSERT_EQ(0, set_opt(self->server, IPPROTO_TCP, TCP_INQ, 1));
	EXPECT_EQ(1, get_opt(self->server, IPPROTO_TCP, TCP_INQ));
	EXPECT_ERRNO(EINVAL, set_opt(self->server, IPPROTO_TCP, TCP_INQ, 2));
	EXPECT_EQ(5, send(self->client, "abcde", 5, 0));
	if (variant->messages) {
		/* What is left of other messages would tell nothing. */
		EXPECT_EQ(2, recvmsg(self->server, &msg, 0));
		EXPECT_EQ(NULL, CMSG_FIRSTHDR(&msg));
		return;
	}
	ASSERT_EQ(5, recv(self->server, data, 5, MSG_PEEK | MSG_WAITALL));
	EXPECT_EQ(2, recvmsg(self->server, &msg, 0));
	cmsg = CMSG_FIRSTHDR(&msg);
	ASSERT_NE(NULL, cmsg);
	EXPECT_EQ(SOL_TCP, cmsg->cmsg_level);
	EXPECT_EQ(TCP_CM_INQ, cmsg->cmsg_type);
	EXPECT_EQ(3, *(int *)CMSG_DATA(cmsg));
	/* The end of the stream counts as something to read. */
	ASSERT_EQ(0, shutdown(self->client, SHUT_WR));
	EXPECT_NE(0, poll_for(self->server, POLLRDHUP, PATIENCE));
	iov.iov_len = 4;
	msg.msg_controllen = sizeof(control);
	EXPECT_EQ(3, recvmsg(self->server, &msg, 0));
	cmsg = CMSG_FIRSTHDR(&msg);
	ASSERT_NE(NULL, cmsg);
	EXPECT_EQ(1, *(int *)CMSG_DATA(cmsg));
	msg.msg_controllen = sizeof(control);
	EXPECT_EQ(0, recvmsg(self->server, &msg, 0));
}

/* Class and hop limit of a packet of one of our connections. */
struct seen {
	int class;
	int hops;
};

/* Is this a packet of the family, sent from @port in the case of TCP? */
static bool is_ours(const void *ports, __u8 protocol, bool mrc, __u16 port)
{
	const struct udphdr *udp = ports;

	if (mrc)
		return protocol == IPPROTO_UDP && udp->dest == htons(UDP_PORT);
	return protocol == IPPROTO_TCP && udp->source == port;
}

/* The next packet that this connection sends; -1: none came. */
static struct seen seen_on_wire(int raw, bool mrc, bool six, __u16 port)
{
	long long end = now_ms() + PATIENCE;
	unsigned char data[256];
	struct ipv6hdr *ip6 = (struct ipv6hdr *)data;
	struct iphdr *ip = (struct iphdr *)data;

	while (now_ms() < end) {
		if (poll_for(raw, POLLIN, 100) <= 0 ||
		    recv(raw, data, sizeof(data), MSG_TRUNC) < 28)
			continue;
		if (six && is_ours(ip6 + 1, ip6->nexthdr, mrc, port))
			return (struct seen){
				(ip6->priority << 4 | ip6->flow_lbl[0] >> 4) &
				0xfc, ip6->hop_limit };
		if (!six && is_ours(ip + 1, ip->protocol, mrc, port))
			return (struct seen){ ip->tos & 0xfc, ip->ttl };
	}
	return (struct seen){ -1, -1 };
}

static int set_headers(int fd, bool six, int class, int hops)
{
	return six ? set_opt(fd, IPPROTO_IPV6, IPV6_TCLASS, class) ||
		     set_opt(fd, IPPROTO_IPV6, IPV6_UNICAST_HOPS, hops) :
		     set_opt(fd, IPPROTO_IP, IP_TOS, class) ||
		     set_opt(fd, IPPROTO_IP, IP_TTL, hops);
}

TEST_F(pair, service_and_ttl)
{
	int raw = socket(AF_PACKET, SOCK_DGRAM,
			 htons(variant->six ? ETH_P_IPV6 : ETH_P_IP));
	struct sockaddr_storage addr, name;
	int l, client, fd;
	struct seen seen;
	char byte;

	if (raw < 0)
		SKIP(return, "needs root");
	/* The one connection that the fixture has is silent meanwhile. */
	l = pair_listen(variant, &addr);
	client = pair_socket(variant);
	ASSERT_EQ(0, set_headers(client, variant->six, 0x48, 33));
	ASSERT_EQ(0, set_headers(l, variant->six, 0x48, 33));
	ASSERT_EQ(0, pair_connect(variant, client, &addr));
	fd = accept(l, NULL, NULL);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pair_name(client, &name));
	while (recv(raw, &byte, 1, MSG_DONTWAIT) > 0)
		;
	EXPECT_EQ(1, send(client, "x", 1, 0));
	seen = seen_on_wire(raw, variant->mrc, variant->six, pair_port(&name));
	EXPECT_EQ(0x48, seen.class);
	EXPECT_EQ(33, seen.hops);
	EXPECT_EQ(1, recv_all(fd, &byte, 1));
	close(raw);
	close(l);
	close(client);
	close(fd);
}

/* How the connection ended, and after how long, with nobody to hear it. */
static int end_in_silence(int fd, bool send_some, long long *took)
{
	long long start = now_ms();
	int err;

	if (!silence())
		return -1;
	if (send_some && send(fd, "lost", 4, MSG_NOSIGNAL) != 4)
		return -2;
	poll_for(fd, POLLERR, 60000);
	*took = now_ms() - start;
	err = get_opt(fd, SOL_SOCKET, SO_ERROR);
	speak();
	return err;
}

TEST_F_TIMEOUT(pair, user_timeout, 120)
{
	long long took = 0;
	int err;

	ASSERT_EQ(0, set_opt(self->client, IPPROTO_TCP, TCP_USER_TIMEOUT,
			     1500));
	err = end_in_silence(self->client, true, &took);
	if (err == -1)
		SKIP(return, "needs tc and netem");
	EXPECT_EQ(ETIMEDOUT, err) TH_LOG("%s", strerror(err));
	EXPECT_LE(1300, took);
	EXPECT_GT(20000, took);
	EXPECT_EQ(-1, send(self->client, "x", 1, MSG_NOSIGNAL));
}

TEST_F_TIMEOUT(pair, keep_alive, 120)
{
	long long took = 0;
	int err;

	ASSERT_EQ(0, set_opt(self->client, IPPROTO_TCP, TCP_KEEPIDLE, 1));
	ASSERT_EQ(0, set_opt(self->client, IPPROTO_TCP, TCP_KEEPINTVL, 1));
	ASSERT_EQ(0, set_opt(self->client, IPPROTO_TCP, TCP_KEEPCNT, 2));
	ASSERT_EQ(0, set_opt(self->client, SOL_SOCKET, SO_KEEPALIVE, 1));
	err = end_in_silence(self->client, false, &took);
	if (err == -1)
		SKIP(return, "needs tc and netem");
	EXPECT_EQ(ETIMEDOUT, err) TH_LOG("%s", strerror(err));
	EXPECT_LE(1800, took);
	EXPECT_GT(20000, took);
}

TEST_F_TIMEOUT(pair, keep_alive_answered, 60)
{
	ASSERT_EQ(0, set_opt(self->client, IPPROTO_TCP, TCP_KEEPIDLE, 1));
	ASSERT_EQ(0, set_opt(self->client, IPPROTO_TCP, TCP_KEEPINTVL, 1));
	ASSERT_EQ(0, set_opt(self->client, IPPROTO_TCP, TCP_KEEPCNT, 1));
	ASSERT_EQ(0, set_opt(self->client, SOL_SOCKET, SO_KEEPALIVE, 1));
	EXPECT_EQ(0, poll_for(self->client, POLLIN | POLLERR, 2500));
	EXPECT_EQ(1, send(self->server, "x", 1, 0));
	EXPECT_EQ(1, recv_all(self->client, &(char){ 0 }, 1));
}

TEST_F(pair, busy_poll)
{
	char byte;

	EXPECT_EQ(0, set_opt(self->server, SOL_SOCKET, SO_BUSY_POLL, 50));
	EXPECT_EQ(50, get_opt(self->server, SOL_SOCKET, SO_BUSY_POLL));
	EXPECT_EQ(0, set_opt(self->server, SOL_SOCKET, SO_PREFER_BUSY_POLL,
			     1));
	EXPECT_EQ(0, poll_for(self->server, POLLIN, 0));
	EXPECT_EQ(1, send(self->client, "x", 1, 0));
	EXPECT_EQ(1, recv_all(self->server, &byte, 1));
}

TEST_HARNESS_MAIN
