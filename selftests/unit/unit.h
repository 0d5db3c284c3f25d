/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What every unit test includes: harness and generator.
 */
#ifndef _UNIT_H
#define _UNIT_H

#include <linux/kernel.h>
#include "kselftest_harness.h"
#include "rand.h"

#endif /* _UNIT_H */
