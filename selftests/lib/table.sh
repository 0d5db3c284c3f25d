# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2120
#
# Small numbers for the benchmark and the demo: medians, ratios, gaps between
# reads as the kernel's tracepoints show them.

# guest_only COMMAND: die (of the caller) unless this is a guest of scripts/vm.
# These programs take the network of a machine apart.
guest_only()
{
	if [ "$(id -u)" != 0 ] ||
		[ "$(< /proc/sys/kernel/hostname)" != mrc-guest ]; then
		die "runs in a guest only; start it by: $1"
	fi
}

# median NUMBER...
median()
{
	printf '%s\n' "$@" | sort -g | awk '{ v[NR] = $1 } END {
		if (NR % 2)
			print v[(NR + 1) / 2]
		else
			print (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# ratio A B: A / B with three digits, "-" when B is 0.
ratio()
{
	awk -v a="$1" -v b="$2" 'BEGIN {
		if (b + 0 == 0) print "-"; else printf "%.3f\n", a / b }'
}

# read_trace_start PID FILE: follow every read of a process that returned at
# least 1000 bytes. Works for any socket family and any program that uses
# read(); the tracing instance is removed with the scope.
read_trace_start()
{
	local dir=/sys/kernel/tracing/instances/mrc-$$

	mkdir "$dir" || return 1
	defer rmdir "$dir"
	echo mono > "$dir/trace_clock"
	echo 16384 > "$dir/buffer_size_kb"
	echo "$1" > "$dir/set_event_pid"
	echo 'ret >= 1000' > "$dir/events/syscalls/sys_exit_read/filter"
	echo 1 > "$dir/events/syscalls/sys_exit_read/enable"
	defer sh -c "echo 0 > $dir/events/syscalls/sys_exit_read/enable"
	bg "$2" cat "$dir/trace_pipe"
}

# read_trace_rate FILE FROM TO: what the process read between two times of
# the monotonic clock (milliseconds), Mbit/s, and the longest time between two
# reads there, milliseconds.
read_trace_rate()
{
	awk -v from="$2" -v to="$3" '/sys_read -> / {
		for (i = 1; i <= NF; i++)
			if ($i ~ /^[0-9]+\.[0-9]+:$/) now = $i * 1000
		if (now >= from && now <= to) {
			bytes += hex($NF)
			if (last && now - last > gap) gap = now - last
		}
		last = now
	}
	function hex(word,   i, n) {
		word = tolower(word)
		for (i = 3; i <= length(word); i++)
			n = n * 16 + index("0123456789abcdef",
				substr(word, i, 1)) - 1
		return n
	}
	END { printf "%.1f %.1f\n", bytes * 8 / (to - from) / 1000, gap }' \
		"$1"
}

# read_trace_first FILE: time of the first read, milliseconds of the monotonic
# clock; fails when there was none yet.
read_trace_first()
{
	local line

	while IFS= read -r line; do
		[[ $line =~ \ ([0-9]+)\.([0-9]{3})[0-9]*:\ sys_read\ -\> ]] ||
			continue
		echo $((BASH_REMATCH[1] * 1000 + 10#${BASH_REMATCH[2]}))
		return 0
	done < "$1"
	return 1
}

# The monotonic clock now, milliseconds, into CLOCK_MS.
clock_ms()
{
	local up

	read -r up _ < /proc/uptime
	CLOCK_MS=$((${up%.*} * 1000 + 10#${up#*.} * 10))
}
