// SPDX-License-Identifier: GPL-2.0-only
/*
 * What was found: differences, the table, a side-by-side, JSON.
 */
#include <ctype.h>
#include <gelf.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "objcmp.h"

/**
 * diff_add - note a difference
 * @r: result of the object
 * @section: name of the section, or NULL
 * @func: function or data object, or NULL for the section as a whole
 * @fmt: what differs, one line
 *
 * Return: the difference; offsets and detail may be added to it.
 */
struct diff *diff_add(struct result *r, const char *section, const char *func,
		      const char *fmt, ...)
{
	struct diff *d;
	char buf[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	r->diff = xgrow(r->diff, r->ndiff, sizeof(*r->diff));
	d = &r->diff[r->ndiff++];
	memset(d, 0, sizeof(*d));
	d->section = xstrdup(section ? section : "-");
	d->func = xstrdup(func ? func : d->section);
	d->what = xstrdup(buf);
	return d;
}

/**
 * diff_at - say where a difference is
 * @d: difference
 * @base: offset in the base's section, bytes, or NULL
 * @new: offset in the new one's, or NULL
 */
void diff_at(struct diff *d, const uint64_t *base, const uint64_t *new)
{
	if (base) {
		d->has_base = true;
		d->off_base = *base;
	}
	if (new) {
		d->has_new = true;
		d->off_new = *new;
	}
}

/**
 * info_add - note what is worth saying but is no difference
 * @r: result of the object
 * @fmt: one line
 */
void info_add(struct result *r, const char *fmt, ...)
{
	char buf[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	r->info = xgrow(r->info, r->ninfo, sizeof(*r->info));
	r->info[r->ninfo++] = xstrdup(buf);
}

/**
 * mask_used - note a field that differs and is masked
 * @r: result of the object
 * @kind: kind of the field
 * @fmt: where, and both values
 */
void mask_used(struct result *r, enum mask_kind kind, const char *fmt, ...)
{
	char buf[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	r->masked[kind]++;
	r->mask = xgrow(r->mask, r->nmask, sizeof(*r->mask));
	r->mask[r->nmask].kind = kind;
	r->mask[r->nmask++].text = xstrdup(buf);
}

static void print_diff(const struct result *r, const struct diff *d)
{
	char where[64] = "";

	if (d->has_base && d->has_new)
		snprintf(where, sizeof(where), " at %#lx, new %#lx",
			 (unsigned long)d->off_base, (unsigned long)d->off_new);
	else if (d->has_base || d->has_new)
		snprintf(where, sizeof(where), " at %s%#lx",
			 d->has_new ? "new " : "",
			 (unsigned long)(d->has_base ? d->off_base : d->off_new));
	printf("  %s %s: %s: %s%s: %s\n", d->except ? "excepted" : "differs",
	       r->name, d->section, d->func, where, d->what);
	if (d->except)
		printf("    allowed by line %d of the exceptions\n", d->except);
	else if (d->detail)
		fputs(d->detail, stdout);
}

/**
 * result_print - the lines of one object
 * @r: its result
 */
void result_print(const struct result *r)
{
	unsigned int k, shown = 0;
	size_t i, sites = 0, n;

	for (i = 0; i < r->nfunc; i++)
		sites += r->func[i].sites;
	if (!opt.quiet || !strcmp(r->verdict, "DIFFERENT") || r->missing) {
		printf("%-21s %s", r->verdict, r->name);
		for (k = 0, n = 0; k < MASK_KINDS; k++)
			n += r->masked[k];
		if (n) {
			printf(" (masked");
			for (k = 0; k < MASK_KINDS; k++)
				if (r->masked[k])
					printf(" %s %u of %u", mask_name[k],
					       r->masked[k], r->fields[k]);
			printf(")");
		}
		if (sites)
			printf(" (%zu branch site%s)", sites,
			       sites == 1 ? "" : "s");
		printf("\n");
	}
	for (i = 0; i < r->ndiff; i++) {
		const struct diff *d = &r->diff[i];

		if (d->except && !opt.verbose)
			continue;
		if (++shown > 12 && !opt.verbose) {
			printf("  ... %zu more; --verbose shows them\n",
			       r->ndiff - i);
			break;
		}
		print_diff(r, d);
	}
	if (opt.quiet)
		return;
	for (i = 0; i < r->nfunc; i++) {
		const struct func_result *f = &r->func[i];

		if (!opt.verbose && !f->sites && !f->base_sites &&
		    strcmp(f->verdict, "new function") &&
		    strcmp(f->verdict, "same code") &&
		    strcmp(f->verdict, "DIFFERENT"))
			continue;
		printf("  %-14s %s", f->verdict, f->name);
		if (f->sites || f->base_sites)
			printf(": %u branch site%s, %u reached with the key off",
			       f->sites, f->sites == 1 ? "" : "s", f->reached);
		if (f->base_sites)
			printf(", %u in the base", f->base_sites);
		if (f->insns)
			printf("; %u instructions", f->insns);
		if (f->encodings)
			printf(", %u branches of another length", f->encodings);
		if (f->padding)
			printf(", padding differs in %u places", f->padding);
		if (f->raw)
			printf(", %u words compared as bits", f->raw);
		printf("\n");
	}
	for (i = 0; i < r->ninfo; i++)
		printf("  note: %s\n", r->info[i]);
	if (!opt.verbose)
		return;
	printf("  compared: %u sections, %lu bytes, %u relocations, %u symbols\n",
	       r->sections, (unsigned long)r->bytes, r->relocs, r->symbols);
	if (r->renamed)
		printf("  %u local names differ in a compiler's number only\n",
		       r->renamed);
	for (i = 0; i < r->nmask; i++)
		printf("  masked %s: %s\n", mask_name[r->mask[i].kind],
		       r->mask[i].text);
}

/**
 * result_free - give back what a result holds
 * @r: result
 */
void result_free(struct result *r)
{
	size_t i;

	for (i = 0; i < r->ndiff; i++) {
		free(r->diff[i].section);
		free(r->diff[i].func);
		free(r->diff[i].what);
		free(r->diff[i].detail);
	}
	free(r->diff);
	for (i = 0; i < r->nfunc; i++)
		free(r->func[i].name);
	free(r->func);
	for (i = 0; i < r->ninfo; i++)
		free(r->info[i]);
	free(r->info);
	for (i = 0; i < r->nmask; i++)
		free(r->mask[i].text);
	free(r->mask);
}

/**
 * totals_add - add an object to the summary
 * @t: totals
 * @r: its result
 */
void totals_add(struct totals *t, const struct result *r)
{
	size_t i;

	t->objects++;
	if (r->missing)
		t->missing++;
	else if (!strcmp(r->verdict, "identical"))
		t->identical++;
	else if (!strcmp(r->verdict, "identical-with-masks"))
		t->masked++;
	else if (!strcmp(r->verdict, "DIFFERENT"))
		t->different++;
	else
		t->same_code++;
	for (i = 0; i < r->ndiff; i++) {
		t->diffs++;
		t->excepted += !!r->diff[i].except;
	}
	for (i = 0; i < MASK_KINDS; i++)
		t->fields += r->masked[i];
}

static void json_str(FILE *f, const char *s)
{
	fputc('"', f);
	for (; *s; s++) {
		unsigned char c = *s;

		if (c == '"' || c == '\\')
			fprintf(f, "\\%c", c);
		else if (c == '\n')
			fputs("\\n", f);
		else if (c == '\t')
			fputs("\\t", f);
		else if (c < 0x20 || c >= 0x7f)
			fprintf(f, "\\u%04x", c);
		else
			fputc(c, f);
	}
	fputc('"', f);
}

static void json_kv(FILE *f, const char *key, const char *val)
{
	json_str(f, key);
	fputs(": ", f);
	json_str(f, val);
}

static void json_result(FILE *f, const struct result *r)
{
	size_t i;

	fputs("  {", f);
	json_kv(f, "object", r->name);
	fputs(", ", f);
	json_kv(f, "verdict", r->verdict);
	fprintf(f, ", \"sections\": %u, \"bytes\": %lu, \"relocations\": %u, \"symbols\": %u,\n",
		r->sections, (unsigned long)r->bytes, r->relocs, r->symbols);
	fputs("   \"masked\": {", f);
	for (i = 0; i < MASK_KINDS; i++)
		fprintf(f, "%s\"%s\": {\"differ\": %u, \"fields\": %u}",
			i ? ", " : "", mask_name[i], r->masked[i], r->fields[i]);
	fputs("},\n   \"masks\": [", f);
	for (i = 0; i < r->nmask; i++) {
		fputs(i ? ", {" : "{", f);
		json_kv(f, "kind", mask_name[r->mask[i].kind]);
		fputs(", ", f);
		json_kv(f, "field", r->mask[i].text);
		fputs("}", f);
	}
	fputs("],\n   \"functions\": [", f);
	for (i = 0; i < r->nfunc; i++) {
		const struct func_result *u = &r->func[i];

		fputs(i ? ",\n    {" : "\n    {", f);
		json_kv(f, "name", u->name);
		fputs(", ", f);
		json_kv(f, "verdict", u->verdict);
		fprintf(f, ", \"sites\": %u, \"sites_reached\": %u, \"base_sites\": %u, \"instructions\": %u, \"branch_lengths\": %u, \"padding\": %u, \"raw_words\": %u}",
			u->sites, u->reached, u->base_sites, u->insns,
			u->encodings, u->padding, u->raw);
	}
	fputs("],\n   \"notes\": [", f);
	for (i = 0; i < r->ninfo; i++) {
		fputs(i ? ", " : "", f);
		json_str(f, r->info[i]);
	}
	fputs("],\n   \"differences\": [", f);
	for (i = 0; i < r->ndiff; i++) {
		const struct diff *d = &r->diff[i];

		fputs(i ? ",\n    {" : "\n    {", f);
		json_kv(f, "section", d->section);
		fputs(", ", f);
		json_kv(f, "function", d->func);
		if (d->has_base)
			fprintf(f, ", \"base_offset\": %lu",
				(unsigned long)d->off_base);
		if (d->has_new)
			fprintf(f, ", \"new_offset\": %lu",
				(unsigned long)d->off_new);
		fputs(", ", f);
		json_kv(f, "what", d->what);
		fprintf(f, ", \"exception\": %d}", d->except);
	}
	fputs("]}", f);
}

/**
 * json_write - write all results as JSON
 * @path: the file, "-" for standard output
 * @r: results
 * @n: number of them
 * @expected: number of objects that were asked for
 * @status: exit status of the run
 */
void json_write(const char *path, struct result *r, size_t n, size_t expected,
		int status)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "w") : stdout;
	struct totals t = { 0 };
	size_t i;

	if (!f)
		bad("%s: cannot be written", path);
	for (i = 0; i < n; i++)
		totals_add(&t, &r[i]);
	fprintf(f, "{\"objcmp\": \"%s\", \"level\": %d, ", OBJCMP_VERSION,
		opt.level);
	json_kv(f, "config", opt.config ? opt.config : "");
	fprintf(f, ",\n \"expected\": %zu, \"compared\": %zu, \"identical\": %zu, \"identical_with_masks\": %zu, \"same_code\": %zu, \"different\": %zu, \"missing\": %zu,\n",
		expected, n - t.missing, t.identical, t.masked, t.same_code,
		t.different, t.missing);
	fprintf(f, " \"differences\": %zu, \"excepted\": %zu, \"masked_fields\": %zu, \"holds\": %s,\n \"objects\": [\n",
		t.diffs, t.excepted, t.fields, status ? "false" : "true");
	for (i = 0; i < n; i++) {
		json_result(f, &r[i]);
		fputs(i + 1 < n ? ",\n" : "\n", f);
	}
	fputs(" ]}\n", f);
	if (f != stdout && (fflush(f) || ferror(f) || fclose(f)))
		bad("%s: cannot be written; is the disk full?", path);
}

struct lines {
	char **t;
	uint64_t *off;
	size_t n;
};

static void disassemble(const struct obj *o, const struct sym *f,
			struct lines *l)
{
	uint64_t off = f->value, end = f->value + f->size;
	struct sec *s = f->sec;
	struct insn in;
	char text[240];

	memset(l, 0, sizeof(*l));
	while (off < end && l->n < 20000) {
		if (dis_supported(o)) {
			dis_one(o, s, off, end, &in);
		} else {
			memset(&in, 0, sizeof(in));
			in.off = off;
			in.len = dis_length(o, s, off, end, text, sizeof(text));
		}
		if (!in.len)
			in.len = o->machine == EM_AARCH64 ||
				 o->machine == EM_PPC64 ? 4 : 1;
		if (in.len > end - off)
			in.len = end - off;
		dis_text(o, s, &in, text, sizeof(text));
		l->t = xgrow(l->t, l->n, sizeof(*l->t));
		l->off = xgrow(l->off, l->n, sizeof(*l->off));
		l->t[l->n] = xstrdup(text);
		l->off[l->n++] = off - f->value;
		off += in.len;
	}
}

static void lines_free(struct lines *l)
{
	while (l->n)
		free(l->t[--l->n]);
	free(l->t);
	free(l->off);
}

/**
 * side_by_side - two functions, aligned
 * @a: base object
 * @fa: function in it
 * @b: new object
 * @fb: function in it
 * @maxlines: lines at most around what differs; 0 for the whole
 *
 * Return: lines in the way of diff -y, to be freed.
 */
char *side_by_side(const struct obj *a, const struct sym *fa,
		   const struct obj *b, const struct sym *fb, size_t maxlines)
{
	struct lines x, y;
	uint16_t *m;
	size_t i, j, w, head = 0, shown = 0, size;
	char *out = NULL;
	FILE *f;

	disassemble(a, fa, &x);
	disassemble(b, fb, &y);
	while (head < x.n && head < y.n && !strcmp(x.t[head], y.t[head]))
		head++;
	/* the longest common subsequence of what is left, if it fits */
	w = y.n - head + 1;
	if ((x.n - head + 1) * w > 64000000) {
		lines_free(&x);
		lines_free(&y);
		return xstrdup("    (too long for a side-by-side)\n");
	}
	m = xalloc((x.n - head + 1) * w, sizeof(*m));
	for (i = x.n; i-- > head;)
		for (j = y.n; j-- > head;) {
			uint16_t *c = &m[(i - head) * w + j - head];

			if (!strcmp(x.t[i], y.t[j]))
				*c = c[w + 1] + 1;
			else
				*c = c[w] > c[1] ? c[w] : c[1];
		}
	f = open_memstream(&out, &size);
	if (!f)
		bad("out of memory");
	i = j = maxlines && head > 2 ? head - 2 : 0;
	while ((i < x.n || j < y.n) && (!maxlines || shown < maxlines)) {
		bool same = i < x.n && j < y.n && !strcmp(x.t[i], y.t[j]) &&
			    (i < head || m[(i - head) * w + j - head] ==
			     m[(i + 1 - head) * w + j + 1 - head] + 1);
		bool left = false, right = false;
		char mark = ' ';

		if (same) {
			left = right = true;
		} else if (i < x.n && j < y.n &&
			   m[(i - head) * w + j - head] ==
			   m[(i + 1 - head) * w + j + 1 - head]) {
			left = right = true;
			mark = '|';
		} else if (j == y.n || (i < x.n &&
			   m[(i + 1 - head) * w + j - head] >=
			   m[(i - head) * w + j + 1 - head])) {
			left = true;
			mark = '<';
		} else {
			right = true;
			mark = '>';
		}
		fprintf(f, "    ");
		if (left) {
			fprintf(f, "%5lx  %-48.48s", (unsigned long)x.off[i],
				x.t[i]);
			i++;
		} else {
			fprintf(f, "%55s", "");
		}
		fprintf(f, " %c ", mark);
		if (right) {
			fprintf(f, "%5lx  %s", (unsigned long)y.off[j], y.t[j]);
			j++;
		}
		fprintf(f, "\n");
		shown++;
	}
	fclose(f);
	free(m);
	lines_free(&x);
	lines_free(&y);
	return out;
}
