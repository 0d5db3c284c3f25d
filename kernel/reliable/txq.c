// SPDX-License-Identifier: GPL-2.0
/*
 * Send queue of a connection: chunks by stream offset, until acknowledged.
 *
 * Owns struct mrc_txq and the bookkeeping part of struct mrc_chunk; their
 * pages belong to the caller. sendmsg() appends, the transmit path takes,
 * in-flight records note what arrived or was lost, ACK processing frees.
 * Pure: guarded by the socket lock.
 */
#include <linux/bitops.h>
#include <linux/bug.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include "reliable/txq.h"

/* Bits of packets first..first + count - 1; count 1..64. */
static u64 packet_mask(u32 first, u32 count)
{
	return (~0ULL >> (MRC_CHUNK_PACKETS - count)) << first;
}

/* Packets that have left at least once. */
static u64 sent_mask(const struct mrc_chunk *chunk)
{
	return chunk->sent ? packet_mask(0, chunk->sent) : 0;
}

static bool is_queued(const struct mrc_chunk *chunk)
{
	return !list_empty(&chunk->node);
}

static struct mrc_chunk *next_chunk(struct mrc_txq *txq,
				    struct mrc_chunk *chunk)
{
	if (list_is_last(&chunk->node, &txq->chunks))
		return NULL;
	return list_next_entry(chunk, node);
}

/* A chunk has become unsent, or all of it was sent. */
static void settle_unsent(struct mrc_txq *txq, struct mrc_chunk *chunk)
{
	if (!txq->unsent && chunk->sent < chunk->npackets)
		txq->unsent = chunk;
	while (txq->unsent && txq->unsent->sent == txq->unsent->npackets)
		txq->unsent = next_chunk(txq, txq->unsent);
}

static void clear_lost(struct mrc_txq *txq, struct mrc_chunk *chunk, u64 mask)
{
	txq->lost_packets -= hweight64(chunk->lost & mask);
	chunk->lost &= ~mask;
}

/* Takes a chunk out of the queue; records may keep the structure. */
static void detach_chunk(struct mrc_txq *txq, struct mrc_chunk *chunk)
{
	clear_lost(txq, chunk, ~0ULL);
	if (txq->lost == chunk)
		txq->lost = next_chunk(txq, chunk);
	list_del_init(&chunk->node);
	txq->detach(txq, chunk);
	mrc_txq_put(txq, chunk);
}

/**
 * mrc_txq_init() - empty queue
 * @txq: queue; @release and @detach are left alone, the caller sets them
 * @first: stream offset of the first byte that will be written
 */
void mrc_txq_init(struct mrc_txq *txq, u64 first)
{
	INIT_LIST_HEAD(&txq->chunks);
	txq->unsent = NULL;
	txq->lost = NULL;
	txq->una = first;
	txq->nxt = first;
	txq->end = first;
	txq->lost_packets = 0;
}

/**
 * mrc_txq_add() - append a chunk to the stream
 * @txq: queue
 * @chunk: @len, @mss (at least 1), @npackets, @flags and memory set by the
 *	caller, also with no packet yet (grow it then); the rest is set here.
 *	The queue takes over the caller's reference
 */
void mrc_txq_add(struct mrc_txq *txq, struct mrc_chunk *chunk)
{
	chunk->offset = txq->end;
	chunk->refs = 1;
	chunk->sent = 0;
	chunk->acked = 0;
	chunk->lost = 0;
	list_add_tail(&chunk->node, &txq->chunks);
	txq->end += chunk->len;
	settle_unsent(txq, chunk);
}

/**
 * mrc_txq_grow() - more bytes were laid out in the last chunk
 * @txq: queue
 * @chunk: last chunk; its last packet has not left yet (or it has none)
 * @bytes: payload added, first to the last packet up to @mss, then in new ones
 * @packets: packets that this opened
 */
