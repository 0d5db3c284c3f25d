// SPDX-License-Identifier: GPL-2.0
/*
 * The promises of a scheduler, one decision at a time.
 */
#include "unit.h"
#include <linux/limits.h>
#include "limits.h"
#include "reliable/rtt.h"
#include "sched/sched.h"

#define MSS	1480
#define LEN	64000
#define GBIT	125000000ULL
#define MS	MRC_NSEC_PER_MSEC

static struct mrc_sched_path good_path(u64 rate, u32 srtt_us)
{
	return (struct mrc_sched_path) {
		.good = true,
		.room = 1000000,
		.cwnd = 1000000,
		.rate = rate,
		.srtt_us = srtt_us,
		.min_us = srtt_us,
		.mss = MSS,
	};
}

static struct mrc_sched_req request(const struct mrc_sched_path *paths, int n)
{
	return (struct mrc_sched_req) {
		.paths = paths,
		.npaths = n,
		.last = -1,
		.avoid = -1,
		.len = LEN,
		.backlog = LEN,
		.window = 100000000,
	};
}

static int pick(const struct mrc_sched_req *req, u64 *wait)
{
	*wait = 12345;
	return mrc_sched_earliest.pick(req, wait);
}

TEST(by_name)
{
	EXPECT_EQ(&mrc_sched_earliest, mrc_sched_find("earliest"));
	EXPECT_EQ(&mrc_sched_latency, mrc_sched_find("latency"));
	EXPECT_EQ(NULL, mrc_sched_find("nonsense"));
}

TEST(shortest_idle_path_first)
{
	struct mrc_sched_path p[] = {
		good_path(10 * GBIT, 2000), good_path(10 * GBIT, 1000),
		good_path(10 * GBIT, 3000),
	};
	struct mrc_sched_req req = request(p, 3);
	u64 wait;

	EXPECT_EQ(1, pick(&req, &wait));
	/* What is queued there counts too. */
	p[1].inflight = 4000000;
	EXPECT_EQ(0, pick(&req, &wait));
}

/* Less than a packet's time is equal, but not for the class "latency". */
TEST(turns_between_equals_unless_latency_counts)
{
	struct mrc_sched_path p[] = {
		good_path(GBIT / 100, 2000), good_path(GBIT / 100, 2010),
	};
	struct mrc_sched_req req = request(p, 2);
	u64 wait;
	int i;

	for (i = 0; i < 4; i++) {
		req.last = pick(&req, &wait);
		EXPECT_EQ(i % 2, req.last);
		EXPECT_EQ(0, mrc_sched_latency.pick(&req, &wait));
	}
	p[0].room = 0;
	p[0].inflight = p[0].cwnd;
	req.backlog = 100 * LEN;
	EXPECT_EQ(1, mrc_sched_latency.pick(&req, &wait));
	req.urgent = true;
	EXPECT_EQ(1, mrc_sched_latency.pick(&req, &wait));
}

/* 64 kB take 5 ms at 100 Mbit/s: half a millisecond less RTT is no help. */
TEST(thin_path_is_not_preferred)
{
	struct mrc_sched_path p[] = {
		good_path(GBIT / 10, 100), good_path(10 * GBIT, 2000),
	};
	struct mrc_sched_req req = request(p, 2);
	u64 wait;

	EXPECT_EQ(1, pick(&req, &wait));
	/* A single small packet is there sooner over the thin one. */
	req.len = 100;
	req.backlog = 100;
	EXPECT_EQ(0, pick(&req, &wait));
}

TEST(equal_paths_take_turns)
{
	struct mrc_sched_path p[5];
	struct mrc_sched_req req = request(p, 5);
	u32 count[5] = { 0 };
	u64 wait;

	for (int i = 0; i < 5; i++)
		p[i] = good_path(10 * GBIT, 100);
	req.backlog = 10000000;
	for (int i = 0; i < 1000; i++) {
		int at = pick(&req, &wait);

		ASSERT_LE(0, at);
		ASSERT_EQ((req.last + 1) % 5, at);
		req.last = at;
		count[at]++;
	}
	for (int i = 0; i < 5; i++)
		EXPECT_EQ(200, count[i]);
}

