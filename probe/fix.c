/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/fix.h"

#include <strings.h>

#include <apr_strings.h>

#include "probe/axis.h"
#include "probe/cookie.h"
#include "vary/policy.h"

const char *
probe_fix_variable(apr_pool_t *pool, const char *name)
{
	static const char *const own[][2] = { { "host", "HTTP_HOST" },
		{ "user-agent", "HTTP_USER_AGENT" },
		{ "cookie", "HTTP_COOKIE" }, { "referer", "HTTP_REFERER" },
		{ "accept", "HTTP_ACCEPT" },
		{ "forwarded", "HTTP_FORWARDED" } };
	size_t i;

	for (i = 0; i < sizeof own / sizeof *own; i++)
		if (strcasecmp(own[i][0], name) == 0)
			return (apr_psprintf(pool, "%%{%s}", own[i][1]));
	return (apr_psprintf(pool, "%%{HTTP:%s}", name));
}

const char *
probe_fix_apache_edit(apr_pool_t *pool, const char *name)
{
	return (apr_psprintf(pool,
	    "Header edit* Vary "
	    "\"(?i)^\\s*%s\\s*(,\\s*|$)|\\s*,\\s*%s(?=\\s*(,|$))\" \"\"",
	    name, name));
}

void
probe_fix_leak(apr_pool_t *pool, struct probe_finding *f, const char *name)
{
	/* Last what ends in a directive: it is to be pasted as it is. */
	f->fix_origin = apr_psprintf(pool,
	    "stop naming it: in nginx, proxy_hide_header Vary, and add_header "
	    "Vary with what stays; in Apache [NV] on the RewriteCond that "
	    "tests %s, req_novary('%s') in an expression, or: %s",
	    probe_fix_variable(pool, name), name,
	    probe_fix_apache_edit(pool, name));
	f->fix_vcl = apr_psprintf(pool, "site.strip(\"%s\");", name);
}

bool
probe_fix_is_keyable(const char *name)
{
	const struct vary_rule keyed = { .name = vary_span_str(name),
		.ensure = true };

	return (vary_policy_doubt(&keyed) == VARY_DOUBT_NONE);
}

/* Whoever asks is told by his address. */
static bool
is_address(unsigned flags)
{
	return (
	    (flags & PROBE_AXIS_HOP) != 0 && (flags & PROBE_AXIS_MANY) != 0);
}

/* The line of VCL that keys on it, on no more than is needed. */
static const char *
ensure(apr_pool_t *pool, const char *name, unsigned flags,
    const apr_array_header_t *cookies)
{
	if (!probe_fix_is_keyable(name))
		return (apr_psprintf(pool,
		    "if (req.http.%s) { return (pass); } in vcl_recv: Varnish "
		    "cannot key on it",
		    name));
	if (is_address(flags))
		return (apr_psprintf(pool,
		    "site.drop(\"%s\"); if no page has to depend on it; else "
		    "return (pass); for such URLs",
		    name));
	if (strcasecmp(name, "User-Agent") == 0)
		return ("site.ensure(\"User-Agent\"); and site.map(\"User-"
			"Agent\", \"X-Device\"); as the head of "
			"vcl/device.vcl says, with the client hints");
	if (strcasecmp(name, "Cookie") == 0 && cookies->nelts > 0)
		return (apr_psprintf(pool,
		    "site.ensure(\"Cookie\"); and site.cookie(\"%s\"); with "
		    "each other that the origin reads",
		    probe_cookie_list(cookies, "", pool)));
	return (apr_psprintf(pool, "site.ensure(\"%s\");", name));
}

void
probe_fix_missing(apr_pool_t *pool, struct probe_finding *f, const char *name,
    unsigned flags, const apr_array_header_t *cookies)
{
	const char *how;

	how = apr_psprintf(pool,
	    "in Apache, Header always merge Vary %s; in nginx, %s", name,
	    strcasecmp(name, "Accept-Encoding") == 0
		? "gzip_vary on"
		: apr_psprintf(pool, "add_header Vary %s always", name));
	if ((flags & PROBE_AXIS_EXEMPT) != 0)
		f->fix_origin = "say Cache-Control: private, and neither "
				"public nor s-maxage, of what depends on who "
				"asks";
	else if (is_address(flags))
		f->fix_origin = apr_psprintf(pool,
		    "do not let %s decide what is sent, or say Cache-Control: "
		    "private: in Vary it makes a variant for each visitor",
		    name);
	else if ((flags & PROBE_AXIS_HOP) != 0)
		f->fix_origin = apr_psprintf(pool,
		    "let the edge set %s for every request, or name it: %s",
		    name, how);
	else
		f->fix_origin = apr_psprintf(
		    pool, "name it in every response of this URL: %s", how);
	f->fix_vcl = ensure(pool, name, flags, cookies);
}

void
probe_fix_cookie_set(struct probe_finding *f)
{
	f->fix_origin = "set the cookie where a form or a session needs it, "
			"and not with what all may share; in Vary it would "
			"make a variant for each visitor";
}

const char *
probe_fix_normaliser(apr_pool_t *pool, const char *name)
{
	if (strcasecmp(name, "Accept-Language") == 0)
		return ("site.language(\"...\"); with the languages of the "
			"site");
	if (strcasecmp(name, "Accept") == 0)
		return ("site.media(\"...\"); with the types of the site");
	if (strcasecmp(name, "Accept-Encoding") == 0)
		return ("site.encoding(\"br, gzip\");");
	if (strcasecmp(name, "Cookie") == 0)
		return ("site.cookie(\"...\"); with the cookies that matter");
	if (strcasecmp(name, "Origin") == 0)
		return ("site.allow(\"Origin\", \"...\"); with the allowed "
			"origins");
	if (strcasecmp(name, "User-Agent") == 0)
		return ("site.map(\"User-Agent\", \"X-Device\"); and the "
			"client hints, as the head of vcl/device.vcl says");
	return (apr_psprintf(pool,
	    "site.presence(\"%s\"); if only that it is there counts, or "
	    "site.drop(\"%s\");",
	    name, name));
}
