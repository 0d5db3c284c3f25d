// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: the packet parser. The input is one UDP payload.
 *
 * Whatever is accepted must keep the parser's promises, and must come back
 * from the builder: byte by byte for DATA, in meaning for ACKs (ranges that
 * touch become one). Signed messages verify, and no longer after a change.
 */
#include <asm/byteorder.h>
#include "fuzz.h"
#include "wire/build.h"
#include "wire/key.h"
#include "wire/parse.h"
#include "wire_sane.h"

static void back_data(const u8 *pkt, u32 len)
{
	struct mrc_parse_data data;
	struct mrc_wire_data *hdr;

	if (mrc_parse_data(pkt, len, &data))
		return;
	hdr = malloc(sizeof(*hdr));
	mrc_build_data(hdr, &data);
	fuzz_assert(!memcmp(hdr, pkt, sizeof(*hdr)));
	free(hdr);
}

/* What the builder should make of a record: touching ranges become one. */
static void merge(struct mrc_ack_path *path)
{
	struct mrc_psn_range *range = path->range;
	u32 i, n = 0;

	for (i = 0; i < path->nranges; i++) {
		if (n && range[i].end == range[n - 1].start)
			range[n - 1].start = range[i].start;
		else
			range[n++] = range[i];
	}
	if (n && range[n - 1].start == path->cum)
		path->cum = range[--n].end;
	path->nranges = n;
}

static void rebuild(struct mrc_build_ack *build,
		    const struct mrc_ack_path *path)
{
	struct mrc_psn_set set;
	struct mrc_build_path rec = {
		.path_id = path->path_id,
		.set = &set,
		.ts_echo = path->ts_echo,
		.delay_us = path->delay_us,
		.rx_packets = path->rx_packets,
		.rx_bytes = path->rx_bytes,
		.ce_packets = path->ce_packets,
	};
	u32 i, fresh;

	mrc_psn_init(&set, path->cum);
	for (i = path->nranges; i > 0; i--) {
		const struct mrc_psn_range *range = &path->range[i - 1];

		fresh = mrc_psn_add(&set, range->start, range->end);
		fuzz_assert(fresh == range->end - range->start);
	}
	fuzz_assert(mrc_build_ack_path(build, &rec));
}

static void same(struct mrc_ack_path *want, const struct mrc_ack_path *got)
{
	merge(want);
	fuzz_assert(got->path_id == want->path_id && got->cum == want->cum &&
		    got->ts_echo == want->ts_echo &&
		    got->delay_us == want->delay_us &&
		    got->rx_packets == want->rx_packets &&
		    got->rx_bytes == want->rx_bytes &&
		    got->ce_packets == want->ce_packets &&
		    got->nranges == want->nranges);
	fuzz_assert(!memcmp(got->range, want->range,
			    want->nranges * sizeof(want->range[0])));
}

static void back_ack(const u8 *pkt, u32 len)
{
	const struct mrc_wire_hdr *hdr = (const void *)pkt;
	struct mrc_parse_ack ack, again, first;
	struct mrc_build_ack build;
	struct mrc_ack_path path, got;
	u8 *buf;

	if (mrc_parse_ack(pkt, len, &ack))
		return;
	first = ack;
	buf = malloc(len);
	mrc_build_ack_begin(&build, buf, len, be64_to_cpu(hdr->cid),
			    be16_to_cpu(hdr->path_id), be32_to_cpu(hdr->psn),
			    ack.data_ack, ack.window);
	while (mrc_parse_ack_next(&ack, &path))
		rebuild(&build, &path);
	len = mrc_build_ack_end(&build);
	fuzz_assert(!mrc_parse_ack(buf, len, &again));
	fuzz_assert(again.npaths == first.npaths &&
		    again.data_ack == first.data_ack &&
		    again.window == first.window);
	while (mrc_parse_ack_next(&again, &got)) {
		fuzz_assert(mrc_parse_ack_next(&first, &path));
		same(&path, &got);
	}
	free(buf);
}

/* Messages that end in a MAC: the signature holds, until a bit changes. */
static void back_signed(u8 *pkt, u32 len, enum mrc_wire_type type)
{
	siphash_key_t key;
	u32 bit;

	if (type < MRC_WIRE_OPEN || type == MRC_WIRE_REFUSE ||
	    type == MRC_WIRE_RESET)
		return;
	mrc_key_derive(&key, len, type, pkt[1], pkt[len - 1]);
	bit = (pkt[len - 1] << 8 | pkt[len - 2]) % (len * 8);
	mrc_key_sign(&key, pkt, len);
	fuzz_assert(mrc_key_verify(&key, pkt, len));
	pkt[bit / 8] ^= 1 << bit % 8;
	fuzz_assert(!mrc_key_verify(&key, pkt, len));
}

static void back_header(const u8 *pkt, enum mrc_wire_type type)
{
	const struct mrc_wire_hdr *hdr = (const void *)pkt;
	struct mrc_wire_hdr again;

	mrc_build_hdr(&again, type, hdr->flags, be16_to_cpu(hdr->path_id),
		      be32_to_cpu(hdr->psn), be64_to_cpu(hdr->cid));
	fuzz_assert(!memcmp(&again, hdr, sizeof(again)));
}

/* A block of the exact length, so that every byte read outside shows. */
int fuzz_one(const unsigned char *data, size_t size)
{
	u8 *pkt = malloc(size ? size : 1);
	enum mrc_wire_type type;

	if (size)
		memcpy(pkt, data, size);
	if (mrc_parse_header(pkt, size, &type)) {
		struct mrc_parse_data none;
		struct mrc_parse_ack ack;

		fuzz_assert(mrc_parse_data(pkt, size, &none));
		fuzz_assert(mrc_parse_ack(pkt, size, &ack));
		free(pkt);
		return 0;
	}
	fuzz_assert(type < __MRC_WIRE_TYPES);
	fuzz_assert(wire_sane(pkt, size));
	back_header(pkt, type);
	back_data(pkt, size);
	back_ack(pkt, size);
	back_signed(pkt, size, type);
	free(pkt);
	return 0;
}
