#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# The last case on a debug kernel, run by selftests/run after all others: what
# they allocated and referenced must be gone. Started with the word "baseline"
# before the first case, it notes what there was. Unloads the module.

# Subtests are called by name.
# shellcheck disable=SC2317

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/lib/ksft.sh"

KMEMLEAK=/sys/kernel/debug/kmemleak
BASE=${RESULTS:?}/leak_check.base
# One object each for every namespace and every socket of ours and below us.
CACHES="net_namespace UDP UDPv6 TCP TCPv6"

# Objects in use; freed ones that KASAN or a processor still holds go first.
objects()
{
	local slab=/sys/kernel/slab/$1

	[ -d "$slab" ] || { echo 0; return; }
	echo 1 >"$slab/shrink"
	sed 's/ .*//' "$slab/objects"
}

no_more_than_before()
{
	[ "$(objects "$1")" -le "$2" ]
}

# The first namespace that ends leaves one object to the kernel, with or
# without the module; so some have ended before the counting begins.
baseline()
{
	local cache

	unshare --net unshare --net true
	wait_until 30 no_more_than_before net_namespace 1
	for cache in $CACHES; do
		echo "$cache $(objects "$cache")"
	done >"$BASE"
	echo clear >"$KMEMLEAK" || ksft_skip_all "kmemleak has ended"
}

caches_are_back()
{
	local cache count

	check "baseline" [ -s "$BASE" ] || return 1
	while read -r cache count; do
		wait_until 30 no_more_than_before "$cache" "$count" ||
			ksft_fail "$cache: $(objects "$cache") objects, $count at first"
	done <"$BASE"
}

# An object that waits for its grace period is on no list that is scanned, but
# gone soon: so the list is read until it is empty.
nothing_reported()
{
	[ -z "$(cat "$KMEMLEAK")" ]
}

# Only what looks alike in two scans is reported, and nothing young.
scan_twice()
{
	local i

	for i in 1 2; do
		# It gives up for good when it gets no memory itself.
		echo scan >"$KMEMLEAK" ||
			{ ksft_fail "kmemleak has ended"; return 1; }
	done
	wait_until 15 nothing_reported && return
	cat "$KMEMLEAK"
	ksft_fail "objects that nothing refers to"
}

unload()
{
	rmmod mrc 2>/dev/null
}

unloads()
{
	[ -d /sys/module/mrc ] || return 0
	check "rmmod" wait_until 30 unload || lsmod
	check_num "slab caches" "$(grep -c '^mrc' /proc/slabinfo)" == 0
	check_num "protocols" "$(grep -ci '^mrc' /proc/net/protocols)" == 0
}

[ -w "$KMEMLEAK" ] || ksft_skip_all "this kernel has no kmemleak"
if [ "${1:-}" = baseline ]; then
	baseline
	exit
fi
ksft_begin
ksft_run "no leak with the module loaded" scan_twice
ksft_run "unloads and leaves nothing" unloads
ksft_run "namespaces and sockets are gone" caches_are_back
ksft_run "no leak after the module" scan_twice
ksft_end
