/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/report.h"

#include <apr_strings.h>

static const char *
where(const struct scan_place *p, apr_pool_t *pool)
{
	const char *file = scan_printable(p->file, pool);

	if (p->line == 0)
		return (file);
	if (p->line_last > p->line)
		return (apr_psprintf(
		    pool, "%s:%u-%u", file, p->line, p->line_last));
	return (apr_psprintf(pool, "%s:%u", file, p->line));
}

static const char *
when_text(enum scan_when w)
{
	switch (w) {
	case SCAN_ALWAYS: return ("always");
	case SCAN_HEADER_SENT: return ("when the request has the header");
	case SCAN_RULE_MATCHES:
		return ("when the request has the header and the rule matches");
	case SCAN_ONLY_STATUS: return ("on that status only");
	case SCAN_POSSIBLE: break;
	}
	return ("possibly");
}

static const char *
eras_text(const struct scan_result *r, unsigned eras)
{
	return (r->server == SCAN_SERVER_APACHE ? scan_eras_text(eras)
						: scan_server_name(r->server));
}

static const char *
paint(enum scan_level l, const struct scan_view *v)
{
	if (!v->colour)
		return ("");
	switch (l) {
	case SCAN_NOTE: return ("\033[36m");
	case SCAN_WARNING: return ("\033[35m");
	case SCAN_ERROR: break;
	}
	return ("\033[31m");
}

static void
finding(FILE *f, const struct scan_result *r, const struct scan_finding *x,
    const struct scan_view *v, apr_pool_t *pool)
{
	fprintf(f, "%s: %s%s%s: %s [%s]\n", where(&x->place, pool),
	    paint(x->level, v), scan_level_name(x->level),
	    v->colour ? "\033[0m" : "", scan_printable(x->message, pool),
	    x->rule);
	if (x->place.directive != NULL)
		fprintf(f, "    %s%s%s: %s, %s\n",
		    scan_printable(x->place.directive, pool),
		    x->member != NULL ? ", " : "",
		    x->member != NULL ? scan_printable(x->member, pool) : "",
		    when_text(x->when), eras_text(r, x->eras));
	if (x->fix != NULL)
		fprintf(f, "    fix: %s\n", scan_printable(x->fix, pool));
	if (x->caution != NULL)
		fprintf(f, "    caution: %s\n", x->caution);
}

static void
changes(FILE *f, const struct scan_result *r, apr_pool_t *pool)
{
	int i;
	unsigned from = 0;

	for (i = 0; i < r->changes->nelts; i++) {
		const struct scan_change *c =
		    &APR_ARRAY_IDX(r->changes, i, struct scan_change);

		if (from != c->from)
			fprintf(f, "\nan upgrade, %s to %s, changes Vary:\n",
			    scan_eras_text(c->from), scan_eras_text(c->to));
		from = c->from;
		fprintf(f, "    %s: %s %s (%s, %s)\n", where(&c->place, pool),
		    scan_printable(c->member, pool),
		    c->comes ? "comes" : "goes",
		    scan_printable(c->place.directive, pool),
		    when_text(c->when));
	}
}

static void
sources(FILE *f, const struct scan_result *r, apr_pool_t *pool)
{
	int i;

	if (r->sources->nelts > 0)
		fprintf(f, "\nwhat adds to Vary:\n");
	for (i = 0; i < r->sources->nelts; i++) {
		const struct scan_source *s =
		    &APR_ARRAY_IDX(r->sources, i, struct scan_source);

		fprintf(f, "    %s: %s (%s%s%s): %s, %s%s\n",
		    where(&s->place, pool), scan_printable(s->member, pool),
		    scan_printable(s->place.directive, pool),
		    s->scope != NULL ? " in " : "",
		    s->scope != NULL ? scan_printable(s->scope, pool) : "",
		    when_text(s->when), eras_text(r, s->eras),
		    s->any_status ? ", errors too" : "");
	}
}

int
scan_report_text(FILE *f, const struct scan_result *r,
    const struct scan_view *v, apr_pool_t *scratch_pool)
{
	unsigned count[SCAN_ERROR + 1] = { 0 };
	int i;

	for (i = 0; i < r->findings->nelts; i++) {
		const struct scan_finding *x =
		    &APR_ARRAY_IDX(r->findings, i, struct scan_finding);

		count[x->level]++;
		finding(f, r, x, v, scratch_pool);
	}
	changes(f, r, scratch_pool);
	if (v->all)
		sources(f, r, scratch_pool);
	if (r->findings->nelts > 0 || r->changes->nelts > 0 || v->all)
		fputc('\n', f);
	fprintf(f, "%zu file%s read: %u error%s, %u warning%s, %u note%s\n",
	    r->files, r->files == 1 ? "" : "s", count[SCAN_ERROR],
	    count[SCAN_ERROR] == 1 ? "" : "s", count[SCAN_WARNING],
	    count[SCAN_WARNING] == 1 ? "" : "s", count[SCAN_NOTE],
	    count[SCAN_NOTE] == 1 ? "" : "s");
	return (ferror(f) ? -1 : 0);
}
