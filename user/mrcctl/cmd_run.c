// SPDX-License-Identifier: GPL-2.0
/*
 * mrcctl run: starts a program whose TCP sockets become AF_MRC sockets. The
 * library that does it is preloaded; the program replaces this process, so
 * its exit status and its signals are its own.
 */
#include <errno.h>
#include <limits.h>
#include <linux/mrc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "attr.h"
#include "fail.h"
#include "program.h"

#ifndef MRCCTL_LIBDIR
#error "the Makefile gives the folder of libraries"
#endif

#define LIBRARY		"libmrc-preload.so"

/* Where the library may be, seen from the folder of this program. */
static const char * const places[] = { "../preload/", "../lib/", "" };

/*
 * Puts the path of the library into @path, PATH_MAX bytes. False with errno set:
 * EACCES when the first one found cannot be read by this user.
 */
static bool find_library(char *path)
{
	char own[PATH_MAX], candidate[2 * PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", own, sizeof(own) - 1);
	unsigned int i;
	char *slash;

	if (len > 0) {
		own[len] = '\0';
		slash = strrchr(own, '/');
		if (slash)
			slash[1] = '\0';
		for (i = 0; i < ARRAY_SIZE(places); i++) {
			snprintf(candidate, sizeof(candidate), "%s%s%s", own,
				 places[i], LIBRARY);
			if (realpath(candidate, path) && !access(path, R_OK))
				return true;
			if (errno == EACCES)
				return false;
		}
	}
	return realpath(MRCCTL_LIBDIR "/" LIBRARY, path) &&
	       !access(path, R_OK);
}

/* Is @path in @list, which is separated as the dynamic linker wants it? */
static bool is_listed(const char *list, const char *path)
{
	size_t len = strlen(path), word;

	for (; *list; list += word + strspn(list + word, " :")) {
		word = strcspn(list, " :");
		if (word == len && !strncmp(list, path, len))
			return true;
	}
	return false;
}

/*
 * Puts the library behind what is preloaded already: another library that
 * replaces socket() and asks for the next one is heard first and finds ours,
 * and one that must be the first, as those of sanitizers, stays it.
 */
static int preload(const struct ctx *ctx)
{
	const char *old = getenv("LD_PRELOAD");
	char path[PATH_MAX], *all;
	int err;

	if (!find_library(path))
		return errno == EACCES ?
		       fail(ctx, EXIT_CANNOT, NULL, "%s cannot be read",
			    LIBRARY) :
		       fail(ctx, EXIT_CANNOT, NULL,
			    "%s is neither beside mrcctl nor in %s", LIBRARY,
			    MRCCTL_LIBDIR);
	if (strpbrk(path, " :"))
		return fail(ctx, EXIT_CANNOT, path,
			    "a library whose path has a space or a colon cannot be preloaded");
	if (old && is_listed(old, path))
		return EXIT_OK;
	if (asprintf(&all, "%s%s%s", old ? old : "", old && *old ? ":" : "",
		     path) < 0)
		return fail(ctx, EXIT_CANNOT, NULL, "out of memory");
	err = setenv("LD_PRELOAD", all, 1);
	free(all);
	return err ? fail(ctx, EXIT_CANNOT, NULL, "out of memory") : EXIT_OK;
}

static void warn_without_module(const char *name)
{
	int fd = socket(AF_MRC, SOCK_STREAM | SOCK_CLOEXEC, MRCPROTO_IPV4);

	if (fd >= 0)
		close(fd);
	else if (errno == EAFNOSUPPORT)
		note("the module mrc is not loaded: %s will %s", name,
		     getenv("MRC_STRICT") ? "get no sockets" :
					    "use plain TCP");
}

static int start(const struct ctx *ctx, char **argv)
{
	struct program prog;
	int status = program_find(&prog, argv[0]);

	if (!status)
		status = program_check(&prog);
	if (status)
		return fail(ctx, status, argv[0], "%s", prog.reason);
	status = preload(ctx);
	if (status)
		return status;
	warn_without_module(argv[0]);
	fflush(NULL);
	execvp(argv[0], argv);
	return fail(ctx, errno == ENOENT ? EXIT_MISSING : EXIT_CANNOT, argv[0],
		    "%s", strerror(errno));
}

/* Words after --class. */
static const char * const classes[] = { "default", "bulk", "latency", NULL };

static bool is_class(const char *word)
{
	const char * const *name;

	for (name = classes; *name; name++)
		if (!strcmp(word, *name))
			return true;
	return false;
}

static bool is(const char *word, const char *brief, const char *full)
{
	return !strcmp(word, brief) || !strcmp(word, full);
}

/* Sets the variables of the preload library; returns the words used up, or
 * minus the exit status.
 */
static int take_option(const struct ctx *ctx, int argc, char **argv)
{
	if (is(argv[0], "-4", "--ipv4")) {
		setenv("MRC_IPV4", "1", 1);
		return 1;
	}
	if (is(argv[0], "-s", "--strict")) {
		setenv("MRC_STRICT", "1", 1);
		return 1;
	}
	if (!is(argv[0], "-c", "--class"))
		return -fail_usage(ctx, argv[0], "unknown option");
	if (argc < 2 || !is_class(argv[1]))
		return -fail_usage(ctx, argc < 2 ? argv[0] : argv[1],
				   "a class is bulk, latency or default");
	setenv("MRC_CLASS", argv[1], 1);
	return 2;
}

static int run(const struct ctx *ctx, int argc, char **argv)
{
	while (argc && argv[0][0] == '-') {
		bool end = !strcmp(argv[0], "--");
		int used = end ? 1 : take_option(ctx, argc, argv);

		if (used < 0)
			return -used;
		argc -= used;
		argv += used;
		if (end)
			break;
	}
	if (!argc)
		return fail_usage(ctx, NULL, "a program must follow");
	return start(ctx, argv);
}

static const char * const words[] = {
	"-4", "--ipv4", "-s", "--strict", "-c", "--class", "--", NULL
};

const struct command cmd_run = {
	.object		= "run",
	.args		= "[-4|--ipv4] [-s|--strict] [-c|--class CLASS] -- PROGRAM [ARGUMENT...]",
	.help		= "start a program whose TCP sockets become AF_MRC sockets",
	.words		= words,
	.run		= run,
};
