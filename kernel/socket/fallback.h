/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Falling back to TCP: the TCP socket that stands behind an AF_MRC socket.
 *
 * Every socket made by socket() owns one, for the port numbers that both
 * families share, for listening beside AF_MRC, and to take over when connect()
 * finds no AF_MRC at the peer: sock->sk is then the TCP socket itself. See
 * fallback.c for who holds what.
 */
#ifndef _MRC_FALLBACK_H
#define _MRC_FALLBACK_H

#include <linux/list.h>
#include <linux/net.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct mrc_addr;
struct mrc_net;
struct mrc_sock;
struct sock;

/**
 * struct mrc_fallback_opts - options of level SOL_SOCKET that TCP has to have
 * @rcvtimeo: SO_RCVTIMEO, jiffies
 * @sndtimeo: SO_SNDTIMEO, jiffies
 * @lingertime: of SO_LINGER, jiffies
 * @max_pacing: SO_MAX_PACING_RATE, bytes per second
 * @flags: one bit for each sock flag that is carried over
 * @priority: SO_PRIORITY
 * @mark: SO_MARK
 * @tsflags: SO_TIMESTAMPING
 * @bound_dev_if: SO_BINDTODEVICE
 * @incoming_cpu: SO_INCOMING_CPU
 * @rcvlowat: SO_RCVLOWAT
 * @sndbuf: SO_SNDBUF; 0: left to autotuning
 * @rcvbuf: SO_RCVBUF, likewise
 * @busy_poll: SO_BUSY_POLL, microseconds
 * @reuse: SO_REUSEADDR
 * @reuseport: SO_REUSEPORT
 */
struct mrc_fallback_opts {
	long rcvtimeo;
	long sndtimeo;
	unsigned long lingertime;
	unsigned long max_pacing;
	u32 flags;
	u32 priority;
	u32 mark;
	u32 tsflags;
	int bound_dev_if;
	int incoming_cpu;
	int rcvlowat;
	int sndbuf;
	int rcvbuf;
	u32 busy_poll;
	u8 reuse;
	u8 reuseport;
};

/**
 * struct mrc_fallback - what TCP is to a socket
 * @msk: the AF_MRC socket that this is part of; NULL: a TCP client was
 *	accepted, there is none
 * @tcp: the TCP socket; NULL: none. Its sk_socket and sk_wq are those of the
 *	application's socket
 * @allowed: may fall back, and take TCP clients
 * @active: the application's socket is the TCP one now
 * @turn: listener: the next one to be accepted is a TCP client
 * @reason: enum mrc_fallback_reason
 * @seen: options of @msk that @tcp has
 * @work: does in process context what softirq asked for; holds a reference
 *	to the socket while queued
 * @id: name for tools, as mrc_sock.public_id
 * @sk: TCP socket in use, while in mrc_net.fallbacks
 * @node: in mrc_net.fallbacks, guarded by mrc_net.fallback_lock
 *
 * Guarded by the socket lock of @msk; without @msk constant.
 */
struct mrc_fallback {
	struct mrc_sock *msk;
	struct socket *tcp;
	bool allowed;
	bool active;
	bool turn;
	u8 reason;
	struct mrc_fallback_opts seen;
	struct work_struct work;
	u64 id;
	struct sock *sk;
	struct list_head node;
};

/* Internal result: the socket has become a TCP socket, ask that one. */
#define MRC_MOVED	EREMCHG

/* fallback.c */
int mrc_fallback_init(void);
void mrc_fallback_exit(void);
int mrc_fallback_create(struct socket *sock, int kern);
int mrc_fallback_bind(struct mrc_sock *msk, u16 port);
void mrc_fallback_unbind(struct mrc_sock *msk);
int mrc_fallback_listen(struct mrc_sock *msk, int backlog);
void mrc_fallback_unlisten(struct mrc_sock *msk);
bool mrc_fallback_waits(const struct mrc_sock *msk);
struct sock *mrc_fallback_accept(struct mrc_sock *msk, bool kern);

/* fallback_switch.c */
bool mrc_fallback_request(struct mrc_sock *msk, u8 reason);
void mrc_fallback_child(struct mrc_sock *msk);
void mrc_fallback_released(struct mrc_sock *msk);

/* fallback_memory.c */
void mrc_fallback_note(struct mrc_net *mn, const struct mrc_addr *addr);
void mrc_fallback_forget(struct mrc_net *mn, const struct mrc_addr *addr);
bool mrc_fallback_known(struct mrc_net *mn, const struct mrc_addr *addr);

#endif /* _MRC_FALLBACK_H */
