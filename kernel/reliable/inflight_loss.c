// SPDX-License-Identifier: GPL-2.0
/*
 * Verdicts over the packets in flight on one path: which are lost.
 *
 * Owns nothing; called after each ACK, on the loss timer, and when a path is
 * assumed bad. As in RACK (RFC 8985) a packet is given up when one that left
 * later has arrived and a reordering window has passed since; the window
 * follows the lateness seen (section 6.2 there adapts it to spurious
 * retransmissions; here also to packets that were late but in time). Pure:
 * guarded by the socket lock.
 */
#include <linux/bitops.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include "reliable/inflight.h"
#include "reliable/seq.h"

/* Packets of a record after which another one has arrived. */
static u64 overtaken_mask(const struct mrc_inflight *inf,
			  const struct mrc_record *rec)
{
	u32 count = inf->rack_psn + 1 - rec->psn;

	if ((rec->flags & MRC_RECORD_HEARD) || count >= rec->count)
		return mrc_inflight_all(rec);
	return (1ULL << count) - 1;
}

static void give_up(struct mrc_inflight *inf, struct mrc_txq *txq,
		    struct mrc_record *rec, u64 mask,
		    struct mrc_ack_result *res)
{
	u32 bytes = mrc_inflight_wire(rec, mask);
	u32 count = hweight64(mask);
	u32 newest = rec->psn + fls64(mask) - 1;

	if (!res->lost_packets || mrc_seq_after(newest, res->lost_psn))
		res->lost_psn = newest;
	res->lost_packets += count;
	res->lost_bytes += bytes;
	rec->lost |= mask;
	inf->bytes -= bytes;
	inf->lost_packets += count;
	mrc_txq_mark_lost(txq, rec->chunk, mask << rec->first);
}

/*
 * All that left before an answered PING is overtaken. The PONG came at once
 * but the peer may still hold the ACK, so the window starts that much later.
 */
static void overtake_heard(struct mrc_inflight *inf,
			   const struct mrc_rtt *rtt, u64 now)
{
	u64 from = now + mrc_rtt_delack_ns(rtt);
	struct mrc_record *rec;

	inf->heard_new = false;
	for (rec = inf->rack_next; rec && rec->sent_ns < inf->heard_ns;
	     rec = mrc_inflight_next(inf, rec)) {
		if (rec->flags & MRC_RECORD_HEARD)
			continue;
		rec->flags |= MRC_RECORD_HEARD;
		rec->overtaken_ns = from;
	}
}

/**
 * mrc_inflight_heard() - a PONG arrived
 * @inf: path
 * @sent_ns: when its PING left on this path, nanoseconds
 *
 * What left before the PING may be judged; mrc_inflight_detect() does.
 */
void mrc_inflight_heard(struct mrc_inflight *inf, u64 sent_ns)
{
	if (sent_ns <= inf->heard_ns)
		return;
	inf->heard_ns = sent_ns;
	inf->heard_new = true;
}

/**
 * mrc_inflight_late_ns() - by how much packets of this path come late
 * @inf: path
 * @now: time, nanoseconds
 *
 * Return: the largest lateness observed, halved every MRC_REORDER_HALF_NS
 * since; nanoseconds.
 */
u64 mrc_inflight_late_ns(const struct mrc_inflight *inf, u64 now)
{
	u64 halves = div64_u64(now - inf->reorder_seen_ns,
			       MRC_REORDER_HALF_NS);

	return halves < 64 ? inf->reorder_ns >> halves : 0;
}

/**
 * mrc_inflight_reorder_ns() - reordering window
 * @inf: path
 * @rtt: its round-trip time
 * @now: time, nanoseconds
 *
 * Return: how long after it was overtaken a packet is given up: a quarter of
 * the minimum RTT or 5/4 of the lateness observed, at most two RTT, at least
 * MRC_REORDER_MIN_NS; nanoseconds.
 */
u64 mrc_inflight_reorder_ns(const struct mrc_inflight *inf,
			    const struct mrc_rtt *rtt, u64 now)
{
	u64 late = mrc_inflight_late_ns(inf, now);
	u64 window = max(mrc_rtt_min_ns(rtt) / 4, late + late / 4);

	window = min(window, 2 * mrc_rtt_smooth_ns(rtt));
	return max_t(u64, window, MRC_REORDER_MIN_NS);
}

/**
 * mrc_inflight_detect() - give up what was overtaken too long ago
 * @inf: path
 * @txq: send queue of the connection, learns what to send again
 * @rtt: round-trip time of the path
 * @now: time, nanoseconds, never going back
 * @res: losses are added
 *
 * Return: when to call again at the latest, nanoseconds; 0: no packet waits
 * for a verdict.
 */
u64 mrc_inflight_detect(struct mrc_inflight *inf, struct mrc_txq *txq,
			const struct mrc_rtt *rtt, u64 now,
			struct mrc_ack_result *res)
{
	u64 window = mrc_inflight_reorder_ns(inf, rtt, now);
	struct mrc_record *rec;
	u64 due, next = 0;
	u64 mask;

	if (inf->heard_new)
		overtake_heard(inf, rtt, now);
	for (rec = inf->oldest_out; rec && rec->overtaken_ns;
	     rec = mrc_inflight_next(inf, rec)) {
		mask = mrc_inflight_out(rec) & overtaken_mask(inf, rec);
		if (!mask)
			continue;
		due = rec->overtaken_ns + window;
		if (now >= due)
			give_up(inf, txq, rec, mask, res);
		else if (!next || due < next)
			next = due;
	}
	mrc_inflight_settle(inf);
	return next;
}

/**
 * mrc_inflight_lose_all() - the path is assumed bad: give up all that is out
 * @inf: path
 * @txq: send queue of the connection, learns what to send again
 * @res: losses are added
 *
 * The records stay, so that late ACKs are understood.
 */
void mrc_inflight_lose_all(struct mrc_inflight *inf, struct mrc_txq *txq,
			   struct mrc_ack_result *res)
{
	struct mrc_record *rec;
	u64 mask;

	for (rec = inf->oldest_out; rec; rec = mrc_inflight_next(inf, rec)) {
		mask = mrc_inflight_out(rec);
		if (mask)
			give_up(inf, txq, rec, mask, res);
	}
	inf->oldest_out = NULL;
}
