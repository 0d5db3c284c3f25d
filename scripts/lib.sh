# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Shared by the scripts of this folder: where the tree and the cache are, how
# to fail, which kernel to use. Sourced, never run; the caller has set -eu.

# A plain user on Debian has no sbin, but insmod, modprobe and tc live there.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

# shellcheck disable=SC2034
tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
# shellcheck disable=SC2034
cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/af_mrc

die()
{
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit "${rc:-1}"
}

# Prints the newest installed Debian 6.1 kernel that has a boot image and
# modules ($1 = boot) or headers ($1 = build).
newest_kernel()
{
	local dir rel

	for dir in /lib/modules/6.1.*-amd64; do
		rel=${dir##*/}
		if [ "$1" = build ]; then
			[ -e "$dir/build/Makefile" ] || continue
		else
			[ -e "/boot/vmlinuz-$rel" ] || continue
			[ -d "$dir/kernel" ] || continue
		fi
		echo "$rel"
	done | sort -V | tail -n 1
}
