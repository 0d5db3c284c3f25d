// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses told to the peer (ADDR), repeated until it has them (ADDR_ACK).
 *
 * Socket lock held.
 */
#include "conn/conn.h"
#include "conn/control.h"
#include "conn/conn_service.h"
#include "observe/mib.h"
#include "path/endpoint.h"
#include "path/path_object.h"
#include "path/udp.h"
#include "reliable/seq.h"
#include "socket/name.h"
#include "wire/build.h"
#include "wire/parse.h"

static void send_addr(struct mrc_sock *msk, struct mrc_path *path,
		      const struct mrc_conn_announce *ann)
{
	struct mrc_wire_addr msg = {};

	mrc_build_hdr(&msg.hdr, MRC_WIRE_ADDR, 0, path->id, ann->serial,
		      msk->remote_cid);
	msg.op = ann->op;
	msg.family = ann->addr.family == AF_INET ? 4 : 6;
	msg.flags = ann->backup ? MRC_WIRE_JOIN_BACKUP : 0;
	memcpy(msg.addr, ann->addr.ip, sizeof(msg.addr));
	mrc_control_sign_send(path, &msg, sizeof(msg));
}

/**
 * mrc_path_addr_service() - send what the peer has not acknowledged
 * @msk: connection
 * @now: ktime_get_ns()
 */
void mrc_path_addr_service(struct mrc_sock *msk, u64 now)
{
	struct mrc_path *path = mrc_path_best(msk, msk->ack_path);
	bool waiting = false;
	u64 gap;
	int i;

	msk->announce_next_ns = now + MRC_JOIN_RTO_MAX_NS;
	if (!path)
		return;
	msk->announce_next_ns = 0;
	for (i = 0; i < msk->nannounces; i++) {
		if (msk->announces[i].acked)
			continue;
		send_addr(msk, path, &msk->announces[i]);
		waiting = true;
	}
	if (!waiting)
		return;
	gap = max_t(u64, mrc_rtt_silence_ns(&path->rtt), MRC_PROBE_MIN_NS);
	gap <<= min(msk->announce_tries++, 8U);
	msk->announce_next_ns = now + min_t(u64, gap, MRC_JOIN_RTO_MAX_NS);
}

static struct mrc_conn_announce *find_announce(struct mrc_sock *msk, u32 id)
{
	int i;

	for (i = 0; i < msk->nannounces; i++)
		if (msk->announces[i].endpoint_id == id)
			return &msk->announces[i];
	return NULL;
}

static void set_announce(struct mrc_sock *msk, struct mrc_conn_announce *ann,
			 u8 op)
{
	ann->op = op;
	ann->serial = ++msk->addr_serial;
	ann->acked = false;
	msk->announce_tries = 0;
	msk->announce_next_ns = 1;
}

/* Slot for a new announcement; one that the peer knows to be gone is reused. */
static struct mrc_conn_announce *new_announce(struct mrc_sock *msk)
{
	int i;

	for (i = 0; i < msk->nannounces; i++)
		if (msk->announces[i].acked &&
		    msk->announces[i].op == MRC_WIRE_ADDR_DEL)
			return &msk->announces[i];
	if (msk->nannounces == MRC_ADDRS_MAX)
		return NULL;
	return &msk->announces[msk->nannounces++];
}

static void withdraw_gone(struct mrc_sock *msk)
{
	const struct mrc_endpoint *ep;
	struct mrc_conn_announce *ann;
	bool found;
	int i;

	for (i = 0; i < msk->nannounces; i++) {
		ann = &msk->announces[i];
		if (ann->op != MRC_WIRE_ADDR_ADD)
			continue;
		found = false;
		list_for_each_entry_rcu(ep, &msk->mn->endpoints, node)
			found |= ep->id == ann->endpoint_id;
		if (!found)
			set_announce(msk, ann, MRC_WIRE_ADDR_DEL);
	}
}

/**
 * mrc_path_addr_announce() - tell the peer what has changed in our endpoints
 * @msk: connection; the messages leave with the next service
 */
