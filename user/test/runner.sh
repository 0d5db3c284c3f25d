# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154
#
# Cases of "run" about "mrcctl run": what it hands on, what it preloads, what it
# refuses. Sourced by it.

case_run_keeps_status_and_words()
{
	expect 7 '' mrcctl run -- sh -c 'exit 7' || return
	expect 143 '' mrcctl run sh -c 'kill -TERM $$' || return
	try mrcctl run -- printf '%s|' 'a b' '' '*'
	[ "$rc" = 0 ] && [ "$out" = 'a b||*|' ]
}

case_run_merges_preload()
{
	local list

	for list in libm.so.6 'libm.so.6 libdl.so.2' libm.so.6:libdl.so.2; do
		LD_PRELOAD=$list try mrcctl run -- printenv LD_PRELOAD
		[[ $out == "$list":/*/libmrc-preload.so ]] &&
			! grep -q 'ld.so' <<<"$err" || return
	done
	LD_PRELOAD='' try mrcctl run -- printenv LD_PRELOAD
	[[ $out == /*/libmrc-preload.so ]] || return
	try mrcctl run -- printenv LD_PRELOAD
	[[ $out == /*/libmrc-preload.so ]]
}

# A runner that starts a runner adds nothing.
case_run_nested()
{
	local once

	LD_PRELOAD=libm.so.6 try mrcctl run -- printenv LD_PRELOAD
	once=$out
	LD_PRELOAD=libm.so.6 try mrcctl run -- mrcctl run -- \
		mrcctl run -s -- printenv LD_PRELOAD
	[ "$out" = "$once" ] || return
	once=${once#*:}
	LD_PRELOAD=$once:libm.so.6 try mrcctl run -- printenv LD_PRELOAD
	[ "$out" = "$once:libm.so.6" ]
}

# Of the variables only LD_PRELOAD changes, and a missing PATH is no obstacle.
case_run_environment()
{
	local all
	local -x SOME_VARIABLE=$'two\nlines'
	all=$(env -0 | tr '\0\n' '\n ' | grep -v '^LD_PRELOAD=\|^_=')
	out=$(mrcctl run -- env -0 2>/dev/null | tr '\0\n' '\n ' |
		grep -v '^LD_PRELOAD=\|^_=')
	[ "$out" = "$all" ] || return
	try env -i "$(type -P mrcctl)" run -- "$(type -P env)"
	[[ $out == LD_PRELOAD=/*/libmrc-preload.so ]]
}

# Another library that replaces socket() and asks for the next one.
case_run_other_interposer()
{
	local first

	cat >"$tmp/other.c" <<-'END'
	#include <dlfcn.h>
	#include <unistd.h>
	int socket(int a, int b, int c)
	{
		int (*next)(int, int, int) = dlsym(RTLD_NEXT, "socket");

		if (write(2, "other\n", 6) < 0)
			return -1;
		return next(a, b, c);
	}
	END
	gcc -D_GNU_SOURCE -fPIC -shared -o "$tmp/other.so" "$tmp/other.c" ||
		return
	for first in "$tmp/other.so" "libm.so.6 $tmp/other.so"; do
		LD_PRELOAD=$first MRC_DEBUG=1 try mrcctl run -- /usr/bin/python3 \
			-c 'import socket; socket.socket()'
		[ "$rc" = 0 ] && grep -q '^other$' <<<"$err" &&
			grep -q 'mrc-preload.*TCP' <<<"$err" || return
	done
}

# Beside a copy of mrcctl: a library that cannot be read, one in a folder
# whose name cannot stand in LD_PRELOAD, none.
case_run_bad_library()
{
	local dir

	for dir in "$tmp/copy" "$tmp/two words" "$tmp/a:b"; do
		mkdir -p "$dir" && cp "$here/../mrcctl/mrcctl" \
			"$here/../preload/libmrc-preload.so" "$dir" || return
	done
	try "$tmp/copy/mrcctl" run -- printenv LD_PRELOAD
	[ "$out" = "$tmp/copy/libmrc-preload.so" ] || return
	expect 126 'two words/.*space or a colon' \
		"$tmp/two words/mrcctl" run -- true &&
	expect 126 'a:b/.*space or a colon' "$tmp/a:b/mrcctl" run -- true ||
		return
	[ "$(id -u)" = 0 ] || return "$skip"
	chmod 711 "$tmp" && chmod 600 "$tmp/copy/libmrc-preload.so" || return
	expect 126 'libmrc-preload.so cannot be read' setpriv --reuid 65534 \
		--clear-groups "$tmp/copy/mrcctl" run -- true
}

# Descriptors are at their limit: neither mrcctl nor the library needs one
# more than the program.
case_run_few_descriptors()
{
	local limit='import resource, socket
resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))
kept = []
try:
    while True:
        kept.append(socket.socket())
except OSError as e:
    print(e.errno, len(kept))
'
	local plain

	try /usr/bin/python3 -c "$limit"
	plain=$out
	try mrcctl run -- /usr/bin/python3 -c "$limit"
	[ "$out" = "$plain" ] || return
	# shellcheck disable=SC2016
	try sh -c 'ulimit -n 4; exec mrcctl run -- true'
	[ "$rc" = 0 ]
}

