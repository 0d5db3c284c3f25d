#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 420
#
# Paths that fall silent, lose their carrier, work in one direction only or
# come back, under a running transfer. The stream must stay right; delivery
# must go on; the states shown must be true.

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

# Longest gap in delivery that is still not a stall, milliseconds. The aim is
# much lower; this must hold on a slow emulated machine.
GAP=$(stretched 1500)

path_state()
{
	mrc_json "$1" path show |
		jq -r --arg local "$(addr_"$1" "$2")" \
		'[.[] | select(.local | startswith($local + ":"))] |
		last | .state'
}

state_is()
{
	[ "$(path_state "$1" "$2")" = "$3" ]
}

# start: a transfer from A to B that goes on until finish, all paths at work.
start()
{
	topo_mend 12mbit 1ms 60 || return 1
	xfer_server "$KSFT_TMP/server.log" --timeout 150 || return 1
	xfer_client "$KSFT_TMP/client.log" --timeout 150 \
		--connect "$(addr_b 0)" --seconds "$(stretched 140)"
	[ "$MRC_FAMILY" = mrc ] || {
		wait_moving 1 200000
		return
	}
	check "all paths are good" wait_until 10 mrc_all_good a
}

# wait_moving K BYTES [SECONDS]: path K delivers that much from now on.
wait_moving()
{
	local goal=$(($(dev_bytes b "$1" rx) + $2))

	check "path $1 carries data" wait_until "${3:-15}" reached "$1" "$goal"
}

reached()
{
	[ "$(dev_bytes b "$1" rx)" -ge "$2" ]
}

finish()
{
	kill -USR1 "$XFER_CLIENT"
	xfer_join 60 "$KSFT_TMP/server.log" "$KSFT_TMP/client.log"
	check_num "bytes sent and received differ by" \
		$(($(xfer_value "$KSFT_TMP/client.log" sent) - \
		   $(xfer_value "$KSFT_TMP/server.log" received))) == 0
	[ "${1:-gap}" = nogap ] && return
	check_num "longest gap in delivery, ms" \
		"$(xfer_value "$KSFT_TMP/server.log" gap_ms)" '<' "$GAP"
}

# The state is ours to show; the bytes prove it for every family.
expect_state()
{
	[ "$MRC_FAMILY" = mrc ] || return 0
	check "path $1 becomes $2" wait_until "${3:-10}" state_is a "$1" "$2" ||
		mrc_json a path show | jq -c '.[] | {path, local, state}'
}

blackhole()
{
	start || return 1
	path_cut 1 "$1"
	expect_state 1 assumed-bad
	wait_moving 2 500000
	path_heal 1
	expect_state 1 good 15
	wait_moving 1 200000
	finish
}

carrier()
{
	start || return 1
	path_down 1
	expect_state 1 assumed-bad
	wait_moving 2 500000
	path_up 1
	expect_state 1 good 15
	wait_moving 1 200000
	finish
}

# Acknowledgments may take any path, so that this path may live on.
answers_lost()
{
	start || return 1
	path_cut 1 ba
	wait_moving 2 500000
	path_heal 1
	wait_moving 1 200000
	finish
}

# The path of connect() is a path like any other.
first_path()
{
	start || return 1
	path_cut 0
	expect_state 0 assumed-bad
	wait_moving 1 500000
	finish
	path_heal 0
}

all_but_one()
{
	local k

	start || return 1
	for ((k = 0; k < TOPO_N - 1; k++)); do
		path_cut "$k"
	done
	wait_moving $((TOPO_N - 1)) 500000 30
	for ((k = 0; k < TOPO_N - 1; k++)); do
		path_heal "$k"
	done
	expect_state 0 good 20
	finish
}

# Nothing works for a while: the connection waits and goes on.
all_paths()
{
	local k before

	start || return 1
	for ((k = 0; k < TOPO_N; k++)); do
		path_cut "$k"
	done
	wait_clock
	before=$NOW_MS
	check "nothing arrives any more" wait_until 10 silent
	check "three seconds pass" wait_until 5 passed $((before + 3000))
	for ((k = 0; k < TOPO_N; k++)); do
		path_heal "$k"
	done
	wait_moving 1 200000 60
	finish nogap
}

silent()
{
	local now

	now=$(dev_bytes b 1 rx)
	[ "$now" = "$LAST_SEEN" ] && return 0
	LAST_SEEN=$now
	return 1
}

passed()
{
	wait_clock
	[ "$NOW_MS" -ge "$1" ]
}

flapping()
{
	local i

	start || return 1
	for ((i = 0; i < 5; i++)); do
		path_cut 1
		wait_moving 2 200000
		path_heal 1
		wait_moving 3 200000
		path_down 2
		wait_moving 3 200000
		path_up 2
	done
	finish
	expect_gone
}

expect_gone()
{
	[ "$MRC_FAMILY" = mrc ] || return 0
	check "connections end" wait_until 20 mrc_idle
}

mrc_require
[ "$MRC_FAMILY" != tcp ] || ksft_skip_all "needs more than one path"
ksft_begin
topo_switched 4 || ksft_skip_all "cannot build the topology"
mrc_configure || ksft_result FAIL "configuration"
ksft_run "a path falls silent and comes back" blackhole both
ksft_run "a path loses only data" blackhole ab
ksft_run "a path loses only answers" answers_lost
ksft_run "a device goes down and up" carrier
ksft_run "the first path falls silent" first_path
ksft_run "all paths but one fall silent" all_but_one
ksft_run "all paths fall silent for three seconds" all_paths
ksft_run "paths flap" flapping
ksft_end
