// SPDX-License-Identifier: GPL-2.0
/*
 * Netlink view of paths: one message each. Paths of a connection are listed
 * by ascending id, so that a dump that continues in another buffer neither
 * repeats nor skips one. Figures are read under the socket lock. Called by the
 * generic netlink core, process context.
 */
#include "conn/conn.h"
#include "control/netlink.h"
#include "control/nl_path.h"
#include "observe/trace.h"

/**
 * struct path_dump - where a dump continues
 * @bucket: for mrc_conn_walk()
 * @skip: for mrc_conn_walk()
 * @cid: connection that did not fit whole; 0: none
 * @next_id: least path id of it that is still to be sent
 * @done: everything was sent
 */
struct path_dump {
	u32 bucket;
	u32 skip;
	u64 cid;
	u32 next_id;
	bool done;
};

/**
 * struct path_visit - arguments of the walk
 * @skb: message buffer
 * @cb: dump
 */
struct path_visit {
	struct sk_buff *skb;
	struct netlink_callback *cb;
};

/**
 * mrc_nl_path_ifindex() - device that a path leaves by
 * @path: path
 *
 * Context: socket lock held.
 * Return: index of the endpoint's device, else the route's; 0: none.
 */
int mrc_nl_path_ifindex(const struct mrc_path *path)
{
	int ifindex = path->ifindex;

	if (!ifindex && path->dst) {
		rcu_read_lock();
		ifindex = READ_ONCE(path->dst->dev)->ifindex;
		rcu_read_unlock();
	}
	return ifindex;
}

static int put_names(struct sk_buff *skb, const struct mrc_path *path)
{
	int ifindex = mrc_nl_path_ifindex(path);

	if (nla_put_u64_64bit(skb, MRC_A_PATH_CONN_ID, path->msk->public_id,
			      MRC_A_PATH_PAD) ||
	    nla_put_u16(skb, MRC_A_PATH_ID, path->id) ||
	    nla_put_u8(skb, MRC_A_PATH_STATE, path->state) ||
	    nla_put_u8(skb, MRC_A_PATH_BACKUP, path->backup) ||
	    mrc_netlink_put_addr(skb, MRC_A_PATH_LOCAL_ADDR, &path->local) ||
	    nla_put_u16(skb, MRC_A_PATH_LOCAL_PORT,
			ntohs(path->local.port)) ||
	    mrc_netlink_put_addr(skb, MRC_A_PATH_REMOTE_ADDR, &path->remote) ||
	    nla_put_u16(skb, MRC_A_PATH_REMOTE_PORT,
			ntohs(path->remote.port)) ||
	    (ifindex && nla_put_u32(skb, MRC_A_PATH_IFINDEX, ifindex)) ||
	    (path->endpoint_id &&
	     nla_put_u32(skb, MRC_A_PATH_ENDPOINT, path->endpoint_id)))
		return -EMSGSIZE;
	return 0;
}

static int put_u64(struct sk_buff *skb, int type, u64 value)
{
	return nla_put_u64_64bit(skb, type, value, MRC_A_PATH_PAD);
}

/* U64_MAX stands for a value that is not known yet. */
static int put_known(struct sk_buff *skb, int type, u64 value)
{
	return value == U64_MAX ? 0 : put_u64(skb, type, value);
}

static int put_rate(struct sk_buff *skb, const struct mrc_path *path)
{
	const struct mrc_rate *rate = &path->rate;

	if (nla_put_u32(skb, MRC_A_PATH_MSS, path->mss) ||
	    nla_put_u32(skb, MRC_A_PATH_SRTT_US, mrc_trace_srtt_us(path)) ||
	    nla_put_u32(skb, MRC_A_PATH_RTTVAR_US,
			path->rtt.rttvar_us >> 2) ||
	    nla_put_u32(skb, MRC_A_PATH_MIN_RTT_US, path->rtt.min_us) ||
	    put_u64(skb, MRC_A_PATH_CWND, rate->cwnd) ||
	    put_known(skb, MRC_A_PATH_SSTHRESH, rate->ssthresh) ||
	    put_known(skb, MRC_A_PATH_PACING_RATE, rate->pacing_rate) ||
	    put_u64(skb, MRC_A_PATH_DELIVERY_RATE, rate->delivery_rate) ||
	    put_u64(skb, MRC_A_PATH_INFLIGHT, path->inflight.bytes))
		return -EMSGSIZE;
	return 0;
}

/**
 * struct path_counter - a counter of a path and its attribute
 * @type: MRC_A_PATH_*
 * @value: the counter
 */
