/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Walking forward through the bytes of an skb without searching from its
 * beginning for each packet: a superframe has dozens.
 */
#ifndef _MRC_CURSOR_H
#define _MRC_CURSOR_H

#include <linux/skbuff.h>

/**
 * struct mrc_cursor - the contiguous area that was looked at last
 * @skb: the skb
 * @data: first byte of the area
 * @begin: position of @data in the skb
 * @end: position after the area
 */
struct mrc_cursor {
	const struct sk_buff *skb;
	const u8 *data;
	u32 begin;
	u32 end;
};

bool mrc_cursor_seek(struct mrc_cursor *cur, u32 pos);

/**
 * mrc_cursor_init() - begin at the start of an skb
 * @cur: cursor
 * @skb: skb; must not change while the cursor is in use
 */
static inline void mrc_cursor_init(struct mrc_cursor *cur,
				   const struct sk_buff *skb)
{
	cur->skb = skb;
	cur->data = skb->data;
	cur->begin = 0;
	cur->end = skb_headlen(skb);
}

/**
 * mrc_cursor_get() - bytes at a position
 * @cur: cursor
 * @pos: position in the skb
 * @len: bytes wanted
 * @buf: where to copy them when they are not contiguous
 *
 * Return: the bytes, or NULL when the skb does not have them.
 */
static inline const void *mrc_cursor_get(struct mrc_cursor *cur, u32 pos,
					 u32 len, void *buf)
{
	if (unlikely(pos < cur->begin || pos >= cur->end) &&
	    !mrc_cursor_seek(cur, pos))
		return skb_header_pointer(cur->skb, pos, len, buf);
	if (unlikely(cur->end - pos < len))
		return skb_header_pointer(cur->skb, pos, len, buf);
	return cur->data + (pos - cur->begin);
}

#endif /* _MRC_CURSOR_H */
