# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2016,SC2154
#
# The programs of selftests/accept/run and how each is checked. In the texts
# $P is what makes a program use the family, $S the server's address, $S6 that
# of IPv6, $C the client's, $D the folder of files, $A this folder.

SAME='cmp "$D/blob" "$D/got"'

# Where nginx puts what it does not keep in memory.
nginx_folders()
{
	printf '%s_temp_path %s;\n' client_body "$D/t1" proxy "$D/t2" \
		fastcgi "$D/t3" uwsgi "$D/t4" scgi "$D/t5"
}

configure_programs()
{
	cat > "$D/nginx.conf" <<-END
	worker_processes 2;
	daemon off;
	user root;
	pid $D/nginx.pid;
	error_log $D/nginx.err;
	events { accept_mutex off; }
	http {
		access_log off;
		sendfile on;
		tcp_nopush on;
		keepalive_requests 100000;
		$(nginx_folders)
		server {
			listen 8080;
			listen [::]:8080;
			listen 8081 reuseport;
			root $D;
			location /px/ { proxy_pass http://$S:8080/; }
		}
	}
	END
	cat > "$D/haproxy.cfg" <<-END
	global
		nbthread 1
	defaults
		mode tcp
		timeout connect 5s
		timeout client 20s
		timeout server 20s
		option splice-auto
	listen relay
		bind $S:9100
		server origin $S:8087 check inter 500
	END
	cat > "$D/rsyncd.conf" <<-END
	address = $S
	port = 8730
	use chroot = no
	uid = 0
	gid = 0
	[files]
	path = $D
	END
	printf 'listener 1899 %s\nallow_anonymous true\nuser root\n' "$S" \
		> "$D/mosquitto.conf"
	printf '[generic]\nlistenaddr=%s\nport=10810\n[e]\nexportname=%s\n' \
		"$S" "$D/blob" > "$D/nbd.conf"
	printf 'T:%s:11113\nT:%s:11114\n' "$S" "$S" > "$D/feed"
	cat > "$D/http.js" <<-END
	const fs = require('fs');
	require('http').createServer((request, response) =>
		fs.createReadStream('$D/blob').pipe(response)).listen(8098);
	END
}

# The program must be compiled by the MPI that will run it.
prepare_openmpi()
{
	mpicc -O1 -o "$D/mpi_sum" "$A/mpi_sum.c"
}

prepare_pgbench()
{
	mkdir -p "$D/pg"
	chown postgres "$D/pg"
	runuser -u postgres -- "$PG/initdb" -D "$D/pg" -A trust -U postgres -N \
		>/dev/null && echo 'host all all 0.0.0.0/0 trust' \
		>> "$D/pg/pg_hba.conf"
}

iperf3_case()
{
	app "iperf3 $1" 5201 iperf3 '$P iperf3 -s -1 -p 5201' \
		"\$P iperf3 -p 5201 -t 1 -J -c $2" \
		'jq -e ".end.sum_received and (has(\"error\") | not)" "$D/out"'
}

nginx_case()
{
	app "$1" "$2" "nginx $3" '$P nginx -p "$D" -c "$D/nginx.conf"' "$4" "$5"
}

throughput_apps()
{
	iperf3_case plain '$S'
	iperf3_case parallel '$S -P 4'
	iperf3_case reverse '$S -R'
	iperf3_case sendfile '$S -Z'
	iperf3_case both '$S --bidir'
	iperf3_case IPv6 '$S6'
	app iperf2 5211 iperf '$P iperf -s -B $S -p 5211' \
		'$P iperf -c $S -p 5211 -t 1 -P 2' 'grep bits/sec "$D/out"'
	app sockperf 11111 sockperf '$P sockperf sr --tcp -i $S -p 11111' \
		'$P sockperf pp --tcp -i $S -p 11111 -t 1' \
		'grep "Summary: Latency is" "$D/out"'
	app sockperf-epoll '11113 11114' sockperf \
		'$P sockperf sr -f "$D/feed" -F e' \
		'$P sockperf ul -f "$D/feed" -F e -t 1 --mps 1000 --nonblocked' \
		'grep "Summary: Latency is" "$D/out"'
	app nuttcp 5700 nuttcp '$P nuttcp -S --nofork -P 5700 -1' \
		'$P nuttcp -P 5700 -p 5701 -T1 $S' 'grep Mbps "$D/out"'
	app nuttcp-reverse 5702 nuttcp '$P nuttcp -S --nofork -P 5702 -1' \
		'$P nuttcp -r -N2 -P 5702 -p 5703 -T1 $S' 'grep Mbps "$D/out"'
	app qperf 19765 qperf '$P qperf -lp 19765' \
		'$P qperf -lp 19765 -ip 19766 -t 1 $S tcp_bw tcp_lat' \
		'grep latency "$D/out"'
}

web_apps()
{
	nginx_case nginx 8080 curl \
		'$P curl -sS -o "$D/got" http://$S:8080/blob' "$SAME"
	nginx_case nginx-IPv6 8080 curl \
		'$P curl -sS -g -o "$D/got" "http://[$S6]:8080/blob"' "$SAME"
	nginx_case nginx-proxy 8080 curl \
		'$P curl -sS -o "$D/got" http://$S:8080/px/blob' "$SAME"
	nginx_case wget 8080 wget \
		'$P wget -q -O "$D/got" http://$S:8080/blob' "$SAME"
	nginx_case wrk 8081 wrk \
		'$P wrk -t2 -c8 -d1s http://$S:8081/small' \
		'grep "requests in" "$D/out" && ! grep "Socket errors" "$D/out"'
	nginx_case ab 8080 ab '$P ab -q -n 200 -c 4 -k http://$S:8080/k100' \
		'grep -E "Failed requests: +0" "$D/out"'
	app http.server 8087 curl \
		'$P /usr/bin/python3 -m http.server 8087 --bind $S --directory "$D"' \
		'$P curl -sS -o "$D/got" http://$S:8087/blob' "$SAME"
	app haproxy '8087 9100' 'haproxy curl' \
		'$P /usr/bin/python3 -m http.server 8087 --bind $S --directory "$D" &
		$P haproxy -db -f "$D/haproxy.cfg"' \
		'$P curl -sS --retry 5 --retry-all-errors -o "$D/got" \
			http://$S:9100/blob' "$SAME"
	app node 8098 'node curl' '$P node "$D/http.js"' \
		'$P curl -sS -o "$D/got" http://$S:8098/' "$SAME"
}

# For clients that are slow in a guest whatever the transport: ends that never
# sleep take the processors from the network, torch takes minutes to load.
longer()
{
	LIMIT=$((4 * LIMIT)) app "$@"
}

parallel_apps()
{
	local mpi='$P mpirun --allow-run-as-root -np 2 --mca pml ob1
		--mca btl tcp,self $MPI'
	mpi=${mpi//$'\n'/ }

	app grpc 50051 /usr/lib/python3/dist-packages/grpc \
		'$P /usr/bin/python3 "$A/grpc_echo.py" server $S:50051' \
		'$P /usr/bin/python3 "$A/grpc_echo.py" client $S:50051' \
		'grep "bytes right: 13631488" "$D/out"'
	app openmpi '' 'mpirun mpicc' '' "$mpi \"\$D/mpi_sum\"" \
		'grep "ranks 2 sums right" "$D/out"'
	app mpi4py '' 'mpirun /usr/lib/python3/dist-packages/mpi4py' '' \
		"$mpi /usr/bin/python3 \"\$A/mpi_sum.py\"" \
		'grep "ranks 2 sums right" "$D/out"'
	longer gloo 29511 /usr/lib/python3/dist-packages/torch \
		'GLOO_SOCKET_IFNAME=$DEV_B $P /usr/bin/python3 "$A/gloo_sum.py" 0 $S' \
		'GLOO_SOCKET_IFNAME=$DEV_A $P /usr/bin/python3 "$A/gloo_sum.py" 1 $S' \
		'grep "gloo rank 1 right" "$D/out"'
	longer libfabric 47600 fi_pingpong \
		'$P fi_pingpong -p tcp -e msg -B 47600 -I 100' \
		'$P fi_pingpong -p tcp -e msg -P 47600 -I 100 $S' \
		'[ "$(grep -c "=100" "$D/out")" -ge 5 ]'
	longer libfabric-rxm 47610 fi_pingpong \
		'$P fi_pingpong -p "tcp;ofi_rxm" -e rdm -B 47610 -I 100' \
		'$P fi_pingpong -p "tcp;ofi_rxm" -e rdm -P 47610 -I 100 $S' \
		'[ "$(grep -c "=100" "$D/out")" -ge 5 ]'
	app ucx 13337 ucx_perftest \
		'UCX_NET_DEVICES=$DEV_B $P ucx_perftest -p 13337' \
		'UCX_NET_DEVICES=$DEV_A $P ucx_perftest $S -p 13337 -t tag_bw \
			-n 50 -s 1000000' 'grep Final: "$D/out"'
}

store_apps()
{
	app redis 6390 'redis-server redis-benchmark' \
		'$P redis-server --bind $S --protected-mode no --port 6390 \
			--save "" --dir "$D"' \
		'$P redis-benchmark -h $S -p 6390 -n 2000 -c 10 -t set,get \
			-d 1000 -q && $P redis-cli -h $S -p 6390 ping' \
		'grep PONG "$D/out"'
	app memcached 11311 'memcached memccp' \
		'$P memcached -l $S -p 11311 -U 0 -u nobody -I 16m' \
		'$P memccp --servers=$S:11311 "$D/k900" &&
		$P memccat --servers=$S:11311 --file="$D/got" k900' \
		'cmp "$D/k900" "$D/got"'
	app pgbench 5555 "$PG/pgbench" \
		'$P setpriv --reuid=postgres --regid=postgres --clear-groups \
			"$PG/postgres" -D "$D/pg" -p 5555 -c listen_addresses=$S \
			-c unix_socket_directories= -c fsync=off' \
		'for i in 1 2 3 4 5 6 7 8; do
			$P "$PG/pgbench" -i -q && break
			sleep 1
		done
		$P "$PG/pgbench" -c 4 -j 2 -t 50' \
		'grep "processed: 200/200" "$D/out"'
	app mosquitto 1899 'mosquitto mosquitto_sub mosquitto_pub' \
		'$P mosquitto -c "$D/mosquitto.conf"' \
		'$P mosquitto_pub -h $S -p 1899 -t a -m hello -q 1 -r &&
		$P mosquitto_sub -h $S -p 1899 -t a -C 1' \
		'grep hello "$D/out"'
	app nbd 10810 'nbd-server qemu-img' \
		'$P nbd-server -d -C "$D/nbd.conf"' \
		'$P qemu-img convert -f raw -O raw nbd://$S:10810/e "$D/got"' \
		"$SAME"
	app rsync 8730 rsync \
		'$P rsync --daemon --no-detach --config="$D/rsyncd.conf"' \
		'$P rsync -a rsync://$S:8730/files/blob "$D/got"' "$SAME"
}

# The server's file is complete when the server has ended.
got_all()
{
	wait_until 10 cmp "$D/blob" "$D/got"
}

plumbing_apps()
{
	app socat 7001 socat \
		'$P socat -u TCP4-LISTEN:7001,bind=$S,reuseaddr \
			OPEN:"$D/got",creat,trunc' \
		'$P socat -u OPEN:"$D/blob" TCP4:$S:7001' got_all
	app socat-echo 7002 socat \
		'$P socat TCP6-LISTEN:7002,ipv6only=0,fork,reuseaddr EXEC:cat' \
		'yes hello | head -n 1000 |
		$P socat -t 10 - TCP4:$S:7002,nodelay,keepalive,linger=2' \
		'[ "$(grep -c hello "$D/out")" = 1000 ]'
	app nc.openbsd 7003 nc.openbsd \
		'$P nc.openbsd -l $S 7003 >"$D/got"' \
		'$P nc.openbsd -N $S 7003 <"$D/blob"' got_all
	app nc.traditional 7004 nc.traditional \
		'$P nc.traditional -l -s $S -p 7004 >"$D/got"' \
		'$P nc.traditional -q 0 $S 7004 <"$D/blob"' got_all
	app ncat 7005 ncat '$P ncat -l $S 7005 >"$D/got"' \
		'$P ncat --send-only $S 7005 <"$D/blob"' got_all
}

run_all()
{
	throughput_apps
	web_apps
	parallel_apps
	store_apps
	plumbing_apps
	surface_all
}
