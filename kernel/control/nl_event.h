/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Notices to ``mrcctl monitor`` and other listeners.
 *
 * Callable under the socket lock and in softirq; they allocate with
 * GFP_ATOMIC and never wait. When a notice cannot be sent the listener's
 * socket is told (ENOBUFS).
 */
#ifndef _MRC_NL_EVENT_H
#define _MRC_NL_EVENT_H

#include "conn/conn.h"

void mrc_nl_event_conn(const struct mrc_sock *msk, int old, int new,
		       enum mrc_conn_reason reason);
void mrc_nl_event_path(const struct mrc_path *path, int old, int new,
		       enum mrc_path_reason reason);

#endif /* _MRC_NL_EVENT_H */
