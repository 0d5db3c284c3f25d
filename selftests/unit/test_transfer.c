// SPDX-License-Identifier: GPL-2.0
/*
 * Whole transfers over a simulated path (sim.h): every byte arrives, and the
 * sender's verdicts are compared with what really happened.
 */
#include "unit.h"
#include "sim.h"

#define US	MRC_NSEC_PER_USEC
#define MS	MRC_NSEC_PER_MSEC

/* Says what the simulation has found wrong, if anything. */
static bool is_right(const struct sim *sim)
{
	if (sim->wrong)
		ksft_print_msg("%s\n", sim->wrong);
	return !sim->wrong;
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
		ASSERT_TRUE(is_right(&sim));
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
	ASSERT_TRUE(is_right(&sim));
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
		ASSERT_TRUE(is_right(&sim));
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
	ASSERT_TRUE(is_right(&sim));
	EXPECT_GT(sim.rates, 1000);
	EXPECT_LE(sim.rate_max, rate + rate / 50);
	EXPECT_GE(sim.rate_max, rate - rate / 50);
	sim_exit(&sim);

	/* A window of 100 packets in 4 ms and a little: a quarter of it. */
	sim_init(&sim, 8, &link, 100, 0);
	sim_transfer(&sim, 10 << 20);
	ASSERT_TRUE(is_right(&sim));
	EXPECT_LE(sim.rate_max, rate / 3);
	EXPECT_GE(sim.rate_max, rate / 6);
	sim_exit(&sim);
}

TEST_HARNESS_MAIN
