/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Every protocol constant, with its unit and its reason. Pure.
 */
#ifndef _MRC_LIMITS_H
#define _MRC_LIMITS_H

#define MRC_NSEC_PER_USEC	1000ULL
#define MRC_NSEC_PER_MSEC	1000000ULL
#define MRC_NSEC_PER_SEC	1000000000ULL

/* UDP port of both ends; sysctl net.mrc.udp_port. 4789-4793 are taken. */
#define MRC_UDP_PORT		4795

/* Packets of one superframe or chunk: one bit each in a u64 (UDP GSO: 64). */
#define MRC_CHUNK_PACKETS	64

/* UDP payload of one superframe, bytes: 65535 less IPv6 and UDP headers. */
#define MRC_SUPERFRAME_BYTES	(65535 - 40 - 8)

/* Page fragments of a chunk; 16 single pages carry 64 kB (MAX_SKB_FRAGS). */
#define MRC_CHUNK_FRAGS		17

/* Payload of one data packet, bytes: smallest accepted and largest used. */
#define MRC_MSS_MIN		512
#define MRC_MSS_MAX		16000

/* PSN ranges that a receiver remembers per path; more than a BDP of losses. */
#define MRC_PSN_RANGES		32

/* Bytes of the largest message (SOCK_SEQPACKET). */
#define MRC_MESSAGE_MAX		(1024 * 1024)

/* Ranges of one path in one ACK, so that 64 paths fit in one packet. */
#define MRC_ACK_RANGES		16

/* Path records of one ACK: as many as a connection has paths. */
#define MRC_ACK_PATHS		64

/* Bytes of the largest ACK packet: fits the smallest IPv6 MTU. */
#define MRC_ACK_BYTES_MAX	1200

/* For so long after the handshake a RESET may answer what overtook the OPEN:
 * longer than a round trip and a reordering, nanoseconds.
 */
#define MRC_RESET_GRACE_NS	(2 * MRC_NSEC_PER_SEC)

/* Delayed ACK: a quarter of the RTT within these bounds, nanoseconds. */
#define MRC_DELACK_MIN_NS	(4 * MRC_NSEC_PER_MSEC)
#define MRC_DELACK_MAX_NS	(10 * MRC_NSEC_PER_MSEC)

/* ... and once two full packets wait: ACKs of a burst are this far apart at
 * least, a sixteenth of the RTT if that is longer.
 */
#define MRC_DELACK_BURST_NS	(1 * MRC_NSEC_PER_MSEC)

/* Full packets that one ACK may wait for (RFC 1122 section 4.2.3.2), and skbs
 * (single packets or superframes) when they come in a burst.
 */
#define MRC_DELACK_PACKETS	2
#define MRC_DELACK_SKBS_MAX	16

/* On a path with less RTT a timer would cost more than the ACK. */
#define MRC_DELACK_NEAR_NS	(4 * MRC_DELACK_BURST_NS)

/* Bytes on a near path that do not wait for the reader to acknowledge them:
 * four superframes.
 */
#define MRC_DELACK_READER_BYTES	(4 * MRC_SUPERFRAME_BYTES)

/* RTT before any sample, microseconds (RFC 9002 section 6.2.2: 333 ms). */
#define MRC_RTT_INITIAL_US	333000

/* Age after which the minimum RTT is measured anew, nanoseconds. */
#define MRC_RTT_MIN_AGE_NS	(10 * MRC_NSEC_PER_SEC)

/* Least reordering window of a path, nanoseconds: what queues do to bursts. */
#define MRC_REORDER_MIN_NS	(50 * MRC_NSEC_PER_USEC)

/* Observed reordering counts half after this long, nanoseconds. */
#define MRC_REORDER_HALF_NS	(4 * MRC_NSEC_PER_SEC)

/* A path is not judged before this much silence, nanoseconds. */
#define MRC_SILENCE_MIN_NS	(2 * MRC_NSEC_PER_MSEC)

