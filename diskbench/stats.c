/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/stats.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "diskbench/random.h"
#include "diskbench/ranks.h"

static double
normal_below(double z)
{
	return (0.5 * erfc(-z / sqrt(2)));
}

/* By bisection: it is asked for a few times in a comparison. */
static double
normal_quantile(double p)
{
	double low = -9, high = 9, mid = 0;
	unsigned i;

	for (i = 0; i < 80; i++) {
		mid = (low + high) / 2;
		if (normal_below(mid) < p)
			low = mid;
		else
			high = mid;
	}
	return (mid);
}

/* Student's t, 97.5 %, of so many degrees of freedom: 1 or more. */
static double
student_quantile(double df)
{
	static const double t[] = { 12.7062, 4.3027, 3.1824, 2.7764, 2.5706,
		2.4469, 2.3646, 2.3060, 2.2622, 2.2281, 2.2010, 2.1788, 2.1604,
		2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860 };
	unsigned n = (unsigned)df;

	if (n < 1)
		n = 1;
	if (n <= sizeof t / sizeof *t)
		return (t[n - 1]);
	/* Cornish and Fisher's first two terms: three digits from here on. */
	return (1.959964 + 2.372271 / df + 2.822 / (df * df));
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x < y ? -1 : x > y);
}

double
bench_stats_quantile(double *v, unsigned n, double p)
{
	double at = p * (n - 1);
	unsigned i = (unsigned)at;

	assert(n > 0 && p >= 0 && p <= 1);
	qsort(v, n, sizeof *v, by_value);
	if (i + 1 >= n)
		return (v[n - 1]);
	return (v[i] + (at - i) * (v[i + 1] - v[i]));
}

double
bench_stats_geomean(const double *v, unsigned n)
{
	double sum = 0;
	unsigned i;

	for (i = 0; i < n; i++) {
		if (!(v[i] > 0))
			return (0);
		sum += log(v[i]);
	}
	return (n > 0 ? exp(sum / n) : 0);
}

double
bench_stats_mde(double standard_error, double freedom)
{
	/*
	 * 2.326 for alpha 0.02 in two tails and 0.842 for a power of 0.8; both
	 * are Student's (the first term of Cornish and Fisher), and ranks see
	 * as much as means do of 0.955 of the runs.
	 */
	return (
	    exp((3.168 + 4.09 / freedom) / sqrt(0.955) * standard_error) - 1);
}

/* --- the ratio and its interval ------------------------------------------- */

/* One or two samples of logarithms; the statistic is the sum of their means,
 * each with its sign. */
struct samples {
	unsigned k;
	struct sample {
		const double *v;
		unsigned n;
		double sign, mean;
		double variance; /* of one value, n - 1 below the line */
	} s[2];
};

static void
moments(struct samples *x)
{
	unsigned k, i;
	double d, m2;

	for (k = 0; k < x->k; k++) {
		struct sample *s = &x->s[k];

		s->mean = 0;
		for (i = 0; i < s->n; i++)
			s->mean += s->v[i] / s->n;
		for (i = 0, m2 = 0; i < s->n; i++) {
			d = s->v[i] - s->mean;
			m2 += d * d;
		}
		s->variance = s->n > 1 ? m2 / (s->n - 1) : 0;
	}
}

static double
statistic(const struct samples *x)
{
	unsigned k;
	double sum = 0;

	for (k = 0; k < x->k; k++)
		sum += x->s[k].sign * x->s[k].mean;
	return (sum);
}

static double
resample(const struct samples *x, struct bench_random *r)
{
	unsigned k, i;
	double sum = 0, one;

	for (k = 0; k < x->k; k++) {
		for (i = 0, one = 0; i < x->s[k].n; i++)
			one += x->s[k].v[bench_random_below(r, x->s[k].n)];
		sum += x->s[k].sign * one / x->s[k].n;
	}
	return (sum);
}

/* The acceleration: how skewed the influence of single runs is (jackknife). */
static double
acceleration(const struct samples *x)
{
	double cubes = 0, squares = 0, u;
	unsigned k, i;

	for (k = 0; k < x->k; k++) {
		for (i = 0; i < x->s[k].n; i++) {
			u = x->s[k].sign * (x->s[k].v[i] - x->s[k].mean) /
			    x->s[k].n;
			squares += u * u;
			cubes += u * u * u;
		}
	}
	return (squares > 0 ? cubes / (6 * pow(squares, 1.5)) : 0);
}

/* Where to look among the sorted resamples for an end of the interval. */
static double
bca(double z, double z0, double a)
{
	double w = 1 - a * (z0 + z);

	/* Only with a run or two that are everything. */
	if (w < 0.2)
		w = 0.2;
	return (normal_below(z0 + (z0 + z) / w));
}

