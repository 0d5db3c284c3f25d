// SPDX-License-Identifier: GPL-2.0
/*
 * mrc_xfer - the one transfer tool of the selftests and the benchmark. Moves a
 * seeded byte stream over AF_MRC, TCP or MPTCP, checks every byte at its
 * position and prints one line of JSON. This file has options, the watchdog
 * and the report.
 *
 * Exit status: 0 all right, 1 wrong data or a failed call, 2 usage, 3 timeout.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <net/if.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "xfer.h"

static struct xfer_options opts = {
	.family = "mrc",
	.seed = 1,
	.write_size = 128 << 10,
	.read_size = 256 << 10,
	.verify = true,
};

static struct xfer_progress progress = { .mismatch = -1 };

static const char help[] =
"mrc_xfer --server [--bind ADDR] --port PORT [OPTIONS]\n"
"mrc_xfer --connect ADDR --port PORT [OPTIONS]\n"
"  -f, --family mrc|tcp|mptcp     default mrc\n"
"  -d, --direction send|recv|both|none\n"
"                                 default send (client), recv (server)\n"
"  -n, --bytes N[K|M|G]           bytes to send\n"
"  -t, --seconds T                send for T seconds instead\n"
"  -e, --expect N[K|M|G]          bytes that must arrive\n"
"  -S, --seed N                   both sides alike\n"
"  -m, --mode block|poll|epoll|epollet\n"
"  -w, --write-size N  -r, --read-size N\n"
"      --from ADDR                client: bind this address first\n"
"      --sndbuf N  --rcvbuf N  --maxseg N  --nodelay  --congestion NAME\n"
"      --stall-ms N               reader pauses after its first read\n"
"      --no-verify                do not compare the data\n"
"      --timeout T                give up after T seconds (status 3)\n"
"ADDR is of IPv4 or IPv6; a socket of AF_INET6 is used for the latter.\n"
"SIGUSR1 ends the sending in order.\n";

enum {
	OPT_FROM = 256,
	OPT_SNDBUF,
	OPT_RCVBUF,
	OPT_MAXSEG,
	OPT_NODELAY,
	OPT_CONGESTION,
	OPT_STALL,
	OPT_NO_VERIFY,
	OPT_TIMEOUT,
};

static const struct option options[] = {
	{ "server", no_argument, NULL, 's' },
	{ "connect", required_argument, NULL, 'c' },
	{ "bind", required_argument, NULL, 'b' },
	{ "port", required_argument, NULL, 'p' },
	{ "family", required_argument, NULL, 'f' },
	{ "direction", required_argument, NULL, 'd' },
	{ "bytes", required_argument, NULL, 'n' },
	{ "seconds", required_argument, NULL, 't' },
	{ "expect", required_argument, NULL, 'e' },
	{ "seed", required_argument, NULL, 'S' },
	{ "mode", required_argument, NULL, 'm' },
	{ "write-size", required_argument, NULL, 'w' },
	{ "read-size", required_argument, NULL, 'r' },
	{ "from", required_argument, NULL, OPT_FROM },
	{ "sndbuf", required_argument, NULL, OPT_SNDBUF },
	{ "rcvbuf", required_argument, NULL, OPT_RCVBUF },
	{ "maxseg", required_argument, NULL, OPT_MAXSEG },
	{ "nodelay", no_argument, NULL, OPT_NODELAY },
	{ "congestion", required_argument, NULL, OPT_CONGESTION },
	{ "stall-ms", required_argument, NULL, OPT_STALL },
	{ "no-verify", no_argument, NULL, OPT_NO_VERIFY },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

static void usage(const char *what, const char *word)
{
	fprintf(stderr, "mrc_xfer: %s '%s'\n%s", what, word, help);
	exit(2);
}

static __u64 size_of(const char *word)
{
	char *end;
	__u64 n = strtoull(word, &end, 0);

	if (end == word)
		usage("not a number", word);
	switch (*end) {
	case 'G':
		n <<= 10;
		__attribute__((__fallthrough__));
	case 'M':
		n <<= 10;
		__attribute__((__fallthrough__));
	case 'K':
		n <<= 10;
		end++;
	}
	if (*end)
		usage("not a number", word);
	return n;
}

/* ADDR of either version of IP; a link-local one as ADDR%DEVICE. */
static void set_address(union xfer_addr *addr, const char *word)
{
	char text[INET6_ADDRSTRLEN];
	const char *dev = strchr(word, '%');

	snprintf(text, sizeof(text), "%.*s",
		 (int)(dev ? dev - word : INET6_ADDRSTRLEN), word);
	memset(addr, 0, sizeof(*addr));
	if (inet_pton(AF_INET, text, &addr->sin.sin_addr) == 1) {
		addr->sa.sa_family = AF_INET;
		return;
	}
	if (inet_pton(AF_INET6, text, &addr->sin6.sin6_addr) != 1)
		usage("not an IP address", word);
	addr->sa.sa_family = AF_INET6;
	if (!dev)
		return;
	addr->sin6.sin6_scope_id = if_nametoindex(dev + 1);
	if (!addr->sin6.sin6_scope_id)
		usage("no such device", word);
}

static void set_direction(const char *word)
{
	bool none = !strcmp(word, "none");

	/* To send nothing and to wait for the end is a transfer, too. */
	opts.tx = !strcmp(word, "send") || !strcmp(word, "both") || none;
	opts.rx = !strcmp(word, "recv") || !strcmp(word, "both");
	if (!opts.tx && !opts.rx)
		usage("unknown direction", word);
	if (none) {
		opts.bytes = 0;
		opts.seconds = 0;
	} else if (opts.tx && !opts.bytes && opts.seconds <= 0) {
		usage("missing option", "--bytes or --seconds");
	}
}

