#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 420
#
# Unmodified programs through "mrcctl run", two hosts, four paths.

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

# server LOG PATTERN COMMAND...: on host B; waits for PATTERN in its output.
server()
{
	local log=$1
	local pattern=$2

	shift 2
	bg "$log" ip netns exec "$HB" "${MRC_RUN[@]}" "$@"
	SERVER=$BG_PID
	wait_log "$log" "$pattern" 20 ||
		ksft_fail "server does not start: $(cat "$log")"
}

# client SECONDS COMMAND...: on host A.
client()
{
	local limit=$1

	shift
	timeout "$(stretched "$limit")" ip netns exec "$HA" \
		"${MRC_RUN[@]}" "$@" </dev/null
}

# The connection must be one of ours, not plain TCP.
count_connections()
{
	[ "$MRC_FAMILY" = mrc ] || return 0
	mrc_stat b ConnPassive
}

used_mrc()
{
	[ "$MRC_FAMILY" = mrc ] || return 0
	check_num "connections accepted" "$(($(mrc_stat b ConnPassive) - $1))" \
		'>=' "$2"
}

iperf3_run()
{
	local sums=$1
	local before

	shift
	before=$(count_connections)
	server "$KSFT_TMP/iperf.log" 'Server listening' iperf3 -s -1 -4 \
		-p 5201 --forceflush || return 1
	check "iperf3 client" client 60 iperf3 -c "$(addr_b 0)" -p 5201 -t 2 \
		-J "$@" > "$KSFT_TMP/iperf.json" || {
		cat "$KSFT_TMP/iperf.json"
		return 1
	}
	check "iperf3 server" wait_pid "$SERVER" 20
	check_num "errors reported" \
		"$(jq 'if has("error") then 1 else 0 end' \
		"$KSFT_TMP/iperf.json")" == 0 || jq .error "$KSFT_TMP/iperf.json"
	for sum in $sums; do
		check_num "$sum, bytes" \
			"$(jq ".end.$sum.bytes" "$KSFT_TMP/iperf.json")" \
			'>' 100000
	done
	used_mrc "${before:-0}" 2
}

socat_echo()
{
	local before

	before=$(count_connections)
	server "$KSFT_TMP/socat.log" 'listening on' socat -d -d \
		TCP4-LISTEN:7002,fork,reuseaddr EXEC:cat || return 1
	seq 1 100000 > "$KSFT_TMP/in"
	on_a "${MRC_RUN[@]}" timeout "$(stretched 40)" socat -t 10 - \
		"TCP4:$(addr_b 0):7002,nodelay,keepalive" \
		< "$KSFT_TMP/in" > "$KSFT_TMP/out"
	check "socat ends well" [ $? -eq 0 ]
	check "the same came back" cmp "$KSFT_TMP/in" "$KSFT_TMP/out"
	used_mrc "${before:-0}" 1
}

http()
{
	local before

	before=$(count_connections)
	mkdir -p "$KSFT_TMP/www"
	head -c "$(scaled 10485760)" /dev/urandom > "$KSFT_TMP/www/blob"
	server "$KSFT_TMP/http.log" 'Serving HTTP' /usr/bin/python3 -u \
		-m http.server 8087 --bind "$(addr_b 0)" \
		--directory "$KSFT_TMP/www" || return 1
	check "curl" client 40 curl -sS -o "$KSFT_TMP/got" \
		"http://$(addr_b 0):8087/blob"
	check "the file is the same" cmp "$KSFT_TMP/www/blob" "$KSFT_TMP/got"
	check_status "curl is refused where nobody listens" 7 \
		client 40 curl -sS -o /dev/null "http://$(addr_b 0):8099/blob"
	used_mrc "${before:-0}" 1
}

asyncio()
{
	local before

	before=$(count_connections)
	cat > "$KSFT_TMP/echo.py" <<-'END'
	import asyncio, sys

	async def serve(reader, writer):
	    while data := await reader.read(65536):
	        writer.write(data)
	        await writer.drain()
	    writer.write_eof()
	    writer.close()

	async def client(host):
	    reader, writer = await asyncio.open_connection(host, 8088)
	    sent = bytes(range(256)) * 8192
	    async def feed():
	        writer.write(sent)
	        await writer.drain()
	        writer.write_eof()
	    task = asyncio.create_task(feed())
	    got = await reader.read(-1)
	    await task
	    sys.exit(got != sent)

	async def server(host):
	    s = await asyncio.start_server(serve, host, 8088)
	    print("serving", flush=True)
	    await s.serve_forever()

	asyncio.run({"server": server, "client": client}[sys.argv[1]](sys.argv[2]))
	END
	server "$KSFT_TMP/asyncio.log" serving /usr/bin/python3 \
		"$KSFT_TMP/echo.py" server "$(addr_b 0)" || return 1
	check "asyncio echo" client 60 /usr/bin/python3 "$KSFT_TMP/echo.py" \
		client "$(addr_b 0)"
	used_mrc "${before:-0}" 1
}

mrc_require iperf3 socat curl
[ "$MRC_FAMILY" != mptcp ] || command -v mptcpize >/dev/null ||
	ksft_skip_all "needs mptcpize"
ksft_begin
topo_direct 4 || ksft_skip_all "cannot build the topology"
mrc_configure || ksft_result FAIL "configuration"
ksft_run "iperf3" iperf3_run "sum_received sum_sent"
ksft_run "iperf3 -R" iperf3_run "sum_received sum_sent" -R
ksft_run "iperf3 --bidir" iperf3_run \
	"sum_received sum_received_bidir_reverse" --bidir
ksft_run "iperf3 -P 4" iperf3_run "sum_received sum_sent" -P 4
ksft_run "iperf3 -Z" iperf3_run "sum_received sum_sent" -Z
ksft_run "iperf3 with options" iperf3_run "sum_received sum_sent" \
	-w 256K -N -M 1400 -S 16
ksft_run "socat echo" socat_echo
ksft_run "python http.server and curl" http
ksft_run "python asyncio" asyncio
ksft_end
