// SPDX-License-Identifier: GPL-2.0
/*
 * Send queue against a model: one entry per packet ever laid out.
 */
#include "unit.h"
#include "reliable/txq.h"

#define CHUNKS	4000

/* A chunk as the model sees it. */
struct shadow {
	struct mrc_chunk *chunk;
	u64 offset;
	u32 len;
	u32 mss;
	u32 npackets;
	u32 sent;
	u32 held;	/* references of records */
	bool queued;
	bool freed;
	bool acked[MRC_CHUNK_PACKETS];
	bool lost[MRC_CHUNK_PACKETS];
};

static struct shadow shadows[CHUNKS];
static u32 detached, released;

static struct shadow *shadow_of(struct mrc_chunk *chunk)
{
	return &shadows[chunk->truesize];
}

static void on_detach(struct mrc_txq *txq, struct mrc_chunk *chunk)
{
	detached++;
	shadow_of(chunk)->queued = false;
}

static void on_release(struct mrc_txq *txq, struct mrc_chunk *chunk)
{
	released++;
	shadow_of(chunk)->freed = true;
	free(chunk);
}

static void txq_start(struct mrc_txq *txq, u64 first)
{
	memset(shadows, 0, sizeof(shadows));
	detached = 0;
	released = 0;
	memset(txq, 0xff, sizeof(*txq));
	mrc_txq_init(txq, first);
	txq->detach = on_detach;
	txq->release = on_release;
}

static struct mrc_chunk *chunk_add(struct mrc_txq *txq, u32 id, u32 mss,
				   u32 len)
{
	struct mrc_chunk *chunk = calloc(1, sizeof(*chunk));

	chunk->truesize = id;
	chunk->mss = mss;
	chunk->len = len;
	chunk->npackets = (len + mss - 1) / mss;
	shadows[id] = (struct shadow){
		.chunk = chunk, .offset = txq->end, .len = len, .mss = mss,
		.npackets = chunk->npackets, .queued = true,
	};
	mrc_txq_add(txq, chunk);
	return chunk;
}

TEST(packets_of_a_chunk)
{
	struct mrc_txq txq;
	struct mrc_chunk *chunk;

	txq_start(&txq, 5000);
	chunk = chunk_add(&txq, 0, 1000, 2300);
	EXPECT_EQ(3, chunk->npackets);
	EXPECT_EQ(1000, mrc_txq_packet_len(chunk, 1));
	EXPECT_EQ(300, mrc_txq_packet_len(chunk, 2));
	EXPECT_EQ(7000, mrc_txq_packet_offset(chunk, 2));
	EXPECT_EQ(1300, mrc_txq_run_len(chunk, 1, 2));
	EXPECT_EQ(2300, mrc_txq_unsent_bytes(&txq));
	mrc_txq_purge(&txq);
	EXPECT_EQ(0, mrc_txq_unsent_bytes(&txq));
	EXPECT_EQ(1, released);
}

TEST(all_64_packets)
{
	struct mrc_txq txq;
	struct mrc_chunk *chunk;
	u32 first, count;

	txq_start(&txq, 0);
	chunk = chunk_add(&txq, 0, 10, 640);
	EXPECT_EQ(0, mrc_txq_mark_lost(&txq, chunk, ~0ULL));
	mrc_txq_sent(&txq, chunk, 64);
	EXPECT_EQ(NULL, txq.unsent);
	EXPECT_EQ(64, mrc_txq_mark_lost(&txq, chunk, ~0ULL));
	EXPECT_EQ(chunk, mrc_txq_lost_next(&txq, NULL, &first, &count));
	EXPECT_EQ(0, first);
	EXPECT_EQ(64, count);
	EXPECT_EQ(NULL, mrc_txq_lost_next(&txq, chunk, &first, &count));
	mrc_txq_resent(&txq, chunk, 0, 64);
	EXPECT_EQ(0, txq.lost_packets);
	EXPECT_EQ(639, mrc_txq_ack(&txq, 639));
	EXPECT_EQ(~0ULL >> 1, chunk->acked);
	EXPECT_EQ(1, mrc_txq_ack(&txq, 640));
	EXPECT_EQ(1, released);
}

