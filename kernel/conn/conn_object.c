// SPDX-License-Identifier: GPL-2.0
/*
 * Connections: initial values and the tables in which they are found.
 *
 * Two tables of the whole machine, keyed by namespace and id: by our own id
 * (every packet) and by the peer's (RESET). Readers use RCU and take a
 * reference; writers hold the lock of the bucket group, inside the socket
 * lock, BHs off. A hashed connection holds one reference to itself.
 */
#include <linux/hash.h>
#include <linux/random.h>
#include <linux/vmalloc.h>
#include <net/netns/hash.h>
#include "conn/conn.h"
#include "socket/socket.h"

#define TABLE_BITS	14
#define TABLE_SIZE	BIT(TABLE_BITS)
#define TABLE_LOCKS	64

static struct hlist_head *by_local;
static struct hlist_head *by_remote;
static spinlock_t table_lock[TABLE_LOCKS];

static u32 bucket_of(const struct net *net, u64 cid)
{
	return hash_64(cid ^ net_hash_mix(net), TABLE_BITS);
}

static spinlock_t *lock_of(u32 bucket)
{
	return &table_lock[bucket % TABLE_LOCKS];
}

/**
 * mrc_conn_table_init() - allocate the tables
 *
 * Context: process, module load.
 * Return: 0 or -ENOMEM.
 */
int mrc_conn_table_init(void)
{
	int i;

	by_local = kvcalloc(2 * TABLE_SIZE, sizeof(*by_local), GFP_KERNEL);
	if (!by_local)
		return -ENOMEM;
	by_remote = by_local + TABLE_SIZE;
	for (i = 0; i < TABLE_LOCKS; i++)
		spin_lock_init(&table_lock[i]);
	return 0;
}

/**
 * mrc_conn_table_exit() - free the tables
 *
 * Context: process, module unload; no connection is left.
 */
void mrc_conn_table_exit(void)
{
	kvfree(by_local);
}

/**
 * mrc_conn_new_cid() - choose a connection id
 *
 * Return: random, never 0.
 */
u64 mrc_conn_new_cid(void)
{
	u64 cid;

	do {
		cid = get_random_u64();
	} while (!cid);
	return cid;
}

/**
 * mrc_conn_new_public_id() - choose a name for tools
 *
 * Return: a number that was not used before, never 0.
 */
u64 mrc_conn_new_public_id(void)
{
	static atomic64_t last_id = ATOMIC64_INIT(0);

	return atomic64_inc_return(&last_id);
}

/**
 * mrc_conn_init() - initial values of a connection
 * @msk: mrc_sock.mn is set, the rest of the connection is zero
 *
 * For a new socket, and again when connect() has failed or was undone: then
 * the port, the timer and the table nodes (unhashed) stay as they are.
 */
void mrc_conn_init(struct mrc_sock *msk)
{
	u64 now = ktime_get_ns();

	mrc_txq_init(&msk->txq, 0);
	mrc_chunk_ops(&msk->txq);
	mrc_rxq_init(&msk->rxq, 0, 0);
	INIT_LIST_HEAD(&msk->accept_node);
	INIT_LIST_HEAD(&msk->accept_queue);
	msk->public_id = mrc_conn_new_public_id();
	msk->sched = msk->mn->sched;
	msk->rate_ops = msk->mn->rate;
	msk->sched_last = -1;
	msk->progress_ns = now;
	msk->rcvq_ns = now;
	msk->mss = MRC_MSS_MIN;
	msk->idle = true;
	msk->rcv_ratio = 128;
}

/* Lock of the bucket held. */
static bool in_bucket(const struct net *net, u32 bucket, u64 cid)
{
	const struct mrc_sock *msk;

	hlist_for_each_entry(msk, &by_local[bucket], cid_node)
		if (msk->local_cid == cid &&
		    net_eq(sock_net(mrc_conn_sk(msk)), net))
			return true;
	return false;
}

/**
 * mrc_conn_hash() - make a connection findable
 * @msk: connection with its ids set; @msk->remote_cid may still be 0
 *
 * Called again when the peer's id has become known.
 *
 * Context: socket lock held.
 * Return: 0, or -EEXIST when another connection has this id (two copies of
 * one OPEN, taken by two listeners at once).
 */
int mrc_conn_hash(struct mrc_sock *msk)
{
	struct net *net = sock_net(mrc_conn_sk(msk));
	u32 bucket;
	bool added;

	if (hlist_unhashed(&msk->cid_node)) {
		bucket = bucket_of(net, msk->local_cid);
		sock_hold(mrc_conn_sk(msk));
		spin_lock_bh(lock_of(bucket));
		added = !in_bucket(net, bucket, msk->local_cid);
		if (added)
			hlist_add_head_rcu(&msk->cid_node, &by_local[bucket]);
		spin_unlock_bh(lock_of(bucket));
		if (!added) {
			__sock_put(mrc_conn_sk(msk));
			return -EEXIST;
		}
		atomic_inc(&msk->mn->conns);
	}
	if (msk->remote_cid && hlist_unhashed(&msk->remote_node)) {
		bucket = bucket_of(net, msk->remote_cid);
		spin_lock_bh(lock_of(bucket));
		hlist_add_head_rcu(&msk->remote_node, &by_remote[bucket]);
		spin_unlock_bh(lock_of(bucket));
	}
	return 0;
}

