#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch a warning that gets lost (a silent compiler and one that nobody
# knows of look alike), a damaged or half-written build that is taken for a
# whole one, a build of older scripts that is taken for one of these, and a
# list of objects that leaves out one whose code can name an sbitmap.
prog=prove-store.t
# shellcheck source=tools/lib.sh
. "$(dirname -- "$0")/../lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
scratch
# shellcheck source=tools/prove-lib.sh
. "$top/tools/prove-lib.sh"

# what the compiler says
log=$top/tools/cc-log
cd "$tmp" || exit 1
echo 'int f(void) { return 0; }' > quiet.c
echo 'int f(void) { int unused; return 0; }' > loud.c
echo 'int f(void) { return' > broken.c
"$log" gcc -Wall -c -o quiet.o quiet.c
is "$?:$(wc -c < quiet.o.warn)" 0:0 'a silent compiler leaves an empty list'
"$log" gcc -Wall -c -o loud.o loud.c 2> err
is "$?" 0 'a warning is no failure'
is "$(cat loud.o.warn)" "$(cat err)" '... is passed on and kept'
like "$(cat loud.o.warn)" 'unused' '... as it was said'
"$log" gcc -c -o broken.o broken.c 2> err
ok $((! $?)) 'an error is one'
cat > dying <<'SH'
#!/bin/sh
echo old > dying.o
kill -KILL $PPID
SH
chmod +x dying
echo 'of an earlier run' > dying.o.warn
"$log" ./dying -c -o dying.o dying.c 2> err
ok "$(test ! -e dying.o.warn; echo $?)" 'a killed compilation leaves no list, nor an older one'
"$log" gcc -Wall -o quiet.s -S quiet.c
ok "$(test ! -e quiet.s.warn; echo $?)" 'what is no object has none'

# what is stored
cache=$tmp/cache
store()
{
	rm -rf "$cache/objects/$1"
	mkdir -p "$cache/objects/$1/lib"
	echo code > "$cache/objects/$1/lib/sbitmap.o"
	(cd "$cache/objects/$1" && find . -type f -print0 | xargs -0 sha256sum > ../sums && mv ../sums sums)
}
store whole
stored whole 2> err
is "$?:$(cat err)" 0: 'a whole build is taken'
stored other 2> err
is "$?:$(cat err)" 1: 'one that is not there is not'
store damaged
echo coda > "$cache/objects/damaged/lib/sbitmap.o"
stored damaged 2> err
is "$?" 1 'one whose object changed is not'
like "$(cat err)" 'damaged is not whole; it is made again' '... and it is said'
ok "$(test ! -e "$cache/objects/damaged"; echo $?)" '... and makes room'
store less
rm "$cache/objects/less/lib/sbitmap.o"
stored less 2> err
is "$?" 1 'one that lacks an object is not'
store half
rm "$cache/objects/half/sums"
stored half 2> err
is "$?" 1 'one without its end is not'

# what names a build
was=$(build_scripts)
real=$top
mkdir -p "$tmp/copy/tools"
cp "$real"/tools/cc-log "$real"/tools/prove* "$real"/tools/sparse "$tmp/copy/tools"
top=$tmp/copy
is "$(build_scripts)" "$was" 'the same scripts, the same name'
for f in cc-log prove-build prove-lib.sh prove.mk prove-enabled.mk sparse; do
	sed -i '1,3s/^# SPDX.*/# another comment/' "$top/tools/$f"
done
is "$(build_scripts)" "$was" '... whatever their comments say'
for f in cc-log prove-build prove-lib.sh prove.mk prove-enabled.mk sparse; do
	echo 'x = y' >> "$top/tools/$f"
	now=$(build_scripts)
	ok "$(test "$now" != "$was"; echo $?)" "another $f, another name"
	was=$now
done
top=$real

# which objects
linux=$tmp/linux
mkdir -p "$linux/lib" "$linux/block" "$linux/include/linux" "$linux/include/scsi" "$linux/drivers/x"
cd "$linux" || exit 1
echo 'void sbitmap_get(struct sbitmap *sb);' > include/linux/sbitmap.h
cat > include/scsi/device.h <<'C'
struct device {
	struct sbitmap budget;
};
int device_name(struct device *d);

static inline int device_busy(struct device *d)
{
	return sbitmap_weight(&d->budget);
}

static inline int device_other(struct device *d)
{
	return 1;
}
static inline int bits_of(struct device *d,
			  struct sbitmap *sb)
{
	return 2;
}
C
printf 'static inline int is_busy(void)\n{\n\treturn device_busy(0);\n}\n' > block/own.h
echo 'void f(void) { sbitmap_get(0); }' > lib/names.c
echo 'void f(void) { x->budget; }' > drivers/x/member.c
echo 'void f(void) { device_busy(x); }' > drivers/x/inline.c
echo 'void f(void) { bits_of(x, 0); }' > drivers/x/argument.c
echo 'void f(void) { is_busy(); }' > drivers/x/twice.c
printf '#include <scsi/device.h>\nvoid f(void) { device_other(x); device_name(x); }\n' > drivers/x/only-includes.c
echo 'void f(void) { is_busy_not(); sbq_lock(); }' > drivers/x/others.c
git init -q . && git add . && git -c user.name=x -c user.email=x@example.org commit -q -m base && git tag base
is "$(base_objects all | tr '\n' ' ')" \
	'drivers/x/argument.o drivers/x/inline.o drivers/x/member.o drivers/x/twice.o lib/names.o ' \
	'objects: who names an sbitmap, also by a function or member of a header, and nobody else'
done_testing
