/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_SEQ_FILE_H
#define SHIM_SEQ_FILE_H

#include <linux/types.h>

struct seq_file {
	struct hs_text text;
	void *private;
};

#define seq_printf(m, ...)	hs_text_add(&(m)->text, __VA_ARGS__)
#define seq_puts(m, s)		hs_text_add(&(m)->text, "%s", (s))
#define seq_putc(m, c)		hs_text_char(&(m)->text, (c))

#endif
