/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User-space stand-in for <asm/byteorder.h>.
 */
#ifndef _UNIT_ASM_BYTEORDER_H
#define _UNIT_ASM_BYTEORDER_H

#include <endian.h>
#include <linux/types.h>
#include <linux/kernel.h>

#ifndef cpu_to_be16
#define cpu_to_be16(x) ((__force __be16)htobe16(x))
#define cpu_to_be32(x) ((__force __be32)htobe32(x))
#define cpu_to_be64(x) ((__force __be64)htobe64(x))
#define be16_to_cpu(x) be16toh((__force u16)(x))
#define be32_to_cpu(x) be32toh((__force u32)(x))
#define be64_to_cpu(x) be64toh((__force u64)(x))
#endif

#define le64_to_cpup(p) le64toh(*(const u64 *)(p))
#define le32_to_cpup(p) le32toh(*(const u32 *)(p))
#define le16_to_cpup(p) le16toh(*(const u16 *)(p))

#endif /* _UNIT_ASM_BYTEORDER_H */
