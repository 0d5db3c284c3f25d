// SPDX-License-Identifier: GPL-2.0
/*
 * Socket surface, part 3: moving data, with all calls and flags. See
 * sock_fixture.h; run by cases/basic_socket.sh.
 */
#include <sys/sendfile.h>
#include <linux/sockios.h>
#include "sock_fixture.h"

TEST_F(sock, read_write)
{
	char data[8];

	EXPECT_EQ(5, write(self->client, "hello", 5));
	EXPECT_EQ(5, recv_all(self->server, data, 5));
	EXPECT_EQ(0, memcmp(data, "hello", 5));
	EXPECT_EQ(2, send(self->server, "ok", 2, 0));
	ASSERT_NE(0, poll_for(self->client, POLLIN, PATIENCE));
	EXPECT_EQ(2, read(self->client, data, sizeof(data)));
	EXPECT_EQ(0, memcmp(data, "ok", 2));
}

TEST_F(sock, vectors)
{
	char out[64], in[64];
	struct iovec iov[64];
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 64 };
	int i;

	for (i = 0; i < 64; i++) {
		out[i] = 'A' + i;
		iov[i].iov_base = &out[i];
		iov[i].iov_len = 1;
	}
	EXPECT_EQ(64, writev(self->client, iov, 64));
	EXPECT_EQ(64, sendmsg(self->client, &msg, MSG_NOSIGNAL));
	for (i = 0; i < 64; i++)
		iov[i].iov_base = &in[i];
	memset(in, 0, sizeof(in));
	EXPECT_EQ(64, recvmsg(self->server, &msg, MSG_WAITALL));
	EXPECT_EQ(0, msg.msg_flags & MSG_TRUNC);
	EXPECT_EQ(0, memcmp(in, out, 64));
	memset(in, 0, sizeof(in));
	EXPECT_EQ(64, recv(self->server, in, 64, MSG_PEEK | MSG_WAITALL));
	memset(in, 0, sizeof(in));
	EXPECT_EQ(64, readv(self->server, iov, 64));
	EXPECT_EQ(0, memcmp(in, out, 64));
}

TEST_F(sock, message_names)
{
	struct sockaddr_in name;
	char data[4], control[64];
	struct iovec iov = { .iov_base = data, .iov_len = sizeof(data) };
	struct msghdr msg = {
		.msg_name = &name, .msg_namelen = sizeof(name),
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};

	/* An address on a connected stream is ignored, both ways. */
	EXPECT_EQ(2, sendto(self->client, "to", 2, 0,
			    (struct sockaddr *)&self->addr,
			    sizeof(self->addr)));
	EXPECT_EQ(2, recvmsg(self->server, &msg, 0));
	EXPECT_EQ(0, msg.msg_namelen);
	EXPECT_EQ(0, msg.msg_controllen);
	EXPECT_EQ(0, msg.msg_flags);
}

TEST_F(sock, empty)
{
	char byte;

	EXPECT_EQ(0, send(self->client, "", 0, 0));
	EXPECT_EQ(0, write(self->client, "", 0));
	EXPECT_EQ(0, read(self->server, &byte, 0));
	EXPECT_ERRNO(EAGAIN, recv(self->server, &byte, 1, MSG_DONTWAIT));
}

TEST_F(sock, peek)
{
	char data[8] = "";

	EXPECT_EQ(6, send(self->client, "abcdef", 6, 0));
	ASSERT_EQ(6, recv(self->server, data, 6, MSG_PEEK | MSG_WAITALL));
	EXPECT_EQ(3, recv(self->server, data, 3, MSG_PEEK));
	EXPECT_EQ(0, memcmp(data, "abc", 3));
	EXPECT_EQ(2, recv(self->server, data, 2, 0));
	EXPECT_EQ(4, recv(self->server, data, 8, MSG_PEEK));
	EXPECT_EQ(0, memcmp(data, "cdef", 4));
	EXPECT_EQ(4, recv(self->server, data, 8, 0));
	EXPECT_ERRNO(EAGAIN, recv(self->server, data, 8,
				  MSG_PEEK | MSG_DONTWAIT));
}

TEST_F(sock, waitall)
{
	struct timespec ts = { .tv_nsec = 50000000 };
	char data[6] = "";
	pid_t child = fork();

	if (!child) {
		send(self->client, "abc", 3, 0);
		nanosleep(&ts, NULL);
		send(self->client, "def", 3, 0);
		_exit(0);
	}
	EXPECT_EQ(6, recv(self->server, data, 6, MSG_WAITALL));
	EXPECT_EQ(0, memcmp(data, "abcdef", 6));
	waitpid(child, NULL, 0);
}

