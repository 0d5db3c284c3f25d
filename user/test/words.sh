# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154
#
# Cases of "run" about words: usage errors, help, completion, the manual page,
# and what "make install" leaves. Sourced by it.

case_usage_names_the_word()
{
	expect 2 'bogus: unknown command' mrcctl bogus &&
	expect 2 'bogus: unknown verb' mrcctl endpoint bogus &&
	expect 2 'sho: unknown verb' mrcctl conn sho &&
	expect 2 'a command must follow' mrcctl &&
	expect 2 '--bogus: unknown option' mrcctl --bogus &&
	expect 2 'usage: mrcctl endpoint add ADDRESS' mrcctl endpoint add &&
	expect 2 '1\.2\.3: not an IP address' mrcctl endpoint add 1.2.3 &&
	expect 2 '::1::: not an IP address' mrcctl endpoint add ::1:: &&
	expect 2 'init: unknown word' mrcctl endpoint add 10.0.0.1 init &&
	expect 2 'backup: given twice' \
		mrcctl endpoint add 10.0.0.1 backup backup &&
	expect 2 'dev: the name' mrcctl endpoint add 10.0.0.1 dev &&
	expect 2 'sixteen-letters0: too long' \
		mrcctl endpoint add 10.0.0.1 dev sixteen-letters0 &&
	expect 2 'x: unknown word' mrcctl endpoint del 10.0.0.1 x &&
	expect 2 'x: unknown word' mrcctl endpoint flush x &&
	expect 2 'paths: unknown limit' mrcctl limits set paths 3 &&
	expect 2 'max_paths: a number' mrcctl limits set max_paths &&
	expect 2 '-1: not a number' mrcctl limits set max_paths -1 &&
	expect 2 '4294967296: not a number' \
		mrcctl limits set max_paths 4294967296 &&
	expect 2 'conn: a connection id' mrcctl path show conn &&
	expect 2 'xyz: not a connection id' mrcctl path show conn xyz &&
	expect 2 'a program must follow' mrcctl run -- &&
	expect 2 'fast: a class is' mrcctl run --class fast -- true &&
	expect 2 '--class: a class is' mrcctl run --class &&
	expect 2 '--bogus: unknown option' mrcctl run --bogus true
}

case_usage_as_json()
{
	expect 2 . mrcctl -j endpoint add 1.2.3 || return
	[ -z "$out" ] && jq -e '.error and .word == "1.2.3" and .status == 2 and
		.object == "endpoint" and .verb == "add"' <<<"$err" >/dev/null
}

case_help_lists_every_command()
{
	local word

	try mrcctl help
	[ "$rc" = 0 ] && [ -z "$err" ] || return
	for word in $(mrcctl complete ''); do
		grep -q "^  $word\b" <<<"$out" || return
		mrcctl help "$word" | grep -q "^  $word\b" || return
		grep -q "mrcctl $word" "$here/../man/mrcctl.8" || {
			echo "# man page lacks $word"
			return 1
		}
	done
	expect 2 'bogus: unknown command' mrcctl help bogus &&
	expect 2 'bogus: unknown verb' mrcctl help endpoint bogus &&
	expect 2 'x: unknown word' mrcctl help endpoint add x
}

# helps PATTERN LINES WORD...: status 0, nothing on standard error, PATTERN and
# so many commands on standard output.
helps()
{
	local pattern=$1 lines=$2

	shift 2
	try mrcctl "$@"
	[ "$rc" = 0 ] && [ -z "$err" ] && grep -qE -- "$pattern" <<<"$out" &&
		[ "$(grep -c '^  [a-z]' <<<"$out")" = "$lines" ] && return
	echo "# mrcctl $*: status $rc, $out, $err"
	return 1
}

