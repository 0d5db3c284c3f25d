// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the headers of ELF files of either size and of this machine's byte
 * order. Every offset is checked: the file may be anything. Called by
 * program.c.
 */
#include <linux/elf.h>
#include <string.h>
#include <unistd.h>
#include "program.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define OUR_ORDER	ELFDATA2LSB
#else
#define OUR_ORDER	ELFDATA2MSB
#endif

/* Owner and type of the note that the Go linker leaves in every program. */
#define GO_NOTE_NAME	"Go"
#define GO_NOTE_TYPE	4

/* Bytes of a note segment that are looked at. */
#define NOTE_BYTES	4096

static bool read_at(int fd, void *buf, size_t size, __u64 offset)
{
	return pread(fd, buf, size, offset) == (ssize_t)size;
}

/* One program header, widened to 64 bits. */
static bool read_segment(int fd, const struct elf_file *elf, __u64 offset,
			 struct elf64_phdr *ph)
{
	struct elf32_phdr small;

	if (elf->bits == 64)
		return read_at(fd, ph, sizeof(*ph), offset);
	if (!read_at(fd, &small, sizeof(small), offset))
		return false;
	ph->p_type = small.p_type;
	ph->p_offset = small.p_offset;
	ph->p_filesz = small.p_filesz;
	return true;
}

static void read_interp(struct elf_file *elf, int fd, const struct elf64_phdr *ph)
{
	size_t size = ph->p_filesz;

	if (!size || size >= sizeof(elf->interp))
		return;
	if (!read_at(fd, elf->interp, size, ph->p_offset))
		size = 0;
	elf->interp[size] = '\0';
}

static void read_notes(struct elf_file *elf, int fd, const struct elf64_phdr *ph)
{
	char buf[NOTE_BYTES];
	struct elf64_note note;
	size_t size, pos = 0, next;

	size = ph->p_filesz < sizeof(buf) ? ph->p_filesz : sizeof(buf);
	if (!read_at(fd, buf, size, ph->p_offset))
		return;
	while (size - pos >= sizeof(note)) {
		memcpy(&note, buf + pos, sizeof(note));
		pos += sizeof(note);
		if (note.n_type == GO_NOTE_TYPE && note.n_namesz >= 3 &&
		    size - pos >= 3 && !memcmp(buf + pos, GO_NOTE_NAME, 3))
			elf->golang = true;
		next = (((size_t)note.n_namesz + 3) & ~3UL) +
		       (((size_t)note.n_descsz + 3) & ~3UL);
		if (next > size - pos)
			break;
		pos += next;
	}
}

/**
 * elf_read() - read the header of an ELF file
 * @elf: to fill; @elf->bits is 0 when the file is something else
 * @fd: the file
 *
 * Return: 0; -1: it is an ELF file that this machine cannot read.
 */
int elf_read(struct elf_file *elf, int fd)
{
	unsigned int i, count, step;
	__u64 table;
	struct elf64_phdr ph;
	union {
		unsigned char ident[EI_NIDENT];
		struct elf32_hdr small;
		struct elf64_hdr large;
	} hdr;

	memset(elf, 0, sizeof(*elf));
	if (!read_at(fd, hdr.ident, EI_NIDENT, 0) ||
	    memcmp(hdr.ident, ELFMAG, SELFMAG))
		return 0;
	if (hdr.ident[EI_DATA] != OUR_ORDER)
		return -1;
	elf->bits = hdr.ident[EI_CLASS] == ELFCLASS64 ? 64 : 32;
	if (!read_at(fd, &hdr, elf->bits == 64 ? sizeof(hdr.large) :
		     sizeof(hdr.small), 0))
		return -1;
	/* e_type and e_machine stand in the same place in both. */
	elf->machine = hdr.large.e_machine;
	table = elf->bits == 64 ? hdr.large.e_phoff : hdr.small.e_phoff;
	count = elf->bits == 64 ? hdr.large.e_phnum : hdr.small.e_phnum;
	step = elf->bits == 64 ? sizeof(struct elf64_phdr) : sizeof(struct elf32_phdr);
	for (i = 0; i < count; i++) {
		if (!read_segment(fd, elf, table + (__u64)i * step, &ph))
			return -1;
		if (ph.p_type == PT_INTERP)
			read_interp(elf, fd, &ph);
		if (ph.p_type == PT_NOTE)
			read_notes(elf, fd, &ph);
	}
	return 0;
}
