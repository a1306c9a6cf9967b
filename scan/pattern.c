/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/scope.h"

#include <string.h>

#include <apr_strings.h>

#include "httpdconf/regex.h"

/* Nobody gave it one here; another host may. */
bool
scan_undefined(struct hconf_span s)
{
	size_t i;

	for (i = 0; i + 1 < s.len; i++)
		if (s.b[i] == '$' && s.b[i + 1] == '{')
			return (true);
	return (false);
}

void
scan_pattern(struct scan_model *m, const struct hconf_node *n,
    unsigned versions, struct hconf_span p)
{
	struct hconf_regex_fault fault;

	/* LiteSpeed passes over the line. */
	if (m->maker != SCAN_SERVER_APACHE || p.b == NULL || scan_undefined(p))
		return;
	p.len = strnlen(p.b, p.len);
	if (hconf_regex_good(p, &fault))
		return;
	if (fault.pcre2_only)
		versions &= scan_since(m, HCONF_VERSION(2, 4, 52));
	if (versions == 0)
		return;
	scan_lint_add(m, SCAN_LINT_ERROR, n, versions,
	    apr_psprintf(m->pool,
		"the regular expression \"%.*s\" is refused, at byte %lu: %s",
		(int)p.len, p.b, (unsigned long)fault.at + 1, fault.why),
	    p.len > 0 && *p.b == '*'
		? "\"*\" repeats what stands before it: write \".*\" for any "
		  "text"
		: NULL);
}

/* CondPattern: a test of files, or a comparison, is no expression. */
static bool
is_comparison(struct hconf_span p)
{
	static const char *const numbers[] = { "lt", "le", "gt", "ge", "eq",
		"ne" };
	size_t i;

	if (p.len < 2)
		return (false);
	if (*p.b != '-')
		return (*p.b == '<' || *p.b == '>' || *p.b == '=');
	if (p.len == 2)
		return (strchr("fsdxhLlUF", p.b[1]) != NULL);
	for (i = 0; p.len > 3 && i < sizeof numbers / sizeof *numbers; i++)
		if (strncmp(p.b + 1, numbers[i], 2) == 0)
			return (true);
	return (false);
}

static void
of_rewrite(struct scan_model *m, const struct hconf_node *n)
{
	struct hconf_span w[3], p;

	if (!hconf_rewrite_words(n->args, w))
		return;
	p = n->id == HCONF_REWRITECOND ? w[1] : w[0];
	if (p.len > 0 && *p.b == '!') {
		p.b++;
		p.len--;
	}
	if (n->id == HCONF_REWRITECOND &&
	    (hconf_span_is(w[0], "expr") || is_comparison(p)))
		return;
	scan_pattern(m, n, n->versions, p);
}

/* mod_setenvif looks for such text with strstr(), brackets or not. */
static bool
is_plain(struct hconf_span p)
{
	bool escaped = false;
	size_t i;

	for (i = 0; i < p.len; i++) {
		bool special = strchr("^.$|()[]*+?{}", p.b[i]) != NULL;

		if (p.b[i] == '\\')
			escaped = !escaped;
		else if (special != escaped)
			return (false);
		else
			escaped = false;
	}
	return (true);
}

/* The name of a header to look at; with other letters, it is a pattern. */
static bool
is_name(struct hconf_span s)
{
	size_t i;

	for (i = 0; i < s.len; i++)
		if (s.b[i] != '-' && s.b[i] != '_' &&
		    !(s.b[i] >= '0' && s.b[i] <= '9') &&
		    !(s.b[i] >= 'a' && s.b[i] <= 'z') &&
		    !(s.b[i] >= 'A' && s.b[i] <= 'Z'))
			return (false);
	return (true);
}

static bool
in_location(const struct hconf_node *n)
{
	for (n = n->parent; n != NULL; n = n->parent)
		if (n->id == HCONF_LOCATION || n->id == HCONF_LOCATIONMATCH)
			return (true);
	return (false);
}

void
scan_patterns(struct scan_model *m, const struct hconf_node *n)
{
	struct scan_redirect r;
	struct hconf_words w;

	switch (n->id) {
	case HCONF_REWRITECOND:
	case HCONF_REWRITERULE: of_rewrite(m, n); return;
	case HCONF_REDIRECTMATCH:
		(void)scan_redirect_read(n, &r, m->pool);
		scan_pattern(m, n, n->versions, r.pattern);
		return;
	case HCONF_ALIASMATCH:
	case HCONF_BROWSERMATCH:
	case HCONF_BROWSERMATCHNOCASE:
	case HCONF_DIRECTORY:
	case HCONF_DIRECTORYMATCH:
	case HCONF_FILES:
	case HCONF_FILESMATCH:
	case HCONF_LOCATION:
	case HCONF_LOCATIONMATCH:
	case HCONF_PROXYMATCH:
	case HCONF_PROXYPASSMATCH:
	case HCONF_SCRIPTALIASMATCH:
	case HCONF_SETENVIF:
	case HCONF_SETENVIFNOCASE: break;
	default: return;
	}
	hconf_words(n->args, &w, m->pool);
	switch (n->id) {
	case HCONF_DIRECTORY:
	case HCONF_FILES:
	case HCONF_LOCATION:
		if (w.n > 1 && w.v[0].len == 1 && *w.v[0].b == '~')
			scan_pattern(m, n, n->versions, w.v[1]);
		return;
	case HCONF_PROXYPASSMATCH:
		if (w.n > 0 && !in_location(n))
			scan_pattern(m, n, n->versions, w.v[0]);
		return;
	case HCONF_SETENVIF:
	case HCONF_SETENVIFNOCASE:
		if (w.n > 0 && !is_name(w.v[0]))
			scan_pattern(m, n, n->versions, w.v[0]);
		if (w.n > 1 && !is_plain(w.v[1]))
			scan_pattern(m, n, n->versions, w.v[1]);
		return;
	case HCONF_BROWSERMATCH:
	case HCONF_BROWSERMATCHNOCASE:
		if (w.n > 0 && !is_plain(w.v[0]))
			scan_pattern(m, n, n->versions, w.v[0]);
		return;
	default:
		if (w.n > 0)
			scan_pattern(m, n, n->versions, w.v[0]);
		return;
	}
}
