// SPDX-License-Identifier: GPL-2.0
/*
 * mrcctl stats: counters of the namespace.
 */
#include <linux/mrc_netlink.h>
#include <stdio.h>
#include "args.h"
#include "attr_gen.h"
#include "nl.h"
#include "out.h"

static void print_counter(const struct attr_msg *stat, struct json_object *obj)
{
	const char *name = attr_string(stat, MRC_A_STAT_NAME);
	__u64 value = attr_number(stat, MRC_A_STAT_VALUE);

	if (obj)
		json_object_object_add(obj, name,
				       json_object_new_uint64(value));
	else
		printf("%-22s %llu\n", name, (unsigned long long)value);
}

static int show(const struct attr_msg *msg, void *arg)
{
	const struct ctx *ctx = arg;
	struct json_object *obj;
	struct attr_msg stat;
	struct nlattr *attr;
	int rem;

	obj = ctx->json ? json_object_new_object() : NULL;
	nla_for_each_attr(attr, msg->head, msg->len, rem) {
		if (nla_type(attr) == MRC_A_STATS_COUNTER &&
		    !attr_parse(&stat, &attr_set_stat, nla_data(attr),
				nla_len(attr)))
			print_counter(&stat, obj);
	}
	if (obj)
		out_json_print(obj);
	return 0;
}

static int run_show(const struct ctx *ctx, int argc, char **argv)
{
	struct nl_req req;
	int status = args_none(ctx, argc, argv);

	if (!status)
		status = nl_req_open(&req, ctx, MRC_CMD_STATS_GET, false,
				     &attr_set_stats);
	if (status)
		return status;
	req.visit = show;
	req.arg = (void *)ctx;
	return nl_req_run(&req);
}

const struct command cmd_stats_show = {
	.object		= "stats",
	.verb		= "show",
	.fallback	= true,
	.args		= "",
	.help		= "show the counters of the namespace",
	.run		= run_show,
};
