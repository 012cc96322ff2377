#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: a bit handed out twice or beyond depth, a get that fails with
# bits free, a wrong weight, dump or iteration, a leak or double free on any
# failure path; at every depth 0 to 1100, shift -1 to 6.
exec "$(dirname -- "$0")/../run-test" plain/test-model
