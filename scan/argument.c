/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/scope.h"

#include <string.h>

#include <apr_strings.h>

/* The words of Options, RewriteOptions ... that httpd knows. */

static void
refuse(struct scan_model *m, const struct hconf_node *n, const char *why,
    struct hconf_span word)
{
	scan_lint_add(m, SCAN_LINT_ERROR, n, n->versions,
	    apr_psprintf(m->pool, "%.*s: %s \"%.*s\"", (int)n->name.len,
		n->name.b, why, (int)word.len, word.b),
	    NULL);
}

static void
options(struct scan_model *m, const struct hconf_node *n)
{
	static const char *const list[] = { "Indexes", "Includes",
		"IncludesNOEXEC", "FollowSymLinks", "SymLinksIfOwnerMatch",
		"ExecCGI", "MultiViews", "RunScripts", NULL };
	static const char *const whole[] = { "All", "None", NULL };
	struct hconf_words w;
	bool all_or_none = false, relative = false;
	unsigned i;

	hconf_words(n->args, &w, m->pool);
	for (i = 0; i < w.n; i++) {
		struct hconf_span o = w.v[i];
		bool is_signed = o.len > 0 && (*o.b == '+' || *o.b == '-');
		bool mixed = i > 0 && !all_or_none && is_signed != relative;

		if (relative && !is_signed)
			mixed = true;
		if (is_signed) {
			o.b++;
			o.len--;
			relative = true;
		}
		if (mixed) {
			refuse(m, n,
			    "with or without \"+\" or \"-\" they all have to "
			    "be, and this one is otherwise:",
			    w.v[i]);
			return;
		}
		if (hconf_span_in(o, whole)) {
			if (i > 0 || is_signed) {
				refuse(m, n,
				    "that can only be the first word, without "
				    "a sign:",
				    w.v[i]);
				return;
			}
			all_or_none = true;
		} else if (!hconf_span_in(o, list)) {
			refuse(m, n, "there is no option", w.v[i]);
			return;
		}
	}
}

static void
rewrite_options(struct scan_model *m, const struct hconf_node *n)
{
	static const char *const list[] = { "Inherit", "InheritBefore",
		"InheritDown", "InheritDownBefore", "IgnoreInherit",
		"AllowNoSlash", "AllowAnyURI", "MergeBase", "IgnoreContextInfo",
		"LegacyPrefixDocRoot", "UnsafePrefixStat", NULL };
	struct hconf_words w;
	unsigned i;

	hconf_words(n->args, &w, m->pool);
	if (w.n == 0)
		scan_lint_add(m, SCAN_LINT_ERROR, n, n->versions,
		    "RewriteOptions takes at least one option", NULL);
	for (i = 0; i < w.n; i++)
		if (!hconf_span_in(w.v[i], list) &&
		    !hconf_span_starts(w.v[i], "MaxRedirects="))
			refuse(m, n, "there is no option", w.v[i]);
}

static void
allow_override(struct scan_model *m, const struct hconf_node *n)
{
	static const char *const list[] = { "None", "All", "AuthConfig",
		"FileInfo", "Indexes", "Limit", "Options", NULL };
	struct hconf_words w;
	unsigned i;

	hconf_words(n->args, &w, m->pool);
	for (i = 0; i < w.n; i++) {
		struct hconf_span a = w.v[i];
		const char *eq = memchr(a.b, '=', a.len);

		if (eq != NULL)
			a.len = (size_t)(eq - a.b);
		if (!hconf_span_in(a, list) &&
		    (eq == NULL || !hconf_span_is(a, "Nonfatal")))
			refuse(m, n, "there is no class", w.v[i]);
	}
}

/* A header or an expression, a pattern, and at least one variable. */
static void
set_env_if(struct scan_model *m, const struct hconf_node *n, unsigned least)
{
	struct hconf_words w;
	unsigned i;

	hconf_words(n->args, &w, m->pool);
	for (i = 0; i < least && i < w.n; i++)
		if (w.v[i].len == 0)
			break;
	if (i < least)
		scan_lint_add(m, SCAN_LINT_ERROR, n, n->versions,
		    apr_psprintf(m->pool, "%.*s takes %s and a variable",
			(int)n->name.len, n->name.b,
			least == 3 ? "a header, a regular expression"
				   : "what has to match"),
		    NULL);
}

static void
rewrite_base(struct scan_model *m, const struct hconf_node *n)
{
	struct hconf_words w;

	hconf_words(n->args, &w, m->pool);
	if (w.n != 1 || w.v[0].len == 0 || *w.v[0].b != '/')
		scan_lint_add(m, SCAN_LINT_ERROR, n, n->versions,
		    "RewriteBase takes a path that starts with a slash", NULL);
}

static void
redirect(struct scan_model *m, const struct hconf_node *n)
{
	struct scan_redirect r;
	const char *error = scan_redirect_read(n, &r, m->pool);

	if (scan_undefined(n->args))
		return;
	if (error != NULL)
		scan_lint_add(m, SCAN_LINT_ERROR, n, n->versions,
		    apr_psprintf(m->pool, "%.*s: %s", (int)n->name.len,
			n->name.b, error),
		    NULL);
	else if (r.expr.b != NULL)
		scan_string_check(m, n, n->versions, r.expr);
}

void
scan_arguments(struct scan_model *m, const struct hconf_node *n)
{
	/* LiteSpeed passes over what it does not know. */
	if (m->maker != SCAN_SERVER_APACHE)
		return;
	switch (n->id) {
	case HCONF_OPTIONS: options(m, n); return;
	case HCONF_REWRITEOPTIONS: rewrite_options(m, n); return;
	case HCONF_REWRITEBASE: rewrite_base(m, n); return;
	case HCONF_ALLOWOVERRIDE: allow_override(m, n); return;
	case HCONF_REDIRECT:
	case HCONF_REDIRECTMATCH:
	case HCONF_REDIRECTPERMANENT:
	case HCONF_REDIRECTTEMP: redirect(m, n); return;
	case HCONF_SETENVIF:
	case HCONF_SETENVIFNOCASE: set_env_if(m, n, 3); return;
	case HCONF_SETENVIFEXPR:
	case HCONF_BROWSERMATCH:
	case HCONF_BROWSERMATCHNOCASE: set_env_if(m, n, 2); return;
	default: return;
	}
}
