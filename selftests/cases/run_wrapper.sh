#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 120
#
# "mrcctl run": what it hands on unchanged, what it replaces, what it refuses.

# Subtests are called by name.
# shellcheck disable=SC2317,SC2119

# shellcheck source=selftests/lib/ksft.sh
. "$(dirname "$0")/../lib/ksft.sh"
# shellcheck source=selftests/lib/topo.sh
. "$KSFT_LIB/topo.sh"
# shellcheck source=selftests/lib/mrc.sh
. "$KSFT_LIB/mrc.sh"

statuses()
{
	check_status "status 0" 0 mrcctl run -- true
	check_status "status 7" 7 mrcctl run -- sh -c 'exit 7'
	check_status "status 255" 255 mrcctl run -- sh -c 'exit 255'
	# shellcheck disable=SC2016
	check_status "signal" 143 mrcctl run -- sh -c 'kill -TERM $$'
	check_status "no such program" 127 mrcctl run -- /nonexistent/program
	check_status "not executable" 126 mrcctl run -- /etc/passwd
	check_status "no program" 2 mrcctl run --
	check_status "unknown option" 2 mrcctl run --nonsense -- true
}

handed_on()
{
	local out

	out=$(echo input | mrcctl run -- sed s/in/out/)
	check "standard input and output" [ "$out" = output ]
	out=$(mrcctl run -- printf '%s|' 'a b' '' '*')
	check "arguments" [ "$out" = 'a b||*|' ]
	out=$(SOME_VARIABLE=kept mrcctl run -- printenv SOME_VARIABLE)
	check "environment" [ "$out" = kept ]
	out=$(LD_PRELOAD='' mrcctl run -- printenv LD_PRELOAD)
	case $out in
	:* | *: | '')
		ksft_fail "LD_PRELOAD is '$out'"
		;;
	esac
	out=$(LD_PRELOAD=libm.so.6 mrcctl run -- printenv LD_PRELOAD)
	case $out in
	*libm.so.6*)
		;;
	*)
		ksft_fail "an LD_PRELOAD of the caller is lost: '$out'"
		;;
	esac
}

# sockets PYTHON-EXPRESSION: evaluated under the runner, mrc(s) tells whether a
# socket is one of ours.
sockets()
{
	mrcctl run -- /usr/bin/python3 -c "
import socket
from socket import *
def mrc(s):
    try:
        s.getsockopt(301, 1, 1024)
        return True
    except OSError:
        return False
assert $1
"
}

replaced()
{
	check "stream" sockets 'mrc(socket(AF_INET, SOCK_STREAM))'
	check "stream with protocol" sockets \
		'mrc(socket(AF_INET, SOCK_STREAM, IPPROTO_TCP))'
	check "flags stay" sockets \
		'socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK).getblocking() == 0'
	check "datagrams are left alone" sockets \
		'not mrc(socket(AF_INET, SOCK_DGRAM))'
	check "local sockets are left alone" sockets \
		'not mrc(socket(AF_UNIX, SOCK_STREAM))'
	check "other protocols are left alone" sockets \
		'not mrc(socket(AF_INET, SOCK_STREAM, 262))'
	check "children inherit it" mrcctl run -- sh -c \
		"/usr/bin/python3 -c 'import socket
socket.socket().getsockopt(301, 1, 1024)'"
	check_status "without the runner it is TCP" 1 /usr/bin/python3 -c \
		'import socket; socket.socket().getsockopt(301, 1, 1024)' \
		2>/dev/null
}

# refusal WORD COMMAND...: not run, and the message says why.
refusal()
{
	local word=$1
	local out rc

	shift
	out=$(mrcctl run -- "$@" 2>&1)
	rc=$?
	echo "$out"
	check "$1 is refused" [ "$rc" -ne 0 ]
	case $out in
	*ran*)
		ksft_fail "$1 was run"
		;;
	*"$word"*)
		;;
	*)
		ksft_fail "the message does not say '$word'"
		;;
	esac
}

