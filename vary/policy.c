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

static bool
is_name(struct vary_span name)
{
	return (vary_is_token(name.b, name.len) && name.len <= VARY_NAME_MAX &&
		(name.len != 1 || *name.b != '*'));
}

enum vary_status
vary_policy_rule(
    struct vary_policy *p, struct vary_span name, struct vary_rule **ret)
{
	size_t i;

	if (!is_name(name))
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

void
vary_policy_say(struct vary_policy *p, struct vary_rule *r, enum vary_verb verb)
{
	assert(verb != VARY_MAP || r->to.len > 0);
	r->verb = verb;
	r->said = ++p->said;
	if (verb == VARY_STRIP)
		r->ensure = false;
	p->maps |= verb == VARY_MAP;
}

enum vary_status
vary_policy_map(struct vary_policy *p, struct vary_rule *r, struct vary_span to)
{
	size_t i;

	if (!is_name(to))
		return (VARY_SYNTAX);
	if (vary_name_eq(r->name, to))
		return (VARY_CONFLICT);
	for (i = 0; i < p->n; i++)
		if (p->rule[i].verb == VARY_MAP &&
		    (vary_name_eq(p->rule[i].name, to) ||
			vary_name_eq(p->rule[i].to, r->name)))
			return (VARY_CONFLICT);
	r->to = to;
	vary_policy_say(p, r, VARY_MAP);
	return (VARY_OK);
}

void
vary_policy_ensure(struct vary_policy *p, struct vary_rule *r)
{
	if (r->verb == VARY_STRIP)
		vary_policy_say(p, r, VARY_KEEP);
	r->ensure = true;
}

void
vary_policy_promote(struct vary_policy *p, struct vary_rule *r)
{
	if (r->verb != VARY_HIDE && r->verb != VARY_MAP && r->said > 0)
		vary_policy_say(p, r, VARY_KEEP);
	r->promoted = p->promotes = true;
}

const struct vary_rule *
vary_policy_find(const struct vary_policy *p, struct vary_span name)
{
	const struct vary_rule *own = NULL, *map = NULL;
	unsigned mapped = 0;
	size_t i;

	for (i = 0; i < p->n; i++) {
		const struct vary_rule *r = &p->rule[i];

		if (vary_name_eq(r->name, name)) {
			if (!p->maps)
				return (r);
			own = r;
		} else if (r->verb == VARY_MAP && vary_name_eq(r->to, name)) {
			if (map == NULL)
				map = r;
			if (r->said > mapped)
				mapped = r->said;
		}
	}
	if (map == NULL || (own != NULL && own->said > mapped))
		return (own);
	return (map);
}

/* X-Forwarded-Proto and its like may well be what somebody keys on. */
static bool
is_registered(struct vary_span name)
{
	return (vary_name_known(name).spelling != NULL &&
		!(name.len > 2 && vary_name_same("X-", name.b, 2)));
}

enum vary_doubt
vary_policy_doubt(const struct vary_rule *r)
{
	bool map = r->verb == VARY_MAP;
	struct vary_span key = map ? r->to : r->name;
	enum vary_class class = vary_name_known(key).class;

	if (vary_name_eq(r->name, vary_span_str("Vary")) ||
	    vary_name_eq(key, vary_span_str("Vary")))
		return (VARY_DOUBT_ITSELF);
	/* A name without a verb is one whose request header has a form. */
	if (class == VARY_CLASS_UNKEYABLE &&
	    (map || r->promoted || r->verb == VARY_HIDE ||
		(r->verb == VARY_KEEP && (r->said > 0 || r->ensure))))
		return (VARY_DOUBT_UNKEYABLE);
	if (class == VARY_CLASS_INERT && (map || r->promoted || r->ensure))
		return (VARY_DOUBT_INERT);
	if (map && is_registered(key) && !is_registered(r->name))
		return (VARY_DOUBT_REVERSED);
	if (r->ensure && r->verb == VARY_BYPASS)
		return (VARY_DOUBT_ALWAYS);
	if (r->chosen && r->verb == VARY_STRIP && !r->promoted)
		return (VARY_DOUBT_CHOSEN);
	return (VARY_DOUBT_NONE);
}

bool
vary_policy_is_promoted(const struct vary_policy *p, struct vary_span name)
{
	size_t i;

	for (i = 0; p->promotes && i < p->n; i++)
		if (vary_name_eq(p->rule[i].name, name))
			return (p->rule[i].promoted);
	return (false);
}
