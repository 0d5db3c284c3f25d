// SPDX-License-Identifier: GPL-2.0
/*
 * Scheduler "earliest": each superframe goes where it arrives first.
 *
 * Keeps no state; called by the output code under the socket lock. Three
 * questions, in this order: which of the paths that can send now delivers
 * first; would a path that is busy now deliver sooner still, and everything
 * that waits before the slow path delivers this one piece (ECF, Lim et al.
 * 2017, generalised to the sum of the faster paths); would the faster paths
 * run into the end of the receive window while the slow path is at work
 * (BLEST, Ferlin et al. 2016). Equal paths take turns. Pure.
 *
 * Scheduler "latency" asks the same and lets nobody take turns: the earliest
 * is taken, be it by less than a packet's time, and of those that are quite
 * equal the first, so that what is written now and then stays on one path.
 */
#include "limits.h"
#include "rate/span.h"
#include "sched/sched.h"

/**
 * struct choice - the paths of a request, weighed
 * @count: paths looked at
 * @arrival_ns: when the piece would arrive over each, from now; U64_MAX:
 *	not to be used
 */
struct choice {
	int count;
	u64 arrival_ns[MRC_ACK_PATHS];
};

static bool can_send(const struct mrc_sched_path *path)
{
	return path->good && path->room && !path->wait_ns;
}

/* Until the window admits @piece more bytes: ACKs come at the path's rate. */
static u64 window_wait_ns(const struct mrc_sched_path *path, u64 piece)
{
	u64 after = mrc_span_add(path->inflight, piece);

	if (path->room || after <= path->cwnd)
		return 0;
	return mrc_span_ns(after - path->cwnd, path->rate);
}

/*
 * From the departure of a byte to its arrival. What the RTT has above its
 * minimum is queueing, and data queues while ACKs hardly do.
 */
static u64 one_way_ns(const struct mrc_sched_path *path)
{
	u32 back = path->srtt_us / 2;

	if (path->min_us && path->min_us <= path->srtt_us)
		back = path->min_us / 2;
	return (path->srtt_us - back) * MRC_NSEC_PER_USEC;
}

/*
 * When @len bytes sent at the path's next opportunity would have arrived.
 * Bytes in flight that the RTT does not explain yet are a queue that is just
 * being built; it drains while pacing or the window holds the path back.
 */
static u64 arrival_ns(const struct mrc_sched_path *path, u32 len)
{
	u64 srtt_ns = path->srtt_us * MRC_NSEC_PER_USEC;
	u64 piece = len < path->cwnd ? len : path->cwnd;
	u64 drain = mrc_span_ns(path->inflight, path->rate);
	u64 start = drain > srtt_ns ? drain - srtt_ns : 0;
	u64 wait = window_wait_ns(path, piece);

	if (start < path->queue_ns)
		start = path->queue_ns;
	if (start < wait)
		start = wait;
	if (start < path->wait_ns)
		start = path->wait_ns;
	start = mrc_span_add(start, mrc_span_ns(piece, path->rate));
	start = mrc_span_add(start, one_way_ns(path));
	return start < U64_MAX ? start : U64_MAX - 1;
}

static void weigh(const struct mrc_sched_req *req, struct choice *choice)
{
	bool others = false;
	int i;

	choice->count = req->npaths < MRC_ACK_PATHS ? req->npaths :
						      MRC_ACK_PATHS;
	for (i = 0; i < choice->count; i++)
		others |= req->paths[i].good && i != req->avoid;
	for (i = 0; i < choice->count; i++) {
		choice->arrival_ns[i] = U64_MAX;
		if (req->paths[i].good && !(others && i == req->avoid))
			choice->arrival_ns[i] = arrival_ns(&req->paths[i],
							   req->len);
	}
}

/* Arrivals closer than one packet's time are equal. */
static u64 tolerance_ns(const struct mrc_sched_path *path)
{
	return mrc_span_ns(path->mss, path->rate);
}

