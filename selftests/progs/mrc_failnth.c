// SPDX-License-Identifier: GPL-2.0
/*
 * mrc_failnth - does every operation of a table again and again while its
 * first, second, third ... allocation fails (/proc/thread-self/fail-nth), until
 * it needs no more. Each time it has to work or to end with an error that says
 * so, and to leave sockets that work. Needs a kernel with fault injection, and
 * failslab told not to spare allocations that may sleep.
 *
 * Usage: mrc_failnth [NAME], to try one operation only. Prints TAP, a
 * test for each operation.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include "kselftest.h"
#include "failnth.h"

/* Deadline of what must happen, milliseconds; stretched by MRC_SLOW. */
#define PATIENCE	20000
/* No operation needs as many allocations. */
#define NTH_MAX		5000

char rig_data[RIG_BYTES];

static const struct op *const tables[] = { ops_open, ops_data, ops_control };
static int nth_fd, patience = PATIENCE;
static unsigned long injected;

/**
 * rig_flows - whether bytes get from one socket to another
 * @from: where they are written
 * @to: where they are read; nothing else is waiting there
 * @bytes: how many, at most RIG_BYTES
 */
bool rig_flows(int from, int to, size_t bytes)
{
	static char got[RIG_BYTES];
	size_t in = 0, out = 0;
	ssize_t n;

	while (in < bytes) {
		struct pollfd pfd[2] = {
			{ .fd = to, .events = POLLIN },
			{ .fd = out < bytes ? from : -1, .events = POLLOUT },
		};

		if (poll(pfd, 2, patience) <= 0)
			return false;
		if (pfd[1].revents) {
			size_t len = bytes - out < 4096 ? bytes - out : 4096;

			n = send(from, rig_data + out, len,
				 MSG_DONTWAIT | MSG_NOSIGNAL);
			if (n < 0 && errno != EAGAIN)
				return false;
			out += n > 0 ? n : 0;
		}
		if (!pfd[0].revents)
			continue;
		n = recv(to, got + in, bytes - in, MSG_DONTWAIT);
		if (!n || (n < 0 && errno != EAGAIN))
			return false;
		in += n > 0 ? n : 0;
	}
	return !memcmp(got, rig_data, bytes);
}

/**
 * rig_ends - whether the end of the stream, or an error, arrives
 * @fd: socket; what is waiting there is thrown away
 * @err: the error (positive), or 0: the end
 */
bool rig_ends(int fd, int err)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	char data[65536];
	ssize_t n;

	do {
		if (poll(&pfd, 1, patience) <= 0)
			return false;
		n = recv(fd, data, sizeof(data), MSG_DONTWAIT);
	} while (n > 0 || (n < 0 && errno == EAGAIN));
	return n ? errno == err : !err;
}

static bool rig_connect(struct rig *rig)
{
	rig->client = socket(AF_MRC, rig->type, 0);
	if (rig->client < 0 ||
	    connect(rig->client, (struct sockaddr *)&rig->addr,
		    sizeof(rig->addr)))
		return false;
	rig->server = accept(rig->listener, NULL, NULL);
	return rig->server >= 0;
}

static bool rig_open(struct rig *rig, const struct op *op)
{
	socklen_t len = sizeof(rig->addr);

	*rig = (struct rig){
		.type = op->type,
		.addr.sin_family = AF_INET,
		.addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		.client = -1,
		.server = -1,
		.fd = -1,
	};
	rig->listener = socket(AF_MRC, op->type, 0);
	if (rig->listener < 0 || pipe(rig->pipe) ||
	    bind(rig->listener, (struct sockaddr *)&rig->addr, len) ||
	    listen(rig->listener, 8) ||
	    getsockname(rig->listener, (struct sockaddr *)&rig->addr, &len))
		return false;
	return !op->connected || rig_connect(rig);
}

static void rig_close(struct rig *rig)
{
	int fds[] = { rig->fd, rig->client, rig->server, rig->listener,
		      rig->pipe[0], rig->pipe[1] };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

static void set_nth(int nth)
{
	char text[12];
	int len = snprintf(text, sizeof(text), "%d", nth);

	if (pwrite(nth_fd, text, len, 0) != len) {
		perror("fail-nth");
		exit(KSFT_FAIL);
	}
}

/* What is left to count: 0 once the failure has been injected. */
static int get_nth(void)
{
	char text[12] = "";

	return pread(nth_fd, text, sizeof(text) - 1, 0) > 0 ? atoi(text) : -1;
}

/* Errors that say that there was no memory. */
static bool says_so(const struct op *op, int err)
{
	return err == -ENOMEM || err == -ENOBUFS || err == -ENFILE ||
	       (op->again && err == -EAGAIN);
}

/* One attempt: -1: a fault was found; 0: no allocation was left; 1: one failed. */
static int try_op(const struct op *op, int nth, bool (*seen)[2])
{
	struct rig rig;
	bool good = rig_open(&rig, op) && (!op->prepare || op->prepare(&rig));
	int err, left;

	if (!good) {
		ksft_print_msg("%s: cannot be prepared: %s\n", op->name,
			       strerror(errno));
		rig_close(&rig);
		return -1;
	}
	errno = 0;
	set_nth(nth);
	err = op->act(&rig);
	left = get_nth();
	set_nth(0);
	(*seen)[!err] = true;
	errno = 0;
	if (err && (left || !says_so(op, err))) {
		ksft_print_msg("%s, allocation %d: %s\n", op->name, nth,
			       strerror(-err));
		good = false;
	}
	if (op->judge && !op->judge(&rig, err)) {
		ksft_print_msg("%s, allocation %d (%s): wrong afterwards: %s\n",
			       op->name, nth, strerror(-err), strerror(errno));
		good = false;
	}
	rig_close(&rig);
	return good ? !left : -1;
}

static void run_op(const struct op *op)
{
	bool seen[2] = { };
	int nth, rc = 1;

	for (nth = 1; nth < NTH_MAX && rc > 0; nth++)
		rc = try_op(op, nth, &seen);
	injected += nth - 2;
	ksft_print_msg("%s: %d allocations failed, %s\n", op->name, nth - 2,
		       !seen[false] ? "none was reported" :
		       seen[true] ? "some were reported" : "all reported");
	ksft_test_result(!rc && nth > 2, "%s\n", op->name);
}

static void fill_data(void)
{
	size_t i;

	for (i = 0; i < RIG_BYTES; i++)
		rig_data[i] = i * 31 + (i >> 8) * 7;
}

/* Calls a function for every operation of that name, or for all. */
static unsigned int for_ops(const char *name, void (*run)(const struct op *op))
{
	unsigned int count = 0;
	const struct op *op;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tables); i++) {
		for (op = tables[i]; op->name; op++) {
			if (name && strcmp(name, op->name))
				continue;
			count++;
			if (run)
				run(op);
		}
	}
	return count;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : NULL;
	const char *slow = getenv("MRC_SLOW");

	ksft_print_header();
	nth_fd = open("/proc/thread-self/fail-nth", O_RDWR);
	if (nth_fd < 0)
		ksft_exit_skip("this kernel injects no faults\n");
	if (slow)
		patience *= atoi(slow);
	signal(SIGPIPE, SIG_IGN);
	fill_data();
	/* The memory of this program is not what is to fail. */
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		ksft_exit_fail_msg("mlockall: %s\n", strerror(errno));
	ksft_set_plan(for_ops(name, NULL));
	for_ops(name, run_op);
	ksft_print_msg("%lu allocations failed in all\n", injected);
	ksft_finished();
}
