// SPDX-License-Identifier: GPL-2.0
/*
 * Writing into the send queue: which chunk takes the next bytes.
 *
 * A stream fills the last chunk up, then begins another. A message goes in
 * whole or not at all, and no packet holds bytes of two of them; small ones
 * of equal size share a chunk, and with it a superframe. Called by send.c and
 * message.c; guarded by the socket lock.
 */
#include <linux/mm.h>
#include <linux/uio.h>
#include "socket/room.h"
#include "wire/format.h"

/* A new chunk with its first packets, of @mss payload bytes each. */
static int begin(struct mrc_sock *msk, u32 mss, struct page_frag *pfrag,
		 struct iov_iter *from, struct mrc_chunk **chunk)
{
	struct sock *sk = mrc_conn_sk(msk);
	u32 packets;
	int bytes;

	*chunk = mrc_chunk_alloc(msk, sk->sk_allocation);
	if (!*chunk)
		return -ENOBUFS;
	(*chunk)->mss = mss;
	bytes = mrc_chunk_append(msk, *chunk, pfrag, from, &packets);
	if (bytes < 0) {
		mrc_chunk_free(&msk->txq, *chunk);
		return bytes;
	}
	(*chunk)->len = bytes;
	(*chunk)->npackets = packets;
	mrc_txq_add(&msk->txq, *chunk);
	return bytes;
}

/* The chunk that may still take packets of this size, or NULL. */
static struct mrc_chunk *open_chunk(struct mrc_sock *msk, u32 mss)
{
	struct mrc_chunk *chunk = mrc_txq_last(&msk->txq);

	if (!chunk || chunk->flags & (MRC_CHUNK_FIN | MRC_CHUNK_FULL))
		return NULL;
	if (chunk->mss == mss && chunk->sent < chunk->npackets)
		return chunk;
	chunk->flags |= MRC_CHUNK_FULL;
	return NULL;
}

/* Pages for a new packet; *chunk becomes NULL when it cannot take it. */
static int make_room(struct mrc_sock *msk, u32 mss, struct mrc_chunk **chunk,
		     struct page_frag *pfrag)
{
	if (!mrc_page_refill(mrc_conn_sk(msk), pfrag, MRC_WIRE_DATA_LEN + mss))
		return -ENOBUFS;
	if (*chunk && mrc_chunk_is_last(*chunk, pfrag))
		return 0;
	pfrag->offset = ALIGN(pfrag->offset, MRC_PAGE_ALIGN);
	if (*chunk && (*chunk)->nfrags == MRC_CHUNK_FRAGS) {
		(*chunk)->flags |= MRC_CHUNK_FULL;
		*chunk = NULL;
	}
	return 0;
}

/**
 * mrc_chunk_close() - nothing more will be written to the last chunk
 * @msk: connection
 *
 * Its last packet, however short, waits for nothing then.
 *
 * Context: socket lock held.
 */
void mrc_chunk_close(struct mrc_sock *msk)
{
	struct mrc_chunk *chunk = mrc_txq_last(&msk->txq);

	if (chunk)
		chunk->flags |= MRC_CHUNK_FULL;
}

/**
 * mrc_chunk_write() - copy the next bytes of a write into the send queue
 * @msk: connection
 * @from: user data, at least one byte
 * @full: set when the chunk that took the bytes is complete
 *
 * Context: process, socket lock held.
 * Return: bytes taken, at most what one chunk holds; -ENOBUFS: no memory, or as much as
 * the send buffer allows is queued; -EFAULT: nothing was changed.
 */
int mrc_chunk_write(struct mrc_sock *msk, struct iov_iter *from, bool *full)
{
	struct page_frag *pfrag = sk_page_frag(mrc_conn_sk(msk));
	struct mrc_chunk *chunk = open_chunk(msk, msk->mss);
	u32 packets;
	int bytes;

	sock_owned_by_me(mrc_conn_sk(msk));
	*full = false;
	if (chunk) {
		bytes = mrc_chunk_extend(msk, chunk, from);
		if (bytes)
			goto out;
		if (!mrc_chunk_has_room(chunk)) {
			chunk->flags |= MRC_CHUNK_FULL;
			chunk = NULL;
		}
	}
	if (!sk_stream_memory_free(mrc_conn_sk(msk)))
		return -ENOBUFS;
	bytes = make_room(msk, msk->mss, &chunk, pfrag);
	if (bytes)
		return bytes;
	if (!chunk) {
		bytes = begin(msk, msk->mss, pfrag, from, &chunk);
	} else {
		bytes = mrc_chunk_append(msk, chunk, pfrag, from, &packets);
		if (bytes > 0)
			mrc_txq_grow(&msk->txq, chunk, bytes, packets);
	}
out:
	/* A short last packet may still grow, a full one closes the chunk. */
	if (bytes > 0 && !(chunk->len % chunk->mss) && !mrc_chunk_has_room(chunk)) {
		chunk->flags |= MRC_CHUNK_FULL;
		*full = true;
	}
	return bytes;
}

