/* SPDX-License-Identifier: BSD-2-Clause */
/* One job: its plots, its device, its environment, its warnings. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "diskbench/page_card.h"

static const char *const side_name[] = { "read", "write" };

#define STEPS                                                                  \
	400 /* points of a line over time: more than a plot has pixels \
		     for */
#define BARS 48

static const struct bench_axis time_axis = { "time", BENCH_UNIT_SECONDS, false,
	true };
static const struct bench_axis latency_axis = { "latency", BENCH_UNIT_SECONDS,
	true, false };

/* A few steps in one point. */
struct lump {
	double from_ns, covered_ns, ios, sum_ns, p50_ns, p99_ns, max_ns;
	bool p50, p99;
};

static double
of(const json_t *step, const char *key)
{
	double v = bench_json_number(json_object_get(step, key));

	return (v >= 0 && v < 1e18 ? v : NAN);
}

static void
lump_up(struct lump *u, const json_t *step, const json_t *side)
{
	double ios = of(side, "ios"), mean = of(side, "mean_ns");
	double p50 = of(side, "p50_ns"), p99 = of(side, "p99_ns");
	double covered = of(step, "covered_ns");

	if (!(ios >= 0 && covered >= 0))
		return;
	if (u->covered_ns == 0)
		u->from_ns = of(step, "t_ns");
	u->covered_ns += covered;
	u->ios += ios;
	if (!isnan(mean))
		u->sum_ns += mean * ios;
	/* Medians by weight; of tails the worst, as one would see it. */
	if (!isnan(p50)) {
		u->p50_ns += p50 * ios;
		u->p50 = true;
	}
	if (!isnan(p99)) {
		u->p99_ns = fmax(u->p99_ns, p99);
		u->p99 = true;
	}
	u->max_ns = fmax(u->max_ns, of(side, "max_ns"));
}

/* A side over time: its rate into one line, its latency into a figure. */
static void
side_over_time(struct bench_page *p, struct bench_section *s,
    const struct bench_card *c, unsigned op, const struct bench_figure *rate,
    struct bench_line *ios)
{
	static const char *const what[] = { "mean", "p50", "p99", "max" };
	const json_t *steps = bench_json_at(c->own, "series", "steps", NULL);
	size_t n = json_array_size(steps), each = (n + STEPS - 1) / STEPS, i, k;
	double step_ns =
	    bench_json_number(bench_json_at(c->own, "series", "step_ns", NULL));
	struct bench_figure *f = bench_page_figure(p, s, &time_axis,
	    &latency_axis, "Latency over time: %s", side_name[op]);
	struct bench_line *l[4];
	unsigned m;

	bench_page_alt(p, f,
	    "Mean, median, 99th percentile and maximum of the latency over "
	    "the run; the numbers are below.");
	for (m = 0; m < 4; m++)
		l[m] = bench_page_line(p, f, BENCH_MARK_LINE, what[m]);
	for (i = 0; i < n; i += each) {
		struct lump u = { 0 };
		struct bench_point pt = { 0 };
		double v[4];

		for (k = i; k < i + each && k < n; k++) {
			const json_t *st = json_array_get(steps, k);

			lump_up(&u, st, json_object_get(st, side_name[op]));
		}
		/* What is left at the end says little of a rate. */
		if (!(u.covered_ns > 0) ||
		    (i > 0 && u.covered_ns < step_ns * (double)each / 2))
			continue;
		pt.x = u.from_ns / 1e9;
		pt.y = u.ios * 1e9 / u.covered_ns;
		bench_page_point(p, rate, ios, &pt);
		v[0] = u.ios > 0 ? u.sum_ns / u.ios : NAN;
		v[1] = u.p50 ? u.p50_ns / u.ios : NAN;
		v[2] = u.p99 ? u.p99_ns : NAN;
		v[3] = u.max_ns > 0 ? u.max_ns : NAN;
		for (m = 0; m < 4; m++) {
			pt.y = v[m] / 1e9;
			bench_page_point(p, f, l[m], &pt);
		}
	}
}

static void
over_time(
    struct bench_page *p, struct bench_section *s, const struct bench_card *c)
{
	static const struct bench_axis iops = { "I/Os per second",
		BENCH_UNIT_COUNT, false, true };
	struct bench_figure *rate;
	unsigned op;

	if (json_array_size(bench_json_at(c->own, "series", "steps", NULL)) < 2)
		return;
	rate = bench_page_figure(p, s, &time_axis, &iops, "IOPS over time");
	bench_page_alt(
	    p, rate, "I/Os per second over the run; the numbers are below.");
	for (op = 0; op < 2; op++)
		if (c->side[op].ios > 0)
			side_over_time(p, s, c, op, rate,
			    bench_page_line(
				p, rate, BENCH_MARK_LINE, side_name[op]));
}

