/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What every unit test includes: harness and generator.
 */
#ifndef _UNIT_H
#define _UNIT_H

#include <linux/kernel.h>
#include "kselftest_harness.h"
#include "rand.h"

/* Where many others run, seconds pass quickly; only a hang takes this long. */
#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT 300

#endif /* _UNIT_H */
