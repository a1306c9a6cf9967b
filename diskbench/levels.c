/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/levels.h"

#include <math.h>
#include <stdlib.h>

#include "diskbench/stats.h"

struct levels {
	const double *sum; /* of the first i logarithms */
	double noise;      /* variance of one value around its level */
	unsigned shortest, n, max, *at;
};

static double
mean_of(const struct levels *l, unsigned from, unsigned to)
{
	return ((l->sum[to] - l->sum[from]) / (to - from));
}

static void
split(struct levels *l, unsigned from, unsigned to)
{
	double best = 0, left, right, gain;
	unsigned i, at = 0;

	for (i = from + l->shortest; i + l->shortest <= to; i++) {
		left = mean_of(l, from, i);
		right = mean_of(l, i, to);
		/* By how much two means leave less to the squares than one. */
		gain = (double)(i - from) * (to - i) / (to - from) *
		       (left - right) * (left - right);
		if (gain > best) {
			best = gain;
			at = i;
		}
	}
	/* A pure sequence of noise gains about 2 log n variances at its best;
	 * twice that, as noise of disks has a memory. */
	if (at == 0 || l->n == l->max ||
	    best <= 4 * log(to - from + 1.0) * l->noise ||
	    fabs(mean_of(l, from, at) - mean_of(l, at, to)) < log(1.1))
		return;
	split(l, from, at);
	if (l->n < l->max)
		l->at[l->n++] = at;
	split(l, at, to);
}

unsigned
bench_levels_find(const double *y, unsigned n, unsigned shortest,
    unsigned *ret_at, unsigned max)
{
	struct levels l = { .shortest = shortest > 0 ? shortest : 1,
		.max = max,
		.at = ret_at };
	double *sum, *step, d;
	unsigned i;

	sum = calloc((size_t)n + 1, sizeof *sum);
	step = calloc((size_t)n + 1, sizeof *step);
	if (sum != NULL && step != NULL && n > 1) {
		for (i = 0; i < n; i++) {
			sum[i + 1] = sum[i] + log(y[i]);
			if (i > 0)
				step[i - 1] = fabs(log(y[i]) - log(y[i - 1]));
		}
		/* The median of the steps: those at a change do not move it.
		 * Of normal noise it is 0.954 standard deviations. */
		d = bench_stats_quantile(step, n - 1, 0.5) / 0.954;
		l.noise = d * d;
		l.sum = sum;
		split(&l, 0, n);
	}
	free(sum);
	free(step);
	return (l.n);
}
