// SPDX-License-Identifier: GPL-2.0
/*
 * Packets in flight: verdicts step by step, whole transfers over a simulated
 * path (sim.h), and ACKs that lie.
 */
#include "unit.h"
#include "sim.h"
#include "reliable/seq.h"

#define US	MRC_NSEC_PER_USEC
#define MS	MRC_NSEC_PER_MSEC

/* The simulation has found nothing wrong. */
#define ASSERT_RIGHT(sim) \
	ASSERT_EQ(NULL, (sim).wrong) { TH_LOG("%s", (sim).wrong); }

/* One sender without a network: the test plays the peer. */
struct bench {
	struct mrc_txq txq;
	struct mrc_inflight inf;
	struct mrc_rtt rtt;
	struct mrc_ack_result res;
	u64 now;
};

static int bench_records, bench_chunks;

static void bench_free(struct mrc_record *rec)
{
	bench_records--;
	free(rec);
}

static void bench_detach(struct mrc_txq *txq, struct mrc_chunk *chunk)
{
	chunk->truesize = 0;
}

static void bench_release(struct mrc_txq *txq, struct mrc_chunk *chunk)
{
	bench_chunks--;
	free(chunk);
}

/* Path of 1 ms: window a quarter of it. */
static void bench_init(struct bench *b, u32 first_psn)
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

static void bench_exit(struct bench *b)
{
	mrc_inflight_purge(&b->inf, &b->txq);
	mrc_txq_purge(&b->txq);
}

/* A new chunk of count packets leaves whole; the last one is shorter. */
static struct mrc_record *bench_send(struct bench *b, u32 count)
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
	rec->chunk = chunk;
	rec->count = count;
	rec->wire = 132;
	rec->wire_last = 82;
	mrc_inflight_sent(&b->inf, rec, b->now);
	return rec;
}

/* Acknowledges everything below cum and one range. */
static int bench_ack(struct bench *b, u32 cum, u32 start, u32 end)
{
	struct mrc_ack_path ack = { .cum = cum };

	if (start != end) {
		ack.nranges = 1;
		ack.range[0].start = start;
		ack.range[0].end = end;
	}
	return mrc_inflight_ack(&b->inf, &b->txq, &ack, b->now, &b->res);
}

static u64 bench_detect(struct bench *b)
{
	memset(&b->res, 0, sizeof(b->res));
	return mrc_inflight_detect(&b->inf, &b->txq, &b->rtt, b->now, &b->res);
}

TEST(in_order)
{
	struct bench b;

	bench_init(&b, 0xfffffffd);
	bench_send(&b, 4);
	bench_send(&b, 2);
	EXPECT_EQ(3 * 132 + 82 + 132 + 82, b.inf.bytes);
	EXPECT_EQ(3, b.inf.next_psn);
	b.now += MS;
	ASSERT_EQ(0, bench_ack(&b, 2, 0, 0));
	EXPECT_EQ(5, b.res.acked_packets);
	EXPECT_EQ(4 * 132 + 82, b.res.acked_bytes);
	EXPECT_FALSE(b.res.newest_acked);
	EXPECT_EQ(82, b.inf.bytes);
	EXPECT_EQ(1, bench_records);
	EXPECT_EQ(1, mrc_inflight_floor(&b.inf));
	ASSERT_EQ(0, bench_ack(&b, 2, 0, 0));
	EXPECT_EQ(0, b.res.acked_packets);
	ASSERT_EQ(0, bench_ack(&b, 3, 0, 0));
	EXPECT_EQ(1, b.res.acked_packets);
	EXPECT_TRUE(b.res.newest_acked);
	EXPECT_EQ(0, b.inf.bytes);
	EXPECT_EQ(3, mrc_inflight_floor(&b.inf));
	EXPECT_EQ(0, bench_detect(&b));
	bench_exit(&b);
	EXPECT_EQ(0, bench_chunks);
}

