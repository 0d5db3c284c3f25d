/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Paths of a connection: creating, finding, freeing, and what they do.
 */
#ifndef _MRC_PATH_OBJECT_H
#define _MRC_PATH_OBJECT_H

#include "path/path.h"

struct mrc_net;
struct mrc_sock;
struct mrc_input;
struct mrc_wire_join;
struct mrc_wire_ping;
struct mrc_wire_addr;
struct mrc_wire_path;

/* path_object.c: socket lock held */
int mrc_path_init(void);
void mrc_path_exit(void);
struct mrc_path *mrc_path_create(struct mrc_sock *msk, u16 id,
				 const struct mrc_addr *local,
				 const struct mrc_addr *remote, gfp_t gfp);
struct mrc_path *mrc_path_find(struct mrc_sock *msk, u16 id);
struct mrc_path *mrc_path_find_addrs(struct mrc_sock *msk,
				     const struct mrc_addr *local,
				     const struct mrc_addr *remote);
void mrc_path_free(struct mrc_path *path);
void mrc_path_free_all(struct mrc_sock *msk);
u16 mrc_path_new_id(struct mrc_sock *msk);
__be16 mrc_path_new_port(void);
int mrc_path_count(const struct mrc_sock *msk, u8 state);
struct mrc_path *mrc_path_best(struct mrc_sock *msk, u16 preferred);
void mrc_path_update_mss(struct mrc_sock *msk);
void mrc_path_cap_rate(struct mrc_path *path);

/* path_state.c: the only writer of mrc_path.state; socket lock held */
void mrc_path_state_set(struct mrc_path *path, u8 state,
			enum mrc_path_reason reason);

/* path_join.c: socket lock held */
void mrc_path_join_start(struct mrc_path *path, u64 now);
void mrc_path_join_service(struct mrc_path *path, u64 now);
void mrc_path_join_again(struct mrc_path *path);
void mrc_path_join_rcv(struct mrc_sock *msk, const struct mrc_input *in,
		       const struct mrc_wire_join *msg);

/* path_nat.c: socket lock held, except for answers without state */
void mrc_path_nat_choose(struct mrc_path *path, u32 serial);
void mrc_path_nat_answered(struct mrc_path *path, u32 serial, bool seen);
void mrc_path_nat_reply(struct mrc_net *mn, const struct mrc_input *in,
			__be16 claimed, const void *msg, u32 len);
void mrc_path_nat_ports(const struct mrc_net *mn, const struct mrc_input *in,
			__be16 claimed, struct mrc_addr *local,
			struct mrc_addr *remote);
bool mrc_path_nat_is(const struct mrc_path *path);
bool mrc_path_nat_follow(struct mrc_path *path, const struct mrc_input *in,
			 u64 nonce);
void mrc_path_nat_lost(struct mrc_path *path);
u64 mrc_path_nat_due(const struct mrc_path *path);

/* path_probe.c: socket lock held */
void mrc_path_probe_service(struct mrc_path *path, u64 now);
void mrc_path_probe_alive(struct mrc_path *path, u64 now);
void mrc_path_probe_ping(struct mrc_path *path, u64 now);
void mrc_path_probe_rcv(struct mrc_path *path, const struct mrc_wire_ping *msg,
			u64 now);
void mrc_path_probe_now(struct mrc_path *path, u64 now);

/* path_manage.c: socket lock held */
void mrc_path_manage(struct mrc_sock *msk);
void mrc_path_remove(struct mrc_path *path, enum mrc_path_reason reason);

/* path_addr.c: socket lock held */
void mrc_path_addr_announce(struct mrc_sock *msk);
void mrc_path_addr_service(struct mrc_sock *msk, u64 now);
void mrc_path_addr_rcv(struct mrc_sock *msk, struct mrc_path *path,
		       const struct mrc_wire_addr *msg);

/* path_notify.c */
int mrc_path_notify_init(void);
void mrc_path_notify_exit(void);
void mrc_path_notify_endpoints(struct net *net);
void mrc_path_check_local(struct mrc_sock *msk);
void mrc_path_check_sent(struct mrc_path *path, int err);
void mrc_path_send_status(struct mrc_sock *msk, u16 path_id, u8 status,
			  u8 reason);
void mrc_path_status_rcv(struct mrc_sock *msk,
			 const struct mrc_wire_path *msg);

#endif /* _MRC_PATH_OBJECT_H */
