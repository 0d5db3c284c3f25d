# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2120
#
# AF_MRC in the test topology: configuration by mrcctl, transfers by mrc_xfer,
# counters and JSON. MRC_FAMILY (mrc, tcp or mptcp; default mrc) runs the same
# cases over another family, to tell a fault of the rig from one of ours.

MRC_FAMILY=${MRC_FAMILY:-mrc}
MRC_PROGS=${MRC_PROGS:-$KSFT_ROOT/progs}
MRC_PORT=${MRC_PORT:-5301}

# The prefix that makes an unmodified program use the family.
case $MRC_FAMILY in
mrc)
	MRC_RUN=(mrcctl run --)
	;;
mptcp)
	MRC_RUN=(mptcpize run)
	;;
*)
	MRC_RUN=()
	;;
esac

# Leave the case unless the family can work here.
mrc_require()
{
	[ "$(id -u)" = 0 ] || ksft_skip_all "needs root"
	for tool in ip tc ethtool jq "$@"; do
		command -v "$tool" >/dev/null || ksft_skip_all "needs $tool"
	done
	[ -x "$MRC_PROGS/mrc_xfer" ] || ksft_skip_all "mrc_xfer is not built"
	[ "$MRC_FAMILY" = mrc ] || return 0
	[ -d /sys/module/mrc ] || ksft_skip_all "mrc.ko is not loaded"
	command -v mrcctl >/dev/null || ksft_skip_all "mrcctl is not on PATH"
}

# Leave a subtest that only makes sense for our own family.
mrc_only()
{
	[ "$MRC_FAMILY" = mrc ] || ksft_skip "only for the family mrc"
}

# The programs of sock_fixture.h run every test on TCP as the oracle, too. Who
# wants another family only wants that one; a slow guest is spared the oracle,
# which says nothing about the module.
mrc_choose_variant()
{
	if [ "$MRC_FAMILY" != mrc ] || [ "${MRC_SCALE:-1}" -ne 1 ]; then
		export MRC_VARIANT=$MRC_FAMILY
	fi
}

# mrc_configure [N]: the first N paths (default all) on both hosts.
mrc_configure()
{
	local n=${1:-$TOPO_N}

	case $MRC_FAMILY in
	mrc)
		mrc_endpoints a 1 "$n" && mrc_endpoints b 2 "$n"
		;;
	mptcp)
		mrc_configure_mptcp "$n"
		;;
	esac
}

# mrc_endpoints a|b 1|2 N: the addresses of N paths on one host.
mrc_endpoints()
{
	# shellcheck disable=SC2016
	"on_$1" sh -c 'i=0; while [ $i -lt $3 ]; do
		mrcctl endpoint add 10.9.$i.$2 dev $1$i || exit
		i=$((i + 1)); done' sh "$@"
}

mrc_configure_mptcp()
{
	local k

	ip -n "$HA" mptcp limits set subflows 8 add_addr_accepted 8
	ip -n "$HB" mptcp limits set subflows 8 add_addr_accepted 8
	for ((k = 1; k < $1; k++)); do
		ip -n "$HB" mptcp endpoint add "$(addr_b "$k")" \
			dev "b$k" signal || return 1
	done
}

# mrc_json a|b OBJECT VERB...: JSON of mrcctl on that host.
mrc_json()
{
	local side=$1

	shift
	"on_$side" mrcctl -j "$@"
}

# mrc_stat a|b NAME: one counter of that host.
mrc_stat()
{
	mrc_json "$1" stats | jq --arg n "$2" '.[$n] // error("no counter " + $n)'
}

# mrc_path_sum a|b FIELD: sum of FIELD over all paths of that host.
mrc_path_sum()
{
	mrc_json "$1" path show | jq "[.[].$2] | add // 0"
}

mrc_path_count()
{
	mrc_json "$1" path show | jq length
}

# mrc_paths_are a|b N: exactly N paths, for wait_until.
mrc_paths_are()
{
	[ "$(mrc_path_count "$1")" = "$2" ]
}

# mrc_all_good a|b: as many good paths as the topology has, for wait_until.
mrc_all_good()
{
	[ "$(mrc_json "$1" path show |
		jq '[.[] | select(.state == "good")] | length')" = "$TOPO_N" ]
}

mrc_conn_count()
{
	mrc_json "$1" conn show | jq length
}

mrc_idle()
{
	[ "$(mrc_conn_count a)" = 0 ] && [ "$(mrc_conn_count b)" = 0 ]
}

# mrc_listens a|b PORT: some socket of the family listens there.
mrc_listens()
{
	if [ "$MRC_FAMILY" = mrc ]; then
		mrc_json "$1" conn show | jq -e --argjson port "$2" \
			'any(.[]; .state == "listen" and
			(.local | endswith(":\($port)")))'
	else
		"on_$1" ss -Hltn "sport = :$2" | grep -q .
	fi
}

# scaled BYTES [LEAST]: an amount for this guest; a slow one is given a part,
# named by MRC_SCALE. Whatever is asserted of it stays as it is.
scaled()
{
	local amount=$(($1 / ${MRC_SCALE:-1}))

	[ "$amount" -ge "${2:-0}" ] || amount=$2
	echo "$amount"
}

# stretched SECONDS: a time that a slow guest gets more of.
stretched()
{
	echo $(($1 * ${MRC_SLOW:-1}))
}

