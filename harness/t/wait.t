#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: waiters that are never woken, too few or too many woken, a
# wait queue left out, a miscounted ws_active, a sleeping lock in atomic
# context; rows 1 to 3, 5 to 7, 10 to 12, 19, 27.
exec "$(dirname -- "$0")/../run-test" plain/test-wait
