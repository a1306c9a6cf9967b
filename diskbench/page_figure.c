/* SPDX-License-Identifier: BSD-2-Clause */
/* Values as people write them, and the rows of numbers behind a figure. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diskbench/page.h"

/* Three digits and no zeros behind the point. */
static void
digits(double v, const char *unit, char *ret, unsigned len)
{
	char buf[48];
	char *e;

	(void)snprintf(buf, sizeof buf, "%.*f",
	    fabs(v) >= 99.95   ? 0
	    : fabs(v) >= 9.995 ? 1
			       : 2,
	    v);
	if (strchr(buf, '.') != NULL) {
		for (e = buf + strlen(buf); e[-1] == '0';)
			*--e = '\0';
		if (e[-1] == '.')
			e[-1] = '\0';
	}
	(void)snprintf(
	    ret, len, "%s%s", strcmp(buf, "-0") == 0 ? "0" : buf, unit);
}

static void
scaled(double v, const char *const *units, unsigned n, char *ret, unsigned len)
{
	unsigned i = 0;

	while (i + 1 < n && fabs(v) >= 999.5) {
		v /= 1000;
		i++;
	}
	digits(v, units[i], ret, len);
}

void
bench_value_text(enum bench_unit unit, double v, char *ret, unsigned len)
{
	static const char *const count[] = { "", "k", "M", "G", "T" };
	static const char *const bytes[] = { " B", " kB", " MB", " GB", " TB",
		" PB" };
	static const char *const rate[] = { " B/s", " kB/s", " MB/s", " GB/s",
		" TB/s" };
	static const char *const time[] = { " ns", " us", " ms", " s" };
	char buf[40];
	double share;
	int n;

	switch (unit) {
	case BENCH_UNIT_COUNT: scaled(v, count, 5, ret, len); break;
	case BENCH_UNIT_BYTES: scaled(v, bytes, 6, ret, len); break;
	case BENCH_UNIT_RATE: scaled(v, rate, 5, ret, len); break;
	case BENCH_UNIT_SECONDS:
		if (v == 0)
			(void)snprintf(ret, len, "0 s");
		else if (fabs(v) >= 600)
			digits(v / 60, " min", ret, len);
		else
			scaled(v * 1e9, time, 4, ret, len);
		break;
	case BENCH_UNIT_RATIO: digits(v, "", ret, len); break;
	case BENCH_UNIT_FACTOR:
		(void)snprintf(ret, len, fabs(v) < 100 ? "%.3f" : "%.4g", v);
		break;
	case BENCH_UNIT_ORDINAL: (void)snprintf(ret, len, "%.0f", v); break;
	case BENCH_UNIT_NINES:
		share = 100 - 100 * pow(10, -v);
		n = v <= 1.5 ? 0 : (int)ceil(v - 2.05);
		(void)snprintf(buf, sizeof buf, "%.*f",
		    n < 0    ? 0
		    : n > 12 ? 12
			     : n,
		    share);
		(void)snprintf(ret, len, "%s%%", buf);
		break;
	}
}

static void
extent(const struct bench_figure *f, double *ret_low, double *ret_high)
{
	unsigned i, k;

	*ret_low = INFINITY;
	*ret_high = -INFINITY;
	for (i = 0; i < f->n_line; i++) {
		if (f->line[i].mark == BENCH_MARK_LEVEL)
			continue;
		for (k = 0; k < f->line[i].n; k++) {
			double x = f->line[i].point[k].x;

			if (x < *ret_low)
				*ret_low = x;
			if (x > *ret_high)
				*ret_high = x;
		}
	}
}

unsigned
bench_figure_row_count(const struct bench_figure *f, unsigned most)
{
	unsigned i, n = 0;

	for (i = 0; i < f->n_line; i++)
		if (f->line[i].mark != BENCH_MARK_LEVEL && f->line[i].n > n)
			n = f->line[i].n;
	return (n < most ? n : most);
}

static int
by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x < *y ? -1 : *x > *y);
}

