// SPDX-License-Identifier: GPL-2.0
/*
 * Figures of a path for applications. Socket lock held.
 */
#include "conn/conn.h"

/**
 * mrc_conn_path_info() - fill the ABI's record of a path
 * @path: path
 * @info: filled
 */
void mrc_conn_path_info(const struct mrc_path *path,
			struct mrc_path_info *info)
{
	*info = (struct mrc_path_info) {
		.id = path->id,
		.state = path->state,
		.backup = path->backup,
		.family = path->local.family,
		.local_port = ntohs(path->local.port),
		.remote_port = ntohs(path->remote.port),
		.mss = path->mss,
		.srtt_us = path->rtt.srtt_us / 8,
		.rttvar_us = path->rtt.rttvar_us / 4,
		.cwnd = min_t(u64, path->rate.cwnd, U32_MAX),
		.inflight = path->inflight.bytes,
		.pacing_rate = path->rate.pacing_rate,
		.sent_bytes = path->sent_bytes,
		.acked_bytes = path->acked_bytes,
		.sent_packets = path->inflight.sent_packets,
		.lost_packets = path->inflight.lost_packets,
		.retransmitted_packets = path->retransmitted_packets,
		.ce_packets = path->ce_packets,
		.rx_packets = path->rx.packets,
		.rx_ce_packets = path->rx.ce_packets,
	};
	memcpy(info->local_addr, path->local.ip, sizeof(info->local_addr));
	memcpy(info->remote_addr, path->remote.ip, sizeof(info->remote_addr));
}
