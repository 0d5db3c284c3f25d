// SPDX-License-Identifier: GPL-2.0
/*
 * The scheduler at work: whole transfers over modelled paths, with pacing,
 * congestion windows and a receive window. Exact in time, without loss.
 */
#include "unit.h"
#include <linux/limits.h>
#include "limits.h"
#include "rate/pacer.h"
#include "rate/span.h"
#include "sched/sched.h"

#define MSS	1480ULL
#define GBIT	125000000ULL
#define KB	1000ULL
#define MB	1000000ULL
#define PATHS	8
#define OUT	65536

struct wire {
	u64 rate;	/* bytes per second */
	u64 rtt_ns;
	u64 cwnd;
	u64 inflight;
	u64 free_ns;	/* when the link has sent all it was given */
	u64 sent;	/* bytes */
	struct mrc_pacer pacer;
};

/* One superframe on its way, then its ACK on the way back. */
struct frame {
	u64 at_ns;
	u64 start;
	u32 len;
	int path;
	bool arrived;
	u64 data_ack;
};

struct flow {
	struct wire wire[PATHS];
	int npaths;
	int last;
	u64 total;
	u64 buffer;	/* bytes that the application keeps written ahead */
	u64 window;	/* receive buffer */
	u64 nxt;
	u64 acked;	/* data ack as the sender knows it */
	u64 in_order;	/* data ack as the receiver knows it */
	u64 now;
	u32 first, end;	/* frames in use */
	struct frame frame[OUT];
	u64 held[OUT];	/* out of order: end offset, by start / 64 kB hash */
	u64 held_start[OUT];
	u32 nheld;
};

static struct flow flow;

static void flow_begin(u64 total, u64 buffer, u64 window)
{
	memset(&flow, 0, sizeof(flow));
	flow.total = total;
	flow.buffer = buffer;
	flow.window = window;
	flow.last = -1;
	flow.now = MRC_NSEC_PER_SEC;
}

static void flow_path(u64 rate, u64 rtt_us)
{
	struct wire *w = &flow.wire[flow.npaths++];

	w->rate = rate;
	w->rtt_ns = rtt_us * 1000;
	w->cwnd = mrc_span_bytes(rate, w->rtt_ns) * 5 / 4 + 100 * MSS;
}

/* The receiver puts a piece in its place. */
static void flow_arrive(struct frame *f)
{
	bool moved = true;

	flow.held_start[flow.nheld] = f->start;
	flow.held[flow.nheld++] = f->start + f->len;
	while (moved) {
		moved = false;
		for (u32 i = 0; i < flow.nheld; i++) {
			if (flow.held_start[i] != flow.in_order)
				continue;
			flow.in_order = flow.held[i];
			flow.nheld--;
			flow.held[i] = flow.held[flow.nheld];
			flow.held_start[i] = flow.held_start[flow.nheld];
			moved = true;
			break;
		}
	}
	f->arrived = true;
	f->data_ack = flow.in_order;
	f->at_ns += flow.wire[f->path].rtt_ns / 2;
}

/* The next thing that happens; U64_MAX: nothing. */
static struct frame *flow_next(void)
{
	struct frame *next = NULL;

	for (u32 i = flow.first; i != flow.end; i++) {
		struct frame *f = &flow.frame[i % OUT];

		if (f->path >= 0 && (!next || f->at_ns < next->at_ns))
			next = f;
	}
	return next;
}

static void flow_event(struct frame *f)
{
	if (!f->arrived) {
		flow_arrive(f);
		return;
	}
	flow.wire[f->path].inflight -= f->len;
	if (flow.acked < f->data_ack)
		flow.acked = f->data_ack;
	f->path = -1;
	while (flow.first != flow.end && flow.frame[flow.first % OUT].path < 0)
		flow.first++;
}