struct path_counter {
	int type;
	u64 value;
};

static int put_counters(struct sk_buff *skb, const struct mrc_path *path)
{
	const struct mrc_inflight *inf = &path->inflight;
	const struct mrc_path_rx *rx = &path->rx;
	const struct path_counter counters[] = {
		{ MRC_A_PATH_SENT_BYTES, path->sent_bytes },
		{ MRC_A_PATH_ACKED_BYTES, path->acked_bytes },
		{ MRC_A_PATH_SENT_PACKETS, inf->sent_packets },
		{ MRC_A_PATH_LOST_PACKETS, inf->lost_packets },
		{ MRC_A_PATH_SPURIOUS_PACKETS, inf->spurious_packets },
		{ MRC_A_PATH_RETRANSMITTED_PACKETS,
		  path->retransmitted_packets },
		{ MRC_A_PATH_CE_PACKETS, path->ce_packets },
		{ MRC_A_PATH_RX_PACKETS, rx->packets },
		{ MRC_A_PATH_RX_BYTES, rx->bytes },
		{ MRC_A_PATH_RX_CE_PACKETS, rx->ce_packets },
		{ MRC_A_PATH_RX_DUPLICATES, rx->duplicates },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		if (put_u64(skb, counters[i].type, counters[i].value))
			return -EMSGSIZE;
	}
	return nla_put_u32(skb, MRC_A_PATH_BAD_COUNT, path->bad_count);
}

static int put_path(const struct path_visit *visit,
		    const struct mrc_path *path)
{
	struct sk_buff *skb = visit->skb;
	void *hdr = mrc_netlink_put(skb, visit->cb, MRC_CMD_PATH_GET);

	if (!hdr)
		return -EMSGSIZE;
	if (put_names(skb, path) || put_rate(skb, path) ||
	    put_counters(skb, path)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/* The path of least id from @from on; NULL: none. */
static const struct mrc_path *next_path(const struct mrc_sock *msk, u32 from)
{
	const struct mrc_path *found = NULL;
	int i;

	for (i = 0; i < msk->npaths; i++) {
		const struct mrc_path *path = msk->path[i];

		if (path->id >= from && (!found || path->id < found->id))
			found = path;
	}
	return found;
}

/* Non-zero: @arg's buffer is full, the rest comes with the next one. */
static int visit_conn(struct mrc_sock *msk, void *arg)
{
	const struct path_visit *visit = arg;
	struct path_dump *ctx = (void *)visit->cb->ctx;
	const struct mrc_path *path;
	u32 from = ctx->cid == msk->public_id ? ctx->next_id : 0;
	int err = 0;

	lock_sock(mrc_conn_sk(msk));
	while ((path = next_path(msk, from))) {
		err = put_path(visit, path);
		if (err)
			break;
		from = path->id + 1;
	}
	release_sock(mrc_conn_sk(msk));
	ctx->cid = err ? msk->public_id : 0;
	ctx->next_id = from;
	return err;
}

/* The request names one connection. */
static int dump_one(struct path_visit *visit, u64 id)
{
	struct path_dump *ctx = (void *)visit->cb->ctx;
	struct mrc_sock *msk;

	msk = mrc_conn_find_public(sock_net(visit->skb->sk), id);
	if (!msk) {
		/* Gone in the middle of the dump: that is no mistake. */
		if (ctx->cid)
			return 0;
		NL_SET_ERR_MSG(visit->cb->extack,
			       "no connection has this id");
		return -ENOENT;
	}
	ctx->done = !visit_conn(msk, visit);
	sock_put(mrc_conn_sk(msk));
	return visit->skb->len;
}

/**
 * mrc_nl_path_get_dumpit() - list the paths of all or of one connection
 * @skb: message to fill
 * @cb: dump
 *
 * Context: process, generic netlink lock held; takes socket locks.
 * Return: bytes in @skb; 0: the end; or a negative errno with extack set.
 */
int mrc_nl_path_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct nlattr *cid = genl_dumpit_info(cb)->attrs[MRC_A_PATH_CONN_ID];
	struct path_dump *ctx = (void *)cb->ctx;
	struct path_visit visit = { .skb = skb, .cb = cb };

	BUILD_BUG_ON(sizeof(*ctx) > sizeof(cb->ctx));
	if (ctx->done)
		return 0;
	if (cid)
		return dump_one(&visit, nla_get_u64(cid));
	ctx->done = !mrc_conn_walk(sock_net(skb->sk), &ctx->bucket, &ctx->skip,
				   visit_conn, &visit);
	return skb->len;
}
