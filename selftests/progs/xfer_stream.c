// SPDX-License-Identifier: GPL-2.0
/*
 * The byte stream that mrc_xfer moves: pseudo-random bytes with a period that
 * is a prime number just under 1 MiB. Every byte received is compared with the
 * byte that belongs at its position; data that was lost, repeated or swapped
 * matches only when it moved by a whole multiple of the prime, which no packet
 * or page size divides. Only mrc_xfer.c and xfer_loop.c call this.
 */
#include <stdlib.h>
#include <string.h>

#include "xfer.h"

#define STREAM_PERIOD 1048573u

static __u64 next_random(__u64 *state)
{
	__u64 z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

/**
 * xfer_stream_init() - build the stream that belongs to a seed
 * @s: stream to set up
 * @seed: any number; both ends use the same
 * @chunk: longest piece that xfer_stream_at() will be asked for, bytes
 *
 * The generator is SplitMix64 (Steele, Lea, Flood 2014).
 *
 * Return: 0, or -1 without memory.
 */
int xfer_stream_init(struct xfer_stream *s, __u64 seed, size_t chunk)
{
	size_t i;

	s->chunk = chunk;
	s->bytes = malloc(STREAM_PERIOD + chunk);
	if (!s->bytes)
		return -1;
	for (i = 0; i < STREAM_PERIOD; i++)
		s->bytes[i] = next_random(&seed);
	for (; i < STREAM_PERIOD + chunk; i++)
		s->bytes[i] = s->bytes[i - STREAM_PERIOD];
	return 0;
}

/**
 * xfer_stream_at() - the bytes that belong at an offset
 * @s: stream
 * @offset: position in the stream, bytes
 *
 * Return: at least @s->chunk bytes.
 */
const unsigned char *xfer_stream_at(const struct xfer_stream *s,
				    __u64 offset)
{
	return s->bytes + offset % STREAM_PERIOD;
}

/**
 * xfer_stream_compare() - check received bytes against the stream
 * @s: stream
 * @offset: position of @data in the stream, bytes
 * @data: what was received
 * @len: length of @data, at most @s->chunk
 *
 * Return: -1 when all are right, else the offset of the first wrong byte.
 */
__s64 xfer_stream_compare(const struct xfer_stream *s, __u64 offset,
			  const unsigned char *data, size_t len)
{
	const unsigned char *want = xfer_stream_at(s, offset);
	size_t i;

	if (!memcmp(want, data, len))
		return -1;
	for (i = 0; want[i] == data[i]; i++)
		;
	return offset + i;
}
