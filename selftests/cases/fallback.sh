#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 600
#
# Falling back to TCP: on one host, to a host without AF_MRC that says so or
# that is silent, and from TCP clients.

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

# program NAME [VARIABLE=VALUE...]: its tests are ours.
program()
{
	ksft_program "$1" on_a env "${@:2}" "$MRC_PROGS/mrc_$1"
}

# peer_program NAME REASON LEAST MOST: with host B as the other host.
peer_program()
{
	program "$1" "MRC_PEER4=$(addr_b 0)" "MRC_PEER6=$(addr6_b 0)" \
		MRC_PEER_PORT=7001 "MRC_PEER_REASON=$2" "MRC_PEER_LEAST=$3" \
		"MRC_PEER_MOST=$(stretched "$4")"
}

# Servers of plain TCP that send back what they get.
echo_servers()
{
	bg "$KSFT_TMP/echo4.log" ip netns exec "$HB" socat -d -d \
		TCP4-LISTEN:7001,fork,reuseaddr PIPE
	bg "$KSFT_TMP/echo6.log" ip netns exec "$HB" socat -d -d \
		TCP6-LISTEN:7001,fork,reuseaddr,ipv6only=1 PIPE
	wait_log "$KSFT_TMP/echo4.log" 'listening on' 20 &&
	wait_log "$KSFT_TMP/echo6.log" 'listening on' 20
}

# Something else has the UDP port on host B, and says nothing.
silence()
{
	bg "$KSFT_TMP/sink4.log" ip netns exec "$HB" socat -d -d -u \
		"UDP4-RECV:$UDP_PORT" OPEN:/dev/null
	SINK4=$BG_PID
	bg "$KSFT_TMP/sink6.log" ip netns exec "$HB" socat -d -d -u \
		"UDP6-RECV:$UDP_PORT,ipv6only=1" OPEN:/dev/null
	SINK6=$BG_PID
	wait_until 20 sinks_open
}

sinks_open()
{
	[ "$(on_b ss -Hlun "sport = :$UDP_PORT" | grep -c .)" = 2 ]
}

unsilence()
{
	defer_end_pid "$SINK4"
	defer_end_pid "$SINK6"
}

remember()
{
	on_a sysctl -q "net.mrc.fallback_memory=$1"
}

# reason_is PORT REASON: of a connection from host A to host B.
reason_is()
{
	[ "$(on_a "$MRC_PROGS/mrc_reason" "$(addr_b 0)" "$1")" = "$2" ]
}

counted()
{
	check_num "FallbackRefused" "$(mrc_stat a FallbackRefused)" '>' 50
	check_num "FallbackUnreachable" "$(mrc_stat a FallbackUnreachable)" \
		'>' 0
	check_num "FallbackSilent" "$(mrc_stat a FallbackSilent)" '>' 5
	check_num "FallbackRemembered" "$(mrc_stat a FallbackRemembered)" \
		'>=' 4
	check_num "FallbackAccepted" "$(mrc_stat a FallbackAccepted)" '>' 10
}

# Remembered for a time only, and no longer once the host has AF_MRC.
forgotten()
{
	silence || return 1
	remember 0
	check "silent" reason_is 7001 3
	check "nothing is remembered" reason_is 7001 3
	remember 6
	check "silent" reason_is 7001 3
	check "remembered" reason_is 7001 4
	check "asked again" wait_until 40 reason_is 7001 3
	remember 0
	check "silent" reason_is 7001 3
	remember 600
	check "silent" reason_is 7001 3
	unsilence
	bg "$KSFT_TMP/late.log" ip netns exec "$HB" mrcctl run -- socat -d -d \
		TCP4-LISTEN:7002,fork,reuseaddr PIPE
	check "a server with AF_MRC" wait_log "$KSFT_TMP/late.log" \
		'listening on' 20
	check "still remembered" reason_is 7002 4
	check "a TCP client there" [ "$(mrc_stat b FallbackAccepted)" -ge 1 ]
	# An AF_MRC connection from there tells.
	bg "$KSFT_TMP/here.log" ip netns exec "$HA" mrcctl run -- socat -d -d \
		TCP4-LISTEN:7003,fork,reuseaddr PIPE
	check "a server here" wait_log "$KSFT_TMP/here.log" 'listening on' 20
	check "a connection from there" [ "$(on_b "$MRC_PROGS/mrc_reason" \
		"$(addr_a 0)" 7003)" = 0 ]
	check "AF_MRC again" reason_is 7002 0
}

iperf3_pair()
{
	local serving=$1 calling=$2

	# shellcheck disable=SC2086
	bg "$KSFT_TMP/iperf.log" ip netns exec "$HB" $serving iperf3 -s -1 -4 \
		-p 5201 --forceflush
	SERVER=$BG_PID
	check "iperf3 -s" wait_log "$KSFT_TMP/iperf.log" 'Server listening' 20
	# shellcheck disable=SC2086
	check "iperf3 -c" timeout "$(stretched 40)" ip netns exec "$HA" \
		$calling iperf3 -c "$(addr_b 0)" -p 5201 -t 2 -J \
		>"$KSFT_TMP/iperf.json"
	check "iperf3 server ends" wait_pid "$SERVER" 20
	check_num "bytes" "$(jq .end.sum_received.bytes "$KSFT_TMP/iperf.json")" \
		'>' 100000
}

iperf3_client_is_tcp()
{
	local before

	before=$(mrc_stat b FallbackAccepted)
	iperf3_pair "mrcctl run --" ""
	check_num "TCP clients" "$(($(mrc_stat b FallbackAccepted) - before))" \
		'>=' 2
}

