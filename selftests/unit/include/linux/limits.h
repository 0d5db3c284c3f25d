/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User-space stand-in for <linux/limits.h>: the limits of u8..u64.
 */
#ifndef _UNIT_LINUX_LIMITS_H
#define _UNIT_LINUX_LIMITS_H

#include_next <linux/limits.h>
#include <stdint.h>

#define U8_MAX	UINT8_MAX
#define S8_MAX	INT8_MAX
#define U16_MAX	UINT16_MAX
#define S16_MAX	INT16_MAX
#define U32_MAX	UINT32_MAX
#define S32_MAX	INT32_MAX
#define U64_MAX	UINT64_MAX
#define S64_MAX	INT64_MAX

#endif /* _UNIT_LINUX_LIMITS_H */
