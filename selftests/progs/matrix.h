/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Differences between AF_MRC and TCP that mrc_sock_matrix allows.
 */
#ifndef MRC_SELFTESTS_MATRIX_H
#define MRC_SELFTESTS_MATRIX_H

#include <stdbool.h>

/* Steps in which an option may differ. */
#define KNOWN_GET	0x1	/* before anything was set */
#define KNOWN_SET	0x2	/* result of setting */
#define KNOWN_BACK	0x4	/* reading after setting */
#define KNOWN_CHILD	0x8	/* reading at a child of the listener */
#define KNOWN_ALL	(KNOWN_GET | KNOWN_SET | KNOWN_BACK | KNOWN_CHILD)

/* Sockets that are compared with TCP. */
#define STREAM4		0x1
#define STREAM6		0x2
#define MESSAGE4	0x4
#define MESSAGE6	0x8
#define ANY4		(STREAM4 | MESSAGE4)
#define ANY6		(STREAM6 | MESSAGE6)
#define STREAM		(STREAM4 | STREAM6)
#define MESSAGE		(MESSAGE4 | MESSAGE6)
#define ANY		(ANY4 | ANY6)

struct option {
	int level;
	int name;
};

void matrix_choose(unsigned int which);
bool matrix_known(const struct option *opt, unsigned int what, int tcp_err,
		  int mrc_err);
unsigned int matrix_unused(void);

#endif /* MRC_SELFTESTS_MATRIX_H */
