/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/ranks.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define EXACT_SIGNED 30
#define EXACT_SUM    20

struct ranked {
	double size;
	bool first; /* positive; of side A */
};

static int
by_size(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return (x->size < y->size ? -1 : x->size > y->size);
}

/*
 * Twice the rank of each of n sorted values, so that shared ranks are integers
 * as well; returns the sum of t^3 - t over groups of equal ones.
 */
static double
twice_ranks(const struct ranked *v, unsigned n, unsigned *ret_rank)
{
	unsigned i, k, m;
	double ties = 0, t;

	for (i = 0; i < n; i = k) {
		for (k = i + 1; k < n && v[k].size <= v[i].size; k++)
			;
		/* Ranks i+1 .. k; their mean, doubled. */
		for (m = i; m < k; m++)
			ret_rank[m] = i + 1 + k;
		t = k - i;
		ties += t * t * t - t;
	}
	return (ties);
}

/* Both tails from the normal distribution, half a step nearer the middle. */
static double
normal_tails(double got, double mean, double variance)
{
	double z;

	if (variance <= 0)
		return (1);
	z = fabs(got - mean) - 0.5;
	if (z < 0)
		z = 0;
	return (fmin(1, erfc(z / sqrt(2 * variance))));
}

double
bench_ranks_signed(const double *d, unsigned n)
{
	/* count[s]: in how many of the 2^m choices of signs the doubled ranks
	 * of the positive ones add up to s. */
	double count[EXACT_SIGNED * (EXACT_SIGNED + 1) + 1] = { 0 };
	double ties, p = 0;
	struct ranked *v;
	unsigned *rank, i, m = 0, plus = 0, all = 0, tail, s;

	v = calloc(n > 0 ? n : 1, sizeof *v);
	rank = calloc(n > 0 ? n : 1, sizeof *rank);
	if (v == NULL || rank == NULL) {
		free(v);
		free(rank);
		/* Claims nothing. */
		return (1);
	}
	for (i = 0; i < n; i++) {
		if (d[i] > 0 || d[i] < 0) {
			v[m].size = fabs(d[i]);
			v[m++].first = d[i] > 0;
		}
	}
	qsort(v, m, sizeof *v, by_size);
	ties = twice_ranks(v, m, rank);
	for (i = 0; i < m; i++) {
		all += rank[i];
		plus += v[i].first ? rank[i] : 0;
	}
	if (m == 0) {
		p = 1;
	} else if (m <= EXACT_SIGNED) {
		count[0] = 1;
		for (i = 0, tail = 0; i < m; i++) {
			tail += rank[i];
			for (s = tail; s >= rank[i]; s--)
				count[s] += count[s - rank[i]];
		}
		tail = plus < all - plus ? plus : all - plus;
		for (s = 0; s <= tail; s++)
			p += count[s];
		p = fmin(1, 2 * ldexp(p, -(int)m));
	} else {
		p = normal_tails(plus / 2.0, all / 4.0,
		    m * (m + 1.0) * (2.0 * m + 1) / 24 - ties / 48);
	}
	free(v);
	free(rank);
	return (p);
}

/* Of all ways to pick n_a of the ranks, the share whose sum is as far out. */
static double
exact_rank_sum(
    const unsigned *rank, unsigned n, unsigned n_a, unsigned sum, unsigned all)
{
	/* ways[k][s]: to pick k ranks whose doubled sum is s. */
	static const unsigned top = EXACT_SUM * (EXACT_SUM + 1);
	double *ways = calloc((size_t)(n_a + 1) * (top + 1), sizeof *ways);
	double out = 0, total = 0, mean = (double)all * n_a / n, far;
	unsigned i, k, s;

	if (ways == NULL)
		return (1);
	ways[0] = 1;
	for (i = 0; i < n; i++)
		for (k = i + 1 < n_a ? i + 1 : n_a; k > 0; k--)
			for (s = top; s >= rank[i]; s--)
				ways[k * (top + 1) + s] +=
				    ways[(k - 1) * (top + 1) + s - rank[i]];
	far = fabs(sum - mean);
	for (s = 0; s <= top; s++) {
		total += ways[n_a * (top + 1) + s];
		if (fabs(s - mean) >= far - 1e-9)
			out += ways[n_a * (top + 1) + s];
	}
	free(ways);
	return (out / total);
}

double
bench_ranks_sum(const double *a, unsigned n_a, const double *b, unsigned n_b)
{
	unsigned n = n_a + n_b, i, sum = 0, all = 0, *rank;
	double ties, p = 1;
	struct ranked *v;

	if (n_a == 0 || n_b == 0)
		return (1);
	v = calloc(n, sizeof *v);
	rank = calloc(n, sizeof *rank);
	if (v != NULL && rank != NULL) {
		for (i = 0; i < n; i++) {
			v[i].size = i < n_a ? a[i] : b[i - n_a];
			v[i].first = i < n_a;
		}
		qsort(v, n, sizeof *v, by_size);
		ties = twice_ranks(v, n, rank);
		for (i = 0; i < n; i++) {
			all += rank[i];
			sum += v[i].first ? rank[i] : 0;
		}
		if (n <= EXACT_SUM)
			p = exact_rank_sum(rank, n, n_a, sum, all);
		else
			p = normal_tails(sum / 2.0, n_a * (n + 1.0) / 2,
			    (double)n_a * n_b / 12 *
				(n + 1 - ties / ((double)n * (n - 1))));
	}
	free(v);
	free(rank);
	return (p);
}
