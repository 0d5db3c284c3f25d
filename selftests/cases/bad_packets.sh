#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 420
#
# A hundred thousand malformed, truncated, replayed, altered and random packets
# to the MRC port of both hosts, seeded, while a transfer runs. The transfer
# must not notice, the counters must.

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

PACKETS=${PACKETS:-$(scaled 50000)}
COUNTERS="RxShort RxVersion RxType RxLength RxValue RxChecksum RxUnknownConn
	CookieBad RxDupPackets"

snapshot()
{
	mrc_json "$1" stats > "$KSFT_TMP/stats-$1-$2"
}

rise()
{
	jq -n --arg n "$2" --slurpfile x "$KSFT_TMP/stats-$1-before" \
		--slurpfile y "$KSFT_TMP/stats-$1-after" \
		'$y[0][$n] - $x[0][$n]'
}

# noise SIDE DEVICE SEED: in the background; NOISE is its pid.
noise()
{
	bg "$KSFT_TMP/noise-$1.log" "on_$1" "$MRC_PROGS/mrc_noise" --dev "$2" \
		--port "$UDP_PORT" --seed "$3" --count "$PACKETS" \
		--rate 2500 --patience 60
	NOISE=$BG_PID
	wait_log "$KSFT_TMP/noise-$1.log" '^ready' 10
}

# What both directions at once make without noise, A to B.
quiet_rate()
{
	xfer_pair 60 --direction both --seconds 4 -- --connect "$(addr_b 0)" \
		--direction both --seconds 4 >&2
	xfer_value "$KSFT_TMP/server.log" recv_mbps
}

under_noise()
{
	local a b name rate

	rate=$(quiet_rate)
	snapshot a before
	snapshot b before
	noise a a0 101 || return 1
	a=$NOISE
	noise b b0 202 || return 1
	b=$NOISE
	xfer_both "$(stretched 200)" 250 || return 1
	check "noise of host A" wait_pid "$a" 150
	check "noise of host B" wait_pid "$b" 150
	xfer_end
	snapshot a after
	snapshot b after
	sed 's/^/noise a: /' "$KSFT_TMP/noise-a.log"
	sed 's/^/noise b: /' "$KSFT_TMP/noise-b.log"
	# The noise takes its part of the path; this is no more than a sign of
	# life.
	check_num "Mbit/s under noise, a tenth of the $rate without" \
		"$(xfer_value "$KSFT_TMP/server.log" recv_mbps)" '>=' \
		"$(awk -v rate="$rate" 'BEGIN { print rate / 10 }')"
	for name in $COUNTERS; do
		echo "$name: A $(rise a "$name"), B $(rise b "$name")"
	done
}

counted()
{
	local name

	for name in RxShort RxVersion RxType RxValue RxChecksum \
		RxUnknownConn; do
		check_num "$name of host B" "$(rise b "$name")" '>' 0
	done
}

# Strangers must not make the host send much.
answers_limited()
{
	local sent

	sent=$(jq -n --slurpfile x "$KSFT_TMP/stats-b-before" \
		--slurpfile y "$KSFT_TMP/stats-b-after" \
		'($y[0].RateLimited - $x[0].RateLimited)')
	echo "answers held back: $sent"
	check_num "connections left on host B" "$(mrc_conn_count b)" == 0
}

still_works()
{
	xfer_pair 60 --expect 8M -- --connect "$(addr_b 0)" --bytes 8M
}

mrc_require
[ "$MRC_FAMILY" = mrc ] || ksft_skip_all "only for the family mrc"
ksft_begin
topo_switched 2 || ksft_skip_all "cannot build the topology"
shape 0 50mbit 1ms 150
shape 1 50mbit 1ms 150
mrc_configure || ksft_result FAIL "configuration"
UDP_PORT=$(on_a sysctl -n net.mrc.udp_port)
ksft_run "$((2 * PACKETS)) bad packets beside a transfer" under_noise
ksft_run "counters rose" counted
ksft_run "no connection is left" answers_limited
ksft_run "a new connection works" still_works
ksft_end
