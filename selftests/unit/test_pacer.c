// SPDX-License-Identifier: GPL-2.0
/*
 * The pacing clock, and the conversions between bytes, rates and times that
 * it and the scheduler rest on, against 128-bit arithmetic.
 */
#include "unit.h"
#include <linux/limits.h>
#include "rate/pacer.h"
#include "rate/span.h"

#define SEC	MRC_NSEC_PER_SEC

static const u64 rates[] = {
	1, 1000, 125000, 12500000, 125000000, 1250000000ULL, 50000000000ULL,
};

TEST(span_is_exact_where_it_fits)
{
	struct unit_rand rand = { 1 };

	for (int i = 0; i < 200000; i++) {
		u64 bytes = unit_rand_u64(&rand) >> (30 +
						     unit_rand_below(&rand, 30));
		u64 rate = 1 + (unit_rand_u64(&rand) >>
				(28 + unit_rand_below(&rand, 30)));
		u64 ns = unit_rand_u64(&rand) >> (20 +
						  unit_rand_below(&rand, 40));
		__uint128_t want;

		want = (__uint128_t)bytes * SEC / rate;
		if (bytes <= U64_MAX / SEC)
			ASSERT_EQ((u64)want, mrc_span_ns(bytes, rate));

		want = (__uint128_t)rate * ns / SEC;
		if (rate < U64_MAX / (ns + 1))
			ASSERT_EQ((u64)want, mrc_span_bytes(rate, ns));
	}
}

/* 25 GB out at 50 GB/s, for half a second: every product leaves 64 bits. */
TEST(span_is_close_where_it_does_not_fit)
{
	struct unit_rand rand = { 2 };

	for (int i = 0; i < 200000; i++) {
		u64 bytes = (1ULL << 30) + (unit_rand_u64(&rand) >> 28);
		u64 rate = 1000000 + (unit_rand_u64(&rand) >> 28);
		u64 ns = unit_rand_u64(&rand) >> 30;
		__uint128_t want;
		u64 got;

		want = (__uint128_t)bytes * SEC / rate;
		got = mrc_span_ns(bytes, rate);
		ASSERT_LE(want - want / 1000, got);
		ASSERT_GE(want + want / 1000 + 1, got);

		want = (__uint128_t)rate * ns / SEC;
		got = mrc_span_bytes(rate, ns);
		ASSERT_LE(want - want / 1000, (__uint128_t)got + 1);
		ASSERT_GE(want + want / 1000, got);
	}
}

TEST(span_saturates)
{
	EXPECT_EQ(U64_MAX, mrc_span_ns(1, 0));
	EXPECT_EQ(U64_MAX, mrc_span_ns(0, 0));
	EXPECT_EQ(U64_MAX, mrc_span_ns(U64_MAX, 1));
	EXPECT_EQ(0, mrc_span_ns(65535, U64_MAX));
	EXPECT_EQ(U64_MAX, mrc_span_bytes(U64_MAX, 1));
	EXPECT_EQ(0, mrc_span_bytes(U64_MAX, 0));
	EXPECT_EQ(U64_MAX, mrc_span_bytes(U64_MAX - 1, U64_MAX));
	EXPECT_EQ(0, mrc_span_bytes(0, U64_MAX));
	EXPECT_EQ(U64_MAX, mrc_span_add(U64_MAX, 1));
	EXPECT_EQ(U64_MAX, mrc_span_add(U64_MAX - 1, 1));
	EXPECT_EQ(5, mrc_span_add(2, 3));
}

/* Sends whenever allowed, with a timer that is late by up to @late_ns. */
static u64 sent_in(u64 rate, u32 bytes, u64 duration, u64 late_ns)
{
	struct unit_rand rand = { 3 };
	struct mrc_pacer pacer = { 0 };
	u64 begin = 5 * SEC, now = begin, sent = 0, wait;

	while (now < begin + duration) {
		mrc_pacer_sent(&pacer, bytes, rate, now);
		sent += bytes;
		wait = mrc_pacer_wait_ns(&pacer, now);
		now += wait;
		if (wait && late_ns)
			now += unit_rand_u64(&rand) % late_ns;
	}
	return sent;
}

TEST(average_rate_is_kept)
{
	for (int i = 1; i < ARRAY_SIZE(rates); i++) {
		u32 bytes = rates[i] < 1000000 ? 2896 : 64000;
		u64 duration = 2000 * mrc_span_ns(bytes, rates[i]);
		u64 want = mrc_span_bytes(rates[i], duration);
		u64 credit = mrc_span_bytes(rates[i], MRC_SUPERFRAME_NS);
		u64 sent = sent_in(rates[i], bytes, duration, 0);

		EXPECT_GE(sent, want);
		/* Divisions round the gaps down by less than 1 ns. */
		EXPECT_LE(sent, want + want / 100 + 2 * bytes + credit);
	}
}

/* A timer that fires late must not cost throughput. */
TEST(late_timer_is_made_up_for)
{
	u64 rate = 1250000000, duration = SEC / 10;
	u64 sent = sent_in(rate, 64000, duration, MRC_SUPERFRAME_NS * 9 / 10);
	u64 want = mrc_span_bytes(rate, duration);

	EXPECT_GE(sent, want - want / 50);
	EXPECT_LE(sent, want + want / 50);
}

TEST(idle_time_is_not_saved_up)
{
	struct mrc_pacer pacer = { 0 };
	u64 rate = 125000000, now = 100 * SEC, burst = 0;

	mrc_pacer_sent(&pacer, 64000, rate, now);
	now += 10 * SEC;
	while (!mrc_pacer_wait_ns(&pacer, now)) {
		mrc_pacer_sent(&pacer, 12000, rate, now);
		burst += 12000;
	}
	EXPECT_LE(burst, 12000 + mrc_span_bytes(rate, MRC_SUPERFRAME_NS));
}

TEST(unlimited_never_waits)
{
	struct mrc_pacer pacer = { 0 };
	u64 now = 1;

	for (int i = 0; i < 100; i++) {
		ASSERT_EQ(0, mrc_pacer_wait_ns(&pacer, now));
		mrc_pacer_sent(&pacer, 65535, U64_MAX, now);
	}
	/* A limit that is lifted lets a waiting superframe go. */
	mrc_pacer_sent(&pacer, 65535, 1000, now);
	ASSERT_NE(0, mrc_pacer_wait_ns(&pacer, now));
	mrc_pacer_sent(&pacer, 100, U64_MAX, now);
	ASSERT_EQ(0, mrc_pacer_wait_ns(&pacer, now));
}

TEST(extremes_do_not_wrap)
{
	struct mrc_pacer pacer = { 0 };

	mrc_pacer_sent(&pacer, 65535, 1, 1);
	EXPECT_LE(65534 * SEC, mrc_pacer_wait_ns(&pacer, 1));
	for (int i = 0; i < 1000; i++)
		mrc_pacer_sent(&pacer, 0xffffffff, 1, 1);
	EXPECT_EQ(U64_MAX - 1, mrc_pacer_wait_ns(&pacer, 1));
	mrc_pacer_sent(&pacer, 65535, 0, 1);
	EXPECT_EQ(U64_MAX - 1, mrc_pacer_wait_ns(&pacer, 1));
}

TEST_HARNESS_MAIN
