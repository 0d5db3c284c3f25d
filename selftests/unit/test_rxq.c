// SPDX-License-Identifier: GPL-2.0
/*
 * Reorder queue against a model of one byte per stream offset. Runs lie in
 * real buffers with headers between the payloads, and every byte that comes
 * out is compared.
 */
#include "unit.h"
#include "reliable/rxq.h"

#define STREAM	60000
#define BASE	0xfffffff0ULL	/* offsets pass 2^32 */

/* A run with its buffer. */
struct run {
	struct mrc_rx_entry entry;
	u8 buf[];
};

static u8 got[STREAM + 1];
static int runs_alive;
static u32 runs_dropped;

static u8 byte_at(u64 offset)
{
	return (offset * 0x9e3779b97f4a7c15ULL) >> 56;
}

static struct run *run_of(struct mrc_rx_entry *entry)
{
	return container_of(entry, struct run, entry);
}

static void run_free(struct run *run)
{
	runs_alive--;
	free(run);
}

static void drop_run(struct mrc_rxq *rxq, struct mrc_rx_entry *entry)
{
	runs_dropped++;
	run_free(run_of(entry));
}

/* Payload of per bytes behind each header of hdr bytes; hdr 0: plain. */
static struct run *run_new(u64 start, u32 len, u32 pos, u32 hdr, u32 per)
{
	u32 packets = hdr ? (len + per - 1) / per : 0;
	u32 size = pos + len + packets * hdr;
	struct run *run = calloc(1, sizeof(*run) + size);
	u32 at = pos;

	runs_alive++;
	memset(run->buf, 0xee, size);
	for (u32 i = 0; i < len; i++) {
		if (hdr && i % per == 0)
			at += hdr;
		run->buf[at++] = byte_at(start + i);
	}
	run->entry.start = start;
	run->entry.len = len;
	run->entry.pos = pos;
	run->entry.hdr = hdr;
	run->entry.stride = hdr ? hdr + per : 0;
	return run;
}

static struct run *run_fin(u64 start)
{
	struct run *run = run_new(start, 0, 0, 0, 0);

	run->entry.len = 1;
	run->entry.flags = MRC_RX_FIN;
	return run;
}

/* Reads an entry in uneven bites; counts the bytes that are right. */
static u32 run_read(struct unit_rand *rand, const struct run *run)
{
	const struct mrc_rx_entry *entry = &run->entry;
	u32 done = 0, right = 0, pos, piece;

	while ((piece = mrc_rxq_piece(entry, done, &pos))) {
		piece = min(piece, 1 + unit_rand_below(rand, 900));
		for (u32 i = 0; i < piece; i++)
			right += run->buf[pos + i] ==
				 byte_at(entry->start + done + i);
		done += piece;
	}
	return done == entry->len ? right : 0;
}

TEST(pieces_between_headers)
{
	struct mrc_rx_entry entry = {
		.len = 250, .skip = 130, .pos = 7, .hdr = 32, .stride = 132,
	};
	u32 pos;

	/* 30 bytes into the second packet. */
	EXPECT_EQ(70, mrc_rxq_piece(&entry, 0, &pos));
	EXPECT_EQ(7 + 132 + 32 + 30, pos);
	EXPECT_EQ(1, mrc_rxq_piece(&entry, 69, &pos));
	EXPECT_EQ(7 + 132 + 32 + 99, pos);
	EXPECT_EQ(100, mrc_rxq_piece(&entry, 70, &pos));
	EXPECT_EQ(7 + 264 + 32, pos);
	EXPECT_EQ(80, mrc_rxq_piece(&entry, 170, &pos));
	EXPECT_EQ(7 + 396 + 32, pos);
	EXPECT_EQ(0, mrc_rxq_piece(&entry, 250, &pos));
	mrc_rxq_trim(&entry, 70);
	EXPECT_EQ(100, mrc_rxq_piece(&entry, 0, &pos));
	EXPECT_EQ(7 + 264 + 32, pos);
	entry.hdr = 0;
	EXPECT_EQ(180, mrc_rxq_piece(&entry, 0, &pos));
	EXPECT_EQ(7 + 200, pos);
	entry.flags = MRC_RX_FIN;
	EXPECT_EQ(0, mrc_rxq_piece(&entry, 0, &pos));
}

