# SPDX-License-Identifier: GPL-2.0-only
# The coherence model: its program, the contenders' shared objects, its tests.
# Included by ../Makefile after the rules for trees and flavours.

MD	:= $(H)/model
MO	:= $(OUT)/model
# Every access is announced, as for the explorer; optimized as the kernel is.
FL_model := -O2 -fsanitize=thread -Wno-tsan -DHS_EXPLORE -DHS_MODEL \
	    --param tsan-instrument-func-entry-exit=0 \
	    -Dmalloc=sim_waiter_alloc

$(foreach t,$(TREES),$(eval $(call FLAVOUR,$(t),model)))

# Comparators: the base with a patch of our own, or a file of our own.
COMPARE	:= dptr hints
define COMPARATOR
$(OUT)/$(1)/src/.stamp: $(H)/comparators/$(1).patch $(OUT)/base/src/.stamp
	@$(H)/comparators/apply $$< $(OUT)/base/src $$(@D)
$(eval $(call FLAVOUR,$(1),model))
$(eval $(call FLAVOUR,$(1),plain))
endef
$(foreach c,$(COMPARE),$(eval $(call COMPARATOR,$(c))))

$(OUT)/percpu/model/sbitmap.so: $(H)/comparators/percpu.c $(SHIMS) $(OUT)/base/src/.stamp
	@mkdir -p $(@D)
	@for f in comparators/percpu.c shims/wait.c; do \
		$(CC) $(KSTD) $(WARN) -Wno-sign-compare -Wno-unused-parameter \
			-Wno-type-limits $(FL_model) -Ishims \
			-I$(OUT)/base/src/include -I$(OUT)/base/src/include/uapi \
			-I$(H) -include linux/compiler.h -c $$f \
			-o $(@D)/$$(basename $$f .c).o || exit 1; \
	done
	@$(CC) -shared -Wl,-Bsymbolic -o $@.new $(@D)/*.o && mv $@.new $@

MODEL_SO := $(foreach t,base patched $(COMPARE) percpu,$(OUT)/$(t)/model/sbitmap.so)

M_LIB	:= model/sim.c model/naive.c model/machine.c
M_SRC	:= $(M_LIB) model/mrt.c model/load.c model/main.c shims/rt.c shims/topo.c \
	   sbt-load.c explore/coro.c
M_HDR	:= model/sim.h model/load.h sbt.h shims/hs.h $(EXH)
M_FLAGS	:= -std=gnu11 -O2 -g $(WARN) -Wno-missing-field-initializers \
	   -DHS_EXPLORE -DSBT_FLAVOUR='"model"' -I$(H)

$(MO)/model: $(M_SRC) $(M_HDR) model/model.mk
	@mkdir -p $(@D)
	@gcc $(M_FLAGS) -rdynamic -o $@ $(M_SRC) -ldl -lpthread -lm

$(MO)/test-sim: model/test-sim.c $(M_LIB) $(M_HDR) model/model.mk
	@mkdir -p $(@D)
	@gcc $(M_FLAGS) -o $@ model/test-sim.c $(M_LIB) explore/coro.c -lcmocka

BENCH_SO := $(foreach t,base patched $(COMPARE),$(OUT)/$(t)/plain/sbitmap.so)

$(OUT)/host/plain/bench: bench.c shims/rt.c shims/topo.c sbt-load.c $(HOSTH)
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -g -O2 $(WARN) -DSBT_FLAVOUR='"plain"' -I$(H) -o $@ \
		bench.c shims/rt.c shims/topo.c sbt-load.c -rdynamic -ldl -lpthread

.PHONY: model
model: $(MO)/model $(MO)/test-sim $(MODEL_SO) $(OUT)/host/plain/bench $(BENCH_SO)
all: model

.PHONY: bench results
bench: model
	@$(H)/model/bench

# Regenerates docs/results and what cover-letter.txt quotes of it.
results: model
	@$(H)/model/results
