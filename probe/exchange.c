/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/exchange.h"

const struct probe_line *
probe_exchange_line(const struct probe_exchange *x, const char *name)
{
	size_t i;

	for (i = 0; i < x->nlines; i++)
		if (probe_line_is(&x->lines[i], name))
			return (&x->lines[i]);
	return (NULL);
}
