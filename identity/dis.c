// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instructions of x86-64 and arm64. LLVM says how long an instruction is and
 * how it reads; where control goes, and which bits are a displacement, is
 * decoded here from the bits, so that it does not hang on a way of printing.
 */
#include <ctype.h>
#include <gelf.h>
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#include "objcmp.h"

static LLVMDisasmContextRef ctx;
static unsigned int ctx_machine, ctx_be;

static LLVMDisasmContextRef context(const struct obj *o)
{
	const char *triple, *features = "";

	if (ctx && ctx_machine == o->machine && ctx_be == o->be)
		return ctx;
	dis_exit();
	switch (o->machine) {
	case EM_X86_64:
		LLVMInitializeX86TargetInfo();
		LLVMInitializeX86TargetMC();
		LLVMInitializeX86Disassembler();
		triple = "x86_64-linux-gnu";
		break;
	case EM_386:
		LLVMInitializeX86TargetInfo();
		LLVMInitializeX86TargetMC();
		LLVMInitializeX86Disassembler();
		triple = "i386-linux-gnu";
		break;
	case EM_AARCH64:
		LLVMInitializeAArch64TargetInfo();
		LLVMInitializeAArch64TargetMC();
		LLVMInitializeAArch64Disassembler();
		triple = "aarch64-linux-gnu";
		features = "+all";
		break;
	case EM_PPC64:
		LLVMInitializePowerPCTargetInfo();
		LLVMInitializePowerPCTargetMC();
		LLVMInitializePowerPCDisassembler();
		triple = o->be ? "powerpc64-linux-gnu" : "powerpc64le-linux-gnu";
		break;
	case EM_S390:
		LLVMInitializeSystemZTargetInfo();
		LLVMInitializeSystemZTargetMC();
		LLVMInitializeSystemZDisassembler();
		triple = "s390x-linux-gnu";
		break;
	default:
		return NULL;
	}
	ctx = LLVMCreateDisasmCPUFeatures(triple, "", features, NULL, 0, NULL,
					  NULL);
	if (!ctx)
		bad("LLVM has no disassembler for %s; install a full llvm-19",
		    triple);
	LLVMSetDisasmOptions(ctx, LLVMDisassembler_Option_PrintImmHex);
	ctx_machine = o->machine;
	ctx_be = o->be;
	return ctx;
}

/** dis_exit - give back the disassembler */
void dis_exit(void)
{
	if (ctx)
		LLVMDisasmDispose(ctx);
	ctx = NULL;
}

/**
 * dis_supported - can level 1 work on this machine?
 * @o: object
 */
bool dis_supported(const struct obj *o)
{
	return (o->machine == EM_X86_64 || o->machine == EM_AARCH64) &&
	       o->eclass == ELFCLASS64 && !o->be;
}

/**
 * dis_length - length and text of one instruction, on any machine
 * @o: object
 * @s: its section
 * @off: offset in it, bytes
 * @end: where the code ends
 * @buf: for the text
 * @len: size of @buf
 *
 * Return: bytes, 0 if it cannot be decoded.
 */
size_t dis_length(const struct obj *o, const struct sec *s, uint64_t off,
		  uint64_t end, char *buf, size_t len)
{
	LLVMDisasmContextRef c = context(o);

	buf[0] = 0;
	if (!c || off >= end || end > s->size || !s->data)
		return 0;
	return LLVMDisasmInstruction(c, (uint8_t *)s->data + off, end - off,
				     off, buf, len);
}

/* Is there a relocation in these bytes? */
static bool has_rel(const struct sec *s, uint64_t off, unsigned int len)
{
	size_t i = rel_first(s, off);

	return i < s->nrel && s->rel[i].off < off + len && s->rel[i].size;
}

static int64_t sget(const unsigned char *p, unsigned int n)
{
	uint64_t v = 0;
	unsigned int i;

	for (i = 0; i < n; i++)
		v |= (uint64_t)p[i] << 8 * i;
	if (n < 8 && v >> (8 * n - 1) & 1)
		v |= ~(uint64_t)0 << 8 * n;
	return (int64_t)v;
}

static bool modrm_one(unsigned char op)
{
	if (op < 0x40)
		return (op & 7) < 4;
	switch (op) {
	case 0x63: case 0x69: case 0x6b: case 0xc0: case 0xc1: case 0xc6:
	case 0xc7: case 0xf6: case 0xf7: case 0xfe: case 0xff:
		return true;
	}
	return (op >= 0x80 && op <= 0x8f) || (op >= 0xd0 && op <= 0xd3) ||
	       (op >= 0xd8 && op <= 0xdf);
}

