// SPDX-License-Identifier: GPL-2.0
/*
 * The cubic curve of RFC 9438 in integers.
 *
 * Owns struct mrc_cubic, guarded by the socket lock; rate controllers call
 * it. C is 0.4 packets per cubic second. Time counts only while the window
 * is in use: an idle application does not earn a window. Pure.
 */
#include <linux/math64.h>

#include "limits.h"
#include "rate/cubic.h"

/* Distance from the flat part beyond which the curve is not evaluated. */
#define CUBIC_REACH_MS	1000000ULL

/**
 * mrc_cubic_root() - integer cube root
 * @value: any
 *
 * Context: any.
 * Return: largest r with r * r * r <= @value.
 */
u64 mrc_cubic_root(u64 value)
{
	u64 root = 0;
	int shift;

	/* One bit of the root at a time, from (2^21)^3 = 2^63 downward. */
	for (shift = 63; shift >= 0; shift -= 3) {
		u64 step;

		root <<= 1;
		step = 3 * root * (root + 1) + 1;
		if (value >> shift >= step) {
			value -= step << shift;
			root++;
		}
	}
	return root;
}

/**
 * mrc_cubic_cut() - the window was cut: the curve starts anew
 * @cubic: state
 * @before: window before, bytes
 * @after: window after, bytes, at most @before
 * @mss: wire bytes of a full packet, not 0
 *
 * A flow that is cut below its former maximum gives up a little more, to make
 * room for a newcomer (RFC 9438 section 4.7).
 *
 * Context: any, socket lock held.
 */
void mrc_cubic_cut(struct mrc_cubic *cubic, u64 before, u64 after, u32 mss)
{
	u64 packets;

	cubic->w_max = before < cubic->w_max ? (before + after) / 2 : before;
	cubic->used_ns = 0;
	cubic->last_ns = 0;
	/* K^3 = packets / 0.4 in s^3; 1e9 ms^3 make one s^3. */
	packets = div_u64(cubic->w_max - after, mss);
	cubic->k_ms = mrc_cubic_root(packets * 2500000000ULL);
}

/**
 * mrc_cubic_target() - window that the curve wants one RTT from now
 * @cubic: state
 * @mss: wire bytes of a full packet
 * @srtt_ns: smoothed RTT, nanoseconds
 * @now: nanoseconds; the call counts the time since the last one as used,
 *	one RTT at most
 *
 * Context: any, socket lock held.
 * Return: bytes.
 */
u64 mrc_cubic_target(struct mrc_cubic *cubic, u32 mss, u64 srtt_ns, u64 now)
{
	u64 gap = cubic->last_ns ? now - cubic->last_ns : 0;
	u64 t_ms, distance, bytes;

	cubic->used_ns += gap < srtt_ns ? gap : srtt_ns;
	cubic->last_ns = now;

	t_ms = div_u64(cubic->used_ns + srtt_ns, MRC_NSEC_PER_MSEC);
	distance = t_ms > cubic->k_ms ? t_ms - cubic->k_ms :
					cubic->k_ms - t_ms;
	if (distance > CUBIC_REACH_MS)
		distance = CUBIC_REACH_MS;
	/* 0.4 packets * (ms / 1000)^3, in thousandths of a packet first. */
	bytes = div_u64(distance * distance * distance, 2500000) * mss;
	bytes = div_u64(bytes, 1000);

	if (t_ms > cubic->k_ms)
		return cubic->w_max + bytes;
	return cubic->w_max > bytes ? cubic->w_max - bytes : 0;
}
