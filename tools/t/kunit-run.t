#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Catches: kunit-run that says PASS of a run which failed, hung or did not
# start, or that lets a configuration pass which is not what was asked for.
#
# A tree of its own stands in for the kernel: its make makes a .config, its
# kunit.py "boots" by printing a log.

prog=kunit-run.t
# shellcheck source=tools/lib.sh
. "$(dirname -- "$0")/../lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
scratch
tree=$tmp/tree
mkdir -p "$tree/lib/tests" "$tree/tools/testing/kunit" "$tmp/bin"
: >"$tree/lib/sbitmap.c"
echo '.name = "default",' >"$tree/lib/tests/sbitmap_kunit.c"
cat >"$tree/Makefile" <<'EOF'
allnoconfig:
	cp $(KCONFIG_ALLCONFIG) $(O)/.config
	[ -z "$(FAKE_LOST)" ] || sed -i /$(FAKE_LOST)/d $(O)/.config
EOF
cat >"$tree/tools/testing/kunit/kunit.py" <<'EOF'
import os, sys, time
o = [a.split('=', 1)[1] for a in sys.argv if a.startswith('--build_dir=')][0]
limit = [int(a.split('=', 1)[1]) for a in sys.argv if a.startswith('--timeout=')]
if sys.argv[1] == 'build':
    if os.environ.get('FAKE_BUILD'):
        print('lib/sbitmap.c:1: error: fake')
        sys.exit(1)
    sys.exit(0)
if os.environ.get('FAKE_NOLOG'):
    sys.exit(1)
cases = int(os.environ.get('FAKE_CASES', '20'))
with open(o + '/test.log', 'w') as f:
    f.write('smp: Brought up %s\n' % os.environ.get('FAKE_NODES', '4 nodes, 8 CPUs'))
    f.write('KTAP version 1\n1..1\n    KTAP version 1\n    # Subtest: sbitmap\n    1..%d\n' % cases)
    for i in range(cases):
        if i == 3:
            f.write('        # Subtest: test_3\n')
            if 'none' not in os.environ.get('FAKE_MODES', ''):
                f.write('        ok 1 default\n')
            if 'numa' in os.environ.get('FAKE_MODES', ''):
                f.write('        ok 2 numa\n')
        f.write('    ok %d test_%d%s\n' % (i + 1, i, os.environ.get('FAKE_DIRECTIVE', '')))
    if os.environ.get('FAKE_HANG'):
        f.flush()
        time.sleep(limit[0])
        sys.exit(1)
    f.write('ok 1 sbitmap\n')
sys.exit(int(os.environ.get('FAKE_EXIT', '0')))
EOF
BUILD=$tmp/build
export BUILD
run="$top/tools/kunit-run uml --tree $tree --limit 20"

# shellcheck disable=SC2086
{
fails_with 0 'PASS: 20 cases' 'a good run' $run
is "$(grep -c 'ok 1 sbitmap' "$tmp/build/kunit/uml.log")" 1 'its log is kept'
fails_with 1 'zero|no suite|at least' 'zero cases' env FAKE_CASES=0 $run
fails_with 1 'at least 20' 'hardly any case' env FAKE_CASES=5 $run
fails_with 0 'PASS: 5 cases' 'few are asked for' env FAKE_CASES=5 $run --least 5
fails_with 1 'at least 6' 'fewer than asked for' env FAKE_CASES=5 $run --least 6
fails_with 1 'zero cases in mode "default"' 'no case of the default mode' env FAKE_MODES=none $run
fails_with 1 'skipped' 'skips' env FAKE_DIRECTIVE=' # SKIP no' $run
fails_with 1 'ended with 1' 'kunit.py is not content' env FAKE_EXIT=1 $run
fails_with 1 'did not start' 'no log at all' env FAKE_NOLOG=1 $run
fails_with 1 'time limit of 2 s ran out.*did not come to its end' 'a hang' env FAKE_HANG=1 $top/tools/kunit-run uml --tree $tree --limit 2
fails_with 1 'build failed.*error: fake' 'a build that fails' env FAKE_BUILD=1 $run
fails_with 1 'not there: CONFIG_SMP=y' 'an option that is not there' env FAKE_LOST=CONFIG_SMP $run

echo '.name = "numa",' >>"$tree/lib/tests/sbitmap_kunit.c"
fails_with 0 'PASS' 'user mode may do without NUMA cases' $run
fails_with 1 'zero cases in mode "numa"' 'a machine with nodes may not' $top/tools/kunit-run qemu --tree $tree --limit 20
fails_with 0 '1 in mode numa' 'it has some' env FAKE_MODES=numa $top/tools/kunit-run qemu --tree $tree --limit 20

fails_with 1 'several nodes' 'one node only' env FAKE_MODES=numa FAKE_NODES='1 node, 8 CPUs' $top/tools/kunit-run qemu --tree $tree --limit 20

fails_with 2 'which way' 'no mode' $top/tools/kunit-run --tree $tree
fails_with 2 'unknown' 'an unknown mode' $top/tools/kunit-run vm --tree $tree
fails_with 2 'not two' 'two modes' $top/tools/kunit-run uml qemu
fails_with 2 'no kernel tree' 'no tree' $top/tools/kunit-run uml --tree $tmp/none
fails_with 2 'want numbers' 'a word for a number' $top/tools/kunit-run uml --tree $tree --limit soon
: >"$tree/lib/tests/sbitmap_kunit.c"
fails_with 0 'PASS' 'a suite that knows no modes yet' env FAKE_MODES=none $run
rm "$tree/lib/tests/sbitmap_kunit.c"
fails_with 1 'no lib/tests/sbitmap_kunit.c' 'a tree without the suite' $run
}
done_testing
