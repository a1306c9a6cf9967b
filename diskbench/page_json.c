/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/page_json.h"

#include <stdarg.h>
#include <stdio.h>

const json_t *
bench_json_at(const json_t *o, ...)
{
	const char *key;
	va_list ap;

	va_start(ap, o);
	while (o != NULL && (key = va_arg(ap, const char *)) != NULL)
		o = json_object_get(o, key);
	va_end(ap);
	return (o);
}

double
bench_json_number(const json_t *j)
{
	return (json_is_number(j) ? json_number_value(j) : NAN);
}

const char *
bench_json_text(const json_t *j)
{
	const char *s = json_string_value(j);

	return (s != NULL ? s : "");
}

void
bench_json_ns(const json_t *j, char *ret, unsigned len)
{
	double v = bench_json_number(j);

	if (isnan(v))
		(void)snprintf(ret, len, "-");
	else
		bench_value_text(BENCH_UNIT_SECONDS, v / 1e9, ret, len);
}

void
bench_json_words(const json_t *words, char *ret, unsigned len)
{
	size_t i, n = json_array_size(words), at = 0;

	ret[0] = '\0';
	for (i = 0; i < n && at + 1 < len; i++) {
		int got = snprintf(ret + at, len - at, "%s%s", i > 0 ? " " : "",
		    bench_json_text(json_array_get(words, i)));

		at += got > 0 ? (size_t)got : 0;
	}
}

double
bench_json_number_at(const json_t *o, const char *key)
{
	return (bench_json_number(json_object_get(o, key)));
}

const char *
bench_json_text_at(const json_t *o, const char *key)
{
	return (bench_json_text(json_object_get(o, key)));
}

void
bench_json_value(const json_t *o, const char *key, enum bench_unit unit,
    double scale, char *ret, unsigned len)
{
	double v = bench_json_number_at(o, key);

	ret[0] = '\0';
	if (json_is_boolean(json_object_get(o, key)))
		(void)snprintf(ret, len, "%s",
		    json_is_true(json_object_get(o, key)) ? "yes" : "no");
	else if (json_is_integer(json_object_get(o, key)) &&
		 unit == BENCH_UNIT_ORDINAL)
		/* A seed has more digits than a double. */
		(void)snprintf(ret, len, "%" JSON_INTEGER_FORMAT,
		    json_integer_value(json_object_get(o, key)));
	else if (!isnan(v))
		bench_value_text(unit, v * scale, ret, len);
	else
		(void)snprintf(ret, len, "%s", bench_json_text_at(o, key));
}

void
bench_page_rows(struct bench_page *p, struct bench_table *t, const json_t *o,
    const struct bench_json_row *row, unsigned n)
{
	char buf[1024];
	unsigned i;

	for (i = 0; i < n; i++) {
		bench_json_value(
		    o, row[i].key, row[i].unit, row[i].scale, buf, sizeof buf);
		if (buf[0] == '\0')
			continue;
		bench_page_cell(p, t, "%s", row[i].name);
		bench_page_cell(p, t, "%s", buf);
	}
}

void
bench_page_target(
    struct bench_page *p, struct bench_table *t, const json_t *target)
{
	static const struct bench_json_row row[] = {
		{ "path", "path", 0, 1 },
		{ "model", "model", 0, 1 },
		{ "serial", "serial", 0, 1 },
		{ "firmware", "firmware", 0, 1 },
		{ "size", "size", BENCH_UNIT_BYTES, 1 },
	};

	bench_page_rows(p, t, target, row, sizeof row / sizeof *row);
}

struct bench_table *
bench_page_method(
    struct bench_page *p, struct bench_section *s, const struct bench_sheet *sh)
{
	struct bench_table *t =
	    bench_page_table(p, s, 2, "How it was measured");
	char buf[1024];

	bench_page_cell(p, t, "what");
	bench_page_cell(p, t, "value");
	bench_page_cell(p, t, "file");
	bench_page_cell(p, t, "%s", sh->file);
	bench_json_words(json_object_get(sh->root, "command"), buf, sizeof buf);
	if (buf[0] != '\0') {
		bench_page_cell(p, t, "command");
		bench_page_cell(p, t, "%s", buf);
	}
	return (t);
}

void
bench_page_cell_value(
    struct bench_page *p, struct bench_table *t, enum bench_unit unit, double v)
{
	char buf[32];

	if (isfinite(v))
		bench_value_text(unit, v, buf, sizeof buf);
	else
		(void)snprintf(buf, sizeof buf, "-");
	bench_page_cell(p, t, "%s", buf);
}
