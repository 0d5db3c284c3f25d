#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# Questions and answers over four paths that lose packets: what is lost at the
# end of a question nothing behind it betrays. TCP does the same over the first
# path beside it, in turns, and AF_MRC must not be much slower: neither all in
# all nor in its longest turn; with ends that sleep and with ends that spin.

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

# run_turns FAMILY ARGS...: leaves what they took in TURNS_US, LONGEST_US.
run_turns()
{
	local log=$KSFT_TMP/turns.$1 server client

	MRC_PORT=$((MRC_PORT + 1))
	bg "$log.server" ip netns exec "$HB" "$MRC_PROGS/mrc_turns" --family \
		"$@" --server "$(addr_b 0)" "$MRC_PORT"
	server=$BG_PID
	wait_log "$log.server" '^ready' 30 || {
		ksft_fail "mrc_turns does not listen: $(<"$log.server")"
		return 1
	}
	bg "$log" ip netns exec "$HA" "$MRC_PROGS/mrc_turns" --family "$@" \
		"$(addr_b 0)" "$MRC_PORT"
	client=$BG_PID
	wait_pid "$client" 60
	check "the client ends well" [ "$?" -eq 0 ]
	wait_pid "$server" 10
	check "the server ends well" [ "$?" -eq 0 ]
	[ "$KSFT_BAD" -eq 0 ] || {
		cat "$log" "$log.server"
		return 1
	}
	echo "$*: $(<"$log")"
	TURNS_US=$(xfer_value "$log" us)
	LONGEST_US=$(xfer_value "$log" longest_us)
}

# turns ARGS...: no more than twice the time that TCP needs, and half a second
# in which a busy guest may have done other things.
turns()
{
	local tcp longest

	run_turns tcp "$@" || return 1
	tcp=$TURNS_US longest=$LONGEST_US
	run_turns mrc "$@" || return 1
	check_num "us of all turns" "$TURNS_US" '<=' $((2 * tcp + 500000))
	check_num "us of the longest turn" "$LONGEST_US" '<=' \
		$((2 * longest + 500000))
}

small_ones()
{
	turns --size 64 --turns 150
}

large_ones()
{
	turns --size 50000 --turns 30
}

spinning_ones()
{
	turns --size 1000 --turns 50 --spin
}

mrc_require
[ -x "$MRC_PROGS/mrc_turns" ] || ksft_skip_all "mrc_turns is not built"
ksft_begin
topo_switched 4 || ksft_skip_all "cannot build the topology"
mrc_configure || ksft_skip_all "cannot configure the paths"
for k in 0 1 2 3; do
	shape "$k" 50mbit 1ms 400 loss 2% || ksft_skip_all "cannot shape"
done
ksft_run "small questions" small_ones
ksft_run "large questions" large_ones
ksft_run "ends that never sleep" spinning_ones
ksft_end
