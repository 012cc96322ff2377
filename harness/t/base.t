#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: a change of what the base does wrong today (rows 22, 23, 29,
# 32, batch get's full-word test, users lost on resize), and a report that
# shows a wrong smallest case.
exec "$(dirname -- "$0")/../run-test" plain/test-base
