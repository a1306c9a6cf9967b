/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/report.h"

#include <math.h>

#include "probe/json.h"

static void
text(struct probe_json *j, const char *name, const char *value)
{
	probe_json_name(j, name);
	probe_json_string(j, value);
}

static void
integer(struct probe_json *j, const char *name, int64_t value)
{
	probe_json_name(j, name);
	probe_json_integer(j, value);
}

static void
real(struct probe_json *j, const char *name, double value)
{
	probe_json_name(j, name);
	probe_json_real(j, value);
}

/* Shares of one: six digits are more than anybody measures. */
static void
share(struct probe_json *j, const char *name, double value)
{
	real(j, name, round(value * 1e6) / 1e6);
}

static void
boolean(struct probe_json *j, const char *name, bool value)
{
	probe_json_name(j, name);
	probe_json_bool(j, value);
}

static void
texts(struct probe_json *j, const char *name, const apr_array_header_t *a)
{
	int i;

	probe_json_name(j, name);
	probe_json_open(j, '[');
	for (i = 0; i < a->nelts; i++)
		probe_json_string(j, APR_ARRAY_IDX(a, i, const char *));
	probe_json_close(j, ']');
}

static void
evidence(struct probe_json *j, const struct probe_evidence *e)
{
	probe_json_name(j, "evidence");
	if (e == NULL) {
		probe_json_string(j, NULL);
		return;
	}
	probe_json_open(j, '{');
	text(j, "tried", e->tried != NULL ? e->tried : "(absent)");
	text(j, "with", e->with);
	text(j, "what", e->what);
	text(j, "header", e->header);
	integer(j, "offset", (int64_t)e->offset);
	text(j, "a", e->a);
	text(j, "b", e->b);
	boolean(j, "coding_only", e->coding_only);
	probe_json_close(j, '}');
}

static void
member(struct probe_json *j, const struct probe_member *m)
{
	probe_json_open(j, '{');
	text(j, "name", m->name);
	text(j, "declared", probe_declared_name(m->declared));
	text(j, "effect", probe_effect_name(m->effect));
	texts(j, "tried", m->tried);
	texts(j, "with_effect", m->works);
	real(j, "p", m->p);
	integer(j, "pairs", m->pairs);
	evidence(j, m->evidence);
	if (m->variants > 0)
		real(j, "variants", m->variants);
	probe_json_close(j, '}');
}

static void
place(struct probe_json *j, const struct probe_cause *c)
{
	text(j, "file", c->file);
	integer(j, "line", c->line);
	text(j, "directive", c->directive);
}

static void
finding(struct probe_json *j, const struct probe_finding *f)
{
	probe_json_open(j, '{');
	text(j, "rule", probe_rule_name(f->rule));
	text(j, "member", f->member);
	text(j, "level", probe_level_name(f->level));
	text(j, "message", f->message);
	probe_json_name(j, "fix");
	probe_json_open(j, '{');
	text(j, "origin", f->fix_origin);
	text(j, "vcl", f->fix_vcl);
	probe_json_close(j, '}');
	evidence(j, f->evidence);
	probe_json_name(j, "cause");
	if (f->cause.file != NULL) {
		probe_json_open(j, '{');
		place(j, &f->cause);
		probe_json_close(j, '}');
	} else
		probe_json_string(j, NULL);
	text(j, "likely_cause", f->likely);
	probe_json_close(j, '}');
}

static void
cost(struct probe_json *j, const struct probe_cost *c)
{
	probe_json_name(j, "cost");
	if (!c->known) {
		probe_json_string(j, NULL);
		return;
	}
	probe_json_open(j, '{');
	real(j, "requests_per_ttl", c->requests);
	share(j, "variants_effective", c->variants_effective);
	share(j, "hit_ratio", c->hit_ratio);
	share(j, "hit_ratio_fixed", c->hit_ratio_fixed);
	probe_json_close(j, '}');
}

static void
innocents(struct probe_json *j, const apr_array_header_t *a)
{
	int i;

	probe_json_name(j, "innocent");
	probe_json_open(j, '[');
	for (i = 0; i < a->nelts; i++) {
		const struct probe_innocent *n =
		    &APR_ARRAY_IDX(a, i, struct probe_innocent);

		probe_json_open(j, '{');
		place(j, &n->place);
		text(j, "member", n->member);
		text(j, "why", probe_innocence_name(n->why));
		text(j, "message", n->message);
		probe_json_close(j, '}');
	}
	probe_json_close(j, ']');
}

