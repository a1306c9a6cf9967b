/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/profile.h"

#include <string.h>
#include <strings.h>

#include <apr_date.h>
#include <apr_strings.h>

static const struct probe_profile profiles[] = {
	{ .name = "varnish",
	    .description = "Varnish with the builtin VCL",
	    .default_ttl = 120,
	    .surrogate = true,
	    .set_cookie_private = true,
	    .folds_encoding = true,
	    .first_line = true,
	    .source = "bin/varnishd/builtin.vcl, cache_rfc2616.c, measured "
		      "with 7.1.1" },
	{ .name = "rfc9111",
	    .description = "any shared cache that keeps to RFC 9111",
	    .default_ttl = -1,
	    .no_cache_stored = true,
	    .source = "RFC 9111 sections 3 and 4" },
	{ .name = "browser",
	    .description = "the cache of a browser",
	    .default_ttl = -1,
	    .no_cache_stored = true,
	    .private_cache = true,
	    .one_variant = true,
	    .source = "RFC 9111; http-cache-tests, vary-invalidate" },
	/*
	 * The page on vcl_fetch: the lifetime is read before it, "does not take
	 * into account Cache-Control directives such as private and no-store",
	 * and is 2 minutes where headers tell none; of an Expires that is no
	 * date it says no more.  These two are passed by the vcl_fetch that its
	 * templates have, whatever Surrogate-Control says; no-cache is not.
	 */
	{ .name = "fastly",
	    .description = "Fastly",
	    .default_ttl = 120,
	    .statuses = "200 203 300 301 302 404 410",
	    .surrogate_lifetime = true,
	    .no_cache_stored = true,
	    .set_cookie_private = true,
	    .folds_encoding = true,
	    .source = "https://www.fastly.com/documentation/guides/concepts/"
		      "edge-state/cache/cache-freshness/" },
	{ .name = "cloudflare",
	    .description = "Cloudflare without cache rules",
	    .default_ttl = -1,
	    .targeted = "Cloudflare-CDN-Cache-Control",
	    .set_cookie_private = true,
	    .ignores_vary = true,
	    .folds_encoding = true,
	    .source = "https://developers.cloudflare.com/cache/concepts/"
		      "cache-behavior/" },
	{ .name = "akamai",
	    .description = "Akamai without removeVary",
	    .default_ttl = -1,
	    .targeted = "Akamai-Cache-Control",
	    .vary_uncached = true,
	    .folds_encoding = true,
	    .source = "https://techdocs.akamai.com/property-mgr/docs/"
		      "rm-vary-header" },
	{ .name = "squid",
	    .description = "Squid",
	    .default_ttl = -1,
	    .no_cache_stored = true,
	    .source = "RFC 9111; http-cache-tests" },
	{ .name = "nginx",
	    .description = "nginx with proxy_cache_valid",
	    .default_ttl = 600,
	    .set_cookie_private = true,
	    .source = "ngx_http_upstream_module, proxy_cache_valid" },
	{ .name = "ats",
	    .description = "Apache Traffic Server",
	    .default_ttl = -1,
	    .no_cache_stored = true,
	    .source = "RFC 9111; http-cache-tests" },
	{ .name = "haproxy",
	    .description = "HAProxy's cache",
	    .default_ttl = 60,
	    .source = "HAProxy documentation: cache section, "
		      "process-vary" },
};

const struct probe_profile *
probe_profile_at(size_t i)
{
	return (i < sizeof profiles / sizeof *profiles ? &profiles[i] : NULL);
}

const struct probe_profile *
probe_profile_find(const char *name)
{
	const struct probe_profile *p;
	size_t i;

	for (i = 0; (p = probe_profile_at(i)) != NULL; i++)
		if (strcmp(p->name, name) == 0)
			return (p);
	return (NULL);
}

static bool
is_ows(char c)
{
	return (c == ' ' || c == '\t');
}

/*
 * A directive of a Cache-Control-like list: 0 not there, 1 there; *ret_value
 * its number, or -1 without one.  Quoted strings are passed over.
 */
