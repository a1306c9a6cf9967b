/* SPDX-License-Identifier: BSD-2-Clause */
#include "httpdconf/reader.h"

/* Ours: nesting multiplies work. */
#define NESTING_MAX 200
/* Nodes that are allocated together, at most. */
#define NODES_MAX 8192

struct hconf_node *
hconf_node_new(struct hconf_reading *r, enum hconf_id id, enum hconf_kind kind,
    struct hconf_span name, struct hconf_span args,
    const struct hconf_origin *o, bool expanded)
{
	struct hconf *h = r->h;
	struct hconf_node *n;

	/* Many at once: the pool asks the system for each 8 KiB. */
	if (h->nspare == 0) {
		h->spare = apr_palloc(h->pool, h->block * sizeof *n);
		h->nspare = h->block;
		if (h->block < NODES_MAX)
			h->block *= 2;
	}
	n = h->spare++;
	h->nspare--;
	n->id = id;
	n->kind = kind;
	n->name = name;
	n->args = args;
	n->file = o->file;
	n->first = o->first;
	n->last = o->last;
	n->versions = r->versions;
	n->htaccess = r->htaccess;
	n->joined = o->joined;
	n->expanded = expanded;
	n->used = r->used;
	n->unless = h->unless;
	n->parent = r->parent;
	n->child = n->next = n->tail = NULL;
	if (r->parent->tail == NULL)
		r->parent->child = n;
	else
		r->parent->tail->next = n;
	r->parent->tail = n;
	return (n);
}

struct hconf_open *
hconf_open_top(struct hconf_reading *r)
{
	return (r->opens->nelts == 0
		    ? NULL
		    : &APR_ARRAY_IDX(
			  r->opens, r->opens->nelts - 1, struct hconf_open));
}

bool
hconf_skipping(struct hconf_reading *r)
{
	const struct hconf_open *t = hconf_open_top(r);

	return (t != NULL && t->skip);
}

static void
push(struct hconf_reading *r, struct hconf_span name, enum hconf_kind kind,
    struct hconf_node *node, bool skip, const struct hconf_origin *o)
{
	struct hconf_open *n = apr_array_push(r->opens);

	n->name = name;
	n->node = node;
	n->kind = kind;
	n->first = o->first;
	n->last = o->last;
	n->versions = r->versions;
	n->unless = r->h->unless;
	n->skip = skip;
	if (node != NULL)
		r->parent = node;
}

void
hconf_open_pop(struct hconf_reading *r)
{
	struct hconf_open *t = apr_array_pop(r->opens);

	r->versions = t->versions;
	r->h->unless = t->unless;
	if (t->node != NULL)
		r->parent = t->node->parent;
}

void
hconf_section_open(struct hconf_reading *r, struct hconf_span name,
    struct hconf_span args, const struct hconf_origin *o, bool expanded)
{
	const struct hconf_directive *d;
	const char *gt;
	struct hconf_node *n;
	bool closed = false;

