// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs litmus tests in the kernel's format (tools/memory-model) under SC, TSO
 * and PSO: what herd7 would decide by the model, as far as store buffers show
 * it. A file says "Result: Never" or "Result: Sometimes" (or Always). Never
 * must not be seen; Sometimes must be seen, unless the file says "Explorer:
 * unseen" because only reordered loads would show it.
 *
 * t-lkmm [--lenient] FILE...: --lenient does not ask for Sometimes to be seen
 * and skips files with what is not understood here (RCU, dereferences).
 */
#include <ctype.h>

#include "t.h"

#define MAXP	6
#define MAXV	16
#define MAXI	64
#define MAXR	16

enum iop { I_LOAD, I_STORE, I_XCHG, I_CMPXCHG, I_VOID, I_FENCE, I_LOCK,
	   I_UNLOCK, I_ISLOCKED, I_SET, I_JZ, I_JMP };

struct expr {
	int kind;		/* 0 number, 1 register, 2 binary, 3 not */
	int v;
	char op[3];
	struct expr *l, *r;
};

struct ins {
	enum iop op;
	int order, reg, var, to;
	enum ex_rmw rmw;
	struct expr *e, *old;
};

static struct proc {
	struct ins ins[MAXI];
	int n, nregs;
	char regs[MAXR][32];
} procs[MAXP];
static int nprocs;
static char vars[MAXV][32];
static int nvars;
static long init_var[MAXV], init_reg[MAXP][MAXR];

static struct cell {
	uint64_t v;
	uint64_t pad[7];
} *mem;
static long regs[MAXP][MAXR];

/* -- reading -- */

static const char *file, *text, *p;
static char tok[64];
static const char *why;

static bool next(void)
{
	size_t n = 0;

	for (;;) {
		while (isspace((unsigned char)*p))
			p++;
		/* A comment, unlike READ_ONCE(*x) */
		if (!strncmp(p, "(*", 2) && isspace((unsigned char)p[2])) {
			p = strstr(p, "*)");
			if (!p)
				p = "";
			else
				p += 2;
		} else if (!strncmp(p, "//", 2)) {
			p += strcspn(p, "\n");
		} else {
			break;
		}
	}
	tok[0] = '\0';
	if (!*p)
		return false;
	if (isalnum((unsigned char)*p) || *p == '_') {
		while ((isalnum((unsigned char)*p) || *p == '_') && n < 60)
			tok[n++] = *p++;
	} else {
		static const char *const two[] = { "==", "!=", "/\\", "\\/",
						   "&&", "||" };
		unsigned int i;

		tok[n++] = *p++;
		for (i = 0; i < 6; i++) {
			if (tok[0] == two[i][0] && *p == two[i][1]) {
				tok[n++] = *p++;
				break;
			}
		}
	}
	tok[n] = '\0';
	return true;
}

static void bad(const char *what)
{
	if (!why)
		why = what;
	p = "";
	tok[0] = '\0';
}

static bool is(const char *s)
{
	return !strcmp(tok, s);
}

static void want(const char *s)
{
	if (!is(s)) {
		bad("is not understood");
		return;
	}
	next();
}

static int find(char (*names)[32], int *n, int max, const char *name)
{
	int i;

	for (i = 0; i < *n; i++)
		if (!strcmp(names[i], name))
			return i;
	if (*n == max) {
		bad("has too many names");
		return 0;
	}
	snprintf(names[*n], 32, "%s", name);
	return (*n)++;
}

static int var(const char *name)
{
	return find(vars, &nvars, MAXV, name);
}

static int reg(struct proc *pr, const char *name)
{
	return find(pr->regs, &pr->nregs, MAXR, name);
}

static struct expr *node(int kind, int v)
{
	struct expr *e = calloc(1, sizeof(*e));

	e->kind = kind;
	e->v = v;
	return e;
}

static struct expr *expression(struct proc *pr);

static struct expr *primary(struct proc *pr)
{
	struct expr *e;

