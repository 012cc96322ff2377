#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: a reduction that loses final states, or explores one partial
# order twice, on generated programs run in all interleavings beside.
exec "$(dirname -- "$0")/../explore/run" t-sound
