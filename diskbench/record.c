/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/record.h"

#include <errno.h>
#include <math.h>

json_t *
bench_record_real(double v)
{
	return (isfinite(v) ? json_real(v) : json_null());
}

json_t *
bench_record_finite(double v)
{
	return (json_real(isfinite(v) ? v : 0));
}

json_t *
bench_record_integer(uint64_t v)
{
	return (json_integer(v > INT64_MAX ? INT64_MAX : (json_int_t)v));
}

json_t *
bench_record_above_zero(double v)
{
	return (v > 0 ? bench_record_real(v) : json_null());
}

json_t *
bench_record_count(uint64_t v)
{
	return (
	    v > 0 ? json_integer((json_int_t)(v & INT64_MAX)) : json_null());
}

json_t *
bench_record_string(const char *s)
{
	json_t *j = json_string(s);

	/* Serials and paths need not be UTF-8. */
	return (j != NULL ? j : json_string("(not UTF-8)"));
}

json_t *
bench_record_text(const char *s)
{
	return (
	    s != NULL && s[0] != '\0' ? bench_record_string(s) : json_null());
}

void
bench_record_set(json_t *o, const char *key, json_t *v)
{
	(void)json_object_set_new(o, key, v != NULL ? v : json_null());
}

void
bench_record_set_text(json_t *o, const char *key, const char *s)
{
	bench_record_set(o, key, bench_record_text(s));
}

json_t *
bench_record_target(const char *path, const struct bench_identity *id)
{
	return (json_pack("{s:o, s:o, s:o, s:o, s:I}", "path",
	    bench_record_text(path), "model", bench_record_text(id->model),
	    "serial", bench_record_text(id->serial), "firmware",
	    bench_record_text(id->firmware), "size", (json_int_t)id->size));
}

json_t *
bench_record_warnings(const struct bench_verdict *v)
{
	json_t *a = json_array();
	unsigned i;

	for (i = 0; i < v->n; i++)
		(void)json_array_append_new(
		    a, json_pack("{s:s, s:o}", "id", v->warning[i].id, "text",
			   bench_record_text(v->warning[i].text)));
	return (a);
}

json_t *
bench_record_command(char *const *argv, int argc)
{
	json_t *a = json_array();
	int i;

	for (i = 0; i < argc; i++)
		(void)json_array_append_new(a, bench_record_text(argv[i]));
	return (a);
}

int
bench_record_print(FILE *f, json_t *o)
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
