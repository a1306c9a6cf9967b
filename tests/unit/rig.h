/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Noun: an imaginary rig that compares two drives of which the truth is known.
 * For the tests of diskbench/stats.h and tests/bench/disk-rig.c: no disk, no
 * clock, and the same seed gives the same figures.
 */
#ifndef TESTS_UNIT_RIG_H
#define TESTS_UNIT_RIG_H

#include <stdbool.h>

#include "diskbench/random.h"

/* Runs drift slowly (pairs share that), scatter, and now and then one stalls. */
struct rig {
	double ratio;   /* A is so many times as fast as B */
	double noise;   /* standard deviation of the logarithm of a run */
	double stall;   /* this share of the runs has half of the speed */
	unsigned pairs; /* at most 64 */
	bool paired;    /* else runs of different times, side by side */
};

struct rig_tally {
	unsigned found; /* a difference was shown */
	unsigned wrong; /* of these: the wrong way round */
	unsigned holds; /* the truth lies within the interval */
	double mde;     /* what would have been found, on average */
};

/* Compare so often. */
struct rig_tally rig_compare(const struct rig *, unsigned times);

/* Mean 0, standard deviation 1. */
double rig_normal(struct bench_random *);
#endif
