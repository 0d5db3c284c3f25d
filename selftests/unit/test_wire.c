// SPDX-License-Identifier: GPL-2.0
/*
 * Encoding and decoding: what is built is parsed back, and nothing else is
 * accepted. Packets lie in heap blocks of their exact length, so that ASan
 * sees every byte read or written outside.
 */
#include "unit.h"
#include <stdlib.h>
#include <linux/limits.h>
#include "wire/build.h"
#include "wire/parse.h"
#include "wire_sane.h"

static const u32 exact[__MRC_WIRE_TYPES] = {
	[MRC_WIRE_INIT_ACK]	= 64,
	[MRC_WIRE_OPEN]		= 76,
	[MRC_WIRE_REFUSE]	= 28,
	[MRC_WIRE_JOIN]		= 48,
	[MRC_WIRE_CHALLENGE]	= 48,
	[MRC_WIRE_CONFIRM]	= 48,
	[MRC_WIRE_JOINED]	= 48,
	[MRC_WIRE_PING]		= 32,
	[MRC_WIRE_PONG]		= 32,
	[MRC_WIRE_RESET]	= 32,
	[MRC_WIRE_ADDR]		= 44,
	[MRC_WIRE_ADDR_ACK]	= 44,
	[MRC_WIRE_PATH]		= 28,
};

static const u32 least[__MRC_WIRE_TYPES] = {
	[MRC_WIRE_DATA]	= 32,
	[MRC_WIRE_ACK]	= 36,
	[MRC_WIRE_INIT]	= 80,
};

static enum mrc_parse_error header_of(u8 first, u32 len,
				      enum mrc_wire_type *type)
{
	u8 *pkt = calloc(1, len ? len : 1);
	enum mrc_parse_error err;

	pkt[0] = first;
	err = mrc_parse_header(pkt, len, type);
	free(pkt);
	return err;
}

TEST(length_decides)
{
	enum mrc_wire_type type;

	for (int t = 0; t < __MRC_WIRE_TYPES; t++) {
		u8 first = mrc_wire_type_byte(t);
		u32 size = exact[t] ? exact[t] : least[t];

		ASSERT_NE(0, size);
		for (u32 len = 0; len < size; len++)
			ASSERT_EQ(MRC_PARSE_SHORT,
				  header_of(first, len, &type));
		type = __MRC_WIRE_TYPES;
		ASSERT_EQ(MRC_PARSE_OK, header_of(first, size, &type));
		ASSERT_EQ(t, type);
		for (u32 len = size + 1; len < size + 40; len++)
			ASSERT_EQ(exact[t] ? MRC_PARSE_LENGTH : MRC_PARSE_OK,
				  header_of(first, len, &type));
	}
}

TEST(other_versions_and_types)
{
	enum mrc_wire_type type;

	for (int first = 0; first < 256; first++) {
		enum mrc_parse_error want = MRC_PARSE_OK;

		if (first >> 5 != MRC_WIRE_VERSION)
			want = MRC_PARSE_VERSION;
		else if ((first & 31) >= __MRC_WIRE_TYPES)
			want = MRC_PARSE_TYPE;
		else if (exact[first & 31])
			want = MRC_PARSE_LENGTH;
		ASSERT_EQ(want, header_of(first, 80, &type));
	}
}

/* Only the header of a data packet is in one piece with what is parsed. */
static enum mrc_parse_error data_back(const struct mrc_parse_data *in, u32 len,
				      struct mrc_parse_data *out)
{
	struct mrc_wire_data *hdr = malloc(sizeof(*hdr));
	enum mrc_parse_error err;

	mrc_build_data(hdr, in);
	err = mrc_parse_data(hdr, len, out);
	free(hdr);
	return err;
}

static struct mrc_parse_data some_data(struct unit_rand *rand)
{
	struct mrc_parse_data data = {
		.cid = unit_rand_u64(rand),
		.offset = unit_rand_u64(rand) >> unit_rand_below(rand, 60),
		.psn = unit_rand_u64(rand),
		.ts = unit_rand_u64(rand),
		.path_id = unit_rand_u64(rand),
		.flags = unit_rand_u64(rand) & ~MRC_WIRE_F_FIN,
		.len = 1 + unit_rand_below(rand, MRC_MSS_MAX),
	};

	if (data.offset > U64_MAX / 2)
		data.offset /= 2;
	data.floor = data.psn - unit_rand_below(rand, 0x7fffffff);
	return data;
}

TEST(data_comes_back)
{
	struct unit_rand rand = { 1 };

	for (int i = 0; i < 20000; i++) {
		struct mrc_parse_data in = some_data(&rand), out;

		if (unit_rand_in(&rand, 10)) {
			in.flags |= MRC_WIRE_F_FIN;
			in.len = 0;
		}
		ASSERT_EQ(MRC_PARSE_OK, data_back(&in, 32 + in.len, &out));
		ASSERT_EQ(in.cid, out.cid);
		ASSERT_EQ(in.offset, out.offset);
		ASSERT_EQ(in.psn, out.psn);
		ASSERT_EQ(in.floor, out.floor);
		ASSERT_EQ(in.ts, out.ts);
		ASSERT_EQ(in.path_id, out.path_id);
		ASSERT_EQ(in.flags, out.flags);
		ASSERT_EQ(in.len, out.len);
	}
}

TEST(data_that_makes_no_sense)
{
	struct unit_rand rand = { 2 };
	struct mrc_parse_data in = some_data(&rand), bad, out;

	EXPECT_EQ(MRC_PARSE_VALUE, data_back(&in, 32, &out));
	EXPECT_EQ(MRC_PARSE_OK, data_back(&in, 32 + MRC_MSS_MAX, &out));
	EXPECT_EQ(MRC_PARSE_LENGTH, data_back(&in, 33 + MRC_MSS_MAX, &out));
	EXPECT_EQ(MRC_PARSE_LENGTH, data_back(&in, 0xffffffff, &out));
	bad = in;
	bad.flags |= MRC_WIRE_F_FIN;
	EXPECT_EQ(MRC_PARSE_VALUE, data_back(&bad, 33, &out));
	EXPECT_EQ(MRC_PARSE_OK, data_back(&bad, 32, &out));
	bad = in;
	bad.floor = in.psn + 1;
	EXPECT_EQ(MRC_PARSE_VALUE, data_back(&bad, 100, &out));
	bad = in;
	bad.offset = U64_MAX - MRC_MSS_MAX;
	EXPECT_EQ(MRC_PARSE_VALUE, data_back(&bad, 100, &out));
	bad.offset--;
	EXPECT_EQ(MRC_PARSE_OK, data_back(&bad, 100, &out));
}

TEST(random_bytes)
{
	struct unit_rand rand = { 7 };

	for (int i = 0; i < 300000; i++) {
		u32 len = 1 + unit_rand_below(&rand, 200);
		u8 *pkt = malloc(len);

		for (u32 k = 0; k < len; k++)
			pkt[k] = unit_rand_u64(&rand) >> 56;
		if (unit_rand_in(&rand, 90))
			pkt[0] = mrc_wire_type_byte(unit_rand_below(&rand, 3));
		if (len > 35 && unit_rand_in(&rand, 90)) {
			pkt[32] = 0;
			pkt[33] &= 3;
		}
		if (len > 38)
			pkt[38] &= 31;
		ASSERT_TRUE(wire_sane(pkt, len));
		free(pkt);
	}
}

TEST_HARNESS_MAIN
