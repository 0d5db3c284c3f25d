#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 1800
#
# Many transfers over four shaped paths that lose, reorder and duplicate, each
# in another way (mrc_torture): calls, sizes, options, waiting, order of the
# ends, IPv4 and IPv6. All bytes must be right. MRC_TORTURE is their number,
# MRC_TORTURE_SEED repeats a run, MRC_TORTURE_FIRST begins elsewhere in it.

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/topo6.sh
. "$KSFT_LIB/topo6.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

COUNT=${MRC_TORTURE:-$(scaled 64 16)}
SEED=${MRC_TORTURE_SEED:-$((SRANDOM % 1000000))}
FIRST=${MRC_TORTURE_FIRST:-0}
WORKERS=$((COUNT > 100 ? 8 : 4))

# torture FAMILY FIRST COUNT: both ends.
torture()
{
	local args=("$1" 5501 "$SEED" "$2" "$3" "$WORKERS" "$(stretched 60)")
	local addrs=()
	local k

	echo "seed $SEED, $3 transfers from $2"
	for ((k = 0; k < TOPO_N; k++)); do
		addrs+=("$(addr_b "$k")" "$(addr6_b "$k")")
	done
	prog_pair mrc_torture $((60 + $3 * 2)) 60 "${args[@]}" -- "${addrs[@]}"
}

# told SIDE FILTER: of the JSON line that this side left.
told()
{
	grep '^{' "$KSFT_TMP/$1.log" | jq "$2"
}

# all_of FAMILY FIRST COUNT: they are all there, and every way was tried.
all_of()
{
	local side

	torture "$@"
	for side in server client; do
		check_num "transfers, $side" "$(told "$side" .transfers)" == "$3"
	done
	check_num "bytes received" "$(told server .received)" == \
		"$(told client .sent)"
	check_num "bytes received" "$(told client .received)" == \
		"$(told server .sent)"
	[ "$3" -lt 64 ] || check_num "ways that were not tried" \
		"$(told server '[.send, .recv, .wait, .net, .finish | .[] |
			select(. == 0)] | length')" == 0
}

over_mrc()
{
	local lost

	lost=$(mrc_stat a LostPackets)
	all_of mrc "$FIRST" "$COUNT"
	mrc_json a stats | jq -c 'with_entries(select(.value != 0))'
	check_num "losses seen" "$(($(mrc_stat a LostPackets) - lost))" '>' 0
}

bad_paths()
{
	mrc_configure && mrc_configure6 &&
	jitter 0 50mbit 6ms 5ms 1000 loss 0.5% duplicate 0.5% &&
	jitter 1 20mbit 3ms 2ms 500 loss 1% &&
	jitter 2 50mbit 1ms 1ms 300 loss 0.2% reorder 90% 25% &&
	jitter 3 10mbit 10ms 9ms 500 loss 0.5% duplicate 1%
}

mrc_require
ksft_begin
topo_switched 4 || ksft_skip_all "cannot build the topology"
topo6_add || ksft_skip_all "no IPv6"
ksft_run "four paths, each bad in another way" bad_paths
# The same over TCP shows that the program asks for nothing strange.
ksft_run "transfers over TCP" all_of tcp "$FIRST" $((COUNT / 8))
[ "$MRC_FAMILY" != mrc ] || ksft_run "transfers over AF_MRC" over_mrc
ksft_end
