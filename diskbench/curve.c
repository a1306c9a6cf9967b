/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/curve.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "diskbench/random.h"
#include "diskbench/ranks.h"
#include "diskbench/stats.h"

#define POINT_MIN UINT64_C(20000000)
/* Threads and buffers have to be made for each point. */
#define POINT_SETUP UINT64_C(50000000)
#define ACCESS_MAX  UINT64_C(15000000000)

int
bench_curve_fit(uint64_t budget_ns, uint64_t *runtime_ns, unsigned *points,
    uint64_t *ret_access_ns)
{
	uint64_t access = budget_ns / 5, left, n = *points;

	if (access > ACCESS_MAX)
		access = ACCESS_MAX;
	left = budget_ns - access;
	if (left / n < *runtime_ns + POINT_SETUP) {
		if (left / n < POINT_MIN + POINT_SETUP)
			n = left / (POINT_MIN + POINT_SETUP);
		if (n < BENCH_CURVE_LEAST && n < *points)
			return (-EINVAL);
		if (left / n - POINT_SETUP < *runtime_ns)
			*runtime_ns = left / n - POINT_SETUP;
	}
	*points = (unsigned)n;
	*ret_access_ns = access;
	return (0);
}

void
bench_curve_plan(struct bench_curve *c, uint64_t offset, uint64_t span)
{
	uint64_t blocks = span / BENCH_CURVE_BLOCK;
	unsigned i;

	if (blocks < c->planned)
		c->planned = (unsigned)blocks;
	c->offset = offset;
	c->span = span;
	/* The last part is what it takes to end with the span, or less. */
	c->part = blocks / c->planned * BENCH_CURVE_BLOCK;
	for (i = 0; i < c->planned; i++) {
		memset(&c->point[i], 0, sizeof c->point[i]);
		/* Blocks are below 2^44 of 1024: no overflow. */
		c->point[i].offset =
		    offset + blocks * i / c->planned * BENCH_CURVE_BLOCK;
	}
}

void
bench_curve_order(const struct bench_curve *c, unsigned *order)
{
	struct bench_random random;
	unsigned i, k, keep;

	bench_random_init(&random, c->seed, 2);
	for (i = 0; i < c->planned; i++)
		order[i] = i;
	for (i = c->planned; i > 1; i--) {
		k = (unsigned)bench_random_below(&random, i);
		keep = order[i - 1];
		order[i - 1] = order[k];
		order[k] = keep;
	}
}

/* Of points from .. to: all bytes over all time, so that each place counts by
 * how long it takes to be read. */
static double
mean_of(const struct bench_curve *c, unsigned from, unsigned to)
{
	double sum = 0;
	unsigned n = 0;

	for (; from < to; from++) {
		if (c->point[from].bytes_per_s <= 0)
			continue;
		sum += 1 / c->point[from].bytes_per_s;
		n++;
	}
	return (n > 0 ? n / sum : 0);
}

/* Is a difference between begin and end more than between neighbours? */
static double
chance(const struct bench_curve *c, unsigned quarter)
{
	double a[BENCH_CURVE_POINTS_MAX], b[BENCH_CURVE_POINTS_MAX];
	unsigned i, n_a = 0, n_b = 0;

	for (i = 0; i < quarter; i++) {
		if (c->point[i].bytes_per_s > 0)
			a[n_a++] = c->point[i].bytes_per_s;
		if (c->point[c->planned - 1 - i].bytes_per_s > 0)
			b[n_b++] = c->point[c->planned - 1 - i].bytes_per_s;
	}
	return (n_a > 0 && n_b > 0 ? bench_ranks_sum(a, n_a, b, n_b) : 1);
}

static void
say(struct bench_curve *c)
{
	double change = c->begin > 0 ? 100 * (c->end / c->begin - 1) : 0;

	if (c->begin <= 0 || c->end <= 0)
		(void)snprintf(c->sentence, sizeof c->sentence,
		    "Too little was measured to compare begin and end.");
	else if (c->p > BENCH_STATS_ALPHA)
		(void)snprintf(c->sentence, sizeof c->sentence,
		    "No difference between begin and end is shown: %.1f and "
		    "%.1f MB/s, first and last quarter (p %.3f).",
		    c->begin / 1e6, c->end / 1e6, c->p);
	else
		(void)snprintf(c->sentence, sizeof c->sentence,
		    "The last quarter is read %.0f %% %s than the first: "
		    "%.1f and %.1f MB/s (p %.4f).",
		    change < 0 ? -change : change,
		    change < 0 ? "slower" : "faster", c->end / 1e6,
		    c->begin / 1e6, c->p);
	(void)snprintf(c->certainty, sizeof c->certainty,
	    "%u points of at most %.3g s each%s, measured once, in random "
	    "order; neighbours that differ show how much one point can be off",
	    c->n, (double)c->runtime_ns / 1e9,
	    c->shorter ? " (shortened to fit the time budget)" : "");
}

void
bench_curve_decide(struct bench_curve *c, double *scratch)
{
	unsigned quarter = c->planned >= 4 ? c->planned / 4 : 1, i;

	c->slowest = c->fastest = 0;
	for (i = 0; i < c->planned; i++) {
		double v = c->point[i].bytes_per_s;

		if (v <= 0)
			continue;
		if (c->slowest <= 0 || v < c->slowest)
			c->slowest = v;
		if (v > c->fastest)
			c->fastest = v;
	}
	c->mean = mean_of(c, 0, c->planned);
	c->begin = mean_of(c, 0, quarter);
	c->end = mean_of(c, c->planned - quarter, c->planned);
	c->p = chance(c, quarter);
	if (c->access.n > 0) {
		for (i = 0; i < c->access.n; i++)
			scratch[i] = (double)c->access.dot[i].ns;
		c->median = bench_stats_quantile(scratch, c->access.n, 0.5);
		c->p95 = bench_stats_quantile(scratch, c->access.n, 0.95);
		c->low = bench_stats_quantile(scratch, c->access.n, 0);
		c->high = bench_stats_quantile(scratch, c->access.n, 1);
	}
	say(c);
}
