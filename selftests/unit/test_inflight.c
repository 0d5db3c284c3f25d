// SPDX-License-Identifier: GPL-2.0
/*
 * Packets in flight: ACKs applied step by step, and ACKs that lie.
 * test_loss.c has the verdicts, test_transfer.c whole transfers.
 */
#include "unit.h"
#include "bench.h"

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
	EXPECT_TRUE(b.res.newest_acked);
	EXPECT_EQ(82, b.inf.bytes);
	EXPECT_EQ(1, bench_records);
	EXPECT_EQ(1, mrc_inflight_floor(&b.inf));
	ASSERT_EQ(0, bench_ack(&b, 2, 0, 0));
	EXPECT_EQ(0, b.res.acked_packets);
	EXPECT_FALSE(b.res.newest_acked);
	ASSERT_EQ(0, bench_ack(&b, 3, 0, 0));
	EXPECT_EQ(1, b.res.acked_packets);
	EXPECT_TRUE(b.res.newest_acked);
	EXPECT_EQ(0, b.inf.bytes);
	EXPECT_EQ(3, mrc_inflight_floor(&b.inf));
	EXPECT_EQ(0, bench_detect(&b));
	bench_exit(&b);
	EXPECT_EQ(0, bench_chunks);
}

TEST(rate_counts_the_longer_time)
{
	struct bench b;
	u64 start;

	/* ACKs bunched: ten records left in 9 ms, reported after 20 ms. */
	bench_init(&b, 0);
	start = b.now;
	for (int i = 0; i < 10; i++, b.now += MS)
		bench_send(&b, 1);
	b.now = start + 20 * MS;
	ASSERT_EQ(0, bench_ack(&b, 10, 0, 0));
	EXPECT_EQ(10 * 82 * 50, b.res.rate);
	/* The time with nothing out does not count. */
	b.now += 1000 * MS;
	bench_send(&b, 1);
	bench_send(&b, 1);
	start = b.now;
	b.now += MS;
	ASSERT_EQ(0, bench_ack(&b, 11, 0, 0));
	EXPECT_EQ(82 * 1000, b.res.rate);
	/* Sent slower than acknowledged. */
	b.now = start + 20 * MS;
	bench_send(&b, 1);
	b.now += MS / 2;
	ASSERT_EQ(0, bench_ack(&b, 13, 0, 0));
	EXPECT_EQ(2 * 82 * 50, b.res.rate);
	bench_exit(&b);
}

TEST(impossible_acks_are_refused)
{
	struct mrc_ack_path ack = { .cum = 4, .nranges = 2 };
	struct bench b;

	bench_init(&b, 0);
	bench_send(&b, 10);
	EXPECT_EQ(-EINVAL, bench_ack(&b, 11, 0, 0));
	EXPECT_EQ(-EINVAL, bench_ack(&b, 0x80000000, 0, 0));
	EXPECT_EQ(-EINVAL, bench_ack(&b, 0, 8, 11));
	EXPECT_EQ(-EINVAL, bench_ack(&b, 0, 11, 12));
	EXPECT_EQ(-EINVAL, bench_ack(&b, 0, 8, 7));
	/* Ascending, overlapping. */
	ack.range[0] = (struct mrc_psn_range){ 5, 6 };
	ack.range[1] = (struct mrc_psn_range){ 8, 9 };
	EXPECT_EQ(-EINVAL, mrc_inflight_ack(&b.inf, &b.txq, &ack, b.now,
					    &b.res));
	ack.range[0] = (struct mrc_psn_range){ 7, 9 };
	ack.range[1] = (struct mrc_psn_range){ 5, 8 };
	EXPECT_EQ(-EINVAL, mrc_inflight_ack(&b.inf, &b.txq, &ack, b.now,
					    &b.res));
	EXPECT_EQ(0, b.inf.delivered);
	/* A cum from before everything, with a range below it: old news. */
	EXPECT_EQ(0, bench_ack(&b, 0xfffffff0, 0xffffff00, 0xffffff08));
	EXPECT_EQ(0, b.inf.delivered);
	EXPECT_EQ(0, bench_ack(&b, 10, 3, 4));
	EXPECT_EQ(10, b.res.acked_packets);
	bench_exit(&b);
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

TEST_HARNESS_MAIN
