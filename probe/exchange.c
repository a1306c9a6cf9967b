/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/exchange.h"

#include <apr_date.h>
#include <apr_strings.h>

const struct probe_line *
probe_exchange_line(const struct probe_exchange *x, const char *name)
{
	size_t i;

	for (i = 0; i < x->nlines; i++)
		if (probe_line_is(&x->lines[i], name))
			return (&x->lines[i]);
	return (NULL);
}

const char *
probe_line_copy(const struct probe_line *l, apr_pool_t *pool)
{
	return (l == NULL ? NULL : apr_pstrndup(pool, l->value, l->value_len));
}

apr_time_t
probe_line_date(const struct probe_line *l)
{
	char b[64];

	if (l == NULL)
		return (APR_DATE_BAD);
	(void)apr_snprintf(b, sizeof b, "%.*s",
	    (int)(l->value_len < sizeof b ? l->value_len : sizeof b - 1),
	    l->value);
	return (apr_date_parse_http(b));
}