void mrc_txq_grow(struct mrc_txq *txq, struct mrc_chunk *chunk, u32 bytes,
		  u32 packets)
{
	bool closed = chunk->npackets && chunk->sent == chunk->npackets;

	if (WARN_ON_ONCE(closed || chunk != mrc_txq_last(txq)))
		return;
	chunk->len += bytes;
	chunk->npackets += packets;
	txq->end += bytes;
	settle_unsent(txq, chunk);
}

/**
 * mrc_txq_last() - newest chunk
 * @txq: queue
 *
 * Return: the chunk with the highest offset, or NULL.
 */
struct mrc_chunk *mrc_txq_last(struct mrc_txq *txq)
{
	if (list_empty(&txq->chunks))
		return NULL;
	return list_last_entry(&txq->chunks, struct mrc_chunk, node);
}

/**
 * mrc_txq_packet_len() - stream bytes of a packet
 * @chunk: chunk
 * @index: packet, below @npackets
 *
 * Return: payload bytes; 1 for a FIN, which has no payload on the wire.
 */
u32 mrc_txq_packet_len(const struct mrc_chunk *chunk, u32 index)
{
	return mrc_txq_run_len(chunk, index, 1);
}

/**
 * mrc_txq_packet_offset() - where a packet stands in the stream
 * @chunk: chunk
 * @index: packet, below @npackets
 *
 * Return: stream offset of its first byte.
 */
u64 mrc_txq_packet_offset(const struct mrc_chunk *chunk, u32 index)
{
	return chunk->offset + index * chunk->mss;
}

/**
 * mrc_txq_run_len() - stream bytes of packets in a row
 * @chunk: chunk
 * @first: first packet
 * @count: packets, at least 1
 *
 * Return: payload bytes; a FIN counts as 1.
 */
u32 mrc_txq_run_len(const struct mrc_chunk *chunk, u32 first, u32 count)
{
	return min_t(u32, chunk->len, (first + count) * chunk->mss) -
	       first * chunk->mss;
}

/**
 * mrc_txq_sent() - packets have left for the first time
 * @txq: queue
 * @chunk: the first chunk with unsent packets
 * @count: packets from @chunk->sent on
 */
void mrc_txq_sent(struct mrc_txq *txq, struct mrc_chunk *chunk, u32 count)
{
	if (WARN_ON_ONCE(chunk != txq->unsent ||
			 count > chunk->npackets - chunk->sent))
		return;
	if (!count)
		return;
	txq->nxt += mrc_txq_run_len(chunk, chunk->sent, count);
	chunk->sent += count;
	settle_unsent(txq, chunk);
}

/**
 * mrc_txq_lost_next() - lost packets that wait to be sent again
 * @txq: queue
 * @after: NULL: from the lowest offset. Else a chunk still in the queue; the
 *	search goes on after packet *@first + *@count - 1 of it
 * @first: in: with @after, as answered last; out: first packet of the run
 * @count: in: with @after, as answered last; out: packets, all of one chunk
 *
 * Finding the lowest run is cheap: a hint remembers where they begin.
 *
 * Return: chunk of the next run of lost packets in stream order, or NULL.
 */
struct mrc_chunk *mrc_txq_lost_next(struct mrc_txq *txq,
				    struct mrc_chunk *after, u32 *first,
				    u32 *count)
{
	struct mrc_chunk *chunk = after ? after : txq->lost;
	u64 lost;
	u32 skip;

	if (!txq->lost_packets)
		return NULL;
	skip = after ? *first + *count : 0;
	while (chunk) {
		lost = chunk->lost;
		if (skip)
			lost = skip < MRC_CHUNK_PACKETS ?
			       lost & ~packet_mask(0, skip) : 0;
		if (lost)
			break;
		/* Nothing is lost that was not sent. */
		if (chunk == txq->unsent)
			return NULL;
		chunk = next_chunk(txq, chunk);
		skip = 0;
	}
	if (!chunk)
		return NULL;
	if (!after)
		txq->lost = chunk;
	*first = __ffs64(lost);
	lost = ~(lost >> *first);
	*count = lost ? __ffs64(lost) : MRC_CHUNK_PACKETS;
	return chunk;
}

