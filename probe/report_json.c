/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "probe/report.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/*
 * A string of anybody's bytes: JSON is UTF-8, so that a byte which is none
 * becomes U+FFFD.
 */
static json_t *
text(const char *s)
{
	static const char bad[] = "\xef\xbf\xbd";
	json_t *j;
	char *fixed;
	size_t i, n = 0, len;

	if (s == NULL)
		return (json_null());
	j = json_string(s);
	if (j != NULL)
		return (j);
	len = strlen(s);
	fixed = malloc(3 * len + 1);
	if (fixed == NULL)
		return (NULL);
	for (i = 0; i < len; i++)
		if ((unsigned char)s[i] < 0x80)
			fixed[n++] = s[i];
		else {
			memcpy(fixed + n, bad, 3);
			n += 3;
		}
	j = json_stringn(fixed, n);
	free(fixed);
	return (j);
}

static json_t *
texts(const apr_array_header_t *a)
{
	json_t *j = json_array();
	int i;

	for (i = 0; i < a->nelts; i++)
		(void)json_array_append_new(
		    j, text(APR_ARRAY_IDX(a, i, const char *)));
	return (j);
}

static json_t *
evidence(const struct probe_evidence *e)
{
	if (e == NULL)
		return (json_null());
	return (json_pack("{s:o, s:o, s:s, s:o, s:I, s:o, s:o, s:b}", "tried",
	    e->tried != NULL ? text(e->tried) : json_string("(absent)"), "with",
	    text(e->with), "what", e->what, "header", text(e->header), "offset",
	    (json_int_t)e->offset, "a", text(e->a), "b", text(e->b),
	    "coding_only", e->coding_only ? 1 : 0));
}

static json_t *
member(const struct probe_member *m)
{
	json_t *j;

	j = json_pack("{s:o, s:s, s:s, s:o, s:o, s:f, s:i, s:o}", "name",
	    text(m->name), "declared", probe_declared_name(m->declared),
	    "effect", probe_effect_name(m->effect), "tried", texts(m->tried),
	    "with_effect", texts(m->works), "p", m->p, "pairs", m->pairs,
	    "evidence", evidence(m->evidence));
	if (m->variants > 0)
		(void)json_object_set_new(
		    j, "variants", json_real(m->variants));
	return (j);
}

static json_t *
cause(const struct probe_cause *c)
{
	if (c->file == NULL)
		return (json_null());
	return (json_pack("{s:o, s:i, s:o}", "file", text(c->file), "line",
	    c->line, "directive", text(c->directive)));
}

static json_t *
innocent(const apr_array_header_t *a)
{
	json_t *j = json_array(), *o;
	int i;

	for (i = 0; i < a->nelts; i++) {
		const struct probe_innocent *n =
		    &APR_ARRAY_IDX(a, i, struct probe_innocent);

		o = cause(&n->place);
		(void)json_object_set_new(o, "member", text(n->member));
		(void)json_object_set_new(
		    o, "why", json_string(probe_innocence_name(n->why)));
		(void)json_object_set_new(o, "message", text(n->message));
		(void)json_array_append_new(j, o);
	}
	return (j);
}

static json_t *
finding(const struct probe_finding *f)
{
	return (json_pack("{s:s, s:o, s:s, s:o, s:{s:o, s:o}, s:o, s:o, s:o}",
	    "rule", probe_rule_name(f->rule), "member", text(f->member),
	    "level", probe_level_name(f->level), "message", text(f->message),
	    "fix", "origin", text(f->fix_origin), "vcl", text(f->fix_vcl),
	    "evidence", evidence(f->evidence), "cause", cause(&f->cause),
	    "likely_cause", text(f->likely)));
}

/* Shares of one: six digits are more than anybody measures. */
static json_t *
share(double d)
{
	return (json_real(round(d * 1e6) / 1e6));
}

