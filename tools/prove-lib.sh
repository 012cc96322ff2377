# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Sourced by the prover's scripts, after tools/lib.sh: what a configuration
# is, how its kernel is built, and how a build is named by its content.

configs=${CONFIGS_DIR:-$top/test-configs}
prove=$build/prove-$base
src=$prove/src

# header CONFIG KEY: the value of a "# key: value" line at a fragment's head
header()
{
	sed -n "s/^# $2: *//p" "$configs/$1.config" | head -1
}

# fragments CONFIG: the files that are merged over the defconfig
fragments()
{
	for _w in $(header "$1" with); do
		printf '%s\n' "$configs/$_w"
	done
	printf '%s\n' "$configs/$1.config"
}

# prove_pairs WHICH: lines "config toolchain" for WHICH (make, matrix)
prove_pairs()
{
	for _f in "$configs"/*.config; do
		_c=$(basename -- "$_f" .config)
		for _t in $(header "$_c" "$1"); do
			printf '%s %s\n' "$_c" "$_t"
		done
	done
}

cross_of() # ARCH
{
	case $1 in
	arm64) echo aarch64-linux-gnu- ;;
	powerpc) echo powerpc64le-linux-gnu- ;;
	s390) echo s390x-linux-gnu- ;;
	esac
}

# kmake CONFIG TOOLCHAIN ARGS...: kbuild for that pair, reproducibly
kmake()
{
	_arch=$(header "$1" arch)
	_o=$prove/obj/$1@$2
	case $2 in
	gcc)
		_cross=$(cross_of "$_arch")
		set -- "$@" CROSS_COMPILE="$_cross" CC="$top/tools/cc-log ${_cross}gcc"
		;;
	clang)
		set -- "$@" LLVM=-19 CC="$top/tools/cc-log clang-19"
		;;
	*)
		die "toolchain '$2' of $1.config is neither gcc nor clang"
		;;
	esac
	shift 2
	# kernel-doc has a gate of its own and would run for every object here.
	# Nothing of git in the version: it would differ from state to state.
	${KMAKE:-make} --no-print-directory -C "$src" O="$_o" ARCH="$_arch" W=1 \
		KERNELDOC=/dev/null PYTHON3=/usr/bin/python3 LOCALVERSION= KBUILD_BUILD_TIMESTAMP=@1767225600 \
		KBUILD_BUILD_USER=sbitmap KBUILD_BUILD_HOST=numa "$@"
}

# compiler_id CONFIG TOOLCHAIN
compiler_id()
{
	case $2 in
	gcc) "$(cross_of "$(header "$1" arch)")gcc" --version | head -1 ;;
	clang) clang-19 --version | head -1 ;;
	esac
}

# state_id REV: what of a kernel revision can reach an object of the matrix:
# the base's tree and the change to it, without what is never compiled there.
# lib/Kconfig.debug is where tests get their option, which is off there.
state_id()
{
	{
		git -C "$linux" rev-parse 'base^{tree}'
		git -C "$linux" diff-tree -r --no-renames base "$1" -- . \
			':!Documentation' ':!MAINTAINERS' ':!lib/tests' ':!lib/Kconfig.debug'
	} | sha256sum | cut -d' ' -f1
}

# base_objects WHICH: the objects of the base whose source names an sbitmap
# symbol, structure, or a member that is one; "core" are those of the tag path.
base_objects()
{
	if [ "$1" = includers ]; then
		printf '%s/\n' block drivers fs io_uring kernel lib mm
		return
	fi
	if [ "$1" = core ]; then
		git -C "$linux" ls-tree --name-only base lib/ block/ |
			grep -E '^(lib/sbitmap[a-z_]*|block/(blk-mq(-[a-z]+)?|kyber-iosched|mq-deadline|bfq-iosched))\.c$' |
			sed 's/\.c$/.o/'
		return
	fi
	# Searching a whole kernel takes a while: once for each base.
	_list=$cache/lists/3-$(git -C "$linux" rev-parse 'base^{tree}')
	if [ ! -f "$_list" ]; then
		mkdir -p "$cache/lists"
		_names='(sbitmap|sbq)_[a-z_]+|struct sbitmap|sbitmap_queue|ws_active|bitmap_tags|breserved_tags|budget_map'
		{
			git -C "$linux" grep -lwE "$_names" base -- '*.c' ':!tools'
			# Sources that get it from a header of their own folder.
			for _h in $(git -C "$linux" grep -lwE "$_names" base -- 'block/*.h' \
				'drivers/*.h' | sed 's/^[^:]*://'); do
				git -C "$linux" grep -lF "include \"$(basename -- "$_h")\"" \
					base -- "$(dirname -- "$_h")" || :
			done
		} | sed -n 's/^[^:]*:\(.*\)\.c$/\1.o/p' | sort -u > "$_list.$$"
		mv -- "$_list.$$" "$_list"
	fi
	cat "$_list"
}

# object_list REV WHICH: those of the base, and what a change up to REV adds
object_list()
{
	{
		base_objects "$2"
		git -C "$linux" diff --name-only --diff-filter=A base "$1" -- lib block ':!lib/tests' |
			sed -n 's/\.c$/.o/p'
	} | sort -u
}

# object_kind CONFIG TOOLCHAIN: which objects are looked at. "includers" are all
# that include the header in any way, over a thousand: for prove-all only.
object_kind()
{
	if [ "${PROVE_RUN:-}" = all ] && header "$1" includers | grep -qw "$2"; then
		echo includers
	elif [ "${PROVE_RUN:-}" = rev ]; then
		echo core
	else
		header "$1" objects
	fi
}

# build_key CONFIG TOOLCHAIN REV: names a build by all that goes into it
build_key()
{
	{
		echo 3
		state_id "$3"
		_f=$(fragments "$1")
		# shellcheck disable=SC2086
		cat $_f
		echo "$2"
		compiler_id "$1" "$2"
		object_list "$3" "$(object_kind "$1" "$2")"
	} | sha256sum | cut -d' ' -f1
}
