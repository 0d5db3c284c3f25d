/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is due on a connection.
 */
#ifndef _MRC_CONN_SERVICE_H
#define _MRC_CONN_SERVICE_H

#include "conn/conn.h"

/**
 * mrc_conn_earlier() - the earlier of two deadlines
 * @a: deadline; 0: none
 * @b: deadline; 0: none
 *
 * Return: the earlier; 0: neither is set.
 */
static inline u64 mrc_conn_earlier(u64 a, u64 b)
{
	if (!a || !b)
		return a ?: b;
	return min(a, b);
}

u64 mrc_conn_service_next(const struct mrc_sock *msk);
void mrc_conn_service_silence(struct mrc_sock *msk, u64 now);

#endif /* _MRC_CONN_SERVICE_H */
