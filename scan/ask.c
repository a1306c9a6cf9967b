/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/scope.h"

#include <apr_strings.h>

/* The request header a reference asks for, if Vary would name it. */
static bool
asked(const struct hconf_ref *r, struct hconf_span *ret, bool *ret_novary)
{
	*ret_novary = false;
	if (r->kind == HCONF_REF_VAR) {
		*ret = scan_header_of_variable(r->name);
		return (ret->b != NULL);
	}
	if (hconf_span_is(r->name, "req_novary"))
		*ret_novary = true;
	else if (!hconf_span_is(r->name, "req") &&
		 !hconf_span_is(r->name, "http"))
		return (false);
	if (r->arg.b == NULL)
		*ret = (struct hconf_span){ "(computed)", 10 };
	else
		*ret = r->arg;
	return (ret->len > 0);
}

static void
expr_error(struct scan_model *m, const struct hconf_node *n, unsigned versions,
    const struct hconf_expr *x)
{
	scan_lint_add(m, SCAN_LINT_ERROR, n, versions,
	    apr_psprintf(m->pool, "expression, at byte %lu: %s",
		(unsigned long)x->error_at + 1, x->error),
	    NULL);
}

/* %{HTTP_X} with an X that httpd does not know is refused, not empty. */
static void
unknown_variables(struct scan_model *m, const struct hconf_node *n,
    unsigned versions, const struct hconf_expr *x)
{
	int i;

	for (i = 0; i < x->refs->nelts; i++) {
		const struct hconf_ref *r =
		    &APR_ARRAY_IDX(x->refs, i, struct hconf_ref);
		char *name, *p;

		if (r->kind != HCONF_REF_VAR ||
		    !hconf_span_starts(r->name, "HTTP_") ||
		    scan_header_of_variable(r->name).b != NULL)
			continue;
		name = apr_pstrmemdup(m->pool, r->name.b + 5, r->name.len - 5);
		for (p = name; *p != '\0'; p++) {
			if (*p == '_')
				*p = '-';
			else if (p > name && p[-1] != '-' && *p >= 'A' &&
				 *p <= 'Z')
				*p = (char)(*p + ('a' - 'A'));
		}
		scan_lint_add(m, SCAN_LINT_ERROR, n, versions,
		    apr_psprintf(m->pool,
			"expressions know no variable %%{%.*s}",
			(int)r->name.len, r->name.b),
		    apr_psprintf(m->pool,
			"write %%{req_novary:%s}, or "
			"%%{req:%s} to have it in Vary",
			name, name));
	}
}

void
scan_ask_bool(struct scan_model *m, const struct scan_ask *u)
{
	struct hconf_expr x;
	unsigned versions = u->versions & u->node->versions;
	int i;

	hconf_expr_parse(u->text, HCONF_EXPR_BOOL, &x, m->pool);
	if (x.error != NULL)
		expr_error(m, u->node, versions, &x);
	unknown_variables(m, u->node, versions, &x);
	for (i = 0; i < x.refs->nelts; i++) {
		const struct hconf_ref *r =
		    &APR_ARRAY_IDX(x.refs, i, struct hconf_ref);
		struct scan_model_source *s;
		struct hconf_span header;
		bool novary;

		if (!asked(r, &header, &novary))
			continue;
		/* Its req() is Apache's req_novary(). */
		if (m->maker == SCAN_SERVER_LITESPEED) {
			if ((u->node->id == HCONF_IF ||
				u->node->id == HCONF_ELSEIF) &&
			    !hconf_span_is(header, "Host"))
				scan_lack_add(m, SCAN_LACK_SILENT, u->node,
				    u->scope, hconf_span_dup(header, m->pool),
				    0, versions, NULL);
			continue;
		}
		if (novary || u->novary)
			continue;
		s = scan_source_add(m, u->scope, u->node, header, SCAN_BY_EXPR,
		    r->certain ? u->when : SCAN_POSSIBLE, versions);
		s->where = r->where;
		s->late = u->late;
		s->rule = u->rule;
		s->cond = u->cond;
	}
}

/* A string: whatever it asks for, Vary never names it. */
void
scan_ask_string(struct scan_model *m, const struct hconf_node *n,
    const struct scan_scope *s, struct hconf_span text, unsigned versions,
    const char *detail, int status)
{
	struct hconf_expr x;
	int i;

	hconf_expr_parse(text, HCONF_EXPR_STRING, &x, m->pool);
	for (i = 0; i < x.refs->nelts; i++) {
		struct hconf_span header;
		bool novary;

		if (!asked(&APR_ARRAY_IDX(x.refs, i, struct hconf_ref), &header,
			&novary) ||
		    novary || hconf_span_is(header, "Host"))
			continue;
		scan_lack_add(m, SCAN_LACK_STRING, n, s,
		    hconf_span_dup(header, m->pool), status,
		    versions & n->versions, detail);
	}
}
