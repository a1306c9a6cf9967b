/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/rewrite.h"

#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>

/* Most rules ask for no header: they share this one, and nobody adds to it. */
static const apr_array_header_t empty;

struct hconf_span
scan_header_of_variable(struct hconf_span name)
{
	/* These seven and no other: util_expr_eval.c and mod_rewrite.c. */
	static const struct {
		const char *variable, *header;
	} known[] = {
		{ "HTTP_HOST", "Host" },
		{ "HTTP_USER_AGENT", "User-Agent" },
		{ "HTTP_COOKIE", "Cookie" },
		{ "HTTP_REFERER", "Referer" },
		{ "HTTP_ACCEPT", "Accept" },
		{ "HTTP_FORWARDED", "Forwarded" },
		{ "HTTP_PROXY_CONNECTION", "Proxy-Connection" },
	};
	size_t i;

	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (hconf_span_is(name, known[i].variable))
			return ((struct hconf_span){
			    known[i].header, strlen(known[i].header) });
	return ((struct hconf_span){ NULL, 0 });
}

/* The '}' that ends what stands before p, as find_closing_curly() sees it. */
static const char *
closing(const char *p, const char *e)
{
	unsigned depth = 1;

	for (; p < e; p++) {
		if (*p == '\\' && p + 1 < e)
			p++;
		else if (*p == '{')
			depth++;
		else if (*p == '}' && --depth == 0)
			return (p);
	}
	return (NULL);
}

/*
 * Every %{...} of a test string or substitution, also within ${map:...}.  The
 * lists are written where there is something to put into them.
 */
static void
refs(struct hconf_span s, const apr_array_header_t **ret,
    const apr_array_header_t **ret_dead, apr_pool_t *result_pool)
{
	apr_array_header_t *out = NULL, *dead = NULL;
	const char *p = s.b, *e = s.b + s.len;

	while (p < e) {
		const char *start = p, *close;
		struct hconf_span name, header;

		if (*p == '\\' && p + 1 < e) {
			p += 2;
			continue;
		}
		if (*p != '%' || p + 1 >= e || p[1] != '{') {
			p++;
			continue;
		}
		p += 2;
		close = closing(p, e);
		if (close == NULL)
			return;
		name = (struct hconf_span){ p, (size_t)(close - p) };
		p = close + 1;
		/* A look ahead by a subrequest asks for the same headers. */
		while (hconf_span_starts(name, "LA-U:") ||
		       hconf_span_starts(name, "LA-F:")) {
			name.b += 5;
			name.len -= 5;
		}
		if (hconf_span_starts(name, "HTTP:"))
			header =
			    (struct hconf_span){ name.b + 5, name.len - 5 };
		else
			header = scan_header_of_variable(name);
		if (header.b != NULL && header.len > 0) {
			struct scan_header_ref *r;

			if (out == NULL)
				*ret = out =
				    apr_array_make(result_pool, 1, sizeof *r);
			r = apr_array_push(out);
			r->name = header;
			r->where =
			    (struct hconf_span){ start, (size_t)(p - start) };
		} else if (ret_dead != NULL &&
			   hconf_span_starts(name, "HTTP_")) {
			if (dead == NULL)
				*ret_dead = dead =
				    apr_array_make(result_pool, 1, sizeof name);
			APR_ARRAY_PUSH(dead, struct hconf_span) = name;
		}
	}
}

/* One flag of "[a, b=c]", perhaps an empty one; false after the last. */
static bool
flag(struct hconf_span *rest, struct hconf_span *ret_key,
    struct hconf_span *ret_value)
{
	const char *p, *e, *eq;

	if (rest->b == NULL)
		return (false);
	p = rest->b;
	e = p + rest->len;
	while (p < e && hconf_is_space(*p))
		p++;
	ret_key->b = p;
	while (p < e && *p != ',')
		p++;
	*rest = (struct hconf_span){ NULL, 0 };
	if (p < e)
		*rest = (struct hconf_span){ p + 1, (size_t)(e - p - 1) };
	while (p > ret_key->b && hconf_is_space(p[-1]))
		p--;
	eq = memchr(ret_key->b, '=', (size_t)(p - ret_key->b));
	*ret_value = (struct hconf_span){ NULL, 0 };
	if (eq != NULL) {
		*ret_value =
		    (struct hconf_span){ eq + 1, (size_t)(p - eq - 1) };
		p = eq;
	}
	ret_key->len = (size_t)(p - ret_key->b);
	return (true);
}

static bool
bracketed(struct hconf_span s, struct hconf_span *ret_inside)
{
	if (s.len < 2 || s.b[0] != '[' || s.b[s.len - 1] != ']')
		return (false);
	*ret_inside = (struct hconf_span){ s.b + 1, s.len - 2 };
	return (true);
}

