/* SPDX-License-Identifier: BSD-2-Clause */
/* What diskbench compare found, on a page. */
#include <stdio.h>
#include <string.h>

#include "diskbench/page_json.h"

/* Rows of the forest; one more line of the figure is where both are equal. */
#define METRICS_SHOWN (BENCH_LINES - 1)

static const struct {
	const char *name, *title;
	enum bench_unit unit;
	double scale; /* of the JSON's unit to the page's */
} known[] = {
	{ "iops", "I/Os per second", BENCH_UNIT_COUNT, 1 },
	{ "bytes_per_s", "transfer rate", BENCH_UNIT_RATE, 1 },
	{ "mean_ns", "latency, mean", BENCH_UNIT_SECONDS, 1e-9 },
	{ "p50_ns", "latency, p50", BENCH_UNIT_SECONDS, 1e-9 },
	{ "p99_ns", "latency, p99", BENCH_UNIT_SECONDS, 1e-9 },
	{ "p999_ns", "latency, p99.9", BENCH_UNIT_SECONDS, 1e-9 },
};

/* One of metrics[]. */
struct metric {
	const char *name;  /* in the JSON */
	const char *title; /* for people */
	const char *label; /* the same, but never from the file */
	enum bench_unit unit;
	double scale;
	bool higher; /* is better */
	double a, b, ratio, low, high, p, mde;
};

/* Who the metric is; its numbers stay empty. */
static void
metric_name(struct metric *m, const char *name)
{
	unsigned i;

	memset(m, 0, sizeof *m);
	m->name = m->title = name;
	m->label = "value";
	m->scale = 1;
	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(name, known[i].name) == 0) {
			m->title = m->label = known[i].title;
			m->unit = known[i].unit;
			m->scale = known[i].scale;
		}
}

static void
metric_init(struct metric *m, const json_t *o)
{
	metric_name(m, bench_json_text_at(o, "name"));
	m->higher = strcmp(bench_json_text_at(o, "better"), "lower") != 0;
	m->a = bench_json_number_at(o, "a") * m->scale;
	m->b = bench_json_number_at(o, "b") * m->scale;
	m->ratio = bench_json_number_at(o, "ratio");
	m->low = bench_json_number_at(o, "ratio_low");
	m->high = bench_json_number_at(o, "ratio_high");
	m->p = bench_json_number_at(o, "p");
	m->mde = bench_json_number_at(o, "mde_percent");
}

static unsigned
metric_count(const json_t *root)
{
	size_t n = json_array_size(json_object_get(root, "metrics"));

	return (n < METRICS_SHOWN ? (unsigned)n : METRICS_SHOWN);
}

static void
metric_at(struct metric *m, const json_t *root, unsigned i)
{
	metric_init(m, json_array_get(json_object_get(root, "metrics"), i));
}

static const json_t *
side_at(const json_t *root, unsigned k)
{
	return (json_array_get(json_object_get(root, "sides"), k));
}

