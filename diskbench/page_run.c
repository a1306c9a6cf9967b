/* SPDX-License-Identifier: BSD-2-Clause */
/* The results of diskbench run and of fio, on a page. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diskbench/page_card.h"
#include "diskbench/page_json.h"

/* Verdicts of more jobs than this are in the table alone. */
#define SPOKEN 4

static void
words(const struct bench_card *c, unsigned op, char *ret, unsigned len)
{
	static const char *const names[] = { "reads", "writes" };
	const struct bench_card_side *s = &c->side[op];
	static const double tails[] = { 99, 99.9 };
	char rate[24], bytes[24], p[24];
	size_t at;
	unsigned i;

	bench_value_text(BENCH_UNIT_COUNT, s->iops, rate, sizeof rate);
	bench_value_text(BENCH_UNIT_RATE, s->bw, bytes, sizeof bytes);
	(void)snprintf(ret, len, "%s %s/s (%s)", rate, names[op], bytes);
	/* What too few I/Os tell is left out. */
	if (!isnan(bench_card_quantile_ns(s, 50))) {
		bench_card_quantile(s, 50, p, sizeof p);
		at = strlen(ret);
		(void)snprintf(
		    ret + at, len - at, ", half of them within %s", p);
	}
	for (i = 0; i < 2; i++) {
		if (isnan(bench_card_quantile_ns(s, tails[i])))
			continue;
		bench_card_quantile(s, tails[i], p, sizeof p);
		at = strlen(ret);
		(void)snprintf(ret + at, len - at, ", p%g %s", tails[i], p);
	}
}

static void
speak(struct bench_page *p, const struct bench_card *c)
{
	char buf[2][256];
	unsigned op, n = 0;

	for (op = 0; op < 2; op++)
		if (c->side[op].ios > 0)
			words(c, op, buf[n++], sizeof buf[0]);
	if (n == 0)
		bench_page_verdict(p, BENCH_TONE_BAD,
		    "%s: not one I/O was measured.", c->title);
	else
		bench_page_verdict(p, BENCH_TONE_PLAIN, "%s: %s%s%s.", c->title,
		    buf[0], n > 1 ? "; " : "", n > 1 ? buf[1] : "");
}

static void
verdict(struct bench_page *p, const struct bench_card *c, unsigned n)
{
	unsigned i, warnings = 0, partial = 0, failing = 0;

	for (i = 0; i < n; i++) {
		if (n <= SPOKEN)
			speak(p, &c[i]);
		warnings += (unsigned)json_array_size(c[i].warnings);
		partial += !c[i].complete;
		failing += c[i].errors > 0;
	}
	if (n > SPOKEN)
		bench_page_verdict(p, BENCH_TONE_PLAIN,
		    "%u results; the table has each of them.", n);
	if (failing > 0)
		bench_page_verdict(p, BENCH_TONE_BAD,
		    n == 1 ? "I/Os failed: the other numbers are without them."
			   : "I/Os failed in some of the results.");
	if (partial > 0)
		bench_page_verdict(p, BENCH_TONE_BAD,
		    n == 1 ? "Partial: interrupted before the end."
			   : "Some of the results are partial: interrupted "
			     "before the end.");
	if (warnings > 0)
		bench_page_verdict(p, BENCH_TONE_WARNING,
		    "%u warning%s about how this was measured: see below "
		    "before you rely on it.",
		    warnings, warnings == 1 ? "" : "s");
	if (n > 1)
		bench_page_verdict(p, BENCH_TONE_PLAIN,
		    "One run each shows what was, not which is faster: runs "
		    "on one and the same device differ. \"diskbench "
		    "compare\" answers that.");
}

static void
summary_row(struct bench_page *p, struct bench_table *t,
    const struct bench_card *c, unsigned op)
{
	const struct bench_card_side *s = &c->side[op];
	char buf[32];

	bench_page_cell(p, t, "%s", c->title);
	bench_page_cell(p, t, "%s", op == 0 ? "read" : "write");
	bench_page_cell(p, t, "%s", s->block);
	bench_page_cell(p, t, "%.0f", c->depth);
	bench_value_text(BENCH_UNIT_COUNT, s->iops, buf, sizeof buf);
	bench_page_cell(p, t, "%s", buf);
	bench_value_text(BENCH_UNIT_RATE, s->bw, buf, sizeof buf);
	bench_page_cell(p, t, "%s", buf);
	bench_card_quantile(s, 50, buf, sizeof buf);
	bench_page_cell(p, t, "%s", buf);
	bench_card_quantile(s, 99, buf, sizeof buf);
	bench_page_cell(p, t, "%s", buf);
	bench_card_quantile(s, 99.9, buf, sizeof buf);
	bench_page_cell(p, t, "%s", buf);
	bench_json_ns(s->max, buf, sizeof buf);
	bench_page_cell(p, t, "%s", buf);
}

