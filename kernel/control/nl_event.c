// SPDX-License-Identifier: GPL-2.0
/*
 * Sends notices of state changes to the multicast group "events" of the
 * namespace. Owns nothing; mrc_net.event_seq is atomic. Called by the two
 * writers of states under the socket lock, softirq or process context, so it
 * never waits; when nobody listens it costs a test of a bitmap.
 */
#include <linux/ktime.h>
#include "control/netlink.h"
#include "control/nl_event.h"
#include "control/nl_path.h"
#include "socket/name.h"

/* Bytes of the attributes of the larger notice. */
#define EVENT_SIZE	(4 * nla_total_size_64bit(sizeof(u64)) +	\
			 2 * nla_total_size(sizeof(struct in6_addr)) +	\
			 nla_total_size(sizeof(u32)) +			\
			 3 * nla_total_size(sizeof(u16)) +		\
			 4 * nla_total_size(sizeof(u8)))

/* No notice without a listener. */
static bool wanted(const struct mrc_sock *msk)
{
	return genl_has_listeners(&mrc_nl_family,
				  sock_net(mrc_conn_sk(msk)),
				  MRC_NL_GROUP_EVENTS);
}

/* Tells the listeners that a notice is missing. */
static void lose(const struct mrc_sock *msk)
{
	genl_set_err(&mrc_nl_family, sock_net(mrc_conn_sk(msk)), 0,
		     MRC_NL_GROUP_EVENTS, -ENOBUFS);
}

static struct sk_buff *begin(u8 cmd, void **hdr)
{
	struct sk_buff *msg = genlmsg_new(EVENT_SIZE, GFP_ATOMIC);

	if (!msg)
		return NULL;
	*hdr = genlmsg_put(msg, 0, 0, &mrc_nl_family, 0, cmd);
	if (!*hdr) {
		nlmsg_free(msg);
		return NULL;
	}
	return msg;
}

static void finish(const struct mrc_sock *msk, struct sk_buff *msg, void *hdr,
		   int err)
{
	if (err) {
		nlmsg_free(msg);
		lose(msk);
		return;
	}
	genlmsg_end(msg, hdr);
	genlmsg_multicast_netns(&mrc_nl_family, sock_net(mrc_conn_sk(msk)),
				msg, 0, MRC_NL_GROUP_EVENTS, GFP_ATOMIC);
}

static int put_conn(struct sk_buff *msg, const struct mrc_sock *msk, int old,
		    int new, enum mrc_conn_reason reason)
{
	u64 seq = atomic64_inc_return(&msk->mn->event_seq);
	struct mrc_addr local, remote;

	mrc_name_local(mrc_conn_sk(msk), &local);
	mrc_name_remote(mrc_conn_sk(msk), &remote);
	if (nla_put_u64_64bit(msg, MRC_A_CONN_EVENT_SEQ, seq,
			      MRC_A_CONN_EVENT_PAD) ||
	    nla_put_u64_64bit(msg, MRC_A_CONN_EVENT_TIME, ktime_get_real_ns(),
			      MRC_A_CONN_EVENT_PAD) ||
	    nla_put_u64_64bit(msg, MRC_A_CONN_EVENT_CONN_ID, msk->public_id,
			      MRC_A_CONN_EVENT_PAD) ||
	    mrc_netlink_put_addr(msg, MRC_A_CONN_EVENT_LOCAL_ADDR, &local) ||
	    nla_put_u16(msg, MRC_A_CONN_EVENT_LOCAL_PORT,
			msk->inet.inet_num) ||
	    mrc_netlink_put_addr(msg, MRC_A_CONN_EVENT_REMOTE_ADDR,
				 &remote) ||
	    nla_put_u16(msg, MRC_A_CONN_EVENT_REMOTE_PORT,
			ntohs(remote.port)) ||
	    nla_put_u8(msg, MRC_A_CONN_EVENT_OLD, old) ||
	    nla_put_u8(msg, MRC_A_CONN_EVENT_NEW, new) ||
	    nla_put_u8(msg, MRC_A_CONN_EVENT_REASON, reason))
		return -EMSGSIZE;
	return 0;
}

/**
 * mrc_nl_event_conn() - a connection has changed its state
 * @msk: connection
 * @old: TCP_* state before
 * @new: TCP_* state now
 * @reason: why
 *
 * Context: socket lock held; softirq or process.
 */
void mrc_nl_event_conn(const struct mrc_sock *msk, int old, int new,
		       enum mrc_conn_reason reason)
{
	struct sk_buff *msg;
	void *hdr;

	if (!wanted(msk))
		return;
	msg = begin(MRC_CMD_CONN_EVENT, &hdr);
	if (!msg) {
		lose(msk);
		return;
	}
	finish(msk, msg, hdr, put_conn(msg, msk, old, new, reason));
}

static int put_path(struct sk_buff *msg, const struct mrc_path *path, int old,
		    int new, enum mrc_path_reason reason)
{
	u64 seq = atomic64_inc_return(&path->msk->mn->event_seq);
	int ifindex = mrc_nl_path_ifindex(path);

	if (nla_put_u64_64bit(msg, MRC_A_PATH_EVENT_SEQ, seq,
			      MRC_A_PATH_EVENT_PAD) ||
	    nla_put_u64_64bit(msg, MRC_A_PATH_EVENT_TIME, ktime_get_real_ns(),
			      MRC_A_PATH_EVENT_PAD) ||
	    nla_put_u64_64bit(msg, MRC_A_PATH_EVENT_CONN_ID,
			      path->msk->public_id, MRC_A_PATH_EVENT_PAD) ||
	    nla_put_u16(msg, MRC_A_PATH_EVENT_ID, path->id) ||
	    mrc_netlink_put_addr(msg, MRC_A_PATH_EVENT_LOCAL_ADDR,
				 &path->local) ||
	    nla_put_u16(msg, MRC_A_PATH_EVENT_LOCAL_PORT,
			ntohs(path->local.port)) ||
	    mrc_netlink_put_addr(msg, MRC_A_PATH_EVENT_REMOTE_ADDR,
				 &path->remote) ||
	    nla_put_u16(msg, MRC_A_PATH_EVENT_REMOTE_PORT,
			ntohs(path->remote.port)) ||
	    (ifindex &&
	     nla_put_u32(msg, MRC_A_PATH_EVENT_IFINDEX, ifindex)) ||
	    nla_put_u8(msg, MRC_A_PATH_EVENT_BACKUP, path->backup) ||
	    nla_put_u8(msg, MRC_A_PATH_EVENT_OLD, old) ||
	    nla_put_u8(msg, MRC_A_PATH_EVENT_NEW, new) ||
	    nla_put_u8(msg, MRC_A_PATH_EVENT_REASON, reason))
		return -EMSGSIZE;
	return 0;
}

/**
 * mrc_nl_event_path() - a path has changed its state
 * @path: path
 * @old: MRC_PATH_* state before
 * @new: MRC_PATH_* state now
 * @reason: why
 *
 * Context: socket lock held; softirq or process.
 */
void mrc_nl_event_path(const struct mrc_path *path, int old, int new,
		       enum mrc_path_reason reason)
{
	const struct mrc_sock *msk = path->msk;
	struct sk_buff *msg;
	void *hdr;

	if (!wanted(msk))
		return;
	msg = begin(MRC_CMD_PATH_EVENT, &hdr);
	if (!msg) {
		lose(msk);
		return;
	}
	finish(msk, msg, hdr, put_path(msg, path, old, new, reason));
}
