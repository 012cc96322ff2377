#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch a proof that is green for the wrong reason: a refactoring patch
# that gains a branch site or is let off by an exception, a mode that runs new
# code with its key off, an exception that nobody needs, a new warning, another
# layout, an object that is not there. What is compared was stored beforehand:
# nothing is built here but two small fixtures.
prog=prove-verdicts.t
# shellcheck source=tools/lib.sh
. "$(dirname -- "$0")/../lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
scratch
have gcc pahole || skip_all "gcc or pahole is missing; run: make setup"

mkdir -p "$tmp/build/identity" "$tmp/configs" "$tmp/queue" "$tmp/identity" "$tmp/o"
ln -s "${OBJCMP:-$build/identity/objcmp}" "$tmp/build/identity/objcmp"
export BUILD="$tmp/build" SBITMAP_CACHE="$tmp/cache" CONFIGS_DIR="$tmp/configs"
export SERIES_DIR="$tmp/queue" IDENTITY_DIR="$tmp/identity" PROVE_RUN=make
unset TREE
BASE=7.3
build=$BUILD cache=$SBITMAP_CACHE linux=$BUILD/linux-7.3

# a kernel of three commits
git init -q "$linux"
(
	cd "$linux" || exit 1
	git config user.name x
	git config user.email x@example.org
	mkdir -p lib block include/linux
	touch include/linux/sbitmap.h
	for n in base 'sbitmap: look a word up in one place' 'blk-mq: use the mode'; do
		echo "/* $n */" | tee lib/sbitmap.c > block/blk-mq.c
		git add -A && git commit -q -m "$n"
		git tag base 2> "$tmp/err"
	done
	git checkout -q -B series
)
cat > "$tmp/queue/series" <<'S'
# group refactor (identical): this. Status: so.
0001-sbitmap-look-a-word-up-in-one-place.patch
# group mode (mode): that. Status: so.
0002-blk-mq-use-the-mode.patch
S
cat > "$tmp/configs/one.config" <<'C'
# arch: x86
# defconfig: none
# make: gcc
# objects: core
# each-patch: gcc
CONFIG_NUMA=y
CONFIG_JUMP_LABEL=y
C
printf 'key third_key\nkey our_key\n' > "$tmp/identity/mode"
# shellcheck source=tools/prove-lib.sh
. "$top/tools/prove-lib.sh"
one=$(git -C "$linux" rev-parse series^) two=$(git -C "$linux" rev-parse series)
zero=$(git -C "$linux" rev-parse base)
flags='-O2 -ffreestanding -fno-asynchronous-unwind-tables -fno-stack-protector -fno-pic -no-pie -mcmodel=kernel -fcf-protection=none -w'
for v in PLAIN GAINED CODE_BEFORE; do
	# shellcheck disable=SC2086
	gcc $flags -D$v -c -o "$tmp/o/$v.o" "$top/identity/t/keys.c"
done

# store REV VARIANT [FILE CONTENT]: a build of REV whose blk-mq.o is VARIANT
store()
{
	_s=$cache/objects/$(build_key one gcc "$1")
	rm -rf "$_s"
	mkdir -p "$_s/lib" "$_s/block"
	printf '%s\n' block/blk-mq.o lib/sbitmap.o > "$_s/objects"
	cp "$tmp/o/PLAIN.o" "$_s/lib/sbitmap.o"
	cp "$tmp/o/$2.o" "$_s/block/blk-mq.o"
	touch "$_s/lib/sbitmap.o.warn" "$_s/block/blk-mq.o.warn"
	options one > "$_s/config"
	printf 'struct sbitmap {\n\t/* size: 32, */\n};\n' > "$_s/layout"
	case ${3:-} in
	'') ;;
	sbitmap) cp "$tmp/o/$4.o" "$_s/lib/sbitmap.o" ;;
	gone) rm "$_s/$4" ;;
	*) printf '%s\n' "$4" > "$_s/$3" ;;
	esac
	(cd "$_s" && find . -type f -print0 | xargs -0 sha256sum > ../sums && mv ../sums sums)
}
prove()
{
	out=$("$top/tools/prove" make 2>&1)
	rc=$?
	reds=$(cat "$BUILD"/report/make-*.tsv | grep '^red' | cut -f2- | tr '\t\n' ' ;')
}
# green TEXT; red PATTERN TEXT
green()
{
	is "$rc:$reds" 0: "$1" || diag "$out"
}
red()
{
	like "$rc:$reds" "^1:.*$1" "$2"
}

