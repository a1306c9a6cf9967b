/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/* Two places of a percent are what the numbers are good for. */
static json_t *
ratio(double part, double whole)
{
	return (whole > 0 ? json_real(round(1e6 * part / whole) / 1e6)
			  : json_null());
}

static json_t *
number(double v)
{
	return (json_integer((json_int_t)llround(v)));
}

static json_t *
count(uint64_t v)
{
	return (json_integer((json_int_t)v));
}

/* A log holds any bytes; JSON takes UTF-8. */
static json_t *
text(const char *s)
{
	json_t *j = json_string(s);
	char *b, *p;

	if (j != NULL)
		return (j);
	b = strdup(s);
	if (b == NULL)
		return (NULL);
	for (p = b; *p != '\0'; p++)
		if ((unsigned char)*p >= 0x80)
			*p = '?';
	j = json_string(b);
	free(b);
	return (j);
}

static json_t *
source(const struct live_report *r)
{
	const struct live_source *s = r->source;

	return (
	    json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o}",
		"kind", s->kind, "name", text(s->name), "bytes",
		count(s->bytes), "records", count(s->records), "transactions",
		count(s->transactions), "orphans", count(s->orphans),
		"overruns", count(s->overruns), "restarts", count(s->restarts),
		"unread", count(s->unread), "complete", s->complete, "damage",
		s->damage[0] != '\0' ? text(s->damage) : json_null()));
}

static json_t *
handlings(const uint64_t by[LIVE_HANDLING__MAX])
{
	json_t *j = json_object();
	unsigned i;

	for (i = 0; i < LIVE_HANDLING__MAX; i++)
		(void)json_object_set_new(
		    j, live_handling_word((enum live_handling)i), count(by[i]));
	return (j);
}

static json_t *
totals(const struct live_report *r)
{
	const struct live_traffic *t = r->traffic;

	return (json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "requests",
	    count(t->requests), "handling", handlings(t->by), "grace_hits",
	    count(t->grace_hits), "incomplete", count(t->incomplete),
	    "restarted", count(t->restarted), "hit_ratio",
	    ratio(
		(double)t->by[LIVE_HIT], (double)live_report_lookups(t->by))));
}

static const char *
kind(enum live_scenario_kind k)
{
	switch (k) {
	case LIVE_AS_IT_WAS: return ("as-it-was");
	case LIVE_AS_DECLARED: return ("as-declared");
	case LIVE_NO_VARY: return ("no-vary");
	case LIVE_POLICY: return ("policy");
	case LIVE_DROPPED: return ("dropped");
	case LIVE_NORMALISED:
	default: return ("normalised");
	}
}

static json_t *
verdict(enum live_verdict v)
{
	switch (v) {
	case LIVE_SAFE: return (json_true());
	case LIVE_UNSAFE: return (json_false());
	case LIVE_NOT_AUDITED:
	default: return (json_null());
	}
}

static json_t *
replayed(const struct live_report *r)
{
	const struct live_traffic *t = r->traffic;
	struct live_replay_result x;
	json_t *list = json_array();
	unsigned i;

	live_replay_result(t->replay, &x);
	for (i = 0; i < x.scenarios; i++) {
		const struct live_scenario *c = &x.scenario[i];
		json_t *o = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "kind",
		    kind(c->kind), "hit_ratio", ratio(c->hits, x.lookups),
		    "hits_won", number(c->hits - x.scenario[0].hits),
		    "bytes_fetched", number(c->fetched), "bytes_stored_max",
		    count(c->resident_max), "evicted", count(c->evicted));

		if (c->kind >= LIVE_DROPPED) {
			const struct live_member *m =
			    live_members_get(t->members, c->member);

			(void)json_object_set_new(o, "member", text(m->name));
			if (c->kind == LIVE_NORMALISED)
				(void)json_object_set_new(o, "form",
				    json_string(live_rule_text(&m->rule)));
			else
				(void)json_object_set_new(o, "safe",
				    verdict(live_member_verdict(
					t, r->audit, c->member)));
		}
		(void)json_array_append_new(list, o);
	}
	return (json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:f, s:b, s:o}",
	    "lookups", number(x.lookups), "observed_hit_ratio",
	    ratio(x.observed_hits, x.observed), "replayed_hit_ratio",
	    x.observed > 0 ? ratio(x.replayed_hits, x.observed)
			   : ratio(x.scenario[0].hits, x.lookups),
	    "error_points",
	    x.observed > 0
		? json_real(round(1e4 * (x.replayed_hits - x.observed_hits) /
				  x.observed) /
			    1e2)
		: json_null(),
	    "only_observed", number(x.only_observed), "only_replayed",
	    number(x.only_replayed), "assumed", number(x.assumed), "sample",
	    x.sample, "exact", x.sample >= 1, "scenarios", list));
}

