// SPDX-License-Identifier: GPL-2.0
/*
 * What rate control grows by: the end of slow start, and the cubic curve.
 */
#include "unit.h"
#include <linux/limits.h>
#include "limits.h"
#include "rate/cubic.h"
#include "rate/hystart.h"

#define MSS	1480
#define MS	MRC_NSEC_PER_MSEC

/* Late wakeups of a host: up to 3 ms on half the samples of a 10 us path. */
TEST(noise_does_not_end_slow_start)
{
	struct unit_rand rand = { 21 };
	struct mrc_hystart hs;
	struct mrc_rtt rtt;

	mrc_hystart_init(&hs);
	mrc_rtt_init(&rtt);
	for (int i = 0; i < 100000; i++) {
		u32 us = 10 + (unit_rand_in(&rand, 50) ?
			       unit_rand_below(&rand, 3000) : 0);

		mrc_rtt_sample(&rtt, us, i * 10000ULL);
		mrc_hystart_sample(&hs, &rtt);
		if (unit_rand_in(&rand, 50))
			ASSERT_FALSE(mrc_hystart_round(&hs));
	}
}

TEST(risen_delay_ends_slow_start)
{
	struct mrc_hystart hs;
	struct mrc_rtt rtt;
	int rounds = 0;

	mrc_hystart_init(&hs);
	mrc_rtt_init(&rtt);
	mrc_rtt_sample(&rtt, 40000, 1);
	do {
		ASSERT_GT(10, rounds++);
		for (int i = 0; i < 20; i++) {
			mrc_rtt_sample(&rtt, 46000, 1);
			mrc_hystart_sample(&hs, &rtt);
		}
	} while (!mrc_hystart_round(&hs));
	/* The alarm in the first, confirmed by two more. */
	EXPECT_EQ(3, rounds);
}

TEST(cube_root)
{
	struct unit_rand rand = { 22 };

	EXPECT_EQ(0, mrc_cubic_root(0));
	EXPECT_EQ(2642245, mrc_cubic_root(U64_MAX));
	for (int i = 0; i < 100000; i++) {
		u64 value = unit_rand_u64(&rand) >> unit_rand_below(&rand, 64);
		u64 root = mrc_cubic_root(value);

		ASSERT_GE((__uint128_t)value,
			  (__uint128_t)root * root * root);
		root++;
		ASSERT_LT((__uint128_t)value,
			  (__uint128_t)root * root * root);
	}
}

/* After a loss at 1000 packets: K is the cube root of 300 / 0.4 seconds. */
TEST(cubic_curve)
{
	struct mrc_cubic cubic = { 0 };
	u64 rtt = 10 * MS, now = 1, target = 0, last = 0;

	mrc_cubic_cut(&cubic, 1000 * MSS, 700 * MSS, MSS);
	EXPECT_LE(9080, cubic.k_ms);
	EXPECT_GE(9090, cubic.k_ms);
	for (; now < 9100 * MS; now += rtt) {
		target = mrc_cubic_target(&cubic, MSS, rtt, now);
		ASSERT_LE(last, target);
		ASSERT_LE(699 * MSS, target);
		last = target;
	}
	EXPECT_LE(999 * MSS, target);
	EXPECT_GE(1001 * MSS, target);
	for (; now < 18200 * MS; now += rtt)
		target = mrc_cubic_target(&cubic, MSS, rtt, now);
	EXPECT_LE(1290 * MSS, target);
	EXPECT_GE(1310 * MSS, target);
	/* An hour of idling counts as one round trip. */
	last = mrc_cubic_target(&cubic, MSS, rtt, now + 3600000 * MS);
	EXPECT_GE(target + 2 * MSS, last);
}

/* Who is cut below its former maximum aims lower than where it was. */
TEST(second_cut_makes_room)
{
	struct mrc_cubic cubic = { 0 };

	mrc_cubic_cut(&cubic, 1000000, 700000, MSS);
	EXPECT_EQ(1000000, cubic.w_max);
	mrc_cubic_cut(&cubic, 900000, 630000, MSS);
	EXPECT_EQ(765000, cubic.w_max);
	mrc_cubic_cut(&cubic, 765000, 535500, MSS);
	EXPECT_EQ(765000, cubic.w_max);
}

TEST_HARNESS_MAIN