static bool modrm_two(unsigned char op)
{
	if ((op >= 0x80 && op <= 0x8f) || (op >= 0x30 && op <= 0x37) ||
	    (op >= 0xc8 && op <= 0xcf) || (op >= 0x04 && op <= 0x0c))
		return false;
	switch (op) {
	case 0x0e: case 0x77: case 0xa0: case 0xa1: case 0xa2: case 0xa8:
	case 0xa9: case 0xaa:
		return false;
	}
	return true;
}

/* Intel SDM volume 2, chapter 2 and appendix A */
static void x86_classify(const struct sec *s, struct insn *in, const char *text)
{
	const unsigned char *p = s->data + in->off;
	unsigned int n = in->len, i = 0, modrm = 0;
	unsigned char op;
	bool has_modrm = false;

	for (; i < n; i++) {
		op = p[i];
		if (op != 0x66 && op != 0x67 && op != 0xf2 && op != 0xf3 &&
		    op != 0xf0 && op != 0x2e && op != 0x36 && op != 0x3e &&
		    op != 0x26 && op != 0x64 && op != 0x65)
			break;
	}
	if (i < n && (p[i] & 0xf0) == 0x40)
		i++;
	if (i == n)
		return;			/* prefixes only: an instruction of its own */
	op = p[i++];
	if (op == 0xc5 || op == 0xc4 || op == 0x62) {
		/* VEX and EVEX: no branches; opcode, then ModRM */
		i += op == 0xc5 ? 1 : op == 0xc4 ? 2 : 3;
		i++;
		has_modrm = true;
	} else if (op == 0x0f && i < n) {
		op = p[i++];
		if (op >= 0x80 && op <= 0x8f) {
			in->kind = INSN_JCC;
			in->cond = op & 15;
			in->displen = 4;
		} else if (op == 0x0b || op == 0xb9 || op == 0xff) {
			in->kind = INSN_TRAP;
		} else if (op == 0x1f || (op == 0x1e && p[i - 2] == 0x0f &&
					  strncmp(text, "endbr", 5) &&
					  !strncmp(text, "nop", 3))) {
			in->kind = INSN_NOP;
		} else if (op == 0x07 || op == 0x35) {
			in->kind = INSN_RET;	/* sysret, sysexit */
		}
		if (op == 0x38 || op == 0x3a) {
			i++;
			has_modrm = true;
		} else {
			has_modrm = modrm_two(op);
		}
	} else {
		switch (op) {
		case 0xe9:
			in->kind = INSN_JMP;
			in->displen = 4;
			break;
		case 0xeb:
			in->kind = INSN_JMP;
			in->displen = 1;
			break;
		case 0xe8:
			in->kind = INSN_CALL;
			in->displen = 4;
			break;
		case 0xe0: case 0xe1: case 0xe2: case 0xe3:
			in->kind = INSN_JCC;
			in->cond = 0x100 | op;
			in->displen = 1;
			break;
		case 0xc2: case 0xc3: case 0xca: case 0xcb: case 0xcf:
			in->kind = INSN_RET;
			break;
		case 0xcc: case 0xd6: case 0xf1: case 0xf4:
			/* int3, udb; hlt and int1 go on */
			if (op == 0xcc || op == 0xd6)
				in->kind = INSN_TRAP;
			break;
		case 0x90:
			if (n == 1 || (n == 2 && p[0] == 0x66))
				in->kind = INSN_NOP;
			break;
		case 0xc7:
			if (i < n && p[i] == 0xf8) {	/* xbegin */
				in->kind = INSN_JCC;
				in->cond = 0x200;
				in->displen = 4;
			}
			break;
		case 0xff:
			if (i < n) {
				unsigned int reg = p[i] >> 3 & 7;

				if (reg == 2 || reg == 3)
					in->kind = INSN_ICALL;
				else if (reg == 4 || reg == 5)
					in->kind = INSN_IJMP;
			}
			break;
		}
		if (op >= 0x70 && op <= 0x7f) {
			in->kind = INSN_JCC;
			in->cond = op & 15;
			in->displen = 1;
		}
		has_modrm = modrm_one(op) && in->cond != 0x200;
	}
	if (in->displen) {
		if (in->displen > n) {
			in->kind = INSN_BAD;
			return;
		}
		in->disp = n - in->displen;
		/* prefixes of a branch belong to it: bnd, cs of a thunk */
		for (i = 0; i < in->disp && i < 2; i++)
			if (p[i] == 0xf2 || p[i] == 0x2e || p[i] == 0x3e ||
			    p[i] == 0x67)
				in->cond |= (unsigned int)p[i] << (12 + 8 * i);
			else
				break;
		if (!has_rel(s, in->off + in->disp, in->displen)) {
			in->has_target = true;
			in->target = (int64_t)(in->off + n) +
				     sget(p + in->disp, in->displen);
		}
		return;
	}
	if (!has_modrm || i >= n)
		return;
	modrm = p[i++];
	if ((modrm & 0xc7) != 5 || i + 4 > n)
		return;
	/* relative to the next instruction */
	in->disp = i;
	in->displen = 4;
	if (!has_rel(s, in->off + i, 4)) {
		in->has_target = true;
		in->target = (int64_t)(in->off + n) + sget(p + i, 4);
	}
}

