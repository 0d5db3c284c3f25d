// SPDX-License-Identifier: GPL-2.0
/*
 * Paths of a connection: creating, finding, freeing.
 *
 * A connection owns its paths, packed in mrc_sock.path; nothing else keeps a
 * pointer to one. Socket lock held throughout.
 */
#include <linux/random.h>
#include <linux/slab.h>
#include "conn/conn.h"
#include "conn/output.h"
#include "path/path_object.h"
#include "wire/format.h"
#include "path/udp.h"

static struct kmem_cache *path_cache;

/**
 * mrc_path_init() - create the slab cache
 *
 * Return: 0 or -ENOMEM.
 */
int mrc_path_init(void)
{
	path_cache = KMEM_CACHE(mrc_path, SLAB_ACCOUNT);
	return path_cache ? 0 : -ENOMEM;
}

/**
 * mrc_path_exit() - destroy the slab cache; no path is left
 */
void mrc_path_exit(void)
{
	kmem_cache_destroy(path_cache);
}

/**
 * mrc_path_new_port() - choose a UDP source port, the entropy value
 *
 * From the dynamic range (RFC 6335), so that it is never one of a service.
 *
 * Return: port, network order.
 */
__be16 mrc_path_new_port(void)
{
	return htons(0xc000 | (get_random_u32() & 0x3fff));
}

/**
 * mrc_path_new_id() - id for a path that this side opens
 * @msk: connection
 *
 * Clients use even ids, servers odd ones; living ids are passed over.
 *
 * Return: the id.
 */
u16 mrc_path_new_id(struct mrc_sock *msk)
{
	u16 id;

	do {
		id = msk->next_path_id;
		msk->next_path_id += 2;
	} while (mrc_path_find(msk, id));
	return id;
}

/**
 * mrc_path_create() - add a path in state PROBING
 * @msk: connection
 * @id: its number
 * @local: our end
 * @remote: the peer's end
 * @gfp: allocation flags
 *
 * Return: the path, or an error pointer: -ENOSPC (64 paths) or -ENOMEM.
 */
struct mrc_path *mrc_path_create(struct mrc_sock *msk, u16 id,
				 const struct mrc_addr *local,
				 const struct mrc_addr *remote, gfp_t gfp)
{
	struct mrc_path *path;

	if (msk->npaths >= MRC_PATHS_MAX)
		return ERR_PTR(-ENOSPC);
	path = kmem_cache_zalloc(path_cache, gfp);
	if (!path)
		return ERR_PTR(-ENOMEM);
	path->msk = msk;
	path->id = id;
	path->local = *local;
	path->ev = local->port;
	path->remote = *remote;
	path->state = MRC_PATH_PROBING;
	path->peer_mss = MRC_MSS_MAX;
	path->mss = MRC_MSS_MIN;
	mrc_rtt_init(&path->rtt);
	mrc_psn_init(&path->rx.set, 1);
	mrc_inflight_init(&path->inflight, 1, mrc_superframe_record_free);
	mrc_rate_init(&path->rate, msk->rate_ops,
		      path->mss + MRC_WIRE_DATA_LEN, 1);
	msk->path[msk->npaths++] = path;
	return path;
}

/**
 * mrc_path_find() - path by id
 * @msk: connection
 * @id: number on the wire
 *
 * Return: the path, or NULL.
 */
struct mrc_path *mrc_path_find(struct mrc_sock *msk, u16 id)
{
	int i;

	for (i = 0; i < msk->npaths; i++)
		if (msk->path[i]->id == id)
			return msk->path[i];
	return NULL;
}

/**
 * mrc_path_find_addrs() - path by its two IP addresses
 * @msk: connection
 * @local: our address
 * @remote: the peer's address
 *
 * Return: the first such path, or NULL.
 */
struct mrc_path *mrc_path_find_addrs(struct mrc_sock *msk,
				     const struct mrc_addr *local,
				     const struct mrc_addr *remote)
{
	int i;

	for (i = 0; i < msk->npaths; i++)
		if (mrc_addr_same_ip(&msk->path[i]->local, local) &&
		    mrc_addr_same_ip(&msk->path[i]->remote, remote))
			return msk->path[i];
	return NULL;
}

/**
 * mrc_path_free() - take a path out of its connection and free it
 * @path: path; what was out on it must have been given up before
 */
void mrc_path_free(struct mrc_path *path)
{
	struct mrc_sock *msk = path->msk;
	int i;

	for (i = 0; i < msk->npaths; i++)
		if (msk->path[i] == path)
			break;
	msk->npaths--;
	for (; i < msk->npaths; i++)
		msk->path[i] = msk->path[i + 1];
	msk->sched_last = -1;
	mrc_inflight_purge(&path->inflight, &msk->txq);
	dst_release(path->dst);
	kmem_cache_free(path_cache, path);
}

/**
 * mrc_path_free_all() - free every path of a connection
 * @msk: connection
 */
void mrc_path_free_all(struct mrc_sock *msk)
{
	while (msk->npaths)
		mrc_path_free(msk->path[msk->npaths - 1]);
}

/**
 * mrc_path_count() - paths in a state
 * @msk: connection
 * @state: MRC_PATH_*
 *
 * Return: their number.
 */
int mrc_path_count(const struct mrc_sock *msk, u8 state)
{
	int i, n = 0;

	for (i = 0; i < msk->npaths; i++)
		n += msk->path[i]->state == state;
	return n;
}

/**
 * mrc_path_best() - path for a control packet or an ACK
 * @msk: connection
 * @preferred: id of the path to take if it is good
 *
 * Return: the preferred path if good, else the good one with the shortest
 * RTT, else the one that was heard last; NULL: none has ever worked.
 */
struct mrc_path *mrc_path_best(struct mrc_sock *msk, u16 preferred)
{
	struct mrc_path *path, *good = NULL, *heard = NULL;
	int i;

	for (i = 0; i < msk->npaths; i++) {
		path = msk->path[i];
		if (path->state == MRC_PATH_GOOD && path->id == preferred)
			return path;
		if (path->state == MRC_PATH_GOOD &&
		    (!good || path->rtt.srtt_us < good->rtt.srtt_us))
			good = path;
		if (path->state != MRC_PATH_PROBING &&
		    (!heard || path->rx.heard_ns > heard->rx.heard_ns))
			heard = path;
	}
	return good ?: heard;
}

/**
 * mrc_path_cap_rate() - SO_MAX_PACING_RATE, shared by the good paths
 * @path: path
 */
void mrc_path_cap_rate(struct mrc_path *path)
{
	unsigned long cap = READ_ONCE(mrc_conn_sk(path->msk)->sk_max_pacing_rate);
	int good = mrc_path_count(path->msk, MRC_PATH_GOOD);

	path->rate.max_pacing = cap == ~0UL ? U64_MAX : cap / max(good, 1);
}

/**
 * mrc_path_update_mss() - payload size for data written from now on
 * @msk: connection
 *
 * The smallest of the good paths, so that every packet fits every path.
 */
void mrc_path_update_mss(struct mrc_sock *msk)
{
	u16 mss = 0;
	int i;

	for (i = 0; i < msk->npaths; i++)
		if (msk->path[i]->state == MRC_PATH_GOOD &&
		    (!mss || msk->path[i]->mss < mss))
			mss = msk->path[i]->mss;
	if (mss)
		msk->mss = mss;
}
