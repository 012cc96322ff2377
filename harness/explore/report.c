// SPDX-License-Identifier: GPL-2.0-only
/*
 * Schedules as strings and as readable steps; options of test programs.
 */
#define _GNU_SOURCE
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explore-int.h"

#define SHOW_STEPS	400

static const char *const memory_names[] = { "sc", "tso", "pso" };

/* MEMORY/PROC*COUNT,PROC=CHOICE,... */
void ex_format_replay(char *buf, size_t len)
{
	uint64_t i, j;
	size_t n;

	n = snprintf(buf, len, "%s/", memory_names[ex.memory]);
	for (i = 0; i < ex.nlog; i = j) {
		struct ex_choice *c = &ex.log[i];

		j = i + 1;
		if (c->val < 0)
			while (j < ex.nlog && ex.log[j].val < 0 &&
			       ex.log[j].proc == c->proc)
				j++;
		n += snprintf(buf + n, len - n, "%s%u", i ? "," : "", c->proc);
		if (c->val >= 0 && n < len)
			n += snprintf(buf + n, len - n, "=%d", c->val);
		else if (j - i > 1 && n < len)
			n += snprintf(buf + n, len - n, "*%lu",
				      (unsigned long)(j - i));
		if (n + 32 >= len) {
			buf[0] = '\0';
			return;
		}
	}
}

static void bad_replay(const char *s, const char *at)
{
	ex_die(2, "--replay: cannot read '%.40s%s' at '%.20s'; wanted MEMORY/THREAD*COUNT,... as a failure prints it",
	       s, strlen(s) > 40 ? "..." : "", at);
}

void ex_parse_replay(const char *s)
{
	const char *p = s;
	char *e;
	unsigned long id, n, cap = 0;
	int m;

	for (m = 0; m < 3; m++) {
		size_t l = strlen(memory_names[m]);

		if (!strncmp(p, memory_names[m], l) && p[l] == '/')
			break;
	}
	if (m == 3)
		bad_replay(s, s);
	ex.memory = m;
	p = strchr(p, '/') + 1;
	ex.strategy = EX_REPLAY;
	ex.nrp = 0;
	if (!strncmp(p, "random.", 7) || !strncmp(p, "pct.", 4)) {
		int used = 0;

		ex.strategy = *p == 'r' ? EX_RANDOM : EX_PCT;
		if (sscanf(strchr(p, '.'), ".%lx.%d.%lu%n", &id, &ex.pct_n, &n,
			   &used) != 3 || strchr(p, '.')[used] ||
		    ex.pct_n < 0 || ex.pct_n > 63 || !n)
			bad_replay(s, p);
		ex.sched_seed = id;
		ex.pct_len = n;
		return;
	}
	while (*p) {
		int32_t val = -1;

		if (*p < '0' || *p > '9')
			bad_replay(s, p);
		errno = 0;
		id = strtoul(p, &e, 10);
		if (errno || id >= 4096)
			bad_replay(s, p);
		n = 1;
		if (*e == '*' || *e == '=') {
			bool choice = *e == '=';

			p = e + 1;
			if (*p < '0' || *p > '9')
				bad_replay(s, p);
			n = strtoul(p, &e, 10);
			if (errno || n > 10000000 || (!choice && !n))
				bad_replay(s, p);
			if (choice) {
				val = n;
				n = 1;
			}
		}
		if (*e == ',' && e[1])
			e++;
		else if (*e)
			bad_replay(s, e);
		p = e;
		if (ex.nrp + n > cap) {
			cap = 2 * (ex.nrp + n);
			ex.rp = realloc(ex.rp, cap * sizeof(*ex.rp));
			if (!ex.rp)
				ex_die(1, "out of memory");
		}
		while (n--)
			ex.rp[ex.nrp++] = (struct ex_choice){ id, val };
	}
}

static Dwfl *dwfl;

/* The function in the source, also one that was inlined */
static const char *function(Dwfl_Module *mod, uintptr_t pc)
{
	Dwarf_Addr bias;
	Dwarf_Die *cu = dwfl_module_addrdie(mod, pc, &bias), *scopes = NULL;
	const char *name = NULL;
	int i, n;

	n = cu ? dwarf_getscopes(cu, pc - bias, &scopes) : 0;
	for (i = 0; i < n && !name; i++) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
			name = dwarf_diename(&scopes[i]);
	}
	free(scopes);
	return name ? name : dwfl_module_addrname(mod, pc);
}

