/* SPDX-License-Identifier: BSD-2-Clause */
#include "httpdconf/line.h"

#include <assert.h>
#include <string.h>

void
hconf_lines_init(struct hconf_lines *l, const char *b, size_t len, size_t limit)
{
	assert(l != NULL && (b != NULL || len == 0));
	l->p = b;
	l->e = b == NULL ? NULL : b + len;
	l->n = 0;
	l->limit = limit;
}

/* One physical line: its text without the line end, and whether it goes on. */
struct physical {
	const char *b, *e;
	bool goes_on, nul;
};

static void
physical(struct hconf_lines *l, struct physical *ret)
{
	const char *b = l->p, *lf, *e, *z;

	lf = memchr(b, '\n', (size_t)(l->e - b));
	e = lf == NULL ? l->e : lf;
	l->p = lf == NULL ? l->e : lf + 1;
	l->n++;
	ret->b = b;
	ret->goes_on = ret->nul = false;
	z = memchr(b, '\0', (size_t)(e - b));
	if (z != NULL) {
		/* C strings end here, and with them httpd's view. */
		ret->e = z;
		ret->nul = true;
		return;
	}
	/* At the end of the file "\" is a backslash: no LF, no joining. */
	if (lf != NULL) {
		const char *t = e;

		if (t > b && t[-1] == '\r')
			t--;
		if (t > b && t[-1] == '\\') {
			ret->e = t - 1;
			ret->goes_on = true;
			return;
		}
	}
	ret->e = e;
}

static void
trim(struct hconf_span *s)
{
	const char *b = s->b, *e = b + s->len;

	while (b < e && hconf_is_space(*b))
		b++;
	while (e > b && hconf_is_space(e[-1]))
		e--;
	s->b = b;
	s->len = (size_t)(e - b);
}

static void
join(struct hconf_lines *l, struct hconf_line *ret, struct physical ph,
    apr_pool_t *pool)
{
	struct hconf_lines ahead = *l;
	struct physical next = ph;
	size_t len = (size_t)(ph.e - ph.b);
	char *buf, *w;

	/* Measure first: a line of many megabytes is copied once. */
	while (next.goes_on && ahead.p < ahead.e) {
		physical(&ahead, &next);
		len += (size_t)(next.e - next.b);
	}
	buf = w = apr_palloc(pool, len + 1);
	for (;;) {
		memcpy(w, ph.b, (size_t)(ph.e - ph.b));
		w += ph.e - ph.b;
		if (ph.nul)
			ret->nul = true;
		if (!ph.goes_on || l->p == l->e)
			break;
		physical(l, &ph);
	}
	*w = '\0';
	ret->text = (struct hconf_span){ buf, len };
	ret->joined = true;
}

bool
hconf_lines_next(
    struct hconf_lines *l, struct hconf_line *ret, apr_pool_t *result_pool)
{
	struct physical ph;

	assert(l != NULL && ret != NULL);
	if (l->p == l->e)
		return (false);
	physical(l, &ph);
	ret->first = l->n;
	ret->joined = false;
	ret->nul = ph.nul;
	if (ph.goes_on)
		join(l, ret, ph, result_pool);
	else
		ret->text = (struct hconf_span){ ph.b, (size_t)(ph.e - ph.b) };
	ret->last = l->n;
	ret->too_long = ret->text.len >= l->limit;
	trim(&ret->text);
	return (true);
}
