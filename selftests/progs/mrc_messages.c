// SPDX-License-Identifier: GPL-2.0
/*
 * mrc_messages - many messages of random sizes between two hosts, over
 * SOCK_SEQPACKET. Each one tells its number and length, the rest is a pattern
 * of both; the receiver checks boundaries, order and every byte.
 *
 * mrc_messages server PORT COUNT SEED	prints "ready" on stderr when it listens
 * mrc_messages client ADDRESS PORT COUNT SEED
 *
 * Prints one line of JSON. Exit status: 0 all right, 1 not, 2 usage.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/mrc.h>

#define LARGEST	(1024 * 1024)

static unsigned char data[LARGEST], want[LARGEST];
static unsigned long long state;

static unsigned long long next_random(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1dULL;
}

/* Mostly small, some of several packets, a few as large as can be. */
static size_t next_size(void)
{
	unsigned int kind = next_random() % 100;

	if (kind < 70)
		return 8 + next_random() % 1000;
	if (kind < 97)
		return 8 + next_random() % 20000;
	return 8 + next_random() % (LARGEST - 8);
}

static void fill(unsigned char *to, unsigned int number, unsigned int len)
{
	memcpy(to, &number, 4);
	memcpy(to + 4, &len, 4);
	for (unsigned int i = 8; i < len; i++)
		to[i] = number + i * 31;
}

static int die(const char *what)
{
	perror(what);
	return 1;
}

static int run_server(int fd, struct sockaddr_in *addr, unsigned int count)
{
	unsigned long long bytes = 0;
	unsigned int number;
	ssize_t got;
	int conn;

	if (bind(fd, (struct sockaddr *)addr, sizeof(*addr)))
		return die("bind");
	if (listen(fd, 1))
		return die("listen");
	fprintf(stderr, "ready\n");
	conn = accept(fd, NULL, NULL);
	if (conn < 0)
		return die("accept");
	for (number = 0; number < count; number++) {
		size_t len = next_size();

		got = recv(conn, data, sizeof(data), 0);
		if (got < 0)
			return die("recv");
		fill(want, number, len);
		if ((size_t)got != len || memcmp(data, want, len)) {
			fprintf(stderr, "message %u: %zd bytes, not %zu, or other data\n",
				number, got, len);
			return 1;
		}
		bytes += got;
	}
	got = recv(conn, data, sizeof(data), 0);
	if (got) {
		fprintf(stderr, "%zd bytes after the last message\n", got);
		return 1;
	}
	printf("{\"messages\":%u,\"bytes\":%llu}\n", number, bytes);
	return 0;
}

static int run_client(int fd, struct sockaddr_in *addr, unsigned int count)
{
	if (connect(fd, (struct sockaddr *)addr, sizeof(*addr)))
		return die("connect");
	for (unsigned int number = 0; number < count; number++) {
		size_t len = next_size();

		fill(data, number, len);
		if (send(fd, data, len, 0) != (ssize_t)len)
			return die("send");
	}
	printf("{\"messages\":%u}\n", count);
	return close(fd) ? die("close") : 0;
}

int main(int argc, char **argv)
{
	struct sockaddr_in addr = { .sin_family = AF_INET };
	int client = argc == 6 && !strcmp(argv[1], "client");
	int fd;

	if (!client && (argc != 5 || strcmp(argv[1], "server"))) {
		fprintf(stderr, "usage: %s server PORT COUNT SEED\n"
			"       %s client ADDRESS PORT COUNT SEED\n",
			argv[0], argv[0]);
		return 2;
	}
	if (client && !inet_aton(argv[2], &addr.sin_addr)) {
		fprintf(stderr, "no IPv4 address: %s\n", argv[2]);
		return 2;
	}
	argv += client;
	addr.sin_port = htons(atoi(argv[2]));
	state = strtoull(argv[4], NULL, 0) | 1;
	fd = socket(AF_MRC, SOCK_SEQPACKET, 0);
	if (fd < 0)
		return die("socket");
	return client ? run_client(fd, &addr, atoi(argv[3])) :
			run_server(fd, &addr, atoi(argv[3]));
}
