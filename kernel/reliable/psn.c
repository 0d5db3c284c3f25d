// SPDX-License-Identifier: GPL-2.0
/*
 * Which PSNs of one path have arrived, as disjoint ranges above a floor.
 *
 * Owns struct mrc_psn_set. The receive path adds every packet; the ACK builder
 * reads the ranges. Pure: the caller holds the lock of the path it belongs to
 * (socket lock). All comparisons are distances from the floor, which stay
 * below 2^31, so that numbers may wrap.
 */
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>
#include "reliable/psn.h"
#include "reliable/seq.h"

/* Distance from the floor that still counts as ahead of it. */
#define PSN_HORIZON	0x7fffffffU

/* Removes the ranges from index first on, n of them. */
static void remove_ranges(struct mrc_psn_set *set, u32 first, u32 n)
{
	memmove(&set->range[first], &set->range[first + n],
		(set->count - first - n) * sizeof(set->range[0]));
	set->count -= n;
}

/* A first range that touches the floor becomes part of it. */
static void settle(struct mrc_psn_set *set)
{
	if (set->count && set->range[0].start == set->floor) {
		set->floor = set->range[0].end;
		remove_ranges(set, 0, 1);
	}
}

/*
 * Puts a range at an index. A full array forgets its lowest range, which may
 * be the new one. The floor stays: what was in a hole has not arrived.
 */
static void insert_range(struct mrc_psn_set *set, u32 at, u32 start, u32 end)
{
	if (start == set->floor) {
		set->floor = end;
		return;
	}
	if (set->count == MRC_PSN_RANGES) {
		if (at == 0)
			return;
		remove_ranges(set, 0, 1);
		at--;
	}
	memmove(&set->range[at + 1], &set->range[at],
		(set->count - at) * sizeof(set->range[0]));
	set->range[at].start = start;
	set->range[at].end = end;
	set->count++;
}

/**
 * mrc_psn_init() - start with nothing received
 * @set: set
 * @first: PSN of the first packet that the peer will send
 */
void mrc_psn_init(struct mrc_psn_set *set, u32 first)
{
	set->floor = first;
	set->count = 0;
}

/**
 * mrc_psn_add() - packets have arrived
 * @set: set
 * @start: PSN of the first
 * @end: PSN after the last
 *
 * Takes time linear in the ranges kept, at most MRC_PSN_RANGES. A PSN that
 * was forgotten because the array was full counts as new once more.
 *
 * Return: packets that had not been noted before; 0 when all are below the
 * floor, known, or 2^31 ahead or more.
 */
u32 mrc_psn_add(struct mrc_psn_set *set, u32 start, u32 end)
{
	struct mrc_psn_range *range = set->range;
	u32 fresh, from, lo, hi, i, j;

	if (!mrc_seq_before(start, end))
		return 0;
	if (mrc_seq_before(start, set->floor))
		start = set->floor;
	if (!mrc_seq_before(start, end) || end - set->floor > PSN_HORIZON)
		return 0;

	lo = start - set->floor;
	hi = end - set->floor;
	/* From the top: what arrives mostly touches the highest range. */
	for (i = set->count; i > 0; i--)
		if (range[i - 1].end - set->floor < lo)
			break;
	fresh = hi - lo;
	for (j = i; j < set->count; j++) {
		from = range[j].start - set->floor;
		if (from > hi)
			break;
		from = max(from, lo);
		fresh -= min(range[j].end - set->floor, hi) - from;
	}
	if (i == j) {
		insert_range(set, i, start, end);
	} else {
		if (mrc_seq_before(start, range[i].start))
			range[i].start = start;
		range[i].end = mrc_seq_max(range[j - 1].end, end);
		remove_ranges(set, i + 1, j - i - 1);
	}
	settle(set);
	return fresh;
}

/**
 * mrc_psn_advance() - the sender no longer asks for PSNs below a floor
 * @set: set
 * @floor: lowest PSN of interest; an older one than known is ignored
 */
void mrc_psn_advance(struct mrc_psn_set *set, u32 floor)
{
	u32 n = 0;

	if (!mrc_seq_after(floor, set->floor))
		return;
	while (n < set->count && !mrc_seq_after(set->range[n].end, floor))
		n++;
	remove_ranges(set, 0, n);
	if (set->count && mrc_seq_before(set->range[0].start, floor))
		set->range[0].start = floor;
	set->floor = floor;
	settle(set);
}

/**
 * mrc_psn_cum() - what to report as settled
 * @set: set
 *
 * Return: the PSN below which every packet has arrived or is of no interest.
 */
u32 mrc_psn_cum(const struct mrc_psn_set *set)
{
	return set->floor;
}

/**
 * mrc_psn_next() - where the path stands
 * @set: set
 *
 * Return: PSN after the highest received one (or the floor, if higher).
 */
u32 mrc_psn_next(const struct mrc_psn_set *set)
{
	return set->count ? set->range[set->count - 1].end : set->floor;
}

/**
 * mrc_psn_has_gap() - is a packet missing before one that has arrived
 * @set: set
 *
 * Return: true when there is a range above the floor.
 */
bool mrc_psn_has_gap(const struct mrc_psn_set *set)
{
	return set->count > 0;
}
