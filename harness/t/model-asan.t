#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: the same as model.t, and reads or writes outside an object,
# use after free, undefined shifts.
exec "$(dirname -- "$0")/../run-test" asan/test-model
