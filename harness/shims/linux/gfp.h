/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_GFP_H
#define SHIM_GFP_H

#include <linux/types.h>

#define __GFP_ZERO	0x100u
#define __GFP_NOWARN	0x200u
#define __GFP_NORETRY	0x400u
#define __GFP_THISNODE	0x800u
#define __GFP_ACCOUNT	0x1000u
#define GFP_KERNEL	0x1u
#define GFP_NOIO	0x2u
#define GFP_ATOMIC	0x4u
#define GFP_NOWAIT	0x8u

#endif
