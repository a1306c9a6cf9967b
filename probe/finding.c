/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/finding.h"

#include <string.h>

const char *
probe_rule_name(enum probe_rule r)
{
	static const char *const names[PROBE_NRULES] = {
		[PROBE_VARY_INCONSISTENT] = "vary-inconsistent",
		[PROBE_VARY_MISSING] = "vary-missing",
		[PROBE_VARY_REFLECTED] = "vary-reflected",
		[PROBE_VARY_STAR] = "vary-star",
		[PROBE_VARY_SYNTAX] = "vary-syntax",
		[PROBE_VARY_LEAK] = "vary-leak",
		[PROBE_VARY_COSTLY] = "vary-costly",
		[PROBE_VARY_PARTIAL] = "vary-partial",
		[PROBE_VARY_PRESENCE] = "vary-presence",
		[PROBE_VARY_VALIDATOR] = "vary-validator",
		[PROBE_VARY_HOP] = "vary-hop",
		[PROBE_VARY_REDUNDANT] = "vary-redundant",
	};

	return (names[r]);
}

const char *
probe_outcome_name(enum probe_outcome o)
{
	static const char *const names[] = { "judged", "unstable", "interfered",
		"unreachable" };

	return (names[o]);
}

static const char *const levels[] = { "note", "warning", "error" };

const char *
probe_level_name(enum probe_level l)
{
	return (levels[l]);
}

int
probe_level_of(const char *name)
{
	int i;

	for (i = 0; i < 3; i++)
		if (strcmp(levels[i], name) == 0)
			return (i);
	return (-1);
}

const char *
probe_declared_name(enum probe_declared d)
{
	static const char *const names[] = { "no", "some", "yes" };

	return (names[d]);
}

const char *
probe_effect_name(enum probe_effect e)
{
	static const char *const names[] = { "not-tried", "none-observed",
		"headers", "body", "status" };

	return (names[e]);
}

const char *
probe_innocence_name(enum probe_innocence i)
{
	static const char *const names[] = { "not-named", "rightly-named",
		"named-without-it" };

	return (names[i]);
}

int
probe_result_worst(const struct probe_result *r)
{
	int i, worst = -1;

	for (i = 0; i < r->findings->nelts; i++) {
		int l = (int)APR_ARRAY_IDX(r->findings, i, struct probe_finding)
			    .level;

		if (l > worst)
			worst = l;
	}
	return (worst);
}

struct probe_finding *
probe_result_add(struct probe_result *r, enum probe_rule rule,
    enum probe_level level, const char *member, const char *message)
{
	struct probe_finding *f = apr_array_push(r->findings);

	memset(f, 0, sizeof *f);
	f->rule = rule;
	f->level = level;
	f->member = member;
	f->message = message;
	return (f);
}

bool
probe_result_lists(const apr_array_header_t *list, const char *s)
{
	int i;

	for (i = 0; i < list->nelts; i++)
		if (strcmp(APR_ARRAY_IDX(list, i, const char *), s) == 0)
			return (true);
	return (false);
}
