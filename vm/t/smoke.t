#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Catches: a series that does not boot on four nodes with static branches, that
# fails KUnit there, loses or mixes up I/O on shared tags, or hangs when CPUs
# come and go or the depth changes; a runner that takes a guest for good that
# did not end; a guest kernel without something that its configuration asks for.

prog=smoke.t
# shellcheck source=tools/lib.sh
. "$(dirname -- "$0")/../../tools/lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
scratch

# A repository with a configuration of its own
mkdir -p "$tmp/r/vm" "$tmp/r/tools" "$tmp/r/test-configs"
cp "$top/vm/kernel" "$tmp/r/vm/"
cp "$top/tools/lib.sh" "$tmp/r/tools/"
cp "$top/test-configs/vm-plain.config" "$tmp/r/test-configs/"
printf 'CONFIG_NO_SUCH_OPTION=y\n' > "$tmp/r/test-configs/vm-odd.config"
fails_with 1 'not so: .*CONFIG_NO_SUCH_OPTION=y' 'an option that is not there' \
	env BUILD="$build" "$tmp/r/vm/kernel" odd base

if ! "$top/vm/kernel" plain numa > "$tmp/out" 2>&1; then
	diag "$(cat "$tmp/out")"
	ok 1 'the guest kernel is built'
	done_testing
	exit 1
fi
ok 0 'the guest kernel is built'
fails_with 1 'FAIL: the limit of 1 s ran out' 'a guest that does not end in time' \
	"$top/vm/run" -q -l 1 boot
"$top/vm/run" -T 4x2 -m numa smoke > "$tmp/out" 2>&1
rc=$?
diag "$(cat "$tmp/out")"
ok $rc "$(tail -n 1 "$tmp/out")"
done_testing
