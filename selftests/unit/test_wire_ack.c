// SPDX-License-Identifier: GPL-2.0
/*
 * ACKs: what is built is parsed back, and nothing else is accepted. Packets
 * lie in heap blocks of their exact length, so that ASan sees every byte read
 * or written outside.
 */
#include "unit.h"
#include <stdlib.h>
#include <linux/limits.h>
#include <asm/byteorder.h>
#include "wire/build.h"
#include "wire/parse.h"
#include "wire_sane.h"

/* A set with @count ranges, the gaps and lengths random. */
static struct mrc_psn_set some_set(struct unit_rand *rand, u32 count)
{
	struct mrc_psn_set set;
	u32 psn = unit_rand_u64(rand);

	mrc_psn_init(&set, psn);
	for (u32 i = 0; i < count; i++) {
		u32 start = psn + 1 + unit_rand_below(rand, 1000);

		psn = start + 1 + unit_rand_below(rand, 100);
		mrc_psn_add(&set, start, psn);
	}
	return set;
}

static struct mrc_build_path some_path(struct unit_rand *rand,
				       const struct mrc_psn_set *set)
{
	return (struct mrc_build_path) {
		.path_id = unit_rand_u64(rand),
		.set = set,
		.ts_echo = unit_rand_u64(rand),
		.delay_us = unit_rand_u64(rand),
		.rx_packets = unit_rand_u64(rand),
		.rx_bytes = unit_rand_u64(rand),
		.ce_packets = unit_rand_u64(rand),
	};
}

static bool same_path(const struct mrc_build_path *in,
		      const struct mrc_ack_path *out)
{
	const struct mrc_psn_set *set = in->set;

	for (u32 i = 0; i < out->nranges; i++) {
		const struct mrc_psn_range *want =
			&set->range[set->count - 1 - i];

		if (out->range[i].start != want->start ||
		    out->range[i].end != want->end)
			return false;
	}
	return out->path_id == in->path_id && out->cum == mrc_psn_cum(set) &&
	       out->nranges <= set->count && out->ts_echo == in->ts_echo &&
	       out->delay_us == in->delay_us &&
	       out->rx_packets == in->rx_packets &&
	       out->rx_bytes == in->rx_bytes &&
	       out->ce_packets == in->ce_packets;
}

TEST(ack_comes_back)
{
	struct unit_rand rand = { 3 };

	for (int round = 0; round < 3000; round++) {
		u32 size = 36 + unit_rand_below(&rand, MRC_ACK_BYTES_MAX - 36);
		u32 want = unit_rand_below(&rand, MRC_ACK_PATHS + 1), put = 0;
		struct mrc_psn_set sets[MRC_ACK_PATHS];
		struct mrc_build_path in[MRC_ACK_PATHS];
		u8 *buf = malloc(size), *pkt;
		struct mrc_build_ack build;
		struct mrc_parse_ack ack;
		struct mrc_ack_path out;
		u32 len;

		mrc_build_ack_begin(&build, buf, size, 7, 8, 9,
				    unit_rand_u64(&rand), U64_MAX);
		while (put < want) {
			u32 ranges = unit_rand_below(&rand, MRC_PSN_RANGES + 1);

			sets[put] = some_set(&rand, ranges);
			in[put] = some_path(&rand, &sets[put]);
			if (!mrc_build_ack_path(&build, &in[put]))
				break;
			put++;
		}
		len = mrc_build_ack_end(&build);
		ASSERT_LE(len, size);
		ASSERT_TRUE(put == want || size - len < 28);
		pkt = malloc(len);
		memcpy(pkt, buf, len);
		free(buf);

		ASSERT_EQ(MRC_PARSE_OK, mrc_parse_ack(pkt, len, &ack));
		ASSERT_EQ(put, ack.npaths);
		ASSERT_EQ(U64_MAX, ack.window);
		for (u32 i = 0; i < put; i++) {
			ASSERT_TRUE(mrc_parse_ack_next(&ack, &out));
			ASSERT_TRUE(same_path(&in[i], &out));
		}
		ASSERT_FALSE(mrc_parse_ack_next(&ack, &out));
		ASSERT_EQ(0, ack.left);
		free(pkt);
	}
}

TEST(as_many_ranges_as_fit)
{
	struct unit_rand rand = { 4 };
	struct mrc_psn_set set = some_set(&rand, MRC_PSN_RANGES);
	struct mrc_build_path path = some_path(&rand, &set);

	for (u32 room = 0; room < 300; room++) {
		u8 *buf = malloc(36 + room);
		struct mrc_build_ack build;
		u32 fit = room < 28 ? 0 : (room - 28) / 8;
		bool put;

		if (fit > MRC_ACK_RANGES)
			fit = MRC_ACK_RANGES;
		mrc_build_ack_begin(&build, buf, 36 + room, 1, 0, 0, 0, 0);
		put = mrc_build_ack_path(&build, &path);
		ASSERT_EQ(room >= 28, put);
		ASSERT_EQ(36 + (put ? 28 + 8 * fit : 0),
			  mrc_build_ack_end(&build));
		free(buf);
	}
}

TEST(ack_takes_no_more_than_its_paths)
{
	struct unit_rand rand = { 5 };
	struct mrc_psn_set set = some_set(&rand, 0);
	struct mrc_build_path path = some_path(&rand, &set);
	struct mrc_build_ack build;
	static u8 buf[8192] __aligned(4);
	u32 put = 0;

	mrc_build_ack_begin(&build, buf, sizeof(buf), 1, 0, 0, 0, 0);
	while (mrc_build_ack_path(&build, &path))
		put++;
	EXPECT_EQ(MRC_ACK_PATHS, put);
}

