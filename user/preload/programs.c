// SPDX-License-Identifier: GPL-2.0
/*
 * Is this program on the list of those that use AF_MRC? Asked once, before it
 * begins, in every program of a machine whose /etc/ld.so.preload names the
 * library: so it costs one failing open() where there is no list, allocates
 * nothing and believes no variable.
 *
 * A line is a program and words that "mrcctl run" has as options:
 *	PROGRAM [strict] [ipv4] [bulk|latency]	# comment
 * PROGRAM is a path, which may be a link, or the name of a file. Scripts are
 * their interpreter.
 */
#include <fcntl.h>
#include <limits.h>
#include <linux/mrc.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "programs.h"

#ifndef MRC_PROGRAMS
#error "the Makefile gives the path of the list"
#endif

/* Bytes of the list that are read. */
#define LIST_BYTES	16384

#define BLANKS		" \t\r"

static bool is_this(const char *name)
{
	struct stat ours, theirs;
	char path[PATH_MAX];
	const char *base;
	ssize_t len;

	if (strchr(name, '/'))
		return !stat("/proc/self/exe", &ours) && !stat(name, &theirs) &&
		       ours.st_dev == theirs.st_dev &&
		       ours.st_ino == theirs.st_ino;
	len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (len <= 0)
		return false;
	path[len] = '\0';
	base = strrchr(path, '/');
	return base && !strcmp(base + 1, name);
}

static void take_word(struct program_words *words, const char *word)
{
	if (!strcmp(word, "strict"))
		words->strict = true;
	else if (!strcmp(word, "ipv4"))
		words->ipv4 = true;
	else if (!strcmp(word, "bulk"))
		words->class = MRC_CLASS_BULK;
	else if (!strcmp(word, "latency"))
		words->class = MRC_CLASS_LATENCY;
}

/* One line, without its end. */
static bool take_line(struct program_words *words, char *line)
{
	char *next, *word;

	line[strcspn(line, "#")] = '\0';
	word = strtok_r(line, BLANKS, &next);
	if (!word || !is_this(word))
		return false;
	memset(words, 0, sizeof(*words));
	while ((word = strtok_r(NULL, BLANKS, &next)))
		take_word(words, word);
	return true;
}

/**
 * programs_find() - look for this program
 * @words: what its line says; the first line counts
 *
 * Return: true when it is on the list. A list that cannot be read is empty.
 */
bool programs_find(struct program_words *words)
{
	char list[LIST_BYTES + 1], *line, *end;
	int fd = open(MRC_PROGRAMS, O_RDONLY | O_CLOEXEC);
	ssize_t len;

	if (fd < 0)
		return false;
	len = read(fd, list, LIST_BYTES);
	close(fd);
	list[len > 0 ? len : 0] = '\0';
	for (line = list; *line; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		if (take_line(words, line))
			return true;
	}
	return false;
}