/* The rest of a transfer waits for the fast path, a large backlog does not. */
TEST(tail_waits_for_the_fast_path)
{
	struct mrc_sched_path p[] = {
		good_path(10 * GBIT, 1000), good_path(GBIT, 40000),
	};
	struct mrc_sched_req req = request(p, 2);
	u64 wait;

	p[0].wait_ns = 50000;
	EXPECT_EQ(-1, pick(&req, &wait));
	EXPECT_EQ(50000, wait);
	p[0].wait_ns = 0;
	p[0].room = 0;
	p[0].inflight = p[0].cwnd;
	EXPECT_EQ(-1, pick(&req, &wait));
	EXPECT_EQ(U64_MAX, wait);
	/* 20 ms at 10 Gbit/s are 25 MB. */
	req.backlog = 20000000;
	EXPECT_EQ(-1, pick(&req, &wait));
	req.backlog = 30000000;
	EXPECT_EQ(1, pick(&req, &wait));
	/* Not when the receiver cannot hold what overtakes it. */
	req.window = 20000000;
	EXPECT_EQ(-1, pick(&req, &wait));
	/* What is out comes back to the window before it matters. */
	p[0].inflight = 6000000;
	EXPECT_EQ(1, pick(&req, &wait));
	p[0].inflight = p[0].cwnd;
	/* Urgent bytes take what there is. */
	req.urgent = true;
	EXPECT_EQ(1, pick(&req, &wait));
	req.urgent = false;
	/* And the decision is the same when nobody knows the fast path. */
	p[0].srtt_us = 0;
	p[0].min_us = 0;
	EXPECT_EQ(1, pick(&req, &wait));
}

TEST(several_fast_paths_drain_together)
{
	struct mrc_sched_path p[] = {
		good_path(10 * GBIT, 1000), good_path(10 * GBIT, 1000),
		good_path(10 * GBIT, 1000), good_path(GBIT, 40000),
	};
	struct mrc_sched_req req = request(p, 4);
	u64 wait;

	for (int i = 0; i < 3; i++)
		p[i].wait_ns = 1000 + i;
	req.backlog = 60000000;
	EXPECT_EQ(-1, pick(&req, &wait));
	EXPECT_EQ(1000, wait);
	req.backlog = 90000000;
	EXPECT_EQ(3, pick(&req, &wait));
}

TEST(avoided_only_while_another_is_good)
{
	struct mrc_sched_path p[] = {
		good_path(10 * GBIT, 100), good_path(10 * GBIT, 1000),
	};
	struct mrc_sched_req req = request(p, 2);
	u64 wait;

	req.avoid = 0;
	req.urgent = true;
	EXPECT_EQ(1, pick(&req, &wait));
	p[1].room = 0;
	EXPECT_EQ(-1, pick(&req, &wait));
	p[1].good = false;
	EXPECT_EQ(0, pick(&req, &wait));
}

TEST(nothing_to_choose_from)
{
	struct mrc_sched_path p[] = { good_path(GBIT, 100) };
	struct mrc_sched_req req = request(p, 0);
	u64 wait;

	EXPECT_EQ(-1, pick(&req, &wait));
	EXPECT_EQ(U64_MAX, wait);
	req.npaths = 1;
	p[0].good = false;
	EXPECT_EQ(-1, pick(&req, &wait));
	EXPECT_EQ(U64_MAX, wait);
	p[0].good = true;
	EXPECT_EQ(0, pick(&req, &wait));
}

/* A full queue on the way out is not hidden by half of a grown RTT. */
TEST(queueing_counts_for_the_data)
{
	struct mrc_sched_path p[] = {
		good_path(GBIT, 10000), good_path(GBIT, 12000),
	};
	struct mrc_sched_req req = request(p, 2);
	u64 wait;

	p[0].min_us = 1000;
	p[1].min_us = 12000;
	EXPECT_EQ(1, pick(&req, &wait));
	p[0].min_us = 10000;
	EXPECT_EQ(0, pick(&req, &wait));
}

static struct mrc_sched_path any_path(struct unit_rand *rand)
{
	struct mrc_sched_path path = {
		.good = unit_rand_in(rand, 80),
		.room = unit_rand_in(rand, 60) ? unit_rand_u64(rand) : 0,
		.wait_ns = unit_rand_in(rand, 50) ? 0 :
			   unit_rand_u64(rand) >> unit_rand_below(rand, 63),
		.queue_ns = unit_rand_u64(rand) >> unit_rand_below(rand, 63),
		.inflight = unit_rand_u64(rand) >>
			    (28 + unit_rand_below(rand, 36)),
		.cwnd = 2 * MSS + (unit_rand_u64(rand) >>
				   (28 + unit_rand_below(rand, 36))),
		.rate = 1 + (unit_rand_u64(rand) >>
			     (28 + unit_rand_below(rand, 36))),
		.srtt_us = unit_rand_u64(rand) >>
			   (32 + unit_rand_below(rand, 32)),
		.min_us = unit_rand_u64(rand) >>
			  (32 + unit_rand_below(rand, 32)),
		.mss = MRC_MSS_MIN + unit_rand_below(rand, 16000),
	};

	if (unit_rand_in(rand, 3))
		path.rate = U64_MAX;
	return path;
}

static bool can_send(const struct mrc_sched_path *path)
{
	return path->good && path->room && !path->wait_ns;
}

