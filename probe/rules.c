/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/rules.h"

#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>

#define TRIAL(s, i) (&APR_ARRAY_IDX((s)->trials, (i), struct probe_trial))

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
list_group(const struct probe_subject *s, const struct probe_trial *t,
    struct probe_result *r)
{
	size_t i;
	int n = 0;

	for (i = 0; i < s->set->naxes; i++)
		if (probe_subject_in_group(t, s->set->axes[i], &n) &&
		    probe_subject_index(s, s->set->axes[i]->name) < 0)
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

			if (probe_subject_index(s, name) < 0)
				names[n++] = name;
		}
		for (i = 0; i < n; i++)
			probe_rules_member(s, r, names[i]);
		probe_rules_response(s, r);
		if (s->outcome == PROBE_JUDGED) {
			probe_rules_validators(s, r);
			probe_rules_preflight(s, r);
		}
	}
	for (i = 0; i < s->trials->nelts; i++)
		if (TRIAL(s, i)->kind == PROBE_K_GROUP &&
		    TRIAL(s, i)->turn == 0 &&
		    TRIAL(s, i)->state == PROBE_T_QUIET)
			list_group(s, TRIAL(s, i), r);
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
