# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Reading test programs: how long a case may take and what its TAP output
# says. Sourced by selftests/run, for cases in the guest, and by scripts/check.

# case_timeout FILE: seconds; the case's own line "# timeout: N" in its first
# 20 lines, else the one of the file settings beside this one; times MRC_SLOW
# on a slow kernel.
case_timeout()
{
	local seconds

	seconds=$(sed -n '1,20s/^# timeout: *\([0-9]*\)$/\1/p' "$1")
	[ -n "$seconds" ] || seconds=$(sed -n 's/^timeout=//p' \
		"$(dirname "${BASH_SOURCE[0]}")/settings")
	echo $((${seconds:-300} * ${MRC_SLOW:-1}))
}

# tap_count LOG STATUS: sets passed, failed, skipped, and why when something
# is wrong that no "not ok" line says. Only lines at the left margin count: an
# indented or commented line belongs to a subtest that has its own summary.
tap_count()
{
	local log=$1 status=$2 plan total counts

	passed=0 failed=0 skipped=0 why=''
	counts=$(awk '
		/^not ok( |$)/ { f++ }
		/^ok( |$)/ { if (toupper($0) ~ /# SKIP/) s++; else p++ }
		/^1\.\.[0-9]/ { n += substr($1, 4); seen = 1 }
		END { print p + 0, f + 0, s + 0, seen ? n : "none" }' "$log")
	read -r passed failed skipped plan <<<"$counts"
	total=$((passed + failed + skipped))

	if [ "$status" -eq 4 ] && [ $((passed + failed)) -eq 0 ]; then
		why=$(sed -n 's/^1\.\.0 *# *SKIP *//p' "$log" | tail -n 1)
		why=${why:-skipped}
		[ "$skipped" -gt 0 ] || skipped=1
		return
	fi
	if grep -q '^Bail out!' "$log"; then
		why="bailed out"
	elif [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
		why="ended with status $status"
	elif [ "$plan" = none ]; then
		why="printed no plan"
	elif [ "$plan" -ne "$total" ]; then
		why="planned $plan tests, ran $total"
	elif [ "$total" -eq 0 ]; then
		why="ran no test"
	fi
	[ -z "$why" ] || failed=$((failed + 1))
}
