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

# Both directions until the signal; ends with not a byte lost.
start_transfer()
{
	xfer_both 300 320 || return 1
	check "data flows" wait_until 20 received_more_than 100000
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
	xfer_end
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
	xfer_end
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
	xfer_end
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
