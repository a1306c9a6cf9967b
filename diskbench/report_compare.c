/* SPDX-License-Identifier: BSD-2-Clause */
/* A comparison, for people and as JSON. */
#include <errno.h>
#include <jansson.h>

#include "config.h"
#include "diskbench/comparison.h"
#include "diskbench/record.h"

static const char *const kinds[] = { "targets", "aa", "buffered", "files" };
static const char letters[] = "AB";

int
bench_report_compare_text(FILE *f, const struct bench_comparison *c)
{
	unsigned k, m;

	for (k = 0; k < 2; k++)
		(void)fprintf(f, "%c: %s%s, engine %s%s\n", letters[k],
		    c->path[k],
		    c->kind == BENCH_COMPARED_AA && k == 1 ? " (the same)" : "",
		    c->engine[k][0] != '\0' ? c->engine[k] : "-",
		    c->job[k]->buffered ? ", through the page cache" : "");
	(void)fprintf(f, "\n%-12s %12s %12s %7s  %-15s %8s %8s\n", "", "A", "B",
	    "A/B", "95 % interval", "p", "seen from");
	for (m = 0; m < BENCH_METRICS; m++) {
		const struct bench_ratio *r = &c->ratio[m];

		if (c->known[m])
			(void)fprintf(f,
			    "%-12s %12.0f %12.0f %7.3f  %.3f .. %.3f  %8.4f "
			    "%7.1f%%\n",
			    bench_metric_kind[m].name, r->a, r->b, r->ratio,
			    r->low, r->high, r->p, r->mde * 100);
	}
	(void)fprintf(f, "\n%s\n", c->sentence);
	if (c->certainty[0] != '\0')
		(void)fprintf(f, "Certainty: %s.\n", c->certainty);
	if (c->kind == BENCH_COMPARED_BUFFERED)
		(void)fputs(
		    "A is what a program sees that reads through the page "
		    "cache: memory, read-ahead and\nthe drive together.  B is "
		    "the drive alone, which is what a data set larger than "
		    "memory gets.\n",
		    f);
	if (c->kind == BENCH_COMPARED_FILES && c->differs[0] != '\0')
		(void)fprintf(
		    f, "They differ in more than the drive: %s.\n", c->differs);
	if (!c->complete)
		(void)fprintf(f,
		    "The result is partial: %u of %u pairs were measured.\n",
		    c->n, c->planned);
	return (fflush(f) != 0 || ferror(f) ? -EIO : 0);
}

static json_t *
side(const struct bench_comparison *c, unsigned k)
{
	const struct bench_job *j = c->job[k];
	const struct bench_identity *id = &c->identity[k];

	return (json_pack(
	    "{s:s#, s:o, s:o, s:o, s:o, s:I, s:o, s:b, s:i, s:i, s:I, s:I}",
	    "name", &letters[k], (size_t)1, "path",
	    bench_record_text(c->path[k]), "model",
	    bench_record_text(id->model), "serial",
	    bench_record_text(id->serial), "firmware",
	    bench_record_text(id->firmware), "size", (json_int_t)id->size,
	    "engine", bench_record_text(c->engine[k]), "buffered", j->buffered,
	    "depth", (int)j->depth, "threads", (int)j->threads, "span_offset",
	    (json_int_t)j->shape.offset, "span", (json_int_t)j->shape.span));
}

static json_t *
metrics(const struct bench_comparison *c)
{
	json_t *a = json_array();
	unsigned m;

	for (m = 0; m < BENCH_METRICS; m++) {
		const struct bench_ratio *r = &c->ratio[m];
		const struct bench_metric_kind *kind = &bench_metric_kind[m];

		if (!c->known[m])
			continue;
		(void)json_array_append_new(a,
		    json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, "
			      "s:o, s:o}",
			"name", kind->name, "unit", kind->unit, "better",
			kind->higher_is_better ? "higher" : "lower", "a",
			bench_record_real(r->a), "b", bench_record_real(r->b),
			"ratio", bench_record_real(r->ratio), "ratio_low",
			bench_record_real(r->low), "ratio_high",
			bench_record_real(r->high), "p",
			bench_record_real(r->p), "sd_log",
			bench_record_real(r->sd_log), "mde_percent",
			bench_record_real(r->mde * 100)));
	}
	return (a);
}

static json_t *
run(const double *value)
{
	json_t *o = json_object();
	unsigned m;

	for (m = 0; m < BENCH_METRICS; m++)
		(void)json_object_set_new(o, bench_metric_kind[m].name,
		    bench_record_above_zero(value[m]));
	return (o);
}

static json_t *
pairs(const struct bench_comparison *c)
{
	json_t *a = json_array();
	unsigned i;

	for (i = 0; c->kind != BENCH_COMPARED_FILES && i < c->n; i++)
		(void)json_array_append_new(
		    a, json_pack("{s:s, s:o, s:o}", "order",
			   c->pair[i].b_first ? "BA" : "AB", "a",
			   run(c->pair[i].value[0]), "b",
			   run(c->pair[i].value[1])));
	return (a);
}

/* The runs of one side, with the file that each is from. */
static json_t *
runs(const struct bench_comparison *c, unsigned k)
{
	json_t *a = json_array(), *o;
	unsigned i;

	for (i = 0; i < c->n_side[k]; i++) {
		o = run(c->pair[i].value[k]);
		(void)json_object_set_new(o, "file",
		    bench_record_string(
			c->file[(k > 0 ? c->n_side[0] : 0) + i]));
		(void)json_array_append_new(a, o);
	}
	return (a);
}

int
bench_report_compare_json(FILE *f, const struct bench_comparison *c,
    char *const *argv, int argc, int signal)
{
	bool files = c->kind == BENCH_COMPARED_FILES;
	json_t *method, *o;

	method = json_pack(
	    "{s:I, s:i, s:i, s:I, s:I, s:o, s:o, s:s, s:i, s:s, s:o}", "seed",
	    (json_int_t)(c->seed & INT64_MAX), "pairs", files ? 0 : (int)c->n,
	    "pairs_planned", files ? 0 : (int)c->planned, "runtime_ns",
	    (json_int_t)c->job[0]->runtime_ns, "ramp_ns",
	    (json_int_t)c->job[0]->ramp_ns, "time_budget_ns",
	    bench_record_count(c->budget_ns), "confidence", json_real(0.95),
	    "interval", "bca", "resamples", BENCH_STATS_RESAMPLES, "test",
	    files ? "rank-sum" : "signed-rank", "alpha",
	    json_real(BENCH_STATS_ALPHA));
	o = json_pack("{s:s, s:s, s:b, s:o, s:o, s:s, s:o, s:[o, o], s:s, s:o, "
		      "s:o, s:s, s:o, s:o}",
	    "schema", "varykit.disk-compare/1", "version", PACKAGE_VERSION,
	    "complete", c->complete, "signal",
	    bench_record_count((uint64_t)signal), "command",
	    bench_record_command(argv, argc), "kind", kinds[c->kind], "method",
	    method, "sides", side(c, 0), side(c, 1), "metric",
	    bench_metric_kind[c->headline].name, "metrics", metrics(c), "pairs",
	    pairs(c), "verdict", c->verdict, "sentence",
	    bench_record_text(c->sentence), "certainty",
	    bench_record_text(c->certainty));
	if (o != NULL && files) {
		(void)json_object_set_new(o, "runs",
		    json_pack("{s:o, s:o}", "a", runs(c, 0), "b", runs(c, 1)));
		(void)json_object_set_new(
		    o, "differs", bench_record_text(c->differs));
	}
	return (bench_record_print(f, o));
}
