#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# The socket surface of AF_INET6, alone and together with AF_INET: every test
# of the mrc_sock_ipv6 programs, once on TCP as the oracle and once on AF_MRC.

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/topo6.sh
. "$KSFT_LIB/topo6.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

mrc_require
mrc_choose_variant
ksft_begin
HOST=mrc$(printf '%04x' $((SRANDOM % 65536)))
topo_netns "$HOST" || ksft_skip_all "cannot make a network namespace"
# A link with a link-local address, for scope ids.
if ! ip -n "$HOST" link add ll0 type veth peer name ll1 ||
   ! topo6_device "$HOST" ll0 || ! ip -n "$HOST" link set ll1 up ||
   ! ip -n "$HOST" link set ll0 up; then
	ksft_skip_all "cannot make a link"
fi
wait_until 10 topo6_has_link_local "$HOST" ll0 ||
	ksft_result FAIL "no link-local address"

for part in ipv6 ipv6_bind ipv6_opt; do
	ksft_program "$part" ip netns exec "$HOST" "$MRC_PROGS/mrc_sock_$part"
done
ksft_end
