// SPDX-License-Identifier: GPL-2.0
/*
 * Received PSNs against a model that remembers each of them: one byte per PSN
 * of the run, counted from the first.
 */
#include "unit.h"
#include "reliable/psn.h"
#include "reliable/seq.h"

#define SPAN	200000

struct model {
	u32 first;	/* PSN of index 0 */
	u32 floor;	/* index told by the sender */
	u8 got[SPAN + 4096];
};

static struct model model;

static void model_reset(u32 first)
{
	memset(&model, 0, sizeof(model));
	model.first = first;
}

static u32 model_add(u32 start, u32 end)
{
	u32 fresh = 0, i;

	for (i = start; i < end; i++) {
		if (i < model.floor || model.got[i])
			continue;
		model.got[i] = 1;
		fresh++;
	}
	return fresh;
}

static u32 model_cum(void)
{
	u32 i = model.floor;

	while (model.got[i])
		i++;
	return i;
}

/* Sorted, disjoint, not adjacent, above the floor. */
static bool set_sane(const struct mrc_psn_set *set)
{
	u32 edge = set->floor, i;

	if (set->count > MRC_PSN_RANGES)
		return false;
	for (i = 0; i < set->count; i++) {
		if (!mrc_seq_after(set->range[i].start, edge) ||
		    !mrc_seq_before(set->range[i].start, set->range[i].end))
			return false;
		edge = set->range[i].end;
	}
	return true;
}

/* Every PSN claimed has arrived. */
static bool set_honest(const struct mrc_psn_set *set)
{
	u32 i, j;

	if (mrc_seq_after(mrc_psn_cum(set), model.first + model_cum()))
		return false;
	for (i = 0; i < set->count; i++)
		for (j = set->range[i].start; j != set->range[i].end; j++)
			if (!model.got[j - model.first])
				return false;
	return true;
}

/* Nothing was forgotten: exactly the model's ranges. */
static bool set_complete(const struct mrc_psn_set *set, u32 top)
{
	u32 i = model_cum(), n = 0;

	if (mrc_psn_cum(set) != model.first + i)
		return false;
	while (i < top) {
		u32 start;

		while (i < top && !model.got[i])
			i++;
		if (i == top)
			break;
		start = i;
		while (model.got[i])
			i++;
		if (n >= set->count ||
		    set->range[n].start != model.first + start ||
		    set->range[n].end != model.first + i)
			return false;
		n++;
	}
	return n == set->count;
}

TEST(in_order_needs_no_range)
{
	struct mrc_psn_set set;
	u32 psn = 0xffffff00;

	mrc_psn_init(&set, psn);
	ASSERT_EQ(psn, mrc_psn_cum(&set));
	for (int i = 0; i < 1000; i++, psn += 7) {
		ASSERT_EQ(7, mrc_psn_add(&set, psn, psn + 7));
		ASSERT_EQ(0, mrc_psn_add(&set, psn, psn + 7));
		ASSERT_EQ(psn + 7, mrc_psn_cum(&set));
		ASSERT_FALSE(mrc_psn_has_gap(&set));
	}
}

TEST(gap_opens_and_closes)
{
	struct mrc_psn_set set;

	mrc_psn_init(&set, 0xfffffffe);
	ASSERT_EQ(2, mrc_psn_add(&set, 1, 3));
	ASSERT_TRUE(mrc_psn_has_gap(&set));
	ASSERT_EQ(0xfffffffe, mrc_psn_cum(&set));
	ASSERT_EQ(3, mrc_psn_next(&set));
	ASSERT_EQ(3, mrc_psn_add(&set, 0xfffffff0, 2));
	ASSERT_FALSE(mrc_psn_has_gap(&set));
	ASSERT_EQ(3, mrc_psn_cum(&set));
}

TEST(nonsense_is_harmless)
{
	struct mrc_psn_set set;

	mrc_psn_init(&set, 100);
	EXPECT_EQ(0, mrc_psn_add(&set, 200, 200));
	EXPECT_EQ(0, mrc_psn_add(&set, 210, 200));
	EXPECT_EQ(0, mrc_psn_add(&set, 100 + 0x80000000U, 110 + 0x80000000U));
	EXPECT_EQ(0, mrc_psn_add(&set, 99 + 0x80000000U, 101 + 0x80000000U));
	EXPECT_EQ(0, set.count);
	/* A wild jump that is just possible neither moves nor hides others. */
	EXPECT_EQ(8, mrc_psn_add(&set, 90 + 0x80000000U, 98 + 0x80000000U));
	EXPECT_EQ(100, mrc_psn_cum(&set));
	EXPECT_EQ(10, mrc_psn_add(&set, 100, 110));
	EXPECT_EQ(5, mrc_psn_add(&set, 120, 125));
	EXPECT_EQ(110, mrc_psn_cum(&set));
	EXPECT_EQ(2, set.count);
	EXPECT_TRUE(set_sane(&set));
	mrc_psn_advance(&set, 50);
	EXPECT_EQ(110, mrc_psn_cum(&set));
	mrc_psn_advance(&set, 95 + 0x80000000U);
	EXPECT_EQ(98 + 0x80000000U, mrc_psn_cum(&set));
	EXPECT_EQ(0, set.count);
}

