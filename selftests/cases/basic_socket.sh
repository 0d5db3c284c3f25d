#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 600
#
# The socket surface on loopback: every test of the mrc_sock programs, once on
# TCP as the oracle and once on AF_MRC.

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

MODPROBE=/proc/sys/kernel/modprobe

set_modprobe()
{
	echo "$1" >"$MODPROBE"
}

mrc_require
ksft_begin
HOST=mrc$(printf '%04x' $((SRANDOM % 65536)))
topo_netns "$HOST" || ksft_skip_all "cannot make a network namespace"

mrc_choose_variant
for part in open connect io poll close opt flags; do
	ksft_program "$part" ip netns exec "$HOST" "$MRC_PROGS/mrc_sock_$part"
done
# Absurd ioctls name devices and protocols that no module has: to look for each
# would take longer than all the rest.
defer set_modprobe "$(cat "$MODPROBE")"
set_modprobe ""
ksft_program abuse ip netns exec "$HOST" "$MRC_PROGS/mrc_sock_abuse"
ksft_end
