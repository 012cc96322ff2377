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

# options CONFIG: the options that they set
options()
{
	# shellcheck disable=SC2046 # a list of files
	grep -hE '^(CONFIG_.*=|# CONFIG_.* is not set$)' $(fragments "$1")
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

srcarch() # ARCH
{
	case $1 in
	i386|x86_64) echo x86 ;;
	*) echo "$1" ;;
	esac
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

# base_objects WHICH: the objects of the base whose code can name an sbitmap
# symbol or structure; "core" are those of the tag path, "includers" all folders
# that have objects which include the header (INCLUDERS: some of them).
base_objects()
{
	if [ "$1" = includers ]; then
		# shellcheck disable=SC2086 # a list
		printf '%s/\n' ${INCLUDERS:-block drivers fs io_uring kernel lib mm}
		return
	fi
	if [ "$1" = core ]; then
		git -C "$linux" ls-tree --name-only base lib/ block/ |
			grep -E '^(lib/sbitmap[a-z_]*|block/(blk-mq(-[a-z]+)?|kyber-iosched|mq-deadline|bfq-iosched))\.c$' |
			sed 's/\.c$/.o/'
		return
	fi
	# Searching a whole kernel takes a while: once for each base.
	_list=$cache/lists/4-$(git -C "$linux" rev-parse 'base^{tree}')
	if [ ! -f "$_list" ]; then
		mkdir -p "$cache/lists"
		_names='sbitmap(_[a-z_]+)?|sbq_(wait|index)[a-z_]*|ws_active'
		while :; do
			_more=$(header_names "$_names" | sort -u | awk -v all="|$_names|" \
				'!index(all, "|" $0 "|") {printf "|%s", $0}')
			[ -n "$_more" ] || break
			_names=$_names$_more
		done
		git -C "$linux" grep -lwP "$_names" base -- '*.c' ':!tools' |
			sed -n 's/^[^:]*:\(.*\)\.c$/\1.o/p' | sort -u > "$_list.$$"
		mv -- "$_list.$$" "$_list"
	fi
	cat "$_list"
}

# header_names NAMES: what a source can mean one of NAMES by without saying it:
# functions of other headers that name them, and members that are an sbitmap.
# (Only to include such a header makes no code.)
header_names()
{
	git -C "$linux" grep -lwP "$1" base -- 'block/*.h' 'drivers/*.h' 'include/*.h' \
		':!include/linux/sbitmap.h' | while read -r _h; do
		git -C "$linux" show "$_h" | awk -v names="(^|[^A-Za-z0-9_])($1)([^A-Za-z0-9_]|\$)" '
			/^{/ {body = 1}
			/^[a-z].*[a-z0-9_]\(/ {
				func_name = $0
				sub(/\(.*/, "", func_name)
				sub(/.*[^A-Za-z0-9_]/, "", func_name)
			}
			$0 ~ names {
				if (func_name != "") {
					print func_name
				} else if (/^[ \t]+struct sbitmap(_queue|_word)?[ \t]+\**[a-z_]+;/) {
					sub(/;.*/, "")
					sub(/.*[ \t*]/, "")
					print
				}
			}
			/^}/ || (!body && /;[ \t]*$/) {
				func_name = ""
				body = 0
			}'
	done
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

# build_scripts: names what decides how a build is made and what is stored of
# it; comments do not.
build_scripts()
{
	for _f in cc-log prove-build prove-lib.sh prove.mk prove-enabled.mk sparse; do
		grep -v '^[[:space:]]*#' "$top/tools/$_f"
	done | sha256sum
}

# build_key CONFIG TOOLCHAIN REV: names a build by all that goes into it
build_key()
{
	{
		printf '%s\n' "${scripts_id:=$(build_scripts)}"
		state_id "$3"
		options "$1"
		for _k in arch defconfig sparse; do
			header "$1" "$_k"
		done
		echo "$2"
		compiler_id "$1" "$2"
		# Sanitizers write the absolute names of sources into objects.
		case $(header "$1" defconfig)$(options "$1") in
		randconfig*|*SAN=y*) printf '%s\n' "$src" ;;
		esac
		object_list "$3" "$(object_kind "$1" "$2")"
	} | sha256sum | cut -d' ' -f1
}

# stored KEY: is this build there, and whole? What is not is taken away.
stored()
{
	_s=$cache/objects/$1
	[ -d "$_s" ] || return 1
	(cd "$_s" && [ -s sums ] && sha256sum -c --status sums) && return 0
	say "the stored build $(printf %.12s "$1") is not whole; it is made again" >&2
	rm -rf -- "$_s"
	return 1
}