static void
verdict(struct bench_page *p, const json_t *root)
{
	const char *v = bench_json_text_at(root, "verdict"),
		   *s = bench_json_text_at(root, "sentence");
	const char *kind = bench_json_text_at(root, "kind");
	const json_t *method = json_object_get(root, "method");
	bool faster = strcmp(v, "A faster") == 0 || strcmp(v, "B faster") == 0;
	bool aa = strcmp(kind, "aa") == 0;

	bench_page_verdict(p,
	    strcmp(v, "too few runs") == 0 ? BENCH_TONE_WARNING
	    : faster ? aa ? BENCH_TONE_BAD : BENCH_TONE_GOOD
		     : BENCH_TONE_PLAIN,
	    "%s", s[0] != '\0' ? s : v);
	bench_page_verdict(p, BENCH_TONE_PLAIN, "A is %s, B is %s%s.",
	    bench_json_text_at(side_at(root, 0), "path"),
	    aa ? "the same" : bench_json_text_at(side_at(root, 1), "path"),
	    aa ? ": this measures the rig, not a difference" : "");
	if (strcmp(kind, "buffered") == 0)
		bench_page_verdict(p, BENCH_TONE_PLAIN,
		    "A is what a program sees that reads through the page "
		    "cache: memory, read-ahead and the drive together. B is "
		    "the drive alone, which is what a data set larger than "
		    "memory gets.");
	if (bench_json_text_at(root, "certainty")[0] != '\0')
		bench_page_verdict(p, BENCH_TONE_PLAIN, "Certainty: %s.",
		    bench_json_text_at(root, "certainty"));
	if (bench_json_text_at(root, "differs")[0] != '\0')
		bench_page_verdict(p, BENCH_TONE_WARNING,
		    "The sides differ in more than the drive: %s.",
		    bench_json_text_at(root, "differs"));
	if (!json_is_true(json_object_get(root, "complete")))
		bench_page_verdict(p, BENCH_TONE_BAD,
		    "Partial: %.0f of %.0f pairs were measured.",
		    (double)json_array_size(json_object_get(root, "pairs")),
		    bench_json_number_at(method, "pairs_planned"));
	if (strcmp(bench_json_text_at(side_at(root, 0), "engine"),
		bench_json_text_at(side_at(root, 1), "engine")) != 0)
		bench_page_verdict(p, BENCH_TONE_WARNING,
		    "The sides were measured with different engines, %s and "
		    "%s: part of a difference may be theirs.",
		    bench_json_text_at(side_at(root, 0), "engine"),
		    bench_json_text_at(side_at(root, 1), "engine"));
}

/*
 * Every row is turned so that right of 1 A is the better one: of latencies it
 * is B/A.  Half of the intervals would otherwise contradict the other half.
 */
static void
forest(struct bench_page *p, struct bench_section *s, const json_t *root)
{
	static const struct bench_axis y = { "", BENCH_UNIT_ORDINAL, false,
		false };
	struct bench_axis x = { "times as good as B", BENCH_UNIT_FACTOR, false,
		false };
	unsigned i, n = metric_count(root), wins = 0, losses = 0;
	double low = 1, high = 1;
	struct bench_figure *f;
	struct bench_line *l;
	struct metric m;
	char name[200];

	for (i = 0; i < n; i++) {
		metric_at(&m, root, i);
		if (!(m.low > 0 && m.high >= m.low))
			continue;
		low = fmin(low, m.higher ? m.low : 1 / m.high);
		high = fmax(high, m.higher ? m.high : 1 / m.low);
	}
	/* Half as good is as far from 1 as twice as good. */
	x.log = high / low > 4;
	f = bench_page_figure(
	    p, s, &x, &y, "A against B: right of 1, A is better");
	for (i = 0; i < n; i++) {
		struct bench_point pt = { 0 };

		metric_at(&m, root, i);
		if (!(m.low > 0 && m.high >= m.low && m.ratio > 0))
			continue;
		pt.x = m.higher ? m.ratio : 1 / m.ratio;
		pt.low = m.higher ? m.low : 1 / m.high;
		pt.high = m.higher ? m.high : 1 / m.low;
		pt.y = i + 1;
		wins += pt.low > 1;
		losses += pt.high < 1;
		(void)snprintf(name, sizeof name, "%.150s, %s", m.title,
		    m.higher ? "A/B" : "B/A");
		l = bench_page_line(p, f, BENCH_MARK_RANGE, name);
		bench_page_point(p, f, l, &pt);
	}
	l = bench_page_line(p, f, BENCH_MARK_LEVEL, "1: no difference");
	bench_page_point(p, f, l, &(struct bench_point){ 1, 0.4, 0, 0 });
	bench_page_point(p, f, l, &(struct bench_point){ 1, n + 0.6, 0, 0 });
	bench_page_alt(p, f,
	    "The 95 %% interval of each of %u figures, and a line at 1: %u lie "
	    "wholly on A's side of it, %u on B's. The table below has them.",
	    n, wins, losses);
}