/**
 * mrc_conn_unhash() - no packet finds the connection any more
 * @msk: connection; drops the reference of the table
 *
 * Context: socket lock held; the caller has a reference of its own.
 */
void mrc_conn_unhash(struct mrc_sock *msk)
{
	struct net *net = sock_net(mrc_conn_sk(msk));
	u32 bucket;

	if (!hlist_unhashed(&msk->remote_node)) {
		bucket = bucket_of(net, msk->remote_cid);
		spin_lock_bh(lock_of(bucket));
		hlist_del_init_rcu(&msk->remote_node);
		spin_unlock_bh(lock_of(bucket));
	}
	if (!hlist_unhashed(&msk->cid_node)) {
		bucket = bucket_of(net, msk->local_cid);
		spin_lock_bh(lock_of(bucket));
		hlist_del_init_rcu(&msk->cid_node);
		spin_unlock_bh(lock_of(bucket));
		atomic_dec(&msk->mn->conns);
		__sock_put(mrc_conn_sk(msk));
	}
}

/**
 * mrc_conn_find() - connection by our id
 * @net: namespace
 * @cid: id in a received packet
 *
 * Context: RCU read side held.
 * Return: connection with a reference that the caller puts, or NULL.
 */
struct mrc_sock *mrc_conn_find(struct net *net, u64 cid)
{
	struct mrc_sock *msk;

	hlist_for_each_entry_rcu(msk, &by_local[bucket_of(net, cid)],
				 cid_node) {
		if (msk->local_cid == cid &&
		    net_eq(sock_net(mrc_conn_sk(msk)), net) &&
		    refcount_inc_not_zero(&mrc_conn_sk(msk)->sk_refcnt))
			return msk;
	}
	return NULL;
}

/**
 * mrc_conn_find_remote() - connection by the peer's id
 * @net: namespace
 * @remote_cid: id that the peer chose for itself
 *
 * Context: RCU read side held.
 * Return: connection with a reference that the caller puts, or NULL.
 */
struct mrc_sock *mrc_conn_find_remote(struct net *net, u64 remote_cid)
{
	u32 bucket = bucket_of(net, remote_cid);
	struct mrc_sock *msk;

	hlist_for_each_entry_rcu(msk, &by_remote[bucket], remote_node) {
		if (msk->remote_cid == remote_cid &&
		    net_eq(sock_net(mrc_conn_sk(msk)), net) &&
		    refcount_inc_not_zero(&mrc_conn_sk(msk)->sk_refcnt))
			return msk;
	}
	return NULL;
}

/**
 * mrc_conn_find_public() - connection by the name that tools know it by
 * @net: namespace
 * @id: mrc_sock.public_id
 *
 * Looks at every connection: no packet asks for this.
 *
 * Context: process.
 * Return: connection with a reference that the caller puts, or NULL.
 */
struct mrc_sock *mrc_conn_find_public(struct net *net, u64 id)
{
	struct mrc_sock *msk;
	u32 bucket;

	rcu_read_lock();
	for (bucket = 0; bucket < TABLE_SIZE; bucket++) {
		hlist_for_each_entry_rcu(msk, &by_local[bucket], cid_node) {
			if (msk->public_id == id &&
			    net_eq(sock_net(mrc_conn_sk(msk)), net) &&
			    refcount_inc_not_zero(&mrc_conn_sk(msk)->sk_refcnt))
				goto out;
		}
	}
	msk = NULL;
out:
	rcu_read_unlock();
	return msk;
}

/* Takes a reference to entry number @skip of @bucket; NULL: no such entry. */
static struct mrc_sock *nth(struct net *net, u32 bucket, u32 skip)
{
	struct mrc_sock *msk, *found = NULL;

	rcu_read_lock();
	hlist_for_each_entry_rcu(msk, &by_local[bucket], cid_node) {
		if (!net_eq(sock_net(mrc_conn_sk(msk)), net) || skip--)
			continue;
		/* One that is going away counts, and is passed over. */
		if (refcount_inc_not_zero(&mrc_conn_sk(msk)->sk_refcnt)) {
			found = msk;
			break;
		}
	}
	rcu_read_unlock();
	return found;
}

/**
 * mrc_conn_walk() - visit every connection of a namespace
 * @net: namespace
 * @bucket: where to begin; 0 at first; set to where the visit stopped
 * @skip: entries of @bucket already visited; likewise
 * @visit: called with a reference, without the socket lock; may sleep;
 *	returns non-zero to stop, then the connection is visited again by the
 *	next call
 * @arg: for @visit
 *
 * Connections that come or go meanwhile may be missed or seen twice.
 *
 * Context: process.
 * Return: what the last @visit returned; 0: all were visited.
 */
int mrc_conn_walk(struct net *net, u32 *bucket, u32 *skip,
		  int (*visit)(struct mrc_sock *msk, void *arg), void *arg)
{
	struct mrc_sock *msk;
	int ret;

	for (; *bucket < TABLE_SIZE; (*bucket)++, *skip = 0) {
		if (hlist_empty(&by_local[*bucket]))
			continue;
		while ((msk = nth(net, *bucket, *skip))) {
			ret = visit(msk, arg);
			sock_put(mrc_conn_sk(msk));
			if (ret)
				return ret;
			(*skip)++;
		}
	}
	return 0;
}
