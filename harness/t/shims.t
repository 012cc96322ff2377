#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: a machine that is not what it says, a double or wrong free
# that passes, per-CPU data that is not per CPU, a static key that does not
# switch.
exec "$(dirname -- "$0")/../run-test" asan/test-shims