static void flow_put(int at, u32 len)
{
	struct wire *w = &flow.wire[at];
	struct frame *f = &flow.frame[flow.end++ % OUT];
	u64 begin = w->free_ns > flow.now ? w->free_ns : flow.now;

	w->free_ns = begin + mrc_span_ns(len, w->rate);
	w->inflight += len;
	w->sent += len;
	mrc_pacer_sent(&w->pacer, len, w->rate * 5 / 4, flow.now);
	*f = (struct frame) {
		.at_ns = w->free_ns + w->rtt_ns / 2,
		.start = flow.nxt,
		.len = len,
		.path = at,
	};
	flow.nxt += len;
	flow.last = at;
}

static u32 least(u64 a, u64 b)
{
	return a < b ? a : b;
}

/* Sends once. Return: 0 or how long to wait. */
static u64 flow_send(void)
{
	struct mrc_sched_path p[PATHS];
	u64 left = flow.total - flow.nxt, wait = U64_MAX;
	u64 open = flow.acked + flow.window - flow.nxt;
	struct mrc_sched_req req = {
		.paths = p,
		.npaths = flow.npaths,
		.last = flow.last,
		.avoid = -1,
		.backlog = left < flow.buffer ? left : flow.buffer,
		.window = open,
	};
	struct wire *w;
	int at;

	req.len = least(least(64 * KB, req.backlog), open);
	if (!req.len)
		return U64_MAX;
	for (int i = 0; i < flow.npaths; i++) {
		w = &flow.wire[i];
		p[i] = (struct mrc_sched_path) {
			.good = true,
			.room = w->cwnd > w->inflight ?
				w->cwnd - w->inflight : 0,
			.wait_ns = mrc_pacer_wait_ns(&w->pacer, flow.now),
			.queue_ns = mrc_pacer_queue_ns(&w->pacer, flow.now),
			.inflight = w->inflight,
			.cwnd = w->cwnd,
			.rate = w->rate,
			.srtt_us = w->rtt_ns / 1000,
			.min_us = w->rtt_ns / 1000,
			.mss = MSS,
		};
	}
	at = mrc_sched_earliest.pick(&req, &wait);
	if (at < 0)
		return wait;
	w = &flow.wire[at];
	flow_put(at, least(least(req.len, p[at].room + MSS),
			   2 * MSS + mrc_span_bytes(w->rate,
						    MRC_SUPERFRAME_NS)));
	return 0;
}

/* Return: nanoseconds until the receiver has everything in order. */
static u64 flow_run(void)
{
	u64 begin = flow.now;

	while (flow.in_order < flow.total) {
		u64 wait = flow_send();
		struct frame *f;

		if (!wait)
			continue;
		f = flow_next();
		if (wait != U64_MAX && (!f || flow.now + wait < f->at_ns)) {
			flow.now += wait;
			continue;
		}
		if (!f)
			return U64_MAX;
		flow.now = f->at_ns;
		flow_event(f);
	}
	return flow.now - begin;
}

TEST(equal_paths_carry_equal_shares)
{
	u64 took, best;

	flow_begin(400 * MB, 10 * MB, 20 * MB);
	for (int i = 0; i < 4; i++)
		flow_path(10 * GBIT, 100);
	took = flow_run();
	best = mrc_span_ns(400 * MB, 40 * GBIT);
	EXPECT_GE(best * 105 / 100, took);
	for (int i = 0; i < 4; i++) {
		EXPECT_LE(95 * MB, flow.wire[i].sent);
		EXPECT_GE(105 * MB, flow.wire[i].sent);
	}
}

TEST(unequal_paths_add_up)
{
	u64 took, best;

	flow_begin(2000 * MB, 50 * MB, 100 * MB);
	flow_path(10 * GBIT, 1000);
	flow_path(5 * GBIT, 2000);
	flow_path(5 * GBIT / 2, 500);
	flow_path(GBIT, 5000);
	took = flow_run();
	best = mrc_span_ns(2000 * MB, 37 * GBIT / 2);
	EXPECT_GE(best * 105 / 100, took)
		TH_LOG("%llu us, best %llu us", took / 1000, best / 1000);
	EXPECT_LE(95 * MB, flow.wire[3].sent);
}

