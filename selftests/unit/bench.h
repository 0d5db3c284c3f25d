/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A sender whose peer is the test, for verdicts step by step. Each program
 * has its own copy; records and chunks alive are counted.
 */
#ifndef _UNIT_BENCH_H
#define _UNIT_BENCH_H

#include <stdlib.h>
#include <string.h>
#include "limits.h"
#include "reliable/inflight.h"
#include "reliable/rtt.h"
#include "reliable/txq.h"

#define US	MRC_NSEC_PER_USEC
#define MS	MRC_NSEC_PER_MSEC

/**
 * struct bench - one sender without a network: the test plays the peer
 * @txq: its queue
 * @inf: its records
 * @rtt: its estimate
 * @res: what the last ACK or verdict has changed
 * @now: time, nanoseconds
 */
struct bench {
	struct mrc_txq txq;
	struct mrc_inflight inf;
	struct mrc_rtt rtt;
	struct mrc_ack_result res;
	u64 now;
};

static int bench_records, bench_chunks;

static inline void bench_free(struct mrc_record *rec)
{
	bench_records--;
	free(rec);
}

static inline void bench_detach(struct mrc_txq *txq, struct mrc_chunk *chunk)
{
	chunk->truesize = 0;
}

static inline void bench_release(struct mrc_txq *txq, struct mrc_chunk *chunk)
{
	bench_chunks--;
	free(chunk);
}

/* Path of 1 ms: window a quarter of it. */
static inline void bench_init(struct bench *b, u32 first_psn)
{
	memset(b, 0, sizeof(*b));
	bench_records = 0;
	bench_chunks = 0;
	b->now = 1000 * MS;
	mrc_txq_init(&b->txq, 0);
	b->txq.detach = bench_detach;
	b->txq.release = bench_release;
	mrc_inflight_init(&b->inf, first_psn, bench_free);
	mrc_rtt_init(&b->rtt);
	for (int i = 0; i < 100; i++)
		mrc_rtt_sample(&b->rtt, 1000, b->now);
}

static inline void bench_exit(struct bench *b)
{
	mrc_inflight_purge(&b->inf, &b->txq);
	mrc_txq_purge(&b->txq);
}

/* A new chunk of count packets leaves whole; the last one is shorter. */
static inline struct mrc_record *bench_send(struct bench *b, u32 count)
{
	struct mrc_chunk *chunk = calloc(1, sizeof(*chunk));
	struct mrc_record *rec = calloc(1, sizeof(*rec));

	bench_chunks++;
	bench_records++;
	chunk->mss = 100;
	chunk->len = 100 * count - 50;
	chunk->npackets = count;
	mrc_txq_add(&b->txq, chunk);
	mrc_txq_sent(&b->txq, chunk, count);
	mrc_txq_get(chunk);
	rec->chunk = chunk;
	rec->count = count;
	rec->wire = 132;
	rec->wire_last = 82;
	mrc_inflight_sent(&b->inf, rec, b->now);
	return rec;
}

/* Acknowledges everything below cum and one range. */
static inline int bench_ack(struct bench *b, u32 cum, u32 start, u32 end)
{
	struct mrc_ack_path ack = { .cum = cum };

	if (start != end) {
		ack.nranges = 1;
		ack.range[0].start = start;
		ack.range[0].end = end;
	}
	return mrc_inflight_ack(&b->inf, &b->txq, &ack, b->now, &b->res);
}

static inline u64 bench_detect(struct bench *b)
{
	memset(&b->res, 0, sizeof(b->res));
	return mrc_inflight_detect(&b->inf, &b->txq, &b->rtt, b->now, &b->res);
}

#endif /* _UNIT_BENCH_H */
