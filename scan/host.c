/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/scope.h"

#include <string.h>
#include <strings.h>

#include <apr_strings.h>

apr_array_header_t *
scan_hosts_of(struct scan_model *m, const char *dir)
{
	apr_array_header_t *a =
	    apr_array_make(m->pool, 2, sizeof(struct scan_scope *));
	int i;

	for (i = 0; i < m->scopes->nelts; i++) {
		struct scan_scope *s =
		    APR_ARRAY_IDX(m->scopes, i, struct scan_scope *);
		const char *root;

		if (!s->vhost)
			continue;
		root = s->root != NULL ? s->root : m->server->root;
		if (root != NULL && scan_is_below(root, dir))
			APR_ARRAY_PUSH(a, struct scan_scope *) = s;
	}
	return (a);
}

static bool
same_hosts(const apr_array_header_t *a, const apr_array_header_t *b)
{
	return (a->nelts == b->nelts &&
		memcmp(a->elts, b->elts,
		    (size_t)a->nelts * sizeof(struct scan_scope *)) == 0);
}

static bool
has_op(const struct scan_scope *s, const struct scan_header_op *o)
{
	int i;

	for (i = 0; i < s->ops->nelts; i++) {
		const struct scan_header_op *x =
		    &APR_ARRAY_IDX(s->ops, i, struct scan_header_op);

		if (x->op == o->op && x->always == o->always &&
		    x->early == o->early && x->conditional == o->conditional &&
		    hconf_span_eq(x->value, o->value) &&
		    hconf_span_eq(x->replacement, o->replacement))
			return (true);
	}
	return (false);
}

static bool
has_source(const struct scan_model *m, const struct scan_scope *s,
    const struct scan_model_source *x)
{
	int i;

	for (i = 0; i < s->sources->nelts; i++) {
		const struct scan_model_source *y = scan_scope_source(m, s, i);

		if (y->pub.by == x->pub.by &&
		    y->error_table == x->error_table &&
		    strcasecmp(y->pub.member, x->pub.member) == 0)
			return (true);
	}
	return (false);
}

/* What all hosts say is certain; what some say, possible. */
static void
agree(struct scan_model *m, struct scan_scope *ret,
    const apr_array_header_t *hosts, const struct scan_scope *host)
{
	int i, k;

	for (i = 0; i < host->ops->nelts; i++) {
		struct scan_header_op o =
		    APR_ARRAY_IDX(host->ops, i, struct scan_header_op);

		for (k = 0; k < hosts->nelts; k++)
			if (!has_op(
				APR_ARRAY_IDX(hosts, k, struct scan_scope *),
				&o))
				o.conditional = true;
		APR_ARRAY_PUSH(ret->ops, struct scan_header_op) = o;
	}
	for (i = 0; i < host->sources->nelts; i++) {
		const struct scan_model_source *x =
		    scan_scope_source(m, host, i);

		for (k = 0; k < hosts->nelts; k++)
			if (!has_source(m,
				APR_ARRAY_IDX(hosts, k, struct scan_scope *),
				x))
				break;
		if (k == hosts->nelts)
			APR_ARRAY_PUSH(ret->sources, int) =
			    APR_ARRAY_IDX(host->sources, i, int);
	}
}

/* One scope that stands for all hosts that serve the same files. */
static struct scan_scope *
merged(struct scan_model *m, const apr_array_header_t *hosts)
{
	struct scan_scope *first = APR_ARRAY_IDX(hosts, 0, struct scan_scope *);
	struct scan_scope *s;
	int i;

	if (hosts->nelts == 1)
		return (first);
	s = apr_pmemdup(m->pool, first, sizeof *s);
	s->ops = apr_array_make(m->pool, 2, sizeof(struct scan_header_op));
	s->sources = apr_array_make(m->pool, 2, sizeof(int));
	for (i = 0; i < hosts->nelts; i++) {
		const struct scan_scope *h =
		    APR_ARRAY_IDX(hosts, i, struct scan_scope *);

		agree(m, s, hosts, h);
		if (h->engine != s->engine)
			s->engine = 2;
		if (h->proxied != s->proxied)
			s->proxied = SCAN_SOME;
		if (h->no_vary != s->no_vary)
			s->no_vary = SCAN_SOME;
	}
	return (s);
}

/* The scopes around a file, with "host" between the server and the others. */
static struct scan_scope *
around(struct scan_model *m, struct scan_scope *s, struct scan_scope *host)
{
	struct scan_scope *copy;

	if (s == NULL || s == m->server || s->vhost)
		return (host);
	copy = apr_pmemdup(m->pool, s, sizeof *s);
	copy->parent = around(m, s->parent, host);
	return (copy);
}

void
scan_hosts(struct scan_model *m)
{
	apr_array_header_t *before = NULL;
	struct scan_scope *host = NULL;
	int i;

	if (m->server == NULL || !m->has_vhosts)
		return;
	for (i = 0; i < m->scopes->nelts; i++) {
		struct scan_scope *s =
		    APR_ARRAY_IDX(m->scopes, i, struct scan_scope *);
		const char *file = s->node->file, *slash;
		apr_array_header_t *hosts;

		if (!s->node->htaccess || s->node->name.b != NULL)
			continue;
		slash = strrchr(file, '/');
		if (slash == NULL)
			continue;
		hosts = scan_hosts_of(
		    m, apr_pstrmemdup(m->pool, file, (size_t)(slash - file)));
		if (hosts->nelts == 0)
			continue;
		/* Files come directory by directory: the last one's, mostly. */
		if (before == NULL || !same_hosts(before, hosts))
			host = merged(m, hosts);
		before = hosts;
		s->parent = around(m, s->parent, host);
	}
}