static void
metrics(struct bench_page *p, struct bench_section *s, const json_t *root)
{
	static const char *const heads[] = { "", "better", "A", "B", "A/B",
		"from", "to", "p", "seen from" };
	struct bench_table *t = bench_page_table(p, s, 9,
	    "Geometric means over the pairs, and their ratio with its 95 % "
	    "interval");
	struct metric m;
	char buf[32];
	unsigned i;

	for (i = 0; i < sizeof heads / sizeof *heads; i++)
		bench_page_cell(p, t, "%s", heads[i]);
	for (i = 0; i < metric_count(root); i++) {
		metric_at(&m, root, i);
		bench_page_cell(p, t, "%s", m.title);
		bench_page_cell(p, t, "%s", m.higher ? "higher" : "lower");
		bench_page_cell_value(p, t, m.unit, m.a);
		bench_page_cell_value(p, t, m.unit, m.b);
		bench_page_cell_value(p, t, BENCH_UNIT_FACTOR, m.ratio);
		bench_page_cell_value(p, t, BENCH_UNIT_FACTOR, m.low);
		bench_page_cell_value(p, t, BENCH_UNIT_FACTOR, m.high);
		bench_page_cell(p, t, isnan(m.p) ? "-" : "%.4f", m.p);
		(void)snprintf(buf, sizeof buf, "%.1f %%", m.mde);
		bench_page_cell(p, t, "%s", isnan(m.mde) ? "-" : buf);
	}
}

/* The i-th run of side k: of a pair, or from a file of its own. */
static const json_t *
run_at(const json_t *root, unsigned k, size_t i)
{
	static const char *const keys[] = { "a", "b" };
	const json_t *runs = json_object_get(root, "runs");

	if (runs != NULL)
		return (json_array_get(json_object_get(runs, keys[k]), i));
	return (bench_json_at(
	    json_array_get(json_object_get(root, "pairs"), i), keys[k], NULL));
}

static size_t
run_count(const json_t *root, unsigned k)
{
	static const char *const keys[] = { "a", "b" };
	const json_t *runs = json_object_get(root, "runs");

	return (json_array_size(runs != NULL ? json_object_get(runs, keys[k])
					     : json_object_get(root, "pairs")));
}

static void
over_time(struct bench_page *p, struct bench_section *s, const json_t *root)
{
	bool files = json_object_get(root, "runs") != NULL;
	struct bench_axis x = { files ? "run" : "pair", BENCH_UNIT_ORDINAL,
		false, false };
	static const char *const names[] = { "A", "B" };
	struct bench_axis y = { NULL, BENCH_UNIT_COUNT, false, true };
	struct bench_figure *f;
	struct bench_line *l;
	struct metric m;
	size_t i;
	unsigned k;

	metric_name(&m, bench_json_text_at(root, "metric"));
	y.label = m.label;
	y.unit = m.unit;
	f = bench_page_figure(p, s, &x, &y, "%s: %s",
	    files ? "Run by run" : "Pair by pair", m.title);
	if (files)
		bench_page_alt(p, f,
		    "%s of %u runs of A and %u of B, in the order in which "
		    "their files were named; the numbers are below.",
		    m.title, (unsigned)run_count(root, 0),
		    (unsigned)run_count(root, 1));
	else
		bench_page_alt(p, f,
		    "%s of A and of B in each of %u pairs, in the order in "
		    "which they were measured; the numbers are below.",
		    m.title, (unsigned)run_count(root, 0));
	for (k = 0; k < 2; k++) {
		l = bench_page_line(p, f, BENCH_MARK_DOTTED, names[k]);
		for (i = 0; i < run_count(root, k); i++)
			bench_page_point(p, f, l,
			    &(struct bench_point){ (double)i + 1,
				bench_json_number(bench_json_at(
				    run_at(root, k, i), m.name, NULL)) *
				    m.scale,
				0, 0 });
	}
}

static void
row(struct bench_page *p, struct bench_table *t, const char *name,
    const char *a, const char *b)
{
	if (a[0] == '\0' && b[0] == '\0')
		return;
	bench_page_cell(p, t, "%s", name);
	bench_page_cell(p, t, "%s", a);
	bench_page_cell(p, t, "%s", b);
}