static enum mrc_rx_verdict put(struct mrc_rxq *rxq, struct run *run)
{
	enum mrc_rx_verdict verdict;

	verdict = mrc_rxq_insert(rxq, &run->entry, drop_run);
	if (verdict == MRC_RX_IN_ORDER)
		mrc_rxq_delivered(rxq, &run->entry);
	if (verdict != MRC_RX_QUEUED)
		run_free(run);
	return verdict;
}

static void drain(struct mrc_rxq *rxq)
{
	struct mrc_rx_entry *entry;

	while ((entry = mrc_rxq_next(rxq, drop_run))) {
		mrc_rxq_delivered(rxq, entry);
		run_free(run_of(entry));
	}
}

TEST(window_edge)
{
	struct mrc_rxq rxq;

	mrc_rxq_init(&rxq, 1000, 2000);
	EXPECT_EQ(MRC_RX_OUTSIDE, put(&rxq, run_new(1990, 11, 0, 0, 0)));
	EXPECT_EQ(MRC_RX_OUTSIDE, put(&rxq, run_new(2000, 1, 0, 0, 0)));
	EXPECT_EQ(MRC_RX_QUEUED, put(&rxq, run_new(1990, 10, 0, 0, 0)));
	EXPECT_EQ(MRC_RX_OUTSIDE, put(&rxq, run_fin(2001)));
	EXPECT_EQ(MRC_RX_QUEUED, put(&rxq, run_fin(2000)));
	EXPECT_EQ(MRC_RX_DUPLICATE, put(&rxq, run_fin(2000)));
	EXPECT_EQ(11, rxq.bytes);
	EXPECT_EQ(MRC_RX_IN_ORDER, put(&rxq, run_new(1000, 990, 0, 0, 0)));
	drain(&rxq);
	EXPECT_EQ(2001, rxq.nxt);
	EXPECT_EQ(0, rxq.bytes);
	EXPECT_EQ(MRC_RX_DUPLICATE, put(&rxq, run_fin(2000)));
	EXPECT_EQ(MRC_RX_DUPLICATE, put(&rxq, run_new(1500, 100, 0, 0, 0)));
	EXPECT_EQ(0, runs_alive);
}

TEST(fin_is_believed_once)
{
	struct mrc_rxq rxq;

	mrc_rxq_init(&rxq, 0, 1000);
	EXPECT_EQ(MRC_RX_QUEUED, put(&rxq, run_new(100, 50, 0, 0, 0)));
	/* Before bytes that have arrived. */
	EXPECT_EQ(MRC_RX_OUTSIDE, put(&rxq, run_fin(149)));
	EXPECT_EQ(MRC_RX_QUEUED, put(&rxq, run_fin(200)));
	EXPECT_EQ(200, rxq.fin);
	EXPECT_EQ(MRC_RX_OUTSIDE, put(&rxq, run_fin(201)));
	EXPECT_EQ(MRC_RX_OUTSIDE, put(&rxq, run_fin(199)));
	EXPECT_EQ(MRC_RX_OUTSIDE, put(&rxq, run_new(199, 2, 0, 0, 0)));
	EXPECT_EQ(MRC_RX_QUEUED, put(&rxq, run_new(150, 50, 0, 0, 0)));
	EXPECT_EQ(MRC_RX_IN_ORDER, put(&rxq, run_new(0, 100, 0, 0, 0)));
	drain(&rxq);
	EXPECT_EQ(201, rxq.nxt);
	EXPECT_EQ(0, runs_alive);
}

