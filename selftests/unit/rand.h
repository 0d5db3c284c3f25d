/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Seeded generator of pseudo-random numbers.
 */
#ifndef _UNIT_RAND_H
#define _UNIT_RAND_H

#include <linux/types.h>

/**
 * struct unit_rand - generator (xorshift64*), the same numbers on each run
 * @state: never 0
 */
struct unit_rand {
	u64 state;
};

/**
 * unit_rand_u64() - next number
 * @rand: generator
 *
 * Return: 64 random bits.
 */
static inline u64 unit_rand_u64(struct unit_rand *rand)
{
	rand->state ^= rand->state >> 12;
	rand->state ^= rand->state << 25;
	rand->state ^= rand->state >> 27;
	return rand->state * 0x2545f4914f6cdd1dULL;
}

/**
 * unit_rand_below() - number below a bound
 * @rand: generator
 * @bound: at least 1
 *
 * Return: 0..@bound - 1.
 */
static inline u32 unit_rand_below(struct unit_rand *rand, u32 bound)
{
	return (unit_rand_u64(rand) >> 32) % bound;
}

/**
 * unit_rand_in() - did an event of a given probability happen
 * @rand: generator
 * @percent: 0..100
 *
 * Return: true in @percent of the calls.
 */
static inline bool unit_rand_in(struct unit_rand *rand, u32 percent)
{
	return unit_rand_below(rand, 100) < percent;
}

#endif /* _UNIT_RAND_H */
