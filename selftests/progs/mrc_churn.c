// SPDX-License-Identifier: GPL-2.0
/*
 * mrc_churn - opens connections, moves a little data and ends them in every
 * way there is, many at once. What fails is counted, not reported: the kernel
 * may be made to run out of memory meanwhile. What must
 * not happen is a connection that neither works nor fails.
 *
 * Exit status: 0 none hung, 1 one did, 2 usage.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <linux/types.h>
#include <linux/mrc.h>
#include "kselftest.h"

#define SLOTS	48
#define ERRNOS	134

/**
 * struct slot - a connection
 * @fd: socket; -1: free
 * @left: bytes that are still to be written
 * @born: when it was opened, milliseconds
 * @ended: nothing is written any more, the other side's end is awaited
 */
struct slot {
	int fd;
	long left;
	long long born;
	bool ended;
};

static struct slot slots[SLOTS];
static struct sockaddr_in addr = { .sin_family = AF_INET };
static int listener = -1;
static unsigned int parallel = 16;
static int seconds = 5, patience = 200;
static long most = 65536;
static unsigned long errors[ERRNOS], opened, done, hung, bytes_in, bytes_out;

static long long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ll + ts.tv_nsec / 1000000;
}

static void note(int err)
{
	if (err > 0 && err < ERRNOS)
		errors[err]++;
}

/* A side that only reads learns by keep-alives that a RESET was lost. */
static void keep_alive(int fd)
{
	int one = 1, idle = 5;

	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof(one));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &idle, sizeof(idle));
}

static struct slot *add_slot(int fd)
{
	struct slot *slot;

	keep_alive(fd);
	for (slot = slots; slot < slots + SLOTS; slot++) {
		if (slot->fd >= 0)
			continue;
		*slot = (struct slot){ .fd = fd, .born = now_ms() };
		slot->left = random() % most;
		opened++;
		return slot;
	}
	close(fd);
	return NULL;
}

static void end_slot(struct slot *slot, int err)
{
	struct linger linger = { .l_onoff = 1 };

	note(err);
	done += !err;
	if (random() % 8 == 0)
		setsockopt(slot->fd, SOL_SOCKET, SO_LINGER, &linger,
			   sizeof(linger));
	close(slot->fd);
	slot->fd = -1;
}

static void open_one(void)
{
	int fd = socket(AF_MRC, SOCK_STREAM | SOCK_NONBLOCK, 0);
	struct slot *slot;

	if (fd < 0) {
		note(errno);
		return;
	}
	if (connect(fd, (struct sockaddr *)&addr, sizeof(addr)) &&
	    errno != EINPROGRESS) {
		note(errno);
		close(fd);
		return;
	}
	slot = add_slot(fd);
	/* One that is gone before its handshake is over. */
	if (slot && random() % 16 == 0)
		end_slot(slot, 0);
}

static void accept_all(void)
{
	int fd;

	while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0)
		add_slot(fd);
	if (errno != EAGAIN)
		note(errno);
}

static void read_some(struct slot *slot)
{
	static char data[65536];
	ssize_t n;

	while ((n = recv(slot->fd, data, sizeof(data), 0)) > 0)
		bytes_in += n;
	if (n < 0 && errno != EAGAIN)
		end_slot(slot, errno);
	else if (!n && slot->ended)
		end_slot(slot, 0);
	else if (!n)
		slot->left = 0;
}

static void write_some(struct slot *slot)
{
	static const char data[65536];
	size_t len = slot->left < (long)sizeof(data) ? slot->left :
		     (long)sizeof(data);
	ssize_t n = 0;

	if (len)
		n = send(slot->fd, data, len, MSG_NOSIGNAL |
			 (random() % 8 ? 0 : MSG_MORE));
	if (n < 0) {
		if (errno != EAGAIN)
			end_slot(slot, errno);
		return;
	}
	bytes_out += n;
	slot->left -= n;
	if (slot->left)
		return;
	if (random() % 8 == 0) {
		end_slot(slot, 0);
		return;
	}
	slot->ended = true;
	if (shutdown(slot->fd, SHUT_WR))
		end_slot(slot, errno);
}

