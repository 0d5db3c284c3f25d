#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 420
#
# A NAT between client and server: only answers get in, and the port that it
# gives changes. Paths must open through it, follow it, stay one path each, and
# be kept alive while nothing is sent.

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

# nat_filter PORT DIRECTION PREF MATCH... action ...: on the switch, before B.
nat_filter()
{
	local port=$1 direction=$2 pref=$3

	shift 3
	tc -n "$SW" filter replace dev "$port" "$direction" pref "$pref" \
		handle 1 protocol ip flower ip_proto udp "$@"
}

# nat K PORT: what A sends from the well-known port on path K leaves from PORT,
# and only answers to that get in. B's own questions do not.
nat()
{
	nat_filter "sb$1" egress 5 src_port "$UDP_PORT" \
		action pedit ex munge udp sport set "$2" pipe csum ip4h and udp &&
	nat_filter "sb$1" ingress 5 dst_port "$2" \
		action pedit ex munge udp dport set "$UDP_PORT" pipe \
		csum ip4h and udp &&
	nat_filter "sb$1" ingress 6 action drop
}

# behind_nat K: path K of A leaves from the well-known port.
behind_nat()
{
	mrc_json a path show | jq -e --arg local "$(addr_a "$1"):$UDP_PORT" \
		'any(.[]; .local == $local)'
}

moved_more_than()
{
	[ "$(mrc_stat b PathMoved)" -gt "$1" ]
}

# hosts N: two hosts with N paths.
hosts()
{
	topo_switched "$1" || return 1
	UDP_PORT=$(on_b sysctl -n net.mrc.udp_port)
	mrc_configure
}

# start N K: N paths, path K behind a NAT; a transfer both ways over them.
start()
{
	hosts "$1" || return 1
	topo_mend 12mbit 1ms 60
	nat "$2" 7000 || return 1
	xfer_both "$(stretched 100)" 120 || return 1
	check "all paths" wait_until 20 mrc_paths_are a "$1"
	check "path $2 is behind the NAT" wait_until 10 behind_nat "$2"
}

# changes_port PORT: the NAT of path 0 gives another one, and is followed.
changes_port()
{
	local moved

	moved=$(mrc_stat b PathMoved)
	nat 0 "$1"
	check "moved to $1" wait_until 20 moved_more_than "$moved"
}

flows()
{
	local goal=$(($(received) + 200000))

	check "$1: data flows" wait_until 20 received_more_than "$goal"
}

# The NAT is noticed on the path that has one, and follows its whims.
only_path()
{
	local port

	start 1 0 || return 1
	flows "before"
	for port in 7001 7002; do
		changes_port "$port"
		flows "$port"
	done
	check_num "paths of A" "$(mrc_path_count a)" == 1
	check_num "paths of B" "$(mrc_path_count b)" == 1
	xfer_end
}

beside_another()
{
	start 2 0 || return 1
	flows "before"
	changes_port 7010
	check "both paths are good" wait_until 20 mrc_all_good b
	flows "after"
	check_num "paths of B" "$(mrc_path_count b)" == 2
	xfer_end
}

# The second path has the NAT, so that it is a JOIN that meets it.
joined_through()
{
	start 2 1 || return 1
	check "both paths are good" wait_until 20 mrc_all_good b
	flows "through the NAT, too"
	xfer_end
}

arrived()
{
	[ -s "$KSFT_TMP/out" ]
}

# idle SECONDS: a connection of one path behind a NAT, asked after SECONDS; what
# is written to the fifo at B arrives at A.
idle()
{
	hosts 1 && nat 0 7000 || return 1
	on_a sysctl -q net.mrc.nat_keepalive="$1"
	rm -f "$KSFT_TMP/out"
	mkfifo "$KSFT_TMP/fifo.$1" || return 1
	exec 7<>"$KSFT_TMP/fifo.$1"
	bg "$KSFT_TMP/b.log" on_b "${MRC_RUN[@]}" socat -d -d -u \
		"PIPE:$KSFT_TMP/fifo.$1" TCP-LISTEN:5400
	wait_log "$KSFT_TMP/b.log" 'listening on' 20 ||
		fetch_log "$KSFT_TMP/b.log"
	bg "$KSFT_TMP/a.log" on_a "${MRC_RUN[@]}" socat -u \
		"TCP:$(addr_b 0):5400" "OPEN:$KSFT_TMP/out,creat"
	check "a path" wait_until 20 mrc_paths_are a 1
	check "behind the NAT" wait_until 10 behind_nat 0
}

# Nobody sends; the NAT forgets; B has the first word after that.
kept_alive()
{
	idle 1 || return 1
	changes_port 7100
	echo late >"$KSFT_TMP/fifo.1"
	check "what B says arrives" wait_until 20 arrived
}

# Switched off, an idle connection sends nothing.
left_alone()
{
	local probes

	idle 0 || return 1
	wait_pause 1
	probes=$(($(mrc_stat a PathProbes) + $(mrc_stat b PathProbes)))
	wait_pause 3
	check_num "PINGs of an idle connection" \
		$(($(mrc_stat a PathProbes) + $(mrc_stat b PathProbes) - probes)) \
		== 0
}

mrc_require socat
mrc_only
ksft_begin
ksft_run "the only path is behind a NAT that changes ports" only_path
ksft_run "one of two paths is" beside_another
ksft_run "a path is joined through it" joined_through
ksft_run "an idle path is kept alive" kept_alive
ksft_run "... unless that is switched off" left_alone
ksft_end