static void
histogram(struct bench_page *p, struct bench_section *s,
    const struct bench_card_side *side, unsigned op)
{
	static const struct bench_axis share = { "share of I/Os (%)",
		BENCH_UNIT_COUNT, false, true };
	double low, high, width, bar[BARS] = { 0 }, mid, below = 0;
	struct bench_figure *f;
	struct bench_line *l;
	unsigned i, b;

	if (side->n_bin < 2)
		return;
	/* A few very fast ones would squeeze all others together. */
	for (i = 0; i + 2 < side->n_bin; i++) {
		below += side->bin[i].count;
		if (below >= side->binned / 1e4)
			break;
	}
	low = fmax(side->bin[i].low, 1);
	high = fmax(side->bin[side->n_bin - 1].high + 1, low * 2);
	width = log(high / low) / BARS;
	for (i = 0; i < side->n_bin; i++) {
		mid = fmax((side->bin[i].low + side->bin[i].high) / 2, low);
		b = (unsigned)fmin(floor(log(mid / low) / width), BARS - 1);
		bar[b] += side->bin[i].count;
	}
	f = bench_page_figure(p, s, &latency_axis, &share,
	    "Histogram: %s latency", side_name[op]);
	bench_page_alt(p, f,
	    "How often each latency occurred, on a logarithmic axis; the "
	    "numbers are below.");
	l = bench_page_line(p, f, BENCH_MARK_BARS, side_name[op]);
	for (i = 0; i < BARS; i++)
		bench_page_point(p, f, l,
		    &(struct bench_point){ low * exp(width * (i + 0.5)) / 1e9,
			100 * bar[i] / side->binned, low * exp(width * i) / 1e9,
			low * exp(width * (i + 1)) / 1e9 });
}

static void
percentiles(
    struct bench_page *p, struct bench_section *s, const struct bench_card *c)
{
	static const struct bench_axis x = { "percentile", BENCH_UNIT_NINES,
		false, true };
	struct bench_figure *f =
	    bench_page_figure(p, s, &x, &latency_axis, "Latency by percentile");
	struct bench_table *t;
	struct bench_line *l;
	const char *key;
	char buf[32];
	json_t *v;
	unsigned op;

	if (f != NULL)
		f->in_text = false;
	bench_page_alt(p, f,
	    "Latency by percentile, on an axis where each nine is as wide as "
	    "the one before; the numbers are below.");
	for (op = 0; op < 2; op++) {
		if (c->side[op].ios <= 0)
			continue;
		l = bench_page_line(p, f, BENCH_MARK_LINE, side_name[op]);
		bench_card_spectrum(p, f, l, &c->side[op]);
	}
	for (op = 0; op < 2; op++) {
		if (c->side[op].ios <= 0)
			continue;
		t = bench_page_table(p, s, 2,
		    c->side[op].response
			? op == 0 ? "Response time of reads, from when each "
				    "was due"
				  : "Response time of writes, from when each "
				    "was due"
		    : op == 0 ? "Latency of reads"
			      : "Latency of writes");
		bench_page_cell(p, t, "percentile");
		bench_page_cell(p, t, "latency");
		json_object_foreach(
		    (json_t *)(uintptr_t)c->side[op].percentile, key, v)
		{
			char *dot;

			(void)snprintf(buf, sizeof buf, "%.20s", key);
			/* 99.900000 is how fio spells 99.9. */
			if (strchr(buf, '.') != NULL) {
				for (dot = buf + strlen(buf); dot[-1] == '0';)
					*--dot = '\0';
				if (dot[-1] == '.')
					dot[-1] = '\0';
			}
			bench_page_cell(p, t, "p%s", buf);
			bench_json_ns(v, buf, sizeof buf);
			bench_page_cell(
			    p, t, "%s", json_is_null(v) ? "too few I/Os" : buf);
		}
	}
}

static void
pair(struct bench_page *p, struct bench_table *t, const char *name,
    const char *value)
{
	if (value[0] == '\0')
		return;
	bench_page_cell(p, t, "%s", name);
	bench_page_cell(p, t, "%s", value);
}

/* Beside the units of a page: bytes, each of them. */
#define WHOLE ((enum bench_unit)100)

/* Of any kind of value, in words; "" for none. */
static void
say(const json_t *v, enum bench_unit unit, char *ret, unsigned len)
{
	if (json_is_true(v) || json_is_false(v))
		(void)snprintf(ret, len, "%s", json_is_true(v) ? "yes" : "no");
	else if (json_is_number(v) && unit == WHOLE)
		(void)snprintf(ret, len, "%.0f B", json_number_value(v));
	else if (json_is_number(v))
		bench_value_text(unit, json_number_value(v), ret, len);
	else
		(void)snprintf(ret, len, "%s", bench_json_text(v));
}

