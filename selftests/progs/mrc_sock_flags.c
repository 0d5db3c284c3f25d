// SPDX-License-Identifier: GPL-2.0
/*
 * Socket surface, part 9: every MSG_* bit, alone and in pairs, on send and
 * recv. Streams are compared with TCP, messages with AF_UNIX: the same result,
 * the same bytes, the same flags. What may differ stands in known[]. Run by
 * cases/basic_socket.sh.
 */
#include <sys/un.h>
#include "sock_fixture.h"

/* Bits that are combined with one another; each of the 32 is tried alone. */
static const unsigned int usual[] = {
	MSG_PEEK, MSG_TRUNC, MSG_WAITALL, MSG_CTRUNC, MSG_DONTROUTE, MSG_EOR,
	MSG_NOSIGNAL, MSG_MORE, MSG_WAITFORONE, MSG_CONFIRM, MSG_CMSG_CLOEXEC,
};

#define SETS	(32 + ARRAY_SIZE(usual) * (ARRAY_SIZE(usual) - 1) / 2)

/* Set @n of flags. */
static unsigned int flags_of(unsigned int n)
{
	unsigned int i, j;

	if (n < 32)
		return 1u << n;
	n -= 32;
	for (i = 1; n >= i; i++)
		n -= i;
	j = n;
	return usual[i] | usual[j];
}

/**
 * struct known - a difference that is meant
 * @type: of the sockets
 * @send: of send, not of recv
 * @flag: any set that has it
 * @err: errno of AF_MRC; 0: @ignore says what does not matter
 * @why: reason
 */
static const struct known {
	int type;
	bool send;
	unsigned int flag;
	int err;
	const char *why;
} known[] = {
	{ SOCK_STREAM, true, MSG_OOB, EOPNOTSUPP, "no urgent data" },
	{ SOCK_STREAM, true, MSG_FASTOPEN, EOPNOTSUPP, "no Fast Open" },
	{ SOCK_SEQPACKET, true, MSG_FASTOPEN, EOPNOTSUPP, "no Fast Open" },
	{ SOCK_SEQPACKET, false, MSG_OOB, EINVAL, "as a stream" },
	{ SOCK_SEQPACKET, false, MSG_ERRQUEUE, EAGAIN, "as a stream" },
};

static const struct known *find_known(int type, bool send, unsigned int flags)
{
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (known[i].type == type && known[i].send == send &&
		    known[i].flag & flags)
			return &known[i];
	return NULL;
}

/* fds: [0] writes, [1] reads. */
static int make_pair(bool mrc, int type, int *fds)
{
	int family = mrc ? AF_MRC : AF_INET, listener;
	struct sockaddr_in addr = loopback(0);

	if (!mrc && type == SOCK_SEQPACKET)
		return socketpair(AF_UNIX, type, 0, fds);
	listener = socket(family, type, 0);
	fds[0] = socket(family, type, 0);
	if (bind_in(listener, &addr) || listen(listener, 1) ||
	    sockname(listener, &addr) || connect_in(fds[0], &addr))
		return -1;
	fds[1] = accept(listener, NULL, NULL);
	close(listener);
	return fds[1] < 0 ? -1 : 0;
}

/**
 * struct result - what a call did
 * @ret: what it returned
 * @err: errno when that is negative
 * @flags: msg_flags, recv only
 * @data: what it read, or what has arrived
 * @left: what a second recv found behind it
 */
struct result {
	int ret;
	int err;
	int flags;
	char data[16];
	char left[16];
};

