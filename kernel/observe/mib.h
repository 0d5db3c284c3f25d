/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters of a namespace: one list of names, shown by ``mrcctl stats``.
 */
#ifndef _MRC_MIB_H
#define _MRC_MIB_H

#include <linux/percpu.h>
#include <linux/types.h>

/*
 * Name and meaning of each counter. The order is not ABI, the names are.
 */
#define MRC_MIB_LIST(X)							\
	X(ConnActive,		"connections opened by connect()")	\
	X(ConnPassive,		"connections accepted")			\
	X(ConnRefused,		"connect() refused by the peer")	\
	X(ConnTimeout,		"connections ended by a time-out")	\
	X(ConnResetIn,		"connections reset by the peer")	\
	X(ConnResetOut,		"connections reset by this side")	\
	X(ListenOverflow,	"handshakes dropped: accept queue full")\
	X(CookieBad,		"handshakes dropped: wrong or old cookie") \
	X(FallbackRefused,	"TCP: the peer refused AF_MRC")		\
	X(FallbackUnreachable,	"TCP: ICMP said that there is no AF_MRC") \
	X(FallbackSilent,	"TCP: no answer over AF_MRC")		\
	X(FallbackRemembered,	"TCP: the peer is known to have no AF_MRC") \
	X(FallbackAccepted,	"TCP clients accepted")			\
	X(TxSuperframes,	"data skbs sent")			\
	X(TxPackets,		"data packets sent")			\
	X(TxBytes,		"payload bytes sent")			\
	X(TxRetransPackets,	"data packets sent again")		\
	X(TxReinjectPackets,	"data packets taken off a bad path")	\
	X(TxAcks,		"ACK packets sent")			\
	X(TxErrors,		"packets that could not be sent")	\
	X(RxSuperframes,	"data skbs received")			\
	X(RxPackets,		"data packets received")		\
	X(RxBytes,		"payload bytes received")		\
	X(RxCePackets,		"data packets received with a CE mark")	\
	X(RxDupPackets,		"data packets received twice")		\
	X(RxReorderPackets,	"data packets received ahead of a hole")\
	X(RxWindowPackets,	"data packets outside the window")	\
	X(RxMemoryDrops,	"data packets dropped for memory")	\
	X(RxAcks,		"ACK packets received")			\
	X(RxBadAcks,		"ACK packets that cannot be true")	\
	X(RxShort,		"packets too short for their type")	\
	X(RxVersion,		"packets of another version")		\
	X(RxType,		"packets of an unknown type")		\
	X(RxLength,		"packets too long for their type")	\
	X(RxValue,		"packets with an impossible field")	\
	X(RxChecksum,		"packets with a wrong UDP checksum")	\
	X(RxUnknownConn,	"packets for no connection")		\
	X(RxUnknownPath,	"packets for no path of the connection")\
	X(RxWrongTuple,		"packets from another address than the path's")\
	X(RxBadMac,		"control packets with a wrong MAC")	\
	X(RxBadToken,		"RESETs with a wrong token")		\
	X(RxBacklogDrops,	"packets dropped: socket backlog full")	\
	X(RateLimited,		"answers to strangers not sent")	\
	X(PathJoinTx,		"paths that this side began to open")	\
	X(PathJoinRx,		"paths opened by the peer")		\
	X(PathJoinRefused,	"paths refused")			\
	X(PathMoved,		"paths that followed their peer")	\
	X(PathGood,		"paths that became good")		\
	X(PathBad,		"paths that were given up")		\
	X(PathProbes,		"PINGs sent")				\
	X(LostPackets,		"packets given up")			\
	X(SpuriousPackets,	"packets given up that arrived after all") \
	X(Timeouts,		"retransmission time-outs, all paths silent")

/* Numbers of the counters. */
enum mrc_mib_id {
#define X(name, text) MRC_MIB_##name,
	MRC_MIB_LIST(X)
#undef X
	__MRC_MIB_MAX
};

/**
 * struct mrc_mib - counters of one CPU
 * @count: by enum mrc_mib_id
 */
struct mrc_mib {
	u64 count[__MRC_MIB_MAX];
};

/* Add to a counter of struct mrc_net *mn; any context. */
#define MRC_ADD_STATS(mn, name, n) \
	this_cpu_add((mn)->mib->count[MRC_MIB_##name], n)
#define MRC_INC_STATS(mn, name)	MRC_ADD_STATS(mn, name, 1)

struct mrc_net;

const char *mrc_mib_name(enum mrc_mib_id id);
u64 mrc_mib_sum(const struct mrc_net *mn, enum mrc_mib_id id);

#endif /* _MRC_MIB_H */