static int
directive(const struct probe_line *l, const char *name, long *ret_value)
{
	const char *p = l->value, *e = p + l->value_len, *b;
	size_t n = strlen(name);
	long v;

	while (p < e) {
		while (p < e && (*p == ',' || is_ows(*p)))
			p++;
		for (b = p; p < e && *p != ',' && *p != '=' && !is_ows(*p); p++)
			continue;
		if ((size_t)(p - b) == n && strncasecmp(b, name, n) == 0) {
			v = -1;
			while (p < e && is_ows(*p))
				p++;
			if (p < e && *p == '=') {
				p++;
				if (p < e && *p == '"')
					p++;
				if (p < e && *p >= '0' && *p <= '9')
					for (v = 0;
					     p < e && *p >= '0' && *p <= '9';
					     p++)
						if (v < 1000000000)
							v = v * 10 + (*p - '0');
			}
			*ret_value = v;
			return (1);
		}
		for (; p < e && *p != ','; p++)
			if (*p == '"')
				for (p++; p + 1 < e && *p != '"'; p++)
					if (*p == '\\' && p + 2 < e)
						p++;
	}
	return (0);
}

struct control {
	bool present, no_store, no_cache, private, public, revalidate;
	long max_age, s_maxage; /* -1: none */
};

static struct control
control_of(const struct probe_line *lines, size_t nlines, const char *name)
{
	struct control c = { .max_age = -1, .s_maxage = -1 };
	size_t i;
	long v;

	for (i = 0; i < nlines; i++) {
		const struct probe_line *l = &lines[i];

		if (!probe_line_is(l, name))
			continue;
		c.present = true;
		c.no_store |= directive(l, "no-store", &v) != 0;
		c.no_cache |= directive(l, "no-cache", &v) != 0;
		c.private |= directive(l, "private", &v) != 0;
		c.public |= directive(l, "public", &v) != 0;
		c.revalidate |= directive(l, "must-revalidate", &v) != 0;
		if (directive(l, "max-age", &v) != 0 && c.max_age < 0)
			c.max_age = v;
		if (directive(l, "s-maxage", &v) != 0 && c.s_maxage < 0)
			c.s_maxage = v;
	}
	return (c);
}

static bool
has(const struct probe_line *lines, size_t nlines, const char *name)
{
	size_t i;

	for (i = 0; i < nlines; i++)
		if (probe_line_is(&lines[i], name))
			return (true);
	return (false);
}

/* RFC 9110 section 15.1; Varnish's list of its own is the same less 206, 405,
 * 501. */
static bool
by_default(int status)
{
	static const int list[] = { 200, 203, 204, 300, 301, 304, 308, 404, 405,
		410, 414, 501 };
	size_t i;

	for (i = 0; i < sizeof list / sizeof *list; i++)
		if (list[i] == status)
			return (true);
	return (false);
}

/* A status has three digits, and so has each of the list. */
static bool
listed(const char *list, int status)
{
	char word[16];

	(void)apr_snprintf(word, sizeof word, "%d", status);
	return (strstr(list, word) != NULL);
}

enum lifetime {
	NO_LIFETIME,
	NO_DATE,
	OVER,
	FRESH,
};

/* What Expires says against Date. */
static enum lifetime
expires(const struct probe_line *lines, size_t nlines)
{
	apr_time_t until = APR_DATE_BAD, now = APR_DATE_BAD;
	enum lifetime r = NO_LIFETIME;
	size_t i;

	for (i = 0; i < nlines; i++) {
		const struct probe_line *l = &lines[i];
		bool is_expires = probe_line_is(l, "Expires");

		if (!is_expires && !probe_line_is(l, "Date"))
			continue;
		if (!is_expires)
			now = probe_line_date(l);
		else if (r == NO_LIFETIME) {
			until = probe_line_date(l);
			r = until == APR_DATE_BAD ? NO_DATE : FRESH;
		}
	}
	return (r == FRESH && now != APR_DATE_BAD && until <= now ? OVER : r);
}

