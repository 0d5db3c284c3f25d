// SPDX-License-Identifier: GPL-2.0
/*
 * Packets in flight on one path: their records, from departure to oblivion.
 *
 * Owns struct mrc_inflight and the list of records; inflight_ack.c applies
 * ACKs to them and inflight_loss.c gives them up. The transmit path adds a
 * record per departure. Pure: guarded by the socket lock.
 */
#include <linux/bitops.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>
#include "reliable/inflight.h"

/**
 * mrc_inflight_init() - path on which nothing has left yet
 * @inf: path
 * @first_psn: number of its first packet
 * @free: gives back the memory of a record
 */
void mrc_inflight_init(struct mrc_inflight *inf, u32 first_psn,
		       void (*free)(struct mrc_record *rec))
{
	memset(inf, 0, sizeof(*inf));
	INIT_LIST_HEAD(&inf->records);
	inf->next_psn = first_psn;
	inf->rack_psn = first_psn - 1;
	inf->seen.cum = first_psn;
	inf->free = free;
}

/**
 * mrc_inflight_sent() - packets leave
 * @inf: path
 * @rec: @chunk with a reference for it (mrc_txq_get()), @first, @count
 *	(1..64), @flags, @wire and @wire_last set by the caller; the rest, @psn
 *	with it, is set here. The path owns it and the reference now
 * @now: time, nanoseconds, never going back
 */
void mrc_inflight_sent(struct mrc_inflight *inf, struct mrc_record *rec,
		       u64 now)
{
	if (!inf->bytes)
		inf->first_out_ns = now;
	rec->psn = inf->next_psn;
	rec->sent_ns = now;
	rec->overtaken_ns = 0;
	rec->acked = 0;
	rec->lost = 0;
	/* Time without anything out says nothing about the delivery rate. */
	rec->delivered = inf->delivered;
	rec->delivered_ns = max(inf->delivered_ns, inf->first_out_ns);
	rec->first_sent_ns = max(inf->rack_sent_ns, inf->first_out_ns);
	list_add_tail(&rec->node, &inf->records);
	if (!inf->oldest_out)
		inf->oldest_out = rec;
	if (!inf->rack_next)
		inf->rack_next = rec;
	inf->next_psn += rec->count;
	inf->sent_packets += rec->count;
	inf->bytes += mrc_inflight_wire(rec, mrc_inflight_all(rec));
}

/**
 * mrc_inflight_wire() - wire bytes of some packets of a record
 * @rec: record
 * @mask: bit per packet
 *
 * Return: bytes, MRC headers included.
 */
u32 mrc_inflight_wire(const struct mrc_record *rec, u64 mask)
{
	u32 bytes = hweight64(mask) * rec->wire;

	if (mask >> (rec->count - 1) & 1)
		bytes += rec->wire_last - rec->wire;
	return bytes;
}

/**
 * mrc_inflight_settle() - find the oldest record with packets still out
 * @inf: path; packets were acknowledged or given up
 */
void mrc_inflight_settle(struct mrc_inflight *inf)
{
	while (inf->oldest_out && !mrc_inflight_out(inf->oldest_out))
		inf->oldest_out = mrc_inflight_next(inf, inf->oldest_out);
}

/**
 * mrc_inflight_drop() - forget a record; cursors that stand on it move on
 * @inf: path
 * @txq: send queue of the connection
 * @rec: record, freed here
 */
void mrc_inflight_drop(struct mrc_inflight *inf, struct mrc_txq *txq,
		       struct mrc_record *rec)
{
	if (inf->oldest_out == rec)
		inf->oldest_out = mrc_inflight_next(inf, rec);
	if (inf->rack_next == rec)
		inf->rack_next = mrc_inflight_next(inf, rec);
	list_del(&rec->node);
	mrc_txq_put(txq, rec->chunk);
	inf->free(rec);
}

/**
 * mrc_inflight_forget() - drop records whose fate is known and old
 * @inf: path
 * @txq: send queue of the connection
 * @before_ns: those that left before, nanoseconds
 *
 * Stops at the oldest record with packets still out.
 */
void mrc_inflight_forget(struct mrc_inflight *inf, struct mrc_txq *txq,
			 u64 before_ns)
{
	struct mrc_record *rec;

	while ((rec = mrc_inflight_first(inf)) && rec != inf->oldest_out &&
	       rec->sent_ns < before_ns)
		mrc_inflight_drop(inf, txq, rec);
}

/**
 * mrc_inflight_floor() - lowest PSN of which news are welcome
 * @inf: path
 *
 * Return: PSN of the oldest record, or that of the next packet.
 */
u32 mrc_inflight_floor(const struct mrc_inflight *inf)
{
	const struct mrc_record *rec = mrc_inflight_first(inf);

	return rec ? rec->psn : inf->next_psn;
}

/**
 * mrc_inflight_purge() - drop every record, the path is going away
 * @inf: path
 * @txq: send queue of the connection; its chunks are not marked
 */
void mrc_inflight_purge(struct mrc_inflight *inf, struct mrc_txq *txq)
{
	struct mrc_record *rec;

	while ((rec = mrc_inflight_first(inf)))
		mrc_inflight_drop(inf, txq, rec);
	inf->bytes = 0;
}