TEST_F(sock, waitall_ends)
{
	char data[64];

	EXPECT_EQ(3, send(self->client, "abc", 3, 0));
	ASSERT_EQ(0, shutdown(self->client, SHUT_WR));
	EXPECT_EQ(3, recv(self->server, data, 64, MSG_WAITALL));
	EXPECT_EQ(0, recv(self->server, data, 64, MSG_WAITALL));
}

TEST_F(sock, more)
{
	char data[8];

	EXPECT_EQ(2, send(self->client, "ab", 2, MSG_MORE));
	EXPECT_EQ(2, send(self->client, "cd", 2, MSG_MORE | MSG_NOSIGNAL));
	EXPECT_EQ(2, send(self->client, "ef", 2, 0));
	EXPECT_EQ(6, recv_all(self->server, data, 6));
	EXPECT_EQ(0, memcmp(data, "abcdef", 6));
	/* A promise that is not kept holds data back only for a while. */
	EXPECT_EQ(2, send(self->client, "gh", 2, MSG_MORE));
	EXPECT_EQ(2, recv_all(self->server, data, 2));
	EXPECT_EQ(2, send(self->client, "ij", 2, MSG_MORE));
	ASSERT_EQ(0, shutdown(self->client, SHUT_WR));
	EXPECT_EQ(2, recv_all(self->server, data, 8));
}

TEST_F(sock, truncate)
{
	char data[8] = "";

	/* On a stream MSG_TRUNC throws the bytes away. */
	EXPECT_EQ(6, send(self->client, "abcdef", 6, 0));
	ASSERT_EQ(6, recv(self->server, data, 6, MSG_PEEK | MSG_WAITALL));
	memset(data, 0, sizeof(data));
	EXPECT_EQ(4, recv(self->server, data, 4, MSG_TRUNC));
	EXPECT_EQ(0, data[0]);
	EXPECT_EQ(2, recv(self->server, data, 8, 0));
	EXPECT_EQ(0, memcmp(data, "ef", 2));
}

TEST_F(sock, out_of_band)
{
	char byte;

	/* AF_MRC has no urgent data; the byte must not appear as normal. */
	if (!variant->mrc) {
		EXPECT_EQ(1, send(self->client, "x", 1, MSG_OOB));
		EXPECT_EQ(POLLPRI, poll_for(self->server, POLLPRI, PATIENCE));
		return;
	}
	EXPECT_ERRNO(EOPNOTSUPP, send(self->client, "x", 1, MSG_OOB));
	errno = 0;
	EXPECT_EQ(-1, recv(self->server, &byte, 1, MSG_OOB | MSG_DONTWAIT));
	EXPECT_TRUE(errno == EOPNOTSUPP || errno == EINVAL)
		TH_LOG("%s", strerror(errno));
	EXPECT_EQ(0, poll_for(self->server, POLLIN | POLLPRI, QUIET));
}

TEST_F(sock, receive_timeout)
{
	struct timeval tv = { .tv_usec = 120000 };
	long long start = now_ms();
	char byte;

	ASSERT_EQ(0, setsockopt(self->server, SOL_SOCKET, SO_RCVTIMEO, &tv,
				sizeof(tv)));
	EXPECT_ERRNO(EAGAIN, recv(self->server, &byte, 1, 0));
	EXPECT_LE(100, now_ms() - start);
	EXPECT_GT(PATIENCE, now_ms() - start);
	ASSERT_EQ(0, setsockopt(self->listener, SOL_SOCKET, SO_RCVTIMEO, &tv,
				sizeof(tv)));
	EXPECT_ERRNO(EAGAIN, accept(self->listener, NULL, NULL));
}

TEST_F(sock, send_timeout)
{
	struct timeval tv = { .tv_usec = 120000 };
	static char data[65536];
	long long start, end = now_ms() + PATIENCE;
	ssize_t n;

	ASSERT_EQ(0, set_opt(self->client, SOL_SOCKET, SO_SNDBUF, 32768));
	ASSERT_EQ(0, setsockopt(self->client, SOL_SOCKET, SO_SNDTIMEO, &tv,
				sizeof(tv)));
	/* A call that could place a part returns that part instead. */
	do {
		start = now_ms();
		n = send(self->client, data, sizeof(data), 0);
	} while (n > 0 && start < end);
	EXPECT_EQ(-1, n);
	EXPECT_EQ(EAGAIN, errno) TH_LOG("%s", strerror(errno));
	EXPECT_LE(100, now_ms() - start);
	EXPECT_GT(PATIENCE, now_ms() - start);
}

