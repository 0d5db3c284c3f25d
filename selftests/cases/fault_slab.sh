#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# One allocation in a hundred fails while connections come and go, transfers
# run over four paths, endpoints change and listings are read: each operation
# works or says that it did not, nothing hangs, nothing stays behind. Needs a
# kernel with failslab (the debug kernel).

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

FAILSLAB=/sys/kernel/debug/failslab
SECONDS_OF_LOAD=${SECONDS_OF_LOAD:-20}

# What the module allocates from caches: its own, and those of skbs.
caches()
{
	local cache

	for cache in /sys/kernel/slab/*; do
		case ${cache##*/} in
		mrc* | MRC* | skbuff_head_cache | skbuff_fclone_cache)
			echo "$cache"
			;;
		esac
	done
}

set_failslab()
{
	echo "$2" >"$FAILSLAB/$1"
}

# Percentage PROBABILITY for the marked caches, in every context; or, with the
# word "task", for all that marked processes allocate.
faults_on()
{
	local cache

	set_failslab verbose 0
	set_failslab interval 1
	set_failslab times -1
	set_failslab ignore-gfp-wait N
	if [ "${2:-}" = task ]; then
		set_failslab task-filter Y
		set_failslab cache-filter N
	else
		for cache in $(caches); do
			echo 1 >"$cache/failslab"
		done
		set_failslab task-filter N
		set_failslab cache-filter Y
	fi
	set_failslab probability "$1"
}

faults_off()
{
	set_failslab probability 0
}

# churn SIDE ARGS...: in the background, CHURN is its pid.
churn()
{
	local side=$1

	shift
	bg "$KSFT_TMP/churn-$side.log" "on_$side" "$MRC_PROGS/mrc_churn" \
		--port 5400 --patience 150 "$@"
	CHURN=$BG_PID
}

# Changes and listings as long as the process PID lives; failures are fine.
disturb()
{
	local k=0

	while kill -0 "$1" 2>/dev/null; do
		on_a mrcctl endpoint del "$(addr_a $((k % 4)))"
		on_a mrcctl -j conn show >"$KSFT_TMP/list"
		on_b mrcctl -j path show >"$KSFT_TMP/list"
		on_a mrcctl endpoint add "$(addr_a $((k % 4)))" \
			dev "a$((k % 4))"
		on_b mrcctl stats >"$KSFT_TMP/list"
		k=$((k + 1))
	done 2>/dev/null
	echo "disturbed $k times"
	[ "$k" -gt 0 ]
}

show_churn()
{
	sed 's/^/client: /' "$KSFT_TMP/churn-a.log"
	sed 's/^/server: /' "$KSFT_TMP/churn-b.log"
	check_num "connections hung" \
		"$(grep -c ^hung: "$KSFT_TMP/churn-a.log")" == 0
	check_num "connections opened" "$(sed -n \
		's/^opened \([0-9]*\) .*/\1/p' "$KSFT_TMP/churn-a.log")" '>' 0
}

# under_faults PERCENT [task]
under_faults()
{
	local client server mark=()

	[ "${2:-}" != task ] || mark=(--fail)
	churn b --seconds $((SECONDS_OF_LOAD + 5)) "${mark[@]}"
	server=$CHURN
	wait_log "$KSFT_TMP/churn-b.log" '^ready' 20 || return 1
	defer faults_off
	faults_on "$@"
	churn a --connect "$(addr_b 0)" --seconds "$SECONDS_OF_LOAD" \
		"${mark[@]}"
	client=$CHURN
	check "disturbances" disturb "$client"
	check "client ends" wait_pid "$client" 200
	faults_off
	check "server ends" wait_pid "$server" 200
	show_churn
	check "no connection is left" wait_until 120 mrc_idle
}

# A transfer either ends whole or with an error that both sides see.
transfer_under_faults()
{
	local side

	xfer_server "$KSFT_TMP/server.log" --expect 4M --timeout 60 || return 1
	defer faults_off
	faults_on 1
	xfer_client "$KSFT_TMP/client.log" --connect "$(addr_b 0)" --bytes 4M \
		--timeout 60
	for side in "$XFER_CLIENT" "$XFER_SERVER"; do
		wait_pid "$side" 70
		check_num "status, not wrong data, not hung" $? '<=' 1
	done
	faults_off
	fetch_log "$KSFT_TMP/client.log" 5
	fetch_log "$KSFT_TMP/server.log" 5
	check_num "wrong bytes" "$(grep -ci 'differs\|mismatch' \
		"$KSFT_TMP/server.log")" == 0
}

unload()
{
	rmmod mrc 2>/dev/null
}

# A load that fails half-way gives back all it had.
loads_under_faults()
{
	local i failed=0

	check "no socket is left" wait_until 60 unload || return 1
	defer faults_off
	faults_on 2 task
	for ((i = 0; i < 25; i++)); do
		# shellcheck disable=SC2016
		sh -c 'echo 1 >/proc/self/make-it-fail && insmod "$1"' sh \
			"$MODULE" 2>/dev/null || failed=$((failed + 1))
		[ ! -d /sys/module/mrc ] || check "unload" wait_until 30 unload
	done
	faults_off
	echo "$failed of $i loads failed"
	check_num "loads failed" "$failed" '>' 0
	check "loads again" insmod "$MODULE"
}

still_works()
{
	mrc_configure
	xfer_pair 60 --expect 4M -- --connect "$(addr_b 0)" --bytes 4M
}

[ -d "$FAILSLAB" ] || ksft_skip_all "this kernel has no failslab"
mrc_require
[ "$MRC_FAMILY" = mrc ] || ksft_skip_all "only for the family mrc"
ksft_begin
MODULE=${MRC_MODULE:-$(cat "${RESULTS:-/nonexistent}/.vm/module" 2>/dev/null)}
topo_direct 4 || ksft_skip_all "cannot build the topology"
for k in 0 1 2 3; do
	shape "$k" 50mbit 1ms 200
done
mrc_configure || ksft_result FAIL "configuration"
ksft_run "connections, skbs and paths" under_faults 1
ksft_run "a transfer over four paths" transfer_under_faults
ksft_run "everything that system calls allocate" under_faults 1 task
[ -z "$MODULE" ] || ksft_run "loading the module" loads_under_faults
ksft_run "works without faults" still_works
ksft_end
