// SPDX-License-Identifier: GPL-2.0
/*
 * Packets in flight: verdicts step by step, and what they teach.
 */
#include "unit.h"
#include "bench.h"

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

/* While a superframe still trickles in, the window runs from the last news. */
TEST(record_overtaken_bit_by_bit)
{
	struct bench b;

	bench_init(&b, 0);
	bench_send(&b, 8);
	b.now += MS;
	ASSERT_EQ(0, bench_ack(&b, 1, 2, 4));
	EXPECT_EQ(b.now + 250 * US, bench_detect(&b));
	b.now += 100 * US;
	ASSERT_EQ(0, bench_ack(&b, 1, 2, 6));
	EXPECT_EQ(b.now + 250 * US, bench_detect(&b));
	/* News of the next record do not put it off again. */
	bench_send(&b, 1);
	ASSERT_EQ(0, bench_ack(&b, 1, 2, 8));
	b.now += 100 * US;
	ASSERT_EQ(0, bench_ack(&b, 1, 2, 9));
	EXPECT_EQ(b.now + 150 * US, bench_detect(&b));
	bench_exit(&b);
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
	/* Its timestamp is not the one echoed. */
	EXPECT_FALSE(b.res.newest_acked);
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
	/* The ACK may be held for a while, then the window runs. */
	EXPECT_EQ(b.now + MRC_DELACK_MIN_NS + 250 * US, bench_detect(&b));
	/* An older PONG changes nothing. */
	mrc_inflight_heard(&b.inf, ping - 1);
	b.now += MRC_DELACK_MIN_NS + 249 * US;
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

/* 400 Gbit/s at 500 ms: more is out, and given up at once, than 32 bits hold. */
TEST(more_than_4_gigabytes)
{
	struct mrc_record *rec;
	struct bench b;
	u64 bytes;

	bench_init(&b, 0xfffffff0);
	for (int i = 0; i < 2200; i++) {
		rec = bench_send(&b, 64);
		b.inf.bytes -= mrc_inflight_wire(rec, ~0ULL);
		rec->wire = 65000;
		rec->wire_last = 65000;
		b.inf.bytes += mrc_inflight_wire(rec, ~0ULL);
	}
	bytes = b.inf.bytes;
	ASSERT_EQ(2200ULL * 64 * 65000, bytes);
	memset(&b.res, 0, sizeof(b.res));
	b.now += MS;
	mrc_inflight_lose_all(&b.inf, &b.txq, &b.res);
	EXPECT_EQ(bytes, b.res.lost_bytes);
	EXPECT_EQ(0, b.inf.bytes);
	/* And all of them arrive after all. */
	ASSERT_EQ(0, bench_ack(&b, b.inf.next_psn, 0, 0));
	EXPECT_EQ(bytes, b.res.acked_bytes);
	EXPECT_EQ(bytes, b.inf.delivered);
	EXPECT_EQ(2200 * 64, b.res.spurious_packets);
	bench_exit(&b);
	EXPECT_EQ(0, bench_records + bench_chunks);
}

TEST(lateness_is_forgotten)
{
	struct mrc_inflight inf = { .reorder_ns = 4000, .reorder_seen_ns = 7 };

	EXPECT_EQ(4000, mrc_inflight_late_ns(&inf, 7));
	EXPECT_EQ(4000, mrc_inflight_late_ns(&inf, 6 + MRC_REORDER_HALF_NS));
	EXPECT_EQ(2000, mrc_inflight_late_ns(&inf, 7 + MRC_REORDER_HALF_NS));
	/* A shift by 64 is none. */
	EXPECT_EQ(0, mrc_inflight_late_ns(&inf, 7 + 64 * MRC_REORDER_HALF_NS));
}

TEST_HARNESS_MAIN
