/* SPDX-License-Identifier: BSD-2-Clause */
/* What diskbench curve found, on a page. */
#include <stdio.h>

#include "diskbench/page_json.h"

static const struct bench_axis place = { "place on the drive", BENCH_UNIT_BYTES,
	false, false };

static void
verdict(struct bench_page *p, const json_t *root)
{
	const json_t *warnings = json_object_get(root, "warnings");
	size_t i;

	bench_page_verdict(
	    p, BENCH_TONE_PLAIN, "%s", bench_json_text_at(root, "sentence"));
	bench_page_verdict(p, BENCH_TONE_PLAIN, "Certainty: %s.",
	    bench_json_text_at(root, "certainty"));
	if (!json_is_true(json_object_get(root, "complete")))
		bench_page_verdict(p, BENCH_TONE_BAD,
		    "Partial: it was stopped before all was read.");
	if (bench_json_number_at(root, "errors") > 0)
		bench_page_verdict(p, BENCH_TONE_BAD, "%.0f reads failed.",
		    bench_json_number_at(root, "errors"));
	for (i = 0; i < json_array_size(warnings); i++)
		bench_page_verdict(p, BENCH_TONE_WARNING, "%s",
		    bench_json_text_at(json_array_get(warnings, i), "text"));
}

/* From one end of the drive to the other. */
static void
level(struct bench_page *p, struct bench_figure *f, const json_t *root,
    const char *name, double y)
{
	const json_t *m = json_object_get(root, "method");
	double from = bench_json_number_at(m, "span_offset");
	struct bench_line *l = bench_page_line(p, f, BENCH_MARK_LEVEL, name);

	bench_page_point(p, f, l, &(struct bench_point){ from, y, 0, 0 });
	bench_page_point(p, f, l,
	    &(struct bench_point){
		from + bench_json_number_at(m, "span"), y, 0, 0 });
}

static void
rates(struct bench_page *p, struct bench_section *s, const json_t *root)
{
	static const struct bench_axis y = { "transfer rate", BENCH_UNIT_RATE,
		false, true };
	const json_t *points = json_object_get(root, "points");
	const json_t *rate = json_object_get(root, "bytes_per_s");
	struct bench_figure *f =
	    bench_page_figure(p, s, &place, &y, "Transfer rate by place");
	struct bench_line *l =
	    bench_page_line(p, f, BENCH_MARK_DOTTED, "sequential reads");
	char low[32], high[32];
	size_t i;

	for (i = 0; i < json_array_size(points); i++) {
		const json_t *o = json_array_get(points, i);

		bench_page_point(p, f, l,
		    &(struct bench_point){ bench_json_number_at(o, "offset"),
			bench_json_number_at(o, "bytes_per_s"), 0, 0 });
	}
	level(p, f, root, "all of it, on average",
	    bench_json_number_at(rate, "mean"));
	bench_json_value(rate, "slowest", BENCH_UNIT_RATE, 1, low, sizeof low);
	bench_json_value(
	    rate, "fastest", BENCH_UNIT_RATE, 1, high, sizeof high);
	bench_page_alt(p, f,
	    "The rate of sequential reads at %u places over the drive, between "
	    "%s and %s, and a line at their mean; the numbers are below.",
	    (unsigned)json_array_size(points), low, high);
}

