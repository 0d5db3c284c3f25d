/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's own <linux/siphash.h>, found by the Makefile.
 */
#ifndef _UNIT_LINUX_SIPHASH_H
#define _UNIT_LINUX_SIPHASH_H

#include <linux/align.h>
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <asm/byteorder.h>
#include <linux/kconfig.h>
#include MRC_SIPHASH_H

#endif /* _UNIT_LINUX_SIPHASH_H */