store "$zero" PLAIN
store "$one" PLAIN
store "$two" GAINED
prove
green 'a branch site of the key: same code'
like "$(cat "$BUILD/report/make-identity.tsv")" \
	'one@gcc 0001-sbitmap-look-a-word-up-in-one-place.patch	level 0: .*2 identical' \
	'... at level 0 what is a refactoring'
like "$(cat "$BUILD/report/make-identity.tsv")" \
	'one@gcc 0002-blk-mq-use-the-mode.patch	level 1: .*1 same code' '... at level 1 what is the mode'
like "$(cat "$BUILD/report/make-identity.tsv")" \
	'0002-blk-mq-use-the-mode.patch	level 0, without block/blk-mq\*.o: .*1 of 1 objects' \
	'... and at level 0 what the mode has no business with'
like "$(cat "$BUILD/report/make-size.tsv")" 'md5 of the disassembly [0-9a-f]{32} -> [0-9a-f]{32}' \
	'... with sizes and sums'
rm "$tmp/identity/mode"
prove
is $rc 1 'no list of keys is red'
like "$out" "^prove: identity/mode is missing.*'key SYMBOL'" '... and says so'
echo 'key our_key' > "$tmp/identity/mode"

store "$two" PLAIN sbitmap GAINED
prove
red 'identity one@gcc 0002-[^;]*without block[^;]*lib/sbitmap.o' \
	'a branch site of the key in lib/ is red, and the report names the object'
store "$two" CODE_BEFORE
prove
red 'identity one@gcc 0002-[^;]*level 1: [^;]*block/blk-mq.o[^;]*get' 'code that runs with the key off is red, object and function are in the report'
like "$out" 'block/blk-mq.o.* get' '... object and function are named'
echo 'one@gcc block/blk-mq.o get the reason' > "$tmp/identity/exceptions"
prove
green '... unless an exception allows it'
store "$two" GAINED
prove
red 'exceptions .*1 stale' 'an exception that nobody needs is red'
store "$one" GAINED
store "$two" CODE_BEFORE
prove
red 'identity one@gcc 0001-' 'neither an exception nor a key lets a refactoring off'
rm "$tmp/identity/exceptions"
store "$zero" PLAIN block/blk-mq.o.warn 'block/blk-mq.c:10:3: warning: one [-Wone]'
store "$one" PLAIN block/blk-mq.o.warn 'block/blk-mq.c:99:7: warning: one [-Wone]'
store "$two" GAINED block/blk-mq.o.warn 'block/blk-mq.c:10:3: warning: two [-Wtwo]'
prove
red 'warnings one@gcc 0002-.*new: .*two' 'a new warning is red'
is "$(grep -c . "$BUILD/report/make-warnings.tsv"):$(printf '%s' "$reds" | tr -cd ';')" '2:;' \
	'... but not one of the base on another line'
store "$one" PLAIN layout 'struct sbitmap { other };'
store "$two" GAINED gone lib/sbitmap.o
prove
red 'layout one@gcc 0001-' 'another layout is red'
like "$reds" 'identity one@gcc 0002-.*1 missing' 'an object that is gone is red'

sed -i 's/^CONFIG_NUMA=y/# CONFIG_NUMA is not set/' "$tmp/configs/one.config"
store "$zero" PLAIN
store "$one" PLAIN
store "$two" GAINED
prove
red 'identity one@gcc 0002-.*level 0' 'without NUMA a branch site is red'

sed -i '/0002/d' "$tmp/queue/series"
prove
like "$rc:$out" 'a commit that is no patch of series .blk-mq: use the mode.; run: make refresh' \
	'a commit that is in no patch: says so'
echo 0002-blk-mq-use-the-mode.patch >> "$tmp/queue/series"
echo 0003-another.patch >> "$tmp/queue/series"
prove
like "$rc:$out" 'not one commit for each patch of series; run: make tree' 'a patch without a commit: says so'
done_testing
