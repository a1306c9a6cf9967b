/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/scope.h"

#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#include "vary/field.h"

static bool
still_there(const char *value, const char *member)
{
	struct vary_field f;
	struct vary_span s;
	enum vary_status r;

	vary_field_init(&f, value, strlen(value));
	while ((r = vary_field_next(&f, &s)) != VARY_END) {
		if (r != VARY_OK)
			vary_field_skip(&f, &s);
		if (s.len == strlen(member) &&
		    strncasecmp(s.b, member, s.len) == 0)
			return (true);
	}
	return (false);
}

/*
 * Would "Header edit Vary" take this member away?  The expression sees the
 * whole value, so that what else is in it matters to an anchored one: it is
 * tried alone, first, last and in the middle.
 */
static enum scan_extent
edits_away(
    struct scan_model *m, const struct scan_header_op *o, const char *member)
{
	static const char *const company[][2] = { { "", "" },
		{ "X-Other, ", "" }, { "", ", X-Other" },
		{ "X-Other, ", ", X-Another" } };
	const size_t n = sizeof company / sizeof *company;
	size_t i, gone = 0;

	for (i = 0; i < n; i++) {
		const char *value = scan_substitute(o,
		    apr_pstrcat(
			m->pool, company[i][0], member, company[i][1], NULL),
		    m->pool);

		if (value == NULL)
			return (SCAN_SOME); /* who knows */
		if (!still_there(value, member))
			gone++;
	}
	return (gone == 0 ? SCAN_NONE : gone == n ? SCAN_ALL : SCAN_SOME);
}

static enum scan_extent
takes_away(
    struct scan_model *m, const struct scan_header_op *o, const char *member)
{
	switch (o->op) {
	case SCAN_OP_UNSET:
	case SCAN_OP_SET: return (o->conditional ? SCAN_SOME : SCAN_ALL);
	case SCAN_OP_EDIT:
		return (o->conditional && edits_away(m, o, member) == SCAN_ALL
			    ? SCAN_SOME
			    : edits_away(m, o, member));
	case SCAN_OP_ADD:
	case SCAN_OP_SETIFEMPTY:
	case SCAN_OP_ECHO: break;
	}
	return (SCAN_NONE);
}

static unsigned
scope_depth(const struct scan_scope *s)
{
	unsigned d = 0;

	for (; s != NULL; s = s->parent)
		d++;
	return (d);
}

/* Does the Header directive run after this source has done its work? */
static bool
comes_after(const struct scan_header_op *o, const struct scan_model_source *x)
{
	unsigned a, b;

	if (o->early)
		return (false);
	if (!x->late)
		return (true);
	if (o->order == x->order)
		return (false);
	a = scope_depth(o->scope);
	b = scope_depth(x->scope);
	return (a != b ? a > b : o->order > x->order);
}

static void
weaken(struct scan_model_source *x)
{
	x->pub.when = SCAN_POSSIBLE;
}

static enum scan_extent
touches(struct scan_model *m, const struct scan_header_op *o,
    const struct scan_model_source *x)
{
	if (o->always != x->error_table || !comes_after(o, x))
		return (SCAN_NONE);
	return (takes_away(m, o, x->pub.member));
}

/* Is the same member added by another source, for the same requests? */
static bool
repeated(const struct scan_model *m, const struct scan_model_source *x)
{
	const struct scan_scope *p;
	int k;

	for (p = x->scope; p != NULL; p = p->parent)
		for (k = 0; k < p->sources->nelts; k++) {
			const struct scan_model_source *y =
			    scan_scope_source(m, p, k);

			if (y != x && y->error_table == x->error_table &&
			    strcasecmp(y->pub.member, x->pub.member) == 0)
				return (true);
		}
	return (false);
}

static void
settle(struct scan_model *m, struct scan_model_source *x)
{
	const struct scan_scope *p;
	int i;

	for (p = x->scope; p != NULL; p = p->parent) {
		/* <Limit> is for Require and its like: see scan_require(). */
		if (p->is_if && x->node != p->node)
			weaken(x);
		if (p->no_vary == SCAN_ALL)
			x->versions = 0;
		else if (p->no_vary == SCAN_SOME)
			weaken(x);
		/* A proxied answer brings a header table of its own. */
		if (x->late || x->error_table || x->pub.by == SCAN_BY_FILTER)
			continue;
		if (p->proxied == SCAN_ALL)
			x->versions = 0;
		else if (p->proxied == SCAN_SOME)
			weaken(x);
	}
	for (p = x->scope; p != NULL; p = p->parent)
		for (i = 0; i < p->ops->nelts; i++) {
			const struct scan_header_op *o =
			    &APR_ARRAY_IDX(p->ops, i, struct scan_header_op);

			switch (touches(m, o, x)) {
			case SCAN_NONE: break;
			case SCAN_SOME: weaken(x); break;
			case SCAN_ALL:
				/* What merges twice is in the value twice. */
				if (o->op == SCAN_OP_EDIT && o->once &&
				    repeated(m, x))
					weaken(x);
				/* Error pages take that table over before any
				 * Header directive runs. */
				else if (x->error_table && !x->late)
					x->pub.when = SCAN_ONLY_STATUS;
				else
					x->versions &= ~o->node->versions;
				break;
			}
		}
}

