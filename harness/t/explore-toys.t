#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: an explorer that misses a race, a lost wakeup, a deadlock, a
# nested interrupt, a torn copy or a use after free, calls a correct program
# wrong, or cannot replay what it found.
exec "$(dirname -- "$0")/../explore/run" t-toys