TEST_F(sock, full_buffer)
{
	size_t sent;
	char byte = 0;

	ASSERT_EQ(0, set_nonblock(self->client));
	sent = send_full(self->client);
	EXPECT_LT(0, sent);
	EXPECT_ERRNO(EAGAIN, send(self->client, &byte, 1, 0));
	EXPECT_EQ(0, poll_for(self->client, POLLOUT, QUIET));
	EXPECT_EQ(0, drain(self->server, sent));
	EXPECT_EQ(POLLOUT, poll_for(self->client, POLLOUT, PATIENCE));
	EXPECT_EQ(1, send(self->client, &byte, 1, 0));
	EXPECT_EQ(1, recv_all(self->server, &byte, 1));
}

TEST_F(sock, blocked_writer_wakes)
{
	size_t sent, more = 4 << 20;
	int status = -1;
	pid_t child;
	char *data;

	sent = send_full(self->client);
	data = calloc(1, more);
	ASSERT_NE(NULL, data);
	child = fork();
	if (!child)
		_exit(send(self->client, data, more, 0) != (ssize_t)more);
	EXPECT_EQ(0, drain(self->server, sent + more));
	EXPECT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	free(data);
}

TEST_F(sock, queue_lengths)
{
	long long end = now_ms() + PATIENCE;
	char data[1000] = "";
	int n = -1;

	EXPECT_EQ(0, ioctl(self->server, FIONREAD, &n));
	EXPECT_EQ(0, n);
	EXPECT_EQ(1000, send(self->client, data, 1000, 0));
	while (n != 1000 && now_ms() < end)
		ASSERT_EQ(0, ioctl(self->server, FIONREAD, &n));
	EXPECT_EQ(1000, n);
	n = -1;
	while (n && now_ms() < end)
		ASSERT_EQ(0, ioctl(self->client, SIOCOUTQ, &n));
	EXPECT_EQ(0, n);
	EXPECT_ERRNO(EINVAL, ioctl(self->listener, FIONREAD, &n));
	EXPECT_ERRNO(ENOTTY, ioctl(self->client, 0x5401, &n));
}

TEST_F(sock, sendfile)
{
	static char out[1 << 20], in[1 << 20];
	FILE *file = tmpfile();
	off_t at = 0;
	size_t i;
	pid_t child;

	ASSERT_NE(NULL, file);
	for (i = 0; i < sizeof(out); i++)
		out[i] = i * 7 + (i >> 8);
	ASSERT_EQ(sizeof(out), fwrite(out, 1, sizeof(out), file));
	ASSERT_EQ(0, fflush(file));
	child = fork();
	if (!child) {
		while (at < (off_t)sizeof(out))
			if (sendfile(self->client, fileno(file), &at,
				     sizeof(out) - at) <= 0)
				_exit(1);
		_exit(0);
	}
	EXPECT_EQ(sizeof(in), recv_all(self->server, in, sizeof(in)));
	EXPECT_EQ(0, memcmp(in, out, sizeof(in)));
	waitpid(child, NULL, 0);
	fclose(file);
}

TEST_F(sock, bad_pointers)
{
	char data[8];
	struct iovec iov = { .iov_base = (void *)8, .iov_len = 8 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	EXPECT_ERRNO(EFAULT, send(self->client, (void *)8, 8, 0));
	EXPECT_ERRNO(EFAULT, sendmsg(self->client, &msg, 0));
	EXPECT_EQ(3, send(self->client, "abc", 3, 0));
	ASSERT_NE(0, poll_for(self->server, POLLIN, PATIENCE));
	EXPECT_ERRNO(EFAULT, recv(self->server, (void *)8, 8, 0));
	EXPECT_EQ(3, recv_all(self->server, data, 3));
	EXPECT_EQ(0, memcmp(data, "abc", 3));
	msg.msg_iovlen = 100000;
	EXPECT_ERRNO(EMSGSIZE, sendmsg(self->client, &msg, 0));
	EXPECT_ERRNO(EMSGSIZE, recvmsg(self->server, &msg, MSG_DONTWAIT));
}

TEST_F(sock, not_connected)
{
	int fd = socket(variant->family, SOCK_STREAM, 0);
	char byte = 0;

	EXPECT_ERRNO(EPIPE, send(fd, &byte, 1, MSG_NOSIGNAL));
	EXPECT_ERRNO(ENOTCONN, recv(fd, &byte, 1, 0));
	EXPECT_ERRNO(ENOTCONN, recv(self->listener, &byte, 1, 0));
	EXPECT_ERRNO(EPIPE, send(self->listener, &byte, 1, MSG_NOSIGNAL));
	close(fd);
}

TEST_F(sock, receive_nosignal)
{
	char byte;

	EXPECT_EQ(1, send(self->client, "x", 1, MSG_NOSIGNAL));
	ASSERT_NE(0, poll_for(self->server, POLLIN, PATIENCE));
	EXPECT_EQ(1, recv(self->server, &byte, 1, MSG_NOSIGNAL));
}

TEST_HARNESS_MAIN
