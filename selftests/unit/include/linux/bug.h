/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User-space stand-in for <linux/bug.h>: a warning ends the test program.
 */
#ifndef _UNIT_LINUX_BUG_H
#define _UNIT_LINUX_BUG_H

#include <stdio.h>
#include <stdlib.h>
#include <linux/build_bug.h>

#define WARN_ON_ONCE(condition) ({					\
	int __warn = !!(condition);					\
									\
	if (__warn) {							\
		fprintf(stderr, "%s:%d: warning: %s\n",			\
			__FILE__, __LINE__, #condition);		\
		abort();						\
	}								\
	__warn; })
#define WARN_ON(condition) WARN_ON_ONCE(condition)

#endif /* _UNIT_LINUX_BUG_H */
