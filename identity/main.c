// SPDX-License-Identifier: GPL-2.0-only
/*
 * objcmp: command line, lists of objects, the summary.
 */
#include <errno.h>
#include <fnmatch.h>
#include <gelf.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "objcmp.h"

struct options opt;

/**
 * bad - end with one line and status 2
 * @fmt: what is wrong, where, and what to do
 */
void bad(const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("objcmp: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(EXIT_BAD);
}

/**
 * xalloc - zeroed memory, or the end
 * @n: number of elements
 * @size: of one, bytes
 */
void *xalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		bad("out of memory");
	return p;
}

/**
 * xgrow - room for one more element
 * @p: array or NULL
 * @n: elements that are in it
 * @size: of one, bytes
 */
void *xgrow(void *p, size_t n, size_t size)
{
	/* at powers of two: n is all that there is to know */
	if (n && n & (n - 1))
		return p;
	p = realloc(p, (n ? 2 * n : 1) * size);
	if (!p)
		bad("out of memory");
	return p;
}

/**
 * xprintf - a new string
 * @fmt: as printf()
 */
char *xprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		bad("out of memory");
	va_end(ap);
	return s;
}

/**
 * xstrdup - a copy
 * @s: string
 */
char *xstrdup(const char *s)
{
	char *p = strdup(s);

	if (!p)
		bad("out of memory");
	return p;
}

static const char help[] =
"Usage: objcmp [options] BASE.o NEW.o\n"
"       objcmp [options] --expect LIST BASE_DIR NEW_DIR\n"
"       objcmp --except-stale FILE USED...\n"
"\n"
"Shows whether two builds of kernel objects are the same code.\n"
"\n"
"  --level 0          every loaded section and relocation is the same; only\n"
"                     line numbers in known structures may differ (default)\n"
"  --level 1          for each function of BASE, the code reachable with the\n"
"                     static keys of --key off is the same\n"
"  --key SYMBOL       a static key whose branch sites are allowed (level 1;\n"
"                     may be given several times)\n"
"  --require-identical GLOB\n"
"                     functions whose bodies must not change at all (level 1;\n"
"                     may be given several times)\n"
"  --walk             at level 1, walk the functions even where level 0 holds\n"
"  --ignore-new-functions\n"
"                     do not list functions that only NEW has (level 1)\n"
"  --side-by-side FUNC\n"
"                     print both versions of a function, aligned\n"
"  --expect LIST      objects to compare, relative paths, one a line\n"
"  --config NAME      configuration, for exceptions and output\n"
"  --name OBJECT      how to report the object, for two files\n"
"  --except FILE      allowed differences: CONFIG OBJECT FUNCTION REASON\n"
"  --except-used FILE append which exceptions this run needed; whether one is\n"
"                     stale is then left to --except-stale\n"
"  --except-stale FILE USED...\n"
"                     over all runs, name the exceptions that none needed\n"
"  --json FILE        write the results as JSON (- for standard output)\n"
"  --quiet            differences and the summary only\n"
"  --verbose          everything: masked fields, all functions\n"
"  --help, --version\n"
"\n"
"Exit status: 0 all that was asked holds, 1 it does not, 2 bad usage or input.\n";

static char **read_list(const char *path, size_t *n)
{
	FILE *f = fopen(path, "r");
	char **v = NULL, *line = NULL;
	size_t cap = 0;

	*n = 0;
	if (!f)
		bad("%s: the list of objects cannot be read", path);
	while (getline(&line, &cap, f) >= 0) {
		line[strcspn(line, "\r\n")] = 0;
		if (!line[0] || line[0] == '#')
			continue;
		v = xgrow(v, *n, sizeof(*v));
		v[(*n)++] = xstrdup(line);
	}
	free(line);
	fclose(f);
	if (!*n)
		bad("%s: names no objects; comparing nothing proves nothing",
		    path);
	return v;
}

static void missing(struct result *r, const char *path)
{
	r->missing = true;
	r->verdict = "MISSING";
	diff_add(r, NULL, NULL, "%s does not exist", path);
}

