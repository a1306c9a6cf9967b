/* SPDX-License-Identifier: BSD-2-Clause */
/* What diskbench precondition and pts found, on a page. */
#include <stdio.h>
#include <string.h>

#include "diskbench/page_json.h"

#define MIXES (BENCH_LINES - 1)

static void
verdict(struct bench_page *p, const json_t *root)
{
	const char *v = bench_json_text_at(root, "verdict");
	const json_t *left = bench_json_at(root, "method", "left_out", NULL);
	const json_t *warnings = json_object_get(root, "warnings");
	const json_t *purge = json_object_get(root, "purge");
	bool good =
	    strcmp(v, "steady") == 0 || strcmp(v, "preconditioned") == 0;
	const char *said = bench_json_text_at(purge, "said");
	size_t i;

	bench_page_verdict(p, good ? BENCH_TONE_GOOD : BENCH_TONE_WARNING, "%s",
	    bench_json_text_at(root, "sentence"));
	if (bench_json_text_at(root, "certainty")[0] != '\0')
		bench_page_verdict(p, BENCH_TONE_PLAIN, "Certainty: %s.",
		    bench_json_text_at(root, "certainty"));
	bench_page_verdict(p, BENCH_TONE_PLAIN, "Purge: %s%s.",
	    json_is_true(json_object_get(purge, "discarded"))
		? "all was discarded by this run"
	    : said[0] != '\0' ? ""
			      : "nobody said how",
	    said);
	if (!json_is_true(json_object_get(root, "complete")))
		bench_page_verdict(
		    p, BENCH_TONE_BAD, "Partial: it was stopped.");
	if (bench_json_number_at(root, "errors") > 0)
		bench_page_verdict(p, BENCH_TONE_BAD, "%.0f I/Os failed.",
		    bench_json_number_at(root, "errors"));
	for (i = 0; i < json_array_size(left); i++)
		bench_page_verdict(p, BENCH_TONE_WARNING, "Left out: %s.",
		    bench_json_text(json_array_get(left, i)));
	for (i = 0; i < json_array_size(warnings); i++)
		bench_page_verdict(p, BENCH_TONE_WARNING, "%s",
		    bench_json_text_at(json_array_get(warnings, i), "text"));
}

static void
segment(struct bench_page *p, struct bench_figure *f, const char *name,
    double x0, double y0, double x1, double y1)
{
	struct bench_line *l = bench_page_line(p, f, BENCH_MARK_LEVEL, name);

	bench_page_point(p, f, l, &(struct bench_point){ x0, y0, 0, 0 });
	bench_page_point(p, f, l, &(struct bench_point){ x1, y1, 0, 0 });
}

/* PTS's plot of the window: the average, a tenth above and below, the line. */
static void
window(struct bench_page *p, struct bench_figure *f, const json_t *steady,
    double scale)
{
	double from = bench_json_number_at(steady, "first_round");
	double to = bench_json_number_at(steady, "last_round");
	double mean = bench_json_number_at(steady, "average") * scale;

	segment(p, f, "average of the window", from, mean, to, mean);
	segment(p, f, "110 % of it", from, mean * 1.1, to, mean * 1.1);
	segment(p, f, "90 % of it", from, mean * 0.9, to, mean * 0.9);
	segment(p, f, "least-squares line", from,
	    bench_json_number_at(steady, "fit_first") * scale, to,
	    bench_json_number_at(steady, "fit_last") * scale);
}

/* Of rounds from .. to; 0: all. */
static void
values(struct bench_page *p, const struct bench_figure *f, struct bench_line *l,
    const json_t *y, double scale, double from, double to)
{
	size_t i;

	for (i = 0; i < json_array_size(y); i++)
		if (to <= 0 || ((double)i + 1 >= from && (double)i + 1 <= to))
			bench_page_point(p, f, l,
			    &(struct bench_point){ (double)i + 1,
				bench_json_number(json_array_get(y, i)) * scale,
				0, 0 });
}