static void set_mode(const char *word)
{
	static const char * const names[] = {
		[XFER_BLOCK] = "block",
		[XFER_POLL] = "poll",
		[XFER_EPOLL] = "epoll",
		[XFER_EPOLLET] = "epollet",
	};
	unsigned int i;

	for (i = XFER_BLOCK; i <= XFER_EPOLLET; i++) {
		if (!strcmp(word, names[i])) {
			opts.mode = i;
			return;
		}
	}
	usage("unknown mode", word);
}

static void set_socket_option(int opt, const char *word)
{
	switch (opt) {
	case OPT_SNDBUF:
		opts.sndbuf = size_of(word);
		break;
	case OPT_RCVBUF:
		opts.rcvbuf = size_of(word);
		break;
	case OPT_MAXSEG:
		opts.maxseg = size_of(word);
		break;
	case OPT_NODELAY:
		opts.nodelay = true;
		break;
	case OPT_CONGESTION:
		opts.congestion = word;
		break;
	case OPT_FROM:
		set_address(&opts.from, word);
		break;
	case OPT_STALL:
		opts.stall_ms = size_of(word);
		break;
	case OPT_NO_VERIFY:
		opts.verify = false;
		break;
	case OPT_TIMEOUT:
		opts.timeout = size_of(word);
		break;
	default:
		usage("unknown option", "");
	}
}

static void set_option(int opt, const char *word)
{
	switch (opt) {
	case 's':
		opts.server = true;
		break;
	case 'c':
	case 'b':
		set_address(&opts.addr, word);
		break;
	case 'p':
		opts.port = size_of(word);
		break;
	case 'f':
		if (xfer_sock_family(word) < 0)
			usage("unknown family", word);
		opts.family = word;
		break;
	case 'n':
		opts.bytes = size_of(word);
		break;
	case 't':
		opts.seconds = atof(word);
		break;
	case 'e':
		opts.expect = size_of(word);
		break;
	case 'S':
		opts.seed = size_of(word);
		break;
	case 'm':
		set_mode(word);
		break;
	case 'w':
		opts.write_size = size_of(word);
		break;
	case 'r':
		opts.read_size = size_of(word);
		break;
	default:
		set_socket_option(opt, word);
	}
}

static void parse(int argc, char **argv)
{
	const char *direction = NULL;
	int opt;

	while ((opt = getopt_long(argc, argv, "sc:b:p:f:d:n:t:e:S:m:w:r:h",
				  options, NULL)) != -1) {
		if (opt == 'h') {
			fputs(help, stdout);
			exit(0);
		}
		if (opt == 'd')
			direction = optarg;
		else
			set_option(opt, optarg);
	}
	if (optind < argc)
		usage("unexpected word", argv[optind]);
	if (!opts.server && opts.addr.sa.sa_family == AF_UNSPEC)
		usage("missing option", "--connect or --server");
	set_direction(direction ?: opts.server ? "recv" : "send");
	if (!opts.write_size || !opts.read_size)
		usage("not a size", "0");
}

static double seconds_until(__u64 then)
{
	return then > progress.started ? (then - progress.started) / 1e9 : 0;
}

static double mbit(__u64 bytes, double seconds)
{
	return seconds > 0 ? bytes * 8 / seconds / 1e6 : 0;
}

static void report(const char *error)
{
	const struct xfer_progress *p = &progress;
	double rx = seconds_until(p->last_rx);
	double all = p->started ? seconds_until(xfer_loop_now()) : 0;

	printf("{\"family\":\"%s\",\"role\":\"%s\",\"seconds\":%.6f,",
	       opts.family, opts.server ? "server" : "client", all);
	printf("\"sent\":%llu,\"send_mbps\":%.3f,\"send_seconds\":%.6f,",
	       p->sent, mbit(p->sent, all), seconds_until(p->last_tx));
	printf("\"received\":%llu,\"recv_mbps\":%.3f,\"recv_seconds\":%.6f,",
	       p->received, mbit(p->received, rx), rx);
	printf("\"gap_ms\":%.3f,\"gap_at\":%llu,\"mismatch_at\":%lld,",
	       p->gap / 1e6, p->gap_at, p->mismatch);
	printf("\"error\":\"%s%s%s\"}\n", p->where ?: "",
	       p->where ? ": " : "", error);
	fflush(stdout);
}

static void on_stop(int sig)
{
	(void)sig;
	__atomic_store_n(&opts.stop, 1, __ATOMIC_RELAXED);
}

/* Reads the progress without a lock: the numbers of a stuck transfer. */
static void *watchdog(void *arg)
{
	struct timespec ts = { .tv_sec = opts.timeout };

	nanosleep(&ts, NULL);
	report("timeout");
	_exit(3);
	return arg;
}

int main(int argc, char **argv)
{
	const struct sigaction stop = { .sa_handler = on_stop };
	const char *error = "";
	pthread_t dog;
	int fd, ret;

	parse(argc, argv);
	signal(SIGPIPE, SIG_IGN);
	sigaction(SIGUSR1, &stop, NULL);
	if (opts.timeout && pthread_create(&dog, NULL, watchdog, NULL)) {
		perror("mrc_xfer: pthread_create");
		return 1;
	}
	fd = xfer_sock_open(&opts, &progress);
	ret = fd < 0 ? -1 : xfer_loop_run(fd, &opts, &progress);
	if (progress.error)
		error = strerror(progress.error);
	else if (progress.mismatch >= 0)
		error = "wrong data";
	else if (ret)
		error = "incomplete";
	else if (opts.expect && opts.expect != progress.received)
		error = "wrong number of bytes";
	report(error);
	return *error ? 1 : 0;
}
