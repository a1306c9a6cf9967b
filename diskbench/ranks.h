/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How likely are these values where there is no difference?  By their ranks, as
 * nobody knows how disks' runs are distributed.
 * Room: diskbench/, deciding: no I/O, no clock, no global, no print.
 */
#ifndef DISKBENCH_RANKS_H
#define DISKBENCH_RANKS_H

/*
 * Wilcoxon's signed ranks: the two-sided p that the differences d[] scatter
 * around 0.  Zeros are dropped (Wilcoxon), equal sizes share their mean rank.
 * Exact up to 30 differences, ties or not (the distribution of the very ranks,
 * by counting); beyond that the normal approximation, corrected for ties and
 * continuity.  1 where nothing is left.
 */
double bench_ranks_signed(const double *d, unsigned n);

/*
 * Mann and Whitney's rank sums, two-sided.  Exact up to 20 runs in all, ties
 * or not; beyond that the normal approximation, corrected likewise.
 */
double
bench_ranks_sum(const double *a, unsigned n_a, const double *b, unsigned n_b);
#endif
