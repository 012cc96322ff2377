# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# limit: 900
# A little of everything, for each make test
run_test kunit
vm_depths=4,64 run_test tags
vm_seconds=6 run_test hotplug
vm_seconds=5 run_test resize