/* How long the first path alone needs. */
static u64 alone(u64 total, u64 buffer, u64 window, u64 rate, u64 rtt_us)
{
	flow_begin(total, buffer, window);
	flow_path(rate, rtt_us);
	return flow_run();
}

static const u64 sizes[] = {
	1 * KB, 64 * KB, 300 * KB, MB, 3 * MB, 10 * MB, 100 * MB,
};

/* Fat and thin, near and far: the second path must never do harm. */
TEST(second_path_never_slows_down)
{
	static const struct {
		u64 rate, rtt_us, rate2, rtt2_us;
	} pair[] = {
		{ 10 * GBIT, 1000, GBIT / 10, 100 },
		{ 10 * GBIT, 1000, GBIT, 40000 },
		{ 10 * GBIT, 100, GBIT / 100, 10000 },
		{ GBIT, 10000, GBIT / 1000, 1000 },
		{ 100 * GBIT, 50, 10 * GBIT, 2000 },
		{ GBIT, 500, GBIT, 20000 },
		{ GBIT, 500, GBIT / 2, 500 },
	};

	for (int i = 0; i < ARRAY_SIZE(pair); i++) {
		for (int j = 0; j < ARRAY_SIZE(sizes); j++) {
			u64 one = alone(sizes[j], 4 * MB, 6 * MB,
					pair[i].rate, pair[i].rtt_us);
			u64 both;

			flow_begin(sizes[j], 4 * MB, 6 * MB);
			flow_path(pair[i].rate, pair[i].rtt_us);
			flow_path(pair[i].rate2, pair[i].rtt2_us);
			both = flow_run();
			EXPECT_GE(one + one / 50, both)
				TH_LOG("pair %d, %llu bytes: alone %llu us, both %llu us",
				       i, sizes[j], one / 1000, both / 1000);
		}
	}
}

/* The receiver's buffer is no larger than the fast path needs. */
TEST(small_window_is_not_blocked)
{
	u64 window = 3 * MB;
	u64 one = alone(300 * MB, 20 * MB, window, 10 * GBIT, 1000);
	u64 both;

	flow_begin(300 * MB, 20 * MB, window);
	flow_path(10 * GBIT, 1000);
	flow_path(GBIT, 40000);
	both = flow_run();
	EXPECT_GE(one + one / 50, both)
		TH_LOG("alone %llu us, both %llu us", one / 1000, both / 1000);
}

/*
 * Any two to four paths, any size: not slower than the best of them alone.
 * A forecast may be off now and then: one in a hundred, and never by half.
 */
TEST(random_paths_are_not_slower_than_the_best)
{
	struct unit_rand rand = { 41 };
	int slower = 0;

	for (int round = 0; round < 500; round++) {
		u64 total = 20 * KB << unit_rand_below(&rand, 11);
		int n = 2 + unit_rand_below(&rand, 3);
		u64 rate[4], rtt_us[4], best = U64_MAX, took;

		for (int i = 0; i < n; i++) {
			rate[i] = GBIT / 10 << unit_rand_below(&rand, 8);
			rtt_us[i] = 20 << unit_rand_below(&rand, 10);
			took = alone(total, 8 * MB, 12 * MB, rate[i],
				     rtt_us[i]);
			if (took < best)
				best = took;
		}
		flow_begin(total, 8 * MB, 12 * MB);
		for (int i = 0; i < n; i++)
			flow_path(rate[i], rtt_us[i]);
		took = flow_run();
		slower += took > best + best / 20;
		EXPECT_GE(best + best / 2, took)
			TH_LOG("round %d, %d paths, %llu bytes: best %llu us, all %llu us",
			       round, n, total, best / 1000, took / 1000);
	}
	EXPECT_GE(5, slower);
}

TEST_HARNESS_MAIN
