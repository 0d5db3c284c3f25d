// SPDX-License-Identifier: GPL-2.0
/*
 * RTT estimate against RFC 6298 in floating point, and its minimum against
 * the samples themselves.
 */
#include <linux/limits.h>
#include <math.h>
#include "unit.h"
#include "limits.h"
#include "reliable/rtt.h"

#define SAMPLES		40000

TEST(initial_values)
{
	struct mrc_rtt rtt;

	mrc_rtt_init(&rtt);
	EXPECT_EQ(333000000, mrc_rtt_smooth_ns(&rtt));
	EXPECT_EQ(333000000, mrc_rtt_min_ns(&rtt));
	EXPECT_EQ(10000000, mrc_rtt_delack_ns(&rtt));
	EXPECT_EQ(676000000, mrc_rtt_probe_ns(&rtt));
	EXPECT_EQ(1342000000, mrc_rtt_silence_ns(&rtt));
}

TEST(first_sample)
{
	struct mrc_rtt rtt;

	mrc_rtt_init(&rtt);
	mrc_rtt_sample(&rtt, 32000, 1);
	EXPECT_EQ(32000000, mrc_rtt_smooth_ns(&rtt));
	EXPECT_EQ(32000000, mrc_rtt_min_ns(&rtt));
	EXPECT_EQ(8000000, mrc_rtt_delack_ns(&rtt));
	/* srtt + 2 * srtt / 2 + srtt / 4 */
	EXPECT_EQ(72000000, mrc_rtt_probe_ns(&rtt));
	/* 2 * srtt + 4 * srtt / 2 + srtt / 4 */
	EXPECT_EQ(136000000, mrc_rtt_silence_ns(&rtt));
}

TEST(floors_of_a_fast_path)
{
	struct mrc_rtt rtt;

	mrc_rtt_init(&rtt);
	for (u64 now = 1; now < 200; now++)
		mrc_rtt_sample(&rtt, 10, now);
	EXPECT_EQ(10000, mrc_rtt_smooth_ns(&rtt));
	EXPECT_EQ(MRC_DELACK_MIN_NS, mrc_rtt_delack_ns(&rtt));
	EXPECT_EQ(MRC_SILENCE_MIN_NS + MRC_DELACK_MIN_NS,
		  mrc_rtt_silence_ns(&rtt));
	EXPECT_GE(mrc_rtt_probe_ns(&rtt), 10000 + MRC_DELACK_MIN_NS);
	EXPECT_LE(mrc_rtt_probe_ns(&rtt), 12000 + MRC_DELACK_MIN_NS);
}

TEST(samples_are_clamped)
{
	struct mrc_rtt rtt;

	mrc_rtt_init(&rtt);
	mrc_rtt_sample(&rtt, 0, 1);
	EXPECT_EQ(1000, mrc_rtt_smooth_ns(&rtt));
	for (u64 now = 2; now < 2000; now++)
		mrc_rtt_sample(&rtt, UINT32_MAX, now);
	EXPECT_LE(mrc_rtt_smooth_ns(&rtt), 60000000000ULL);
	EXPECT_GE(mrc_rtt_smooth_ns(&rtt), 59999000000ULL);
	EXPECT_EQ(60000000, rtt.latest_us);
	EXPECT_EQ(1000, mrc_rtt_min_ns(&rtt));
	/* Back down: never falls to "no sample". */
	for (u64 now = 2000; now < 4000; now++)
		mrc_rtt_sample(&rtt, 0, now);
	EXPECT_NE(0, rtt.srtt_us);
	EXPECT_LE(mrc_rtt_smooth_ns(&rtt), 2000);
}

/* While nothing comes the queue drains, the path's length stays. */
TEST(queue_of_a_resting_path)
{
	const u64 ms = MRC_NSEC_PER_MSEC;
	struct mrc_rtt rtt;
	u64 now = 5;

	mrc_rtt_init(&rtt);
	EXPECT_EQ(0, mrc_rtt_aged_us(&rtt, now));
	mrc_rtt_sample(&rtt, 3000, now);
	EXPECT_EQ(3000, mrc_rtt_aged_us(&rtt, now + 60000 * ms));
	for (int i = 0; i < 200; i++)
		mrc_rtt_sample(&rtt, 40000, ++now);
	EXPECT_EQ(40000, rtt.srtt_us / 8);
	EXPECT_EQ(40000, mrc_rtt_aged_us(&rtt, now));
	EXPECT_EQ(40000, mrc_rtt_aged_us(&rtt, now - 3));
	EXPECT_EQ(30000, mrc_rtt_aged_us(&rtt, now + 10 * ms));
	EXPECT_EQ(3000, mrc_rtt_aged_us(&rtt, now + 37 * ms));
	EXPECT_EQ(3000, mrc_rtt_aged_us(&rtt, now + 38 * ms));
	EXPECT_EQ(3000, mrc_rtt_aged_us(&rtt, U64_MAX));
	/* A sample is news. */
	mrc_rtt_sample(&rtt, 40000, now + 50 * ms);
	EXPECT_EQ(40000, mrc_rtt_aged_us(&rtt, now + 50 * ms));
}

TEST(same_as_floating_point)
{
	struct unit_rand rand = { 99 };
	double srtt = 0, rttvar = 0;
	struct mrc_rtt rtt;
	u32 base = 5000;

	mrc_rtt_init(&rtt);
	for (u64 now = 1; now < SAMPLES; now++) {
		u32 sample;

		if (unit_rand_in(&rand, 1))
			base = 50 + unit_rand_below(&rand, 200000);
		sample = base + unit_rand_below(&rand, base);
		mrc_rtt_sample(&rtt, sample, now * 1000);
		if (now == 1) {
			srtt = sample;
			rttvar = sample / 2.0;
		} else {
			rttvar += (fabs(srtt - sample) - rttvar) / 4;
			srtt += (sample - srtt) / 8;
		}
		ASSERT_LE(fabs(mrc_rtt_smooth_ns(&rtt) / 1000.0 - srtt), 2.0);
		ASSERT_LE(fabs(rtt.rttvar_us / 4.0 - rttvar), 3.0);
	}
}

/* At least the last half window, at most one and a half. */
TEST(minimum_forgets)
{
	static u64 when[SAMPLES];
	static u32 what[SAMPLES];
	struct unit_rand rand = { 12345 };
	u32 changed = 0, last = 0;
	struct mrc_rtt rtt;
	u64 now = 1;

	mrc_rtt_init(&rtt);
	for (int i = 0; i < SAMPLES; i++) {
		u32 lo = UINT32_MAX, hi = UINT32_MAX;

		now += unit_rand_below(&rand, 60) * MRC_NSEC_PER_MSEC;
		if (unit_rand_below(&rand, 5000) == 0)
			now += 30 * MRC_NSEC_PER_SEC;
		when[i] = now;
		what[i] = 100 + unit_rand_below(&rand, 100000);
		mrc_rtt_sample(&rtt, what[i], now);
		for (int j = i; j >= 0; j--) {
			u64 age = now - when[j];

			if (age > MRC_RTT_MIN_AGE_NS * 3 / 2)
				break;
			lo = min(lo, what[j]);
			if (age < MRC_RTT_MIN_AGE_NS / 2)
				hi = min(hi, what[j]);
		}
		ASSERT_GE(rtt.min_us, lo);
		ASSERT_LE(rtt.min_us, hi);
		changed += rtt.min_us > last;
		last = rtt.min_us;
	}
	/* It did rise again, often. */
	ASSERT_GT(changed, 50);
}

TEST_HARNESS_MAIN
