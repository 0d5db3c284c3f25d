# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2153,SC2154
#
# Starts the programs of examples/ on the hosts of planes.sh, over the family
# MRC_FAMILY. Each leaves its pid in BG_PID and its output in a log whose last
# line has the figures. Needs ksft.sh, topo.sh, mrc.sh and planes.sh.

EXAMPLES=$(dirname "$KSFT_ROOT")/examples

# examples_have mpi|gloo|pipeline: are the programs that it needs there?
examples_have()
{
	case $1 in
	mpi)
		command -v mpirun >/dev/null && [ -x "$EXAMPLES/allreduce" ] ;;
	gloo)
		/usr/bin/python3 -c 'import importlib.util as u, sys
sys.exit(not u.find_spec("torch"))' ;;
	pipeline)
		/usr/bin/python3 -c 'import importlib.util as u, sys
sys.exit(not (u.find_spec("grpc") and u.find_spec("numpy")))' ;;
	esac
}

# example_mpi LOG RANKS ARGS...: one rank per host. With MPI_RECIPE=ranks only
# the ranks get the preload library, otherwise mpirun does, too.
example_mpi()
{
	local log=$1 hosts=10.9.0.1 export=() i

	local run=("${MRC_RUN[@]}")
	for ((i = 2; i <= $2; i++)); do
		hosts+=",10.9.0.$i"
	done
	if [ ${#run[@]} -gt 0 ]; then
		export=(-x LD_PRELOAD)
		[ "${MPI_RECIPE:-}" != ranks ] || {
			export=(-x "LD_PRELOAD=$("${run[@]}" printenv LD_PRELOAD)")
			run=()
		}
	fi
	# The ranks of one machine would starve one another by polling, and the
	# planes are one machine.
	bg "$log" env PLANES_ID="mrc$TOPO_ID" ip netns exec "${HOST[0]}" \
		"${run[@]}" mpirun --allow-run-as-root "${export[@]}" \
		--host "$hosts" --mca mpi_yield_when_idle 1 \
		--mca btl tcp,self --mca btl_tcp_if_include 10.9.0.0/24 \
		--mca oob_tcp_if_include 10.9.0.0/24 \
		--mca plm_rsh_agent "$KSFT_LIB/planes_agent" \
		"$EXAMPLES/allreduce" "${@:3}"
}

# example_gloo LOG RANKS ARGS...
example_gloo()
{
	local log=$1 i

	for ((i = $2 - 1; i >= 0; i--)); do
		[ $i -gt 0 ] && log=$1.$i || log=$1
		bg "$log" env GLOO_SOCKET_IFNAME=e0 OMP_NUM_THREADS=1 \
			ip netns exec "${HOST[i]}" "${MRC_RUN[@]}" \
			/usr/bin/python3 "$EXAMPLES/allreduce.py" $i "$2" \
			10.9.0.1 "${@:3}"
	done
}

example_worker()
{
	local host=$1 log=$2

	shift 2
	bg "$log" env OMP_NUM_THREADS=1 ip netns exec "${HOST[host]}" \
		"${MRC_RUN[@]}" /usr/bin/python3 "$EXAMPLES/pipeline.py" \
		worker "$@"
	wait_log "$log" '^ready' 60
}

# example_pipeline LOG RUN...: hosts 0, 1 and 2.
example_pipeline()
{
	local log=$1

	shift
	if ! example_worker 2 "$log.2" 2 10.9.0.3:7002 ||
		! example_worker 1 "$log.1" 1 10.9.0.2:7001 10.9.0.3:7002; then
		cat "$log".[12]
		return 1
	fi
	bg "$log" env OMP_NUM_THREADS=1 ip netns exec "${HOST[0]}" \
		"${MRC_RUN[@]}" /usr/bin/python3 "$EXAMPLES/pipeline.py" \
		drive 10.9.0.2:7001 "$@"
}
