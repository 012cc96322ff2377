// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fixture of masks.t for what compilers add: UBSAN and KASAN. LINES moves
 * everything down, MOVED_TO two functions to another file.
 */
#ifdef LINES
#line 2222
#endif
#ifndef WHO
#define WHO "somebody.h"
#endif
#ifndef BOUND
#define BOUND 10
#endif
extern int ext(void *), arr[BOUND], shifted(int);
static int global[5] = { 1, 2 };
static int another[3] = {
#ifdef OTHER
	7,
#else
	6,
#endif
};

#ifdef EXTRA
static int extra[7] = { 1 };
#endif

int shift_here(int v, int by)
{
	return v << by;
}

#ifdef MOVED_TO
#line 5 MOVED_TO
#endif
int out_of_bounds(int i)
{
	return arr[i];
}

int shift(int v, int by)
{
	return v << by;
}
#ifdef MOVED_TO
#line 60 "fixture.c"
#endif

int says_who(void)
{
#ifdef EXTRA
	ext(extra);
#endif
	return ext(WHO);
}

#ifdef NAMED
#define buffer buffeR
#endif
int frame(void)
{
	char buffer[20];
#ifdef WIDER
	char second[40];
#else
	char second[30];
#endif

	ext("a string");
	ext("a longer string, for another place in the table");
	return ext(buffer) + ext(second) + ext(global) + ext(another);
}

int frame2(void)
{
	int one[3];

	ext("more strings");
	return ext(one);
}
