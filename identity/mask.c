// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fields that say where in the source something is, and so may differ when
 * it moved. Each object is looked at by itself; a field is masked only if both
 * objects have one of the same kind at the same place. What a field is follows
 * from the structure around it, strictly: what does not match is compared.
 */
#include <ctype.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "objcmp.h"

const char *const mask_name[MASK_KINDS] = {
	[MASK_BUG_LINE] = "bug-line",
	[MASK_UBSAN_LOC] = "ubsan-location",
	[MASK_KASAN_LOC] = "kasan-location",
	[MASK_KASAN_ORDER] = "kasan-order",
	[MASK_KASAN_LABEL] = "kasan-label",
	[MASK_KASAN_FRAME] = "kasan-frame",
	[MASK_KASAN_COUNT] = "kasan-count",
	[MASK_SAN_FILE] = "sanitizer-file",
	[MASK_ALLOC_TAG] = "alloc-tag",
	[MASK_MIGHT_SLEEP] = "might-sleep",
};

static void mask_add(struct sec *s, uint64_t off, unsigned int len,
		     enum mask_kind kind)
{
	size_t i;

	if (off > s->size || s->size - off < len)
		return;
	for (i = 0; i < s->nmask; i++)
		if (off < s->mask[i].off + s->mask[i].len &&
		    s->mask[i].off < off + len)
			return;
	s->mask = xgrow(s->mask, s->nmask, sizeof(*s->mask));
	s->mask[s->nmask++] = (struct mask){ off, len, kind, false };
}

/**
 * kdesc_at - does a KASAN global's descriptor cover an offset?
 * @s: section
 * @off: offset in it
 * @ps: size of a pointer, bytes
 */
bool kdesc_at(const struct sec *s, uint64_t off, unsigned int ps)
{
	size_t lo = 0, hi = s->nkdesc;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (s->kdesc[mid] <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && off - s->kdesc[lo - 1] < 8 * ps;
}

/* struct mask and struct drop begin with their offset */
static int by_off(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/**
 * drop_at - the stretch that is passed over and covers an offset, or NULL
 * @s: section
 * @off: offset in it
 */
const struct drop *drop_at(const struct sec *s, uint64_t off)
{
	size_t i;

	for (i = 0; i < s->ndrop && s->drop[i].off <= off; i++)
		if (off - s->drop[i].off < s->drop[i].len)
			return &s->drop[i];
	return NULL;
}

/**
 * kept_off - an offset, not counting what is passed over before it
 * @s: section
 * @off: offset in it
 */
uint64_t kept_off(const struct sec *s, uint64_t off)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < s->ndrop && s->drop[i].off < off; i++)
		n += off - s->drop[i].off < s->drop[i].len ?
		     off - s->drop[i].off : s->drop[i].len;
	return off - n;
}

/**
 * mask_at - the masked field that covers an offset
 * @s: section
 * @off: offset in it
 */
const struct mask *mask_at(const struct sec *s, uint64_t off)
{
	size_t lo = 0, hi = s->nmask;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (s->mask[mid].off <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo && off - s->mask[lo - 1].off < s->mask[lo - 1].len)
		return &s->mask[lo - 1];
	return NULL;
}

/**
 * rel_at - the relocation that begins at an offset, if there is just one
 * @s: section
 * @off: offset in it
 */
const struct rel *rel_at(const struct sec *s, uint64_t off)
{
	size_t i = rel_first(s, off);

	if (i == s->nrel || s->rel[i].off != off ||
	    (i + 1 < s->nrel && s->rel[i + 1].off == off))
		return NULL;
	return &s->rel[i];
}

static bool points_to(const struct obj *o, const struct sec *s, uint64_t off,
		      struct target *t)
{
	const struct rel *r = rel_at(s, off);

	if (!r)
		return false;
	*t = rel_target(o, s, r, 0);
	return t->sec && t->sec->alloc && t->off >= 0 &&
	       (uint64_t)t->off <= t->sec->size;
}

/* Does the pointer at @off lead to the name of a source file? */
static bool points_to_file(const struct obj *o, const struct sec *s,
			   uint64_t off)
{
	struct target t;
	const char *str;
	size_t n;

	if (!points_to(o, s, off, &t) || !sec_string(t.sec, t.off, &str))
		return false;
	n = strlen(str);
	return n > 2 && str[n - 2] == '.' && strchr("chS", str[n - 1]) &&
	       !memchr(str, '%', n) && !memchr(str, '\n', n);
}

/*
 * __bug_table: struct bug_entry of include/asm-generic/bug.h and of x86,
 * arm64, powerpc and s390: [addr] [format] [file line] flags, pointers as
 * 32-bit displacements or as addresses. The line follows the file name, and
 * only with CONFIG_DEBUG_BUGVERBOSE is there one.
 */
static void find_bug_lines(struct obj *o, struct sec *s)
{
	size_t i, k;

	for (i = 0; i < s->nrel; i++) {
		const struct rel *r = &s->rel[i];
		unsigned int len;
		struct target t;

		if (!points_to_file(o, s, r->off))
			continue;
		len = r->size;
		/* an entry begins with the address of its code */
		for (k = 1; k <= 2 && k <= i; k++)
			if (s->rel[i - k].off == r->off - k * len &&
			    points_to(o, s, s->rel[i - k].off, &t) &&
			    t.sec->exec)
				break;
		if (k > 2 || k > i || (len != 4 && len != 8))
			continue;
		/* the line and the flags come before the next entry */
		if (i + 1 < s->nrel && s->rel[i + 1].off < r->off + len + 4)
			continue;
		mask_add(s, r->off + len, 2, MASK_BUG_LINE);
	}
}

/* lib/ubsan.h: struct type_descriptor: kind, info, 'name in quotes' */
static bool points_to_type(const struct obj *o, const struct sec *s,
			   uint64_t off)
{
	struct target t;
	const char *str;
	unsigned int kind;
	size_t n;

	if (!points_to(o, s, off, &t) || !t.sec->data ||
	    t.sec->size - t.off < 4 || !sec_string(t.sec, t.off + 4, &str))
		return false;
	kind = obj_get(o, t.sec->data + t.off, 2);
	n = strlen(str);
	return (kind == 0 || kind == 1 || kind == 0xffff) && n > 2 &&
	       str[0] == '\'' && strchr(str + 1, '\'');
}

/*
 * lib/ubsan.h: every *_data begins with a struct source_location (file, line,
 * column) and goes on with a type descriptor, but for unreachable_data, which
 * is its location only; alignment_assumption_data has two locations first.
 */
static void find_ubsan(struct obj *o, struct sec *s)
{
	unsigned int ps = o->eclass == ELFCLASS64 ? 8 : 4, loc = ps + 8;
	bool unreachable = obj_has_prefix(o, "__ubsan_handle_builtin_unreachable");
	bool align = obj_has_prefix(o, "__ubsan_handle_alignment_assumption");
	size_t i;

	if (!s->code_ref)
		return;
	for (i = 0; i < s->nrel; i++) {
		uint64_t off = s->rel[i].off;

		if (!points_to_file(o, s, off) || rel_at(s, off + ps) ||
		    rel_at(s, off + ps + 4))
			continue;
		if (points_to_type(o, s, off + loc)) {
			mask_add(s, off, ps + 8, MASK_UBSAN_LOC);
		} else if (align && points_to_file(o, s, off + loc) &&
			   points_to_type(o, s, off + 2 * loc)) {
			mask_add(s, off, ps + 8, MASK_UBSAN_LOC);
			mask_add(s, off + loc, ps + 8, MASK_UBSAN_LOC);
		} else if (unreachable && !rel_at(s, off + loc) &&
			   bsearch(&off, s->bound, s->nbound, sizeof(off),
				   by_off)) {
			/* { file, int, int } alone could be somebody's own:
			 * only if code refers to this very place
			 */
			mask_add(s, off, ps + 8, MASK_UBSAN_LOC);
		}
	}
}

/*
 * mm/kasan/kasan.h: struct kasan_global, eight words: beg, size,
 * size_with_redzone, name, module_name, has_dynamic_init, location,
 * odr_indicator; the location is { file, line, column } or none.
 *
 * gcc takes string constants into its array in the order of a hash table,
 * where the constants hash by content, the frame descriptions with their
 * lines among them: other lines, another order (seen with gcc 12). So these
 * descriptors are compared as a set, and each one field by field.
 */
static void find_kasan_globals(struct obj *o, struct sec *s)
{
	unsigned int ps = o->eclass == ELFCLASS64 ? 8 : 4;
	size_t i;

	for (i = 0; i < s->nrel; i++) {
		uint64_t off = s->rel[i].off, size, zone;
		struct target t, name;
		const char *str;
		bool loc;

		if (s->size - off < 8 * ps || !s->data || off % ps ||
		    kdesc_at(s, off, ps) ||
		    !points_to(o, s, off, &t) || rel_at(s, off + ps) ||
		    rel_at(s, off + 2 * ps) || rel_at(s, off + 5 * ps))
			continue;
		size = obj_get(o, s->data + off + ps, ps);
		zone = obj_get(o, s->data + off + 2 * ps, ps);
		if (zone % 32 || zone <= size || zone - size > 1 << 20 ||
		    zone > t.sec->size)
			continue;
		if (!points_to(o, s, off + 3 * ps, &name) ||
		    !sec_string(name.sec, name.off, &str) ||
		    !points_to_file(o, s, off + 4 * ps))
			continue;
		loc = rel_at(s, off + 6 * ps);
		if (loc && (!points_to(o, s, off + 6 * ps, &t) ||
			    !points_to_file(o, t.sec, t.off) ||
			    rel_at(t.sec, t.off + ps)))
			continue;
		if (!loc && obj_get(o, s->data + off + 6 * ps, ps))
			continue;
		if (loc)
			mask_add(t.sec, t.off, ps + 8, MASK_KASAN_LOC);
		/* clang's are sections of their own, or in order */
		if (strcmp(s->name, ".data"))
			continue;
		s->kdesc = xgrow(s->kdesc, s->nkdesc, sizeof(*s->kdesc));
		s->kdesc[s->nkdesc++] = off;
		if (name.sec->strings) {
			struct token *k = token_at(name.sec, name.off);

			if (k && k->off == (uint64_t)name.off)
				k->kasan_refs++;
		}
	}
}

/*
 * include/linux/codetag.h: struct codetag { flags, lineno, modname, function,
 * filename }, aligned to 8, in a struct alloc_tag with one pointer more.
 */
static void find_alloc_tags(struct obj *o, struct sec *s)
{
	unsigned int ps = o->eclass == ELFCLASS64 ? 8 : 4;
	unsigned int stride = ps == 8 ? 40 : 32;
	uint64_t off;

	if (s->size % stride)
		return;
	for (off = 0; off < s->size; off += stride)
		if (rel_at(s, off + 8 + ps) && !rel_at(s, off) &&
		    !rel_at(s, off + 4) && points_to_file(o, s, off + 8 + 2 * ps))
			mask_add(s, off + 4, 4, MASK_ALLOC_TAG);
}

static bool is_word(const char *text, const char *reg)
{
	size_t n = strlen(reg);
	const char *p;

	for (p = text; (p = strstr(p, reg)); p++)
		if ((p == text || !isalnum((unsigned char)p[-1])) &&
		    !isalnum((unsigned char)p[n]))
			return true;
	return false;
}

/* Is the instruction "second argument = constant"? Where is the constant? */
static bool sets_line(const struct obj *o, const unsigned char *p, size_t len,
		      unsigned int *off, unsigned int *flen)
{
	uint32_t w = len >= 4 ? obj_get(o, p, 4) : 0;

	*off = 0;
	*flen = 4;
	switch (o->machine) {
	case EM_X86_64:			/* mov $imm32,%esi */
		*off = 1;
		return len == 5 && p[0] == 0xbe;
	case EM_386:			/* mov $imm32,%edx */
		*off = 1;
		return len == 5 && p[0] == 0xba;
	case EM_AARCH64:		/* mov w1, #imm16 */
		return len == 4 && (w & 0xffe0001f) == 0x52800001;
	case EM_PPC64:			/* li r4,simm16 */
		*off = o->be ? 2 : 0;
		*flen = 2;
		return len == 4 && w >> 16 == 0x3880;
	case EM_S390:			/* lghi or lhi %r3,simm16 */
		*off = 2;
		*flen = 2;
		return len == 4 && (w >> 16 == 0xa739 || w >> 16 == 0xa738);
	}
	return false;
}

static bool touches_line_reg(const struct obj *o, const char *text)
{
	switch (o->machine) {
	case EM_X86_64:
		return is_word(text, "esi") || is_word(text, "rsi") ||
		       is_word(text, "sil") || is_word(text, "si");
	case EM_386:
		return is_word(text, "edx") || is_word(text, "dx") ||
		       is_word(text, "dl") || is_word(text, "dh");
	case EM_AARCH64:
		return is_word(text, "w1") || is_word(text, "x1");
	case EM_PPC64:
		return is_word(text, "4");
	case EM_S390:
		return is_word(text, "%r3");
	}
	return true;
}

/* Does control leave here for certain or perhaps? Then look no further. */
static bool ends_block(const char *text)
{
	static const char *const stop[] = {
		"j", "call", "ret", "b", "cb", "tb", "br", "loop", "ud", "int",
		"mtctr", "tw",
	};
	size_t i;

	while (isspace((unsigned char)*text))
		text++;
	/* b, bl, b.eq, br, brk, bne; but not bic, bfi, bsr, bt */
	for (i = 0; i < ARRAY_SIZE(stop); i++) {
		size_t n = strlen(stop[i]);

		if (strncmp(text, stop[i], n))
			continue;
		if (strcmp(stop[i], "b") || strchr("\t .l", text[1]) ||
		    strchr("rnegc", text[1]))
			return true;
	}
	return false;
}

/*
 * The second argument of calls of a function, where it is a constant, set in
 * the straight piece of code before the call; with @value, that constant only.
 */
static void find_second_argument(struct obj *o, struct sec *s,
				 const char *name, const uint64_t *value,
				 enum mask_kind kind)
{
	struct { uint64_t off; unsigned int len; char text[96]; } last[64];
	size_t i;

	for (i = 0; i < s->nrel; i++) {
		const struct rel *r = &s->rel[i];
		struct sym *f = sym_at(s, r->off);
		uint64_t off = f ? f->value : 0;
		size_t n = 0, k;

		if (!r->sym || strcmp(r->sym->name, name) || !f)
			continue;
		while (off < r->off) {
			size_t slot = n % ARRAY_SIZE(last);

			last[slot].off = off;
			last[slot].len = dis_length(o, s, off, s->size,
						    last[slot].text,
						    sizeof(last[slot].text));
			if (!last[slot].len)
				break;
			off += last[slot].len;
			n++;
		}
		/* the last one is the call itself where it has an opcode */
		if (n && last[(n - 1) % ARRAY_SIZE(last)].off +
			 last[(n - 1) % ARRAY_SIZE(last)].len > r->off)
			n--;
		for (k = 1; k <= n && k < ARRAY_SIZE(last); k++) {
			size_t slot = (n - k) % ARRAY_SIZE(last);
			unsigned int at, len;

			if (sets_line(o, s->data + last[slot].off,
				      last[slot].len, &at, &len)) {
				at += last[slot].off;
				if (!value || obj_get(o, s->data + at, len) == *value)
					mask_add(s, at, len, kind);
				break;
			}
			if (ends_block(last[slot].text) ||
			    touches_line_reg(o, last[slot].text))
				break;
		}
	}
}

/* Is this a field that only names the file that something is in? */
static bool location_field(const struct obj *o, const struct sec *s,
			   uint64_t off)
{
	unsigned int ps = o->eclass == ELFCLASS64 ? 8 : 4;
	const struct mask *m = mask_at(s, off);

	if (m && m->off == off && (m->kind == MASK_UBSAN_LOC ||
				   m->kind == MASK_KASAN_LOC))
		return true;
	/* the module of a KASAN descriptor, which compilers merge with those */
	return off >= 4 * ps && kdesc_at(s, off, ps) &&
	       bsearch(&(uint64_t){ off - 4 * ps }, s->kdesc, s->nkdesc,
		       sizeof(*s->kdesc), by_off);
}

static void drop_add(struct sec *s, uint64_t off, uint64_t len,
		     const char *file)
{
	s->drop = xgrow(s->drop, s->ndrop, sizeof(*s->drop));
	s->drop[s->ndrop++] = (struct drop){ off, len, file };
}

/* The KASAN descriptor of the global that begins at @off of @t */
static struct sec *kdesc_of(struct obj *o, const struct sec *t, uint64_t off,
			    uint64_t *at)
{
	size_t i, k;

	for (i = 1; i < o->nsec; i++)
		for (k = 0; k < o->sec[i].nkdesc; k++) {
			const struct rel *r = rel_at(&o->sec[i],
						     o->sec[i].kdesc[k]);
			struct target d = rel_target(o, &o->sec[i], r, 0);

			if (d.sec == t && d.off == (int64_t)off) {
				*at = o->sec[i].kdesc[k];
				return &o->sec[i];
			}
		}
	return NULL;
}

/* Is all that refers to this stretch a source location, or KASAN's @at? */
static bool only_locations(const struct obj *o, const struct sec *t,
			   uint64_t off, uint64_t len, const struct sec *ks,
			   uint64_t at)
{
	size_t i, k;

	for (i = 1; i < o->nsec; i++) {
		const struct sec *s = &o->sec[i];

		for (k = 0; s->alloc && k < s->nrel; k++) {
			struct target d = rel_target(o, s, &s->rel[k],
						     rel_bias(o, s, &s->rel[k]));

			if (d.sec != t)
				continue;
			/* code may count from a place nearby */
			if (s->exec && o->machine == EM_AARCH64 && !t->strings)
				return false;
			if (d.off < (int64_t)off ||
			    d.off >= (int64_t)(off + len))
				continue;
			if (d.off == (int64_t)off &&
			    (location_field(o, s, s->rel[k].off) ||
			     (s == ks && s->rel[k].off == at)))
				continue;
			return false;
		}
	}
	for (i = 0; i < t->nsym; i++)
		if (t->sym[i]->value < off + len &&
		    t->sym[i]->value + t->sym[i]->size >= off)
			return false;
	return true;
}

/* The length of a string, with the zeros up to what comes next */
static uint64_t padded(const struct sec *t, uint64_t off, uint64_t len)
{
	size_t i = 0;

	while (i < t->nbound && t->bound[i] < off + len)
		i++;
	while (off + len < t->size && !t->data[off + len] &&
	       (i == t->nbound || off + len < t->bound[i]))
		len++;
	return len;
}

/*
 * What moves to another file names that file in its locations, so that the
 * string of the name comes or goes: a constant like any other, which KASAN
 * may describe as one. If nothing else refers to it, it is passed over.
 */
static void find_file_names(struct obj *o, struct sec *s)
{
	unsigned int ps = o->eclass == ELFCLASS64 ? 8 : 4;
	size_t i;

	for (i = 0; i < s->nmask; i++) {
		uint64_t at = 0, len;
		struct token *k = NULL;
		struct target t, name;
		const char *str;
		struct sec *ks;

		if (!location_field(o, s, s->mask[i].off) ||
		    !points_to(o, s, s->mask[i].off, &t) || t.name ||
		    drop_at(t.sec, t.off) || !sec_string(t.sec, t.off, &str))
			continue;
		ks = kdesc_of(o, t.sec, t.off, &at);
		if (ks) {
			len = obj_get(o, ks->data + at + 2 * ps, ps);
			if (obj_get(o, ks->data + at + ps, ps) != strlen(str) + 1)
				continue;
			if (points_to(o, ks, at + 3 * ps, &name) &&
			    name.sec->strings)
				k = token_at(name.sec, name.off);
			if (!k || k->refs != 1 || k->kasan_refs != 1)
				continue;
		} else {
			/* as far as to what comes next */
			k = t.sec->strings ? token_at(t.sec, t.off) : NULL;
			if (k && k->off != (uint64_t)t.off)
				continue;
			len = strlen(str) + 1;
			if (!k)
				len = padded(t.sec, t.off, len);
		}
		if (!only_locations(o, t.sec, t.off, len, ks, at))
			continue;
		if (k)
			k->dropped = true;
		drop_add(t.sec, t.off, len, str);
		if (ks)
			drop_add(ks, at, 8 * ps, NULL);
		qsort(t.sec->drop, t.sec->ndrop, sizeof(*t.sec->drop), by_off);
		if (ks)
			qsort(ks->drop, ks->ndrop, sizeof(*ks->drop), by_off);
	}
}

/**
 * frame_description - is this how KASAN describes a stack frame?
 * @s: string
 * @len: its length in bytes
 * @out: NULL, or a buffer for the description without its line numbers
 * @outlen: size of @out
 *
 * gcc/asan.cc, asan_emit_stack_protection(), and LLVM's
 * ComputeASanStackFrameDescription(): "N" and N times " OFFSET SIZE LEN NAME",
 * where NAME is LEN bytes and may end in ":LINE".
 *
 * Return: true if all of the string is that and there is a line number.
 */
bool frame_description(const char *s, size_t len, char *out, size_t outlen)
{
	const char *p = s, *end = s + len;
	unsigned long n, i, k, v[3];
	bool line = false;
	size_t w = 0;

	if (out && outlen < len + 8)
		return false;
	for (n = 0; p < end && isdigit((unsigned char)*p); p++)
		n = n * 10 + (*p - '0');
	if (p == s || !n || n > 4096)
		return false;
	if (out) {
		memcpy(out, s, p - s);
		w = p - s;
	}
	for (i = 0; i < n; i++) {
		const char *from = p, *colon;

		for (k = 0; k < 3; k++) {
			if (p == end || *p++ != ' ' || p == end ||
			    !isdigit((unsigned char)*p))
				return false;
			for (v[k] = 0; p < end && isdigit((unsigned char)*p); p++) {
				v[k] = v[k] * 10 + (*p - '0');
				if (v[k] > 1 << 28)
					return false;
			}
			if (k == 1 && out) {
				memcpy(out + w, from, p - from);
				w += p - from;
			}
		}
		if (p == end || *p++ != ' ' || v[2] > (size_t)(end - p))
			return false;
		for (colon = p + v[2]; colon > p && isdigit((unsigned char)colon[-1]);)
			colon--;
		if (colon > p && colon[-1] == ':' && colon < p + v[2]) {
			line = true;
		} else {
			colon = p + v[2];
		}
		if (out) {
			out[w++] = ' ';
			memcpy(out + w, p, colon - p);
			w += colon - p;
		}
		p += v[2];
	}
	if (out)
		out[w] = 0;
	return p == end && line;
}

/**
 * mask_find - find the fields of an object that may be masked
 * @o: object
 */
void mask_find(struct obj *o)
{
	bool ubsan = obj_has_prefix(o, "__ubsan_handle_");
	bool kasan = obj_has_prefix(o, "__asan_register_globals");
	bool sleeps = obj_has_prefix(o, "__might_sleep");
	uint64_t nkdesc = 0;
	size_t i;

	for (i = 1; i < o->nsec; i++) {
		struct sec *s = &o->sec[i];

		if (!s->alloc || !s->data)
			continue;
		if (s->exec) {
			if (sleeps)
				find_second_argument(o, s, "__might_sleep",
						     NULL, MASK_MIGHT_SLEEP);
			continue;
		}
		if (!strcmp(s->name, "__bug_table")) {
			find_bug_lines(o, s);
			continue;
		}
		if (!strcmp(s->name, "alloc_tags")) {
			find_alloc_tags(o, s);
			continue;
		}
		if (kasan)
			find_kasan_globals(o, s);
		if (ubsan)
			find_ubsan(o, s);
	}
	for (i = 1; i < o->nsec; i++) {
		nkdesc += o->sec[i].nkdesc;
		if (o->sec[i].nmask)
			qsort(o->sec[i].mask, o->sec[i].nmask,
			      sizeof(struct mask), by_off);
	}
	for (i = 1; i < o->nsec; i++)
		find_file_names(o, &o->sec[i]);
	for (i = 1; nkdesc && i < o->nsec; i++) {
		struct sec *s = &o->sec[i];

		if (!s->exec || !s->data)
			continue;
		find_second_argument(o, s, "__asan_register_globals", &nkdesc,
				     MASK_KASAN_COUNT);
		find_second_argument(o, s, "__asan_unregister_globals", &nkdesc,
				     MASK_KASAN_COUNT);
		if (s->nmask)
			qsort(s->mask, s->nmask, sizeof(struct mask), by_off);
	}
}
