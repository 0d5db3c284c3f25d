// SPDX-License-Identifier: GPL-2.0
/*
 * DCTCP over a modelled link: one bottleneck with a queue that marks above a
 * threshold and drops above a limit, from 1 Mbit/s to 400 Gbit/s and from 10
 * microseconds to half a second.
 *
 * Time goes in steps; what leaves in a step is one batch that passes the
 * queue, is marked or cut there, and comes back as one ACK.
 */
#include "unit.h"
#include <linux/limits.h>
#include "rate/rate.h"
#include "rate/span.h"
#include "reliable/seq.h"

#define MSS		1480ULL
#define STEPS_PER_RTT	32
#define BATCHES		65536

/* What left in one step. */
struct batch {
	u64 back_ns;	/* when its ACK arrives */
	u64 sent_ns;
	u32 last_psn;
	u32 packets;
	u32 marked;
	u32 lost;
};

struct link {
	u64 rate;	/* bytes per second */
	u64 rtt_ns;	/* of the empty link */
	u64 mark;	/* queue above which packets are marked, bytes */
	u64 limit;	/* queue above which packets are dropped */
	u64 queue;
	u64 most;	/* largest queue since it was last reset */
	u64 now;
	u64 step_ns;
	u64 budget;	/* bytes that pacing allows */
	u64 delivered;	/* bytes */
	u64 drained;	/* remainder of the drain, bytes * 1e9 */
	u32 head, tail;
	struct batch batch[BATCHES];
	struct mrc_rate ctl;
	struct mrc_rtt est;
	struct mrc_inflight inf;
};

static struct link net;

static void link_begin(u64 rate, u64 rtt_ns, u64 mark, u64 limit)
{
	u64 step = rtt_ns / STEPS_PER_RTT;
	u64 packet = mrc_span_ns(MSS, rate) / 2;

	memset(&net, 0, sizeof(net));
	net.rate = rate;
	net.rtt_ns = rtt_ns;
	net.mark = mark;
	net.limit = limit;
	net.now = MRC_NSEC_PER_SEC;
	net.step_ns = step > packet ? step : packet;
	net.inf.next_psn = 0xffff0000;
	net.inf.rack_psn = net.inf.next_psn - 1;
	mrc_rtt_init(&net.est);
	mrc_rate_init(&net.ctl, &mrc_rate_dctcp, MSS, net.inf.next_psn);
}

static void link_drain(void)
{
	u64 bytes = mrc_span_bytes(net.rate, net.step_ns);

	/* Below one byte per step the remainder must not be lost. */
	net.drained += net.rate * net.step_ns % MRC_NSEC_PER_SEC;
	bytes += net.drained / MRC_NSEC_PER_SEC;
	net.drained %= MRC_NSEC_PER_SEC;
	net.queue = net.queue > bytes ? net.queue - bytes : 0;
}

static void link_send(void)
{
	u64 room = net.ctl.cwnd > net.inf.bytes ?
		   net.ctl.cwnd - net.inf.bytes : 0;
	struct batch *b = &net.batch[net.head % BATCHES];
	u64 want, packets, space, over, most;

	if (net.ctl.pacing_rate == U64_MAX)
		net.budget = room;
	else
		net.budget += mrc_span_bytes(net.ctl.pacing_rate,
					      net.step_ns);
	most = mrc_span_bytes(net.ctl.pacing_rate, 2 * net.step_ns);
	most = mrc_span_add(most, 2 * MSS);
	if (net.budget > most)
		net.budget = most;
	want = room < net.budget ? room : net.budget;
	packets = want / MSS;
	if (!packets)
		return;
	net.budget -= packets * MSS;

	memset(b, 0, sizeof(*b));
	space = net.limit > net.queue ? (net.limit - net.queue) / MSS : 0;
	b->packets = packets;
	b->lost = packets > space ? packets - space : 0;
	over = net.queue + (packets - b->lost) * MSS;
	over = over > net.mark ? (over - net.mark) / MSS : 0;
	b->marked = over < packets - b->lost ? over : packets - b->lost;
	net.queue += (packets - b->lost) * MSS;
	if (net.queue > net.most)
		net.most = net.queue;
	net.inf.next_psn += packets;
	net.inf.bytes += packets * MSS;
	b->last_psn = net.inf.next_psn - 1;
	b->sent_ns = net.now;
	b->back_ns = net.now + net.rtt_ns +
		     mrc_span_ns(net.queue, net.rate);
	net.head++;
}

static void link_ack(void)
{
	while (net.tail != net.head) {
		struct batch *b = &net.batch[net.tail % BATCHES];
		struct mrc_ack_result res = { 0 };

		if (b->back_ns > net.now)
			break;
		net.tail++;
		res.acked_packets = b->packets - b->lost;
		res.acked_bytes = res.acked_packets * MSS;
		res.rx_packets = res.acked_packets;
		res.ce_packets = b->marked;
		res.lost_packets = b->lost;
		res.lost_bytes = b->lost * MSS;
		res.lost_psn = b->last_psn;
		res.rate = net.rate;
		net.inf.bytes -= b->packets * MSS;
		net.delivered += res.acked_bytes;
		if (res.acked_packets) {
			net.inf.rack_psn = b->last_psn;
			mrc_rtt_sample(&net.est,
				       (b->back_ns - b->sent_ns) / 1000,
				       net.now);
		}
		mrc_rate_update(&net.ctl, &net.est, &net.inf, &res, false,
				net.now);
		/* A dead link in the model would be a stuck test. */
		if (!net.inf.bytes && net.ctl.cwnd < MSS)
			abort();
	}
}