static int
interval(const struct samples *x, uint64_t seed, double *ret_low,
    double *ret_high, double *ret_mde)
{
	double *v, se2 = 0, boot2 = 0, df = 0, theta = statistic(x), z, z0, a;
	struct bench_random r;
	unsigned i, k, below = 0;

	for (k = 0; k < x->k; k++) {
		double one = x->s[k].variance / x->s[k].n;

		se2 += one;
		boot2 += one * (x->s[k].n - 1) / x->s[k].n;
		df += one * one / (x->s[k].n > 1 ? x->s[k].n - 1 : 1);
	}
	/* All runs alike, to the last digit that a double can hold. */
	if (se2 <= 1e-24 || boot2 <= 0) {
		*ret_low = *ret_high = theta;
		*ret_mde = 0;
		return (0);
	}
	/* Welch and Satterthwaite; of one sample n - 1. */
	df = se2 * se2 / df;
	*ret_mde = bench_stats_mde(sqrt(se2), df);
	v = calloc(BENCH_STATS_RESAMPLES, sizeof *v);
	if (v == NULL)
		return (-ENOMEM);
	bench_random_init(&r, seed, 0);
	for (i = 0; i < BENCH_STATS_RESAMPLES; i++) {
		v[i] = resample(x, &r);
		if (v[i] < theta)
			below++;
	}
	if (below == 0)
		below = 1;
	if (below == BENCH_STATS_RESAMPLES)
		below--;
	z0 = normal_quantile((double)below / BENCH_STATS_RESAMPLES);
	a = acceleration(x);
	z = student_quantile(df) * sqrt(se2 / boot2);
	*ret_low =
	    bench_stats_quantile(v, BENCH_STATS_RESAMPLES, bca(-z, z0, a));
	*ret_high =
	    bench_stats_quantile(v, BENCH_STATS_RESAMPLES, bca(z, z0, a));
	free(v);
	return (0);
}

/* Logarithms of n values into a new array, or NULL. */
static double *
logarithms(const double *v, unsigned n, int *ret_error)
{
	double *l;
	unsigned i;

	if (n < 2 || n > BENCH_STATS_RUNS_MAX) {
		*ret_error = -EINVAL;
		return (NULL);
	}
	l = calloc(n, sizeof *l);
	if (l == NULL) {
		*ret_error = -ENOMEM;
		return (NULL);
	}
	for (i = 0; i < n; i++) {
		if (!(v[i] > 0) || !isfinite(v[i])) {
			free(l);
			*ret_error = -EINVAL;
			return (NULL);
		}
		l[i] = log(v[i]);
	}
	return (l);
}

static void
finish(struct bench_ratio *ret, const struct samples *x, double low,
    double high, double mde)
{
	ret->ratio = exp(statistic(x));
	ret->low = exp(low);
	ret->high = exp(high);
	ret->mde = mde;
}

int
bench_ratio_pairs(struct bench_ratio *ret, const double *a, const double *b,
    unsigned n, uint64_t seed)
{
	struct samples x = { .k = 1 };
	double *la, *lb, low = 0, high = 0, mde = 0;
	unsigned i;
	int r = 0;

	la = logarithms(a, n, &r);
	lb = logarithms(b, n, &r);
	if (la != NULL && lb != NULL) {
		for (i = 0; i < n; i++)
			la[i] -= lb[i];
		x.s[0].v = la;
		x.s[0].n = n;
		x.s[0].sign = 1;
		moments(&x);
		r = interval(&x, seed, &low, &high, &mde);
	}
	if (r == 0) {
		finish(ret, &x, low, high, mde);
		ret->a = bench_stats_geomean(a, n);
		ret->b = bench_stats_geomean(b, n);
		ret->sd_log = sqrt(x.s[0].variance);
		ret->p = bench_ranks_signed(la, n);
	}
	free(la);
	free(lb);
	return (r);
}

int
bench_ratio_sides(struct bench_ratio *ret, const double *a, unsigned n_a,
    const double *b, unsigned n_b, uint64_t seed)
{
	struct samples x = { .k = 2 };
	double *la, *lb, low = 0, high = 0, mde = 0;
	int r = 0;

	la = logarithms(a, n_a, &r);
	lb = logarithms(b, n_b, &r);
	if (la != NULL && lb != NULL) {
		x.s[0].v = la;
		x.s[0].n = n_a;
		x.s[0].sign = 1;
		x.s[1].v = lb;
		x.s[1].n = n_b;
		x.s[1].sign = -1;
		moments(&x);
		r = interval(&x, seed, &low, &high, &mde);
	}
	if (r == 0) {
		finish(ret, &x, low, high, mde);
		ret->a = exp(x.s[0].mean);
		ret->b = exp(x.s[1].mean);
		ret->sd_log = sqrt(x.s[0].variance + x.s[1].variance);
		ret->p = bench_ranks_sum(a, n_a, b, n_b);
	}
	free(la);
	free(lb);
	return (r);
}
