/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/report_curve.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "config.h"
#include "diskbench/legible.h"
#include "diskbench/record.h"

#define BAR  40
#define COLS 64 /* of the scatter */
#define ROWS 10

static void
rates(FILE *f, const struct bench_curve *c)
{
	char bar[BAR + 1];
	unsigned i, len;

	(void)fprintf(f,
	    "Sequential reads of 1 MiB, %d in flight, at %u places\n\n"
	    "%10s %6s %10s\n",
	    BENCH_CURVE_DEPTH, c->planned, "GB", "%", "MB/s");
	for (i = 0; i < c->planned; i++) {
		const struct bench_curve_point *p = &c->point[i];
		double at = (double)(p->offset - c->offset);

		(void)fprintf(f, "%10.3f %6.1f ", (double)p->offset / 1e9,
		    100 * at / (double)c->span);
		if (p->bytes_per_s <= 0) {
			(void)fprintf(f, "%10s\n", "-");
			continue;
		}
		len = (unsigned)lrint(BAR * p->bytes_per_s / c->fastest);
		memset(bar, '#', len);
		bar[len] = '\0';
		(void)fprintf(f, "%10.1f |%s\n", p->bytes_per_s / 1e6, bar);
	}
	(void)fprintf(f,
	    "\nslowest %.1f, fastest %.1f, all of it %.1f MB/s\n%s\n",
	    c->slowest / 1e6, c->fastest / 1e6, c->mean / 1e6, c->sentence);
}

static unsigned
place(double v, unsigned n)
{
	unsigned i = v > 0 ? (unsigned)v : 0;

	return (i < n ? i : n - 1);
}

/* Time over place, as dots: '.' one, ':' a few, '#' ten and more. */
static void
scatter(FILE *f, const struct bench_curve *c)
{
	unsigned grid[ROWS][COLS] = { { 0 } }, i, row, col;
	double range = log(c->high / c->low);

	for (i = 0; i < c->access.n; i++) {
		const struct bench_dot *d = &c->access.dot[i];

		col = place(
		    COLS * (double)(d->offset - c->offset) / (double)c->span,
		    COLS);
		row = range > 0
			  ? place(ROWS * log((double)d->ns / c->low) / range,
				ROWS)
			  : 0;
		grid[row][col]++;
	}
	(void)fprintf(f,
	    "\nAccess times: %u reads of 4 KiB at random places, one at a "
	    "time\n\n",
	    c->access.n);
	for (row = ROWS; row-- > 0;) {
		/* Where the row begins, on a logarithmic axis. */
		(void)fprintf(
		    f, "%9.3f ms |", c->low * exp(range * row / ROWS) / 1e6);
		for (col = 0; col < COLS; col++)
			(void)fputc(
			    " .:::::::::#"[place(grid[row][col], 12)], f);
		(void)fputs("\n", f);
	}
	(void)fprintf(f, "%12s 0 %%%*s\n", "", COLS - 2, "100 %");
	(void)fprintf(f, "\nmin %.3f, median %.3f, 95 %% %.3f, max %.3f ms\n",
	    c->low / 1e6, c->median / 1e6, c->p95 / 1e6, c->high / 1e6);
}

int
bench_report_curve_text(FILE *f, const struct bench_curve *c)
{
	char name[PATH_MAX];
	unsigned i;

	(void)fprintf(f, "%s%s%s, %.3f GB from %.3f GB on, engine %s\n",
	    bench_legible_copy(name, sizeof name, c->path),
	    c->identity.model[0] != '\0' ? ": " : "", c->identity.model,
	    (double)c->span / 1e9, (double)c->offset / 1e9,
	    c->engine[0] != '\0' ? c->engine : "-");
	rates(f, c);
	if (c->access.n > 0)
		scatter(f, c);
	(void)fprintf(f, "\nCertainty: %s.\n", c->certainty);
	for (i = 0; i < c->warned.n; i++)
		(void)fprintf(f, "Warning: %s: %s\n", c->warned.warning[i].id,
		    c->warned.warning[i].text);
	if (!c->complete)
		(void)fprintf(f,
		    "The result is partial: %u of %u points and %u of %u "
		    "accesses were measured.\n",
		    c->n, c->planned, c->access.n, c->access.max);
	return (fflush(f) != 0 || ferror(f) ? -EIO : 0);
}

static json_t *
points(const struct bench_curve *c)
{
	json_t *a = json_array();
	unsigned i;

	for (i = 0; i < c->planned; i++) {
		const struct bench_curve_point *p = &c->point[i];

		if (p->bytes_per_s > 0)
			(void)json_array_append_new(
			    a, json_pack("{s:I, s:I, s:I, s:o, s:b}", "offset",
				   (json_int_t)p->offset, "bytes",
				   (json_int_t)p->bytes, "elapsed_ns",
				   (json_int_t)p->elapsed_ns, "bytes_per_s",
				   bench_record_real(p->bytes_per_s), "whole",
				   p->whole));
	}
	return (a);
}

static json_t *
dots(const struct bench_curve *c)
{
	json_t *a = json_array();
	unsigned i;

	for (i = 0; i < c->access.n; i++)
		(void)json_array_append_new(
		    a, json_pack("{s:I, s:I}", "offset",
			   (json_int_t)c->access.dot[i].offset, "ns",
			   (json_int_t)c->access.dot[i].ns));
	return (a);
}

int
bench_report_curve_json(
    FILE *f, const struct bench_curve *c, char *const *argv, int argc)
{
	json_t *method, *rate, *access;

	method = json_pack("{s:I, s:i, s:i, s:I, s:o, s:b, s:i, s:i, s:i, s:I, "
			   "s:I}",
	    "seed", (json_int_t)(c->seed & INT64_MAX), "points_planned",
	    (int)c->planned, "accesses_planned", (int)c->access.max,
	    "runtime_ns", (json_int_t)c->runtime_ns, "time_budget_ns",
	    bench_record_count(c->budget_ns), "shortened", c->shorter,
	    "block_bytes", (int)BENCH_CURVE_BLOCK, "depth", BENCH_CURVE_DEPTH,
	    "access_bytes", 4096, "span_offset", (json_int_t)c->offset, "span",
	    (json_int_t)c->span);
	rate = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "slowest",
	    bench_record_above_zero(c->slowest), "fastest",
	    bench_record_above_zero(c->fastest), "mean",
	    bench_record_above_zero(c->mean), "first_quarter",
	    bench_record_above_zero(c->begin), "last_quarter",
	    bench_record_above_zero(c->end), "p", bench_record_real(c->p));
	access = json_pack("{s:i, s:o, s:o, s:o, s:o, s:o}", "n",
	    (int)c->access.n, "min_ns", bench_record_above_zero(c->low),
	    "p50_ns", bench_record_above_zero(c->median), "p95_ns",
	    bench_record_above_zero(c->p95), "max_ns",
	    bench_record_above_zero(c->high), "dots", dots(c));
	return (bench_record_print(f,
	    json_pack("{s:s, s:s, s:b, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o, "
		      "s:o, s:s, s:s, s:o}",
		"schema", "varykit.disk-curve/1", "version", PACKAGE_VERSION,
		"complete", c->complete, "signal",
		bench_record_count((uint64_t)c->signal), "command",
		bench_record_command(argv, argc), "target",
		bench_record_target(c->path, &c->identity), "engine",
		bench_record_text(c->engine), "errors", (json_int_t)c->errors,
		"method", method, "points", points(c), "bytes_per_s", rate,
		"access", access, "sentence", c->sentence, "certainty",
		c->certainty, "warnings", bench_record_warnings(&c->warned))));
}
