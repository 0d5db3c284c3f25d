/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Small runs that wait are copied together.
 */
#ifndef _MRC_RX_COLLECT_H
#define _MRC_RX_COLLECT_H

#include "conn/conn.h"

struct sk_buff *mrc_rx_collect(struct mrc_sock *msk, struct sk_buff *skb);
void mrc_rx_collect_waiting(struct mrc_sock *msk, struct sk_buff *skb);

#endif /* _MRC_RX_COLLECT_H */
