/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How commands report failure: one sentence on stderr that names the offending
 * word, as text or (with -j) as a JSON object.
 */
#ifndef MRCCTL_FAIL_H
#define MRCCTL_FAIL_H

#include "cmd.h"

int fail(const struct ctx *ctx, int status, const char *word,
	 const char *fmt, ...) __printf(4, 5);
int fail_usage(const struct ctx *ctx, const char *word, const char *fmt, ...)
	__printf(3, 4);
void note(const char *fmt, ...) __printf(1, 2);

#endif /* MRCCTL_FAIL_H */
