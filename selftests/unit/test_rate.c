// SPDX-License-Identifier: GPL-2.0
/*
 * Reactions of the rate control of a path: one ACK at a time.
 */
#include "unit.h"
#include <linux/limits.h>
#include "rate/rate.h"

#define MSS	1480
#define MS	MRC_NSEC_PER_MSEC

FIXTURE(path) {
	struct mrc_rate rate;
	struct mrc_rtt rtt;
	struct mrc_inflight inf;
	struct mrc_ack_result res;
	u64 now;
};

FIXTURE_SETUP(path)
{
	memset(self, 0, sizeof(*self));
	self->now = 1000 * MS;
	self->inf.next_psn = 0xfffffff0;
	self->inf.rack_psn = 0xffffffef;
	mrc_rtt_init(&self->rtt);
	mrc_rate_init(&self->rate, &mrc_rate_dctcp, MSS, self->inf.next_psn);
}

FIXTURE_TEARDOWN(path)
{
}

/* @sent packets leave, @acked of them are acknowledged one RTT later. */
static void round_trip(struct _test_data_path *p, u32 sent, u32 acked,
		       u32 ce, u32 lost)
{
	p->res.acked_packets = acked;
	p->res.acked_bytes = acked * MSS;
	p->res.rx_packets = acked;
	p->res.ce_packets = ce;
	p->res.lost_packets = lost;
	p->res.lost_bytes = lost * MSS;
	p->res.lost_psn = p->inf.next_psn;
	p->inf.next_psn += sent;
	p->inf.rack_psn = p->inf.next_psn - 1;
	p->now += MS;
	mrc_rtt_sample(&p->rtt, 1000, p->now);
	mrc_rate_update(&p->rate, &p->rtt, &p->inf, &p->res, true, p->now);
	memset(&p->res, 0, sizeof(p->res));
}

TEST_F(path, begins_small_and_unpaced)
{
	EXPECT_EQ(10 * MSS, self->rate.cwnd);
	EXPECT_EQ(U64_MAX, self->rate.pacing_rate);
	EXPECT_EQ(&mrc_rate_dctcp, mrc_rate_find("dctcp"));
	EXPECT_EQ(NULL, mrc_rate_find("nonsense"));
	EXPECT_NE(0, mrc_rate_capacity(&self->rate, &self->rtt));
}

TEST_F(path, doubles_until_the_first_mark)
{
	u64 before;

	for (int i = 0; i < 6; i++) {
		before = self->rate.cwnd;
		round_trip(self, before / MSS, before / MSS, 0, 0);
		ASSERT_EQ(2 * before, self->rate.cwnd);
		/* Twice the window per RTT (smoothed from samples of 1 ms). */
		ASSERT_LE(before * 3900, self->rate.pacing_rate);
		ASSERT_GE(before * 4100, self->rate.pacing_rate);
	}
	before = self->rate.cwnd;
	round_trip(self, 10, 10, 1, 0);
	EXPECT_LT(self->rate.cwnd, before);
	EXPECT_EQ(self->rate.ssthresh, self->rate.cwnd);
	EXPECT_LE(self->rate.cwnd * 1200, self->rate.pacing_rate);
	EXPECT_GE(self->rate.cwnd * 1300, self->rate.pacing_rate);
}

/* RFC 8257: alpha is 1 at first, so the first mark halves the window. */
TEST_F(path, first_mark_halves)
{
	u64 before = self->rate.cwnd;

	self->res.rx_packets = 1;
	self->res.ce_packets = 1;
	mrc_rate_update(&self->rate, &self->rtt, &self->inf, &self->res, true,
			self->now);
	EXPECT_EQ(before / 2, self->rate.cwnd);
}

TEST_F(path, one_reaction_to_marks_per_round_trip)
{
	u64 cut;

	self->rate.cwnd = 1000 * MSS;
	self->inf.next_psn += 1000;
	for (int i = 0; i < 50; i++) {
		self->inf.rack_psn++;
		self->res.acked_packets = 1;
		self->res.acked_bytes = MSS;
		self->res.rx_packets = 1;
		self->res.ce_packets = 1;
		mrc_rate_update(&self->rate, &self->rtt, &self->inf,
				&self->res, true, self->now);
		if (!i)
			cut = self->rate.cwnd;
	}
	EXPECT_EQ(cut, self->rate.cwnd);
	/* Then the next one counts. */
	self->inf.rack_psn = self->inf.next_psn;
	self->inf.next_psn += 500;
	mrc_rate_update(&self->rate, &self->rtt, &self->inf, &self->res, true,
			self->now);
	EXPECT_LT(self->rate.cwnd, cut);
}