/* Akamai stores what has a Vary of Accept-Encoding alone, and is compressed. */
static bool
varies_too_much(const struct probe_line *lines, size_t nlines)
{
	static const char name[] = "accept-encoding";
	const bool coded = has(lines, nlines, "Content-Encoding");
	const char *p, *e, *b;
	size_t i;

	for (i = 0; i < nlines; i++) {
		if (!probe_line_is(&lines[i], "Vary"))
			continue;
		p = lines[i].value;
		for (e = p + lines[i].value_len; p < e;) {
			while (p < e && (*p == ',' || is_ows(*p)))
				p++;
			for (b = p; p < e && *p != ',' && !is_ows(*p); p++)
				continue;
			if (p > b && !coded)
				return (true);
			if (p > b &&
			    ((size_t)(p - b) != sizeof name - 1 ||
				strncasecmp(b, name, sizeof name - 1) != 0))
				return (true);
		}
	}
	return (false);
}

bool
probe_profile_stores(const struct probe_profile *p, int status,
    const struct probe_line *lines, size_t nlines, bool authorized,
    const char **ret_why)
{
	struct control cc = control_of(lines, nlines, "Cache-Control"), t;
	enum lifetime lifetime;

	if (p->targeted != NULL || p->surrogate) {
		t = control_of(lines, nlines,
		    p->targeted != NULL ? p->targeted : "Surrogate-Control");
		if (!t.present && p->targeted != NULL)
			t = control_of(lines, nlines, "CDN-Cache-Control");
		if (t.present && p->targeted != NULL)
			cc = t;
		else if (t.present) {
			/* Varnish: Surrogate-Control hides what
			 * Cache-Control forbids, and may forbid itself. */
			cc.no_cache = cc.private = false;
			cc.no_store = t.no_store;
		}
	}
	if (p->surrogate_lifetime) {
		t = control_of(lines, nlines, "Surrogate-Control");
		if (t.max_age >= 0)
			cc.s_maxage = t.max_age;
	}
	*ret_why = "Cache-Control: no-store";
	if (cc.no_store)
		return (false);
	*ret_why = "Cache-Control: private";
	if (cc.private && !p->private_cache)
		return (false);
	*ret_why = "Cache-Control: no-cache";
	if (cc.no_cache && !p->no_cache_stored)
		return (false);
	*ret_why =
	    "Vary, which may only be Accept-Encoding of what is compressed";
	if (p->vary_uncached && varies_too_much(lines, nlines))
		return (false);
	*ret_why = "the status";
	if (p->statuses != NULL && !listed(p->statuses, status))
		return (false);
	*ret_why = "Set-Cookie";
	if (p->set_cookie_private && has(lines, nlines, "Set-Cookie"))
		return (false);
	*ret_why = "the request carries Authorization";
	/* RFC 9111 section 3.5 */
	if (authorized && !p->private_cache && !cc.public && !cc.revalidate &&
	    cc.s_maxage < 0)
		return (false);
	if (cc.s_maxage >= 0 && !p->private_cache) {
		*ret_why = "s-maxage";
		return (cc.s_maxage > 0);
	}
	if (cc.max_age >= 0) {
		*ret_why = "max-age";
		return (cc.max_age > 0);
	}
	lifetime = expires(lines, nlines);
	/* "0" is the past (RFC 9111 section 5.3); for Varnish it is nothing. */
	if (lifetime == NO_DATE)
		lifetime =
		    p->surrogate || p->surrogate_lifetime ? NO_LIFETIME : OVER;
	*ret_why = "the status";
	if (lifetime == NO_LIFETIME && !cc.public && p->statuses == NULL &&
	    !by_default(status))
		return (false);
	if (lifetime != NO_LIFETIME) {
		*ret_why = "Expires";
		return (lifetime == FRESH);
	}
	if (p->default_ttl >= 0) {
		*ret_why = "the cache's default lifetime";
		return (p->default_ttl > 0);
	}
	*ret_why = "heuristic freshness";
	return (true);
}
