/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the parts of mrc_torture: mrc_torture.c (workers, report),
 * torture_plan.c (what a transfer does, from the seed), torture_sock.c
 * (sockets), torture_send.c, torture_recv.c (ways to move bytes) and
 * torture_loop.c (waiting, ends). A process has one transfer at a time.
 */
#ifndef MRC_SELFTESTS_TORTURE_H
#define MRC_SELFTESTS_TORTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>
#include <netinet/in.h>
#include <sys/types.h>

/* The bytes of all streams; a stream is a piece of them. */
#define TORTURE_DATA	(8u << 20)
/* Longest stream, and the latest start of one. */
#define TORTURE_LONGEST	(4u << 20)
/* Most bytes of one call. */
#define TORTURE_CHUNK	(256u << 10)

enum torture_send {
	SEND_WRITE,
	SEND_WRITEV,
	SEND_MORE,
	SEND_MMSG,
	SEND_MMAP,
	SEND_FILE,
	SEND_SPLICE,
	SEND_VMSPLICE,
	SEND_MODES
};

enum torture_recv {
	RECV_READ,
	RECV_READV,
	RECV_MSG,
	RECV_PEEK,
	RECV_WAITALL,
	RECV_SPLICE,
	RECV_MODES
};

enum torture_wait {
	WAIT_BLOCK,
	WAIT_POLL,
	WAIT_SELECT,
	WAIT_EPOLL,
	WAIT_EPOLLET,
	WAIT_MODES
};

/* When a side ends its stream. */
enum torture_finish {
	FINISH_SHUT,	/* shutdown() once all is written */
	FINISH_LAST,	/* shutdown() once the other side has ended */
	FINISH_CLOSE,	/* close() once the other side has ended */
	FINISH_LEAVE,	/* close() once all is written, whatever comes */
	FINISH_MODES
};

/* Which names and which listener a connection uses. */
enum torture_net {
	NET_IPV4,	/* IPv4 to a listener of IPv4 */
	NET_IPV6,	/* IPv6 to a listener of IPv6 only */
	NET_MAPPED,	/* an IPv6 socket to ::ffff:a.b.c.d, listener of IPv4 */
	NET_DUAL4,	/* IPv4 to a listener of both */
	NET_DUAL6,	/* IPv6 to a listener of both */
	NET_MODES
};

enum { LISTEN_IPV4, LISTEN_IPV6, LISTEN_DUAL, LISTENERS };

/**
 * struct torture_side - what one end does
 * @send: how it sends
 * @recv: how it receives
 * @wait: how it waits
 * @finish: how it ends
 * @send_chunk: most bytes of a write
 * @recv_chunk: most bytes of a read
 * @sndbuf: SO_SNDBUF, 0: not set
 * @rcvbuf: SO_RCVBUF, 0: not set
 * @notsent: TCP_NOTSENT_LOWAT, 0: not set
 * @lowat: SO_RCVLOWAT, 0: not set
 * @maxseg: TCP_MAXSEG of a client, 0: not set
 * @nodelay: TCP_NODELAY
 * @cork: TCP_CORK
 * @linger: SO_LINGER with a long time
 * @lazy: the reader pauses now and then
 */
struct torture_side {
	enum torture_send send;
	enum torture_recv recv;
	enum torture_wait wait;
	enum torture_finish finish;
	size_t send_chunk;
	size_t recv_chunk;
	int sndbuf;
	int rcvbuf;
	int notsent;
	int lowat;
	int maxseg;
	bool nodelay;
	bool cork;
	bool linger;
	bool lazy;
};

/**
 * struct torture_plan - one transfer, alike at both ends
 * @index: number of the transfer
 * @net: names and listener
 * @path: number of the address that is called, before the modulus
 * @bytes: length of the stream that side 0 (client), 1 (server) sends
 * @start: where the stream begins in the data
 * @side: the client, the server
 */
struct torture_plan {
	unsigned int index;
	enum torture_net net;
	unsigned int path;
	__u32 bytes[2];
	__u32 start[2];
	struct torture_side side[2];
};

/**
 * struct torture_end - this end of the running transfer
 * @fd: socket
 * @plan: the transfer
 * @side: this side of it
 * @role: index of this side
 * @data: TORTURE_DATA bytes, a mapping of @file
 * @file: the same as a file
 * @sent: bytes taken by the socket; written by the sending thread only
 * @received: bytes read and found right; by the receiving thread only
 * @tx_done: this side's stream has been ended
 * @rx_done: the other side's end was seen
 * @dice: random numbers of the sending, the receiving direction
 * @pipe: ends of a pipe of the sending, the receiving direction
 * @filled: bytes in the sending pipe
 * @buffer: TORTURE_CHUNK bytes of the sending, the receiving direction
 * @error: what went wrong first, empty: nothing
 */
struct torture_end {
	int fd;
	const struct torture_plan *plan;
	const struct torture_side *side;
	int role;
	unsigned char *data;
	int file;
	__u32 sent;
	__u32 received;
	bool tx_done;
	bool rx_done;
	__u64 dice[2];
	int pipe[2][2];
	size_t filled;
	unsigned char *buffer[2];
	char error[160];
};

/* torture_plan.c */
__u64 torture_plan_random(__u64 *state);
__u32 torture_plan_below(__u64 *state, __u32 limit);
void torture_plan_fill(unsigned char *data, __u64 seed);
void torture_plan_make(struct torture_plan *p, __u64 seed, unsigned int index);
void torture_plan_text(const struct torture_plan *p, char *text, size_t size);

/* torture_sock.c */
int torture_sock_listen(bool mrc, int which, __u16 port);
int torture_sock_accept(struct torture_end *e, const int *listeners);
int torture_sock_connect(struct torture_end *e, bool mrc, __u16 port,
			 char **addrs, unsigned int count);

/* torture_send.c, torture_recv.c */
ssize_t torture_send_some(struct torture_end *e, size_t len);
ssize_t torture_recv_some(struct torture_end *e, size_t len);

/* torture_loop.c */
int torture_fail(struct torture_end *e, const char *format, ...);
int torture_loop_run(struct torture_end *e);

#endif /* MRC_SELFTESTS_TORTURE_H */
