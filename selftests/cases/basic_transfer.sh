#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 420
#
# One path: over loopback without any endpoint configured, and over one veth
# pair. All sizes, directions and ways to wait; every byte is checked.

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

MIB=$((1024 * 1024))

transfer_one()
{
	local bytes=$1

	shift
	xfer_pair 60 --expect "$bytes" "$@" -- --connect "$TARGET" \
		--bytes "$bytes" "$@"
}

sizes()
{
	local bytes

	for bytes in "$@"; do
		transfer_one "$bytes" || return 1
	done
}

modes()
{
	local mode part

	part=$(scaled $((10 * MIB)))
	for mode in block poll epoll epollet; do
		echo "mode $mode"
		xfer_pair 60 --mode "$mode" --direction both \
			--bytes $((2 * part)) --expect "$part" \
			-- --connect "$TARGET" --mode "$mode" \
			--direction both --bytes "$part" \
			--expect $((2 * part)) || return 1
	done
}

write_sizes()
{
	transfer_one "$(scaled 20000)" --write-size 1 --nodelay &&
	transfer_one "$(scaled 200000)" --write-size 17 &&
	transfer_one "$(scaled $((2 * MIB)))" --write-size 1448 \
		--read-size 1000 &&
	transfer_one "$(scaled $((32 * MIB)))" --write-size 1M --read-size 1M
}

small_buffers()
{
	local bytes

	bytes=$(scaled $((2 * MIB)))
	transfer_one "$bytes" --sndbuf 4096 &&
	transfer_one "$bytes" --rcvbuf 4096 &&
	transfer_one "$bytes" --sndbuf 2048 --rcvbuf 2048
}

# The window closes and opens again.
slow_reader()
{
	local bytes

	# More than the receive buffer holds, on any guest.
	bytes=$(scaled $((16 * MIB)) $((8 * MIB)))
	xfer_pair 60 --expect "$bytes" --stall-ms 1500 -- --connect "$TARGET" \
		--bytes "$bytes" || return 1
	check_num "longest gap, ms" "$(xfer_value "$KSFT_TMP/server.log" \
		gap_ms)" '<' 10000
}

receive_only_client()
{
	local bytes

	bytes=$(scaled $((5 * MIB)))
	xfer_pair 60 --direction send --bytes "$bytes" -- --connect "$TARGET" \
		--direction recv --expect "$bytes"
}

empty_stream()
{
	xfer_pair 30 --direction none -- --connect "$TARGET" --direction none
}

many_short()
{
	local i

	for ((i = 0; i < 12; i++)); do
		transfer_one 10000 --seed "$i" >/dev/null || return 1
	done
}

parallel()
{
	local i bytes pids=()

	bytes=$(scaled $((4 * MIB)))
	for ((i = 0; i < 8; i++)); do
		MRC_PORT=$((5310 + i)) xfer_server "$KSFT_TMP/s$i" \
			--timeout 100 --seed "$i" --expect "$bytes" || return 1
		pids+=("$BG_PID")
	done
	for ((i = 0; i < 8; i++)); do
		MRC_PORT=$((5310 + i)) xfer_client "$KSFT_TMP/c$i" \
			--connect "$TARGET" --timeout 100 --seed "$i" --bytes "$bytes"
		pids+=("$BG_PID")
	done
	for i in "${pids[@]}"; do
		check "a transfer of eight" wait_pid "$i" 110
	done
	for ((i = 0; i < 8; i++)); do
		cat "$KSFT_TMP/s$i"
	done
}

# A veth pair hands superframes across whole: the receiver must see that. How
# large they are follows the rate, which a slow guest keeps low.
superframes()
{
	local sent skbs packets bytes least=10

	mrc_only || return
	[ "${MRC_SCALE:-1}" -eq 1 ] || least=1.5
	bytes=$(scaled $((64 * MIB)))
	sent=$(mrc_stat a TxSuperframes)
	skbs=$(mrc_stat b RxSuperframes)
	packets=$(mrc_stat b RxPackets)
	transfer_one "$bytes" || return 1
	sent=$(($(mrc_stat a TxSuperframes) - sent))
	skbs=$(($(mrc_stat b RxSuperframes) - skbs))
	packets=$(($(mrc_stat b RxPackets) - packets))
	check_num "packets received" "$packets" '>' $((bytes / 1600))
	check_num "skbs received of $sent" "$skbs" '<=' "$sent"
	check_num "packets per skb" \
		"$(awk "BEGIN { print $packets / ($skbs ? $skbs : 1) }")" \
		'>' "$least"
}

leaves_nothing()
{
	mrc_only || return
	check "connections are gone" wait_until 20 mrc_idle
}

mrc_require
ksft_begin

topo_netns "mrc-lo-$$" || ksft_skip_all "cannot make a network namespace"
XFER_SERVER_NS=mrc-lo-$$
XFER_CLIENT_NS=mrc-lo-$$
TARGET=127.0.0.1
ksft_run "loopback: sizes" sizes 1 1449 1M
ksft_run "loopback: ways to wait" modes
ksft_run "loopback: slow reader" slow_reader

unset XFER_SERVER_NS XFER_CLIENT_NS
topo_direct 1 || ksft_skip_all "cannot build the topology"
TARGET=$(addr_b 0)
ksft_run "veth without endpoints: sizes" sizes 1 8M
mrc_configure || ksft_result FAIL "configuration"
ksft_run "veth: sizes" sizes 1 1447 1448 1449 65536 8M
ksft_run "veth: ways to wait" modes
ksft_run "veth: write and read sizes" write_sizes
ksft_run "veth: small buffers" small_buffers
ksft_run "veth: slow reader" slow_reader
ksft_run "veth: only the server sends" receive_only_client
ksft_run "veth: nobody sends" empty_stream
ksft_run "veth: many short connections" many_short
ksft_run "veth: eight at once" parallel
ksft_run "veth: superframes arrive whole" superframes
ksft_run "veth: nothing is left" leaves_nothing
ksft_end
