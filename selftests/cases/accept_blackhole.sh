#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# timeout: 1800
#
# Unmodified programs over four lossy paths, one of which falls silent
# while each client runs: see accept/run. Those that are not installed
# (scripts/install-deps --apps) are skipped.
exec "$(dirname "$0")/../accept/run" blackhole
