#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: make setup that calls apt-get for nothing, that fails without
# naming the line to type, or a list of packages that is out of shape.
set -u
prog='setup.t'
. "$(dirname -- "$0")/../lib.sh"
# shellcheck source=tools/tap.sh
. "$top/tools/tap.sh"
have dpkg-query apt-get || skip_all 'not a Debian system'
scratch
export BUILD="$tmp/build" PACKAGES="$tmp/packages"
setup=$top/tools/setup
mkdir "$tmp/bin"
# An apt-get that tells what it was asked for, and does as $APT says.
cat > "$tmp/bin/apt-get" <<'A'
#!/bin/sh
echo "$*" >> "$ASKED"
exit "${APT:-0}"
A
printf '#!/bin/sh\necho 1000\n' > "$tmp/bin/id"
chmod +x "$tmp/bin/apt-get" "$tmp/bin/id"
export ASKED="$tmp/asked"
PATH=$tmp/bin:$PATH
cat > "$PACKAGES" <<'P'
# a comment
dpkg	core	is everywhere
apt	harness	is everywhere
P
: > "$ASKED"
fails_with 0 'nothing is missing' 'all is there' "$setup"
is "$(cat "$ASKED")" '' '... apt-get is not called'
printf 'no-such-package-1\tcore\tx\nno-such-package-2\tvm\tx\n' >> "$PACKAGES"
fails_with 1 '^setup: packages are missing, and only root can install them; as root run: apt-get install --no-install-recommends no-such-package-1 no-such-package-2$' \
	'no root: the one line' "$setup"
is "$(cat "$ASKED")" '' '... apt-get is not called'
fails_with 1 'recommends no-such-package-1$' 'a group: only what is missing of it' "$setup" core harness
fails_with 0 'nothing is missing' '... and nothing of another' "$setup" harness
fails_with 2 "no group 'foo' in packages; there are: core harness vm" 'a group that is not there' "$setup" foo
printf '#!/bin/sh\necho 0\n' > "$tmp/bin/id"
fails_with 0 'installing: no-such-package-2' 'root: installed' "$setup" vm
like "$(tail -1 "$ASKED")" '-y install --no-install-recommends no-such-package-2$' '... by apt-get, only what is missing'
fails_with 1 'apt-get failed .*as root run: apt-get install --no-install-recommends no-such-package-2$' 'apt-get fails: the one line' env APT=100 "$setup" vm

# The real list.
is "$(awk '!/^#/ && NF && (NF < 3 || $2 !~ /^(core|harness|vm|mail)$/)' "$top/tools/packages")" '' \
	'tools/packages: every line has a package, a group and a reason'
is "$(awk '!/^#/ && NF {print $1}' "$top/tools/packages" | sort | uniq -d)" '' '... and no package stands twice'
is "$(grep -c '^gcc-multilib' "$top/tools/packages")" 0 '... nor one that puts the cross compilers out'
done_testing
