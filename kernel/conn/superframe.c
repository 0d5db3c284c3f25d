// SPDX-License-Identifier: GPL-2.0
/*
 * Superframes: one skb with many MRC packets of equal size.
 *
 * Data leaving for the first time go out from the very pages that send()
 * filled; only the gaps before the payloads are written here. Pages that have
 * left once may still sit in a queue or at a receiver on this host and are
 * not written again: a retransmission is copied into fresh memory, packets
 * from any place of the stream side by side, since each has its own offset.
 *
 * Socket lock held.
 */
#include <linux/slab.h>
#include "conn/conn.h"
#include "conn/output.h"
#include "observe/mib.h"
#include "observe/trace.h"
#include "path/udp.h"
#include "socket/socket.h"
#include "wire/build.h"

static struct kmem_cache *record_cache;

/**
 * mrc_superframe_init() - create the slab cache of records
 *
 * Return: 0 or -ENOMEM.
 */
int mrc_superframe_init(void)
{
	record_cache = KMEM_CACHE(mrc_record, SLAB_ACCOUNT);
	return record_cache ? 0 : -ENOMEM;
}

/**
 * mrc_superframe_exit() - destroy the slab cache; no record is left
 */
void mrc_superframe_exit(void)
{
	kmem_cache_destroy(record_cache);
}

/**
 * mrc_superframe_record_free() - give back a record
 * @rec: record, in no list
 */
void mrc_superframe_record_free(struct mrc_record *rec)
{
	kmem_cache_free(record_cache, rec);
}

/* MRC header plus payload of a packet. */
static u32 wire_len(const struct mrc_chunk *chunk, u32 index)
{
	if (chunk->flags & MRC_CHUNK_FIN)
		return MRC_WIRE_DATA_LEN;
	return MRC_WIRE_DATA_LEN + mrc_txq_packet_len(chunk, index);
}

/* The header that packets of a superframe have in common. */
static void common_header(struct mrc_wire_data *hdr,
			  const struct mrc_path *path, u8 flags, u64 now)
{
	struct mrc_parse_data data = {
		.cid = path->msk->remote_cid,
		.floor = mrc_inflight_floor(&path->inflight),
		.ts = (u32)(now / MRC_NSEC_PER_USEC),
		.path_id = path->id,
		.flags = flags,
	};

	mrc_build_data(hdr, &data);
}

/* Boundaries of messages, and the end of the stream. */
static u8 packet_flags(const struct mrc_chunk *chunk, u32 index)
{
	u8 flags = chunk->flags & MRC_CHUNK_FIN ? MRC_WIRE_F_FIN : 0;

	if (likely(!((chunk->begin | chunk->end) >> index & 1)))
		return flags;
	if (chunk->begin >> index & 1)
		flags |= MRC_WIRE_F_BEGIN;
	if (chunk->end >> index & 1)
		flags |= MRC_WIRE_F_END;
	return flags;
}

/* Fills the gap before a packet. */
static void write_header(struct mrc_wire_data *to,
			 const struct mrc_wire_data *common,
			 const struct mrc_chunk *chunk, u32 index, u32 psn)
{
	*to = *common;
	to->hdr.psn = cpu_to_be32(psn);
	to->hdr.flags |= packet_flags(chunk, index);
	to->offset = cpu_to_be64(mrc_txq_packet_offset(chunk, index));
}

/* Record of packets that are about to leave; takes a reference to @chunk. */
static struct mrc_record *new_record(struct mrc_chunk *chunk, u32 first,
				     u32 count)
{
	struct mrc_record *rec;

	rec = kmem_cache_zalloc(record_cache, GFP_ATOMIC | __GFP_NOWARN);
	if (!rec)
		return NULL;
	rec->chunk = chunk;
	rec->first = first;
	rec->count = count;
	rec->wire = wire_len(chunk, first);
	rec->wire_last = wire_len(chunk, first + count - 1);
	mrc_txq_get(chunk);
	return rec;
}

static void drop_record(struct mrc_sock *msk, struct mrc_record *rec)
{
	mrc_txq_put(&msk->txq, rec->chunk);
	mrc_superframe_record_free(rec);
}

/*
 * Writes the headers of packets @first .. @first + @count - 1, numbered from
 * @psn on, and makes the pages part of @skb. Returns the last header.
 */
