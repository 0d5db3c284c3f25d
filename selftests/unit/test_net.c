// SPDX-License-Identifier: GPL-2.0
/*
 * Whole connections over simulated links: do they fill what there is, share
 * what is one, and leave what is dead? From 1 Mbit/s to 400 Gbit/s and from
 * 10 us to 500 ms.
 */
#include "unit.h"
#include <linux/limits.h>
#include <linux/minmax.h>
#include "rate/span.h"
#include "sim_net.h"

#define MS		MRC_NSEC_PER_MSEC
#define SECOND		MRC_NSEC_PER_SEC
#define ENDLESS		(U64_MAX / 16)
#define BUFFER		1000000000000ULL
#define NEAR_WRAP	0xffffff00U

/* What a link holds that a test can afford to simulate, bytes. */
#define HOLDS_MOST	(8ULL << 20)

static const u64 mbits[] = { 1, 10, 100, 1000, 10000, 100000, 400000 };
static const u64 rtts_us[] = { 10, 100, 1000, 10000, 100000, 500000 };

/* Larger packets where small ones would be too many for a test. */
static u32 mss_for(const struct net_link *link)
{
	u64 bdp = mrc_span_bytes(link->rate, 2 * link->delay);

	return clamp_t(u64, bdp / 250, 1448, MRC_MSS_MAX);
}

/* A round trip, with two packets queued on a slow link. */
static u64 round_ns(const struct net_link *link, u32 mss)
{
	return max(2 * link->delay, 4 * mrc_span_ns(mss, link->rate));
}

static u64 delivered(const struct net_conn *conn)
{
	return conn->rxq.nxt;
}

/* Share of a rate that a connection got in a time, percent. */
static u32 used(struct net_conn *conn, u64 rate, u64 ns)
{
	u64 before = delivered(conn);

	conn->gap_ns = 0;
	net_run(ns);
	return (delivered(conn) - before) * 100 / mrc_span_bytes(rate, ns);
}

TEST(any_link_is_filled)
{
	for (int k = 0; k < ARRAY_SIZE(mbits) * ARRAY_SIZE(rtts_us); k++) {
		u64 mbit = mbits[k / ARRAY_SIZE(rtts_us)];
		u64 rtt_us = rtts_us[k % ARRAY_SIZE(rtts_us)];
		struct net_link *link;
		struct net_conn *conn;
		u32 mss, got;

		net_begin(1);
		link = net_link(0, mbit, rtt_us);
		if (mrc_span_bytes(link->rate, 2 * link->delay) > HOLDS_MOST)
			continue;
		mss = mss_for(link);
		conn = net_connect(mss, ENDLESS, BUFFER, NEAR_WRAP, 0, 1);
		net_run(60 * round_ns(link, mss));
		got = used(conn, link->rate, 40 * round_ns(link, mss));
		EXPECT_LE(85, got)
			TH_LOG("%llu Mbit/s, %llu us: %u %%, cwnd %llu",
			       mbit, rtt_us, got, conn->path[0].rate.cwnd);
		/* Marks, not drops, are what ends its growth. */
		EXPECT_EQ(0, link->drops);
		net_end();
	}
}

TEST(paths_add_up)
{
	static const u64 mbit[] = { 10000, 5000, 2500, 1000 };
	static const u64 rtt_us[] = { 1000, 2000, 500, 5000 };
	struct net_conn *conn;
	u64 rate = 0;
	u32 got;

	net_begin(2);
	for (int i = 0; i < ARRAY_SIZE(mbit); i++)
		rate += net_link(i, mbit[i], rtt_us[i])->rate;
	conn = net_connect(8960, ENDLESS, BUFFER, NEAR_WRAP, 0,
			   ARRAY_SIZE(mbit));
	net_run(300 * MS);
	got = used(conn, rate, 100 * MS);
	EXPECT_LE(90, got)
		TH_LOG("%u %%", got);
	EXPECT_EQ(0, conn->bad_count);
	net_end();
}

/* A receive buffer of a few BDPs of the best path: no worse than that path. */
TEST(a_bad_second_path_does_no_harm)
{
	static const struct {
		u64 mbit, rtt_us, mbit2, rtt2_us;
	} pair[] = {
		{ 10000, 1000, 100, 100 }, { 10000, 1000, 1000, 40000 },
		{ 1000, 10000, 1, 1000 }, { 100, 500, 100, 50000 },
	};

	for (int i = 0; i < ARRAY_SIZE(pair); i++) {
		struct net_link *link;
		struct net_conn *conn;
		u32 got;

		net_begin(3);
		link = net_link(0, pair[i].mbit, pair[i].rtt_us);
		net_link(1, pair[i].mbit2, pair[i].rtt2_us);
		conn = net_connect(pair[i].mbit > 1000 ? 8960 : 1448, ENDLESS,
				   6000000, NEAR_WRAP, 0, 2);
		net_run(400 * MS);
		got = used(conn, link->rate, 300 * MS);
		EXPECT_LE(88, got)
			TH_LOG("pair %d: %u %% of the first, bad %u", i, got,
			       conn->bad_count);
		net_end();
	}
}

/* Jain's index of what all connections got in a time, thousandths. */
static u32 fairness(u64 ns)
{
	u64 before[NET_CONNS];
	double sum = 0, squares = 0;

	for (int i = 0; i < net.nconns; i++)
		before[i] = delivered(&net.conn[i]);
	net_run(ns);
	for (int i = 0; i < net.nconns; i++) {
		double got = delivered(&net.conn[i]) - before[i];

		sum += got;
		squares += got * got;
	}
	return squares > 0 ? 1000 * sum * sum / (net.nconns * squares) : 0;
}

