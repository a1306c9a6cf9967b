/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/page.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Grow to at least n + 1 elements; false: no memory, and nothing happened. */
static bool
grow(void **array, unsigned n, unsigned *room, size_t size)
{
	unsigned want = *room > 0 ? *room * 2 : 8;
	void *p;

	if (n < *room)
		return (true);
	p = realloc(*array, (size_t)want * size);
	if (p == NULL)
		return (false);
	*array = p;
	*room = want;
	return (true);
}

/* The length of the UTF-8 sequence that begins here, and its code point; 0: it
 * is none. */
static unsigned
sequence(const unsigned char *s, uint32_t *ret)
{
	unsigned n = *s < 0x80   ? 1
		     : *s < 0xc2 ? 0
		     : *s < 0xe0 ? 2
		     : *s < 0xf0 ? 3
		     : *s < 0xf5 ? 4
				 : 0;
	uint32_t c = n < 2 ? *s : *s & (0x7fU >> n);
	unsigned i;

	for (i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return (0);
		c = c << 6 | (s[i] & 0x3fU);
	}
	if ((n == 3 && c < 0x800) ||
	    (n == 4 && (c < 0x10000 || c > 0x10ffff)) ||
	    (c >= 0xd800 && c < 0xe000))
		return (0);
	*ret = c;
	return (n);
}

/*
 * Titles of terminals, moved cursors, text that reads backwards: none of it
 * belongs in a name.  Each such character becomes one "?", in place.
 */
static void
clean(char *text)
{
	unsigned char *s = (unsigned char *)text, *d = s;
	unsigned n;
	uint32_t c;

	while (*s != '\0') {
		n = sequence(s, &c);
		if (n == 0 || c < 0x20 || (c >= 0x7f && c < 0xa0) ||
		    (c >= 0x200b && c <= 0x200f) ||
		    (c >= 0x2028 && c <= 0x202e) ||
		    (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
		    (c & 0xfffe) == 0xfffe) {
			*d++ = n == 1 && (*s == '\n' || *s == '\t') ? ' ' : '?';
			s += n > 0 ? n : 1;
			continue;
		}
		memmove(d, s, n);
		d += n;
		s += n;
	}
	*d = '\0';
}

static char *vtext(const char *, va_list) CLI_PRINTF(1, 0);

static char *
vtext(const char *fmt, va_list ap)
{
	va_list again;
	char *s = NULL;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n >= 0)
		s = malloc((size_t)n + 1);
	if (s != NULL) {
		(void)vsnprintf(s, (size_t)n + 1, fmt, ap);
		clean(s);
	}
	return (s);
}

void
bench_page_init(struct bench_page *p)
{
	memset(p, 0, sizeof *p);
}

void
bench_table_free(struct bench_table *t)
{
	unsigned i;

	if (t == NULL)
		return;
	for (i = 0; i < t->n; i++)
		free(t->cell[i]);
	free(t->cell);
	free(t->caption);
	free(t);
}

static void
figure_free(struct bench_figure *f)
{
	unsigned i;

	if (f == NULL)
		return;
	for (i = 0; i < f->n_line; i++) {
		free(f->line[i].name);
		free(f->line[i].point);
	}
	free(f->title);
	free(f->alt);
	free(f);
}

static void
item_fini(struct bench_item *it)
{
	switch (it->kind) {
	case BENCH_ITEM_NOTE:
		free(it->u.note->text);
		free(it->u.note);
		break;
	case BENCH_ITEM_FIGURE: figure_free(it->u.figure); break;
	case BENCH_ITEM_TABLE: bench_table_free(it->u.table); break;
	}
}

static void
section_free(struct bench_section *s)
{
	unsigned i;

	for (i = 0; i < s->n; i++)
		item_fini(&s->item[i]);
	free(s->item);
	free(s->title);
	free(s);
}

void
bench_page_fini(struct bench_page *p)
{
	unsigned i;

	for (i = 0; i < p->n_verdict; i++)
		free(p->verdict[i].text);
	free(p->verdict);
	for (i = 0; i < p->n_section; i++)
		section_free(p->section[i]);
	free(p->section);
	bench_page_init(p);
}

