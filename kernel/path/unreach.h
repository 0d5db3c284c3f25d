/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ICMP messages that answer an INIT: the peer has no AF_MRC.
 */
#ifndef _MRC_UNREACH_H
#define _MRC_UNREACH_H

struct mrc_net;

int mrc_unreach_open(struct mrc_net *mn);
void mrc_unreach_close(struct mrc_net *mn);

#endif /* _MRC_UNREACH_H */
