// SPDX-License-Identifier: GPL-2.0-only
/*
 * Level 1: with the sites of the named keys in their off position, the code
 * reachable from each function's entry is the same instruction sequence.
 *
 * Both functions are walked at once, from entry to entry, instruction by
 * instruction and along every branch. Each instruction of one side belongs to
 * exactly one of the other: what comes out is an isomorphism of the two flow
 * graphs, with equal instructions at its nodes. Where a block lies does not
 * matter, what it does and what it leads to does.
 */
#include <fnmatch.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "objcmp.h"

/* A branch site, from __jump_table */
struct site {
	struct sec *sec;
	uint64_t off;
	struct sec *tsec;
	uint64_t toff;
	const char *key;	/* name of the key's symbol */
	const char *norm;	/* without a compiler's numbers */
	uint64_t delta;		/* of the key in the symbol, without flags */
	unsigned int flags;	/* 1: jumps when off; 2: objtool makes it a nop */
	bool ours;		/* one of --key */
};

/* An entry of a table that belongs to an instruction */
struct note {
	struct sec *sec;	/* code */
	uint64_t off;
	struct sec *table;
	uint64_t entry;
	unsigned int size;
};

struct side {
	struct obj *o;
	struct site *site;
	size_t nsite;
	struct note *note;
	size_t nnote;
	uint64_t *alt_end;	/* section index << 40 | offset */
	size_t nalt;
};

struct place {
	struct sec *s;
	uint64_t off;
};

/*
 * arm64: registers that hold the address of data. gcc reaches several objects
 * from one section anchor, by an offset that has no relocation.
 */
struct regs {
	struct place a[32], b[32];	/* a[n].s NULL: unknown */
};

struct pair {
	struct place a, b;
	const struct sym *fa, *fb;	/* the function that led here */
	struct regs *regs;		/* what was known there, or NULL */
};

/* Data that was found to be the same, or is to be compared */
struct datum {
	struct place a, b;
	uint64_t len;
	bool done;
};

struct walk {
	struct side a, b;
	struct result *r;
	struct pair *todo;
	size_t ntodo;
	struct datum *data;
	size_t ndata;
	const struct sym *fa, *fb;	/* the function that is walked */
	struct func_result *f;
	struct regs *regs;		/* arm64 only */
	struct pair last[4];		/* what matched just before */
	size_t nlast;
	bool exact;			/* same place in the function, too */
	bool failed;
};

static const struct { const char *name; unsigned int x86, arm64; } tables[] = {
	{ "__bug_table", 0, 0 },
	{ ".altinstructions", 14, 12 },
	{ "__ex_table", 12, 12 },
	{ "__mcount_loc", 8, 8 },
	{ "__patchable_function_entries", 8, 8 },
	{ ".static_call_sites", 8, 8 },
	{ ".retpoline_sites", 4, 4 },
	{ ".return_sites", 4, 4 },
	{ ".ibt_endbr_seal", 4, 4 },
	{ ".call_sites", 4, 4 },
	{ ".cfi_sites", 4, 4 },
	{ ".smp_locks", 4, 4 },
	{ ".kcfi_traps", 4, 4 },
};

/* tools/objtool/noreturns.h */
static const char *const noreturns[] = {
	"__fortify_panic", "__ia32_sys_exit", "__ia32_sys_exit_group",
	"__kunit_abort", "__module_put_and_kthread_exit", "__stack_chk_fail",
	"__ubsan_handle_builtin_unreachable", "__x64_sys_exit",
	"__x64_sys_exit_group", "acpi_processor_ffh_play_dead",
	"arch_cpu_idle_dead", "cpu_bringup_and_idle", "cpu_startup_entry",
	"do_exit", "do_group_exit", "do_task_dead", "ex_handler_msr_mce",
	"kthread_complete_and_exit", "kthread_exit", "kunit_try_catch_throw",
	"machine_real_restart", "make_task_dead", "mpt_halt_firmware",
	"nmi_panic_self_stop", "panic", "vpanic", "panic_smp_self_stop",
	"rest_init", "rewind_stack_and_make_dead", "start_kernel",
	"stop_this_cpu", "usercopy_abort",
};

static bool is_key(const struct site *t)
{
	size_t i;

	for (i = 0; i < opt.nkey; i++)
		if (!t->delta && (!strcmp(opt.key[i], t->key) ||
				  !strcmp(opt.key[i], t->norm)))
			return true;
	return false;
}

static int cmp_place(const struct sec *s, uint64_t x, const struct sec *t,
		     uint64_t y)
{
	if (s->idx != t->idx)
		return s->idx < t->idx ? -1 : 1;
	return x < y ? -1 : x > y;
}

static int by_site(const void *a, const void *b)
{
	const struct site *x = a, *y = b;

	return cmp_place(x->sec, x->off, y->sec, y->off);
}

static int by_note(const void *a, const void *b)
{
	const struct note *x = a, *y = b;
	int c = cmp_place(x->sec, x->off, y->sec, y->off);

	if (!c)
		c = strcmp(x->table->name, y->table->name);
	if (c)
		return c;
	return cmp_place(x->table, x->entry, y->table, y->entry);
}

/* include/linux/jump_label.h: struct jump_entry { s32 code, target; long key } */
static void read_sites(struct walk *w, struct side *d, struct sec *s)
{
	uint64_t off;

	if (s->size % 16) {
		diff_add(w->r, s->name, NULL, "not a table of jump entries: %lu bytes",
			 (unsigned long)s->size);
		return;
	}
	for (off = 0; off < s->size; off += 16) {
		const struct rel *c = rel_at(s, off), *t = rel_at(s, off + 4);
		const struct rel *k = rel_at(s, off + 8);
		struct target code, to, key;
		struct site *e;

		if (!c || !t || !k) {
			diff_add(w->r, s->name, NULL,
				 "the jump entry at %#lx has no relocations",
				 (unsigned long)off);
			return;
		}
		code = rel_target(d->o, s, c, 0);
		to = rel_target(d->o, s, t, 0);
		key = rel_target(d->o, s, k, 0);
		if (!code.sec || !to.sec || !code.sec->exec || !to.sec->exec ||
		    code.off < 0 || to.off < 0 ||
		    (uint64_t)code.off >= code.sec->size ||
		    (uint64_t)to.off >= to.sec->size || !k->sym) {
			diff_add(w->r, s->name, NULL,
				 "the jump entry at %#lx does not point to code",
				 (unsigned long)off);
			return;
		}
		d->site = xgrow(d->site, d->nsite, sizeof(*d->site));
		e = &d->site[d->nsite++];
		memset(e, 0, sizeof(*e));
		e->sec = code.sec;
		e->off = code.off;
		e->tsec = to.sec;
		e->toff = to.off;
		e->flags = key.off & 3;
		e->key = e->norm = k->sym->name;
		e->delta = (uint64_t)key.addend & ~(uint64_t)3;
		if (!key.name && key.sec) {
			struct sym *y = sym_at(key.sec, key.off & ~3L);

			e->key = y ? y->name : key.sec->name;
			e->norm = y ? y->norm : key.sec->name;
			e->delta = (key.off & ~3L) - (y ? (int64_t)y->value : 0);
		} else {
			e->flags = key.addend & 3;
		}
		e->ours = is_key(e);
	}
}

