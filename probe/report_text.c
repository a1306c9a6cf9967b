/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/report.h"

#include <inttypes.h>
#include <string.h>

enum {
	INNOCENT_SHOWN = 10, /* JSON has them all */
};

static const char *
paint(const struct probe_report_context *c, const char *code)
{
	return (c->colour ? code : "");
}

static const char *
level_paint(const struct probe_report_context *c, enum probe_level l)
{
	return (paint(c, l == PROBE_ERROR     ? "\033[1;31m"
			 : l == PROBE_WARNING ? "\033[1;33m"
					      : "\033[36m"));
}

/* Words between the margins, each line indented. */
static void
wrap(const struct probe_report_context *c, int indent, const char *label,
    const char *text)
{
	int width = c->width > 0 ? c->width : 80, col, len;
	const char *e;

	if (width < indent + 30)
		width = indent + 30;
	col = fprintf(c->f, "%*s%s", indent, "", label);
	while (*text != '\0') {
		while (*text == ' ')
			text++;
		e = text + strcspn(text, " ");
		len = (int)(e - text);
		if (len == 0)
			break;
		if (col > indent + (int)strlen(label) &&
		    col + 1 + len > width) {
			fprintf(c->f, "\n%*s", indent + (int)strlen(label), "");
			col = indent + (int)strlen(label);
		} else if (col > indent + (int)strlen(label)) {
			fputc(' ', c->f);
			col++;
		}
		for (; text < e; text++)
			fputc((unsigned char)*text < 0x20 || *text == 0x7f
				  ? '?'
				  : *text,
			    c->f);
		col += len;
	}
	fputc('\n', c->f);
}

static int
human_begin(struct probe_report_context *c)
{
	return (0);
}

static void
print_evidence(struct probe_report_context *c, const struct probe_evidence *e)
{
	if (e == NULL || (e->a == NULL && e->b == NULL) ||
	    strcmp(e->what, "status") == 0)
		return;
	fprintf(c->f, "      without: ");
	probe_report_put(c->f, e->a != NULL ? e->a : "(nothing there)");
	fprintf(c->f, "\n      with:    ");
	probe_report_put(c->f, e->b != NULL ? e->b : "(nothing there)");
	fputc('\n', c->f);
}

static void
print_finding(struct probe_report_context *c, const struct probe_finding *f)
{
	char head[96];

	fprintf(c->f, "  %s%-7s%s %s%s%s\n", level_paint(c, f->level),
	    probe_level_name(f->level), paint(c, "\033[0m"),
	    probe_rule_name(f->rule), f->member != NULL ? " " : "",
	    f->member != NULL ? f->member : "");
	wrap(c, 6, "", f->message);
	print_evidence(c, f->evidence);
	if (f->evidence != NULL) {
		(void)snprintf(head, sizeof head, "tried:   ");
		wrap(c, 6, head,
		    f->evidence->tried != NULL ? f->evidence->tried
					       : "(absent)");
		if (f->evidence->with != NULL)
			wrap(c, 6,
			    f->evidence->rival ? "and not: " : "besides: ",
			    f->evidence->with);
	}
	if (f->cause.file != NULL) {
		fprintf(c->f, "      cause:   %s:%d: ", f->cause.file,
		    f->cause.line);
		probe_report_put(
		    c->f, f->cause.directive != NULL ? f->cause.directive : "");
		fputc('\n', c->f);
	}
	if (f->likely != NULL)
		wrap(c, 6, "likely:  ", f->likely);
	if (f->fix_origin != NULL)
		wrap(c, 6, "origin:  ", f->fix_origin);
	if (f->fix_vcl != NULL)
		wrap(c, 6, "VCL:     ", f->fix_vcl);
}

/* The members without any effect, in one line: what was tried in vain. */
static void
print_quiet(struct probe_report_context *c, const struct probe_result *r)
{
	char line[1024];
	size_t n = 0;
	int i, tried = 0;

	for (i = 0; i < r->members->nelts; i++) {
		const struct probe_member *m =
		    &APR_ARRAY_IDX(r->members, i, struct probe_member);

		if (m->effect != PROBE_NONE_OBSERVED)
			continue;
		tried += m->tried->nelts;
		if (n + strlen(m->name) + 3 < sizeof line)
			n += (size_t)snprintf(line + n, sizeof line - n, "%s%s",
			    n > 0 ? ", " : "", m->name);
	}
	if (n == 0)
		return;
	if (r->together->nelts > 0)
		(void)snprintf(line + n, sizeof line - n,
		    ", and of %d more headers together", r->together->nelts);
	fprintf(
	    c->f, "  no effect observed with the %d values tried of:\n", tried);
	wrap(c, 6, "", line);
}

