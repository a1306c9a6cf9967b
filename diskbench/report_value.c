/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/report_value.h"

#include <errno.h>

json_t *
bench_report_string(const char *s)
{
	json_t *j = json_string(s);

	/* Serials and paths need not be UTF-8. */
	return (j != NULL ? j : json_string("(not UTF-8)"));
}

json_t *
bench_report_string_or_null(const char *s)
{
	return (
	    s != NULL && s[0] != '\0' ? bench_report_string(s) : json_null());
}

int
bench_report_dump(FILE *f, json_t *o)
{
	int r = 0;

	if (o == NULL)
		return (-ENOMEM);
	if (json_dumpf(o, f, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) < 0 ||
	    fputc('\n', f) == EOF || fflush(f) != 0 || ferror(f))
		r = -EIO;
	json_decref(o);
	return (r);
}
