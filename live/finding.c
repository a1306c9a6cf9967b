/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/finding.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A member is costly when the hits lost to it are worth talking about. */
#define COSTLY_PART 0.01 /* of the group's lookups */
#define COSTLY_MIN  5    /* hits */

struct trap_text {
	const char *rule;
	enum live_level level;
	const char *message, *fix;
};

static const struct trap_text traps[LIVE_TRAP__MAX] = {
	[LIVE_TRAP_MISMATCH] = { "key-mismatch", LIVE_ERROR,
	    "the backend request has another value than the request that was "
	    "looked up: what is stored can never be hit",
	    "change the header in vcl_recv, before the lookup, and not in "
	    "vcl_backend_fetch; or strip the member (vmod vary: "
	    "site.strip(\"%s\"))" },
	[LIVE_TRAP_REPEATED] = { "repeated-lines", LIVE_WARNING,
	    "requests carry several lines of a selecting header; Varnish keys "
	    "on the first, the origin may read another: one client can fill "
	    "the cache for others",
	    "join the lines in vcl_recv: site.recv() of vmod vary does, or "
	    "std.collect(req.http.%s)" },
	[LIVE_TRAP_STAR] = { "star-stored", LIVE_ERROR,
	    "Vary has a \"*\", which says that no response may be used again, "
	    "and it was stored for everybody",
	    "site.fetch() of vmod vary in vcl_backend_response knows \"*\" in "
	    "every spelling; or mend the origin" },
	[LIVE_TRAP_MALFORMED] = { "vary-malformed", LIVE_ERROR,
	    "Vary is malformed: Varnish refuses it, and the pass that is left "
	    "hides all variants of the URL; or an element names no header and "
	    "selects nothing",
	    "mend the origin's header; site.fetch() of vmod vary keeps the "
	    "damage to one variant" },
	[LIVE_TRAP_UNKEYABLE] = { "vary-unkeyable", LIVE_ERROR,
	    "Vary lists a header that no fetch carries as the client sent it: "
	    "every request that has it misses and stores one more object",
	    "strip it: site.strip(\"%s\")" },
	[LIVE_TRAP_VARIANTS] = { "many-variants", LIVE_WARNING,
	    "Varnish itself noticed a high number of variants: each lookup "
	    "walks them all",
	    "normalise or strip the members with many values, see below" },
	[LIVE_TRAP_HIDDEN] = { "hfm-hides", LIVE_WARNING,
	    "a hit-for-miss mark left by a Vary that could not be stored "
	    "stood before responses that could",
	    "mend that response; until then shorten the mark's ttl in "
	    "vcl_backend_response" },
	[LIVE_TRAP_304] = { "vary-304", LIVE_WARNING,
	    "a 304 came with another Vary than the response it confirms: the "
	    "object changes its key when it is refreshed",
	    "have the origin send the same Vary with 200 and 304 (RFC 9110 "
	    "section 15.4.5)" },
};

static void
names(const struct live_traffic *t, uint32_t mask, char *buf, size_t cap)
{
	size_t at = 0;
	unsigned i;

	buf[0] = '\0';
	for (i = 0; i < live_members_count(t->members); i++) {
		int n;

		if (!(mask >> i & 1))
			continue;
		n = snprintf(buf + at, cap - at, "%s%s", at > 0 ? ", " : "",
		    live_members_get(t->members, i)->name);
		if (n < 0 || (size_t)n >= cap - at) {
			buf[at] = '\0';
			return;
		}
		at += (size_t)n;
	}
}

static struct live_finding *
add(struct live_findings *fs, size_t *cap)
{
	struct live_finding *f;

	if (fs->n == *cap) {
		size_t n = *cap == 0 ? 16 : 2 * *cap;

		f = realloc(fs->f, n * sizeof *f);
		if (f == NULL)
			return (NULL);
		fs->f = f;
		*cap = n;
	}
	f = &fs->f[fs->n++];
	memset(f, 0, sizeof *f);
	f->example = "";
	return (f);
}

/* One "%s" at most stands in the texts above: the first member. */
static void
fill_in(char *buf, size_t cap, const char *text, const char *members)
{
	const char *s = strstr(text, "%s");
	size_t first = strcspn(members, ",");

	if (s == NULL)
		(void)snprintf(buf, cap, "%s", text);
	else
		(void)snprintf(buf, cap, "%.*s%.*s%s", (int)(s - text), text,
		    (int)first, members, s + 2);
}

static int
add_trap(struct live_findings *fs, size_t *cap, const struct live_traffic *t,
    const struct live_group *g, enum live_trap k)
{
	const struct live_trap_count *c = g->trap[k];
	struct live_finding *f = add(fs, cap);
	unsigned i;

	if (f == NULL)
		return (-ENOMEM);
	f->rule = traps[k].rule;
	f->level = traps[k].level;
	f->group = g;
	f->count = c->n;
	f->example = c->example;
	names(t, c->members, f->members, sizeof f->members);
	for (i = 0; i < LIVE_MEMBERS_MAX; i++)
		if ((c->members >> i & 1) && g->member[i] != NULL &&
		    f->lost < g->member[i]->won_dropped)
			f->lost = g->member[i]->won_dropped;
	fill_in(f->fix, sizeof f->fix, traps[k].fix, f->members);
	if (k == LIVE_TRAP_VARIANTS)
		(void)snprintf(f->message, sizeof f->message, "%s (up to %u)",
		    traps[k].message, g->variants_max);
	else
		(void)snprintf(
		    f->message, sizeof f->message, "%s", traps[k].message);
	return (0);
}

