/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Steady state, by the rule of SNIA's Performance Test Specification (PTS).
 * Room: diskbench/, deciding: no I/O, no clock, no allocation.
 *
 * A window is five rounds.  It is steady when
 *	the largest value less the smallest is at most 20 % of the average, and
 *	the least-squares line through them rises or falls by at most 10 % of
 *	the average from the first round to the last: |slope| x 4, as there are
 *	four steps between five rounds.
 * Both limits are inclusive.
 */
#ifndef DISKBENCH_STEADY_H
#define DISKBENCH_STEADY_H

#include <stdbool.h>

#define BENCH_STEADY_WINDOW        5
#define BENCH_STEADY_ROUNDS        25 /* PTS tries no longer */
#define BENCH_STEADY_RANGE_PERCENT 20
#define BENCH_STEADY_SLOPE_PERCENT 10

struct bench_steady {
	bool reached;
	unsigned first; /* round of the window's begin, from 0 */
	double average, low, high;
	double slope;               /* a round */
	double fit_first, fit_last; /* the line in the first and last round */
	double range_percent, slope_percent; /* of the average */
};

/* Of five rounds, y[0] .. y[4]; first stays 0. */
void bench_steady_window(struct bench_steady *ret, const double *y);

/*
 * Of n rounds: the first window that is steady, else the last one there is.
 * false: fewer than five rounds, and *ret is all zeros.
 */
bool bench_steady_find(struct bench_steady *ret, const double *y, unsigned n);
#endif