TEST(ack_of_the_unsent_is_refused)
{
	struct mrc_txq txq;
	struct mrc_chunk *chunk;

	txq_start(&txq, 100);
	chunk = chunk_add(&txq, 0, 100, 1000);
	mrc_txq_sent(&txq, chunk, 3);
	EXPECT_EQ(400, txq.nxt);
	EXPECT_FALSE(mrc_txq_ack_valid(&txq, 401));
	EXPECT_EQ(0, mrc_txq_ack(&txq, 401));
	EXPECT_EQ(0, mrc_txq_ack(&txq, 1100));
	EXPECT_EQ(0, chunk->acked);
	EXPECT_TRUE(mrc_txq_ack_valid(&txq, 400));
	EXPECT_EQ(300, mrc_txq_ack(&txq, 400));
	EXPECT_EQ(0, mrc_txq_ack(&txq, 400));
	EXPECT_EQ(0, mrc_txq_ack(&txq, 99));
	EXPECT_EQ(7, chunk->acked);
	mrc_txq_purge(&txq);
}

TEST(fin_is_one_byte)
{
	struct mrc_txq txq;
	struct mrc_chunk *chunk;

	txq_start(&txq, 0);
	chunk = chunk_add(&txq, 0, 1, 1);
	chunk->flags = MRC_CHUNK_FIN | MRC_CHUNK_FULL;
	EXPECT_EQ(1, mrc_txq_packet_len(chunk, 0));
	mrc_txq_sent(&txq, chunk, 1);
	EXPECT_EQ(1, txq.nxt);
	EXPECT_EQ(1, mrc_txq_mark_lost(&txq, chunk, 1));
	EXPECT_EQ(1, mrc_txq_ack(&txq, 1));
	EXPECT_EQ(0, txq.lost_packets);
	EXPECT_EQ(1, detached);
	EXPECT_EQ(1, released);
}

/* Everything that can be asked of the queue, compared. */
static bool same_as_model(struct mrc_txq *txq, u32 head, u32 tail)
{
	struct mrc_chunk *chunk = NULL, *unsent = NULL;
	u32 lost = 0, first = 0, count = 0, i, j;
	u64 acked, mask;

	for (i = head; i < tail; i++) {
		struct shadow *s = &shadows[i];

		if (!unsent && s->sent < s->npackets)
			unsent = s->chunk;
		acked = 0;
		for (j = 0; j < s->npackets; j++)
			acked |= (u64)s->acked[j] << j;
		if (s->chunk->acked != acked ||
		    s->chunk->offset != s->offset ||
		    s->chunk->len != s->len || s->chunk->refs != 1 + s->held)
			return false;
		/* Runs of lost packets come in this very order. */
		for (j = 0; j < s->npackets; j += !s->lost[j]) {
			if (!s->lost[j])
				continue;
			chunk = mrc_txq_lost_next(txq, chunk, &first, &count);
			if (chunk != s->chunk || first != j)
				return false;
			for (mask = 0; j < s->npackets && s->lost[j]; j++)
				mask++;
			if (count != mask)
				return false;
			lost += count;
		}
	}
	return lost == txq->lost_packets && unsent == txq->unsent &&
	       (!lost || !mrc_txq_lost_next(txq, chunk, &first, &count)) &&
	       (lost || !mrc_txq_lost_next(txq, NULL, &first, &count));
}

/* Acknowledges up to an offset in the model; returns the new head. */
static u32 model_ack(u32 head, u32 tail, u64 una)
{
	for (; head < tail; head++) {
		struct shadow *s = &shadows[head];

		for (u32 j = 0; j < s->sent; j++) {
			u64 end = s->offset + min((j + 1) * s->mss, s->len);

			if (end > una)
				break;
			s->acked[j] = true;
			s->lost[j] = false;
		}
		if (s->offset + s->len > una)
			break;
	}
	return head;
}

struct world {
	struct unit_rand rand;
	struct mrc_txq txq;
	u32 head;	/* oldest shadow queued */
	u32 tail;	/* after the newest */
};

static u64 random_mask(struct world *w)
{
	return unit_rand_u64(&w->rand) & unit_rand_u64(&w->rand);
}

static void do_write(struct world *w)
{
	struct shadow *last = w->tail ? &shadows[w->tail - 1] : NULL;
	u32 room, bytes, packets, mss;

	if (last && last->queued && last->sent < last->npackets &&
	    unit_rand_in(&w->rand, 60)) {
		room = MRC_CHUNK_PACKETS * last->mss - last->len;
		bytes = min(room, 1 + unit_rand_below(&w->rand,
						      3 * last->mss));
		packets = (last->len + bytes + last->mss - 1) / last->mss -
			  last->npackets;
		mrc_txq_grow(&w->txq, last->chunk, bytes, packets);
		last->len += bytes;
		last->npackets += packets;
		return;
	}
	if (w->tail == CHUNKS)
		return;
	mss = 1 + unit_rand_below(&w->rand, 1500);
	chunk_add(&w->txq, w->tail++, mss,
		  1 + unit_rand_below(&w->rand, mss * MRC_CHUNK_PACKETS));
}

