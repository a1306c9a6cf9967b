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

size_t
probe_report_character(const char *s)
{
	const unsigned char *u = (const unsigned char *)s;
	size_t n, k;

	if (*u < 0x80)
		return (1);
	n = *u >= 0xf0 && *u < 0xf5   ? 4
	    : *u >= 0xe0 && *u < 0xf0 ? 3
	    : *u >= 0xc2 && *u < 0xe0 ? 2
				      : 0;
	for (k = 1; k < n; k++)
		if ((u[k] & 0xc0) != 0x80)
			return (0);
	/* a longer form than it takes, a surrogate, above the last one */
	if ((*u == 0xe0 && u[1] < 0xa0) || (*u == 0xed && u[1] > 0x9f) ||
	    (*u == 0xf0 && u[1] < 0x90) || (*u == 0xf4 && u[1] > 0x8f))
		return (0);
	return (n);
}

void
probe_report_put(FILE *f, const char *s)
{
	size_t n;

	for (; *s != '\0'; s += n > 0 ? n : 1) {
		n = probe_report_character(s);
		if (n == 0 ||
		    (n == 1 && ((unsigned char)*s < 0x20 || *s == 0x7f)))
			fputc('?', f);
		else
			(void)fwrite(s, 1, n, f);
	}
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
