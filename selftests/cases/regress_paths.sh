#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# Faults that were mended and must not come back, where single packets do not
# show them (inject_packets has the others).

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

# Bytes that the receiver of the transfer under way has in order.
received()
{
	mrc_json b conn show | jq '[.[].received_bytes // 0] | max // 0'
}

received_more_than()
{
	[ "$(received)" -gt "$1" ]
}

# Both directions until the signal; ends with not a byte lost.
start_transfer()
{
	xfer_server "$KSFT_TMP/server.log" --timeout 320 --direction both \
		--seconds 300 || return 1
	xfer_client "$KSFT_TMP/client.log" --timeout 320 --direction both \
		--connect "$(addr_b 0)" --seconds 300
	check "data flows" wait_until 20 received_more_than 100000
}

end_transfer()
{
	kill -USR1 "$XFER_CLIENT" "$XFER_SERVER"
	xfer_join 60 "$KSFT_TMP/server.log" "$KSFT_TMP/client.log"
	check_num "bytes A to B lost" \
		$(($(xfer_value "$KSFT_TMP/client.log" sent) - \
		   $(xfer_value "$KSFT_TMP/server.log" received))) == 0
	check_num "bytes B to A lost" \
		$(($(xfer_value "$KSFT_TMP/server.log" sent) - \
		   $(xfer_value "$KSFT_TMP/client.log" received))) == 0
}

still_flows()
{
	check "data flows on: $1" wait_until 20 \
		received_more_than $(($(received) + 100000))
}

# Packets that were cut for a larger MTU were dropped for ever when the device
# had got a smaller one.
mtu_shrinks()
{
	local mtu

	topo_switched 1 || return 1
	shape 0 30mbit 1ms 100
	start_transfer || return 1
	for mtu in 1400 1280 600; do
		ip -n "$HA" link set a0 mtu "$mtu"
		ip -n "$HB" link set b0 mtu "$mtu"
		still_flows "MTU $mtu"
	done
	ip -n "$HA" link set a0 mtu 1500
	ip -n "$HB" link set b0 mtu 1500
	still_flows "MTU 1500"
	end_transfer
}

# Deleting the endpoint of the last good path took it away.
endpoints_deleted()
{
	local k

	topo_direct 2 || return 1
	shape 0 30mbit 1ms 100
	shape 1 30mbit 1ms 100
	mrc_configure || return 1
	start_transfer || return 1
	check "two paths" wait_until 20 mrc_paths_are a 2
	for k in 0 1; do
		on_a mrcctl endpoint del "$(addr_a "$k")"
		still_flows "endpoint $k of host A deleted"
	done
	on_b mrcctl endpoint flush
	still_flows "endpoints of host B deleted"
	check_num "paths of host A" "$(mrc_path_count a)" == 1
	check_num "paths of host B" "$(mrc_path_count b)" == 1
	mrc_configure
	check "two paths again" wait_until 20 mrc_paths_are a 2
	end_transfer
}

# Listings could not be asked for one connection once they named it otherwise
# than the wire does.
one_by_its_id()
{
	local id wrong

	topo_direct 2 || return 1
	mrc_configure || return 1
	start_transfer || return 1
	check "two paths" wait_until 20 mrc_paths_are a 2
	id=$(mrc_json a conn show | jq -r \
		'.[] | select(.state != "listen") | .conn // .id')
	echo "id $id"
	check_num "connections of that id" \
		"$(mrc_json a conn show conn "$id" | jq length)" == 1
	check_num "its paths" \
		"$(mrc_json a path show conn "$id" | jq length)" == 2
	wrong=$(printf '%016x' $((16#$id + 1000)))
	check_status "no such connection" 1 on_a mrcctl conn show conn "$wrong"
	check_status "nor its paths" 1 on_a mrcctl path show conn "$wrong"
	end_transfer
}

unload()
{
	rmmod mrc 2>/dev/null
}

# The timer took a reference too many when it was armed while its handler was
# returning: such a connection was never freed, and the module stayed for ever.
timers_and_closes()
{
	local server client

	topo_direct 2 || return 1
	shape 0 50mbit 1ms 100
	shape 1 50mbit 2ms 100
	mrc_configure || return 1
	bg "$KSFT_TMP/churn-b.log" on_b "$MRC_PROGS/mrc_churn" \
		--port "$MRC_PORT" --seconds 12
	server=$BG_PID
	wait_log "$KSFT_TMP/churn-b.log" '^ready' 20 || return 1
	bg "$KSFT_TMP/churn-a.log" on_a "$MRC_PROGS/mrc_churn" \
		--connect "$(addr_b 0)" --port "$MRC_PORT" --seconds 10
	client=$BG_PID
	check "client" wait_pid "$client" 120
	check "server" wait_pid "$server" 120
	sed 's/^/client: /' "$KSFT_TMP/churn-a.log"
	sed 's/^/server: /' "$KSFT_TMP/churn-b.log"
	check_num "connections" "$(sed -n 's/^opened \([0-9]*\) .*/\1/p' \
		"$KSFT_TMP/churn-a.log")" '>' 50
	check "no connection is left" wait_until 60 mrc_idle
	check "no socket is left" wait_until 60 unload
	[ -d /sys/module/mrc ] || check "loads again" insmod "$MODULE"
}

mrc_require
[ "$MRC_FAMILY" = mrc ] || ksft_skip_all "only for the family mrc"
ksft_begin
MODULE=${MRC_MODULE:-$(cat "${RESULTS:-/nonexistent}/.vm/module" 2>/dev/null)}
ksft_run "the MTU shrinks under a transfer" mtu_shrinks
ksft_run "all endpoints go under a transfer" endpoints_deleted
ksft_run "one connection by its id" one_by_its_id
[ -z "$MODULE" ] ||
	ksft_run "connections end while their timers run" timers_and_closes
ksft_end
