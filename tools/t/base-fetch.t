#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: make base that touches the kernel checkout it was given, leaves
# half a tree behind when it is stopped, takes a package that is not the pinned
# one without a word, or fails without saying what to do.
set -u
prog='base-fetch.t'
. "$(dirname -- "$0")/../lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
scratch
# shellcheck source=tools/t/kernel.sh
. "$top/tools/t/kernel.sh"
mini_kernel
fetch=$top/tools/base-fetch
export BUILD="$tmp/build"
mkdir "$BUILD"
unset SERIES_DIR SERIES_BASE BASE

# --- TREE=path ---------------------------------------------------------------

# with_tree: what TREE is, to the last byte, before and after
before()
{
	was=$(sums "$kernel")
}
untouched()
{
	is "$(sums "$kernel")" "$was" "... and TREE is as it was, .git and all"
}
left()
{
	is "$(cd "$BUILD" && echo linux-*)" 'linux-*' "... and nothing is left below build"
}
before
fails_with 1 'TREE=.*/nowhere is not a folder; give a kernel git checkout' 'TREE that is not there' env TREE="$tmp/nowhere" "$fetch"
mkdir "$tmp/plain"
fails_with 1 'is not a git checkout; give a kernel git checkout' 'TREE without git' env TREE="$tmp/plain" "$fetch"
git init -q "$tmp/other" && (cd "$tmp/other" && : > x && git add x && git -c user.name=x -c user.email=x@example.org commit -q -m x)
fails_with 1 'has no lib/sbitmap.c in HEAD: not a kernel tree' 'TREE that is no kernel' env TREE="$tmp/other" "$fetch"
left

echo >> "$kernel/lib/sbitmap.c"
before
fails_with 1 'has uncommitted changes .lib/sbitmap.c.; commit or stash them' 'TREE that is dirty' env TREE="$kernel" "$fetch"
untouched
git -C "$kernel" add lib/sbitmap.c
fails_with 1 'has uncommitted changes .lib/sbitmap.c.' 'TREE with a staged change' env TREE="$kernel" "$fetch"
git -C "$kernel" reset -q --hard
# A file whose time alone has changed: a refreshing git status would write the index.
touch -d 2020-01-01 "$kernel/lib/sbitmap.c"
: > "$kernel/lib/untracked.c"

# Stopped while it checks out: a git that takes its time there.
mkdir "$tmp/bin"
real=$(command -v git)
cat > "$tmp/bin/git" <<G
#!/bin/sh
case "\$*" in *checkout*) : > "$tmp/reached"; sleep 20 ;; esac
exec $real "\$@"
G
chmod +x "$tmp/bin/git"
before
for signal in INT TERM HUP; do
	rm -f "$tmp/reached"
	# The whole group, as a terminal does.
	setsid env PATH="$tmp/bin:$PATH" TREE="$kernel" perl -e "\$SIG{\$_} = 'DEFAULT' for qw(INT HUP); exec @ARGV" "$fetch" > "$tmp/out" 2>&1 &
	job=$!
	i=0
	while [ ! -f "$tmp/reached" ] && [ $i -lt 300 ]; do sleep 0.1; i=$((i + 1)); done
	kill "-$signal" "-$job" 2>/dev/null
	wait $job
	rc=$?
	[ -f "$tmp/reached" ] && [ $rc -ne 0 ]
	ok $? "stopped by $signal in the middle"
	untouched
	left
done

fails_with 0 'build/linux-tree: 7\.[0-9.]*' 'TREE that is fine' env TREE="$kernel" "$fetch"
untouched
is "$(git -C "$BUILD/linux-tree" rev-parse base series)" "$(git -C "$kernel" rev-parse HEAD HEAD)" 'base and series stand at its HEAD'
fails_with 0 . 'again: nothing to do' env TREE="$kernel" "$fetch"
untouched
is "$(TREE=$kernel "$fetch" --objects 2>/dev/null | tail -1)" "$(git -C "$kernel" rev-parse HEAD)" '--objects names the commit'
git -C "$kernel" commit -q --allow-empty -m more
fails_with 1 'stands on another base .*make refresh' 'TREE has moved on: says what to do' env TREE="$kernel" "$fetch"
git clone -q --depth 1 "file://$kernel" "$tmp/shallow"
rm -rf "$BUILD/linux-tree"
fails_with 0 'build/linux-tree: 7' 'TREE that is a shallow clone' env TREE="$tmp/shallow" "$fetch"
is "$(git -C "$BUILD/linux-tree" log --oneline | wc -l)" 1 '... gives a tree that git can read'
rm -rf "$BUILD/linux-tree"
cat > "$tmp/bin/git" <<G
#!/bin/sh
case "\$*" in *--show-toplevel*) echo "fatal: detected dubious ownership in repository" >&2; exit 128 ;; esac
exec $real "\$@"
G
fails_with 1 'belongs to another user.*safe.directory' 'TREE of another user' env PATH="$tmp/bin:$PATH" TREE="$kernel" "$fetch"
rm "$tmp/bin/git"

