# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2120
#
# Two hosts with N paths between them, in network namespaces with random
# names. Path k has the addresses 10.9.<k>.1/24 on device a<k> of host A
# ($HA) and 10.9.<k>.2/24 on device b<k> of host B ($HB).
#
# topo_direct N:   each path is one veth pair a<k> - b<k>; superframes cross
#                  it whole.
# topo_switched N: each path is a bridge in a third namespace ($SW) with the
#                  ports sa<k> and sb<k>. The hosts' devices segment in
#                  software, so the switch sees, queues and drops single
#                  packets. Shaping acts on the egress of the ports: sb<k>
#                  carries A to B, sa<k> carries B to A.
#
# Everything is removed when the defer scope ends that built it.

# Commands go to ip in batches: every process that is not started saves a
# guest much time.

topo_direct()
{
	local k

	TOPO_KIND=direct
	topo_hosts "$1" || return 1
	for ((k = 0; k < TOPO_N; k++)); do
		echo "link add a$k type veth peer name b$k netns $HB"
	done | ip -n "$HA" -batch - || return 1
	topo_addresses
}

topo_switched()
{
	local k

	TOPO_KIND=switched
	topo_hosts "$1" || return 1
	SW=mrc$TOPO_ID-s
	topo_netns "$SW" || return 1
	for ((k = 0; k < TOPO_N; k++)); do
		echo "link add br$k type bridge stp_state 0 mcast_snooping 0"
		echo "link add sa$k type veth peer name a$k netns $HA"
		echo "link add sb$k type veth peer name b$k netns $HB"
		echo "link set sa$k master br$k up"
		echo "link set sb$k master br$k up"
		echo "link set br$k up"
	done | ip -n "$SW" -batch - || return 1
	topo_single_packets "$HA" a && topo_single_packets "$HB" b &&
	topo_addresses
}

# The devices PREFIX0... of a host leave segmentation to the host itself.
topo_single_packets()
{
	# shellcheck disable=SC2016
	ip netns exec "$1" sh -c 'i=0; while [ $i -lt $2 ]; do
		ethtool -K $1$i tso off gso off tx-udp-segmentation off || exit
		i=$((i + 1)); done' sh "$2" "$TOPO_N"
}

topo_hosts()
{
	TOPO_N=$1
	TOPO_ID=$(printf '%04x' "$((SRANDOM % 65536))")
	HA=mrc$TOPO_ID-a
	HB=mrc$TOPO_ID-b
	SW=
	topo_netns "$HA" && topo_netns "$HB"
}

topo_netns()
{
	ip netns add "$1" || return 1
	defer ip netns del "$1"
	# No IPv6 chatter on links that a test counts packets on; lo keeps ::1.
	ip netns exec "$1" sysctl -q net.ipv6.conf.default.disable_ipv6=1 \
		net.ipv4.conf.all.rp_filter=0 \
		net.ipv4.conf.default.rp_filter=0 || return 1
	ip -n "$1" link set lo up
}

topo_addresses()
{
	topo_side a 1 | ip -n "$HA" -batch - &&
	topo_side b 2 | ip -n "$HB" -batch - &&
	topo_ingress_hooks
}

# The hooks that path_cut uses exist from the start and stay. The first and
# the last of them patch the kernel's receive path, and an emulated CPU that
# runs through it at that moment can hang for good (QEMU keeps the old code).
topo_ingress_hooks()
{
	local k port

	for ((k = 0; k < TOPO_N; k++)); do
		topo_ingress "$k"
		for port in "${TOPO_INGRESS[@]}"; do
			echo "qdisc add dev ${port#* } clsact" \
				>> "$KSFT_TMP/tc.${port%% *}"
		done
	done
	for port in "$KSFT_TMP"/tc.*; do
		tc -n "${port##*/tc.}" -batch "$port" || return 1
		rm "$port"
	done
}

topo_side()
{
	local k

	for ((k = 0; k < TOPO_N; k++)); do
		echo "addr add 10.9.$k.$2/24 dev $1$k"
		echo "link set $1$k up"
	done
}

addr_a()
{
	echo "10.9.$1.1"
}

addr_b()
{
	echo "10.9.$1.2"
}

# on_a / on_b COMMAND ARGS...: run COMMAND on that host.
on_a()
{
	ip netns exec "$HA" "$@"
}

on_b()
{
	ip netns exec "$HB" "$@"
}

# Leaves "namespace device" of the egress towards B and towards A in
# TOPO_EGRESS, in this order.
topo_egress()
{
	if [ "$TOPO_KIND" = switched ]; then
		TOPO_EGRESS=("$SW sb$1" "$SW sa$1")
	else
		TOPO_EGRESS=("$HA a$1" "$HB b$1")
	fi
}

# The root qdisc of a device back to none.
topo_clear()
{
	tc -n "$1" qdisc del dev "$2" root 2>/dev/null
	return 0
}

# A slow guest carries no more than 24 Mbit/s each way, over all paths: above
# that its processors are the bottleneck and no path. Sets TOPO_RATE.
topo_rate()
{
	local most=$((24 / TOPO_N))

	TOPO_RATE=$1
	[ "${MRC_SCALE:-1}" -eq 1 ] || [ "${1%mbit}" -le "$most" ] ||
		TOPO_RATE=${most}mbit
}