/* A full ACK of three paths with three ranges each. */
static u8 *full_ack(u32 *len)
{
	static u8 buf[MRC_ACK_BYTES_MAX] __aligned(4);
	struct unit_rand rand = { 6 };
	struct mrc_build_ack build;
	u8 *pkt;

	mrc_build_ack_begin(&build, buf, sizeof(buf), 1, 0, 0, 0, 0);
	for (int i = 0; i < 3; i++) {
		struct mrc_psn_set set = some_set(&rand, 3);
		struct mrc_build_path path = some_path(&rand, &set);

		mrc_build_ack_path(&build, &path);
	}
	*len = mrc_build_ack_end(&build);
	pkt = malloc(*len);
	memcpy(pkt, buf, *len);
	return pkt;
}

TEST(truncated_ack)
{
	struct mrc_parse_ack ack;
	u32 len, cut;
	u8 *pkt = full_ack(&len), *part;

	ASSERT_EQ(36 + 3 * (28 + 24), len);
	for (cut = 0; cut < len; cut++) {
		part = malloc(cut ? cut : 1);
		memcpy(part, pkt, cut);
		ASSERT_NE(MRC_PARSE_OK, mrc_parse_ack(part, cut, &ack));
		free(part);
	}
	for (cut = 1; cut < 100; cut++) {
		part = calloc(1, len + cut);
		memcpy(part, pkt, len);
		ASSERT_EQ(MRC_PARSE_LENGTH,
			  mrc_parse_ack(part, len + cut, &ack));
		free(part);
	}
	free(pkt);
}

/* An ACK of one path with the ranges given relative to a cum near the wrap. */
static enum mrc_parse_error ranges_of(const u32 (*pairs)[2], u8 count)
{
	u32 len = 36 + 28 + count * 8, cum = 0xfffffff0;
	struct mrc_wire_ack *wire = calloc(1, len);
	struct mrc_wire_ack_path *path = (void *)(wire + 1);
	struct mrc_wire_range *range = (void *)(path + 1);
	enum mrc_parse_error err;
	struct mrc_parse_ack ack;

	mrc_build_hdr(&wire->hdr, MRC_WIRE_ACK, 0, 0, 0, 1);
	wire->npaths = cpu_to_be16(1);
	path->nranges = count;
	path->cum = cpu_to_be32(cum);
	for (int i = 0; i < count; i++) {
		range[i].start = cpu_to_be32(cum + pairs[i][0]);
		range[i].end = cpu_to_be32(cum + pairs[i][1]);
	}
	err = mrc_parse_ack(wire, len, &ack);
	free(wire);
	return err;
}

#define RANGES(...) ({							\
	static const u32 __pairs[][2] = { __VA_ARGS__ };		\
	ranges_of(__pairs, ARRAY_SIZE(__pairs)); })

TEST(ranges_that_make_no_sense)
{
	static const u32 many[MRC_ACK_RANGES + 1][2];

	EXPECT_EQ(MRC_PARSE_OK, RANGES({ 100, 200 }, { 50, 60 }, { 1, 2 }));
	EXPECT_EQ(MRC_PARSE_OK, RANGES({ 100, 200 }, { 50, 100 }));
	EXPECT_EQ(MRC_PARSE_OK, RANGES({ 1, 0x7fffffff }));
	EXPECT_EQ(MRC_PARSE_VALUE, RANGES({ 100, 100 }));
	EXPECT_EQ(MRC_PARSE_VALUE, RANGES({ 101, 100 }));
	EXPECT_EQ(MRC_PARSE_VALUE, RANGES({ -5, 100 }));
	EXPECT_EQ(MRC_PARSE_VALUE, RANGES({ -5, -2 }));
	EXPECT_EQ(MRC_PARSE_VALUE, RANGES({ 1, 0x80000001 }));
	EXPECT_EQ(MRC_PARSE_VALUE, RANGES({ 50, 60 }, { 100, 200 }));
	EXPECT_EQ(MRC_PARSE_VALUE, RANGES({ 100, 200 }, { 50, 101 }));
	EXPECT_EQ(MRC_PARSE_VALUE, RANGES({ 100, 200 }, { 100, 200 }));
	EXPECT_EQ(MRC_PARSE_VALUE, ranges_of(many, ARRAY_SIZE(many)));
}

TEST(too_many_paths)
{
	u32 npaths = MRC_ACK_PATHS + 1, len = 36 + 28 * npaths;
	struct mrc_wire_ack *wire = calloc(1, len);
	struct mrc_parse_ack ack;

	mrc_build_hdr(&wire->hdr, MRC_WIRE_ACK, 0, 0, 0, 1);
	wire->npaths = cpu_to_be16(npaths);
	EXPECT_EQ(MRC_PARSE_VALUE, mrc_parse_ack(wire, len, &ack));
	wire->npaths = cpu_to_be16(npaths - 1);
	EXPECT_EQ(MRC_PARSE_OK, mrc_parse_ack(wire, len - 28, &ack));
	free(wire);
}

TEST(changed_bytes)
{
	struct unit_rand rand = { 8 };
	u32 len, good = 0;
	u8 *pkt = full_ack(&len);

	for (int i = 0; i < 200000; i++) {
		u32 at = unit_rand_below(&rand, len);
		u8 old = pkt[at];
		struct mrc_parse_ack ack;

		pkt[at] = unit_rand_u64(&rand) >> 56;
		ASSERT_TRUE(wire_sane(pkt, len));
		good += !mrc_parse_ack(pkt, len, &ack);
		pkt[at] = old;
	}
	/* Counters and timestamps may be anything; structure may not. */
	EXPECT_GT(good, 20000);
	EXPECT_LT(good, 180000);
	free(pkt);
}

TEST_HARNESS_MAIN