static void
summary(struct bench_page *p, const struct bench_card *c, unsigned n)
{
	static const char *const heads[] = { "result", "", "block", "depth",
		"IOPS", "rate", "p50", "p99", "p99.9", "max" };
	static const struct bench_axis x = { "percentile", BENCH_UNIT_NINES,
		false, true };
	static const struct bench_axis y = { "latency", BENCH_UNIT_SECONDS,
		true, false };
	struct bench_section *s = bench_page_section(p, "Results");
	struct bench_table *t = bench_page_table(p, s, 10, "");
	struct bench_figure *f;
	struct bench_line *l;
	char name[200];
	unsigned i, op, lines = 0;

	for (i = 0; i < 10; i++)
		bench_page_cell(p, t, "%s", heads[i]);
	for (i = 0; i < n; i++)
		for (op = 0; op < 2; op++)
			if (c[i].side[op].ios > 0) {
				summary_row(p, t, &c[i], op);
				lines++;
			}
	if (n < 2 || lines > BENCH_LINES)
		return;
	f = bench_page_figure(
	    p, s, &x, &y, "Latency by percentile, all results");
	if (f != NULL)
		f->in_text = false;
	for (i = 0; i < n; i++)
		for (op = 0; op < 2; op++) {
			if (c[i].side[op].ios <= 0)
				continue;
			(void)snprintf(name, sizeof name, "%.150s, %s",
			    c[i].title, op == 0 ? "read" : "write");
			l = bench_page_line(p, f, BENCH_MARK_LINE, name);
			bench_card_spectrum(p, f, l, &c[i].side[op]);
		}
	bench_page_alt(p, f,
	    "Latency of %u results by percentile; lower is better. The table "
	    "above has p50, p99 and p99.9 of each.",
	    n);
}

static bool
same_but_depth(const struct bench_card *a, const struct bench_card *b)
{
	return (strcmp(a->target, b->target) == 0 &&
		strcmp(a->rw, b->rw) == 0 &&
		strcmp(a->side[0].block, b->side[0].block) == 0 &&
		strcmp(a->side[1].block, b->side[1].block) == 0 &&
		strcmp(a->engine, b->engine) == 0);
}

static int
by_depth(const void *a, const void *b)
{
	const struct bench_card *const *x = a, *const *y = b;

	return ((*x)->depth < (*y)->depth ? -1 : (*x)->depth > (*y)->depth);
}

static double
total(const struct bench_card *c)
{
	return ((c->side[0].ios > 0 ? c->side[0].iops : 0) +
		(c->side[1].ios > 0 ? c->side[1].iops : 0));
}

/* The side that does more of the work speaks for the latency of both. */
static const struct bench_card_side *
main_side(const struct bench_card *c)
{
	return (&c->side[c->side[1].ios > c->side[0].ios]);
}

static void
sweep_knee(struct bench_page *p, struct bench_section *s,
    const struct bench_card *const *c, unsigned n)
{
	const struct bench_card *knee = c[0];
	double best = 0;
	char a[24], b[24], d[24];
	unsigned i;

	for (i = 0; i < n; i++)
		best = fmax(best, total(c[i]));
	for (i = 0; i < n; i++)
		if (total(c[i]) >= 0.9 * best) {
			knee = c[i];
			break;
		}
	bench_value_text(BENCH_UNIT_COUNT, total(knee), a, sizeof a);
	bench_value_text(BENCH_UNIT_COUNT, best, b, sizeof b);
	bench_card_quantile(main_side(knee), 99, d, sizeof d);
	if (knee == c[n - 1])
		bench_page_note(p, s, BENCH_TONE_PLAIN,
		    "No knee up to depth %.0f: it still brings more (%s "
		    "IOPS, p99 %s). Try deeper.",
		    knee->depth, a, d);
	else
		bench_page_note(p, s, BENCH_TONE_GOOD,
		    "The knee is at depth %.0f: %s IOPS with p99 %s, at least "
		    "90%% of the most seen (%s). Deeper queues mostly add "
		    "waiting.",
		    knee->depth, a, d, b);
}