# shape K RATE DELAY LIMIT [NETEM ARGS...]: both directions of path K; DELAY
# is one way, LIMIT in packets (of whatever size the kind of topology gives).
shape()
{
	local k=$1 rate delay=$3 limit=$4
	local port

	topo_rate "$2"
	rate=$TOPO_RATE
	shift 4
	topo_egress "$k"
	for port in "${TOPO_EGRESS[@]}"; do
		# shellcheck disable=SC2086
		set -- $port "$@"
		topo_clear "$1" "$2"
		tc -n "$1" qdisc add dev "$2" root handle 1: netem \
			limit "$limit" delay "$delay" "${@:3}" \
			rate "$rate" || return 1
		shift 2
	done
}

# jitter K RATE DELAY JITTER LIMIT [NETEM ARGS...]: like shape, with packets
# that overtake one another. The rate sits in a tbf above netem, because
# netem's own rate would put them back in order.
jitter()
{
	local k=$1 rate delay=$3 jitter=$4 limit=$5
	local port

	topo_rate "$2"
	rate=$TOPO_RATE
	shift 5
	topo_egress "$k"
	for port in "${TOPO_EGRESS[@]}"; do
		# shellcheck disable=SC2086
		set -- $port "$@"
		topo_clear "$1" "$2"
		tc -n "$1" qdisc add dev "$2" root handle 1: tbf \
			rate "$rate" burst 128kb limit 4mb || return 1
		tc -n "$1" qdisc add dev "$2" parent 1: handle 2: netem \
			limit "$limit" delay "$delay" "$jitter" "${@:3}" ||
			return 1
		shift 2
	done
}

# topo_mend RATE DELAY LIMIT: every path up, whole and shaped.
topo_mend()
{
	local k

	for ((k = 0; k < TOPO_N; k++)); do
		path_heal "$k"
		path_up "$k"
		shape "$k" "$@" || return 1
	done
}

# ecn K RATE DELAY KIND [ARGS...]: a bottleneck that marks, KIND red or
# fq_codel, behind a netem that only delays. ARGS replace the marking
# parameters.
ecn()
{
	local k=$1 rate delay=$3 kind=$4
	local port mark

	topo_rate "$2"
	rate=$TOPO_RATE
	shift 4
	case $kind in
	red)
		mark=(limit 600kb min 30kb max 90kb avpkt 1500 burst 30
		      bandwidth "$rate" probability 0.1 ecn)
		;;
	fq_codel)
		mark=(limit 1000 flows 64 target 2ms interval 20ms ecn)
		;;
	*)
		echo "ecn: unknown kind $kind"
		return 1
		;;
	esac
	[ $# -eq 0 ] || mark=("$@")
	topo_egress "$k"
	for port in "${TOPO_EGRESS[@]}"; do
		# shellcheck disable=SC2086
		set -- $port
		topo_clear "$1" "$2"
		tc -n "$1" qdisc add dev "$2" root handle 1: netem \
			limit 4000 delay "$delay" || return 1
		tc -n "$1" qdisc add dev "$2" parent 1: handle 2: tbf \
			rate "$rate" burst 128kb limit 4mb || return 1
		tc -n "$1" qdisc add dev "$2" parent 2: handle 3: \
			"$kind" "${mark[@]}" || return 1
	done
}

# path_drops K: packets the qdiscs of path K dropped, both directions.
path_drops()
{
	local port

	topo_egress "$1"
	for port in "${TOPO_EGRESS[@]}"; do
		# shellcheck disable=SC2086
		set -- $port
		tc -n "$1" -s -j qdisc show dev "$2"
	done | jq -s '[.[][] | (.drops // 0)] | add'
}

# path_marks K: packets the marking qdiscs of path K set CE on.
path_marks()
{
	local port

	topo_egress "$1"
	for port in "${TOPO_EGRESS[@]}"; do
		# shellcheck disable=SC2086
		set -- $port
		tc -n "$1" -s -j qdisc show dev "$2"
	done | jq -s '[.[][] | (.marked // 0) + (.ecn_mark // 0)] | add'
}

# Ports whose ingress a blackhole closes: where the host's packets enter.
topo_ingress()
{
	if [ "$TOPO_KIND" = switched ]; then
		TOPO_INGRESS=("$SW sa$1" "$SW sb$1")
	else
		TOPO_INGRESS=("$HB b$1" "$HA a$1")
	fi
}

# path_cut K [ab|ba]: silent blackhole, link stays up; default both directions.
path_cut()
{
	local which=${2:-both}
	local i

	topo_ingress "$1"
	for i in 0 1; do
		[ "$which" = ab ] && [ $i = 1 ] && continue
		[ "$which" = ba ] && [ $i = 0 ] && continue
		# shellcheck disable=SC2086
		set -- ${TOPO_INGRESS[$i]}
		tc -n "$1" filter replace dev "$2" ingress pref 1 handle 1 \
			matchall action drop || return 1
	done
}

path_heal()
{
	local port

	topo_ingress "$1"
	for port in "${TOPO_INGRESS[@]}"; do
		# shellcheck disable=SC2086
		set -- $port
		tc -n "$1" filter del dev "$2" ingress pref 1 2>/dev/null
	done
	return 0
}

# path_down K, path_up K: host A's device of path K.
path_down()
{
	ip -n "$HA" link set "a$1" down
}

path_up()
{
	ip -n "$HA" link set "a$1" up
}

# dev_bytes a|b K tx|rx: bytes the host's device of path K has carried.
dev_bytes()
{
	"on_$1" cat "/sys/class/net/$1$2/statistics/$3_bytes"
}