static bool
is_one_of(struct hconf_span s, const char *const *list)
{
	size_t n;

	for (; *list != NULL; list++) {
		n = strlen(*list);
		if (s.len == n && memcmp(s.b, *list, n) == 0)
			return (true);
	}
	return (false);
}

bool
scan_cond_read(const struct hconf_node *n, struct scan_cond *ret,
    const char **ret_error, apr_pool_t *result_pool)
{
	static const char *const any[] = { ".", ".*", "(.*)", "^.*", "^(.*)",
		"^(.*)$", "^.*$", ".+", "(.+)", "^.+", "^(.+)", "^(.+)$",
		"^.+$", "^", "^.", NULL };
	static const char *const none[] = { "^$", NULL };
	struct hconf_span w[3], rest, key, value;

	memset(ret, 0, sizeof *ret);
	ret->node = n;
	ret->refs = ret->dead = &empty;
	if (!hconf_rewrite_words(n->args, w)) {
		*ret_error = "RewriteCond takes a test string and a pattern";
		return (false);
	}
	ret->test = w[0];
	ret->pattern = w[1];
	ret->flags = w[2];
	if (w[2].b != NULL) {
		if (!bracketed(w[2], &rest)) {
			*ret_error =
			    "RewriteCond: flags are written [like,this]";
			return (false);
		}
		while (flag(&rest, &key, &value)) {
			if (hconf_span_is(key, "NV") ||
			    hconf_span_is(key, "novary"))
				ret->novary = true;
			else if (hconf_span_is(key, "OR") ||
				 hconf_span_is(key, "ornext"))
				ret->ornext = true;
			else if (hconf_span_is(key, "NC") ||
				 hconf_span_is(key, "nocase"))
				ret->nocase = true;
			else {
				*ret_error = apr_psprintf(result_pool,
				    "RewriteCond: there is no flag \"%.*s\"",
				    (int)key.len, key.b);
				return (false);
			}
		}
	}
	if (hconf_span_is(ret->test, "expr")) {
		ret->is_expr = true;
		return (true);
	}
	refs(ret->test, &ret->refs, &ret->dead, result_pool);
	if (ret->pattern.len > 0 && *ret->pattern.b == '!') {
		ret->negated = true;
		ret->pattern.b++;
		ret->pattern.len--;
	}
	if (ret->refs->nelts == 1 &&
	    APR_ARRAY_IDX(ret->refs, 0, struct scan_header_ref).where.len ==
		ret->test.len)
		ret->any_value =
		    is_one_of(ret->pattern, ret->negated ? none : any);
	return (true);
}

static bool
proxied_by_fcgi(struct hconf_span s)
{
	return (
	    hconf_span_starts(s, "fcgi:") || hconf_span_starts(s, "scgi:") ||
	    hconf_span_starts(s, "uwsgi:") || hconf_span_starts(s, "unix:"));
}

static bool
absolute(struct hconf_span s)
{
	static const char *const schemes[] = { "http://", "https://", "ftp://",
		"ldap:", "mailto:", "news:", "gopher://", "nntp:", NULL };
	int i;

	for (i = 0; schemes[i] != NULL; i++)
		if (hconf_span_starts(s, schemes[i]))
			return (true);
	return (false);
}

bool
scan_status_read(struct hconf_span s, int *ret)
{
	static const struct {
		const char *name;
		int status;
	} names[] = {
		{ "permanent", 301 },
		{ "temp", 302 },
		{ "seeother", 303 },
	};
	size_t i;
	int n = 0;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (hconf_span_is(s, names[i].name)) {
			*ret = names[i].status;
			return (true);
		}
	if (s.len == 0 || *s.b < '0' || *s.b > '9')
		return (false);
	/* As atoi(): up to the first other byte. */
	for (i = 0; i < s.len && s.b[i] >= '0' && s.b[i] <= '9' && n < 1000;
	     i++)
		n = n * 10 + (s.b[i] - '0');
	*ret = n;
	return (true);
}

/* Has httpd a line for it?  It refuses the others. */
static bool
is_status(int status)
{
	static const struct {
		int first, last;
	} known[] = {
		{ 100, 103 },
		{ 200, 208 },
		{ 226, 226 },
		{ 300, 305 },
		{ 307, 308 },
		{ 400, 417 },
		{ 421, 424 },
		{ 426, 426 },
		{ 428, 429 },
		{ 431, 431 },
		{ 451, 451 },
		{ 500, 508 },
		{ 510, 511 },
	};
	size_t i;

	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (status >= known[i].first && status <= known[i].last)
			return (true);
	return (false);
}

