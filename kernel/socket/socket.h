/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the socket room offers to the rest of the module.
 */
#ifndef _MRC_SOCKET_H
#define _MRC_SOCKET_H

#include "conn/conn.h"

extern struct proto mrc_prot;

/* family.c: registers the family; memory of sockets and chunks */
int mrc_family_init(void);
void mrc_family_exit(void);

/* port.c */
int mrc_port_get(struct sock *sk, unsigned short port);
void mrc_port_inherit(struct mrc_sock *child, struct mrc_sock *listener);
void mrc_port_put(struct mrc_sock *msk);
struct mrc_sock *mrc_port_find_listener(struct mrc_net *mn,
					const struct mrc_addr *called,
					int ifindex);

/* listen.c: lock of the listener held */
struct mrc_sock *mrc_listen_child(struct mrc_sock *listener);
void mrc_listen_drop(struct mrc_sock *child);
bool mrc_listen_full(const struct mrc_sock *listener);
void mrc_listen_queue(struct mrc_sock *listener, struct mrc_sock *child);

/* chunk.c: socket lock held */
void mrc_chunk_ops(struct mrc_txq *txq);
struct mrc_chunk *mrc_chunk_alloc(struct mrc_sock *msk, gfp_t gfp);
void *mrc_chunk_packet(const struct mrc_chunk *chunk, u32 index,
		       struct page **page, u32 *offset);

/* send.c: socket lock held */
void mrc_send_space(struct mrc_sock *msk);

/* info.c: socket lock held */
void mrc_info_fill(struct mrc_sock *msk, struct mrc_info *info);
void mrc_info_fallback_fill(struct sock *tcp, u8 reason, struct mrc_info *info);

#endif /* _MRC_SOCKET_H */
