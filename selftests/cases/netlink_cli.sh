#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# Every verb of mrcctl, as text and as JSON, and every refusal: 0 done, 1 the
# kernel refused, 2 wrong words; the message names the word at fault.

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

A()
{
	on_a mrcctl "$@"
}

# refused STATUS WORD ARGS...: mrcctl ARGS ends with STATUS, prints nothing on
# stdout, and WORD on stderr.
refused()
{
	local status=$1
	local word=$2
	local rc

	shift 2
	A "$@" >"$KSFT_TMP/out" 2>"$KSFT_TMP/err"
	rc=$?
	[ "$rc" -eq "$status" ] ||
		ksft_fail "mrcctl $*: status $rc, expected $status"
	[ ! -s "$KSFT_TMP/out" ] ||
		ksft_fail "mrcctl $*: stdout $(cat "$KSFT_TMP/out")"
	grep -qF -- "$word" "$KSFT_TMP/err" ||
		ksft_fail "mrcctl $*: '$word' not in: $(cat "$KSFT_TMP/err")"
}

endpoints()
{
	A -j endpoint show | jq -r '.[].address' | sort | tr '\n' ' '
}

endpoint_verbs()
{
	check_num "none at first" "$(A -j endpoint show | jq length)" == 0
	check "add" A endpoint add 10.9.0.1 dev a0
	check "add with flags" A endpoint add 10.9.1.1 dev a1 initiate backup
	check "add without device" A endpoint add 10.9.2.1 announce
	check "all are shown" [ "$(endpoints)" = "10.9.0.1 10.9.1.1 10.9.2.1 " ]
	A endpoint show
	check "text names the address" grep -q 10.9.1.1 <(A endpoint show)
	check "text names the device" grep -q a1 <(A endpoint show)
	check "text names the flag" grep -q backup <(A endpoint show)
	check "default flags" [ "$(A -j endpoint show | jq -c '.[] |
		select(.address == "10.9.0.1") | .flags | sort')" = \
		'["announce","initiate"]' ]
	check "given flags" [ "$(A -j endpoint show | jq -c '.[] |
		select(.address == "10.9.1.1") | .flags | sort')" = \
		'["backup","initiate"]' ]
	check "del" A endpoint del 10.9.1.1
	check "one is gone" [ "$(endpoints)" = "10.9.0.1 10.9.2.1 " ]
	check "flush" A endpoint flush
	check_num "none at last" "$(A -j endpoint show | jq length)" == 0
	check_num "the other host has its own" \
		"$(on_b mrcctl -j endpoint show | jq length)" == 0
}

endpoint_refusals()
{
	A endpoint add 10.9.0.1 dev a0
	refused 1 10.9.0.1 endpoint add 10.9.0.1 dev a0
	refused 1 10.9.1.1 endpoint del 10.9.1.1
	refused 1 nodev endpoint add 10.9.1.1 dev nodev
	refused 1 192.0.2.9 endpoint add 192.0.2.9
	refused 1 224.0.0.1 endpoint add 224.0.0.1
	refused 1 0.0.0.0 endpoint add 0.0.0.0
	refused 2 10.9.0 endpoint add 10.9.0
	refused 2 nonsense endpoint add nonsense
	refused 2 bogus endpoint add 10.9.1.1 bogus
	refused 2 dev endpoint add 10.9.1.1 dev
	refused 2 averyveryverylongname endpoint add 10.9.1.1 \
		dev averyveryverylongname
	refused 2 frobnicate endpoint frobnicate
	refused 2 add endpoint add
	refused 2 extra endpoint flush extra
	A endpoint flush
}

limits()
{
	local paths

	paths=$(A -j limits | jq .max_paths)
	check_num "max_paths" "$paths" '>=' 1
	check "set" A limits set max_paths 3
	check_num "changed" "$(A -j limits | jq .max_paths)" == 3
	check_num "the other host has its own" \
		"$(on_b mrcctl -j limits | jq .max_paths)" == "$paths"
	refused 1 0 limits set max_paths 0
	refused 1 65 limits set max_paths 65
	refused 1 17 limits set max_announced 17
	refused 2 x limits set max_paths x
	refused 2 nonsense limits set nonsense 3
	refused 2 max_paths limits set max_paths
	check_num "unchanged" "$(A -j limits | jq .max_paths)" == 3
	A limits
	A limits set max_paths "$paths"
}

# headings OBJECT: the first line of an empty list, and no other.
headings()
{
	A "$1" show > "$KSFT_TMP/out"
	cat "$KSFT_TMP/out"
	check_num "$1 show: lines" "$(wc -l < "$KSFT_TMP/out")" == 1
	check "$1 show: $2" grep -q "^$2" "$KSFT_TMP/out"
	check_num "$1 show: JSON" "$(A -j "$1" show | jq length)" == 0
}

nothing_to_show()
{
	A endpoint flush
	headings endpoint 'ADDRESS  DEV'
	headings conn 'CONN  TYPE'
	headings path 'CONN  PATH'
	refused 1 99999 conn show conn 99999
	refused 1 99999 path show conn 99999
	A -j path show conn 99999 2>"$KSFT_TMP/err"
	check "JSON, too" jq -e '.word == "99999" and .status == 1' \
		"$KSFT_TMP/err"
}

# shown_type JQ-SELECTION TYPE: on host B.
shown_type()
{
	check "a $2 is one: $1" [ "$(on_b mrcctl -j conn show |
		jq -r "[.[] | select($1) | .type] | unique | .[]")" = "$2" ]
}

shows()
{
	mrc_configure || return 1
	xfer_server "$KSFT_TMP/server.log" || return 1
	check_num "a listener is shown" "$(on_b mrcctl -j conn show |
		jq '[.[] | select(.state == "listen")] | length')" == 1
	shown_type '.state == "listen"' stream
	xfer_client "$KSFT_TMP/client.log" --connect "$(addr_b 0)" \
		--seconds "$(stretched 60)"
	check "three paths" wait_until 15 mrc_paths_are a 3
	shown_type '.state == "established"' stream
	check "text shows the type" grep -q ' stream  *established ' \
		<(A conn show)
	check_num "connection" "$(A -j conn show | jq '[.[] |
		select(.state == "established" and .paths == 3)] | length')" \
		== 1
	A conn show
	A path show
	A -j path show | jq -c '.[]'
	check_num "paths with every field" "$(A -j path show |
		jq '[.[] | select(has("conn") and has("path") and has("state") and
		has("local") and has("remote") and has("srtt_us") and
		has("cwnd") and has("pacing_rate") and has("inflight") and
		has("sent_packets") and has("sent_bytes") and
		has("acked_bytes") and has("lost_packets") and
		has("retransmitted_packets") and has("ce_packets") and
		has("rx_packets") and has("rx_ce_packets") and has("mss"))] |
		length')" == 3
	check "text has a line for each path" \
		[ "$(A path show | grep -c 'good')" -ge 3 ]
	check_num "stats: packets sent" "$(mrc_stat a TxPackets)" '>' 0
	check "stats as text" grep -q TxPackets <(A stats)
	A endpoint flush
	on_b mrcctl endpoint flush
}