case_run_missing_program()
{
	: >"$tmp/plain"
	expect 127 'nosuchprogram: there is no such program' \
		mrcctl run -- nosuchprogram &&
	expect 127 "$tmp/none: No such file" mrcctl run -- "$tmp/none" &&
	expect 126 'plain: not executable' mrcctl run -- "$tmp/plain" &&
	expect 126 'not executable' mrcctl run -- "$tmp" &&
	expect 127 '"status":127' mrcctl -j run -- nosuchprogram
}

case_run_static_program()
{
	echo 'int main(void) { return 0; }' >"$tmp/main.c"
	gcc -static -o "$tmp/static" "$tmp/main.c" || return
	gcc -static-pie -o "$tmp/pie" "$tmp/main.c" || return
	"$tmp/static" || return
	expect 126 'static: is linked statically' mrcctl run -- "$tmp/static" &&
	expect 126 'pie: is linked statically' mrcctl run -- "$tmp/pie"
}

case_run_privileged_program()
{
	cp "$(type -P true)" "$tmp/suid" && chmod 4755 "$tmp/suid" &&
	cp "$(type -P true)" "$tmp/sgid" && chmod 2755 "$tmp/sgid" || return
	findmnt -no OPTIONS -T "$tmp" | grep -qw nosuid && return "$skip"
	expect 126 'suid: is setuid' mrcctl run -- "$tmp/suid" &&
	expect 126 'sgid: is setgid' mrcctl run -- "$tmp/sgid"
}

case_run_program_with_capabilities()
{
	local setcap

	setcap=$(PATH=$PATH:/usr/sbin:/sbin command -v setcap) || return "$skip"
	cp "$(type -P true)" "$tmp/caps" || return
	"$setcap" cap_net_raw+ep "$tmp/caps" 2>/dev/null || return "$skip"
	findmnt -no OPTIONS -T "$tmp" | grep -qw nosuid && return "$skip"
	expect 126 'caps: has file capabilities' mrcctl run -- "$tmp/caps"
}

# A Go program is known by the note that its linker leaves.
case_run_go_program()
{
	cat >"$tmp/go.c" <<-'END'
	asm(".pushsection .note.go.buildid,\"a\",@note\n"
	    ".balign 4\n.long 4, 4, 4\n.asciz \"Go\\0\"\n.long 1\n"
	    ".popsection");
	int main(void) { return 0; }
	END
	gcc -o "$tmp/go" "$tmp/go.c" && "$tmp/go" || return
	expect 126 'go: is a Go program' mrcctl run -- "$tmp/go"
}

case_run_other_machine()
{
	cp "$(type -P true)" "$tmp/arm" &&
	printf '\267\000' |
		dd of="$tmp/arm" bs=1 seek=18 conv=notrunc status=none ||
		return
	expect 126 'arm: is made for another machine' mrcctl run -- "$tmp/arm"
}

# The header and the one segment of a program of 32 bits.
case_run_small_program()
{
	/usr/bin/python3 -c '
import struct, sys
interp = b"/lib/ld-linux.so.2\0"
head = b"\x7fELF\1\1\1" + bytes(9)
head += struct.pack("<HHIIIIIHHHHHH", 2, 3, 1, 0, 52, 0, 0, 52, 32, 1, 0, 0, 0)
head += struct.pack("<IIIIIIII", 3, 84, 0, 0, len(interp), len(interp), 4, 1)
open(sys.argv[1], "wb").write(head + interp)' "$tmp/small" &&
	chmod +x "$tmp/small" || return
	expect 126 'small: is made for another machine \(32 bits\)' \
		mrcctl run -- "$tmp/small"
}

case_run_broken_program()
{
	head -c 40 "$(type -P true)" >"$tmp/short" &&
	head -c 100 "$(type -P true)" >"$tmp/cut" &&
	head -c 4096 /dev/zero >"$tmp/zero" && : >"$tmp/empty" || return
	chmod +x "$tmp"/{short,cut,zero,empty}
	expect 126 'short: ' mrcctl run -- "$tmp/short" &&
	expect 126 'cut: ' mrcctl run -- "$tmp/cut" &&
	expect 126 'zero: is neither' mrcctl run -- "$tmp/zero" &&
	expect 126 'empty: is neither' mrcctl run -- "$tmp/empty"
}

case_run_script()
{
	echo 'int main(void) { return 0; }' >"$tmp/main.c"
	gcc -static -o "$tmp/interp" "$tmp/main.c" || return
	printf '#!%s\n' "$tmp/interp" >"$tmp/bad"
	printf '#! /bin/sh -e\nexit 9\n' >"$tmp/good"
	printf '#!/usr/bin/env bash\nexit 8\n' >"$tmp/env"
	printf '#!/usr/bin/env interp\n' >"$tmp/badenv"
	printf '#!/no/such\n' >"$tmp/none"
	printf '#!%s\n' "$tmp/loop" >"$tmp/loop"
	chmod +x "$tmp"/{bad,good,env,badenv,none,loop}
	expect 9 '' mrcctl run -- "$tmp/good" &&
	expect 8 '' mrcctl run -- "$tmp/env" &&
	expect 126 'bad: is linked statically' mrcctl run -- "$tmp/bad" &&
	PATH=$tmp:$PATH expect 126 'badenv: is linked statically' \
		mrcctl run -- "$tmp/badenv" &&
	expect 126 "none: its interpreter '/no/such'" \
		mrcctl run -- "$tmp/none" &&
	expect 126 'too many interpreters' mrcctl run -- "$tmp/loop"
}
