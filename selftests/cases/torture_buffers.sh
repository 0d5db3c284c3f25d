#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 600
#
# Small receive buffers, over paths that lose nothing: what the window promises
# finds room, and is not sent over and over again. Streams and messages, large and
# small packets, a reader that rests, a buffer that shrinks; one path, and four
# of unequal length.

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

# squeeze KIND PIECE COUNT WAY...: transfers, one after the other (mrc_squeeze).
squeeze()
{
	local args=("$1" "$MRC_PORT" "$2" "$(scaled "$3" 8)" "${@:4}")
	local drops

	drops=$(mrc_stat b RxMemoryDrops)
	prog_pair mrc_squeeze "$(stretched 60)" "$(stretched 30)" \
		"${args[@]}" -- "$(addr_b 0)"
	drops=$(($(mrc_stat b RxMemoryDrops) - drops))
	check_num "runs dropped for memory" "$drops" '<=' 20
}

# fixed KIND PIECE COUNT: small buffers, read fast and slowly.
fixed()
{
	squeeze "$@" 4096:0:0 4096:0:4096 16384:0:0 65536:0:0 65536:0:4096
}

shrinking()
{
	squeeze stream 65536 16 262144:4096:0 262144:4096:4096
	squeeze message 100 4000 262144:4096:0 262144:4096:4096
}

unequal()
{
	shape 0 50mbit 1ms 1000 && shape 1 50mbit 3ms 1000 &&
	shape 2 20mbit 8ms 1000 && shape 3 10mbit 15ms 1000
}

# all NAME: each kind, on the paths that there are now.
all()
{
	ksft_run "a stream, $1" fixed stream 65536 10
	ksft_run "a stream of small writes, $1" fixed stream 40 2000
	ksft_run "messages, $1" fixed message 20000 24
	ksft_run "small messages, $1" fixed message 40 2000
	ksft_run "a buffer that shrinks, $1" shrinking
}

mrc_require
[ "$MRC_FAMILY" = mrc ] || ksft_skip_all "only for the family mrc"
ksft_begin
topo_switched 4 || ksft_skip_all "cannot build the topology"
ksft_run "paths of unequal length" unequal
all "one path"
ksft_run "four paths" mrc_configure
all "four paths"
ksft_end
