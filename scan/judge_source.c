/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/judging.h"

#include <string.h>
#include <strings.h>

#include <apr_strings.h>

static const char *
rule_lines(const struct scan_rule *r, apr_pool_t *pool)
{
	return (
	    r == NULL ? "" : apr_psprintf(pool, " on line %u", r->node->first));
}

static void
caution(struct scan_finding *f, enum scan_member_class class)
{
	if (class != SCAN_MEMBER_KEY)
		f->caution = "safe only if the page is the same for every "
			     "value: otherwise a low hit ratio becomes wrong "
			     "content; let an audit show it first";
}

/* Another page for those for whom the rule matches. */
static bool
decides_page(const struct scan_rule *r)
{
	return (r != NULL && (r->target == SCAN_TARGET_INTERNAL ||
				 r->target == SCAN_TARGET_FCGI));
}

/* Said on purpose, and judged there. */
static bool
intended(struct scan_judging *j, const struct scan_model_source *s)
{
	return (scan_member_class(s->pub.member) != SCAN_MEMBER_KEY &&
		scan_model_declares(
		    j->m, s->scope, s->pub.member, s->versions, false));
}

/* A finding at the source, which is a note where no cache keeps the response. */
static struct scan_finding *
found(
    struct scan_judging *j, const struct scan_model_source *s, const char *rule)
{
	return (scan_judging_finding(j, rule,
	    scan_member_class(s->pub.member) == SCAN_MEMBER_PRIVATE
		? SCAN_NOTE
		: SCAN_WARNING,
	    s->pub.place, s->pub.member, s->pub.when, s->pub.eras));
}

static void
judge_inconsistent(
    struct scan_judging *j, const struct scan_model_source *s, const char *also)
{
	struct scan_finding *f = found(j, s, "vary-inconsistent");

	f->message = apr_psprintf(j->pool,
	    "Vary names %s only on responses for which the rule%s matches%s: "
	    "once another one is cached, everybody gets it",
	    s->pub.member, rule_lines(s->rule, j->pool), also);
	f->fix = apr_psprintf(j->pool,
	    "name it on every response (Header merge Vary %s), better a "
	    "normalised header; or, if the pages do not differ, add the flag "
	    "NV",
	    s->pub.member);
}

static void
judge_rewrite(
    struct scan_judging *j, const struct scan_model_source *s, unsigned more)
{
	enum scan_member_class class = scan_member_class(s->pub.member);
	const struct scan_rule *r = s->rule;
	struct scan_finding *f;
	const char *also = more == 0
			       ? ""
			       : apr_psprintf(j->pool,
				     " (and %u more condition%s of the rule)",
				     more, more == 1 ? "" : "s");

	if (intended(j, s))
		return;
	if (class == SCAN_MEMBER_KEY) {
		f = found(j, s, "vary-redundant");
		f->message = apr_psprintf(j->pool,
		    "the condition%s puts Host into Vary where the rule%s "
		    "matches; every cache has the host in its key already",
		    also, rule_lines(r, j->pool));
		f->fix = "add the flag NV to the condition; or test "
			 "%{SERVER_NAME}, with UseCanonicalName Off";
		f->patched = scan_edit_novary(j, s->cond);
		return;
	}
	if (decides_page(r)) {
		judge_inconsistent(j, s, also);
		return;
	}
	f = found(j, s, "vary-leak");
	f->message = apr_psprintf(j->pool,
	    "the condition%s puts %s into Vary of every response for which "
	    "the rule%s matches",
	    also, s->pub.member, rule_lines(r, j->pool));
	f->fix = "add the flag NV to the condition; or set a variable with "
		 "SetEnvIf and test %{ENV:name}";
	f->patched = scan_edit_novary(j, s->cond);
	caution(f, class);
}

static void
judge_costly(struct scan_judging *j, struct scan_place p, const char *member,
    enum scan_when when, unsigned eras)
{
	struct scan_finding *f = scan_judging_finding(
	    j, "vary-costly", SCAN_WARNING, p, member, when, eras);

