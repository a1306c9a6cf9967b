/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/rules.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#include "probe/plan.h"
#include "vary/field.h"

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
	bool danger; /* some response that matters may be stored */
	bool reflected;
	bool absent_differs; /* the header's absence, or presence, matters */
	bool failed;
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

static struct probe_finding *
add(struct probe_result *r, enum probe_rule rule, enum probe_level level,
    const char *member, const char *message)
{
	struct probe_finding *f = apr_array_push(r->findings);

	memset(f, 0, sizeof *f);
	f->rule = rule;
	f->level = level;
	f->member = member;
	f->message = message;
	return (f);
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
	if (e == NULL)
		return ("");
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

static const char *
why_danger(const struct probe_subject *s, apr_pool_t *pool, bool danger)
{
	if (danger)
		return ("");
	return (apr_psprintf(pool, " (%s does not store this response: %s)",
	    s->set->profile->name, s->cacheable_why));
}

/* Apache's spelling of the header in a condition. */
static const char *
apache_variable(apr_pool_t *pool, const char *name)
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

static void
fix_leak(apr_pool_t *pool, struct probe_finding *f, const char *name)
{
	f->fix_origin = apr_psprintf(pool,
	    "stop naming it: in Apache [NV] on the RewriteCond that tests "
	    "%s, req_novary('%s') in an expression, or: Header edit Vary "
	    "\"(?i)(^|,\\s*)%s(?=\\s*(,|$))\" \"\"",
	    apache_variable(pool, name), name, name);
	f->fix_vcl = apr_psprintf(pool, "site.strip(\"%s\");", name);
}

static void
fix_missing(apr_pool_t *pool, struct probe_finding *f, const char *name)
{
	f->fix_origin = apr_psprintf(pool,
	    "name it in every response of this URL: in Apache, Header always "
	    "merge Vary %s",
	    name);
	f->fix_vcl = apr_psprintf(pool, "site.ensure(\"%s\");", name);
}

static const char *
normaliser(apr_pool_t *pool, const struct view *v)
{
	const char *name = v->axis != NULL ? v->axis->name : v->m->name;

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
		return ("site.map(\"User-Agent\", \"X-Device\"); with the "
			"device class of vcl/device.vcl");
	return (
	    apr_psprintf(pool, "site.presence(\"%s\"); or site.map()", name));
}

/* The spelling that people know; a member's own name is in lower case. */
static const char *
spelling(const struct view *v)
{
	return (v->axis != NULL ? v->axis->name : v->m->name);
}

/* --- members ------------------------------------------------------------- */

static void
view_trial(struct view *v, const struct probe_trial *t,
    const struct probe_subject *s, apr_pool_t *pool)
{
	const char *shown = t->value != NULL ? t->value : "(absent)";

	if (t->state == PROBE_T_FAILED || t->state == PROBE_T_NEW ||
	    t->state == PROBE_T_SENT || t->state == PROBE_T_SUSPECT ||
	    t->state == PROBE_T_CONFIRM) {
		v->failed = true;
		return;
	}
	APR_ARRAY_PUSH(v->m->tried, const char *) = apr_pstrdup(pool, shown);
	v->tried++;
	if (t->state == PROBE_T_QUIET) {
		v->without_effect++;
		if (v->m->effect < PROBE_NONE_OBSERVED)
			v->m->effect = PROBE_NONE_OBSERVED;
		return;
	}
	v->with_effect++;
	APR_ARRAY_PUSH(v->m->works, const char *) = apr_pstrdup(pool, shown);
	v->danger |= t->cacheable || s->cacheable;
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

		if (t->group || strcasecmp(t->axis->name, name) != 0)
			continue;
		if (t->lines) {
			v->lines = t;
			continue;
		}
		v->axis = t->axis;
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

		if (t->index != v->index || t->group || t->lines ||
		    t->value == NULL)
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

/* --- the rules ----------------------------------------------------------- */

static void
rule_leak(struct probe_subject *s, struct probe_result *r, struct view *v)
{
	apr_pool_t *pool = s->pool;
	struct probe_finding *f;
	bool encoding = strcasecmp(v->m->name, "Accept-Encoding") == 0;

	f = add(r, PROBE_VARY_LEAK, encoding ? PROBE_NOTE : PROBE_WARNING,
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
		    : ""));
	fix_leak(pool, f, spelling(v));
}

static void
rule_effect(struct probe_subject *s, struct probe_result *r, struct view *v)
{
	apr_pool_t *pool = s->pool;
	struct probe_finding *f;
	const char *name = v->m->name;
	bool keyed =
	    v->axis != NULL &&
	    (v->axis->flags & (PROBE_AXIS_KEYED | PROBE_AXIS_EXEMPT)) != 0;
	bool hop = v->axis != NULL && (v->axis->flags & PROBE_AXIS_HOP) != 0;

	if (v->m->declared != PROBE_DECLARED_YES && hop && v->reflected) {
		f = add(r, PROBE_VARY_REFLECTED,
		    v->danger ? PROBE_ERROR : PROBE_WARNING, name,
		    apr_psprintf(pool,
			"the response repeats what anybody sends as %s, and "
			"a cache gives it to all: %s%s",
			name, differs(pool, v->m->evidence),
			why_danger(s, pool, v->danger)));
		f->evidence = v->m->evidence;
		f->fix_origin = apr_psprintf(pool,
		    "do not trust %s from outside; Vary is no cure: let the "
		    "edge remove or set it (--edge-sets %s then)",
		    spelling(v), spelling(v));
		f->fix_vcl = apr_psprintf(
		    pool, "unset req.http.%s; in vcl_recv", spelling(v));
		return;
	}
	if (v->m->declared == PROBE_DECLARED_NO && !keyed && !s->star) {
		f = add(r, PROBE_VARY_MISSING,
		    v->danger ? PROBE_ERROR : PROBE_NOTE, name,
		    apr_psprintf(pool,
			"the response depends on %s, and Vary does not name "
			"it: %s%s",
			name, differs(pool, v->m->evidence),
			why_danger(s, pool, v->danger)));
		f->evidence = v->m->evidence;
		fix_missing(pool, f, spelling(v));
		if (hop)
			f->fix_origin = apr_psprintf(pool,
			    "let the edge set %s for every request, or name "
			    "it: Header always merge Vary %s",
			    name, name);
		return;
	}
	if (v->m->declared == PROBE_DECLARED_SOME && !keyed && !s->star) {
		f = add(r, PROBE_VARY_INCONSISTENT,
		    v->danger ? PROBE_ERROR : PROBE_NOTE, name,
		    apr_psprintf(pool,
			"only some responses name %s in Vary (%s; not: %s), "
			"and the response depends on it: what a cache stores "
			"first without it goes to everybody: %s%s",
			name, v->named->with_example,
			v->named->without_example != NULL
			    ? v->named->without_example
			    : "others",
			differs(pool, v->m->evidence),
			why_danger(s, pool, v->danger)));
		f->evidence = v->m->evidence;
		fix_missing(pool, f, spelling(v));
		return;
	}
	if (v->m->declared != PROBE_DECLARED_YES)
		return;
	if (strcasecmp(name, "Cookie") == 0 && v->with_effect > 0 &&
	    v->without_effect > 0) {
		const char *names = cookie_names(pool, v->m->works);

		f = add(r, PROBE_VARY_PARTIAL, PROBE_WARNING, name,
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
		f = add(r, PROBE_VARY_COSTLY, PROBE_WARNING, name,
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
		f->fix_vcl = normaliser(pool, v);
		return;
	}
	if (presence_only(s, v)) {
		f = add(r, PROBE_VARY_PRESENCE, PROBE_NOTE, name,
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
	if (v->lines != NULL && v->lines->state == PROBE_T_EFFECT &&
	    v->m->declared == PROBE_DECLARED_YES) {
		f = add(r, PROBE_VARY_HOP, PROBE_NOTE, v->m->name,
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
		f = add(r, PROBE_VARY_HOP, PROBE_ERROR, v->m->name,
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
		f = add(r, PROBE_VARY_HOP, PROBE_WARNING, v->m->name,
		    apr_psprintf(pool,
			"%s in Vary keeps the response out of the cache of "
			"%s",
			v->m->name, p->description));
		fix_leak(pool, f, spelling(v));
	} else if (p->one_variant && v->m->effect > PROBE_NONE_OBSERVED)
		return;
}

static void
rule_redundant(struct probe_subject *s, struct probe_result *r, struct view *v)
{
	apr_pool_t *pool = s->pool;
	struct probe_finding *f;
	const struct probe_profile *p = s->set->profile;

	f = add(r, PROBE_VARY_REDUNDANT,
	    p->vary_uncached ? PROBE_WARNING : PROBE_NOTE, v->m->name,
	    p->vary_uncached
		? apr_psprintf(pool,
		      "host is part of the URL, which is the key already, and "
		      "its being in Vary keeps the response out of the cache "
		      "of %s",
		      p->description)
		: "host is part of the URL, which is the key already; in "
		  "Varnish it costs nothing until VCL rewrites the backend's "
		  "Host, and then every request misses");
	fix_leak(pool, f, "Host");
}

static bool
is_varied(const struct probe_subject *s, const char *name)
{
	int i;

	for (i = 0; i < s->axes->nelts; i++)
		if (strcasecmp(
			APR_ARRAY_IDX(s->axes, i, const struct probe_axis *)
			    ->name,
			name) == 0)
			return (true);
	return (false);
}

static void
judge_member(struct probe_subject *s, struct probe_result *r, const char *name)
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
	if (strcasecmp(name, "Host") == 0) {
		if (v.m->declared != PROBE_DECLARED_NO)
			rule_redundant(s, r, &v);
		return;
	}
	rule_hop(s, r, &v);
	if (v.m->effect > PROBE_NONE_OBSERVED)
		rule_effect(s, r, &v);
	else if (v.m->effect == PROBE_NONE_OBSERVED && !s->star &&
		 v.m->declared != PROBE_DECLARED_NO)
		rule_leak(s, r, &v);
}

static void
judge_response(struct probe_subject *s, struct probe_result *r)
{
	apr_pool_t *pool = s->pool;
	struct probe_finding *f;

	if (s->star) {
		f = add(r, PROBE_VARY_STAR, PROBE_WARNING, "*",
		    s->star_in_list
			? "* stands among other members: RFC 9110 makes the "
			  "whole Vary a *, but stock Varnish looks for a lone "
			  "* and stores this for everybody, or under a header "
			  "named *"
		    : s->star_with < s->responses
			? "some responses say Vary: *, others do not: a cache "
			  "stores what it can and gives it to all"
			: "Vary: * forbids every cache to reuse the response");
		if (s->star_in_list || s->star_with < s->responses)
			f->level = PROBE_ERROR;
		f->fix_origin = "name the headers that have an effect; to keep "
				"caches out, say Cache-Control: no-store";
		f->fix_vcl = "site.fetch(); in vcl_backend_response takes a * "
			     "anywhere for what it is";
	}
	if (s->syntax != NULL) {
		f = add(r, PROBE_VARY_SYNTAX, PROBE_ERROR, NULL,
		    apr_psprintf(pool, "%s in Vary: \"%s\"; %s", s->syntax_kind,
			s->syntax,
			strcmp(s->syntax_kind, "a blank in place of a comma") ==
				0
			    ? "Varnish refuses the whole header and does not "
			      "cache the response"
			: strcmp(s->syntax_kind, "a blank before the colon") ==
				0
			    ? "most readers do not take it for Vary at all"
			    : "Varnish takes it for a header of that name and "
			      "serves the wrong variant, nginx and others "
			      "ignore it"));
		f->fix_origin = "send field names, separated by commas: no "
				"quotes, parameters or colons";
		f->fix_vcl = "site.fetch(); does not share a malformed Vary";
	}
	if (s->meant_bad != NULL) {
		f = add(r, PROBE_VARY_SYNTAX, PROBE_WARNING, s->meant_bad,
		    apr_psprintf(pool,
			"%s is a header of responses, no request has it%s%s",
			s->meant_bad, s->meant != NULL ? "; meant was " : "",
			s->meant != NULL ? s->meant : ""));
		f->fix_origin =
		    s->meant != NULL
			? apr_psprintf(pool, "name %s in its place", s->meant)
			: "take it out";
		f->fix_vcl =
		    apr_psprintf(pool, "site.strip(\"%s\");", s->meant_bad);
	}
	if (s->repeated != NULL) {
		f = add(r, PROBE_VARY_REDUNDANT, PROBE_NOTE, NULL,
		    apr_psprintf(pool,
			"a name stands twice in one Vary; it says: %s",
			s->repeated));
		f->fix_origin = "set Vary in one place";
	}
}

static const char *
sorted_vary(struct probe_subject *s)
{
	const char *v[64], *n, *out = "";
	int i, j, k = 0;

	for (i = 0; i < s->named->nelts && k < 64; i++) {
		const struct probe_named *x =
		    APR_ARRAY_IDX(s->named, i, struct probe_named *);

		if (x->with < s->responses)
			continue;
		n = x->name;
		for (j = k++; j > 0 && strcmp(v[j - 1], n) > 0; j--)
			v[j] = v[j - 1];
		v[j] = n;
	}
	if (s->star)
		out = "*";
	for (i = 0; i < k; i++)
		out = apr_pstrcat(
		    s->pool, out, *out != '\0' ? ", " : "", v[i], NULL);
	return (out);
}

/* Without accept-encoding, which stands first of its kind in a sorted list. */
static const char *
without_encoding(apr_pool_t *pool, const char *vary)
{
	static const char name[] = "accept-encoding";
	const char *p = strstr(vary, name), *e;

	if (p == NULL || (p > vary && p[-1] != ' '))
		return (vary);
	e = p + sizeof name - 1;
	if (*e == ',')
		e += 2;
	else if (*e != '\0')
		return (vary);
	else if (p > vary)
		p -= 2; /* it was the last: its comma goes too */
	return (apr_psprintf(pool, "%.*s%s", (int)(p - vary), vary, e));
}

static void
judge_check(struct probe_subject *s, struct probe_result *r,
    const struct probe_check *c, const char *what, int want)
{
	struct probe_finding *f;
	const char *full = sorted_vary(s);

	if (!c->answered || c->status != want || strcmp(c->vary, full) == 0)
		return;
	/* nginx says gzip_vary's in the 200 alone: every second site, and
	 * whoever compresses by himself loses nothing by it. */
	f = add(r, PROBE_VARY_VALIDATOR,
	    strcmp(without_encoding(s->pool, c->vary),
		without_encoding(s->pool, full)) == 0
		? PROBE_NOTE
		: PROBE_WARNING,
	    NULL,
	    apr_psprintf(s->pool,
		"the Vary of %s is \"%s\", that of the %d is \"%s\": a cache "
		"that takes the one for the other keeps the wrong key",
		what, c->vary, s->status, full));
	f->fix_origin = "send the same Vary with 200, 206, 304 and to HEAD "
			"(RFC 9110 sections 15.3.7 and 15.4.5)";
}

static void
judge_validators(struct probe_subject *s, struct probe_result *r)
{
	struct probe_finding *f;
	int i;

	if (s->etag_coded != NULL && s->etag_identity != NULL &&
	    strcmp(s->etag_coded, s->etag_identity) == 0) {
		f = add(r, PROBE_VARY_VALIDATOR, PROBE_WARNING, NULL,
		    apr_psprintf(s->pool,
			"the compressed and the plain body have the same "
			"strong ETag %s: a cache that revalidates mixes them "
			"up",
			s->etag_coded));
		f->fix_origin = "make it weak (W/) or give each coding its own "
				"(RFC 9110 section 8.8.3.3)";
		f->fix_vcl = NULL;
	}
	/* Where the 200s themselves do not agree there is no "same". */
	for (i = 0; i < s->named->nelts; i++)
		if (APR_ARRAY_IDX(s->named, i, struct probe_named *)->with <
			s->responses &&
		    strcmp(
			APR_ARRAY_IDX(s->named, i, struct probe_named *)->name,
			"host") != 0)
			return;
	judge_check(s, r, &s->head, "the answer to HEAD", s->status);
	judge_check(s, r, &s->c304, "the 304", 304);
	judge_check(s, r, &s->c206, "the 206", 206);
}

static int
by_rank(const void *a, const void *b)
{
	const struct probe_finding *x = a, *y = b;

	if (x->level != y->level)
		return (x->level > y->level ? -1 : 1);
	if (x->rule != y->rule)
		return (x->rule < y->rule ? -1 : 1);
	return (strcmp(x->member != NULL ? x->member : "",
	    y->member != NULL ? y->member : ""));
}

static void
note(struct probe_result *r, const char *text)
{
	APR_ARRAY_PUSH(r->notes, const char *) = text;
}

/* The headers that were tried all at once, and alone only if Vary names them. */
static void
list_group(const struct probe_subject *s, struct probe_result *r)
{
	size_t i;

	for (i = 0; i < s->set->naxes; i++)
		if ((s->set->axes[i]->flags & PROBE_AXIS_GROUP) != 0 &&
		    !is_varied(s, s->set->axes[i]->name))
			APR_ARRAY_PUSH(r->together, const char *) =
			    s->set->axes[i]->name;
}

struct probe_result *
probe_rules_judge(struct probe_subject *s, apr_pool_t *pool)
{
	struct probe_result *r = apr_pcalloc(pool, sizeof *r);
	const char *names[2 * PROBE_MAX_AXES];
	int i, n = 0;

	r->url = s->url;
	r->status = s->status;
	r->outcome = s->outcome;
	r->reason = s->reason;
	r->cacheable = s->cacheable;
	r->cacheable_why = s->cacheable_why;
	r->requests = s->requests;
	r->vary_lines = s->vary_lines;
	r->vary_members = apr_array_make(pool, 8, sizeof(const char *));
	r->members = apr_array_make(pool, 16, sizeof(struct probe_member));
	r->findings = apr_array_make(pool, 4, sizeof(struct probe_finding));
	r->notes = apr_array_make(pool, 2, sizeof(const char *));
	r->together = apr_array_make(pool, 64, sizeof(const char *));
	for (i = 0; i < s->named->nelts; i++)
		APR_ARRAY_PUSH(r->vary_members, const char *) =
		    APR_ARRAY_IDX(s->named, i, struct probe_named *)->name;
	if (s->star)
		APR_ARRAY_PUSH(r->vary_members, const char *) = "*";
	if (s->base_seen > 0) {
		for (i = 0; i < s->axes->nelts; i++)
			names[n++] =
			    APR_ARRAY_IDX(s->axes, i, const struct probe_axis *)
				->name;
		for (i = 0; i < s->named->nelts && n < 2 * PROBE_MAX_AXES;
		     i++) {
			const char *name =
			    APR_ARRAY_IDX(s->named, i, struct probe_named *)
				->name;

			if (!is_varied(s, name))
				names[n++] = name;
		}
		for (i = 0; i < n; i++)
			judge_member(s, r, names[i]);
		judge_response(s, r);
		if (s->outcome == PROBE_JUDGED)
			judge_validators(s, r);
	}
	for (i = 0; i < s->trials->nelts; i++)
		if (TRIAL(s, i)->group && TRIAL(s, i)->state == PROBE_T_QUIET)
			list_group(s, r);
	if (s->cache_sign != NULL)
		note(r,
		    apr_psprintf(pool,
			"a cache answered some requests (%s): ask the origin "
			"itself with --connect-to, or use --cache-buster",
			s->cache_sign));
	if (r->findings->nelts > 0)
		qsort(r->findings->elts, (size_t)r->findings->nelts,
		    sizeof(struct probe_finding), by_rank);
	return (r);
}
