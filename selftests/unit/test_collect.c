// SPDX-License-Identifier: GPL-2.0
/*
 * Runs of the reorder queue that continue one another: joined, and moved to
 * another buffer. Nothing is copied here: only what the queue says of them.
 */
#include "unit.h"
#include "reliable/rxq.h"

static u32 dropped;

static void drop(struct mrc_rxq *rxq, struct mrc_rx_entry *entry)
{
	dropped++;
}

static void queue(struct __test_metadata *_metadata, struct mrc_rxq *rxq,
		  struct mrc_rx_entry *entry, u64 start, u32 len)
{
	*entry = (struct mrc_rx_entry){ .start = start, .len = len };
	ASSERT_EQ(MRC_RX_QUEUED, mrc_rxq_insert(rxq, entry, drop));
}

TEST(neighbours)
{
	struct mrc_rx_entry a, b, c;
	struct mrc_rxq rxq;

	mrc_rxq_init(&rxq, 0, 1000);
	queue(_metadata, &rxq, &b, 110, 10);
	EXPECT_EQ(NULL, mrc_rxq_before(&b));
	queue(_metadata, &rxq, &a, 100, 10);
	EXPECT_EQ(&a, mrc_rxq_before(&b));
	EXPECT_EQ(NULL, mrc_rxq_before(&a));
	/* A hole of one byte. */
	queue(_metadata, &rxq, &c, 121, 10);
	EXPECT_EQ(NULL, mrc_rxq_before(&c));
}

TEST(joined)
{
	struct mrc_rx_entry a, b, c, first = { .start = 0, .len = 100 };
	struct mrc_rxq rxq;

	mrc_rxq_init(&rxq, 0, 1000);
	queue(_metadata, &rxq, &a, 100, 10);
	queue(_metadata, &rxq, &b, 110, 10);
	queue(_metadata, &rxq, &c, 120, 10);
	mrc_rxq_join(&rxq, &a, &b);
	EXPECT_EQ(20, a.len);
	EXPECT_EQ(30, rxq.bytes);
	EXPECT_EQ(&a, mrc_rxq_before(&c));

	ASSERT_EQ(MRC_RX_IN_ORDER, mrc_rxq_insert(&rxq, &first, drop));
	mrc_rxq_delivered(&rxq, &first);
	ASSERT_EQ(&a, mrc_rxq_next(&rxq, drop));
	mrc_rxq_delivered(&rxq, &a);
	ASSERT_EQ(&c, mrc_rxq_next(&rxq, drop));
	mrc_rxq_delivered(&rxq, &c);
	EXPECT_EQ(130, rxq.nxt);
	EXPECT_EQ(0, rxq.bytes);
	EXPECT_EQ(NULL, mrc_rxq_next(&rxq, drop));
	EXPECT_EQ(0, dropped);
}

TEST(replaced)
{
	struct mrc_rx_entry a, b, c, by = { .start = 110, .len = 10 };
	struct mrc_rxq rxq;

	mrc_rxq_init(&rxq, 0, 1000);
	queue(_metadata, &rxq, &a, 100, 10);
	queue(_metadata, &rxq, &b, 110, 10);
	queue(_metadata, &rxq, &c, 120, 10);
	mrc_rxq_replace(&rxq, &b, &by);
	EXPECT_EQ(30, rxq.bytes);
	EXPECT_EQ(&a, mrc_rxq_before(&by));
	EXPECT_EQ(&by, mrc_rxq_before(&c));
	mrc_rxq_join(&rxq, &by, &c);
	EXPECT_EQ(20, by.len);
	/* All of it is there: what comes again is a duplicate. */
	b = (struct mrc_rx_entry){ .start = 105, .len = 25 };
	EXPECT_EQ(MRC_RX_QUEUED, mrc_rxq_insert(&rxq, &b, drop));
	EXPECT_EQ(1, dropped);
	EXPECT_EQ(110, b.start);
	EXPECT_EQ(20, b.len);
}

TEST_HARNESS_MAIN
