// SPDX-License-Identifier: GPL-2.0
/*
 * Netlink handlers of what a namespace has once: its limits, guarded by
 * mrc_net.lock, and its counters. Called by the generic netlink core, process
 * context.
 */
#include "control/netlink.h"
#include "limits.h"
#include "observe/mib.h"
#include "uapi/linux/mrc.h"

/* Bytes of one counter: the nest, its name (up to 31 letters), its value. */
#define COUNTER_SIZE	(nla_total_size(0) + nla_total_size(32) + \
			 nla_total_size_64bit(sizeof(u64)))

/**
 * mrc_nl_limits_set_doit() - change limits
 * @skb: request
 * @info: request, parsed; the policy has checked the ranges
 *
 * Connections that exist keep the paths they have.
 *
 * Context: process, generic netlink lock held.
 * Return: 0 or a negative errno with extack set.
 */
int mrc_nl_limits_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *paths = info->attrs[MRC_A_LIMITS_MAX_PATHS];
	struct nlattr *announced = info->attrs[MRC_A_LIMITS_MAX_ANNOUNCED];
	struct mrc_net *mn = mrc_netlink_net(info);

	BUILD_BUG_ON(MRC_PATHS_MAX != 64 || MRC_ADDRS_MAX != 16);
	if (!paths && !announced) {
		GENL_SET_ERR_MSG(info,
				 "neither max-paths nor max-announced is given");
		return -EINVAL;
	}
	mutex_lock(&mn->lock);
	if (paths)
		WRITE_ONCE(mn->limits.max_paths, nla_get_u32(paths));
	if (announced)
		WRITE_ONCE(mn->limits.max_announced, nla_get_u32(announced));
	mutex_unlock(&mn->lock);
	return 0;
}

/**
 * mrc_nl_limits_get_doit() - show the limits
 * @skb: request
 * @info: request, parsed
 *
 * Context: process, generic netlink lock held.
 * Return: 0 or a negative errno.
 */
int mrc_nl_limits_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	const struct mrc_net *mn = mrc_netlink_net(info);
	struct sk_buff *msg;
	void *hdr;

	msg = genlmsg_new(2 * nla_total_size(sizeof(u32)), GFP_KERNEL);
	if (!msg)
		return -ENOMEM;
	hdr = genlmsg_put_reply(msg, info, &mrc_nl_family, 0,
				MRC_CMD_LIMITS_GET);
	if (!hdr ||
	    nla_put_u32(msg, MRC_A_LIMITS_MAX_PATHS,
			READ_ONCE(mn->limits.max_paths)) ||
	    nla_put_u32(msg, MRC_A_LIMITS_MAX_ANNOUNCED,
			READ_ONCE(mn->limits.max_announced))) {
		nlmsg_free(msg);
		return -EMSGSIZE;
	}
	genlmsg_end(msg, hdr);
	return genlmsg_reply(msg, info);
}

static int put_counter(struct sk_buff *msg, const struct mrc_net *mn,
		       enum mrc_mib_id id)
{
	struct nlattr *nest = nla_nest_start(msg, MRC_A_STATS_COUNTER);

	if (!nest ||
	    nla_put_string(msg, MRC_A_STAT_NAME, mrc_mib_name(id)) ||
	    nla_put_u64_64bit(msg, MRC_A_STAT_VALUE, mrc_mib_sum(mn, id),
			      MRC_A_STAT_PAD))
		return -EMSGSIZE;
	nla_nest_end(msg, nest);
	return 0;
}

/**
 * mrc_nl_stats_get_doit() - show all counters in one message
 * @skb: request
 * @info: request, parsed
 *
 * Context: process, generic netlink lock held.
 * Return: 0 or a negative errno.
 */
int mrc_nl_stats_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	const struct mrc_net *mn = mrc_netlink_net(info);
	struct sk_buff *msg;
	void *hdr;
	int id, err;

	msg = genlmsg_new(__MRC_MIB_MAX * COUNTER_SIZE, GFP_KERNEL);
	if (!msg)
		return -ENOMEM;
	hdr = genlmsg_put_reply(msg, info, &mrc_nl_family, 0,
				MRC_CMD_STATS_GET);
	err = hdr ? 0 : -EMSGSIZE;
	for (id = 0; id < __MRC_MIB_MAX && !err; id++)
		err = put_counter(msg, mn, id);
	if (err) {
		nlmsg_free(msg);
		return err;
	}
	genlmsg_end(msg, hdr);
	return genlmsg_reply(msg, info);
}
