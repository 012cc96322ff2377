#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: the same as explore-toys.t, where gcc announces accesses in
# another way than clang does.
exec "$(dirname -- "$0")/../explore/run" gcc/t-toys
