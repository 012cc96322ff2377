/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * objcmp: does a source change leave the object code alone?
 *
 * elf.c	one relocatable object: sections, symbols, relocations
 * dis.c	instructions of x86-64 and arm64
 * mask.c	the fields that may differ because a line number moved
 * level0.c	every allocated section and relocation is the same
 * level1.c	the code reachable with a static key off is the same
 * except.c	the exceptions file
 * report.c	differences, the table, JSON
 */
#ifndef OBJCMP_H
#define OBJCMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define OBJCMP_VERSION "1.0"

enum { EXIT_SAME = 0, EXIT_DIFF = 1, EXIT_BAD = 2 };

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* What may be masked; the list of design.md, nothing else. */
enum mask_kind {
	MASK_BUG_LINE,		/* line of a __bug_table entry */
	MASK_UBSAN_LOC,		/* file, line and column of a UBSAN location */
	MASK_KASAN_LOC,		/* file, line and column of a KASAN global */
	MASK_KASAN_ORDER,	/* place of a KASAN global in gcc's array */
	MASK_KASAN_LABEL,	/* number in the name of a nameless global */
	MASK_KASAN_FRAME,	/* lines in the description of a stack frame */
	MASK_KASAN_COUNT,	/* number of KASAN globals, where it is passed */
	MASK_SAN_FILE,		/* name of a file that only those point to */
	MASK_ALLOC_TAG,		/* line of an allocation tag */
	MASK_MIGHT_SLEEP,	/* line argument of __might_sleep() */
	MASK_KINDS
};

struct sec;

struct sym {
	const char *name;
	char *norm;		/* name without numbers of the compiler's */
	uint64_t value, size;
	unsigned char type, bind, vis;
	unsigned int shndx;
	struct sec *sec;	/* NULL: undefined, absolute or common */
	unsigned int idx;
	unsigned int rank;	/* among locals of the same norm, in order */
};

struct rel {
	uint64_t off;
	uint32_t type;
	struct sym *sym;	/* NULL: no symbol */
	int64_t addend;
	unsigned int size;	/* bytes of the patched field */
	bool pcrel;
};

struct mask {
	uint64_t off;
	unsigned int len;
	enum mask_kind kind;
	bool counted;		/* level 1 may meet it more than once */
};

/* A string of a SHF_STRINGS section */
struct token {
	uint64_t off, len;	/* len without the NUL */
	unsigned int refs, kasan_refs;	/* all, and as name of a KASAN global */
	bool dropped;		/* it, or the descriptor that it names */
};

/*
 * A stretch that is there for a masked field only, so that the section is
 * compared as if it were not: the name of a file, and what KASAN says of it.
 */
struct drop {
	uint64_t off, len;
	const char *file;	/* the name, or NULL: its KASAN descriptor */
};

struct sec {
	const char *name;
	uint32_t type;
	uint64_t flags, size, align, entsize;
	const unsigned char *data;	/* NULL: SHT_NOBITS */
	unsigned int idx, link, info;
	char *group;		/* signature of its group, or NULL */
	unsigned int ordinal;	/* among sections of the same identity */
	bool alloc, exec, strings, implicit;	/* implicit: SHT_REL */
	struct rel *rel;
	size_t nrel;
	struct sym **sym;	/* functions and objects, by value */
	size_t nsym;
	struct token *tok;
	size_t ntok;
	struct mask *mask;
	size_t nmask;
	struct drop *drop;	/* sorted */
	size_t ndrop;
	uint64_t *kdesc;	/* where KASAN globals are described, sorted */
	size_t nkdesc;
	struct sec *peer;	/* the section of the other object */
	uint64_t *bound;	/* where something begins, sorted */
	size_t nbound;
	bool code_ref;		/* an executable section refers to it */
	uint64_t *map;		/* level 1: where each instruction is there */
};

struct obj {
	const char *path;	/* as it was given */
	const char *name;	/* as it is reported */
	void *elf;
	int fd;
	unsigned int machine, flags, eclass, etype;
	bool be;
	struct sec *sec;
	size_t nsec;
	struct sym *sym;
	size_t nsym;
};

/* Where a relocation points */
struct target {
	const char *name;	/* global or undefined symbol, or NULL */
	struct sym *sym;
	struct sec *sec;	/* NULL if not in this object */
	int64_t off;		/* in sec, biased to what the code means */
	int64_t addend;		/* as the relocation has it */
};

/* elf.c */
struct obj *obj_load(const char *path, const char *name);
void obj_free(struct obj *o);
struct target rel_target(const struct obj *o, const struct sec *s,
			 const struct rel *r, int64_t bias);
int64_t rel_bias(const struct obj *o, const struct sec *s, const struct rel *r);
struct sym *sym_at(const struct sec *s, uint64_t off);
struct token *token_at(const struct sec *s, uint64_t off);
size_t rel_first(const struct sec *s, uint64_t off);
uint64_t obj_get(const struct obj *o, const unsigned char *p, unsigned int n);
bool obj_has_prefix(const struct obj *o, const char *prefix);
struct sym *obj_sym(const struct obj *o, const char *name);
const char *sec_label(const struct sec *s);
bool sec_string(const struct sec *s, uint64_t off, const char **str);

