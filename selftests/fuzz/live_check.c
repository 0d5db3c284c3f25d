// SPDX-License-Identifier: GPL-2.0
/*
 * What must hold of a live connection after every step, see live.h.
 */
#include <linux/bitops.h>
#include <linux/minmax.h>
#include "live.h"
#include "reliable/seq.h"

static struct live_chunk *live_of(struct mrc_chunk *chunk)
{
	return container_of(chunk, struct live_chunk, chunk);
}

static bool received(const struct live_path *p, u32 psn)
{
	u32 nr = psn - p->first_psn;

	return nr < LIVE_PSNS && p->received[nr / 64] >> nr % 64 & 1;
}

static void check_record(struct live_path *p, struct mrc_record *rec)
{
	u64 all = mrc_inflight_all(rec);

	fuzz_assert(rec->count && rec->count <= MRC_CHUNK_PACKETS);
	fuzz_assert(rec->first + rec->count <= rec->chunk->sent);
	fuzz_assert(!((rec->acked | rec->lost) & ~all));
	/* Those that arrived whole are gone. */
	fuzz_assert(rec->acked != all);
	live_of(rec->chunk)->refs++;
	live_of(rec->chunk)->out |= mrc_inflight_out(rec) << rec->first;
	for (u32 i = 0; !live.lied && i < rec->count; i++)
		fuzz_assert(!(rec->acked >> i & 1) ||
			    received(p, rec->psn + i));
}

/* Bytes out are the sum of the records; nothing was acknowledged twice. */
static void check_path(struct live_path *p)
{
	struct mrc_record *rec, *oldest = NULL, *next = NULL;
	u64 bytes = 0, told = p->kept;
	u32 psn = p->first_psn;

	list_for_each_entry(rec, &p->inf.records, node) {
		fuzz_assert(!mrc_seq_before(rec->psn, psn));
		psn = rec->psn + rec->count;
		check_record(p, rec);
		bytes += mrc_inflight_wire(rec, mrc_inflight_out(rec));
		told += hweight64(rec->acked);
		if (mrc_inflight_out(rec) && !oldest)
			oldest = rec;
		if (mrc_seq_after(psn - 1, p->inf.rack_psn) && !next)
			next = rec;
	}
	fuzz_assert(!mrc_seq_after(psn, p->inf.next_psn));
	fuzz_assert(bytes == p->inf.bytes);
	fuzz_assert(oldest == p->inf.oldest_out);
	fuzz_assert(next == p->inf.rack_next);
	fuzz_assert(told == p->told && told <= p->inf.sent_packets);
	fuzz_assert(p->inf.spurious_packets <= p->inf.lost_packets);
	fuzz_assert(p->rate.cwnd >= mrc_rate_floor(&p->rate) &&
		    p->rate.cwnd <= MRC_CWND_MAX && p->rate.pacing_rate);
	fuzz_assert(mrc_rate_capacity(&p->rate, &p->rtt));
	fuzz_assert(!p->rtt.srtt_us ||
		    mrc_rtt_min_ns(&p->rtt) <= 60 * MRC_NSEC_PER_SEC);
}

/* Sent, not known to have arrived: either out, or waiting to be sent again. */
static void check_fate(const struct live_chunk *lc)
{
	const struct mrc_chunk *chunk = &lc->chunk;
	u64 open;

	fuzz_assert(chunk->sent <= chunk->npackets);
	fuzz_assert(chunk->refs == lc->refs + 1);
	if (!chunk->sent) {
		fuzz_assert(!chunk->lost && !chunk->acked);
		return;
	}
	open = ~0ULL >> (MRC_CHUNK_PACKETS - chunk->sent);
	fuzz_assert(!((chunk->lost | chunk->acked) & ~open));
	fuzz_assert(!(chunk->lost & chunk->acked));
	open &= ~(chunk->lost | chunk->acked);
	fuzz_assert(!(open & ~lc->out));
}

static void check_queue(const struct mrc_txq *txq)
{
	struct mrc_chunk *chunk, *unsent = NULL;
	u64 at = txq->una, nxt = txq->una;
	bool hint = !txq->lost;
	u32 lost = 0;

	list_for_each_entry(chunk, &txq->chunks, node) {
		fuzz_assert(chunk == list_first_entry(&txq->chunks,
						      struct mrc_chunk, node) ?
			    chunk->offset <= at : chunk->offset == at);
		at = chunk->offset + chunk->len;
		fuzz_assert(at > txq->una);
		check_fate(live_of(chunk));
		lost += hweight64(chunk->lost);
		hint |= chunk == txq->lost;
		fuzz_assert(hint || !chunk->lost);
		fuzz_assert(!unsent || !chunk->sent);
		if (chunk->sent < chunk->npackets && !unsent)
			unsent = chunk;
		if (chunk->sent)
			nxt = chunk->offset +
			      mrc_txq_run_len(chunk, 0, chunk->sent);
	}
	fuzz_assert(at == txq->end && nxt == txq->nxt);
	fuzz_assert(txq->una <= txq->nxt);
	fuzz_assert(unsent == txq->unsent);
	fuzz_assert(lost == txq->lost_packets && (txq->lost || !lost));
}

static void check_reorder(const struct mrc_rxq *rxq)
{
	u64 bytes = 0, end = rxq->nxt;
	struct rb_node *node;

	for (node = rb_first(&rxq->root); node; node = rb_next(node)) {
		struct mrc_rx_entry *entry = rb_entry(node, struct mrc_rx_entry,
						      node);

		/* The first one waits behind a hole. */
		fuzz_assert(bytes ? entry->start >= end : entry->start > end);
		fuzz_assert(entry->len);
		end = entry->start + entry->len;
		bytes += entry->len;
	}
	fuzz_assert(bytes == rxq->bytes);
}

/**
 * live_check() - stop when anything is wrong
 */
void live_check(void)
{
	struct mrc_chunk *chunk;

	list_for_each_entry(chunk, &live.txq.chunks, node) {
		live_of(chunk)->refs = 0;
		live_of(chunk)->out = 0;
	}
	for (u32 i = 0; i < LIVE_PATHS; i++)
		check_path(&live.path[i]);
	check_queue(&live.txq);
	check_reorder(&live.rxq);
	if (!live.lied)
		fuzz_assert(live.txq.una <= live.rxq.nxt &&
			    live.rxq.nxt <= live.txq.nxt);
}