void ex_where(uintptr_t pc, char *buf, size_t len)
{
	static const Dwfl_Callbacks cb = {
		.find_elf = dwfl_linux_proc_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
	};
	const char *fn = NULL, *file = NULL;
	Dwfl_Module *mod;
	Dwfl_Line *line;
	int nr = 0;

	if (!pc) {
		snprintf(buf, len, "?");
		return;
	}
	if (!dwfl) {
		dwfl = dwfl_begin(&cb);
		if (dwfl && (dwfl_linux_proc_report(dwfl, getpid()) ||
			     dwfl_report_end(dwfl, NULL, NULL))) {
			dwfl_end(dwfl);
			dwfl = NULL;
		}
	}
	mod = dwfl ? dwfl_addrmodule(dwfl, pc) : NULL;
	if (mod) {
		fn = function(mod, pc - 1);
		line = dwfl_module_getsrc(mod, pc - 1);
		if (line)
			file = dwfl_lineinfo(line, NULL, &nr, NULL, NULL, NULL);
	}
	if (file && strrchr(file, '/'))
		file = strrchr(file, '/') + 1;
	if (file)
		snprintf(buf, len, "%s:%d%s%s", file, nr, fn ? " " : "",
			 fn ? fn : "");
	else
		snprintf(buf, len, "%s", fn ? fn : "?");
}

const char *ex_kind_str(const struct ex_op *op)
{
	static const char *const names[] = {
		[EX_READ] = "read", [EX_WRITE] = "write", [EX_RMW] = "rmw",
		[EX_FENCE] = "fence", [EX_LOCK] = "lock",
		[EX_TRYLOCK] = "trylock", [EX_UNLOCK] = "unlock",
		[EX_BLOCK] = "sleep", [EX_CHOOSE] = "choose",
		[EX_YIELD] = "yield", [EX_IRQ_START] = "irq",
 [EX_FLUSH] = "flush",
		[EX_END] = "end", [EX_FREE] = "free",
	};

	if (op->kind == EX_READ || op->kind == EX_WRITE) {
		if (op->flags & EX_F_VOLATILE)
			return op->kind == EX_READ ? "READ_ONCE" : "WRITE_ONCE";
		if (op->flags & EX_F_ATOMIC) {
			if (op->kind == EX_READ)
				return op->order == __ATOMIC_ACQUIRE ?
				       "load acquire" : "load";
			return op->order == __ATOMIC_RELEASE ? "store release" :
			       op->order == __ATOMIC_SEQ_CST ? "store full" :
			       "store";
		}
	}
	if (op->kind == EX_RMW && op->flags & EX_F_CAS)
		return "cas";
	return names[op->kind];
}

static void print_step(FILE *out, uint64_t i, const struct ex_step *s)
{
	char name[160], where[256], who[32];
	const struct ex_proc *p = &ex.procs[s->proc];

	if (p->type == EX_P_FLUSH)
		snprintf(who, sizeof(who), "  buffer of %d", p->host);
	else if (p->type == EX_P_IRQ)
		snprintf(who, sizeof(who), "  irq %d on %d", p->id - ex.nt,
			 p->host);
	else if (ex.t->threads[p->id].name)
		snprintf(who, sizeof(who), "%s", ex.t->threads[p->id].name);
	else
		snprintf(who, sizeof(who), "thread %d", p->id);
	fprintf(out, "# %4lu cpu %d %-14s ", (unsigned long)i, s->cpu, who);
	if (s->note) {
		fprintf(out, "  -- %s\n", s->note);
		return;
	}
	fprintf(out, "%-13s", ex_kind_str(&s->op));
	if (s->op.addr) {
		ex_mem_name(s->op.addr, name, sizeof(name));
		fprintf(out, " %s", name);
		if (s->op.size != 8)
			fprintf(out, ":%u", s->op.size);
	}
	if (s->has_old && s->has_new)
		fprintf(out, " %#lx -> %#lx", (unsigned long)s->old,
			(unsigned long)s->new);
	else if (s->has_old)
		fprintf(out, " %#lx", (unsigned long)s->old);
	if (s->buffered)
		fprintf(out, " (buffered)");
	if (s->op.kind == EX_CHOOSE)
		fprintf(out, " %u of %u", s->val, s->op.n);
	if (s->op.pc && p->type != EX_P_FLUSH) {
		ex_where(s->op.pc, where, sizeof(where));
		fprintf(out, "  at %s", where);
	}
	fputc('\n', out);
}