static void
accesses(struct bench_page *p, struct bench_section *s, const json_t *root)
{
	static const struct bench_axis y = { "access time", BENCH_UNIT_SECONDS,
		true, false };
	const json_t *access = json_object_get(root, "access");
	const json_t *dots = json_object_get(access, "dots");
	size_t n = json_array_size(dots),
	       each = (n + BENCH_POINTS - 1) / BENCH_POINTS, i;
	struct bench_figure *f =
	    bench_page_figure(p, s, &place, &y, "Access time by place");
	struct bench_line *l =
	    bench_page_line(p, f, BENCH_MARK_POINTS, "single reads of 4 KiB");
	char median[32], high[32];

	for (i = 0; each > 0 && i < n; i += each) {
		const json_t *o = json_array_get(dots, i);

		bench_page_point(p, f, l,
		    &(struct bench_point){ bench_json_number_at(o, "offset"),
			bench_json_number_at(o, "ns") / 1e9, 0, 0 });
	}
	level(
	    p, f, root, "median", bench_json_number_at(access, "p50_ns") / 1e9);
	level(p, f, root, "95th percentile",
	    bench_json_number_at(access, "p95_ns") / 1e9);
	bench_json_value(
	    access, "p50_ns", BENCH_UNIT_SECONDS, 1e-9, median, sizeof median);
	bench_json_value(
	    access, "max_ns", BENCH_UNIT_SECONDS, 1e-9, high, sizeof high);
	bench_page_alt(p, f,
	    "How long each of %u single reads at random places took, as dots, "
	    "with lines at the median, %s, and at the 95th percentile; the "
	    "longest took %s.",
	    (unsigned)n, median, high);
}

const char *
bench_json_curve_lacks(const json_t *root)
{
	if (!json_is_array(json_object_get(root, "points")))
		return ("points");
	if (!json_is_object(json_object_get(root, "bytes_per_s")))
		return ("bytes_per_s");
	if (!json_is_array(bench_json_at(root, "access", "dots", NULL)))
		return ("access.dots");
	return (NULL);
}

void
bench_page_curve(struct bench_page *p, const struct bench_sheet *sh)
{
	static const struct bench_json_row rate[] = {
		{ "slowest", "slowest place", BENCH_UNIT_RATE, 1 },
		{ "fastest", "fastest place", BENCH_UNIT_RATE, 1 },
		{ "mean", "all of it, read once", BENCH_UNIT_RATE, 1 },
		{ "first_quarter", "first quarter", BENCH_UNIT_RATE, 1 },
		{ "last_quarter", "last quarter", BENCH_UNIT_RATE, 1 },
		{ "p", "p of these two being alike", BENCH_UNIT_FACTOR, 1 },
	};
	static const struct bench_json_row access[] = {
		{ "n", "single reads", BENCH_UNIT_ORDINAL, 1 },
		{ "min_ns", "access time, shortest", BENCH_UNIT_SECONDS, 1e-9 },
		{ "p50_ns", "access time, median", BENCH_UNIT_SECONDS, 1e-9 },
		{ "p95_ns", "access time, 95th percentile", BENCH_UNIT_SECONDS,
		    1e-9 },
		{ "max_ns", "access time, longest", BENCH_UNIT_SECONDS, 1e-9 },
	};
	static const struct bench_json_row method[] = {
		{ "span_offset", "measured from", BENCH_UNIT_BYTES, 1 },
		{ "span", "length measured", BENCH_UNIT_BYTES, 1 },
		{ "runtime_ns", "each point, at most", BENCH_UNIT_SECONDS,
		    1e-9 },
		{ "time_budget_ns", "time budget", BENCH_UNIT_SECONDS, 1e-9 },
		{ "seed", "seed", BENCH_UNIT_ORDINAL, 1 },
	};
	const json_t *root = sh->root, *o = json_object_get(root, "target");
	struct bench_section *s =
	    bench_page_section(p, "Curve: %s", bench_json_text_at(o, "path"));
	struct bench_table *t;

	verdict(p, root);
	rates(p, s, root);
	accesses(p, s, root);
	t = bench_page_table(p, s, 2, "Figures");
	bench_page_cell(p, t, "what");
	bench_page_cell(p, t, "value");
	bench_page_rows(p, t, json_object_get(root, "bytes_per_s"), rate,
	    sizeof rate / sizeof *rate);
	bench_page_rows(p, t, json_object_get(root, "access"), access,
	    sizeof access / sizeof *access);
	t = bench_page_method(p, s, sh);
	bench_page_target(p, t, o);
	bench_page_rows(p, t, json_object_get(root, "method"), method,
	    sizeof method / sizeof *method);
}