	f->message = apr_psprintf(j->pool,
	    "Vary: %s makes about as many variants as there are visitors",
	    member);
	f->fix = apr_psprintf(j->pool,
	    "drop %s if the pages do not differ by it; if they do, vary on a "
	    "header with few values instead",
	    member);
}

static void
judge_expr(struct scan_judging *j, const struct scan_model_source *s)
{
	enum scan_member_class class = scan_member_class(s->pub.member);
	struct scan_finding *f;
	const char *what = s->cond != NULL ? "the condition" : "the expression";

	if (intended(j, s))
		return;
	if (class != SCAN_MEMBER_KEY && decides_page(s->rule)) {
		/* True or not, it is named: but only where it is asked for. */
		if (s->pub.when == SCAN_POSSIBLE)
			judge_inconsistent(j, s, "");
		else if (class == SCAN_MEMBER_COSTLY)
			judge_costly(j, s->pub.place, s->pub.member,
			    s->pub.when, s->pub.eras);
		return;
	}
	f = found(
	    j, s, class == SCAN_MEMBER_KEY ? "vary-redundant" : "vary-leak");
	f->message = apr_psprintf(j->pool,
	    "%s puts %s into Vary %s, true or not, and whether or not the "
	    "request has it",
	    what, s->pub.member,
	    s->pub.when == SCAN_ALWAYS ? "of every response"
				       : "wherever it is evaluated that far");
	if (s->cond != NULL) {
		f->fix = "add the flag NV to the condition";
		f->patched = scan_edit_novary(j, s->cond);
	} else {
		f->fix = apr_psprintf(j->pool,
		    "write %%{req_novary:%s}%s (Apache 2.4.4)", s->pub.member,
		    class == SCAN_MEMBER_KEY
			? ", or test %{SERVER_NAME} with UseCanonicalName Off"
			: "");
		f->patched = scan_edit_reference(j, s);
	}
	caution(f, class);
}

static void
judge_header(struct scan_judging *j, const struct scan_model_source *s)
{
	struct scan_finding *f;
	struct scan_place p = s->pub.place;
	const char *m = s->pub.member;
	unsigned eras = s->pub.eras;

	switch (scan_member_class(m)) {
	case SCAN_MEMBER_FINE:
	case SCAN_MEMBER_PRIVATE: return;
	case SCAN_MEMBER_KEY:
		f = scan_judging_finding(
		    j, "vary-redundant", SCAN_WARNING, p, m, s->pub.when, eras);
		f->message = "Vary: Host adds nothing: every cache has the "
			     "host in its key already, and some do not cache "
			     "such a response at all";
		f->fix = "take Host out of the value";
		f->patched = scan_edit_drop(j, s);
		return;
	case SCAN_MEMBER_COSTLY:
		judge_costly(j, p, m, s->pub.when, eras);
		return;
	case SCAN_MEMBER_STAR:
		f = scan_judging_finding(
		    j, "vary-star", SCAN_WARNING, p, m, s->pub.when, eras);
		f->message = "Vary: * says that no two requests may share the "
			     "response";
		f->fix = "Cache-Control: private or no-store, if that is what "
			 "is meant";
		return;
	case SCAN_MEMBER_RESPONSE:
		f = scan_judging_finding(
		    j, "vary-syntax", SCAN_WARNING, p, m, s->pub.when, eras);
		f->message = apr_psprintf(j->pool,
		    "%s is a header of responses; no request has it, and Vary "
		    "selects nothing by it",
		    m);
		f->fix = strcasecmp(m, "Content-Encoding") == 0
			     ? "write Accept-Encoding"
			 : strcasecmp(m, "Content-Language") == 0
			     ? "write Accept-Language"
			     : "name the request header that it is chosen by";
		return;
	case SCAN_MEMBER_BAD:
		f = scan_judging_finding(
		    j, "vary-syntax", SCAN_ERROR, p, m, s->pub.when, eras);
		f->message = apr_psprintf(j->pool,
		    "\"%s\" is not a field name; caches disagree on what such "
		    "a Vary means",
		    m);
		f->fix = "write names of request headers, with commas between";
		return;
	}
}

