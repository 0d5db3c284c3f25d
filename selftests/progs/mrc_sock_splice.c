// SPDX-License-Identifier: GPL-2.0
/*
 * Socket surface, part 10: splice() in both directions, tee(), vmsplice() and
 * sendfile() as proxies and web servers use them. See sock_fixture.h; run by
 * cases/basic_socket.sh.
 */
#include <sys/sendfile.h>
#include "sock_fixture.h"

#define BYTES	1048576

static void fill(char *data, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		data[i] = i * 31 + (i >> 11);
}

TEST_F(sock, out_of_pipe)
{
	char data[9] = "";
	int p[2];

	ASSERT_EQ(0, pipe(p));
	ASSERT_EQ(8, write(p[1], "abcdefgh", 8));
	EXPECT_EQ(5, splice(p[0], NULL, self->client, NULL, 5, SPLICE_F_MOVE));
	EXPECT_EQ(3, splice(p[0], NULL, self->client, NULL, 100,
			    SPLICE_F_MOVE | SPLICE_F_NONBLOCK));
	EXPECT_ERRNO(EAGAIN, splice(p[0], NULL, self->client, NULL, 1,
				    SPLICE_F_NONBLOCK));
	EXPECT_EQ(8, recv_all(self->server, data, 8));
	EXPECT_STREQ("abcdefgh", data);
	close(p[1]);
	EXPECT_EQ(0, splice(p[0], NULL, self->client, NULL, 1, 0));
	close(p[0]);
}

TEST_F(sock, into_pipe)
{
	char data[9] = "";
	int p[2];

	ASSERT_EQ(0, pipe(p));
	ASSERT_EQ(0, set_nonblock(self->server));
	EXPECT_ERRNO(EAGAIN, splice(self->server, NULL, p[1], NULL, 8,
				    SPLICE_F_NONBLOCK));
	EXPECT_EQ(8, send(self->client, "abcdefgh", 8, 0));
	ASSERT_NE(0, poll_for(self->server, POLLIN, PATIENCE));
	EXPECT_EQ(5, splice(self->server, NULL, p[1], NULL, 5,
			    SPLICE_F_MOVE));
	EXPECT_EQ(3, splice(self->server, NULL, p[1], NULL, 100,
			    SPLICE_F_MOVE | SPLICE_F_NONBLOCK));
	EXPECT_EQ(8, read(p[0], data, 8));
	EXPECT_STREQ("abcdefgh", data);
	ASSERT_EQ(0, shutdown(self->client, SHUT_WR));
	ASSERT_NE(0, poll_for(self->server, POLLRDHUP, PATIENCE));
	EXPECT_EQ(0, splice(self->server, NULL, p[1], NULL, 8, 0));
	close(p[0]);
	close(p[1]);
}

/* Bytes that do not fit into the pipe must stay in the socket. */
TEST_F(sock, pipe_full)
{
	static char out[300000], in[300000];
	size_t got = 0;
	int p[2], size;
	ssize_t n;

	fill(out, sizeof(out));
	ASSERT_EQ(0, pipe(p));
	size = fcntl(p[1], F_SETPIPE_SZ, 65536);
	ASSERT_LE(65536, size);
	ASSERT_EQ(0, set_nonblock(self->server));
	ASSERT_EQ(0, set_opt(self->server, SOL_SOCKET, SO_RCVBUF, 1 << 20));
	if (!fork()) {
		send(self->client, out, sizeof(out), 0);
		_exit(0);
	}
	while (got < sizeof(out)) {
		if (poll_for(self->server, POLLIN, PATIENCE) <= 0)
			break;
		/* Twice, so that the second call meets a pipe in use. */
		splice(self->server, NULL, p[1], NULL, BYTES,
		       SPLICE_F_NONBLOCK);
		splice(self->server, NULL, p[1], NULL, BYTES,
		       SPLICE_F_NONBLOCK);
		n = read(p[0], in + got, sizeof(in) - got);
		if (n <= 0)
			break;
		got += n;
	}
	EXPECT_EQ(sizeof(out), got);
	EXPECT_EQ(0, memcmp(in, out, sizeof(out)));
	wait(NULL);
	close(p[0]);
	close(p[1]);
}