/* mask.c */
void mask_find(struct obj *o);
bool kdesc_at(const struct sec *s, uint64_t off, unsigned int ps);
const struct drop *drop_at(const struct sec *s, uint64_t off);
uint64_t kept_off(const struct sec *s, uint64_t off);
const struct rel *rel_at(const struct sec *s, uint64_t off);
const struct mask *mask_at(const struct sec *s, uint64_t off);
bool frame_description(const char *s, size_t len, char *out, size_t outlen);
extern const char *const mask_name[MASK_KINDS];

/* dis.c */
enum insn_kind {
	INSN_OTHER,
	INSN_JMP,		/* direct, always taken */
	INSN_JCC,		/* direct, perhaps taken */
	INSN_CALL,		/* direct */
	INSN_IJMP,
	INSN_ICALL,
	INSN_RET,
	INSN_TRAP,		/* ud2, brk: goes on only after a warning */
	INSN_NOP,
	INSN_RAW,		/* not decodable, and no branch: bits only */
	INSN_BAD
};

struct insn {
	uint64_t off;
	unsigned int len;
	enum insn_kind kind;
	unsigned int cond;	/* condition and all but the displacement */
	bool has_target;	/* resolved: target is in this section */
	int64_t target;
	unsigned int disp, displen;	/* x86: where its displacement is */
	uint32_t fixed;		/* arm64: bits that are no displacement */
};

bool dis_supported(const struct obj *o);
void dis_one(const struct obj *o, const struct sec *s, uint64_t off,
	     uint64_t end, struct insn *in);
void dis_text(const struct obj *o, const struct sec *s, const struct insn *in,
	      char *buf, size_t len);
size_t dis_length(const struct obj *o, const struct sec *s, uint64_t off,
		  uint64_t end, char *buf, size_t len);
void dis_exit(void);

/* report.c */
struct diff {
	char *section, *func, *what;
	char *detail;		/* lines, or NULL */
	uint64_t off_base, off_new;
	bool has_base, has_new;
	int except;		/* line of the exception that allows it, or 0 */
};

struct func_result {
	char *name;
	const char *verdict;
	unsigned int sites, reached;	/* of the key, in NEW */
	unsigned int base_sites;
	unsigned int insns, encodings, padding, raw;
};

struct listed {
	enum mask_kind kind;
	char *text;
};

struct result {
	const char *name;
	const char *verdict;
	bool missing;
	struct diff *diff;
	size_t ndiff;
	struct func_result *func;
	size_t nfunc;
	char **info;		/* what is worth saying but is no difference */
	size_t ninfo;
	struct listed *mask;	/* fields that differ and are masked */
	size_t nmask;
	unsigned int fields[MASK_KINDS];	/* fields that may be masked */
	unsigned int masked[MASK_KINDS];	/* fields that had to be */
	unsigned int sections, relocs, symbols, renamed;
	uint64_t bytes;
};

struct options {
	int level;
	const char **key;
	size_t nkey;
	const char **identical;
	size_t nidentical;
	const char *config;
	const char *except, *except_used, *json, *side_by_side;
	const char *expect, *name;
	bool quiet, verbose, ignore_new, walk;
};

extern struct options opt;

struct diff *diff_add(struct result *r, const char *section, const char *func,
		      const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void diff_at(struct diff *d, const uint64_t *base, const uint64_t *new);
void info_add(struct result *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void mask_used(struct result *r, enum mask_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void result_print(const struct result *r);
void result_free(struct result *r);
void json_write(const char *path, struct result *r, size_t n, size_t expected,
		int status);
char *side_by_side(const struct obj *a, const struct sym *fa,
		   const struct obj *b, const struct sym *fb, size_t maxlines);
struct totals {
	size_t objects, identical, masked, same_code, different, missing;
	size_t diffs, excepted, stale, fields;
};
void totals_add(struct totals *t, const struct result *r);

/* level0.c, level1.c */
void level0(struct obj *a, struct obj *b, struct result *r);
void level1(struct obj *a, struct obj *b, struct result *r);
void obj_pair(struct obj *a, struct obj *b, struct result *r);
struct sym *sym_peer(const struct sym *s, const struct obj *other);
bool func_is_code(const struct sym *s);

/* except.c */
void except_read(const char *path);
int except_match(const char *object, const char *func);
void except_object_seen(const char *object);
size_t except_stale(FILE *out);
void except_write_used(const char *path);
int except_stale_mode(const char *path, char **used, int nused);
size_t except_count(void);

/* main.c */
void bad(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), noreturn));
void *xalloc(size_t n, size_t size);
void *xgrow(void *p, size_t n, size_t size);
char *xprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *xstrdup(const char *s);

#endif
