/* SPDX-License-Identifier: BSD-2-Clause */
#include "httpdconf/reader.h"

#include <string.h>

#include <apr_strings.h>

#define MACRO_MAX 1000000

/* ${NAME}, on the whole line and before it is cut into words. */
struct hconf_span
hconf_expand(struct hconf *h, struct hconf_span s, bool *ret_changed)
{
	const char *p = s.b, *e = s.b + s.len, *from = s.b;
	apr_array_header_t *parts = NULL;
	size_t len = 0;
	char *buf, *w;
	int i;

	while (p < e && (p = memchr(p, '$', (size_t)(e - p))) != NULL) {
		const char *close, *value;
		size_t n;

		if (p + 1 >= e || p[1] != '{') {
			p++;
			continue;
		}
		close = memchr(p + 2, '}', (size_t)(e - p - 2));
		if (close == NULL)
			break;
		n = (size_t)(close - p - 2);
		value = apr_hash_get(h->valued, p + 2, (apr_ssize_t)n);
		if (value == NULL) {
			/* Unknown, or a RewriteMap's: stays as it stands. */
			p++;
			continue;
		}
		if (parts == NULL)
			parts = apr_array_make(
			    h->pool, 4, sizeof(struct hconf_span));
		APR_ARRAY_PUSH(parts, struct hconf_span) =
		    (struct hconf_span){ from, (size_t)(p - from) };
		APR_ARRAY_PUSH(parts, struct hconf_span) =
		    (struct hconf_span){ value, strlen(value) };
		p = from = close + 1;
	}
	if (parts == NULL)
		return (s);
	APR_ARRAY_PUSH(parts, struct hconf_span) =
	    (struct hconf_span){ from, (size_t)(e - from) };
	for (i = 0; i < parts->nelts; i++)
		len += APR_ARRAY_IDX(parts, i, struct hconf_span).len;
	buf = w = apr_palloc(h->pool, len + 1);
	for (i = 0; i < parts->nelts; i++) {
		struct hconf_span q =
		    APR_ARRAY_IDX(parts, i, struct hconf_span);

		memcpy(w, q.b, q.len);
		w += q.len;
	}
	*w = '\0';
	*ret_changed = true;
	return ((struct hconf_span){ buf, len });
}

void
hconf_define(struct hconf *h, const char *name, const char *value)
{
	name = apr_pstrdup(h->pool, name);
	apr_hash_set(h->vars, name, APR_HASH_KEY_STRING,
	    apr_pstrdup(h->pool, value != NULL ? value : ""));
	if (value != NULL)
		apr_hash_set(h->valued, name, APR_HASH_KEY_STRING,
		    apr_pstrdup(h->pool, value));
}

/* The longest parameter that stands at p wins, as in mod_macro. */
static struct hconf_span
substitute(struct hconf *h, struct hconf_span s, const struct hconf_macro *m,
    const struct hconf_words *values)
{
	apr_array_header_t *out = NULL;
	const char *p, *e = s.b + s.len;

	for (p = s.b; p < e;) {
		const struct hconf_span *hit = NULL;
		unsigned i, at = 0;

		for (i = 0; i < m->params.n; i++) {
			const struct hconf_span *q = &m->params.v[i];

			if (q->len > 0 && q->len <= (size_t)(e - p) &&
			    memcmp(p, q->b, q->len) == 0 &&
			    (hit == NULL || q->len > hit->len)) {
				hit = q;
				at = i;
			}
		}
		if (hit == NULL) {
			if (out != NULL)
				APR_ARRAY_PUSH(out, char) = *p;
			p++;
			continue;
		}
		if (out == NULL) {
			out = apr_array_make(
			    h->pool, (int)s.len + 32, sizeof(char));
			for (const char *c = s.b; c < p; c++)
				APR_ARRAY_PUSH(out, char) = *c;
		}
		for (size_t k = 0; k < values->v[at].len; k++)
			APR_ARRAY_PUSH(out, char) = values->v[at].b[k];
		p += hit->len;
	}
	return (out == NULL
		    ? s
		    : (struct hconf_span){ out->elts, (size_t)out->nelts });
}

void
hconf_use(struct hconf_reading *r, const struct hconf_words *w,
    const struct hconf_origin *o, struct hconf_span name,
    struct hconf_span args)
{
	struct hconf *h = r->h;
	struct hconf_macro *m;
	struct hconf_reading in = *r;
	struct hconf_words values;
	struct hconf_node *site;
	int i;

	if (w->n == 0) {
		hconf_complain(
		    h, o, r->htaccess, HCONF_ERROR, "Use needs a name");
		return;
	}
	m = apr_hash_get(
	    h->macros, hconf_lower(w->v[0], h->pool), APR_HASH_KEY_STRING);
	if (m == NULL) {
		hconf_complain(h, o, r->htaccess, HCONF_ERROR,
		    "Use: there is no macro \"%.*s\"", (int)w->v[0].len,
		    w->v[0].b);
		return;
	}
	values = (struct hconf_words){ w->v + 1, w->n - 1 };
	if (values.n != m->params.n) {
		hconf_complain(h, o, r->htaccess, HCONF_ERROR,
		    "Use: macro \"%s\" takes %u arguments, not %u", m->name,
		    m->params.n, values.n);
		return;
	}
	if (m->in_use || h->depth >= HCONF_DEPTH_MAX) {
		hconf_complain(h, o, r->htaccess, HCONF_ERROR,
		    "Use: macro \"%s\" uses itself", m->name);
		return;
	}
	/* Not a part of the tree: what the text came through. */
	site = apr_pcalloc(h->pool, sizeof *site);
	site->id = HCONF_USE;
	site->name = name;
	site->args = args;
	site->file = o->file;
	site->first = o->first;
	site->last = o->last;
	site->used = r->used;
	in.used = site;
	in.opens = apr_array_make(h->pool, 4, sizeof(struct hconf_open));
	m->in_use = true;
	h->depth++;
	for (i = 0; i < m->lines->nelts; i++) {
		const struct hconf_macro_line *ml =
		    &APR_ARRAY_IDX(m->lines, i, struct hconf_macro_line);
		struct hconf_origin lo = { ml->file, ml->first, ml->last,
			ml->joined };

		if (h->nmacro++ >= MACRO_MAX) {
			if (!h->told_budget)
				hconf_complain(h, o, r->htaccess, HCONF_ERROR,
				    "macros expand to more than %d lines",
				    MACRO_MAX);
			h->told_budget = true;
			break;
		}
		hconf_logical(&in, substitute(h, ml->text, m, &values), &lo);
	}
	hconf_finish(&in, "macro");
	h->depth--;
	m->in_use = false;
}
