# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2120
#
# Waiting on conditions, always with a deadline. No test sleeps for a fixed
# time and hopes. MRC_SLOW, a factor, stretches the deadlines on a slow kernel.

# wait_until SECONDS COMMAND ARGS...: poll until COMMAND succeeds.
wait_until()
{
	local end=$(($(wait_now_ms) + $1 * 1000 * ${MRC_SLOW:-1}))

	shift
	until "$@" >/dev/null 2>&1; do
		[ "$(wait_now_ms)" -lt "$end" ] || return 1
		sleep 0.05
	done
}

# Milliseconds since an arbitrary start, without a fork.
wait_now_ms()
{
	local now=${EPOCHREALTIME/[.,]/}

	echo $((now / 1000))
}

# wait_log FILE PATTERN SECONDS: until a line of FILE matches PATTERN (ERE).
wait_log()
{
	wait_until "$3" grep -Eq -- "$2" "$1"
}

wait_gone()
{
	! kill -0 "$1" 2>/dev/null
}

# wait_pid PID SECONDS: exit status of the child, 124 when it is still there.
wait_pid()
{
	wait_until "$2" wait_gone "$1" || return 124
	wait "$1"
}

# wait_bytes FILE SECONDS COUNT: until FILE has at least COUNT bytes.
wait_bytes()
{
	wait_until "$2" wait_has_bytes "$1" "$3"
}

wait_has_bytes()
{
	[ "$(stat -c %s "$1")" -ge "$2" ]
}