TEST(loss_waits_for_the_window)
{
	struct mrc_record *rec;
	struct bench b;
	u64 due;

	bench_init(&b, 0);
	rec = bench_send(&b, 8);
	b.now += MS;
	/* 2 and 5 are missing; 7 may still come. */
	struct mrc_ack_path ack = {
		.cum = 2, .nranges = 2, .range = { { 6, 7 }, { 3, 5 } },
	};
	ASSERT_EQ(0, mrc_inflight_ack(&b.inf, &b.txq, &ack, b.now, &b.res));
	EXPECT_EQ(5, b.res.acked_packets);
	due = bench_detect(&b);
	EXPECT_EQ(b.now + 250 * US, due);
	EXPECT_EQ(0, b.res.lost_packets);
	b.now = due - 1;
	EXPECT_EQ(due, bench_detect(&b));
	EXPECT_EQ(0, b.txq.lost_packets);
	b.now = due;
	EXPECT_EQ(0, bench_detect(&b));
	EXPECT_EQ(2, b.res.lost_packets);
	EXPECT_EQ(2 * 132, b.res.lost_bytes);
	EXPECT_EQ(5, b.res.lost_psn);
	EXPECT_EQ(0x24, rec->chunk->lost);
	EXPECT_EQ(82, b.inf.bytes);
	/* 5 comes after all: taken back from the queue of the lost. */
	b.now += 100 * US;
	ASSERT_EQ(0, bench_ack(&b, 2, 3, 7));
	EXPECT_EQ(1, b.res.spurious_packets);
	EXPECT_EQ(132, b.res.acked_bytes);
	EXPECT_EQ(0x04, rec->chunk->lost);
	EXPECT_EQ(82, b.inf.bytes);
	EXPECT_EQ(350 * US, mrc_inflight_late_ns(&b.inf, b.now));
	EXPECT_EQ(437500, mrc_inflight_reorder_ns(&b.inf, &b.rtt, b.now));
	bench_exit(&b);
	EXPECT_EQ(0, bench_chunks + bench_records);
}

TEST(late_packet_widens_the_window)
{
	struct bench b;
	u64 due;

	bench_init(&b, 10);
	bench_send(&b, 4);
	b.now += MS;
	ASSERT_EQ(0, bench_ack(&b, 10, 11, 14));
	b.now += 240 * US;
	ASSERT_EQ(0, bench_ack(&b, 14, 0, 0));
	EXPECT_EQ(0, b.res.spurious_packets);
	EXPECT_EQ(300 * US, mrc_inflight_reorder_ns(&b.inf, &b.rtt, b.now));
	/* Half of it after a while, and a quarter of the RTT is the least. */
	b.now += MRC_REORDER_HALF_NS;
	EXPECT_EQ(120 * US, mrc_inflight_late_ns(&b.inf, b.now));
	EXPECT_EQ(250 * US, mrc_inflight_reorder_ns(&b.inf, &b.rtt, b.now));
	b.now += 100 * MRC_REORDER_HALF_NS;
	EXPECT_EQ(0, mrc_inflight_late_ns(&b.inf, b.now));
	/* Two RTT are the most. */
	bench_send(&b, 4);
	ASSERT_EQ(0, bench_ack(&b, 14, 15, 18));
	due = b.now + 250 * US;
	EXPECT_EQ(due, bench_detect(&b));
	b.now += 50 * MS;
	ASSERT_EQ(0, bench_ack(&b, 18, 0, 0));
	EXPECT_EQ(2 * MS, mrc_inflight_reorder_ns(&b.inf, &b.rtt, b.now));
	bench_exit(&b);
}

TEST(window_has_a_floor)
{
	struct mrc_inflight inf;
	struct mrc_rtt rtt;

	mrc_inflight_init(&inf, 0, bench_free);
	mrc_rtt_init(&rtt);
	mrc_rtt_sample(&rtt, 10, 1);
	EXPECT_EQ(MRC_REORDER_MIN_NS, mrc_inflight_reorder_ns(&inf, &rtt, 1));
}

