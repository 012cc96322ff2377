#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: ws_active that misses a waiter who is added again (row 1), data
# that does not go with its bit, a bit lost between cleared and word; and it
# shows, in the smallest case, what the base does wrong: a weight of -1, bits
# beyond the depth and bits with two owners from a torn resize (row 33).
exec "$(dirname -- "$0")/../run-test" explore/test-race