/* Runs for a time. Return: share of the link that was used, percent. */
static u32 link_run(u64 duration)
{
	u64 end = net.now + duration, before = net.delivered;

	net.most = 0;
	while (net.now < end) {
		link_drain();
		link_ack();
		link_send();
		net.now += net.step_ns;
	}
	return (net.delivered - before) * 100 /
	       mrc_span_bytes(net.rate, duration);
}

/* Round trips as they are with one packet on a slow net. */
static u64 link_round(void)
{
	u64 packet = 4 * mrc_span_ns(MSS, net.rate);

	return net.rtt_ns > packet ? net.rtt_ns : packet;
}

static u64 link_bdp(u64 rate, u64 rtt_ns)
{
	u64 bdp = mrc_span_bytes(rate, rtt_ns);

	return bdp > 2 * MSS ? bdp : 2 * MSS;
}

static const u64 mbits[] = { 1, 10, 100, 1000, 10000, 100000, 400000 };
static const u64 rtts_us[] = { 10, 100, 1000, 10000, 100000, 500000 };

/* RFC 8257 section 6: a threshold of a seventh of the BDP and more. */
TEST(marking_link_is_filled)
{
	for (int i = 0; i < ARRAY_SIZE(mbits); i++) {
		for (int j = 0; j < ARRAY_SIZE(rtts_us); j++) {
			u64 rate = mbits[i] * 125000;
			u64 rtt = rtts_us[j] * 1000;
			u64 bdp = link_bdp(rate, rtt);
			u64 mark = bdp / 5 + 5 * MSS;
			u32 used;

			link_begin(rate, rtt, mark, 3 * bdp + 20 * MSS);
			link_run(60 * link_round());
			used = link_run(200 * link_round());
			EXPECT_LE(90, used)
				TH_LOG("%llu Mbit/s, %llu us: %u %%, cwnd %llu, bdp %llu",
				       mbits[i], rtts_us[j], used,
				       net.ctl.cwnd, bdp);
			/* And the queue stays near the threshold. */
			EXPECT_GE(2 * mark + bdp / 2, net.most)
				TH_LOG("%llu Mbit/s, %llu us: queue %llu of %llu",
				       mbits[i], rtts_us[j], net.most, mark);
		}
	}
}

/* No ECN: the queue of one BDP is found by loss or delay. */
TEST(dropping_link_is_filled)
{
	for (int i = 0; i < ARRAY_SIZE(mbits); i++) {
		for (int j = 0; j < ARRAY_SIZE(rtts_us); j++) {
			u64 rate = mbits[i] * 125000;
			u64 rtt = rtts_us[j] * 1000;
			u64 bdp = link_bdp(rate, rtt);
			u32 used;

			link_begin(rate, rtt, U64_MAX / 2, bdp + 10 * MSS);
			link_run(60 * link_round());
			used = link_run(300 * link_round());
			EXPECT_LE(85, used)
				TH_LOG("%llu Mbit/s, %llu us: %u %%, cwnd %llu, bdp %llu",
				       mbits[i], rtts_us[j], used,
				       net.ctl.cwnd, bdp);
		}
	}
}

/* Ten times the rate becomes free: it is used within a hundred round trips. */
TEST(freed_rate_is_taken)
{
	for (int j = 1; j < ARRAY_SIZE(rtts_us); j++) {
		u64 rtt = rtts_us[j] * 1000, rate = 125000000;
		u64 bdp = link_bdp(rate, rtt);
		u32 used;

		link_begin(rate, rtt, bdp / 5 + 5 * MSS, 3 * bdp + 20 * MSS);
		link_run(200 * link_round());
		net.rate *= 10;
		net.mark *= 10;
		net.limit *= 10;
		link_run(100 * link_round());
		used = link_run(100 * link_round());
		EXPECT_LE(90, used)
			TH_LOG("%llu us: %u %%", rtts_us[j], used);
	}
}

/* And a rate that shrinks to a tenth is respected without a storm of loss. */
TEST(shrunk_rate_is_respected)
{
	for (int j = 1; j < ARRAY_SIZE(rtts_us); j++) {
		u64 rtt = rtts_us[j] * 1000, rate = 1250000000;
		u64 bdp = link_bdp(rate, rtt);
		u32 used;

		link_begin(rate, rtt, bdp / 5 + 5 * MSS, 3 * bdp + 20 * MSS);
		link_run(200 * link_round());
		net.rate /= 10;
		net.mark = net.mark / 10 + 5 * MSS;
		link_run(100 * link_round());
		used = link_run(100 * link_round());
		EXPECT_LE(90, used)
			TH_LOG("%llu us: %u %%", rtts_us[j], used);
		EXPECT_GE(2 * net.mark + bdp / 10, net.most)
			TH_LOG("%llu us: queue %llu of %llu", rtts_us[j],
			       net.most, net.mark);
	}
}

TEST_HARNESS_MAIN
