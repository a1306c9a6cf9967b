/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/head.h"

#include <stdlib.h>
#include <string.h>

static bool
is_blank(char c)
{
	return (c == ' ' || c == '\t' || c == '\r' || c == '\n');
}

static bool
add_line(struct probe_head *h, const char *p, const char *colon, const char *e)
{
	struct probe_line *n, *l;
	size_t cap;

	if (h->nlines == PROBE_HEAD_LINES)
		return (true);
	if (h->nlines == h->cap) {
		cap = h->cap > 0 ? h->cap * 2 : 32;
		n = realloc(h->lines, cap * sizeof *n);
		if (n == NULL)
			return (false);
		h->lines = n;
		h->cap = cap;
	}
	l = &h->lines[h->nlines++];
	l->name = p;
	l->name_len = (size_t)(colon - p);
	p = colon + 1;
	while (p < e && is_blank(*p))
		p++;
	l->value = p;
	l->value_len = (size_t)(e - p);
	return (true);
}

bool
probe_head_split(struct probe_head *h, char *b, size_t len)
{
	char *p = b, *e = b + len, *nl, *end, *colon;
	struct probe_line *last;

	h->nlines = 0;
	while (p < e) {
		nl = memchr(p, '\n', (size_t)(e - p));
		end = nl != NULL ? nl : e;
		while (end > p && is_blank(end[-1]))
			end--;
		if (end > p && (*p == ' ' || *p == '\t') && h->nlines > 0) {
			last = &h->lines[h->nlines - 1];
			memset(b + (last->value + last->value_len - b), ' ',
			    (size_t)(p - (last->value + last->value_len)));
			last->value_len = (size_t)(end - last->value);
		} else if (end > p) {
			colon = memchr(p, ':', (size_t)(end - p));
			if (colon != NULL && !add_line(h, p, colon, end))
				return (false);
		}
		p = nl != NULL ? nl + 1 : e;
	}
	return (true);
}

void
probe_head_fini(struct probe_head *h)
{
	free(h->lines);
	memset(h, 0, sizeof *h);
}
