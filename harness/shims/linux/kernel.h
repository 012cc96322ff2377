/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_KERNEL_H
#define SHIM_KERNEL_H

#include <linux/types.h>
#include <linux/bitops.h>
#include <linux/bug.h>
#include <linux/math64.h>
#include <linux/export.h>
#include <linux/container_of.h>
#include <linux/minmax.h>
#include <linux/log2.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define ALIGN(x, a)	(((x) + (a) - 1) & ~((typeof(x))(a) - 1))
#define round_up(x, y)	ALIGN(x, y)
#define round_down(x, y) ((x) & ~((typeof(x))(y) - 1))
#define roundup(x, y)	(DIV_ROUND_UP(x, y) * (y))
#define DIV_ROUND_CLOSEST(x, d)	(((x) + (d) / 2) / (d))
#define pr_info(...)	do { } while (0)
#define pr_debug(...)	do { } while (0)
#define pr_warn(...)	do { } while (0)

#endif
