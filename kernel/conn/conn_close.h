/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ends of a connection, as other files of the room need them.
 */
#ifndef _MRC_CONN_CLOSE_H
#define _MRC_CONN_CLOSE_H

#include "conn/conn.h"

void mrc_conn_check_fin(struct mrc_sock *msk, u64 now);
void mrc_conn_time_wait(struct mrc_sock *msk, u64 now);
void mrc_conn_rcv_fin(struct mrc_sock *msk, u64 now);
void mrc_conn_reset_deferred(struct mrc_sock *msk);

#endif /* _MRC_CONN_CLOSE_H */
