# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2120
#
# Last-in-first-out cleanup for the test shells. Processes are ended by the
# pid that was recorded when they were started, never by name. Sourced by
# ksft.sh; every subtest gets its own scope, so what it started is gone
# before the next one begins.

DEFER_STACK=()
DEFER_SCOPES=()

# defer COMMAND ARGS...: run COMMAND when the current scope ends.
defer()
{
	DEFER_STACK+=("$(printf '%q ' "$@")")
}

defer_scope_begin()
{
	DEFER_SCOPES+=("${#DEFER_STACK[@]}")
}

# Unwind everything deferred since the matching defer_scope_begin.
defer_scope_end()
{
	local floor=0

	if [ "${#DEFER_SCOPES[@]}" -gt 0 ]; then
		floor=${DEFER_SCOPES[-1]}
		unset 'DEFER_SCOPES[-1]'
	fi
	while [ "${#DEFER_STACK[@]}" -gt "$floor" ]; do
		local cmd=${DEFER_STACK[-1]}

		unset 'DEFER_STACK[-1]'
		eval "$cmd" || true
	done
}

defer_all()
{
	DEFER_SCOPES=()
	defer_scope_end
}

# defer_end_pid PID: TERM, then KILL after two seconds, then reap.
defer_end_pid()
{
	local pid=$1
	local i

	kill -TERM "$pid" 2>/dev/null || { wait "$pid" 2>/dev/null; return 0; }
	for ((i = 0; i < 40; i++)); do
		kill -0 "$pid" 2>/dev/null || break
		wait_pause 0.05
	done
	kill -KILL "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	return 0
}

# bg LOGFILE COMMAND ARGS...: start COMMAND in the background with its output
# in LOGFILE; the pid is left in BG_PID and ended when the scope ends.
bg()
{
	local log=$1

	shift
	: > "$log"
	"$@" >>"$log" 2>&1 </dev/null &
	BG_PID=$!
	defer defer_end_pid "$BG_PID"
}

trap defer_all EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
