/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diskbench/page_print.h"

/* Columns of a string: its code points, as names are mostly narrow ones. */
static unsigned
columns(const char *s)
{
	unsigned n = 0;

	for (; *s != '\0'; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return (n);
}

static void
repeat(FILE *f, int c, unsigned n)
{
	while (n-- > 0)
		(void)fputc(c, f);
}

/* Wrap at blanks; what follows the first line is indented. */
static void
wrapped(FILE *f, const char *s, unsigned indent, unsigned width)
{
	unsigned at = indent, n;
	size_t len;
	bool first = true;

	while (*s != '\0') {
		char word[512];

		s += strspn(s, " ");
		len = strcspn(s, " ");
		if (len == 0)
			break;
		if (len >= sizeof word)
			len = sizeof word - 1;
		memcpy(word, s, len);
		word[len] = '\0';
		s += len;
		n = columns(word);
		if (!first && at + 1 + n > width) {
			(void)fputc('\n', f);
			repeat(f, ' ', indent);
			at = indent;
		} else if (!first) {
			(void)fputc(' ', f);
			at++;
		}
		(void)fputs(word, f);
		at += n;
		first = false;
	}
	(void)fputc('\n', f);
}

static void
note(FILE *f, const struct bench_note *n, unsigned width)
{
	static const char *const mark[] = { "", "", "warning: ", "PROBLEM: " };
	const char *m = mark[n->tone];

	(void)fputs(m, f);
	wrapped(f, n->text, (unsigned)strlen(m), width);
}

static unsigned
column_width(const struct bench_table *t, unsigned c)
{
	unsigned i, n, w = 0;

	for (i = c; i < t->n; i += t->columns) {
		n = columns(t->cell[i]);
		if (n > w)
			w = n;
	}
	return (w);
}

static bool
numeric(const struct bench_table *t, unsigned c)
{
	unsigned i;

	for (i = t->columns + c; i < t->n; i += t->columns)
		if (t->cell[i][0] != '\0' &&
		    strchr("0123456789-+", t->cell[i][0]) == NULL)
			return (false);
	return (true);
}

static void
cell(FILE *f, const struct bench_table *t, unsigned i, unsigned width)
{
	unsigned c = i % t->columns, n = columns(t->cell[i]);
	bool right = c > 0 && numeric(t, c);

	(void)fputs("  ", f);
	if (right && n < width)
		repeat(f, ' ', width - n);
	(void)fputs(t->cell[i], f);
	if (!right && n < width && c + 1 < t->columns)
		repeat(f, ' ', width - n);
}

static void
table(FILE *f, const struct bench_table *t)
{
	unsigned i;

	if (t->caption[0] != '\0')
		(void)fprintf(f, "\n%s\n", t->caption);
	for (i = 0; i < t->n; i++) {
		cell(f, t, i, column_width(t, i % t->columns));
		if (i % t->columns == t->columns - 1)
			(void)fputc('\n', f);
	}
}

/* The first line that is data: its bars stand beside the numbers. */
static unsigned
leader(const struct bench_figure *fig)
{
	unsigned i = 0;

	while (i + 1 < fig->n_line && fig->line[i].mark == BENCH_MARK_LEVEL)
		i++;
	return (i);
}

/* 0 to 1: how long the bar of this is. */
static double
share(const struct bench_axis *a, double v, double low, double high)
{
	/* Noise is not to look like a change: a decade at least. */
	if (a->log)
		return (log(v / fmin(low / 2, high / 10)) /
			log(high / fmin(low / 2, high / 10)));
	return (high > 0 && v > 0 ? v / high : 0);
}

static void
bar(FILE *f, unsigned n)
{
	if (n == 0)
		return;
	(void)fputs("  ", f);
	repeat(f, '#', n);
}

static void
bars(FILE *f, const struct bench_figure *fig, const struct bench_table *t,
    unsigned n, unsigned width)
{
	unsigned l = leader(fig), i, k, used = 0, room, row = 0;
	double x, y, low = INFINITY, high = -INFINITY;

	for (k = 0; k < n; k++)
		if (bench_figure_row(fig, l, k, n, &x, &y)) {
			low = fmin(low, y);
			high = fmax(high, y);
		}
	for (i = 0; i < t->columns; i++)
		used += 2 + column_width(t, i);
	room = width > used + 12 ? width - used - 2 : 10;
	for (i = 0; i < t->n; i++) {
		unsigned c = i % t->columns;
		bool any = false;

		cell(f, t, i, column_width(t, c));
		if (c + 1 < t->columns)
			continue;
		/* The rows of the table are those that have a point. */
		for (; i >= t->columns && row < n && !any; row++) {
			unsigned j;

			for (j = 0; j < fig->n_line && !any; j++)
				any = fig->line[j].mark != BENCH_MARK_LEVEL &&
				      bench_figure_row(fig, j, row, n, &x, &y);
		}
		if (any && bench_figure_row(fig, l, row - 1, n, &x, &y))
			bar(f, (unsigned)lround(
				   share(&fig->y, y, low, high) * room));
		(void)fputc('\n', f);
	}
}

/* The column of v, of so many. */
static unsigned
place(const struct bench_axis *a, double v, double low, double high,
    unsigned room)
{
	double at =
	    a->log ? log(v / low) / log(high / low) : (v - low) / (high - low);

	return ((unsigned)lround(fmin(fmax(at, 0), 1) * (room - 1)));
}

static void
forest_row(FILE *f, const struct bench_axis *a, const struct bench_point *p,
    double low, double high, unsigned one, unsigned room)
{
	unsigned from = place(a, p->low, low, high, room);
	unsigned to = place(a, p->high, low, high, room);
	unsigned at = place(a, p->x, low, high, room), c;

	(void)fprintf(f, "  %3.0f  ", p->y);
	for (c = 0; c < room && (c <= to || c <= one); c++)
		(void)fputc(c == at                ? 'o'
			    : c == from || c == to ? '|'
			    : c > from && c < to   ? '-'
			    : c == one             ? ':'
						   : ' ',
		    f);
	(void)fputc('\n', f);
}

static void
forest(FILE *f, const struct bench_figure *fig, unsigned width)
{
	double low = INFINITY, high = -INFINITY;
	unsigned i, k, one, room = width > 24 ? width - 12 : 20;
	const struct bench_line *level = NULL;
	char a[24], b[24];

	for (i = 0; i < fig->n_line; i++) {
		if (fig->line[i].mark == BENCH_MARK_LEVEL)
			level = &fig->line[i];
		for (k = 0; k < fig->line[i].n; k++) {
			const struct bench_point *p = &fig->line[i].point[k];
			bool range = fig->line[i].mark == BENCH_MARK_RANGE;

			low = fmin(low, range ? p->low : p->x);
			high = fmax(high, range ? p->high : p->x);
		}
	}
	if (!(high > low))
		return;
	one = level != NULL ? place(&fig->x, level->point[0].x, low, high, room)
			    : 0;
	for (i = 0; i < fig->n_line; i++)
		for (k = 0; fig->line[i].mark == BENCH_MARK_RANGE &&
			    k < fig->line[i].n;
		     k++)
			forest_row(f, &fig->x, &fig->line[i].point[k], low,
			    high, one, room);
	bench_value_text(fig->x.unit, low, a, sizeof a);
	bench_value_text(fig->x.unit, high, b, sizeof b);
	(void)fprintf(f, "       %-*s%s\n",
	    (int)(room > strlen(b) ? room - strlen(b) : 1), a, b);
	if (level != NULL)
		(void)fprintf(
		    f, "       the colons stand at %s\n", level->name);
}

static void
levels(FILE *f, const struct bench_figure *fig)
{
	char buf[32];
	unsigned i;

	for (i = 0; i < fig->n_line; i++) {
		const struct bench_line *l = &fig->line[i];

		if (l->mark != BENCH_MARK_LEVEL || l->n == 0)
			continue;
		bench_value_text(fig->y.unit, l->point[0].y, buf, sizeof buf);
		(void)fprintf(f, "  %s: %s", l->name, buf);
		if (l->point[l->n - 1].y != l->point[0].y) {
			bench_value_text(
			    fig->y.unit, l->point[l->n - 1].y, buf, sizeof buf);
			(void)fprintf(f, " to %s", buf);
		}
		(void)fputc('\n', f);
	}
}

static void
figure(FILE *f, const struct bench_figure *fig, unsigned width)
{
	unsigned most = 16, n = bench_figure_row_count(fig, most);
	struct bench_table *t = bench_figure_rows(fig, most);
	bool is_forest = fig->line[0].mark == BENCH_MARK_RANGE;

	(void)fprintf(f, "%s\n", fig->title);
	if (t == NULL)
		return;
	free(t->caption);
	t->caption = NULL;
	if (is_forest) {
		forest(f, fig, width);
		t->caption = strdup("");
		if (t->caption != NULL)
			table(f, t);
	} else {
		bars(f, fig, t, n, width);
		levels(f, fig);
	}
	bench_table_free(t);
}

void
bench_page_text(FILE *f, const struct bench_page *p, unsigned width)
{
	unsigned i, k;

	for (i = 0; i < p->n_verdict; i++)
		note(f, &p->verdict[i], width);
	for (i = 0; i < p->n_section; i++) {
		const struct bench_section *s = p->section[i];

		(void)fprintf(f, "\n%s\n", s->title);
		repeat(f, '=', columns(s->title));
		(void)fputc('\n', f);
		for (k = 0; k < s->n; k++) {
			const struct bench_item *it = &s->item[k];

			if (it->kind == BENCH_ITEM_NOTE)
				note(f, it->u.note, width);
			else if (it->kind == BENCH_ITEM_TABLE)
				table(f, it->u.table);
			else if (it->u.figure->in_text) {
				(void)fputc('\n', f);
				figure(f, it->u.figure, width);
			}
		}
	}
}
