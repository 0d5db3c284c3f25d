// SPDX-License-Identifier: GPL-2.0
/*
 * mrcctl help and version: made from the list of commands.
 */
#include <stdio.h>
#include <string.h>
#include "args.h"
#include "fail.h"

#ifndef MRCCTL_VERSION
#error "the Makefile gives the version"
#endif

/* The usage line of a command, without a line break. */
static void print_words(FILE *to, const struct command *cmd)
{
	fprintf(to, "%s%s%s%s%s", cmd->object, cmd->verb ? " " : "",
		cmd->verb ? cmd->verb : "", cmd->args[0] ? " " : "", cmd->args);
}

static void print_command(const struct command *cmd)
{
	fputs("  ", stdout);
	print_words(stdout, cmd);
	printf("\n\t%s\n", cmd->help);
}

/**
 * help_usage() - print how the commands of an object are used
 * @to: where to
 * @object: first word of at least one command
 */
void help_usage(FILE *to, const char *object)
{
	const char *lead = "usage: mrcctl ";
	const struct command * const *cmd;

	for (cmd = commands; *cmd; cmd++) {
		if (strcmp((*cmd)->object, object))
			continue;
		fputs(lead, to);
		print_words(to, *cmd);
		fputc('\n', to);
		lead = "       mrcctl ";
	}
}

/* Is the command among those asked for: all, an object's, or one? */
static bool asked_for(const struct command *cmd, int argc, char **argv)
{
	if (argc && strcmp(cmd->object, argv[0]))
		return false;
	return argc < 2 || (cmd->verb && !strcmp(cmd->verb, argv[1]));
}

static int run_help(const struct ctx *ctx, int argc, char **argv)
{
	const struct command * const *cmd;

	if (argc && !command_object(argv[0]))
		return fail_usage(ctx, argv[0], "unknown command");
	if (argc > 1 && !command_verb(argv[0], argv[1]))
		return fail_usage(ctx, argv[1], "unknown verb");
	if (argc > 2)
		return fail_usage(ctx, argv[2], "unknown word");
	if (!argc)
		puts("usage: mrcctl [-j] [-d] OBJECT [VERB] [WORD...]\n\n"
		     "  -j, --json     print JSON, errors too\n"
		     "  -d, --details  print every figure, not only those that fit in a table\n"
		     "  -h, --help     this help; after OBJECT or VERB: theirs\n"
		     "  -V, --version  print the version\n");
	for (cmd = commands; *cmd; cmd++) {
		if (asked_for(*cmd, argc, argv))
			print_command(*cmd);
	}
	return EXIT_OK;
}

static int run_version(const struct ctx *ctx, int argc, char **argv)
{
	int status = args_none(ctx, argc, argv);

	if (status)
		return status;
	if (ctx->json)
		puts("{\"version\":\"" MRCCTL_VERSION "\"}");
	else
		puts("mrcctl " MRCCTL_VERSION);
	return EXIT_OK;
}

const struct command cmd_help = {
	.object		= "help",
	.args		= "[OBJECT [VERB]]",
	.help		= "list the commands",
	.run		= run_help,
};

const struct command cmd_version = {
	.object		= "version",
	.args		= "",
	.help		= "print the version",
	.run		= run_version,
};
