/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User-space stand-in for <linux/minmax.h>; min() and max() come from
 * tools/include.
 */
#ifndef _UNIT_LINUX_MINMAX_H
#define _UNIT_LINUX_MINMAX_H

#include <linux/kernel.h>

#ifndef clamp_t
#define clamp_t(type, val, lo, hi) \
	min_t(type, max_t(type, val, lo), hi)
#endif

#ifndef clamp
#define clamp(val, lo, hi) \
	min((typeof(val))max(val, lo), hi)
#endif

#ifndef min3
#define min3(x, y, z) min((typeof(x))min(x, y), z)
#endif

#ifndef max3
#define max3(x, y, z) max((typeof(x))max(x, y), z)
#endif

#ifndef min_not_zero
#define min_not_zero(x, y) ({				\
	typeof(x) __mnz_x = (x);			\
	typeof(y) __mnz_y = (y);			\
	__mnz_x == 0 ? __mnz_y :			\
	__mnz_y == 0 ? __mnz_x : min(__mnz_x, __mnz_y); })
#endif

#endif /* _UNIT_LINUX_MINMAX_H */
