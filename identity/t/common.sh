# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Sourced by the tests of objcmp, after tools/lib.sh and tools/tap.sh.

objcmp=${OBJCMP:-$build/identity/objcmp}
if [ -z "${OBJCMP:-}" ]; then
	make -s -C "$top/identity" >/dev/null || {
		echo 'Bail out! identity/ does not build'
		exit 1
	}
fi

# The compilers that fixtures are made with: all that are installed. gcc and
# clang-19 for x86-64 and gcc for arm64 are needed, the others add to level 0.
targets=
for _t in x86-gcc x86-clang arm64-gcc; do
	case $_t in
	x86-gcc) _c=gcc ;;
	x86-clang) _c=clang-19 ;;
	arm64-gcc) _c=aarch64-linux-gnu-gcc ;;
	esac
	if have "$_c"; then
		targets="$targets $_t"
	else
		diag "no $_c: $_t is not tested"
	fi
done
[ -n "$targets" ] || skip_all 'no compiler; run: make setup'

# compiler TARGET: the command, with the kernel's flags that matter here
compiler()
{
	_k='-O2 -ffreestanding -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-common'
	_k="$_k -fno-strict-aliasing -fno-stack-protector -w"
	case $1 in
	x86-gcc) echo "gcc $_k -fno-pic -no-pie -mcmodel=kernel -fcf-protection=none" ;;
	x86-clang) echo "clang-19 $_k -fno-pic -mcmodel=kernel -fcf-protection=none" ;;
	arm64-gcc) echo "aarch64-linux-gnu-gcc $_k -fno-pic -mgeneral-regs-only" ;;
	i386-gcc) echo "gcc -m32 $_k -fno-pic -mregparm=3 -fcf-protection=none" ;;
	ppc64le-gcc) echo "powerpc64le-linux-gnu-gcc $_k -fno-pic" ;;
	s390x-gcc) echo "s390x-linux-gnu-gcc $_k -fno-pic" ;;
	esac
}

# build TARGET OUT FLAGS... <SOURCE: compile standard input, always under one
# name (what sanitizers emit hangs on it), in a folder of its own
build()
{
	_b_target=$1 _b_out=$2
	shift 2
	case $_b_out in /*) ;; *) _b_out=$PWD/$_b_out ;; esac
	mkdir -p "$_b_out.d"
	cat >"$_b_out.d/fixture.c"
	# shellcheck disable=SC2046
	(cd "$_b_out.d" && $(compiler "$_b_target") -c -o "$_b_out" "$@" \
		fixture.c 2>cc.log) ||
		{ diag "$_b_target: $(head -5 "$_b_out.d/cc.log")"; return 1; }
}

# pair TARGET NAME FLAGS... <SOURCE: put a new object beside the base's, for
# compare_all. The base is made by: base TARGET FLAGS... <SOURCE
base()
{
	rm -rf "$tmp/b" "$tmp/n"
	mkdir "$tmp/b" "$tmp/n"
	: >"$tmp/list"
	_p_jobs=0
	_p_target=$1
	shift
	build "$_p_target" "$tmp/base.o" "$@"
}

pair()
{
	_p_target=$1 _p_name=$2
	shift 2
	cp "$tmp/base.o" "$tmp/b/$_p_name.o"
	echo "$_p_name.o" >>"$tmp/list"
	# two at a time; one that fails is missing when they are compared
	cat >"$tmp/src.$_p_jobs"
	build "$_p_target" "$tmp/n/$_p_name.o" "$@" <"$tmp/src.$_p_jobs" &
	_p_jobs=$((_p_jobs + 1))
	[ $((_p_jobs % 2)) -ne 0 ] || wait
}

# compare_all OPTIONS...: all pairs in one run
compare_all()
{
	wait
	"$objcmp" --verbose "$@" --expect "$tmp/list" "$tmp/b" "$tmp/n" \
		>"$tmp/out" 2>&1
}

# verdict_same NAME TEXT, verdict_seen NAME PATTERN TEXT: what it said of one
verdict_same()
{
	grep -Eq "^(identical|identical-with-masks|same-code) +$1\.o" "$tmp/out"
	_rc=$?
	ok $_rc "$2"
	[ $_rc -eq 0 ] || diag "$(grep -F " $1.o" "$tmp/out" || cat "$tmp/out")"
}

verdict_seen()
{
	grep -Eq "^DIFFERENT +$1\.o" "$tmp/out" &&
		grep -Eq "differs $1\.o: .*$2" "$tmp/out"
	_rc=$?
	ok $_rc "$3"
	[ $_rc -eq 0 ] || diag "wanted: $2; $(grep -F " $1.o" "$tmp/out" ||
		cat "$tmp/out")"
}

# same TEXT OPTIONS... BASE NEW: objcmp says that they are
same()
{
	_name=$1
	shift
	_out=$("$objcmp" "$@" 2>&1)
	_rc=$?
	ok $_rc "$_name"
	[ $_rc -eq 0 ] || diag "$_out"
}

# seen TEXT PATTERN OPTIONS... BASE NEW: objcmp says that they differ, and where
seen()
{
	_name=$1 _pat=$2
	shift 2
	fails_with 1 "$_pat" "$_name" "$objcmp" "$@"
}
