// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: the ACK applier on a live connection. The input is a list of
 * steps, one byte each and what the step needs: write, send, deliver, lose,
 * acknowledge, repeat, forge, wait. After each step everything must add up
 * (live_check.c); at the end the network works again and all must arrive.
 *
 * Packet numbers begin where the input says, so that they wrap.
 */
#include <linux/minmax.h>
#include "live.h"

/* Steps of one input: enough for every state, few enough to be quick. */
#define STEPS	96

/* Shortly before a wrap; the paths far apart, see free_record() in live.c. */
static u32 first_psn(u32 path, u8 where)
{
	static const u32 base[LIVE_PATHS] = { 0, 0x80000000, 0x40000000 };

	return base[path] - where;
}

/* A report that the receiver never made, near what it could have said. */
static void forge(struct fuzz_in *in)
{
	u32 pick = fuzz_u8(in);
	struct mrc_ack_path ack = {
		.path_id = pick % LIVE_PATHS,
		.nranges = pick / LIVE_PATHS % (MRC_ACK_RANGES + 2),
	};
	struct mrc_inflight *inf = &live.path[ack.path_id].inf;
	u32 at = inf->next_psn;

	ack.rx_packets = inf->rx_packets + fuzz_u8(in);
	ack.ce_packets = inf->ce_packets + fuzz_u8(in);
	ack.ts_echo = fuzz_u32(in);
	for (u32 i = 0; i < min_t(u32, ack.nranges, MRC_ACK_RANGES); i++) {
		ack.range[i].end = at - (s8)fuzz_u8(in);
		ack.range[i].start = ack.range[i].end - fuzz_u8(in);
		at = ack.range[i].start;
	}
	ack.cum = at - (s8)fuzz_u8(in);
	if (pick == 255)
		ack.cum = fuzz_u32(in);
	live_apply(&ack, true);
}

static void wait_some(u8 how)
{
	live.now += 1000ULL << how % 24;
	for (u32 i = 0; i < LIVE_PATHS; i++)
		if (live.path[i].timer && live.path[i].timer <= live.now)
			live_detect(i);
}

/* Steps in which the sender acts. */
static void step_sender(u8 op, struct fuzz_in *in)
{
	u32 path = op / 16 % LIVE_PATHS, arg = fuzz_u8(in);

	switch (op % 16) {
	case 0:
		live_write(1 + arg * 37, 1 + fuzz_u8(in) * 977, false);
		break;
	case 1:
		if (arg < 250)
			live_grow(1 + arg * 101);
		else
			live_write(0, 0, true);
		break;
	case 2:
		live_send(path, 1 + arg % MRC_CHUNK_PACKETS);
		break;
	case 3:
		live_push(1 + arg % 16);
		break;
	case 4:
		live_give_up(path);
		live.path[path].bad = arg & 1;
		break;
	case 5:
		mrc_inflight_heard(&live.path[path].inf,
				   live.now - min_t(u64, live.now,
						    1000ULL << arg % 32));
		live_detect(path);
		break;
	case 6:
		if (arg < 64)
			live_restart(path, first_psn(path, arg));
		else
			mrc_rate_set_mss(&live.path[path].rate, 500 + arg * 60);
		break;
	default:
		wait_some(arg);
	}
}

/* Steps of the network and of the receiver. */
static void step_network(u8 op, struct fuzz_in *in)
{
	u32 arg = fuzz_u8(in), i;

	switch (op % 16) {
	case 8:
		for (i = 0; i < op / 16 + 1; i++)
			live_deliver(arg, false, false);
		break;
	case 9:
		live_deliver(arg, op & 16, op & 32);
		break;
	case 10:
		for (i = 0; i < op / 16 + 1; i++)
			live_drop(arg);
		break;
	case 11:
		live_answer(op / 16);
		live_take(live.nacks - 1, arg & 1);
		break;
	case 12:
		live_answer(op / 16);
		break;
	case 13:
		live_take(arg, op & 16);
		break;
	case 14:
		live.rxq.window = max(live.rxq.window,
				      live.rxq.nxt + arg * 1024);
		break;
	default:
		forge(in);
	}
}

int fuzz_one(const unsigned char *data, size_t size)
{
	struct fuzz_in in = { data, size };
	u32 first[LIVE_PATHS], steps = 0, i;

	for (i = 0; i < LIVE_PATHS; i++)
		first[i] = first_psn(i, fuzz_u8(&in));
	live_begin(first, (u64)fuzz_u8(&in) << 32);
	while (in.left && steps++ < STEPS) {
		u8 op = fuzz_u8(&in);

		if (op % 16 < 8)
			step_sender(op, &in);
		else
			step_network(op, &in);
		live_check();
	}
	if (!live.lied)
		live_drain();
	live_end();
	return 0;
}
