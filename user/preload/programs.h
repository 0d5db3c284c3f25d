/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The list of programs that use AF_MRC where the library is preloaded into
 * every program.
 */
#ifndef MRC_PRELOAD_PROGRAMS_H
#define MRC_PRELOAD_PROGRAMS_H

#include <stdbool.h>

/**
 * struct program_words - what the list says of this program
 * @strict: AF_MRC or nothing
 * @ipv4: no IPv6
 * @class: enum mrc_class
 */
struct program_words {
	bool strict;
	bool ipv4;
	int class;
};

bool programs_find(struct program_words *words);

#endif /* MRC_PRELOAD_PROGRAMS_H */