static json_t *
target(const struct probe_result *r)
{
	json_t *members = json_array(), *findings = json_array();
	json_t *cost = json_null(), *j;
	int i;

	for (i = 0; i < r->members->nelts; i++)
		(void)json_array_append_new(members,
		    member(&APR_ARRAY_IDX(r->members, i, struct probe_member)));
	for (i = 0; i < r->findings->nelts; i++)
		(void)json_array_append_new(findings,
		    finding(
			&APR_ARRAY_IDX(r->findings, i, struct probe_finding)));
	if (r->cost.known)
		cost = json_pack("{s:f, s:o, s:o, s:o}", "requests_per_ttl",
		    r->cost.requests, "variants_effective",
		    share(r->cost.variants_effective), "hit_ratio",
		    share(r->cost.hit_ratio), "hit_ratio_fixed",
		    share(r->cost.hit_ratio_fixed));
	j = json_pack(
	    "{s:o, s:i, s:s, s:o, s:{s:o, s:o}, s:{s:b, s:o}, s:o, s:o, s:o, "
	    "s:o, s:o, s:i}",
	    "url", text(r->url), "status", r->status, "outcome",
	    probe_outcome_name(r->outcome), "reason", text(r->reason), "vary",
	    "lines", texts(r->vary_lines), "members", texts(r->vary_members),
	    "cacheable", "stored", r->cacheable ? 1 : 0, "why",
	    text(r->cacheable_why), "members", members, "findings", findings,
	    "cost", cost, "notes", texts(r->notes), "tried_together",
	    texts(r->together), "requests", (int)r->requests);
	if (r->innocent != NULL)
		(void)json_object_set_new(j, "innocent", innocent(r->innocent));
	return (j);
}

static json_t *
summary(const struct probe_summary *s)
{
	json_t *rules = json_object(), *outcomes = json_object(),
	       *levels = json_object();
	int i;

	for (i = 0; i < PROBE_NRULES; i++)
		if (s->rule[i] > 0)
			(void)json_object_set_new(rules,
			    probe_rule_name((enum probe_rule)i),
			    json_integer((json_int_t)s->rule[i]));
	for (i = 0; i < 4; i++)
		(void)json_object_set_new(outcomes,
		    probe_outcome_name((enum probe_outcome)i),
		    json_integer((json_int_t)s->outcome[i]));
	for (i = 0; i < 3; i++)
		(void)json_object_set_new(levels,
		    probe_level_name((enum probe_level)i),
		    json_integer((json_int_t)s->level[i]));
	return (json_pack("{s:I, s:o, s:o, s:o, s:I}", "urls",
	    (json_int_t)s->urls, "outcomes", outcomes, "worst", levels,
	    "findings", rules, "requests", (json_int_t)s->requests));
}

/* Print and give back; indented for people, or on one line. */
static int
print(FILE *f, json_t *j, bool line)
{
	int r;

	if (j == NULL)
		return (-1);
	r = json_dumpf(j, f,
	    (line ? JSON_COMPACT : JSON_INDENT(1)) | JSON_REAL_PRECISION(8));
	json_decref(j);
	return (r != 0 || ferror(f) ? -1 : 0);
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
	return (print(c->f, target(r), false));
}

static int
json_end(struct probe_report_context *c, const struct probe_summary *s)
{
	if (fputs("],\n \"summary\": ", c->f) == EOF ||
	    print(c->f, summary(s), false) != 0 || fputs("}\n", c->f) == EOF)
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
line(FILE *f, json_t *j, const char *kind)
{
	if (j == NULL ||
	    json_object_set_new(j, "schema", json_string("varykit.audit/1")) !=
		0 ||
	    json_object_set_new(j, "kind", json_string(kind)) != 0 ||
	    print(f, j, true) != 0 || fputc('\n', f) == EOF)
		return (-1);
	/* Whoever reads a pipe wants each line when it is known. */
	return (fflush(f) == 0 ? 0 : -1);
}

static int
ndjson_target(struct probe_report_context *c, const struct probe_result *r)
{
	return (line(c->f, target(r), "target"));
}

static int
ndjson_end(struct probe_report_context *c, const struct probe_summary *s)
{
	return (line(c->f, summary(s), "summary"));
}

const struct probe_report probe_report_ndjson = {
	"ndjson",
	ndjson_begin,
	ndjson_target,
	ndjson_end,
};
