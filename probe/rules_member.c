/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/rules.h"

#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#include "probe/cookie.h"
#include "probe/fix.h"
#include "probe/view.h"

#define TRIAL(s, i) (&APR_ARRAY_IDX((s)->trials, (i), struct probe_trial))

/* "what differs" in words */
static const char *
differs(apr_pool_t *pool, const struct probe_evidence *e)
{
	struct probe_evidence plain;

	if (e == NULL)
		return ("");
	if (e->with != NULL) {
		plain = *e;
		plain.with = NULL;
		return (apr_psprintf(pool,
		    e->rival ? "with %.60s in place of %s, %s"
			     : "in the company of %s%s, %s",
		    e->rival ? e->tried : "", e->with, differs(pool, &plain)));
	}
	if (strcmp(e->what, "status") == 0)
		return (
		    apr_psprintf(pool, "status %s, with it %s", e->a, e->b));
	if (e->header != NULL)
		return (apr_psprintf(pool, "%s: %s, with it %s", e->header,
		    e->a != NULL ? e->a : "(none)",
		    e->b != NULL ? e->b : "(none)"));
	return (apr_psprintf(pool, "%s at byte %" APR_SIZE_T_FMT " of the body",
	    strcmp(e->what, "json") == 0 ? "a JSON value" : "the text",
	    e->offset));
}

/* The same content, coded another way, and in a coding that was asked for. */
static bool
is_recoded(const struct probe_view *v)
{
	return (!v->beyond_coding &&
		strcasecmp(v->m->name, "Accept-Encoding") != 0);
}

/* Set-Cookie alone differs, and what has one is not stored: nobody is given
 * another one's cookie, and the page is the same. */
static bool
is_harmless(const struct probe_subject *s, const struct probe_view *v)
{
	return (!v->beyond_cookies && s->set->profile->set_cookie_private);
}

static enum probe_level
level(const struct probe_subject *s, const struct probe_view *v,
    enum probe_level harmless)
{
	return (v->danger && !is_harmless(s, v) && !is_recoded(v) ? PROBE_ERROR
								  : harmless);
}

static const char *
why_level(
    const struct probe_subject *s, apr_pool_t *pool, const struct probe_view *v)
{
	if (!v->danger)
		return (
		    apr_psprintf(pool, " (%s does not store this response: %s)",
			s->set->profile->name, s->cacheable_why));
	if (is_recoded(v))
		return (" (the same content, in another coding)");
	if (is_harmless(s, v))
		return (apr_psprintf(pool,
		    " (%s does not store what has a Set-Cookie; who is given a "
		    "stored response is set no cookie)",
		    s->set->profile->name));
	return ("");
}

/* The spelling that people know; a member's own name is in lower case. */
static const char *
spelling(const struct probe_view *v)
{
	return (v->axis != NULL ? v->axis->name : v->m->name);
}

static bool
is_hop(const struct probe_view *v)
{
	return (v->axis != NULL && (v->axis->flags & PROBE_AXIS_HOP) != 0);
}

static void
rule_leak(struct probe_subject *s, struct probe_result *r, struct probe_view *v)
{
	apr_pool_t *pool = s->pool;
	struct probe_finding *f;
	bool encoding = strcasecmp(v->m->name, "Accept-Encoding") == 0;
	/* No shared cache answers what carries it, unless the answer says so:
	 * one variant is made, of requests without. */
	bool alone = v->axis != NULL &&
		     (v->axis->flags & PROBE_AXIS_EXEMPT) != 0 && !s->for_all;
	/* Browsers send it with OPTIONS alone. */
	bool preflight =
	    strncasecmp(v->m->name, "Access-Control-Request-", 23) == 0;

	f = probe_result_add(r, PROBE_VARY_LEAK,
	    encoding || preflight || alone ? PROBE_NOTE : PROBE_WARNING,
	    v->m->name,
	    apr_psprintf(pool,
		"%s is in Vary%s, and no effect was observed with the %d "
		"values tried%s",
		v->m->name,
		v->m->declared == PROBE_DECLARED_SOME
		    ? apr_psprintf(pool, " of some responses (%s; not: %s)",
			  v->named->with_example,
			  v->named->without_example != NULL
			      ? v->named->without_example
			      : "others")
		    : "",
		v->tried,
		strcasecmp(v->m->name, "Cookie") == 0
		    ? "; a session was not among them unless you gave one"
		: alone ? "; what carries it is answered from no shared cache, "
			  "and so it makes no variants"
		: preflight ? "; preflights alone carry it, and so it makes no "
			      "variants of this response"
			    : ""));
	probe_fix_leak(pool, f, spelling(v));
}

