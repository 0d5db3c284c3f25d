// SPDX-License-Identifier: GPL-2.0
/*
 * Ways in which mrc_torture sends. Calls that copy are given a buffer that is
 * overwritten afterwards, so data that the kernel had not taken yet would show.
 * Called by torture_loop.c, by one thread.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "torture.h"

#define PIECES	4

static const unsigned char *next_bytes(const struct torture_end *e)
{
	return e->data + e->plan->start[e->role] + e->sent;
}

static loff_t next_offset(const struct torture_end *e)
{
	return e->plan->start[e->role] + e->sent;
}

/* The next @len bytes, cut into at most PIECES; the number of them. */
static int cut(struct torture_end *e, size_t len, struct iovec *iov)
{
	unsigned char *buffer = e->buffer[0];
	size_t piece;
	int n = 0;

	memcpy(buffer, next_bytes(e), len);
	while (len) {
		piece = n == PIECES - 1 ? len :
			1 + torture_plan_below(&e->dice[0], len);
		iov[n].iov_base = buffer;
		iov[n++].iov_len = piece;
		buffer += piece;
		len -= piece;
	}
	return n;
}

static ssize_t send_more(struct torture_end *e, size_t len)
{
	struct iovec iov[PIECES];
	struct msghdr msg = { .msg_iov = iov };
	bool more = torture_plan_below(&e->dice[0], 4);

	msg.msg_iovlen = cut(e, len, iov);
	return sendmsg(e->fd, &msg, MSG_NOSIGNAL | (more ? MSG_MORE : 0));
}

static ssize_t send_mmsg(struct torture_end *e, size_t len)
{
	struct iovec iov[PIECES];
	struct mmsghdr msgs[PIECES] = {};
	int i, n = cut(e, len, iov);
	ssize_t sum = 0;

	for (i = 0; i < n; i++) {
		msgs[i].msg_hdr.msg_iov = &iov[i];
		msgs[i].msg_hdr.msg_iovlen = 1;
	}
	n = sendmmsg(e->fd, msgs, n, MSG_NOSIGNAL);
	if (n < 0)
		return -1;
	for (i = 0; i < n; i++)
		sum += msgs[i].msg_len;
	return sum;
}

/* What the pipe has goes first; it may have been left by a full socket. */
static ssize_t from_pipe(struct torture_end *e)
{
	ssize_t n = splice(e->pipe[0][0], NULL, e->fd, NULL, e->filled, 0);

	if (n > 0)
		e->filled -= n;
	return n;
}

static ssize_t send_splice(struct torture_end *e, size_t len)
{
	loff_t offset = next_offset(e);
	ssize_t n;

	if (!e->filled) {
		n = splice(e->file, &offset, e->pipe[0][1], NULL, len, 0);
		if (n <= 0)
			return n;
		e->filled = n;
	}
	return from_pipe(e);
}

static ssize_t send_vmsplice(struct torture_end *e, size_t len)
{
	struct iovec iov = {
		.iov_base = (void *)next_bytes(e),
		.iov_len = len,
	};
	ssize_t n;

	if (!e->filled) {
		/* A pipe holds 16 pieces of pages: not all may fit. */
		n = vmsplice(e->pipe[0][1], &iov, 1, SPLICE_F_NONBLOCK);
		if (n <= 0)
			return n;
		e->filled = n;
	}
	return from_pipe(e);
}

/**
 * torture_send_some() - hand some bytes to the socket
 * @e: end
 * @len: most bytes, 1 to TORTURE_CHUNK
 *
 * Return: bytes that the socket took, or -1 with errno.
 */
ssize_t torture_send_some(struct torture_end *e, size_t len)
{
	loff_t offset = next_offset(e);
	struct iovec iov[PIECES];
	ssize_t n;
	int err;

	switch (e->side->send) {
	case SEND_FILE:
		return sendfile(e->fd, e->file, &offset, len);
	case SEND_SPLICE:
		return send_splice(e, len);
	case SEND_VMSPLICE:
		return send_vmsplice(e, len);
	case SEND_MMAP:
		return write(e->fd, next_bytes(e), len);
	case SEND_WRITEV:
		n = writev(e->fd, iov, cut(e, len, iov));
		break;
	case SEND_MORE:
		n = send_more(e, len);
		break;
	case SEND_MMSG:
		n = send_mmsg(e, len);
		break;
	default:
		memcpy(e->buffer[0], next_bytes(e), len);
		n = write(e->fd, e->buffer[0], len);
	}
	err = errno;
	memset(e->buffer[0], 0xa5, len);
	errno = err;
	return n;
}
