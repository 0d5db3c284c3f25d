#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 180
#
# Which paths a connection between two hosts gets: whoever calls, over whichever
# network.

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

program()
{
	ksft_program "$1" env "MRC_HOST_A=$HA" "MRC_HOST_B=$HB" \
		"MRC_HOST_PATHS=$TOPO_N" "$MRC_PROGS/mrc_$1"
}

mrc_require
[ "$MRC_FAMILY" = mrc ] || ksft_skip_all "only for the family mrc"
ksft_begin
topo_direct 4 || ksft_skip_all "cannot build the topology"
for ((k = 0; k < TOPO_N; k++)); do
	shape "$k" 60mbit 2ms 1000 || ksft_result FAIL "shaping"
done
mrc_configure || ksft_result FAIL "configuration"
program hosts_mesh
ksft_end
