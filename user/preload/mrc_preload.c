// SPDX-License-Identifier: GPL-2.0
/*
 * Turns the TCP sockets of an unmodified program into AF_MRC sockets; loaded
 * by "mrcctl run", or by /etc/ld.so.preload into every program: then only those
 * that are listed change (programs.c). Replaces socket() and nothing else, keeps no state but its
 * settings, and calls the kernel directly. When the kernel has no AF_MRC the
 * program gets what it asked for.
 *
 * Settings are read before the program begins, because programs may clear
 * their environment:
 *	MRC_DEBUG	tell once on stderr what becomes of each kind of socket
 *	MRC_STRICT	AF_MRC or nothing: no fall-back to TCP, neither here nor
 *			in the kernel
 *	MRC_CLASS	bulk or latency: option MRC_CLASS of every socket
 *	MRC_IPV4	pretend that this machine has no IPv6: TCP sockets of
 *			that family fail with EAFNOSUPPORT, and programs that
 *			would listen on [::] listen on 0.0.0.0
 */
#include <errno.h>
#include <linux/mrc.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "programs.h"

static bool active;
static bool debug;
static bool ipv4_only;
static bool strict;
static int class;

__attribute__((constructor)) static void read_settings(void)
{
	const char *all = secure_getenv("LD_PRELOAD");
	const char *word = secure_getenv("MRC_CLASS");
	struct program_words words;
	int saved = errno;

	debug = secure_getenv("MRC_DEBUG");
	if (all && strstr(all, "libmrc-preload.so")) {
		active = true;
		if (word && !strcmp(word, "bulk"))
			class = MRC_CLASS_BULK;
		if (word && !strcmp(word, "latency"))
			class = MRC_CLASS_LATENCY;
		ipv4_only = secure_getenv("MRC_IPV4");
		strict = secure_getenv("MRC_STRICT");
	} else if (programs_find(&words)) {
		active = true;
		class = words.class;
		ipv4_only = words.ipv4;
		strict = words.strict;
	}
	errno = saved;
}

static int kernel_socket(int family, int type, int protocol)
{
	return syscall(SYS_socket, family, type, protocol);
}

/* Says something once for each place that calls it. */
static void tell(atomic_flag *told, const char *what)
{
	int saved = errno;

	if (debug && !atomic_flag_test_and_set(told))
		dprintf(STDERR_FILENO, "mrc-preload[%d]: %s\n", getpid(),
			what);
	errno = saved;
}

static bool is_tcp(int family, int type, int protocol)
{
	return (family == AF_INET || family == AF_INET6) &&
	       (type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) == SOCK_STREAM &&
	       (protocol == 0 || protocol == IPPROTO_TCP);
}

/* The kernel has no such family, or not for this version of IP. */
static bool unsupported(int err)
{
	return err == EAFNOSUPPORT || err == EPROTONOSUPPORT;
}

/* A socket of AF_MRC, marked; -1 with errno set. */
static int mrc_socket(int type, bool six)
{
	int fd = kernel_socket(AF_MRC, type, (six ? MRCPROTO_IPV6 : MRCPROTO_IPV4) |
			       (strict ? MRCPROTO_STRICT : 0));
	int saved = errno;

	if (fd >= 0 && class)
		setsockopt(fd, SOL_MRC, MRC_CLASS, &class, sizeof(class));
	errno = saved;
	return fd;
}

/**
 * socket() - replaces that of the C library
 * @family: AF_INET and AF_INET6 are replaced by AF_MRC
 * @type: when this is SOCK_STREAM; flags are kept
 * @protocol: and this is 0 or IPPROTO_TCP
 *
 * Return: file descriptor; -1 with errno set.
 */
__attribute__((visibility("default")))
int socket(int family, int type, int protocol)
{
	static atomic_flag told_mrc = ATOMIC_FLAG_INIT;
	static atomic_flag told_tcp = ATOMIC_FLAG_INIT;
	static atomic_flag told_tcp6 = ATOMIC_FLAG_INIT;
	static atomic_flag told_none = ATOMIC_FLAG_INIT;
	bool six = family == AF_INET6;
	int fd, saved = errno;

	if (!active || !is_tcp(family, type, protocol))
		return kernel_socket(family, type, protocol);
	if (six && ipv4_only) {
		tell(&told_none, "no IPv6 for this program (MRC_IPV4)");
		errno = EAFNOSUPPORT;
		return -1;
	}
	fd = mrc_socket(type, six);
	if (fd >= 0)
		tell(&told_mrc, "TCP sockets become AF_MRC sockets");
	if (fd >= 0 || strict || !unsupported(errno))
		return fd;
	if (six)
		tell(&told_tcp6, "TCP over IPv6 stays: no AF_MRC for IPv6");
	else
		tell(&told_tcp, "TCP stays: this kernel has no AF_MRC");
	errno = saved;
	return kernel_socket(family, type, protocol);
}