/* Packets of one message are laid out in chunks that are not queued yet. */
static int fill_chunks(struct mrc_sock *msk, u32 mss, struct iov_iter *from,
		       struct list_head *chunks)
{
	struct sock *sk = mrc_conn_sk(msk);
	struct page_frag *pfrag = sk_page_frag(sk);
	struct mrc_chunk *chunk = NULL;
	u32 packets;
	int bytes;

	while (iov_iter_count(from)) {
		if (chunk && !mrc_chunk_has_room(chunk))
			chunk = NULL;
		bytes = make_room(msk, mss, &chunk, pfrag);
		if (bytes)
			return bytes;
		if (!chunk) {
			chunk = mrc_chunk_alloc(msk, sk->sk_allocation);
			if (!chunk)
				return -ENOBUFS;
			chunk->mss = mss;
			list_add_tail(&chunk->node, chunks);
		}
		bytes = mrc_chunk_append(msk, chunk, pfrag, from, &packets);
		if (bytes < 0)
			return bytes;
		chunk->len += bytes;
		chunk->npackets += packets;
	}
	return 0;
}

/* A message of several packets. */
static int write_large(struct mrc_sock *msk, struct iov_iter *from)
{
	struct mrc_chunk *chunk, *next;
	LIST_HEAD(chunks);
	int err;

	mrc_chunk_close(msk);
	err = fill_chunks(msk, msk->mss, from, &chunks);
	if (!err) {
		chunk = list_first_entry(&chunks, struct mrc_chunk, node);
		chunk->begin = 1;
		chunk = list_last_entry(&chunks, struct mrc_chunk, node);
		chunk->end = BIT_ULL(chunk->npackets - 1);
	}
	list_for_each_entry_safe(chunk, next, &chunks, node) {
		list_del_init(&chunk->node);
		chunk->flags |= MRC_CHUNK_FULL;
		if (err)
			mrc_chunk_free(&msk->txq, chunk);
		else
			mrc_txq_add(&msk->txq, chunk);
	}
	return err;
}

/* A message of one packet, beside others of its size. */
static int write_small(struct mrc_sock *msk, struct iov_iter *from)
{
	struct page_frag *pfrag = sk_page_frag(mrc_conn_sk(msk));
	u32 mss = iov_iter_count(from), packets = 1;
	struct mrc_chunk *chunk = open_chunk(msk, mss);
	u64 bit;
	int ret;

	if (chunk && !mrc_chunk_has_room(chunk)) {
		chunk->flags |= MRC_CHUNK_FULL;
		chunk = NULL;
	}
	ret = make_room(msk, mss, &chunk, pfrag);
	if (ret)
		return ret;
	if (!chunk) {
		ret = begin(msk, mss, pfrag, from, &chunk);
	} else {
		ret = mrc_chunk_append(msk, chunk, pfrag, from, &packets);
		if (ret > 0)
			mrc_txq_grow(&msk->txq, chunk, ret, packets);
	}
	if (ret < 0)
		return ret;
	bit = BIT_ULL(chunk->npackets - 1);
	chunk->begin |= bit;
	chunk->end |= bit;
	return 0;
}

/**
 * mrc_chunk_write_message() - copy a message into the send queue
 * @msk: connection
 * @from: the whole message, 1..MRC_MESSAGE_MAX bytes
 *
 * Context: process, socket lock held.
 * Return: 0; -ENOBUFS, -EFAULT: nothing of it is queued.
 */
int mrc_chunk_write_message(struct mrc_sock *msk, struct iov_iter *from)
{
	sock_owned_by_me(mrc_conn_sk(msk));
	if (iov_iter_count(from) <= msk->mss)
		return write_small(msk, from);
	return write_large(msk, from);
}
