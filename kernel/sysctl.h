/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defaults of a namespace under net.mrc.
 */
#ifndef _MRC_SYSCTL_H
#define _MRC_SYSCTL_H

struct mrc_net;

int mrc_sysctl_register(struct mrc_net *mn);
void mrc_sysctl_unregister(struct mrc_net *mn);

#endif /* _MRC_SYSCTL_H */
