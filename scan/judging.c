/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/judging.h"

#include <string.h>

#include <apr_strings.h>

struct scan_finding *
scan_judging_finding(struct scan_judging *j, const char *rule,
    enum scan_level level, struct scan_place place, const char *member,
    enum scan_when when, unsigned eras)
{
	struct scan_finding *f = apr_array_push(j->v->findings);

	memset(f, 0, sizeof *f);
	f->rule = rule;
	/* Few servers lack the module: nothing to stop anybody for. */
	f->level = place.unless != NULL ? SCAN_NOTE : level;
	f->place = place;
	f->member = member;
	f->when = place.unless != NULL ? SCAN_POSSIBLE : when;
	f->eras = eras;
	return (f);
}

struct scan_place
scan_place_of(const struct hconf_node *n, apr_pool_t *pool)
{
	return ((struct scan_place){ n->file, n->first, n->last,
	    apr_psprintf(pool, n->kind == HCONF_CONTAINER ? "<%.*s>" : "%.*s",
		(int)n->name.len, n->name.b),
	    n->unless });
}
