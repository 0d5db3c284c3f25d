/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Receiving data: what the rest of the room needs.
 */
#ifndef _MRC_RECEIVE_H
#define _MRC_RECEIVE_H

#include "conn/conn.h"

void mrc_receive_autotune(struct mrc_sock *msk);
void mrc_receive_purge(struct mrc_sock *msk);

#endif /* _MRC_RECEIVE_H */
