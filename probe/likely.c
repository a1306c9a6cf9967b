/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/likely.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#include "probe/fix.h"

enum server {
	UNKNOWN,
	APACHE,
	NGINX,
	LITESPEED,
	LIGHTTPD,
};

struct look {
	enum server server;
	bool by_spelling; /* and not by Server */
	bool no_host;     /* Apache 2.4.29 or later, by its own word */
	const char *banner;
};

/* What applications and modules send, besides the member, and why. */
static const struct {
	const char *header, *value; /* value: a part of it; NULL: any */
	const char *member;
	const char *text;
} traces[] = {
	{ "X-Generator", "Drupal", "cookie",
	    "Drupal, which sends Vary: Cookie unless omit_vary_cookie is "
	    "set" },
	{ "X-Drupal-Cache", NULL, "cookie",
	    "Drupal, which sends Vary: Cookie unless omit_vary_cookie is "
	    "set" },
	{ "Set-Cookie", "csrftoken=", "cookie",
	    "Django, which sends Vary: Cookie wherever a view has touched the "
	    "session or its CSRF token" },
	{ "X-Powered-By", "Express", "origin",
	    "the cors() middleware of Express, with a list of origins or "
	    "origin: true" },
	{ "X-Powered-By", "Express", "accept",
	    "res.format() or res.redirect() of Express" },
	{ "X-Powered-By", "Express", "accept-encoding",
	    "the compression() middleware of Express" },
	{ "X-Mod-Pagespeed", NULL, "user-agent",
	    "mod_pagespeed, which rewrites images and CSS in place "
	    "(AllowVaryOn)" },
	{ "X-Page-Speed", NULL, "user-agent",
	    "ngx_pagespeed, which rewrites images and CSS in place "
	    "(AllowVaryOn)" },
	{ "X-Mod-Pagespeed", NULL, "accept",
	    "mod_pagespeed, which rewrites images in place (AllowVaryOn)" },
	{ "X-Page-Speed", NULL, "accept",
	    "ngx_pagespeed, which rewrites images in place (AllowVaryOn)" },
	{ "X-Powered-By", "WP Rocket", "cookie",
	    "WP Rocket's rewrite rules in .htaccess" },
	{ "X-Powered-By", "WP Rocket", "user-agent",
	    "WP Rocket's rewrite rules in .htaccess" },
	{ "X-Powered-By", "WP Rocket", "x-forwarded-proto",
	    "WP Rocket's rewrite rules in .htaccess" },
};

static bool
within(const struct probe_line *l, const char *word)
{
	return (memmem(l->value, l->value_len, word, strlen(word)) != NULL);
}

static bool
starts(const struct probe_line *l, const char *word)
{
	size_t n = strlen(word);

	return (l->value_len >= n && strncasecmp(l->value, word, n) == 0);
}

static const struct probe_line *
line(const struct probe_subject *s, const char *name, const char *value)
{
	size_t i;

	for (i = 0; i < s->base.nlines; i++)
		if (probe_line_is(&s->base.lines[i], name) &&
		    (value == NULL || within(&s->base.lines[i], value)))
			return (&s->base.lines[i]);
	return (NULL);
}

/* "Apache/2.4.57 (Debian)" */
static bool
after_host(const char *banner)
{
	unsigned major, minor, patch;

	if (sscanf(banner, "Apache/%5u.%5u.%5u", &major, &minor, &patch) != 3)
		return (false);
	return (major > 2 || (major == 2 && minor > 4) ||
		(major == 2 && minor == 4 && patch >= 29));
}

static struct look
look(const struct probe_subject *s, apr_pool_t *pool)
{
	const struct probe_line *l = line(s, "Server", NULL);
	struct look o = { .server = UNKNOWN };
	size_t n;

	if (l != NULL) {
		/* "Apache/2.4.57 (Debian) PHP/8" has more than is needed. */
		for (n = 0; n < l->value_len && n < 60 && l->value[n] != ' ';)
			n++;
		o.banner = apr_psprintf(pool, "Server: %.*s", (int)n, l->value);
		if (starts(l, "LiteSpeed") || starts(l, "OpenLiteSpeed"))
			o.server = LITESPEED;
		else if (starts(l, "nginx") || starts(l, "openresty"))
			o.server = NGINX;
		else if (starts(l, "lighttpd"))
			o.server = LIGHTTPD;
		else if (starts(l, "Apache") && !starts(l, "Apache-Coyote")) {
			o.server = APACHE;
			o.no_host = after_host(o.banner + strlen("Server: "));
		}
	}
	/* Its core puts all lines into one, without blanks; few others do.
	 * What stands in front of it leaves the list alone as a rule. */
	if (o.server == UNKNOWN && s->folded && !s->spaced && !s->several) {
		o.server = APACHE;
		o.by_spelling = true;
	}
	return (o);
}

