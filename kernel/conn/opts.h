/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The options of a socket that the core does not keep: struct mrc_conn_opts.
 *
 * Part of struct mrc_sock, guarded by the socket lock; a child begins with
 * those of its listener. Set and read by socket/tcp_opt.c and sockopt.c.
 */
#ifndef _MRC_CONN_OPTS_H
#define _MRC_CONN_OPTS_H

#include <linux/types.h>

/**
 * struct mrc_conn_opts - socket options kept as given
 * @nodelay: TCP_NODELAY
 * @cork: TCP_CORK
 * @quickack: TCP_QUICKACK
 * @inq: TCP_INQ
 * @maxseg: TCP_MAXSEG, bytes; 0: not set
 * @user_timeout_ms: TCP_USER_TIMEOUT; 0: the default
 * @keepidle_s: TCP_KEEPIDLE
 * @keepintvl_s: TCP_KEEPINTVL
 * @keepcnt: TCP_KEEPCNT
 * @defer_accept_s: TCP_DEFER_ACCEPT
 * @linger2_s: TCP_LINGER2
 * @syncnt: TCP_SYNCNT
 * @fastopen: TCP_FASTOPEN queue length, stored only
 * @notsent_lowat: TCP_NOTSENT_LOWAT, bytes
 * @unordered: MRC_UNORDERED
 * @class: MRC_CLASS, enum mrc_class
 */
struct mrc_conn_opts {
	bool nodelay;
	bool cork;
	bool quickack;
	bool inq;
	u32 maxseg;
	u32 user_timeout_ms;
	u32 keepidle_s;
	u32 keepintvl_s;
	u32 keepcnt;
	u32 defer_accept_s;
	u32 linger2_s;
	u32 syncnt;
	u32 fastopen;
	u32 notsent_lowat;
	bool unordered;
	u8 class;
};

#endif /* _MRC_CONN_OPTS_H */
