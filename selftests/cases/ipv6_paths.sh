#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 600
#
# Paths over IPv6, and connections whose paths are of both families: transfers,
# families that fail under them, what tools show, ECN, marks in the headers.

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

MIB=$((1024 * 1024))

reset_all()
{
	mrc_unconfigure
	topo_mend 50mbit 1ms 150
}

# paths_of a|b FAMILY-PATTERN: good paths whose local address matches (jq).
paths_of()
{
	mrc_json "$1" path show | jq --arg re "$2" \
		'[.[] | select(.state == "good" and (.local | test($re)))] | length'
}

has_paths()
{
	[ "$(paths_of "$1" "$2")" = "$3" ]
}

V4='^10[.]'
V6='^\[fd09:'

note_devices()
{
	local k

	for ((k = 0; k < TOPO_N; k++)); do
		BEFORE[k]=$(dev_bytes a "$k" tx)
	done
}

every_device_used()
{
	local k

	for ((k = 0; k < TOPO_N; k++)); do
		check_num "device $k sent, percent of the data" \
			$((($(dev_bytes a "$k" tx) - BEFORE[k]) * 100 / $1)) \
			'>=' 8
	done
}

# both_ways MIB ADDRESS: a transfer in both directions, every byte compared.
both_ways()
{
	local bind=0.0.0.0

	[[ $2 != *:* ]] || bind=::
	xfer_pair 150 --bind "$bind" --direction both --bytes "$1M" \
		--expect "$1M" -- --connect "$2" --direction both \
		--bytes "$1M" --expect "$1M"
}

four_ipv6()
{
	reset_all && mrc_configure6 || return 1
	note_devices
	both_ways 8 "$(addr6_b 0)" || return 1
	every_device_used $((8 * MIB))
}

socat_file()
{
	local dir=$KSFT_TMP server sum

	reset_all && mrc_configure6 || return 1
	head -c $((16 * MIB)) /dev/urandom > "$dir/a"
	sum=$(sha256sum < "$dir/a")
	bg "$dir/server.log" ip netns exec "$HB" "${MRC_RUN[@]}" socat -d -d \
		-u -b 262144 TCP6-LISTEN:5302,reuseaddr \
		"OPEN:$dir/a.got,creat,trunc,wronly"
	server=$BG_PID
	wait_log "$dir/server.log" "listening on" 30 || {
		fetch_log "$dir/server.log"
		return 1
	}
	note_devices
	bg "$dir/client.log" ip netns exec "$HA" "${MRC_RUN[@]}" socat -u \
		-b 262144 "OPEN:$dir/a,rdonly" "TCP6:[$(addr6_b 0)]:5302"
	check "socat client ends" wait_pid "$BG_PID" 120
	check "socat server ends" wait_pid "$server" 30
	check "sha256 $sum" [ "$sum" = "$(sha256sum < "$dir/a.got")" ]
	every_device_used $((16 * MIB))
	rm -f "$dir/a" "$dir/a.got"
}

# Paths 0 and 1 over IPv4, 2 and 3 over IPv6; ADDRESS says which comes first.
mixed()
{
	reset_all && mrc_configure 2 && mrc_configure6 2 2 || return 1
	note_devices
	xfer_server "$KSFT_TMP/server.log" --timeout 150 --bind "$1" || return 1
	xfer_client "$KSFT_TMP/client.log" --timeout 150 --connect "$2" \
		--seconds 140
	check "two paths over IPv4" wait_until 15 has_paths a "$V4" 2
	check "two paths over IPv6" wait_until 15 has_paths a "$V6" 2
	check "the other side agrees" wait_until 5 has_paths b "$V6" 2
	mrc_json a path show | jq -c '.[] | {path, state, local, remote, mss}'
	check "data on all four" wait_until 30 sent_on_all 500000
	check_num "payload fits the smaller header room" \
		"$(mrc_json a conn show | jq '[.[] |
		select(.state == "established")][0].mss')" '<=' 1420
	finish
}

sent_on_all()
{
	local k

	for ((k = 0; k < TOPO_N; k++)); do
		[ $(($(dev_bytes a "$k" tx) - BEFORE[k])) -ge "$1" ] || return 1
	done
}

finish()
{
	kill -USR1 "$XFER_CLIENT"
	xfer_join 60 "$KSFT_TMP/server.log" "$KSFT_TMP/client.log"
	check_num "bytes sent and received differ by" \
		$(($(xfer_value "$KSFT_TMP/client.log" sent) - \
		   $(xfer_value "$KSFT_TMP/server.log" received))) == 0
}

