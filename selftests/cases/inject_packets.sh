#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# A peer in user space that speaks the wire format, and misuses it: handshakes,
# joins, data, ends, ACKs and RESETs as they must not be. Every packet is
# scripted (selftests/progs/inject_*.c); replies, states and counters are
# checked. MRC_LONG=1 adds what takes minutes.

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

# Host B has the module; the injector on host A has addresses that B reaches
# through A, but that A itself does not have.
injector_routes()
{
	ip -n "$HB" route add 10.9.100.0/24 via "$(addr_a 0)" dev b0 &&
	ip -n "$HB" route add 10.9.101.0/24 via "$(addr_a 1)" dev b1 &&
	topo_single_packets "$HB" b
}

# inject GROUP...: their tests are ours.
inject()
{
	ksft_program inject on_a "$MRC_PROGS/mrc_inject" \
		--host "/run/netns/$HB" --port "$UDP_PORT" "$@"
}

mrc_require
[ "$MRC_FAMILY" = mrc ] || ksft_skip_all "only for the family mrc"
ksft_begin
topo_direct 2 || ksft_skip_all "cannot build the topology"
injector_routes || ksft_result FAIL "routes to the injector"
UDP_PORT=$(on_b sysctl -n net.mrc.udp_port)
# For the ICMP messages: TCP for no other reason.
on_b sysctl -q net.mrc.fallback_timeout=60000
inject open refuse join data fin ack reset form tail secret limit \
	unreach nat
on_b mrcctl endpoint add "$(addr_b 1)" dev b1 ||
	ksft_result FAIL "endpoint of the host"
inject path announced
[ "${MRC_LONG:-0}" = 0 ] || inject open.slow_cookie_expired
ksft_end