/* A Header directive in a section takes members away there only. */
static void
settle_outer(struct scan_model *m, const struct scan_scope *s)
{
	const struct scan_scope *p;
	int i, k;

	for (i = 0; i < s->ops->nelts; i++) {
		const struct scan_header_op *o =
		    &APR_ARRAY_IDX(s->ops, i, struct scan_header_op);

		for (p = s->parent; p != NULL; p = p->parent)
			for (k = 0; k < p->sources->nelts; k++) {
				struct scan_model_source *x =
				    scan_scope_source(m, p, k);

				if (touches(m, o, x) != SCAN_NONE)
					weaken(x);
			}
	}
}

/* Another member in the same table, in the scope or in one around it. */
static bool
accompanied(const struct scan_model *m, const struct scan_model_source *x)
{
	const struct scan_scope *p;
	int k;

	for (p = x->scope; p != NULL; p = p->parent)
		for (k = 0; k < p->sources->nelts; k++) {
			const struct scan_model_source *y =
			    scan_scope_source(m, p, k);

			if (y != x && y->versions != 0 &&
			    y->error_table == x->error_table)
				return (true);
		}
	return (false);
}

static void
settle_if_empty(struct scan_model *m)
{
	int i;

	for (i = 0; i < m->sources->nelts; i++) {
		struct scan_model_source *x =
		    &APR_ARRAY_IDX(m->sources, i, struct scan_model_source);

		if (!x->if_empty)
			continue;
		x->versions &= scan_since(m, HCONF_VERSION(2, 4, 7));
		if (accompanied(m, x))
			weaken(x);
	}
}

static void
unset_lack(struct scan_model *m, const struct scan_header_op *o,
    const struct scan_model_source *x)
{
	unsigned v = o->node->versions & x->node->versions;

	if (x->pub.by == SCAN_BY_FILTER && touches(m, o, x) == SCAN_ALL &&
	    !scan_model_declares(m, o->scope, "Accept-Encoding", v, false) &&
	    !scan_model_declares(m, x->scope, "Accept-Encoding", v, false))
		scan_lack_add(m, SCAN_LACK_UNSET, o->node, o->scope,
		    "Accept-Encoding", 0, v, NULL);
}

/*
 * Compression that says nothing in Vary: Header unset Vary comes last, whether
 * it stands around the filter or the filter around it.
 */
static void
unset_lacks(struct scan_model *m)
{
	const struct scan_scope *p;
	int i, k, n;

	for (i = 0; i < m->sources->nelts; i++) {
		const struct scan_model_source *x =
		    &APR_ARRAY_IDX(m->sources, i, struct scan_model_source);

		if (x->pub.by != SCAN_BY_FILTER)
			continue;
		for (p = x->scope; p != NULL; p = p->parent)
			for (k = 0; k < p->ops->nelts; k++)
				unset_lack(m,
				    &APR_ARRAY_IDX(
					p->ops, k, struct scan_header_op),
				    x);
	}
	for (i = 0; i < m->scopes->nelts; i++) {
		const struct scan_scope *s =
		    APR_ARRAY_IDX(m->scopes, i, struct scan_scope *);

		for (k = 0; k < s->ops->nelts; k++)
			for (p = s->parent; p != NULL; p = p->parent)
				for (n = 0; n < p->sources->nelts; n++)
					unset_lack(m,
					    &APR_ARRAY_IDX(s->ops, k,
						struct scan_header_op),
					    scan_scope_source(m, p, n));
	}
}

void
scan_settle(struct scan_model *m)
{
	int i;

	for (i = 0; i < m->sources->nelts; i++)
		settle(
		    m, &APR_ARRAY_IDX(m->sources, i, struct scan_model_source));
	for (i = 0; i < m->scopes->nelts; i++)
		settle_outer(
		    m, APR_ARRAY_IDX(m->scopes, i, struct scan_scope *));
	settle_if_empty(m);
	unset_lacks(m);
}