case_help_where_it_is_asked_for()
{
	helps '^  endpoint flush$' 4 endpoint --help &&
	helps '^  endpoint flush$' 4 endpoint -h &&
	helps '^  endpoint flush$' 4 endpoint help &&
	helps '^  endpoint add ADDRESS' 1 endpoint add --help &&
	helps '^  endpoint add ADDRESS' 1 help endpoint add &&
	helps '^  conn show \[conn ID\]$' 1 conn --help &&
	helps '^  path show \[conn ID\]$' 1 path show -h &&
	helps '^  limits set ' 2 limits --help &&
	helps '^  monitor$' 1 monitor --help &&
	helps '^  run \[-4' 1 run --help &&
	helps '^  stats show$' 1 stats help || return
	# A program's own options are its own, and completion has no use for it.
	try mrcctl run -- printf '%s\n' --help
	[ "$rc" = 0 ] && [ "$out" = --help ] &&
	[ "$(mrcctl complete --help '' | head -n 1)" = endpoint ]
}

case_unknown_verb_shows_which_there_are()
{
	expect 2 '^usage: mrcctl endpoint add ADDRESS' mrcctl endpoint bogus &&
	expect 2 '^       mrcctl endpoint flush$' mrcctl endpoint bogus &&
	expect 2 '^usage: mrcctl conn show \[conn ID\]$' mrcctl conn bogus &&
	expect 2 '^\{"error":"unknown verb","word":"bogus"' \
		mrcctl -j endpoint bogus &&
	[ "$(wc -l <"$tmp/err")" = 1 ]
}

# As "make install" leaves it, wherever that is; uninstall leaves nothing.
case_install_and_uninstall()
{
	local root=$tmp/root name
	local make=(make -s --no-print-directory -C "$here/..")

	"${make[@]}" install DESTDIR="$root" PREFIX=/opt/mrc || return
	for name in bin/mrcctl lib/libmrc-preload.so include/linux/mrc.h \
		include/linux/mrc_netlink.h share/man/man8/mrcctl.8 \
		share/mrcctl/mrcpath.bt; do
		[ -f "$root/opt/mrc/$name" ] || {
			echo "# $name is missing"
			return 1
		}
	done
	printf '#include <linux/mrc.h>\nint f = AF_MRC;\n' >"$tmp/uses.c"
	gcc -I"$root/opt/mrc/include" -c -o "$tmp/uses.o" "$tmp/uses.c" || return
	try "$root/opt/mrc/bin/mrcctl" run -- printenv LD_PRELOAD
	[ "$out" = "$root/opt/mrc/lib/libmrc-preload.so" ] || {
		echo "# preloads '$out': $err"
		return 1
	}
	"${make[@]}" uninstall DESTDIR="$root" PREFIX=/opt/mrc || return
	[ -z "$(find "$root" ! -type d)" ] && [ ! -e "$root/opt/mrc/share/mrcctl" ]
}

case_man_page_headings_fit()
{
	local page

	command -v man >/dev/null || return "$skip"
	page=$(MANWIDTH=80 LC_ALL=C man -l "$here/../man/mrcctl.8" | cat)
	[ -n "$page" ] || return "$skip"
	! awk 'length > 80 { bad = 1; print "# too long: " $0 }
		/^       (mrcctl [a-z]|-)/ && gsub(/\[/, "") != gsub(/\]/, "") {
			bad = 1; print "# broken heading: " $0 }
		END { exit !bad }' <<<"$page"
}

case_completion()
{
	[ "$(mrcctl complete limits '' | sort | xargs)" = 'set show' ] &&
	[ "$(mrcctl complete limits set '' | xargs)" = \
		'max_paths max_announced' ] &&
	[ "$(mrcctl complete limits set max_paths 3 '' | xargs)" = \
		max_announced ] &&
	mrcctl complete endpoint add 10.0.0.1 dev '' | grep -qx lo &&
	[ -z "$(mrcctl complete bogus bogus '')" ] &&
	[ "$(mrcctl complete | head -n 1)" = endpoint ]
}