static void do_send(struct world *w)
{
	struct shadow *s;
	u32 count;

	if (!w->txq.unsent)
		return;
	s = shadow_of(w->txq.unsent);
	count = 1 + unit_rand_below(&w->rand, s->npackets - s->sent);
	mrc_txq_sent(&w->txq, s->chunk, count);
	s->sent += count;
	if (unit_rand_in(&w->rand, 40)) {
		mrc_txq_get(s->chunk);
		s->held++;
	}
}

/* Marks random packets of a random chunk lost or arrived. */
static bool do_mark(struct world *w, bool lost)
{
	struct shadow *s;
	u32 fresh = 0;
	u64 mask = random_mask(w);

	if (w->head == w->tail)
		return true;
	s = &shadows[w->head + unit_rand_below(&w->rand, w->tail - w->head)];
	for (u32 j = 0; j < s->sent; j++) {
		if (!(mask >> j & 1))
			continue;
		if (lost) {
			fresh += !s->acked[j] && !s->lost[j];
			s->lost[j] |= !s->acked[j];
		} else {
			s->acked[j] = true;
			s->lost[j] = false;
		}
	}
	if (lost)
		return mrc_txq_mark_lost(&w->txq, s->chunk, mask) == fresh;
	mrc_txq_mark_acked(&w->txq, s->chunk, mask);
	return true;
}

static void do_resend(struct world *w)
{
	struct mrc_chunk *chunk;
	u32 first, count;

	chunk = mrc_txq_lost_next(&w->txq, NULL, &first, &count);
	if (!chunk)
		return;
	count = 1 + unit_rand_below(&w->rand, count);
	mrc_txq_resent(&w->txq, chunk, first, count);
	while (count--)
		shadow_of(chunk)->lost[first + count] = false;
}

static bool do_ack(struct world *w)
{
	u64 out = w->txq.nxt - w->txq.una;
	u64 una = w->txq.una + unit_rand_u64(&w->rand) % (out + 1);
	u64 before = w->txq.una;

	if (unit_rand_in(&w->rand, 10))
		una = w->txq.nxt;
	w->head = model_ack(w->head, w->tail, una);
	return mrc_txq_ack(&w->txq, una) == una - before &&
	       w->txq.una == una && detached == w->head;
}

/* A record goes: perhaps the last reference of a chunk long acknowledged. */
static bool do_put(struct world *w)
{
	struct shadow *s;
	u32 before = released;
	bool last;

	if (!w->tail)
		return true;
	s = &shadows[unit_rand_below(&w->rand, w->tail)];
	if (!s->held)
		return true;
	/* Marks on a chunk that has gone change nothing. */
	if (!s->queued && mrc_txq_mark_lost(&w->txq, s->chunk, ~0ULL))
		return false;
	last = --s->held == 0 && !s->queued;
	mrc_txq_put(&w->txq, s->chunk);
	return released == before + last;
}

static bool do_anything(struct world *w)
{
	u32 dice = unit_rand_below(&w->rand, 100);

	if (dice < 25)
		do_write(w);
	else if (dice < 50)
		do_send(w);
	else if (dice < 70)
		return do_mark(w, dice < 62);
	else if (dice < 85)
		do_resend(w);
	else if (dice < 92)
		return do_ack(w);
	else
		return do_put(w);
	return true;
}

TEST(random_walk)
{
	struct world w = { .rand = { 20230501 } };
	u32 steps = 0, i;

	txq_start(&w.txq, 0xfffff000);
	while (w.tail < CHUNKS && ++steps < 400000) {
		ASSERT_TRUE(do_anything(&w));
		if (steps % 8 == 0)
			ASSERT_TRUE(same_as_model(&w.txq, w.head, w.tail));
	}
	ASSERT_EQ(CHUNKS, w.tail);
	mrc_txq_purge(&w.txq);
	ASSERT_EQ(CHUNKS, detached);
	ASSERT_EQ(0, w.txq.lost_packets);
	for (i = 0; i < CHUNKS; i++)
		for (; shadows[i].held; shadows[i].held--)
			mrc_txq_put(&w.txq, shadows[i].chunk);
	ASSERT_EQ(CHUNKS, released);
	TH_LOG("%u steps", steps);
}

TEST_HARNESS_MAIN
