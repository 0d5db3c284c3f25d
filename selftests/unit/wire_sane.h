/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of the parser share.
 */
#ifndef _WIRE_SANE_H
#define _WIRE_SANE_H

#include <linux/limits.h>
#include "reliable/seq.h"
#include "wire/parse.h"

/**
 * wire_sane() - whatever is accepted must keep the promises of the parser
 * @pkt: packet
 * @len: its bytes
 *
 * Return: false when a promise was broken.
 */
static inline bool wire_sane(const u8 *pkt, u32 len)
{
	struct mrc_parse_data data;
	struct mrc_ack_path path;
	struct mrc_parse_ack ack;

	if (!mrc_parse_data(pkt, len, &data)) {
		if (data.len != len - 32 || data.len > MRC_MSS_MAX ||
		    data.offset + data.len < data.offset)
			return false;
		if (!data.len != !!(data.flags & MRC_WIRE_F_FIN))
			return false;
	}
	if (mrc_parse_ack(pkt, len, &ack))
		return true;
	while (mrc_parse_ack_next(&ack, &path)) {
		u32 top = path.cum + S32_MAX;

		for (int i = 0; i < path.nranges; i++) {
			if (!mrc_seq_before(path.range[i].start,
					    path.range[i].end) ||
			    mrc_seq_after(path.range[i].end, top) ||
			    mrc_seq_before(path.range[i].start, path.cum))
				return false;
			top = path.range[i].start;
		}
	}
	return !ack.npaths && !ack.left;
}

#endif /* _WIRE_SANE_H */
