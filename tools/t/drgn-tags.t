#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: drgn-tags.py that reads past a word's depth, counts cleared bits,
# or takes a bitmap in NUMA mode for a default one. On a process with the
# kernel's structures; what needs a kernel (disks, requests, hints) is not seen.
set -u
prog='drgn-tags.t'
. "$(dirname -- "$0")/../lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
have drgn gcc || skip_all 'drgn is not installed; run: make setup'
scratch
gcc -g -O1 -Wall -Wextra -Werror -Wno-missing-field-initializers -o "$tmp/tags" "$top/tools/t/drgn-tags.c" || exit 1
"$tmp/tags" > "$tmp/where" &
pid=$!
trap 'kill "$pid" 2>/dev/null; rm -rf -- "$tmp"' EXIT
i=0
while [ ! -s "$tmp/where" ] && [ $i -lt 100 ]; do sleep 0.1; i=$((i + 1)); done
read -r flat numa < "$tmp/where"
look()
{
	drgn -q -p "$pid" "$top/tools/drgn-tags.py" "$@"
}
look --tags "$flat" > "$tmp/out" 2>&1 || { grep -q 'ermission\|not permitted' "$tmp/out" && skip_all 'drgn may not look at processes here'; }
is "$(cat "$tmp/out")" "tags at $flat: default mode, depth 40, 3 words of 16 bits, 6 in use, 5 waiting
  word 0: 0f00
  word 2: 81" 'the default mode'
is "$(look --tags "$numa" 2>&1)" "tags at $numa: NUMA mode, depth 48, 3 words of 16 bits, 6 in use, 0 waiting
  slot 0, node 0: 2 words, 4 of 32 tags in use
  slot 1, node 3: 1 words, 2 of 16 tags in use
  word 0 (slot 0): 0007
  word 1 (slot 1): 8001
  word 2 (slot 0): 0010" 'NUMA mode'
fails_with 1 'this is no kernel; give --tags ADDRESS' 'a process without --tags' look
done_testing