static void serve_slots(void)
{
	struct pollfd pfd[SLOTS + 1] = { };
	int i;

	for (i = 0; i < SLOTS; i++) {
		pfd[i].fd = slots[i].fd;
		pfd[i].events = POLLIN | (slots[i].ended ? 0 : POLLOUT);
	}
	pfd[SLOTS].fd = listener;
	pfd[SLOTS].events = POLLIN;
	if (poll(pfd, SLOTS + 1, 20) <= 0)
		return;
	for (i = 0; i < SLOTS; i++) {
		if (pfd[i].fd < 0)
			continue;
		if (pfd[i].revents & (POLLIN | POLLERR | POLLHUP))
			read_some(&slots[i]);
		if (slots[i].fd >= 0 && pfd[i].revents & POLLOUT)
			write_some(&slots[i]);
	}
	if (pfd[SLOTS].revents)
		accept_all();
}

static unsigned int alive(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < SLOTS; i++) {
		n += slots[i].fd >= 0;
		if (slots[i].fd >= 0 &&
		    now_ms() - slots[i].born > patience * 1000ll) {
			printf("hung: %ld bytes left%s\n", slots[i].left,
			       slots[i].ended ? ", ended" : "");
			hung++;
			end_slot(&slots[i], ETIMEDOUT);
		}
	}
	return n;
}

static int churn(bool server)
{
	long long end = now_ms() + seconds * 1000ll;
	unsigned int n;
	int i;

	for (i = 0; i < SLOTS; i++)
		slots[i].fd = -1;
	if (server) {
		listener = socket(AF_MRC, SOCK_STREAM | SOCK_NONBLOCK, 0);
		if (listener < 0 ||
		    bind(listener, (struct sockaddr *)&addr, sizeof(addr)) ||
		    listen(listener, SLOTS)) {
			perror("listen");
			return 1;
		}
		printf("ready\n");
		fflush(stdout);
	}
	while ((n = alive()) || now_ms() < end) {
		if (!server && n < parallel && now_ms() < end)
			open_one();
		serve_slots();
	}
	return hung != 0;
}

static void usage(void)
{
	fprintf(stderr, "mrc_churn [--connect ADDR] --port PORT ");
	fprintf(stderr, "[--seconds N] [--parallel N] [--bytes N] ");
	fprintf(stderr, "[--patience S]\n");
	exit(2);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "connect", required_argument, NULL, 'c' },
		{ "port", required_argument, NULL, 'p' },
		{ "seconds", required_argument, NULL, 't' },
		{ "parallel", required_argument, NULL, 'n' },
		{ "bytes", required_argument, NULL, 'b' },
		{ "patience", required_argument, NULL, 'w' },
		{ }
	};
	bool server = true;
	int opt, err, i;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == 'c')
			server = !inet_aton(optarg, &addr.sin_addr);
		else if (opt == 'p')
			addr.sin_port = htons(atoi(optarg));
		else if (opt == 't')
			seconds = atoi(optarg);
		else if (opt == 'n')
			parallel = atoi(optarg);
		else if (opt == 'b')
			most = atol(optarg);
		else if (opt == 'w')
			patience = atoi(optarg);
		else
			usage();
	}
	if (!addr.sin_port || parallel > SLOTS || most < 1 || optind < argc)
		usage();
	srandom(1);
	err = churn(server);
	printf("opened %lu ended %lu hung %lu in %lu out %lu\n", opened, done,
	       hung, bytes_in, bytes_out);
	for (i = 1; i < ERRNOS; i++)
		if (errors[i])
			printf("error %lu %s\n", errors[i], strerror(i));
	return err;
}
