# SPDX-License-Identifier: GPL-2.0-only
# The product is patches/; everything here is about trusting it. "make help".

SHELL	:= /bin/sh
BASE	?= 7.3
T	?= 60
export BASE TREE

.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: all setup base tree refresh check-series gates-text identity prove \
	prove-matrix prove-all report test test-long test-faults test-each \
	fuzz kunit kunit-qemu kunit-module kunit-coverage mutate mutate-numa mail \
	results bench check clean help vm vm-all vm-soak vm-depths demo

all: setup tree identity		## prove the series: the main job
	@tools/gates make

setup:					## install what is missing (as root)
	@tools/setup

base:					## fetch the base kernel (BASE=6.12, TREE=path)
	@tools/base-fetch

tree: base				## build/linux-BASE: branch "series", a commit a patch
	@tools/tree

refresh:				## export branch "series" to patches/ and the views
	@tools/refresh

check-series:				## is the queue whole, and does it apply in every way
	@tools/check-series

check:					## does it fit another kernel (BASE=7.2, TREE=path; KUNIT=1)
	@tools/check-base

gates-text:				## checkpatch, codespell, kernel-doc, coccicheck, sizes
	@tools/gate-text

identity:				## build objcmp, the object-code prover
	@$(MAKE) -s -C identity

prove: tree identity			## object code, warnings, layout: as in "make" alone
	@tools/prove make

prove-matrix: setup tree identity	## the other configurations and compilers
	@tools/gates matrix

prove-all: setup tree identity		## every patch, every configuration, all includers
	@tools/gates all

report:					## print the last report again
	@tools/report

test: setup tree identity		## all tests, as TAP through prove(1)
	@tools/test

test-long: setup tree identity		## the same with the long tiers
	@HARNESS_TIER=long tools/test

test-faults: tree			## every kept fault is put in and must be caught
	@$(MAKE) -s -C harness test-faults

fuzz: tree				## libFuzzer over the operations (T=seconds)
	@$(MAKE) -s -C harness fuzz T=$(T)

kunit: tree				## KUnit under user-mode Linux
	@tools/kunit-run uml

kunit-qemu: tree			## KUnit on x86-64 in QEMU, several nodes
	@tools/kunit-run qemu

kunit-module: tree			## the same as a module
	@tools/kunit-run module

kunit-coverage: tree			## what the KUnit suite covers, by gcov
	@tools/kunit-coverage

results: tree				## run the model, make docs/results anew
	@$(MAKE) -s -C harness results

bench: tree				## a get/put pair on this machine's cores
	@$(MAKE) -s -C harness bench

mutate: tree				## do the tests notice faults put into the code
	@tools/mutate

mutate-numa: tree			## the same for the NUMA mode
	@tools/mutate --numa

test-each: tree				## KUnit and the harness at every patch of the series
	@tools/test-each

TOPOLOGY ?= 4x2
TEST	?= smoke
KERNEL	?= plain
MODE	?= numa
ACCEL	?= single

vm: tree				## boot a guest (TEST TOPOLOGY KERNEL MODE ACCEL LIMIT)
	@vm/run -T $(TOPOLOGY) -k $(KERNEL) -m $(MODE) -a $(ACCEL) \
		$(if $(LIMIT),-l $(LIMIT)) $(TEST)

vm-all: tree				## guests: every topology, every test, every kernel
	@vm/all

vm-soak: tree				## guests: everything at once, and a fault it has to see
	@vm/soak

vm-depths: tree				## guests: instructions per I/O at depths 2 to 256
	@vm/depths

demo: tree				## boot a 4-node guest, show where each node's tags are
	@vm/demo

mail:					## the series as mails, ready to send (SENDER="Name <addr>")
	@tools/mail

clean:					## remove build/ unless it holds unexported work
	@tools/clean

help:					## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / \
		{printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
