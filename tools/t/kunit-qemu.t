#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Catches: code in the tree of the queue that fails its KUnit suite, run as
# an x86-64 kernel in QEMU with 8 CPUs on 4 nodes.

prog=kunit-qemu.t
# shellcheck source=tools/lib.sh
. "$(dirname -- "$0")/../lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
tree=${KUNIT_TREE:-$linux}
mkdir -p "$build/kunit"
"$top/tools/kunit-run" qemu --tree "$tree" >"$build/kunit/qemu.out" 2>&1
rc=$?
diag "$(cat "$build/kunit/qemu.out")"
ok $rc "$(tail -n 1 "$build/kunit/qemu.out")"
done_testing