/* What is cut off a run takes the boundary there with it. */
TEST(boundaries_of_messages)
{
	struct mrc_rxq rxq;
	struct run *run;

	mrc_rxq_init(&rxq, 100, 10000);
	run = run_new(90, 50, 0, 0, 0);
	run->entry.flags = MRC_RX_BEGIN | MRC_RX_END;
	ASSERT_EQ(MRC_RX_IN_ORDER, mrc_rxq_insert(&rxq, &run->entry, drop_run));
	ASSERT_EQ(MRC_RX_END, run->entry.flags);
	run_free(run);

	run = run_new(500, 100, 0, 0, 0);
	run->entry.flags = MRC_RX_BEGIN | MRC_RX_END;
	ASSERT_EQ(MRC_RX_QUEUED, mrc_rxq_insert(&rxq, &run->entry, drop_run));
	ASSERT_EQ(MRC_RX_BEGIN | MRC_RX_END, run->entry.flags);

	/* Overlaps its first half: the end goes. */
	run = run_new(450, 100, 0, 0, 0);
	run->entry.flags = MRC_RX_BEGIN | MRC_RX_END;
	ASSERT_EQ(MRC_RX_QUEUED, mrc_rxq_insert(&rxq, &run->entry, drop_run));
	ASSERT_EQ(50, run->entry.len);
	ASSERT_EQ(MRC_RX_BEGIN, run->entry.flags);

	/* Overlaps its second half: the beginning goes. */
	run = run_new(550, 100, 0, 0, 0);
	run->entry.flags = MRC_RX_BEGIN | MRC_RX_END;
	ASSERT_EQ(MRC_RX_QUEUED, mrc_rxq_insert(&rxq, &run->entry, drop_run));
	ASSERT_EQ(600, run->entry.start);
	ASSERT_EQ(MRC_RX_END, run->entry.flags);

	while (rb_first(&rxq.root)) {
		run = run_of(rb_entry(rb_first(&rxq.root), struct mrc_rx_entry,
				      node));
		rb_erase(&run->entry.node, &rxq.root);
		run_free(run);
	}
	ASSERT_EQ(0, runs_alive);
}

TEST(absurd_runs)
{
	struct mrc_rxq rxq;

	mrc_rxq_init(&rxq, 0, ~0ULL);
	EXPECT_EQ(MRC_RX_OUTSIDE, put(&rxq, run_new(~0ULL - 5, 10, 0, 0, 0)));
	EXPECT_EQ(MRC_RX_DUPLICATE, put(&rxq, run_new(50, 0, 0, 0, 0)));
	EXPECT_EQ(MRC_RX_OUTSIDE, put(&rxq, run_fin(~0ULL)));
	EXPECT_EQ(0, runs_alive);
}

/* Disjoint, sorted, counted, beyond nxt; and with [0, nxt) all there is. */
static bool tree_same_as_model(const struct mrc_rxq *rxq)
{
	static u8 seen[STREAM + 1];
	u64 edge = rxq->nxt, bytes = 0;
	struct rb_node *node;

	memset(seen, 0, sizeof(seen));
	memset(seen, 1, rxq->nxt - BASE);
	for (node = rb_first(&rxq->root); node; node = rb_next(node)) {
		struct mrc_rx_entry *entry;

		entry = rb_entry(node, struct mrc_rx_entry, node);
		if (entry->start < edge || !entry->len)
			return false;
		edge = entry->start + entry->len;
		bytes += entry->len;
		memset(seen + (entry->start - BASE), 1, entry->len);
	}
	return bytes == rxq->bytes && !memcmp(seen, got, sizeof(got));
}

/* What the model thinks of a run; notes it as received if acceptable. */
static bool model_put(const struct mrc_rxq *rxq, u64 start, u32 len, bool fin,
		      enum mrc_rx_verdict verdict)
{
	u64 end = start + len;
	u32 fresh = 0;

	if (end > rxq->window + fin || end > BASE + STREAM + fin)
		return verdict == MRC_RX_OUTSIDE;
	for (u64 i = start; i < end; i++)
		fresh += !got[i - BASE];
	memset(got + (start - BASE), 1, len);
	/* Nothing new in it, but it may take the place of several others. */
	if (!fresh)
		return verdict == MRC_RX_DUPLICATE ||
		       (verdict == MRC_RX_QUEUED && runs_dropped);
	if (start <= rxq->nxt)
		return verdict == MRC_RX_IN_ORDER;
	return verdict == MRC_RX_QUEUED;
}