/* What is written back is a danger that Vary does not cure. */
static void
rule_reflected(
    struct probe_subject *s, struct probe_result *r, struct probe_view *v)
{
	apr_pool_t *pool = s->pool;
	struct probe_finding *f;

	f = probe_result_add(r, PROBE_VARY_REFLECTED,
	    level(s, v, PROBE_WARNING), v->m->name,
	    apr_psprintf(pool,
		"the response repeats what anybody sends as %s, and a cache "
		"gives it to all: %s%s",
		v->m->name, differs(pool, v->m->evidence),
		why_level(s, pool, v)));
	f->evidence = v->m->evidence;
	f->fix_origin =
	    is_hop(v) ? apr_psprintf(pool,
			    "do not trust %s from outside; Vary is no cure: "
			    "let the edge remove or set it (--edge-sets %s "
			    "then)",
			    spelling(v), spelling(v))
		      : apr_psprintf(pool,
			    "do not write %s into the page; Vary is no cure: "
			    "each visitor has another one",
			    spelling(v));
	f->fix_vcl =
	    apr_psprintf(pool, "unset req.http.%s; in vcl_recv", spelling(v));
}

static const char by_coding[] =
    "let Accept-Encoding alone decide the coding: browsers that say gzip and "
    "cannot read it are gone";

/* It has to be in Vary, and is in that of no response, or of some. */
static void
rule_missing(
    struct probe_subject *s, struct probe_result *r, struct probe_view *v)
{
	apr_pool_t *pool = s->pool;
	struct probe_finding *f;
	bool some = v->m->declared == PROBE_DECLARED_SOME;
	const char *text;

	if (some)
		text = apr_psprintf(pool,
		    "only some responses name %s in Vary (%s; not: %s), and "
		    "the response depends on it: what a cache stores first "
		    "without it goes to everybody",
		    v->m->name, v->named->with_example,
		    v->named->without_example != NULL
			? v->named->without_example
			: "others");
	else
		text = apr_psprintf(pool,
		    "the response depends on %s, and Vary does not name it",
		    v->m->name);
	f = probe_result_add(r,
	    some ? PROBE_VARY_INCONSISTENT : PROBE_VARY_MISSING,
	    level(s, v, PROBE_NOTE), v->m->name,
	    apr_psprintf(pool, "%s: %s%s", text, differs(pool, v->m->evidence),
		why_level(s, pool, v)));
	f->evidence = v->m->evidence;
	if (!v->beyond_cookies)
		probe_fix_cookie_set(f);
	else if (is_recoded(v))
		f->fix_origin = by_coding;
	else
		probe_fix_missing(pool, f, spelling(v),
		    v->axis != NULL ? v->axis->flags : 0,
		    probe_view_cookies(s, v, true, pool));
}

/* Of Cookie, which has any number of parts, some have an effect. */
static void
rule_partial(
    struct probe_subject *s, struct probe_result *r, struct probe_view *v)
{
	apr_pool_t *pool = s->pool;
	struct probe_finding *f;
	const apr_array_header_t *names =
	    probe_view_cookies(s, v, v->beyond_cookies, pool);
	const char *list = probe_cookie_list(names, "", pool);

