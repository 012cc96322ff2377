# SPDX-License-Identifier: GPL-2.0-only
# Builds all pairs of one state at once, with one job server for all of them.
#   make -j2 -f prove.mk REV=rev JOBS="config@tc@key ..." TOP=top

.PHONY: all $(JOBS)
all: $(JOBS)
$(JOBS):
	+@KMAKE="$(MAKE)" $(TOP)/tools/prove-build $(word 1,$(subst @, ,$@)) \
		$(word 2,$(subst @, ,$@)) $(REV) $(word 3,$(subst @, ,$@))
