// SPDX-License-Identifier: GPL-2.0
/*
 * mrcctl complete: prints the words that may stand at the end of a command
 * line, one a line. Completion of the shell asks this, so it knows every
 * command without a list of its own.
 */
#include <stdio.h>
#include <string.h>
#include "cmd.h"

static void print_objects(void)
{
	const struct command * const *cmd;
	const char *last = "";

	for (cmd = commands; *cmd; cmd++) {
		if (strcmp((*cmd)->object, last))
			puts((*cmd)->object);
		last = (*cmd)->object;
	}
}

static void print_verbs(const char *object)
{
	const struct command * const *cmd;

	for (cmd = commands; *cmd; cmd++) {
		if (!strcmp((*cmd)->object, object) && (*cmd)->verb)
			puts((*cmd)->verb);
	}
}

static bool among(const char *word, int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++) {
		if (!strcmp(argv[i], word))
			return true;
	}
	return false;
}

/* @argv: words after the command, without the one to be completed. */
static void print_words(const struct command *cmd, int argc, char **argv)
{
	const char *prev = argc ? argv[argc - 1] :
			   cmd->verb ? cmd->verb : cmd->object;
	const char * const *word;

	if (cmd->complete)
		cmd->complete(prev);
	for (word = cmd->words; word && *word; word++) {
		if (!among(*word, argc, argv))
			puts(*word);
	}
}

static int run_complete(const struct ctx *ctx, int argc, char **argv)
{
	const struct command *cmd;
	int used;

	(void)ctx;
	while (argc && argv[0][0] == '-') {
		argc--;
		argv++;
	}
	if (argc)
		argc--;
	if (!argc) {
		print_objects();
		return EXIT_OK;
	}
	cmd = command_find(argv[0], argc > 1 ? argv[1] : NULL);
	if (argc == 1 && !(cmd && !cmd->verb)) {
		print_verbs(argv[0]);
		return EXIT_OK;
	}
	if (!cmd)
		return EXIT_OK;
	used = cmd->verb ? 2 : 1;
	print_words(cmd, argc - used, argv + used);
	return EXIT_OK;
}

const struct command cmd_complete = {
	.object		= "complete",
	.args		= "[WORD...]",
	.help		= "print what the last of these words may become (for shells)",
	.run		= run_complete,
};
