/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What "mrcctl run" must know of a program before it starts it: where it is
 * and whether a preloaded library will be heard.
 */
#ifndef MRCCTL_PROGRAM_H
#define MRCCTL_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

/**
 * struct program - a file that is to be run
 * @path: where it was found
 * @reason: why it cannot be used; a sentence that follows its name
 */
struct program {
	char path[PATH_MAX];
	char reason[PATH_MAX + 128];
};

/**
 * struct elf_file - what the header of an ELF file says
 * @machine: e_machine
 * @bits: 32 or 64; 0: not an ELF file
 * @golang: made by the Go tools
 * @interp: dynamic linker; "": none, linked statically
 */
struct elf_file {
	unsigned int machine;
	unsigned int bits;
	bool golang;
	char interp[PATH_MAX];
};

int program_find(struct program *prog, const char *name);
int program_check(struct program *prog);
int elf_read(struct elf_file *elf, int fd);

#endif /* MRCCTL_PROGRAM_H */