static struct mrc_wire_data *attach_packets(struct sk_buff *skb,
					    const struct mrc_chunk *chunk,
					    u32 first, u32 count,
					    const struct mrc_wire_data *common,
					    u32 psn)
{
	u32 slot = MRC_WIRE_DATA_LEN + chunk->mss, i;
	u32 end = first + count, from, to, size, at;
	struct mrc_wire_data *hdr = NULL;
	const struct mrc_frag *frag;
	int f, n = 0;

	for (f = 0; f < chunk->nfrags; f++) {
		frag = &chunk->frag[f];
		from = max(first, frag->first);
		to = f + 1 < chunk->nfrags ? frag[1].first : chunk->npackets;
		to = min(to, end);
		if (from >= to)
			continue;
		at = frag->offset + (from - frag->first) * slot;
		for (i = 0; i < to - from; i++) {
			hdr = page_address(frag->page) + at + i * slot;
			write_header(hdr, common, chunk, from + i, psn++);
		}
		size = (to - from - 1) * slot + wire_len(chunk, to - 1);
		get_page(frag->page);
		skb_fill_page_desc(skb, n++, frag->page, at, size);
		skb->len += size;
		skb->data_len += size;
		skb->truesize += size;
	}
	return hdr;
}

/* The end of the stream has no pages; returns its header. */
static struct mrc_wire_data *attach_fin(struct sk_buff *skb,
					const struct mrc_chunk *chunk,
					const struct mrc_wire_data *common,
					u32 psn)
{
	struct mrc_wire_data *hdr = skb_put(skb, MRC_WIRE_DATA_LEN);

	write_header(hdr, common, chunk, 0, psn);
	return hdr;
}

static void set_gso(struct sk_buff *skb, u32 size, u32 packets)
{
	if (packets < 2)
		return;
	skb_shinfo(skb)->gso_size = size;
	skb_shinfo(skb)->gso_segs = packets;
	skb_shinfo(skb)->gso_type = SKB_GSO_UDP_L4;
}

/* Books what has left. */
static void account(struct mrc_path *path, u32 psn, u32 packets, u32 bytes,
		    u32 payload, bool retrans, u64 now)
{
	struct mrc_net *mn = path->msk->mn;

	path->sent_bytes += payload;
	mrc_pacer_sent(&path->pacer, bytes, path->rate.pacing_rate, now);
	MRC_INC_STATS(mn, TxSuperframes);
	MRC_ADD_STATS(mn, TxPackets, packets);
	MRC_ADD_STATS(mn, TxBytes, payload);
	if (retrans) {
		path->retransmitted_packets += packets;
		MRC_ADD_STATS(mn, TxRetransPackets, packets);
	}
	trace_mrc_superframe_tx(path, psn, packets, bytes, retrans);
}

/**
 * mrc_superframe_send() - send the next packets of the stream
 * @msk: connection
 * @path: path to send them on
 * @chunk: first chunk with unsent packets
 * @count: packets to send, 1..(npackets - sent)
 * @ack_now: ask for an ACK without delay
 * @now: ktime_get_ns()
 *
 * Return: packets that have left; 0: no memory, or no route (the path is
 * then found out by its device or its silence).
 */
u32 mrc_superframe_send(struct mrc_sock *msk, struct mrc_path *path,
			struct mrc_chunk *chunk, u32 count, bool ack_now,
			u64 now)
{
	bool fin = chunk->flags & MRC_CHUNK_FIN;
	u32 first = chunk->sent, psn = path->inflight.next_psn;
	struct mrc_wire_data common, *last;
	struct mrc_record *rec;
	struct sk_buff *skb;
	u32 bytes, payload;

	rec = new_record(chunk, first, count);
	if (!rec)
		return 0;
	skb = mrc_udp_alloc(NULL, fin ? MRC_WIRE_DATA_LEN : 0,
			    GFP_ATOMIC | __GFP_NOWARN);
	if (!skb) {
		drop_record(msk, rec);
		return 0;
	}
	common_header(&common, path, 0, now);
	last = fin ? attach_fin(skb, chunk, &common, psn) :
		     attach_packets(skb, chunk, first, count, &common, psn);
	if (ack_now)
		last->hdr.flags |= MRC_WIRE_F_ACK_NOW;
	set_gso(skb, rec->wire, count);
	bytes = skb->len;
	payload = bytes - count * MRC_WIRE_DATA_LEN;
	mrc_inflight_sent(&path->inflight, rec, now);
	mrc_txq_sent(&msk->txq, chunk, count);
	msk->sent_bytes += payload;
	account(path, psn, count, bytes, payload, false, now);
	mrc_path_check_sent(path, mrc_udp_xmit(path, skb, true));
	return count;
}