TEST(pong_overtakes)
{
	struct bench b;
	u64 ping;

	bench_init(&b, 0);
	bench_send(&b, 2);
	b.now += 10 * US;
	ping = b.now;
	b.now += 10 * US;
	bench_send(&b, 1);
	EXPECT_EQ(0, bench_detect(&b));
	b.now += MS;
	mrc_inflight_heard(&b.inf, ping);
	/* The ACK may be held for 0.5 ms, then the window runs. */
	EXPECT_EQ(b.now + 750 * US, bench_detect(&b));
	/* An older PONG changes nothing. */
	mrc_inflight_heard(&b.inf, ping - 1);
	b.now += 749 * US;
	EXPECT_EQ(b.now + US, bench_detect(&b));
	EXPECT_EQ(0, b.res.lost_packets);
	b.now += US;
	EXPECT_EQ(0, bench_detect(&b));
	EXPECT_EQ(2, b.res.lost_packets);
	EXPECT_EQ(82, b.inf.bytes);
	bench_exit(&b);
}

TEST(bad_path_loses_all_and_forgets)
{
	struct mrc_ack_result res = { 0 };
	struct bench b;
	u64 sent;

	bench_init(&b, 5);
	bench_send(&b, 10);
	sent = b.now;
	b.now += 10 * US;
	bench_send(&b, 64);
	ASSERT_EQ(0, bench_ack(&b, 5, 20, 30));
	mrc_inflight_lose_all(&b.inf, &b.txq, &res);
	EXPECT_EQ(64, res.lost_packets);
	EXPECT_EQ(64, b.txq.lost_packets);
	EXPECT_EQ(78, res.lost_psn);
	EXPECT_EQ(0, b.inf.bytes);
	EXPECT_EQ(0, bench_detect(&b));
	EXPECT_EQ(0, b.res.lost_packets);
	/* Late news are still understood. */
	ASSERT_EQ(0, bench_ack(&b, 6, 20, 79));
	EXPECT_EQ(50, b.res.spurious_packets);
	EXPECT_EQ(14, b.txq.lost_packets);
	EXPECT_EQ(6, mrc_inflight_floor(&b.inf) + 1);
	mrc_inflight_forget(&b.inf, &b.txq, sent);
	EXPECT_EQ(5, mrc_inflight_floor(&b.inf));
	mrc_inflight_forget(&b.inf, &b.txq, sent + 1);
	EXPECT_EQ(15, mrc_inflight_floor(&b.inf));
	/* What is still out is never forgotten. */
	bench_send(&b, 1);
	mrc_inflight_forget(&b.inf, &b.txq, ~0ULL);
	EXPECT_EQ(79, mrc_inflight_floor(&b.inf));
	EXPECT_EQ(1, bench_records);
	bench_exit(&b);
	EXPECT_EQ(0, bench_chunks + bench_records);
}

TEST(counts_of_overtaken_acks)
{
	struct mrc_ack_path ack = { .cum = 0xfffffff0 };
	struct bench b;

	bench_init(&b, 0xfffffff0);
	b.inf.rx_packets = 0xffffffff;
	b.inf.ce_packets = 0xfffffffe;
	bench_send(&b, 40);
	ack.rx_packets = 20;
	ack.ce_packets = 3;
	ASSERT_EQ(0, mrc_inflight_ack(&b.inf, &b.txq, &ack, b.now, &b.res));
	EXPECT_EQ(21, b.res.rx_packets);
	EXPECT_EQ(5, b.res.ce_packets);
	/* An older one. */
	ack.rx_packets = 10;
	ack.ce_packets = 1;
	ASSERT_EQ(0, mrc_inflight_ack(&b.inf, &b.txq, &ack, b.now, &b.res));
	EXPECT_EQ(0, b.res.rx_packets);
	EXPECT_EQ(0, b.res.ce_packets);
	/* More marks than packets. */
	ack.rx_packets = 25;
	ack.ce_packets = 9;
	ASSERT_EQ(0, mrc_inflight_ack(&b.inf, &b.txq, &ack, b.now, &b.res));
	EXPECT_EQ(0, b.res.ce_packets);
	/* More packets than can have arrived. */
	ack.rx_packets = 20 + 1000;
	ack.ce_packets = 3 + 500;
	ASSERT_EQ(0, mrc_inflight_ack(&b.inf, &b.txq, &ack, b.now, &b.res));
	EXPECT_EQ(0, b.res.rx_packets);
	ack.rx_packets = 22;
	ack.ce_packets = 5;
	ASSERT_EQ(0, mrc_inflight_ack(&b.inf, &b.txq, &ack, b.now, &b.res));
	EXPECT_EQ(2, b.res.rx_packets);
	EXPECT_EQ(2, b.res.ce_packets);
	bench_exit(&b);
}