static void
target(struct probe_json *j, const struct probe_result *r)
{
	int i;

	text(j, "url", r->url);
	integer(j, "status", r->status);
	text(j, "outcome", probe_outcome_name(r->outcome));
	text(j, "reason", r->reason);
	probe_json_name(j, "vary");
	probe_json_open(j, '{');
	texts(j, "lines", r->vary_lines);
	texts(j, "members", r->vary_members);
	probe_json_close(j, '}');
	probe_json_name(j, "cacheable");
	probe_json_open(j, '{');
	boolean(j, "stored", r->cacheable);
	text(j, "why", r->cacheable_why);
	probe_json_close(j, '}');
	probe_json_name(j, "members");
	probe_json_open(j, '[');
	for (i = 0; i < r->members->nelts; i++)
		member(j, &APR_ARRAY_IDX(r->members, i, struct probe_member));
	probe_json_close(j, ']');
	probe_json_name(j, "findings");
	probe_json_open(j, '[');
	for (i = 0; i < r->findings->nelts; i++)
		finding(
		    j, &APR_ARRAY_IDX(r->findings, i, struct probe_finding));
	probe_json_close(j, ']');
	cost(j, &r->cost);
	texts(j, "notes", r->notes);
	texts(j, "tried_together", r->together);
	integer(j, "requests", r->requests);
	if (r->innocent != NULL)
		innocents(j, r->innocent);
}

static void
summary(struct probe_json *j, const struct probe_summary *s)
{
	int i;

	integer(j, "urls", (int64_t)s->urls);
	probe_json_name(j, "outcomes");
	probe_json_open(j, '{');
	for (i = 0; i < 4; i++)
		integer(j, probe_outcome_name((enum probe_outcome)i),
		    (int64_t)s->outcome[i]);
	probe_json_close(j, '}');
	probe_json_name(j, "worst");
	probe_json_open(j, '{');
	for (i = 0; i < 3; i++)
		integer(j, probe_level_name((enum probe_level)i),
		    (int64_t)s->level[i]);
	probe_json_close(j, '}');
	probe_json_name(j, "findings");
	probe_json_open(j, '{');
	for (i = 0; i < PROBE_NRULES; i++)
		if (s->rule[i] > 0)
			integer(j, probe_rule_name((enum probe_rule)i),
			    (int64_t)s->rule[i]);
	probe_json_close(j, '}');
	integer(j, "requests", (int64_t)s->requests);
}

/* One object, of a target or, where there is none, of the summary; of which kind,
 * where each stands on a line of its own.  Gives back what it was written in. */
static int
print(FILE *f, const struct probe_result *r, const struct probe_summary *s,
    const char *kind)
{
	struct probe_json j = { .compact = kind != NULL };
	bool ok;

	probe_json_open(&j, '{');
	if (r != NULL)
		target(&j, r);
	else
		summary(&j, s);
	if (kind != NULL) {
		text(&j, "schema", "varykit.audit/1");
		text(&j, "kind", kind);
	}
	probe_json_close(&j, '}');
	ok = !j.nomem && fwrite(j.b, 1, j.len, f) == j.len &&
	     (kind == NULL || fputc('\n', f) != EOF);
	probe_json_fini(&j);
	return (ok ? 0 : -1);
}

/* --- one document -------------------------------------------------------- */

static int
json_begin(struct probe_report_context *c)
{
	return (fprintf(c->f,
		    "{\"schema\": \"varykit.audit/1\",\n"
		    " \"cache_profile\": \"%s\",\n \"targets\": [",
		    c->profile) < 0
		    ? -1
		    : 0);
}

static int
json_target(struct probe_report_context *c, const struct probe_result *r)
{
	if (fputs(c->number > 0 ? ",\n" : "\n", c->f) == EOF)
		return (-1);
	return (print(c->f, r, NULL, NULL));
}

static int
json_end(struct probe_report_context *c, const struct probe_summary *s)
{
	if (fputs("],\n \"summary\": ", c->f) == EOF ||
	    print(c->f, NULL, s, NULL) != 0 || fputs("}\n", c->f) == EOF)
		return (-1);
	return (0);
}

const struct probe_report probe_report_json = {
	"json",
	json_begin,
	json_target,
	json_end,
};

/* --- a line each --------------------------------------------------------- */

static int
ndjson_begin(struct probe_report_context *c)
{
	return (0);
}

static int
ndjson_target(struct probe_report_context *c, const struct probe_result *r)
{
	/* Whoever reads a pipe wants each line when it is known. */
	return (
	    print(c->f, r, NULL, "target") == 0 && fflush(c->f) == 0 ? 0 : -1);
}

static int
ndjson_end(struct probe_report_context *c, const struct probe_summary *s)
{
	return (
	    print(c->f, NULL, s, "summary") == 0 && fflush(c->f) == 0 ? 0 : -1);
}

const struct probe_report probe_report_ndjson = {
	"ndjson",
	ndjson_begin,
	ndjson_target,
	ndjson_end,
};
