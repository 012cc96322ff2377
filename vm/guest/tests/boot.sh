# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# The machine itself (in init), and that block devices come up
null_load 64 && null_add a memory_backed=1
ok $? "a null_blk device with shared tags"
check_mode a 64
null_unload
ok $? "goes away again"
