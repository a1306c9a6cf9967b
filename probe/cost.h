/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a result's Vary costs in hits, and what is left when the findings are
 * fixed.
 * Room: probe/.  Pure.
 */
#ifndef PROBE_COST_H
#define PROBE_COST_H

#include "probe/finding.h"
#include "probe/population.h"
#include "probe/profile.h"

struct probe_cost_basis {
	const struct probe_profile *profile;
	const struct probe_population *populations; /* --population */
	size_t npopulations;
	double requests; /* of a URL within a lifetime */
};

/* Fill in cost, and each member's variants. */
void probe_cost_fill(struct probe_result *, const struct probe_cost_basis *,
    apr_pool_t *scratch_pool);
#endif
