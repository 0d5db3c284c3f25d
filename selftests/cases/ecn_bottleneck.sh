#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 180
#
# A bottleneck that marks instead of dropping: the sender must keep it busy,
# must not make it drop, and must show the marks it was told of.

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

RATE=40 DELAY=2ms
# The processors of a slow guest must not be the bottleneck; then the delay
# keeps the path longer than the smallest window.
[ "${MRC_SCALE:-1}" -eq 1 ] || RATE=3 DELAY=20ms

# A machine with nothing else to do fills the path to 90 percent and more; the
# bar here is TCP in the same minute.

# Marks that the sender has been told of, over all paths of host A.
marks_shown()
{
	[ "$(mrc_path_sum a ce_packets)" -gt 0 ]
}

# What TCP with ECN makes of the same bottleneck, into TCP.
measure_tcp()
{
	local MRC_FAMILY=tcp

	xfer_pair 60 -- --connect "$(addr_b 0)" --seconds 5 || return 1
	TCP=$(xfer_value "$KSFT_TMP/server.log" recv_mbps)
}

# bottleneck KIND: one transfer of ten seconds through it.
bottleneck()
{
	local drops marks

	ecn 0 "${RATE}mbit" "$DELAY" "$1" || return 1
	measure_tcp || return 1
	drops=$(path_drops 0)
	marks=$(path_marks 0)
	xfer_server "$KSFT_TMP/server.log" --timeout 60 || return 1
	xfer_client "$KSFT_TMP/client.log" --timeout 60 \
		--connect "$(addr_b 0)" --seconds 10
	if [ "$MRC_FAMILY" = mrc ]; then
		check "path show tells of CE" wait_until 10 marks_shown
		mrc_json a path show | jq -c '.[] | {path, state, srtt_us, cwnd,
			sent_packets, ce_packets, lost_packets}'
	fi
	xfer_join 65 "$KSFT_TMP/server.log" "$KSFT_TMP/client.log"
	check_num "packets dropped at the bottleneck" \
		$(($(path_drops 0) - drops)) == 0
	check_num "packets marked at the bottleneck" \
		$(($(path_marks 0) - marks)) '>' 0
	check_num "goodput, Mbit/s of $TOPO_RATE, at least 3/4 of TCP's $TCP" \
		"$(xfer_value "$KSFT_TMP/server.log" recv_mbps)" '>=' \
		"$(awk -v tcp="$TCP" 'BEGIN { print tcp * 0.75 }')"
}

counters_agree()
{
	mrc_only || return
	check_num "CE packets counted by the receiver" \
		"$(mrc_stat b RxCePackets)" '>' 0
}

mrc_require
ksft_begin
topo_switched 1 || ksft_skip_all "cannot build the topology"
on_a sysctl -q net.ipv4.tcp_ecn=1
on_b sysctl -q net.ipv4.tcp_ecn=1
mrc_configure || ksft_result FAIL "configuration"
ksft_run "red marks" bottleneck red
ksft_run "fq_codel marks" bottleneck fq_codel
ksft_run "the receiver counted them" counters_agree
ksft_end
