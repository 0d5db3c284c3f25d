# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2016,SC2153,SC2154
#
# More programs of selftests/accept/run, and more of what those of cases.sh can
# be told to do with a socket: every option that they have. Texts as there.

configure_nginx_options()
{
	cat > "$D/nginx-options.conf" <<-END
	worker_processes 2;
	daemon off;
	user root;
	pid $D/nginx-options.pid;
	error_log $D/nginx.err;
	events {}
	http {
		access_log off;
		sendfile on;
		tcp_nopush on;
		tcp_nodelay on;
		$(nginx_folders)
		server {
			listen 8082 reuseport deferred backlog=64 fastopen=16
				rcvbuf=128k sndbuf=128k
				so_keepalive=30s:10s:3;
			listen [::]:8083 ipv6only=off reuseport;
			root $D;
			location /px/ {
				proxy_pass http://$S:8082/;
				proxy_bind $S;
				proxy_socket_keepalive on;
			}
		}
	}
	END
}

configure_apache2()
{
	cat > "$D/apache2.conf" <<-END
	LoadModule mpm_event_module $APACHE/mod_mpm_event.so
	LoadModule authz_core_module $APACHE/mod_authz_core.so
	ServerName accept
	ServerRoot $D
	DefaultRuntimeDir $D
	PidFile $D/apache2.pid
	ErrorLog $D/apache2.err
	User nobody
	Group nogroup
	Listen 8084
	DocumentRoot $D
	EnableMMAP off
	EnableSendfile on
	END
}

configure_haproxy_options()
{
	cat > "$D/haproxy-options.cfg" <<-END
	global
		nbthread 2
	defaults
		timeout connect 5s
		timeout client 20s
		timeout server 20s
		option clitcpka
		option srvtcpka
		option tcp-smart-accept
		option tcp-smart-connect
		option splice-request
		option splice-response
	listen relay
		mode tcp
		bind $S:9101 defer-accept mss 1400 tcp-ut 20s
		server origin $S:8087 check inter 500
	listen http
		mode http
		option http-server-close
		bind $S:9102
		server origin $S:8087 check inter 500 tcp-ut 20s
	END
}

configure_tls()
{
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
		-subj /CN=accept -days 2 -keyout "$D/key.pem" \
		-out "$D/cert.pem" 2>/dev/null
	cat > "$D/stunnel-server.conf" <<-END
	foreground = yes
	pid =
	[tls]
	accept = $S:4434
	connect = $S:8087
	cert = $D/cert.pem
	key = $D/key.pem
	END
	cat > "$D/stunnel-client.conf" <<-END
	foreground = yes
	pid =
	[tls]
	client = yes
	accept = $C:4435
	connect = $S:4434
	END
}

configure_surface()
{
	APACHE=/usr/lib/apache2/modules
	configure_nginx_options
	configure_apache2
	configure_haproxy_options
	cat > "$D/get.js" <<-END
	const http = require('http'), fs = require('fs');
	const agent = new http.Agent({ keepAlive: true });
	http.get({ host: '$S', port: 8098, agent }, (response) =>
		response.pipe(fs.createWriteStream('$D/got'))
			.on('finish', () => process.exit(0)));
	END
}

prepare_openssl()
{
	configure_tls
}

prepare_stunnel()
{
	configure_tls
}

prepare_java()
{
	javac -d "$D" "$A/Nio.java"
}

# Twice the file, by two ways.
SAME2='cmp "$D/blob" "$D/got" && cmp "$D/blob" "$D/got2"'

surface_throughput()
{
	app "iperf3 options" 5203 iperf3 '$P iperf3 -s -1 -p 5203' \
		'$P iperf3 -p 5203 -t 1 -J -c $S -C cubic -M 1400 -w 128K -N \
			-S 16 -l 100000 --fq-rate 2G --snd-timeout 20000' \
		'jq -e ".end.sum_received and (has(\"error\") | not)" "$D/out"'
	app libfabric-sockets 47620 fi_pingpong \
		'$P fi_pingpong -p sockets -e rdm -B 47620 -I 100' \
		'$P fi_pingpong -p sockets -e rdm -P 47620 -I 100 $S' \
		'[ "$(grep -c "=100" "$D/out")" -ge 5 ]'
}