	if (is("(")) {
		next();
		e = expression(pr);
		want(")");
		return e;
	}
	if (is("!")) {
		next();
		e = node(3, 0);
		e->l = primary(pr);
		return e;
	}
	if (isdigit((unsigned char)tok[0])) {
		e = node(0, strtol(tok, NULL, 0));
		next();
		return e;
	}
	if (!isalpha((unsigned char)tok[0])) {
		bad("has an expression that is not understood");
		return node(0, 0);
	}
	e = node(1, reg(pr, tok));
	next();
	if (is("(") || is("["))
		bad("has a call in an expression");
	return e;
}

static struct expr *expression(struct proc *pr)
{
	struct expr *l = primary(pr), *e;

	while (is("==") || is("!=") || is("+") || is("-") || is("&") ||
	       is("|") || is("&&") || is("||")) {
		e = node(2, 0);
		memcpy(e->op, tok, 3);
		next();
		e->l = l;
		e->r = primary(pr);
		l = e;
	}
	return l;
}

static long value(const struct expr *e, const long *r)
{
	long a, b;

	switch (e->kind) {
	case 0:
		return e->v;
	case 1:
		return r[e->v];
	case 3:
		return !value(e->l, r);
	}
	a = value(e->l, r);
	b = value(e->r, r);
	if (!strcmp(e->op, "=="))
		return a == b;
	if (!strcmp(e->op, "!="))
		return a != b;
	if (!strcmp(e->op, "+"))
		return a + b;
	if (!strcmp(e->op, "-"))
		return a - b;
	if (!strcmp(e->op, "&"))
		return a & b;
	if (!strcmp(e->op, "|"))
		return a | b;
	return e->op[0] == '&' ? a && b : a || b;
}

static struct ins *emit(struct proc *pr, enum iop op)
{
	static struct ins waste;

	if (pr->n == MAXI) {
		bad("is too long");
		return &waste;
	}
	pr->ins[pr->n] = (struct ins){ .op = op, .reg = -1 };
	return &pr->ins[pr->n++];
}

/* A pointer argument: x or *x */
static int pointer(void)
{
	int v;

	if (is("&") || is("*"))
		next();
	if (!isalpha((unsigned char)tok[0]))
		bad("has a pointer that is not understood");
	v = var(tok);
	next();
	return v;
}

static const struct {
	const char *name;
	enum iop op;
	int order;
	enum ex_rmw rmw;
	bool value_first;
} calls[] = {
	{ "READ_ONCE", I_LOAD, __ATOMIC_RELAXED, 0, false },
	{ "atomic_read", I_LOAD, __ATOMIC_RELAXED, 0, false },
	{ "smp_load_acquire", I_LOAD, __ATOMIC_ACQUIRE, 0, false },
	{ "WRITE_ONCE", I_STORE, __ATOMIC_RELAXED, 0, false },
	{ "atomic_set", I_STORE, __ATOMIC_RELAXED, 0, false },
	{ "smp_store_release", I_STORE, __ATOMIC_RELEASE, 0, false },
	{ "smp_store_mb", I_STORE, __ATOMIC_SEQ_CST, 0, false },
	{ "xchg", I_XCHG, __ATOMIC_SEQ_CST, 0, false },
	{ "xchg_relaxed", I_XCHG, __ATOMIC_RELAXED, 0, false },
	{ "xchg_acquire", I_XCHG, __ATOMIC_ACQUIRE, 0, false },
	{ "xchg_release", I_XCHG, __ATOMIC_RELEASE, 0, false },
	{ "cmpxchg", I_CMPXCHG, __ATOMIC_SEQ_CST, 0, false },
	{ "cmpxchg_relaxed", I_CMPXCHG, __ATOMIC_RELAXED, 0, false },
	{ "cmpxchg_acquire", I_CMPXCHG, __ATOMIC_ACQUIRE, 0, false },
	{ "atomic_inc", I_VOID, 0, EX_RMW_ADD, false },
	{ "atomic_dec", I_VOID, 0, EX_RMW_SUB, false },
	{ "atomic_add", I_VOID, 0, EX_RMW_ADD, true },
	{ "atomic_sub", I_VOID, 0, EX_RMW_SUB, true },
	{ "atomic_or", I_VOID, 0, EX_RMW_OR, true },
	{ "atomic_and", I_VOID, 0, EX_RMW_AND, true },
	{ "atomic_andnot", I_VOID, 1, EX_RMW_AND, true },
	{ "smp_mb", I_FENCE, __ATOMIC_SEQ_CST, 0, false },
	{ "smp_mb__before_atomic", I_FENCE, __ATOMIC_SEQ_CST, 0, false },
	{ "smp_mb__after_atomic", I_FENCE, __ATOMIC_SEQ_CST, 0, false },
	{ "smp_mb__after_spinlock", I_FENCE, __ATOMIC_SEQ_CST, 0, false },
	{ "smp_wmb", I_FENCE, __ATOMIC_RELEASE, 0, false },
	{ "smp_rmb", I_FENCE, __ATOMIC_ACQUIRE, 0, false },
	{ "spin_lock", I_LOCK, 0, 0, false },
	{ "spin_unlock", I_UNLOCK, 0, 0, false },
	{ "spin_is_locked", I_ISLOCKED, 0, 0, false },
};