void
bench_page_verdict(
    struct bench_page *p, enum bench_tone tone, const char *fmt, ...)
{
	va_list ap;
	void *array = p->verdict;
	char *s;

	va_start(ap, fmt);
	s = vtext(fmt, ap);
	va_end(ap);
	if (s == NULL ||
	    !grow(&array, p->n_verdict, &p->verdict_room, sizeof *p->verdict)) {
		free(s);
		p->failed = true;
		return;
	}
	p->verdict = array;
	p->verdict[p->n_verdict].tone = tone;
	p->verdict[p->n_verdict++].text = s;
}

struct bench_section *
bench_page_section(struct bench_page *p, const char *fmt, ...)
{
	struct bench_section *s = calloc(1, sizeof *s);
	void *array = p->section;
	va_list ap;

	if (s != NULL) {
		va_start(ap, fmt);
		s->title = vtext(fmt, ap);
		va_end(ap);
	}
	if (s == NULL || s->title == NULL ||
	    !grow(&array, p->n_section, &p->section_room, sizeof *p->section)) {
		if (s != NULL)
			section_free(s);
		p->failed = true;
		return (NULL);
	}
	p->section = array;
	p->section[p->n_section++] = s;
	return (s);
}

/* The section's from here, or false. */
static bool
add(struct bench_section *s, const struct bench_item *it)
{
	void *array = s->item;

	if (!grow(&array, s->n, &s->room, sizeof *s->item))
		return (false);
	s->item = array;
	s->item[s->n++] = *it;
	return (true);
}

void
bench_page_note(struct bench_page *p, struct bench_section *s,
    enum bench_tone tone, const char *fmt, ...)
{
	struct bench_item it = { .kind = BENCH_ITEM_NOTE };
	struct bench_note *n;
	va_list ap;

	if (s == NULL)
		return;
	n = calloc(1, sizeof *n);
	if (n != NULL) {
		n->tone = tone;
		va_start(ap, fmt);
		n->text = vtext(fmt, ap);
		va_end(ap);
	}
	it.u.note = n;
	if (n != NULL && n->text != NULL && add(s, &it))
		return;
	if (n != NULL)
		free(n->text);
	free(n);
	p->failed = true;
}

static struct bench_table *
table_new(unsigned columns, const char *caption)
{
	struct bench_table *t = calloc(1, sizeof *t);

	assert(columns > 0);
	if (t == NULL)
		return (NULL);
	t->columns = columns;
	t->caption = strdup(caption);
	if (t->caption == NULL) {
		free(t);
		return (NULL);
	}
	clean(t->caption);
	return (t);
}

struct bench_table *
bench_page_table(struct bench_page *p, struct bench_section *s,
    unsigned columns, const char *caption)
{
	struct bench_item it = { .kind = BENCH_ITEM_TABLE };

	if (s == NULL)
		return (NULL);
	it.u.table = table_new(columns, caption);
	if (it.u.table != NULL && add(s, &it))
		return (it.u.table);
	bench_table_free(it.u.table);
	p->failed = true;
	return (NULL);
}

static bool cell(struct bench_table *, const char *, va_list) CLI_PRINTF(2, 0);

static bool
cell(struct bench_table *t, const char *fmt, va_list ap)
{
	void *array = t->cell;
	char *s = vtext(fmt, ap);

	if (s == NULL || !grow(&array, t->n, &t->room, sizeof *t->cell)) {
		free(s);
		return (false);
	}
	t->cell = array;
	t->cell[t->n++] = s;
	return (true);
}

void
bench_page_cell(
    struct bench_page *p, struct bench_table *t, const char *fmt, ...)
{
	va_list ap;

	if (t == NULL)
		return;
	va_start(ap, fmt);
	if (!cell(t, fmt, ap))
		p->failed = true;
	va_end(ap);
}

