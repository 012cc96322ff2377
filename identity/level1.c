// SPDX-License-Identifier: GPL-2.0-only
#include "objcmp.h"
void level1(struct obj *a, struct obj *b, struct result *r)
{
	level0(a, b, r);
}
