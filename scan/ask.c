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

/* util_expr_eval.c has these, mod_ssl and mod_http2 bring the rest. */
static bool
known_variable(struct hconf_span s)
{
	static const char *const list[] = { "API_VERSION", "AUTH_TYPE",
		"CONN_LOG_ID", "CONN_REMOTE_ADDR", "CONTENT_TYPE",
		"CONTEXT_DOCUMENT_ROOT", "CONTEXT_PREFIX", "DOCUMENT_ROOT",
		"DOCUMENT_URI", "HANDLER", "HTTP2", "HTTPS", "IPV6",
		"IS_SUBREQ", "LAST_MODIFIED", "PATH_INFO", "QUERY_STRING",
		"REMOTE_ADDR", "REMOTE_HOST", "REMOTE_IDENT", "REMOTE_PORT",
		"REMOTE_USER", "REQUEST_FILENAME", "REQUEST_LOG_ID",
		"REQUEST_METHOD", "REQUEST_SCHEME", "REQUEST_STATUS",
		"REQUEST_URI", "SCRIPT_FILENAME", "SCRIPT_GROUP", "SCRIPT_USER",
		"SERVER_ADMIN", "SERVER_NAME", "SERVER_PORT", "SERVER_PROTOCOL",
		"SERVER_SOFTWARE", "THE_REQUEST", "TIME", "TIME_DAY",
		"TIME_HOUR", "TIME_MIN", "TIME_MON", "TIME_SEC", "TIME_WDAY",
		"TIME_YEAR", NULL };

	return (scan_header_of_variable(s).b != NULL ||
		hconf_span_starts(s, "SSL_") || hconf_span_starts(s, "H2") ||
		hconf_span_in(s, list));
}

/* Why httpd refuses a function there, or NULL. */
static const char *
refused_function(struct hconf_span s, bool htaccess)
{
	static const char *const list[] = { "base64", "env", "escape", "http",
		"ldap", "md5", "note", "osenv", "PeerExtList", "req", "reqenv",
		"req_novary", "resp", "sha1", "tolower", "toupper", "unbase64",
		"unescape", NULL };
	static const char *const of_server[] = { "file", "filesize", NULL };

	if (hconf_span_in(s, of_server))
		return (htaccess ? "is not allowed in .htaccess" : NULL);
	return (
	    hconf_span_in(s, list) ? NULL : "is none that expressions know");
}

/* What to write for a variable that expressions do not know. */
static const char *
instead_of(struct hconf_span variable, apr_pool_t *pool)
{
	char *name, *p;

	if (!hconf_span_starts(variable, "HTTP_"))
		return (apr_psprintf(pool,
		    "write %%{reqenv:%.*s} if SetEnvIf, a rewrite "
		    "rule or a module sets it",
		    (int)variable.len, variable.b));
	name = apr_pstrmemdup(pool, variable.b + 5, variable.len - 5);
	for (p = name; *p != '\0'; p++) {
		if (*p == '_')
			*p = '-';
		else if (p > name && p[-1] != '-' && *p >= 'A' && *p <= 'Z')
			*p = (char)(*p + ('a' - 'A'));
	}
	return (apr_psprintf(pool,
	    "write %%{req_novary:%s}, or "
	    "%%{req:%s} to have it in Vary",
	    name, name));
}

/* A name that httpd does not know is refused, not empty. */
static void
unknown_names(struct scan_model *m, const struct hconf_node *n,
    unsigned versions, const struct hconf_expr *x)
{
	int i;

	for (i = 0; i < x->refs->nelts; i++) {
		const struct hconf_ref *r =
		    &APR_ARRAY_IDX(x->refs, i, struct hconf_ref);
		const char *why;

		if (r->kind == HCONF_REF_FUNC) {
			why = refused_function(r->name, n->htaccess);
			if (why != NULL)
				scan_lint_add(m, SCAN_LINT_ERROR, n, versions,
				    apr_psprintf(m->pool,
					"the function %.*s %s",
					(int)r->name.len, r->name.b, why),
				    NULL);
			continue;
		}
		if (known_variable(r->name))
			continue;
		scan_lint_add(m, SCAN_LINT_ERROR, n, versions,
		    apr_psprintf(m->pool,
			"expressions know no variable %%{%.*s}",
			(int)r->name.len, r->name.b),
		    instead_of(r->name, m->pool));
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
	for (i = 0; x.error == NULL && i < x.regexes->nelts; i++)
		scan_pattern(m, u->node, versions,
		    APR_ARRAY_IDX(x.regexes, i, struct hconf_span));
	/* mod_ssl's own dialect looks names up in another way. */
	if (u->node->id != HCONF_SSLREQUIRE)
		unknown_names(m, u->node, versions, &x);
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

void
scan_string_check(struct scan_model *m, const struct hconf_node *n,
    unsigned versions, struct hconf_span text)
{
	struct hconf_expr x;

	if (versions == 0)
		return;
	hconf_expr_parse(text, HCONF_EXPR_STRING, &x, m->pool);
	if (x.error != NULL)
		expr_error(m, n, versions, &x);
	else
		unknown_names(m, n, versions, &x);
}

/* A string: whatever it asks for, Vary never names it. */
void
scan_ask_string(struct scan_model *m, const struct scan_ask *u,
    const char *detail, int status)
{
	struct hconf_expr x;
	int i;

	hconf_expr_parse(u->text, HCONF_EXPR_STRING, &x, m->pool);
	for (i = 0; i < x.refs->nelts; i++) {
		struct hconf_span header;
		struct scan_lack *l;
		bool novary;

		if (!asked(&APR_ARRAY_IDX(x.refs, i, struct hconf_ref), &header,
			&novary) ||
		    novary || hconf_span_is(header, "Host"))
			continue;
		l = scan_lack_add(m, SCAN_LACK_STRING, u->node, u->scope,
		    hconf_span_dup(header, m->pool), status,
		    u->versions & u->node->versions, detail);
		if (l != NULL && u->when != SCAN_ALWAYS)
			l->when = u->when;
	}
}
