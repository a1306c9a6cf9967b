/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/open.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	TEXT_FIRST = 2048
};

struct live_open *
live_open_new(void)
{
	struct live_open *o = calloc(1, sizeof *o);

	if (o == NULL)
		return (NULL);
	o->text = malloc(TEXT_FIRST);
	if (o->text == NULL) {
		free(o);
		return (NULL);
	}
	o->text_cap = TEXT_FIRST;
	return (o);
}

void
live_open_free(struct live_open *o)
{
	free(o->text);
	free(o);
}

void
live_open_begin(struct live_open *o, uint64_t vxid, enum live_open_kind kind)
{
	/* The lines need no clearing: lines_n says how many there are. */
	memset(o, 0, offsetof(struct live_open, lines));
	o->lines_n = o->text_n = 0;
	o->vxid = vxid;
	o->kind = kind;
	o->t.age = -1;
	o->t.left = o->f.life = (struct live_lifetime){ -1, -1, -1 };
}

int
live_open_keep(
    struct live_open *o, const char *b, size_t len, struct live_piece *ret)
{
	if (len > LIVE_OPEN_TEXT - o->text_n)
		return (0);
	if (o->text_n + len > o->text_cap) {
		size_t cap = o->text_cap;
		char *p;

		while (cap < o->text_n + len)
			cap *= 2;
		p = realloc(o->text, cap);
		if (p == NULL)
			return (-ENOMEM);
		o->text = p;
		o->text_cap = cap;
	}
	if (len > 0)
		memcpy(o->text + o->text_n, b, len);
	*ret = (struct live_piece){ (uint32_t)o->text_n, (uint32_t)len };
	o->text_n += len;
	return (0);
}

struct vary_span
live_open_span(const struct live_open *o, struct live_piece p)
{
	return ((struct vary_span){ o->text + p.off, p.len });
}

/* The length of the name in "Name: value"; 0: this is no header line. */
static size_t
name_len(const char *b, size_t len)
{
	const char *c = len > 0 ? memchr(b, ':', len) : NULL;

	return (c != NULL ? (size_t)(c - b) : 0);
}

int
live_open_add_line(struct live_open *o, const struct live_record *r)
{
	struct live_piece p = { 0, 0 };
	size_t n = name_len(r->b, r->len);
	int e;

	if (n == 0 || o->lines_n == LIVE_OPEN_LINES)
		return (0);
	e = live_open_keep(o, r->b, r->len, &p);
	if (e == 0 && p.len > 0)
		o->lines[o->lines_n++] =
		    (struct live_open_line){ p.off, (uint32_t)n, p.len };
	return (e);
}

void
live_open_unset_line(struct live_open *o, const struct live_record *r)
{
	size_t i;

	/* The log has the line that went, whole; so one of several is found. */
	for (i = 0; i < o->lines_n; i++) {
		const struct live_open_line *l = &o->lines[i];

		if (l->len == r->len &&
		    memcmp(o->text + l->off, r->b, r->len) == 0)
			break;
	}
	if (i == o->lines_n)
		return;
	o->lines_n--;
	memmove(&o->lines[i], &o->lines[i + 1],
	    (o->lines_n - i) * sizeof o->lines[0]);
}

size_t
live_open_headers(const struct live_open *o, struct live_header *h)
{
	size_t i;

	for (i = 0; i < o->lines_n; i++) {
		const struct live_open_line *l = &o->lines[i];
		const char *b = o->text + l->off;

		h[i].name = (struct vary_span){ b, l->name_len };
		h[i].value = vary_span_trim(b + l->name_len + 1, b + l->len);
	}
	return (o->lines_n);
}

int
live_open_join(
    struct live_open *o, struct live_piece *p, bool *has, struct vary_span v)
{
	struct live_piece out = *p;
	int e;

	if (!*has)
		e = live_open_keep(o, v.b, v.len, &out);
	else {
		char *b = malloc(p->len + 2 + v.len);

		if (b == NULL)
			return (-ENOMEM);
		memcpy(b, o->text + p->off, p->len);
		memcpy(b + p->len, ", ", 2);
		if (v.len > 0)
			memcpy(b + p->len + 2, v.b, v.len);
		e = live_open_keep(o, b, p->len + 2 + v.len, &out);
		free(b);
	}
	if (e == 0) {
		*p = out;
		*has = true;
	}
	return (e);
}

bool
live_open_linked(const struct live_open *o, unsigned n, uint64_t vxid)
{
	unsigned i;

	for (i = 0; i < n; i++)
		if (o->links[i].vxid == vxid)
			return (true);
	return (false);
}
