// SPDX-License-Identifier: GPL-2.0
/*
 * ACKs applied to the packets in flight on one path.
 *
 * Owns nothing; ACK processing calls it for each path of an ACK. An ACK costs
 * time linear in its news: packets in order are found from a cursor at the
 * newest one that arrived, repeated ranges are skipped, and only late
 * arrivals walk the records with holes. Pure: guarded by the socket lock.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>
#include "reliable/inflight.h"
#include "reliable/seq.h"

/**
 * struct ack_walk - an ACK while it is applied
 * @inf: path
 * @txq: send queue
 * @res: result
 * @now: time, nanoseconds
 * @pos: records before have nothing to do with the rest of this ACK
 * @rack_psn: mrc_inflight.rack_psn before this ACK
 * @rec: copy of the newest record with news, for the rate sample
 * @low: pieces at or before @rack_psn start from the oldest record
 */
struct ack_walk {
	struct mrc_inflight *inf;
	struct mrc_txq *txq;
	struct mrc_ack_result *res;
	u64 now;
	struct mrc_record *pos;
	u32 rack_psn;
	struct mrc_record rec;
	bool low;
};

static u32 end_psn(const struct mrc_record *rec)
{
	return rec->psn + rec->count;
}

/* Could the receiver have said this? */
static bool ack_sane(const struct mrc_inflight *inf,
		     const struct mrc_ack_path *ack)
{
	u32 i;

	if (ack->nranges > MRC_ACK_RANGES ||
	    mrc_seq_after(ack->cum, inf->next_psn))
		return false;
	for (i = 0; i < ack->nranges; i++) {
		const struct mrc_psn_range *range = &ack->range[i];

		if (!mrc_seq_before(range->start, range->end) ||
		    mrc_seq_after(range->end, inf->next_psn))
			return false;
		if (i && mrc_seq_after(range->end, range[-1].start))
			return false;
	}
	return true;
}

/*
 * Packet and CE counts grow; an ACK that was overtaken has smaller ones, and
 * one that reports several times what ever left (duplicates in the network
 * included) or more marks than packets is not believed.
 */
static void note_counts(struct mrc_inflight *inf,
			const struct mrc_ack_path *ack,
			struct mrc_ack_result *res)
{
	u32 rx = ack->rx_packets - inf->rx_packets;
	u32 ce = ack->ce_packets - inf->ce_packets;

	if (rx > S32_MAX || ce > rx || rx / 4 > inf->sent_packets)
		return;
	inf->rx_packets = ack->rx_packets;
	inf->ce_packets = ack->ce_packets;
	res->rx_packets = rx;
	res->ce_packets = ce;
}

/* A packet arrived though later ones had: how late can they be? */
static void note_lateness(struct mrc_inflight *inf,
			  const struct mrc_record *rec, u64 now)
{
	u64 late, known;

	if (!rec->overtaken_ns || now <= rec->overtaken_ns)
		return;
	late = now - rec->overtaken_ns;
	known = mrc_inflight_late_ns(inf, now);
	if (late < known)
		return;
	inf->reorder_ns = late;
	inf->reorder_seen_ns = now;
}

/* Packets of a record were reported. */
static void ack_packets(struct ack_walk *walk, struct mrc_record *rec,
			u64 mask)
{
	struct mrc_ack_result *res = walk->res;
	struct mrc_inflight *inf = walk->inf;
	u32 bytes, late, newest;

	mask &= ~rec->acked;
	if (!mask)
		return;
	bytes = mrc_inflight_wire(rec, mask);
	late = hweight64(mask & rec->lost);
	newest = rec->psn + fls64(mask) - 1;
	rec->acked |= mask;
	mrc_txq_mark_acked(walk->txq, rec->chunk, mask << rec->first);
	inf->bytes -= mrc_inflight_wire(rec, mask & ~rec->lost);
	inf->delivered += bytes;
	inf->spurious_packets += late;
	res->acked_bytes += bytes;
	res->acked_packets += hweight64(mask);
	res->spurious_packets += late;
	res->retrans |= rec->flags & MRC_RECORD_RETRANS;
	/* Only what the last ACKs had passed over was late. */
	if (!mrc_seq_after(rec->psn + __ffs64(mask), walk->rack_psn))
		note_lateness(inf, rec, walk->now);
	/* Pieces come in ascending order: the last one is the newest. */
	walk->rec = *rec;
	if (mrc_seq_after(newest, inf->rack_psn)) {
		inf->rack_psn = newest;
		inf->rack_sent_ns = rec->sent_ns;
	}
}