refused()
{
	local dir=$KSFT_TMP

	chmod 755 "$dir"
	printf 'int puts(const char *s);\nint main(void)\n{\n\tputs("ran");\n\treturn 0;\n}\n' \
		> "$dir/prog.c"
	if command -v gcc >/dev/null && gcc -static -o "$dir/static" \
		"$dir/prog.c" 2>/dev/null; then
		refusal static "$dir/static"
	else
		refusal static /bin/busybox echo ran
	fi
	cp /bin/echo "$dir/setuid"
	chmod 4755 "$dir/setuid"
	refusal setuid "$dir/setuid" ran
	chmod 2755 "$dir/setuid"
	refusal set "$dir/setuid" ran
}

# Prints the DSCP byte of a UDP packet of AF_MRC that comes in on a device.
SNIFF="
import socket, sys
s = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x800))
s.bind((sys.argv[1], 0))
s.settimeout(60)
print('ready', flush=True)
while True:
    data = s.recv(2048)
    if data[9] == 17 and data[22:24] == (4795).to_bytes(2, 'big') \\
            and data[1] & ~3:
        sys.exit(print('tos', data[1] & ~3, flush=True))
"

latency_listens()
{
	mrc_json b conn show | jq -e 'any(.[]; .state == "listen" and
		.class == "latency")' >/dev/null
}

class()
{
	local log=$KSFT_TMP/class

	check_status "unknown class" 2 mrcctl run --class fast -- true
	check_status "no class" 2 mrcctl run --class
	topo_direct 1 || return
	bg "$log.sniff" ip netns exec "$HB" /usr/bin/python3 -c "$SNIFF" b0
	wait_log "$log.sniff" ready 30 || ksft_fail "cannot sniff"
	bg "$log.server" ip netns exec "$HB" mrcctl run --class latency -- \
		socat -u TCP-LISTEN:7000,reuseaddr STDOUT
	wait_until 20 latency_listens || ksft_fail "no listener of the class"
	echo hello | on_a timeout 20 mrcctl run -c bulk -- \
		socat -u STDIN TCP:10.9.0.2:7000
	wait_log "$log.server" hello 20 || ksft_fail "nothing arrives"
	wait_log "$log.sniff" '^tos 40$' 20 || {
		ksft_fail "packets are not marked"
		cat "$log.sniff"
	}
}

# With the library in /etc/ld.so.preload, in a mount namespace of its own, the
# programs of the list use AF_MRC, others do not, setuid or not.
listed()
{
	local etc=$KSFT_TMP/etc lib

	lib=$(mrcctl run -- printenv LD_PRELOAD)
	mkdir "$etc"
	cp /etc/ld.so.cache "$etc"
	echo "$lib" > "$etc/ld.so.preload"
	printf '# programs\n/usr/bin/python3 latency\n' > "$etc/mrc.programs"
	# shellcheck disable=SC2016
	check "listed" unshare -m sh -c 'mount --bind "$0" /etc && exec "$@"' \
		"$etc" /usr/bin/python3 -c '
import socket
assert socket.socket().getsockopt(301, 3) == 2'
	printf 'python2\n' > "$etc/mrc.programs"
	# shellcheck disable=SC2016
	check_status "not listed" 1 unshare -m sh -c \
		'mount --bind "$0" /etc && exec "$@"' \
		"$etc" /usr/bin/python3 -c '
import socket
socket.socket().getsockopt(301, 3)' 2>/dev/null
}

mrc_require socat
[ "$MRC_FAMILY" = mrc ] || ksft_skip_all "only for the family mrc"
ksft_begin
ksft_run "exit status and signals" statuses
ksft_run "streams, arguments, environment" handed_on
ksft_run "which sockets are replaced" replaced
ksft_run "class: marks, listeners, refusals" class
ksft_run "list of programs" listed
ksft_run "static and setuid programs" refused
ksft_end
