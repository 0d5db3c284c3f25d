/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * AF_MRC: multipath reliable connections, the socket ABI.
 *
 *	fd = socket(AF_MRC, SOCK_STREAM, MRCPROTO_IPV4);
 *
 * Addresses are struct sockaddr_in or, with MRCPROTO_IPV6, sockaddr_in6,
 * exactly as for TCP. Socket options of level SOL_SOCKET, IPPROTO_IP,
 * IPPROTO_IPV6 and IPPROTO_TCP work as on a TCP socket where they have a
 * meaning; level SOL_MRC has what TCP has no name for.
 */
#ifndef _UAPI_LINUX_MRC_H
#define _UAPI_LINUX_MRC_H

#include <linux/types.h>

/*
 * The family number. Code outside the kernel tree cannot raise AF_MAX, so a
 * number is borrowed that no current kernel registers (AF_SNA was reserved
 * and never written). Loading fails with a message when it is taken.
 */
#define AF_MRC		22
#define PF_MRC		AF_MRC

/* Third argument of socket(): the IP version the program asked for. */
#define MRCPROTO_IPV4	0	/* as of AF_INET: names are sockaddr_in */
#define MRCPROTO_IPV6	1	/* as of AF_INET6: names are sockaddr_in6 */
/* Or'ed to it: AF_MRC or nothing, where a stream would fall back to TCP. */
#define MRCPROTO_STRICT	2

/* Level of getsockopt() and setsockopt(). */
#define SOL_MRC		301

/* Options of level SOL_MRC. */
#define MRC_INFO	1	/* get: struct mrc_info, then the paths */
#define MRC_UNORDERED	2	/* int: 1: messages as soon as they are whole */
#define MRC_CLASS	3	/* int: enum mrc_class */

/* Longest name of a rate controller or scheduler, with its NUL. */
#define MRC_NAME_MAX	16

/* Most paths that one connection can have. */
#define MRC_PATHS_MAX	64

/* What a connection is for: MRC_CLASS. Sets marks, as IP_TOS would. */
enum mrc_class {
	MRC_CLASS_DEFAULT	= 0,	/* no mark */
	MRC_CLASS_BULK		= 1,	/* DSCP AF11, priority "bulk" */
	MRC_CLASS_LATENCY	= 2,	/* DSCP AF21, "interactive", no delay */
	__MRC_CLASSES
};

/* Why a connection goes over TCP. */
enum mrc_fallback_reason {
	MRC_FALLBACK_NONE		= 0,	/* it does not */
	MRC_FALLBACK_REFUSED		= 1,	/* AF_MRC, but no listener */
	MRC_FALLBACK_UNREACHABLE	= 2,	/* ICMP: no AF_MRC there */
	MRC_FALLBACK_SILENT		= 3,	/* no answer in time */
	MRC_FALLBACK_REMEMBERED		= 4,	/* it was so a short time ago */
	MRC_FALLBACK_ACCEPTED		= 5,	/* the peer called over TCP */
	__MRC_FALLBACK_REASONS
};

/* State of a path. */
enum mrc_path_state {
	MRC_PATH_PROBING	= 0,	/* not proven yet: carries no data */
	MRC_PATH_GOOD		= 1,	/* carries data */
	MRC_PATH_SKIP		= 2,	/* congested: rests one rotation */
	MRC_PATH_ASSUMED_BAD	= 3,	/* silent: probed until it answers */
	MRC_PATH_DENIED		= 4,	/* taken out by the operator */
	__MRC_PATH_STATES
};

/**
 * struct mrc_path_info - figures of one path
 * @id: path id, as in ``mrcctl path show``
 * @state: enum mrc_path_state
 * @backup: 1: used only while no other path is good
 * @family: AF_INET or AF_INET6, of both addresses
 * @local_port: UDP source port (the entropy value), host order
 * @remote_port: UDP port of the peer, host order
 * @reserved: 0
 * @local_addr: local address, network order; IPv4 in the first four bytes, the
 *	rest 0
 * @remote_addr: address of the peer, likewise
 * @mss: payload bytes of one packet
 * @srtt_us: smoothed round-trip time, microseconds; 0: no sample yet
 * @rttvar_us: its variation, microseconds
 * @cwnd: congestion window, bytes
 * @inflight: bytes sent and neither acknowledged nor given up
 * @pacing_rate: bytes per second
 * @sent_bytes: payload bytes sent, every copy counted
 * @acked_bytes: payload bytes the peer has reported on this path
 * @sent_packets: packets that took a packet number
 * @lost_packets: packets given up
 * @retransmitted_packets: packets that carried data sent before
 * @ce_packets: packets that the peer received with a CE mark
 * @rx_packets: data packets received
 * @rx_ce_packets: those with a CE mark
 */
struct mrc_path_info {
	__u16	id;
	__u8	state;
	__u8	backup;
	__u16	family;
	__u16	local_port;
	__u16	remote_port;
	__u16	reserved;
	__u8	local_addr[16];
	__u8	remote_addr[16];
	__u32	mss;
	__u32	srtt_us;
	__u32	rttvar_us;
	__u32	cwnd;
	__u32	inflight;
	__u64	pacing_rate;
	__u64	sent_bytes;
	__u64	acked_bytes;
	__u64	sent_packets;
	__u64	lost_packets;
	__u64	retransmitted_packets;
	__u64	ce_packets;
	__u64	rx_packets;
	__u64	rx_ce_packets;
};

/**
 * struct mrc_info - what MRC_INFO answers
 * @size: size of this structure in the running kernel, bytes
 * @path_size: size of one entry of @paths in the running kernel, bytes
 * @path_count: entries of @paths that were filled
 * @state: connection state, numbered as for TCP (TCP_ESTABLISHED, ...)
 * @rcv_queue: bytes received in order and not read yet
 * @reorder_queue: bytes received ahead of a hole
 * @snd_queue: bytes written and not acknowledged yet
 * @snd_window: bytes the peer still accepts
 * @sent_bytes: stream bytes sent for the first time
 * @acked_bytes: stream bytes acknowledged in order
 * @received_bytes: stream bytes received in order
 * @fallback: enum mrc_fallback_reason; over TCP there are no paths
 * @conn_class: enum mrc_class
 * @paths: one entry per path, as many as the caller's buffer holds
 */
struct mrc_info {
	__u32	size;
	__u32	path_size;
	__u32	path_count;
	__u32	state;
	__u32	rcv_queue;
	__u32	reorder_queue;
	__u32	snd_queue;
	__u32	snd_window;
	__u64	sent_bytes;
	__u64	acked_bytes;
	__u64	received_bytes;
	__u32	fallback;
	__u32	conn_class;
	struct mrc_path_info paths[];
};

#endif /* _UAPI_LINUX_MRC_H */
