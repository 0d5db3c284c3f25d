/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Commands. Each is one descriptor, defined in the file that runs it and
 * listed in commands.c; dispatch, help, usage and completion are made of it.
 */
#ifndef MRCCTL_CMD_H
#define MRCCTL_CMD_H

#include <stdbool.h>
#include <stdio.h>

/* Lets the compiler check a format; same numbers as in the kernel. */
#define __printf(a, b)	__attribute((format(printf, a, b)))

/* Exit status. */
enum {
	EXIT_OK		= 0,
	EXIT_REFUSED	= 1,	/* the kernel said no, or cannot be asked */
	EXIT_USAGE	= 2,	/* the words make no sense */
	EXIT_CANNOT	= 126,	/* run: the program cannot be run this way */
	EXIT_MISSING	= 127,	/* run: there is no such program */
};

struct command;

/**
 * struct ctx - what a command is run with
 * @json: print JSON
 * @details: print everything, not only what fits in a line
 * @cmd: the command
 */
struct ctx {
	bool json;
	bool details;
	const struct command *cmd;
};

/**
 * struct command - one command
 * @object: first word
 * @verb: second word; NULL: the object has no verbs
 * @fallback: also runs when the verb is left out
 * @args: rest of the usage line
 * @help: one line
 * @words: words that may follow, for completion; ends with NULL
 * @complete: prints further candidates after @prev, the word before (the verb
 *	when there is none); NULL: there are none
 * @run: does it; @argv holds the @argc words after the verb. Returns the exit
 *	status
 */
struct command {
	const char *object;
	const char *verb;
	bool fallback;
	const char *args;
	const char *help;
	const char * const *words;
	void (*complete)(const char *prev);
	int (*run)(const struct ctx *ctx, int argc, char **argv);
};

extern const struct command * const commands[];

const struct command *command_find(const char *object, const char *verb);
bool command_object(const char *object);
bool command_verb(const char *object, const char *verb);
void cmd_conn_complete(const char *prev);
void help_usage(FILE *to, const char *object);

extern const struct command cmd_endpoint_add;
extern const struct command cmd_endpoint_del;
extern const struct command cmd_endpoint_flush;
extern const struct command cmd_endpoint_show;
extern const struct command cmd_limits_set;
extern const struct command cmd_limits_show;
extern const struct command cmd_conn_show;
extern const struct command cmd_path_show;
extern const struct command cmd_stats_show;
extern const struct command cmd_monitor;
extern const struct command cmd_run;
extern const struct command cmd_help;
extern const struct command cmd_version;
extern const struct command cmd_complete;

#endif /* MRCCTL_CMD_H */
