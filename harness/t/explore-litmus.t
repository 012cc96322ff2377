#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Would catch: store buffers that allow what the memory model of x86, or a
# weaker one, forbids, or never show what it allows.
exec "$(dirname -- "$0")/../explore/run" t-litmus