/* Silence on all paths before everything out counts as lost, nanoseconds:
 * the minimum RTO of Linux TCP. Until then PINGs ask, and a PONG tells.
 */
#define MRC_RTO_MIN_NS		(200 * MRC_NSEC_PER_MSEC)

/* Retransmission backoff of a connection with no living path: the cap. */
#define MRC_RTO_MAX_NS		(8 * MRC_NSEC_PER_SEC)

/* Probes of a bad path: first gap at least, largest gap, nanoseconds. */
#define MRC_PROBE_MIN_NS	(10 * MRC_NSEC_PER_MSEC)
#define MRC_PROBE_MAX_NS	(1 * MRC_NSEC_PER_SEC)

/* An idle path through a NAT is asked after this long, seconds; UDP entries
 * live for 30 s and more (RFC 4787 section 4.3: 2 minutes, Linux: 30 s).
 * sysctl net.mrc.nat_keepalive.
 */
#define MRC_NAT_KEEPALIVE_S	15

/* ... and without an answer again, with this gap at most, nanoseconds. */
#define MRC_NAT_ASK_MAX_NS	(15 * MRC_NSEC_PER_SEC)

/* Answers in a row that bring a bad path back. */
#define MRC_PROBE_GOOD		2

/* INIT: first repetition, then doubled up to the cap; attempts (RFC 6298). */
#define MRC_INIT_RTO_NS		(250 * MRC_NSEC_PER_MSEC)
#define MRC_INIT_RTO_MAX_NS	(8 * MRC_NSEC_PER_SEC)
#define MRC_INIT_TRIES		12

/* Silence after which connect() tries TCP, milliseconds: three INITs are lost,
 * and most round trips are shorter. sysctl net.mrc.fallback_timeout.
 */
#define MRC_FALLBACK_TIMEOUT_MS	1000

/* How long a host without AF_MRC is remembered, seconds; sysctl
 * net.mrc.fallback_memory.
 */
#define MRC_FALLBACK_MEMORY_S	120

/* OPEN: largest gap between attempts; the peer may not have room yet. */
#define MRC_OPEN_RTO_MAX_NS	(1 * MRC_NSEC_PER_SEC)

/* JOIN: largest gap between attempts, nanoseconds. */
#define MRC_JOIN_RTO_MAX_NS	(5 * MRC_NSEC_PER_SEC)

/* Age up to which a cookie opens a connection, seconds. */
#define MRC_COOKIE_SECONDS	150

/* Initial window of a path, packets (RFC 6928). */
#define MRC_CWND_INITIAL	10

/* Smallest window, packets. */
#define MRC_CWND_MIN		2

/* Largest window, bytes: twice what 400 Gbit/s need at 500 ms, and more. */
#define MRC_CWND_MAX		(64ULL << 30)

/* Time that one superframe should cover at the pacing rate, nanoseconds. */
#define MRC_SUPERFRAME_NS	(1 * MRC_NSEC_PER_MSEC)

/* A tail held by TCP_CORK or MSG_MORE goes after this time, as with TCP. */
#define MRC_CORK_NS		(200 * MRC_NSEC_PER_MSEC)

/* Nothing heard of unacknowledged data for this long ends a connection. */
#define MRC_USER_TIMEOUT_NS	(120 * MRC_NSEC_PER_SEC)

/* The same for a connection that no process holds any more. */
#define MRC_ORPHAN_TIMEOUT_NS	(30 * MRC_NSEC_PER_SEC)

/* ... and while its peer answers, but takes no data. */
#define MRC_ORPHAN_MAX_NS	(300 * MRC_NSEC_PER_SEC)

/* Addresses that one connection remembers of its peer, and announces. */
#define MRC_ADDRS_MAX		16

/* Endpoints of a netns. */
#define MRC_ENDPOINTS_MAX	64

#endif /* _MRC_LIMITS_H */
