// SPDX-License-Identifier: GPL-2.0
/*
 * Comparing the packets of a superframe with its first.
 *
 * A sender writes dozens of headers that differ only in packet number and
 * offset. Decoding each would cost the receiver more than everything else it
 * does for a packet but the copy. What does not compare equal is no error:
 * the caller decodes it. No state, no locks. Pure.
 */
#include <asm/byteorder.h>
#include <linux/limits.h>

#include "limits.h"
#include "reliable/seq.h"
#include "wire/run.h"

/**
 * mrc_run_same_conn() - count packets of one type for one connection
 * @first: header of a packet that was accepted, MRC_WIRE_HDR_LEN bytes
 * @next: header of the packet to begin with
 * @stride: bytes from one packet to the next
 * @count: packets at most; their headers can be addressed
 *
 * Context: any.
 * Return: packets from @next on with the version, type and connection id of
 * @first.
 */
u32 mrc_run_same_conn(const void *first, const void *next, u32 stride,
		      u32 count)
{
	const struct mrc_wire_hdr *model = first;
	const struct mrc_wire_hdr *hdr;
	u32 n;

	for (n = 0; n < count; n++) {
		hdr = next;
		if (hdr->cid != model->cid || hdr->type != model->type)
			break;
		next += stride;
	}
	return n;
}

/**
 * mrc_run_follow() - count packets that continue a run
 * @first: header of its first packet, accepted by mrc_parse_data(), which
 *	was @stride bytes long and no FIN
 * @index: how many packets after @first the next one is
 * @next: its header
 * @stride: bytes from one packet to the next
 * @count: packets at most, each of @stride bytes; headers can be addressed
 *
 * Context: any.
 * Return: packets from @next on that mrc_parse_data() would accept and whose
 * numbers and offsets go on where the packets before end, all else equal.
 */
u32 mrc_run_follow(const struct mrc_wire_data *first, u32 index,
		   const void *next, u32 stride, u32 count)
{
	u32 payload = stride - MRC_WIRE_DATA_LEN, n;
	u64 offset = be64_to_cpu(first->offset) + (u64)index * payload;
	u32 psn = be32_to_cpu(first->hdr.psn) + index;
	u32 floor = be32_to_cpu(first->floor);
	const struct mrc_wire_data *hdr;

	for (n = 0; n < count; n++) {
		hdr = next;
		if (hdr->offset != cpu_to_be64(offset) ||
		    hdr->hdr.psn != cpu_to_be32(psn) ||
		    hdr->hdr.cid != first->hdr.cid ||
		    hdr->hdr.type != first->hdr.type ||
		    hdr->hdr.flags != first->hdr.flags ||
		    hdr->hdr.path_id != first->hdr.path_id ||
		    hdr->floor != first->floor || hdr->ts != first->ts ||
		    offset >= U64_MAX - MRC_MSS_MAX ||
		    mrc_seq_after(floor, psn))
			break;
		offset += payload;
		psn++;
		next += stride;
	}
	return n;
}
