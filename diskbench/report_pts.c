/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/report_pts.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "config.h"
#include "diskbench/legible.h"
#include "diskbench/record.h"

#define BAR  40
#define ROWS 40 /* of rounds or of the filling, in text */

static void
bar(FILE *f, double v, double most)
{
	char s[BAR + 1];
	unsigned n = most > 0 ? (unsigned)lrint(BAR * v / most) : 0;

	memset(s, '#', n);
	s[n] = '\0';
	(void)fprintf(f, " |%s\n", s);
}

static void
purge(FILE *f, const struct bench_pts *p)
{
	(void)fprintf(f, "Purge: %s%s%s\n",
	    p->wish.purge != NULL ? p->wish.purge
	    : p->discarded        ? ""
				  : "nobody said (--purge)",
	    p->wish.purge != NULL && p->discarded ? "; " : "",
	    p->discarded ? "all was discarded by this run (--discard)" : "");
}

static void
filling(FILE *f, const struct bench_pts *p)
{
	const struct bench_pts_fill *l = &p->fill;

	if (l->wanted == 0) {
		(void)fprintf(f, "Preconditioning: %s\n",
		    p->wish.prepared != NULL ? p->wish.prepared
					     : "none: this test is of what "
					       "filling does");
		return;
	}
	(void)fprintf(f,
	    "Preconditioning: %.3f of %.3f GB written, 128 KiB in a row, %.1f "
	    "s, %.1f MB/s\n",
	    (double)l->written / 1e9, (double)l->wanted / 1e9,
	    (double)l->elapsed_ns / 1e9,
	    l->elapsed_ns > 0 ? (double)l->written * 1e3 / (double)l->elapsed_ns
			      : 0);
}

/* At most ROWS of n values, and their mean where there are more. */
static void
bars(FILE *f, const double *y, unsigned n, double scale, double step)
{
	unsigned each = (n + ROWS - 1) / ROWS, i, k, m;
	double most = 0, mean;

	for (i = 0; i < n; i++)
		most = fmax(most, y[i]);
	for (i = 0; i < n; i += each) {
		for (k = i, m = 0, mean = 0; k < i + each && k < n; k++, m++)
			mean += y[k];
		mean /= m;
		(void)fprintf(f, "%10.6g %12.1f", step > 0 ? i * step : i + 1,
		    mean * scale);
		bar(f, mean, most);
	}
}

static void
rounds(FILE *f, const struct bench_pts *p)
{
	double y[BENCH_PTS_ROUNDS];
	char what[64];

	if (p->rounds == 0)
		return;
	bench_pts_cell_text(p, p->tracked, what, sizeof what);
	bench_pts_tracked(p, y);
	(void)fprintf(f, "\n%s, %s\n%10s %12s\n", what,
	    p->by_latency ? "mean latency" : "I/Os per second", "round",
	    p->by_latency ? "us" : "IOPS");
	bars(f, y, p->rounds, p->by_latency ? 1e-3 : 1, 0);
	if (p->known)
		(void)fprintf(f,
		    "window: %u .. %u; average %.6g, lowest %.6g, highest "
		    "%.6g, line from %.6g to %.6g\n",
		    p->steady.first + 1, p->steady.first + BENCH_STEADY_WINDOW,
		    p->steady.average * (p->by_latency ? 1e-3 : 1),
		    p->steady.low * (p->by_latency ? 1e-3 : 1),
		    p->steady.high * (p->by_latency ? 1e-3 : 1),
		    p->steady.fit_first * (p->by_latency ? 1e-3 : 1),
		    p->steady.fit_last * (p->by_latency ? 1e-3 : 1));
}

static void
results(FILE *f, const struct bench_pts *p)
{
	char what[64];
	unsigned i;

	if (!p->known)
		return;
	(void)fprintf(f, "\n%-36s %10s %10s %10s %10s %10s\n",
	    "Means of the window", "IOPS", "MB/s", "mean us", "p99 us",
	    "max us");
	for (i = 0; i < p->cells; i++) {
		const struct bench_pts_value *v = &p->mean[i];

		bench_pts_cell_text(p, i, what, sizeof what);
		(void)fprintf(f, "%-36s %10.0f %10.1f %10.1f ", what, v->iops,
		    v->bytes_per_s / 1e6, v->mean_ns / 1e3);
		if (v->p99_ns > 0)
			(void)fprintf(f, "%10.1f", v->p99_ns / 1e3);
		else
			(void)fprintf(f, "%10s", "-");
		(void)fprintf(f, " %10.1f\n", v->max_ns / 1e3);
	}
}

