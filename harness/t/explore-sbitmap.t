#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: in the kernel's sbitmap.c on two or three CPUs: a bit with two
# owners, a get that fails beside a free bit, a lost wakeup, a wrong ws_active,
# under strong and weak orderings, with clears nested as interrupts.
# One case, its steps, a replay: harness/explore/run t-sbitmap CASE --replay S
exec "$(dirname -- "$0")/../explore/run" t-sbitmap
