/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sequence numbers that wrap (RFC 1982 arithmetic on 32 bits). Pure.
 */
#ifndef _MRC_SEQ_H
#define _MRC_SEQ_H

#include <linux/types.h>

/**
 * mrc_seq_before() - is @a older than @b
 * @a: sequence number
 * @b: sequence number, less than 2^31 away
 *
 * Return: true when @a precedes @b.
 */
static inline bool mrc_seq_before(u32 a, u32 b)
{
	return (s32)(a - b) < 0;
}

/**
 * mrc_seq_after() - is @a newer than @b
 * @a: sequence number
 * @b: sequence number, less than 2^31 away
 *
 * Return: true when @a follows @b.
 */
static inline bool mrc_seq_after(u32 a, u32 b)
{
	return mrc_seq_before(b, a);
}

/**
 * mrc_seq_max() - the newer of two
 * @a: sequence number
 * @b: sequence number, less than 2^31 away
 *
 * Return: @a or @b.
 */
static inline u32 mrc_seq_max(u32 a, u32 b)
{
	return mrc_seq_before(a, b) ? b : a;
}

#endif /* _MRC_SEQ_H */