struct stream {
	struct unit_rand rand;
	struct mrc_rxq rxq;
	u64 read;	/* bytes compared */
	u32 window;	/* bytes ahead of nxt */
	u32 outside;
};

static void deliver(struct stream *s, struct mrc_rx_entry *entry)
{
	s->read += run_read(&s->rand, run_of(entry));
	mrc_rxq_delivered(&s->rxq, entry);
	run_free(run_of(entry));
}

/* Picks where the next run lies: the hole, near it, or anywhere ahead. */
static struct run *next_run(struct stream *s, u32 max_len)
{
	u32 ahead = s->rxq.nxt - BASE;
	u32 start, len, hdr;

	if (unit_rand_in(&s->rand, 2))
		return run_fin(BASE + STREAM);
	if (unit_rand_in(&s->rand, 5))
		start = ahead;
	else
		start = ahead + unit_rand_below(&s->rand, s->window + 50);
	start -= min(start, unit_rand_below(&s->rand, 2 * max_len));
	start = min(start, STREAM - 1U);
	len = 1 + unit_rand_below(&s->rand, max_len);
	/* Beyond the end now and then. */
	if (!unit_rand_in(&s->rand, 2))
		len = min(len, STREAM - start);
	hdr = unit_rand_in(&s->rand, 30) ? 0 : 32;
	return run_new(BASE + start, len, unit_rand_below(&s->rand, 40), hdr,
		       1 + unit_rand_below(&s->rand, 200));
}

static void run_stream(struct __test_metadata *_metadata, u64 seed,
		       u32 max_len)
{
	struct stream s = { .rand = { seed }, .window = 4000 };
	enum mrc_rx_verdict verdict;
	struct mrc_rx_entry *entry;
	int step;

	memset(got, 0, sizeof(got));
	mrc_rxq_init(&s.rxq, BASE, BASE + s.window);
	/* Until both the bytes and the end have come. */
	for (step = 0; s.rxq.nxt < BASE + STREAM + 1; step++) {
		struct run *run = next_run(&s, max_len);
		u64 start = run->entry.start, nxt = s.rxq.nxt;
		bool fin = run->entry.flags & MRC_RX_FIN;
		u32 len = run->entry.len;

		ASSERT_LT(step, 2000000);
		/* The end is known from the start, as the model assumes. */
		s.rxq.fin = BASE + STREAM;
		runs_dropped = 0;
		verdict = mrc_rxq_insert(&s.rxq, &run->entry, drop_run);
		s.outside += verdict == MRC_RX_OUTSIDE;
		ASSERT_TRUE(model_put(&s.rxq, start, len, fin, verdict));
		ASSERT_EQ(nxt, s.rxq.nxt);
		if (verdict == MRC_RX_IN_ORDER) {
			ASSERT_EQ(nxt, run->entry.start);
			deliver(&s, &run->entry);
			while ((entry = mrc_rxq_next(&s.rxq, drop_run))) {
				ASSERT_EQ(s.rxq.nxt, entry->start);
				deliver(&s, entry);
			}
		} else if (verdict != MRC_RX_QUEUED) {
			run_free(run);
		}
		/* The window moves with the reader, unevenly. */
		if (unit_rand_in(&s.rand, 30))
			s.rxq.window = s.rxq.nxt + s.window;
		if (step % 32 == 0)
			ASSERT_TRUE(tree_same_as_model(&s.rxq));
	}
	EXPECT_EQ(STREAM, s.read);
	EXPECT_EQ(0, s.rxq.bytes);
	EXPECT_EQ(0, runs_alive);
	EXPECT_GT(s.outside, 0);
}

TEST(small_runs)
{
	for (u64 seed = 1; seed <= 12; seed++)
		run_stream(_metadata, seed * 31337, 40);
}

TEST(large_runs)
{
	for (u64 seed = 1; seed <= 150; seed++)
		run_stream(_metadata, seed * 271828, 1500);
}

TEST_HARNESS_MAIN