iperf3_server_is_tcp()
{
	local before

	before=$(mrc_stat a FallbackRefused)
	iperf3_pair "" "mrcctl run --"
	check_num "fall-backs" "$(($(mrc_stat a FallbackRefused) - before))" \
		'>=' 2
}

curl_client_is_tcp()
{
	mkdir "$KSFT_TMP/www"
	head -c 3000000 /dev/urandom >"$KSFT_TMP/www/blob"
	bg "$KSFT_TMP/http.log" ip netns exec "$HB" mrcctl run -- \
		/usr/bin/python3 -u -m http.server 8087 \
		--bind "$(addr_b 0)" --directory "$KSFT_TMP/www"
	check "http.server" wait_log "$KSFT_TMP/http.log" 'Serving HTTP' 40 ||
		cat "$KSFT_TMP/http.log"
	check "curl" timeout "$(stretched 40)" ip netns exec "$HA" curl -sS \
		-o "$KSFT_TMP/got" "http://$(addr_b 0):8087/blob"
	check "the file is the same" cmp "$KSFT_TMP/www/blob" "$KSFT_TMP/got"
}

strict_runner()
{
	local tcp

	tcp=TCP4:$(addr_b 0):7001
	check_status "strict" 1 on_a mrcctl run --strict -- \
		socat -u OPEN:/dev/null "$tcp"
	check_status "not strict" 0 on_a mrcctl run -- \
		socat -u OPEN:/dev/null "$tcp"
}

# listed a|b REASON: "mrcctl conn show" has such a connection, under its id too.
listed()
{
	local id

	id=$(mrc_json "$1" conn show | jq -r --arg r "$2" \
		'[.[] | select(.fallback == $r)][0].conn // empty')
	[ -n "$id" ] && [ "$(mrc_json "$1" conn show conn "$id" |
		jq -r '.[0].fallback')" = "$2" ]
}

shown()
{
	bg "$KSFT_TMP/server.log" ip netns exec "$HB" mrcctl run -- socat \
		TCP4-LISTEN:7004,fork,reuseaddr PIPE
	check "listens" wait_until 20 mrc_listens b 7004
	bg "$KSFT_TMP/tcp.log" ip netns exec "$HA" sh -c \
		"sleep 1000 | socat - TCP4:$(addr_b 0):7004"
	bg "$KSFT_TMP/mrc.log" ip netns exec "$HA" sh -c \
		"sleep 1000 | mrcctl run -- socat - TCP4:$(addr_b 0):7001"
	check "accepted" wait_until 20 listed b accepted
	check "refused" wait_until 20 listed a refused
}

gone_with()
{
	! ip link show "$1" >/dev/null 2>&1
}

# A namespace lives as long as a connection in it, and no longer.
namespace()
{
	local ns=mrcf$TOPO_ID dev=mf$TOPO_ID server client

	topo_netns "$ns" || return 1
	ip link add "$dev" type veth peer name peer netns "$ns" || return 1
	bg "$KSFT_TMP/ns.log" ip netns exec "$ns" socat -d -d \
		TCP4-LISTEN:7005 PIPE
	server=$BG_PID
	check "listens" wait_log "$KSFT_TMP/ns.log" 'listening on' 20
	bg "$KSFT_TMP/ns2.log" ip netns exec "$ns" mrcctl run -- \
		/usr/bin/python3 -uc "
import socket, time
s = socket.create_connection(('127.0.0.1', 7005))
l = socket.create_server(('127.0.0.1', 7006))
s.sendall(b'x')
assert s.recv(1) == b'x'
print('connected')
time.sleep(1000)"
	client=$BG_PID
	check "connected" wait_log "$KSFT_TMP/ns2.log" '^connected' 20
	check "mrcctl sees it" [ "$(ip netns exec "$ns" mrcctl -j conn show |
		jq '[.[] | select(.fallback == "refused")] | length')" = 1 ]
	ip netns del "$ns"
	check "the namespace is in use" ip link show "$dev"
	kill -KILL "$client" "$server"
	check "the namespace is gone" wait_until 60 gone_with "$dev"
}

mrc_require socat curl iperf3
[ "$MRC_FAMILY" = mrc ] || ksft_skip_all "only for the family mrc"
ksft_begin
if ! topo_direct 1 || ! topo6_add; then
	ksft_skip_all "cannot build the topology"
fi
echo_servers || ksft_result FAIL "servers of TCP"
UDP_PORT=$(on_b sysctl -n net.mrc.udp_port)
# Every connect() is to be answered.
on_b sysctl -q net.ipv4.icmp_ratelimit=0 net.ipv6.icmp.ratelimit=0

program fallback
program fallback_listen
peer_program fallback_first 2 0 900
remember 0
peer_program fallback_peer 2 0 900
silence || ksft_result FAIL "something that takes the UDP port"
peer_program fallback_peer 3 0 0
peer_program fallback_silent 3 0 0
on_a sysctl -q net.mrc.fallback_timeout=600
remember 120
peer_program fallback_first 3 590 2500
unsilence
ksft_run counted counted
ksft_run forgotten forgotten
ksft_run iperf3_client_is_tcp iperf3_client_is_tcp
ksft_run iperf3_server_is_tcp iperf3_server_is_tcp
ksft_run curl_client_is_tcp curl_client_is_tcp
ksft_run strict_runner strict_runner
ksft_run shown shown
ksft_run namespace namespace
ksft_end
