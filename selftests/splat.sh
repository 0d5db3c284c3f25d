# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What of the kernel's messages is a complaint. Sourced by selftests/run, for
# what one case caused, and by scripts/vm, for the whole life of a guest.

# splats: prints the complaints among the lines of standard input; fails when
# there is none. One is not meant: sysctl shows who asked when it has no
# memory, and that is what a case may have wanted.
splats()
{
	awk '/sysctl could not get directory: .* -12/ { known = 1 }
		known && /Call Trace:/ { known = 0; next }
		{ print }' |
		grep -aEf "$(dirname "${BASH_SOURCE[0]}")/splat.regex"
}
