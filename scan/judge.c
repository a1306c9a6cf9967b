/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/judge.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <apr_hash.h>
#include <apr_strings.h>

#include "vary/field.h"

struct judging {
	struct scan_verdict *v;
	const struct scan_model *m;
	const apr_array_header_t *texts;
	apr_hash_t *broken; /* files that httpd refuses */
	bool server_broken;
	apr_pool_t *pool;
};

enum scan_member_class
scan_member_class(const char *member)
{
	static const struct {
		const char *name;
		enum scan_member_class class;
	} known[] = {
		{ "*", SCAN_MEMBER_STAR },
		{ "Host", SCAN_MEMBER_KEY },
		{ "User-Agent", SCAN_MEMBER_COSTLY },
		{ "Cookie", SCAN_MEMBER_COSTLY },
		{ "Referer", SCAN_MEMBER_COSTLY },
		{ "X-Forwarded-For", SCAN_MEMBER_COSTLY },
		{ "X-Real-IP", SCAN_MEMBER_COSTLY },
		{ "Forwarded", SCAN_MEMBER_COSTLY },
		{ "Authorization", SCAN_MEMBER_PRIVATE },
		{ "X-XSRF-Token", SCAN_MEMBER_PRIVATE },
		{ "X-CSRF-Token", SCAN_MEMBER_PRIVATE },
		{ "Content-Encoding", SCAN_MEMBER_RESPONSE },
		{ "Content-Type", SCAN_MEMBER_RESPONSE },
		{ "Content-Language", SCAN_MEMBER_RESPONSE },
		{ "Content-Length", SCAN_MEMBER_RESPONSE },
		{ "Set-Cookie", SCAN_MEMBER_RESPONSE },
		{ "ETag", SCAN_MEMBER_RESPONSE },
		{ "Last-Modified", SCAN_MEMBER_RESPONSE },
		{ "Location", SCAN_MEMBER_RESPONSE },
		{ "Server", SCAN_MEMBER_RESPONSE },
	};
	size_t i;

	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (strcasecmp(known[i].name, member) == 0)
			return (known[i].class);
	if (!vary_is_token(member, strlen(member)) && *member != '(')
		return (SCAN_MEMBER_BAD);
	return (SCAN_MEMBER_FINE);
}

static struct scan_finding *
finding(struct judging *j, const char *rule, enum scan_level level,
    struct scan_place place, const char *member, enum scan_when when,
    unsigned eras)
{
	struct scan_finding *f = apr_array_push(j->v->findings);

	memset(f, 0, sizeof *f);
	f->rule = rule;
	f->level = level;
	f->place = place;
	f->member = member;
	f->when = when;
	f->eras = eras;
	return (f);
}

static struct scan_place
place_of(const struct hconf_node *n, apr_pool_t *pool)
{
	return ((struct scan_place){ n->file, n->first, n->last,
	    apr_psprintf(pool, n->kind == HCONF_CONTAINER ? "<%.*s>" : "%.*s",
		(int)n->name.len, n->name.b) });
}

/* --- Edits --------------------------------------------------------------- */

/*
 * Replace the bytes of a span by others.  A span that is not in its file, but
 * was put together from a continued or expanded line, cannot be.
 */
static bool
edit(struct judging *j, const struct hconf_node *n, const char *b, size_t len,
    const char *text)
{
	int i;

	if (n->joined || n->expanded)
		return (false);
	for (i = 0; i < j->texts->nelts; i++) {
		const struct hconf_text *t =
		    &APR_ARRAY_IDX(j->texts, i, struct hconf_text);
		uintptr_t at = (uintptr_t)b, from = (uintptr_t)t->b;

		if (at < from || at + len > from + t->len)
			continue;
		APR_ARRAY_PUSH(j->v->edits, struct scan_edit) =
		    (struct scan_edit){ t->file, at - from, len, text };
		return (true);
	}
	return (false);
}

/* [NC] becomes [NC,NV]; a condition without flags gets [NV]. */
static bool
edit_novary(struct judging *j, const struct scan_cond *c)
{
	const struct hconf_node *n = c->node;
	const char *e;

	if (c->flags.b == NULL)
		return (edit(j, n, n->args.b + n->args.len, 0, " [NV]"));
	e = c->flags.b + c->flags.len - 1;
	return (edit(j, n, e, 0, c->flags.len > 2 ? ",NV" : "NV"));
}

