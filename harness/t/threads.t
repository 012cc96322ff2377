#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: with real threads: a bit with two owners, a bit beyond depth,
# a waiter that sleeps for ever, bits lost. It also shows row 33, the torn
# resize, on the base as it is.
exec "$(dirname -- "$0")/../run-test" plain/test-threads
