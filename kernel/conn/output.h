/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sending: data, ACKs and what follows an event.
 */
#ifndef _MRC_OUTPUT_H
#define _MRC_OUTPUT_H

#include "conn/conn.h"
#include "path/path_object.h"

/* output.c: socket lock held */
void mrc_output_finish(struct mrc_sock *msk);

/* superframe.c: socket lock held */
int mrc_superframe_init(void);
void mrc_superframe_exit(void);
void mrc_superframe_record_free(struct mrc_record *rec);
u32 mrc_superframe_send(struct mrc_sock *msk, struct mrc_path *path,
			struct mrc_chunk *chunk, u32 count, bool ack_now,
			u64 now);
u32 mrc_superframe_resend(struct mrc_sock *msk, struct mrc_path *path,
			  u32 count, u64 now);

/* ack.c: socket lock held */
void mrc_ack_send(struct mrc_sock *msk, u64 now);
void mrc_ack_send_on(struct mrc_sock *msk, struct mrc_path *path, u64 now);
void mrc_ack_data(struct mrc_sock *msk, u32 bytes, u64 now);
void mrc_ack_detect(struct mrc_path *path, u64 now);
u64 mrc_ack_window(struct mrc_sock *msk);

#endif /* _MRC_OUTPUT_H */