/* Fresh memory for a packet of @len bytes, at the end of @skb. */
static void *add_room(struct sock *sk, struct sk_buff *skb, u32 len)
{
	struct skb_shared_info *shinfo = skb_shinfo(skb);
	struct page_frag *pfrag = &sk->sk_frag;
	int n = shinfo->nr_frags;
	void *to;

	if (pfrag->page && pfrag->size - pfrag->offset < len) {
		put_page(pfrag->page);
		pfrag->page = NULL;
	}
	if (!skb_page_frag_refill(min_t(u32, len, PAGE_SIZE), pfrag,
				  GFP_ATOMIC | __GFP_NOWARN) ||
	    pfrag->size - pfrag->offset < len)
		return NULL;
	if (skb_can_coalesce(skb, n, pfrag->page, pfrag->offset)) {
		skb_frag_size_add(&shinfo->frags[n - 1], len);
	} else {
		if (n >= MAX_SKB_FRAGS)
			return NULL;
		get_page(pfrag->page);
		skb_fill_page_desc(skb, n, pfrag->page, pfrag->offset, len);
	}
	to = page_address(pfrag->page) + pfrag->offset;
	pfrag->offset += len;
	skb->len += len;
	skb->data_len += len;
	skb->truesize += len;
	return to;
}

/* Copies one packet; false: no memory or no fragment left. */
static bool copy_packet(struct mrc_path *path, struct sk_buff *skb,
			const struct mrc_wire_data *common,
			const struct mrc_chunk *chunk, u32 index, u32 psn)
{
	u32 len = wire_len(chunk, index), offset;
	struct page *page;
	void *to, *from;

	to = add_room(mrc_conn_sk(path->msk), skb, len);
	if (!to)
		return false;
	write_header(to, common, chunk, index, psn);
	if (len > MRC_WIRE_DATA_LEN) {
		from = mrc_chunk_packet(chunk, index, &page, &offset);
		memcpy(to + MRC_WIRE_DATA_LEN, from + MRC_WIRE_DATA_LEN,
		       len - MRC_WIRE_DATA_LEN);
	}
	return true;
}

/* Copies a run of one chunk and books it; returns packets copied. */
static u32 copy_run(struct mrc_sock *msk, struct mrc_path *path,
		    struct sk_buff *skb, struct mrc_chunk *chunk, u32 first,
		    u32 count, u32 stride, u64 now)
{
	u32 psn = path->inflight.next_psn, n = 0;
	struct mrc_wire_data common;
	struct mrc_record *rec;

	rec = new_record(chunk, first, count);
	if (!rec)
		return 0;
	common_header(&common, path, MRC_WIRE_F_RETRANS | MRC_WIRE_F_ACK_NOW,
		      now);
	while (n < count && wire_len(chunk, first + n) <= stride &&
	       skb->len % stride == 0 &&
	       copy_packet(path, skb, &common, chunk, first + n, psn + n))
		n++;
	if (!n) {
		drop_record(msk, rec);
		return 0;
	}
	rec->count = n;
	rec->wire_last = wire_len(chunk, first + n - 1);
	rec->flags = MRC_RECORD_RETRANS;
	mrc_inflight_sent(&path->inflight, rec, now);
	mrc_txq_resent(&msk->txq, chunk, first, n);
	return n;
}

/**
 * mrc_superframe_resend() - send lost packets again, lowest offset first
 * @msk: connection with at least one lost packet
 * @path: path to send them on
 * @count: packets at most
 * @now: ktime_get_ns()
 *
 * Return: packets that have left; 0: no memory, or no route.
 */
u32 mrc_superframe_resend(struct mrc_sock *msk, struct mrc_path *path,
			  u32 count, u64 now)
{
	u32 psn = path->inflight.next_psn, packets = 0, stride = 0;
	struct mrc_chunk *chunk = NULL;
	u32 first, run, n, bytes;
	struct sk_buff *skb;

	skb = mrc_udp_alloc(NULL, 0, GFP_ATOMIC | __GFP_NOWARN);
	if (!skb)
		return 0;
	while (packets < count) {
		/* What was copied is no longer lost: always the lowest. */
		chunk = mrc_txq_lost_next(&msk->txq, NULL, &first, &run);
		if (!chunk)
			break;
		if (!stride)
			stride = wire_len(chunk, first);
		if (wire_len(chunk, first) > stride)
			break;
		run = min(run, count - packets);
		n = copy_run(msk, path, skb, chunk, first, run, stride, now);
		packets += n;
		if (n < run)
			break;
	}
	if (!packets) {
		kfree_skb(skb);
		return 0;
	}
	set_gso(skb, stride, packets);
	bytes = skb->len;
	account(path, psn, packets, bytes, bytes - packets * MRC_WIRE_DATA_LEN,
		true, now);
	mrc_path_check_sent(path, mrc_udp_xmit(path, skb, true));
	return packets;
}
