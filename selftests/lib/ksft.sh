# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2120
#
# TAP output for the test shells. A case sources this file, calls ksft_begin,
# then ksft_run for every subtest and ksft_end last. A subtest is a function:
# it fails when a check in it failed or when it returns something other than
# 0; it is skipped when it returns KSFT_SKIP. Checks do not stop the subtest,
# so one run shows all that is wrong. Lines that a subtest prints appear as
# TAP comments.
#
# A missing feature is a skip for a person, and a failure when
# MRC_SKIP_IS_FAIL=1 (as in the continuous check).

KSFT_SKIP=4
KSFT_LIB=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
KSFT_ROOT=$(dirname "$KSFT_LIB")

# shellcheck source=selftests/lib/defer.sh
. "$KSFT_LIB/defer.sh"
# shellcheck source=selftests/lib/wait.sh
. "$KSFT_LIB/wait.sh"

KSFT_COUNT=0
KSFT_FAILED=0
KSFT_SKIPPED=0
KSFT_BAD=0
KSFT_RUNNING=

ksft_begin()
{
	echo "TAP version 13"
	KSFT_TMP=$(mktemp -d /tmp/mrc-case.XXXXXX)
	defer rm -rf "$KSFT_TMP"
}

# ksft_result OK|FAIL|SKIP NAME [REASON]
ksft_result()
{
	KSFT_COUNT=$((KSFT_COUNT + 1))
	case $1 in
	OK)
		echo "ok $KSFT_COUNT $2"
		;;
	SKIP)
		if [ "${MRC_SKIP_IS_FAIL:-0}" = 1 ]; then
			KSFT_FAILED=$((KSFT_FAILED + 1))
			echo "not ok $KSFT_COUNT $2 # skipped: ${3:-}"
		else
			KSFT_SKIPPED=$((KSFT_SKIPPED + 1))
			echo "ok $KSFT_COUNT $2 # SKIP ${3:-}"
		fi
		;;
	*)
		KSFT_FAILED=$((KSFT_FAILED + 1))
		echo "not ok $KSFT_COUNT $2"
		;;
	esac
}

# ksft_run NAME FUNCTION ARGS...
ksft_run()
{
	local name=$1
	local log=$KSFT_TMP/subtest.log
	local start rc

	shift
	ksft_abandoned
	KSFT_RUNNING=$name
	KSFT_BAD=0
	KSFT_REASON=
	wait_clock
	start=$NOW_MS
	defer_scope_begin
	"$@" >"$log" 2>&1
	rc=$?
	defer_scope_end >>"$log" 2>&1
	sed 's/^/# /' "$log"
	wait_clock
	KSFT_RUNNING=
	echo "# $name took $((NOW_MS - start)) ms"
	if [ "$rc" -eq "$KSFT_SKIP" ] && [ "$KSFT_BAD" -eq 0 ]; then
		ksft_result SKIP "$name" "$KSFT_REASON"
	elif [ "$rc" -ne 0 ] || [ "$KSFT_BAD" -ne 0 ]; then
		ksft_result FAIL "$name"
	else
		ksft_result OK "$name"
	fi
}

# After an error in an expansion bash goes on at the top level: the subtest that
# was at work has no result then, and is a failure.
ksft_abandoned()
{
	[ -n "$KSFT_RUNNING" ] || return 0
	sed 's/^/# /' "$KSFT_TMP/subtest.log"
	ksft_result FAIL "$KSFT_RUNNING (abandoned by an error in the script)"
	KSFT_RUNNING=
}

# ksft_skip REASON: leave the subtest as skipped ("ksft_skip x; return").
ksft_skip()
{
	KSFT_REASON=$1
	return $KSFT_SKIP
}

# ksft_fail TEXT: note a failed check and go on.
ksft_fail()
{
	echo "FAIL: $*"
	KSFT_BAD=$((KSFT_BAD + 1))
	return 1
}

# check TEXT COMMAND ARGS...: COMMAND must succeed.
check()
{
	local text=$1
	local rc

	shift
	"$@"
	rc=$?
	[ "$rc" -eq 0 ] || ksft_fail "$text (status $rc: $*)"
}

# check_status TEXT WANTED COMMAND ARGS...: COMMAND must end with WANTED.
check_status()
{
	local text=$1
	local wanted=$2
	local rc

	shift 2
	"$@"
	rc=$?
	[ "$rc" -eq "$wanted" ] ||
		ksft_fail "$text: status $rc, expected $wanted ($*)"
}

# check_num TEXT A OP B: OP is one of == != < <= > >=; numbers may be decimal.
check_num()
{
	local sum="$2 $3 $4"
	local verdict=0

	case $3 in
	== | != | '<' | '<=' | '>' | '>=') ;;
	*)
		ksft_fail "$1: '$3' is no comparison"
		return 1
		;;
	esac
	if [[ $2$4 =~ ^[0-9]+$ ]] && [ -n "$2" ]; then
		verdict=$((sum))
	elif [ -n "$2" ]; then
		verdict=$(awk -v a="$2" -v b="$4" \
			"BEGIN { print ((a+0) $3 (b+0)) }")
	fi
	if [ "$verdict" != 1 ]; then
		ksft_fail "$1: got '$2', expected $3 $4"
		return 1
	fi
	echo "$1: $2 ($3 $4)"
}

# ksft_import PREFIX FILE: count the TAP lines of another program as ours.
ksft_import()
{
	local line
	local seen=0

	while IFS= read -r line; do
		case $line in
		"ok "*"# SKIP"*)
			line=${line#ok * }
			ksft_result SKIP "$1 ${line%% # SKIP*}" "${line##*# SKIP }"
			seen=1
			;;
		"ok "*)
			ksft_result OK "$1 ${line#ok * }"
			seen=1
			;;
		"not ok "*)
			ksft_result FAIL "$1 ${line#not ok * }"
			seen=1
			;;
		*)
			echo "# $line"
			;;
		esac
	done < "$2"
	[ "$seen" = 1 ]
}

# ksft_program NAME COMMAND...: runs a program that prints TAP; its tests are
# ours, and there must be one.
ksft_program()
{
	local tap=$KSFT_TMP/$1.tap

	"${@:2}" >"$tap" 2>&1
	ksft_import "$1" "$tap" || ksft_result FAIL "$1 ran no test"
}

# Leave the whole case as skipped.
ksft_skip_all()
{
	if [ "${MRC_SKIP_IS_FAIL:-0}" = 1 ]; then
		echo "1..1"
		echo "not ok 1 $1"
		exit 1
	fi
	echo "1..0 # SKIP $1"
	exit $KSFT_SKIP
}

ksft_end()
{
	ksft_abandoned
	echo "1..$KSFT_COUNT"
	echo "# Totals: pass:$((KSFT_COUNT - KSFT_FAILED - KSFT_SKIPPED))" \
		"fail:$KSFT_FAILED skip:$KSFT_SKIPPED"
	[ "$KSFT_COUNT" -gt 0 ] && [ "$KSFT_FAILED" -eq 0 ]
	exit $?
}