static const char *
of_apache(const struct look *o, const struct probe_result *r,
    const struct probe_member *m, apr_pool_t *pool)
{
	const char *var = probe_fix_variable(pool, m->name);
	int i;

	for (i = 0; i < r->vary_members->nelts; i++)
		if (strcasecmp(APR_ARRAY_IDX(r->vary_members, i, const char *),
			"negotiate") == 0 &&
		    strncmp(m->name, "accept", 6) == 0)
			return ("mod_negotiation (MultiViews or a type map): "
				"it names what its variants differ in, and "
				"\"negotiate\"");
	if (strcmp(m->name, "accept-encoding") == 0)
		return ("mod_deflate or mod_brotli, or Header append Vary "
			"Accept-Encoding");
	if (strcmp(m->name, "host") == 0)
		return (o->no_host
			    ? "a Header directive, the application or a "
			      "backend: conditions on Host do not name it any "
			      "more from Apache 2.4.29 on"
			    : "a RewriteCond or <If> on %{HTTP_HOST}, which "
			      "Apache up to 2.4.28 names in Vary; later ones "
			      "do not, and then a Header directive or the "
			      "application does");
	if (m->declared == PROBE_DECLARED_SOME)
		return (apr_psprintf(pool,
		    "a RewriteCond on %s in .htaccess or the server's "
		    "configuration: it counts only where the request has the "
		    "header and the rule matches",
		    var));
	return (apr_psprintf(pool,
	    "an <If> or another expression on %s, a Header directive, or the "
	    "application: a RewriteCond would name it only on some answers",
	    var));
}

static const char *
of_member(const struct probe_subject *s, const struct look *o,
    const struct probe_result *r, const struct probe_member *m,
    const char **ret_by, apr_pool_t *pool)
{
	const struct probe_line *l;
	bool encoding = strcmp(m->name, "accept-encoding") == 0;
	size_t i;

	for (i = 0; i < sizeof traces / sizeof *traces; i++) {
		l = strcmp(traces[i].member, m->name) == 0
			? line(s, traces[i].header, traces[i].value)
			: NULL;
		if (l == NULL)
			continue;
		*ret_by = traces[i].value != NULL
			      ? apr_psprintf(pool, "%s: %s", traces[i].header,
				    traces[i].value)
			      : traces[i].header;
		return (traces[i].text);
	}
	if (s->several &&
	    (strcmp(m->name, "origin") == 0 ||
		strncmp(m->name, "access-control-request-", 23) == 0)) {
		*ret_by = "its lines of Vary";
		return ("Spring, which sends Origin and the two "
			"Access-Control-Request headers in lines of their "
			"own");
	}
	switch (o->server) {
	case APACHE: return (of_apache(o, r, m, pool));
	case NGINX:
		return (encoding ? "gzip_vary, add_header, or what nginx "
				   "passes on"
				 : "add_header, or the application behind "
				   "nginx: its if and map never add to Vary");
	case LITESPEED:
		if (encoding)
			return ("LiteSpeed's own compression, which names it "
				"on compressed answers alone");
		return ("a Header directive or the application: rewrite rules "
			"and expressions of LiteSpeed never add to Vary");
	case LIGHTTPD:
		if (encoding)
			return ("mod_deflate of lighttpd, which names it on "
				"compressed answers alone");
		return ("setenv.add-response-header, or the application: "
			"conditions of lighttpd add nothing to Vary");
	case UNKNOWN: break;
	}
	return (NULL);
}

/* Something that is not named although it should be. */
static const char *
of_missing(const struct look *o, const struct probe_finding *f)
{
	if (o->server == NGINX && strcmp(f->member, "accept-encoding") == 0)
		return ("gzip on without gzip_vary on, which is nginx's "
			"default");
	return (NULL);
}

void
probe_likely_name(
    const struct probe_subject *s, struct probe_result *r, apr_pool_t *pool)
{
	struct look o = look(s, pool);
	struct probe_finding *f;
	const char *text, *by;
	int i, k;

	for (i = 0; i < r->findings->nelts; i++) {
		f = &APR_ARRAY_IDX(r->findings, i, struct probe_finding);
		text = NULL;
		by = o.by_spelling ? "its spelling of Vary, A,B without a blank"
				   : o.banner;
		if (f->member == NULL || f->cause.file != NULL ||
		    f->rule == PROBE_VARY_REFLECTED)
			continue;
		if (f->rule == PROBE_VARY_MISSING)
			text = of_missing(&o, f);
		else
			for (k = 0; k < r->members->nelts; k++) {
				const struct probe_member *m = &APR_ARRAY_IDX(
				    r->members, k, struct probe_member);

				if (strcmp(m->name, f->member) == 0)
					text =
					    of_member(s, &o, r, m, &by, pool);
			}
		if (text != NULL)
			f->likely = apr_psprintf(pool, "%s (by %s)", text, by);
	}
}
