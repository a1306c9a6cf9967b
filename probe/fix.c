/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/fix.h"

#include <strings.h>

#include <apr_strings.h>

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
	f->fix_origin = apr_psprintf(pool,
	    "stop naming it: in Apache [NV] on the RewriteCond that tests "
	    "%s, req_novary('%s') in an expression, or: %s",
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

void
probe_fix_missing(apr_pool_t *pool, struct probe_finding *f, const char *name)
{
	f->fix_origin = apr_psprintf(pool,
	    "name it in every response of this URL: in Apache, Header always "
	    "merge Vary %s",
	    name);
	f->fix_vcl =
	    probe_fix_is_keyable(name)
		? apr_psprintf(pool, "site.ensure(\"%s\");", name)
		: apr_psprintf(pool,
		      "if (req.http.%s) { return (pass); } in vcl_recv: "
		      "Varnish cannot key on it",
		      name);
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
	return (
	    apr_psprintf(pool, "site.presence(\"%s\"); or site.map()", name));
}
