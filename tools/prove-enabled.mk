# SPDX-License-Identifier: GPL-2.0-only
# Prints the objects and folders that kbuild would build in folder $(obj) with
# a configuration: kbuild's own lists, so that nothing is compiled that the
# configuration leaves out.
#   make -f prove-enabled.mk srctree=SRC objtree=O obj=block SRCARCH=x86 list

srcroot := $(srctree)
need-builtin :=
need-modorder :=
KBUILD_BUILTIN := y
KBUILD_MODULES := y
CC ?= false
include $(srctree)/scripts/Makefile.build

.PHONY: list
list:
	@:$(info $(sort $(real-obj-y) $(real-obj-m) $(addsuffix /,$(subdir-ym))))
