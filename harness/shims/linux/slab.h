/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_SLAB_H
#define SHIM_SLAB_H

#include <linux/types.h>
#include <linux/gfp.h>
#include <linux/overflow.h>
#include <linux/string.h>
#include <linux/cleanup.h>

#define kmalloc_node(s, f, n)	hs_alloc((s), (f), (n), HS_KMALLOC)
#define kzalloc_node(s, f, n)	hs_alloc((s), (f) | __GFP_ZERO, (n), HS_KMALLOC)
#define kvmalloc_node(s, f, n)	hs_alloc((s), (f), (n), HS_KVMALLOC)
#define kvzalloc_node(s, f, n)	hs_alloc((s), (f) | __GFP_ZERO, (n), HS_KVMALLOC)
#define kmalloc(s, f)		kmalloc_node(s, f, -1)
#define kzalloc(s, f)		kzalloc_node(s, f, -1)
#define kvmalloc(s, f)		kvmalloc_node(s, f, -1)
#define kvzalloc(s, f)		kvzalloc_node(s, f, -1)
#define kmalloc_array(n, s, f)	kmalloc_node(size_mul(n, s), f, -1)
#define kcalloc(n, s, f)	kzalloc_node(size_mul(n, s), f, -1)
#define kmalloc_array_node(n, s, f, nd)	kmalloc_node(size_mul(n, s), f, nd)
#define kcalloc_node(n, s, f, nd)	kzalloc_node(size_mul(n, s), f, nd)
#define kvmalloc_array(n, s, f)	kvmalloc_node(size_mul(n, s), f, -1)
#define kvcalloc(n, s, f)	kvzalloc_node(size_mul(n, s), f, -1)
#define kvcalloc_node(n, s, f, nd)	kvzalloc_node(size_mul(n, s), f, nd)
#define kfree(p)		hs_free((p), HS_KMALLOC)
#define kvfree(p)		hs_free((p), HS_KVMALLOC)

DEFINE_FREE(kfree, void *, if (_T) kfree(_T))
DEFINE_FREE(kvfree, void *, if (_T) kvfree(_T))

#endif
