// SPDX-License-Identifier: GPL-2.0-only
/*
 * Level 0: every section that the kernel loads, byte for byte, and every
 * relocation in it, by what it refers to. Nothing is left out by name.
 */
#include <ctype.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "objcmp.h"

static bool same_str(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_identity(const struct sec *a, const struct sec *b)
{
	return !strcmp(a->name, b->name) && a->type == b->type &&
	       a->flags == b->flags && same_str(a->group, b->group);
}

static void set_ordinals(struct obj *o)
{
	size_t i, k;

	for (i = 1; i < o->nsec; i++) {
		o->sec[i].peer = NULL;
		o->sec[i].ordinal = 0;
		if (!o->sec[i].alloc)
			continue;
		for (k = i; --k;)
			if (o->sec[k].alloc &&
			    same_identity(&o->sec[k], &o->sec[i])) {
				o->sec[i].ordinal = o->sec[k].ordinal + 1;
				break;
			}
	}
}

/* Is there something in it that is not passed over? */
static bool all_dropped(const struct sec *s)
{
	return s->ndrop && !kept_off(s, s->size);
}

/**
 * obj_pair - pair the allocated sections of two objects
 * @a: base
 * @b: new
 * @r: result; sections without a peer are differences at level 0
 *
 * Two sections are a pair if name, type, flags and group are the same, in
 * order of occurrence.
 */
void obj_pair(struct obj *a, struct obj *b, struct result *r)
{
	size_t i, k, last = 0;
	bool order = true;

	set_ordinals(a);
	set_ordinals(b);
	for (i = 1; i < a->nsec; i++) {
		struct sec *s = &a->sec[i];

		if (!s->alloc)
			continue;
		for (k = 1; k < b->nsec; k++) {
			struct sec *t = &b->sec[k];

			if (!t->alloc || t->peer || s->ordinal != t->ordinal ||
			    !same_identity(s, t))
				continue;
			s->peer = t;
			t->peer = s;
			if (k < last)
				order = false;
			last = k;
			break;
		}
		if (!s->peer && r && !all_dropped(s))
			diff_add(r, s->name, NULL,
				 "the section is in the base only (type %u, flags %#lx, %lu bytes%s%s)",
				 s->type, (unsigned long)s->flags,
				 (unsigned long)s->size,
				 s->group ? ", group " : "",
				 s->group ? s->group : "");
	}
	for (k = 1; r && k < b->nsec; k++) {
		struct sec *t = &b->sec[k];

		if (t->alloc && !t->peer && !all_dropped(t))
			diff_add(r, t->name, NULL,
				 "the section is new (type %u, flags %#lx, %lu bytes%s%s)",
				 t->type, (unsigned long)t->flags,
				 (unsigned long)t->size,
				 t->group ? ", group " : "",
				 t->group ? t->group : "");
	}
	if (!order && r)
		diff_add(r, NULL, NULL, "the sections are in another order");
}

/**
 * func_is_code - is this symbol a function with a body?
 * @s: symbol
 */
bool func_is_code(const struct sym *s)
{
	return s->sec && s->sec->exec && s->size &&
	       (s->type == STT_FUNC || s->type == STT_GNU_IFUNC);
}

/**
 * sym_peer - the same function or object in the other object
 * @s: symbol, defined in a section
 * @other: the other object
 *
 * Return: the symbol of the same name (without a compiler's numbers, then in
 * order), or NULL.
 */
struct sym *sym_peer(const struct sym *s, const struct obj *other)
{
	size_t i;

	for (i = 0; i < other->nsym; i++) {
		struct sym *t = &other->sym[i];

		if (t->sec && t->type == s->type && t->rank == s->rank &&
		    (t->bind == STB_LOCAL) == (s->bind == STB_LOCAL) &&
		    !strcmp(t->sec->name, s->sec->name) &&
		    !strcmp(t->norm, s->norm))
			return t;
	}
	return NULL;
}

/* The name that a difference at this place is reported under */
static const char *owner(const struct sec *s, uint64_t off)
{
	struct sym *y = sym_at(s, off);

	return y ? y->name : s->name;
}

/* Strings may differ in what KASAN says about a stack frame's lines only */
static bool same_string(const struct obj *a, const struct sec *s, uint64_t o1,
			size_t n1, const struct sec *t, uint64_t o2, size_t n2,
			bool *masked)
{
	const char *x = (const char *)s->data + o1;
	const char *y = (const char *)t->data + o2;
	bool same;
	char *p, *q;

	*masked = false;
	if (n1 == n2 && !memcmp(x, y, n1))
		return true;
	if (!obj_has_prefix(a, "__asan_"))
		return false;
	p = xalloc(n1 + 16, 1);
	q = xalloc(n2 + 16, 1);
	same = frame_description(x, n1, p, n1 + 16) &&
	       frame_description(y, n2, q, n2 + 16) && !strcmp(p, q);
	free(p);
	free(q);
	*masked = same;
	return same;
}

/* The number of a string, not counting what is passed over */
static size_t token_rank(const struct sec *s, const struct token *u)
{
	size_t n = u - s->tok, i;

	for (i = 0; &s->tok[i] < u; i++)
		n -= s->tok[i].dropped;
	return n;
}

static struct sym *next_sym(const struct sec *s, int64_t off)
{
	size_t i;

	for (i = 0; i < s->nsym; i++)
		if ((int64_t)s->sym[i]->value > off)
			return s->sym[i];
	return NULL;
}

/*
 * Do two relocations refer to the same thing? Code is told by function
 * and distance; whether the functions moved is compared elsewhere.
 */
static bool same_target(const struct obj *a, const struct sec *s,
			const struct rel *x, const struct obj *b,
			const struct sec *t, const struct rel *y)
{
	struct target p = rel_target(a, s, x, rel_bias(a, s, x));
	struct target q = rel_target(b, t, y, rel_bias(b, t, y));
	struct sym *f, *g;

	if (!p.sec || !q.sec || p.name || q.name) {
		/* undefined, absolute or global: by name */
		if (!x->sym || !y->sym)
			return !x->sym && !y->sym && x->addend == y->addend;
		return same_str(p.name, q.name) && x->addend == y->addend &&
		       !p.sec == !q.sec &&
		       (x->sym->shndx >= SHN_LORESERVE) ==
		       (y->sym->shndx >= SHN_LORESERVE) &&
		       (x->sym->shndx != SHN_ABS ||
			x->sym->value == y->sym->value);
	}
	if (p.sec->peer != q.sec)
		return false;
	if (p.sec->strings && q.sec->strings) {
		struct token *u, *v;
		bool masked;

		if ((x->sym->type == STT_SECTION) !=
		    (y->sym->type == STT_SECTION))
			return false;
		if (x->sym->type != STT_SECTION) {
			/* a label of the compiler's: what it marks */
			if (x->addend != y->addend)
				return false;
			p.off = (int64_t)x->sym->value;
			q.off = (int64_t)y->sym->value;
		}
		u = p.off < 0 ? NULL : token_at(p.sec, p.off);
		v = q.off < 0 ? NULL : token_at(q.sec, q.off);
		if (!u || !v)
			return !u && !v && p.off == q.off;
		if (p.off - (int64_t)u->off != q.off - (int64_t)v->off)
			return false;
		/* not inside of a string: nothing but its number tells */
		if ((uint64_t)p.off - u->off >= u->len && u->len)
			return token_rank(p.sec, u) == token_rank(q.sec, v);
		return same_string(a, p.sec, u->off, u->len, q.sec, v->off,
				   v->len, &masked);
	}
	if (!p.sec->exec && p.off >= 0 && q.off >= 0 &&
	    (p.sec->ndrop || q.sec->ndrop)) {
		const struct drop *u = drop_at(p.sec, p.off);
		const struct drop *v = drop_at(q.sec, q.off);

		if (u || v)
			return u && v && u->file && v->file &&
			       !strcmp(u->file, v->file) &&
			       p.off - u->off == q.off - v->off;
		p.off = kept_off(p.sec, p.off);
		q.off = kept_off(q.sec, q.off);
		return p.off == q.off;
	}
	if (p.off == q.off && !p.sec->exec)
		return true;
	f = p.off < 0 ? NULL : sym_at(p.sec, p.off);
	g = q.off < 0 ? NULL : sym_at(q.sec, q.off);
	if (!f && !g && p.sec->exec && p.off != q.off) {
		/* between functions: by the distance to the next one */
		f = next_sym(p.sec, p.off);
		g = next_sym(q.sec, q.off);
	}
	if (!f || !g)
		return !f && !g && p.off == q.off;
	/* the places of the symbols themselves are compared elsewhere */
	return !strcmp(f->norm, g->norm) && f->rank == g->rank &&
	       p.off - (int64_t)f->value == q.off - (int64_t)g->value;
}

static const char *rel_text(const struct obj *o, const struct sec *s,
			    const struct rel *r, char *buf, size_t len)
{
	struct target t = rel_target(o, s, r, rel_bias(o, s, r));
	const char *str;

	if (t.name)
		snprintf(buf, len, "type %u %s%+ld", r->type, t.name,
			 (long)t.addend);
	else if (t.sec && t.off >= 0 && t.sec->strings &&
		 sec_string(t.sec, t.off, &str))
		snprintf(buf, len, "type %u %s+%#lx \"%.60s\"", r->type,
			 t.sec->name, (unsigned long)t.off, str);
	else if (t.sec) {
		struct sym *y = t.off >= 0 ? sym_at(t.sec, t.off) : NULL;

		if (y)
			snprintf(buf, len, "type %u %s%+ld", r->type, y->name,
				 (long)(t.off - (int64_t)y->value));
		else
			snprintf(buf, len, "type %u %s+%#lx", r->type,
				 t.sec->name, (unsigned long)t.off);
	} else {
		snprintf(buf, len, "type %u absolute %ld", r->type,
			 (long)t.addend);
	}
	return buf;
}

/* What a difference in the entry of a table belongs to: its code's function */
static const char *table_owner(const struct obj *o, const struct sec *s,
			       uint64_t off)
{
	size_t i = rel_first(s, off + 1), k;
	struct sym *y = sym_at(s, off);

	if (y)
		return y->name;
	for (k = 0; k < 4 && k < i; k++) {
		struct target t = rel_target(o, s, &s->rel[i - 1 - k], 0);
		struct sym *f;

		if (!t.sec || !t.sec->exec || t.off < 0 ||
		    off - s->rel[i - 1 - k].off > 64)
			continue;
		f = sym_at(t.sec, t.off);
		if (f)
			return f->name;
	}
	return s->name;
}

static void hex(char *buf, size_t len, const unsigned char *p, uint64_t n)
{
	size_t i, w = 0;

	buf[0] = 0;
	for (i = 0; i < n && i < 8 && w + 4 < len; i++)
		w += snprintf(buf + w, len - w, i ? " %02x" : "%02x", p[i]);
}

struct range {
	const struct obj *a, *b;
	struct sec *s, *t;
	uint64_t s0, t0, n;	/* where it begins, on either side; bytes */
	const char *name;	/* or NULL: tell by place */
};

/* Fields of the same kind at the same place on both sides */
static const struct mask *both_masked(const struct range *g, uint64_t off)
{
	const struct mask *x = mask_at(g->s, g->s0 + off);
	const struct mask *y = mask_at(g->t, g->t0 + off);

	if (!x || !y || x->kind != y->kind || x->len != y->len ||
	    x->off - g->s0 != y->off - g->t0)
		return NULL;
	return x;
}

static bool implicit_field(const struct sec *s, uint64_t off)
{
	size_t i;

	if (!s->implicit)
		return false;
	i = rel_first(s, off);
	if (i < s->nrel && s->rel[i].off == off && s->rel[i].size)
		return true;
	return i && off - s->rel[i - 1].off < s->rel[i - 1].size;
}

static const char *range_owner(const struct range *g, uint64_t off)
{
	if (g->name)
		return g->name;
	return g->s->exec ? owner(g->s, g->s0 + off) :
			    table_owner(g->a, g->s, g->s0 + off);
}

/*
 * A displacement that the assembler resolved: to another function, which
 * only moved? Counted from the function's begin, as both sides are.
 */
static bool same_resolved(const struct range *g, uint64_t off)
{
	uint64_t i;
	struct insn x, y;
	struct sym *f, *h;

	if (!g->name || !g->s->exec || !dis_supported(g->a))
		return false;
	for (i = 0; i <= off; i += x.len) {
		dis_one(g->a, g->s, g->s0 + i, g->s0 + g->n, &x);
		dis_one(g->b, g->t, g->t0 + i, g->t0 + g->n, &y);
		if (x.kind == INSN_BAD || x.kind != y.kind || x.len != y.len)
			return false;
		if (off >= i + x.len)
			continue;
		if (!x.has_target || !y.has_target || x.cond != y.cond ||
		    x.fixed != y.fixed || x.target < 0 || y.target < 0 ||
		    (g->a->machine == EM_X86_64 &&
		     (off - i < x.disp || off - i >= x.disp + x.displen)))
			return false;
		f = sym_at(g->s, x.target);
		h = sym_at(g->t, y.target);
		return f && h && !strcmp(f->norm, h->norm) &&
		       f->rank == h->rank &&
		       x.target - (int64_t)f->value ==
		       y.target - (int64_t)h->value;
	}
	return false;
}

static bool is_location(const struct mask *m)
{
	return m->kind == MASK_UBSAN_LOC || m->kind == MASK_KASAN_LOC;
}

static char *location(const struct obj *o, const struct sec *s, uint64_t off)
{
	unsigned int ps = o->eclass == ELFCLASS64 ? 8 : 4;
	const struct rel *x = rel_at(s, off);
	const char *file = "?", *slash;
	struct target t = { 0 };

	if (x)
		t = rel_target(o, s, x, 0);
	if (t.sec && t.off >= 0 && sec_string(t.sec, t.off, &file)) {
		slash = strrchr(file, '/');
		file = slash ? slash + 1 : file;
	}
	return xprintf("%s:%lu:%lu", file,
		       (unsigned long)obj_get(o, s->data + off + ps, 4),
		       (unsigned long)obj_get(o, s->data + off + ps + 4, 4));
}

/* A masked field that differs, found at @off: for the list */
static void list_field(struct result *r, const struct range *g, uint64_t off,
		       const struct mask *m)
{
	uint64_t v = g->t0 + (m->off - g->s0);
	unsigned int len = m->len > 4 ? 4 : m->len;
	char *x, *y;

	if (is_location(m)) {
		x = location(g->a, g->s, m->off);
		y = location(g->b, g->t, v);
	} else {
		x = xprintf("%lu", (unsigned long)
			    obj_get(g->a, g->s->data + m->off, len));
		y = xprintf("%lu", (unsigned long)
			    obj_get(g->b, g->t->data + v, len));
	}
	mask_used(r, m->kind, "%s+%#lx %s: %s, new %s", g->s->name,
		  (unsigned long)m->off, range_owner(g, off), x, y);
	free(x);
	free(y);
}

/* Compare a stretch of content and its relocations; count differences */
static size_t compare_range(const struct range *g, struct result *r,
			    bool count)
{
	unsigned int ps = g->a->eclass == ELFCLASS64 ? 8 : 4;
	const struct mask *last = NULL;
	size_t found = 0, i, k, ei, ek;
	uint64_t off, from;
	char x[200], y[200];

	for (off = 0; g->s->data && g->t->data && off < g->n; off++) {
		const struct mask *m;

		if (g->s->data[g->s0 + off] == g->t->data[g->t0 + off])
			continue;
		if (implicit_field(g->s, g->s0 + off) &&
		    implicit_field(g->t, g->t0 + off))
			continue;
		if (!g->name && kdesc_at(g->s, g->s0 + off, ps) &&
		    kdesc_at(g->t, g->t0 + off, ps))
			continue;
		if (same_resolved(g, off))
			continue;
		m = both_masked(g, off);
		if (m) {
			if (m != last && count)
				list_field(r, g, off, m);
			last = m;
			continue;
		}
		from = off;
		while (off < g->n && off - from < 16 &&
		       g->s->data[g->s0 + off] != g->t->data[g->t0 + off] &&
		       !both_masked(g, off))
			off++;
		if (!found++) {
			uint64_t u = g->s0 + from, v = g->t0 + from;
			struct diff *d;

			hex(x, sizeof(x), g->s->data + u, off - from);
			hex(y, sizeof(y), g->t->data + v, off - from);
			d = diff_add(r, g->s->name, range_owner(g, from),
				     "bytes %s, new %s", x, y);
			diff_at(d, &u, &v);
		} else if (!g->name) {
			/* one line for each function or entry */
			struct diff *d = &r->diff[r->ndiff - 1];
			uint64_t u = g->s0 + from, v = g->t0 + from;
			const char *who = range_owner(g, from);

			if (strcmp(d->func, who)) {
				hex(x, sizeof(x), g->s->data + u, off - from);
				hex(y, sizeof(y), g->t->data + v, off - from);
				d = diff_add(r, g->s->name, who,
					     "bytes %s, new %s", x, y);
				diff_at(d, &u, &v);
			}
		}
		off--;
	}
	i = rel_first(g->s, g->s0);
	ei = rel_first(g->s, g->s0 + g->n);
	k = rel_first(g->t, g->t0);
	ek = rel_first(g->t, g->t0 + g->n);
	while (i < ei || k < ek) {
		const struct rel *p = i < ei ? &g->s->rel[i] : NULL;
		const struct rel *q = k < ek ? &g->t->rel[k] : NULL;
		uint64_t u = p ? p->off : 0, v = q ? q->off : 0;
		const struct mask *m;
		struct diff *d = NULL;

		if (p && q && u - g->s0 == v - g->t0) {
			i++;
			k++;
			if (count)
				r->relocs++;
			if (!g->name && kdesc_at(g->s, u, ps) &&
			    kdesc_at(g->t, v, ps))
				continue;
			if (p->type == q->type &&
			    same_target(g->a, g->s, p, g->b, g->t, q))
				continue;
			m = p->type == q->type ?
			    both_masked(g, u - g->s0) : NULL;
			if (m && m->off == u && is_location(m)) {
				/* once, if its line differs as well */
				if (count && !memcmp(g->s->data + u + ps,
						     g->t->data + v + ps, 8))
					list_field(r, g, u - g->s0, m);
				continue;
			}
			rel_text(g->a, g->s, p, x, sizeof(x));
			rel_text(g->b, g->t, q, y, sizeof(y));
			found++;
			d = diff_add(r, g->s->name,
				     range_owner(g, u - g->s0),
				     "refers to %s, new %s", x, y);
			diff_at(d, &u, &v);
		} else if (!q || (p && u - g->s0 < v - g->t0)) {
			i++;
			found++;
			d = diff_add(r, g->s->name, range_owner(g, u - g->s0),
				     "a relocation is gone: %s",
				     rel_text(g->a, g->s, p, x, sizeof(x)));
			diff_at(d, &u, NULL);
		} else {
			k++;
			found++;
			d = diff_add(r, g->s->name, range_owner(g, v - g->t0),
				     "a relocation is new: %s",
				     rel_text(g->b, g->t, q, y, sizeof(y)));
			diff_at(d, NULL, &v);
		}
	}
	return found;
}

/*
 * Names of KASAN globals are compared with what they name; names of files that
 * only sanitizers use are passed over.
 */
static bool told_apart(const struct token *k)
{
	return k->dropped || (k->kasan_refs && k->kasan_refs == k->refs);
}

static void compare_strings(struct obj *a, struct sec *s, struct sec *t,
			    struct result *r)
{
	bool asan = obj_has_prefix(a, "__asan_"), masked;
	size_t i, k, names = 0, n = 0, m = 0;

	for (i = 0; i < s->ntok; i++)
		n += !s->tok[i].dropped;
	for (i = 0; i < t->ntok; i++)
		m += !t->tok[i].dropped;
	for (i = 0; i < s->ntok; i++) {
		names += told_apart(&s->tok[i]) && !s->tok[i].dropped;
		if (asan && frame_description((const char *)s->data +
					      s->tok[i].off, s->tok[i].len,
					      NULL, 0))
			r->fields[MASK_KASAN_FRAME]++;
	}
	for (i = 0; i < t->ntok; i++)
		names -= told_apart(&t->tok[i]) && !t->tok[i].dropped;
	for (i = k = 0; i < s->ntok || k < t->ntok; i++, k++) {
		struct token *u, *v;
		struct diff *d;

		while (i < s->ntok && told_apart(&s->tok[i]))
			i++;
		while (k < t->ntok && told_apart(&t->tok[k]))
			k++;
		if (i >= s->ntok || k >= t->ntok)
			break;
		u = &s->tok[i];
		v = &t->tok[k];
		if (same_string(a, s, u->off, u->len, t, v->off, v->len,
				&masked)) {
			if (masked)
				mask_used(r, MASK_KASAN_FRAME,
					  "%s+%#lx: \"%.80s\", new \"%.80s\"",
					  s->name, (unsigned long)u->off,
					  (const char *)s->data + u->off,
					  (const char *)t->data + v->off);
			continue;
		}
		d = diff_add(r, s->name, NULL,
			     "string %zu is \"%.*s\", new \"%.*s\"", i,
			     (int)(u->len < 120 ? u->len : 120),
			     (const char *)s->data + u->off,
			     (int)(v->len < 120 ? v->len : 120),
			     (const char *)t->data + v->off);
		diff_at(d, &u->off, &v->off);
		if (n != m)
			return;		/* all that follow are shifted */
	}
	if (n != m || names)
		diff_add(r, s->name, NULL, "%zu strings, new %zu", n, m);
}

/* A label of the compiler's, as KASAN names what has no name: "*.LC12" of gcc,
 * ".str.3" of clang: the length without its number
 */
static size_t label(const char *str)
{
	size_t n = strlen(str), k = n;

	while (k && isdigit((unsigned char)str[k - 1]))
		k--;
	if (!strncmp(str, "*.L", 3))
		return k > 3 && k < n ? k : 0;
	if (!strncmp(str, ".str", 4))
		return n == 4 || (k == 5 && k < n && str[4] == '.') ? 4 : 0;
	return 0;
}

static bool same_label(const struct obj *a, const struct sec *s,
		       const struct rel *x, const struct obj *b,
		       const struct sec *t, const struct rel *y)
{
	struct target p = rel_target(a, s, x, 0), q = rel_target(b, t, y, 0);
	const char *u, *v;
	size_t n;

	if (p.name || q.name || !p.sec || !q.sec ||
	    !sec_string(p.sec, p.off, &u) || !sec_string(q.sec, q.off, &v))
		return false;
	n = label(u);
	return n && n == label(v) && !strncmp(u, v, n);
}

/* Two descriptors of KASAN globals; *@masked: but for the label's number */
static bool same_kdesc(const struct obj *a, const struct sec *s, uint64_t x,
		       const struct obj *b, const struct sec *t, uint64_t y,
		       bool *masked)
{
	unsigned int ps = a->eclass == ELFCLASS64 ? 8 : 4, w;

	*masked = false;
	for (w = 0; w < 8; w++, x += ps, y += ps) {
		const struct rel *p = rel_at(s, x), *q = rel_at(t, y);

		if (!p != !q)
			return false;
		if (w == 3 && p && p->type == q->type &&
		    !same_target(a, s, p, b, t, q) &&
		    same_label(a, s, p, b, t, q)) {
			*masked = true;
			continue;
		}
		if (p ? p->type != q->type || !same_target(a, s, p, b, t, q) :
			memcmp(s->data + x, t->data + y, ps) != 0)
			return false;
	}
	return true;
}

/* gcc's array of KASAN globals: the same ones, in any order */
static void compare_kasan(struct obj *a, struct sec *s, struct obj *b,
			  struct sec *t, struct result *r)
{
	bool *used = xalloc(t->nkdesc + 1, sizeof(*used)), label = false;
	size_t i, k, n, place = 0;
	uint64_t moved = 0;

	for (i = 0; i < s->nkdesc; i++) {
		struct diff *d;

		if (drop_at(s, s->kdesc[i]))
			continue;
		r->fields[MASK_KASAN_ORDER]++;
		r->fields[MASK_KASAN_LABEL]++;
		/* most are where they were */
		while (place < t->nkdesc && drop_at(t, t->kdesc[place]))
			place++;
		for (n = 0; n < t->nkdesc; n++) {
			k = (place + n) % t->nkdesc;
			if (!used[k] && !drop_at(t, t->kdesc[k]) &&
			    same_kdesc(a, s, s->kdesc[i], b, t, t->kdesc[k],
				       &label))
				break;
		}
		if (n < t->nkdesc) {
			used[k] = true;
			moved = kept_off(t, t->kdesc[k]);
			if (kept_off(s, s->kdesc[i]) != moved)
				mask_used(r, MASK_KASAN_ORDER,
					  "%s+%#lx: descriptor of a global, new at %#lx",
					  s->name, (unsigned long)s->kdesc[i],
					  (unsigned long)t->kdesc[k]);
			if (label)
				mask_used(r, MASK_KASAN_LABEL,
					  "%s+%#lx: number of a label",
					  s->name, (unsigned long)s->kdesc[i]);
			place++;
			continue;
		}
		place++;
		d = diff_add(r, s->name, table_owner(a, s, s->kdesc[i]),
			     "a descriptor of a KASAN global has no equal");
		diff_at(d, &s->kdesc[i], NULL);
	}
	for (k = 0; k < t->nkdesc; k++)
		if (!used[k] && !drop_at(t, t->kdesc[k])) {
			struct diff *d = diff_add(r, t->name,
				table_owner(b, t, t->kdesc[k]),
				"a descriptor of a KASAN global is new");

			diff_at(d, NULL, &t->kdesc[k]);
		}
	free(used);
}

/* Names of files that are passed over, and are not on both sides */
static void list_dropped(struct obj *a, struct obj *b, struct result *r,
			 const char *how)
{
	size_t i, k, n, m;

	for (i = 1; i < a->nsec; i++)
		for (k = 0; k < a->sec[i].ndrop; k++) {
			const struct drop *d = &a->sec[i].drop[k];
			bool there = false;

			if (!d->file)
				continue;
			if (how)
				r->fields[MASK_SAN_FILE]++;
			for (n = 1; n < b->nsec && !there; n++)
				for (m = 0; m < b->sec[n].ndrop; m++)
					there |= b->sec[n].drop[m].file &&
						 !strcmp(b->sec[n].drop[m].file,
							 d->file);
			if (!there)
				mask_used(r, MASK_SAN_FILE, "%s+%#lx \"%s\" %s",
					  a->sec[i].name, (unsigned long)d->off,
					  d->file, how ? how : "is new");
		}
}

static bool same_layout(const struct sec *s, const struct sec *t)
{
	size_t i;

	if (s->size != t->size || s->nsym != t->nsym)
		return false;
	for (i = 0; i < s->nsym; i++)
		if (s->sym[i]->value != t->sym[i]->value ||
		    s->sym[i]->size != t->sym[i]->size ||
		    strcmp(s->sym[i]->norm, t->sym[i]->norm))
			return false;
	return true;
}

/* Functions are not where they were: say which of them changed */
static void compare_functions(struct obj *a, struct sec *s, struct obj *b,
			      struct sec *t, struct result *r)
{
	size_t i, before = r->ndiff;

	for (i = 0; i < s->nsym; i++) {
		struct sym *f = s->sym[i], *g = sym_peer(f, b);
		struct range range = { a, b, s, t, f->value, 0, f->size,
				       f->name };
		struct diff *d;

		if (!func_is_code(f))
			continue;
		if (!g || g->sec != t) {
			d = diff_add(r, s->name, f->name,
				     "the function is in the base only");
			diff_at(d, &f->value, NULL);
			continue;
		}
		range.t0 = g->value;
		if (f->size != g->size) {
			d = diff_add(r, s->name, f->name,
				     "%lu bytes of code, new %lu",
				     (unsigned long)f->size,
				     (unsigned long)g->size);
			diff_at(d, &f->value, &g->value);
		} else if (!s->data || !t->data ||
			   !compare_range(&range, r, false)) {
			continue;
		}
		d = &r->diff[r->ndiff - 1];
		free(d->detail);
		d->detail = side_by_side(a, f, b, g, opt.verbose ? 60 : 12);
	}
	for (i = 0; i < t->nsym; i++) {
		struct sym *g = t->sym[i], *f;

		if (!func_is_code(g))
			continue;
		f = sym_peer(g, a);
		if (!f || f->sec != s) {
			struct diff *d = diff_add(r, t->name, g->name,
						  "the function is new");

			diff_at(d, NULL, &g->value);
		}
	}
	if (r->ndiff == before)
		diff_add(r, s->name, NULL,
			 "no function changed, but they are in other places (%lu bytes, new %lu)",
			 (unsigned long)s->size, (unsigned long)t->size);
}

/* The end of the stretch that begins at @off and is not passed over */
static uint64_t kept_end(const struct sec *s, uint64_t *off)
{
	const struct drop *d;
	size_t i;

	while ((d = drop_at(s, *off)))
		*off = d->off + d->len;
	for (i = 0; i < s->ndrop; i++)
		if (s->drop[i].off > *off)
			return s->drop[i].off;
	return s->size;
}

/* The same as compare_range(), without what is passed over on either side */
static void compare_kept(const struct range *whole, struct result *r)
{
	uint64_t x = 0, y = 0, n, m;

	for (;;) {
		struct range g = *whole;

		n = kept_end(g.s, &x) - x;
		m = kept_end(g.t, &y) - y;
		g.n = n < m ? n : m;
		if (!g.n)
			return;
		g.s0 = x;
		g.t0 = y;
		compare_range(&g, r, true);
		x += g.n;
		y += g.n;
	}
}

static void compare_section(struct obj *a, struct sec *s, struct obj *b,
			    struct sec *t, struct result *r)
{
	struct range range = { a, b, s, t, 0, 0, s->size, NULL };
	size_t first = r->ndiff, i;

	r->sections++;
	r->bytes += s->size;
	for (i = 0; i < s->nmask; i++)
		r->fields[s->mask[i].kind]++;
	if (s->align != t->align)
		diff_add(r, s->name, NULL, "aligned to %lu, new %lu",
			 (unsigned long)s->align, (unsigned long)t->align);
	if (s->entsize != t->entsize)
		diff_add(r, s->name, NULL, "entries of %lu bytes, new %lu",
			 (unsigned long)s->entsize, (unsigned long)t->entsize);
	if (s->flags & SHF_LINK_ORDER) {
		struct sec *x = s->link < a->nsec ? &a->sec[s->link] : NULL;
		struct sec *y = t->link < b->nsec ? &b->sec[t->link] : NULL;

		if (!x || !y || x->peer != y)
			diff_add(r, s->name, NULL,
				 "is ordered by %s, new by %s",
				 x ? x->name : "?", y ? y->name : "?");
	}
	if (!s->data != !t->data && s->size && t->size) {
		diff_add(r, s->name, NULL, "has content on one side only");
		return;
	}
	if (s->strings && t->strings && !s->nrel && !t->nrel) {
		compare_strings(a, s, t, r);
		return;
	}
	if (s->exec && !same_layout(s, t)) {
		compare_functions(a, s, b, t, r);
		return;
	}
	if (kept_off(s, s->size) != kept_off(t, t->size)) {
		struct diff *d;
		uint64_t off = 0, n = s->size < t->size ? s->size : t->size;

		while (s->data && t->data && off < n &&
		       (s->data[off] == t->data[off] ||
			(mask_at(s, off) && mask_at(t, off))))
			off++;
		d = diff_add(r, s->name, NULL, "%lu bytes, new %lu",
			     (unsigned long)s->size, (unsigned long)t->size);
		diff_at(d, &off, &off);
		return;
	}
	if (!s->ndrop && !t->ndrop)
		compare_range(&range, r, true);
	else
		compare_kept(&range, r);
	if (s->nkdesc || t->nkdesc)
		compare_kasan(a, s, b, t, r);
	if (!s->exec)
		return;
	/* a look at the code of the first few functions that differ */
	for (i = first; i < r->ndiff && i < first + 8; i++) {
		struct diff *d = &r->diff[i];
		struct sym *f = sym_at(s, d->off_base), *g;

		if (!d->has_base || d->detail || !f || !func_is_code(f) ||
		    (i > first && !strcmp(d->func, r->diff[i - 1].func)))
			continue;
		g = sym_peer(f, b);
		if (g && g->sec == t)
			d->detail = side_by_side(a, f, b, g,
						 opt.verbose ? 60 : 12);
	}
}

static bool listed(const struct sym *y)
{
	if (y->bind != STB_LOCAL)
		return true;
	return (y->sec && !y->sec->alloc) ? false :
	       y->type == STT_FUNC || y->type == STT_OBJECT ||
	       y->type == STT_TLS || y->type == STT_GNU_IFUNC;
}

static int by_symbol(const void *a, const void *b)
{
	const struct sym *x = *(struct sym *const *)a;
	const struct sym *y = *(struct sym *const *)b;
	int c = strcmp(x->norm, y->norm);

	if (c)
		return c;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->idx < y->idx ? -1 : x->idx > y->idx;
}

static struct sym **symbols(struct obj *o, size_t *n)
{
	struct sym **v = xalloc(o->nsym + 1, sizeof(*v));
	size_t i;

	*n = 0;
	for (i = 0; i < o->nsym; i++)
		if (listed(&o->sym[i]))
			v[(*n)++] = &o->sym[i];
	qsort(v, *n, sizeof(*v), by_symbol);
	return v;
}

static const char *sym_sec(const struct sym *y)
{
	return y->sec ? y->sec->name : y->shndx == SHN_UNDEF ? "undefined" :
	       y->shndx == SHN_ABS ? "absolute" : "common";
}

/* A difference in a function is told once, by its code */
static bool told(const struct result *r, const struct sym *y)
{
	size_t i;

	if (!y->sec || !y->sec->exec)
		return false;
	for (i = 0; i < r->ndiff; i++)
		if (!strcmp(r->diff[i].section, y->sec->name))
			return true;
	return false;
}

static void compare_symbols(struct obj *a, struct obj *b, struct result *r)
{
	size_t n, m, i = 0, k = 0;
	struct sym **x = symbols(a, &n), **y = symbols(b, &m);

	while (i < n || k < m) {
		struct sym *p = i < n ? x[i] : NULL, *q = k < m ? y[k] : NULL;
		int c = !p ? 1 : !q ? -1 : strcmp(p->norm, q->norm);
		uint64_t u, v;

		if (c < 0) {
			i++;
			if (!told(r, p))
				diff_add(r, sym_sec(p), p->name,
					 "the symbol is in the base only");
			continue;
		}
		if (c > 0) {
			k++;
			if (!told(r, q))
				diff_add(r, sym_sec(q), q->name,
					 "the symbol is new");
			continue;
		}
		i++;
		k++;
		r->symbols++;
		if (strcmp(p->name, q->name))
			r->renamed++;
		if (p->bind != q->bind || p->type != q->type ||
		    p->vis != q->vis || !p->sec != !q->sec ||
		    (p->sec && p->sec->alloc && p->sec->peer != q->sec) ||
		    (!p->sec && p->shndx != q->shndx)) {
			diff_add(r, sym_sec(p), p->name,
				 "symbol: binding %u type %u visibility %u in %s, new %u %u %u in %s",
				 p->bind, p->type, p->vis, sym_sec(p), q->bind,
				 q->type, q->vis, sym_sec(q));
			continue;
		}
		u = p->value;
		v = q->value;
		if (p->sec && p->sec->strings && q->sec->strings) {
			struct token *s = token_at(p->sec, u);
			struct token *t = token_at(q->sec, v);

			if (s && t) {
				u = token_rank(p->sec, s);
				v = token_rank(q->sec, t);
			}
		}
		if (p->sec && q->sec && !p->sec->exec && !p->sec->strings) {
			u = kept_off(p->sec, u);
			v = kept_off(q->sec, v);
		}
		if ((u != v || p->size != q->size) && !told(r, p))
			diff_add(r, sym_sec(p), p->name,
				 "symbol at %#lx, %lu bytes; new at %#lx, %lu",
				 (unsigned long)p->value,
				 (unsigned long)p->size,
				 (unsigned long)q->value,
				 (unsigned long)q->size);
	}
	free(x);
	free(y);
}

/**
 * level0 - compare everything that is loaded
 * @a: base
 * @b: new
 * @r: result; its verdict is set
 */
void level0(struct obj *a, struct obj *b, struct result *r)
{
	size_t i;

	if (a->flags != b->flags)
		diff_add(r, NULL, NULL, "ELF header flags %#x, new %#x",
			 a->flags, b->flags);
	obj_pair(a, b, r);
	for (i = 1; i < a->nsec; i++)
		if (a->sec[i].alloc && a->sec[i].peer)
			compare_section(a, &a->sec[i], b, a->sec[i].peer, r);
	compare_symbols(a, b, r);
	list_dropped(a, b, r, "is gone");
	list_dropped(b, a, r, NULL);
	r->verdict = r->ndiff ? "DIFFERENT" : r->nmask ?
		     "identical-with-masks" : "identical";
}