/* A twentieth of the packets marked: the window gives a fortieth. */
TEST_F(path, answer_is_in_proportion)
{
	u64 before;

	for (int i = 0; i < 200; i++) {
		self->rate.ssthresh = 0;
		self->rate.cwnd = 1000 * MSS;
		round_trip(self, 1000, 1000, 50, 0);
	}
	self->rate.cwnd = 1000 * MSS;
	before = self->rate.cwnd;
	self->rate.ecn_cwnd = 0;
	round_trip(self, 1000, 1000, 50, 0);
	EXPECT_LE(before - before / 38, self->rate.cwnd);
	EXPECT_GE(before - before / 42 + 2 * MSS, self->rate.cwnd);
}

TEST_F(path, one_reaction_to_losses_per_round_trip)
{
	self->rate.cwnd = 1000 * MSS;
	self->inf.next_psn += 1000;
	for (int i = 0; i < 50; i++) {
		self->inf.rack_psn++;
		self->res.acked_packets = 1;
		self->res.acked_bytes = MSS;
		self->res.lost_packets = 1;
		self->res.lost_psn = self->inf.rack_psn - 1;
		if (!i)
			self->res.lost_psn = self->inf.rack_psn;
		mrc_rate_update(&self->rate, &self->rtt, &self->inf,
				&self->res, true, self->now);
	}
	EXPECT_EQ(700 * MSS, self->rate.cwnd);
	EXPECT_EQ(50, self->rate.episode_lost);
	self->res.lost_psn = self->inf.next_psn + 1;
	self->inf.next_psn += 100;
	mrc_rate_update(&self->rate, &self->rtt, &self->inf, &self->res, true,
			self->now);
	EXPECT_EQ(490 * MSS, self->rate.cwnd);
}

TEST_F(path, mark_and_loss_of_one_queue_count_once)
{
	self->rate.cwnd = 1000 * MSS;
	self->inf.next_psn += 1000;
	self->res.rx_packets = 1;
	self->res.ce_packets = 1;
	self->res.lost_packets = 1;
	self->res.lost_psn = self->inf.next_psn - 1;
	mrc_rate_update(&self->rate, &self->rtt, &self->inf, &self->res, true,
			self->now);
	EXPECT_EQ(500 * MSS, self->rate.cwnd);
}

TEST_F(path, spurious_loss_is_taken_back)
{
	self->rate.cwnd = 1000 * MSS;
	self->rate.ssthresh = 900 * MSS;
	round_trip(self, 100, 50, 0, 7);
	ASSERT_EQ(700 * MSS, self->rate.cwnd);
	for (int i = 0; i < 7; i++) {
		ASSERT_EQ(700 * MSS, self->rate.cwnd);
		self->res.spurious_packets = 1;
		mrc_rate_update(&self->rate, &self->rtt, &self->inf,
				&self->res, false, self->now);
	}
	EXPECT_EQ(1000 * MSS, self->rate.cwnd);
	EXPECT_EQ(900 * MSS, self->rate.ssthresh);
	/* Once only. */
	self->rate.cwnd = 300 * MSS;
	mrc_rate_update(&self->rate, &self->rtt, &self->inf, &self->res, false,
			self->now);
	EXPECT_EQ(300 * MSS, self->rate.cwnd);
}

TEST_F(path, real_loss_is_not_taken_back)
{
	self->rate.cwnd = 1000 * MSS;
	round_trip(self, 100, 50, 0, 7);
	self->res.spurious_packets = 6;
	mrc_rate_update(&self->rate, &self->rtt, &self->inf, &self->res, false,
			self->now);
	EXPECT_EQ(700 * MSS, self->rate.cwnd);
}

TEST_F(path, timeout_starts_over)
{
	self->rate.cwnd = 1000 * MSS;
	mrc_rate_timeout(&self->rate, &self->rtt, &self->inf);
	EXPECT_EQ(2 * MSS, self->rate.cwnd);
	EXPECT_EQ(500 * MSS, self->rate.ssthresh);
	for (int i = 0; i < 12; i++)
		round_trip(self, self->rate.cwnd / MSS, self->rate.cwnd / MSS,
			   0, 0);
	EXPECT_LE(500 * MSS, self->rate.cwnd);
	EXPECT_GE(520 * MSS, self->rate.cwnd);
}