void ex_print_steps(FILE *out)
{
	uint64_t i, from = 0;
	char where[256];

	if (ex.r->status == EX_PASS)
		fprintf(out, "# %s: this schedule passes\n", ex.t->name);
	else
		fprintf(out, "# %s: %s\n", ex.t->name, ex.r->message);
	if (ex.bad_pc) {
		ex_where(ex.bad_pc, where, sizeof(where));
		fprintf(out, "#   at %s\n", where);
	}
	if (ex.nsteps_rec > SHOW_STEPS) {
		from = ex.nsteps_rec - SHOW_STEPS;
		fprintf(out, "# ... %lu steps\n", (unsigned long)from);
	}
	for (i = from; i < ex.nsteps_rec; i++)
		print_step(out, i, &ex.steps_rec[i]);
	if (ex.r->replay[0])
		fprintf(out, "# replay: --replay %s\n", ex.r->replay);
	fflush(out);
}

const char *ex_coverage_str(const struct ex_result *r)
{
	static char buf[128];

	switch (r->coverage) {
	case EX_COV_COMPLETE:
		return "complete";
	case EX_COV_BOUNDED:
		snprintf(buf, sizeof(buf), "bounded by %d preemptions",
			 r->bound);
		return buf;
	case EX_COV_RANDOM:
		if (r->bound >= 0)
			snprintf(buf, sizeof(buf),
				 "random, after all with at most %d preemptions",
				 r->bound);
		else
			snprintf(buf, sizeof(buf), "random");
		return buf;
	default:
		return "incomplete";
	}
}

void ex_report(const struct ex_test *t, const struct ex_result *r, FILE *out)
{
	fprintf(out, "# %s: %s, %s: %lu schedules, %lu steps",
		t->name, r->status == EX_PASS ? "passes" :
		r->status == EX_FAIL ? "FAILS" : "DEADLOCKS",
		r->status == EX_PASS ? ex_coverage_str(r) : "stopped",
		(unsigned long)r->schedules, (unsigned long)r->steps);
	if (r->blocked)
		fprintf(out, ", %lu cut by sleep sets",
			(unsigned long)r->blocked);
	if (r->too_long)
		fprintf(out, ", %lu too long", (unsigned long)r->too_long);
	if (r->sb_drained)
		fprintf(out, ", %lu stores not buffered",
			(unsigned long)r->sb_drained);
	if (r->yields)
		fprintf(out, ", fair schedules only");
	fprintf(out, ", depth %lu, %.2f s (%.2f M steps/s)\n",
		(unsigned long)r->max_depth, r->seconds,
		r->seconds > 0 ? r->steps / r->seconds / 1e6 : 0);
}

static uint64_t number(const char *opt, const char *s)
{
	char *e;
	uint64_t v;

	errno = 0;
	v = s ? strtoull(s, &e, 0) : 0;
	if (!s || *s < '0' || *s > '9' || *e || errno)
		ex_die(2, "%s: '%s' is no number", opt, s ? s : "");
	return v;
}

static int word(const char *opt, const char *s, const char *const *names, int n)
{
	int i;

	for (i = 0; i < n; i++)
		if (s && !strcmp(s, names[i]))
			return i;
	ex_die(2, "%s: '%s' is not known", opt, s ? s : "");
}

int ex_args(int argc, char **argv, struct ex_opts *o)
{
	static const char *const strategies[] = {
		"auto", "dpor", "bounded", "random", "pct", "brute",
	};
	int i;

	for (i = 1; i < argc; i += 2) {
		const char *a = argv[i], *v = i + 1 < argc ? argv[i + 1] : NULL;

		if (!strcmp(a, "--replay")) {
			if (!v)
				ex_die(2, "--replay needs a string");
			o->replay = v;
			ex_parse_replay(v);
		} else if (!strcmp(a, "--seed")) {
			o->seed = number(a, v);
		} else if (!strcmp(a, "--strategy")) {
			o->strategy = word(a, v, strategies, 6);
		} else if (!strcmp(a, "--memory")) {
			o->memory = word(a, v, memory_names, 3);
		} else if (!strcmp(a, "--preemptions")) {
			o->preemptions = number(a, v) + 1;
		} else if (!strcmp(a, "--schedules")) {
			o->schedules = number(a, v);
		} else if (!strcmp(a, "--max-schedules")) {
			o->max_schedules = number(a, v);
		} else if (!strcmp(a, "--max-seconds")) {
			o->max_seconds = number(a, v);
		} else if (!strcmp(a, "--max-steps")) {
			o->max_steps = number(a, v);
		} else {
			break;
		}
	}
	return i;
}
