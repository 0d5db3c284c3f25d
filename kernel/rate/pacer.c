// SPDX-License-Identifier: GPL-2.0
/*
 * The pacing clock of a path.
 *
 * Owns struct mrc_pacer, guarded by the socket lock; the output code asks
 * before and reports after each superframe. A path that sent less than its
 * rate allowed may catch up by one superframe's time, so that a timer that
 * fires late costs no throughput. Pure.
 */
#include "limits.h"
#include "rate/pacer.h"
#include "rate/span.h"

/**
 * mrc_pacer_wait_ns() - how long until the next superframe may leave
 * @pacer: pacing clock
 * @now: nanoseconds
 *
 * Context: any, socket lock held.
 * Return: nanoseconds; 0: now.
 */
u64 mrc_pacer_wait_ns(const struct mrc_pacer *pacer, u64 now)
{
	return pacer->next_ns > now ? pacer->next_ns - now : 0;
}

/**
 * mrc_pacer_queue_ns() - how long a burst that was allowed takes to leave
 * @pacer: pacing clock
 * @now: nanoseconds
 *
 * For the scheduler: catching up makes a queue that no RTT sample shows yet.
 *
 * Context: any, socket lock held.
 * Return: nanoseconds.
 */
u64 mrc_pacer_queue_ns(const struct mrc_pacer *pacer, u64 now)
{
	return pacer->drain_ns > now ? pacer->drain_ns - now : 0;
}

/**
 * mrc_pacer_sent() - account for a superframe that leaves
 * @pacer: pacing clock
 * @bytes: wire bytes
 * @rate: bytes per second; U64_MAX: no pacing
 * @now: nanoseconds
 *
 * Context: any, socket lock held.
 */
void mrc_pacer_sent(struct mrc_pacer *pacer, u32 bytes, u64 rate, u64 now)
{
	u64 start = now > MRC_SUPERFRAME_NS ? now - MRC_SUPERFRAME_NS : 0;
	u64 takes;

	if (rate == U64_MAX) {
		pacer->next_ns = now;
		return;
	}
	takes = mrc_span_ns(bytes, rate);
	if (pacer->next_ns > start)
		start = pacer->next_ns;
	pacer->next_ns = mrc_span_add(start, takes);
	if (pacer->drain_ns < now)
		pacer->drain_ns = now;
	pacer->drain_ns = mrc_span_add(pacer->drain_ns, takes);
}