static json_t *
members_of(const struct live_report *r, const struct live_group *g)
{
	json_t *list = json_array();
	unsigned i;

	for (i = 0; i < LIVE_MEMBERS_MAX; i++) {
		const struct live_group_member *m = g->member[i];

		if (m == NULL)
			continue;
		(void)json_array_append_new(list,
		    json_pack("{s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o}",
			"name",
			text(live_members_get(r->traffic->members, i)->name),
			"declared", count(m->declared), "distinct",
			count(live_sketch_count(&m->values)), "distinct_exact",
			live_sketch_is_exact(&m->values), "mismatches",
			count(m->mismatches), "repeated", count(m->repeated),
			"lost_hits", number(m->won_dropped), "won_normalised",
			number(m->won_normalised)));
	}
	return (list);
}

static json_t *
group(const struct live_report *r, const struct live_group *g)
{
	const struct live_traffic *t = r->traffic;
	char name[512];
	const char *host = live_groups_host(t->groups, g);
	json_t *varies = json_array(), *o;
	unsigned i;

	live_groups_name(t->groups, g, name, sizeof name);
	for (i = 0; i < LIVE_GROUP_VARIES && g->vary[i].n > 0; i++)
		(void)json_array_append_new(varies,
		    json_pack("{s:o, s:o}", "value", text(g->vary[i].text),
			"responses", count(g->vary[i].n)));
	o = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "host", text(host),
	    "path",
	    text(name + (strlen(host) < strlen(name) ? strlen(host) : 0)),
	    "backend",
	    g->backend == 0
		? json_null()
		: text(live_groups_backend_name(t->groups, g->backend)),
	    "requests", count(g->requests), "handling", handlings(g->by),
	    "hit_ratio",
	    ratio((double)g->by[LIVE_HIT], (double)live_report_lookups(g->by)),
	    "grace_hits", count(g->grace_hits));
	if (o == NULL)
		return (NULL);
	(void)json_object_set_new(
	    o, "urls", count(live_sketch_count(&g->urls)));
	(void)json_object_set_new(
	    o, "variants", count(live_sketch_count(&g->variants)));
	(void)json_object_set_new(o, "variants_exact",
	    json_boolean(live_sketch_is_exact(&g->urls) &&
			 live_sketch_is_exact(&g->variants)));
	(void)json_object_set_new(
	    o, "variants_notice_max", count(g->variants_max));
	(void)json_object_set_new(o, "vary", varies);
	(void)json_object_set_new(o, "vary_other", count(g->vary_other));
	(void)json_object_set_new(o, "vary_absent", count(g->vary_none));
	(void)json_object_set_new(o, "fetches", count(g->fetches));
	(void)json_object_set_new(o, "fetches_failed", count(g->failed));
	(void)json_object_set_new(
	    o, "fetch_seconds", json_real((double)g->fetch_us / 1e6));
	(void)json_object_set_new(o, "bytes_delivered", count(g->bytes));
	(void)json_object_set_new(o, "bytes_stored", count(g->stored_bytes));
	(void)json_object_set_new(o, "lost_hits", number(live_report_lost(g)));
	(void)json_object_set_new(
	    o, "replayed_hit_ratio", ratio(g->replayed_hits, g->replayed));
	(void)json_object_set_new(
	    o, "fixed_hit_ratio", ratio(g->hits_fixed, g->replayed));
	(void)json_object_set_new(o, "members", members_of(r, g));
	return (o);
}

static json_t *
finding(const struct live_report *r, const struct live_finding *f)
{
	char name[512];

	live_groups_name(r->traffic->groups, f->group, name, sizeof name);
	return (json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
	    "rule", f->rule, "level", live_level_word(f->level), "group",
	    text(name), "member",
	    f->members[0] != '\0' ? text(f->members) : json_null(), "count",
	    count(f->count), "lost_hits", number(f->lost), "safe",
	    verdict(f->verdict), "example", text(f->example), "message",
	    text(f->message), "fix", text(f->fix)));
}