static void
sides(struct bench_page *p, struct bench_section *s, const json_t *root)
{
	static const struct {
		const char *key, *name;
		enum bench_unit unit;
	} rows[] = {
		{ "path", "path", 0 },
		{ "model", "model", 0 },
		{ "serial", "serial", 0 },
		{ "firmware", "firmware", 0 },
		{ "size", "size", BENCH_UNIT_BYTES },
		{ "engine", "engine", 0 },
		{ "buffered", "through the page cache", 0 },
		{ "depth", "I/Os in flight", BENCH_UNIT_ORDINAL },
		{ "threads", "threads", BENCH_UNIT_ORDINAL },
		{ "span_offset", "measured from", BENCH_UNIT_BYTES },
		{ "span", "length measured", BENCH_UNIT_BYTES },
	};
	struct bench_table *t = bench_page_table(p, s, 3, "The two sides");
	char a[256], b[256];
	unsigned i;

	row(p, t, "what", "A", "B");
	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		bench_json_value(side_at(root, 0), rows[i].key, rows[i].unit, 1,
		    a, sizeof a);
		bench_json_value(side_at(root, 1), rows[i].key, rows[i].unit, 1,
		    b, sizeof b);
		row(p, t, rows[i].name, a, b);
	}
}

static void
method(
    struct bench_page *p, struct bench_section *s, const struct bench_sheet *sh)
{
	static const struct bench_json_row rows[] = {
		{ "pairs", "pairs", BENCH_UNIT_ORDINAL, 1 },
		{ "pairs_planned", "pairs planned", BENCH_UNIT_ORDINAL, 1 },
		{ "runtime_ns", "each run", BENCH_UNIT_SECONDS, 1e-9 },
		{ "ramp_ns", "ramp before it", BENCH_UNIT_SECONDS, 1e-9 },
		{ "time_budget_ns", "time budget", BENCH_UNIT_SECONDS, 1e-9 },
		{ "seed", "seed", BENCH_UNIT_ORDINAL, 1 },
		{ "confidence", "confidence", BENCH_UNIT_FACTOR, 1 },
		{ "interval", "interval", 0, 1 },
		{ "resamples", "resamples", BENCH_UNIT_ORDINAL, 1 },
		{ "test", "test", 0, 1 },
		{ "alpha", "p is at most", BENCH_UNIT_FACTOR, 1 },
	};
	const json_t *o = json_object_get(sh->root, "method");
	const json_t *pairs = json_object_get(sh->root, "pairs");
	struct bench_table *t = bench_page_method(p, s, sh);
	unsigned first = 0;
	size_t i;

	bench_page_rows(p, t, o, rows, sizeof rows / sizeof *rows);
	for (i = 0; i < json_array_size(pairs); i++)
		first += strcmp(bench_json_text_at(
				    json_array_get(pairs, i), "order"),
			     "AB") == 0;
	if (json_object_get(sh->root, "runs") != NULL) {
		bench_page_cell(p, t, "runs");
		bench_page_cell(p, t, "%u of A and %u of B, from files",
		    (unsigned)run_count(sh->root, 0),
		    (unsigned)run_count(sh->root, 1));
		return;
	}
	bench_page_cell(p, t, "A went first in");
	bench_page_cell(
	    p, t, "%u of %u pairs", first, (unsigned)json_array_size(pairs));
}

const char *
bench_json_compare_lacks(const json_t *root)
{
	if (json_array_size(json_object_get(root, "sides")) != 2)
		return ("sides");
	if (!json_is_array(json_object_get(root, "metrics")))
		return ("metrics");
	if (!json_is_array(json_object_get(root, "pairs")))
		return ("pairs");
	if (bench_json_text_at(root, "verdict")[0] == '\0')
		return ("verdict");
	return (NULL);
}

void
bench_page_compare(struct bench_page *p, const struct bench_sheet *sh)
{
	struct bench_section *s;

	verdict(p, sh->root);
	s = bench_page_section(p, "Comparison: %s and %s",
	    bench_json_text_at(side_at(sh->root, 0), "path"),
	    bench_json_text_at(side_at(sh->root, 1), "path"));
	forest(p, s, sh->root);
	metrics(p, s, sh->root);
	over_time(p, s, sh->root);
	sides(p, s, sh->root);
	method(p, s, sh);
}
