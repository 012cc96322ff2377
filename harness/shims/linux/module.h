/* SPDX-License-Identifier: GPL-2.0-only */
#include <linux/init.h>
#include <linux/export.h>
#define MODULE_LICENSE(x)	_Static_assert(1, x)
#define MODULE_DESCRIPTION(x)	_Static_assert(1, x)