static int
write_out(json_t *j, FILE *out)
{
	int e;

	if (j == NULL)
		return (-ENOMEM);
	e = json_dumpf(j, out, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
	json_decref(j);
	if (e != 0 || fputc('\n', out) == EOF || fflush(out) != 0)
		return (-EIO);
	return (0);
}

int
live_report_json(const struct live_report *r, FILE *out)
{
	const struct live_traffic *t = r->traffic;
	const struct live_group **g;
	json_t *groups = json_array(), *findings = json_array(), *j;
	unsigned n, i;
	int e;

	e = live_report_groups(r, &g, &n);
	if (e < 0) {
		json_decref(groups);
		json_decref(findings);
		return (e);
	}
	for (i = 0; i < n && i < r->top; i++)
		(void)json_array_append_new(groups, group(r, g[i]));
	free(g);
	for (i = 0; i < r->findings->n; i++)
		(void)json_array_append_new(
		    findings, finding(r, &r->findings->f[i]));
	j = json_pack(
	    "{s:s, s:o, s:{s:f, s:f}, s:o, s:o, s:s, s:o, s:o, s:o, s:o}",
	    "schema", "varykit.live/1", "source", source(r), "period", "start",
	    (double)t->first_us / 1e6, "end", (double)t->last_us / 1e6,
	    "totals", totals(r), "replay", replayed(r), "gzip_support",
	    t->gzip == LIVE_GZIP_OFF ? "off" : "on", "policy",
	    r->policy != NULL ? text(r->policy) : json_null(), "groups", groups,
	    "groups_left_out", count(n > r->top ? n - r->top : 0), "findings",
	    findings);
	return (write_out(j, out));
}

/* --- For diskbench -------------------------------------------------------- */

/* What was seen, which diskbench does not read: for people. */
static json_t *
seen(const struct live_disk_side *s)
{
	json_t *list = json_array();
	unsigned i;

	for (i = 0; i < LIVE_DISK_BINS; i++)
		if (s->bin[i].n > 0)
			(void)json_array_append_new(
			    list, json_pack("{s:I, s:o, s:o}", "bytes_max",
				      ((json_int_t)1 << i) - 1, "objects",
				      count(s->bin[i].n), "bytes",
				      count(s->bin[i].bytes)));
	return (json_pack("{s:o, s:o, s:o}", "objects", count(s->objects),
	    "bytes", count(s->bytes), "sizes", list));
}

/* Requests for each of `objects`; *ret the list of their sizes. */
static double
requests(const struct live_disk_side *s, double objects, json_t **ret)
{
	struct live_disk_size size[LIVE_DISK_BINS];
	unsigned n = live_disk_sizes(s, size), i;
	double all = 0;

	*ret = json_array();
	for (i = 0; i < n; i++)
		all += (double)size[i].requests;
	for (i = 0; i < n; i++) {
		double share = 1e6 * (double)size[i].requests / all;

		/* One in a million is the least that can be said. */
		(void)json_array_append_new(*ret,
		    json_pack("{s:I, s:I}", "bytes", (json_int_t)size[i].bytes,
			"share", share < 1 ? 1 : (json_int_t)llround(share)));
	}
	return (all / objects);
}

int
live_report_workload(const struct live_report *r, FILE *out)
{
	const struct live_disk *d = &r->traffic->disk;
	double all = (double)(d->read.objects + d->write.objects);
	double wall = (double)(d->last_us - d->first_us) / 1e6;
	json_t *streams = json_array(), *sizes;
	json_int_t percent;
	double hits, each;

	if (all <= 0) {
		json_decref(streams);
		return (-ENODATA);
	}
	/*
	 * A percent is whole: what it is rounded by goes to the requests for
	 * each hit and miss, so that a second's reads and writes are as seen.
	 */
	hits = (double)d->read.objects / all;
	percent = (json_int_t)llround(100 * hits);
	if (percent == 0 && d->read.objects > 0)
		percent = 1;
	if (percent == 100 && d->write.objects > 0)
		percent = 99;
	if (d->read.objects > 0) {
		each = requests(&d->read, all * (double)percent / 100, &sizes);
		(void)json_array_append_new(streams,
		    json_pack("{s:s, s:s, s:s, s:I, s:f, s:I, s:o}", "name",
			"hits", "rw", "read", "pattern", "random", "in_flight",
			(json_int_t)live_disk_in_flight(d), "per_hit", each,
			"align", (json_int_t)LIVE_DISK_BLOCK, "sizes", sizes));
	}
	if (d->write.objects > 0) {
		each = requests(
		    &d->write, all * (double)(100 - percent) / 100, &sizes);
		(void)json_array_append_new(streams,
		    json_pack("{s:s, s:s, s:s, s:I, s:f, s:I, s:o}", "name",
			"stores", "rw", "write", "pattern", "random",
			"in_flight", (json_int_t)live_disk_in_flight(d),
			"per_miss", each, "align", (json_int_t)LIVE_DISK_BLOCK,
			"sizes", sizes));
	}
	return (write_out(
	    json_pack("{s:s, s:s, s:s, s:s, s:I, s:f, s:o, "
		      "s:{s:s, s:s, s:f, s:o, s:f, s:o, s:f, s:f, s:o, s:o, "
		      "s:o}}",
		"schema", "varykit.workload/1", "name", "site", "description",
		"what a site asks of its cache, seen by varylive", "basis",
		"observed", "hit_percent", percent, "object_bytes",
		(double)(d->read.bytes + d->write.bytes) / all, "streams",
		streams, "generator", "name", "varylive", "source",
		r->source->kind, "seconds", wall, "requests",
		count(d->requests), "hit_ratio", round(1e6 * hits) / 1e6,
		"hits_without_body", count(d->empty), "concurrency",
		live_disk_concurrency(d), "objects_per_second",
		wall > 0 ? all / wall : 0.0, "requests_per_second_max",
		count(d->per_second_max), "read", seen(&d->read), "write",
		seen(&d->write)),
	    out));
}
