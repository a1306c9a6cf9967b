/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/rules.h"

#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#include "probe/fix.h"
#include "probe/plan.h"

#define TRIAL(s, i) (&APR_ARRAY_IDX((s)->trials, (i), struct probe_trial))

/* A member, and what the rules ask about it. */
struct view {
	struct probe_member *m;
	const struct probe_axis *axis;
	const struct probe_named *named; /* or NULL */
	const struct probe_trial *best;  /* the one with evidence, or NULL */
	const struct probe_trial *lines; /* as two field lines, or NULL */
	int index;
	int with_effect, without_effect, tried;
	bool danger;         /* some response that matters may be stored */
	bool open;           /* one that has the header, too */
	bool beyond_cookies; /* not only Set-Cookie differs */
	bool reflected;
	bool absent_differs; /* the header's absence, or presence, matters */
	bool failed;
	bool unkeyed; /* a cache on the way does not key on it */
};

static const char *
lower(apr_pool_t *pool, const char *s)
{
	char *c = apr_pstrdup(pool, s), *p;

	for (p = c; *p != '\0'; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
	return (c);
}

static const struct probe_named *
find_named(const struct probe_subject *s, const char *name)
{
	int i;

	for (i = 0; i < s->named->nelts; i++) {
		const struct probe_named *n =
		    APR_ARRAY_IDX(s->named, i, struct probe_named *);

		if (strcasecmp(n->name, name) == 0)
			return (n);
	}
	return (NULL);
}

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

/* Set-Cookie alone differs, and what has one is not stored: nobody is given
 * another one's cookie, and the page is the same. */
static bool
is_harmless(const struct probe_subject *s, const struct view *v)
{
	return (!v->beyond_cookies && s->set->profile->set_cookie_private);
}

static enum probe_level
level(const struct probe_subject *s, const struct view *v,
    enum probe_level harmless)
{
	return (v->danger && !is_harmless(s, v) ? PROBE_ERROR : harmless);
}

static const char *
why_level(const struct probe_subject *s, apr_pool_t *pool, const struct view *v)
{
	if (!v->danger)
		return (
		    apr_psprintf(pool, " (%s does not store this response: %s)",
			s->set->profile->name, s->cacheable_why));
	if (is_harmless(s, v))
		return (apr_psprintf(pool,
		    " (%s does not store what has a Set-Cookie; who is given a "
		    "stored response is set no cookie)",
		    s->set->profile->name));
	return ("");
}

/* The spelling that people know; a member's own name is in lower case. */
static const char *
spelling(const struct view *v)
{
	return (v->axis != NULL ? v->axis->name : v->m->name);
}

static bool
has(const apr_array_header_t *list, const char *s)
{
	int i;

	for (i = 0; i < list->nelts; i++)
		if (strcmp(APR_ARRAY_IDX(list, i, const char *), s) == 0)
			return (true);
	return (false);
}

/*
 * What has an effect only where this header is away hides behind this header,
 * which so has an effect too.
 */
static void
view_hidden(struct view *v, const struct probe_trial *t,
    const struct probe_trial *context, const struct probe_subject *s,
    apr_pool_t *pool)
{
	const char *shown =
	    context->value != NULL ? context->value : "(absent)";

	if (t->state != PROBE_T_EFFECT || context->state != PROBE_T_QUIET)
		return;
	v->with_effect++;
	v->danger |= t->cacheable || s->cacheable;
	v->beyond_cookies |= t->evidence != NULL && !t->evidence->cookie_only;
	if (!has(v->m->works, shown))
		APR_ARRAY_PUSH(v->m->works, const char *) =
		    apr_pstrdup(pool, shown);
	if (v->m->effect < t->effect) {
		v->m->effect = t->effect;
		v->m->evidence = t->evidence;
		v->m->pairs = t->n;
		v->m->p = probe_plan_p(t->n);
	}
}

static void
view_trial(struct view *v, const struct probe_trial *t,
    const struct probe_subject *s, apr_pool_t *pool)
{
	const char *shown = t->value != NULL ? t->value : "(absent)";

	/* It was tried alone, too, and that is what is listed. */
	if (t->context >= 0 && t->state != PROBE_T_EFFECT &&
	    t->state != PROBE_T_LIKELY)
		return;
	if (t->state == PROBE_T_FAILED || t->state == PROBE_T_NEW ||
	    t->state == PROBE_T_SENT || t->state == PROBE_T_SUSPECT ||
	    t->state == PROBE_T_CONFIRM) {
		v->failed = true;
		return;
	}
	if (!has(v->m->tried, shown)) {
		APR_ARRAY_PUSH(v->m->tried, const char *) =
		    apr_pstrdup(pool, shown);
		v->tried++;
	}
	if (t->state == PROBE_T_QUIET) {
		v->without_effect++;
		if (v->m->effect < PROBE_NONE_OBSERVED)
			v->m->effect = PROBE_NONE_OBSERVED;
		return;
	}
	v->with_effect++;
	if (!has(v->m->works, shown))
		APR_ARRAY_PUSH(v->m->works, const char *) =
		    apr_pstrdup(pool, shown);
	v->danger |= t->cacheable || s->cacheable;
	v->beyond_cookies |= t->evidence != NULL && !t->evidence->cookie_only;
	v->open |= t->cacheable;
	v->reflected |= t->reflected;
	if (t->state != PROBE_T_EFFECT)
		return;
	if (v->m->effect < t->effect) {
		v->m->effect = t->effect;
		v->m->evidence = t->evidence;
		v->m->pairs = t->n;
		v->m->p = probe_plan_p(t->n);
		v->best = t;
	}
}

static void
fill(struct view *v, struct probe_subject *s, struct probe_result *r,
    const char *name)
{
	struct probe_member *m = apr_array_push(r->members);
	int i;

	memset(v, 0, sizeof *v);
	memset(m, 0, sizeof *m);
	v->m = m;
	v->index = -1;
	m->name = lower(s->pool, name);
	m->p = 1;
	m->tried = apr_array_make(s->pool, 4, sizeof(const char *));
	m->works = apr_array_make(s->pool, 4, sizeof(const char *));
	v->named = find_named(s, name);
	m->declared =
	    v->named == NULL ? PROBE_DECLARED_NO
	    : v->named->with >= s->responses || strcasecmp(name, "Host") == 0
		? PROBE_DECLARED_YES
		: PROBE_DECLARED_SOME;
	for (i = 0; i < s->trials->nelts; i++) {
		const struct probe_trial *t = TRIAL(s, i);

		if (t->kind == PROBE_K_GROUP || t->kind == PROBE_K_REST ||
		    t->kind == PROBE_K_COOKIES || t->kind == PROBE_K_PREFLIGHT)
			continue;
		if (t->kind == PROBE_K_VALUE && t->context >= 0 &&
		    strcasecmp(TRIAL(s, t->context)->axis->name, name) == 0)
			view_hidden(v, t, TRIAL(s, t->context), s, s->pool);
		if (strcasecmp(t->axis->name, name) != 0)
			continue;
		if (t->kind == PROBE_K_LINES) {
			v->lines = t;
			continue;
		}
		v->axis = t->axis;
		v->unkeyed |= t->unkeyed;
		v->index = t->index;
		view_trial(v, t, s, s->pool);
	}
}

/* Do all values but the header's absence answer alike, and its absence not? */
static bool
presence_only(const struct probe_subject *s, const struct view *v)
{
	const struct probe_trial *one = NULL;
	int i, n = 0;

	for (i = 0; i < s->trials->nelts; i++) {
		const struct probe_trial *t = TRIAL(s, i);
		size_t j;

		if (t->index != v->index || t->kind != PROBE_K_VALUE ||
		    t->context >= 0 || t->value == NULL)
			continue;
		if (t->state != PROBE_T_EFFECT || *t->value == '\0')
			return (false);
		n++;
		if (one == NULL) {
			one = t;
			continue;
		}
		if (t->plus.n != one->plus.n || t->minus.n != one->minus.n)
			return (false);
		for (j = 0; j < t->plus.n; j++)
			if (t->plus.f[j] != one->plus.f[j])
				return (false);
		for (j = 0; j < t->minus.n; j++)
			if (t->minus.f[j] != one->minus.f[j])
				return (false);
	}
	return (n >= 2);
}

/* The names of the cookies that had an effect. */
static const char *
cookie_names(apr_pool_t *pool, const apr_array_header_t *values)
{
	const char *out = "", *v, *eq;
	int i;

	for (i = 0; i < values->nelts; i++) {
		v = APR_ARRAY_IDX(values, i, const char *);
		eq = strchr(v, '=');
		if (eq == NULL)
			continue;
		out = apr_psprintf(pool, "%s%s%.*s", out,
		    *out != '\0' ? ", " : "", (int)(eq - v), v);
	}
	return (out);
}

static void
rule_leak(struct probe_subject *s, struct probe_result *r, struct view *v)
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

static void
rule_effect(struct probe_subject *s, struct probe_result *r, struct view *v)
{
	apr_pool_t *pool = s->pool;
	struct probe_finding *f;
	const char *name = v->m->name;
	unsigned flags = v->axis != NULL ? v->axis->flags : 0;
	bool keyed = (flags & PROBE_AXIS_KEYED) != 0 ||
		     ((flags & PROBE_AXIS_EXEMPT) != 0 && !v->open);
	bool hop = (flags & PROBE_AXIS_HOP) != 0;

	if (v->m->declared != PROBE_DECLARED_YES && v->reflected &&
	    (flags & (PROBE_AXIS_HOP | PROBE_AXIS_ECHO)) != 0) {
		f = probe_result_add(r, PROBE_VARY_REFLECTED,
		    level(s, v, PROBE_WARNING), name,
		    apr_psprintf(pool,
			"the response repeats what anybody sends as %s, and "
			"a cache gives it to all: %s%s",
			name, differs(pool, v->m->evidence),
			why_level(s, pool, v)));
		f->evidence = v->m->evidence;
		f->fix_origin =
		    hop ? apr_psprintf(pool,
			      "do not trust %s from outside; Vary is no cure: "
			      "let the edge remove or set it (--edge-sets %s "
			      "then)",
			      spelling(v), spelling(v))
			: apr_psprintf(pool,
			      "do not write %s into the page; Vary is no cure: "
			      "each visitor has another one",
			      spelling(v));
		f->fix_vcl = apr_psprintf(
		    pool, "unset req.http.%s; in vcl_recv", spelling(v));
		return;
	}
	if (v->m->declared == PROBE_DECLARED_NO && !keyed && !s->star) {
		f = probe_result_add(r, PROBE_VARY_MISSING,
		    level(s, v, PROBE_NOTE), name,
		    apr_psprintf(pool,
			"the response depends on %s, and Vary does not name "
			"it: %s%s",
			name, differs(pool, v->m->evidence),
			why_level(s, pool, v)));
		f->evidence = v->m->evidence;
		probe_fix_missing(pool, f, spelling(v));
		if (hop)
			f->fix_origin = apr_psprintf(pool,
			    "let the edge set %s for every request, or name "
			    "it: Header always merge Vary %s",
			    name, name);
		return;
	}
	if (v->m->declared == PROBE_DECLARED_SOME && !keyed && !s->star) {
		f = probe_result_add(r, PROBE_VARY_INCONSISTENT,
		    level(s, v, PROBE_NOTE), name,
		    apr_psprintf(pool,
			"only some responses name %s in Vary (%s; not: %s), "
			"and the response depends on it: what a cache stores "
			"first without it goes to everybody: %s%s",
			name, v->named->with_example,
			v->named->without_example != NULL
			    ? v->named->without_example
			    : "others",
			differs(pool, v->m->evidence), why_level(s, pool, v)));
		f->evidence = v->m->evidence;
		probe_fix_missing(pool, f, spelling(v));
		return;
	}
	if (v->m->declared != PROBE_DECLARED_YES)
		return;
	if (strcasecmp(name, "Cookie") == 0 && v->with_effect > 0 &&
	    v->without_effect > 0) {
		const char *names = cookie_names(pool, v->m->works);

		f = probe_result_add(r, PROBE_VARY_PARTIAL, PROBE_WARNING, name,
		    apr_psprintf(pool,
			"only a part of Cookie has an effect (%s); each "
			"visitor's other cookies make a variant of their own",
			names));
		f->evidence = v->m->evidence;
		f->fix_origin = apr_psprintf(pool,
		    "say which cookies matter: Cookie-Indices: \"%s\"", names);
		f->fix_vcl = apr_psprintf(pool, "site.cookie(\"%s\");", names);
		return;
	}
	if (v->axis != NULL && (v->axis->flags & PROBE_AXIS_MANY) != 0) {
		f = probe_result_add(r, PROBE_VARY_COSTLY, PROBE_WARNING, name,
		    apr_psprintf(pool,
			"the response really depends on %s, which has a value "
			"for almost every %s: %s",
			name,
			strcasecmp(name, "User-Agent") == 0 ? "browser version"
							    : "visitor",
			differs(pool, v->m->evidence)));
		f->evidence = v->m->evidence;
		f->fix_origin =
		    hop ? apr_psprintf(
			      pool, "do not let %s decide what is sent", name)
			: "decide by less: a class in place of the whole value";
		f->fix_vcl = probe_fix_normaliser(pool, spelling(v));
		return;
	}
	if (presence_only(s, v)) {
		f = probe_result_add(r, PROBE_VARY_PRESENCE, PROBE_NOTE, name,
		    apr_psprintf(pool,
			"only whether %s is sent makes a difference, its "
			"value makes none with those tried",
			name));
		f->evidence = v->m->evidence;
		f->fix_origin = NULL;
		f->fix_vcl =
		    apr_psprintf(pool, "site.presence(\"%s\");", spelling(v));
	}
}

static void
rule_hop(struct probe_subject *s, struct probe_result *r, struct view *v)
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
	} else if (p->one_variant && v->m->effect > PROBE_NONE_OBSERVED)
		return;
}

static void
rule_redundant(struct probe_subject *s, struct probe_result *r, struct view *v)
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
	struct view v;

	fill(&v, s, r, name);
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
