/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_STRING_H
#define SHIM_STRING_H

#include <linux/types.h>

void *memset(void *p, int c, size_t n);
void *memcpy(void *d, const void *s, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *s);

#endif
