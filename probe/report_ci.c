/* SPDX-License-Identifier: BSD-2-Clause */
/* What CI systems read: JUnit's XML, TAP, GitHub's workflow commands. */
#include "probe/report.h"

#include <inttypes.h>
#include <string.h>

#define FINDING(r, i) (&APR_ARRAY_IDX((r)->findings, (i), struct probe_finding))

static int
ok(const struct probe_report_context *c)
{
	return (ferror(c->f) ? -1 : 0);
}

/* --- JUnit --------------------------------------------------------------- */

/* XML 1.0 has no way at all to say most controls: they become '?'. */
static void
xml(FILE *f, const char *s)
{
	char one[5];
	size_t n;

	for (; *s != '\0'; s += n) {
		n = probe_report_character(s);
		switch (*s) {
		case '&': fputs("&amp;", f); break;
		case '<': fputs("&lt;", f); break;
		case '>': fputs("&gt;", f); break;
		case '"': fputs("&quot;", f); break;
		case '\t':
		case '\n': fputc(' ', f); break;
		default:
			n = n > 0 ? n : 1;
			memcpy(one, s, n);
			one[n] = '\0';
			probe_report_put(f, one);
		}
	}
}

static int
junit_begin(struct probe_report_context *c)
{
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	      "<testsuites name=\"varyprobe\">\n",
	    c->f);
	return (ok(c));
}

static int
junit_target(struct probe_report_context *c, const struct probe_result *r)
{
	int i, n = r->findings->nelts, failures = 0;
	int skipped = r->outcome != PROBE_JUDGED;

	for (i = 0; i < n; i++)
		failures += FINDING(r, i)->level >= c->fail_on;
	fprintf(c->f, " <testsuite name=\"");
	xml(c->f, r->url);
	fprintf(c->f,
	    "\" tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\">\n",
	    n + 1, failures, skipped);
	fprintf(c->f, "  <testcase classname=\"");
	xml(c->f, r->url);
	fprintf(c->f, "\" name=\"judged\">");
	if (skipped) {
		fprintf(c->f,
		    "<skipped message=\"%s: ", probe_outcome_name(r->outcome));
		xml(c->f, r->reason != NULL ? r->reason : "");
		fputs("\"/>", c->f);
	}
	fputs("</testcase>\n", c->f);
	for (i = 0; i < n; i++) {
		const struct probe_finding *f = FINDING(r, i);

		fprintf(c->f, "  <testcase classname=\"");
		xml(c->f, r->url);
		fprintf(c->f, "\" name=\"%s%s", probe_rule_name(f->rule),
		    f->member != NULL ? " " : "");
		xml(c->f, f->member != NULL ? f->member : "");
		fputs("\">", c->f);
		if (f->level >= c->fail_on) {
			fprintf(c->f, "<failure type=\"%s\" message=\"",
			    probe_level_name(f->level));
			xml(c->f, f->message);
			fputs("\">", c->f);
			xml(c->f, f->fix_origin != NULL ? f->fix_origin : "");
			fputs("</failure>", c->f);
		} else {
			fputs("<system-out>", c->f);
			xml(c->f, f->message);
			fputs("</system-out>", c->f);
		}
		fputs("</testcase>\n", c->f);
	}
	fputs(" </testsuite>\n", c->f);
	return (ok(c));
}

static int
junit_end(struct probe_report_context *c, const struct probe_summary *s)
{
	fputs("</testsuites>\n", c->f);
	return (ok(c));
}

const struct probe_report probe_report_junit = {
	"junit",
	junit_begin,
	junit_target,
	junit_end,
};

/* --- TAP ----------------------------------------------------------------- */

/* '#' begins a directive, '\' escapes it; a line is a line. */
static void
tap_text(FILE *f, const char *s, int escape)
{
	char one[5];
	size_t n;

	for (; *s != '\0'; s += n) {
		if (escape && (*s == '#' || *s == '\\'))
			fputc('\\', f);
		n = probe_report_character(s);
		n = n > 0 ? n : 1;
		memcpy(one, s, n);
		one[n] = '\0';
		probe_report_put(f, one);
	}
}

