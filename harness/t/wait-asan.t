#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: the same as wait.t, and use of a wait entry that is gone.
exec "$(dirname -- "$0")/../run-test" asan/test-wait
