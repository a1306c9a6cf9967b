/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/series.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct bench_series *
bench_series_new(uint64_t step_ns)
{
	struct bench_series *s = calloc(1, sizeof *s);

	if (s != NULL)
		s->step_ns = step_ns;
	return (s);
}

static void
step_merge(struct bench_step *a, const struct bench_step *b)
{
	unsigned op, i;

	a->errors += b->errors;
	if (b->heat_mc > a->heat_mc)
		a->heat_mc = b->heat_mc;
	for (op = 0; op < BENCH_OPS; op++) {
		struct bench_step_side *x = &a->side[op];
		const struct bench_step_side *y = &b->side[op];

		x->ios += y->ios;
		x->bytes += y->bytes;
		x->sum_ns += y->sum_ns;
		if (y->max_ns > x->max_ns)
			x->max_ns = y->max_ns;
		for (i = 0; i < BENCH_COARSE; i++)
			x->coarse[i] += y->coarse[i];
	}
}

static void
halve(struct bench_series *s)
{
	unsigned i;

	for (i = 0; 2 * i < s->n; i++) {
		if (i > 0)
			s->step[i] = s->step[2 * i];
		if (2 * i + 1 < s->n) {
			step_merge(&s->step[i], &s->step[2 * i + 1]);
			s->step[i].covered_ns += s->step[2 * i + 1].covered_ns;
		}
	}
	memset(&s->step[i], 0, (s->n - i) * sizeof *s->step);
	s->n = i;
	s->step_ns *= 2;
}

static struct bench_step *
at(struct bench_series *s, uint64_t t_ns)
{
	uint64_t i;

	while ((i = t_ns / s->step_ns) >= BENCH_STEPS) {
		/* Nothing but silence up to here: still halve the grid. */
		halve(s);
	}
	if (i >= s->n)
		s->n = (unsigned)i + 1;
	return (&s->step[i]);
}

void
bench_series_add(struct bench_series *s, uint64_t t_ns, uint64_t covered_ns,
    const struct bench_hist hist[BENCH_OPS], const uint64_t bytes[BENCH_OPS],
    uint64_t errors)
{
	uint64_t begin = t_ns > covered_ns ? t_ns - covered_ns : 0, left, part;
	struct bench_step *st = at(s, begin);
	unsigned op, i;

	st->errors += errors;
	for (op = 0; op < BENCH_OPS; op++) {
		st->side[op].ios += hist[op].count;
		st->side[op].bytes += bytes[op];
		st->side[op].sum_ns += hist[op].sum;
		if (hist[op].max > st->side[op].max_ns)
			st->side[op].max_ns = hist[op].max;
		if (hist[op].count == 0)
			continue;
		for (i = 0; i < BENCH_HIST_BUCKETS; i++)
			st->side[op].coarse[i / 16] +=
			    (uint32_t)hist[op].bucket[i];
	}
	/* A stall of seconds covers steps in which nothing was done: they are
	 * the ones that the reader looks for. */
	for (left = covered_ns; left > 0; left -= part, begin += part) {
		st = at(s, begin);
		part = s->step_ns - begin % s->step_ns;
		if (part > left)
			part = left;
		st->covered_ns += part;
	}
}

void
bench_series_heat(struct bench_series *s, uint64_t t_ns, unsigned mc)
{
	uint64_t i = t_ns / s->step_ns;

	if (i < s->n && mc > s->step[i].heat_mc)
		s->step[i].heat_mc = mc;
}

void
bench_series_merge(struct bench_series *s, const struct bench_series *more)
{
	struct bench_step *st;
	unsigned i;

	while (s->step_ns < more->step_ns)
		halve(s);
	for (i = 0; i < more->n; i++) {
		st = at(s, i * more->step_ns);
		step_merge(st, &more->step[i]);
		/* The same seconds, seen by two: not twice as many. */
		if (s->step_ns == more->step_ns &&
		    more->step[i].covered_ns > st->covered_ns)
			st->covered_ns = more->step[i].covered_ns;
	}
}

uint64_t
bench_step_quantile(const struct bench_step_side *side, double p)
{
	uint64_t rank, seen = 0, first, last, unused;
	unsigned i;

	if (side->ios == 0)
		return (0);
	rank = (uint64_t)ceil(p * (double)side->ios);
	if (rank >= side->ios)
		return (side->max_ns);
	for (i = 0; i < BENCH_COARSE; i++) {
		seen += side->coarse[i];
		if (seen < rank || seen == 0)
			continue;
		bench_hist_edges(i * 16, &first, &unused);
		bench_hist_edges(i * 16 + 15, &unused, &last);
		first += (last - first) / 2;
		return (first < side->max_ns ? first : side->max_ns);
	}
	return (side->max_ns);
}