static int
tap_begin(struct probe_report_context *c)
{
	fputs("TAP version 13\n", c->f);
	return (ok(c));
}

static int
tap_target(struct probe_report_context *c, const struct probe_result *r)
{
	int i, bad = probe_result_worst(r) >= (int)c->fail_on;

	fprintf(c->f, "%sok %" PRIu64 " - ", bad ? "not " : "", c->number + 1);
	tap_text(c->f, r->url, 1);
	if (r->outcome != PROBE_JUDGED && !bad) {
		fprintf(c->f, " # SKIP %s: ", probe_outcome_name(r->outcome));
		tap_text(c->f, r->reason != NULL ? r->reason : "", 0);
	}
	fputc('\n', c->f);
	for (i = 0; i < r->findings->nelts; i++) {
		const struct probe_finding *f = FINDING(r, i);

		fprintf(c->f, "# %s %s %s: ", probe_level_name(f->level),
		    probe_rule_name(f->rule),
		    f->member != NULL ? f->member : "");
		tap_text(c->f, f->message, 0);
		fputc('\n', c->f);
	}
	return (ok(c));
}

static int
tap_end(struct probe_report_context *c, const struct probe_summary *s)
{
	fprintf(c->f, "1..%" PRIu64 "\n", s->urls);
	return (ok(c));
}

const struct probe_report probe_report_tap = {
	"tap",
	tap_begin,
	tap_target,
	tap_end,
};

/* --- GitHub -------------------------------------------------------------- */

static void
github_text(FILE *f, const char *s, int property)
{
	char one[5];
	size_t n;

	for (; *s != '\0'; s += n) {
		n = probe_report_character(s);
		n = n > 0 ? n : 1;
		switch (*s) {
		case '%': fputs("%25", f); continue;
		case '\r': fputs("%0D", f); continue;
		case '\n': fputs("%0A", f); continue;
		case ':': fputs(property ? "%3A" : ":", f); continue;
		case ',': fputs(property ? "%2C" : ",", f); continue;
		default: break;
		}
		memcpy(one, s, n);
		one[n] = '\0';
		probe_report_put(f, one);
	}
}

static int
github_begin(struct probe_report_context *c)
{
	return (0);
}

static int
github_target(struct probe_report_context *c, const struct probe_result *r)
{
	static const char *const kinds[] = { "notice", "warning", "error" };
	int i;

	if (r->outcome != PROBE_JUDGED) {
		fprintf(c->f,
		    "::warning title=%s::", probe_outcome_name(r->outcome));
		github_text(c->f, r->url, 0);
		fputs(": ", c->f);
		github_text(c->f, r->reason != NULL ? r->reason : "", 0);
		fputc('\n', c->f);
	}
	for (i = 0; i < r->findings->nelts; i++) {
		const struct probe_finding *f = FINDING(r, i);

		fprintf(c->f, "::%s ", kinds[f->level]);
		if (f->cause.file != NULL) {
			fputs("file=", c->f);
			github_text(c->f, f->cause.file, 1);
			fprintf(c->f, ",line=%d,", f->cause.line);
		}
		fprintf(c->f, "title=%s ", probe_rule_name(f->rule));
		github_text(c->f, f->member != NULL ? f->member : "", 1);
		fputs("::", c->f);
		github_text(c->f, r->url, 0);
		fputs(": ", c->f);
		github_text(c->f, f->message, 0);
		fputc('\n', c->f);
	}
	return (ok(c));
}

static int
github_end(struct probe_report_context *c, const struct probe_summary *s)
{
	fprintf(c->f,
	    "::notice title=varyprobe::%" PRIu64 " URLs, %" PRIu64
	    " judged; worst finding error: %" PRIu64 ", warning: %" PRIu64
	    ", note: %" PRIu64 "\n",
	    s->urls, s->outcome[PROBE_JUDGED], s->level[PROBE_ERROR],
	    s->level[PROBE_WARNING], s->level[PROBE_NOTE]);
	return (ok(c));
}

const struct probe_report probe_report_github = {
	"github",
	github_begin,
	github_target,
	github_end,
};