/* Arm Architecture Reference Manual, C4.1: branches; pc-relative addressing */
static void arm64_classify(const struct sec *s, struct insn *in)
{
	uint32_t w = (uint32_t)sget(s->data + in->off, 4);
	uint32_t imm = 0;
	int64_t t = 0;

	in->fixed = w;
	if ((w & 0x7c000000) == 0x14000000) {
		in->kind = w >> 31 ? INSN_CALL : INSN_JMP;
		imm = 0x03ffffff;
		t = (int64_t)((uint64_t)w << 38) >> 36;
	} else if ((w & 0xff000000) == 0x54000000 ||
		   (w & 0x7e000000) == 0x34000000) {
		in->kind = INSN_JCC;
		imm = 0x00ffffe0;
		t = ((int64_t)((uint64_t)(w & imm) << 40) >> 45) * 4;
	} else if ((w & 0x7e000000) == 0x36000000) {
		in->kind = INSN_JCC;
		imm = 0x0007ffe0;
		t = ((int64_t)((uint64_t)(w & imm) << 45) >> 50) * 4;
	} else if ((w & 0xfe000000) == 0xd6000000) {
		/* br, blr, ret, eret, drps; bit 24: with pointer auth */
		unsigned int opc = w >> 21 & 15;

		if ((opc & 7) == 0)
			in->kind = INSN_IJMP;
		else if ((opc & 7) == 1)
			in->kind = INSN_ICALL;
		else
			in->kind = INSN_RET;
	} else if ((w & 0xffe0001f) == 0xd4200000) {
		in->kind = INSN_TRAP;	/* brk */
	} else if (!(w & 0xffff0000)) {
		in->kind = INSN_TRAP;	/* udf */
	} else if (w == 0xd503201f) {
		in->kind = INSN_NOP;
	} else if ((w & 0x9f000000) == 0x10000000) {	/* adr */
		imm = 0x60ffffe0;
		t = ((int64_t)((uint64_t)(w & 0x00ffffe0) << 40) >> 45) * 4 +
		    (w >> 29 & 3);
	} else if ((w & 0x3b000000) == 0x18000000) {	/* ldr literal */
		imm = 0x00ffffe0;
		t = ((int64_t)((uint64_t)(w & imm) << 40) >> 45) * 4;
	}
	if (!imm)
		return;
	in->displen = 4;
	in->fixed = w & ~imm;
	in->cond = in->fixed;
	if (!has_rel(s, in->off, 4)) {
		in->has_target = true;
		in->target = (int64_t)in->off + t;
	}
}

/**
 * dis_one - decode one instruction of x86-64 or arm64
 * @o: object
 * @s: its section
 * @off: offset in it, bytes
 * @end: where the code ends
 * @in: filled; kind INSN_BAD if it cannot be decoded and may be a branch
 *
 * On arm64 a word that LLVM does not know is taken as its bits, INSN_RAW,
 * unless it lies in the encoding space of branches.
 */
