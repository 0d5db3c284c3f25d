// SPDX-License-Identifier: GPL-2.0
/*
 * Connections behind short queues: paths that differ in everything and drop
 * instead of marking, small receive buffers, and many senders that meet in
 * one marking queue. In simulated time.
 */
#include "unit.h"
#include <linux/limits.h>
#include <linux/minmax.h>
#include "rate/span.h"
#include "sim_net.h"

#define SECOND		MRC_NSEC_PER_SEC
#define ENDLESS		(U64_MAX / 16)
#define BUFFER		1000000000000ULL
#define NEAR_WRAP	0xffffff00U
#define MSS		1400
#define WIRE		(MSS + NET_HDR)
#define SENDERS		7

/* A shaper without ECN: its queue takes a BDP, or 100 packets. */
static u64 shaper(int index, u64 mbit, u64 rtt_us)
{
	struct net_link *link = net_link(index, mbit, rtt_us);

	link->mark = U64_MAX;
	link->limit = max_t(u64, mrc_span_bytes(link->rate, 2 * link->delay),
			    100 * WIRE);
	return link->rate;
}

/* Four unequal paths. Return: bytes per second of all, headers not counted. */
static u64 unequal(void)
{
	return (shaper(0, 50, 2000) + shaper(1, 25, 10000) +
		shaper(2, 10, 40000) + shaper(3, 5, 80000)) * MSS / WIRE;
}

/* Bytes that arrive in ten seconds over the first @npaths paths. */
static u64 arrived(u64 buffer, int npaths)
{
	u64 bytes;

	net_begin(1);
	unequal();
	net_connect(MSS, ENDLESS, buffer, NEAR_WRAP, 0, npaths);
	net_run(10 * SECOND);
	bytes = net.conn[0].rxq.nxt;
	net_end();
	return bytes;
}

/* The start and all losses of slow start included. */
TEST(unequal_paths_without_marks_add_up)
{
	struct net_conn *conn;
	u64 rate, got;

	net_begin(1);
	rate = unequal();
	conn = net_connect(MSS, ENDLESS, BUFFER, NEAR_WRAP, 0, 4);
	net_run(20 * SECOND);
	got = conn->rxq.nxt / 20 * 1000 / rate;
	EXPECT_LE(930, got)
		TH_LOG("%llu thousandths of the sum", got);
	EXPECT_EQ(0, conn->bad_count);
	net_end();
}

/* The buffer holds much less than all the paths do. */
TEST(small_buffer_costs_no_more_than_the_other_paths)
{
	static const u64 buffers[] = { 64000, 256000, 1000000 };

	for (int i = 0; i < ARRAY_SIZE(buffers); i++) {
		u64 one = arrived(buffers[i], 1), all = arrived(buffers[i], 4);

		EXPECT_LE(one, all)
			TH_LOG("buffer %llu: %llu bytes, the best alone %llu",
			       buffers[i], all, one);
	}
}

/* Seven that begin at once and never stop. */
TEST(incast_is_shared_without_a_drop)
{
	static const u64 speed[] = { 100, 1000, 10000, 100000, 400000 };
	static const u64 delay[] = { 10000, 1000, 100, 20, 10 };

	for (int k = 0; k < ARRAY_SIZE(speed); k++) {
		u32 mss = speed[k] > 1000 ? 8960 : 1448;
		double sum = 0, squares = 0, bytes;
		struct net_link *link;
		u64 before[SENDERS];
		u64 round, time;

		net_begin(k + 1);
		link = net_link(0, speed[k], delay[k]);
		round = max_t(u64, 2 * link->delay,
			      2 * SENDERS * mrc_span_ns(mss, link->rate));
		time = 400 * round;
		for (int i = 0; i < SENDERS; i++)
			net_connect(mss, ENDLESS, BUFFER, NEAR_WRAP, 0, 1);
		net_run(200 * round);
		for (int i = 0; i < SENDERS; i++)
			before[i] = net.conn[i].rxq.nxt;
		net_run(time);
		for (int i = 0; i < SENDERS; i++) {
			bytes = net.conn[i].rxq.nxt - before[i];
			sum += bytes;
			squares += bytes * bytes;
		}
		EXPECT_LE(0.95, sum * sum / (SENDERS * squares))
			TH_LOG("%llu Mbit/s: unfair", speed[k]);
		EXPECT_LE(0.95 * mss / (mss + NET_HDR),
			  sum / mrc_span_bytes(link->rate, time))
			TH_LOG("%llu Mbit/s: not used", speed[k]);
		EXPECT_EQ(0, link->drops);
		net_end();
	}
}

TEST_HARNESS_MAIN
