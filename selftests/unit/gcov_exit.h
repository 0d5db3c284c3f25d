/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names that the compiler and the linker give meaning, see gcov_exit.c.
 */
#ifndef _UNIT_GCOV_EXIT_H
#define _UNIT_GCOV_EXIT_H

#include <linux/compiler.h>

void __gcov_dump(void);
void __noreturn __real__exit(int status);
void __noreturn __wrap__exit(int status);

#endif /* _UNIT_GCOV_EXIT_H */
