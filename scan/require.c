/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/scope.h"

#include <apr_strings.h>

enum reach {
	REACH_NEVER,
	REACH_MAYBE,
	REACH_ALWAYS,
};

enum truth {
	DENIED,
	GRANTED,
	UNKNOWN,
};

static enum truth
require(struct scan_model *m, const struct hconf_node *n, struct scan_scope *s,
    enum hconf_id mode, enum reach reach)
{
	struct hconf_span rest = n->args, word;
	struct scan_ask u;
	bool no = false;
	enum truth t = UNKNOWN;

	if (!hconf_word(&rest, &word, m->pool))
		return (UNKNOWN);
	if (hconf_span_is(word, "not")) {
		no = true;
		if (mode != HCONF_REQUIREALL && m->maker == SCAN_SERVER_APACHE)
			scan_lint_add(m, SCAN_LINT_ERROR, n, n->versions,
			    "Require not can only take away: it stands in "
			    "<RequireAll>, beside what grants",
			    NULL);
		if (!hconf_word(&rest, &word, m->pool))
			return (UNKNOWN);
	}
	if (hconf_span_is(word, "all")) {
		if (hconf_word(&rest, &word, m->pool))
			t = hconf_span_is(word, "granted") ? GRANTED : DENIED;
		if (no)
			t = t == GRANTED ? DENIED : GRANTED;
		return (t);
	}
	if (hconf_span_is(word, "user") || hconf_span_is(word, "group")) {
		u = (struct scan_ask){ .node = n,
			.scope = s,
			.text = rest,
			.when = SCAN_ALWAYS,
			.versions = n->versions };
		scan_ask_string(m, &u, "who may see it", 401);
		return (UNKNOWN);
	}
	if (!hconf_span_is(word, "expr") || reach == REACH_NEVER)
		return (UNKNOWN);
	if (rest.len > 0 && (*rest.b == '"' || *rest.b == '\'')) {
		/* Quoted as a whole: from 2.4.16 on; before, refused. */
		struct hconf_span r = rest;

		if (hconf_word(&r, &word, m->pool) && r.len == 0)
			rest = word;
	}
	u = (struct scan_ask){ .node = n,
		.scope = s,
		.text = rest,
		.when = reach == REACH_ALWAYS ? SCAN_ALWAYS : SCAN_POSSIBLE,
		.versions = n->versions };
	scan_ask_bool(m, &u);
	return (UNKNOWN);
}

bool
scan_is_require(const struct hconf_node *n)
{
	return (n->id == HCONF_REQUIRE || n->id == HCONF_REQUIREALL ||
		n->id == HCONF_REQUIREANY || n->id == HCONF_REQUIRENONE);
}

/*
 * The first one that decides ends it: any, and none, by a grant; all, by a
 * denial.
 */
static enum truth
require_group(struct scan_model *m, const struct hconf_node *first,
    struct scan_scope *s, enum hconf_id mode, enum reach reach)
{
	const struct hconf_node *n;
	enum truth decides, t;
	bool unknown = false;

	decides = mode == HCONF_REQUIREALL ? DENIED : GRANTED;
	for (n = first; n != NULL; n = n->next) {
		if (!scan_is_require(n))
			continue;
		if (n->id == HCONF_REQUIRE)
			t = require(m, n, s, mode, reach);
		else
			t = require_group(m, n->child, s, n->id, reach);
		if (t == UNKNOWN) {
			unknown = true;
			if (reach == REACH_ALWAYS)
				reach = REACH_MAYBE;
		} else if (t == decides) {
			if (mode == HCONF_REQUIRENONE)
				return (DENIED);
			return (unknown ? UNKNOWN : decides);
		}
	}
	if (unknown || first == NULL)
		return (UNKNOWN);
	return (mode == HCONF_REQUIREALL ? GRANTED : DENIED);
}

void
scan_require(
    struct scan_model *m, const struct hconf_node *first, struct scan_scope *s)
{
	enum reach reach = REACH_ALWAYS;

	/* In <Limit> it is asked for some methods only. */
	if (s->node->id == HCONF_LIMIT || s->node->id == HCONF_LIMITEXCEPT)
		reach = REACH_MAYBE;
	(void)require_group(m, first, s, HCONF_REQUIREANY, reach);
}