surface_web()
{
	app nginx-options '8082 8083' 'nginx curl' \
		'$P nginx -p "$D" -c "$D/nginx-options.conf"' \
		'for i in 1 2 3 4 5 6 7 8; do
			$P curl -sS -o "$D/got" http://$S:8082/k100 || exit
			cmp "$D/k100" "$D/got" || exit
		done
		$P curl -sS -o "$D/got" http://$S:8083/blob &&
		$P curl -sS -o "$D/got2" http://$S:8083/px/blob' "$SAME2"
	nginx_case curl-options 8080 curl \
		'$P curl -sS -o "$D/got" --tcp-fastopen --tcp-nodelay \
			--interface $C --local-port 30000-30100 \
			--keepalive-time 5 http://$S:8080/blob' "$SAME"
	app apache2 8084 'apache2 curl ab' \
		'$P apache2 -f "$D/apache2.conf" -DFOREGROUND' \
		'$P curl -sS -o "$D/got" http://$S:8084/blob &&
		$P ab -q -n 200 -c 4 -k http://$S:8084/k100' \
		"$SAME"' && grep -E "Failed requests: +0" "$D/out"'
	app haproxy-options '8087 9101 9102' 'haproxy curl' \
		'$P /usr/bin/python3 -m http.server 8087 --bind $S --directory "$D" &
		$P haproxy -db -f "$D/haproxy-options.cfg"' \
		'$P curl -sS --retry 5 --retry-all-errors -o "$D/got" \
			http://$S:9101/blob &&
		$P curl -sS --retry 5 --retry-all-errors -f -o "$D/got2" \
			http://$S:9102/blob' "$SAME2"
	app node-client 8098 node '$P node "$D/http.js"' \
		'$P node "$D/get.js"' "$SAME"
	app openssl 4433 openssl \
		'cd "$D" && $P openssl s_server -accept $S:4433 -WWW \
			-cert cert.pem -key key.pem' \
		'printf "GET /blob HTTP/1.0\r\n\r\n" |
		$P openssl s_client -quiet -connect $S:4433 |
		tail -c 10485760 > "$D/got"' "$SAME"
	app stunnel '8087 4434' 'stunnel4 openssl curl' \
		'$P /usr/bin/python3 -m http.server 8087 --bind $S --directory "$D" &
		$P stunnel4 "$D/stunnel-server.conf"' \
		'$P stunnel4 "$D/stunnel-client.conf" &
		$P curl -sS --retry 10 --retry-all-errors -o "$D/got" \
			http://$C:4435/blob
		rc=$?
		kill $!
		exit $rc' "$SAME"
}

surface_languages()
{
	local kind port=8090

	for kind in socketserver asyncio zmq; do
		app "python-$kind" "$port" "$([ "$kind" != zmq ] ||
			echo /usr/lib/python3/dist-packages/zmq)" \
			"\$P /usr/bin/python3 \"\$A/net_echo.py\" $kind server \
				\$S $port \"\$D/blob\"" \
			"\$P /usr/bin/python3 \"\$A/net_echo.py\" $kind client \
				\$S $port \"\$D/blob\"" \
			'grep "net_echo right" "$D/out"'
		port=$((port + 1))
	done
	app java '8094 8095' 'java javac' \
		'$P java -cp "$D" Nio server $S 8094 "$D/blob"' \
		'$P java -cp "$D" Nio client $S 8094 "$D/blob"' \
		'grep "Nio right" "$D/out"'
	app grpc-dual 50052 /usr/lib/python3/dist-packages/grpc \
		'$P /usr/bin/python3 "$A/grpc_echo.py" server "[::]:50052"' \
		'$P /usr/bin/python3 "$A/grpc_echo.py" client $S:50052 &&
		$P /usr/bin/python3 "$A/grpc_echo.py" client "[$S6]:50052"' \
		'[ "$(grep -c "bytes right: 13631488" "$D/out")" = 2 ]'
	app grpc-zerocopy 50053 /usr/lib/python3/dist-packages/grpc \
		'$P /usr/bin/python3 "$A/grpc_echo.py" server $S:50053' \
		'$P /usr/bin/python3 "$A/grpc_echo.py" zerocopy $S:50053' \
		'grep "bytes right: 13631488" "$D/out"'
}

# Rank 0 is the server: it ends when rank 1 has.
torch_case()
{
	longer "torch-$1" "$2" /usr/lib/python3/dist-packages/torch \
		'GLOO_SOCKET_IFNAME=$DEV_B TP_SOCKET_IFNAME=$DEV_B $P \
			/usr/bin/python3 "$A/torch_ranks.py" '"$1"' 0 $S' \
		'GLOO_SOCKET_IFNAME=$DEV_A TP_SOCKET_IFNAME=$DEV_A $P \
			/usr/bin/python3 "$A/torch_ranks.py" '"$1"' 1 $S' \
		'grep "'"$1"' rank 1 right" "$D/out"'
}

surface_stores()
{
	app redis-replica '6391 6392' redis-server \
		'$P redis-server --bind $S --protected-mode no --port 6391 \
			--save "" --dir "$D" --repl-diskless-sync-delay 0 &
		$P redis-server --bind $S --protected-mode no --port 6392 \
			--save "" --dir "$D" --dbfilename replica.rdb \
			--replicaof $S 6391' \
		'for i in $(seq 100); do
			$P redis-cli -h $S -p 6392 info replication |
				grep master_link_status:up && break
			sleep 0.2
		done
		$P redis-cli -h $S -p 6391 -x set key < "$D/k900" &&
		$P redis-cli -h $S -p 6391 wait 1 60000 &&
		$P redis-cli -h $S -p 6392 get key | head -c 900000 > "$D/got"' \
		'cmp "$D/k900" "$D/got"'
	app socat-options 7006 socat \
		'$P socat TCP6-LISTEN:7006,ipv6only=0,fork,reuseaddr,keepalive,keepidle=10,keepintvl=5,keepcnt=3,nodelay,sndbuf=65536,rcvbuf=65536,linger=2 EXEC:cat' \
		'for to in TCP4:$S TCP6:[$S6]; do
			seq 1000 | $P socat -t 10 - $to:7006,keepalive,keepidle=10,keepintvl=5,keepcnt=3,nodelay,sndbuf=65536,rcvbuf=65536,linger=2
		done' '[ "$(grep -cx "[0-9]*" "$D/out")" = 2000 ]'
}

surface_all()
{
	surface_throughput
	surface_web
	surface_languages
	torch_case ddp 29512
	torch_case rpc 29513
	surface_stores
}