TEST(full_array_forgets_the_lowest)
{
	struct mrc_psn_set set;
	u32 i;

	mrc_psn_init(&set, 0);
	for (i = 1; i <= MRC_PSN_RANGES; i++)
		ASSERT_EQ(1, mrc_psn_add(&set, 10 * i, 10 * i + 1));
	ASSERT_EQ(MRC_PSN_RANGES, set.count);
	/* Lower than all others: it is the one forgotten. */
	ASSERT_EQ(1, mrc_psn_add(&set, 5, 6));
	ASSERT_EQ(10, set.range[0].start);
	ASSERT_EQ(1, mrc_psn_add(&set, 10 * i, 10 * i + 1));
	ASSERT_EQ(20, set.range[0].start);
	/* The holes are not claimed. */
	ASSERT_EQ(0, mrc_psn_cum(&set));
	/* What the floor touches needs no room. */
	ASSERT_EQ(3, mrc_psn_add(&set, 0, 3));
	ASSERT_EQ(3, mrc_psn_cum(&set));
	ASSERT_EQ(MRC_PSN_RANGES, set.count);
}

/* Losses, reordering, duplicates and a moving floor; nothing forgotten. */
static void walk_complete(struct __test_metadata *_metadata, u64 seed)
{
	struct unit_rand rand = { seed };
	struct mrc_psn_set set;
	u32 sent = 0, floor = 0;

	model_reset(0xffffff00);
	mrc_psn_init(&set, model.first);
	for (int step = 0; step < 60000 && sent < SPAN; step++) {
		u32 start, end;

		/* Send a run, or repeat something around the end. */
		if (unit_rand_in(&rand, 60)) {
			start = sent;
			if (unit_rand_in(&rand, 20))
				start += 1 + unit_rand_below(&rand, 3);
		} else {
			start = sent - min(sent, unit_rand_below(&rand, 60));
		}
		end = start + 1 + unit_rand_below(&rand, 8);
		sent = max(sent, end);
		ASSERT_EQ(model_add(start, end),
			  mrc_psn_add(&set, model.first + start,
				      model.first + end));
		/* The sender gives up holes before there are too many. */
		if (unit_rand_in(&rand, 10) ||
		    set.count > MRC_PSN_RANGES - 2) {
			floor = max(floor, sent - min(sent, 30U));
			model.floor = floor;
			mrc_psn_advance(&set, model.first + floor);
		}
		ASSERT_TRUE(set_sane(&set));
		ASSERT_EQ(model.first + max(sent, model_cum()),
			  mrc_psn_next(&set));
		if (step % 16 == 0)
			ASSERT_TRUE(set_complete(&set, sent));
		model.floor = model_cum();
	}
	ASSERT_GT(sent, 0x100);
}

TEST(same_as_model)
{
	for (u64 seed = 1; seed <= 6; seed++)
		walk_complete(_metadata, seed * 77777);
}

/* More holes than the array can hold: forgets, but never claims too much. */
TEST(overflow_never_lies)
{
	struct unit_rand rand = { 4711 };
	struct mrc_psn_set set;
	u32 top = 0, forgot = 0;

	model_reset(0xffffff00);
	mrc_psn_init(&set, model.first);
	for (int step = 0; step < 40000 && top < SPAN; step++) {
		u32 start = top - min(top, unit_rand_below(&rand, 400));
		u32 end, fresh;

		if (unit_rand_in(&rand, 50))
			start = top + 1 + unit_rand_below(&rand, 4);
		end = start + 1 + unit_rand_below(&rand, 2);
		top = max(top, end);
		fresh = model_add(start, end);
		ASSERT_GE(mrc_psn_add(&set, model.first + start,
				      model.first + end), fresh);
		forgot += set.count == MRC_PSN_RANGES;
		if (unit_rand_in(&rand, 1)) {
			model.floor = top - min(top, 200U);
			mrc_psn_advance(&set, model.first + model.floor);
		}
		ASSERT_TRUE(set_sane(&set));
		if (step % 16 == 0)
			ASSERT_TRUE(set_honest(&set));
	}
	/* The array was really full. */
	ASSERT_GT(forgot, 1000);
}

TEST_HARNESS_MAIN
