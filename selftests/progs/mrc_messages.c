// SPDX-License-Identifier: GPL-2.0
/*
 * mrc_messages - many messages of random sizes between two hosts, over
 * SOCK_SEQPACKET. Each one tells its number and length, the rest is a pattern
 * of both; the receiver checks boundaries, order and every byte. With
 * "unordered" it takes messages as soon as they are whole, and checks that
 * each comes exactly once.
 *
 * mrc_messages server PORT COUNT SEED [unordered]
 *	prints "ready" on stderr when it listens
 * mrc_messages client ADDRESS PORT COUNT SEED
 *
 * Prints one line of JSON; "early" is the number of messages that came before
 * one that was sent earlier. Exit status: 0 all right, 1 not, 2 usage.
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
static unsigned long long seed;

/* A random number that belongs to a message (splitmix64). */
static unsigned long long random_of(unsigned int number)
{
	unsigned long long x = seed + number * 0x9e3779b97f4a7c15ULL;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

/* Mostly small, some of several packets, a few as large as can be. */
static size_t size_of(unsigned int number)
{
	unsigned long long r = random_of(number);
	unsigned int kind = r % 100;

	r /= 100;
	if (kind < 70)
		return 8 + r % 1000;
	if (kind < 97)
		return 8 + r % 20000;
	return 8 + r % (LARGEST - 8);
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

/* Is it what was sent under its number? Returns the number, or -1. */
static long check_message(ssize_t got, unsigned int count)
{
	unsigned int number;

	if (got < 8)
		return -1;
	memcpy(&number, data, 4);
	if (number >= count || (size_t)got != size_of(number))
		return -1;
	fill(want, number, got);
	return memcmp(data, want, got) ? -1 : (long)number;
}

static int receive(int conn, unsigned int count, int unordered)
{
	char *seen = calloc(count, 1);
	unsigned long long bytes = 0;
	unsigned int n, first = 0, early = 0;
	long number;
	ssize_t got;

	for (n = 0; n < count; n++) {
		got = recv(conn, data, sizeof(data), 0);
		if (got < 0)
			return die("recv");
		number = check_message(got, count);
		if (number < 0 || seen[number] ||
		    (!unordered && number != (long)n)) {
			fprintf(stderr, "call %u: %zd bytes, message %ld\n",
				n, got, number);
			return 1;
		}
		seen[number] = 1;
		bytes += got;
		while (first < count && seen[first])
			first++;
		early += number > (long)first;
	}
	free(seen);
	got = recv(conn, data, sizeof(data), 0);
	if (got) {
		fprintf(stderr, "%zd bytes after the last message\n", got);
		return 1;
	}
	printf("{\"messages\":%u,\"bytes\":%llu,\"early\":%u}\n", n, bytes,
	       early);
	return 0;
}

static int run_server(int fd, struct sockaddr_in *addr, unsigned int count,
		      int unordered)
{
	int conn;

	if (setsockopt(fd, SOL_MRC, MRC_UNORDERED, &unordered,
		       sizeof(unordered)))
		return die("setsockopt");
	if (bind(fd, (struct sockaddr *)addr, sizeof(*addr)))
		return die("bind");
	if (listen(fd, 1))
		return die("listen");
	fprintf(stderr, "ready\n");
	conn = accept(fd, NULL, NULL);
	if (conn < 0)
		return die("accept");
	return receive(conn, count, unordered);
}

static int run_client(int fd, struct sockaddr_in *addr, unsigned int count)
{
	if (connect(fd, (struct sockaddr *)addr, sizeof(*addr)))
		return die("connect");
	for (unsigned int number = 0; number < count; number++) {
		size_t len = size_of(number);

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
	int unordered = argc == 6 && !strcmp(argv[5], "unordered");
	int client = argc == 6 && !strcmp(argv[1], "client");
	int fd;

	if (!client && (argc < 5 || strcmp(argv[1], "server"))) {
		fprintf(stderr, "usage: %s server PORT COUNT SEED [unordered]\n"
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
	seed = strtoull(argv[4], NULL, 0);
	fd = socket(AF_MRC, SOCK_SEQPACKET, 0);
	if (fd < 0)
		return die("socket");
	return client ? run_client(fd, &addr, atoi(argv[3])) :
			run_server(fd, &addr, atoi(argv[3]), unordered);
}
