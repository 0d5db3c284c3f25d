#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 900
#
# Every option: value, inheritance, effect; SO_REUSEPORT, splice, io_uring.
# The mrc_sock programs of basic_socket.sh that need longer or need the host
# for themselves, each in a network namespace of its own.

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

part()
{
	local host

	defer_scope_begin
	host=mrc$(printf '%04x' $((SRANDOM % 65536)))
	if topo_netns "$host"; then
		ksft_program "$1" ip netns exec "$host" \
			"$MRC_PROGS/mrc_sock_$1"
	else
		ksft_result FAIL "$1 has no network namespace"
	fi
	defer_scope_end
}

mrc_require
mrc_choose_variant
ksft_begin
# It compares both families by itself.
[ "$MRC_FAMILY" != mrc ] || {
	part matrix
	part class
}
for name in effect pair reuseport splice uring; do
	part "$name"
done
ksft_end
