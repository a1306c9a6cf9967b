/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/report.h"

#include <string.h>

static const struct probe_report *const reports[] = {
	&probe_report_human,
	&probe_report_json,
	&probe_report_ndjson,
	&probe_report_sarif,
	&probe_report_junit,
	&probe_report_tap,
	&probe_report_github,
	&probe_report_prometheus,
};

enum {
	NREPORTS = sizeof reports / sizeof *reports
};

const struct probe_report *
probe_report_find(const char *name)
{
	size_t i;

	for (i = 0; i < NREPORTS; i++)
		if (strcmp(reports[i]->name, name) == 0)
			return (reports[i]);
	return (NULL);
}

const char *
probe_report_names(void)
{
	static char names[256];
	size_t i, n = 0;

	for (i = 0; i < NREPORTS && n < sizeof names; i++)
		n += (size_t)snprintf(names + n, sizeof names - n, "%s%s",
		    i > 0 ? ", " : "", reports[i]->name);
	return (names);
}

void
probe_summary_add(struct probe_summary *s, const struct probe_result *r)
{
	int i, worst = probe_result_worst(r);

	s->urls++;
	s->outcome[r->outcome]++;
	if (worst >= 0)
		s->level[worst]++;
	for (i = 0; i < r->findings->nelts; i++)
		s->rule[APR_ARRAY_IDX(r->findings, i, struct probe_finding)
			    .rule]++;
	s->requests += r->requests;
}
