/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What all fuzz targets share: reading an input piece by piece, and stopping
 * at a broken promise. An input that has ended reads as zeros.
 */
#ifndef _FUZZ_H
#define _FUZZ_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/**
 * struct fuzz_in - input that is left
 * @at: next byte
 * @left: bytes from there
 */
struct fuzz_in {
	const unsigned char *at;
	size_t left;
};

/**
 * fuzz_take() - read some bytes
 * @in: input
 * @to: where they go
 * @bytes: how many
 */
static inline void fuzz_take(struct fuzz_in *in, void *to, size_t bytes)
{
	size_t have = bytes < in->left ? bytes : in->left;

	memset(to, 0, bytes);
	if (!have)
		return;
	memcpy(to, in->at, have);
	in->at += have;
	in->left -= have;
}

/**
 * fuzz_u8() - read a byte
 * @in: input
 *
 * Return: the byte.
 */
static inline unsigned char fuzz_u8(struct fuzz_in *in)
{
	unsigned char value;

	fuzz_take(in, &value, sizeof(value));
	return value;
}

/**
 * fuzz_u32() - read 4 bytes
 * @in: input
 *
 * Return: the number, in the order of the machine.
 */
static inline unsigned int fuzz_u32(struct fuzz_in *in)
{
	unsigned int value;

	fuzz_take(in, &value, sizeof(value));
	return value;
}

/* Stops with a finding when a promise was broken. */
#define fuzz_assert(promise) do {					\
	if (!(promise)) {						\
		fprintf(stderr, "%s:%d: broken promise: %s\n",		\
			__FILE__, __LINE__, #promise);			\
		abort();						\
	}								\
} while (0)

/* libFuzzer's names for these are in the Makefile. */
int fuzz_one(const unsigned char *data, size_t size);
int fuzz_begin(int *argc, char ***argv);

#endif /* _FUZZ_H */
