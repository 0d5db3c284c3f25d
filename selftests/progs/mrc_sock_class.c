// SPDX-License-Identifier: GPL-2.0
/*
 * MRC_CLASS: values, the marks that follow, inheritance, and what becomes of
 * it over TCP; with both versions of IP.
 */
#include "sock_fixture.h"

#define DSCP_BULK	0x28
#define DSCP_LATENCY	0x48

FIXTURE(klass) {
	struct sockaddr_in6 addr;	/* of the listener, also as IPv4 */
	socklen_t len;
	int level;
	int tos;
};

FIXTURE_VARIANT(klass) {
	int protocol;
};

FIXTURE_VARIANT_ADD(klass, ipv4) {
	.protocol = MRCPROTO_IPV4,
};

FIXTURE_VARIANT_ADD(klass, ipv6) {
	.protocol = MRCPROTO_IPV6,
};

FIXTURE_SETUP(klass)
{
	struct sockaddr_in sin = loopback(0);

	if (variant->protocol == MRCPROTO_IPV4) {
		memcpy(&self->addr, &sin, sizeof(sin));
		self->len = sizeof(sin);
		self->level = IPPROTO_IP;
		self->tos = IP_TOS;
		return;
	}
	self->addr.sin6_family = AF_INET6;
	self->addr.sin6_addr = in6addr_loopback;
	self->len = sizeof(self->addr);
	self->level = IPPROTO_IPV6;
	self->tos = IPV6_TCLASS;
}

FIXTURE_TEARDOWN(klass)
{
}

static int listener(struct _test_data_klass *self, int family, int protocol,
		    int class)
{
	struct sockaddr *addr = (struct sockaddr *)&self->addr;
	int fd = socket(family, SOCK_STREAM, protocol);

	if (family == AF_MRC && set_opt(fd, SOL_MRC, MRC_CLASS, class))
		return -1;
	return bind(fd, addr, self->len) || listen(fd, 8) ||
	       getsockname(fd, addr, &self->len) ? -1 : fd;
}

static int client(struct _test_data_klass *self, int family, int protocol,
		  int class)
{
	int fd = socket(family, SOCK_STREAM, protocol);

	if (family == AF_MRC && set_opt(fd, SOL_MRC, MRC_CLASS, class))
		return -1;
	return connect(fd, (struct sockaddr *)&self->addr, self->len) ? -1 : fd;
}

static int info_class(int fd)
{
	struct mrc_info info = { };
	socklen_t len = sizeof(info);

	return getsockopt(fd, SOL_MRC, MRC_INFO, &info, &len) ? -1 :
	       (int)info.conn_class;
}

TEST_F(klass, values_and_marks)
{
	int fd = socket(AF_MRC, SOCK_STREAM, variant->protocol);

	ASSERT_GE(fd, 0);
	EXPECT_EQ(MRC_CLASS_DEFAULT, get_opt(fd, SOL_MRC, MRC_CLASS));
	ASSERT_EQ(0, set_opt(fd, SOL_MRC, MRC_CLASS, MRC_CLASS_LATENCY));
	EXPECT_EQ(MRC_CLASS_LATENCY, get_opt(fd, SOL_MRC, MRC_CLASS));
	EXPECT_EQ(MRC_CLASS_LATENCY, info_class(fd));
	EXPECT_EQ(DSCP_LATENCY, get_opt(fd, self->level, self->tos));
	EXPECT_EQ(6, get_opt(fd, SOL_SOCKET, SO_PRIORITY));
	ASSERT_EQ(0, set_opt(fd, SOL_MRC, MRC_CLASS, MRC_CLASS_BULK));
	EXPECT_EQ(DSCP_BULK, get_opt(fd, self->level, self->tos));
	EXPECT_EQ(2, get_opt(fd, SOL_SOCKET, SO_PRIORITY));
	/* What is set later counts. */
	ASSERT_EQ(0, set_opt(fd, self->level, self->tos, 0x20));
	EXPECT_EQ(0x20, get_opt(fd, self->level, self->tos));
	EXPECT_EQ(MRC_CLASS_BULK, get_opt(fd, SOL_MRC, MRC_CLASS));
	ASSERT_EQ(0, set_opt(fd, SOL_MRC, MRC_CLASS, MRC_CLASS_DEFAULT));
	EXPECT_EQ(0, get_opt(fd, self->level, self->tos));
	EXPECT_EQ(0, get_opt(fd, SOL_SOCKET, SO_PRIORITY));
	close(fd);
}

