/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Control packets of an existing connection.
 */
#ifndef _MRC_CONTROL_H
#define _MRC_CONTROL_H

#include "conn/conn.h"
#include "conn/input.h"
#include "wire/format.h"

void mrc_control_rcv(struct mrc_sock *msk, struct sk_buff *skb,
		     const struct mrc_input *in);
void mrc_control_confirm(struct mrc_sock *msk);
int mrc_control_send(struct mrc_path *path, void *msg, u32 len);
int mrc_control_sign_send(struct mrc_path *path, void *msg, u32 len);

#endif /* _MRC_CONTROL_H */
