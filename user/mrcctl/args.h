/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words of the command line into values. Exact words only: nothing is
 * abbreviated, nothing is guessed.
 */
#ifndef MRCCTL_ARGS_H
#define MRCCTL_ARGS_H

#include <linux/types.h>
#include "cmd.h"

/**
 * struct args_address - an IP address
 * @bytes: network order
 * @len: 4 or 16
 */
struct args_address {
	unsigned char bytes[16];
	unsigned int len;
};

int args_address(const struct ctx *ctx, const char *word,
		 struct args_address *addr);
int args_u32(const struct ctx *ctx, const char *word, __u32 *value);
int args_conn_id(const struct ctx *ctx, const char *word, __u64 *id);
int args_conn_filter(const struct ctx *ctx, int argc, char **argv,
		     const char **word, __u64 *id);
int args_none(const struct ctx *ctx, int argc, char **argv);

#endif /* MRCCTL_ARGS_H */
