// SPDX-License-Identifier: GPL-2.0
/*
 * Walking forward through the bytes of an skb. No lock: the skb is the
 * caller's.
 */
#include <linux/mm.h>
#include "conn/cursor.h"

/**
 * mrc_cursor_seek_area() - move the cursor to the area with a position
 * @cur: cursor
 * @pos: position in the skb
 *
 * Return: false when the position lies in no area that can be addressed
 * directly (beyond the end, a fragment list, high memory).
 */
bool mrc_cursor_seek_area(struct mrc_cursor *cur, u32 pos)
{
	const struct skb_shared_info *shinfo = skb_shinfo(cur->skb);
	u32 begin = skb_headlen(cur->skb);
	int i;

	if (pos < begin) {
		cur->data = cur->skb->data;
		cur->begin = 0;
		cur->end = begin;
		return true;
	}
	for (i = 0; i < shinfo->nr_frags; i++) {
		const skb_frag_t *frag = &shinfo->frags[i];
		u32 size = skb_frag_size(frag);

		if (pos < begin + size) {
			if (PageHighMem(skb_frag_page(frag)))
				return false;
			cur->data = skb_frag_address(frag);
			cur->begin = begin;
			cur->end = begin + size;
			return true;
		}
		begin += size;
	}
	return false;
}
