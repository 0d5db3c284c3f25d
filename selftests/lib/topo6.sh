# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2120
#
# IPv6 on top of the topology of topo.sh: path k gets the addresses
# fd09:<k>::1/64 on host A and fd09:<k>::2/64 on host B.

# topo6_device NS DEV: IPv6 on a device, addresses usable at once.
topo6_device()
{
	ip netns exec "$1" sysctl -q "net.ipv6.conf.$2.disable_ipv6=0" \
		"net.ipv6.conf.$2.accept_dad=0" \
		"net.ipv6.conf.$2.dad_transmits=0" \
		"net.ipv6.conf.$2.accept_ra=0" \
		"net.ipv6.conf.$2.router_solicitations=0"
}

topo6_has_link_local()
{
	ip -n "$1" -6 addr show dev "$2" scope link | grep -qv tentative
}

# topo6_add: addresses for all paths of the topology.
topo6_add()
{
	local k

	for ((k = 0; k < TOPO_N; k++)); do
		topo6_device "$HA" "a$k" && topo6_device "$HB" "b$k" &&
		ip -n "$HA" addr add "fd09:$k::1/64" dev "a$k" nodad &&
		ip -n "$HB" addr add "fd09:$k::2/64" dev "b$k" nodad ||
			return 1
	done
}

addr6_a()
{
	echo "fd09:$1::1"
}

addr6_b()
{
	echo "fd09:$1::2"
}

# mrc_configure6 [FIRST [COUNT]]: IPv6 endpoints of these paths, both hosts.
mrc_configure6()
{
	local first=${1:-0} count=${2:-$TOPO_N}
	local k

	for ((k = first; k < first + count; k++)); do
		on_a mrcctl endpoint add "$(addr6_a "$k")" dev "a$k" &&
		on_b mrcctl endpoint add "$(addr6_b "$k")" dev "b$k" ||
			return 1
	done
}

# Forget all endpoints on both hosts.
mrc_unconfigure()
{
	on_a mrcctl endpoint flush && on_b mrcctl endpoint flush
}
