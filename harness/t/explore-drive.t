#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: an access that an observer does not get, a driven run that is
# not the same twice, less than a million shared accesses a second.
exec "$(dirname -- "$0")/../explore/run" t-drive
