// SPDX-License-Identifier: GPL-2.0
/*
 * Ways in which mrc_torture receives; every byte is compared with the one that
 * belongs at its position. Called by torture_loop.c, by one thread.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "torture.h"

#ifndef TCP_CM_INQ
#define TCP_CM_INQ	36
#endif

static __u32 expected(const struct torture_end *e)
{
	return e->plan->bytes[!e->role] - e->received;
}

/* The next @len bytes lie in the buffer, and are right? */
static ssize_t compare(struct torture_end *e, size_t len)
{
	const unsigned char *want;
	size_t i;

	if (len > expected(e))
		return torture_fail(e, "%zu bytes too many",
				    len - expected(e));
	want = e->data + e->plan->start[!e->role] + e->received;
	if (!memcmp(want, e->buffer[1], len))
		return len;
	for (i = 0; want[i] == e->buffer[1][i]; i++)
		;
	return torture_fail(e, "wrong byte at %zu", e->received + i);
}

static ssize_t recv_iov(struct torture_end *e, size_t len)
{
	size_t first = torture_plan_below(&e->dice[1], len + 1);
	struct iovec iov[] = {
		{ .iov_base = e->buffer[1], .iov_len = first },
		{ .iov_base = e->buffer[1] + first, .iov_len = len - first },
	};

	return readv(e->fd, iov, 2);
}

/* With what TCP_INQ tells: no more than can be left, the end counts as one. */
static ssize_t recv_msg(struct torture_end *e, size_t len)
{
	union {
		struct cmsghdr hdr;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec iov = { .iov_base = e->buffer[1], .iov_len = len };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	ssize_t n = recvmsg(e->fd, &msg, 0);
	struct cmsghdr *cmsg;
	__u32 inq;

	if (n <= 0)
		return n;
	cmsg = CMSG_FIRSTHDR(&msg);
	if (!cmsg || cmsg->cmsg_type != TCP_CM_INQ)
		return torture_fail(e, "no TCP_CM_INQ");
	memcpy(&inq, CMSG_DATA(cmsg), sizeof(inq));
	if (n <= expected(e) && inq > expected(e) - n + 1)
		return torture_fail(e, "TCP_CM_INQ tells %u of %zu", inq,
				    expected(e) - n);
	return n;
}

/* What was peeked at must be read then, and all of it. */
static ssize_t recv_peek(struct torture_end *e, size_t len)
{
	ssize_t n = recv(e->fd, e->buffer[1], len, MSG_PEEK), again;

	if (n <= 0)
		return n;
	if (compare(e, n) < 0)
		return -1;
	len = 1 + torture_plan_below(&e->dice[1], n);
	again = recv(e->fd, e->buffer[1], len, 0);
	if (again != (ssize_t)len)
		return torture_fail(e, "%zd peeked at, %zd of %zu read", n,
				    again, len);
	return again;
}

/* Less than asked for, on a socket that blocks, only at the end. */
static ssize_t recv_waitall(struct torture_end *e, size_t len)
{
	ssize_t n = recv(e->fd, e->buffer[1], len, MSG_WAITALL);

	if (e->side->wait == WAIT_BLOCK && n >= 0 && n < (ssize_t)len &&
	    n < (ssize_t)expected(e))
		return torture_fail(e, "MSG_WAITALL gave %zd of %zu, %u left",
				    n, len, expected(e));
	return n;
}

static ssize_t recv_splice(struct torture_end *e, size_t len)
{
	ssize_t n = splice(e->fd, NULL, e->pipe[1][1], NULL, len, 0);
	size_t got = 0;
	ssize_t part;

	while (n > 0 && got < (size_t)n) {
		part = read(e->pipe[1][0], e->buffer[1] + got, n - got);
		if (part <= 0)
			return torture_fail(e, "pipe: %zd of %zd", got, n);
		got += part;
	}
	return n;
}

/**
 * torture_recv_some() - read and check some bytes
 * @e: end
 * @len: most bytes, 1 to TORTURE_CHUNK
 *
 * Return: bytes that came, 0 at the end, or -1 with errno or an error in @e.
 */
ssize_t torture_recv_some(struct torture_end *e, size_t len)
{
	ssize_t n;

	switch (e->side->recv) {
	case RECV_READV:
		n = recv_iov(e, len);
		break;
	case RECV_MSG:
		n = recv_msg(e, len);
		break;
	case RECV_PEEK:
		n = recv_peek(e, len);
		break;
	case RECV_WAITALL:
		n = recv_waitall(e, len);
		break;
	case RECV_SPLICE:
		n = recv_splice(e, len);
		break;
	default:
		n = read(e->fd, e->buffer[1], len);
	}
	return n > 0 ? compare(e, n) : n;
}