static void same_machine(const struct obj *a, const struct obj *b)
{
	if (a->machine != b->machine || a->eclass != b->eclass ||
	    a->be != b->be)
		bad("%s and %s are for different machines", a->path, b->path);
}

static void compare(struct result *r, const char *pa, const char *pb)
{
	struct obj *a, *b;
	size_t i;

	if (access(pa, F_OK) && opt.expect) {
		missing(r, pa);
		return;
	}
	if (access(pb, F_OK) && opt.expect) {
		missing(r, pb);
		return;
	}
	a = obj_load(pa, r->name);
	b = obj_load(pb, r->name);
	same_machine(a, b);
	if (opt.level == 1 && !dis_supported(a))
		bad("%s: level 1 knows x86-64 and arm64 only; use --level 0",
		    pa);
	if (opt.side_by_side) {
		struct sym *f = obj_sym(a, opt.side_by_side);
		struct sym *g = obj_sym(b, opt.side_by_side);

		if (f && g && func_is_code(f) && func_is_code(g)) {
			char *s = side_by_side(a, f, b, g, 0);

			printf("%s: %s\n%s", r->name, opt.side_by_side, s);
			free(s);
		} else if (!opt.expect) {
			bad("%s is not a function of both objects",
			    opt.side_by_side);
		}
	}
	if (opt.level == 1)
		level1(a, b, r);
	else
		level0(a, b, r);
	obj_free(a);
	obj_free(b);
	except_object_seen(r->name);
	for (i = 0; i < r->ndiff; i++)
		r->diff[i].except = except_match(r->name, r->diff[i].func);
}

static bool holds(const struct result *r)
{
	size_t i;

	if (r->missing)
		return false;
	for (i = 0; i < r->ndiff; i++)
		if (!r->diff[i].except)
			return false;
	return true;
}

enum {
	O_LEVEL = 256, O_KEY, O_IDENTICAL, O_IGNORE, O_SIDE, O_EXPECT, O_CONFIG,
	O_NAME, O_EXCEPT, O_USED, O_STALE, O_JSON, O_QUIET, O_VERBOSE, O_HELP,
	O_VERSION, O_WALK
};

static const struct option longopts[] = {
	{ "level", 1, NULL, O_LEVEL },
	{ "key", 1, NULL, O_KEY },
	{ "require-identical", 1, NULL, O_IDENTICAL },
	{ "ignore-new-functions", 0, NULL, O_IGNORE },
	{ "side-by-side", 1, NULL, O_SIDE },
	{ "expect", 1, NULL, O_EXPECT },
	{ "config", 1, NULL, O_CONFIG },
	{ "name", 1, NULL, O_NAME },
	{ "except", 1, NULL, O_EXCEPT },
	{ "except-used", 1, NULL, O_USED },
	{ "except-stale", 1, NULL, O_STALE },
	{ "json", 1, NULL, O_JSON },
	{ "quiet", 0, NULL, O_QUIET },
	{ "verbose", 0, NULL, O_VERBOSE },
	{ "walk", 0, NULL, O_WALK },
	{ "help", 0, NULL, O_HELP },
	{ "version", 0, NULL, O_VERSION },
	{ NULL, 0, NULL, 0 }
};