	if (name.len > 0 && name.b[name.len - 1] == '>') {
		name.len--;
		closed = true;
		args.len = 0;
	} else {
		for (gt = args.b + args.len; gt > args.b && gt[-1] != '>';)
			gt--;
		if (gt > args.b) {
			closed = true;
			args.len = (size_t)(gt - args.b - 1);
			while (args.len > 0 &&
			       hconf_is_space(args.b[args.len - 1]))
				args.len--;
		}
	}
	if (hconf_skipping(r)) {
		push(r, name, HCONF_CONTAINER, NULL, true, o);
		return;
	}
	if (name.len == 0) {
		hconf_complain(r->h, o, r->htaccess, HCONF_ERROR,
		    "\"<\" without a name right after it");
		return;
	}
	if (r->opens->nelts >= NESTING_MAX) {
		hconf_complain(r->h, o, r->htaccess, HCONF_ERROR,
		    "sections nested more than %d deep", NESTING_MAX);
		push(r, name, HCONF_CONTAINER, NULL, true, o);
		return;
	}
	d = hconf_directive_find(name);
	if (d != NULL && d->kind == HCONF_DIRECTIVE)
		d = NULL;
	if (!closed)
		hconf_complain(r->h, o, r->htaccess, HCONF_ERROR,
		    "<%.*s> lacks its closing '>'", (int)name.len, name.b);
	if (d != NULL && !hconf_permitted(r, d, o)) {
		push(r, name, d->kind, NULL, true, o);
		return;
	}
	if (d != NULL && d->id == HCONF_MACRO) {
		struct hconf_words w;
		struct hconf_macro *m;

		hconf_words(args, &w, r->h->pool);
		push(r, name, d->kind, NULL, true, o);
		if (w.n == 0) {
			hconf_complain(r->h, o, r->htaccess, HCONF_ERROR,
			    "<Macro> needs a name");
			return;
		}
		m = apr_pcalloc(r->h->pool, sizeof *m);
		m->name = hconf_lower(w.v[0], r->h->pool);
		m->params = (struct hconf_words){ w.v + 1, w.n - 1 };
		m->lines = apr_array_make(
		    r->h->pool, 8, sizeof(struct hconf_macro_line));
		m->file = o->file;
		m->line = o->first;
		apr_hash_set(r->h->macros, m->name, APR_HASH_KEY_STRING, m);
		r->macro = m;
		return;
	}
	if (d != NULL && d->id == HCONF_PERL) {
		hconf_complain(r->h, o, r->htaccess, HCONF_NOTE,
		    "<Perl> makes configuration that is not read here");
		push(r, name, d->kind, NULL, true, o);
		r->raw = true;
		return;
	}
	if (d != NULL && d->kind == HCONF_ON_READ) {
		const char *unless = r->h->unless;
		unsigned v = hconf_resolve(r, d, args, o, &unless);

		push(r, name, d->kind, NULL, v == 0, o);
		if (v != 0) {
			r->versions = v;
			r->h->unless = unless;
		}
		return;
	}
	n = hconf_node_new(r, d == NULL ? HCONF_OTHER : d->id, HCONF_CONTAINER,
	    name, args, o, expanded);
	push(r, name, HCONF_CONTAINER, n, false, o);
}

void
hconf_section_close(struct hconf_reading *r, struct hconf_span name,
    struct hconf_span args, const struct hconf_origin *o)
{
	bool quiet = hconf_skipping(r);
	int i;

	if (name.len > 0 && name.b[name.len - 1] == '>') {
		name.len--;
		if (args.len > 0 && !quiet)
			hconf_complain(r->h, o, r->htaccess, HCONF_ERROR,
			    "text after </%.*s>", (int)name.len, name.b);
	} else if (!quiet) {
		hconf_complain(r->h, o, r->htaccess, HCONF_ERROR,
		    "</%.*s lacks its closing '>'", (int)name.len, name.b);
	}
	for (i = r->opens->nelts - 1; i >= 0; i--)
		if (hconf_span_eq(
			APR_ARRAY_IDX(r->opens, i, struct hconf_open).name,
			name))
			break;
	if (i < 0) {
		hconf_complain(r->h, o, r->htaccess, HCONF_ERROR,
		    "</%.*s> without a <%.*s> before it", (int)name.len, name.b,
		    (int)name.len, name.b);
		return;
	}
	if (i != r->opens->nelts - 1) {
		const struct hconf_open *t = &APR_ARRAY_IDX(
		    r->opens, r->opens->nelts - 1, struct hconf_open);

		hconf_complain(r->h, o, r->htaccess, HCONF_ERROR,
		    "</%.*s> comes before </%.*s>, which line %u opened",
		    (int)name.len, name.b, (int)t->name.len, t->name.b,
		    t->first);
	}
	while (r->opens->nelts > i)
		hconf_open_pop(r);
}