/* Connections that begin one after another share the bottleneck. */
TEST(bottleneck_is_shared)
{
	static const u64 speed[] = { 10, 100, 1000, 10000, 100000 };
	static const u64 delay[] = { 50000, 10000, 1000, 100, 100 };
	static const int conns[] = { 2, 4, 8 };

	for (int k = 0; k < ARRAY_SIZE(speed) * ARRAY_SIZE(conns); k++) {
		int i = k / ARRAY_SIZE(conns), n = conns[k % ARRAY_SIZE(conns)];
		struct net_link *link;
		u64 round;
		u32 jain;

		net_begin(4);
		link = net_link(0, speed[i], delay[i]);
		round = max_t(u64, 2 * link->delay,
			      2 * n * mrc_span_ns(1480, link->rate));
		for (int c = 0; c < n; c++) {
			net_connect(mss_for(link), ENDLESS, BUFFER, NEAR_WRAP,
				    0, 1);
			net_run(20 * round);
		}
		net_run(300 * round);
		jain = fairness(100 * round);
		EXPECT_LE(900, jain)
			TH_LOG("%d on %llu Mbit/s, %llu us: %u", n, speed[i],
			       delay[i], jain);
		net_end();
	}
}

/* How long a silent path may hold up the stream. */
static u64 longest_gap(const struct net_conn *conn)
{
	u64 silence = 0, rtt = 0;

	for (int i = 0; i < conn->npaths; i++) {
		silence = max(silence, mrc_rtt_silence_ns(&conn->path[i].rtt));
		rtt = max(rtt, mrc_rtt_smooth_ns(&conn->path[i].rtt));
	}
	return silence + 2 * rtt + 2 * MS;
}

/* One of two paths falls silent, and comes back. */
TEST(dead_path_is_left_and_found_again)
{
	static const u64 rtt_us[] = { 100, 1000, 10000, 100000 };

	for (int i = 0; i < ARRAY_SIZE(rtt_us); i++) {
		u64 time = 100 * MS + 60 * rtt_us[i] * 1000, most;
		struct net_link *a, *b;
		struct net_conn *conn;
		u32 got;

		net_begin(5);
		a = net_link(0, 1000, rtt_us[i]);
		b = net_link(1, 1000, rtt_us[i]);
		conn = net_connect(mss_for(a), ENDLESS, BUFFER, NEAR_WRAP, 0, 2);
		net_run(time);
		EXPECT_LE(90, used(conn, a->rate + b->rate, time));
		b->dead = true;
		most = longest_gap(conn);
		used(conn, a->rate, time);
		EXPECT_GE(most, conn->gap_ns)
			TH_LOG("%llu us: gap %llu us of %llu", rtt_us[i],
			       conn->gap_ns / 1000, most / 1000);
		EXPECT_EQ(1, conn->bad_count);
		got = used(conn, a->rate, time);
		EXPECT_LE(90, got)
			TH_LOG("%llu us: one path left: %u %%", rtt_us[i], got);
		b->dead = false;
		net_run(2 * time + MRC_NSEC_PER_SEC);
		got = used(conn, a->rate + b->rate, time);
		EXPECT_LE(90, got)
			TH_LOG("%llu us: both again: %u %%", rtt_us[i], got);
		EXPECT_EQ(1, conn->bad_count);
		net_end();
	}
}

/* Nothing works for a while: that is no verdict, and it goes on. */
TEST(silence_everywhere_is_survived)
{
	struct net_conn *conn;

	net_begin(6);
	net_link(0, 100, 10000);
	net_link(1, 100, 20000);
	conn = net_connect(1448, ENDLESS, BUFFER, NEAR_WRAP, 0, 2);
	net_run(SECOND);
	net.link[0].dead = true;
	net.link[1].dead = true;
	net_run(SECOND);
	net.link[0].dead = false;
	net.link[1].dead = false;
	net_run(SECOND);
	EXPECT_LE(85, used(conn, 25000000, SECOND));
	net_end();
}

/* Everything arrives, in spite of losses on each path; then nothing moves. */
TEST(losses_are_repaired)
{
	static const u32 ppm[] = { 100, 10000, 100000 };

	for (int i = 0; i < ARRAY_SIZE(ppm); i++) {
		u64 bytes = 10000000 / (i + 1);
		struct net_conn *conn;
		u64 sent;

		net_begin(7 + i);
		for (int k = 0; k < 3; k++)
			net_link(k, 100 << k, 5000)->loss_ppm = ppm[i];
		conn = net_connect(1448, bytes, BUFFER, NEAR_WRAP, 0, 3);
		net_run(60 * SECOND);
		EXPECT_EQ(bytes, delivered(conn));
		EXPECT_EQ(bytes, conn->txq.una);
		for (int k = 0; k < 3; k++)
			EXPECT_EQ(0, conn->path[k].inf.bytes);
		sent = conn->path[0].sent + conn->path[1].sent +
		       conn->path[2].sent;
		/* Hardly a packet was sent again that had arrived. */
		EXPECT_GE(bytes / 1448 + net.link[0].drops +
			  net.link[1].drops + net.link[2].drops +
			  bytes / 1448 / 100 + 200, sent)
			TH_LOG("%u ppm: %llu sent", ppm[i], sent);
		net_end();
	}
}

TEST_HARNESS_MAIN
