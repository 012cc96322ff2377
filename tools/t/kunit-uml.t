#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Catches: code in the tree of the queue that fails its KUnit suite, run as
# "kunit.py run" does it under user-mode Linux.

prog=kunit-uml.t
# shellcheck source=tools/lib.sh
. "$(dirname -- "$0")/../lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
tree=${KUNIT_TREE:-$linux}
mkdir -p "$build/kunit"
"$top/tools/kunit-run" uml --tree "$tree" >"$build/kunit/uml.out" 2>&1
rc=$?
diag "$(cat "$build/kunit/uml.out")"
ok $rc "$(tail -n 1 "$build/kunit/uml.out")"
done_testing
