/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User-space stand-in for <asm/unaligned.h>.
 */
#ifndef _UNIT_ASM_UNALIGNED_H
#define _UNIT_ASM_UNALIGNED_H

#include <string.h>
#include <asm/byteorder.h>

#define UNIT_UNALIGNED(bits, order, from, to)				\
static inline u##bits get_unaligned_##order##bits(const void *p)	\
{									\
	u##bits v;							\
									\
	memcpy(&v, p, sizeof(v));					\
	return from(v);							\
}									\
									\
static inline void put_unaligned_##order##bits(u##bits v, void *p)	\
{									\
	v = to(v);							\
	memcpy(p, &v, sizeof(v));					\
}

UNIT_UNALIGNED(16, be, be16toh, htobe16)
UNIT_UNALIGNED(32, be, be32toh, htobe32)
UNIT_UNALIGNED(64, be, be64toh, htobe64)
UNIT_UNALIGNED(16, le, le16toh, htole16)
UNIT_UNALIGNED(32, le, le32toh, htole32)
UNIT_UNALIGNED(64, le, le64toh, htole64)

#endif /* _UNIT_ASM_UNALIGNED_H */
