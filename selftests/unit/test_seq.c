// SPDX-License-Identifier: GPL-2.0
/*
 * Sequence numbers that wrap, against the same numbers in 64 bits.
 */
#include "unit.h"
#include <linux/limits.h>
#include "reliable/seq.h"

/* Distances at which something may go wrong. */
static const u32 distances[] = {
	0, 1, 2, 63, 64, 65535, 65536, 0x3fffffff, 0x40000000, 0x7ffffffe,
	0x7fffffff,
};

/* Places around which numbers wrap or change their sign. */
static const u64 places[] = {
	0x100000000, 0x180000000, 0x1c0000000, 0x200000000, 0x1234567890,
};

static bool right(u64 a, u64 b)
{
	u32 x = a, y = b;

	return mrc_seq_before(x, y) == (a < b) &&
	       mrc_seq_after(x, y) == (a > b) &&
	       mrc_seq_max(x, y) == (u32)(a > b ? a : b);
}

TEST(every_edge)
{
	for (int i = 0; i < ARRAY_SIZE(places); i++) {
		for (int j = 0; j < ARRAY_SIZE(distances); j++) {
			for (u64 a = places[i] - 70; a < places[i] + 70; a++) {
				ASSERT_TRUE(right(a, a + distances[j]));
				ASSERT_TRUE(right(a, a - distances[j]));
			}
		}
	}
}

TEST(anywhere)
{
	struct unit_rand rand = { 99 };

	for (int i = 0; i < 1000000; i++) {
		u64 a = unit_rand_u64(&rand) >> 1 | 1ULL << 40;
		u64 distance = unit_rand_u64(&rand) % 0x80000000;

		ASSERT_TRUE(right(a, a + (distance >> i % 31)));
		ASSERT_TRUE(right(a, a - (distance >> i % 31)));
	}
}

/* Three numbers within 2^31: an order, whatever the place. */
TEST(order_is_transitive)
{
	struct unit_rand rand = { 100 };

	for (int i = 0; i < 200000; i++) {
		u32 a = unit_rand_u64(&rand);
		u32 b = a + unit_rand_below(&rand, 0x40000000);
		u32 c = b + unit_rand_below(&rand, 0x40000000);

		ASSERT_FALSE(mrc_seq_after(a, b));
		ASSERT_FALSE(mrc_seq_after(b, c));
		ASSERT_FALSE(mrc_seq_after(a, c));
		ASSERT_EQ(c, mrc_seq_max(mrc_seq_max(a, b), c));
		ASSERT_EQ(c, mrc_seq_max(a, mrc_seq_max(c, b)));
	}
}

TEST_HARNESS_MAIN