/* What haproxy does: socket, pipe, socket, nothing seen by the process. */
TEST_F(sock, relay)
{
	static char out[BYTES], in[BYTES];
	int p[2], i, far[2];
	size_t left = BYTES;
	ssize_t n, m;

	fill(out, sizeof(out));
	ASSERT_EQ(0, pipe(p));
	far[0] = open_client(variant->family, &self->addr);
	far[1] = accept(self->listener, NULL, NULL);
	ASSERT_LE(0, far[1]);
	if (!fork()) {
		for (i = 0; i < BYTES; i += n) {
			n = send(self->client, out + i, BYTES - i, 0);
			if (n <= 0)
				break;
		}
		_exit(0);
	}
	if (!fork()) {
		while (left) {
			n = splice(self->server, NULL, p[1], NULL, left,
				   SPLICE_F_MOVE);
			if (n <= 0)
				_exit(1);
			left -= n;
			for (; n > 0; n -= m) {
				m = splice(p[0], NULL, far[0], NULL, n,
					   SPLICE_F_MOVE |
					   (left ? SPLICE_F_MORE : 0));
				if (m <= 0)
					_exit(1);
			}
		}
		_exit(0);
	}
	EXPECT_EQ(BYTES, recv_all(far[1], in, BYTES));
	EXPECT_EQ(0, memcmp(in, out, BYTES));
	wait(NULL);
	wait(NULL);
	close(far[0]);
	close(far[1]);
	close(p[0]);
	close(p[1]);
}

/* Pages given away may change only after they have arrived. */
TEST_F(sock, given_pages)
{
	struct iovec iov;
	char in[4096];
	char *page;
	int p[2];

	ASSERT_EQ(0, pipe(p));
	page = aligned_alloc(4096, 4096);
	ASSERT_NE(NULL, page);
	fill(page, 4096);
	iov = (struct iovec){ .iov_base = page, .iov_len = 4096 };
	ASSERT_EQ(4096, vmsplice(p[1], &iov, 1, 0));
	EXPECT_EQ(4096, splice(p[0], NULL, self->client, NULL, 4096, 0));
	EXPECT_EQ(sizeof(in), recv_all(self->server, in, sizeof(in)));
	EXPECT_EQ(0, memcmp(in, page, 4096));
	free(page);
	close(p[0]);
	close(p[1]);
}

/* sendfile() stops where the buffer is full, and tells how far it came. */
TEST_F(sock, sendfile_nonblocking)
{
	static char out[BYTES], in[BYTES];
	FILE *file = tmpfile();
	off_t at = 0;
	size_t got = 0;
	ssize_t n;

	ASSERT_NE(NULL, file);
	fill(out, sizeof(out));
	ASSERT_EQ(sizeof(out), fwrite(out, 1, sizeof(out), file));
	ASSERT_EQ(0, fflush(file));
	ASSERT_EQ(0, set_opt(self->client, SOL_SOCKET, SO_SNDBUF, 32768));
	ASSERT_EQ(0, set_nonblock(self->client));
	while (got < sizeof(in)) {
		n = sendfile(self->client, fileno(file), &at,
			     sizeof(out) - at);
		if (n < 0 && errno != EAGAIN)
			break;
		while ((n = recv(self->server, in + got, sizeof(in) - got,
				 MSG_DONTWAIT)) > 0)
			got += n;
		if (at < (off_t)sizeof(out) &&
		    !poll_for(self->client, POLLOUT, PATIENCE))
			break;
		if (at == (off_t)sizeof(out) && got < sizeof(in) &&
		    !poll_for(self->server, POLLIN, PATIENCE))
			break;
	}
	EXPECT_EQ(sizeof(in), got);
	EXPECT_EQ(0, memcmp(in, out, sizeof(in)));
	fclose(file);
}

TEST_F(sock, errors)
{
	int p[2], fd = socket(variant->family, SOCK_STREAM, 0);

	ASSERT_EQ(0, pipe(p));
	ASSERT_EQ(1, write(p[1], "x", 1));
	signal(SIGPIPE, SIG_IGN);
	EXPECT_ERRNO(EPIPE, splice(p[0], NULL, fd, NULL, 1, 0));
	EXPECT_ERRNO(ENOTCONN, splice(fd, NULL, p[1], NULL, 1, 0));
	EXPECT_ERRNO(EINVAL, splice(p[0], NULL, self->client,
				    &(loff_t){ 0 }, 1, 0));
	close(self->server);
	close(fd);
	close(p[0]);
	close(p[1]);
}

TEST_HARNESS_MAIN
