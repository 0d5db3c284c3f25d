// SPDX-License-Identifier: GPL-2.0
/*
 * Memory of the send queue: user data in wire layout.
 *
 * A packet is a gap for its MRC header and its payload, both in one page
 * fragment; packets of a chunk follow one another at equal steps. The only
 * copy of the data is made here. A packet is appended to only while it has
 * not left and while its end is the end of the page fragment in use. Pages
 * and the structure are charged to the socket as TCP charges an skb. Called
 * by send() and by the send queue; guarded by the socket lock.
 */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uio.h>
#include "socket/room.h"
#include "wire/format.h"

static struct kmem_cache *cache;

/**
 * mrc_chunk_init() - make the cache of chunks
 *
 * Context: process, module load.
 * Return: 0 or -ENOMEM.
 */
int mrc_chunk_init(void)
{
	cache = KMEM_CACHE(mrc_chunk, SLAB_HWCACHE_ALIGN | SLAB_ACCOUNT);
	return cache ? 0 : -ENOMEM;
}

/**
 * mrc_chunk_exit() - free the cache of chunks
 *
 * Context: process, module unload.
 */
void mrc_chunk_exit(void)
{
	kmem_cache_destroy(cache);
}

static struct sock *sk_of(struct mrc_txq *txq)
{
	return mrc_conn_sk(container_of(txq, struct mrc_sock, txq));
}

static void charge(struct sock *sk, struct mrc_chunk *chunk, u32 bytes)
{
	chunk->truesize += bytes;
	sk_wmem_queued_add(sk, bytes);
	sk_mem_charge(sk, bytes);
}

/* mrc_txq.detach: pages and charge go back, records may keep the rest. */
static void detach(struct mrc_txq *txq, struct mrc_chunk *chunk)
{
	struct sock *sk = sk_of(txq);
	int i;

	for (i = 0; i < chunk->nfrags; i++)
		put_page(chunk->frag[i].page);
	chunk->nfrags = 0;
	sk_wmem_queued_add(sk, -(int)chunk->truesize);
	sk_mem_uncharge(sk, chunk->truesize);
	chunk->truesize = 0;
}

/**
 * mrc_chunk_free() - mrc_txq.release: the last reference is gone
 * @txq: send queue
 * @chunk: chunk, not queued
 *
 * Context: any, socket lock held.
 */
void mrc_chunk_free(struct mrc_txq *txq, struct mrc_chunk *chunk)
{
	if (chunk->truesize)
		detach(txq, chunk);
	kmem_cache_free(cache, chunk);
}

/**
 * mrc_chunk_ops() - let a send queue free its chunks
 * @txq: send queue of a connection
 */
void mrc_chunk_ops(struct mrc_txq *txq)
{
	txq->release = mrc_chunk_free;
	txq->detach = detach;
}

/**
 * mrc_chunk_alloc() - get an empty chunk
 * @msk: connection
 * @gfp: how to allocate
 *
 * The structure is charged to the socket, limits or not: the end of the
 * stream must find room.
 *
 * Context: any, socket lock held.
 * Return: chunk with one reference, not queued, or NULL.
 */
struct mrc_chunk *mrc_chunk_alloc(struct mrc_sock *msk, gfp_t gfp)
{
	struct sock *sk = mrc_conn_sk(msk);
	struct mrc_chunk *chunk;

	lockdep_assert(lockdep_sock_is_held(sk));
	chunk = kmem_cache_zalloc(cache, gfp);
	if (!chunk)
		return NULL;
	INIT_LIST_HEAD(&chunk->node);
	chunk->refs = 1;
	chunk->mss = msk->mss;
	(void)sk_wmem_schedule(sk, sizeof(*chunk));
	charge(sk, chunk, sizeof(*chunk));
	return chunk;
}

/**
 * mrc_chunk_packet() - where a packet lies
 * @chunk: chunk that still has its pages
 * @index: packet, 0..npackets - 1
 * @page: set to its page
 * @offset: set to where its MRC header begins in the page
 *
 * Return: address of the MRC header; the payload follows.
 */
void *mrc_chunk_packet(const struct mrc_chunk *chunk, u32 index,
		       struct page **page, u32 *offset)
{
	const struct mrc_frag *frag = &chunk->frag[chunk->nfrags - 1];

	while (frag->first > index)
		frag--;
	*page = frag->page;
	*offset = frag->offset + (index - frag->first) *
		  (MRC_WIRE_DATA_LEN + chunk->mss);
	return page_address(*page) + *offset;
}

/**
 * mrc_chunk_is_last() - do the bytes of a chunk end where free memory begins
 * @chunk: chunk
 * @pfrag: page fragment in use
 *
 * Return: true when packets can follow without a gap.
 */
bool mrc_chunk_is_last(const struct mrc_chunk *chunk,
		       const struct page_frag *pfrag)
{
	const struct mrc_frag *frag = &chunk->frag[chunk->nfrags - 1];

	return chunk->nfrags && frag->page == pfrag->page &&
	       frag->offset + frag->size == pfrag->offset;
}

/* Gives @bytes at @pfrag to the chunk, from the packet number npackets on. */
static void add_packets(struct mrc_chunk *chunk, struct page_frag *pfrag,
			u32 bytes)
{
	struct mrc_frag *frag;

	if (mrc_chunk_is_last(chunk, pfrag)) {
		chunk->frag[chunk->nfrags - 1].size += bytes;
	} else {
		frag = &chunk->frag[chunk->nfrags++];
		get_page(pfrag->page);
		frag->page = pfrag->page;
		frag->offset = pfrag->offset;
		frag->size = bytes;
		frag->first = chunk->npackets;
	}
	pfrag->offset += bytes;
}

