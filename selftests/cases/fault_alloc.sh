#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 420
# kernel: debug
#
# Allocations fail: each one of every operation in turn, then one in a hundred
# of all that have the module on the stack, while connections come and go,
# transfers run over four paths, endpoints change, listings are read and
# namespaces are made. Everything works or says that it did not; nothing hangs and nothing stays
# behind. Needs a kernel with
# failslab and its filter by stack (the debug kernel).

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

DEBUGFS=/sys/kernel/debug
SECONDS_OF_LOAD=${SECONDS_OF_LOAD:-20}
# Where x86-64 has its modules (Documentation/x86/x86_64/mm.rst); on the debug
# kernel there is no other one than ours.
MODULES_FROM=0xffffffffa0000000
MODULES_TO=0xffffffffff000000
# More than can be used up; what is gone of it was injected.
TIMES=1000000000

set_both()
{
	echo "$2" >"$DEBUGFS/failslab/$1"
	echo "$2" >"$DEBUGFS/fail_page_alloc/$1"
}

# Allocations that may sleep fail, too, and single pages.
configure_faults()
{
	set_both verbose 0
	set_both interval 1
	set_both probability 0
	set_both ignore-gfp-wait N
	echo 0 >"$DEBUGFS/fail_page_alloc/min-order"
}

# faults_on PERCENT: of what is allocated below the module.
faults_on()
{
	set_both stacktrace-depth 32
	set_both require-start "$MODULES_FROM"
	set_both require-end "$MODULES_TO"
	set_both times "$TIMES"
	defer faults_off
	set_both probability "$1"
}

faults_off()
{
	set_both probability 0
	set_both require-start 0
	set_both require-end 0xffffffffffffffff
	set_both times -1
}

injected()
{
	echo $((2 * TIMES - $(cat "$DEBUGFS/failslab/times") - \
		$(cat "$DEBUGFS/fail_page_alloc/times")))
}

each_in_turn()
{
	local host

	host=mrc$(printf '%04x' $((SRANDOM % 65536)))
	topo_netns "$host" || return 1
	ip -n "$host" addr add 10.9.0.1/32 dev lo
	ksft_program nth ip netns exec "$host" "$MRC_PROGS/mrc_failnth"
}

# churn SIDE ARGS...: in the background, CHURN is its pid.
churn()
{
	local side=$1

	shift
	bg "$KSFT_TMP/churn-$side.log" "on_$side" "$MRC_PROGS/mrc_churn" \
		--port 5400 --patience "$(stretched 40)" "$@"
	CHURN=$BG_PID
}

show_churn()
{
	sed 's/^/client: /' "$KSFT_TMP/churn-a.log"
	sed 's/^/server: /' "$KSFT_TMP/churn-b.log"
	check_num "connections hung" \
		"$(cat "$KSFT_TMP"/churn-?.log | grep -c ^hung:)" == 0
	check_num "connections opened" "$(sed -n \
		's/^opened \([0-9]*\) .*/\1/p' "$KSFT_TMP/churn-a.log")" '>' 20
}

connections_come_and_go()
{
	local server client

	churn b --seconds $((SECONDS_OF_LOAD + 5))
	server=$CHURN
	wait_log "$KSFT_TMP/churn-b.log" '^ready' 20 || return 1
	faults_on 2
	churn a --connect "$(addr_b 0)" --seconds "$SECONDS_OF_LOAD"
	client=$CHURN
	check "client ends" wait_pid "$client" "$(stretched 60)"
	check_num "allocations that failed" "$(injected)" '>' 50
	faults_off
	check "server ends" wait_pid "$server" "$(stretched 60)"
	show_churn
	check "nothing is left" wait_until "$(stretched 20)" mrc_idle
}

# Changes and listings; failures are fine.
disturb()
{
	local k=$((SRANDOM % 4))

	on_a mrcctl endpoint del "$(addr_a "$k")"
	on_a mrcctl -j conn show
	on_b mrcctl -j path show
	on_b mrcctl limits set max_paths $((4 + k))
	on_a mrcctl endpoint add "$(addr_a "$k")" dev "a$k"
	on_b mrcctl stats
} >"$KSFT_TMP/list" 2>&1

transfers_go_on()
{
	local i=0 before end

	xfer_both 300 320 || return 1
	check "data flows" wait_until 20 received_more_than 100000
	before=$(received)
	faults_on 1
	end=$((SECONDS + SECONDS_OF_LOAD))
	while [ "$SECONDS" -lt "$end" ]; do
		# Not for something to happen: this is how long faults last.
		"${1:-sleep}" 1
		i=$((i + 1))
	done
	echo "$i rounds of ${1:-nothing}"
	check_num "allocations that failed" "$(injected)" '>' 20
	faults_off
	check_num "bytes that came meanwhile" $(($(received) - before)) \
		'>' 100000
	check "data flows on" wait_until 20 \
		received_more_than $(($(received) + 100000))
	xfer_end
}

# When memory is back, so is everything else.
all_is_well()
{
	on_a mrcctl endpoint flush
	on_b mrcctl endpoint flush
	check "endpoints" mrc_configure || return 1
	xfer_server "$KSFT_TMP/server.log" --timeout 60 --seconds 50 || return 1
	xfer_client "$KSFT_TMP/client.log" --timeout 60 --seconds 50 \
		--connect "$(addr_b 0)"
	check "four paths" wait_until 20 mrc_paths_are a 4
	kill -USR1 "$XFER_CLIENT" "$XFER_SERVER"
	xfer_join 60 "$KSFT_TMP/server.log" "$KSFT_TMP/client.log"
}

# A namespace comes whole or not at all.
namespaces()
{
	local i made=0

	faults_on 5
	for ((i = 0; i < 40; i++)); do
		unshare --net mrcctl endpoint show >"$KSFT_TMP/list" 2>&1 &&
			made=$((made + 1))
	done
	check_num "allocations that failed" "$(injected)" '>' 2
	faults_off
	check_num "namespaces made of 40" "$made" '>' 0
	check "another one" unshare --net mrcctl endpoint show
}

mrc_require
[ -e "$DEBUGFS/failslab/require-start" ] ||
	ksft_skip_all "this kernel injects no faults by stack"
ksft_begin
configure_faults
each_in_turn
topo_switched 4 || ksft_skip_all "cannot build the topology"
mrc_configure || ksft_result FAIL "configuration"
topo_mend 20mbit 1ms 100
ksft_run "connections come and go" connections_come_and_go
ksft_run "transfers go on" transfers_go_on
ksft_run "transfers, changes and listings" transfers_go_on disturb
ksft_run "works as before" all_is_well
ksft_run "namespaces are made" namespaces
ksft_end