/* PSNs start..end - 1 were reported; pieces come in ascending order. */
static void ack_piece(struct ack_walk *walk, u32 start, u32 end)
{
	struct mrc_inflight *inf = walk->inf;
	struct mrc_record *rec, *next;
	u32 lo, hi;

	if (!walk->low && !mrc_seq_after(start, walk->rack_psn)) {
		walk->low = true;
		walk->pos = mrc_inflight_first(inf);
	} else if (mrc_seq_after(start, walk->rack_psn) && inf->rack_next &&
		   (!walk->pos ||
		    mrc_seq_before(walk->pos->psn, inf->rack_next->psn))) {
		walk->pos = inf->rack_next;
	}
	for (rec = walk->pos; rec && mrc_seq_before(rec->psn, end);
	     rec = next) {
		next = mrc_inflight_next(inf, rec);
		if (mrc_seq_after(end_psn(rec), start)) {
			lo = mrc_seq_max(start, rec->psn) - rec->psn;
			hi = min_t(u32, end - rec->psn, rec->count);
			ack_packets(walk, rec, mrc_inflight_all(rec) >>
				    (rec->count - (hi - lo)) << lo);
		}
		if (rec->acked == mrc_inflight_all(rec))
			mrc_inflight_drop(inf, walk->txq, rec);
		else if (mrc_seq_after(end_psn(rec), end))
			break;	/* the next piece may lie in it, too */
	}
	walk->pos = rec;
}

/* Applies what the last ACK had not said already, and remembers this one. */
static void ack_ranges(struct ack_walk *walk, const struct mrc_ack_path *ack)
{
	struct mrc_inflight_seen *seen = &walk->inf->seen;
	struct mrc_inflight_seen fresh = { .cum = ack->cum };
	u32 i, j = 0, start;

	if (mrc_seq_after(ack->cum, seen->cum))
		ack_piece(walk, seen->cum, ack->cum);
	for (i = ack->nranges; i > 0; i--) {
		const struct mrc_psn_range *range = &ack->range[i - 1];

		fresh.range[fresh.count++] = *range;
		start = mrc_seq_max(range->start, seen->cum);
		while (j < seen->count &&
		       !mrc_seq_after(seen->range[j].end, start))
			j++;
		if (j < seen->count &&
		    !mrc_seq_after(seen->range[j].start, start))
			start = seen->range[j].end;
		if (mrc_seq_before(start, range->end))
			ack_piece(walk, start, range->end);
	}
	/* An overtaken ACK knew less. */
	if (!mrc_seq_before(ack->cum, seen->cum))
		*seen = fresh;
}

/* The newest packet that arrived has overtaken all that left before. */
static void note_overtaken(struct mrc_inflight *inf, u64 now)
{
	struct mrc_record *rec = inf->rack_next;

	while (rec && !mrc_seq_after(rec->psn, inf->rack_psn)) {
		/* A verdict that already may fall is not put off. */
		if (!(rec->flags & MRC_RECORD_HEARD) ||
		    rec->overtaken_ns > now)
			rec->overtaken_ns = now;
		if (mrc_seq_after(end_psn(rec) - 1, inf->rack_psn))
			break;
		rec = mrc_inflight_next(inf, rec);
	}
	inf->rack_next = rec;
}

/*
 * Delivery rate: bytes that arrived since the newest packet left, over the
 * longer of the times it took to send and to acknowledge them, so that
 * neither bursts nor bunched ACKs inflate it (draft-cheng-iccrg-
 * delivery-rate-estimation).
 */
static void sample_rate(struct ack_walk *walk)
{
	const struct mrc_record *rec = &walk->rec;
	u64 bytes = walk->inf->delivered - rec->delivered;
	u64 time = max(rec->sent_ns - rec->first_sent_ns,
		       walk->now - rec->delivered_ns);

	if (!time)
		return;
	bytes = min(bytes, div64_u64(U64_MAX, MRC_NSEC_PER_SEC));
	walk->res->rate = div64_u64(bytes * MRC_NSEC_PER_SEC, time);
	walk->res->app_limited = rec->flags & MRC_RECORD_APP_LIMITED;
}

/**
 * mrc_inflight_ack() - apply what an ACK says of this path
 * @inf: path
 * @txq: send queue of the connection
 * @ack: report
 * @now: time, nanoseconds, never going back
 * @res: overwritten with what has changed; mrc_inflight_detect() adds losses
 *
 * Old ACKs and repetitions change nothing. Take the RTT sample and call
 * mrc_inflight_detect() afterwards.
 *
 * Return: 0; -EINVAL when it acknowledges what was never sent or its ranges
 * are not descending and disjoint: then nothing but @res was touched.
 */
int mrc_inflight_ack(struct mrc_inflight *inf, struct mrc_txq *txq,
		     const struct mrc_ack_path *ack, u64 now,
		     struct mrc_ack_result *res)
{
	struct ack_walk walk = {
		.inf = inf,
		.txq = txq,
		.res = res,
		.now = now,
		.rack_psn = inf->rack_psn,
	};

	memset(res, 0, sizeof(*res));
	if (!ack_sane(inf, ack))
		return -EINVAL;
	note_counts(inf, ack, res);
	ack_ranges(&walk, ack);
	if (!res->acked_packets)
		return 0;
	inf->delivered_ns = now;
	res->newest_acked = inf->rack_psn != walk.rack_psn;
	sample_rate(&walk);
	note_overtaken(inf, now);
	mrc_inflight_settle(inf);
	return 0;
}
