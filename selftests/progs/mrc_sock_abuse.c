// SPDX-License-Identifier: GPL-2.0
/*
 * Socket surface, part 7: tens of thousands of absurd calls, seeded, on
 * sockets in every state. They may succeed or fail; a connection beside them
 * must not notice and the kernel must not print. See sock_fixture.h; run by
 * cases/basic_socket.sh.
 */
#include <sys/mman.h>
#include "sock_fixture.h"

#define ROUNDS 20000

struct abuse {
	__u64 seed;
	char *page;		/* last bytes before an unmapped page */
};

static __u32 next(struct abuse *a)
{
	a->seed = a->seed * 6364136223846793005ull + 1442695040888963407ull;
	return a->seed >> 33;
}

static __u32 pick(struct abuse *a, const __u32 *from, size_t n)
{
	return next(a) & 1 ? from[next(a) % n] : next(a);
}

static const __u32 levels[] = {
	SOL_SOCKET, IPPROTO_IP, IPPROTO_TCP, IPPROTO_IPV6, SOL_MRC,
};

static const __u32 lengths[] = {
	0, 1, 3, 4, 5, 8, 16, 64, 104, 256, 4095, 4096, INT_MAX, UINT_MAX,
};

static void *any_pointer(struct abuse *a, __u32 len)
{
	switch (next(a) % 4) {
	case 0:
		return NULL;
	case 1:
		return (void *)(uintptr_t)next(a);
	default:
		return a->page + 4096 - (len <= 4096 ? len : 16);
	}
}

static void abuse_option(struct abuse *a, int fd)
{
	int level = pick(a, levels, ARRAY_SIZE(levels));
	int name = next(a) & 3 ? next(a) % 80 : next(a);
	socklen_t len = lengths[next(a) % ARRAY_SIZE(lengths)];
	void *data = any_pointer(a, len);

	/* These make close wait or cut the test off from its port. */
	if (level == SOL_SOCKET && (name == SO_LINGER || name == SO_RCVTIMEO ||
				    name == SO_SNDTIMEO))
		return;
	if (next(a) & 1)
		setsockopt(fd, level, name, data, len);
	else
		getsockopt(fd, level, name, data, &len);
}

static void abuse_message(struct abuse *a, int fd)
{
	__u32 len = lengths[next(a) % ARRAY_SIZE(lengths)];
	struct iovec iov = {
		.iov_base = any_pointer(a, len),
		.iov_len = len,
	};
	struct msghdr msg = {
		.msg_name = any_pointer(a, 16),
		.msg_namelen = next(a) & 1 ? 16 : next(a),
		.msg_iov = &iov,
		.msg_iovlen = next(a) & 1 ? 1 : next(a) % 3,
		.msg_control = any_pointer(a, 64),
		.msg_controllen = next(a) & 1 ? 0 : next(a) % 128,
	};
	int flags = (next(a) & next(a)) | MSG_DONTWAIT | MSG_NOSIGNAL;

	if (next(a) & 1)
		sendmsg(fd, &msg, flags);
	else
		recvmsg(fd, &msg, flags);
}

static void abuse_address(struct abuse *a, int fd)
{
	socklen_t len = lengths[next(a) % ARRAY_SIZE(lengths)];
	struct sockaddr *addr = any_pointer(a, len);

	switch (next(a) % 5) {
	case 0:
		bind(fd, addr, len);
		break;
	case 1:
		connect(fd, addr, len);
		break;
	case 2:
		getsockname(fd, addr, &len);
		break;
	case 3:
		getpeername(fd, addr, next(a) & 1 ? &len : (void *)8);
		break;
	default:
		close(accept4(fd, addr, &len, next(a) & 0x80800));
	}
}

static void abuse_other(struct abuse *a, int fd)
{
	switch (next(a) % 3) {
	case 0:
		ioctl(fd, next(a) & 1 ? 0x8900 + next(a) % 256 : next(a),
		      any_pointer(a, 64));
		break;
	case 1:
		listen(fd, next(a));
		break;
	default:
		if (next(a) % 50 == 0)
			shutdown(fd, next(a) % 5);
	}
}

static void abuse_once(struct abuse *a, int fd)
{
	switch (next(a) % 4) {
	case 0:
		abuse_option(a, fd);
		break;
	case 1:
		abuse_message(a, fd);
		break;
	case 2:
		abuse_address(a, fd);
		break;
	default:
		abuse_other(a, fd);
	}
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

TEST_F_TIMEOUT(sock, absurd_calls, 120)
{
	struct abuse a = { .seed = 20240607 };
	int fds[4] = { -1, -1, -1, -1 };
	struct sockaddr_in addr;
	int i, k;
	char byte;

	a.page = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, a.page);
	ASSERT_EQ(0, munmap(a.page + 4096, 4096));
	for (i = 0; i < ROUNDS; i++) {
		if (i % 200 == 0) {
			/* A fresh, a listening and a connected pair. */
			for (k = 0; k < 4; k++)
				close(fds[k]);
			fds[0] = socket(variant->family, SOCK_STREAM, 0);
			fds[1] = open_listener(variant->family, 4, &addr);
			fds[2] = open_client(variant->family, &addr);
			fds[3] = accept(fds[1], NULL, NULL);
			for (k = 0; k < 4; k++) {
				ASSERT_LE(0, fds[k]) TH_LOG("round %d", i);
				set_nonblock(fds[k]);
			}
		}
		memset(a.page, next(&a), 4096);
		if (next(&a) & 1)
			memcpy(a.page + 4096 - 16, &addr, 16);
		abuse_once(&a, fds[next(&a) % 4]);
		if (i % 1000 == 0) {
			ASSERT_EQ(1, send(self->client, "x", 1, 0));
			ASSERT_EQ(1, recv_all(self->server, &byte, 1));
		}
	}
	for (k = 0; k < 4; k++)
		close(fds[k]);
	EXPECT_EQ(1, send(self->client, "x", 1, 0));
	EXPECT_EQ(1, recv_all(self->server, &byte, 1));
}

TEST_HARNESS_MAIN