/* Lines of --config that somebody would suspect. */
static void
print_innocent(struct probe_report_context *c, const struct probe_result *r)
{
	int i;

	if (r->innocent == NULL || r->innocent->nelts == 0)
		return;
	fprintf(c->f, "  not the cause of anything here:\n");
	for (i = 0; i < r->innocent->nelts && i < INNOCENT_SHOWN; i++) {
		const struct probe_innocent *n =
		    &APR_ARRAY_IDX(r->innocent, i, struct probe_innocent);

		fprintf(c->f, "      ");
		probe_report_put(c->f, n->place.file);
		fprintf(c->f, ":%d: ", n->place.line);
		probe_report_put(
		    c->f, n->place.directive != NULL ? n->place.directive : "");
		fputc('\n', c->f);
		wrap(c, 10, "", n->message);
	}
	if (i < r->innocent->nelts)
		fprintf(c->f, "      and %d more\n", r->innocent->nelts - i);
}

static int
human_target(struct probe_report_context *c, const struct probe_result *r)
{
	int i;

	if (c->number > 0)
		fputc('\n', c->f);
	fprintf(c->f, "%s", paint(c, "\033[1m"));
	probe_report_put(c->f, r->url);
	fprintf(c->f, "%s\n  ", paint(c, "\033[0m"));
	if (r->status != 0)
		fprintf(c->f, "status %d, ", r->status);
	fprintf(c->f, "%s", probe_outcome_name(r->outcome));
	if (r->reason != NULL) {
		fprintf(c->f, ": ");
		probe_report_put(c->f, r->reason);
	}
	fprintf(c->f, " (%u requests)\n", r->requests);
	for (i = 0; i < r->vary_lines->nelts; i++) {
		fprintf(c->f, "  Vary: ");
		probe_report_put(
		    c->f, APR_ARRAY_IDX(r->vary_lines, i, const char *));
		fputc('\n', c->f);
	}
	if (r->vary_lines->nelts == 0 && r->status != 0)
		fprintf(c->f, "  no Vary\n");
	if (r->cost.known) {
		fprintf(c->f,
		    "  %.1f variants; hit ratio at %.0f requests per "
		    "lifetime: %.1f %%",
		    r->cost.variants_effective, r->cost.requests,
		    100 * r->cost.hit_ratio);
		if (r->cost.hit_ratio_fixed > r->cost.hit_ratio)
			fprintf(c->f, ", with the findings fixed: %.1f %%",
			    100 * r->cost.hit_ratio_fixed);
		fputc('\n', c->f);
	}
	for (i = 0; i < r->findings->nelts; i++)
		print_finding(
		    c, &APR_ARRAY_IDX(r->findings, i, struct probe_finding));
	print_innocent(c, r);
	print_quiet(c, r);
	for (i = 0; i < r->notes->nelts; i++)
		wrap(c, 2, "note: ", APR_ARRAY_IDX(r->notes, i, const char *));
	return (ferror(c->f) ? -1 : 0);
}

static int
human_end(struct probe_report_context *c, const struct probe_summary *s)
{
	fprintf(c->f,
	    "\n%" PRIu64 " URL%s: %" PRIu64 " judged, %" PRIu64
	    " unstable, %" PRIu64 " interfered, %" PRIu64
	    " unreachable; worst finding error: %" PRIu64 ", warning: %" PRIu64
	    ", note: %" PRIu64 "; %" PRIu64 " requests\n",
	    s->urls, s->urls == 1 ? "" : "s", s->outcome[PROBE_JUDGED],
	    s->outcome[PROBE_UNSTABLE], s->outcome[PROBE_INTERFERED],
	    s->outcome[PROBE_UNREACHABLE], s->level[PROBE_ERROR],
	    s->level[PROBE_WARNING], s->level[PROBE_NOTE], s->requests);
	return (fflush(c->f) == 0 && !ferror(c->f) ? 0 : -1);
}

const struct probe_report probe_report_human = {
	"human",
	human_begin,
	human_target,
	human_end,
};