static void
device(
    struct bench_page *p, struct bench_section *s, const struct bench_card *c)
{
	static const struct {
		const char *key, *name;
		enum bench_unit unit;
	} rows[] = {
		{ "path", "path", 0 },
		{ "kind", "kind", 0 },
		{ "model", "model", 0 },
		{ "serial", "serial", 0 },
		{ "wwid", "wwid", 0 },
		{ "firmware", "firmware", 0 },
		{ "transport", "transport", 0 },
		{ "backing", "stands on", 0 },
		{ "filesystem", "file system", 0 },
		{ "size", "size", BENCH_UNIT_BYTES },
		{ "logical_block_size", "logical block", WHOLE },
		{ "physical_block_size", "physical block", WHOLE },
		{ "rotational", "rotational", 0 },
		{ "scheduler", "scheduler", 0 },
		{ "write_cache", "write cache", 0 },
		{ "temperature_c", "temperature (C)", BENCH_UNIT_RATIO },
	};
	const json_t *d = json_object_get(c->own, "device");
	struct bench_table *t = bench_page_table(p, s, 2, "Device");
	char buf[400];
	unsigned i;

	bench_page_cell(p, t, "what");
	bench_page_cell(p, t, "value");
	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		say(json_object_get(d, rows[i].key), rows[i].unit, buf,
		    sizeof buf);
		pair(p, t, rows[i].name, buf);
	}
}

static void
workload(const struct bench_card *c, char *ret, size_t len)
{
	const char *a = c->side[0].block, *b = c->side[1].block;
	bool both = c->side[0].ios > 0 && c->side[1].ios > 0;

	if (c->side[0].ios <= 0)
		a = b;
	(void)snprintf(ret, len, "%.60s of %.30s%s%.30s, %.0f I/Os in flight%s",
	    c->streams != NULL ? "streams"
	    : c->rw[0] != '\0' ? c->rw
			       : "I/O",
	    a[0] != '\0' ? a : "?", both && strcmp(a, b) != 0 ? " and " : "",
	    both && strcmp(a, b) != 0 ? b : "", c->depth,
	    c->streams != NULL ? " at most" : " in all");
}

static void
environment(
    struct bench_page *p, struct bench_section *s, const struct bench_card *c)
{
	const json_t *top = json_object_get(c->root, "diskbench");
	struct bench_table *t = bench_page_table(p, s, 2, "Environment");
	char buf[1024];

	bench_page_cell(p, t, "what");
	bench_page_cell(p, t, "value");
	pair(p, t, "file", c->file);
	pair(p, t, "measured",
	    bench_json_text(json_object_get(c->root, "time")));
	/* Ours names a version of fio, too, for whoever reads fio's. */
	if (c->own != NULL)
		(void)snprintf(buf, sizeof buf, "diskbench %.60s",
		    bench_json_text_at(top, "version"));
	else
		(void)snprintf(buf, sizeof buf, "%.60s",
		    bench_json_text_at(c->root, "fio version"));
	pair(p, t, "by", buf);
	bench_json_words(json_object_get(top, "command"), buf, sizeof buf);
	pair(p, t, "command", buf);
	(void)snprintf(buf, sizeof buf, "%.100s %.200s %.100s",
	    bench_json_text(json_object_get(top, "system")),
	    bench_json_text(json_object_get(top, "kernel")),
	    bench_json_text(json_object_get(top, "machine")));
	pair(p, t, "system", strcmp(buf, "  ") == 0 ? "" : buf);
	workload(c, buf, sizeof buf);
	pair(p, t, "workload", buf);
	(void)snprintf(buf, sizeof buf, "%.60s %.400s", c->engine,
	    bench_json_text(json_object_get(c->own, "engine_note")));
	pair(p, t, "engine", c->engine[0] != '\0' ? buf : "");
	pair(p, t, "mode", bench_json_text(json_object_get(c->own, "mode")));
	say(json_object_get(c->own, "span"), BENCH_UNIT_BYTES, buf, sizeof buf);
	pair(p, t, "span", buf);
	say(json_object_get(c->own, "span_percent"), BENCH_UNIT_RATIO, buf,
	    sizeof buf);
	pair(p, t, "span (% of the device)", buf);
	say(bench_json_at(c->own, "device_stat", "depth", NULL),
	    BENCH_UNIT_RATIO, buf, sizeof buf);
	pair(p, t, "depth that the device saw", buf);
	say(bench_json_at(c->own, "cpu", "us_per_io", NULL), BENCH_UNIT_RATIO,
	    buf, sizeof buf);
	pair(p, t, "CPU per I/O (us)", buf);
	say(bench_json_at(c->own, "environment", "steal_percent", NULL),
	    BENCH_UNIT_RATIO, buf, sizeof buf);
	pair(p, t, "CPU taken by the hypervisor (%)", buf);
	say(bench_json_at(c->own, "environment", "load1", NULL),
	    BENCH_UNIT_RATIO, buf, sizeof buf);
	pair(p, t, "load", buf);
	if (json_is_integer(json_object_get(c->own, "seed"))) {
		(void)snprintf(buf, sizeof buf, "%" JSON_INTEGER_FORMAT,
		    json_integer_value(json_object_get(c->own, "seed")));
		pair(p, t, "seed", buf);
	}
}

