# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2153
#
# More than two hosts, each with one link into each of N switches (planes), in
# network namespaces. Host i (from 0) is ${HOST[i]}; its device in plane k is
# e<k> with the address 10.9.<k>.<i + 1>/24. The switches are bridges of the
# namespace $SW; the port that leads to host i is p<i>x<k>, and its egress is
# where plane k is shaped. Needs topo.sh; all of it goes with the defer scope.

# planes HOSTS N
planes()
{
	local i

	TOPO_N=$2
	TOPO_ID=$(printf '%04x' "$((SRANDOM % 65536))")
	SW=mrc$TOPO_ID-s
	HOST=()
	topo_netns "$SW" || return 1
	for ((i = 0; i < $1; i++)); do
		HOST+=("mrc$TOPO_ID-$i")
		topo_netns "${HOST[i]}" || return 1
	done
	HA=${HOST[0]} HB=${HOST[1]}
	planes_links | ip -n "$SW" -batch - || return 1
	for ((i = 0; i < $1; i++)); do
		planes_addresses "$i" | ip -n "${HOST[i]}" -batch - &&
		topo_single_packets "${HOST[i]}" e || return 1
	done
	planes_ports "qdisc add dev @ clsact" | tc -n "$SW" -batch -
}

planes_links()
{
	local i k

	for ((k = 0; k < TOPO_N; k++)); do
		echo "link add br$k type bridge stp_state 0 mcast_snooping 0"
		echo "link set br$k up"
		for ((i = 0; i < ${#HOST[@]}; i++)); do
			echo "link add p${i}x$k type veth peer name e$k netns ${HOST[i]}"
			echo "link set p${i}x$k master br$k up"
		done
	done
}

planes_addresses()
{
	local k

	for ((k = 0; k < TOPO_N; k++)); do
		echo "addr add 10.9.$k.$(($1 + 1))/24 dev e$k"
		echo "link set e$k up"
	done
}

# planes_ports TEXT [K...]: TEXT for every port of these planes (default all),
# with its name for @.
planes_ports()
{
	local i k text=$1

	shift
	[ $# -gt 0 ] || set -- $(seq 0 $((TOPO_N - 1)))
	for k; do
		for ((i = 0; i < ${#HOST[@]}; i++)); do
			echo "${text//@/p${i}x$k}"
		done
	done
}

# planes_shape RATE DELAY LIMIT [NETEM ARGS...]: all planes.
planes_shape()
{
	local delay=$2 limit=$3

	topo_rate "$1"
	shift 3
	planes_ports "qdisc replace dev @ root handle 1: netem limit $limit delay $delay rate $TOPO_RATE $*" |
		tc -n "$SW" -batch -
}

# plane_cut K: the switch takes everything and hands on nothing.
plane_cut()
{
	planes_ports "filter replace dev @ ingress pref 1 handle 1 matchall action drop" "$1" |
		tc -n "$SW" -batch -
}

plane_heal()
{
	planes_ports "filter del dev @ ingress pref 1" "$1" |
		tc -n "$SW" -force -batch - 2>/dev/null
	return 0
}

# planes_configure: for the family mrc, every device of every host is known.
planes_configure()
{
	local i k

	[ "$MRC_FAMILY" = mrc ] || return 0
	for ((i = 0; i < ${#HOST[@]}; i++)); do
		for ((k = 0; k < TOPO_N; k++)); do
			on_host "$i" mrcctl endpoint add "10.9.$k.$((i + 1))" \
				dev "e$k" || return 1
		done
	done
}

on_host()
{
	ip netns exec "${HOST[$1]}" "${@:2}"
}

# plane_bytes K: bytes that all hosts have sent into plane K.
plane_bytes()
{
	local i sum=0

	for ((i = 0; i < ${#HOST[@]}; i++)); do
		sum=$((sum + $(on_host "$i" cat \
			"/sys/class/net/e$1/statistics/tx_bytes")))
	done
	echo "$sum"
}
