# SPDX-License-Identifier: GPL-2.0-only
# The interleaving explorer: its library, its tests' programs.
# Included by ../Makefile, which sets H, OUT and WARN.

EXD	:= $(H)/explore
EXO	:= $(OUT)/explore
EXC	:= coro mem engine dpor report tsan
EXH	:= $(EXD)/explore.h $(EXD)/explore-prims.h $(EXD)/explore-int.h

# Code under test, by compiler. Every access is to be announced: reads before
# writes too, READ_ONCE() told apart from a plain load. memcpy() and the like
# that gcc leaves as calls are renamed in the object: see README.md.
EX_CLANG	:= clang-19
EX_CFLAGS	:= -fsanitize=thread -mllvm -tsan-distinguish-volatile=1 \
		   -mllvm -tsan-instrument-read-before-write=1 \
		   -mllvm -tsan-instrument-func-entry-exit=0 \
		   -fno-vectorize -fno-slp-vectorize \
		   -fno-optimize-sibling-calls -gdwarf-aranges
EX_CFLAGS_GCC	:= -fsanitize=thread --param tsan-distinguish-volatile=1 \
		   --param tsan-instrument-func-entry-exit=0 -Wno-tsan \
		   -fno-optimize-sibling-calls \
		   -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset
EX_LIB		:= $(EXO)/libexplore.a
# The shared objects for t-sbitmap are built by gcc
FL_explore	+= --param tsan-distinguish-volatile=1 \
		   --param tsan-instrument-func-entry-exit=0
# When linking an executable that loads code under test, add -rdynamic
EX_LIBS		:= $(EX_LIB) -ldw -ldl

$(EXO)/%.o: $(EXD)/%.c $(EXH) $(EXD)/explore.mk
	@mkdir -p $(@D)
	@gcc -std=gnu11 -O2 -g -fPIC $(WARN) -c -o $@ $<

$(EX_LIB): $(EXC:%=$(EXO)/%.o)
	@rm -f $@
	@ar rcs $@ $^

# The same with the portable context switch
$(EXO)/ucontext/%.o: $(EXD)/%.c $(EXH) $(EXD)/explore.mk
	@mkdir -p $(@D)
	@gcc -std=gnu11 -O2 -g -fPIC -DEX_UCONTEXT $(WARN) -c -o $@ $<

$(EXO)/ucontext/libexplore.a: $(EXC:%=$(EXO)/ucontext/%.o)
	@rm -f $@
	@ar rcs $@ $^

# Test programs: $(H)/explore/t-NAME.c
EX_TESTS	:= $(filter-out sbitmap,\
		   $(patsubst $(EXD)/t-%.c,%,$(wildcard $(EXD)/t-*.c)))

$(EXO)/t-%: $(EXD)/t-%.c $(EXD)/t.h $(EX_LIB) $(EXH)
	@mkdir -p $(@D)
	@$(EX_CLANG) -std=gnu11 -O2 -g $(WARN) -Wno-missing-field-initializers $(EX_CFLAGS) -I$(EXD) -c -o $@.o $<
	@gcc -rdynamic -o $@ $@.o $(EX_LIBS)

$(EXO)/gcc/t-%: $(EXD)/t-%.c $(EXD)/t.h $(EX_LIB) $(EXH)
	@mkdir -p $(@D)
	@gcc -std=gnu11 -O2 -g $(WARN) -Wno-missing-field-initializers $(EX_CFLAGS_GCC) -I$(EXD) -c -o $@.o $<
	@objcopy --redefine-sym memcpy=__tsan_memcpy \
		--redefine-sym memmove=__tsan_memmove \
		--redefine-sym memset=__tsan_memset $@.o
	@gcc -rdynamic -o $@ $@.o $(EX_LIBS)

$(EXO)/ucontext/t-%: $(EXO)/t-% $(EXO)/ucontext/libexplore.a
	@gcc -rdynamic -o $@ $<.o $(EXO)/ucontext/libexplore.a -ldw -ldl

# The kernel's sbitmap.c, from the shared objects of the flavour "explore"
EX_HOSTC	:= shims/rt.c shims/xrt.c shims/topo.c sbt-load.c
EX_TREES	:= $(TREES:%=$(OUT)/%/explore/sbitmap.so)

$(EXO)/t-sbitmap: $(EXD)/t-sbitmap.c $(EXD)/t.h $(EX_LIB) $(EXH) $(EX_HOSTC) \
		  shims/hs.h sbt.h $(EX_TREES)
	@mkdir -p $(@D)
	@$(EX_CLANG) -std=gnu11 -O2 -g $(WARN) -Wno-missing-field-initializers \
		$(EX_CFLAGS) -DHS_EXPLORE -I$(EXD) -I$(H) -c -o $@.o $<
	@gcc -std=gnu11 -O2 -g $(WARN) -DHS_EXPLORE \
		-DSBT_FLAVOUR='"explore"' -I$(H) -rdynamic -o $@ $@.o \
		$(EX_HOSTC) $(EX_LIBS) -lpthread

.PHONY: explore
explore: $(EX_LIB) $(EX_TESTS:%=$(EXO)/t-%) $(EXO)/t-sbitmap $(EXO)/gcc/t-toys \
	$(EXO)/ucontext/t-toys
all: explore
.SECONDARY:
