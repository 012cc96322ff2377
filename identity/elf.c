// SPDX-License-Identifier: GPL-2.0-only
/*
 * One relocatable object, read with libelf and checked before anything
 * relies on it: what is malformed ends the program with one line.
 */
#include <ctype.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "objcmp.h"

/**
 * obj_get - read a number as the object's machine stores it
 * @o: the object
 * @p: where it is
 * @n: its length in bytes, at most 8
 */
uint64_t obj_get(const struct obj *o, const unsigned char *p, unsigned int n)
{
	uint64_t v = 0;
	unsigned int i;

	for (i = 0; i < n; i++)
		v = v << 8 | p[o->be ? i : n - 1 - i];
	return v;
}

/**
 * sec_label - the section's name as it is reported
 * @s: the section
 */
const char *sec_label(const struct sec *s)
{
	return s->name[0] ? s->name : "(no name)";
}

/*
 * Names that a compiler or a counter in a macro numbered: x.12, x.isra.0.cold,
 * __UNIQUE_ID_x_12, __initcall__kmod_x__12_345_f6 (counter and line). The
 * numbers are taken out, the dot as well (clang does not number the first);
 * which of several is meant is told by position or content.
 */
static char *normalise(const char *name)
{
	bool all = strstr(name, "__UNIQUE_ID_") ||
		   !strncmp(name, "__initcall__", 12) ||
		   !strncmp(name, "__exitcall__", 12) ||
		   !strncmp(name, "__unnamed_", 10);
	char *out = xalloc(strlen(name) + 2, 1), *o = out;
	const char *p = name, *q;

	while (*p) {
		if (*p != '.' && !(all && *p == '_')) {
			*o++ = *p++;
			continue;
		}
		for (q = p + 1; isdigit((unsigned char)*q); q++)
			;
		if (q > p + 1 && (!*q || *q == '.' || (all && *q == '_')) &&
		    p > name)
			p = q;
		else
			*o++ = *p++;
	}
	*o = 0;
	return out;
}

static bool x86_pcrel(uint32_t t)
{
	switch (t) {
	case R_X86_64_PC32: case R_X86_64_PLT32: case R_X86_64_GOTPCREL:
	case R_X86_64_PC16: case R_X86_64_PC8: case R_X86_64_PC64:
	case R_X86_64_GOTPCRELX: case R_X86_64_REX_GOTPCRELX:
	case R_X86_64_GOTTPOFF: case R_X86_64_TLSGD: case R_X86_64_TLSLD:
		return true;
	}
	return false;
}

/* Bytes that a relocation patches, and whether it is relative to its place */
static void rel_shape(const struct obj *o, const struct sec *s, struct rel *r)
{
	r->size = 4;
	switch (o->machine) {
	case EM_X86_64:
		r->pcrel = x86_pcrel(r->type);
		switch (r->type) {
		case R_X86_64_NONE:
			r->size = 0;
			break;
		case R_X86_64_64: case R_X86_64_PC64: case R_X86_64_GOTOFF64:
		case R_X86_64_SIZE64: case R_X86_64_GLOB_DAT:
		case R_X86_64_DTPOFF64: case R_X86_64_TPOFF64:
			r->size = 8;
			break;
		case R_X86_64_16: case R_X86_64_PC16:
			r->size = 2;
			break;
		case R_X86_64_8: case R_X86_64_PC8:
			r->size = 1;
			break;
		}
		break;
	case EM_386:
		switch (r->type) {
		case R_386_NONE:
			r->size = 0;
			break;
		case R_386_16:
			r->size = 2;
			break;
		case R_386_PC16:
			r->size = 2;
			r->pcrel = true;
			break;
		case R_386_8:
			r->size = 1;
			break;
		case R_386_PC8:
			r->size = 1;
			r->pcrel = true;
			break;
		case R_386_PC32: case R_386_PLT32:
			r->pcrel = true;
			break;
		}
		break;
	case EM_AARCH64:
		if (r->type == R_AARCH64_NONE)
			r->size = 0;
		else if (r->type == R_AARCH64_ABS64 ||
			 r->type == R_AARCH64_PREL64)
			r->size = 8;
		else if (r->type == R_AARCH64_ABS16 ||
			 r->type == R_AARCH64_PREL16)
			r->size = 2;
		break;
	case EM_S390:
		r->pcrel = r->type == R_390_PC32DBL || r->type == R_390_PLT32DBL;
		if (r->type == R_390_64 || r->type == R_390_PC64)
			r->size = 8;
		else if (r->type != R_390_32 && r->type != R_390_PC32)
			r->size = 1;
		break;
	case EM_PPC64:
		if (r->type == R_PPC64_ADDR64 || r->type == R_PPC64_REL64)
			r->size = 8;
		else if (r->type != R_PPC64_ADDR32 && r->type != R_PPC64_REL32)
			r->size = 1;
		break;
	default:
		/* the field is inside the section at least by one byte */
		r->size = 1;
		break;
	}
	if (r->off > s->size || s->size - r->off < r->size)
		bad("%s: section %s: a relocation at %#lx is outside of it; is the file damaged?",
		    o->path, sec_label(s), (unsigned long)r->off);
}

/*
 * rel_bias - what to add to an addend to get the place that code means: a
 * displacement counts from the end of the instruction. Data has no bias.
 * Level 1 knows where the instruction ends; level 0 takes the usual case,
 * the displacement is the instruction's end, on both sides alike.
 */
int64_t rel_bias(const struct obj *o, const struct sec *s, const struct rel *r)
{
	if (!s->exec || !r->pcrel)
		return 0;
	if (o->machine == EM_S390)
		return 2;
	return r->size;
}

/**
 * rel_target - where a relocation points
 * @o: the object
 * @s: the section that has the relocation
 * @r: the relocation
 * @bias: bytes from the addend's place to the meant one, see rel_bias()
 *
 * Return: for a global or undefined symbol its name; for everything that is
 * in this object the section and offset as well.
 */
struct target rel_target(const struct obj *o, const struct sec *s,
			 const struct rel *r, int64_t bias)
{
	struct target t = { .addend = r->addend, .sym = r->sym };

	(void)o;
	(void)s;
	if (!r->sym) {
		t.off = r->addend;
		return t;
	}
	if (r->sym->bind != STB_LOCAL || !r->sym->sec)
		t.name = r->sym->name;
	t.sec = r->sym->sec;
	/* unsigned: a damaged file may hold any number */
	t.off = (int64_t)(r->sym->value + (uint64_t)r->addend + (uint64_t)bias);
	return t;
}

/**
 * sym_at - the function or object that covers an offset
 * @s: section
 * @off: offset in it
 *
 * Return: the last such symbol that begins at or before @off and reaches it
 * (one without a size covers its first byte), or NULL.
 */
struct sym *sym_at(const struct sec *s, uint64_t off)
{
	size_t lo = 0, hi = s->nsym;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (s->sym[mid]->value <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	while (lo--) {
		struct sym *y = s->sym[lo];

		if (off - y->value < y->size || off == y->value)
			return y;
		if (y->size)
			break;
	}
	return NULL;
}

/**
 * token_at - the string that covers an offset of a section of strings
 * @s: section
 * @off: offset in it
 */
struct token *token_at(const struct sec *s, uint64_t off)
{
	size_t lo = 0, hi = s->ntok;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (s->tok[mid].off <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || off >= s->size)
		return NULL;
	return &s->tok[lo - 1];
}

/**
 * sec_string - the NUL-terminated string at an offset
 * @s: section
 * @off: offset in it
 * @str: set to it
 *
 * Return: false if there is none that ends inside the section.
 */
bool sec_string(const struct sec *s, uint64_t off, const char **str)
{
	if (!s->data || off >= s->size ||
	    !memchr(s->data + off, 0, s->size - off))
		return false;
	*str = (const char *)s->data + off;
	return true;
}

/**
 * rel_first - index of the first relocation at or after an offset
 * @s: section
 * @off: offset in it
 */
size_t rel_first(const struct sec *s, uint64_t off)
{
	size_t lo = 0, hi = s->nrel;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (s->rel[mid].off < off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/**
 * obj_has_prefix - is there an undefined symbol with this prefix?
 * @o: object
 * @prefix: how its name begins
 */
bool obj_has_prefix(const struct obj *o, const char *prefix)
{
	size_t i, n = strlen(prefix);

	for (i = 0; i < o->nsym; i++)
		if (o->sym[i].shndx == SHN_UNDEF &&
		    !strncmp(o->sym[i].name, prefix, n))
			return true;
	return false;
}

/**
 * obj_sym - a function or object by its name
 * @o: object
 * @name: exact name
 */
struct sym *obj_sym(const struct obj *o, const char *name)
{
	size_t i;

	for (i = 0; i < o->nsym; i++)
		if (o->sym[i].sec && !strcmp(o->sym[i].name, name))
			return &o->sym[i];
	return NULL;
}

static int by_value(const void *a, const void *b)
{
	const struct sym *x = *(struct sym *const *)a;
	const struct sym *y = *(struct sym *const *)b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	/* the larger first, so that sym_at() finds the inner one */
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return x->idx < y->idx ? -1 : x->idx > y->idx;
}

static int by_off(const void *a, const void *b)
{
	const struct rel *x = a, *y = b;

	if (x->off != y->off)
		return x->off < y->off ? -1 : 1;
	/* several at one place apply in file order, kept in size for now */
	return x->size < y->size ? -1 : x->size > y->size;
}

static void load_sections(struct obj *o)
{
	Elf *elf = o->elf;
	size_t i, shstr;

	if (elf_getshdrnum(elf, &o->nsec) || elf_getshdrstrndx(elf, &shstr))
		bad("%s: no section table: %s", o->path, elf_errmsg(-1));
	o->sec = xalloc(o->nsec + 1, sizeof(*o->sec));
	for (i = 0; i < o->nsec; i++) {
		Elf_Scn *scn = elf_getscn(elf, i);
		struct sec *s = &o->sec[i];
		GElf_Shdr h;

		if (!scn || !gelf_getshdr(scn, &h))
			bad("%s: section %zu: %s", o->path, i, elf_errmsg(-1));
		s->name = i ? elf_strptr(elf, shstr, h.sh_name) : "";
		if (!s->name)
			bad("%s: section %zu has no valid name; is the file damaged?",
			    o->path, i);
		s->idx = i;
		s->type = h.sh_type;
		s->flags = h.sh_flags;
		s->size = h.sh_size;
		s->align = h.sh_addralign;
		s->entsize = h.sh_entsize;
		s->link = h.sh_link;
		s->info = h.sh_info;
		s->alloc = h.sh_flags & SHF_ALLOC;
		s->exec = s->alloc && (h.sh_flags & SHF_EXECINSTR);
		s->strings = s->alloc && (h.sh_flags & SHF_STRINGS) &&
			     h.sh_entsize == 1;
		if (s->alloc && s->type != SHT_NOBITS && s->size) {
			Elf_Data *d = elf_rawdata(scn, NULL);

			if (!d || !d->d_buf || d->d_size != s->size)
				bad("%s: section %s: its content cannot be read; is the file truncated?",
				    o->path, sec_label(s));
			s->data = d->d_buf;
		}
		if (s->type == SHT_NOBITS && s->size > (uint64_t)1 << 32)
			bad("%s: section %s claims %#lx bytes; is the file damaged?",
			    o->path, sec_label(s), (unsigned long)s->size);
		if (!s->data && s->type != SHT_NOBITS)
			s->strings = false;
	}
}

static void load_symbols(struct obj *o, size_t *symtab)
{
	Elf_Data *d;
	size_t i, j;
	GElf_Shdr h;
	Elf_Scn *scn;

	*symtab = 0;
	for (i = 1; i < o->nsec; i++)
		if (o->sec[i].type == SHT_SYMTAB) {
			*symtab = i;
			break;
		}
	if (!*symtab)
		bad("%s: no symbol table; give the object as the compiler made it",
		    o->path);
	scn = elf_getscn(o->elf, *symtab);
	if (!gelf_getshdr(scn, &h) || !h.sh_entsize)
		bad("%s: the symbol table is damaged", o->path);
	d = elf_getdata(scn, NULL);
	if (!d || h.sh_entsize != gelf_fsize(o->elf, ELF_T_SYM, 1, EV_CURRENT))
		bad("%s: the symbol table cannot be read; is the file truncated?",
		    o->path);
	o->nsym = d->d_size / h.sh_entsize;
	o->sym = xalloc(o->nsym + 1, sizeof(*o->sym));
	for (i = 0; i < o->nsym; i++) {
		struct sym *y = &o->sym[i];
		GElf_Sym e;

		if (!gelf_getsym(d, i, &e))
			bad("%s: symbol %zu: %s", o->path, i, elf_errmsg(-1));
		y->name = elf_strptr(o->elf, h.sh_link, e.st_name);
		if (!y->name)
			bad("%s: symbol %zu has no valid name; is the file damaged?",
			    o->path, i);
		y->idx = i;
		y->value = e.st_value;
		y->size = e.st_size;
		y->type = GELF_ST_TYPE(e.st_info);
		y->bind = GELF_ST_BIND(e.st_info);
		y->vis = e.st_other;
		y->shndx = e.st_shndx;
		y->norm = y->bind == STB_LOCAL ? normalise(y->name) :
						 xstrdup(y->name);
		if (e.st_shndx == SHN_XINDEX)
			bad("%s: more than 65279 sections: not supported",
			    o->path);
		if (e.st_shndx >= SHN_LORESERVE || e.st_shndx == SHN_UNDEF)
			continue;
		if (e.st_shndx >= o->nsec)
			bad("%s: symbol %s is in section %u, which does not exist; is the file damaged?",
			    o->path, y->name, e.st_shndx);
		y->sec = &o->sec[e.st_shndx];
		if (y->value > y->sec->size ||
		    (y->type != STT_TLS && y->size > y->sec->size - y->value))
			bad("%s: symbol %s is outside of its section %s; is the file damaged?",
			    o->path, y->name, sec_label(y->sec));
	}
	for (i = 0; i < o->nsym; i++) {
		struct sym *y = &o->sym[i];
		struct sec *s = y->sec;

		if (!s || !s->alloc ||
		    (y->type != STT_FUNC && y->type != STT_OBJECT &&
		     y->type != STT_TLS && y->type != STT_GNU_IFUNC &&
		     !(y->type == STT_NOTYPE && y->bind != STB_LOCAL)))
			continue;
		s->sym = xgrow(s->sym, s->nsym, sizeof(*s->sym));
		s->sym[s->nsym++] = y;
	}
	for (i = 0; i < o->nsec; i++) {
		struct sec *s = &o->sec[i];

		if (s->nsym)
			qsort(s->sym, s->nsym, sizeof(*s->sym), by_value);
		for (j = 0; j < s->nsym; j++) {
			size_t k = j;

			while (k--)
				if (!strcmp(s->sym[k]->norm, s->sym[j]->norm)) {
					s->sym[j]->rank = s->sym[k]->rank + 1;
					break;
				}
		}
	}
}

static void load_groups(struct obj *o, size_t symtab)
{
	size_t i, k;

	for (i = 1; i < o->nsec; i++) {
		struct sec *g = &o->sec[i];
		uint32_t gflags;
		Elf_Data *d;

		if (g->type != SHT_GROUP)
			continue;
		d = elf_getdata(elf_getscn(o->elf, i), NULL);
		if (!d || !d->d_buf || d->d_size < 4 || g->link != symtab ||
		    g->info >= o->nsym)
			bad("%s: section group %zu is damaged", o->path, i);
		memcpy(&gflags, d->d_buf, 4);
		for (k = 1; k < d->d_size / 4; k++) {
			uint32_t w;

			memcpy(&w, (char *)d->d_buf + 4 * k, 4);
			if (w >= o->nsec)
				bad("%s: section group %zu names section %u, which does not exist; is the file damaged?",
				    o->path, i, w);
			free(o->sec[w].group);
			o->sec[w].group = xprintf("%s/%u", o->sym[g->info].name,
						  gflags);
		}
	}
}

static int64_t implicit_addend(const struct obj *o, const struct sec *s,
			       const struct rel *r)
{
	uint64_t v;

	if (!r->size || !s->data)
		return 0;
	v = obj_get(o, s->data + r->off, r->size);
	return r->size == 1 ? (int8_t)v : r->size == 2 ? (int16_t)v : (int32_t)v;
}

static void load_relocs(struct obj *o, size_t symtab)
{
	size_t i, k, n;

	for (i = 1; i < o->nsec; i++) {
		struct sec *rs = &o->sec[i], *s;
		bool rela = rs->type == SHT_RELA;
		Elf_Data *d;

		if (rs->type != SHT_REL && !rela)
			continue;
		if (!rs->info || rs->info >= o->nsec)
			bad("%s: relocations %s are for section %u, which does not exist; is the file damaged?",
			    o->path, sec_label(rs), rs->info);
		s = &o->sec[rs->info];
		if (!s->alloc)
			continue;
		if (s->type == SHT_NOBITS)
			bad("%s: section %s has relocations but no content; is the file damaged?",
			    o->path, sec_label(s));
		if (!rela && o->machine != EM_386)
			bad("%s: relocations without addends are supported on i386 only",
			    o->path);
		if (rs->link != symtab)
			bad("%s: relocations %s use another symbol table; is the file damaged?",
			    o->path, sec_label(rs));
		d = elf_getdata(elf_getscn(o->elf, i), NULL);
		if (rs->size && (!d || d->d_size != rs->size))
			bad("%s: relocations %s cannot be read; is the file truncated?",
			    o->path, sec_label(rs));
		n = rs->size / gelf_fsize(o->elf, rela ? ELF_T_RELA : ELF_T_REL,
					  1, EV_CURRENT);
		s->implicit = !rela;
		s->rel = realloc(s->rel, (s->nrel + n + 1) * sizeof(*s->rel));
		if (!s->rel)
			bad("out of memory");
		for (k = 0; k < n; k++) {
			struct rel *r = &s->rel[s->nrel++];
			size_t si;

			memset(r, 0, sizeof(*r));
			if (rela) {
				GElf_Rela e;

				if (!gelf_getrela(d, k, &e))
					bad("%s: relocation %zu of %s: %s",
					    o->path, k, sec_label(rs),
					    elf_errmsg(-1));
				r->off = e.r_offset;
				r->type = GELF_R_TYPE(e.r_info);
				r->addend = e.r_addend;
				si = GELF_R_SYM(e.r_info);
			} else {
				GElf_Rel e;

				if (!gelf_getrel(d, k, &e))
					bad("%s: relocation %zu of %s: %s",
					    o->path, k, sec_label(rs),
					    elf_errmsg(-1));
				r->off = e.r_offset;
				r->type = GELF_R_TYPE(e.r_info);
				si = GELF_R_SYM(e.r_info);
			}
			if (si >= o->nsym)
				bad("%s: relocation %zu of %s: symbol %zu does not exist; is the file damaged?",
				    o->path, k, sec_label(rs), si);
			r->sym = si ? &o->sym[si] : NULL;
			rel_shape(o, s, r);
			if (!rela)
				r->addend = implicit_addend(o, s, r);
		}
	}
	for (i = 1; i < o->nsec; i++) {
		struct sec *s = &o->sec[i];
		unsigned int *size;

		if (s->nrel < 2)
			continue;
		size = xalloc(s->nrel, sizeof(*size));
		for (k = 0; k < s->nrel; k++) {
			size[k] = s->rel[k].size;
			s->rel[k].size = k;
		}
		qsort(s->rel, s->nrel, sizeof(*s->rel), by_off);
		for (k = 0; k < s->nrel; k++)
			s->rel[k].size = size[s->rel[k].size];
		free(size);
	}
}

/*
 * Strings of a section, in order. Where the section is aligned to more than
 * a byte each string begins aligned and zeros fill the gap; if that is not
 * so, every NUL ends a string.
 */
static void load_strings(struct sec *s)
{
	bool aligned = s->align > 1;
	uint64_t off, end, next;

again:
	s->ntok = 0;
	for (off = 0; off < s->size; off = next) {
		const unsigned char *z = memchr(s->data + off, 0,
						s->size - off);

		end = z ? (uint64_t)(z - s->data) : s->size;
		s->tok = xgrow(s->tok, s->ntok, sizeof(*s->tok));
		s->tok[s->ntok++] = (struct token){ off, end - off, 0, 0, false };
		next = end + 1;
		while (aligned && next % s->align && next < s->size) {
			if (s->data[next]) {
				aligned = false;
				goto again;
			}
			next++;
		}
	}
}

static int by_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void bound_add(struct sec *s, uint64_t off)
{
	if (off >= s->size)
		return;
	s->bound = xgrow(s->bound, s->nbound, sizeof(*s->bound));
	s->bound[s->nbound++] = off;
}

/* Where something begins that is referred to: the atoms of level 1 */
static void load_bounds(struct obj *o)
{
	size_t i, k, n;

	for (i = 1; i < o->nsec; i++) {
		struct sec *s = &o->sec[i];

		for (k = 0; k < s->nrel; k++) {
			struct target t = rel_target(o, s, &s->rel[k],
					rel_bias(o, s, &s->rel[k]));

			if (!t.sec || !t.sec->alloc)
				continue;
			if (s->exec)
				t.sec->code_ref = true;
			if (t.off >= 0)
				bound_add(t.sec, t.off);
			if (t.sec->strings) {
				/* of a label, what it marks */
				uint64_t at = s->rel[k].sym->type == STT_SECTION ?
					(uint64_t)t.off : s->rel[k].sym->value;
				struct token *u = token_at(t.sec, at);

				if (u)
					u->refs++;
			}
		}
		for (k = 0; k < s->nsym; k++) {
			bound_add(s, s->sym[k]->value);
			if (s->sym[k]->size)
				bound_add(s, s->sym[k]->value +
					     s->sym[k]->size);
		}
		if (s->alloc)
			bound_add(s, 0);
	}
	for (i = 1; i < o->nsec; i++) {
		struct sec *s = &o->sec[i];

		if (!s->nbound)
			continue;
		qsort(s->bound, s->nbound, sizeof(*s->bound), by_u64);
		for (k = n = 1; k < s->nbound; k++)
			if (s->bound[k] != s->bound[n - 1])
				s->bound[n++] = s->bound[k];
		s->nbound = n;
	}
}

/**
 * obj_load - read a relocatable object
 * @path: the file
 * @name: how it is reported
 *
 * Return: the object. Whatever is wrong with the file ends the program with
 * one line and status 2.
 */
struct obj *obj_load(const char *path, const char *name)
{
	struct obj *o = xalloc(1, sizeof(*o));
	size_t i, symtab;
	GElf_Ehdr h;

	o->path = path;
	o->name = name;
	elf_version(EV_CURRENT);
	o->fd = open(path, O_RDONLY);
	if (o->fd < 0)
		bad("%s: cannot be opened; does the build make it?", path);
	o->elf = elf_begin(o->fd, ELF_C_READ, NULL);
	if (!o->elf)
		bad("%s: %s", path, elf_errmsg(-1));
	if (elf_kind(o->elf) != ELF_K_ELF || !gelf_getehdr(o->elf, &h))
		bad("%s: not an ELF object; with LTO, compare what the linker makes",
		    path);
	if (h.e_type != ET_REL)
		bad("%s: not a relocatable object (.o)", path);
	o->machine = h.e_machine;
	o->flags = h.e_flags;
	o->eclass = h.e_ident[EI_CLASS];
	o->etype = h.e_type;
	o->be = h.e_ident[EI_DATA] == ELFDATA2MSB;
	load_sections(o);
	load_symbols(o, &symtab);
	load_groups(o, symtab);
	load_relocs(o, symtab);
	for (i = 1; i < o->nsec; i++)
		if (o->sec[i].strings && o->sec[i].data)
			load_strings(&o->sec[i]);
	load_bounds(o);
	mask_find(o);
	return o;
}

/**
 * obj_free - give back what obj_load() took
 * @o: object or NULL
 */
void obj_free(struct obj *o)
{
	size_t i;

	if (!o)
		return;
	for (i = 0; i < o->nsec; i++) {
		struct sec *s = &o->sec[i];

		free(s->group);
		free(s->rel);
		free(s->sym);
		free(s->tok);
		free(s->mask);
		free(s->kdesc);
		free(s->drop);
		free(s->bound);
		free(s->map);
	}
	for (i = 0; i < o->nsym; i++)
		free(o->sym[i].norm);
	free(o->sec);
	free(o->sym);
	elf_end(o->elf);
	close(o->fd);
	free(o);
}