TEST(lies_change_nothing)
{
	struct unit_rand rand = { 8088405 };
	u32 refused = 0, taken = 0;
	struct mrc_inflight before;
	struct mrc_record *rec;
	struct bench b;

	bench_init(&b, 0xffffffc0);
	for (int i = 0; i < 50; i++)
		bench_send(&b, 1 + unit_rand_below(&rand, 64));
	for (int step = 0; step < 200000; step++) {
		struct mrc_ack_path ack = { 0 };
		u64 bytes = 0;
		int rc;

		b.now += 1 + unit_rand_below(&rand, 1000);
		ack.cum = 0xffffffc0 - 20 + unit_rand_below(&rand, 40);
		if (unit_rand_in(&rand, 10))
			ack.cum = unit_rand_u64(&rand);
		ack.nranges = unit_rand_below(&rand, 4);
		if (unit_rand_in(&rand, 1))
			ack.nranges = unit_rand_u64(&rand);
		ack.rx_packets = unit_rand_u64(&rand);
		ack.ce_packets = unit_rand_u64(&rand);
		for (int i = 0; i < MRC_ACK_RANGES; i++) {
			u32 start = b.inf.next_psn - 300 * i -
				    unit_rand_below(&rand, 300);

			if (unit_rand_in(&rand, 3))
				start = unit_rand_u64(&rand);
			ack.range[i].start = start;
			ack.range[i].end = start + unit_rand_below(&rand, 9);
		}
		before = b.inf;
		rc = mrc_inflight_ack(&b.inf, &b.txq, &ack, b.now, &b.res);
		if (rc) {
			ASSERT_EQ(-EINVAL, rc);
			ASSERT_EQ(0, memcmp(&before, &b.inf, sizeof(before)));
			refused++;
		} else {
			taken++;
		}
		if (unit_rand_in(&rand, 20))
			bench_detect(&b);
		list_for_each_entry(rec, &b.inf.records, node)
			bytes += mrc_inflight_wire(rec, mrc_inflight_out(rec));
		ASSERT_EQ(bytes, b.inf.bytes);
		while (b.inf.bytes < 100000) {
			mrc_inflight_forget(&b.inf, &b.txq, b.now);
			bench_send(&b, 1 + unit_rand_below(&rand, 64));
		}
	}
	EXPECT_GT(refused, 10000);
	EXPECT_GT(taken, 10000);
	bench_exit(&b);
	EXPECT_EQ(0, bench_chunks + bench_records);
}

/*
 * The first packet of each of 100,000 records is missing, so all of them are
 * kept; every second one is reported, one by one. Ends within the harness's
 * time limit only if an ACK costs what is new in it.
 */
TEST(an_ack_costs_its_news)
{
	const u32 n = 100000;
	struct bench b;
	u32 lost = 0;

	bench_init(&b, 0);
	for (u32 i = 0; i < n; i++)
		bench_send(&b, 2);
	for (u32 i = 0; i < n; i++) {
		struct mrc_ack_path ack = { 0 };

		for (u32 j = i; j <= i && ack.nranges < MRC_ACK_RANGES; j--)
			ack.range[ack.nranges++] = (struct mrc_psn_range){
				2 * j + 1, 2 * j + 2
			};
		b.now += 10 * US;
		ASSERT_EQ(0, mrc_inflight_ack(&b.inf, &b.txq, &ack, b.now,
					      &b.res));
		ASSERT_EQ(1, b.res.acked_packets);
		bench_detect(&b);
		lost += b.res.lost_packets;
	}
	EXPECT_EQ(n, bench_records);
	EXPECT_EQ(n - 25, lost);
	EXPECT_EQ(25 * 132, b.inf.bytes);
	bench_exit(&b);
}