/* %{HTTP_X}, req('X'): asked for all the same, and not in Vary. */
static bool
edit_reference(struct judging *j, const struct scan_model_source *s)
{
	struct hconf_span w = s->where;
	struct hconf_span name = { w.b, 0 };

	if (w.b == NULL)
		return (false);
	if (w.len > 2 && w.b[0] == '%' && w.b[1] == '{')
		return (edit(j, s->node, w.b, w.len,
		    apr_psprintf(j->pool, "%%{req_novary:%s}", s->pub.member)));
	while (name.len < w.len && name.b[name.len] != '(' &&
	       !hconf_is_space(name.b[name.len]))
		name.len++;
	return (edit(j, s->node, name.b, name.len, "req_novary"));
}

/* --- Sources ------------------------------------------------------------- */

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

static void
judge_rewrite(
    struct judging *j, const struct scan_model_source *s, unsigned more)
{
	enum scan_member_class class = scan_member_class(s->pub.member);
	const struct scan_rule *r = s->rule;
	struct scan_finding *f;
	const char *also =
	    more == 0 ? ""
		      : apr_psprintf(j->pool,
			    " (and %u more conditions of the rule)", more);

	if (class != SCAN_MEMBER_KEY && scan_model_declares(j->m, s->scope,
					    s->pub.member, s->versions, false))
		return; /* said on purpose: judged there */
	if (class == SCAN_MEMBER_KEY) {
		f = finding(j, "vary-redundant", SCAN_WARNING, s->pub.place,
		    s->pub.member, s->pub.when, s->pub.eras);
		f->message = apr_psprintf(j->pool,
		    "the condition%s puts Host into Vary where the rule%s "
		    "matches; every cache has the host in its key already",
		    also, rule_lines(r, j->pool));
		f->fix = "add the flag NV to the condition; or test "
			 "%{SERVER_NAME}, with UseCanonicalName Off";
		f->patched = edit_novary(j, s->cond);
		return;
	}
	if (r->target == SCAN_TARGET_INTERNAL ||
	    r->target == SCAN_TARGET_FCGI) {
		f = finding(j, "vary-inconsistent",
		    class == SCAN_MEMBER_PRIVATE ? SCAN_NOTE : SCAN_WARNING,
		    s->pub.place, s->pub.member, s->pub.when, s->pub.eras);
		f->message = apr_psprintf(j->pool,
		    "Vary names %s only on responses for which the rule%s "
		    "matches%s: once another one is cached, everybody gets it",
		    s->pub.member, rule_lines(r, j->pool), also);
		f->fix = apr_psprintf(j->pool,
		    "name it on every response (Header merge Vary %s), better "
		    "a normalised header; or, if the pages do not differ, add "
		    "the flag NV",
		    s->pub.member);
		return;
	}
	f = finding(j, "vary-leak",
	    class == SCAN_MEMBER_PRIVATE ? SCAN_NOTE : SCAN_WARNING,
	    s->pub.place, s->pub.member, s->pub.when, s->pub.eras);
	f->message = apr_psprintf(j->pool,
	    "the condition%s puts %s into Vary of every response for which "
	    "the rule%s matches",
	    also, s->pub.member, rule_lines(r, j->pool));
	f->fix = "add the flag NV to the condition; or set a variable with "
		 "SetEnvIf and test %{ENV:name}";
	f->patched = edit_novary(j, s->cond);
	caution(f, class);
}

static void
judge_expr(struct judging *j, const struct scan_model_source *s)
{
	enum scan_member_class class = scan_member_class(s->pub.member);
	struct scan_finding *f;
	const char *what = s->cond != NULL ? "the condition" : "the expression";

	if (class != SCAN_MEMBER_KEY && scan_model_declares(j->m, s->scope,
					    s->pub.member, s->versions, false))
		return;
	f = finding(j,
	    class == SCAN_MEMBER_KEY ? "vary-redundant" : "vary-leak",
	    class == SCAN_MEMBER_PRIVATE ? SCAN_NOTE : SCAN_WARNING,
	    s->pub.place, s->pub.member, s->pub.when, s->pub.eras);
	f->message = apr_psprintf(j->pool,
	    "%s puts %s into Vary %s, true or not, and whether or not the "
	    "request has it",
	    what, s->pub.member,
	    s->pub.when == SCAN_ALWAYS ? "of every response"
				       : "wherever it is evaluated that far");
	if (s->cond != NULL) {
		f->fix = "add the flag NV to the condition";
		f->patched = edit_novary(j, s->cond);
	} else {
		f->fix = apr_psprintf(j->pool,
		    "write %%{req_novary:%s}%s (Apache 2.4.4)", s->pub.member,
		    class == SCAN_MEMBER_KEY
			? ", or test %{SERVER_NAME} with UseCanonicalName Off"
			: "");
		f->patched = edit_reference(j, s);
	}
	caution(f, class);
}

