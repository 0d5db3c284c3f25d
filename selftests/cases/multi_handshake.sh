#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# Handshakes over a path that reorders: data written right after connect()
# overtakes the OPEN, and what answers it overtakes what answers the OPEN. Every
# connection must come to be and deliver all.

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

COUNT=${COUNT:-30}

# Connections one after the other, each with its own listener.
connections()
{
	local i

	for ((i = 0; i < COUNT; i++)); do
		MRC_PORT=$((5310 + i)) xfer_pair 60 --seed "$i" --expect 20000 -- \
			--connect "$(addr_b 0)" --seed "$i" --bytes 20000 \
			>/dev/null || return 1
		[ "$KSFT_BAD" -eq 0 ] || {
			fetch_log "$KSFT_TMP/server.log"
			fetch_log "$KSFT_TMP/client.log"
			return 1
		}
	done
}

reordered()
{
	jitter 0 50mbit 10ms 9ms 1000 || return 1
	connections
	[ "$MRC_FAMILY" = mrc ] || return 0
	check_num "packets came before their OPEN" \
		"$(mrc_stat b RxUnknownConn)" '>' 0
	check_num "resets" "$(mrc_stat a ConnResetIn)" == 0
}

lossy()
{
	jitter 0 50mbit 10ms 9ms 1000 loss 5% || return 1
	connections
}

mrc_require
ksft_begin
topo_switched 1 || ksft_skip_all "cannot build the topology"
ksft_run "handshakes with reordering" reordered
ksft_run "handshakes with reordering and loss" lossy
ksft_end