	f = probe_result_add(r, PROBE_VARY_PARTIAL, PROBE_WARNING, v->m->name,
	    apr_psprintf(pool,
		v->beyond_cookies
		    ? "only a part of Cookie has an effect (%s); each "
		      "visitor's other cookies make a variant of their own"
		    : "Cookie has no effect but that who has %s is not set it "
		      "again; each visitor's cookies make a variant of their "
		      "own",
		list));
	f->evidence = v->m->evidence;
	if (!v->beyond_cookies) {
		probe_fix_cookie_set(f);
		return;
	}
	if (names->nelts == 0)
		return;
	f->fix_origin =
	    apr_psprintf(pool, "say which cookies matter: Cookie-Indices: %s",
		probe_cookie_list(names, "\"", pool));
	f->fix_vcl = apr_psprintf(pool, "site.cookie(\"%s\");", list);
}

static void
rule_costly(
    struct probe_subject *s, struct probe_result *r, struct probe_view *v)
{
	apr_pool_t *pool = s->pool;
	struct probe_finding *f;

	f = probe_result_add(r, PROBE_VARY_COSTLY, PROBE_WARNING, v->m->name,
	    apr_psprintf(pool,
		"the response really depends on %s, which has a value for "
		"almost every %s: %s",
		v->m->name,
		strcasecmp(v->m->name, "User-Agent") == 0 ? "browser version"
							  : "visitor",
		differs(pool, v->m->evidence)));
	f->evidence = v->m->evidence;
	if (is_recoded(v)) {
		f->fix_origin = by_coding;
		f->fix_vcl =
		    apr_psprintf(pool, "site.strip(\"%s\");", spelling(v));
		return;
	}
	f->fix_origin =
	    is_hop(v) ? apr_psprintf(pool, "do not let %s decide what is sent",
			    spelling(v))
		      : "decide by less: a class in place of the whole value";
	f->fix_vcl = probe_fix_normaliser(pool, spelling(v));
}

static void
rule_presence(
    struct probe_subject *s, struct probe_result *r, struct probe_view *v)
{
	struct probe_finding *f;

	f = probe_result_add(r, PROBE_VARY_PRESENCE, PROBE_NOTE, v->m->name,
	    apr_psprintf(s->pool,
		"only whether %s is sent makes a difference, its value makes "
		"none with those tried",
		v->m->name));
	f->evidence = v->m->evidence;
	f->fix_vcl =
	    apr_psprintf(s->pool, "site.presence(\"%s\");", spelling(v));
}

static void
rule_effect(
    struct probe_subject *s, struct probe_result *r, struct probe_view *v)
{
	unsigned flags = v->axis != NULL ? v->axis->flags : 0;
	bool keyed = (flags & PROBE_AXIS_KEYED) != 0 ||
		     ((flags & PROBE_AXIS_EXEMPT) != 0 && !v->open);

	if (v->m->declared != PROBE_DECLARED_YES && v->reflected &&
	    (flags & (PROBE_AXIS_HOP | PROBE_AXIS_ECHO)) != 0)
		rule_reflected(s, r, v);
	else if (v->m->declared != PROBE_DECLARED_YES) {
		if (!keyed && !s->star)
			rule_missing(s, r, v);
	} else if (strcasecmp(v->m->name, "Cookie") == 0 &&
		   v->with_effect > 0 && v->without_effect > 0)
		rule_partial(s, r, v);
	else if ((flags & PROBE_AXIS_MANY) != 0)
		rule_costly(s, r, v);
	else if (probe_view_presence_only(s, v))
		rule_presence(s, r, v);
}