/* All rounds, then the window, as PTS has both. */
static void
convergence(struct bench_page *p, struct bench_section *s, const json_t *root)
{
	static const struct bench_axis x = { "round", BENCH_UNIT_ORDINAL, false,
		false };
	const json_t *tracked = json_object_get(root, "tracked");
	const json_t *steady = json_object_get(root, "steady");
	const json_t *all = json_object_get(tracked, "values");
	const char *name = bench_json_text_at(tracked, "name");
	bool ns = strcmp(bench_json_text_at(tracked, "unit"), "ns") == 0;
	const char *unit = ns ? "mean latency" : "I/Os per second";
	struct bench_axis y = { unit,
		ns ? BENCH_UNIT_SECONDS : BENCH_UNIT_COUNT, false, true };
	double scale = ns ? 1e-9 : 1;
	struct bench_figure *f;
	struct bench_line *l;

	f = bench_page_figure(p, s, &x, &y, "Round by round: %s", name);
	l = bench_page_line(p, f, BENCH_MARK_DOTTED, unit);
	values(p, f, l, all, scale, 0, 0);
	bench_page_alt(p, f,
	    "The tracked value in each of %u rounds; the numbers are below.",
	    (unsigned)json_array_size(all));
	if (!json_is_object(steady))
		return;
	segment(p, f, "average of the window",
	    bench_json_number_at(steady, "first_round"),
	    bench_json_number_at(steady, "average") * scale,
	    bench_json_number_at(steady, "last_round"),
	    bench_json_number_at(steady, "average") * scale);
	y.zero = false;
	f = bench_page_figure(
	    p, s, &x, &y, "The window of five rounds: %s", name);
	l = bench_page_line(p, f, BENCH_MARK_DOTTED, unit);
	values(p, f, l, all, scale, bench_json_number_at(steady, "first_round"),
	    bench_json_number_at(steady, "last_round"));
	window(p, f, steady, scale);
	bench_page_alt(p, f,
	    "Rounds %.0f to %.0f, their average, a tenth above and below it, "
	    "and the least-squares line. Range %.1f %% of at most 20, slope "
	    "%.1f %% of at most 10: %ssteady.",
	    bench_json_number_at(steady, "first_round"),
	    bench_json_number_at(steady, "last_round"),
	    bench_json_number_at(steady, "range_percent"),
	    bench_json_number_at(steady, "slope_percent"),
	    json_is_true(json_object_get(steady, "reached")) ? "" : "not ");
}

/* The rate of writing, of the rounds of wsat or of the filling, with its
 * levels. */
static void
rate(struct bench_page *p, struct bench_section *s, const json_t *root)
{
	bool wsat = strcmp(bench_json_text_at(root, "test"), "wsat") == 0;
	const json_t *fill = json_object_get(root, "preconditioning");
	const json_t *values = json_object_get(
	    wsat ? root : fill, wsat ? "rounds" : "bytes_per_s");
	const json_t *levels = json_object_get(root, "levels");
	struct bench_axis x = { wsat ? "round" : "time",
		wsat ? BENCH_UNIT_ORDINAL : BENCH_UNIT_SECONDS, false, false };
	static const struct bench_axis y = { "bytes written", BENCH_UNIT_RATE,
		false, true };
	bool burst = bench_json_number_at(root, "burst_bytes_per_s") > 0;
	double step = wsat ? 1 : bench_json_number_at(fill, "step_ns") / 1e9;
	size_t i, n = json_array_size(values);
	struct bench_figure *f;
	struct bench_line *l;
	char name[48];

	if (n < 2)
		return;
	f = bench_page_figure(
	    p, s, &x, &y, wsat ? "Write saturation" : "Filling the drive");
	l = bench_page_line(p, f, BENCH_MARK_LINE, "writes");
	for (i = 0; i < n; i++) {
		const json_t *v = json_array_get(values, i);

		if (wsat)
			v = json_object_get(
			    json_array_get(v, 0), "bytes_per_s");
		bench_page_point(p, f, l,
		    &(struct bench_point){
			((double)i + 1) * step, bench_json_number(v), 0, 0 });
	}
	for (i = 0; i < json_array_size(levels); i++) {
		const json_t *o = json_array_get(levels, i);
		double from = bench_json_number_at(o, "first") * step;
		double mean = bench_json_number_at(o, "bytes_per_s");

		(void)snprintf(name, sizeof name, "%s",
		    burst && i == 0                    ? "burst"
		    : i + 1 == json_array_size(levels) ? "sustained"
						       : "a level between");
		segment(p, f, name, from, mean,
		    from + (bench_json_number_at(o, "n") - 1) * step, mean);
	}
	bench_page_alt(p, f,
	    "The rate of writing over %s, with a line at each of its %u "
	    "levels; the numbers are below.",
	    wsat ? "the rounds" : "time", (unsigned)json_array_size(levels));
}

