/* SPDX-License-Identifier: BSD-2-Clause */
/* A comparison, for people and as JSON. */
#include <errno.h>
#include <jansson.h>
#include <math.h>

#include "config.h"
#include "diskbench/comparison.h"
#include "diskbench/report_value.h"

static const char *const kinds[] = { "targets", "aa", "buffered" };
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
	if (!c->complete)
		(void)fprintf(f,
		    "The result is partial: %u of %u pairs were measured.\n",
		    c->n, c->planned);
	return (fflush(f) != 0 || ferror(f) ? -EIO : 0);
}

static json_t *
real(double v)
{
	return (isfinite(v) ? json_real(v) : json_null());
}

static json_t *
side(const struct bench_comparison *c, unsigned k)
{
	const struct bench_job *j = c->job[k];
	const struct bench_identity *id = &c->identity[k];

	return (json_pack(
	    "{s:s#, s:o, s:o, s:o, s:o, s:I, s:o, s:b, s:i, s:i, s:I, s:I}",
	    "name", &letters[k], (size_t)1, "path",
	    bench_report_string_or_null(c->path[k]), "model",
	    bench_report_string_or_null(id->model), "serial",
	    bench_report_string_or_null(id->serial), "firmware",
	    bench_report_string_or_null(id->firmware), "size",
	    (json_int_t)id->size, "engine",
	    bench_report_string_or_null(c->engine[k]), "buffered", j->buffered,
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
			real(r->a), "b", real(r->b), "ratio", real(r->ratio),
			"ratio_low", real(r->low), "ratio_high", real(r->high),
			"p", real(r->p), "sd_log", real(r->sd_log),
			"mde_percent", real(r->mde * 100)));
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
		    value[m] > 0 ? real(value[m]) : json_null());
	return (o);
}

static json_t *
pairs(const struct bench_comparison *c)
{
	json_t *a = json_array();
	unsigned i;

	for (i = 0; i < c->n; i++)
		(void)json_array_append_new(
		    a, json_pack("{s:s, s:o, s:o}", "order",
			   c->pair[i].b_first ? "BA" : "AB", "a",
			   run(c->pair[i].value[0]), "b",
			   run(c->pair[i].value[1])));
	return (a);
}

int
bench_report_compare_json(FILE *f, const struct bench_comparison *c,
    char *const *argv, int argc, int signal)
{
	json_t *command = json_array(), *method, *o;
	int i;

	for (i = 0; i < argc; i++)
		(void)json_array_append_new(
		    command, bench_report_string_or_null(argv[i]));
	method =
	    json_pack("{s:I, s:i, s:i, s:I, s:I, s:o, s:o, s:s, s:i, s:s, s:o}",
		"seed", (json_int_t)(c->seed & INT64_MAX), "pairs", (int)c->n,
		"pairs_planned", (int)c->planned, "runtime_ns",
		(json_int_t)c->job[0]->runtime_ns, "ramp_ns",
		(json_int_t)c->job[0]->ramp_ns, "time_budget_ns",
		c->budget_ns > 0 ? json_integer((json_int_t)c->budget_ns)
				 : json_null(),
		"confidence", json_real(0.95), "interval", "bca", "resamples",
		BENCH_STATS_RESAMPLES, "test", "signed-rank", "alpha",
		json_real(BENCH_STATS_ALPHA));
	o = json_pack("{s:s, s:s, s:b, s:o, s:o, s:s, s:o, s:[o, o], s:s, s:o, "
		      "s:o, s:s, s:o, s:o}",
	    "schema", "varykit.disk-compare/1", "version", PACKAGE_VERSION,
	    "complete", c->complete, "signal",
	    signal > 0 ? json_integer(signal) : json_null(), "command", command,
	    "kind", kinds[c->kind], "method", method, "sides", side(c, 0),
	    side(c, 1), "metric", bench_metric_kind[c->headline].name,
	    "metrics", metrics(c), "pairs", pairs(c), "verdict", c->verdict,
	    "sentence", bench_report_string_or_null(c->sentence), "certainty",
	    bench_report_string_or_null(c->certainty));
	return (bench_report_dump(f, o));
}
