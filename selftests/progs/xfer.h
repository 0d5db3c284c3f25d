/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the parts of mrc_xfer: mrc_xfer.c (options, report), xfer_stream.c
 * (the byte stream), xfer_sock.c (socket set-up) and xfer_loop.c (moving
 * bytes). One transfer per process; no locks beyond what struct xfer_progress
 * says.
 */
#ifndef MRC_SELFTESTS_XFER_H
#define MRC_SELFTESTS_XFER_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>
#include <netinet/in.h>

enum xfer_mode {
	XFER_BLOCK,
	XFER_POLL,
	XFER_EPOLL,
	XFER_EPOLLET,
};

/**
 * union xfer_addr - an address of either version of IP
 * @sa: any; sa_family AF_UNSPEC: none was given
 * @sin: IPv4
 * @sin6: IPv6
 */
union xfer_addr {
	struct sockaddr sa;
	struct sockaddr_in sin;
	struct sockaddr_in6 sin6;
};

/**
 * struct xfer_options - what the command line asked for
 * @family: word given to --family: "mrc", "tcp" or "mptcp"
 * @server: wait for one connection instead of making one
 * @addr: address to connect to, or to bind a server to; tells the version of
 *	IP (none: IPv4)
 * @from: local address a client binds first
 * @port: port, host order; 0 lets a server pick one
 * @tx: this side sends
 * @rx: this side receives data (otherwise only the end of the stream)
 * @bytes: bytes to send, 0 when @seconds limits
 * @expect: bytes that must arrive, 0 when unknown
 * @seconds: sending time in seconds
 * @seed: seed of the stream from client to server
 * @write_size: bytes per write
 * @read_size: bytes per read
 * @mode: how the process waits
 * @verify: compare every byte received
 * @sndbuf: SO_SNDBUF, 0 for the default
 * @rcvbuf: SO_RCVBUF, 0 for the default
 * @maxseg: TCP_MAXSEG, 0 for the default
 * @nodelay: set TCP_NODELAY
 * @congestion: TCP_CONGESTION or NULL
 * @timeout: seconds until the process gives up, 0 for never
 * @stall_ms: pause of the reader after its first read, milliseconds
 * @stop: set by a signal: send no more, finish in order
 */
struct xfer_options {
	const char *family;
	bool server;
	union xfer_addr addr;
	union xfer_addr from;
	__u16 port;
	bool tx;
	bool rx;
	__u64 bytes;
	__u64 expect;
	double seconds;
	__u64 seed;
	size_t write_size;
	size_t read_size;
	enum xfer_mode mode;
	bool verify;
	int sndbuf;
	int rcvbuf;
	int maxseg;
	bool nodelay;
	const char *congestion;
	unsigned int timeout;
	unsigned int stall_ms;
	sig_atomic_t stop;
};

/**
 * struct xfer_progress - how far the transfer has come
 * @sent: bytes handed to the socket; written by the sending thread only
 * @received: bytes read; this and all below by the receiving thread only
 * @tx_done: everything sent and the sending side shut down
 * @rx_done: end of stream seen
 * @started: monotonic time of the established connection, nanoseconds
 * @last_tx: time of the last write
 * @last_rx: time of the last read that returned data
 * @gap: longest time between two such reads, nanoseconds
 * @gap_at: @received when the longest gap ended
 * @mismatch: offset of the first wrong byte, -1 for none
 * @error: errno of the first failed call, 0 for none
 * @where: name of that call
 */
struct xfer_progress {
	__u64 sent;
	__u64 received;
	bool tx_done;
	bool rx_done;
	__u64 started;
	__u64 last_tx;
	__u64 last_rx;
	__u64 gap;
	__u64 gap_at;
	__s64 mismatch;
	int error;
	const char *where;
};

/**
 * struct xfer_stream - one direction's byte stream
 * @bytes: one period and the longest chunk after it
 * @chunk: longest chunk that may be asked for at once
 */
struct xfer_stream {
	unsigned char *bytes;
	size_t chunk;
};

/* xfer_stream.c */
int xfer_stream_init(struct xfer_stream *s, __u64 seed, size_t chunk);
const unsigned char *xfer_stream_at(const struct xfer_stream *s,
				    __u64 offset);
__s64 xfer_stream_compare(const struct xfer_stream *s, __u64 offset,
			  const unsigned char *data, size_t len);

/* xfer_sock.c */
int xfer_sock_family(const char *word);
int xfer_sock_open(const struct xfer_options *o, struct xfer_progress *p);

/* xfer_loop.c */
__u64 xfer_loop_now(void);
int xfer_loop_run(int fd, const struct xfer_options *o,
		  struct xfer_progress *p);

#endif /* MRC_SELFTESTS_XFER_H */
