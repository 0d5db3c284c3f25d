#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 420
#
# One connection over four shaped paths, both directions at once: clean, with
# loss, reordering and duplicates, and with paths that die half-way.

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

MIB=$((1024 * 1024))

note_devices()
{
	local k

	for ((k = 0; k < TOPO_N; k++)); do
		BEFORE[k]=$(dev_bytes a "$k" tx)
		BEFORE_RX[k]=$(dev_bytes a "$k" rx)
	done
}

# every_path_used PERCENT BYTES: each path carried its part, both directions.
every_path_used()
{
	local k

	[ "$MRC_FAMILY" != tcp ] || return 0
	for ((k = 0; k < TOPO_N; k++)); do
		check_num "path $k sent, percent of the data" \
			$((($(dev_bytes a "$k" tx) - BEFORE[k]) * 100 / $2)) \
			'>=' "$1"
		check_num "path $k received, percent of the data" \
			$((($(dev_bytes a "$k" rx) - BEFORE_RX[k]) * 100 / $2)) \
			'>=' "$1"
	done
}

both_directions()
{
	local bytes=$1
	local deadline=$2

	xfer_pair "$deadline" --direction both --bytes "$bytes" \
		--expect "$bytes" -- --connect "$(addr_b 0)" \
		--direction both --bytes "$bytes" --expect "$bytes"
}

clean()
{
	local bytes

	bytes=$(scaled $((256 * MIB)))
	topo_mend 50mbit 1ms 150 || return 1
	note_devices
	both_directions "$bytes" 180 || return 1
	every_path_used 10 "$bytes"
}

seeded_file()
{
	/usr/bin/python3 - "$1" "$2" "$3" <<-'END'
	import random, sys
	source = random.Random(int(sys.argv[2]))
	with open(sys.argv[1], "wb") as out:
	    for _ in range(int(sys.argv[3])):
	        out.write(source.randbytes(1 << 20))
	END
}

sum_of()
{
	sha256sum < "$1" | cut -d' ' -f1
}

# An unmodified program moves a file each way over one connection.
socat_files()
{
	local dir=$KSFT_TMP
	local server mib

	mib=$(scaled 256)

	[ "$MRC_FAMILY" != mptcp ] || command -v mptcpize >/dev/null || {
		ksft_skip "needs mptcpize"
		return
	}
	topo_mend 50mbit 1ms 150 || return 1
	seeded_file "$dir/a" 11 "$mib" || return 1
	seeded_file "$dir/b" 12 "$mib" || return 1
	bg "$dir/server.log" ip netns exec "$HB" "${MRC_RUN[@]}" socat -d -d \
		-b 262144 -t 60 \
		TCP4-LISTEN:5302,reuseaddr \
		"OPEN:$dir/b,rdonly!!OPEN:$dir/a.got,creat,trunc,wronly"
	server=$BG_PID
	wait_log "$dir/server.log" "listening on" 30 || {
		fetch_log "$dir/server.log"
		return 1
	}
	note_devices
	bg "$dir/client.log" ip netns exec "$HA" "${MRC_RUN[@]}" socat \
		-b 262144 -t 60 \
		"TCP4:$(addr_b 0):5302" \
		"OPEN:$dir/a,rdonly!!OPEN:$dir/b.got,creat,trunc,wronly"
	check "socat client ends" wait_pid "$BG_PID" 180
	check "socat server ends" wait_pid "$server" 30
	check "A to B arrived unchanged" \
		[ "$(sum_of "$dir/a")" = "$(sum_of "$dir/a.got")" ]
	check "B to A arrived unchanged" \
		[ "$(sum_of "$dir/b")" = "$(sum_of "$dir/b.got")" ]
	echo "sha256 $(sum_of "$dir/a.got") $(sum_of "$dir/b.got")"
	every_path_used 10 $((mib * MIB))
	[ "$KSFT_BAD" -eq 0 ] || {
		fetch_log "$dir/server.log"
		fetch_log "$dir/client.log"
	}
	rm -f "$dir"/a "$dir"/b "$dir"/a.got "$dir"/b.got
}

lossy()
{
	local bytes k

	bytes=$(scaled $((64 * MIB)))
	topo_mend 50mbit 1ms 150 || return 1
	for ((k = 0; k < TOPO_N; k++)); do
		jitter "$k" 50mbit 6ms 5ms 1000 loss 0.5% duplicate 0.5% ||
			return 1
	done
	note_devices
	both_directions "$bytes" 180 || return 1
	every_path_used 5 "$bytes"
	[ "$MRC_FAMILY" = mrc ] || return 0
	check_num "duplicates seen" "$(mrc_stat b RxDupPackets)" '>' 0
	check_num "losses seen" "$(mrc_stat a LostPackets)" '>' 0
}

received_on_all()
{
	local sum=0
	local k

	for ((k = 0; k < TOPO_N; k++)); do
		sum=$((sum + $(dev_bytes b "$k" rx) - BEFORE_B[k]))
	done
	[ "$sum" -ge "$1" ]
}

# Path 1 turns into a black hole after a quarter, path 2 goes down half-way.
dying_paths()
{
	local bytes k

	bytes=$(scaled $((96 * MIB)))

	[ "$MRC_FAMILY" != tcp ] || {
		ksft_skip "one path only"
		return
	}
	topo_mend 50mbit 1ms 150 || return 1
	for ((k = 0; k < TOPO_N; k++)); do
		BEFORE_B[k]=$(dev_bytes b "$k" rx)
	done
	xfer_server "$KSFT_TMP/server.log" --timeout 180 --direction both \
		--bytes "$bytes" --expect "$bytes" || return 1
	xfer_client "$KSFT_TMP/client.log" --timeout 180 --direction both \
		--connect "$(addr_b 0)" --bytes "$bytes" --expect "$bytes"
	check "a quarter arrives" wait_until 60 received_on_all $((bytes / 4))
	path_cut 1
	check "half arrives" wait_until 60 received_on_all $((bytes / 2))
	path_down 2
	xfer_join 190 "$KSFT_TMP/server.log" "$KSFT_TMP/client.log"
	path_heal 1
	path_up 2
}

mrc_require socat
ksft_begin
topo_switched 4 || ksft_skip_all "cannot build the topology"
mrc_configure || ksft_result FAIL "configuration"
ksft_run "256 MiB each way, clean" clean
ksft_run "256 MiB each way by socat, sha256" socat_files
ksft_run "64 MiB each way, loss, jitter and duplicates" lossy
ksft_run "96 MiB each way, one path cut, one down" dying_paths
ksft_end