static void read_table(struct walk *w, struct side *d, struct sec *s,
		       unsigned int size)
{
	uint64_t off;
	size_t i, n = 0;

	if (!size) {
		/* as many entries as there are addresses of code */
		for (i = 0; i < s->nrel; i++) {
			struct target t = rel_target(d->o, s, &s->rel[i], 0);

			n += t.sec && t.sec->exec;
		}
		size = n && s->size % n == 0 ? s->size / n : 0;
	}
	if (!size || s->size % size) {
		if (s->size)
			diff_add(w->r, s->name, NULL,
				 "the table's entries are not understood: %lu bytes",
				 (unsigned long)s->size);
		return;
	}
	for (off = 0; off < s->size; off += size) {
		const struct rel *r = rel_at(s, off);
		struct target t = { 0 };

		if (r)
			t = rel_target(d->o, s, r, 0);
		if (!t.sec || !t.sec->exec || t.off < 0 ||
		    (uint64_t)t.off > t.sec->size) {
			diff_add(w->r, s->name, NULL,
				 "the entry at %#lx is for no code",
				 (unsigned long)off);
			return;
		}
		d->note = xgrow(d->note, d->nnote, sizeof(*d->note));
		d->note[d->nnote++] = (struct note){ t.sec, t.off, s, off, size };
	}
}

static int known_table(const struct sec *s)
{
	size_t k;

	for (k = 0; k < ARRAY_SIZE(tables); k++)
		if (!strcmp(s->name, tables[k].name))
			return (int)k;
	return -1;
}

static void read_side(struct walk *w, struct side *d, struct obj *o)
{
	size_t i;

	d->o = o;
	for (i = 1; i < o->nsec; i++) {
		struct sec *s = &o->sec[i];
		int k;

		if (!s->alloc)
			continue;
		if (s->exec && s->data)
			s->map = xalloc(s->size + 1, sizeof(*s->map));
		if (!strcmp(s->name, "__jump_table"))
			read_sites(w, d, s);
		k = known_table(s);
		if (k >= 0)
			read_table(w, d, s, o->machine == EM_X86_64 ?
				   tables[k].x86 : tables[k].arm64);
	}
	if (d->nsite)
		qsort(d->site, d->nsite, sizeof(*d->site), by_site);
	if (d->nnote)
		qsort(d->note, d->nnote, sizeof(*d->note), by_note);
}

static const struct site *site_at(const struct side *d, const struct sec *s,
				  uint64_t off)
{
	size_t lo = 0, hi = d->nsite;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (cmp_place(d->site[mid].sec, d->site[mid].off, s, off) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < d->nsite && d->site[lo].sec == s && d->site[lo].off == off)
		return &d->site[lo];
	return NULL;
}

