// SPDX-License-Identifier: GPL-2.0
/*
 * Socket surface, part 12: io_uring, one-shot and multishot. Is skipped where
 * the kernel has no io_uring or forbids it. See sock_fixture.h; run by
 * cases/basic_socket.sh.
 */
#include <liburing.h>
#include "sock_fixture.h"

#define ENTRIES		32
#define BUFFERS		8
#define BUFFER_SIZE	4096
#define GROUP		7

static bool open_ring(struct io_uring *ring)
{
	return !io_uring_queue_init(ENTRIES, ring, 0);
}

/* Waits for one completion; -ETIME when none comes. */
static int complete(struct io_uring *ring, struct io_uring_cqe *copy)
{
	struct __kernel_timespec ts = { .tv_sec = PATIENCE / 1000 };
	struct io_uring_cqe *cqe;
	int err;

	io_uring_submit(ring);
	err = io_uring_wait_cqe_timeout(ring, &cqe, &ts);
	if (err)
		return err;
	*copy = *cqe;
	io_uring_cqe_seen(ring, cqe);
	return cqe->res;
}

TEST_F(sock, send_and_receive)
{
	char data[8] = "";
	struct io_uring_cqe cqe = {};
	struct io_uring ring;

	if (!open_ring(&ring))
		SKIP(return, "no io_uring here");
	/* The receive waits first, so it must be woken. */
	io_uring_prep_recv(io_uring_get_sqe(&ring), self->server, data, 8, 0);
	io_uring_submit(&ring);
	EXPECT_EQ(5, send(self->client, "hello", 5, 0));
	EXPECT_EQ(5, complete(&ring, &cqe));
	EXPECT_EQ(0, memcmp(data, "hello", 5));
	io_uring_prep_send(io_uring_get_sqe(&ring), self->server, "answer", 6,
			   0);
	EXPECT_EQ(6, complete(&ring, &cqe));
	EXPECT_EQ(6, recv_all(self->client, data, 6));
	EXPECT_EQ(0, memcmp(data, "answer", 6));
	io_uring_queue_exit(&ring);
}

TEST_F(sock, large_send)
{
	size_t bytes = 8388608;
	char *data = calloc(1, bytes);
	struct io_uring_cqe cqe = {};
	struct io_uring ring;

	if (!open_ring(&ring))
		SKIP(return, "no io_uring here");
	ASSERT_NE(NULL, data);
	/* More than the buffer holds: the ring waits for space by itself. */
	io_uring_prep_send(io_uring_get_sqe(&ring), self->client, data, bytes,
			   MSG_WAITALL);
	io_uring_submit(&ring);
	EXPECT_EQ(0, drain(self->server, bytes));
	EXPECT_EQ(bytes, complete(&ring, &cqe));
	io_uring_queue_exit(&ring);
	free(data);
}

TEST_F(sock, receive_all)
{
	char data[6];
	struct io_uring_cqe cqe = {};
	struct io_uring ring;

	if (!open_ring(&ring))
		SKIP(return, "no io_uring here");
	io_uring_prep_recv(io_uring_get_sqe(&ring), self->server, data, 6,
			   MSG_WAITALL);
	io_uring_submit(&ring);
	EXPECT_EQ(3, send(self->client, "abc", 3, 0));
	poll_for(self->client, POLLIN, 20);
	EXPECT_EQ(3, send(self->client, "def", 3, 0));
	EXPECT_EQ(6, complete(&ring, &cqe));
	EXPECT_EQ(0, memcmp(data, "abcdef", 6));
	io_uring_queue_exit(&ring);
}

TEST_F(sock, messages)
{
	char out[2][3] = { "ab", "cd" }, in[4];
	struct iovec iov[2] = { { out[0], 2 }, { out[1], 2 } };
	struct iovec into = { in, 4 };
	struct msghdr send = { .msg_iov = iov, .msg_iovlen = 2 };
	struct msghdr recv = { .msg_iov = &into, .msg_iovlen = 1 };
	struct io_uring_cqe cqe = {};
	struct io_uring ring;

	if (!open_ring(&ring))
		SKIP(return, "no io_uring here");
	io_uring_prep_recvmsg(io_uring_get_sqe(&ring), self->server, &recv,
			      MSG_WAITALL);
	io_uring_submit(&ring);
	io_uring_prep_sendmsg(io_uring_get_sqe(&ring), self->client, &send, 0);
	EXPECT_EQ(4, complete(&ring, &cqe));
	EXPECT_EQ(4, complete(&ring, &cqe));
	EXPECT_EQ(0, memcmp(in, "abcd", 4));
	io_uring_queue_exit(&ring);
}