# --- the pinned package ------------------------------------------------------

export SBITMAP_CACHE="$tmp/cache"
unset TREE
fails_with 2 "no line for '5.4' in tools/base.pin; known: .*7.3" 'a base that is not pinned' env BASE=5.4 "$fetch"
# Nothing listens there.
fails_with 1 'index of .* could not be fetched .network.*try again' 'no network' env DEBIAN_SITE=http://127.0.0.1:9/debian "$fetch"
left
fails_with 1 'is missing; run: apt-get install debian-archive-keyring' 'no keys' env DEBIAN_KEYRING="$tmp/nokeys" "$fetch"
is "$(find "$tmp/cache" -type f)" '' 'nothing is left in the cache'

# A full disk, by what df says.
cat > "$tmp/bin/df" <<'DF'
#!/bin/sh
echo 'Filesystem 1024-blocks Used Available Capacity Mounted on'
echo "/dev/full 100 100 ${FREE:-2048} 100% /"
DF
chmod +x "$tmp/bin/df"
fails_with 1 'disk too full: the kernel tree needs [0-9]+ MiB below .*, 2 MiB are free' 'a full disk for the tree' \
	env TREE="$kernel" PATH="$tmp/bin:$PATH" "$fetch"
left

# What the archive has: the smallest package of a small suite. Its index comes
# with the first question.
pin=$tmp/pin
suite=trixie-backports
one() # VERSION SHA: a pin file with that package
{
	printf 'small  %s  %s  %s  %s\n' "$package" "$suite" "$1" "$2" > "$pin"
}
export BASE_PIN="$pin"
package=no-such-package
one 1.0 0
out=$("$top/tools/debian-fetch" small 2>&1)
case $out in
*'could not be fetched'*)
	diag "no network: the tests of the archive are left out"
	ok 0 'the archive # SKIP no network'
	;;
*)
	like "$out" 'no-such-package is not in trixie-backports; choose another line' 'a package that the suite has not'
	export APT_CONFIG="$BUILD/apt/$suite/apt.conf"
	apt-cache dumpavail | awk '
		/^Package: / {p = $2} /^Version: / {v = $2} /^Size: / {z = $2} /^SHA256: / {s = $2}
		/^$/ {if (z && (!best || z < best)) {best = z; line = p " " v " " s}}
		END {print line}' > "$tmp/small"
	unset APT_CONFIG
	read -r package version sha < "$tmp/small"
	diag "with $package $version"
	one "$version" 0000000000000000000000000000000000000000000000000000000000000000
	fails_with 1 "hash mismatch: $package .* has sha256 $sha, tools/base.pin wants 0000" 'a hash that does not match' "$top/tools/debian-fetch" small
	is "$(find "$tmp/cache" -name '*.deb')" '' '... and the package is not kept'
	fails_with 1 'disk too full: .* needs [0-9]+ MiB below .*, 0 MiB are free' 'a full disk for the package' \
		env FREE=0 PATH="$tmp/bin:$PATH" "$top/tools/debian-fetch" small
	one 0.0.0.1-1 "$sha"
	fails_with 0 "\*\*\* $package 0.0.0.1-1, which tools/base.pin names, is not in $suite any more" 'a version that is gone: says so' \
		"$top/tools/debian-fetch" small
	deb=$("$top/tools/debian-fetch" small 2> "$tmp/err")
	is "$(sha256sum < "$deb" | cut -d' ' -f1)" "$sha" '... and goes on with the newest'
	like "$(cat "$tmp/err")" "small  $package  $suite  .*$sha" '... every time, with the line to pin it'
	one "$version" "$sha"
	is "$(DEBIAN_SITE=http://127.0.0.1:9/debian "$top/tools/debian-fetch" small 2>&1)" "$deb" 'the pinned one, once here, needs no network'
	printf x >> "$deb"
	fails_with 1 'could not be fetched' '... and a damaged copy is not taken' env DEBIAN_SITE=http://127.0.0.1:9/debian "$top/tools/debian-fetch" small
	;;
esac
done_testing