static bool
same_source(
    const struct scan_model_source *a, const struct scan_model_source *b)
{
	return (a->node == b->node && a->pub.by == b->pub.by &&
		a->scope == b->scope &&
		strcasecmp(a->pub.member, b->pub.member) == 0);
}

/* Conditions of one rule on one header are one matter. */
static bool
same_rule(const struct scan_model_source *a, const struct scan_model_source *b)
{
	return (a->pub.by == SCAN_BY_REWRITE && b->pub.by == SCAN_BY_REWRITE &&
		a->rule == b->rule && a->scope == b->scope &&
		strcasecmp(a->pub.member, b->pub.member) == 0);
}

static bool
same_node(const struct scan_model_source *a, const struct scan_model_source *b)
{
	return (a->node == b->node);
}

static bool
of_rule(const struct scan_model_source *a, const struct scan_model_source *b)
{
	return (a->rule == b->rule);
}

/*
 * The one before, among the first n, that is the same matter.  Sources of one
 * node, or rule, stand together: "near" says where to stop looking.
 */
static struct scan_model_source *
earlier(struct scan_model_source *const *v, int n,
    const struct scan_model_source *s,
    bool (*near)(
	const struct scan_model_source *, const struct scan_model_source *),
    bool (*same)(
	const struct scan_model_source *, const struct scan_model_source *))
{
	for (n--; n >= 0 && near(v[n], s); n--)
		if (same(v[n], s))
			return (v[n]);
	return (NULL);
}

void
scan_judge_sources(struct scan_judging *j)
{
	const apr_array_header_t *a = scan_model_sources(j->m);
	struct scan_model_source **v, *t;
	int i, k, n = 0;

	v = apr_palloc(j->pool, ((size_t)a->nelts + 1) * sizeof(*v));
	for (i = 0; i < a->nelts; i++) {
		struct scan_model_source *s =
		    &APR_ARRAY_IDX(a, i, struct scan_model_source);

		if (s->versions == 0)
			continue;
		s->pub.broken = s->node->htaccess
				    ? apr_hash_get(j->broken, s->pub.place.file,
					  APR_HASH_KEY_STRING) != NULL
				    : j->server_broken;
		/* One directive may ask for one header several times. */
		t = earlier(v, n, s, same_node, same_source);
		if (t != NULL) {
			t->versions |= s->versions;
			t->pub.eras |= s->pub.eras;
			if (s->pub.when < t->pub.when)
				t->pub.when = s->pub.when;
			if (s->pub.by == SCAN_BY_EXPR && s->cond == NULL)
				(void)scan_edit_reference(j, s);
			continue;
		}
		v[n++] = s;
	}
	for (i = 0; i < n; i++) {
		unsigned more = 0;

		APR_ARRAY_PUSH(j->v->sources, struct scan_source) = v[i]->pub;
		switch (v[i]->pub.by) {
		case SCAN_BY_REWRITE:
			if (earlier(v, i, v[i], of_rule, same_rule) != NULL) {
				if (v[i]->rule->target == SCAN_TARGET_DASH ||
				    scan_member_class(v[i]->pub.member) ==
					SCAN_MEMBER_KEY)
					(void)scan_edit_novary(j, v[i]->cond);
				break;
			}
			for (k = i + 1; k < n && v[k]->rule == v[i]->rule; k++)
				if (same_rule(v[k], v[i]))
					more++;
			judge_rewrite(j, v[i], more);
			break;
		case SCAN_BY_EXPR: judge_expr(j, v[i]); break;
		case SCAN_BY_HEADER: judge_header(j, v[i]); break;
		case SCAN_BY_FILTER:
		case SCAN_BY_NEGOTIATION:
		case SCAN_BY_DAV:
		case SCAN_BY_NGINX: break; /* says what it does, and is right */
		}
	}
}
