/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/judge.h"

#include <stdlib.h>
#include <string.h>

void
scan_verdict_init(struct scan_verdict *v, apr_pool_t *result_pool)
{
	v->sources =
	    apr_array_make(result_pool, 16, sizeof(struct scan_source));
	v->findings =
	    apr_array_make(result_pool, 16, sizeof(struct scan_finding));
	v->changes = apr_array_make(result_pool, 8, sizeof(struct scan_change));
	v->edits = apr_array_make(result_pool, 8, sizeof(struct scan_edit));
}

static int
by_place(const struct scan_place *a, const struct scan_place *b)
{
	int c = strcmp(a->file, b->file);

	if (c != 0)
		return (c);
	if (a->line != b->line)
		return (a->line < b->line ? -1 : 1);
	return (0);
}

static int
text_cmp(const char *a, const char *b)
{
	return (strcmp(a != NULL ? a : "", b != NULL ? b : ""));
}

static int
finding_cmp(const void *va, const void *vb)
{
	const struct scan_finding *a = va, *b = vb;
	int c = by_place(&a->place, &b->place);

	if (c == 0)
		c = strcmp(a->rule, b->rule);
	if (c == 0)
		c = text_cmp(a->member, b->member);
	if (c == 0)
		c = (int)a->eras - (int)b->eras;
	return (c != 0 ? c : text_cmp(a->message, b->message));
}

static int
source_cmp(const void *va, const void *vb)
{
	const struct scan_source *a = va, *b = vb;
	int c = by_place(&a->place, &b->place);

	if (c == 0)
		c = strcmp(a->member, b->member);
	if (c == 0)
		c = (int)a->when - (int)b->when;
	return (c != 0 ? c : (int)a->eras - (int)b->eras);
}

static int
change_cmp(const void *va, const void *vb)
{
	const struct scan_change *a = va, *b = vb;
	int c = (int)a->from - (int)b->from;

	if (c == 0)
		c = by_place(&a->place, &b->place);
	return (c != 0 ? c : strcmp(a->member, b->member));
}

static int
edit_cmp(const void *va, const void *vb)
{
	const struct scan_edit *a = va, *b = vb;
	int c = strcmp(a->file, b->file);

	if (c == 0 && a->at != b->at)
		c = a->at < b->at ? -1 : 1;
	if (c == 0 && a->len != b->len)
		c = a->len < b->len ? -1 : 1;
	return (c != 0 ? c : strcmp(a->text, b->text));
}

/* Sorted, and without what is there twice: a file may be read twice. */
static void
tidy(apr_array_header_t *a, int (*cmp)(const void *, const void *))
{
	size_t size = (size_t)a->elt_size;
	int i, n = 0;

	if (a->nelts == 0)
		return;
	qsort(a->elts, (size_t)a->nelts, size, cmp);
	for (i = 1; i < a->nelts; i++) {
		char *kept = a->elts + (size_t)n * size;
		char *next = a->elts + (size_t)i * size;

		if (cmp(kept, next) == 0)
			continue;
		n++;
		if (n != i)
			memcpy(a->elts + (size_t)n * size, next, size);
	}
	a->nelts = n + 1;
}

void
scan_verdict_sort(struct scan_verdict *v)
{
	tidy(v->findings, finding_cmp);
	tidy(v->sources, source_cmp);
	tidy(v->changes, change_cmp);
	tidy(v->edits, edit_cmp);
}