static size_t notes_at(const struct side *d, const struct sec *s, uint64_t off,
		       const struct note **first)
{
	size_t lo = 0, hi = d->nnote, n = 0;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (cmp_place(d->note[mid].sec, d->note[mid].off, s, off) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	*first = lo < d->nnote ? &d->note[lo] : NULL;
	while (lo + n < d->nnote && d->note[lo + n].sec == s &&
	       d->note[lo + n].off == off)
		n++;
	return n;
}

static bool alt_ends(const struct side *d, const struct sec *s, uint64_t off)
{
	uint64_t v = (uint64_t)s->idx << 40 | off;
	size_t i;

	for (i = 0; i < d->nalt; i++)
		if (d->alt_end[i] == v)
			return true;
	return false;
}

static void push(struct walk *w, struct place a, struct place b)
{
	if (w->exact)
		return;
	w->todo = xgrow(w->todo, w->ntodo, sizeof(*w->todo));
	w->todo[w->ntodo++] = (struct pair){ a, b, w->fa, w->fb, NULL };
	if (w->regs) {
		struct regs *r = xalloc(1, sizeof(*r));

		*r = *w->regs;
		w->todo[w->ntodo - 1].regs = r;
	}
}

static bool is_cold(const struct sym *f)
{
	return f && strstr(f->norm, ".cold") != NULL;
}

/* Is @part the function @whole or what was split off from it? */
static bool part_of(const struct sym *part, const struct sym *whole)
{
	size_t n = strlen(whole->norm);

	return part == whole || (is_cold(part) &&
				 !strncmp(part->norm, whole->norm, n) &&
				 part->norm[n] == '.');
}

static struct sym *func_at(const struct place *p)
{
	struct sym *f = sym_at(p->s, p->off);

	return f && func_is_code(f) ? f : NULL;
}

static bool same_func(const struct sym *f, const struct sym *g)
{
	return !strcmp(f->norm, g->norm) && f->rank == g->rank;
}

/*
 * Code that is referred to: another function's entry by its name; any other
 * place is walked.
 */
static bool code_ref(struct walk *w, struct place a, struct place b, bool call)
{
	struct sym *f = func_at(&a), *g = func_at(&b);
	bool fe = f && f->value == a.off, ge = g && g->value == b.off;
	bool own = w->fa && w->fb && f && g &&
		   part_of(f, w->fa) && part_of(g, w->fb);

	if (own && w->exact)
		return same_func(f, g) && a.off - f->value == b.off - g->value;
	if (fe && ge && !is_cold(f) && (call || !own))
		return same_func(f, g);
	if (fe != ge && !own)
		return false;
	if (w->exact)
		return f && g && same_func(f, g) &&
		       a.off - f->value == b.off - g->value;
	if (a.off >= a.s->size || b.off >= b.s->size)
		return a.off == a.s->size && b.off == b.s->size;
	push(w, a, b);
	return true;
}

static bool data_add(struct walk *w, struct place a, struct place b,
		     uint64_t len)
{
	size_t i;

	for (i = 0; i < w->ndata; i++) {
		struct datum *d = &w->data[i];
		bool x = d->a.s == a.s && d->a.off == a.off;
		bool y = d->b.s == b.s && d->b.off == b.off;

		if (x && y)
			return true;
		if (x || y)
			return false;	/* one thing became two */
	}
	w->data = xgrow(w->data, w->ndata, sizeof(*w->data));
	w->data[w->ndata++] = (struct datum){ a, b, len, false };
	return true;
}

static uint64_t atom(const struct sec *s, uint64_t off, uint64_t *end)
{
	size_t lo = 0, hi = s->nbound;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (s->bound[mid] <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	*end = lo < s->nbound ? s->bound[lo] : s->size;
	return lo ? s->bound[lo - 1] : 0;
}

static bool same_str_ref(const struct place *a, const struct place *b)
{
	struct token *u = token_at(a->s, a->off), *v = token_at(b->s, b->off);
	char *p, *q;
	bool same;

	if (!u || !v || a->off - u->off != b->off - v->off)
		return false;
	if (u->len == v->len && !memcmp(a->s->data + u->off,
					b->s->data + v->off, u->len))
		return true;
	p = xalloc(u->len + 16, 1);
	q = xalloc(v->len + 16, 1);
	same = frame_description((const char *)a->s->data + u->off, u->len, p,
				 u->len + 16) &&
	       frame_description((const char *)b->s->data + v->off, v->len, q,
				 v->len + 16) && !strcmp(p, q);
	free(p);
	free(q);
	return same;
}

/* Zeros that only fill up to what follows */
static bool zeros(const struct sec *s, uint64_t from, uint64_t to)
{
	size_t i = rel_first(s, from);

	if (i < s->nrel && s->rel[i].off < to)
		return false;
	for (; s->data && from < to; from++)
		if (s->data[from])
			return false;
	return true;
}

static const struct note *entry_at(const struct side *d, const struct sec *s,
				   uint64_t off)
{
	size_t i;

	for (i = 0; i < d->nnote; i++)
		if (d->note[i].table == s && off - d->note[i].entry <
					     d->note[i].size)
			return &d->note[i];
	return NULL;
}

/* A field that differs and is masked, counted once */
static void masked(struct walk *w, const struct sec *s, const struct mask *m)
{
	if (w->exact || m->counted)
		return;
	((struct mask *)m)->counted = true;
	mask_used(w->r, m->kind, "%s+%#lx", s->name, (unsigned long)m->off);
}

/* Data that is referred to: the same object, or the same content */
static bool data_ref(struct walk *w, struct place a, struct place b)
{
	uint64_t ea, eb, sa, sb, n;
	struct sym *f, *g;

	if (strcmp(a.s->name, b.s->name) || a.s->flags != b.s->flags)
		return false;
	if (a.s->exec)
		return code_ref(w, a, b, false);
	if (a.off >= a.s->size || b.off >= b.s->size)
		return a.off == a.s->size && b.off == b.s->size;
	if (a.s->strings && b.s->strings)
		return same_str_ref(&a, &b);
	if (known_table(a.s) >= 0) {
		/* code that names an entry, as x86's WARN() does */
		const struct note *p = entry_at(&w->a, a.s, a.off);
		const struct note *q = entry_at(&w->b, b.s, b.off);

		return p && q && p->size == q->size &&
		       p->entry == a.off && q->entry == b.off &&
		       data_add(w, a, b, p->size);
	}
	f = sym_at(a.s, a.off);
	g = sym_at(b.s, b.off);
	if (f || g) {
		if (!f || !g || strcmp(f->norm, g->norm) ||
		    f->size != g->size ||
		    a.off - f->value != b.off - g->value)
			return false;
		a.off = f->value;
		b.off = g->value;
		/* nothing to compare, and several may be at one place */
		if (!f->size)
			return true;
		return data_add(w, a, b, f->size);
	}
	sa = atom(a.s, a.off, &ea);
	sb = atom(b.s, b.off, &eb);
	if (a.off - sa != b.off - sb)
		return false;
	n = ea - sa < eb - sb ? ea - sa : eb - sb;
	if (!zeros(a.s, sa + n, ea) || !zeros(b.s, sb + n, eb))
		return false;
	a.off = sa;
	b.off = sb;
	return data_add(w, a, b, n);
}

static bool same_ref(struct walk *w, const struct sec *s, const struct rel *x,
		     int64_t bx, const struct sec *t, const struct rel *y,
		     int64_t by, bool call)
{
	struct target p = rel_target(w->a.o, s, x, bx);
	struct target q = rel_target(w->b.o, t, y, by);

	if (!x->sym || !y->sym)
		return !x->sym && !y->sym && p.off == q.off;
	if (p.name || q.name || !p.sec || !q.sec)
		return p.name && q.name && !strcmp(p.name, q.name) &&
		       !p.sec == !q.sec &&
		       p.off - (int64_t)p.sym->value ==
		       q.off - (int64_t)q.sym->value;
	if (p.off < 0 || q.off < 0)
		return p.off == q.off && !strcmp(p.sec->name, q.sec->name);
	if (p.sec->exec && q.sec->exec)
		return code_ref(w, (struct place){ p.sec, p.off },
				(struct place){ q.sec, q.off }, call);
	return data_ref(w, (struct place){ p.sec, p.off },
			(struct place){ q.sec, q.off });
}

/* The file of a source location on both sides: whichever it is */
static bool same_file_field(struct walk *w, struct place a, const struct rel *p,
			    struct place b, const struct rel *q, bool count)
{
	const struct mask *m = mask_at(a.s, p->off), *k = mask_at(b.s, q->off);
	struct target x, y;
	const char *f, *g;

	if (!m || !k || m->kind != k->kind || m->off != p->off ||
	    k->off != q->off ||
	    (m->kind != MASK_UBSAN_LOC && m->kind != MASK_KASAN_LOC))
		return false;
	x = rel_target(w->a.o, a.s, p, 0);
	y = rel_target(w->b.o, b.s, q, 0);
	if (count && x.sec && y.sec && sec_string(x.sec, x.off, &f) &&
	    sec_string(y.sec, y.off, &g) && strcmp(f, g))
		masked(w, a.s, m);
	return true;
}

/* Content and relocations of a piece of data, or of a table's entry */
static bool same_content(struct walk *w, struct place a, struct place b,
			 uint64_t len, bool count)
{
	uint64_t i;
	size_t x, y;

	if (!a.s->data != !b.s->data)
		return false;
	for (i = 0; a.s->data && i < len; i++) {
		const struct mask *m, *k;

		if (a.s->data[a.off + i] == b.s->data[b.off + i])
			continue;
		m = mask_at(a.s, a.off + i);
		k = mask_at(b.s, b.off + i);
		if (!m || !k || m->kind != k->kind || m->len != k->len ||
		    m->off - a.off != k->off - b.off)
			return false;
		if (count)
			masked(w, a.s, m);
	}
	x = rel_first(a.s, a.off);
	y = rel_first(b.s, b.off);
	for (;; x++, y++) {
		const struct rel *p = x < a.s->nrel ? &a.s->rel[x] : NULL;
		const struct rel *q = y < b.s->nrel ? &b.s->rel[y] : NULL;

		if (p && p->off >= a.off + len)
			p = NULL;
		if (q && q->off >= b.off + len)
			q = NULL;
		if (!p && !q)
			return true;
		if (!p || !q || p->off - a.off != q->off - b.off ||
		    p->type != q->type)
			return false;
		if (same_file_field(w, a, p, b, q, count))
			continue;
		if (!same_ref(w, a.s, p, 0, b.s, q, 0, false))
			return false;
	}
}

/* What tables say about an instruction: traps, fixups, alternatives */
static const char *compare_notes(struct walk *w, struct place a, struct place b)
{
	const struct note *p, *q;
	size_t n = notes_at(&w->a, a.s, a.off, &p);
	size_t m = notes_at(&w->b, b.s, b.off, &q);
	static char buf[160];
	size_t i;

	for (i = 0; i < n || i < m; i++) {
		struct place x, y;
		bool alt;

		if (i >= n || i >= m || strcmp(p[i].table->name,
					       q[i].table->name)) {
			snprintf(buf, sizeof(buf), "has %s entry in %s",
				 i >= n ? "a new" : "another",
				 i >= n ? q[i].table->name : p[i].table->name);
			if (i >= m)
				snprintf(buf, sizeof(buf),
					 "has lost its entry in %s",
					 p[i].table->name);
			return buf;
		}
		snprintf(buf, sizeof(buf), "its entry in %s differs",
			 p[i].table->name);
		if (p[i].size != q[i].size)
			return buf;
		alt = !strcmp(p[i].table->name, ".altinstructions");
		x = (struct place){ p[i].table, p[i].entry };
		y = (struct place){ q[i].table, q[i].entry };
		if (alt && !w->exact) {
			/* patched with nops, control goes on behind it */
			unsigned int at = p[i].size - 2;
			struct place u = { a.s, a.off + x.s->data[x.off + at] };
			struct place v = { b.s, b.off + y.s->data[y.off + at] };

			if (func_at(&a) && func_at(&a) == func_at(&u) &&
			    func_at(&b) && func_at(&b) == func_at(&v))
				push(w, u, v);
		}
		if (alt) {
			/* the replacement is walked as far as it goes */
			unsigned int len = p[i].size - 1;
			const struct rel *r = rel_at(x.s, x.off + 4);
			const struct rel *u = rel_at(y.s, y.off + 4);
			struct target t, v;
			unsigned int rl, ul;

			if (!r || !u)
				return buf;
			rl = x.s->data[x.off + len];
			ul = y.s->data[y.off + len];
			t = rel_target(w->a.o, x.s, r, 0);
			v = rel_target(w->b.o, y.s, u, 0);
			if (rl != ul || memcmp(x.s->data + x.off + 8,
					       y.s->data + y.off + 8, len - 7))
				return buf;
			if (t.sec && t.sec->exec && v.sec && v.sec->exec &&
			    !t.name && !v.name) {
				if (!rl || w->exact)
					continue;
				w->a.alt_end = xgrow(w->a.alt_end, w->a.nalt,
						     sizeof(uint64_t));
				w->a.alt_end[w->a.nalt++] =
					(uint64_t)t.sec->idx << 40 | (t.off + rl);
				w->b.alt_end = xgrow(w->b.alt_end, w->b.nalt,
						     sizeof(uint64_t));
				w->b.alt_end[w->b.nalt++] =
					(uint64_t)v.sec->idx << 40 | (v.off + ul);
				push(w, (struct place){ t.sec, t.off },
				     (struct place){ v.sec, v.off });
				continue;
			}
		}
		/* the first field is the instruction's own address */
		if (p[i].size > 4 && strcmp(p[i].table->name, "__mcount_loc") &&
		    strcmp(p[i].table->name, "__patchable_function_entries")) {
			x.off += 4;
			y.off += 4;
			if (!same_content(w, x, y, p[i].size - 4, !w->exact))
				return buf;
		}
	}
	return NULL;
}

/* Warnings return to the instruction after the trap, bugs do not */
static bool trap_goes_on(const struct side *d, const struct sec *s,
			 const struct insn *in)
{
	const struct note *p;
	size_t n = notes_at(d, s, in->off, &p), i;
	uint32_t imm;

	for (i = 0; i < n; i++) {
		const struct sec *t = p[i].table;
		uint64_t at;
		size_t k;

		if (!strcmp(t->name, ".kcfi_traps"))
			return true;
		if (strcmp(t->name, "__bug_table"))
			continue;
		/* flags: after the last pointer and the line, if there is one */
		k = rel_first(t, p[i].entry + p[i].size);
		at = t->rel[k - 1].off + t->rel[k - 1].size;
		if (mask_at(t, at))
			at += 2;
		return at + 2 <= t->size && (obj_get(d->o, t->data + at, 2) & 1);
	}
	if (d->o->machine != EM_AARCH64)
		return false;
	imm = (uint32_t)obj_get(d->o, s->data + in->off, 4) >> 5 & 0xffff;
	/* asm/brk-imm.h: KASAN reports and goes on; BUG and UBSAN do not */
	return (imm & 0xff00) == 0x0900 || imm >= 0x8000;
}

static bool local_noreturn(const struct side *d, const struct sym *f)
{
	uint64_t off = f->value, end = f->value + f->size;
	struct insn in;

	if (!func_is_code(f))
		return false;
	for (; off < end; off += in.len) {
		dis_one(d->o, f->sec, off, end, &in);
		if (in.kind == INSN_RET || in.kind == INSN_IJMP ||
		    in.kind == INSN_BAD)
			return false;
		if ((in.kind == INSN_JMP || in.kind == INSN_JCC) &&
		    (!in.has_target || in.target < (int64_t)f->value ||
		     in.target >= (int64_t)end))
			return false;
	}
	return true;
}

static bool never_returns(const struct side *d, const struct sec *s,
			  const struct insn *in)
{
	size_t i = rel_first(s, in->off), k;
	struct sym *f = NULL;

	if (i < s->nrel && s->rel[i].off < in->off + in->len) {
		struct target t = rel_target(d->o, s, &s->rel[i],
					     s->rel[i].pcrel ? 4 : 0);

		for (k = 0; t.name && k < ARRAY_SIZE(noreturns); k++)
			if (!strcmp(t.name, noreturns[k]))
				return true;
		if (t.sec && t.off >= 0)
			f = sym_at(t.sec, t.off);
	} else if (in->has_target && in->target >= 0) {
		f = sym_at(s, in->target);
	}
	return f && local_noreturn(d, f);
}

static bool in_field(const struct sec *s, uint64_t off)
{
	size_t i = rel_first(s, off);

	if (i < s->nrel && s->rel[i].off == off && s->rel[i].size)
		return true;
	return i && off - s->rel[i - 1].off < s->rel[i - 1].size;
}

/*
 * Two instructions are the same if all their bits are that are no place of
 * something else, and what these refer to is the same.
 */
static const char *compare_insn(struct walk *w, const struct sec *s,
				const struct insn *x, const struct sec *t,
				const struct insn *y)
{
	bool branch = x->kind == INSN_JMP || x->kind == INSN_JCC ||
		      x->kind == INSN_CALL;
	size_t i = rel_first(s, x->off), k = rel_first(t, y->off);
	unsigned int n;
	struct place a, b;

	if (x->kind != y->kind)
		return "another instruction";
	if (x->cond != y->cond)
		return branch ? "another branch condition" :
				"another instruction";
	if (w->a.o->machine == EM_AARCH64) {
		if (x->fixed != y->fixed) {
			const struct mask *m = mask_at(s, x->off);
			const struct mask *o = mask_at(t, y->off);

			if (!m || !o || m->kind != o->kind)
				return "other operands or another instruction";
			masked(w, s, m);
		}
	} else if (branch) {
		if (x->len != y->len) {
			if (w->exact)
				return "another encoding";
			w->f->encodings++;
		}
	} else {
		if (x->len != y->len)
			return "another instruction";
		for (n = 0; n < x->len; n++) {
			const struct mask *m = mask_at(s, x->off + n);
			const struct mask *o = mask_at(t, y->off + n);

			if (s->data[x->off + n] == t->data[y->off + n] ||
			    (in_field(s, x->off + n) && in_field(t, y->off + n)))
				continue;
			if (x->has_target && y->has_target &&
			    n >= x->disp && n < x->disp + x->displen)
				continue;
			if (!m || !o || m->kind != o->kind ||
			    m->off - x->off != o->off - y->off)
				return "other operands or another instruction";
			masked(w, s, m);
		}
	}
	/* a branch that leaves the section on one side only */
	if (branch && x->has_target != y->has_target) {
		const struct rel *r;
		struct target q;

		if (w->exact)
			return "refers to something else";
		if (x->has_target) {
			r = k < t->nrel ? &t->rel[k] : NULL;
			q = r ? rel_target(w->b.o, t, r, r->pcrel ?
					   y->off + y->len - r->off : 0) :
				(struct target){ 0 };
			if (!q.sec || q.name || x->target < 0 || q.off < 0 ||
			    !code_ref(w, (struct place){ (struct sec *)s,
							 x->target },
				      (struct place){ q.sec, q.off },
				      x->kind == INSN_CALL))
				return "refers to something else";
		} else {
			r = i < s->nrel ? &s->rel[i] : NULL;
			q = r ? rel_target(w->a.o, s, r, r->pcrel ?
					   x->off + x->len - r->off : 0) :
				(struct target){ 0 };
			if (!q.sec || q.name || y->target < 0 || q.off < 0 ||
			    !code_ref(w, (struct place){ q.sec, q.off },
				      (struct place){ (struct sec *)t,
						      y->target },
				      x->kind == INSN_CALL))
				return "refers to something else";
		}
		return NULL;
	}
	for (;; i++, k++) {
		const struct rel *p = i < s->nrel ? &s->rel[i] : NULL;
		const struct rel *q = k < t->nrel ? &t->rel[k] : NULL;

		if (p && p->off >= x->off + x->len)
			p = NULL;
		if (q && q->off >= y->off + y->len)
			q = NULL;
		if (!p && !q)
			break;
		if (!p || !q || (!branch && p->off - x->off != q->off - y->off))
			return "another relocation";
		if (p->type != q->type)
			return "another type of relocation";
		if (!same_ref(w, s, p, p->pcrel ? x->off + x->len - p->off : 0,
			      t, q, q->pcrel ? y->off + y->len - q->off : 0,
			      x->kind == INSN_CALL))
			return "refers to something else";
	}
	if (x->has_target != y->has_target)
		return "refers to something else";
	if (x->has_target) {
		if (x->target < 0 || y->target < 0 ||
		    (uint64_t)x->target > s->size ||
		    (uint64_t)y->target > t->size)
			return x->target - (int64_t)x->off ==
			       y->target - (int64_t)y->off ? NULL :
			       "refers to something else";
		a = (struct place){ (struct sec *)s, x->target };
		b = (struct place){ (struct sec *)t, y->target };
		if (!code_ref(w, a, b, x->kind == INSN_CALL))
			return "refers to something else";
	}
	return NULL;
}

/*
 * What an arm64 instruction makes of an address that is in a register: add
 * and loads and stores with an offset lead to other data, which must be the
 * same on both sides. The bits of both instructions are the same already.
 */
static const char *follow_anchor(struct walk *w, const struct sec *s,
				 const struct insn *x, const struct sec *t,
				 const struct insn *y)
{
	struct regs *g = w->regs;
	uint32_t i = x->fixed;
	unsigned int rd = i & 31, rn = i >> 5 & 31, k;
	size_t r = rel_first(s, x->off), q = rel_first(t, y->off);
	bool rel = r < s->nrel && s->rel[r].off == x->off && s->rel[r].size;
	int64_t imm = -1;

	if (!g || w->exact)
		return NULL;
	if (x->kind == INSN_CALL || x->kind == INSN_ICALL) {
		for (k = 0; k <= 18; k++)
			g->a[k].s = NULL;
		g->a[30].s = NULL;
		return NULL;
	}
	if (rel && (i & 0xff800000) == 0x91000000) {	/* add, :lo12: */
		struct target p = rel_target(w->a.o, s, &s->rel[r], 0);
		struct target v = rel_target(w->b.o, t, &t->rel[q], 0);

		g->a[rd].s = NULL;
		if (p.sec && v.sec && !p.name && !v.name && !p.sec->exec &&
		    !v.sec->exec && p.off >= 0 && v.off >= 0) {
			g->a[rd] = (struct place){ p.sec, p.off };
			g->b[rd] = (struct place){ v.sec, v.off };
		}
		return NULL;
	}
	if (!rel && g->a[rn].s && rn != 31) {
		if ((i & 0xff800000) == 0x91000000)	/* add, immediate */
			imm = (int64_t)(i >> 10 & 0xfff) << (i >> 22 & 1) * 12;
		else if ((i & 0x3b000000) == 0x39000000)	/* ldr, str */
			imm = (int64_t)(i >> 10 & 0xfff) <<
			      ((i >> 26 & 1) && (i >> 23 & 1) ? 4 : i >> 30);
		else if ((i & 0x3b800000) == 0x29000000 && !(i >> 21 & 1))
			/* ldp, stp: signed, forwards only here */
			imm = (int64_t)(i >> 15 & 63) <<
			      (i >> 26 & 1 ? 2 + (i >> 30) : i >> 31 ? 3 : 2);
	}
	if (imm >= 0) {
		struct place a = g->a[rn], b = g->b[rn];

		a.off += imm;
		b.off += imm;
		if (imm && a.off < a.s->size && !data_ref(w, a, b))
			return "refers to something else, from a section anchor";
		if ((i & 0xff800000) == 0x91000000) {
			g->a[rd] = a;
			g->b[rd] = b;
			return NULL;
		}
		if ((i & 0x3b400000) == 0x39000000)	/* a store */
			return NULL;
	}
	/* whatever else it is, its destination is not known any more */
	if (rd != 31)
		g->a[rd].s = NULL;
	if ((i & 0x3a000000) == 0x28000000)		/* pairs: two of them */
		g->a[i >> 10 & 31].s = NULL;
	if ((i & 0x3b200400) == 0x38000400 || (i & 0x3a800000) == 0x28800000)
		g->a[rn].s = NULL;			/* writeback */
	return NULL;
}

static void print_line(FILE *f, const struct side *x, struct place a,
		       const struct side *y, struct place b, char mark)
{
	char ta[240] = "", tb[240] = "";
	struct insn in;

	if (a.s && a.off < a.s->size) {
		dis_one(x->o, a.s, a.off, a.s->size, &in);
		dis_text(x->o, a.s, &in, ta, sizeof(ta));
	}
	if (b.s && b.off < b.s->size) {
		dis_one(y->o, b.s, b.off, b.s->size, &in);
		dis_text(y->o, b.s, &in, tb, sizeof(tb));
	}
	fprintf(f, "    %5lx  %-48.48s %c %5lx  %s\n", (unsigned long)a.off, ta,
		mark, (unsigned long)b.off, tb);
}

static void differ(struct walk *w, struct place a, struct place b,
		   const char *why)
{
	const struct sym *g;
	struct diff *d;
	size_t i, n, size;
	FILE *f;

	w->failed = true;
	if (w->exact)
		return;
	g = func_at(&a);
	if (!g || !w->fa || part_of(g, w->fa))
		g = w->fa;
	d = diff_add(w->r, a.s->name, g ? g->name : NULL, "%s", why);
	diff_at(d, &a.off, &b.off);
	f = open_memstream(&d->detail, &size);
	if (!f)
		bad("out of memory");
	n = w->nlast < ARRAY_SIZE(w->last) ? w->nlast : ARRAY_SIZE(w->last);
	for (i = w->nlast - n; i < w->nlast; i++)
		print_line(f, &w->a, w->last[i % ARRAY_SIZE(w->last)].a, &w->b,
			   w->last[i % ARRAY_SIZE(w->last)].b, ' ');
	for (i = 0; i < 4; i++) {
		struct insn x, y;

		print_line(f, &w->a, a, &w->b, b, '|');
		if (a.off >= a.s->size || b.off >= b.s->size)
			break;
		dis_one(w->a.o, a.s, a.off, a.s->size, &x);
		dis_one(w->b.o, b.s, b.off, b.s->size, &y);
		a.off += x.len;
		b.off += y.len;
	}
	fclose(f);
}

/* Past the sites of our keys, as they are with the key off */
static bool skip_sites(struct walk *w, struct side *d, struct place *p,
		       bool is_new)
{
	unsigned int n = 0;
	const struct site *e;

	while ((e = site_at(d, p->s, p->off)) && e->ours) {
		struct insn in;
		bool jumps, on;

		dis_one(d->o, p->s, p->off, p->s->size, &in);
		if (in.kind != INSN_NOP && in.kind != INSN_JMP) {
			struct diff *x = diff_add(w->r, p->s->name,
				w->fa ? w->fa->name : NULL,
				"the site of %s is neither a nop nor a jump",
				e->key);

			diff_at(x, NULL, &p->off);
			w->failed = true;
			return false;
		}
		/* how it is built: x86 writes a jump for objtool to remove */
		jumps = in.kind == INSN_JMP && !(e->flags & 2);
		on = jumps != (e->flags & 1);
		if (on) {
			struct diff *x = diff_add(w->r, p->s->name,
				w->fa ? w->fa->name : NULL,
				"the site of %s is built in its on position: the key is on by default",
				e->key);

			diff_at(x, NULL, &p->off);
			w->failed = true;
			return false;
		}
		if (is_new && w->f)
			w->f->reached++;
		if (e->flags & 1)
			*p = (struct place){ e->tsec, e->toff };
		else
			p->off += in.len;
		if (++n > 1000) {
			w->failed = true;
			diff_add(w->r, p->s->name, w->fa ? w->fa->name : NULL,
				 "the sites of %s go in a circle", e->key);
			return false;
		}
	}
	return true;
}

/* Nops that only fill: nothing speaks of them, and an aligned place follows */
static bool skip_padding(const struct side *d, struct place *p)
{
	const struct note *note;
	struct place q = *p;
	struct insn in;

	while (q.off < q.s->size) {
		dis_one(d->o, q.s, q.off, q.s->size, &in);
		if (in.kind != INSN_NOP || site_at(d, q.s, q.off) ||
		    notes_at(d, q.s, q.off, &note))
			break;
		q.off += in.len;
	}
	if (q.off == p->off || q.off % 8)
		return false;
	*p = q;
	return true;
}

static uint64_t mapped(const struct sec *s, uint64_t off)
{
	return ((uint64_t)s->idx << 40 | off) + 1;
}

static const char *compare_site(struct walk *w, struct place a, struct place b)
{
	const struct site *x = site_at(&w->a, a.s, a.off);
	const struct site *y = site_at(&w->b, b.s, b.off);
	static char buf[200];

	if (!x && !y)
		return NULL;
	if (!x || !y) {
		snprintf(buf, sizeof(buf), "a branch site of %s is %s",
			 x ? x->key : y->key, x ? "gone" : "new");
		return buf;
	}
	snprintf(buf, sizeof(buf), "a branch site of %s, new of %s", x->key,
		 y->key);
	if (strcmp(x->norm, y->norm) || x->delta != y->delta)
		return buf;
	snprintf(buf, sizeof(buf), "the branch site of %s is the other way round",
		 x->key);
	if (x->flags != y->flags)
		return buf;
	push(w, (struct place){ x->tsec, x->toff },
	     (struct place){ y->tsec, y->toff });
	return NULL;
}

static bool site_insns(struct walk *w, struct place a, const struct insn *x,
		       const struct insn *y)
{
	/* jump or nop of any width, as the tables say the same of both */
	if (!site_at(&w->a, a.s, a.off) || x->kind != y->kind ||
	    (x->kind != INSN_NOP && x->kind != INSN_JMP))
		return false;
	if (x->len != y->len)
		w->f->encodings++;
	return true;
}

/* One straight piece, until it ends or joins what was seen */
static void walk_pair(struct walk *w, struct pair p)
{
	struct place a = p.a, b = p.b;
	struct sym *fa = NULL, *fb = NULL;

	w->nlast = 0;
	for (;;) {
		bool ea, eb;
		struct sym *ga, *gb;
		struct insn x, y;
		const char *why;
		uint64_t *ma, *mb;

		if (!skip_sites(w, &w->a, &a, false) ||
		    !skip_sites(w, &w->b, &b, true))
			return;
		ga = func_at(&a);
		gb = func_at(&b);
		ea = a.off >= a.s->size || (w->nlast && ga != fa) ||
		     alt_ends(&w->a, a.s, a.off);
		eb = b.off >= b.s->size || (w->nlast && gb != fb) ||
		     alt_ends(&w->b, b.s, b.off);
		/* a site may have jumped to a part that was split off */
		if (ea && ga && fa && part_of(ga, p.fa) && part_of(fa, p.fa) &&
		    a.off < a.s->size && !alt_ends(&w->a, a.s, a.off))
			ea = false;
		if (eb && gb && fb && part_of(gb, p.fb) && part_of(fb, p.fb) &&
		    b.off < b.s->size && !alt_ends(&w->b, b.s, b.off))
			eb = false;
		if (ea && eb)
			return;
		if (ea || eb) {
			differ(w, a, b, ea ?
			       "the base ends here, the new code goes on" :
			       "the new code ends here, the base goes on");
			return;
		}
		fa = ga;
		fb = gb;
		if (!a.s->data || !b.s->data) {
			differ(w, a, b, "code without content");
			return;
		}
		ma = &a.s->map[a.off];
		mb = &b.s->map[b.off];
		if (*ma || *mb) {
			if (*ma == mapped(b.s, b.off) &&
			    *mb == mapped(a.s, a.off))
				return;
			differ(w, a, b, "code that was one place is two, or the other way round");
			return;
		}
		dis_one(w->a.o, a.s, a.off, a.s->size, &x);
		dis_one(w->b.o, b.s, b.off, b.s->size, &y);
		if (x.kind == INSN_BAD || y.kind == INSN_BAD) {
			differ(w, a, b, "cannot be decoded, and may be a branch");
			return;
		}
		if ((x.kind == INSN_NOP) != (y.kind == INSN_NOP) ||
		    (x.kind == INSN_NOP && (x.len != y.len ||
		     memcmp(a.s->data + a.off, b.s->data + b.off, x.len)))) {
			bool sa = x.kind == INSN_NOP && skip_padding(&w->a, &a);
			bool sb = y.kind == INSN_NOP && skip_padding(&w->b, &b);

			if (sa || sb) {
				w->f->padding++;
				continue;
			}
		}
		why = compare_site(w, a, b);
		if (!why && !site_insns(w, a, &x, &y))
			why = compare_insn(w, a.s, &x, b.s, &y);
		if (!why)
			why = compare_notes(w, a, b);
		if (!why && w->regs)
			why = follow_anchor(w, a.s, &x, b.s, &y);
		if (why) {
			differ(w, a, b, why);
			return;
		}
		*ma = mapped(b.s, b.off);
		*mb = mapped(a.s, a.off);
		w->f->insns++;
		w->f->raw += x.kind == INSN_RAW;
		w->last[w->nlast++ % ARRAY_SIZE(w->last)] =
			(struct pair){ .a = a, .b = b };
		switch (x.kind) {
		case INSN_JMP:
			/* its target was pushed, or is another function; a
			 * site goes on where it does not jump
			 */
			if (!site_at(&w->a, a.s, a.off))
				return;
			break;
		case INSN_IJMP: case INSN_RET:
			return;
		case INSN_TRAP:
			if (!trap_goes_on(&w->a, a.s, &x))
				return;
			break;
		case INSN_CALL:
			if (never_returns(&w->a, a.s, &x) &&
			    never_returns(&w->b, b.s, &y))
				return;
			break;
		default:
			break;
		}
		a.off += x.len;
		b.off += y.len;
	}
}

/* Is the body the same at every place, sites and padding included? */
static bool exact_body(struct walk *w, const struct sym *f, const struct sym *g)
{
	uint64_t i;
	struct insn x, y;
	bool same = true;

	if (f->size != g->size)
		return false;
	w->exact = true;
	w->fa = f;
	w->fb = g;
	if (is_cold(f) || is_cold(g)) {
		/* its own places count, and those of its parent */
		w->fa = f;
		w->fb = g;
	}
	for (i = 0; same && i < f->size; i += x.len) {
		struct place a = { f->sec, f->value + i };
		struct place b = { g->sec, g->value + i };
		const struct site *s = site_at(&w->a, a.s, a.off);
		const struct site *t = site_at(&w->b, b.s, b.off);

		dis_one(w->a.o, a.s, a.off, f->value + f->size, &x);
		dis_one(w->b.o, b.s, b.off, g->value + g->size, &y);
		same = x.kind != INSN_BAD && y.kind != INSN_BAD &&
		       x.len == y.len && !s == !t &&
		       (!s || (!strcmp(s->norm, t->norm) &&
			       s->delta == t->delta && s->flags == t->flags)) &&
		       !compare_insn(w, a.s, &x, b.s, &y);
	}
	w->exact = false;
	return same;
}

static struct sym *peer_func(const struct sym *f, struct obj *o)
{
	struct sym *g = sym_peer(f, o);
	size_t i;

	if (g)
		return g;
	for (i = 0; i < o->nsym; i++) {
		g = &o->sym[i];
		if (func_is_code(g) && g->rank == f->rank &&
		    !strcmp(g->norm, f->norm))
			return g;
	}
	return NULL;
}

static unsigned int count_sites(const struct side *d, const struct sym *f)
{
	unsigned int n = 0;
	size_t i;

	for (i = 0; i < d->nsite; i++) {
		struct place p = { d->site[i].sec, d->site[i].off };
		struct sym *g = func_at(&p);

		n += d->site[i].ours && g && part_of(g, f);
	}
	return n;
}

/* Base code that no path led to was not compared: say so */
static void unreached(struct walk *w, const struct sym *f, const char *name)
{
	uint64_t off = f->value, end = f->value + f->size, first = 0;
	unsigned int n = 0;
	struct insn in;

	for (; off < end; off += in.len) {
		dis_one(w->a.o, f->sec, off, end, &in);
		if (!in.len)
			break;
		if (f->sec->map[off] || in.kind == INSN_NOP ||
		    in.kind == INSN_TRAP)
			continue;
		if (site_at(&w->a, f->sec, off) &&
		    site_at(&w->a, f->sec, off)->ours)
			continue;
		if (!n++)
			first = off;
	}
	if (n) {
		struct diff *d = diff_add(w->r, f->sec->name, name,
			"%u instructions were not reached from the entry and so not compared",
			n);

		diff_at(d, &first, NULL);
	}
}

static struct func_result *func_add(struct result *r, const char *name)
{
	struct func_result *f;

	r->func = xgrow(r->func, r->nfunc, sizeof(*r->func));
	f = &r->func[r->nfunc++];
	memset(f, 0, sizeof(*f));
	f->name = xstrdup(name);
	f->verdict = "identical";
	return f;
}

static struct sym *cold_part(struct obj *o, const struct sym *f)
{
	size_t i;

	for (i = 0; i < o->nsym; i++) {
		struct sym *c = &o->sym[i];

		if (func_is_code(c) && c != f && is_cold(c) && part_of(c, f) &&
		    c->rank == f->rank)
			return c;
	}
	return NULL;
}

static void forget(struct walk *w)
{
	while (w->ntodo)
		free(w->todo[--w->ntodo].regs);
}

static void walk_all(struct walk *w)
{
	while (w->ntodo && !w->failed) {
		struct pair p = w->todo[--w->ntodo];

		if (w->a.o->machine == EM_AARCH64)
			w->regs = p.regs ? p.regs : xalloc(1, sizeof(*w->regs));
		walk_pair(w, p);
		free(w->regs);
		w->regs = NULL;
	}
	forget(w);
}

/*
 * All code that waits, then all data: a piece of data that differs does not
 * keep the others from being compared, on behalf of who refers to them.
 */
static void drain(struct walk *w)
{
	bool failed;
	size_t i;

	walk_all(w);
	failed = w->failed;
	for (i = 0; i < w->ndata; i++) {
		/* a copy: the list grows, and moves, below */
		struct datum d = w->data[i];

		if (d.done)
			continue;
		w->data[i].done = true;
		/* KASAN's list of globals is gcc's business, see mask.c */
		if (kdesc_at(d.a.s, d.a.off, 8) && kdesc_at(d.b.s, d.b.off, 8))
			continue;
		w->failed = false;
		if (!same_content(w, d.a, d.b, d.len, true)) {
			struct sym *y = sym_at(d.a.s, d.a.off);
			struct diff *x;

			x = diff_add(w->r, d.a.s->name,
				     w->fa ? w->fa->name : y ? y->name : NULL,
				     "refers to data that differs%s%s",
				     y ? ": " : "", y ? y->name : "");
			diff_at(x, &d.a.off, &d.b.off);
			w->failed = true;
		}
		walk_all(w);
		failed |= w->failed;
	}
	w->failed = failed;
}

/*
 * A function that hands the list of KASAN's globals to it: their number
 * changes with every new one.
 */
static bool registers_kasan(const struct obj *o, const struct sym *f)
{
	size_t i = rel_first(f->sec, f->value);

	(void)o;
	for (; i < f->sec->nrel && f->sec->rel[i].off < f->value + f->size; i++) {
		const struct sym *y = f->sec->rel[i].sym;

		if (y && (!strcmp(y->name, "__asan_register_globals") ||
			  !strcmp(y->name, "__asan_unregister_globals")))
			return true;
	}
	return false;
}

/* clang's list of them is an object */
static bool kasan_list(const struct walk *w, const struct sym *f)
{
	const struct obj *o = w->a.o;
	size_t i, k;

	for (i = 1; i < o->nsec; i++) {
		const struct sec *s = &o->sec[i];

		for (k = 0; s->exec && k < s->nrel; k++) {
			struct target t = rel_target(o, s, &s->rel[k], 0);
			const struct sym *g;

			if (t.sec != f->sec || t.off != (int64_t)f->value)
				continue;
			g = sym_at(s, s->rel[k].off);
			if (!g || !func_is_code(g) || !registers_kasan(o, g))
				return false;
			return true;
		}
	}
	return false;
}

static void compare_function(struct walk *w, struct sym *f, struct sym *g)
{
	struct result *r = w->r;
	struct func_result *u = func_add(r, f->name);
	struct sym *c = cold_part(w->a.o, f), *d = cold_part(w->b.o, g);
	bool exact;

	u->base_sites = count_sites(&w->a, f);
	u->sites = count_sites(&w->b, g);
	w->f = u;
	exact = exact_body(w, f, g) && !c == !d && (!c || exact_body(w, c, d));
	w->fa = f;
	w->fb = g;
	w->failed = false;
	push(w, (struct place){ f->sec, f->value },
	     (struct place){ g->sec, g->value });
	drain(w);
	if (f->bind != g->bind)
		info_add(r, "%s is %s, new %s", f->name,
			 f->bind == STB_LOCAL ? "local" : "global",
			 g->bind == STB_LOCAL ? "local" : "global");
	if (!w->failed && (!exact || opt.walk)) {
		size_t n = r->ndiff;

		unreached(w, f, f->name);
		if (c)
			unreached(w, c, f->name);
		w->failed = r->ndiff != n;
	}
	u->verdict = w->failed ? "DIFFERENT" : exact ? "identical" : "same code";
}

static bool referred(const struct obj *o, const struct sec *s)
{
	size_t i, k;

	for (i = 1; i < o->nsec; i++)
		for (k = 0; o->sec[i].alloc && k < o->sec[i].nrel; k++)
			if (o->sec[i].rel[k].sym &&
			    o->sec[i].rel[k].sym->sec == s)
				return true;
	return false;
}

/* Data objects of the base: each must be there, with the same content */
static void compare_objects(struct walk *w)
{
	struct obj *a = w->a.o, *b = w->b.o;
	size_t i, k, m;

	for (i = 0; i < a->nsym; i++) {
		struct sym *f = &a->sym[i], *g = NULL;
		bool found = false;
		struct diff *d;

		if (!f->sec || !f->sec->alloc || f->sec->exec ||
		    kasan_list(w, f) || (f->type != STT_OBJECT && f->type != STT_TLS))
			continue;
		for (m = 0; m < w->ndata && !found; m++)
			found = w->data[m].a.s == f->sec &&
				w->data[m].a.off == f->value;
		for (k = 0; k < b->nsym && !found; k++) {
			struct place p, q;
			bool taken = false;

			g = &b->sym[k];
			if (!g->sec || g->type != f->type ||
			    g->size != f->size || strcmp(g->norm, f->norm) ||
			    strcmp(g->sec->name, f->sec->name) ||
			    g->sec->flags != f->sec->flags)
				continue;
			for (m = 0; m < w->ndata && !taken; m++)
				taken = w->data[m].b.s == g->sec &&
					w->data[m].b.off == g->value;
			if (taken && f->size)
				continue;
			p = (struct place){ f->sec, f->value };
			q = (struct place){ g->sec, g->value };
			w->exact = false;
			w->fa = w->fb = NULL;
			if (f->sec->strings || same_content(w, p, q, f->size,
							    true)) {
				if (f->size && data_add(w, p, q, f->size))
					w->data[w->ndata - 1].done = true;
				found = true;
			}
			forget(w);
		}
		if (found)
			continue;
		d = diff_add(w->r, f->sec->name, f->name,
			     "the data object is gone or differs (%lu bytes)",
			     (unsigned long)f->size);
		diff_at(d, &f->value, NULL);
	}
}

/* Sections that nothing refers to: what was there is there, in order */
static void compare_rest(struct walk *w)
{
	struct obj *a = w->a.o;
	size_t i;

	for (i = 1; i < a->nsec; i++) {
		struct sec *s = &a->sec[i], *t = s->peer;
		unsigned int unit;
		uint64_t x, y;

		if (!s->alloc || s->exec || !s->size || known_table(s) >= 0 ||
		    !strcmp(s->name, "__jump_table") || s->nsym ||
		    referred(a, s))
			continue;
		if (!strncmp(s->name, ".orc_", 5) ||
		    !strcmp(s->name, ".eh_frame")) {
			info_add(w->r, "%s is not compared at level 1", s->name);
			continue;
		}
		if (!t || !s->data != !t->data) {
			diff_add(w->r, s->name, NULL, "the section is gone");
			continue;
		}
		if (!s->data)
			continue;
		unit = s->size % 4 || t->size % 4 ? 1 : 4;
		for (x = y = 0; x < s->size && y < t->size; y += unit) {
			struct place p = { s, x }, q = { t, y };

			w->fa = w->fb = NULL;
			if (same_content(w, p, q, unit, false))
				x += unit;
			forget(w);
		}
		if (x < s->size) {
			struct diff *d = diff_add(w->r, s->name, NULL,
				"what the base has here is not in the new section");

			diff_at(d, &x, NULL);
		} else if (t->size != s->size) {
			info_add(w->r, "%s has %lu bytes more", s->name,
				 (unsigned long)(t->size - s->size));
		}
	}
}

static void require_identical(struct result *r)
{
	size_t i, k;

	for (i = 0; i < r->nfunc; i++)
		for (k = 0; k < opt.nidentical; k++)
			if (!fnmatch(opt.identical[k], r->func[i].name, 0) &&
			    !strcmp(r->func[i].verdict, "same code"))
				diff_add(r, NULL, r->func[i].name,
					 "the body is not identical, as --require-identical asks");
}

/**
 * level1 - compare the code that is reachable with our keys off
 * @a: base
 * @b: new
 * @r: result; its verdict is set
 */
void level1(struct obj *a, struct obj *b, struct result *r)
{
	struct result first = { .name = r->name };
	struct walk w = { .r = r };
	size_t i;

	level0(a, b, &first);
	if (!first.ndiff && !opt.walk) {
		const char *name = r->name;

		*r = first;
		r->name = name;
		for (i = 0; i < a->nsym; i++)
			if (func_is_code(&a->sym[i]) && !is_cold(&a->sym[i]))
				func_add(r, a->sym[i].name);
		return;
	}
	r->sections = first.sections;
	r->bytes = first.bytes;
	r->relocs = first.relocs;
	r->symbols = first.symbols;
	memcpy(r->fields, first.fields, sizeof(r->fields));
	result_free(&first);
	read_side(&w, &w.a, a);
	read_side(&w, &w.b, b);
	for (i = 0; i < a->nsym; i++) {
		struct sym *f = &a->sym[i], *g;

		if (!func_is_code(f) || is_cold(f) || !f->sec->data)
			continue;
		g = peer_func(f, b);
		if (g && registers_kasan(a, f) && registers_kasan(b, g)) {
			func_add(r, f->name)->verdict = "not compared";
			info_add(r, "%s registers KASAN's globals and is not compared at level 1",
				 f->name);
			continue;
		}
		if (!g || !g->sec->data) {
			struct diff *d = diff_add(r, f->sec->name, f->name,
						  "the function is in the base only");

			diff_at(d, &f->value, NULL);
			func_add(r, f->name)->verdict = "DIFFERENT";
			continue;
		}
		compare_function(&w, f, g);
	}
	for (i = 0; i < b->nsym; i++) {
		struct sym *g = &b->sym[i];
		struct func_result *u;

		if (!func_is_code(g) || is_cold(g) || peer_func(g, a))
			continue;
		if (opt.ignore_new)
			continue;
		u = func_add(r, g->name);
		u->verdict = "new function";
		u->sites = count_sites(&w.b, g);
	}
	compare_objects(&w);
	compare_rest(&w);
	/* what those refer to */
	w.fa = w.fb = NULL;
	w.failed = false;
	drain(&w);
	require_identical(r);
	r->verdict = r->ndiff ? "DIFFERENT" : "same-code";
	free(w.a.site);
	free(w.a.note);
	free(w.a.alt_end);
	free(w.b.site);
	free(w.b.note);
	free(w.b.alt_end);
	free(w.todo);
	free(w.data);
}