struct bench_figure *
bench_page_figure(struct bench_page *p, struct bench_section *s,
    const struct bench_axis *x, const struct bench_axis *y, const char *fmt,
    ...)
{
	struct bench_item it = { .kind = BENCH_ITEM_FIGURE };
	struct bench_figure *f;
	va_list ap;

	if (s == NULL)
		return (NULL);
	f = calloc(1, sizeof *f);
	if (f != NULL) {
		f->x = *x;
		f->y = *y;
		f->in_text = true;
		va_start(ap, fmt);
		f->title = vtext(fmt, ap);
		va_end(ap);
		f->alt = f->title != NULL ? strdup(f->title) : NULL;
	}
	it.u.figure = f;
	if (f != NULL && f->alt != NULL && add(s, &it))
		return (f);
	figure_free(f);
	p->failed = true;
	return (NULL);
}

void
bench_page_alt(
    struct bench_page *p, struct bench_figure *f, const char *fmt, ...)
{
	va_list ap;
	char *s;

	if (f == NULL)
		return;
	va_start(ap, fmt);
	s = vtext(fmt, ap);
	va_end(ap);
	if (s == NULL) {
		p->failed = true;
		return;
	}
	free(f->alt);
	f->alt = s;
}

struct bench_line *
bench_page_line(struct bench_page *p, struct bench_figure *f,
    enum bench_mark mark, const char *name)
{
	struct bench_line *l;

	if (f == NULL || f->n_line == BENCH_LINES)
		return (NULL);
	l = &f->line[f->n_line];
	l->name = strdup(name);
	if (l->name == NULL) {
		p->failed = true;
		return (NULL);
	}
	clean(l->name);
	l->mark = mark;
	f->n_line++;
	return (l);
}

static bool
drawable(const struct bench_axis *a, double v)
{
	return (isfinite(v) && fabs(v) <= 1e18 && !(a->log && v <= 0));
}

void
bench_page_point(struct bench_page *p, const struct bench_figure *f,
    struct bench_line *l, const struct bench_point *pt)
{
	void *array;

	if (l == NULL || l->n == BENCH_POINTS || !drawable(&f->x, pt->x) ||
	    !drawable(&f->y, pt->y) ||
	    (l->mark == BENCH_MARK_RANGE &&
		(!drawable(&f->x, pt->low) || !drawable(&f->x, pt->high))))
		return;
	array = l->point;
	if (!grow(&array, l->n, &l->room, sizeof *l->point)) {
		p->failed = true;
		return;
	}
	l->point = array;
	l->point[l->n++] = *pt;
}

static bool
tidy_figure(struct bench_figure *f)
{
	unsigned i, n = 0;

	for (i = 0; i < f->n_line; i++) {
		if (f->line[i].n == 0) {
			free(f->line[i].name);
			free(f->line[i].point);
			continue;
		}
		f->line[n++] = f->line[i];
	}
	f->n_line = n;
	for (i = 0; i < n; i++)
		if (f->line[i].mark != BENCH_MARK_LEVEL)
			return (true);
	return (false);
}

void
bench_page_tidy(struct bench_page *p)
{
	struct bench_section *s;
	struct bench_item *it;
	unsigned i, k, n, sections = 0;

	for (i = 0; i < p->n_section; i++) {
		s = p->section[i];
		n = 0;
		for (k = 0; k < s->n; k++) {
			it = &s->item[k];
			if ((it->kind == BENCH_ITEM_FIGURE &&
				!tidy_figure(it->u.figure)) ||
			    (it->kind == BENCH_ITEM_TABLE &&
				it->u.table->n <= it->u.table->columns)) {
				item_fini(it);
				continue;
			}
			s->item[n++] = *it;
		}
		s->n = n;
		if (n == 0) {
			section_free(s);
			continue;
		}
		p->section[sections++] = s;
	}
	p->n_section = sections;
}

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
	if (line->mark == BENCH_MARK_POINTS) {
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
	ok = cell(t, fmt, ap);
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
	t = table_new(range ? 5 : columns, f->title);
	if (t != NULL && !(range ? range_rows(t, f) : plain_rows(t, f, most))) {
		bench_table_free(t);
		return (NULL);
	}
	return (t);
}
