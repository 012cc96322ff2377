#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: a machine of the model that does not do what docs/model.md says
# (sequences worked out by hand: two CPUs and one line, false sharing, queueing
# at a line, a far home, store buffer, locks), or counts transfers otherwise
# than the second implementation.
h=$(cd "$(dirname -- "$0")/.." && pwd)
CMOCKA_MESSAGE_OUTPUT=TAP exec "${BUILD:-$h/../build}/harness/model/test-sim"