void mrc_path_addr_announce(struct mrc_sock *msk)
{
	const struct mrc_endpoint *ep;
	struct mrc_conn_announce *ann;
	struct mrc_addr local, remote;

	mrc_name_ends(mrc_conn_sk(msk), &local, &remote);
	rcu_read_lock();
	withdraw_gone(msk);
	list_for_each_entry_rcu(ep, &msk->mn->endpoints, node) {
		if (!(ep->flags & MRC_ENDPOINT_ANNOUNCE) ||
		    find_announce(msk, ep->id))
			continue;
		/* The peer knows the address that it connected to. */
		if (mrc_addr_same_ip(&ep->addr, &local))
			continue;
		ann = new_announce(msk);
		if (!ann)
			break;
		ann->addr = ep->addr;
		ann->endpoint_id = ep->id;
		ann->backup = ep->flags & MRC_ENDPOINT_BACKUP;
		set_announce(msk, ann, MRC_WIRE_ADDR_ADD);
	}
	rcu_read_unlock();
	mrc_conn_timer_update(msk);
}

/* Paths to an address that the peer has withdrawn, except the last good one. */
static void drop_paths_to(struct mrc_sock *msk, const struct mrc_addr *addr)
{
	struct mrc_path *path;
	int i;

	for (i = msk->npaths - 1; i >= 0; i--) {
		path = msk->path[i];
		if (!mrc_addr_same_ip(&path->remote, addr) ||
		    msk->npaths == 1 || (path->state == MRC_PATH_GOOD &&
		     mrc_path_count(msk, MRC_PATH_GOOD) < 2))
			continue;
		mrc_path_remove(path, MRC_REASON_PEER);
	}
}

/* Entry of an address, new if need be; NULL: no room. */
static struct mrc_conn_remote *find_remote(struct mrc_sock *msk,
					   const struct mrc_addr *addr)
{
	u32 max = min_t(u32, READ_ONCE(msk->mn->limits.max_announced) + 1,
			MRC_ADDRS_MAX);
	struct mrc_conn_remote *remote, *gone = NULL;
	int i;

	for (i = 0; i < msk->nremotes; i++) {
		remote = &msk->remotes[i];
		if (mrc_addr_same_ip(&remote->addr, addr))
			return remote;
		if (remote->gone)
			gone = remote;
	}
	if (msk->nremotes < max)
		gone = &msk->remotes[msk->nremotes++];
	if (gone)
		*gone = (struct mrc_conn_remote) {
			.addr = *addr,
			.gone = true,
		};
	return gone;
}

/* A repetition that was overtaken by a later change must not undo it. */
static void take_remote(struct mrc_sock *msk,
			const struct mrc_parse_addr *told)
{
	struct mrc_conn_remote *remote;
	struct mrc_addr addr;

	mrc_addr_set(&addr, told->version == 4 ? AF_INET : AF_INET6, told->ip,
		     0);
	/* What we cannot reach is acknowledged, and forgotten. */
	if (!mrc_udp_ops(addr.family))
		return;
	remote = find_remote(msk, &addr);
	if (!remote || mrc_seq_before(told->serial, remote->serial))
		return;
	remote->serial = told->serial;
	remote->gone = told->op == MRC_WIRE_ADDR_DEL;
	remote->backup = told->backup;
	if (remote->gone)
		drop_paths_to(msk, &addr);
}

static void rcv_announce(struct mrc_sock *msk, struct mrc_path *path,
			 const struct mrc_wire_addr *msg,
			 const struct mrc_parse_addr *told)
{
	struct mrc_wire_addr ack = *msg;
	u16 path_id = path->id;

	take_remote(msk, told);
	path = mrc_path_best(msk, path_id);
	if (!path)
		return;
	mrc_build_hdr(&ack.hdr, MRC_WIRE_ADDR_ACK, 0, path->id, told->serial,
		      msk->remote_cid);
	mrc_control_sign_send(path, &ack, sizeof(ack));
	mrc_path_manage(msk);
}

/**
 * mrc_path_addr_rcv() - ADDR or ADDR_ACK has arrived, MAC verified
 * @msk: connection
 * @path: path on which it arrived
 * @msg: the message
 */
void mrc_path_addr_rcv(struct mrc_sock *msk, struct mrc_path *path,
		       const struct mrc_wire_addr *msg)
{
	struct mrc_parse_addr told;
	int i;

	if (mrc_parse_addr(msg, &told)) {
		MRC_INC_STATS(msk->mn, RxValue);
		return;
	}
	if ((msg->hdr.type & 0x1f) == MRC_WIRE_ADDR) {
		rcv_announce(msk, path, msg, &told);
		return;
	}
	for (i = 0; i < msk->nannounces; i++)
		if (msk->announces[i].serial == told.serial)
			msk->announces[i].acked = true;
}
