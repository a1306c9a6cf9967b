/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/cost.h"

#include <string.h>
#include <strings.h>

static const struct probe_population *
population(const struct probe_cost_basis *b, const char *name)
{
	size_t i;

	for (i = 0; i < b->npopulations; i++)
		if (strcasecmp(b->populations[i].name, name) == 0)
			return (&b->populations[i]);
	return (probe_population_builtin(name));
}

/* A member that makes no variants of its own in this cache. */
static int
is_free(const struct probe_cost_basis *b, const char *name)
{
	return (strcasecmp(name, "Host") == 0 ||
		(b->profile->folds_encoding &&
		    strcasecmp(name, "Accept-Encoding") == 0));
}

static int
has_finding(
    const struct probe_result *r, enum probe_rule rule, const char *member)
{
	int i;

	for (i = 0; i < r->findings->nelts; i++) {
		const struct probe_finding *f =
		    &APR_ARRAY_IDX(r->findings, i, struct probe_finding);

		if (f->rule == rule && f->member != NULL &&
		    strcmp(f->member, member) == 0)
			return (1);
	}
	return (0);
}

void
probe_cost_fill(
    struct probe_result *r, const struct probe_cost_basis *b, apr_pool_t *pool)
{
	static const struct probe_share all = { 1, 1 };
	struct probe_population now = { "", &all, 1 }, fixed = { "", &all, 1 };
	const struct probe_population *p;
	int i;

	if (r->status == 0 || !r->cacheable || b->profile->ignores_vary)
		return;
	for (i = 0; i < r->members->nelts; i++) {
		struct probe_member *m =
		    &APR_ARRAY_IDX(r->members, i, struct probe_member);

		if (is_free(b, m->name))
			continue;
		if (m->declared != PROBE_DECLARED_NO) {
			p = population(b, m->name);
			m->variants = probe_population_effective(p);
			probe_population_multiply(&now, &now, p, pool);
		}
		/* What has no effect goes; what has one stays, or comes, in
		 * as few values as a policy makes of it. */
		if (m->effect <= PROBE_NONE_OBSERVED ||
		    (m->declared == PROBE_DECLARED_NO &&
			!has_finding(r, PROBE_VARY_MISSING, m->name)))
			continue;
		p = has_finding(r, PROBE_VARY_COSTLY, m->name) ||
			    has_finding(r, PROBE_VARY_PARTIAL, m->name)
			? probe_population_normalised(m->name)
			: population(b, m->name);
		if (has_finding(r, PROBE_VARY_MISSING, m->name))
			p = probe_population_normalised(m->name);
		probe_population_multiply(&fixed, &fixed, p, pool);
	}
	r->cost.known = true;
	r->cost.requests = b->requests;
	r->cost.variants_effective = probe_population_effective(&now);
	r->cost.hit_ratio = probe_result_lists(r->vary_members, "*")
				? 0
				: probe_population_hits(&now, b->requests);
	if (b->profile->vary_uncached)
		for (i = 0; i < r->vary_members->nelts; i++)
			if (strcasecmp(
				APR_ARRAY_IDX(r->vary_members, i, const char *),
				"accept-encoding") != 0)
				r->cost.hit_ratio = 0;
	r->cost.hit_ratio_fixed = probe_population_hits(&fixed, b->requests);
}