/* A line for each mix, over the sizes. */
static void
by_size(struct bench_page *p, struct bench_section *s, const json_t *means)
{
	static const struct bench_axis x = { "size", BENCH_UNIT_BYTES, true,
		false };
	static const struct bench_axis y = { "I/Os per second",
		BENCH_UNIT_COUNT, true, false };
	size_t i, n = json_array_size(means);
	double last = -1, mix, first_size = NAN;
	struct bench_figure *f;
	struct bench_line *l = NULL;
	bool sizes = false;
	unsigned mixes = 0;
	char name[48];

	for (i = 0; i < n; i++) {
		double b =
		    bench_json_number_at(json_array_get(means, i), "bytes");

		if (isnan(first_size))
			first_size = b;
		sizes = sizes || b < first_size || b > first_size;
	}
	if (!sizes)
		return;
	f = bench_page_figure(p, s, &x, &y, "I/Os per second by size and mix");
	if (f != NULL)
		f->in_text = false;
	for (i = 0; i < n; i++) {
		const json_t *o = json_array_get(means, i);

		mix = bench_json_number_at(o, "read_percent");
		if (isnan(mix))
			continue;
		if (mix < last || mix > last) {
			if (mixes++ == MIXES)
				break;
			(void)snprintf(name, sizeof name,
			    "reads/writes %.0f/%.0f", mix, 100 - mix);
			l = bench_page_line(p, f, BENCH_MARK_DOTTED, name);
		}
		last = mix;
		bench_page_point(p, f, l,
		    &(struct bench_point){ bench_json_number_at(o, "bytes"),
			bench_json_number_at(o, "iops"), 0, 0 });
	}
	bench_page_alt(p, f,
	    "A line for each of %u mixes of reads and writes: I/Os per second, "
	    "over the size of each I/O; the table below has the numbers.",
	    mixes);
}

static void
cells(struct bench_page *p, struct bench_section *s, const json_t *root)
{
	static const char *const heads[] = { "", "I/Os per second",
		"transfer rate", "mean latency", "p99", "longest" };
	const json_t *means = json_object_get(root, "means");
	struct bench_table *t = bench_page_table(p, s, 6,
	    json_is_true(bench_json_at(root, "steady", "reached", NULL))
		? "Means of the five steady rounds"
		: "Means of the last five rounds, which are not steady");
	size_t i;
	unsigned k;

	for (k = 0; k < sizeof heads / sizeof *heads; k++)
		bench_page_cell(p, t, "%s", heads[k]);
	for (i = 0; i < json_array_size(means) && i < 64; i++) {
		const json_t *o = json_array_get(means, i);

		bench_page_cell(p, t, "%s", bench_json_text_at(o, "name"));
		bench_page_cell_value(
		    p, t, BENCH_UNIT_COUNT, bench_json_number_at(o, "iops"));
		bench_page_cell_value(p, t, BENCH_UNIT_RATE,
		    bench_json_number_at(o, "bytes_per_s"));
		bench_page_cell_value(p, t, BENCH_UNIT_SECONDS,
		    bench_json_number_at(o, "mean_ns") / 1e9);
		bench_page_cell_value(p, t, BENCH_UNIT_SECONDS,
		    bench_json_number_at(o, "p99_ns") / 1e9);
		bench_page_cell_value(p, t, BENCH_UNIT_SECONDS,
		    bench_json_number_at(o, "max_ns") / 1e9);
	}
}