/*
 * Copies payloads behind the gaps for their headers, @slot bytes from packet
 * to packet. Whether the memory may be copied to is asked once for all of
 * them. Returns the bytes; *packets: in how many packets they lie.
 */
static u32 copy_packets(void *to, u32 slot, u32 count, struct iov_iter *from,
			u32 *packets)
{
	u32 total = 0, n, bytes, done;

	*packets = 0;
	if (!check_copy_size(to, count * slot, false))
		return 0;
	for (n = 0; n < count; n++) {
		bytes = min_t(size_t, iov_iter_count(from),
			      slot - MRC_WIRE_DATA_LEN);
		done = _copy_from_iter(to + MRC_WIRE_DATA_LEN, bytes, from);
		if (done != bytes) {
			iov_iter_revert(from, done);
			break;
		}
		to += slot;
		total += bytes;
	}
	*packets = n;
	return total;
}

/**
 * mrc_chunk_extend() - add to the last packet where it lies
 * @msk: connection
 * @chunk: last chunk of the queue
 * @from: user data
 *
 * Context: process, socket lock held.
 * Return: bytes; 0: it cannot grow; -ENOBUFS, -EFAULT.
 */
int mrc_chunk_extend(struct mrc_sock *msk, struct mrc_chunk *chunk,
		     struct iov_iter *from)
{
	u32 len = mrc_txq_packet_len(chunk, chunk->npackets - 1);
	struct sock *sk = mrc_conn_sk(msk);
	struct page_frag *pfrag = sk_page_frag(sk);
	u32 bytes;

	if (len >= chunk->mss || !mrc_chunk_is_last(chunk, pfrag))
		return 0;
	bytes = min_t(size_t, iov_iter_count(from),
		      min(chunk->mss - len, pfrag->size - pfrag->offset));
	if (!bytes)
		return 0;
	if (!sk_wmem_schedule(sk, bytes))
		return -ENOBUFS;
	if (!copy_from_iter_full(page_address(pfrag->page) + pfrag->offset,
				 bytes, from))
		return -EFAULT;
	chunk->frag[chunk->nfrags - 1].size += bytes;
	pfrag->offset += bytes;
	charge(sk, chunk, bytes);
	mrc_txq_grow(&msk->txq, chunk, bytes, 0);
	return bytes;
}

/**
 * mrc_chunk_has_room() - does one more packet fit?
 * @chunk: chunk
 *
 * Return: true after a full packet, within the limits of a chunk.
 */
bool mrc_chunk_has_room(const struct mrc_chunk *chunk)
{
	u32 slot = MRC_WIRE_DATA_LEN + chunk->mss;

	return chunk->npackets < MRC_CHUNK_PACKETS &&
	       (chunk->npackets + 1) * slot <= MRC_SUPERFRAME_BYTES &&
	       chunk->len == (u32)chunk->npackets * chunk->mss;
}

/* New packets for the write, as many as chunk, pages and buffer have room
 * for; at least one.
 */
static u32 packets_at_once(const struct sock *sk, const struct mrc_chunk *chunk,
			   const struct page_frag *pfrag, size_t bytes)
{
	u32 slot = MRC_WIRE_DATA_LEN + chunk->mss;
	u32 n = min_t(u32, MRC_CHUNK_PACKETS, MRC_SUPERFRAME_BYTES / slot);
	int space = READ_ONCE(sk->sk_sndbuf) - READ_ONCE(sk->sk_wmem_queued);

	n -= min_t(u32, n - 1, chunk->npackets);
	n = min(n, (pfrag->size - pfrag->offset) / slot);
	n = min_t(size_t, n, DIV_ROUND_UP(bytes, chunk->mss));
	return clamp_t(int, space / (int)slot, 1, max_t(u32, n, 1));
}

/**
 * mrc_chunk_append() - lay out new packets behind the last one
 * @msk: connection
 * @chunk: chunk with room; its length and number of packets are the caller's
 * @pfrag: page fragment in use, with room for one packet at least
 * @from: user data, at least one byte
 * @packets: set to the packets laid out
 *
 * Context: process, socket lock held.
 * Return: bytes; -ENOBUFS, -EFAULT.
 */
int mrc_chunk_append(struct mrc_sock *msk, struct mrc_chunk *chunk,
		     struct page_frag *pfrag, struct iov_iter *from,
		     u32 *packets)
{
	u32 slot = MRC_WIRE_DATA_LEN + chunk->mss, bytes, total;
	struct sock *sk = mrc_conn_sk(msk);
	u32 count;

	count = packets_at_once(sk, chunk, pfrag, iov_iter_count(from));
	if (!sk_wmem_schedule(sk, count * slot)) {
		count = 1;
		if (!sk_wmem_schedule(sk, slot))
			return -ENOBUFS;
	}
	total = copy_packets(page_address(pfrag->page) + pfrag->offset, slot,
			     count, from, packets);
	if (!*packets)
		return -EFAULT;
	bytes = total + *packets * MRC_WIRE_DATA_LEN;
	add_packets(chunk, pfrag, bytes);
	charge(sk, chunk, bytes);
	return total;
}
