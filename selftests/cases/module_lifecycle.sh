#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 420
#
# Loading, unloading and the end of network namespaces and devices: refused
# while sockets exist, complete afterwards, silent always.

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

# The object to load again: given, or the one the guest was started with.
module_file()
{
	local control=${RESULTS:-/nonexistent}/.vm/module

	if [ -n "${MRC_MODULE:-}" ]; then
		echo "$MRC_MODULE"
	elif [ -r "$control" ]; then
		cat "$control"
	fi
}

loaded()
{
	[ -d /sys/module/mrc ]
}

unload()
{
	rmmod mrc 2>/dev/null
}

load()
{
	loaded || insmod "$MODULE"
}

# Everything the kernel says of us, at any level.
kernel_lines()
{
	dmesg | grep -ciE 'mrc|unregister_netdevice|leaked|slab'
}

quiet_since()
{
	local lines

	lines=$(($(kernel_lines) - $1))
	[ "$lines" -le "${2:-0}" ] || dmesg | tail -n 20
	check_num "kernel lines" "$lines" '<=' "${2:-0}"
}

refused_while_used()
{
	xfer_server "$KSFT_TMP/server.log" || return 1
	check_status "rmmod with a listener" 1 rmmod mrc
	xfer_client "$KSFT_TMP/client.log" --connect "$(addr_b 0)" --seconds "$(stretched 60)"
	check "a connection exists" wait_until 10 has_connection
	check_status "rmmod with a connection" 1 rmmod mrc
	check "the module is still there" loaded
}

has_connection()
{
	[ "$(mrc_conn_count a)" -ge 1 ]
}

nothing_left()
{
	check "rmmod works once all is closed" wait_until 30 unload || return 1
	check_num "slab caches" "$(grep -c '^mrc' /proc/slabinfo)" == 0
	check_num "protocols" "$(grep -ci '^mrc' /proc/net/protocols)" == 0
	check "no tracepoints" [ ! -e /sys/kernel/tracing/events/mrc ]
	check "no sysctls" [ ! -e /proc/sys/net/mrc ]
	check "no UDP socket" no_udp_socket
	check_status "mrcctl has nobody to ask" 1 on_a mrcctl endpoint show
	check "loads again" load
	check "works again" mrc_configure
	xfer_pair 60 --expect 4M -- --connect "$(addr_b 0)" --bytes 4M
}

no_udp_socket()
{
	[ -z "$(on_a ss -Hluan "sport = :$UDP_PORT")" ]
}

reload()
{
	local i lines

	check "idle" wait_until 30 mrc_idle
	lines=$(kernel_lines)
	for ((i = 0; i < 10; i++)); do
		check "unload $i" wait_until 30 unload || return 1
		check "load $i" load || return 1
	done
	# One line per load may announce the module.
	quiet_since "$lines" 20
}

# Processes with a transfer under way die, and their namespaces with them.
netns_ends()
{
	local lines which=$1

	defer_scope_begin
	topo_direct 2 || return 1
	mrc_configure || return 1
	xfer_server "$KSFT_TMP/server.log" || return 1
	xfer_client "$KSFT_TMP/client.log" --connect "$(addr_b 0)" --seconds "$(stretched 60)"
	check "transfer runs" wait_until 10 reached 1000000
	lines=$(kernel_lines)
	case $which in
	killed)
		kill -KILL "$XFER_SERVER" "$XFER_CLIENT"
		ip netns del "$HA"
		ip netns del "$HB"
		;;
	alive)
		# The processes keep the namespaces until they end.
		ip netns del "$HA"
		ip netns del "$HB"
		kill -KILL "$XFER_CLIENT"
		wait_until 5 wait_gone "$XFER_CLIENT"
		kill -KILL "$XFER_SERVER"
		;;
	devices)
		ip -n "$HA" link del a0
		ip -n "$HA" link del a1
		kill -KILL "$XFER_SERVER" "$XFER_CLIENT"
		;;
	esac
	defer_scope_end 2>/dev/null
	check "nothing keeps the module" wait_until 60 unload
	check "loads again" load
	quiet_since "$lines" 2
}

reached()
{
	[ "$(dev_bytes b 0 rx)" -ge "$1" ]
}

# Endpoints and a listener, no connection.
netns_with_endpoints()
{
	local i lines

	lines=$(kernel_lines)
	for ((i = 0; i < 3; i++)); do
		defer_scope_begin
		topo_direct 2 || return 1
		mrc_configure || return 1
		defer_scope_end
	done
	check "nothing keeps the module" wait_until 60 unload
	check "loads again" load
	quiet_since "$lines" 2
}

mrc_require rmmod
[ "$MRC_FAMILY" = mrc ] || ksft_skip_all "only for the family mrc"
MODULE=$(module_file)
[ -n "$MODULE" ] || ksft_skip_all "set MRC_MODULE to the file of mrc.ko"
ksft_begin
UDP_PORT=$(sysctl -n net.mrc.udp_port)
defer load
ksft_run "namespaces with endpoints come and go" netns_with_endpoints
ksft_run "namespaces end after their processes were killed" netns_ends killed
ksft_run "namespaces end before their processes" netns_ends alive
ksft_run "devices vanish under a transfer" netns_ends devices
topo_direct 1 || ksft_skip_all "cannot build the topology"
mrc_configure || ksft_result FAIL "configuration"
ksft_run "rmmod is refused while sockets exist" refused_while_used
ksft_run "rmmod leaves nothing" nothing_left
ksft_run "ten times unloaded and loaded" reload
ksft_end