static void
method(
    struct bench_page *p, struct bench_section *s, const struct bench_sheet *sh)
{
	static const struct bench_json_row how[] = {
		{ "write_cache", "the drive's write cache", 0, 1 },
		{ "span_offset", "measured from", BENCH_UNIT_BYTES, 1 },
		{ "span", "length measured", BENCH_UNIT_BYTES, 1 },
		{ "runtime_ns", "each cell", BENCH_UNIT_SECONDS, 1e-9 },
		{ "rounds_at_most", "rounds, at most", BENCH_UNIT_ORDINAL, 1 },
		{ "depth", "I/Os in flight", BENCH_UNIT_ORDINAL, 1 },
		{ "threads", "threads", BENCH_UNIT_ORDINAL, 1 },
		{ "time_budget_ns", "time budget", BENCH_UNIT_SECONDS, 1e-9 },
		{ "seed", "seed", BENCH_UNIT_ORDINAL, 1 },
	};
	static const struct bench_json_row filled[] = {
		{ "said", "preconditioning before", 0, 1 },
		{ "bytes_written", "written to precondition", BENCH_UNIT_BYTES,
		    1 },
		{ "passes", "times the length", BENCH_UNIT_RATIO, 1 },
		{ "elapsed_ns", "in", BENCH_UNIT_SECONDS, 1e-9 },
	};
	static const struct bench_json_row speed[] = {
		{ "engine", "engine", 0, 1 },
		{ "burst_bytes_per_s", "burst", BENCH_UNIT_RATE, 1 },
		{ "sustained_bytes_per_s", "sustained", BENCH_UNIT_RATE, 1 },
	};
	const json_t *root = sh->root;
	struct bench_table *t = bench_page_method(p, s, sh);

	bench_page_target(p, t, json_object_get(root, "target"));
	bench_page_rows(p, t, root, speed, sizeof speed / sizeof *speed);
	bench_page_rows(p, t, json_object_get(root, "preconditioning"), filled,
	    sizeof filled / sizeof *filled);
	bench_page_rows(p, t, json_object_get(root, "method"), how,
	    sizeof how / sizeof *how);
}

const char *
bench_json_pts_lacks(const json_t *root)
{
	static const char *const figures[] = { "first_round", "last_round",
		"average", "range_percent", "slope_percent" };
	const json_t *steady = json_object_get(root, "steady");
	unsigned i;

	for (i = 0; i < sizeof figures / sizeof *figures; i++)
		if (json_is_object(steady) &&
		    !json_is_number(json_object_get(steady, figures[i])))
			return (figures[i]);
	if (bench_json_text_at(root, "verdict")[0] == '\0')
		return ("verdict");
	if (!json_is_object(json_object_get(root, "preconditioning")))
		return ("preconditioning");
	if (!json_is_array(json_object_get(root, "rounds")))
		return ("rounds");
	if (!json_is_array(json_object_get(root, "means")))
		return ("means");
	return (NULL);
}

void
bench_page_pts(struct bench_page *p, const struct bench_sheet *sh)
{
	const char *test = bench_json_text_at(sh->root, "test");
	const char *path =
	    bench_json_text(bench_json_at(sh->root, "target", "path", NULL));
	struct bench_section *s;

	verdict(p, sh->root);
	if (strcmp(test, "precondition") == 0)
		s = bench_page_section(p, "Preconditioning: %s", path);
	else
		s = bench_page_section(p, "SNIA PTS, %s: %s", test, path);
	convergence(p, s, sh->root);
	rate(p, s, sh->root);
	by_size(p, s, json_object_get(sh->root, "means"));
	cells(p, s, sh->root);
	method(p, s, sh);
}
