// SPDX-License-Identifier: GPL-2.0
/*
 * mrcctl: configures the paths of AF_MRC and shows what they do. Reads the
 * global options, finds the command and runs it.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include "fail.h"

static const struct option options[] = {
	{ "json",	no_argument,	NULL, 'j' },
	{ "details",	no_argument,	NULL, 'd' },
	{ "help",	no_argument,	NULL, 'h' },
	{ "version",	no_argument,	NULL, 'V' },
	{ NULL,		0,		NULL, 0 },
};

/* Reads options; *@cmd is set when one of them is a command. */
static int read_options(struct ctx *ctx, int argc, char **argv,
			const struct command **cmd)
{
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, "+jdhV", options, NULL)) != -1) {
		switch (c) {
		case 'j':
			ctx->json = true;
			break;
		case 'd':
			ctx->details = true;
			break;
		case 'h':
			*cmd = &cmd_help;
			break;
		case 'V':
			*cmd = &cmd_version;
			break;
		default:
			return fail_usage(ctx, argv[optind - 1],
					  "unknown option");
		}
	}
	return EXIT_OK;
}

/* Does somebody ask how a command is used, in place of using it? */
static bool asks_for_help(const struct command *cmd, const char *word)
{
	/* To complete they are words like any other. */
	return cmd != &cmd_complete &&
	       (!strcmp(word, "--help") || !strcmp(word, "-h"));
}

/* The verb is missing or unknown: tells which there are. */
static int fail_verb(struct ctx *ctx, const char *object, const char *verb)
{
	fail(ctx, EXIT_USAGE, verb ? verb : object, verb ? "unknown verb" :
	     "a verb must follow");
	if (!ctx->json)
		help_usage(stderr, object);
	return EXIT_USAGE;
}

static int dispatch(struct ctx *ctx, int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : NULL;
	int used;

	if (!argc)
		return fail_usage(ctx, NULL, "a command must follow");
	if (!command_object(argv[0]))
		return fail_usage(ctx, argv[0], "unknown command");
	ctx->cmd = command_find(argv[0], verb);
	if (verb && (asks_for_help(ctx->cmd, verb) ||
		     (!ctx->cmd && !strcmp(verb, "help")))) {
		ctx->cmd = &cmd_help;
		return cmd_help.run(ctx, 1, argv);
	}
	if (!ctx->cmd)
		return fail_verb(ctx, argv[0], verb);
	used = ctx->cmd->verb && verb ? 2 : 1;
	if (used == 2 && argc > 2 && asks_for_help(ctx->cmd, argv[2])) {
		ctx->cmd = &cmd_help;
		return cmd_help.run(ctx, 2, argv);
	}
	return ctx->cmd->run(ctx, argc - used, argv + used);
}

int main(int argc, char **argv)
{
	struct ctx ctx = { .json = false };
	int status;

	status = read_options(&ctx, argc, argv, &ctx.cmd);
	if (status)
		return status;
	if (ctx.cmd)
		status = ctx.cmd->run(&ctx, 0, argv + argc);
	else
		status = dispatch(&ctx, argc - optind, argv + optind);
	if ((fflush(stdout) || ferror(stdout)) && !status)
		status = fail(&ctx, EXIT_REFUSED, NULL, "output: %s",
			      strerror(errno));
	return status;
}
