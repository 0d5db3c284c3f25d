/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User-space stand-in for <linux/bitops.h>: bits of 64-bit words.
 */
#ifndef _UNIT_LINUX_BITOPS_H
#define _UNIT_LINUX_BITOPS_H

#include <linux/types.h>
#include <linux/bits.h>

static inline unsigned long __ffs64(u64 word)
{
	return __builtin_ctzll(word);
}

static inline int fls64(u64 word)
{
	return word ? 64 - __builtin_clzll(word) : 0;
}

static inline int fls(unsigned int word)
{
	return word ? 32 - __builtin_clz(word) : 0;
}

static inline unsigned long hweight64(u64 word)
{
	return __builtin_popcountll(word);
}

static inline unsigned int hweight32(u32 word)
{
	return __builtin_popcount(word);
}

static inline u64 rol64(u64 word, unsigned int shift)
{
	return (word << (shift & 63)) | (word >> (-shift & 63));
}

static inline u32 rol32(u32 word, unsigned int shift)
{
	return (word << (shift & 31)) | (word >> (-shift & 31));
}

#endif /* _UNIT_LINUX_BITOPS_H */
