// SPDX-License-Identifier: GPL-2.0
/*
 * The harness runs each test in a child that ends with _exit(), which leaves
 * no counts behind. Linked into the programs of "make coverage" only, where
 * --wrap makes _exit() come here first.
 */
#include "gcov_exit.h"

void __wrap__exit(int status)
{
	__gcov_dump();
	__real__exit(status);
}