/* A line that holds nothing but "Header append Vary Host" can go. */
static bool
edit_drop(struct judging *j, const struct scan_model_source *s)
{
	const struct hconf_node *n = s->node;
	const char *b = n->name.b, *e = n->args.b + n->args.len;
	struct hconf_span rest = n->args, w, last = { NULL, 0 };
	int i;

	while (hconf_word(&rest, &w, j->pool))
		if (last.b == NULL || !hconf_span_starts(w, "env="))
			last = w;
	if (!hconf_span_is(last, s->pub.member))
		return (false);
	for (i = 0; i < j->texts->nelts; i++) {
		const struct hconf_text *t =
		    &APR_ARRAY_IDX(j->texts, i, struct hconf_text);
		const char *end = t->b + t->len;

		if ((uintptr_t)b < (uintptr_t)t->b ||
		    (uintptr_t)e > (uintptr_t)end)
			continue;
		while (b > t->b && b[-1] != '\n')
			b--;
		while (e < end && *e != '\n')
			e++;
		if (e < end)
			e++;
		return (edit(j, n, b, (size_t)(e - b), ""));
	}
	return (false);
}

static void
judge_header(struct judging *j, const struct scan_model_source *s)
{
	struct scan_finding *f;
	struct scan_place p = s->pub.place;
	const char *m = s->pub.member;
	unsigned eras = s->pub.eras;

	switch (scan_member_class(m)) {
	case SCAN_MEMBER_FINE:
	case SCAN_MEMBER_PRIVATE: return;
	case SCAN_MEMBER_KEY:
		f = finding(
		    j, "vary-redundant", SCAN_WARNING, p, m, s->pub.when, eras);
		f->message = "Vary: Host adds nothing: every cache has the "
			     "host in its key already, and some do not cache "
			     "such a response at all";
		f->fix = "take Host out of the value";
		f->patched = edit_drop(j, s);
		return;
	case SCAN_MEMBER_COSTLY:
		f = finding(
		    j, "vary-costly", SCAN_WARNING, p, m, s->pub.when, eras);
		f->message = apr_psprintf(j->pool,
		    "Vary: %s makes about as many variants as there are "
		    "visitors",
		    m);
		f->fix = apr_psprintf(j->pool,
		    "drop %s if the pages do not differ by it; if they do, "
		    "vary on a header with few values instead",
		    m);
		return;
	case SCAN_MEMBER_STAR:
		f = finding(
		    j, "vary-star", SCAN_WARNING, p, m, s->pub.when, eras);
		f->message = "Vary: * says that no two requests may share the "
			     "response";
		f->fix = "Cache-Control: private or no-store, if that is what "
			 "is meant";
		return;
	case SCAN_MEMBER_RESPONSE:
		f = finding(
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
		f = finding(
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

static void
judge_sources(struct judging *j)
{
	const apr_array_header_t *a = scan_model_sources(j->m);
	const struct scan_model_source **v;
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
		for (k = n - 1; k >= 0 && v[k]->node == s->node; k--)
			if (same_source(v[k], s))
				break;
		if (k >= 0 && v[k]->node == s->node) {
			struct scan_model_source *t = &APR_ARRAY_IDX(a,
			    (int)(v[k] - &APR_ARRAY_IDX(
					     a, 0, struct scan_model_source)),
			    struct scan_model_source);

			t->versions |= s->versions;
			t->pub.eras |= s->pub.eras;
			if (s->pub.when < t->pub.when)
				t->pub.when = s->pub.when;
			if (s->pub.by == SCAN_BY_EXPR && s->cond == NULL)
				(void)edit_reference(j, s);
			continue;
		}
		v[n++] = s;
	}
	for (i = 0; i < n; i++) {
		unsigned more = 0;

		APR_ARRAY_PUSH(j->v->sources, struct scan_source) = v[i]->pub;
		switch (v[i]->pub.by) {
		case SCAN_BY_REWRITE:
			for (k = i - 1; k >= 0 && v[k]->rule == v[i]->rule; k--)
				if (same_rule(v[k], v[i]))
					break;
			if (k >= 0 && same_rule(v[k], v[i])) {
				if (v[i]->rule->target == SCAN_TARGET_DASH ||
				    scan_member_class(v[i]->pub.member) ==
					SCAN_MEMBER_KEY)
					(void)edit_novary(j, v[i]->cond);
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

/* --- Lacks --------------------------------------------------------------- */

static bool
cached_by_default(int status)
{
	return (status == 301 || status == 308);
}

static void
judge_lack(struct judging *j, const struct scan_lack *l)
{
	struct scan_place p = place_of(l->node, j->pool);
	unsigned eras = scan_model_eras(j->m, l->versions);
	struct scan_finding *f;
	enum scan_level level = SCAN_WARNING;
	bool lost_with_status = l->kind == SCAN_LACK_REDIRECT ||
				l->kind == SCAN_LACK_REFUSE ||
				(l->kind == SCAN_LACK_SUBST && l->status != 0);

	if (l->member != NULL && l->kind != SCAN_LACK_UNSET &&
	    scan_model_declares(
		j->m, l->scope, l->member, l->versions, lost_with_status))
		return;
	if (l->member != NULL &&
	    scan_member_class(l->member) == SCAN_MEMBER_PRIVATE)
		level = SCAN_NOTE;
	switch (l->kind) {
	case SCAN_LACK_REDIRECT:
		f = finding(j, "vary-missing",
		    cached_by_default(l->status) ? level : SCAN_NOTE, p,
		    l->member, SCAN_ONLY_STATUS, eras);
		f->message = apr_psprintf(j->pool,
		    "the %d depends on %s, and httpd drops Vary from redirects:"
		    " a cache that keeps it sends everybody there",
		    l->status, l->member);
		f->fix = apr_psprintf(j->pool,
		    "add E=redirected:1 to the rule and \"Header always merge "
		    "Vary %s env=redirected\"; or keep the redirect out of "
		    "caches (Cache-Control: no-store)",
		    l->member);
		return;
	case SCAN_LACK_REFUSE:
		/* 403 and most others are not kept without being told to. */
		if (l->status != 404 && l->status != 410)
			return;
		f = finding(j, "vary-missing", SCAN_NOTE, p, l->member,
		    SCAN_ONLY_STATUS, eras);
		f->message = apr_psprintf(j->pool,
		    "the %d depends on %s, and httpd drops Vary from error "
		    "pages; caches may keep it",
		    l->status, l->member);
		f->fix = "answer 403, or send Cache-Control: no-store with "
			 "Header always set";
		return;
	case SCAN_LACK_PERDIR:
		f = finding(j, "vary-missing", level, p, l->member,
		    SCAN_RULE_MATCHES, eras);
		f->message = apr_psprintf(j->pool,
		    "the page depends on %s, but the internal rewrite drops "
		    "it from Vary before Apache 2.4.30",
		    l->member);
		f->fix =
		    apr_psprintf(j->pool, "Header merge Vary %s", l->member);
		return;
	case SCAN_LACK_STRING:
		f = finding(j, "vary-missing",
		    l->status == 0 || l->status == 302 ? level : SCAN_NOTE, p,
		    l->member, l->status == 0 ? SCAN_ALWAYS : SCAN_ONLY_STATUS,
		    eras);
		f->message = apr_psprintf(j->pool,
		    "%s is made from %s; an expression that makes a string "
		    "never adds to Vary",
		    l->detail, l->member);
		f->fix = apr_psprintf(j->pool, "Header %smerge Vary %s",
		    l->status == 0 ? "" : "always ", l->member);
		return;
	case SCAN_LACK_SUBST:
		f = finding(j, "vary-missing", level, p, l->member,
		    l->status != 0 ? SCAN_ONLY_STATUS : SCAN_RULE_MATCHES,
		    eras);
		f->message = apr_psprintf(j->pool,
		    "the substitution is made from %s; mod_rewrite adds to "
		    "Vary for conditions only",
		    l->member);
		f->fix = apr_psprintf(j->pool, "Header %smerge Vary %s",
		    l->status == 0 ? "" : "always ", l->member);
		return;
	case SCAN_LACK_ENV:
		/* Only of this one it is certain that it matters. */
		if (strcasecmp(l->detail, "Access-Control-Allow-Origin") != 0)
			level = SCAN_NOTE;
		f = finding(
		    j, "vary-missing", level, p, l->member, SCAN_ALWAYS, eras);
		f->message = apr_psprintf(j->pool,
		    "%s depends on %s by way of SetEnvIf, which never adds to "
		    "Vary",
		    l->detail, l->member);
		f->fix =
		    apr_psprintf(j->pool, "Header merge Vary %s", l->member);
		return;
	case SCAN_LACK_UNSET:
		f = finding(j, "vary-missing", SCAN_ERROR, p, l->member,
		    SCAN_POSSIBLE, eras);
		f->message = "responses are compressed and Vary is removed "
			     "after that: a cache sends gzip to clients that "
			     "cannot read it";
		f->fix = "remove single members with Header edit*, or add "
			 "\"Header merge Vary Accept-Encoding\" after this "
			 "line";
		return;
	case SCAN_LACK_FORCED:
		f = finding(j, "vary-missing", SCAN_WARNING, p, NULL,
		    l->node->id == HCONF_SETENV ? SCAN_ALWAYS : SCAN_POSSIBLE,
		    eras);
		f->message = "force-no-vary removes Vary whatever the "
			     "response depends on, and makes it HTTP/1.0 "
			     "without keep-alive";
		f->fix = "remove it; take single members out with Header edit*";
		return;
	}
}

/* --- Lints and problems -------------------------------------------------- */

static void
judge_lint(struct judging *j, const struct scan_lint *l)
{
	struct scan_finding *f;
	unsigned eras = scan_model_eras(j->m, l->versions);
	struct scan_place p = place_of(l->node, j->pool);

	switch (l->kind) {
	case SCAN_LINT_ERROR:
		f = finding(
		    j, "conf-error", SCAN_ERROR, p, NULL, SCAN_ALWAYS, eras);
		break;
	case SCAN_LINT_DEAD:
		f = finding(j, "conf-dead-condition", SCAN_WARNING, p, NULL,
		    SCAN_ALWAYS, eras);
		break;
	case SCAN_LINT_DANGLING:
	default:
		f = finding(j, "conf-dead-condition", SCAN_NOTE, p, NULL,
		    SCAN_ALWAYS, eras);
		break;
	}
	f->message = l->text;
	f->fix = l->fix;
}

static void
judge_problem(struct judging *j, const struct hconf_problem *p, unsigned eras)
{
	struct scan_finding *f = finding(j, "conf-error",
	    p->level == HCONF_ERROR     ? SCAN_ERROR
	    : p->level == HCONF_WARNING ? SCAN_WARNING
					: SCAN_NOTE,
	    (struct scan_place){ p->file, p->first, p->last, NULL }, NULL,
	    SCAN_ALWAYS, eras);

	f->message = p->text;
}

static void
mark_broken(struct judging *j, const char *file, bool htaccess)
{
	if (htaccess)
		apr_hash_set(j->broken, file, APR_HASH_KEY_STRING, "");
	else
		j->server_broken = true;
}

/* --- What an upgrade changes --------------------------------------------- */

static void
changes(struct judging *j, const struct scan_source *s, unsigned asked)
{
	static const enum scan_era eras[] = { SCAN_E1, SCAN_E2, SCAN_E3 };
	size_t i, k;

	for (i = 0; i + 1 < sizeof eras / sizeof *eras; i++) {
		bool before, after;

		if ((asked & eras[i]) == 0)
			continue;
		/* To the next one that was asked about. */
		for (k = i + 1; k < sizeof eras / sizeof *eras; k++)
			if ((asked & eras[k]) != 0)
				break;
		if (k == sizeof eras / sizeof *eras)
			continue;
		before = (s->eras & eras[i]) != 0;
		after = (s->eras & eras[k]) != 0;
		if (before == after)
			continue;
		APR_ARRAY_PUSH(j->v->changes, struct scan_change) =
		    (struct scan_change){ s->place, s->member, eras[i], eras[k],
			    after, s->when };
	}
}

void
scan_judge(struct scan_verdict *v, const struct scan_model *m,
    const apr_array_header_t *problems, const apr_array_header_t *texts,
    apr_pool_t *result_pool)
{
	struct judging j = { .v = v,
		.m = m,
		.texts = texts,
		.broken = apr_hash_make(result_pool),
		.pool = result_pool };
	unsigned asked = scan_model_eras(m, ~0U);
	const apr_array_header_t *a;
	int i, first = v->sources->nelts;

	for (i = 0; i < problems->nelts; i++) {
		const struct hconf_problem *p =
		    &APR_ARRAY_IDX(problems, i, struct hconf_problem);

		judge_problem(&j, p, asked);
		if (p->level == HCONF_ERROR)
			mark_broken(&j, p->file, p->htaccess);
	}
	a = scan_model_lints(m);
	for (i = 0; i < a->nelts; i++) {
		const struct scan_lint *l =
		    &APR_ARRAY_IDX(a, i, struct scan_lint);

		judge_lint(&j, l);
		if (l->kind == SCAN_LINT_ERROR)
			mark_broken(&j, l->node->file, l->node->htaccess);
	}
	judge_sources(&j);
	a = scan_model_lacks(m);
	for (i = 0; i < a->nelts; i++)
		judge_lack(&j, &APR_ARRAY_IDX(a, i, struct scan_lack));
	for (i = first; i < v->sources->nelts; i++)
		changes(&j, &APR_ARRAY_IDX(v->sources, i, struct scan_source),
		    asked);
}

void
scan_verdict_init(struct scan_verdict *v, apr_pool_t *result_pool)
{
	v->sources =
	    apr_array_make(result_pool, 16, sizeof(struct scan_source));
	v->findings =
	    apr_array_make(result_pool, 16, sizeof(struct scan_finding));
	v->changes = apr_array_make(result_pool, 8, sizeof(struct scan_change));
	v->edits = apr_array_make(result_pool, 8, sizeof(struct scan_edit));
}

static int
by_place(const struct scan_place *a, const struct scan_place *b)
{
	int c = strcmp(a->file, b->file);

	if (c != 0)
		return (c);
	if (a->line != b->line)
		return (a->line < b->line ? -1 : 1);
	return (0);
}

static int
text_cmp(const char *a, const char *b)
{
	return (strcmp(a != NULL ? a : "", b != NULL ? b : ""));
}

static int
finding_cmp(const void *va, const void *vb)
{
	const struct scan_finding *a = va, *b = vb;
	int c = by_place(&a->place, &b->place);

	if (c == 0)
		c = strcmp(a->rule, b->rule);
	if (c == 0)
		c = text_cmp(a->member, b->member);
	if (c == 0)
		c = (int)a->eras - (int)b->eras;
	return (c != 0 ? c : text_cmp(a->message, b->message));
}

static int
source_cmp(const void *va, const void *vb)
{
	const struct scan_source *a = va, *b = vb;
	int c = by_place(&a->place, &b->place);

	if (c == 0)
		c = strcmp(a->member, b->member);
	if (c == 0)
		c = (int)a->when - (int)b->when;
	return (c != 0 ? c : (int)a->eras - (int)b->eras);
}

static int
change_cmp(const void *va, const void *vb)
{
	const struct scan_change *a = va, *b = vb;
	int c = (int)a->from - (int)b->from;

	if (c == 0)
		c = by_place(&a->place, &b->place);
	return (c != 0 ? c : strcmp(a->member, b->member));
}

static int
edit_cmp(const void *va, const void *vb)
{
	const struct scan_edit *a = va, *b = vb;
	int c = strcmp(a->file, b->file);

	if (c == 0 && a->at != b->at)
		c = a->at < b->at ? -1 : 1;
	if (c == 0 && a->len != b->len)
		c = a->len < b->len ? -1 : 1;
	return (c != 0 ? c : strcmp(a->text, b->text));
}

/* Sorted, and without what is there twice: a file may be read twice. */
static void
tidy(apr_array_header_t *a, int (*cmp)(const void *, const void *))
{
	size_t size = (size_t)a->elt_size;
	int i, n = 0;

	if (a->nelts == 0)
		return;
	qsort(a->elts, (size_t)a->nelts, size, cmp);
	for (i = 1; i < a->nelts; i++) {
		char *kept = a->elts + (size_t)n * size;
		char *next = a->elts + (size_t)i * size;

		if (cmp(kept, next) == 0)
			continue;
		n++;
		if (n != i)
			memcpy(a->elts + (size_t)n * size, next, size);
	}
	a->nelts = n + 1;
}

void
scan_verdict_sort(struct scan_verdict *v)
{
	tidy(v->findings, finding_cmp);
	tidy(v->sources, source_cmp);
	tidy(v->changes, change_cmp);
	tidy(v->edits, edit_cmp);
}
