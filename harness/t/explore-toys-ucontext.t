#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: a portable context switch that does not do what the one in
# assembler does.
exec "$(dirname -- "$0")/../explore/run" ucontext/t-toys
