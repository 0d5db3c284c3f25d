// SPDX-License-Identifier: GPL-2.0
/*
 * mrcctl limits: what a namespace allows.
 */
#include <linux/mrc_netlink.h>
#include <string.h>
#include "args.h"
#include "attr_gen.h"
#include "fail.h"
#include "nl.h"
#include "out.h"

static const struct out_col columns[] = {
	{ "max_paths", NULL, OUT_NUMBER, MRC_A_LIMITS_MAX_PATHS, 0 },
	{ "max_announced", NULL, OUT_NUMBER, MRC_A_LIMITS_MAX_ANNOUNCED, 0 },
};

/* The column that a word names; NULL: none. */
static const struct out_col *find(const char *word)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(columns); i++) {
		if (!strcmp(columns[i].key, word))
			return &columns[i];
	}
	return NULL;
}

/* Reads pairs of name and value; @value is indexed by attribute. */
static int read_words(const struct ctx *ctx, int argc, char **argv,
		      __u32 *value, const char **word)
{
	const struct out_col *col;
	int i, status;

	if (!argc)
		return fail_usage(ctx, NULL, "the name of a limit must follow");
	for (i = 0; i < argc; i += 2) {
		col = find(argv[i]);
		if (!col)
			return fail_usage(ctx, argv[i], "unknown limit");
		if (word[col->attr])
			return fail_usage(ctx, argv[i], "given twice");
		if (i + 1 == argc)
			return fail_usage(ctx, argv[i],
					  "a number must follow");
		status = args_u32(ctx, argv[i + 1], &value[col->attr]);
		if (status)
			return status;
		word[col->attr] = argv[i + 1];
	}
	return EXIT_OK;
}

static int run_set(const struct ctx *ctx, int argc, char **argv)
{
	__u32 value[MRC_A_LIMITS_MAX + 1];
	const char *word[MRC_A_LIMITS_MAX + 1] = { 0 };
	struct nl_req req;
	int id, status;

	status = read_words(ctx, argc, argv, value, word);
	if (!status)
		status = nl_req_open(&req, ctx, MRC_CMD_LIMITS_SET, false,
				     &attr_set_limits);
	if (status)
		return status;
	for (id = 1; id <= MRC_A_LIMITS_MAX; id++) {
		if (word[id])
			nl_req_u32(&req, id, value[id], word[id]);
	}
	return nl_req_run(&req);
}

static int show(const struct attr_msg *msg, void *arg)
{
	out_object(arg, columns, ARRAY_SIZE(columns), msg);
	return 0;
}

static int run_show(const struct ctx *ctx, int argc, char **argv)
{
	struct nl_req req;
	int status = args_none(ctx, argc, argv);

	if (!status)
		status = nl_req_open(&req, ctx, MRC_CMD_LIMITS_GET, false,
				     &attr_set_limits);
	if (status)
		return status;
	req.visit = show;
	req.arg = (void *)ctx;
	return nl_req_run(&req);
}

static const char * const set_words[] = { "max_paths", "max_announced", NULL };

const struct command cmd_limits_set = {
	.object		= "limits",
	.verb		= "set",
	.args		= "[max_paths 1..64] [max_announced 0..16]",
	.help		= "change limits; connections keep the paths they have",
	.words		= set_words,
	.run		= run_set,
};

const struct command cmd_limits_show = {
	.object		= "limits",
	.verb		= "show",
	.fallback	= true,
	.args		= "",
	.help		= "show the limits of the namespace",
	.run		= run_show,
};
