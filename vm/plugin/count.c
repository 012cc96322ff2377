// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plugin for QEMU: counts instructions that the guest executes between marks.
 *
 *	-plugin count.so,out=FILE,ranges=FILE
 *
 * A mark is one instruction, a no-op that no compiler makes (guest/mark.c).
 * At each mark a line is written: the number of the mark, all instructions so
 * far, those of the kernel, those within the ranges (lines of "START END", hex).
 * The counters are plain: for one thread of emulation.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No package has qemu-plugin.h; this is what is used of version 1 of it */
typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };
typedef void (*tb_trans_cb_t)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*udata_cb_t)(unsigned int vcpu, void *udata);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, tb_trans_cb_t cb);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb,
						 size_t idx);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    udata_cb_t cb,
					    enum qemu_plugin_cb_flags flags,
					    void *udata);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn,
						enum qemu_plugin_op op,
						void *ptr, uint64_t imm);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

static const unsigned char mark[] = { 0x0f, 0x1f, 0x84, 0x00, 'M', 'A', 'R', 'K' };
static uint64_t user, kernel, inside;
static unsigned int marks;
static FILE *out;
static struct range { uint64_t start, end; } *ranges;
static size_t nranges;

static void marked(unsigned int vcpu, void *udata)
{
	(void)vcpu;
	(void)udata;
	fprintf(out, "%u %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", ++marks,
		user + kernel, kernel, inside);
	fflush(out);
}

static int in_range(uint64_t addr)
{
	for (size_t i = 0; i < nranges; i++)
		if (addr >= ranges[i].start && addr < ranges[i].end)
			return 1;
	return 0;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);

	(void)id;
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		uint64_t addr = qemu_plugin_insn_vaddr(insn);

		qemu_plugin_register_vcpu_insn_exec_inline(insn,
			QEMU_PLUGIN_INLINE_ADD_U64,
			addr >> 63 ? &kernel : &user, 1);
		if (in_range(addr))
			qemu_plugin_register_vcpu_insn_exec_inline(insn,
				QEMU_PLUGIN_INLINE_ADD_U64, &inside, 1);
		if (qemu_plugin_insn_size(insn) == sizeof(mark) &&
		    !memcmp(qemu_plugin_insn_data(insn), mark, sizeof(mark)))
			qemu_plugin_register_vcpu_insn_exec_cb(insn, marked,
				QEMU_PLUGIN_CB_NO_REGS, NULL);
	}
}

static int read_ranges(const char *name)
{
	FILE *f = fopen(name, "r");
	struct range r;

	if (!f)
		return -1;
	while (fscanf(f, "%" SCNx64 " %" SCNx64, &r.start, &r.end) == 2) {
		ranges = realloc(ranges, (nranges + 1) * sizeof(r));
		if (!ranges)
			abort();
		ranges[nranges++] = r;
	}
	fclose(f);
	return nranges ? 0 : -1;
}

__attribute__((visibility("default")))
int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv);

int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
	(void)info;
	for (int i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "out=", 4)) {
			out = fopen(argv[i] + 4, "w");
			if (!out) {
				fprintf(stderr, "count: %s cannot be written\n", argv[i] + 4);
				return -1;
			}
		} else if (!strncmp(argv[i], "ranges=", 7)) {
			if (read_ranges(argv[i] + 7)) {
				fprintf(stderr, "count: no ranges in %s\n", argv[i] + 7);
				return -1;
			}
		} else {
			fprintf(stderr, "count: %s: unknown\n", argv[i]);
			return -1;
		}
	}
	if (!out) {
		fprintf(stderr, "count: out=FILE is missing\n");
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
