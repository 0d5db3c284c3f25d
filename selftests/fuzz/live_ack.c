// SPDX-License-Identifier: GPL-2.0
/*
 * A live connection, see live.h: ACKs and timers reach the sender; in the end
 * the network is repaired, and everything must arrive.
 */
#include <linux/limits.h>
#include <linux/minmax.h>
#include "live.h"
#include "wire/parse.h"

/* Rounds of repair in which everything has to arrive: see live_drain(). */
#define DRAIN_ROUNDS	12

static void rate_update(struct live_path *p, const struct mrc_ack_result *res)
{
	mrc_rate_update(&p->rate, &p->rtt, &p->inf, res, true, live.now);
}

/**
 * live_detect() - look for losses
 * @path: path
 */
void live_detect(u32 path)
{
	struct live_path *p = &live.path[path];
	struct mrc_ack_result res = { 0 };

	p->timer = mrc_inflight_detect(&p->inf, &live.txq, &p->rtt, live.now,
				       &res);
	fuzz_assert(!p->timer || p->timer > live.now);
	if (res.lost_packets)
		rate_update(p, &res);
}

/**
 * live_apply() - one path record of an ACK reaches the sender
 * @ack: record
 * @forged: the receiver never said so
 */
void live_apply(const struct mrc_ack_path *ack, bool forged)
{
	struct live_path *p = &live.path[ack->path_id % LIVE_PATHS];
	struct mrc_inflight before = p->inf;
	struct mrc_ack_result res;
	u32 us;

	if (mrc_inflight_ack(&p->inf, &live.txq, ack, live.now, &res)) {
		fuzz_assert(forged);
		fuzz_assert(!memcmp(&before, &p->inf, sizeof(before)));
		return;
	}
	live.lied |= forged;
	fuzz_assert(p->inf.delivered == before.delivered + res.acked_bytes);
	fuzz_assert(before.bytes - p->inf.bytes <= res.acked_bytes);
	fuzz_assert(!res.acked_bytes == !res.acked_packets);
	fuzz_assert(res.spurious_packets <= res.acked_packets);
	fuzz_assert(res.ce_packets <= res.rx_packets);
	p->told += res.acked_packets;
	if (res.newest_acked) {
		us = live.now / MRC_NSEC_PER_USEC - ack->ts_echo;
		if (us >= ack->delay_us)
			mrc_rtt_sample(&p->rtt, us - ack->delay_us, live.now);
	}
	p->timer = mrc_inflight_detect(&p->inf, &live.txq, &p->rtt, live.now,
				       &res);
	rate_update(p, &res);
	mrc_inflight_forget(&p->inf, &live.txq, live.now -
			    min(live.now, 4 * mrc_rtt_silence_ns(&p->rtt)));
}

/**
 * live_take() - an ACK reaches the sender
 * @index: which one in the network, modulo their number
 * @keep: it will arrive once more
 */
void live_take(u32 index, bool keep)
{
	struct mrc_parse_ack ack;
	struct mrc_ack_path rec;
	struct live_ack *at;

	if (!live.nacks)
		return;
	at = &live.ack[index % live.nacks];
	fuzz_assert(!mrc_parse_ack(at->pkt, at->len, &ack));
	fuzz_assert(mrc_txq_ack_valid(&live.txq, ack.data_ack));
	while (mrc_parse_ack_next(&ack, &rec))
		live_apply(&rec, false);
	mrc_txq_ack(&live.txq, ack.data_ack);
	if (!keep)
		*at = live.ack[--live.nacks];
}

/**
 * live_give_up() - a path is assumed bad
 * @path: path
 */
void live_give_up(u32 path)
{
	struct live_path *p = &live.path[path];
	struct mrc_ack_result res = { 0 };
	u64 bytes = p->inf.bytes;

	mrc_inflight_lose_all(&p->inf, &live.txq, &res);
	fuzz_assert(!p->inf.bytes && res.lost_bytes == bytes);
	mrc_rate_timeout(&p->rate, &p->rtt, &p->inf);
	p->timer = 0;
}

/* What has left a path that is going away arrives nowhere. */
static void empty_path(u32 path)
{
	for (u32 i = live.npackets; i > 0; i--)
		if (live.packet[i - 1].path == path)
			live_drop(i - 1);
	live.nacks = 0;
}

/**
 * live_restart() - a path goes away and another one takes its place
 * @path: path
 * @first_psn: number of its first packet
 */
void live_restart(u32 path, u32 first_psn)
{
	struct live_path *p = &live.path[path];

	live_give_up(path);
	mrc_inflight_purge(&p->inf, &live.txq);
	empty_path(path);
	live_path_begin(p, first_psn);
}

/* Sends all that waits and delivers it. Return: something left. */
static bool drain_once(void)
{
	bool left = false;

	for (u32 i = 0; live_send(i % LIVE_PATHS, MRC_CHUNK_PACKETS); i++) {
		left = true;
		while (live.npackets)
			live_deliver(0, false, false);
	}
	live.now += MRC_NSEC_PER_MSEC;
	live.nacks = 0;
	live_answer(~0U);
	live_take(0, false);
	return left;
}

/**
 * live_drain() - the network is repaired: everything arrives, nothing is stuck
 *
 * What left before is lost. A round sends all that waits; when nothing does,
 * silence has to bring the rest back.
 */
void live_drain(void)
{
	u32 rounds = 0, i;
	u64 bytes = 1;

	live.npackets = 0;
	live.rxq.window = U64_MAX / 2;
	for (i = 0; i < LIVE_PATHS; i++)
		if (live.path[i].inf.next_psn - live.path[i].first_psn >
		    LIVE_PSNS / 2)
			return;
	while (live.txq.una != live.txq.end || bytes) {
		fuzz_assert(++rounds < DRAIN_ROUNDS);
		if (!drain_once())
			for (i = 0; i < LIVE_PATHS; i++)
				live_give_up(i);
		live_check();
		for (bytes = 0, i = 0; i < LIVE_PATHS; i++)
			bytes += live.path[i].inf.bytes;
	}
	fuzz_assert(live.rxq.nxt == live.txq.end && !live.rxq.bytes);
	fuzz_assert(!live.txq.lost_packets && !live.txq.unsent);
}

/**
 * live_end() - take everything down; nothing may be left
 */
void live_end(void)
{
	struct rb_node *node;

	for (u32 i = 0; i < LIVE_PATHS; i++)
		mrc_inflight_purge(&live.path[i].inf, &live.txq);
	mrc_txq_purge(&live.txq);
	fuzz_assert(!live.chunks);
	while ((node = rb_first(&live.rxq.root))) {
		rb_erase(node, &live.rxq.root);
		free(rb_entry(node, struct mrc_rx_entry, node));
	}
}
