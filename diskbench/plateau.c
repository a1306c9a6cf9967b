/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/plateau.h"

#include "diskbench/levels.h"

/* A level shorter than this is a hiccup. */
#define SHORTEST_NS UINT64_C(1000000000)
/* Fewer steps than this have no levels. */
#define FEWEST 10

static double
bytes_of(const struct bench_step *st)
{
	return ((double)(st->side[BENCH_OP_READ].bytes +
			 st->side[BENCH_OP_WRITE].bytes));
}

unsigned
bench_plateau_find(
    struct bench_plateau ret[BENCH_PLATEAUS], const struct bench_series *s)
{
	double y[BENCH_STEPS], all = 0;
	unsigned at[BENCH_PLATEAUS - 1], n = s->n, changes, shortest, i, k, to;

	/* The last step is rarely a whole one. */
	while (n > 0 && s->step[n - 1].covered_ns < s->step_ns / 10 * 9)
		n--;
	if (n < FEWEST)
		return (0);
	for (i = 0; i < n; i++)
		all += bytes_of(&s->step[i]);
	if (!(all > 0))
		return (0);
	/* A step in which nothing was done has no logarithm. */
	for (i = 0; i < n; i++) {
		y[i] = bytes_of(&s->step[i]);
		if (y[i] < all / n / 1000)
			y[i] = all / n / 1000;
	}
	shortest = (unsigned)(SHORTEST_NS / s->step_ns);
	if (shortest < 3)
		shortest = 3;
	if (shortest < n / 20)
		shortest = n / 20;
	changes = bench_levels_find(y, n, shortest, at, BENCH_PLATEAUS - 1);
	for (i = 0; i <= changes; i++) {
		double sum = 0, covered = 0;

		k = i == 0 ? 0 : at[i - 1];
		to = i == changes ? n : at[i];
		ret[i].from_ns = k * s->step_ns;
		ret[i].to_ns = to * s->step_ns;
		for (; k < to; k++) {
			sum += bytes_of(&s->step[k]);
			covered += (double)s->step[k].covered_ns;
		}
		ret[i].bytes_per_s = sum * 1e9 / covered;
	}
	return (changes + 1);
}
