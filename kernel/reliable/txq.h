/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the application has written and the peer has not acknowledged.
 *
 * A chunk is a run of the stream, cut into at most 64 packets of equal
 * payload (the last may be shorter), lying in page fragments in wire layout:
 * a gap for the MRC header before each payload. Which packets wait for a
 * retransmission and which have arrived is one bit each, so that noting a
 * loss needs no memory. Chunks stay, ordered by offset, until the peer's
 * data ack has passed them; records of packets in flight may keep the
 * structure (not its pages) a little longer.
 *
 * Pure: pages are opaque here; socket/send.c fills and releases them.
 * Guarded by the socket lock.
 */
#ifndef _MRC_TXQ_H
#define _MRC_TXQ_H

#include <linux/list.h>
#include <linux/types.h>
#include "limits.h"

struct page;

/**
 * struct mrc_frag - piece of a chunk's memory, whole packets only
 * @page: compound page; one reference is held
 * @offset: first byte in @page
 * @size: bytes in use
 * @first: index of the first packet that lies here
 */
struct mrc_frag {
	struct page *page;
	u32 offset;
	u32 size;
	u32 first;
};

/* Flags of struct mrc_chunk. */
#define MRC_CHUNK_FIN	0x01	/* no payload: the end of the stream */
#define MRC_CHUNK_FULL	0x02	/* nothing may be appended any more */

/**
 * struct mrc_chunk - run of the stream in wire layout
 * @node: in mrc_txq.chunks, by offset; empty when acknowledged
 * @offset: stream offset of the first byte
 * @len: stream bytes; 1 for a FIN
 * @refs: 1 while queued, plus one for each record in flight
 * @mss: payload bytes of every packet but the last
 * @npackets: packets laid out
 * @sent: packets that have left once; 0..npackets
 * @flags: MRC_CHUNK_*
 * @nfrags: entries of @frag in use
 * @truesize: bytes charged to the socket
 * @acked: bit per packet: arrived at the peer
 * @lost: bit per packet: waits to be sent again
 * @begin: bit per packet: a message begins with it (SOCK_SEQPACKET)
 * @end: bit per packet: a message ends with it
 * @frag: memory
 */
struct mrc_chunk {
	struct list_head node;
	u64 offset;
	u32 len;
	u32 refs;
	u16 mss;
	u8 npackets;
	u8 sent;
	u8 flags;
	u8 nfrags;
	u32 truesize;
	u64 acked;
	u64 lost;
	u64 begin;
	u64 end;
	struct mrc_frag frag[MRC_CHUNK_FRAGS];
};

/**
 * struct mrc_txq - send queue of a connection
 * @chunks: all unacknowledged chunks, by offset
 * @unsent: first chunk with packets that never left; NULL: none
 * @lost: no chunk before this one has lost packets; NULL: none has
 * @una: stream offset up to which the peer has everything
 * @nxt: stream offset of the first byte never sent
 * @end: stream offset after the last byte written (FIN included)
 * @lost_packets: packets whose @lost bit is set
 * @release: frees a chunk (pages and structure) whose last reference went
 * @detach: called when a chunk leaves the queue: gives back its pages
 */
struct mrc_txq {
	struct list_head chunks;
	struct mrc_chunk *unsent;
	struct mrc_chunk *lost;
	u64 una;
	u64 nxt;
	u64 end;
	u32 lost_packets;
	void (*release)(struct mrc_txq *txq, struct mrc_chunk *chunk);
	void (*detach)(struct mrc_txq *txq, struct mrc_chunk *chunk);
};

/**
 * mrc_txq_unsent_bytes() - stream bytes that wait for their first departure
 * @txq: send queue
 *
 * Return: bytes.
 */
static inline u64 mrc_txq_unsent_bytes(const struct mrc_txq *txq)
{
	return txq->end - txq->nxt;
}

/**
 * mrc_txq_ack_valid() - can a data ack be true
 * @txq: send queue
 * @una: what the peer says it has
 *
 * Return: false when @una is beyond all that was ever sent.
 */
static inline bool mrc_txq_ack_valid(const struct mrc_txq *txq, u64 una)
{
	return una <= txq->nxt;
}

void mrc_txq_init(struct mrc_txq *txq, u64 first);
void mrc_txq_add(struct mrc_txq *txq, struct mrc_chunk *chunk);
void mrc_txq_grow(struct mrc_txq *txq, struct mrc_chunk *chunk, u32 bytes,
		  u32 packets);
struct mrc_chunk *mrc_txq_last(struct mrc_txq *txq);
u32 mrc_txq_packet_len(const struct mrc_chunk *chunk, u32 index);
u64 mrc_txq_packet_offset(const struct mrc_chunk *chunk, u32 index);
u32 mrc_txq_run_len(const struct mrc_chunk *chunk, u32 first, u32 count);
void mrc_txq_sent(struct mrc_txq *txq, struct mrc_chunk *chunk, u32 count);
struct mrc_chunk *mrc_txq_lost_next(struct mrc_txq *txq,
				    struct mrc_chunk *after, u32 *first,
				    u32 *count);
void mrc_txq_resent(struct mrc_txq *txq, struct mrc_chunk *chunk, u32 first,
		    u32 count);
u32 mrc_txq_mark_lost(struct mrc_txq *txq, struct mrc_chunk *chunk, u64 mask);
void mrc_txq_mark_acked(struct mrc_txq *txq, struct mrc_chunk *chunk,
			u64 mask);
u64 mrc_txq_ack(struct mrc_txq *txq, u64 una);
void mrc_txq_get(struct mrc_chunk *chunk);
void mrc_txq_put(struct mrc_txq *txq, struct mrc_chunk *chunk);
void mrc_txq_purge(struct mrc_txq *txq);

#endif /* _MRC_TXQ_H */
