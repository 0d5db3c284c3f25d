#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# Random and damaged netlink messages, seeded, as root and as nobody, while a
# transfer runs in the same namespace: every refusal says why, nobody changes
# anything, the transfer loses no byte, no memory stays behind.

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

MESSAGES=${MESSAGES:-10000}
SEED=${SEED:-1}
# What may come and go in the kernel's own caches meanwhile, kB.
SLACK=4096

fuzz()
{
	on_a timeout $((120 * ${MRC_SLOW:-1})) "$MRC_PROGS/mrc_nlfuzz" "$@"
}

# Root takes endpoints and limits away under the transfer, again and again.
beside_transfer()
{
	xfer_both 140 150 || return 1
	check "fuzzer as root" fuzz --seed "$SEED" --count "$MESSAGES"
	check "fuzzer as nobody" fuzz --seed "$SEED" --count "$MESSAGES" \
		--nobody
	xfer_end
	check_num "bytes moved" "$(xfer_value "$KSFT_TMP/client.log" sent)" \
		'>' 0
}

# What nobody may do leaves no trace.
nobody_changes_nothing()
{
	on_a mrcctl endpoint flush
	on_a mrcctl endpoint add "$(addr_a 0)" dev a0
	on_a mrcctl limits set max_paths 5 max_announced 6
	mrc_json a endpoint show >"$KSFT_TMP/endpoints"
	mrc_json a limits show >"$KSFT_TMP/limits"
	check "fuzzer as nobody" fuzz --seed $((SEED + 1)) \
		--count "$MESSAGES" --nobody
	mrc_json a endpoint show | check "endpoints stay" \
		cmp - "$KSFT_TMP/endpoints"
	mrc_json a limits show | check "limits stay" cmp - "$KSFT_TMP/limits"
}

slab_kb()
{
	awk '/^SUnreclaim:/ { print $2 }' /proc/meminfo
}

memory_flat()
{
	local before

	[ ! -e /sys/kernel/debug/kmemleak ] ||
		{ ksft_skip "a debug kernel keeps freed memory"; return; }
	check "fuzzer warms up" fuzz --seed "$SEED" --count "$MESSAGES"
	on_a mrcctl endpoint flush
	before=$(slab_kb)
	check "fuzzer goes on" fuzz --seed $((SEED + 2)) \
		--count $((2 * MESSAGES))
	on_a mrcctl endpoint flush
	check_num "kB of slab more" $(($(slab_kb) - before)) '<' "$SLACK"
}

still_works()
{
	on_a mrcctl endpoint flush
	on_a mrcctl limits set max_paths 64 max_announced 16
	xfer_pair 60 --expect 1M -- --connect "$(addr_b 0)" --bytes 1M
}

mrc_require
[ "$MRC_FAMILY" = mrc ] || ksft_skip_all "only for the family mrc"
ksft_begin
topo_direct 2 || ksft_skip_all "cannot build the topology"
shape 0 20mbit 1ms 100
shape 1 20mbit 1ms 100
mrc_configure || ksft_result FAIL "configuration"
ksft_run "$((2 * MESSAGES)) messages beside a transfer" beside_transfer
ksft_run "nobody changes nothing" nobody_changes_nothing
ksft_run "memory is flat" memory_flat
ksft_run "a new connection works" still_works
ksft_end