static const char *parse(int argc, char **argv)
{
	const char *stale = NULL;
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":", longopts, NULL)) != -1) {
		switch (c) {
		case O_LEVEL:
			if (strcmp(optarg, "0") && strcmp(optarg, "1"))
				bad("--level wants 0 or 1, not %s", optarg);
			opt.level = optarg[0] - '0';
			break;
		case O_KEY:
			opt.key = xgrow(opt.key, opt.nkey, sizeof(*opt.key));
			opt.key[opt.nkey++] = optarg;
			break;
		case O_IDENTICAL:
			opt.identical = xgrow(opt.identical, opt.nidentical,
					      sizeof(*opt.identical));
			opt.identical[opt.nidentical++] = optarg;
			break;
		case O_IGNORE:
			opt.ignore_new = true;
			break;
		case O_SIDE:
			opt.side_by_side = optarg;
			break;
		case O_EXPECT:
			opt.expect = optarg;
			break;
		case O_CONFIG:
			opt.config = optarg;
			break;
		case O_NAME:
			opt.name = optarg;
			break;
		case O_EXCEPT:
			opt.except = optarg;
			break;
		case O_USED:
			opt.except_used = optarg;
			break;
		case O_STALE:
			stale = optarg;
			break;
		case O_JSON:
			opt.json = optarg;
			break;
		case O_QUIET:
			opt.quiet = true;
			break;
		case O_VERBOSE:
			opt.verbose = true;
			break;
		case O_WALK:
			opt.walk = true;
			break;
		case O_HELP:
			fputs(help, stdout);
			exit(EXIT_SAME);
		case O_VERSION:
			printf("objcmp %s\n", OBJCMP_VERSION);
			exit(EXIT_SAME);
		case ':':
			bad("%s wants a value; see --help", argv[optind - 1]);
		default:
			bad("%s is not an option; see --help",
			    argv[optind - 1]);
		}
	}
	if ((opt.nkey || opt.nidentical) && opt.level != 1)
		bad("--key and --require-identical are for --level 1");
	if (opt.walk && opt.level != 1)
		bad("--walk is for --level 1");
	if (opt.except_used && !opt.except)
		bad("--except-used needs --except");
	return stale;
}

int main(int argc, char **argv)
{
	const char *stale = parse(argc, argv);
	struct totals t = { 0 };
	struct result *res;
	char **name, *single;
	size_t n, i;
	bool all = true;

	if (stale)
		return except_stale_mode(stale, argv + optind, argc - optind);
	if (argc - optind != 2)
		bad("wants a base and a new object, or --expect and two folders; see --help");
	if (opt.except)
		except_read(opt.except);
	if (opt.expect) {
		name = read_list(opt.expect, &n);
	} else {
		single = xstrdup(opt.name ? opt.name : argv[optind + 1]);
		name = &single;
		n = 1;
	}
	res = xalloc(n, sizeof(*res));
	for (i = 0; i < n; i++) {
		struct result *r = &res[i];
		char *pa, *pb;

		r->name = name[i];
		r->verdict = "DIFFERENT";
		pa = opt.expect ? xprintf("%s/%s", argv[optind], name[i]) :
				  xstrdup(argv[optind]);
		pb = opt.expect ? xprintf("%s/%s", argv[optind + 1], name[i]) :
				  xstrdup(argv[optind + 1]);
		compare(r, pa, pb);
		free(pa);
		free(pb);
		if (!holds(r))
			all = false;
		if (!opt.json || strcmp(opt.json, "-"))
			result_print(r);
		totals_add(&t, r);
	}
	if (opt.except) {
		/* with --except-used, all runs together decide */
		FILE *out = opt.json && !strcmp(opt.json, "-") ? stderr : stdout;

		if (opt.except_used)
			except_write_used(opt.except_used);
		else
			t.stale = except_stale(out);
		if (t.stale)
			all = false;
	}
	if (n - t.missing < n && (!opt.json || strcmp(opt.json, "-")))
		printf("only %zu of %zu expected objects were compared\n",
		       n - t.missing, n);
	if (!opt.json || strcmp(opt.json, "-")) {
		printf("%s%slevel %d: %zu of %zu objects compared: %zu identical, %zu identical with masks (%zu fields), ",
		       opt.config ? opt.config : "", opt.config ? ": " : "",
		       opt.level, n - t.missing, n, t.identical, t.masked,
		       t.fields);
		if (opt.level)
			printf("%zu same code, ", t.same_code);
		printf("%zu different, %zu missing", t.different, t.missing);
		if (opt.except)
			printf("; %zu exceptions listed, %zu differences excepted, %zu stale",
			       except_count(), t.excepted, t.stale);
		printf(": %s\n", all ? "holds" : "DOES NOT HOLD");
	}
	if (opt.json)
		json_write(opt.json, res, n, n, all ? EXIT_SAME : EXIT_DIFF);
	for (i = 0; i < n; i++) {
		result_free(&res[i]);
		free(name[i]);
	}
	if (opt.expect)
		free(name);
	free(res);
	free(opt.key);
	free(opt.identical);
	dis_exit();
	return all ? EXIT_SAME : EXIT_DIFF;
}