TEST(path_keeps_order_no_verdict_is_wrong)
{
	struct sim_link link = {
		.delay = MS, .gap = 10 * US, .loss = 5, .ack_loss = 20,
	};
	struct sim sim;
	u64 lost;

	for (u64 seed = 1; seed <= 4; seed++) {
		sim_init(&sim, seed * 1013, &link, 150, 0xffffff00);
		sim_transfer(&sim, 8 << 20);
		ASSERT_RIGHT(sim);
		/* Each packet lost was given up, none other. */
		lost = sim.inf.lost_packets - sim.stall_lost;
		EXPECT_LE(sim.inf.spurious_packets, sim.stall_lost);
		EXPECT_GE(sim.dropped, lost);
		EXPECT_LE(sim.dropped, lost + sim.window);
		EXPECT_GT(lost, 200);
		/* Verdicts, not silence. */
		EXPECT_LE(sim.stall_lost, 20);
		sim_exit(&sim);
		EXPECT_EQ(0, sim.records + sim.chunks);
	}
}

TEST(jitter_is_learnt)
{
	struct sim_link link = {
		.delay = 2 * MS, .jitter = 3 * MS, .gap = 20 * US, .repeat = 3,
	};
	u64 early, late;
	struct sim sim;

	sim_init(&sim, 4242, &link, 200, 0xffffff00);
	sim_transfer(&sim, 4 << 20);
	early = sim.inf.spurious_packets;
	sim_transfer(&sim, 16 << 20);
	ASSERT_RIGHT(sim);
	late = sim.inf.spurious_packets - early;
	/* Nothing is lost: each verdict is wrong, and soon there are none. */
	EXPECT_EQ(0, sim.dropped);
	EXPECT_GT(early, 0);
	EXPECT_LE(late * 1000, 16 << 10);
	EXPECT_GE(mrc_inflight_late_ns(&sim.inf, sim.now), MS);
	sim_exit(&sim);
	EXPECT_EQ(0, sim.records + sim.chunks);
}

TEST(everything_at_once)
{
	struct sim_link link = {
		.delay = 500 * US, .jitter = 2 * MS, .gap = 10 * US, .loss = 8,
		.repeat = 5, .ack_loss = 30, .mark = 10,
	};
	struct sim sim;

	for (u64 seed = 1; seed <= 4; seed++) {
		sim_init(&sim, seed * 65537, &link, 100 * seed, 0xfffffff0);
		sim_transfer(&sim, 6 << 20);
		ASSERT_RIGHT(sim);
		EXPECT_EQ(6 << 20, sim.rxq.nxt);
		/* What the ACKs told adds up, however they were reordered. */
		EXPECT_EQ(sim.inf.rx_packets, sim.acked_rx);
		EXPECT_EQ(sim.inf.ce_packets, sim.acked_ce);
		EXPECT_GT(sim.acked_ce * 12, sim.acked_rx);
		EXPECT_LT(sim.acked_ce * 8, sim.acked_rx);
		sim_exit(&sim);
		EXPECT_EQ(0, sim.records + sim.chunks);
	}
}

/* 1032 bytes every 10 us: the samples find the rate and do not exceed it. */
TEST(rate_of_the_bottleneck)
{
	struct sim_link link = { .delay = 2 * MS, .gap = 10 * US };
	const u64 rate = 103200000;
	struct sim sim;

	sim_init(&sim, 7, &link, 600, 0);
	sim_transfer(&sim, 10 << 20);
	ASSERT_RIGHT(sim);
	EXPECT_GT(sim.rates, 1000);
	EXPECT_LE(sim.rate_max, rate + rate / 50);
	EXPECT_GE(sim.rate_max, rate - rate / 50);
	sim_exit(&sim);

	/* A window of 100 packets in 4 ms and a little: a quarter of it. */
	sim_init(&sim, 8, &link, 100, 0);
	sim_transfer(&sim, 10 << 20);
	ASSERT_RIGHT(sim);
	EXPECT_LE(sim.rate_max, rate / 3);
	EXPECT_GE(sim.rate_max, rate / 6);
	sim_exit(&sim);
}

TEST_HARNESS_MAIN
