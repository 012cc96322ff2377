#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Catches: code in the tree of the queue that fails its KUnit suite, run as
# a module that is loaded and unloaded.

prog=kunit-module.t
# shellcheck source=tools/lib.sh
. "$(dirname -- "$0")/../lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
tree=${KUNIT_TREE:-$linux}
mkdir -p "$build/kunit"
"$top/tools/kunit-run" module --tree "$tree" >"$build/kunit/module.out" 2>&1
rc=$?
diag "$(cat "$build/kunit/module.out")"
ok $rc "$(tail -n 1 "$build/kunit/module.out")"
done_testing