static int
add_cost(struct live_findings *fs, size_t *cap, const struct live_traffic *t,
    const struct live_audit *audit, const struct live_group *g, unsigned id)
{
	const struct live_group_member *gm = g->member[id];
	const struct live_member *m = live_members_get(t->members, id);
	struct live_finding *f = add(fs, cap);
	double part = g->replayed > 0 ? gm->won_dropped / g->replayed : 0;

	if (f == NULL)
		return (-ENOMEM);
	f->rule = "vary-costly";
	f->level = part >= 0.05 ? LIVE_WARNING : LIVE_NOTE;
	f->group = g;
	f->count = gm->declared;
	f->lost = gm->won_dropped;
	f->verdict =
	    live_audit_verdict(audit, live_groups_host(t->groups, g), m->name);
	(void)snprintf(f->members, sizeof f->members, "%s", m->name);
	(void)snprintf(f->message, sizeof f->message,
	    "%.0f hits of %.0f lookups are lost to %s (%s%llu different "
	    "values)",
	    gm->won_dropped, g->replayed, m->name,
	    live_sketch_is_exact(&gm->values) ? "" : "about ",
	    (unsigned long long)live_sketch_count(&gm->values));
	switch (f->verdict) {
	case LIVE_SAFE:
		(void)snprintf(f->fix, sizeof f->fix,
		    "the audit observed no effect of it: strip it "
		    "(site.strip(\"%s\"))",
		    m->name);
		break;
	case LIVE_UNSAFE:
		if (m->ruled)
			(void)snprintf(f->fix, sizeof f->fix,
			    "it changes what the origin sends, so it cannot "
			    "go: make it %s before the lookup, which wins "
			    "%.0f of them",
			    live_rule_text(&m->rule), gm->won_normalised);
		else
			(void)snprintf(f->fix, sizeof f->fix,
			    "it changes what the origin sends, so it cannot "
			    "go: give it fewer values before the lookup");
		break;
	case LIVE_NOT_AUDITED:
	default:
		(void)snprintf(f->fix, sizeof f->fix,
		    "ask the origin whether it makes a difference: varyprobe "
		    "audit, then varylive --audit RESULT.json");
		break;
	}
	return (0);
}

static int
worse(const void *a, const void *b)
{
	const struct live_finding *x = a, *y = b;

	if (x->level != y->level)
		return (x->level > y->level ? -1 : 1);
	if (x->lost > y->lost || x->lost < y->lost)
		return (x->lost > y->lost ? -1 : 1);
	if (x->count != y->count)
		return (x->count > y->count ? -1 : 1);
	return (strcmp(x->rule, y->rule));
}

int
live_findings_make(struct live_findings *fs, const struct live_traffic *t,
    const struct live_audit *audit)
{
	size_t cap = 0;
	unsigned i, k;
	int r = 0;

	assert(fs != NULL && t != NULL);
	memset(fs, 0, sizeof *fs);
	for (i = 0; i < live_groups_end(t->groups) && r == 0; i++) {
		const struct live_group *g = live_groups_at(t->groups, i);

		if (g == NULL)
			continue;
		for (k = 0; k < LIVE_TRAP__MAX && r == 0; k++)
			if (g->trap[k] != NULL)
				r = add_trap(fs, &cap, t, g, (enum live_trap)k);
		for (k = 0; k < LIVE_MEMBERS_MAX && r == 0; k++)
			if (g->member[k] != NULL &&
			    g->member[k]->won_dropped >= COSTLY_MIN &&
			    g->member[k]->won_dropped >=
				COSTLY_PART * g->replayed)
				r = add_cost(fs, &cap, t, audit, g, k);
	}
	if (r < 0) {
		live_findings_fini(fs);
		return (r);
	}
	if (fs->n > 0)
		qsort(fs->f, fs->n, sizeof *fs->f, worse);
	return (0);
}

void
live_findings_fini(struct live_findings *fs)
{
	free(fs->f);
	memset(fs, 0, sizeof *fs);
}

const char *
live_level_word(enum live_level l)
{
	switch (l) {
	case LIVE_ERROR: return ("error");
	case LIVE_WARNING: return ("warning");
	case LIVE_NOTE:
	default: return ("note");
	}
}

enum live_verdict
live_member_verdict(
    const struct live_traffic *t, const struct live_audit *audit, unsigned id)
{
	const char *name = live_members_get(t->members, id)->name;
	bool some = false, unknown = false;
	unsigned i;

	if (audit == NULL)
		return (LIVE_NOT_AUDITED);
	for (i = 0; i < live_groups_end(t->groups); i++) {
		const struct live_group *g = live_groups_at(t->groups, i);
		enum live_verdict v;

		if (g == NULL || g->member[id] == NULL ||
		    g->member[id]->declared == 0)
			continue;
		v = live_audit_verdict(
		    audit, live_groups_host(t->groups, g), name);
		if (v == LIVE_UNSAFE)
			return (v);
		some = some || v == LIVE_SAFE;
		unknown = unknown || v == LIVE_NOT_AUDITED;
	}
	/* Safe is what is safe everywhere. */
	return (some && !unknown ? LIVE_SAFE : LIVE_NOT_AUDITED);
}