# family_fails CONNECT BIND FIRST SECOND OTHER: paths FIRST and SECOND, all of
# one family, go silent; the stream goes on over OTHER; then they come back.
family_fails()
{
	local connect=$1 bind=$2 goal k

	reset_all && mrc_configure 2 && mrc_configure6 2 2 || return 1
	xfer_server "$KSFT_TMP/server.log" --timeout 150 --bind "$bind" ||
		return 1
	xfer_client "$KSFT_TMP/client.log" --timeout 150 --connect "$connect" \
		--seconds 140
	check "four paths" wait_until 15 mrc_paths_are a 4
	check "all are good" wait_until 10 has_paths a . 4
	for k in "$3" "$4"; do
		path_cut "$k"
	done
	check "two are left" wait_until 15 has_paths a . 2
	goal=$(($(dev_bytes b "$5" rx) + 500000))
	check "the other family carries on" wait_until 30 has_received "$5" \
		"$goal"
	for k in "$3" "$4"; do
		path_heal "$k"
	done
	check "all come back" wait_until 20 has_paths a . 4
	finish
	check_num "longest gap in delivery, ms" \
		"$(xfer_value "$KSFT_TMP/server.log" gap_ms)" '<' 1500
}

has_received()
{
	[ "$(dev_bytes b "$1" rx)" -ge "$2" ]
}

# The addresses of the peer go while a connection runs.
withdrawn()
{
	reset_all && mrc_configure 2 && mrc_configure6 2 2 || return 1
	xfer_server "$KSFT_TMP/server.log" --timeout 150 --bind :: || return 1
	xfer_client "$KSFT_TMP/client.log" --timeout 150 \
		--connect "$(addr6_b 2)" --seconds 140
	check "four paths" wait_until 15 has_paths a . 4
	on_b mrcctl endpoint del "$(addr6_b 3)"
	check "one ends" wait_until 15 has_paths a "$V6" 1
	ip -n "$HA" addr del "$(addr6_a 2)/64" dev a2
	check "without its address the next one ends" \
		wait_until 15 has_paths a "$V6" 0
	check "IPv4 is left" has_paths a "$V4" 2
	ip -n "$HA" addr add "$(addr6_a 2)/64" dev a2 nodad
	check "it comes back" wait_until 20 has_paths a "$V6" 1
	finish
}

no_route_no_path()
{
	reset_all && mrc_configure 1 && mrc_configure6 1 1 || return 1
	xfer_server "$KSFT_TMP/server.log" --timeout 60 || return 1
	xfer_client "$KSFT_TMP/client.log" --timeout 60 \
		--connect "$(addr_b 0)" --seconds 50
	check "one path of each family" wait_until 15 has_paths a . 2
	# fd09:0::1 has no route of its own device to fd09:1::2.
	on_a mrcctl endpoint add "$(addr6_a 0)" dev a0
	check_num "paths" "$(mrc_path_count a)" == 2
	finish
}

shows()
{
	reset_all && mrc_configure6 0 2 || return 1
	check "endpoint as text" grep -q 'fd09:0:0\?:*:*1\|fd09::1' \
		<(on_a mrcctl endpoint show)
	check "endpoint as JSON" [ "$(mrc_json a endpoint show |
		jq -r '.[0].address')" = "$(addr6_text fd09:0::1)" ]
	bg "$KSFT_TMP/monitor.log" ip netns exec "$HA" mrcctl monitor
	check "the monitor listens" wait_until 10 subscribed
	xfer_server "$KSFT_TMP/server.log" --timeout 60 --bind :: || return 1
	check "listener" grep -q "\[::\]:$MRC_PORT" <(on_b mrcctl conn show)
	xfer_client "$KSFT_TMP/client.log" --timeout 60 \
		--connect "$(addr6_b 0)" --seconds 50
	check "two paths" wait_until 15 has_paths a "$V6" 2
	on_a mrcctl conn show
	on_a mrcctl path show
	check "address and port" grep -qE '\[fd09:.*\]:[0-9]+ ' \
		<(on_a mrcctl path show)
	finish
	check "an event names the path" wait_log "$KSFT_TMP/monitor.log" \
		'path 2 local \[fd09:1::1\]' 5
}

# As the system writes it.
addr6_text()
{
	/usr/bin/python3 -c "import ipaddress, sys
print(ipaddress.ip_address(sys.argv[1]))" "$1"
}

subscribed()
{
	# shellcheck disable=SC2016
	on_a awk '$2 == 16 && $4 != "00000000" { found = 1 }
		END { exit !found }' /proc/net/netlink
}

refusals()
{
	mrc_unconfigure
	check_status "not local" 1 on_a mrcctl endpoint add 2001:db8::9
	check_status "link-local" 1 on_a mrcctl endpoint add fe80::1 dev a0
	check_status "no address" 2 on_a mrcctl endpoint add fd09:::1
	check_status "unspecified" 1 on_a mrcctl endpoint add ::
	check_status "multicast" 1 on_a mrcctl endpoint add ff02::1
	check "add" on_a mrcctl endpoint add "$(addr6_a 0)" dev a0
	check_status "twice" 1 on_a mrcctl endpoint add fd09:0:0::1
	check "mapped is IPv4" on_a mrcctl endpoint add "::ffff:$(addr_a 0)"
	check_status "the same" 1 on_a mrcctl endpoint add "$(addr_a 0)"
	check "del" on_a mrcctl endpoint del fd09:0:0:0:0:0:0:1
	check_num "one is left" "$(mrc_json a endpoint show | jq length)" == 1
	on_a mrcctl endpoint flush
}

