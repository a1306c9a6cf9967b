/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/page.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diskbench/legible.h"

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
		bench_legible(s);
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

struct bench_table *
bench_table_new(unsigned columns, const char *caption)
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
	bench_legible(t->caption);
	return (t);
}

struct bench_table *
bench_page_table(struct bench_page *p, struct bench_section *s,
    unsigned columns, const char *caption)
{
	struct bench_item it = { .kind = BENCH_ITEM_TABLE };

	if (s == NULL)
		return (NULL);
	it.u.table = bench_table_new(columns, caption);
	if (it.u.table != NULL && add(s, &it))
		return (it.u.table);
	bench_table_free(it.u.table);
	p->failed = true;
	return (NULL);
}

bool
bench_table_cell(struct bench_table *t, const char *fmt, va_list ap)
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
	if (!bench_table_cell(t, fmt, ap))
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
	bench_legible(l->name);
	l->mark = mark;
	f->n_line++;
	return (l);
}

/* An axis of more than some forty decades has no labels to be read. */
static bool
drawable(const struct bench_axis *a, double v)
{
	return (isfinite(v) && fabs(v) <= 1e18 && !(a->log && v < 1e-18));
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