/* Whatever the numbers, the answer keeps the contract of struct mrc_sched_ops. */
/*
 * Both paths had a queue when they were last heard of; since then one was kept
 * busy and the other rested. It must not rest on because of what it had.
 */
TEST(old_queue_is_forgotten)
{
	struct mrc_sched_path p[] = {
		good_path(GBIT / 20, 0), good_path(GBIT / 20, 0),
	};
	struct mrc_sched_req req = request(p, 2);
	struct mrc_rtt rtt[2];
	u64 now = MS, wait;

	for (int i = 0; i < 2; i++) {
		mrc_rtt_init(&rtt[i]);
		mrc_rtt_sample(&rtt[i], 2000, now);
		for (int k = 0; k < 100; k++)
			mrc_rtt_sample(&rtt[i], 40000, now);
	}
	for (int k = 0; k < 100; k++)
		mrc_rtt_sample(&rtt[0], 8000, now + 40 * MS);
	req.backlog = 100000;
	for (int ms = 40; ms < 200; ms += 40) {
		for (int i = 0; i < 2; i++) {
			p[i].srtt_us = mrc_rtt_aged_us(&rtt[i], now + ms * MS);
			p[i].min_us = rtt[i].min_us;
		}
		p[0].inflight = 30000;
		EXPECT_EQ(1, pick(&req, &wait));
	}
}

TEST(contract)
{
	struct unit_rand rand = { 31 };
	struct mrc_sched_path p[MRC_ACK_PATHS];

	for (int round = 0; round < 100000; round++) {
		int n = unit_rand_below(&rand, 9), others = 0, at;
		struct mrc_sched_req req = request(p, n);
		u64 wait, least = U64_MAX;

		if (unit_rand_in(&rand, 1))
			n = MRC_ACK_PATHS;
		req.npaths = n;
		for (int i = 0; i < n; i++)
			p[i] = any_path(&rand);
		req.last = (int)unit_rand_below(&rand, n + 1) - 1;
		req.avoid = (int)unit_rand_below(&rand, n + 1) - 1;
		req.len = 1 + unit_rand_below(&rand, 65000);
		req.backlog = unit_rand_u64(&rand) >>
			      unit_rand_below(&rand, 63);
		req.window = unit_rand_u64(&rand) >> unit_rand_below(&rand, 63);
		req.urgent = unit_rand_in(&rand, 20);

		for (int i = 0; i < n; i++)
			others += p[i].good && i != req.avoid;
		for (int i = 0; i < n; i++) {
			bool used = p[i].good && (i != req.avoid || !others);

			if (used && p[i].room && p[i].wait_ns &&
			    p[i].wait_ns < least)
				least = p[i].wait_ns;
		}
		at = pick(&req, &wait);
		ASSERT_GT(n ? n : 1, at);
		if (at >= 0) {
			ASSERT_TRUE(can_send(&p[at]));
			ASSERT_TRUE(at != req.avoid || !others);
			continue;
		}
		ASSERT_EQ(least, wait);
		for (int i = 0; req.urgent && i < n; i++)
			ASSERT_FALSE(can_send(&p[i]) &&
				     (i != req.avoid || !others));
	}
}

/* Nobody waits for less than a packet's time, 11.84 us here. */
TEST(little_is_not_waited_for)
{
	struct mrc_sched_path p[] = { good_path(GBIT, 1000), good_path(GBIT, 1000) };
	struct mrc_sched_req req = request(p, 2);
	u64 wait;

	p[0].queue_ns = 12000;
	p[1].wait_ns = 1000;
	EXPECT_EQ(0, pick(&req, &wait));
	p[1].wait_ns = 100;
	EXPECT_EQ(-1, pick(&req, &wait));
	/* To the byte: what the other has room for meanwhile, and this piece. */
	p[0] = good_path(10 * GBIT, 1000);
	p[0].wait_ns = 1;
	p[1] = good_path(GBIT, 10000);
	req.backlog = 1000000000;
	req.window = 7450998 + LEN;
	EXPECT_EQ(1, pick(&req, &wait));
	req.window--;
	EXPECT_EQ(-1, pick(&req, &wait));
}

/* A path that is alone is used, whatever its numbers are. */
TEST(last_path_is_always_used)
{
	struct unit_rand rand = { 32 };

	for (int round = 0; round < 100000; round++) {
		struct mrc_sched_path p = any_path(&rand);
		struct mrc_sched_req req = request(&p, 1);
		u64 wait;

		req.window = unit_rand_below(&rand, 2) ? 0 : 1000;
		req.avoid = (int)unit_rand_below(&rand, 2) - 1;
		ASSERT_EQ(can_send(&p) ? 0 : -1, pick(&req, &wait));
	}
}

TEST_HARNESS_MAIN