TEST_F(path, never_below_two_packets)
{
	for (int i = 0; i < 100; i++) {
		round_trip(self, 2, 1, 1, 1);
		ASSERT_LE(2 * MSS, self->rate.cwnd);
		mrc_rate_timeout(&self->rate, &self->rtt, &self->inf);
		ASSERT_EQ(2 * MSS, self->rate.cwnd);
		ASSERT_LE(2 * MSS, self->rate.ssthresh);
	}
	mrc_rate_set_mss(&self->rate, 9000);
	EXPECT_EQ(18000, self->rate.cwnd);
}

TEST_F(path, idle_window_does_not_grow)
{
	u64 before = self->rate.cwnd;

	for (int i = 0; i < 100; i++) {
		self->res.acked_packets = 1;
		self->res.acked_bytes = MSS;
		self->inf.next_psn++;
		self->inf.rack_psn++;
		self->now += MS;
		mrc_rtt_sample(&self->rtt, 1000, self->now);
		mrc_rate_update(&self->rate, &self->rtt, &self->inf,
				&self->res, false, self->now);
	}
	EXPECT_EQ(before, self->rate.cwnd);
}

/* Losses stay visible after the numbers have gone round without any. */
TEST_F(path, old_episode_does_not_hide_new_loss)
{
	round_trip(self, 10, 10, 0, 1);
	for (int i = 0; i < 30; i++)
		round_trip(self, 0x0ffffff0, 10, 0, 0);
	self->rate.cwnd = 1000 * MSS;
	round_trip(self, 10, 9, 0, 1);
	EXPECT_EQ(700 * MSS, self->rate.cwnd);
}

TEST_F(path, room_and_burst)
{
	static const u64 pacing[] = { 1, 1000, 1000000, 100000000, U64_MAX };

	self->inf.bytes = self->rate.cwnd;
	EXPECT_EQ(0, mrc_rate_room(&self->rate, &self->inf));
	self->inf.bytes--;
	EXPECT_EQ(MSS, mrc_rate_room(&self->rate, &self->inf));
	self->inf.bytes = self->rate.cwnd + 1;
	EXPECT_EQ(0, mrc_rate_room(&self->rate, &self->inf));
	self->rate.cwnd = MRC_CWND_MAX;
	EXPECT_EQ(U32_MAX, mrc_rate_room(&self->rate, &self->inf));

	for (u32 mss = MRC_MSS_MIN; mss <= MRC_MSS_MAX + 32; mss += 97) {
		mrc_rate_set_mss(&self->rate, mss);
		for (int i = 0; i < ARRAY_SIZE(pacing); i++) {
			u32 burst;

			self->rate.pacing_rate = pacing[i];
			burst = mrc_rate_burst(&self->rate);
			ASSERT_EQ(0, burst % mss);
			ASSERT_LE(2 * mss, burst);
			ASSERT_GE(MRC_SUPERFRAME_BYTES, burst);
			ASSERT_GE(MRC_CHUNK_PACKETS, burst / mss);
		}
	}
	mrc_rate_set_mss(&self->rate, MSS);
	self->rate.pacing_rate = 20000000;
	EXPECT_EQ(20000 / MSS * MSS, mrc_rate_burst(&self->rate));
}

TEST_F(path, delivery_rate_believes_busy_samples)
{
	self->res.rate = 1000000;
	self->res.app_limited = true;
	mrc_rate_update(&self->rate, &self->rtt, &self->inf, &self->res, false,
			self->now);
	EXPECT_EQ(1000000, self->rate.delivery_rate);
	self->res.rate = 1000;
	for (int i = 0; i < 50; i++)
		mrc_rate_update(&self->rate, &self->rtt, &self->inf,
				&self->res, false, self->now);
	EXPECT_EQ(1000000, self->rate.delivery_rate);
	self->res.app_limited = false;
	for (int i = 0; i < 100; i++)
		mrc_rate_update(&self->rate, &self->rtt, &self->inf,
				&self->res, false, self->now);
	EXPECT_GE(1100, self->rate.delivery_rate);
	self->res.rate = 5000000;
	for (int i = 0; i < 20; i++)
		mrc_rate_update(&self->rate, &self->rtt, &self->inf,
				&self->res, false, self->now);
	EXPECT_LE(4990000, self->rate.delivery_rate);
}

TEST_F(path, max_pacing_holds)
{
	self->rate.max_pacing = 5000;
	round_trip(self, 10, 10, 0, 0);
	EXPECT_EQ(5000, self->rate.pacing_rate);
	EXPECT_EQ(5000, mrc_rate_capacity(&self->rate, &self->rtt));
}

TEST_HARNESS_MAIN
