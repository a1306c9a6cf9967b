/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which is faster, by how much, and how sure can one be?
 * Room: diskbench/, deciding: no I/O, no clock, no global, no print.
 *
 * The unit is a run, never an I/O: the I/Os of one run share whatever the
 * machine was doing then, so a million of them are one observation.  Speeds and
 * latencies differ by factors, so all is done on logarithms, and the answer is
 * a ratio of geometric means.
 */
#ifndef DISKBENCH_STATS_H
#define DISKBENCH_STATS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A difference is called one at p <= 0.02.  That asks for seven pairs at least
 * (2 / 2^7 = 0.016), and leaves two false alarms in a hundred comparisons of a
 * device with itself, where the usual 0.05 leaves five.
 */
#define BENCH_STATS_ALPHA     0.02
#define BENCH_STATS_PAIRS_MIN 7
#define BENCH_STATS_RUNS_MAX  4096 /* of one side */
#define BENCH_STATS_RESAMPLES 4000

/* A ratio of geometric means, A / B, with its 95 % interval. */
struct bench_ratio {
	double ratio, low, high;
	double a, b;   /* the geometric means themselves */
	double sd_log; /* standard deviation of log A - log B of one pair;
			* unpaired: of the two sides together */
	double p;      /* two-sided: signed ranks, unpaired rank sums */
	/* The smallest ratio - 1 that so many runs of such noise would show in
	 * eight cases of ten: below it, "no difference" means nothing. */
	double mde;
};

/*
 * Pairs: a[i] and b[i] were measured next to each other.  n >= 2.
 *
 * The interval is a bootstrap over pairs, BCa (bias-corrected and accelerated):
 * log ratios of disks are skewed by stalls, and BCa moves both ends for that
 * where the percentile interval does not.  Both are too narrow for the ten or
 * so runs that people wait for, as resampling has the variance of n where n - 1
 * is due and the tails of the normal where Student's are due; so the quantiles
 * are taken further out by just that (Hesterberg's expansion).
 *
 * The same seed gives the same interval.
 *	-EINVAL		fewer than 2 or more than BENCH_STATS_RUNS_MAX runs, or
 *			a value that is not above 0
 *	-ENOMEM
 */
int bench_ratio_pairs(struct bench_ratio *ret, const double *a, const double *b,
    unsigned n, uint64_t seed);

/* The same of runs that are no pairs: from result files. */
int bench_ratio_sides(struct bench_ratio *ret, const double *a, unsigned n_a,
    const double *b, unsigned n_b, uint64_t seed);

/* exp of the mean of logarithms; 0 where a value is not above 0 or n is 0. */
double bench_stats_geomean(const double *, unsigned n);

/*
 * The minimum detectable effect as ratio - 1: power 0.8 at the alpha above,
 * where the mean log ratio has this standard error, known from so many degrees
 * of freedom (runs less one a side).
 */
double bench_stats_mde(double standard_error, double freedom);

/* The p quantile of values that this sorts in place, interpolated; n >= 1. */
double bench_stats_quantile(double *, unsigned n, double p);
#endif
