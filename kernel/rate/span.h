/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bytes, rates and times, converted without overflow.
 *
 * Rates go from a few bytes per second to 50 GB/s and windows to 64 GB, so
 * that the obvious products leave 64 bits. The functions are exact while the
 * product fits, lose the lowest bits where it does not, and saturate. Pure.
 */
#ifndef _MRC_SPAN_H
#define _MRC_SPAN_H

#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/types.h>
#include "limits.h"

/**
 * mrc_span_ns() - how long do bytes take
 * @bytes: bytes
 * @rate: bytes per second; U64_MAX: no time at all
 *
 * With nanoseconds as @rate the result is the rate in bytes per second.
 *
 * Return: nanoseconds; U64_MAX when longer than that or @rate is 0.
 */
static inline u64 mrc_span_ns(u64 bytes, u64 rate)
{
	while (bytes > U64_MAX / MRC_NSEC_PER_SEC) {
		bytes >>= 1;
		rate >>= 1;
	}
	if (!rate)
		return U64_MAX;
	return div64_u64(bytes * MRC_NSEC_PER_SEC, rate);
}

/**
 * mrc_span_bytes() - how much leaves in a time
 * @rate: bytes per second; U64_MAX: without limit
 * @ns: nanoseconds
 *
 * Return: bytes; U64_MAX when more than that.
 */
static inline u64 mrc_span_bytes(u64 rate, u64 ns)
{
	unsigned int shift = 0;
	u64 limit, bytes;

	if (!ns || rate == U64_MAX)
		return ns ? U64_MAX : 0;
	limit = div64_u64(U64_MAX, ns);
	while (rate > limit) {
		rate >>= 1;
		shift++;
	}
	bytes = div_u64(rate * ns, MRC_NSEC_PER_SEC);
	if (bytes > U64_MAX >> shift)
		return U64_MAX;
	return bytes << shift;
}

/**
 * mrc_span_add() - sum that saturates
 * @a: addend
 * @b: addend
 *
 * Return: @a + @b, or U64_MAX.
 */
static inline u64 mrc_span_add(u64 a, u64 b)
{
	return a > U64_MAX - b ? U64_MAX : a + b;
}

#endif /* _MRC_SPAN_H */