/* Of the paths that can send now: the earliest. */
static int best_now(const struct mrc_sched_req *req,
		    const struct choice *choice)
{
	int best = -1;
	int i;

	for (i = 0; i < choice->count; i++) {
		if (choice->arrival_ns[i] == U64_MAX ||
		    !can_send(&req->paths[i]))
			continue;
		if (best < 0 ||
		    choice->arrival_ns[i] < choice->arrival_ns[best])
			best = i;
	}
	return best;
}

/* In turns between the best path and its equals. */
static int rotate(const struct mrc_sched_req *req, const struct choice *choice,
		  int best)
{
	u64 limit = mrc_span_add(choice->arrival_ns[best],
				 tolerance_ns(&req->paths[best]));
	int i, k;

	for (k = 1; k <= choice->count; k++) {
		i = (req->last + k) % choice->count;
		if (choice->arrival_ns[i] != U64_MAX &&
		    choice->arrival_ns[i] <= limit && can_send(&req->paths[i]))
			return i;
	}
	return best;
}

/* Is it better to send nothing now than to send on path @slow? */
static bool should_wait(const struct mrc_sched_req *req,
			const struct choice *choice, int slow)
{
	u64 slow_ns = choice->arrival_ns[slow];
	u64 tolerance = tolerance_ns(&req->paths[slow]);
	u64 rest = req->backlog > req->len ? req->backlog - req->len : 0;
	u64 window = req->window;
	u64 fast_ns = U64_MAX;
	u64 rtt_ns = 0;
	u64 rate = 0;
	int i;

	for (i = 0; i < choice->count; i++) {
		u64 at = choice->arrival_ns[i];

		if (i != slow && at != U64_MAX)
			window = mrc_span_add(window, req->paths[i].inflight);

		/* Nobody waits for a path of which nothing is known. */
		if (i == slow || at == U64_MAX || !req->paths[i].srtt_us ||
		    mrc_span_add(at, tolerance) >= slow_ns)
			continue;
		rate = mrc_span_add(rate, req->paths[i].rate);
		if (at >= fast_ns)
			continue;
		fast_ns = at;
		rtt_ns = req->paths[i].srtt_us * MRC_NSEC_PER_USEC;
	}
	if (!rate)
		return false;

	/* ECF: all that waits arrives before this piece would. */
	if (mrc_span_add(fast_ns, mrc_span_ns(rest, rate)) <= slow_ns)
		return true;

	/*
	 * BLEST: the others must have room until this piece is acknowledged.
	 * What they have out now comes back to the window before.
	 */
	slow_ns = mrc_span_add(slow_ns - fast_ns, rtt_ns);
	return mrc_span_add(mrc_span_bytes(rate, slow_ns), req->len) > window;
}

static u64 pacing_wait_ns(const struct mrc_sched_req *req,
			  const struct choice *choice)
{
	u64 wait = U64_MAX;
	int i;

	for (i = 0; i < choice->count; i++) {
		const struct mrc_sched_path *path = &req->paths[i];

		if (choice->arrival_ns[i] != U64_MAX && path->room &&
		    path->wait_ns && path->wait_ns < wait)
			wait = path->wait_ns;
	}
	return wait;
}

static int pick(const struct mrc_sched_req *req, bool turns, u64 *wait_ns)
{
	struct choice choice;
	int best;

	weigh(req, &choice);
	best = best_now(req, &choice);
	if (best >= 0 &&
	    (req->urgent || !should_wait(req, &choice, best)))
		return turns ? rotate(req, &choice, best) : best;
	*wait_ns = pacing_wait_ns(req, &choice);
	return -1;
}

static int earliest_pick(const struct mrc_sched_req *req, u64 *wait_ns)
{
	return pick(req, true, wait_ns);
}

static int latency_pick(const struct mrc_sched_req *req, u64 *wait_ns)
{
	return pick(req, false, wait_ns);
}

const struct mrc_sched_ops mrc_sched_latency = {
	.name = "latency",
	.pick = latency_pick,
};

const struct mrc_sched_ops mrc_sched_earliest = {
	.name = "earliest",
	.pick = earliest_pick,
};
