#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# SOCK_SEQPACKET: the socket surface on loopback beside AF_UNIX, then many
# messages of random sizes over four paths that lose, reorder and duplicate,
# in both directions, and with one path that dies.

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

COUNT=600

surface()
{
	local host

	host=mrc$(printf '%04x' $((SRANDOM % 65536)))
	topo_netns "$host" || return
	ksft_program message ip netns exec "$host" "$MRC_PROGS/mrc_sock_message"
}

# start_server NAME PORT SEED [unordered]; start_client likewise
start_server()
{
	bg "$KSFT_TMP/$1.server" ip netns exec "$HB" "$MRC_PROGS/mrc_messages" \
		server "$2" "$COUNT" "${@:3}"
	SERVERS+=("$BG_PID")
	wait_log "$KSFT_TMP/$1.server" '^ready' 30 ||
		ksft_fail "no listener: $(cat "$KSFT_TMP/$1.server")"
}

start_client()
{
	bg "$KSFT_TMP/$1.client" ip netns exec "$HA" "$MRC_PROGS/mrc_messages" \
		client "$(addr_b 0)" "$2" "$COUNT" "$3"
	CLIENTS+=("$BG_PID")
}

finish()
{
	local name pid

	for pid in "${SERVERS[@]}" "${CLIENTS[@]}"; do
		wait_pid "$pid" 120 || ksft_fail "status $?"
	done
	for name; do
		cat "$KSFT_TMP/$name.server" "$KSFT_TMP/$name.client"
		check "all messages of $name" grep -q \
			"{\"messages\":$COUNT,\"bytes\"" "$KSFT_TMP/$name.server"
	done
}

over_bad_paths()
{
	local k

	SERVERS=() CLIENTS=()
	for ((k = 0; k < TOPO_N; k++)); do
		jitter "$k" 50mbit 6ms 5ms 1000 loss 0.5% duplicate 0.5% ||
			return
	done
	start_server one 5401 11
	start_server two 5402 12
	start_client one 5401 11
	start_client two 5402 12
	finish one two
	check_num "losses seen" "$(mrc_stat a LostPackets)" '>' 0
}

early_of()
{
	grep -o '"early":[0-9]*' "$KSFT_TMP/$1.server" | cut -d: -f2
}

unordered()
{
	local k

	SERVERS=() CLIENTS=()
	for ((k = 0; k < TOPO_N; k++)); do
		jitter "$k" 50mbit 6ms 5ms 1000 loss 2% || return
	done
	start_server ordered 5404 14
	start_server unordered 5405 15 unordered
	start_client ordered 5404 14
	start_client unordered 5405 15
	finish ordered unordered
	check_num "early in order" "$(early_of ordered)" == 0
	check_num "early when asked for" "$(early_of unordered)" '>' 0
}

path_dies()
{
	local k

	SERVERS=() CLIENTS=()
	for ((k = 0; k < TOPO_N; k++)); do
		shape "$k" 50mbit 1ms 150 || return
	done
	start_server dying 5403 13
	start_client dying 5403 13
	check "path 1 carries data" wait_until 20 carried 1
	path_cut 1
	finish dying
	path_heal 1
}

carried()
{
	[ "$(dev_bytes b "$1" rx)" -gt 1000000 ]
}

mrc_require
ksft_begin
surface
topo_switched 4 || ksft_skip_all "cannot build the topology"
mrc_configure
ksft_run "messages over lossy paths" over_bad_paths
ksft_run "messages out of order, each once" unordered
ksft_run "a path dies under messages" path_dies
ksft_end
