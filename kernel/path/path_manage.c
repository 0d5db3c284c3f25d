// SPDX-License-Identifier: GPL-2.0
/*
 * Which paths a connection should have.
 *
 * The connecting side opens them: from each endpoint with the flag
 * "initiate" to each known address of the peer, where the route from the
 * endpoint leaves by the endpoint's own device. (A path whose packets left by
 * another device would add load there, not capacity.) The accepting side
 * announces its endpoints. Without endpoints the connection keeps the one
 * path that routing gave it.
 *
 * Socket lock held.
 */
#include "conn/conn.h"
#include "path/endpoint.h"
#include "path/path_object.h"
#include "path/udp.h"
#include "wire/format.h"

static void try_pair(struct mrc_sock *msk, const struct mrc_endpoint *ep,
		     const struct mrc_conn_remote *peer, u64 now)
{
	struct mrc_addr local = ep->addr;
	struct mrc_addr remote = peer->addr;
	struct mrc_path *path;

	/* A link-local address is met only by the path that came with it. */
	if (peer->gone || local.family != remote.family ||
	    mrc_addr_is_link_local(&remote) ||
	    msk->npaths >= READ_ONCE(msk->mn->limits.max_paths))
		return;
	path = mrc_path_find_addrs(msk, &local, &remote);
	if (path) {
		path->endpoint_id = ep->id;
		return;
	}
	local.port = mrc_path_new_port();
	remote.port = msk->mn->udp_port;
	if (!mrc_udp_routable(msk->mn, &local, &remote, ep->ifindex,
			      mrc_conn_sk(msk)->sk_mark))
		return;
	path = mrc_path_create(msk, mrc_path_new_id(msk), &local, &remote,
			       GFP_ATOMIC);
	if (IS_ERR(path))
		return;
	path->ifindex = ep->ifindex;
	path->endpoint_id = ep->id;
	path->backup = (ep->flags & MRC_ENDPOINT_BACKUP) || peer->backup;
	mrc_path_join_start(path, now);
}

static bool endpoint_exists(struct mrc_net *mn, u32 id)
{
	const struct mrc_endpoint *ep;
	bool found = false;

	rcu_read_lock();
	list_for_each_entry_rcu(ep, &mn->endpoints, node)
		found |= ep->id == id;
	rcu_read_unlock();
	return found;
}

/* Paths of deleted endpoints go, except the last one and the last good
 * one.
 */
static void drop_orphans(struct mrc_sock *msk)
{
	struct mrc_path *path;
	int i;

	for (i = msk->npaths - 1; i >= 0; i--) {
		path = msk->path[i];
		if (!path->endpoint_id ||
		    endpoint_exists(msk->mn, path->endpoint_id))
			continue;
		if (msk->npaths == 1 ||
		    (path->state == MRC_PATH_GOOD &&
		     mrc_path_count(msk, MRC_PATH_GOOD) < 2)) {
			/* It stays, now as the path that routing gave. */
			path->endpoint_id = 0;
			continue;
		}
		mrc_path_remove(path, MRC_REASON_ADMIN);
	}
}

/**
 * mrc_path_remove() - take a path away and tell the peer
 * @path: path; what is out on it is sent again on others
 * @reason: why
 */
void mrc_path_remove(struct mrc_path *path, enum mrc_path_reason reason)
{
	struct mrc_sock *msk = path->msk;
	u16 id = path->id;

	if (path->state != MRC_PATH_ASSUMED_BAD)
		mrc_path_state_set(path, MRC_PATH_ASSUMED_BAD, reason);
	mrc_path_free(path);
	mrc_path_send_status(msk, id, MRC_WIRE_PATH_GONE, MRC_WIRE_R_REMOVED);
}

/**
 * mrc_path_manage() - bring the paths in line with the endpoints
 * @msk: connection
 */
void mrc_path_manage(struct mrc_sock *msk)
{
	const struct mrc_endpoint *ep;
	u64 now = ktime_get_ns();
	int i;

	if (!((1 << mrc_conn_sk(msk)->sk_state) &
	      (TCPF_ESTABLISHED | TCPF_CLOSE_WAIT | TCPF_FIN_WAIT1 |
	       TCPF_FIN_WAIT2 | TCPF_LAST_ACK | TCPF_CLOSING)) ||
	    !msk->confirmed)
		return;
	drop_orphans(msk);
	if (msk->server) {
		mrc_path_addr_announce(msk);
		return;
	}
	rcu_read_lock();
	list_for_each_entry_rcu(ep, &msk->mn->endpoints, node) {
		if (!(ep->flags & MRC_ENDPOINT_INITIATE))
			continue;
		for (i = 0; i < msk->nremotes; i++)
			try_pair(msk, ep, &msk->remotes[i], now);
	}
	rcu_read_unlock();
}
