# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
# Sourced, after lib.sh, by what runs the suite in user-mode Linux with another
# lib/sbitmap.o in it: kunit-coverage and mutate. One object is compiled and the
# kernel linked again, beside the build tree, which stays as it is.

# uml_build TREE: an up-to-date build of the suite; sets $uml, and $uml_code
# and $uml_inlines, the files whose code the suite is about. With $KUNIT_BUILT
# set, the build that is there is taken for up to date.
uml_build()
{
	uml=$build/kunit/$(basename -- "$1")/uml
	[ -n "${KUNIT_BUILT:-}" ] ||
		"$top/tools/kunit-run" uml --tree "$1" --no-run || exit 1
	[ -f "$uml/vmlinux.a" ] || die "$uml: no vmlinux.a in there"
	(cd "$uml" && ar t vmlinux.a) >"$tmp/objects" ||
		die "$uml/vmlinux.a: no list of objects"
	grep -qx lib/sbitmap.o "$tmp/objects" ||
		die "$uml: lib/sbitmap.o is not part of the kernel"
	# The code that is tested: what is compiled, what it includes, what all
	# users of sbitmap include
	uml_code='' uml_inlines=''
	for _f in "$1"/lib/sbitmap*.c; do
		_f=lib/$(basename -- "$_f")
		! grep -qx "${_f%.c}.o" "$tmp/objects" || uml_code="$uml_code $_f"
	done
	for _f in "$1"/lib/sbitmap*.h "$1"/include/linux/sbitmap*.h; do
		[ ! -f "$_f" ] || uml_inlines="$uml_inlines ${_f#"$1/"}"
	done
}

# uml_compile OBJECT OUT SOURCE FLAG...: as the build did it, but another source
# and more flags, which go first
uml_compile()
{
	_dir=$(dirname -- "$1")/.$(basename -- "$1").cmd
	_cmd=$(sed -n 's/^savedcmd_[^:]*:= //p' "$uml/$_dir" | head -n 1)
	case $_cmd in
	*" -nostdinc "*" -o $1 "*) ;;
	*) die "$uml/$_dir: does not say how $1 is compiled" ;;
	esac
	_out=$2 _src=$3
	_head=${_cmd%% -nostdinc *} _tail=${_cmd#* -nostdinc }
	_head=$(printf '%s' "$_head" | sed 's/-Wp,-MMD,[^ ]*//')
	_tail=${_tail%% -o "$1" *}
	shift 3
	(cd "$uml" && eval "$_head -nostdinc $* $_tail -o \"\$_out\" \"\$_src\"")
}

# uml_link OUT FLAGS [OBJECT=FILE]...: scripts/link-vmlinux.sh for ARCH=um
uml_link()
{
	_out=$1 _flags=$2
	shift 2
	cp "$tmp/objects" "$_out.objects"
	for _r in "$@"; do
		sed -i "s|^${_r%%=*}\$|${_r#*=}|" "$_out.objects"
	done
	# shellcheck disable=SC2086
	(cd "$uml" && gcc -no-pie -Wl,-rpath,/lib -Wl,--wrap,malloc \
		-Wl,--wrap,free -Wl,--wrap,calloc -Wl,-m,elf_x86_64 \
		-Wl,-z,noexecstack -Wl,--no-warn-rwx-segments \
		-Wl,--script=arch/um/kernel/vmlinux.lds -o "$_out" \
		-Wl,--whole-archive @"$_out.objects" .vmlinux.export.o \
		init/version-timestamp.o -Wl,--no-whole-archive $_flags \
		-lutil -lrt -lpthread)
}

# What a log says as soon as a run cannot be good any more
uml_failed='^ *not ok |EXPECTATION FAILED|ASSERTION FAILED|Kernel panic|BUG: |WARNING: '

# uml_boot LINUX LOG SECONDS: runs the suite. The limit is one of CPU time, so
# that a busy machine is no reason to hang; the limit of real time is ten times
# as much. With $early set, the run is cut short as soon as a case has failed or
# the kernel has crashed.
uml_boot()
{
	# shellcheck disable=SC3045
	(ulimit -t "$3" && exec timeout -k 5 $((10 * $3)) "$1" kunit.enable=1 kunit.autorun=1 \
		'kunit.filter_glob=sbitmap*' mem=1G console=tty \
		uml_dir="$tmp/uml/" \
		kunit_shutdown=halt seccomp=on ncpus=4 \
		</dev/null >"$2" 2>&1) &
	_boot=$!
	if [ -n "${early:-}" ]; then
		while kill -0 $_boot 2>/dev/null; do
			if grep -qE "$uml_failed" "$2"; then
				kill -TERM $_boot 2>/dev/null
				break
			fi
			sleep 0.3
		done
	fi
	wait $_boot
}
