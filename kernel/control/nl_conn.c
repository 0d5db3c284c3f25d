// SPDX-License-Identifier: GPL-2.0
/*
 * Netlink view of sockets: first those that listen (mrc_net.listeners,
 * under mrc_net.port_lock), then the connections (found by id), at last those
 * that go over TCP (nl_fallback.c). Figures are read under the socket lock, so
 * that each message is one moment. Called by the generic netlink core, process
 * context.
 */
#include "conn/conn.h"
#include "control/netlink.h"
#include "control/nl_conn.h"
#include "socket/name.h"

/**
 * struct conn_dump - where a dump continues
 * @port_bucket: bucket of mrc_net.listeners; MRC_PORT_BUCKETS: all are done
 * @port_skip: listeners of that bucket already sent
 * @bucket: for mrc_conn_walk()
 * @skip: for mrc_conn_walk()
 * @fallbacks: connections over TCP already sent
 * @done: everything was sent
 */
struct conn_dump {
	u32 port_bucket;
	u32 port_skip;
	u32 bucket;
	u32 skip;
	u32 fallbacks;
	bool done;
};

/**
 * struct conn_visit - arguments of the walk
 * @skb: message buffer
 * @cb: dump
 */
struct conn_visit {
	struct sk_buff *skb;
	struct netlink_callback *cb;
};

static u8 type_shown(const struct sock *sk)
{
	return sk->sk_type == SOCK_SEQPACKET ? MRC_CONN_TYPE_SEQPACKET :
					       MRC_CONN_TYPE_STREAM;
}

/**
 * mrc_nl_conn_put_socket() - what every socket has
 * @skb: message buffer
 * @cb: dump
 * @sk: socket
 * @id: its name
 * @server: it was accepted
 *
 * Context: socket lock held.
 * Return: 0 or -EMSGSIZE.
 */
int mrc_nl_conn_put_socket(struct sk_buff *skb, struct netlink_callback *cb,
			   struct sock *sk, u64 id, bool server)
{
	struct mrc_addr local, remote;
	struct sock *asking;
	uid_t uid;

	mrc_name_local(sk, &local);
	mrc_name_remote(sk, &remote);
	asking = NETLINK_CB(cb->skb).sk;
	uid = from_kuid_munged(sk_user_ns(asking), sock_i_uid(sk));

	if (nla_put_u64_64bit(skb, MRC_A_CONN_ID, id,
			      MRC_A_CONN_PAD) ||
	    nla_put_u8(skb, MRC_A_CONN_STATE,
		       mrc_conn_state_shown(sk->sk_state)) ||
	    nla_put_u8(skb, MRC_A_CONN_SERVER, server) ||
	    nla_put_u8(skb, MRC_A_CONN_TYPE, type_shown(sk)) ||
	    mrc_netlink_put_addr(skb, MRC_A_CONN_LOCAL_ADDR, &local) ||
	    nla_put_u16(skb, MRC_A_CONN_LOCAL_PORT, inet_sk(sk)->inet_num) ||
	    mrc_netlink_put_addr(skb, MRC_A_CONN_REMOTE_ADDR, &remote) ||
	    nla_put_u16(skb, MRC_A_CONN_REMOTE_PORT, ntohs(remote.port)) ||
	    (sk->sk_bound_dev_if &&
	     nla_put_u32(skb, MRC_A_CONN_IFINDEX, sk->sk_bound_dev_if)) ||
	    nla_put_u32(skb, MRC_A_CONN_UID, uid) ||
	    nla_put_u64_64bit(skb, MRC_A_CONN_INODE, sock_i_ino(sk),
			      MRC_A_CONN_PAD))
		return -EMSGSIZE;
	return 0;
}

static int put_names(const struct conn_visit *visit,
		     const struct mrc_sock *msk)
{
	struct sk_buff *skb = visit->skb;

	if (mrc_nl_conn_put_socket(skb, visit->cb, mrc_conn_sk(msk),
				   msk->public_id, msk->server) ||
	    nla_put_u32(skb, MRC_A_CONN_PATHS, msk->npaths) ||
	    nla_put_u32(skb, MRC_A_CONN_MSS, msk->mss) ||
	    nla_put_u8(skb, MRC_A_CONN_CLASS, msk->opts.class) ||
	    (msk->rate_ops &&
	     nla_put_string(skb, MRC_A_CONN_RATE, msk->rate_ops->name)) ||
	    (msk->sched &&
	     nla_put_string(skb, MRC_A_CONN_SCHED, msk->sched->name)))
		return -EMSGSIZE;
	return 0;
}

static int put_u64(struct sk_buff *skb, int type, u64 value)
{
	return nla_put_u64_64bit(skb, type, value, MRC_A_CONN_PAD);
}

/* A FIN takes one offset; it is no byte that anybody could read. */
static u64 readable(const struct mrc_sock *msk)
{
	u64 end = min(msk->rxq.nxt, msk->rxq.fin);

	return end > msk->copied ? end - msk->copied : 0;
}

