#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: the same as threads.t, and use after free of wait entries,
# undefined behaviour, under load.
exec "$(dirname -- "$0")/../run-test" asan/test-threads
