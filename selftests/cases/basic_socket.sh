#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 600
#
# The socket surface on loopback: every test of the mrc_sock programs, once on
# TCP as the oracle and once on AF_MRC. A slow guest is spared the oracle, which
# says nothing about the module.

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

mrc_require
ksft_begin
HOST=mrc$(printf '%04x' $((SRANDOM % 65536)))
topo_netns "$HOST" || ksft_skip_all "cannot make a network namespace"

for part in open connect io poll close opt abuse; do
	variants=()
	[ "$MRC_FAMILY" = mrc ] && [ "${MRC_SCALE:-1}" -eq 1 ] ||
		variants=(-v "$MRC_FAMILY")
	ksft_program "$part" ip netns exec "$HOST" \
		"$MRC_PROGS/mrc_sock_$part" "${variants[@]}"
done
ksft_end