link_local()
{
	local addr

	reset_all
	addr=$(ip -j -n "$HB" -6 addr show dev b1 scope link |
		jq -r '[.[].addr_info[]?.local | select(.)][0]')
	check "link-local address of host B" [ -n "$addr" ] || return 1
	xfer_pair 60 --bind :: --expect 2M -- --connect "$addr%a1" --bytes 2M
}

# What leaves: traffic class, hop limit, flow label, ECT(0).
headers()
{
	local log=$KSFT_TMP/headers

	reset_all || return 1
	cat > "$KSFT_TMP/sniff.py" <<-'END'
	import socket, struct, sys
	s = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x86dd))
	s.bind((sys.argv[1], 0x86dd))
	print("sniffing", flush=True)
	while True:
	    p = s.recv(65536)
	    if p[6] != 17 or len(p) < 64 or p[48] & 31:
	        continue
	    first, = struct.unpack("!I", p[:4])
	    port, = struct.unpack("!H", p[40:42])
	    print("tclass %#x label %d port %d hops %d" % (
	          first >> 20 & 255, first & 0xfffff, port, p[7]), flush=True)
	    break
	END
	bg "$log" ip netns exec "$HB" /usr/bin/python3 "$KSFT_TMP/sniff.py" b0
	wait_log "$log" sniffing 20 || return 1
	xfer_server "$KSFT_TMP/server.log" --timeout 60 --bind :: \
		--no-verify || return 1
	cat > "$KSFT_TMP/send.py" <<-'END'
	import os, socket, sys
	fd = socket.socket(22, socket.SOCK_STREAM, 1).detach()
	s = socket.socket(socket.AF_INET6, socket.SOCK_STREAM, 0, fileno=fd)
	s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_TCLASS, 0x50)
	s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_UNICAST_HOPS, 33)
	s.connect((sys.argv[1], int(sys.argv[2])))
	s.send(b"x")
	s.close()
	END
	on_a /usr/bin/python3 "$KSFT_TMP/send.py" "$(addr6_b 0)" "$MRC_PORT"
	check "a data packet is seen" wait_log "$log" tclass 20
	cat "$log"
	check "traffic class and ECT(0)" grep -q 'tclass 0x52 ' "$log"
	check "hop limit" grep -q 'hops 33' "$log"
	check "the flow label is the entropy value" \
		grep -qE 'label ([0-9]+) port \1 ' "$log"
	wait_pid "$XFER_SERVER" 30
}

marks()
{
	local before

	reset_all || return 1
	ecn 0 20mbit 1ms fq_codel || return 1
	before=$(mrc_stat b RxCePackets)
	xfer_pair 90 --bind :: --expect 8M -- --connect "$(addr6_b 0)" \
		--bytes 8M || return 1
	check_num "packets marked" "$(path_marks 0)" '>' 0
	check_num "marks received" $(($(mrc_stat b RxCePackets) - before)) '>' 0
}

# A smaller MTU on the way out: what was laid out for more is fragmented.
small_mtu()
{
	reset_all || return 1
	ip -n "$HA" link set a3 mtu 1280
	ip -n "$HB" link set b3 mtu 1280
	mrc_configure6 2 2 || return 1
	xfer_pair 90 --bind :: --expect 4M -- --connect "$(addr6_b 2)" \
		--bytes 4M
	ip -n "$HA" link set a3 mtu 1500
	ip -n "$HB" link set b3 mtu 1500
	# A device below 1280 bytes loses IPv6; this one did not.
	check "address is still there" grep -q "fd09:3::1" \
		<(ip -n "$HA" -6 addr show dev a3)
}

mrc_require socat
[ "$MRC_FAMILY" = mrc ] || ksft_skip_all "only for the family mrc"
ksft_begin
if ! topo_switched 4 || ! topo6_add; then
	ksft_skip_all "cannot build the topology"
fi
ksft_run "8 MiB each way over four IPv6 paths" four_ipv6
ksft_run "a file by socat over IPv6, sha256" socat_file
ksft_run "IPv4 connection with paths of both" mixed 0.0.0.0 "$(addr_b 0)"
ksft_run "IPv6 connection with paths of both" mixed :: "$(addr6_b 2)"
ksft_run "IPv4 by an IPv6 socket, paths of both" mixed :: "::ffff:$(addr_b 0)"
ksft_run "IPv6 fails under an IPv4 connection" family_fails \
	"$(addr_b 0)" 0.0.0.0 2 3 1
ksft_run "the first family fails" family_fails "$(addr6_b 2)" :: 2 3 1
ksft_run "addresses are withdrawn and lost" withdrawn
ksft_run "no path without a route" no_route_no_path
ksft_run "endpoint, conn, path and monitor show IPv6" shows
ksft_run "endpoint refusals" refusals
ksft_run "link-local addresses" link_local
ksft_run "headers" headers
ksft_run "ECN marks" marks
ksft_run "a path with the smallest MTU" small_mtu
ksft_end
