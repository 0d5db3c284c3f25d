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

static int dispatch(struct ctx *ctx, int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : NULL;
	int used;

	if (!argc)
		return fail_usage(ctx, NULL, "a command must follow");
	ctx->cmd = command_find(argv[0], verb);
	if (!ctx->cmd) {
		if (!command_object(argv[0]))
			return fail_usage(ctx, argv[0], "unknown command");
		return fail_usage(ctx, verb ? verb : argv[0], verb ?
				  "unknown verb" : "a verb must follow");
	}
	used = ctx->cmd->verb && verb ? 2 : 1;
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
