// SPDX-License-Identifier: GPL-2.0
/*
 * mrcctl path: paths of connections.
 */
#include <linux/mrc_netlink.h>
#include "args.h"
#include "attr_gen.h"
#include "nl.h"
#include "out.h"

static const struct out_col columns[] = {
	{ "conn", "CONN", OUT_ID, MRC_A_PATH_CONN_ID, 0 },
	{ "path", "PATH", OUT_NUMBER, MRC_A_PATH_ID, 0 },
	{ "state", "STATE", OUT_NAME, MRC_A_PATH_STATE, 0 },
	{ "backup", NULL, OUT_BOOL, MRC_A_PATH_BACKUP, 0 },
	{ "local", "LOCAL", OUT_ADDR, MRC_A_PATH_LOCAL_ADDR,
	  MRC_A_PATH_LOCAL_PORT },
	{ "remote", "REMOTE", OUT_ADDR, MRC_A_PATH_REMOTE_ADDR,
	  MRC_A_PATH_REMOTE_PORT },
	{ "dev", "DEV", OUT_DEV, MRC_A_PATH_IFINDEX, 0 },
	{ "endpoint", NULL, OUT_NUMBER, MRC_A_PATH_ENDPOINT, 0 },
	{ "mss", NULL, OUT_NUMBER, MRC_A_PATH_MSS, 0 },
	{ "srtt_us", "SRTT", OUT_USEC, MRC_A_PATH_SRTT_US, 0 },
	{ "rttvar_us", NULL, OUT_USEC, MRC_A_PATH_RTTVAR_US, 0 },
	{ "min_rtt_us", NULL, OUT_USEC, MRC_A_PATH_MIN_RTT_US, 0 },
	{ "cwnd", "CWND", OUT_BYTES, MRC_A_PATH_CWND, 0 },
	{ "ssthresh", NULL, OUT_BYTES, MRC_A_PATH_SSTHRESH, 0 },
	{ "pacing_rate", "PACING", OUT_RATE, MRC_A_PATH_PACING_RATE, 0 },
	{ "delivery_rate", NULL, OUT_RATE, MRC_A_PATH_DELIVERY_RATE, 0 },
	{ "inflight", "INFLIGHT", OUT_BYTES, MRC_A_PATH_INFLIGHT, 0 },
	{ "sent_bytes", "SENT", OUT_BYTES, MRC_A_PATH_SENT_BYTES, 0 },
	{ "acked_bytes", "ACKED", OUT_BYTES, MRC_A_PATH_ACKED_BYTES, 0 },
	{ "sent_packets", NULL, OUT_NUMBER, MRC_A_PATH_SENT_PACKETS, 0 },
	{ "lost_packets", "LOST", OUT_NUMBER, MRC_A_PATH_LOST_PACKETS, 0 },
	{ "spurious_packets", NULL, OUT_NUMBER, MRC_A_PATH_SPURIOUS_PACKETS,
	  0 },
	{ "retransmitted_packets", "RETRANS", OUT_NUMBER,
	  MRC_A_PATH_RETRANSMITTED_PACKETS, 0 },
	{ "ce_packets", "CE", OUT_NUMBER, MRC_A_PATH_CE_PACKETS, 0 },
	{ "rx_packets", NULL, OUT_NUMBER, MRC_A_PATH_RX_PACKETS, 0 },
	{ "rx_bytes", "RX", OUT_BYTES, MRC_A_PATH_RX_BYTES, 0 },
	{ "rx_ce_packets", "RXCE", OUT_NUMBER, MRC_A_PATH_RX_CE_PACKETS, 0 },
	{ "rx_duplicates", NULL, OUT_NUMBER, MRC_A_PATH_RX_DUPLICATES, 0 },
	{ "bad_count", NULL, OUT_NUMBER, MRC_A_PATH_BAD_COUNT, 0 },
};

static int run_show(const struct ctx *ctx, int argc, char **argv)
{
	const char *word;
	struct nl_req req;
	__u64 id;
	int status;

	status = args_conn_filter(ctx, argc, argv, &word, &id);
	if (!status)
		status = nl_req_open(&req, ctx, MRC_CMD_PATH_GET, true,
				     &attr_set_path);
	if (status)
		return status;
	if (word)
		nl_req_u64(&req, MRC_A_PATH_CONN_ID, id, word);
	return out_table(ctx, &req, columns, ARRAY_SIZE(columns));
}

static const char * const words[] = { "conn", NULL };

const struct command cmd_path_show = {
	.object		= "path",
	.verb		= "show",
	.fallback	= true,
	.args		= "[conn ID]",
	.help		= "list the paths of all connections, or of one",
	.words		= words,
	.complete	= cmd_conn_complete,
	.run		= run_show,
};
