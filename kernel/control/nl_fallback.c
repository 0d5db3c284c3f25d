// SPDX-License-Identifier: GPL-2.0
/*
 * Netlink view of connections that go over TCP: those of sockets of AF_MRC
 * that have fallen back, and TCP clients of its listeners. Found in
 * mrc_net.fallbacks, under mrc_net.fallback_lock; figures are read under the
 * lock of the TCP socket. Called by nl_conn.c, process context.
 */
#include "conn/conn.h"
#include "control/netlink.h"
#include "control/nl_conn.h"
#include "socket/socket.h"

/**
 * struct found - a connection over TCP
 * @sk: TCP socket, with a reference
 * @id: its name
 * @reason: enum mrc_fallback_reason
 */
struct found {
	struct sock *sk;
	u64 id;
	u8 reason;
};

/* Entry number @skip of the list, or, unless it is 0, the one named @id. */
static bool find(struct net *net, u32 skip, u64 id, struct found *found)
{
	struct mrc_net *mn = mrc_net_ns_get(net);
	struct mrc_fallback *fb;
	bool ok = false;

	spin_lock_bh(&mn->fallback_lock);
	list_for_each_entry(fb, &mn->fallbacks, node) {
		if (id ? fb->id != id : skip--)
			continue;
		sock_hold(fb->sk);
		found->sk = fb->sk;
		found->id = fb->id;
		found->reason = fb->reason;
		ok = true;
		break;
	}
	spin_unlock_bh(&mn->fallback_lock);
	return ok;
}

static int put_u64(struct sk_buff *skb, int type, u64 value)
{
	return nla_put_u64_64bit(skb, type, value, MRC_A_CONN_PAD);
}

static int put_figures(struct sk_buff *skb, const struct found *found)
{
	struct mrc_info info;

	mrc_info_fallback_fill(found->sk, found->reason, &info);
	if (nla_put_u8(skb, MRC_A_CONN_FALLBACK, found->reason) ||
	    nla_put_u8(skb, MRC_A_CONN_CLASS, info.conn_class) ||
	    put_u64(skb, MRC_A_CONN_SND_QUEUE, info.snd_queue) ||
	    put_u64(skb, MRC_A_CONN_SND_WINDOW, info.snd_window) ||
	    put_u64(skb, MRC_A_CONN_RCV_QUEUE, info.rcv_queue) ||
	    put_u64(skb, MRC_A_CONN_SENT_BYTES, info.sent_bytes) ||
	    put_u64(skb, MRC_A_CONN_ACKED_BYTES, info.acked_bytes) ||
	    put_u64(skb, MRC_A_CONN_RECEIVED_BYTES, info.received_bytes))
		return -EMSGSIZE;
	return 0;
}

static int put(struct sk_buff *skb, struct netlink_callback *cb,
	       const struct found *found)
{
	void *hdr = mrc_netlink_put(skb, cb, MRC_CMD_CONN_GET);
	int err;

	if (!hdr)
		return -EMSGSIZE;
	lock_sock(found->sk);
	err = mrc_nl_conn_put_socket(skb, cb, found->sk, found->id,
				     found->reason == MRC_FALLBACK_ACCEPTED);
	if (!err)
		err = put_figures(skb, found);
	release_sock(found->sk);
	if (err)
		genlmsg_cancel(skb, hdr);
	else
		genlmsg_end(skb, hdr);
	return err;
}

/**
 * mrc_nl_fallback_dump() - list connections that go over TCP
 * @skb: message to fill
 * @cb: dump
 * @skip: those already sent
 *
 * Context: process; takes socket locks.
 * Return: 0: that was all; -EMSGSIZE: the buffer is full.
 */
int mrc_nl_fallback_dump(struct sk_buff *skb, struct netlink_callback *cb,
			 u32 *skip)
{
	struct found found;
	int err;

	while (find(sock_net(skb->sk), *skip, 0, &found)) {
		err = put(skb, cb, &found);
		sock_put(found.sk);
		if (err)
			return err;
		(*skip)++;
	}
	return 0;
}

/**
 * mrc_nl_fallback_dump_one() - show a connection that goes over TCP
 * @skb: message to fill, empty
 * @cb: dump
 * @id: name of the connection
 *
 * Context: process; takes a socket lock.
 * Return: false: none has this name.
 */
bool mrc_nl_fallback_dump_one(struct sk_buff *skb, struct netlink_callback *cb,
			      u64 id)
{
	struct found found;

	if (!id || !find(sock_net(skb->sk), 0, id, &found))
		return false;
	put(skb, cb, &found);
	sock_put(found.sk);
	return true;
}