int
bench_report_pts_text(
    FILE *f, const struct bench_pts *p, const struct bench_pts_record *c)
{
	char name[PATH_MAX];
	unsigned i;

	(void)fprintf(f, "%s%s%s, %.3f GB from %.3f GB on, engine %s\n",
	    bench_legible_copy(name, sizeof name, c->path),
	    c->identity.model[0] != '\0' ? ": " : "", c->identity.model,
	    (double)p->span / 1e9, (double)c->offset / 1e9,
	    c->engine[0] != '\0' ? c->engine : "-");
	purge(f, p);
	filling(f, p);
	for (i = 0; i < p->n_left_out; i++)
		(void)fprintf(f, "Left out: %s\n", p->left_out[i]);
	if (p->wish.test == BENCH_PTS_PRECONDITION && p->fill.n > 0) {
		(void)fprintf(f, "\n%10s %12s\n", "s", "MB/s");
		bars(f, p->fill.trace, p->fill.n, 1e-6,
		    (double)p->fill.step_ns / 1e9);
	}
	rounds(f, p);
	results(f, p);
	(void)fprintf(f, "\nVerdict: %s.\n%s\n", p->verdict, p->sentence);
	if (p->certainty[0] != '\0')
		(void)fprintf(f, "Certainty: %s.\n", p->certainty);
	for (i = 0; i < c->warned.n; i++)
		(void)fprintf(f, "Warning: %s: %s\n", c->warned.warning[i].id,
		    c->warned.warning[i].text);
	if (p->interrupted)
		(void)fputs("The result is partial: it was stopped.\n", f);
	return (fflush(f) != 0 || ferror(f) ? -EIO : 0);
}

/* --- JSON ----------------------------------------------------------------- */

static json_t *
value(const struct bench_pts *p, unsigned cell, const struct bench_pts_value *v)
{
	char what[64];

	bench_pts_cell_text(p, cell, what, sizeof what);
	return (json_pack("{s:s, s:i, s:I, s:o, s:o, s:o, s:o, s:o}", "name",
	    what, "read_percent", (int)p->cell[cell].read_percent, "bytes",
	    (json_int_t)p->cell[cell].bytes, "iops",
	    bench_record_above_zero(v->iops), "bytes_per_s",
	    bench_record_above_zero(v->bytes_per_s), "mean_ns",
	    bench_record_above_zero(v->mean_ns), "p99_ns",
	    bench_record_above_zero(v->p99_ns), "max_ns",
	    bench_record_above_zero(v->max_ns)));
}

static json_t *
all_rounds(const struct bench_pts *p)
{
	json_t *a = json_array(), *cells;
	unsigned i, k;

	for (i = 0; i < p->rounds; i++) {
		cells = json_array();
		for (k = 0; k < p->cells; k++)
			(void)json_array_append_new(
			    cells, value(p, k, &p->value[i * p->cells + k]));
		(void)json_array_append_new(a, cells);
	}
	return (a);
}

static json_t *
means(const struct bench_pts *p)
{
	json_t *a = json_array();
	unsigned i;

	for (i = 0; p->known && i < p->cells; i++)
		(void)json_array_append_new(a, value(p, i, &p->mean[i]));
	return (a);
}

static json_t *
tracked(const struct bench_pts *p)
{
	double y[BENCH_PTS_ROUNDS];
	json_t *a;
	char what[64];
	unsigned i;

	if (p->cells == 0)
		return (json_null());
	a = json_array();
	bench_pts_cell_text(p, p->tracked, what, sizeof what);
	bench_pts_tracked(p, y);
	for (i = 0; i < p->rounds; i++)
		(void)json_array_append_new(a, bench_record_real(y[i]));
	return (json_pack("{s:s, s:s, s:o}", "name", what, "unit",
	    p->by_latency ? "ns" : "1/s", "values", a));
}

static json_t *
steady(const struct bench_pts *p)
{
	const struct bench_steady *s = &p->steady;

	if (!p->known)
		return (json_null());
	return (json_pack(
	    "{s:b, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}",
	    "reached", s->reached, "first_round", (int)s->first + 1,
	    "last_round", (int)s->first + BENCH_STEADY_WINDOW, "average",
	    s->average, "low", s->low, "high", s->high, "slope", s->slope,
	    "fit_first", s->fit_first, "fit_last", s->fit_last, "range_percent",
	    s->range_percent, "slope_percent", s->slope_percent));
}

