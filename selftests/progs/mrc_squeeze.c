// SPDX-License-Identifier: GPL-2.0
/*
 * mrc_squeeze - pieces of one size into a small receive buffer, transfer after
 * transfer: each byte is checked by its position, each message by its length,
 * and packets may not be sent again and again. TCP_NODELAY, so that a piece need not
 * wait for the next one.
 *
 * mrc_squeeze server stream|message PORT PIECE COUNT WAY...
 *	prints "ready" on stderr when it listens
 * mrc_squeeze client stream|message PORT PIECE COUNT WAY... ADDRESS
 *
 * WAY is RCVBUF:SHRINK:SLOW of one transfer. SO_RCVBUF is RCVBUF, and SHRINK
 * once half of all has come; 0: it stays. The reader rests a millisecond after
 * every SLOW bytes; 0: never. Exit status: 0 all right, 1 not, 2 usage.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <linux/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <linux/mrc.h>
#include <linux/sockios.h>

#define LARGEST	(64 * 1024)

/* One transfer. */
struct way {
	int rcvbuf;
	int shrink;
	unsigned int slow;
};

static unsigned char data[LARGEST];
static struct sockaddr_in addr = { .sin_family = AF_INET };
static bool messages;
static unsigned int piece, count;

static int die(const char *what)
{
	perror(what);
	return 1;
}

static unsigned char byte_at(unsigned long long pos)
{
	return pos * 31 + (pos >> 8) * 7 + (pos >> 16);
}

static int set(int fd, int level, int name, int value)
{
	return setsockopt(fd, level, name, &value, sizeof(value));
}

static int open_socket(void)
{
	return socket(AF_MRC, messages ? SOCK_SEQPACKET : SOCK_STREAM,
		      MRCPROTO_STRICT);
}

static bool is_right(unsigned long long pos, ssize_t len)
{
	for (ssize_t i = 0; i < len; i++)
		if (data[i] != byte_at(pos + i))
			return false;
	return !messages || len == (ssize_t)piece;
}

static void rest(void)
{
	const struct timespec ts = { .tv_nsec = 1000000 };

	nanosleep(&ts, NULL);
}

static int receive(int fd, const struct way *way)
{
	unsigned long long all = (unsigned long long)piece * count;
	unsigned long long got = 0, rested = 0;
	bool shrunk = !way->shrink;
	ssize_t n;

	while ((n = recv(fd, data, messages ? LARGEST : 4096, 0)) > 0) {
		if (!is_right(got, n)) {
			fprintf(stderr, "wrong: %zd bytes at %llu\n", n, got);
			return 1;
		}
		got += n;
		if (!shrunk && got >= all / 2) {
			shrunk = true;
			if (set(fd, SOL_SOCKET, SO_RCVBUF, way->shrink))
				return die("SO_RCVBUF");
		}
		if (way->slow && got - rested >= way->slow) {
			rested = got;
			rest();
		}
	}
	if (n < 0)
		return die("recv");
	if (got != all)
		fprintf(stderr, "%llu bytes of %llu\n", got, all);
	return got != all;
}

/* The client does not connect again before the last transfer has its end. */
static int serve(const struct way *ways, int n)
{
	int fd = open_socket(), conn = -1, ret = 0;

	if (fd < 0 || set(fd, SOL_SOCKET, SO_REUSEADDR, 1) ||
	    bind(fd, (struct sockaddr *)&addr, sizeof(addr)) || listen(fd, 1))
		return die("listener");
	for (int i = 0; i < n && !ret; i++) {
		if (set(fd, SOL_SOCKET, SO_RCVBUF, ways[i].rcvbuf))
			return die("SO_RCVBUF");
		if (i)
			close(conn);
		else
			fputs("ready\n", stderr);
		conn = accept(fd, NULL, NULL);
		if (conn < 0)
			return die("accept");
		ret = receive(conn, &ways[i]);
	}
	return ret;
}

/* All is acknowledged when it ends. */
static int send_all(int fd)
{
	unsigned long long pos = 0;
	int left;

	for (unsigned int n = 0; n < count; n++) {
		for (unsigned int i = 0; i < piece; i++)
			data[i] = byte_at(pos + i);
		if (send(fd, data, piece, 0) != (ssize_t)piece)
			return die("send");
		pos += piece;
	}
	while (!ioctl(fd, SIOCOUTQ, &left) && left)
		rest();
	return left ? die("SIOCOUTQ") : 0;
}

/*
 * Every fourth packet may be sent again, and some more: a host that stands still
 * for a while looks like one that is gone. A receiver that drops what it asked
 * for has three of four sent again.
 */
static int judge(int fd, const char *way)
{
	struct tcp_info info = {};
	socklen_t len = sizeof(info);

	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len))
		return die("TCP_INFO");
	printf("%s: %u packets, %u of them again\n", way,
	       info.tcpi_data_segs_out, info.tcpi_total_retrans);
	fflush(stdout);
	return !info.tcpi_data_segs_out ||
	       info.tcpi_total_retrans > info.tcpi_data_segs_out / 4 + 100;
}

static int transfer(const char *way)
{
	int fd = open_socket(), bad;

	if (fd < 0 || set(fd, IPPROTO_TCP, TCP_NODELAY, 1))
		return die("socket");
	if (connect(fd, (struct sockaddr *)&addr, sizeof(addr)))
		return die("connect");
	if (send_all(fd))
		return 1;
	bad = judge(fd, way);
	if (shutdown(fd, SHUT_WR) || recv(fd, data, 1, 0))
		return die("end");
	return close(fd) ? die("close") : bad;
}

int main(int argc, char **argv)
{
	bool client = argc > 7 && !strcmp(argv[1], "client");
	struct way ways[32];
	int n = argc - 6 - client, bad = 0;

	if (n < 1 || n > 32 || (!client && strcmp(argv[1], "server"))) {
		fputs("see the head of mrc_squeeze.c\n", stderr);
		return 2;
	}
	messages = !strcmp(argv[2], "message");
	addr.sin_port = htons(atoi(argv[3]));
	piece = atoi(argv[4]);
	count = atoi(argv[5]);
	if (!piece || piece > LARGEST)
		return 2;
	for (int i = 0; i < n; i++)
		if (sscanf(argv[6 + i], "%d:%d:%u", &ways[i].rcvbuf,
			   &ways[i].shrink, &ways[i].slow) != 3)
			return 2;
	if (!client)
		return serve(ways, n);
	if (!inet_aton(argv[argc - 1], &addr.sin_addr))
		return 2;
	for (int i = 0; i < n; i++)
		bad |= transfer(argv[6 + i]);
	return bad;
}