# prog_pair PROGRAM SECONDS MORE WORD... -- WORD...: a program on both hosts, as
# "server WORD..." on B and "client WORD... WORD..." on A, with the words behind
# the dashes, too. Both must end well: the client within SECONDS, the server
# within MORE after it.
prog_pair()
{
	local prog=$MRC_PROGS/$1 limit=$2 more=$3
	local args=()
	local server

	shift 3
	while [ "$1" != -- ]; do
		args+=("$1")
		shift
	done
	shift
	bg "$KSFT_TMP/server.log" ip netns exec "$HB" "$prog" server \
		"${args[@]}"
	server=$BG_PID
	wait_log "$KSFT_TMP/server.log" '^ready' 30 ||
		ksft_fail "no listener: $(< "$KSFT_TMP/server.log")"
	bg "$KSFT_TMP/client.log" ip netns exec "$HA" "$prog" client \
		"${args[@]}" "$@"
	wait_pid "$BG_PID" "$limit" || ksft_fail "client: status $?"
	wait_pid "$server" "$more" || ksft_fail "server: status $?"
	cat "$KSFT_TMP/client.log" "$KSFT_TMP/server.log"
}

# xfer_args ARGS...: leaves them in XFER_ARGS, a time-out stretched by MRC_SLOW.
xfer_args()
{
	local last=

	XFER_ARGS=()
	for word; do
		[ "$last" != --timeout ] || word=$((word * ${MRC_SLOW:-1}))
		XFER_ARGS+=("$word")
		last=$word
	done
}

# xfer_server LOG ARGS...: mrc_xfer listening on host B; waits until it does.
xfer_server()
{
	local log=$1

	shift
	xfer_args "$@"
	bg "$log" ip netns exec "${XFER_SERVER_NS:-$HB}" "$MRC_PROGS/mrc_xfer" \
		--family "$MRC_FAMILY" --server --port "$MRC_PORT" \
		"${XFER_ARGS[@]}"
	XFER_SERVER=$BG_PID
	wait_log "$log" '^ready' 30 ||
		ksft_fail "mrc_xfer does not listen: $(cat "$log")"
}

# xfer_client LOG ARGS...: mrc_xfer connecting from host A, in the background.
xfer_client()
{
	local log=$1

	shift
	xfer_args "$@"
	bg "$log" ip netns exec "${XFER_CLIENT_NS:-$HA}" "$MRC_PROGS/mrc_xfer" \
		--family "$MRC_FAMILY" --port "$MRC_PORT" "${XFER_ARGS[@]}"
	XFER_CLIENT=$BG_PID
}

# xfer_value LOG FIELD: FIELD of the JSON line that mrc_xfer left in LOG.
xfer_value()
{
	local line

	while IFS= read -r line; do
		[[ $line =~ \"$2\":\"?([^,\"}]*) ]] && echo "${BASH_REMATCH[1]}"
	done < "$1"
}

# xfer_join SECONDS SERVERLOG CLIENTLOG: both ends must finish cleanly.
xfer_join()
{
	local side pid rc

	for side in SERVER CLIENT; do
		[ $side = SERVER ] && pid=$XFER_SERVER || pid=$XFER_CLIENT
		wait_pid "$pid" "$1"
		rc=$?
		[ $rc -eq 0 ] || ksft_fail "mrc_xfer $side: status $rc"
	done
	echo "server: $(<"$2")"
	echo "client: $(<"$3")"
}

# xfer_pair SECONDS SERVERARGS -- CLIENTARGS: one transfer from start to end.
# Logs are left in $KSFT_TMP/server.log and client.log.
xfer_pair()
{
	local deadline=$1
	local server=()

	shift
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		server+=("$1")
		shift
	done
	shift
	xfer_server "$KSFT_TMP/server.log" --timeout "$deadline" \
		"${server[@]}" || return 1
	xfer_client "$KSFT_TMP/client.log" --timeout "$deadline" "$@"
	xfer_join $((deadline + 5)) "$KSFT_TMP/server.log" \
		"$KSFT_TMP/client.log"
}

# xfer_both SECONDS TIMEOUT: a transfer in both directions, under way until
# xfer_end, at most SECONDS.
xfer_both()
{
	xfer_server "$KSFT_TMP/server.log" --timeout "$2" --direction both \
		--seconds "$1" || return 1
	xfer_client "$KSFT_TMP/client.log" --timeout "$2" --direction both \
		--connect "$(addr_b 0)" --seconds "$1"
}

# xfer_end: ends the transfer of xfer_both; not a byte may be lost.
xfer_end()
{
	kill -USR1 "$XFER_CLIENT" "$XFER_SERVER"
	xfer_join 60 "$KSFT_TMP/server.log" "$KSFT_TMP/client.log"
	check_num "bytes A to B lost" \
		$(($(xfer_value "$KSFT_TMP/client.log" sent) - \
		   $(xfer_value "$KSFT_TMP/server.log" received))) == 0
	check_num "bytes B to A lost" \
		$(($(xfer_value "$KSFT_TMP/server.log" sent) - \
		   $(xfer_value "$KSFT_TMP/client.log" received))) == 0
}

# received: bytes that host B has in order of the transfer under way.
received()
{
	mrc_json b conn show | jq '[.[].received_bytes // 0] | max // 0'
}

received_more_than()
{
	[ "$(received)" -gt "$1" ]
}

# fetch_log LOG: show a log as comments when something went wrong.
fetch_log()
{
	echo "--- $1"
	tail -n "${2:-20}" "$1"
}