static void
rule_hop(struct probe_subject *s, struct probe_result *r, struct probe_view *v)
{
	const struct probe_profile *p = s->set->profile;
	apr_pool_t *pool = s->pool;
	struct probe_finding *f;
	bool encoding = strcasecmp(v->m->name, "Accept-Encoding") == 0;

	if (v->m->declared == PROBE_DECLARED_NO || encoding)
		return;
	if (v->unkeyed && strcasecmp(v->m->name, "Host") != 0) {
		f = probe_result_add(r, PROBE_VARY_HOP, PROBE_WARNING,
		    v->m->name,
		    apr_psprintf(pool,
			"%s is in Vary, and a cache on the way had an answer "
			"to a value that nobody has sent before (%s): it does "
			"not key on %s, or makes few values of many",
			v->m->name, s->cache_sign, v->m->name));
		f->fix_origin = apr_psprintf(pool,
		    "let that cache honour Vary; what the origin does with "
		    "%s is seen with --connect-to",
		    spelling(v));
		f->fix_vcl = "site.fetch(); keeps the Vary that is stored";
	}
	if (v->lines != NULL && v->lines->state == PROBE_T_EFFECT &&
	    v->m->declared == PROBE_DECLARED_YES) {
		f = probe_result_add(r, PROBE_VARY_HOP, PROBE_NOTE, v->m->name,
		    apr_psprintf(pool,
			"the origin reads the second line of a repeated %s, "
			"%s keys on the first one alone: what it stores for "
			"two lines goes to those who send the first",
			v->m->name, p->description));
		f->evidence = v->lines->evidence;
		f->fix_origin = NULL;
		f->fix_vcl = "site.recv(); in vcl_recv joins repeated lines";
	}
	if (p->ignores_vary && v->m->effect > PROBE_NONE_OBSERVED) {
		f = probe_result_add(r, PROBE_VARY_HOP, PROBE_ERROR, v->m->name,
		    apr_psprintf(pool,
			"%s is rightly in Vary, but %s does not key on it: "
			"one variant goes to everybody",
			v->m->name, p->description));
		f->evidence = v->m->evidence;
		f->fix_origin = apr_psprintf(pool,
		    "put %s into the cache's key by its own means, or do not "
		    "let it store this response",
		    v->m->name);
	} else if (p->vary_uncached) {
		f = probe_result_add(r, PROBE_VARY_HOP, PROBE_WARNING,
		    v->m->name,
		    apr_psprintf(pool,
			"%s in Vary keeps the response out of the cache of "
			"%s",
			v->m->name, p->description));
		probe_fix_leak(pool, f, spelling(v));
	}
}

static void
rule_redundant(
    struct probe_subject *s, struct probe_result *r, struct probe_view *v)
{
	apr_pool_t *pool = s->pool;
	struct probe_finding *f;

	f = probe_result_add(r, PROBE_VARY_REDUNDANT, PROBE_NOTE, v->m->name,
	    s->set->profile->vary_uncached
		? "host is part of the URL, which is the key already"
		: "host is part of the URL, which is the key already; in "
		  "Varnish it costs nothing until VCL rewrites the backend's "
		  "Host, and then every request misses");
	probe_fix_leak(pool, f, "Host");
}

void
probe_rules_member(
    struct probe_subject *s, struct probe_result *r, const char *name)
{
	struct probe_view v;

	probe_view_fill(&v, s, r, name);
	if (s->outcome != PROBE_JUDGED) {
		/* What was seen of Vary itself stands all the same. */
		if (v.m->declared != PROBE_DECLARED_NO &&
		    strcasecmp(name, "Host") == 0)
			rule_redundant(s, r, &v);
		return;
	}
	if (v.axis != NULL && (v.axis->flags & PROBE_AXIS_TLS) != 0) {
		probe_rules_sni(s, r, v.m);
		return;
	}
	if (strcasecmp(name, "Host") == 0) {
		if (v.m->declared != PROBE_DECLARED_NO)
			rule_redundant(s, r, &v);
		if (s->set->profile->vary_uncached)
			rule_hop(s, r, &v);
		return;
	}
	rule_hop(s, r, &v);
	if (v.m->effect > PROBE_NONE_OBSERVED)
		rule_effect(s, r, &v);
	else if (v.m->effect == PROBE_NONE_OBSERVED && !s->star && !v.unkeyed &&
		 v.m->declared != PROBE_DECLARED_NO)
		rule_leak(s, r, &v);
}
