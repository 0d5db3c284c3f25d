// SPDX-License-Identifier: GPL-2.0
/*
 * mrc_torture - many transfers, each in another way, all of them checked byte
 * by byte: how both ends send, receive, wait and end, sizes, options, addresses
 * follow from a seed (torture_plan.c). Several workers, each with one transfer
 * at a time; worker w has the transfers w, w + WORKERS, ... and three ports.
 *
 * Exit status: 0 all right, 1 a transfer failed, 2 usage.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "torture.h"

/* Most workers. */
#define MOST	32

static const char help[] =
"usage: mrc_torture server FAMILY PORT SEED FIRST COUNT WORKERS SECONDS\n"
"       mrc_torture client ... IPV4 IPV6 [IPV4 IPV6]...\n"
"FAMILY is mrc or tcp. Both ends need the same numbers. To see one transfer\n"
"again: its number as FIRST, and 1 as COUNT and WORKERS. SECONDS is for each\n"
"transfer. With TORTURE_TELL=1 each is told.\n";

static struct {
	bool server;
	bool mrc;
	__u16 port;
	__u64 seed;
	unsigned int first;
	unsigned int count;
	unsigned int workers;
	unsigned int seconds;
	char **addrs;
	unsigned int pairs;
} opts;

/* Shared by the workers. */
static struct totals {
	unsigned int done;
	__u64 sent;
	__u64 received;
	unsigned int sends[SEND_MODES];
	unsigned int recvs[RECV_MODES];
	unsigned int waits[WAIT_MODES];
	unsigned int nets[NET_MODES];
	unsigned int finishes[FINISH_MODES];
} *totals;

static struct torture_end *running;

static void tell(const struct torture_end *e, const char *what)
{
	char text[640], line[1024];
	int n;

	torture_plan_text(e->plan, text, sizeof(text));
	n = snprintf(line, sizeof(line),
		     "# %s %u: %s; sent %u, received %u%s%s; %s\n",
		     opts.server ? "server" : "client", e->plan->index, what,
		     e->sent, e->received, e->tx_done ? ", ended" : "",
		     e->rx_done ? ", saw the end" : "", text);
	if (write(STDOUT_FILENO, line, n) != n)
		_exit(1);
}

static void on_alarm(int sig)
{
	(void)sig;
	tell(running, "too slow");
	_exit(1);
}

static void add(unsigned int *counter, unsigned int n)
{
	__atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
}

static void count(const struct torture_end *e)
{
	add(&totals->done, 1);
	__atomic_fetch_add(&totals->sent, e->sent, __ATOMIC_RELAXED);
	__atomic_fetch_add(&totals->received, e->received, __ATOMIC_RELAXED);
	add(&totals->sends[e->side->send], !!e->sent);
	add(&totals->recvs[e->side->recv], !!e->received);
	add(&totals->waits[e->side->wait], 1);
	add(&totals->nets[e->plan->net], 1);
	add(&totals->finishes[e->side->finish], 1);
}

static bool transfer(struct torture_end *e, const int *listeners)
{
	int ret, i;

	for (i = 0; i < 2; i++)
		if (pipe(e->pipe[i]))
			return !torture_fail(e, "pipe: %s", strerror(errno));
	running = e;
	alarm(opts.seconds);
	ret = opts.server ? torture_sock_accept(e, listeners) :
	      torture_sock_connect(e, opts.mrc, opts.port, opts.addrs,
				   opts.pairs);
	if (!ret)
		ret = torture_loop_run(e);
	alarm(0);
	for (i = 0; i < 4; i++)
		close(e->pipe[i / 2][i % 2]);
	return !ret;
}

static int work(unsigned int worker, const int *listeners, unsigned char *data,
		int file)
{
	static struct torture_end e;
	static struct torture_plan plan;
	static unsigned char buffers[2][TORTURE_CHUNK];
	unsigned int n;

	opts.port += worker * LISTENERS;
	for (n = worker; n < opts.count; n += opts.workers) {
		torture_plan_make(&plan, opts.seed, opts.first + n);
		memset(&e, 0, sizeof(e));
		e = (struct torture_end) {
			.fd = -1, .plan = &plan, .role = opts.server,
			.side = &plan.side[opts.server], .data = data,
			.file = file, .buffer = { buffers[0], buffers[1] },
			.dice = { opts.seed + n, ~opts.seed - n },
		};
		if (!transfer(&e, listeners)) {
			tell(&e, e.error);
			return 1;
		}
		count(&e);
		if (getenv("TORTURE_TELL"))
			tell(&e, "right");
	}
	return 0;
}

static int listen_all(int *listeners)
{
	unsigned int i;

	for (i = 0; i < opts.workers * LISTENERS; i++) {
		listeners[i] = torture_sock_listen(opts.mrc, i % LISTENERS,
						   opts.port + i);
		if (listeners[i] < 0)
			return -1;
	}
	fputs("ready\n", stderr);
	return 0;
}

static void report_list(const char *name, const unsigned int *list, int n)
{
	int i;

	printf(",\"%s\":[", name);
	for (i = 0; i < n; i++)
		printf("%s%u", i ? "," : "", list[i]);
	printf("]");
}

static void report(void)
{
	printf("{\"transfers\":%u,\"sent\":%llu,\"received\":%llu",
	       totals->done, totals->sent, totals->received);
	report_list("send", totals->sends, SEND_MODES);
	report_list("recv", totals->recvs, RECV_MODES);
	report_list("wait", totals->waits, WAIT_MODES);
	report_list("net", totals->nets, NET_MODES);
	report_list("finish", totals->finishes, FINISH_MODES);
	printf("}\n");
}

static void parse(int argc, char **argv)
{
	if (argc < 9 || argc % 2 == 0 ||
	    (strcmp(argv[1], "client") && strcmp(argv[1], "server")) ||
	    (strcmp(argv[2], "mrc") && strcmp(argv[2], "tcp"))) {
		fputs(help, stderr);
		exit(2);
	}
	opts.server = !strcmp(argv[1], "server");
	opts.mrc = !strcmp(argv[2], "mrc");
	opts.port = atoi(argv[3]);
	opts.seed = strtoull(argv[4], NULL, 0);
	opts.first = atoi(argv[5]);
	opts.count = atoi(argv[6]);
	opts.workers = atoi(argv[7]);
	opts.seconds = atoi(argv[8]);
	opts.addrs = argv + 9;
	opts.pairs = (argc - 9) / 2;
	if (!opts.workers || opts.workers > MOST || (!opts.server && !opts.pairs)) {
		fputs(help, stderr);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	int listeners[MOST * LISTENERS];
	unsigned char *data;
	unsigned int i;
	int file, status, bad = 0;

	parse(argc, argv);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGALRM, on_alarm);
	file = memfd_create("torture", MFD_CLOEXEC);
	totals = mmap(NULL, sizeof(*totals), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (file < 0 || ftruncate(file, TORTURE_DATA) || totals == MAP_FAILED)
		return perror("mrc_torture: memory"), 1;
	data = mmap(NULL, TORTURE_DATA, PROT_READ | PROT_WRITE, MAP_SHARED,
		    file, 0);
	if (data == MAP_FAILED)
		return perror("mrc_torture: mmap"), 1;
	torture_plan_fill(data, opts.seed);
	if (opts.server && listen_all(listeners))
		return perror("mrc_torture: listen"), 1;
	for (i = 0; i < opts.workers; i++)
		if (!fork())
			_exit(work(i, listeners + i * LISTENERS, data, file));
	while (wait(&status) > 0)
		bad |= status;
	report();
	return bad ? 1 : 0;
}
