/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/rig.h"

#include <assert.h>
#include <math.h>

#include "diskbench/stats.h"

#define PAIRS 64

double
rig_normal(struct bench_random *r)
{
	double u = bench_random_unit(r), v = bench_random_unit(r);

	return (sqrt(-2 * log(u)) * cos(6.283185307179586 * v));
}

static void
measure(const struct rig *g, struct bench_random *r, double *a, double *b)
{
	double level = 10;
	unsigned i;

	for (i = 0; i < g->pairs; i++) {
		if (g->paired)
			level += 0.1 * rig_normal(r);
		a[i] = g->ratio * exp(level + g->noise * rig_normal(r));
		b[i] = exp(level + g->noise * rig_normal(r));
		if (bench_random_unit(r) < g->stall)
			a[i] /= 2;
		if (bench_random_unit(r) < g->stall)
			b[i] /= 2;
	}
}

struct rig_tally
rig_compare(const struct rig *g, unsigned times)
{
	struct rig_tally y = { 0, 0, 0, 0 };
	double a[PAIRS], b[PAIRS];
	struct bench_random r;
	struct bench_ratio got;
	unsigned k;
	int e;

	assert(g->pairs <= PAIRS && times > 0);
	bench_random_init(&r, 20261202, g->pairs);
	for (k = 0; k < times; k++) {
		measure(g, &r, a, b);
		e = g->paired
			? bench_ratio_pairs(&got, a, b, g->pairs, k)
			: bench_ratio_sides(&got, a, g->pairs, b, g->pairs, k);
		assert(e == 0);
		(void)e;
		y.holds += got.low <= g->ratio && g->ratio <= got.high;
		y.mde += got.mde / times;
		if (got.p <= BENCH_STATS_ALPHA &&
		    (got.low > 1 || got.high < 1)) {
			y.found++;
			y.wrong += (got.ratio > 1) != (g->ratio > 1);
		}
	}
	return (y);
}
