/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/report.h"

#include <errno.h>
#include <stdlib.h>

/*
 * The text format of Prometheus: a label's value has \, " and line feeds
 * escaped, and must be UTF-8; a log's bytes need not be.
 */
static void
label(FILE *f, const char *s)
{
	for (; *s != '\0'; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '\\' || c == '"')
			(void)fprintf(f, "\\%c", c);
		else if (c == '\n')
			(void)fputs("\\n", f);
		else if (c < 0x20 || c >= 0x7f)
			(void)fputc('?', f);
		else
			(void)fputc(c, f);
	}
}

static void
family(FILE *f, const char *name, const char *type, const char *help)
{
	(void)fprintf(f, "# HELP varylive_%s %s\n# TYPE varylive_%s %s\n", name,
	    help, name, type);
}

static void
where(FILE *f, const struct live_report *r, const struct live_group *g)
{
	char name[512];

	live_groups_name(r->traffic->groups, g, name, sizeof name);
	(void)fputs("group=\"", f);
	label(f, name);
	(void)fputs("\",backend=\"", f);
	label(f, live_groups_backend_name(r->traffic->groups, g->backend));
	(void)fputc('"', f);
}

static void
scenarios(FILE *f, const struct live_report *r)
{
	const struct live_traffic *t = r->traffic;
	struct live_replay_result x;
	unsigned i;

	live_replay_result(t->replay, &x);
	if (x.lookups <= 0)
		return;
	if (x.observed > 0) {
		family(f, "replay_error_ratio", "gauge",
		    "Replayed minus observed hit ratio.");
		(void)fprintf(f, "varylive_replay_error_ratio %.6f\n",
		    (x.replayed_hits - x.observed_hits) / x.observed);
	}
	family(f, "replay_sample_ratio", "gauge",
	    "Part of the URLs that is replayed.");
	(void)fprintf(f, "varylive_replay_sample_ratio %.6g\n", x.sample);
	family(f, "member_lost_hits", "gauge",
	    "Hits that a member of Vary costs, by the replay.");
	for (i = 0; i < x.scenarios; i++) {
		if (x.scenario[i].kind != LIVE_DROPPED)
			continue;
		(void)fputs("varylive_member_lost_hits{member=\"", f);
		label(f,
		    live_members_get(t->members, x.scenario[i].member)->name);
		(void)fprintf(
		    f, "\"} %.0f\n", x.scenario[i].hits - x.scenario[0].hits);
	}
}

static void
findings(FILE *f, const struct live_report *r)
{
	unsigned i;

	family(f, "findings", "gauge",
	    "Findings by rule and group; the value is how often it was seen.");
	for (i = 0; i < r->findings->n; i++) {
		const struct live_finding *x = &r->findings->f[i];

		(void)fprintf(f, "varylive_findings{rule=\"%s\",level=\"%s\",",
		    x->rule, live_level_word(x->level));
		where(f, r, x->group);
		(void)fputs(",member=\"", f);
		label(f, x->members);
		(void)fprintf(f, "\"} %llu\n", (unsigned long long)x->count);
	}
}

int
live_report_prometheus(const struct live_report *r, FILE *f)
{
	const struct live_traffic *t = r->traffic;
	const struct live_group **g;
	unsigned n, i, k;
	int e;

	e = live_report_groups(r, &g, &n);
	if (e < 0)
		return (e);
	if (n > r->top)
		n = r->top;
	family(f, "requests_total", "counter", "Requests by how they went.");
	for (i = 0; i < LIVE_HANDLING__MAX; i++)
		(void)fprintf(f,
		    "varylive_requests_total{handling=\"%s\"} %llu\n",
		    live_handling_word((enum live_handling)i),
		    (unsigned long long)t->by[i]);
	family(f, "overruns_total", "counter",
	    "Times that the log was faster than its reader.");
	(void)fprintf(f, "varylive_overruns_total %llu\n",
	    (unsigned long long)r->source->overruns);
	family(f, "group_requests_total", "counter",
	    "Requests by group, backend and how they went.");
	for (i = 0; i < n; i++) {
		for (k = 0; k < LIVE_HANDLING__MAX; k++) {
			if (g[i]->by[k] == 0)
				continue;
			(void)fputs("varylive_group_requests_total{", f);
			where(f, r, g[i]);
			(void)fprintf(f, ",handling=\"%s\"} %llu\n",
			    live_handling_word((enum live_handling)k),
			    (unsigned long long)g[i]->by[k]);
		}
	}
	family(f, "group_variants", "gauge",
	    "Different variants looked up, by group and backend.");
	for (i = 0; i < n; i++) {
		(void)fputs("varylive_group_variants{", f);
		where(f, r, g[i]);
		(void)fprintf(f, "} %llu\n",
		    (unsigned long long)live_sketch_count(&g[i]->variants));
	}
	family(f, "group_lost_hits", "gauge",
	    "Hits lost to the group's most costly member of Vary.");
	for (i = 0; i < n; i++) {
		(void)fputs("varylive_group_lost_hits{", f);
		where(f, r, g[i]);
		(void)fprintf(f, "} %.0f\n", live_report_lost(g[i]));
	}
	free(g);
	scenarios(f, r);
	findings(f, r);
	return (fflush(f) != 0 || ferror(f) ? -EIO : 0);
}