static void receive(int fd, int flags, size_t len, struct result *r)
{
	struct iovec iov = { .iov_base = r->data, .iov_len = len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	r->ret = recvmsg(fd, &msg, flags | MSG_DONTWAIT);
	r->err = r->ret < 0 ? errno : 0;
	r->flags = msg.msg_flags;
}

/* With 6 bytes there, as one message; then with nothing there. */
static int try_receive(const int *fds, int type, unsigned int flags, bool empty,
		       struct result *r)
{
	struct result rest = { };

	memset(r, 0, sizeof(*r));
	if (!empty && send(fds[0], "abcdef", 6, 0) != 6)
		return -1;
	if (!empty && poll_for(fds[1], POLLIN, PATIENCE) != POLLIN)
		return -1;
	receive(fds[1], flags, 4, r);
	/* AF_UNIX marks no ends of messages. */
	if (type == SOCK_SEQPACKET)
		r->flags &= ~MSG_EOR;
	receive(fds[1], 0, sizeof(r->left) - 1, &rest);
	memcpy(r->left, rest.data, sizeof(r->left));
	while (recv(fds[1], rest.data, sizeof(rest.data), MSG_DONTWAIT) > 0)
		;
	return 0;
}

/* Something behind it takes along what the flags hold back. */
static int try_send(const int *fds, int type, unsigned int flags,
		    struct result *r)
{
	int want, got = 0, n;

	memset(r, 0, sizeof(*r));
	r->ret = send(fds[0], "abc", 3, flags | MSG_DONTWAIT | MSG_NOSIGNAL);
	r->err = r->ret < 0 ? errno : 0;
	if (send(fds[0], "!", 1, 0) != 1)
		return -1;
	want = (r->ret > 0 ? r->ret : 0) + 1;
	/* The last byte is urgent, and is not one of the stream. */
	if (r->ret > 0 && flags & MSG_OOB && type == SOCK_STREAM)
		want--;
	while (got < want) {
		if (poll_for(fds[1], POLLIN, PATIENCE) <= 0)
			return -1;
		n = recv(fds[1], r->data + got, want - got, 0);
		if (n <= 0)
			return -1;
		got += n;
	}
	return 0;
}

static bool same(const struct result *a, const struct result *b)
{
	return a->ret == b->ret && a->err == b->err && a->flags == b->flags &&
	       !strcmp(a->data, b->data) && !strcmp(a->left, b->left);
}

static void show(struct __test_metadata *_metadata, const char *who,
		 unsigned int flags, const struct result *r)
{
	TH_LOG("%s %#x: %d, errno %d, flags %#x, '%s', left '%s'", who, flags,
	       r->ret, r->err, r->flags, r->data, r->left);
}

static void compare(struct __test_metadata *_metadata, int type, bool send,
		    unsigned int flags, const struct result *ours,
		    const struct result *theirs)
{
	const struct known *diff = find_known(type, send, flags);
	bool fine = diff ? ours->ret == -1 && ours->err == diff->err :
			   same(ours, theirs);

	EXPECT_TRUE(fine);
	if (fine)
		return;
	show(_metadata, "AF_MRC", flags, ours);
	show(_metadata, "other", flags, theirs);
}

static void all_receive(struct __test_metadata *_metadata, int type, bool empty)
{
	struct result ours, theirs;
	int mine[2], other[2];

	ASSERT_EQ(0, make_pair(true, type, mine));
	ASSERT_EQ(0, make_pair(false, type, other));
	for (unsigned int n = 0; n < SETS; n++) {
		unsigned int flags = flags_of(n);

		ASSERT_EQ(0, try_receive(mine, type, flags, empty, &ours));
		ASSERT_EQ(0, try_receive(other, type, flags, empty, &theirs));
		compare(_metadata, type, false, flags, &ours, &theirs);
	}
}

static void all_send(struct __test_metadata *_metadata, int type)
{
	struct result ours, theirs;
	int mine[2], other[2];

	ASSERT_EQ(0, make_pair(true, type, mine));
	ASSERT_EQ(0, make_pair(false, type, other));
	for (unsigned int n = 0; n < SETS; n++) {
		unsigned int flags = flags_of(n);

		ASSERT_EQ(0, try_send(mine, type, flags, &ours))
			TH_LOG("AF_MRC %#x", flags);
		ASSERT_EQ(0, try_send(other, type, flags, &theirs))
			TH_LOG("other %#x", flags);
		compare(_metadata, type, true, flags, &ours, &theirs);
	}
}

TEST(stream_receive)
{
	all_receive(_metadata, SOCK_STREAM, false);
}

TEST(stream_receive_nothing)
{
	all_receive(_metadata, SOCK_STREAM, true);
}

TEST(stream_send)
{
	all_send(_metadata, SOCK_STREAM);
}

TEST(message_receive)
{
	all_receive(_metadata, SOCK_SEQPACKET, false);
}

TEST(message_receive_nothing)
{
	all_receive(_metadata, SOCK_SEQPACKET, true);
}

TEST(message_send)
{
	all_send(_metadata, SOCK_SEQPACKET);
}

TEST_HARNESS_MAIN
