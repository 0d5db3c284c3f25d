#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 600
#
# The programs of examples/ over four planes: results right, every rank ends,
# every plane carries its part, one of them dies half-way. MRC_LONG=1 adds the
# runs that take a minute and more each.

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"
# shellcheck source=selftests/lib/planes.sh
. "$KSFT_LIB/planes.sh"
# shellcheck source=selftests/lib/examples.sh
. "$KSFT_LIB/examples.sh"

# Bytes that every plane must have carried; a share would depend on speed.
LEAST=50000

none_runs()
{
	local i

	for ((i = 0; i < ${#HOST[@]}; i++)); do
		[ -z "$(ip netns pids "${HOST[i]}")" ] || return 1
	done
}

# judge LOG PID CUT-AT PLANE: cuts the plane after that many steps, waits.
judge()
{
	local log=$1 pid=$2 rc k
	local before=()

	for ((k = 0; k < TOPO_N; k++)); do
		before+=("$(plane_bytes "$k")")
	done
	if [ -n "${3:-}" ]; then
		wait_log "$log" "^step $3 " 180 || ksft_fail "no step $3"
		plane_cut "$4"
		defer plane_heal "$4"
	fi
	wait_pid "$pid" 150
	rc=$?
	tail -n 1 "$log"
	if [ "$rc" -ne 0 ] || ! grep -q ' right$' "$log" ||
		grep -q ' wrong$' "$log"; then
		ksft_fail "status $rc"
		tail -n 20 "$log"*
	fi
	[ "$MRC_FAMILY" = mrc ] || return 0
	for ((k = 0; k < TOPO_N; k++)); do
		check_num "bytes in plane $k" \
			$(($(plane_bytes "$k") - before[k])) '>' "$LEAST"
	done
}

connections()
{
	echo $(($(mrc_stat b ConnActive) + $(mrc_stat b ConnPassive)))
}

is_long()
{
	[ -n "${MRC_LONG:-}" ] || ksft_skip "long: MRC_LONG=1 runs it"
}

mpi()
{
	local ranks=$2 first=0
	# shellcheck disable=SC2034 # for example_mpi
	local MPI_RECIPE=$1

	shift 2
	[ "$ranks" -eq 2 ] || is_long || return
	examples_have mpi || {
		ksft_skip "needs Open MPI (make deps DEPS=examples, make -C examples)"
		return
	}
	[ "$MRC_FAMILY" != mrc ] || first=$(connections)
	example_mpi "$KSFT_TMP/log" "$ranks" "$STEPS" "$BYTES"
	judge "$KSFT_TMP/log" "$BG_PID" "$@"
	wait_until 10 none_runs || ksft_fail "a rank has not ended"
	[ "$MRC_FAMILY" != mrc ] || check_num "connections of rank 1" \
		$(($(connections) - first)) '>' 0
}

gloo()
{
	is_long || return
	examples_have gloo || {
		ksft_skip "needs python3-torch"
		return
	}
	example_gloo "$KSFT_TMP/log" 4 "$STEPS" "$BYTES"
	judge "$KSFT_TMP/log" "$BG_PID" "$@"
	wait_until 20 none_runs || ksft_fail "a rank has not ended"
}

pipeline()
{
	examples_have pipeline || {
		ksft_skip "needs python3-grpcio and python3-numpy"
		return
	}
	# shellcheck disable=SC2086 # a list of runs
	example_pipeline "$KSFT_TMP/log" $RUNS || return
	judge "$KSFT_TMP/log" "$BG_PID" "$@"
}

mrc_require
STEPS=$(scaled 9 4)
BYTES=$(scaled 524288 262144)
RUNS="16384x$(scaled 10 4) 524288x$(scaled 2 1)"
CUT_AT=$((STEPS / 3))
ksft_begin
planes 4 4 && planes_shape 10mbit 1ms 30 && planes_configure || exit 1
ksft_run "all-reduce, 2 ranks, mpirun under the runner, plane 1 dies" \
	mpi all 2 "$CUT_AT" 1
ksft_run "all-reduce, 4 ranks, -x LD_PRELOAD, plane 2 dies" \
	mpi ranks 4 "$CUT_AT" 2
ksft_run "all-reduce with Gloo, 4 ranks, plane 2 dies" gloo "$CUT_AT" 2
ksft_run "pipeline of three hosts, plane 3 dies" pipeline 1 3
ksft_end