static int put_figures(struct sk_buff *skb, const struct mrc_sock *msk)
{
	const struct mrc_txq *txq = &msk->txq;
	u64 window = msk->peer_window > txq->nxt ?
		     msk->peer_window - txq->nxt : 0;

	if (put_u64(skb, MRC_A_CONN_SND_QUEUE, txq->end - txq->una) ||
	    put_u64(skb, MRC_A_CONN_UNSENT, mrc_txq_unsent_bytes(txq)) ||
	    put_u64(skb, MRC_A_CONN_SND_WINDOW, window) ||
	    put_u64(skb, MRC_A_CONN_RCV_QUEUE, readable(msk)) ||
	    put_u64(skb, MRC_A_CONN_REORDER_QUEUE, msk->rxq.bytes) ||
	    put_u64(skb, MRC_A_CONN_SENT_BYTES, msk->sent_bytes) ||
	    put_u64(skb, MRC_A_CONN_ACKED_BYTES,
		    min(txq->una, msk->sent_bytes)) ||
	    put_u64(skb, MRC_A_CONN_RECEIVED_BYTES, msk->received_bytes))
		return -EMSGSIZE;
	return 0;
}

static int put_listen(struct sk_buff *skb, const struct mrc_sock *msk)
{
	struct sock *sk = mrc_conn_sk(msk);

	if (nla_put_u32(skb, MRC_A_CONN_ACCEPT_QUEUE,
			READ_ONCE(sk->sk_ack_backlog)) ||
	    nla_put_u32(skb, MRC_A_CONN_BACKLOG,
			READ_ONCE(sk->sk_max_ack_backlog)))
		return -EMSGSIZE;
	return 0;
}

/* Caller holds the socket lock. */
static int put_conn(const struct conn_visit *visit, const struct mrc_sock *msk)
{
	struct sk_buff *skb = visit->skb;
	void *hdr = mrc_netlink_put(skb, visit->cb, MRC_CMD_CONN_GET);
	int err;

	if (!hdr)
		return -EMSGSIZE;
	err = put_names(visit, msk);
	if (!err)
		err = mrc_conn_sk(msk)->sk_state == TCP_LISTEN ?
		      put_listen(skb, msk) : put_figures(skb, msk);
	if (err)
		genlmsg_cancel(skb, hdr);
	else
		genlmsg_end(skb, hdr);
	return err;
}

/*
 * Non-zero: @arg's buffer is full, this one comes with the next. A socket that
 * has meanwhile left the table it was found in is passed over.
 */
static int visit_conn(struct mrc_sock *msk, void *arg)
{
	struct sock *sk = mrc_conn_sk(msk);
	int err = 0;

	lock_sock(sk);
	if (sk->sk_state == TCP_LISTEN || !hlist_unhashed(&msk->cid_node))
		err = put_conn(arg, msk);
	release_sock(sk);
	return err;
}

/* Takes a reference to listener number @skip of @bucket; NULL: none. */
static struct mrc_sock *find_listener(struct mrc_net *mn, u32 bucket, u32 skip)
{
	struct mrc_sock *msk, *found = NULL;

	spin_lock_bh(&mn->port_lock);
	hlist_for_each_entry(msk, &mn->listeners[bucket], listen_node) {
		if (skip) {
			skip--;
			continue;
		}
		if (refcount_inc_not_zero(&mrc_conn_sk(msk)->sk_refcnt)) {
			found = msk;
			break;
		}
	}
	spin_unlock_bh(&mn->port_lock);
	return found;
}

/* Non-zero: the buffer is full. */
static int dump_listeners(struct mrc_net *mn, struct conn_visit *visit)
{
	struct conn_dump *ctx = (void *)visit->cb->ctx;
	struct mrc_sock *msk;
	int err;

	while (ctx->port_bucket < MRC_PORT_BUCKETS) {
		msk = find_listener(mn, ctx->port_bucket, ctx->port_skip);
		if (!msk) {
			ctx->port_bucket++;
			ctx->port_skip = 0;
			cond_resched();
			continue;
		}
		err = visit_conn(msk, visit);
		sock_put(mrc_conn_sk(msk));
		if (err)
			return err;
		ctx->port_skip++;
	}
	return 0;
}

/* The request names one connection. */
static int dump_one(struct conn_visit *visit, u64 id)
{
	struct conn_dump *ctx = (void *)visit->cb->ctx;
	struct mrc_sock *msk;

	msk = mrc_conn_find_public(sock_net(visit->skb->sk), id);
	if (!msk && mrc_nl_fallback_dump_one(visit->skb, visit->cb, id)) {
		ctx->done = true;
		return visit->skb->len;
	}
	if (!msk) {
		NL_SET_ERR_MSG(visit->cb->extack,
			       "no connection has this id");
		return -ENOENT;
	}
	ctx->done = !visit_conn(msk, visit);
	sock_put(mrc_conn_sk(msk));
	return visit->skb->len;
}

/**
 * mrc_nl_conn_get_dumpit() - list sockets, or show one connection
 * @skb: message to fill
 * @cb: dump
 *
 * Context: process, generic netlink lock held; takes socket locks.
 * Return: bytes in @skb; 0: the end; or a negative errno with extack set.
 */
int mrc_nl_conn_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct nlattr *cid = genl_dumpit_info(cb)->attrs[MRC_A_CONN_ID];
	struct net *net = sock_net(skb->sk);
	struct conn_dump *ctx = (void *)cb->ctx;
	struct conn_visit visit = { .skb = skb, .cb = cb };

	BUILD_BUG_ON(sizeof(*ctx) > sizeof(cb->ctx));
	if (ctx->done)
		return 0;
	if (cid)
		return dump_one(&visit, nla_get_u64(cid));
	if (!dump_listeners(mrc_net_ns_get(net), &visit))
		ctx->done = !mrc_conn_walk(net, &ctx->bucket, &ctx->skip,
					   visit_conn, &visit) &&
			    !mrc_nl_fallback_dump(skb, cb, &ctx->fallbacks);
	return skb->len;
}
