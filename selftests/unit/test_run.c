// SPDX-License-Identifier: GPL-2.0
/*
 * Comparing the packets of a superframe with its first: whatever is counted
 * must be what decoding each packet would have said, in superframes with
 * random damage, and at the ends of the number spaces. The superframe lies in
 * a heap block of its exact length, so that ASan sees every byte read outside.
 */
#include "unit.h"
#include <stdlib.h>
#include <string.h>
#include <asm/byteorder.h>
#include <linux/limits.h>
#include "limits.h"
#include "wire/build.h"
#include "wire/parse.h"
#include "wire/run.h"

#define PACKETS	44

struct frame {
	u8 *bytes;
	u32 stride;
	u32 count;
};

static void make_frame(struct frame *frame, u32 payload, u64 offset, u32 psn)
{
	struct mrc_parse_data data = {
		.cid = 0x1122334455667788ULL,
		.floor = psn - 7,
		.ts = 99,
		.path_id = 3,
	};

	frame->stride = MRC_WIRE_DATA_LEN + payload;
	frame->count = PACKETS;
	frame->bytes = calloc(PACKETS, frame->stride);
	for (u32 i = 0; i < PACKETS; i++) {
		data.psn = psn + i;
		data.offset = offset + (u64)i * payload;
		mrc_build_data((void *)(frame->bytes + i * frame->stride),
			       &data);
	}
}

static struct mrc_wire_data *packet(const struct frame *frame, u32 index)
{
	return (void *)(frame->bytes + index * frame->stride);
}

/* What the receiver would find by decoding each packet after @first. */
static u32 model_follow(const struct frame *frame, u32 first)
{
	u32 payload = frame->stride - MRC_WIRE_DATA_LEN, n;
	struct mrc_parse_data one, next;

	if (mrc_parse_data(packet(frame, first), frame->stride, &one))
		return 0;
	for (n = 1; first + n < frame->count; n++) {
		if (mrc_parse_data(packet(frame, first + n), frame->stride,
				   &next))
			break;
		if (next.cid != one.cid || next.path_id != one.path_id ||
		    next.flags != one.flags || next.floor != one.floor ||
		    next.ts != one.ts || next.psn != one.psn + n ||
		    next.offset != one.offset + (u64)n * payload)
			break;
	}
	return n - 1;
}

static u32 follow(const struct frame *frame, u32 first)
{
	return mrc_run_follow(packet(frame, first), 1, packet(frame, first + 1),
			      frame->stride, frame->count - first - 1);
}

static u32 same_conn(const struct frame *frame, u32 first)
{
	return mrc_run_same_conn(packet(frame, first), packet(frame, first + 1),
				 frame->stride, frame->count - first - 1);
}

TEST(whole_superframe)
{
	struct frame frame;

	make_frame(&frame, 1440, 1000, 5000);
	ASSERT_EQ(PACKETS - 1, follow(&frame, 0));
	ASSERT_EQ(PACKETS - 1, same_conn(&frame, 0));
	ASSERT_EQ(PACKETS - 11, follow(&frame, 10));
	/* From the middle on, measured from the first. */
	ASSERT_EQ(PACKETS - 20, mrc_run_follow(packet(&frame, 0), 20,
					       packet(&frame, 20), frame.stride,
					       PACKETS - 20));
	ASSERT_EQ(0, mrc_run_follow(packet(&frame, 0), 19, packet(&frame, 20),
				    frame.stride, PACKETS - 20));
	ASSERT_EQ(0, mrc_run_follow(packet(&frame, 0), 1, packet(&frame, 1),
				    frame.stride, 0));
	free(frame.bytes);
}

TEST(wraps_and_ends)
{
	struct frame frame;

	/* Packet numbers wrap in the middle. */
	make_frame(&frame, 100, 1ULL << 40, U32_MAX - 10);
	ASSERT_EQ(PACKETS - 1, follow(&frame, 0));
	ASSERT_EQ(PACKETS - 1, model_follow(&frame, 0));
	free(frame.bytes);

	/* The space of offsets ends in the middle. */
	make_frame(&frame, 100, U64_MAX - MRC_MSS_MAX - 2001, 1);
	ASSERT_EQ(model_follow(&frame, 0), follow(&frame, 0));
	ASSERT_LT(follow(&frame, 0), PACKETS - 1);
	free(frame.bytes);
}

/* The floor falls out of the near half of the number space in the middle. */
TEST(floor_far_behind)
{
	struct frame frame;

	make_frame(&frame, 100, 1000, 5000);
	for (u32 i = 0; i < PACKETS; i++)
		packet(&frame, i)->floor =
			cpu_to_be32(5000 - (0x7fffffff - 20));
	ASSERT_EQ(20, model_follow(&frame, 0));
	EXPECT_EQ(20, follow(&frame, 0));
	free(frame.bytes);
}

TEST(every_byte_counts)
{
	struct frame frame;

	make_frame(&frame, 50, 123456789, 77);
	for (u32 byte = 0; byte < MRC_WIRE_DATA_LEN; byte++) {
		u8 *at = frame.bytes + 20 * frame.stride + byte;

		*at ^= 0x40;
		ASSERT_EQ(19, follow(&frame, 0));
		/* Type and connection id tell the connection. */
		ASSERT_EQ(!byte || (byte >= 8 && byte < 16) ? 19 : PACKETS - 1,
			  same_conn(&frame, 0));
		*at ^= 0x40;
	}
	ASSERT_EQ(PACKETS - 1, follow(&frame, 0));
	free(frame.bytes);
}

TEST(random_damage)
{
	struct unit_rand rand = { 4711 };

	for (int round = 0; round < 20000; round++) {
		u32 first = unit_rand_below(&rand, PACKETS - 1);
		struct frame frame;

		make_frame(&frame, 1 + unit_rand_below(&rand, 200),
			   unit_rand_u64(&rand) >> 1, unit_rand_u64(&rand));
		for (u32 hits = unit_rand_below(&rand, 4); hits; hits--) {
			u32 index = unit_rand_below(&rand, PACKETS);
			u32 byte = unit_rand_below(&rand, MRC_WIRE_DATA_LEN);

			frame.bytes[index * frame.stride + byte] ^=
				1 << unit_rand_below(&rand, 8);
		}
		/* The first packet is one that was accepted, and no FIN. */
		struct mrc_parse_data data;

		if (!mrc_parse_data(packet(&frame, first), frame.stride,
				    &data))
			ASSERT_EQ(model_follow(&frame, first),
				  follow(&frame, first));
		free(frame.bytes);
	}
}

TEST_HARNESS_MAIN
