#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: a soundness test that no longer notices a broken search.
exec "$(dirname -- "$0")/../explore/run" t-sound --break
