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
 * @checked: @data of the area that the reader has had checked; NULL: none
 */
struct mrc_cursor {
	const struct sk_buff *skb;
	const u8 *data;
	u32 begin;
	u32 end;
	const u8 *checked;
};

bool mrc_cursor_seek_area(struct mrc_cursor *cur, u32 pos);

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
	cur->checked = NULL;
}

/**
 * mrc_cursor_seek() - move to the area with a position, unless it is there
 * @cur: cursor
 * @pos: position in the skb
 *
 * Return: as mrc_cursor_seek_area().
 */
static inline bool mrc_cursor_seek(struct mrc_cursor *cur, u32 pos)
{
	return likely(pos >= cur->begin && pos < cur->end) ||
	       mrc_cursor_seek_area(cur, pos);
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
	if (!mrc_cursor_seek(cur, pos))
		return skb_header_pointer(cur->skb, pos, len, buf);
	if (unlikely(cur->end - pos < len))
		return skb_header_pointer(cur->skb, pos, len, buf);
	return cur->data + (pos - cur->begin);
}

/**
 * mrc_cursor_span() - how many headers can be addressed at equal steps
 * @cur: cursor
 * @pos: position of the first
 * @len: bytes of a header
 * @stride: bytes from one header to the next
 * @first: set to the first header
 *
 * Return: headers in the area that holds @pos; 0: not even the first.
 */
static inline u32 mrc_cursor_span(struct mrc_cursor *cur, u32 pos, u32 len,
				  u32 stride, const void **first)
{
	if (!mrc_cursor_seek(cur, pos) || cur->end - pos < len)
		return 0;
	*first = cur->data + (pos - cur->begin);
	return (cur->end - pos - len) / stride + 1;
}

#endif /* _MRC_CURSOR_H */
