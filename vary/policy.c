/* SPDX-License-Identifier: BSD-2-Clause */
#include "vary/policy.h"

#include <assert.h>

#include "vary/name.h"

void
vary_policy_init(struct vary_policy *p, struct vary_rule *rule, size_t cap)
{
	assert(p != NULL && (rule != NULL || cap == 0));
	*p = (struct vary_policy){
		.rule = rule,
		.cap = cap,
		.other = VARY_KEEP,
		.unkeyable = VARY_RESTORE,
		.inert = VARY_RESTORE,
	};
}

enum vary_status
vary_policy_rule(
    struct vary_policy *p, struct vary_span name, struct vary_rule **ret)
{
	size_t i;

	if (!vary_is_token(name.b, name.len) || name.len > VARY_NAME_MAX ||
	    (name.len == 1 && *name.b == '*'))
		return (VARY_SYNTAX);
	for (i = 0; i < p->n; i++)
		if (vary_name_eq(p->rule[i].name, name)) {
			*ret = &p->rule[i];
			return (VARY_OK);
		}
	if (p->n == p->cap)
		return (VARY_NOSPACE);
	p->rule[p->n] = (struct vary_rule){ .name = name, .verb = VARY_KEEP };
	*ret = &p->rule[p->n++];
	return (VARY_OK);
}

const struct vary_rule *
vary_policy_find(const struct vary_policy *p, struct vary_span name)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		const struct vary_rule *r = &p->rule[i];

		if (vary_name_eq(r->name, name))
			return (r);
		if (r->verb == VARY_MAP && vary_name_eq(r->to, name))
			return (r);
	}
	return (NULL);
}
