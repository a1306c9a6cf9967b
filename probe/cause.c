/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/cause.h"

#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#include "cli/diag.h"
#include "httpdconf/tree.h"
#include "scan/scan.h"
#include "vary/name.h"

#define SOURCE(c, i) (&APR_ARRAY_IDX((c)->sources, (i), struct scan_source))

/* What puts a member where it belongs is nobody's suspect. */
static bool
suspect(const struct scan_source *s)
{
	switch (s->by) {
	case SCAN_BY_REWRITE:
	case SCAN_BY_EXPR:
	case SCAN_BY_HEADER: return (!s->broken);
	case SCAN_BY_FILTER:
	case SCAN_BY_NEGOTIATION:
	case SCAN_BY_DAV:
	case SCAN_BY_NGINX: break;
	}
	return (false);
}

/* Could it alone be the reason for what all, or some, of the answers said? */
static bool
fits(const struct scan_source *s, enum probe_declared declared)
{
	switch (s->when) {
	case SCAN_ALWAYS: return (declared == PROBE_DECLARED_YES);
	case SCAN_HEADER_SENT:
	case SCAN_RULE_MATCHES:
	case SCAN_ONLY_STATUS: return (declared == PROBE_DECLARED_SOME);
	case SCAN_POSSIBLE: break;
	}
	return (true);
}

static bool
better(const struct scan_source *a, const struct scan_source *b,
    enum probe_declared declared)
{
	if (fits(a, declared) != fits(b, declared))
		return (fits(a, declared));
	if (a->when != b->when)
		return (a->when < b->when);
	/* What every release does, before what some do. */
	return (a->eras != b->eras && (a->eras & b->eras) == b->eras);
}

static const struct scan_source *
best(const struct scan_result *config, const char *member,
    enum probe_declared declared)
{
	const struct scan_source *s, *r = NULL;
	int i;

	for (i = 0; i < config->sources->nelts; i++) {
		s = SOURCE(config, i);
		if (strcasecmp(s->member, member) == 0 &&
		    (r == NULL || better(s, r, declared)))
			r = s;
	}
	return (r);
}

static struct probe_cause
place(const struct scan_source *s)
{
	return ((struct probe_cause){
	    s->place.file, (int)s->place.line, s->place.directive });
}

static const struct probe_member *
find_member(const struct probe_result *r, const char *name)
{
	const struct probe_member *m;
	int i;

	for (i = 0; i < r->members->nelts; i++) {
		m = &APR_ARRAY_IDX(r->members, i, struct probe_member);
		if (strcasecmp(m->name, name) == 0)
			return (m);
	}
	return (NULL);
}

static bool
is_cause(const struct probe_result *r, const struct scan_source *s)
{
	const struct probe_finding *f;
	int i;

	for (i = 0; i < r->findings->nelts; i++) {
		f = &APR_ARRAY_IDX(r->findings, i, struct probe_finding);
		if (f->cause.file != NULL &&
		    f->cause.line == (int)s->place.line &&
		    strcmp(f->cause.file, s->place.file) == 0)
			return (true);
	}
	return (false);
}

static bool
has_finding(const struct probe_result *r, const char *member)
{
	const struct probe_finding *f;
	int i;

	for (i = 0; i < r->findings->nelts; i++) {
		f = &APR_ARRAY_IDX(r->findings, i, struct probe_finding);
		if (f->member != NULL && strcasecmp(f->member, member) == 0)
			return (true);
	}
	return (false);
}

/* Was a request without the header among those whose Vary was read? */
static bool
tried_absent(const struct probe_member *m)
{
	return (probe_result_lists(m->tried, "(absent)"));
}

/* NULL: nothing that was observed speaks for it. */
static const char *
innocence(const struct scan_result *config, const struct probe_result *r,
    const struct scan_source *s, enum probe_innocence *ret_why,
    apr_pool_t *pool)
{
	const struct probe_member *m = find_member(r, s->member);
	const struct scan_source *b;

	/* What was never sent had no chance to be named. */
	if (m == NULL || m->effect == PROBE_NOT_TRIED)
		return (NULL);
	if (m->declared == PROBE_DECLARED_NO) {
		*ret_why = PROBE_NOT_NAMED;
		return (apr_psprintf(pool,
		    "no answer of this URL named %s, with the %d values "
		    "tried%s%s%s",
		    s->member, m->tried->nelts,
		    (s->eras & config->eras) != config->eras ? " (" : "",
		    (s->eras & config->eras) != config->eras
			? scan_eras_text(s->eras)
			: "",
		    (s->eras & config->eras) != config->eras ? " would)" : ""));
	}
	if (m->declared == PROBE_DECLARED_YES &&
	    m->effect > PROBE_NONE_OBSERVED && !has_finding(r, s->member)) {
		*ret_why = PROBE_RIGHTLY_NAMED;
		return (apr_psprintf(pool,
		    "it names %s, and the answer depends on it: as it should "
		    "be",
		    s->member));
	}
	b = best(config, s->member, m->declared);
	if (m->declared == PROBE_DECLARED_YES && tried_absent(m) &&
	    s->by == SCAN_BY_REWRITE && b != s && b->by != SCAN_BY_REWRITE &&
	    fits(b, m->declared)) {
		*ret_why = PROBE_NAMED_WITHOUT;
		return (apr_psprintf(pool,
		    "it names %s only where the request has it; answers to "
		    "requests without it name it, too (%s:%u does that)",
		    s->member, b->place.file, b->place.line));
	}
	return (NULL);
}