static json_t *
levels(const struct bench_pts *p)
{
	json_t *a = json_array();
	unsigned i;

	for (i = 0; i < p->n_level; i++)
		(void)json_array_append_new(
		    a, json_pack("{s:i, s:i, s:f}", "first",
			   (int)p->level[i].first + 1, "n", (int)p->level[i].n,
			   "bytes_per_s", p->level[i].mean));
	return (a);
}

static json_t *
fill(const struct bench_pts *p)
{
	json_t *a = json_array();
	unsigned i;

	for (i = 0; i < p->fill.n; i++)
		(void)json_array_append_new(
		    a, bench_record_real(p->fill.trace[i]));
	return (json_pack("{s:o, s:I, s:I, s:o, s:o, s:o, s:o}", "said",
	    bench_record_text(p->wish.prepared), "bytes_wanted",
	    (json_int_t)p->fill.wanted, "bytes_written",
	    (json_int_t)p->fill.written, "passes",
	    bench_record_real(
		p->span > 0 ? (double)p->fill.written / (double)p->span : 0),
	    "elapsed_ns", bench_record_count(p->fill.elapsed_ns), "step_ns",
	    bench_record_count(p->fill.step_ns), "bytes_per_s", a));
}

static json_t *
method(const struct bench_pts *p, const struct bench_pts_record *c)
{
	json_t *o = json_pack("{s:I, s:b, s:I, s:I, s:i, s:o, s:b}", "seed",
	    (json_int_t)(c->seed & INT64_MAX), "quick", p->wish.quick,
	    "span_offset", (json_int_t)c->offset, "span", (json_int_t)p->span,
	    "rounds_at_most", (int)p->rounds_max, "time_budget_ns",
	    bench_record_count(p->wish.budget_ns), "shortened", p->shorter);
	json_t *left = json_array();
	unsigned i;

	for (i = 0; i < p->n_left_out; i++)
		(void)json_array_append_new(
		    left, bench_record_string(p->left_out[i]));
	if (json_object_update_new(
		o, json_pack("{s:o, s:i, s:i, s:i, s:i, s:i, s:o, s:o}",
		       "runtime_ns",
		       bench_record_count(p->cells > 0 ? p->runtime_ns : 0),
		       "depth", (int)c->depth, "threads", (int)c->threads,
		       "window", BENCH_STEADY_WINDOW, "range_limit_percent",
		       BENCH_STEADY_RANGE_PERCENT, "slope_limit_percent",
		       BENCH_STEADY_SLOPE_PERCENT, "write_cache",
		       bench_record_text(c->identity.write_cache), "left_out",
		       left)) < 0) {
		json_decref(o);
		return (NULL);
	}
	return (o);
}

int
bench_report_pts_json(
    FILE *f, const struct bench_pts *p, const struct bench_pts_record *c)
{
	json_t *o = json_pack(
	    "{s:s, s:s, s:s, s:b, s:o, s:o, s:o, s:o, s:I, s:o, s:o}", "schema",
	    "varykit.disk-pts/1", "version", PACKAGE_VERSION, "test",
	    bench_pts_names[p->wish.test], "complete", !p->interrupted,
	    "signal", bench_record_count((uint64_t)c->signal), "command",
	    bench_record_command(c->argv, c->argc), "target",
	    bench_record_target(c->path, &c->identity), "engine",
	    bench_record_text(c->engine), "errors", (json_int_t)c->errors,
	    "method", method(p, c), "purge",
	    json_pack("{s:o, s:b}", "said", bench_record_text(p->wish.purge),
		"discarded", p->discarded));
	json_t *more = json_pack(
	    "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:s, s:s, "
	    "s:o}",
	    "preconditioning", fill(p), "rounds", all_rounds(p), "tracked",
	    tracked(p), "steady", steady(p), "means", means(p), "levels",
	    levels(p), "burst_bytes_per_s", bench_record_above_zero(p->burst),
	    "sustained_bytes_per_s", bench_record_above_zero(p->sustained),
	    "verdict", p->verdict, "sentence", p->sentence, "certainty",
	    p->certainty, "warnings", bench_record_warnings(&c->warned));

	if (o == NULL || more == NULL || json_object_update(o, more) < 0) {
		json_decref(o);
		o = NULL;
	}
	json_decref(more);
	return (bench_record_print(f, o));
}
