// SPDX-License-Identifier: GPL-2.0
/*
 * mrc_turns - questions and answers over one connection: the client writes a
 * question, the server sends it back whole, the client compares it and only
 * then asks again. What one lost packet costs, everybody waits for. With
 * --spin neither end ever sleeps, as programs for fast networks do it. Used by
 * cases/multi_turns.sh.
 *
 * Exit status: 0 all answers right, 1 a call failed or an answer was wrong,
 * 2 usage.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <linux/types.h>
#include <linux/mrc.h>

#define MOST	1048576

static struct sockaddr_in addr = { .sin_family = AF_INET };
static char question[MOST], answer[MOST];
static int family = AF_MRC, spin;
static size_t size = 64;
static unsigned int turns = 100;
static bool server;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static long long now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000ll + ts.tv_nsec / 1000;
}

/* Reads a whole question; false: the peer has ended. */
static bool take(int fd, char *data)
{
	size_t done = 0;
	ssize_t got;

	while (done < size) {
		got = recv(fd, data + done, size - done, spin);
		if (got < 0 && errno != EAGAIN && errno != EINTR)
			die("recv");
		if (!got && done)
			die("recv: end in the middle");
		if (!got)
			return false;
		if (got > 0)
			done += got;
	}
	return true;
}

static void give(int fd, const char *data)
{
	size_t done = 0;
	ssize_t put;

	while (done < size) {
		put = send(fd, data + done, size - done, spin | MSG_NOSIGNAL);
		if (put < 0 && errno != EAGAIN && errno != EINTR)
			die("send");
		if (put > 0)
			done += put;
	}
}

static void serve(int fd)
{
	int one = 1, peer;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, (struct sockaddr *)&addr, sizeof(addr)) || listen(fd, 1))
		die("listen");
	puts("ready");
	fflush(stdout);
	peer = accept(fd, NULL, NULL);
	if (peer < 0)
		die("accept");
	setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	while (take(peer, question))
		give(peer, question);
}

static void ask(int fd)
{
	long long begin, start, took, longest = 0;
	int one = 1;
	unsigned int i;
	size_t k;

	if (connect(fd, (struct sockaddr *)&addr, sizeof(addr)))
		die("connect");
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	begin = now_us();
	for (i = 0; i < turns; i++) {
		for (k = 0; k < size; k += 61)
			question[k] = random();
		start = now_us();
		give(fd, question);
		if (!take(fd, answer))
			die("the server has ended");
		took = now_us() - start;
		longest = took > longest ? took : longest;
		if (memcmp(question, answer, size)) {
			fprintf(stderr, "answer %u is wrong\n", i);
			exit(1);
		}
	}
	printf("{\"turns\":%u,\"us\":%lld,\"longest_us\":%lld}\n", turns,
	       now_us() - begin, longest);
}

static void usage(const char *name)
{
	fprintf(stderr, "%s [--family mrc|tcp] [--server] [--spin] %s\n", name,
		"[--size BYTES] [--turns N] ADDRESS PORT");
	exit(2);
}

static void parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "family", required_argument, NULL, 'f' },
		{ "server", no_argument, NULL, 's' },
		{ "spin", no_argument, NULL, 'p' },
		{ "size", required_argument, NULL, 'b' },
		{ "turns", required_argument, NULL, 'n' },
		{ }
	};
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == 'f')
			family = strcmp(optarg, "tcp") ? AF_MRC : AF_INET;
		else if (c == 's')
			server = true;
		else if (c == 'p')
			spin = MSG_DONTWAIT;
		else if (c == 'b')
			size = strtoul(optarg, NULL, 0);
		else if (c == 'n')
			turns = strtoul(optarg, NULL, 0);
		else
			usage(argv[0]);
	}
	if (optind + 2 != argc || !size || size > MOST ||
	    inet_pton(AF_INET, argv[optind], &addr.sin_addr) != 1)
		usage(argv[0]);
	addr.sin_port = htons(strtoul(argv[optind + 1], NULL, 0));
}

int main(int argc, char **argv)
{
	int fd;

	parse(argc, argv);
	fd = socket(family, SOCK_STREAM, 0);
	if (fd < 0)
		die("socket");
	if (server)
		serve(fd);
	else
		ask(fd);
	close(fd);
	return 0;
}
