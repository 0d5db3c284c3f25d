# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2120
#
# Waiting on conditions, always with a deadline. No test sleeps for a fixed
# time and hopes. MRC_SLOW, a factor, stretches the deadlines on a slow kernel.

# Programs are not started needlessly: every start costs a guest dear.
# A pipe that nobody writes to, for pauses without a process.
exec {WAIT_PIPE}<> <(:)

# wait_until SECONDS COMMAND ARGS...: poll until COMMAND succeeds.
wait_until()
{
	local end

	wait_clock
	end=$((NOW_MS + $1 * 1000 * ${MRC_SLOW:-1}))
	shift
	until "$@" >/dev/null 2>&1; do
		wait_clock
		[ "$NOW_MS" -lt "$end" ] || return 1
		wait_pause 0.1
	done
}

wait_pause()
{
	read -r -t "$1" -u "$WAIT_PIPE" _
	return 0
}

# Sets NOW_MS: milliseconds since an arbitrary start.
wait_clock()
{
	NOW_MS=${EPOCHREALTIME/[.,]/}
	NOW_MS=$((NOW_MS / 1000))
}

# wait_log FILE PATTERN SECONDS: until a line of FILE matches PATTERN (ERE).
wait_log()
{
	wait_until "$3" log_has "$1" "$2"
}

log_has()
{
	local line

	while IFS= read -r line; do
		[[ $line =~ $2 ]] && return 0
	done < "$1"
	[[ $line =~ $2 ]]
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