TEST_F(sock, connects)
{
	int fd = socket(variant->family, SOCK_STREAM, 0);
	struct sockaddr_in dead = dead_port(variant->family);
	struct io_uring_cqe cqe = {};
	struct io_uring ring;

	if (!open_ring(&ring))
		SKIP(return, "no io_uring here");
	io_uring_prep_connect(io_uring_get_sqe(&ring), fd,
			      (struct sockaddr *)&self->addr,
			      sizeof(self->addr));
	EXPECT_EQ(0, complete(&ring, &cqe)) TH_LOG("%s", strerror(-cqe.res));
	EXPECT_EQ(1, send(fd, "x", 1, 0));
	close(fd);
	fd = socket(variant->family, SOCK_STREAM, 0);
	io_uring_prep_connect(io_uring_get_sqe(&ring), fd,
			      (struct sockaddr *)&dead, sizeof(dead));
	EXPECT_EQ(-ECONNREFUSED, complete(&ring, &cqe));
	close(fd);
	io_uring_queue_exit(&ring);
}

TEST_F(sock, accepts)
{
	int client;
	struct io_uring_cqe cqe = {};
	struct io_uring ring;

	if (!open_ring(&ring))
		SKIP(return, "no io_uring here");
	io_uring_prep_accept(io_uring_get_sqe(&ring), self->listener, NULL,
			     NULL, SOCK_CLOEXEC);
	io_uring_submit(&ring);
	client = open_client(variant->family, &self->addr);
	ASSERT_LE(0, client);
	ASSERT_LE(0, complete(&ring, &cqe));
	EXPECT_EQ(FD_CLOEXEC, fcntl(cqe.res, F_GETFD));
	close(cqe.res);
	close(client);
	io_uring_queue_exit(&ring);
}

TEST_F(sock, accepts_many)
{
	int client[4], i;
	struct io_uring_cqe cqe = {};
	struct io_uring ring;

	if (!open_ring(&ring))
		SKIP(return, "no io_uring here");
	io_uring_prep_multishot_accept(io_uring_get_sqe(&ring), self->listener,
				       NULL, NULL, 0);
	io_uring_submit(&ring);
	for (i = 0; i < 4; i++) {
		client[i] = open_client(variant->family, &self->addr);
		ASSERT_LE(0, client[i]);
		ASSERT_LE(0, complete(&ring, &cqe))
			TH_LOG("%s", strerror(-cqe.res));
		EXPECT_NE(0, cqe.flags & IORING_CQE_F_MORE);
		EXPECT_EQ(1, send(client[i], "x", 1, 0));
		EXPECT_EQ(1, recv_all(cqe.res, &(char){ 0 }, 1));
		close(cqe.res);
	}
	for (i = 0; i < 4; i++)
		close(client[i]);
	io_uring_queue_exit(&ring);
}

TEST_F(sock, receives_many)
{
	static char buffers[BUFFERS][BUFFER_SIZE];
	struct io_uring_sqe *sqe;
	int i, res;
	struct io_uring_cqe cqe = {};
	struct io_uring ring;

	if (!open_ring(&ring))
		SKIP(return, "no io_uring here");
	io_uring_prep_provide_buffers(io_uring_get_sqe(&ring), buffers,
				      BUFFER_SIZE, BUFFERS, GROUP, 0);
	ASSERT_EQ(0, complete(&ring, &cqe));
	sqe = io_uring_get_sqe(&ring);
	io_uring_prep_recv_multishot(sqe, self->server, NULL, 0, 0);
	sqe->flags |= IOSQE_BUFFER_SELECT;
	sqe->buf_group = GROUP;
	io_uring_submit(&ring);
	for (i = 0; i < 4; i++) {
		EXPECT_EQ(3, send(self->client, "abc", 3, 0));
		res = complete(&ring, &cqe);
		if (!i && res == -EINVAL)
			SKIP(return, "no multishot receive here");
		ASSERT_EQ(3, res);
		EXPECT_NE(0, cqe.flags & IORING_CQE_F_MORE);
		EXPECT_EQ(0, memcmp(buffers[cqe.flags >>
					    IORING_CQE_BUFFER_SHIFT], "abc",
				    3));
	}
	ASSERT_EQ(0, shutdown(self->client, SHUT_WR));
	EXPECT_EQ(0, complete(&ring, &cqe));
	EXPECT_EQ(0, cqe.flags & IORING_CQE_F_MORE);
	io_uring_queue_exit(&ring);
}