bool
bench_figure_row(const struct bench_figure *f, unsigned l, unsigned k,
    unsigned n, double *ret_x, double *ret_y)
{
	const struct bench_line *line = &f->line[l];
	double low, high, at, sum = 0, sum_x = 0, v[256];
	unsigned i, got = 0, kept = 0;
	bool each = line->n <= n;

	/* Few points, the same in all lines: each its row. */
	for (i = 0; i < f->n_line; i++)
		each = each && (f->line[i].mark == BENCH_MARK_LEVEL ||
				   f->line[i].n == line->n);
	if (each) {
		if (k >= line->n)
			return (false);
		*ret_x = line->point[k].x;
		*ret_y = line->point[k].y;
		return (true);
	}
	extent(f, &low, &high);
	for (i = 0; i < line->n; i++) {
		double x = line->point[i].x;

		at = high <= low ? 0
		     : f->x.log  ? log(x / low) / log(high / low)
				 : (x - low) / (high - low);
		if ((unsigned)fmin(floor(at * n), n - 1) != k)
			continue;
		sum += line->point[i].y;
		sum_x += x;
		if (kept < sizeof v / sizeof *v)
			v[kept++] = line->point[i].y;
		got++;
	}
	if (got == 0)
		return (false);
	*ret_x = sum_x / got;
	*ret_y = line->mark == BENCH_MARK_BARS ? sum : sum / got;
	if (line->mark == BENCH_MARK_POINTS || line->mark == BENCH_MARK_DISCS ||
	    line->mark == BENCH_MARK_CROSSES) {
		qsort(v, kept, sizeof *v, by_value);
		*ret_y = v[kept / 2];
	}
	return (true);
}

static bool put(struct bench_table *, const char *, ...) CLI_PRINTF(2, 3);

static bool
put(struct bench_table *t, const char *fmt, ...)
{
	va_list ap;
	bool ok;

	va_start(ap, fmt);
	ok = bench_table_cell(t, fmt, ap);
	va_end(ap);
	return (ok);
}

static bool
range_rows(struct bench_table *t, const struct bench_figure *f)
{
	char a[32], b[32], c[32];
	unsigned l, k;
	bool ok = put(t, "row") && put(t, "what") && put(t, "%s", f->x.label) &&
		  put(t, "from") && put(t, "to");

	for (l = 0; l < f->n_line; l++) {
		if (f->line[l].mark != BENCH_MARK_RANGE)
			continue;
		for (k = 0; k < f->line[l].n; k++) {
			const struct bench_point *p = &f->line[l].point[k];

			bench_value_text(f->x.unit, p->x, a, sizeof a);
			bench_value_text(f->x.unit, p->low, b, sizeof b);
			bench_value_text(f->x.unit, p->high, c, sizeof c);
			ok = ok && put(t, "%.0f", p->y) &&
			     put(t, "%s", f->line[l].name) && put(t, "%s", a) &&
			     put(t, "%s", b) && put(t, "%s", c);
		}
	}
	return (ok);
}

static bool
plain_rows(struct bench_table *t, const struct bench_figure *f, unsigned most)
{
	unsigned n = bench_figure_row_count(f, most), l, k;
	double x, y, first;
	char buf[32];
	bool ok = put(t, "%s", f->x.label), any;

	for (l = 0; l < f->n_line; l++)
		if (f->line[l].mark != BENCH_MARK_LEVEL)
			ok = ok && put(t, "%s", f->line[l].name);
	for (k = 0; k < n; k++) {
		any = false;
		for (l = 0; l < f->n_line && !any; l++)
			any = f->line[l].mark != BENCH_MARK_LEVEL &&
			      bench_figure_row(f, l, k, n, &first, &y);
		if (!any)
			continue;
		bench_value_text(f->x.unit, first, buf, sizeof buf);
		ok = ok && put(t, "%s", buf);
		for (l = 0; l < f->n_line; l++) {
			if (f->line[l].mark == BENCH_MARK_LEVEL)
				continue;
			buf[0] = '\0';
			if (bench_figure_row(f, l, k, n, &x, &y))
				bench_value_text(f->y.unit, y, buf, sizeof buf);
			ok = ok && put(t, "%s", buf);
		}
	}
	return (ok);
}

struct bench_table *
bench_figure_rows(const struct bench_figure *f, unsigned most)
{
	struct bench_table *t;
	unsigned l, columns = 1;
	bool range = false;

	for (l = 0; l < f->n_line; l++) {
		columns += f->line[l].mark != BENCH_MARK_LEVEL;
		range = range || f->line[l].mark == BENCH_MARK_RANGE;
	}
	t = bench_table_new(range ? 5 : columns, f->title);
	if (t != NULL && !(range ? range_rows(t, f) : plain_rows(t, f, most))) {
		bench_table_free(t);
		return (NULL);
	}
	return (t);
}
