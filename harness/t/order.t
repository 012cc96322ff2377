#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: a shim with another memory order than shims/ORDER.md says, a
# primitive without a line there.
prog=order.t
# shellcheck source=../../tools/lib.sh
. "$(dirname -- "$0")/../../tools/lib.sh"
exec "$top/harness/run-test" plain/test-order "$top/harness/shims/ORDER.md"