/* A flag that is nothing to Vary. */
static bool
other_flag(struct hconf_span key)
{
	static const char *const list[] = { "B", "backrefescaping", "BNE",
		"BNP", "backrefernoplus", "BCTLS", "CO", "cookie", "E", "env",
		"H", "handler", "NE", "noescape", "NS", "nosubreq", "NC",
		"nocase", "PT", "passthrough", "QSA", "qsappend", "QSD",
		"qsdiscard", "QSL", "qslast", "T", "type", "UnsafePrefixStat",
		"UnsafeAllow3F", "UNC", NULL };

	/* mod_rewrite looks at the first letter of those, and no further. */
	return (hconf_span_in(key, list) || hconf_span_starts(key, "D"));
}

/* What is between the brackets; what httpd has against it, or NULL. */
static const char *
rule_flags(struct hconf_span rest, struct scan_rule *r, int *ret_status,
    bool *ret_proxy, apr_pool_t *pool)
{
	struct hconf_span key, value;

	while (flag(&rest, &key, &value)) {
		if (hconf_span_is(key, "R") || hconf_span_is(key, "redirect")) {
			*ret_status = 302;
			(void)scan_status_read(value, ret_status);
			if (!is_status(*ret_status))
				return ("RewriteRule: R= takes a status that "
					"httpd knows");
		} else if (hconf_span_is(key, "F") ||
			   hconf_span_is(key, "forbidden")) {
			*ret_status = 403;
		} else if (hconf_span_is(key, "G") ||
			   hconf_span_is(key, "gone")) {
			*ret_status = 410;
		} else if (hconf_span_is(key, "P") ||
			   hconf_span_is(key, "proxy")) {
			*ret_proxy = true;
		} else if (hconf_span_is(key, "L") ||
			   hconf_span_is(key, "last") ||
			   hconf_span_is(key, "END")) {
			r->ends = true;
		} else if (hconf_span_is(key, "S") ||
			   hconf_span_is(key, "skip") ||
			   hconf_span_is(key, "C") ||
			   hconf_span_is(key, "chain") ||
			   hconf_span_is(key, "N") ||
			   hconf_span_is(key, "next")) {
			r->unsteady = true;
		} else if (hconf_span_is(key, "BNE") && value.len == 0) {
			return ("RewriteRule: BNE= takes characters");
		} else if (!other_flag(key)) {
			return (apr_psprintf(pool,
			    "RewriteRule: there is no flag \"%.*s\"",
			    (int)key.len, key.b));
		}
	}
	return (NULL);
}

bool
scan_rule_read(const struct hconf_node *n, struct scan_rule *ret,
    const char **ret_error, apr_pool_t *result_pool)
{
	static const char *const any[] = { "^", ".*", "(.*)", "^(.*)$", "^.*$",
		"^(.*)", "^.*", ".?", "^/?(.*)", "^/?(.*)$", "$", "", NULL };
	/* Of the server's paths, which all start with a slash. */
	static const char *const any_server[] = { "^/", ".", ".+", "(.+)",
		"^(.+)$", "^.+$", "^/.*", "^/(.*)", "^/(.*)$", "^/.*$", NULL };
	struct hconf_span w[3], rest;
	bool proxy = false;
	int status = 0;

	memset(ret, 0, sizeof *ret);
	ret->node = n;
	ret->refs = ret->conds = &empty;
	if (!hconf_rewrite_words(n->args, w)) {
		*ret_error = "RewriteRule takes a pattern and a substitution";
		return (false);
	}
	ret->pattern = w[0];
	ret->subst = w[1];
	ret->flags = w[2];
	ret->any_path = is_one_of(w[0], any) ||
			(!n->htaccess && is_one_of(w[0], any_server));
	if (w[2].b != NULL) {
		if (!bracketed(w[2], &rest)) {
			*ret_error =
			    "RewriteRule: flags are written [like,this]";
			return (false);
		}
		*ret_error =
		    rule_flags(rest, ret, &status, &proxy, result_pool);
		if (*ret_error != NULL)
			return (false);
	}
	if (status == 0 && !proxy && absolute(ret->subst))
		status = 302;
	ret->status = status;
	if (proxy)
		ret->target = proxied_by_fcgi(ret->subst) ? SCAN_TARGET_FCGI
							  : SCAN_TARGET_PROXY;
	else if (status >= 300 && status < 400)
		ret->target = SCAN_TARGET_REDIRECT;
	else if (status != 0)
		ret->target = SCAN_TARGET_REFUSE;
	else if (ret->subst.len == 1 && *ret->subst.b == '-')
		ret->target = SCAN_TARGET_DASH;
	else
		ret->target = SCAN_TARGET_INTERNAL;
	/* These leave the ruleset whatever their flags say. */
	if (ret->target == SCAN_TARGET_REFUSE ||
	    ret->target == SCAN_TARGET_PROXY || ret->target == SCAN_TARGET_FCGI)
		ret->ends = true;
	if (ret->target != SCAN_TARGET_REFUSE &&
	    ret->target != SCAN_TARGET_DASH)
		refs(ret->subst, &ret->refs, NULL, result_pool);
	return (true);
}