static struct ins *call(struct proc *pr)
{
	unsigned int i;
	struct ins *in;

	for (i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (is(calls[i].name))
			break;
	if (i == sizeof(calls) / sizeof(*calls)) {
		bad("calls what is not understood");
		return emit(pr, I_FENCE);
	}
	next();
	want("(");
	in = emit(pr, calls[i].op);
	in->order = calls[i].order;
	in->rmw = calls[i].rmw;
	if (calls[i].value_first) {
		in->e = expression(pr);
		want(",");
	}
	if (in->op != I_FENCE)
		in->var = pointer();
	if (in->op == I_CMPXCHG) {
		want(",");
		in->old = expression(pr);
	}
	if (in->op == I_STORE || in->op == I_XCHG || in->op == I_CMPXCHG) {
		want(",");
		in->e = expression(pr);
	}
	if (in->op == I_VOID && !in->e)
		in->e = node(0, 1);
	want(")");
	return in;
}

static void statement(struct proc *pr)
{
	struct ins *in;
	int at, r;

	if (is("{")) {
		next();
		while (!is("}") && tok[0])
			statement(pr);
		want("}");
	} else if (is("int")) {
		next();
		do {
			r = reg(pr, tok);
			next();
			if (is("="))
				goto assign;
			if (is(","))
				next();
		} while (tok[0] && !is(";"));
		want(";");
	} else if (is("if")) {
		next();
		want("(");
		at = pr->n;
		in = emit(pr, I_JZ);
		in->e = expression(pr);
		want(")");
		statement(pr);
		if (is("else")) {
			next();
			in = emit(pr, I_JMP);
			pr->ins[at].to = pr->n;
			at = pr->n - 1;
			statement(pr);
			pr->ins[at].to = pr->n;
		} else {
			pr->ins[at].to = pr->n;
		}
		(void)in;
	} else {
		const char *save = p;
		char first[64];

		memcpy(first, tok, sizeof(first));
		next();
		if (is("=")) {
			r = reg(pr, first);
assign:
			next();
			save = p;
			memcpy(first, tok, sizeof(first));
			if (isalpha((unsigned char)tok[0])) {
				next();
				if (is("(")) {
					p = save;
					memcpy(tok, first, sizeof(first));
					call(pr)->reg = r;
					want(";");
					return;
				}
				p = save;
				memcpy(tok, first, sizeof(first));
			}
			in = emit(pr, I_SET);
			in->reg = r;
			in->e = expression(pr);
		} else {
			p = save;
			memcpy(tok, first, sizeof(first));
			call(pr);
		}
		want(";");
	}
}

/* The condition, kept as text and evaluated each time */
static const char *cond_text;

static bool cond_or(void);

static bool cond_atom(void)
{
	char name[64];
	bool neg = false, yes;
	long v, got;
	int pr = -1;

	while (is("~") || is("not")) {
		neg = !neg;
		next();
	}
	if (is("(")) {
		next();
		yes = cond_or();
		want(")");
		return yes != neg;
	}
	if (isdigit((unsigned char)tok[0])) {
		pr = atoi(tok);
		next();
		want(":");
	}
	memcpy(name, tok, sizeof(name));
	next();
	want("=");
	if (!isdigit((unsigned char)tok[0]))
		bad("compares with what is no number");
	v = strtol(tok, NULL, 0);
	next();
	if (pr >= nprocs) {
		bad("names a process that is not there");
		return false;
	}
	got = pr >= 0 ? regs[pr][reg(&procs[pr], name)] :
	      mem ? (long)mem[var(name)].v : 0;
	return (got == v) != neg;
}

static bool cond_and(void)
{
	bool yes = cond_atom();

	while (is("/\\")) {
		next();
		yes &= cond_atom();
	}
	return yes;
}

static bool cond_or(void)
{
	bool yes = cond_and();

	while (is("\\/")) {
		next();
		yes |= cond_and();
	}
	return yes;
}

static bool condition(void)
{
	p = cond_text;
	next();
	return cond_or();
}

static void initial(void)
{
	want("{");
	while (tok[0] && !is("}")) {
		char name[64];
		int pr = -1, v;

		if (isdigit((unsigned char)tok[0])) {
			pr = atoi(tok);
			next();
			want(":");
		}
		memcpy(name, tok, sizeof(name));
		next();
		while (isalpha((unsigned char)tok[0]) || is("*")) {
			memcpy(name, tok, sizeof(name));	/* after a type */
			next();
		}
		if (!is("=")) {
			if (is(";"))
				next();
			continue;
		}
		next();
		if (!isdigit((unsigned char)tok[0])) {
			bad("has a start that is no number");
			return;
		}
		v = strtol(tok, NULL, 0);
		next();
		if (pr >= MAXP)
			bad("has too many processes");
		else if (pr >= 0)
			init_reg[pr][reg(&procs[pr], name)] = v;
		else
			init_var[var(name)] = v;
		if (is(";"))
			next();
	}
	want("}");
}

static bool parse(void)
{
	memset(procs, 0, sizeof(procs));
	memset(init_var, 0, sizeof(init_var));
	memset(init_reg, 0, sizeof(init_reg));
	nprocs = nvars = 0;
	why = NULL;
	mem = NULL;
	p = text;
	next();
	want("C");
	p += strcspn(p, "\n");
	next();
	initial();
	while (tok[0] == 'P' && isdigit((unsigned char)tok[1])) {
		struct proc *pr = &procs[nprocs];

		if (nprocs == MAXP) {
			bad("has too many processes");
			break;
		}
		next();
		want("(");
		while (tok[0] && !is(")"))
			next();
		want(")");
		statement(pr);
		nprocs++;
	}
	if (is("locations")) {
		while (tok[0] && !is("]"))
			next();
		next();
	}
	if (is("filter"))
		bad("has a filter");
	if (!is("exists") && !is("~")) {
		bad("has no 'exists'");
		return false;
	}
	if (is("~"))
		next();
	cond_text = p;
	condition();
	return !why && nprocs > 0;
}

/* -- running -- */

static void setup(void *arg)
{
	int i;

	(void)arg;
	mem = ex_alloc(MAXV * sizeof(*mem), 64, "mem");
	for (i = 0; i < MAXV; i++)
		mem[i].v = init_var[i];
	memcpy(regs, init_reg, sizeof(regs));
}

static void interpret(void *arg)
{
	long i = (long)arg;
	struct proc *pr = &procs[i];
	long *r = regs[i], v;
	int pc;

	for (pc = 0; pc < pr->n; pc++) {
		const struct ins *in = &pr->ins[pc];
		uint64_t *w = &mem[in->var].v, old;

		switch (in->op) {
		case I_LOAD:
			v = ex_load(w, 8, in->order);
			if (in->reg >= 0)
				r[in->reg] = v;
			break;
		case I_STORE:
			ex_store(w, 8, value(in->e, r), in->order);
			break;
		case I_XCHG:
			v = value(in->e, r);
			v = in->order == __ATOMIC_SEQ_CST ?
			    __atomic_exchange_n(w, v, __ATOMIC_SEQ_CST) :
			    in->order == __ATOMIC_RELEASE ?
			    __atomic_exchange_n(w, v, __ATOMIC_RELEASE) :
			    in->order == __ATOMIC_ACQUIRE ?
			    __atomic_exchange_n(w, v, __ATOMIC_ACQUIRE) :
			    __atomic_exchange_n(w, v, __ATOMIC_RELAXED);
			if (in->reg >= 0)
				r[in->reg] = v;
			break;
		case I_CMPXCHG:
			old = value(in->old, r);
			v = value(in->e, r);
			if (in->order == __ATOMIC_SEQ_CST)
				__atomic_compare_exchange_n(w, &old, v, 0,
						__ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
			else
				__atomic_compare_exchange_n(w, &old, v, 0,
						__ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
			if (in->reg >= 0)
				r[in->reg] = old;
			break;
		case I_VOID:
			v = value(in->e, r);
			ex_rmw_void(w, 8, in->rmw, in->order ? ~v : v);
			break;
		case I_FENCE:
			ex_fence(in->order);
			break;
		case I_LOCK:
			ex_lock((unsigned int *)w);
			break;
		case I_UNLOCK:
			ex_unlock((unsigned int *)w);
			break;
		case I_ISLOCKED:
			v = ex_lock_is_held((unsigned int *)w);
			if (in->reg >= 0)
				r[in->reg] = v;
			break;
		case I_SET:
			r[in->reg] = value(in->e, r);
			break;
		case I_JZ:
			if (!value(in->e, r))
				pc = in->to - 1;
			break;
		case I_JMP:
			pc = in->to - 1;
			break;
		}
	}
}

static void final(void *arg)
{
	(void)arg;
	ex_assert(!condition(), "the condition is met");
}

static char *slurp(const char *name)
{
	FILE *f = fopen(name, "r");
	char *s = calloc(1, 65536);

	if (!f) {
		fprintf(stderr, "t-lkmm: cannot read %s\n", name);
		exit(2);
	}
	if (!fread(s, 1, 65535, f)) {
		fprintf(stderr, "t-lkmm: %s is empty\n", name);
		exit(2);
	}
	fclose(f);
	return s;
}

int main(int argc, char **argv)
{
	static const char *const modes[] = { "SC", "TSO", "PSO" };
	static struct ex_thread threads[MAXP];
	bool lenient = false;
	int a, i, ran = 0, skipped = 0, shown = 0;

	for (i = 0; i < MAXP; i++)
		threads[i] = (struct ex_thread){ interpret, (void *)(long)i };
	for (a = 1; a < argc; a++) {
		struct ex_test t = { .threads = threads, .setup = setup,
				     .final = final };
		bool seen = false, never, unseen;
		char where[32] = "";
		int m;

		if (!strcmp(argv[a], "--lenient")) {
			lenient = true;
			continue;
		}
		file = strrchr(argv[a], '/');
		file = file ? file + 1 : argv[a];
		text = slurp(argv[a]);
		if (!parse()) {
			skipped++;
			if (lenient)
				printf("# %s: left out: %s\n", file, why);
			else
				ok(false, "%s: %s", file, why);
			continue;
		}
		never = strstr(text, "Result: Never");
		unseen = lenient || strstr(text, "Explorer: unseen");
		if (!never && !strstr(text, "Result: Sometimes") &&
		    !strstr(text, "Result: Always")) {
			ok(false, "%s: no 'Result:'", file);
			continue;
		}
		t.name = file;
		t.nthreads = nprocs;
		for (m = EX_SC; m <= EX_PSO; m++) {
			struct ex_opts o = { .memory = m, .strategy = EX_DPOR,
					     .quiet = true };
			struct ex_result r;

			ex_run(&t, &o, &r);
			if (r.status == EX_FAIL) {
				if (!seen)
					snprintf(where, sizeof(where),
						 ", first under %s", modes[m]);
				seen = true;
			} else if (r.coverage != EX_COV_COMPLETE) {
				ok(false, "%s: %s under %s", file,
				   r.message[0] ? r.message : "not complete",
				   modes[m]);
			}
		}
		ran++;
		shown += seen;
		ok(never ? !seen : seen || unseen, "%s: %s, %s%s", file,
		   never ? "Never" : "Sometimes",
		   seen ? "seen" : "not seen", where);
	}
	printf("# %d files run, %d of them seen, %d left out\n", ran, shown,
	       skipped);
	if (!ran && !skipped) {
		fprintf(stderr, "t-lkmm: no litmus file given\n");
		return 2;
	}
	return done_testing();
}