/* The kernel tells with each receive whether there is more. */
TEST_F(sock, more_to_receive)
{
	char data[6];
	struct io_uring_cqe cqe = {};
	struct io_uring ring;

	if (!open_ring(&ring))
		SKIP(return, "no io_uring here");
	EXPECT_EQ(6, send(self->client, "abcdef", 6, 0));
	ASSERT_EQ(6, recv(self->server, data, 6, MSG_PEEK | MSG_WAITALL));
	io_uring_prep_recv(io_uring_get_sqe(&ring), self->server, data, 4, 0);
	EXPECT_EQ(4, complete(&ring, &cqe));
	EXPECT_NE(0, cqe.flags & IORING_CQE_F_SOCK_NONEMPTY);
	io_uring_prep_recv(io_uring_get_sqe(&ring), self->server, data, 4, 0);
	EXPECT_EQ(2, complete(&ring, &cqe));
	EXPECT_EQ(0, cqe.flags & IORING_CQE_F_SOCK_NONEMPTY);
	io_uring_queue_exit(&ring);
}

TEST_F(sock, cancelled)
{
	struct io_uring_sqe *sqe;
	char data[4];
	struct io_uring_cqe cqe = {};
	struct io_uring ring;

	if (!open_ring(&ring))
		SKIP(return, "no io_uring here");
	sqe = io_uring_get_sqe(&ring);
	io_uring_prep_recv(sqe, self->server, data, 4, 0);
	io_uring_sqe_set_data64(sqe, 42);
	io_uring_submit(&ring);
	sqe = io_uring_get_sqe(&ring);
	io_uring_prep_cancel64(sqe, 42, 0);
	io_uring_sqe_set_data64(sqe, 43);
	complete(&ring, &cqe);
	EXPECT_EQ(cqe.user_data == 42 ? -ECANCELED : 0, cqe.res);
	complete(&ring, &cqe);
	EXPECT_EQ(cqe.user_data == 42 ? -ECANCELED : 0, cqe.res);
	/* Nothing was lost with it. */
	EXPECT_EQ(2, send(self->client, "ok", 2, 0));
	EXPECT_EQ(2, recv_all(self->server, data, 2));
	io_uring_queue_exit(&ring);
}

TEST_F(sock, polls)
{
	struct io_uring_cqe cqe = {};
	struct io_uring ring;

	if (!open_ring(&ring))
		SKIP(return, "no io_uring here");
	io_uring_prep_poll_multishot(io_uring_get_sqe(&ring), self->server,
				     POLLIN);
	io_uring_submit(&ring);
	EXPECT_EQ(1, send(self->client, "x", 1, 0));
	EXPECT_EQ(POLLIN, complete(&ring, &cqe) & POLLIN);
	EXPECT_EQ(1, recv_all(self->server, &(char){ 0 }, 1));
	EXPECT_EQ(1, send(self->client, "y", 1, 0));
	EXPECT_EQ(POLLIN, complete(&ring, &cqe) & POLLIN);
	io_uring_queue_exit(&ring);
}

TEST_F(sock, zero_copy)
{
	struct io_uring_cqe cqe = {};
	struct io_uring ring;

	if (!open_ring(&ring))
		SKIP(return, "no io_uring here");
	/* AF_MRC has none, as SO_ZEROCOPY says. */
	io_uring_prep_send_zc(io_uring_get_sqe(&ring), self->client, "x", 1, 0,
			      0);
	EXPECT_EQ(variant->mrc ? -EOPNOTSUPP : 1, complete(&ring, &cqe));
	io_uring_queue_exit(&ring);
}

TEST_HARNESS_MAIN