/* "4k 11 %, 8k 20 %"; of a single one its size alone. */
static void
shares(const json_t *sizes, char *ret, size_t len)
{
	size_t i, n = json_array_size(sizes);
	char block[24];

	ret[0] = '\0';
	for (i = 0; i < n && i < 32; i++) {
		const json_t *o = json_array_get(sizes, i);
		double bytes = bench_json_number_at(o, "bytes");
		double percent = bench_json_number_at(o, "percent");

		if (!(bytes >= 1 && bytes < 1e12))
			continue;
		bench_card_block(bytes, block, sizeof block);
		cli_append(ret, len, "%s%s", ret[0] != '\0' ? ", " : "", block);
		if (n > 1 && percent >= 0 && percent <= 100)
			cli_append(ret, len, " %.*f %%", percent < 9.95 ? 1 : 0,
			    percent);
	}
}

/* What a profile asked of the drive: no two of its streams are alike. */
static void
streams(
    struct bench_page *p, struct bench_section *s, const struct bench_card *c)
{
	char sizes[1200], runs[1200], rate[32], what[64];
	size_t i;

	for (i = 0; i < json_array_size(c->streams) && i < 32; i++) {
		const json_t *o = json_array_get(c->streams, i);
		double reads = bench_json_number_at(o, "read_percent");
		double per = bench_json_number_at(o, "per_second");
		const json_t *run = json_object_get(o, "runs");

		shares(json_object_get(o, "sizes"), sizes, sizeof sizes);
		shares(run, runs, sizeof runs);
		bench_value_text(BENCH_UNIT_COUNT, per, rate, sizeof rate);
		if (reads > 0 && reads < 100)
			(void)snprintf(what, sizeof what,
			    "reads and writes (%.0f to %.0f)", reads,
			    100 - reads);
		else
			(void)snprintf(what, sizeof what, "%s",
			    reads > 0 ? "reads" : "writes");
		bench_page_note(p, s, BENCH_TONE_PLAIN,
		    "%s: %s %s of %s%s%s, at most %.0f in flight, %s%s%s.",
		    bench_json_text_at(o, "name"),
		    json_is_true(json_object_get(o, "sequential"))
			? "sequential"
			: "random",
		    what, sizes,
		    runs[0] != '\0' ? ", one after the other in objects of "
				    : "",
		    runs, bench_json_number_at(o, "in_flight"),
		    per > 0 ? "" : "as fast as they come back",
		    per > 0 ? rate : "",
		    per > 0 ? runs[0] != '\0' ? " objects begun a second"
					      : " a second"
			    : "");
	}
}

void
bench_card_draw(struct bench_page *p, const struct bench_card *c)
{
	struct bench_section *s = bench_page_section(p, "%s", c->title);
	size_t i;
	unsigned op;

	if (!c->complete)
		bench_page_note(p, s, BENCH_TONE_BAD,
		    "Interrupted: what follows is of the time until then.");
	if (c->errors > 0)
		bench_page_note(p, s, BENCH_TONE_BAD,
		    "%.0f I/Os failed; they are in no other number here.",
		    c->errors);
	for (i = 0; i < json_array_size(c->warnings) && i < 100; i++) {
		const json_t *w = json_array_get(c->warnings, i);

		bench_page_note(p, s, BENCH_TONE_WARNING, "%s (%s)",
		    bench_json_text(json_object_get(w, "text")),
		    bench_json_text(json_object_get(w, "id")));
	}
	if (c->own == NULL)
		bench_page_note(p, s, BENCH_TONE_PLAIN,
		    "Measured by fio: no values over time, latencies from "
		    "submission on%s.",
		    c->side[0].n_bin + c->side[1].n_bin == 0
			? "; for a histogram use --output-format=json+"
			: "");
	streams(p, s, c);
	over_time(p, s, c);
	percentiles(p, s, c);
	for (op = 0; op < 2; op++)
		if (c->side[op].ios > 0)
			histogram(p, s, &c->side[op], op);
	device(p, s, c);
	environment(p, s, c);
}