/**
 * mrc_txq_resent() - lost packets have left again
 * @txq: queue
 * @chunk: their chunk
 * @first: first packet
 * @count: packets, at least 1
 */
void mrc_txq_resent(struct mrc_txq *txq, struct mrc_chunk *chunk, u32 first,
		    u32 count)
{
	clear_lost(txq, chunk, packet_mask(first, count));
}

/**
 * mrc_txq_mark_lost() - packets were given up and wait to be sent again
 * @txq: queue
 * @chunk: their chunk, perhaps acknowledged and gone from the queue
 * @mask: bit per packet
 *
 * Return: packets that wait now and did not before; those that have arrived
 * by another way are none of them.
 */
u32 mrc_txq_mark_lost(struct mrc_txq *txq, struct mrc_chunk *chunk, u64 mask)
{
	u32 count;

	if (!is_queued(chunk))
		return 0;
	mask &= sent_mask(chunk) & ~chunk->acked & ~chunk->lost;
	if (!mask)
		return 0;
	count = hweight64(mask);
	chunk->lost |= mask;
	txq->lost_packets += count;
	if (!txq->lost || chunk->offset < txq->lost->offset)
		txq->lost = chunk;
	return count;
}

/**
 * mrc_txq_mark_acked() - packets have arrived
 * @txq: queue
 * @chunk: their chunk, perhaps acknowledged and gone from the queue
 * @mask: bit per packet
 */
void mrc_txq_mark_acked(struct mrc_txq *txq, struct mrc_chunk *chunk, u64 mask)
{
	if (!is_queued(chunk))
		return;
	chunk->acked |= mask & sent_mask(chunk);
	clear_lost(txq, chunk, mask);
}

/**
 * mrc_txq_ack() - the peer has every stream byte below an offset
 * @txq: queue
 * @una: the offset; beyond what was sent it is refused, see
 *	mrc_txq_ack_valid()
 *
 * Chunks that are acknowledged whole leave the queue: @detach is called, then
 * @release when no record refers to them.
 *
 * Return: stream bytes newly acknowledged.
 */
u64 mrc_txq_ack(struct mrc_txq *txq, u64 una)
{
	struct mrc_chunk *chunk, *tmp;
	u64 bytes;
	u32 below;

	if (una <= txq->una || !mrc_txq_ack_valid(txq, una))
		return 0;
	bytes = una - txq->una;
	txq->una = una;
	list_for_each_entry_safe(chunk, tmp, &txq->chunks, node) {
		if (!chunk->len || una <= chunk->offset)
			break;
		if (una - chunk->offset < chunk->len) {
			below = (u32)(una - chunk->offset) / chunk->mss;
			if (below)
				mrc_txq_mark_acked(txq, chunk,
						   packet_mask(0, below));
			break;
		}
		detach_chunk(txq, chunk);
	}
	return bytes;
}

/**
 * mrc_txq_get() - take a reference
 * @chunk: chunk
 */
void mrc_txq_get(struct mrc_chunk *chunk)
{
	chunk->refs++;
}

/**
 * mrc_txq_put() - give a reference back; the last one frees
 * @txq: queue
 * @chunk: chunk
 */
void mrc_txq_put(struct mrc_txq *txq, struct mrc_chunk *chunk)
{
	if (WARN_ON_ONCE(!chunk->refs))
		return;
	if (!--chunk->refs)
		txq->release(txq, chunk);
}

/**
 * mrc_txq_purge() - drop everything that waits, sent or not
 * @txq: queue; nothing waits in it afterwards
 */
void mrc_txq_purge(struct mrc_txq *txq)
{
	struct mrc_chunk *chunk, *tmp;

	txq->unsent = NULL;
	list_for_each_entry_safe(chunk, tmp, &txq->chunks, node)
		detach_chunk(txq, chunk);
	txq->nxt = txq->end;
	txq->una = txq->end;
}
