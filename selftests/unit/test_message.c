// SPDX-License-Identifier: GPL-2.0
/*
 * Messages in the reorder queue: runs of random messages arrive in random
 * order, repeatedly and cut differently; messages that are complete are taken
 * early. Each must be delivered exactly once, early or in its turn.
 */
#include "unit.h"
#include <stdlib.h>
#include <string.h>
#include <linux/rbtree.h>
#include "reliable/rxq.h"

#define MESSAGES	60
#define RUNS_MAX	400

struct piece {
	u64 start;
	u32 len;
	u32 message;
	u8 flags;
};

static struct piece pieces[RUNS_MAX];
static u32 npieces, lengths[MESSAGES], delivered[MESSAGES];
static u64 starts[MESSAGES];
static int alive;

static void drop(struct mrc_rxq *rxq, struct mrc_rx_entry *entry)
{
	alive--;
	free(entry);
}

static struct mrc_rx_entry *new_entry(u64 start, u32 len, u8 flags)
{
	struct mrc_rx_entry *entry = calloc(1, sizeof(*entry));

	alive++;
	entry->start = start;
	entry->len = len;
	entry->flags = flags;
	return entry;
}

/* Messages of 1..5 runs of 1..50 bytes, one behind the other from 0. */
static void make_messages(struct unit_rand *rand)
{
	u64 offset = 0;

	npieces = 0;
	memset(delivered, 0, sizeof(delivered));
	for (u32 m = 0; m < MESSAGES; m++) {
		u32 count = 1 + unit_rand_below(rand, 5);

		starts[m] = offset;
		for (u32 i = 0; i < count; i++) {
			struct piece *piece = &pieces[npieces++];

			piece->start = offset;
			piece->len = 1 + unit_rand_below(rand, 50);
			piece->message = m;
			piece->flags = (i ? 0 : MRC_RX_BEGIN) |
				       (i + 1 < count ? 0 : MRC_RX_END);
			offset += piece->len;
		}
		lengths[m] = offset - starts[m];
	}
}

static u32 message_at(u64 start)
{
	u32 m = 0;

	while (m + 1 < MESSAGES && starts[m + 1] <= start)
		m++;
	return m;
}

/* The receiver's side of mrc_rx_message_early(). */
static bool take_early(struct mrc_rxq *rxq, struct mrc_rx_entry *entry)
{
	struct mrc_rx_entry *first, *next;
	u32 len = 0, left, m;
	u64 start;

	first = mrc_rxq_message(rxq, entry, &len);
	if (!first)
		return true;
	start = first->start;
	m = message_at(start);
	if (start != starts[m] || len != lengths[m])
		return false;
	for (left = len; left; first = next) {
		left -= first->len;
		next = mrc_rxq_take(rxq, first);
		drop(rxq, first);
	}
	delivered[m]++;
	mrc_rxq_leave(rxq, new_entry(start, len, 0));
	return true;
}

/* In order: counts a message when its end passes, unless it is gone. */
static void pass(struct mrc_rxq *rxq, struct mrc_rx_entry *entry)
{
	mrc_rxq_delivered(rxq, entry);
	if (entry->flags & MRC_RX_END && !(entry->flags & MRC_RX_GONE))
		delivered[message_at(entry->start)]++;
	drop(rxq, entry);
}

static bool arrive(struct mrc_rxq *rxq, const struct piece *piece)
{
	struct mrc_rx_entry *entry = new_entry(piece->start, piece->len,
					       piece->flags);

	switch (mrc_rxq_insert(rxq, entry, drop)) {
	case MRC_RX_IN_ORDER:
		pass(rxq, entry);
		while ((entry = mrc_rxq_next(rxq, drop)))
			pass(rxq, entry);
		return true;
	case MRC_RX_QUEUED:
		return take_early(rxq, entry);
	case MRC_RX_DUPLICATE:
		drop(rxq, entry);
		return true;
	default:
		drop(rxq, entry);
		return false;
	}
}

TEST(each_once)
{
	struct unit_rand rand = { 99 };
	u32 order[RUNS_MAX];

	for (int round = 0; round < 400; round++) {
		struct mrc_rxq rxq;

		make_messages(&rand);
		mrc_rxq_init(&rxq, 0, 1 << 30);
		for (u32 i = 0; i < npieces; i++)
			order[i] = i;
		for (u32 i = npieces - 1; i; i--) {
			u32 j = unit_rand_below(&rand, i + 1), was = order[i];

			order[i] = order[j];
			order[j] = was;
		}
		for (u32 i = 0; i < npieces; i++) {
			ASSERT_TRUE(arrive(&rxq, &pieces[order[i]]));
			/* Some arrive again, sooner or later. */
			if (!unit_rand_below(&rand, 3)) {
				u32 j = unit_rand_below(&rand, i + 1);

				ASSERT_TRUE(arrive(&rxq, &pieces[order[j]]));
			}
		}
		for (u32 m = 0; m < MESSAGES; m++)
			ASSERT_EQ(1, delivered[m]);
		ASSERT_EQ(starts[MESSAGES - 1] + lengths[MESSAGES - 1],
			  rxq.nxt);
		ASSERT_EQ(0, rxq.bytes);
		ASSERT_EQ(0, alive);
	}
}

TEST(not_before_all_is_there)
{
	struct mrc_rx_entry *entry;
	struct mrc_rxq rxq;
	u32 len;

	mrc_rxq_init(&rxq, 0, 1000);
	entry = new_entry(100, 10, MRC_RX_BEGIN);
	ASSERT_EQ(MRC_RX_QUEUED, mrc_rxq_insert(&rxq, entry, drop));
	ASSERT_EQ(NULL, mrc_rxq_message(&rxq, entry, &len));
	/* The end, but not the middle. */
	entry = new_entry(120, 10, MRC_RX_END);
	ASSERT_EQ(MRC_RX_QUEUED, mrc_rxq_insert(&rxq, entry, drop));
	ASSERT_EQ(NULL, mrc_rxq_message(&rxq, entry, &len));
	/* Another message does not fill the hole of this one. */
	entry = new_entry(110, 10, MRC_RX_BEGIN | MRC_RX_END);
	ASSERT_EQ(MRC_RX_QUEUED, mrc_rxq_insert(&rxq, entry, drop));
	ASSERT_NE(NULL, mrc_rxq_message(&rxq, entry, &len));
	ASSERT_EQ(10, len);
	entry = rb_entry(rb_first(&rxq.root), struct mrc_rx_entry, node);
	ASSERT_EQ(NULL, mrc_rxq_message(&rxq, entry, &len));
	while (rb_first(&rxq.root)) {
		entry = rb_entry(rb_first(&rxq.root), struct mrc_rx_entry,
				 node);
		mrc_rxq_take(&rxq, entry);
		drop(&rxq, entry);
	}
	ASSERT_EQ(0, rxq.bytes);
	ASSERT_EQ(0, alive);
}

TEST_HARNESS_MAIN