static void
sweep(struct bench_page *p, const struct bench_card *const *c, unsigned n)
{
	static const struct bench_axis depth = { "I/Os in flight",
		BENCH_UNIT_COUNT, true, false };
	static const struct bench_axis iops = { "I/Os per second",
		BENCH_UNIT_COUNT, false, true };
	static const struct bench_axis time = { "latency", BENCH_UNIT_SECONDS,
		true, false };
	static const double shares[] = { 50, 99 };
	static const char *const names[] = { "p50", "p99" };
	struct bench_section *s =
	    bench_page_section(p, "Depth sweep: %s, %s, %s", c[0]->name,
		c[0]->rw, main_side(c[0])->block);
	struct bench_figure *f;
	struct bench_line *l;
	unsigned i, k;

	sweep_knee(p, s, c, n);
	f = bench_page_figure(p, s, &depth, &iops, "IOPS by depth");
	bench_page_alt(p, f,
	    "I/Os per second at %u depths from %.0f to %.0f; the numbers are "
	    "below.",
	    n, c[0]->depth, c[n - 1]->depth);
	l = bench_page_line(p, f, BENCH_MARK_DOTTED, "IOPS");
	for (i = 0; i < n; i++)
		bench_page_point(p, f, l,
		    &(struct bench_point){ c[i]->depth, total(c[i]), 0, 0 });
	f = bench_page_figure(p, s, &iops, &time,
	    "Latency at each rate (points from depth %.0f to %.0f)",
	    c[0]->depth, c[n - 1]->depth);
	bench_page_alt(p, f,
	    "Latency over I/Os per second, a point for each depth; where the "
	    "lines turn upwards, depth only adds waiting.");
	for (k = 0; k < 2; k++) {
		l = bench_page_line(p, f, BENCH_MARK_DOTTED, names[k]);
		for (i = 0; i < n; i++)
			bench_page_point(p, f, l,
			    &(struct bench_point){ total(c[i]),
				bench_card_quantile_ns(
				    main_side(c[i]), shares[k]) /
				    1e9,
				0, 0 });
	}
}

static void
sweeps(struct bench_page *p, const struct bench_card *c, unsigned n)
{
	const struct bench_card **same = calloc(n, sizeof *same);
	bool *done = calloc(n, sizeof *done);
	unsigned i, k, m;

	p->failed = p->failed || same == NULL || done == NULL;
	for (i = 0; i < n && !p->failed; i++) {
		m = 0;
		for (k = i; k < n; k++)
			if (!done[k] && same_but_depth(&c[i], &c[k])) {
				same[m++] = &c[k];
				done[k] = true;
			}
		qsort(same, m, sizeof *same, by_depth);
		if (m > 1 && same[0]->depth < same[m - 1]->depth)
			sweep(p, same, m);
	}
	free(done);
	free(same);
}

void
bench_page_runs(struct bench_page *p, const struct bench_sheet *sh, unsigned n)
{
	struct bench_card *c;
	unsigned i, cards = 0;
	size_t k, jobs;

	for (i = 0; i < n; i++)
		cards += (unsigned)json_array_size(
		    json_object_get(sh[i].root, "jobs"));
	c = calloc(cards, sizeof *c);
	if (c == NULL) {
		p->failed = true;
		return;
	}
	cards = 0;
	for (i = 0; i < n; i++) {
		jobs = json_array_size(json_object_get(sh[i].root, "jobs"));
		for (k = 0; k < jobs; k++)
			if (!bench_card_init(&c[cards++], &sh[i], k, n > 1))
				p->failed = true;
	}
	for (i = 0; i < n; i++)
		bench_page_profile(p, &sh[i]);
	verdict(p, c, cards);
	summary(p, c, cards);
	sweeps(p, c, cards);
	for (i = 0; i < cards && !p->failed; i++)
		bench_card_draw(p, &c[i]);
	for (i = 0; i < cards; i++)
		bench_card_fini(&c[i]);
	free(c);
}
