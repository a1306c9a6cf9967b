/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/report.h"

#include <inttypes.h>
#include <string.h>

/*
 * A text file for node_exporter.  The lines of a metric must stand together, and
 * the URLs come one after the other: each metric is gathered in a file of its own
 * until the end.
 */

static void
label(FILE *f, const char *s)
{
	char one[5];
	size_t n;

	for (; *s != '\0'; s += n) {
		n = probe_report_character(s);
		n = n > 0 ? n : 1;
		if (*s == '\\' || *s == '"')
			fputc('\\', f);
		memcpy(one, s, n);
		one[n] = '\0';
		probe_report_put(f, one);
	}
}

static int
begin(struct probe_report_context *c)
{
	int i;

	for (i = 0; i < PROBE_REPORT_PARTS; i++) {
		if (c->part[i] == NULL)
			c->part[i] = tmpfile();
		if (c->part[i] == NULL)
			return (-1);
	}
	return (0);
}

static int
target(struct probe_report_context *c, const struct probe_result *r)
{
	int i;

	fputs("varyprobe_judged{url=\"", c->part[0]);
	label(c->part[0], r->url);
	fprintf(c->part[0], "\",outcome=\"%s\"} %d\n",
	    probe_outcome_name(r->outcome), r->outcome == PROBE_JUDGED);
	for (i = 0; i < r->findings->nelts; i++) {
		const struct probe_finding *f =
		    &APR_ARRAY_IDX(r->findings, i, struct probe_finding);
		int j, same = 0;

		/* One sample for the same labels. */
		for (j = 0; j < i; j++) {
			const struct probe_finding *g = &APR_ARRAY_IDX(
			    r->findings, j, struct probe_finding);

			same |= g->rule == f->rule && g->level == f->level &&
				strcmp(g->member != NULL ? g->member : "",
				    f->member != NULL ? f->member : "") == 0;
		}
		if (same)
			continue;
		fputs("varyprobe_finding{url=\"", c->part[1]);
		label(c->part[1], r->url);
		fprintf(c->part[1], "\",rule=\"%s\",level=\"%s\",member=\"",
		    probe_rule_name(f->rule), probe_level_name(f->level));
		label(c->part[1], f->member != NULL ? f->member : "");
		fputs("\"} 1\n", c->part[1]);
	}
	if (r->cost.known) {
		fputs("varyprobe_hit_ratio{url=\"", c->part[2]);
		label(c->part[2], r->url);
		fprintf(c->part[2], "\"} %.6f\n", r->cost.hit_ratio);
		fputs("varyprobe_hit_ratio_fixed{url=\"", c->part[3]);
		label(c->part[3], r->url);
		fprintf(c->part[3], "\"} %.6f\n", r->cost.hit_ratio_fixed);
	}
	return (0);
}

static int
copy(FILE *from, FILE *to)
{
	char buf[8192];
	size_t n;

	if (ferror(from) || fseek(from, 0, SEEK_SET) != 0)
		return (-1);
	while ((n = fread(buf, 1, sizeof buf, from)) > 0)
		if (fwrite(buf, 1, n, to) != n)
			return (-1);
	return (ferror(from) ? -1 : 0);
}

static int
end(struct probe_report_context *c, const struct probe_summary *s)
{
	static const char *const help[PROBE_REPORT_PARTS] = {
		"# HELP varyprobe_judged Whether the URL could be judged.\n"
		"# TYPE varyprobe_judged gauge\n",
		"# HELP varyprobe_finding A finding of the audit.\n"
		"# TYPE varyprobe_finding gauge\n",
		"# HELP varyprobe_hit_ratio Modelled hit ratio with the Vary "
		"as it is.\n# TYPE varyprobe_hit_ratio gauge\n",
		"# HELP varyprobe_hit_ratio_fixed Modelled hit ratio without "
		"the findings.\n# TYPE varyprobe_hit_ratio_fixed gauge\n",
	};
	int i;

	for (i = 0; i < PROBE_REPORT_PARTS; i++) {
		fputs(help[i], c->f);
		if (copy(c->part[i], c->f) != 0)
			return (-1);
		(void)fclose(c->part[i]);
		c->part[i] = NULL;
	}
	fprintf(c->f,
	    "# HELP varyprobe_requests_sent Requests that the audit has sent.\n"
	    "# TYPE varyprobe_requests_sent gauge\n"
	    "varyprobe_requests_sent %" PRIu64 "\n",
	    s->requests);
	return (ferror(c->f) ? -1 : 0);
}

const struct probe_report probe_report_prometheus = {
	"prometheus",
	begin,
	target,
	end,
};