messages()
{
	bg "$KSFT_TMP/seqpacket.log" ip netns exec "$HB" /usr/bin/python3 -c '
from signal import pause
from socket import *
fd = socket(22, SOCK_SEQPACKET).detach()
s = socket(AF_INET, SOCK_SEQPACKET, fileno=fd)
s.bind(("10.9.0.2", 5399))
s.listen()
pause()'
	check "it listens" wait_until 20 mrc_listens b 5399
	shown_type '.local == "10.9.0.2:5399"' seqpacket
	check "as text" grep -q ' seqpacket  *listen ' <(on_b mrcctl conn show)
}

monitor()
{
	bg "$KSFT_TMP/monitor.log" ip netns exec "$HA" mrcctl -j monitor
	bg "$KSFT_TMP/monitor.txt" ip netns exec "$HA" mrcctl monitor
	check "the monitors listen" wait_until 10 subscribed
	mrc_configure || return 1
	xfer_pair 60 --expect 1M -- --connect "$(addr_b 0)" --bytes 1M
	check "a connection event" wait_log "$KSFT_TMP/monitor.log" \
		established 10
	check "a path event" wait_log "$KSFT_TMP/monitor.log" good 10
	check "text, too" wait_log "$KSFT_TMP/monitor.txt" established 10
	check "every line is JSON" jq -e . "$KSFT_TMP/monitor.log"
	A endpoint flush
	on_b mrcctl endpoint flush
}

# Two generic netlink sockets of host A are members of a group.
subscribed()
{
	[ "$(on_a cat /proc/net/netlink |
		awk '$2 == 16 && $4 != "00000000"' | wc -l)" -ge 2 ]
}

words()
{
	check "help" A help
	check "help of one object" A help endpoint
	check "version" A version
	refused 2 nonsense nonsense
	refused 2 -Q -Q stats
	refused 2 extra stats extra
	refused 2 frobnicate path frobnicate
	A >"$KSFT_TMP/out" 2>&1
	check_status "no words is a usage error" 2 A 2>/dev/null
	check "words are not abbreviated" refused 2 endp endp show
}

as_nobody()
{
	on_a setpriv --reuid 65534 --regid 65534 --clear-groups \
		--inh-caps=-all mrcctl "$@"
}

unprivileged()
{
	local verb

	for verb in "endpoint add 10.9.0.1" "endpoint del 10.9.0.1" \
		"endpoint flush" "limits set max_paths 2"; do
		# shellcheck disable=SC2086
		as_nobody $verb >"$KSFT_TMP/out" 2>&1
		check "nobody may not: $verb" [ $? -eq 1 ]
		grep -qi 'administrator' "$KSFT_TMP/out" ||
			ksft_fail "message: $(cat "$KSFT_TMP/out")"
	done
	check "nobody may look" as_nobody stats
	check "nobody may look" as_nobody endpoint show
	check "and at limits" as_nobody limits
}

mrc_require setpriv
[ "$MRC_FAMILY" = mrc ] || ksft_skip_all "only for the family mrc"
ksft_begin
topo_direct 3 || ksft_skip_all "cannot build the topology"
ksft_run "endpoint add, show, del, flush" endpoint_verbs
ksft_run "endpoint refusals" endpoint_refusals
ksft_run "limits" limits
ksft_run "nothing to show" nothing_to_show
ksft_run "conn show, path show, stats" shows
ksft_run "a listener of SOCK_SEQPACKET" messages
ksft_run "monitor" monitor
ksft_run "wrong words" words
ksft_run "an unprivileged user" unprivileged
ksft_end
