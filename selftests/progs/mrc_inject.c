// SPDX-License-Identifier: GPL-2.0
/*
 * mrc_inject - runs the packet scripts: see inject.h. Started in a namespace
 * that the addresses 10.9.100.0/24 and 10.9.101.0/24 are routed to, beside one
 * in which the module runs; used by cases/inject_*.sh.
 *
 * Exit status: 0 all tests passed, 1 one failed, 2 usage.
 */
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "inject.h"

static const struct {
	const char *name;
	const struct inject_test *tests;
} groups[] = {
	{ "open", tests_open },
	{ "refuse", tests_refuse },
	{ "join", tests_join },
	{ "path", tests_path },
	{ "data", tests_data },
	{ "fin", tests_fin },
	{ "ack", tests_ack },
	{ "reset", tests_reset },
	{ "form", tests_form },
	{ "tail", tests_tail },
	{ "secret", tests_secret },
	{ "limit", tests_limit },
	{ "nat", tests_nat },
	{ "unreach", tests_unreach },
	{ "announced", tests_announced },
};

static unsigned int number, failed;

void fail(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fputs("# ", stdout);
	vprintf(fmt, args);
	putchar('\n');
	va_end(args);
	exit(1);
}

void must_be(const char *file, int line, const char *text, bool cond)
{
	if (!cond)
		fail("%s:%d: not so: %s", file, line, text);
}

void must_equal(const char *file, int line, const char *text, long long is,
		long long wanted)
{
	if (is != wanted)
		fail("%s:%d: %s is %lld, must be %lld", file, line, text, is,
		     wanted);
}

long long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ll + ts.tv_nsec / 1000000;
}

/* Longest wait for what must happen, milliseconds. */
int patience(void)
{
	const char *slow = getenv("MRC_SLOW");

	return PATIENCE * (slow && atoi(slow) > 0 ? atoi(slow) : 1);
}

__u64 random64(void)
{
	__u64 value;

	if (getrandom(&value, sizeof(value), 0) != sizeof(value))
		fail("no random numbers");
	return value;
}

static int run_child(const struct inject_test *test, const char *ns)
{
	alarm(12 * patience() / 1000);
	if (net_open(ns, number)) {
		perror("# cannot open the namespace or the sockets");
		return 1;
	}
	test->run();
	return 0;
}

static void run(const char *group, const struct inject_test *test,
		const char *ns)
{
	long long start = now_ms();
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child)
		exit(run_child(test, ns));
	if (child < 0 || waitpid(child, &status, 0) != child)
		status = -1;
	if (status && WIFSIGNALED(status))
		printf("# ended by signal %d\n", WTERMSIG(status));
	printf("# %lld ms\n", now_ms() - start);
	number++;
	failed += !!status;
	printf("%sok %u %s.%s\n", status ? "not " : "", number, group,
	       test->name);
}

static bool wanted(const char *group, const struct inject_test *test,
		   char **names)
{
	bool slow = !strncmp(test->name, "slow_", 5);
	char full[64];

	if (!*names)
		return !slow;
	snprintf(full, sizeof(full), "%s.%s", group, test->name);
	for (; *names; names++)
		if (!strcmp(*names, full) ||
		    (!slow && !strcmp(*names, group)))
			return true;
	return false;
}

static void usage(void)
{
	fprintf(stderr, "mrc_inject --host NETNS-FILE --port UDP-PORT ");
	fprintf(stderr, "[GROUP | GROUP.TEST]...\n");
	exit(2);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "host", required_argument, NULL, 'h' },
		{ "port", required_argument, NULL, 'p' },
		{ }
	};
	const struct inject_test *test;
	const char *ns = NULL;
	unsigned int i;
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == 'h')
			ns = optarg;
		else if (opt == 'p')
			udp_port = atoi(optarg);
		else
			usage();
	}
	if (!ns || !udp_port)
		usage();
	printf("TAP version 13\n");
	for (i = 0; i < ARRAY_SIZE(groups); i++)
		for (test = groups[i].tests; test->name; test++)
			if (wanted(groups[i].name, test, argv + optind))
				run(groups[i].name, test, ns);
	printf("1..%u\n", number);
	return number && !failed ? 0 : 1;
}
