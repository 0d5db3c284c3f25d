// SPDX-License-Identifier: GPL-2.0
/*
 * Finds a program as execvp() would and tells whether LD_PRELOAD reaches it.
 * It does not reach static programs (no dynamic linker), programs that gain
 * rights (the dynamic linker drops the library), Go programs (they make system
 * calls themselves) and programs of another machine. Scripts are judged by
 * their interpreter. Called by cmd_run.c.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>
#include "cmd.h"
#include "program.h"

/* Interpreters of interpreters that are followed, as the kernel does. */
#define SCRIPT_DEPTH	4

/* Bytes of a script's first line that the kernel reads. */
#define SCRIPT_LINE	256

static int __printf(3, 4) reject(struct program *prog, int status,
				 const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(prog->reason, sizeof(prog->reason), fmt, args);
	va_end(args);
	return status;
}

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

/* Looks through PATH. *@denied: a file was there, but not executable. */
static bool search(struct program *prog, const char *name, bool *denied)
{
	const char *dir = getenv("PATH"), *end;

	if (!dir)
		dir = "/bin:/usr/bin";
	for (;; dir = end + 1) {
		end = strchrnul(dir, ':');
		snprintf(prog->path, sizeof(prog->path), "%.*s%s%s",
			 (int)(end - dir), dir, end == dir ? "" : "/", name);
		if (is_file(prog->path)) {
			if (!access(prog->path, X_OK))
				return true;
			*denied = true;
		}
		if (!*end)
			return false;
	}
}

/**
 * program_find() - find a program as execvp() would
 * @prog: to fill
 * @name: its name, or its path when it has a slash
 *
 * Return: EXIT_OK, EXIT_MISSING or EXIT_CANNOT with the reason in @prog.
 */
int program_find(struct program *prog, const char *name)
{
	bool denied = false;

	memset(prog, 0, sizeof(*prog));
	if (!*name)
		return reject(prog, EXIT_MISSING, "there is no such program");
	if (!strchr(name, '/')) {
		if (search(prog, name, &denied))
			return EXIT_OK;
		return denied ? reject(prog, EXIT_CANNOT, "not executable") :
		       reject(prog, EXIT_MISSING,
			      "there is no such program in PATH");
	}
	snprintf(prog->path, sizeof(prog->path), "%s", name);
	if (access(name, F_OK))
		return reject(prog, errno == ENOENT || errno == ENOTDIR ?
			      EXIT_MISSING : EXIT_CANNOT, "%s",
			      strerror(errno));
	if (!is_file(name) || access(name, X_OK))
		return reject(prog, EXIT_CANNOT, "not executable");
	return EXIT_OK;
}

/* The dynamic linker ignores LD_PRELOAD when a program gains rights. */
static int check_rights(struct program *prog, int fd)
{
	struct statvfs fs;
	struct stat st;
	char cap;

	if (fstat(fd, &st) || fstatvfs(fd, &fs) || (fs.f_flag & ST_NOSUID))
		return EXIT_OK;
	if (st.st_mode & S_ISUID)
		return reject(prog, EXIT_CANNOT,
			      "is setuid: the dynamic linker ignores the preload library");
	if ((st.st_mode & S_ISGID) && (st.st_mode & 0010))
		return reject(prog, EXIT_CANNOT,
			      "is setgid: the dynamic linker ignores the preload library");
	if (fgetxattr(fd, "security.capability", &cap, 0) > 0)
		return reject(prog, EXIT_CANNOT,
			      "has file capabilities: the dynamic linker ignores the preload library");
	return EXIT_OK;
}

static int check_elf(struct program *prog, const struct elf_file *elf)
{
	struct elf_file own;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || elf_read(&own, fd)) {
		if (fd >= 0)
			close(fd);
		return reject(prog, EXIT_CANNOT,
			      "cannot be compared with mrcctl: /proc is not mounted");
	}
	close(fd);
	if (elf->machine != own.machine || elf->bits != own.bits)
		return reject(prog, EXIT_CANNOT,
			      "is made for another machine (%u bits) than the preload library",
			      elf->bits);
	if (elf->golang)
		return reject(prog, EXIT_CANNOT,
			      "is a Go program: it makes system calls without the C library");
	if (!elf->interp[0])
		return reject(prog, EXIT_CANNOT,
			      "is linked statically: no preload library reaches it");
	if (strcmp(elf->interp, own.interp))
		return reject(prog, EXIT_CANNOT,
			      "uses another dynamic linker (%s) than the preload library",
			      elf->interp);
	return EXIT_OK;
}

/* Cuts the next word off a line; "": there is none. */
static char *next_word(char **line)
{
	char *word = *line + strspn(*line, " \t");

	*line = word + strcspn(word, " \t\r\n");
	if (**line)
		*(*line)++ = '\0';
	return word;
}

/*
 * Replaces @prog->path by the interpreter that the first line names, and by
 * the program that env would start. 0: it is no script; 1: replaced; -1: the
 * interpreter does not exist.
 */
static int follow_script(struct program *prog, int fd)
{
	char buf[SCRIPT_LINE], script[PATH_MAX], *line = buf + 2, *word, *base;
	ssize_t len = pread(fd, buf, sizeof(buf) - 1, 0);
	struct program found;

	if (len < 2 || memcmp(buf, "#!", 2))
		return 0;
	buf[len] = '\0';
	line[strcspn(line, "\n")] = '\0';
	snprintf(script, sizeof(script), "%s", prog->path);
	word = next_word(&line);
	base = strrchr(word, '/');
	if (program_find(&found, word)) {
		reject(prog, EXIT_CANNOT, "its interpreter '%s' %s", word,
		       found.reason);
		return -1;
	}
	snprintf(prog->path, sizeof(prog->path), "%s", found.path);
	if (strcmp(base ? base + 1 : word, "env"))
		return 1;
	word = next_word(&line);
	if (!strcmp(word, "-S"))
		word = next_word(&line);
	if (*word && *word != '-' && !strchr(word, '=') &&
	    !program_find(&found, word))
		snprintf(prog->path, sizeof(prog->path), "%s", found.path);
	return 1;
}

/* As program_check(); @depth: scripts followed so far. */
static int check(struct program *prog, int depth)
{
	int fd = open(prog->path, O_RDONLY | O_CLOEXEC);
	struct elf_file elf;
	int script, status;

	/* It can be run without being read; then nothing is known. */
	if (fd < 0)
		return EXIT_OK;
	if (elf_read(&elf, fd)) {
		close(fd);
		return reject(prog, EXIT_CANNOT,
			      "is made for another machine than the preload library");
	}
	script = elf.bits ? 0 : follow_script(prog, fd);
	/* The kernel ignores such rights of a script. */
	status = elf.bits ? check_rights(prog, fd) : EXIT_OK;
	close(fd);
	if (script < 0)
		return EXIT_CANNOT;
	if (script)
		return depth == SCRIPT_DEPTH ?
		       reject(prog, EXIT_CANNOT, "has too many interpreters") :
		       check(prog, depth + 1);
	if (!elf.bits)
		return reject(prog, EXIT_CANNOT,
			      "is neither a program nor a script with an interpreter");
	return status ? status : check_elf(prog, &elf);
}

/**
 * program_check() - will a preload library be heard
 * @prog: program; for a script, its path becomes that of the interpreter
 *
 * Return: EXIT_OK, or EXIT_CANNOT with the reason in @prog.
 */
int program_check(struct program *prog)
{
	return check(prog, 0);
}
