#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: in NUMA mode, on every machine: a bit of another node while the
# own has room, bits that one CPU cannot get, a share lost by a resize, a CPU
# that does not come home, slots by raw node ids, a mode where it gains nothing.
exec "$(dirname -- "$0")/../run-test" asan/test-numa
