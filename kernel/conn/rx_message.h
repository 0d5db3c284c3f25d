/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages (SOCK_SEQPACKET) in the receive and reorder queues.
 */
#ifndef _MRC_RX_MESSAGE_H
#define _MRC_RX_MESSAGE_H

#include "conn/conn.h"

bool mrc_rx_message_next(struct mrc_sock *msk,
			 const struct mrc_rx_entry *entry);
void mrc_rx_message_early(struct mrc_sock *msk, struct mrc_rx_entry *entry);

#endif /* _MRC_RX_MESSAGE_H */
