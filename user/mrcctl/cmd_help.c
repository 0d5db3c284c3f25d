// SPDX-License-Identifier: GPL-2.0
/*
 * mrcctl help and version: made from the list of commands.
 */
#include <stdio.h>
#include "args.h"
#include "fail.h"

#ifndef MRCCTL_VERSION
#error "the Makefile gives the version"
#endif

static void print_command(const struct command *cmd)
{
	char line[128];

	snprintf(line, sizeof(line), "%s%s%s%s%s", cmd->object,
		 cmd->verb ? " " : "", cmd->verb ? cmd->verb : "",
		 cmd->args[0] ? " " : "", cmd->args);
	printf("  %s\n\t%s\n", line, cmd->help);
}

static int run_help(const struct ctx *ctx, int argc, char **argv)
{
	const struct command * const *cmd;
	int status;

	status = args_none(ctx, argc > 1 ? argc - 1 : 0, argv + 1);
	if (status)
		return status;
	if (argc && !command_object(argv[0]))
		return fail_usage(ctx, argv[0], "unknown command");
	if (!argc)
		puts("usage: mrcctl [-j] [-d] OBJECT [VERB] [WORD...]\n\n"
		     "  -j, --json     print JSON, errors too\n"
		     "  -d, --details  print every figure\n");
	for (cmd = commands; *cmd; cmd++) {
		if (!argc || command_find(argv[0], (*cmd)->verb) == *cmd)
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
	.args		= "[OBJECT]",
	.help		= "list the commands",
	.run		= run_help,
};

const struct command cmd_version = {
	.object		= "version",
	.args		= "",
	.help		= "print the version",
	.run		= run_version,
};