TEST_F(klass, bad_values)
{
	int fd = socket(AF_MRC, SOCK_STREAM, variant->protocol);
	int class = MRC_CLASS_BULK;

	EXPECT_ERRNO(EINVAL, set_opt(fd, SOL_MRC, MRC_CLASS, -1));
	EXPECT_ERRNO(EINVAL, set_opt(fd, SOL_MRC, MRC_CLASS, __MRC_CLASSES));
	EXPECT_ERRNO(EINVAL, setsockopt(fd, SOL_MRC, MRC_CLASS, &class, 2));
	EXPECT_ERRNO(EFAULT, setsockopt(fd, SOL_MRC, MRC_CLASS, (void *)1, 4));
	EXPECT_EQ(MRC_CLASS_DEFAULT, get_opt(fd, SOL_MRC, MRC_CLASS));
	close(fd);
}

TEST_F(klass, inherited_and_changed_under_data)
{
	int lfd = listener(self, AF_MRC, variant->protocol, MRC_CLASS_LATENCY);
	int cfd = client(self, AF_MRC, variant->protocol, MRC_CLASS_BULK);
	int fd = accept(lfd, NULL, NULL);
	char in[4];

	ASSERT_GE(fd, 0);
	EXPECT_EQ(MRC_CLASS_LATENCY, get_opt(fd, SOL_MRC, MRC_CLASS));
	EXPECT_EQ(DSCP_LATENCY, get_opt(fd, self->level, self->tos));
	EXPECT_EQ(6, get_opt(fd, SOL_SOCKET, SO_PRIORITY));
	EXPECT_EQ(MRC_CLASS_BULK, info_class(cfd));
	ASSERT_EQ(2, send(cfd, "ab", 2, 0));
	ASSERT_EQ(0, set_opt(cfd, SOL_MRC, MRC_CLASS, MRC_CLASS_LATENCY));
	ASSERT_EQ(2, send(cfd, "cd", 2, 0));
	EXPECT_EQ(4, recv(fd, in, 4, MSG_WAITALL));
	ASSERT_EQ(0, set_opt(cfd, SOL_MRC, MRC_CLASS, MRC_CLASS_DEFAULT));
	ASSERT_EQ(4, send(cfd, "efgh", 4, 0));
	EXPECT_EQ(4, recv(fd, in, 4, MSG_WAITALL));
	EXPECT_EQ(0, memcmp(in, "efgh", 4));
	close(fd);
	close(cfd);
	close(lfd);
}

TEST_F(klass, over_tcp)
{
	int family = self->addr.sin6_family;
	int lfd = listener(self, family, 0, 0);
	int cfd = client(self, AF_MRC, variant->protocol, MRC_CLASS_LATENCY);

	ASSERT_GE(cfd, 0);
	EXPECT_EQ(MRC_CLASS_LATENCY, get_opt(cfd, SOL_MRC, MRC_CLASS));
	EXPECT_EQ(MRC_CLASS_LATENCY, info_class(cfd));
	EXPECT_EQ(DSCP_LATENCY, get_opt(cfd, self->level, self->tos));
	EXPECT_EQ(6, get_opt(cfd, SOL_SOCKET, SO_PRIORITY));
	ASSERT_EQ(0, set_opt(cfd, SOL_MRC, MRC_CLASS, MRC_CLASS_BULK));
	EXPECT_EQ(MRC_CLASS_BULK, get_opt(cfd, SOL_MRC, MRC_CLASS));
	EXPECT_EQ(DSCP_BULK, get_opt(cfd, self->level, self->tos));
	EXPECT_ERRNO(EINVAL, set_opt(cfd, SOL_MRC, MRC_CLASS, 77));
	close(cfd);
	close(lfd);
}

TEST_F(klass, tcp_client)
{
	int lfd = listener(self, AF_MRC, variant->protocol, MRC_CLASS_BULK);
	int cfd = client(self, self->addr.sin6_family, 0, 0);
	int fd = accept(lfd, NULL, NULL);

	ASSERT_GE(fd, 0);
	EXPECT_EQ(MRC_CLASS_BULK, get_opt(fd, SOL_MRC, MRC_CLASS));
	EXPECT_EQ(DSCP_BULK, get_opt(fd, self->level, self->tos));
	EXPECT_EQ(2, get_opt(fd, SOL_SOCKET, SO_PRIORITY));
	close(fd);
	close(cfd);
	close(lfd);
}

TEST_HARNESS_MAIN
