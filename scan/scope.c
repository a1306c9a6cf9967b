/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/scope.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include <apr_strings.h>

unsigned
scan_versions_all(const struct scan_model *m)
{
	return ((1U << m->nversions) - 1);
}

/* The versions from a release on. */
unsigned
scan_since(const struct scan_model *m, int version)
{
	unsigned i, r = 0;

	for (i = 0; i < m->nversions; i++)
		if (m->versions[i] >= version)
			r |= 1U << i;
	return (r);
}

unsigned
scan_model_eras(const struct scan_model *m, unsigned versions)
{
	unsigned i, r = 0;

	for (i = 0; i < m->nversions; i++) {
		if ((versions & (1U << i)) == 0)
			continue;
		if (m->versions[i] < HCONF_VERSION(2, 4, 29))
			r |= SCAN_E1;
		else if (m->versions[i] < HCONF_VERSION(2, 4, 30))
			r |= SCAN_E2;
		else
			r |= SCAN_E3;
	}
	return (r);
}

void
scan_lint_add(struct scan_model *m, enum scan_lint_kind kind,
    const struct hconf_node *n, unsigned versions, const char *text,
    const char *fix)
{
	struct scan_lint *l = apr_array_push(m->lints);

	*l = (struct scan_lint){ kind, n, versions, text, fix };
}

static bool
in_if(const struct scan_scope *s)
{
	for (; s != NULL; s = s->parent)
		if (s->is_if)
			return (true);
	return (false);
}

struct scan_lack *
scan_lack_add(struct scan_model *m, enum scan_lack_kind kind,
    const struct hconf_node *n, const struct scan_scope *s, const char *member,
    int status, unsigned versions, const char *detail)
{
	struct scan_lack *l;

	if (versions == 0)
		return (NULL);
	l = apr_array_push(m->lacks);
	*l = (struct scan_lack){ .kind = kind,
		.node = n,
		.scope = s,
		.member = member,
		.when = in_if(s) ? SCAN_POSSIBLE : SCAN_ALWAYS,
		.status = status,
		.versions = versions,
		.detail = detail };
	return (l);
}

static const char *
directive_text(const struct hconf_node *n, apr_pool_t *pool)
{
	return (
	    apr_psprintf(pool, n->kind == HCONF_CONTAINER ? "<%.*s>" : "%.*s",
		(int)n->name.len, n->name.b));
}

struct scan_model_source *
scan_source_add(struct scan_model *m, struct scan_scope *s,
    const struct hconf_node *n, struct hconf_span member, enum scan_by by,
    enum scan_when when, unsigned versions)
{
	struct scan_model_source *x;

	/* PR 58231: from 2.4.29 on neither module names Host any more. */
	if ((by == SCAN_BY_REWRITE || by == SCAN_BY_EXPR) &&
	    hconf_span_is(member, "Host"))
		versions &= ~scan_since(m, HCONF_VERSION(2, 4, 29));
	APR_ARRAY_PUSH(s->sources, int) = m->sources->nelts;
	x = apr_array_push(m->sources);
	memset(x, 0, sizeof *x);
	x->pub.place = (struct scan_place){ n->file, n->first, n->last,
		directive_text(n, m->pool), n->unless };
	x->pub.member = hconf_span_dup(member, m->pool);
	x->pub.by = by;
	x->pub.when = n->unless != NULL ? SCAN_POSSIBLE : when;
	x->pub.scope = s->text;
	x->node = n;
	x->versions = versions & n->versions;
	x->scope = s;
	x->order = m->order++;
	return (x);
}

struct scan_scope *
scan_scope_new(
    struct scan_model *m, const struct hconf_node *n, struct scan_scope *parent)
{
	struct scan_scope *s = apr_pcalloc(m->pool, sizeof *s);

	s->m = m;
	s->self = s;
	s->node = n;
	s->parent = parent;
	s->engine = -1;
	s->ops = apr_array_make(m->pool, 1, sizeof(struct scan_header_op));
	s->sources = apr_array_make(m->pool, 2, sizeof(int));
	s->rules = apr_array_make(m->pool, 2, sizeof(struct scan_rule *));
	s->perdir = n->htaccess || (parent != NULL && parent->perdir);
	if (n->name.b != NULL)
		s->text = apr_psprintf(m->pool, "<%.*s%s%.*s>",
		    (int)n->name.len, n->name.b, n->args.len > 0 ? " " : "",
		    (int)n->args.len, n->args.b);
	else if (parent != NULL)
		s->text = NULL;
	APR_ARRAY_PUSH(m->scopes, struct scan_scope *) = s;
	return (s);
}

/* Is "outer" the scope itself or around it? */
bool
scan_scope_within(const struct scan_scope *s, const struct scan_scope *outer)
{
	for (; s != NULL; s = s->parent)
		if (s->self == outer->self)
			return (true);
	return (false);
}

struct scan_model_source *
scan_scope_source(const struct scan_model *m, const struct scan_scope *s, int i)
{
	return (&APR_ARRAY_IDX(m->sources, APR_ARRAY_IDX(s->sources, i, int),
	    struct scan_model_source));
}

const apr_array_header_t *
scan_model_sources(const struct scan_model *m)
{
	return (m->sources);
}

const apr_array_header_t *
scan_model_lacks(const struct scan_model *m)
{
	return (m->lacks);
}

const apr_array_header_t *
scan_model_lints(const struct scan_model *m)
{
	return (m->lints);
}

static bool
declares(const struct scan_model *m, const struct scan_scope *s,
    const char *member, unsigned versions, bool any_status)
{
	int i;

	for (i = 0; i < s->sources->nelts; i++) {
		const struct scan_model_source *x = scan_scope_source(m, s, i);

		/*
		 * A condition of its own does not matter here: who writes
		 * "Header append Vary X env=..." has thought of it.
		 */
		if (x->pub.by == SCAN_BY_HEADER && x->node->unless == NULL &&
		    (x->versions & versions) == versions &&
		    (x->pub.any_status || !any_status) &&
		    strcasecmp(x->pub.member, member) == 0)
			return (true);
	}
	return (false);
}

static bool
declares_inside(const struct scan_model *m, const struct scan_scope *s,
    const char *member, unsigned versions, bool any_status)
{
	const struct scan_scope *c;

	assert(s != NULL);
	for (c = s->child; c != NULL; c = c->sibling)
		/* A directory further down is another matter. */
		if (c->node->name.b != NULL && c->path == NULL &&
		    (declares(m, c, member, versions, any_status) ||
			declares_inside(m, c, member, versions, any_status)))
			return (true);
	return (false);
}

bool
scan_model_declares(const struct scan_model *m, const struct scan_scope *s,
    const char *member, unsigned versions, bool any_status)
{
	const struct scan_scope *p;

	for (p = s; p != NULL; p = p->parent)
		if (declares(m, p, member, versions, any_status))
			return (true);
	return (declares_inside(m, s, member, versions, any_status));
}