static void
name_innocents(
    const struct scan_result *config, struct probe_result *r, apr_pool_t *pool)
{
	const struct scan_source *s, *last = NULL;
	struct probe_innocent *n;
	enum probe_innocence why;
	const char *message;
	int i;

	r->innocent = apr_array_make(pool, 4, sizeof(struct probe_innocent));
	if (r->outcome != PROBE_JUDGED)
		return;
	for (i = 0; i < config->sources->nelts; i++) {
		s = SOURCE(config, i);
		/* They are sorted; one line may ask twice, or hold for two
		 * hosts. */
		if (!suspect(s) || is_cause(r, s) ||
		    (last != NULL && last->place.line == s->place.line &&
			strcmp(last->place.file, s->place.file) == 0 &&
			strcasecmp(last->member, s->member) == 0))
			continue;
		message = innocence(config, r, s, &why, pool);
		if (message == NULL)
			continue;
		last = s;
		n = apr_array_push(r->innocent);
		n->place = place(s);
		n->member = s->member;
		n->why = why;
		n->message = message;
	}
}

void
probe_cause_name(
    const struct scan_result *config, struct probe_result *r, apr_pool_t *pool)
{
	const struct probe_member *m;
	const struct scan_source *s;
	struct probe_finding *f;
	int i;

	for (i = 0; i < r->findings->nelts; i++) {
		f = &APR_ARRAY_IDX(r->findings, i, struct probe_finding);
		/* What is missing has no line that causes it. */
		if (f->member == NULL || f->rule == PROBE_VARY_MISSING ||
		    f->rule == PROBE_VARY_REFLECTED)
			continue;
		m = find_member(r, f->member);
		s = best(config, f->member,
		    m != NULL ? m->declared : PROBE_DECLARED_YES);
		if (s != NULL)
			f->cause = place(s);
	}
	name_innocents(config, r, pool);
}

void
probe_cause_ask(const struct scan_result *config, struct probe_subject *s)
{
	int i;

	for (i = 0; i < config->sources->nelts; i++) {
		const struct scan_source *c = SOURCE(config, i);

		if (suspect(c) && vary_is_token(c->member, strlen(c->member)) &&
		    strcmp(c->member, "*") != 0)
			probe_subject_add_axis(s, c->member);
	}
}

int
probe_cause_read(struct probe_run *r)
{
	struct scan_request q;
	struct scan_result *result;
	apr_pool_t *scratch;
	apr_status_t st;
	char buf[128];
	int i;

	if (r->opt->configs->nelts == 0)
		return (0);
	memset(&q, 0, sizeof q);
	if (r->opt->apache_version != NULL &&
	    !hconf_version_parse((struct hconf_span){ r->opt->apache_version,
				     strlen(r->opt->apache_version) },
		&q.version)) {
		cli_error("--apache-version takes a release such as 2.4.6, "
			  "not '%s'",
		    r->opt->apache_version);
		return (-1);
	}
	APR_ARRAY_PUSH(r->opt->configs, const char *) = NULL;
	q.paths = (const char *const *)(const void *)r->opt->configs->elts;
	apr_pool_create(&scratch, r->pool);
	st = scan_run(&result, &q, r->pool, scratch);
	apr_pool_destroy(scratch);
	if (st != APR_SUCCESS) {
		cli_error("--config %s: %s", q.paths[0],
		    apr_strerror(st, buf, sizeof buf));
		return (-1);
	}
	for (i = 0; i < result->unread->nelts; i++)
		cli_warning("%s: %s",
		    APR_ARRAY_IDX(result->unread, i, struct scan_unread).path,
		    APR_ARRAY_IDX(result->unread, i, struct scan_unread).why);
	r->config = result;
	return (0);
}