void dis_one(const struct obj *o, const struct sec *s, uint64_t off,
	     uint64_t end, struct insn *in)
{
	char text[160];
	size_t n;

	memset(in, 0, sizeof(*in));
	in->off = off;
	in->kind = INSN_OTHER;
	n = dis_length(o, s, off, end, text, sizeof(text));
	if (o->machine == EM_AARCH64) {
		if (off % 4 || off + 4 > end || !s->data) {
			in->kind = INSN_BAD;
			return;
		}
		in->len = 4;
		arm64_classify(s, in);
		if (n != 4 && in->kind != INSN_TRAP) {
			/* op0 of C4.1: x101 holds every branch */
			if ((in->fixed >> 26 & 7) == 5)
				in->kind = INSN_BAD;
			else
				in->kind = INSN_RAW;
		}
		return;
	}
	if (!n || off + n > end) {
		in->kind = INSN_BAD;
		in->len = 1;
		return;
	}
	in->len = n;
	{
		const char *t = text;

		while (isspace((unsigned char)*t))
			t++;
		x86_classify(s, in, t);
		/* a second opinion on what leaves the straight line */
		if (in->kind == INSN_OTHER &&
		    ((t[0] == 'j' && strncmp(t, "jmpabs", 6)) ||
		     !strncmp(t, "call", 4) || !strncmp(t, "lcall", 5) ||
		     !strncmp(t, "ljmp", 4) || !strncmp(t, "loop", 4) ||
		     !strncmp(t, "ret", 3) || !strncmp(t, "iret", 4)))
			in->kind = INSN_BAD;
	}
}

static void add_target(const struct sec *s, int64_t off, char *buf, size_t len)
{
	struct sym *y = off >= 0 ? sym_at(s, off) : NULL;
	const char *str;
	size_t n = strlen(buf);

	if (off < 0 || (uint64_t)off > s->size)
		return;
	if (y && off - (int64_t)y->value)
		snprintf(buf + n, len - n, "%s+%#lx", y->name,
			 (unsigned long)(off - y->value));
	else if (y)
		snprintf(buf + n, len - n, "%s", y->name);
	else if (s->strings && sec_string(s, off, &str))
		snprintf(buf + n, len - n, "\"%.40s\"", str);
	else
		snprintf(buf + n, len - n, "%s+%#lx", s->name,
			 (unsigned long)off);
}

/**
 * dis_text - one instruction as text, with the names that it refers to
 * @o: object
 * @s: its section
 * @in: the instruction
 * @buf: for the text
 * @len: size of @buf
 */
void dis_text(const struct obj *o, const struct sec *s, const struct insn *in,
	      char *buf, size_t len)
{
	char raw[160], *p = raw;
	struct sym *f = sym_at(s, in->off);
	size_t i, n = 0;

	if (!dis_length(o, s, in->off, in->off + in->len, raw, sizeof(raw))) {
		snprintf(buf, len, ".word %#lx", (unsigned long)
			 obj_get(o, s->data + in->off,
				 in->len < 8 ? in->len : 8));
		return;
	}
	while (isspace((unsigned char)*p))
		p++;
	for (; *p && n + 1 < len; p++)
		buf[n++] = *p == '\t' ? ' ' : *p;
	buf[n] = 0;
	/* a raw displacement says nothing to a reader */
	if (in->has_target && in->kind != INSN_OTHER) {
		char *sp = strrchr(buf, ' ');

		if (sp && (in->kind == INSN_JMP || in->kind == INSN_JCC ||
			   in->kind == INSN_CALL))
			*sp = 0;
		n = strlen(buf);
	}
	if (in->has_target) {
		int64_t t = in->target;

		snprintf(buf + n, len - n, in->kind == INSN_OTHER ? "  # " : " ");
		n = strlen(buf);
		if (f && t >= (int64_t)f->value &&
		    t < (int64_t)(f->value + f->size))
			snprintf(buf + n, len - n, ".%+ld",
				 (long)(t - (int64_t)in->off));
		else
			add_target(s, t, buf, len);
	}
	for (i = rel_first(s, in->off);
	     i < s->nrel && s->rel[i].off < in->off + in->len; i++) {
		const struct rel *r = &s->rel[i];
		struct target t = rel_target(o, s, r, !r->pcrel ? 0 :
				(int64_t)(in->off + in->len - r->off));

		n = strlen(buf);
		snprintf(buf + n, len - n, "  # ");
		n = strlen(buf);
		if (t.name) {
			int64_t d = t.off - (t.sym->sec ?
					     (int64_t)t.sym->value : 0);

			snprintf(buf + n, len - n, d ? "%s%+ld" : "%s", t.name,
				 (long)d);
		} else if (t.sec) {
			add_target(t.sec, t.off, buf, len);
		}
	}
}
