/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The highest rate that a limit still holds at: which one to try next.
 * Room: diskbench/, deciding: no I/O, no clock, no allocation.
 *
 * First up or down in steps until the answer lies between two rates, then
 * halving what is between them (in logarithms), until it is close enough.
 */
#ifndef DISKBENCH_SEARCH_H
#define DISKBENCH_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#define BENCH_TRIALS 40

struct bench_trial {
	double rate;       /* that was asked for */
	double got;        /* of it, a second */
	uint64_t p99_ns;   /* from when each was due */
	uint64_t unserved; /* never sent */
	bool held;
};

struct bench_search {
	double slo_ns;
	double next;      /* rate to try; 0: done */
	double good, bad; /* highest that held, lowest that did not; 0: none */
	double close;     /* good * close >= bad is close enough */
	double least;     /* below it nothing is tried */
	unsigned n;
	struct bench_trial trial[BENCH_TRIALS];
};

/* A first guess above 0; a limit above 0; below least nothing is tried, for
 * there would be too few to tell a percentile from. */
void bench_search_init(
    struct bench_search *, uint64_t slo_ns, double guess, double least);

/*
 * What came of the rate in next.  It held if the quantile is within the limit,
 * nothing was left unserved, and what was asked for was had.
 */
void bench_search_feed(
    struct bench_search *, double got, uint64_t p99_ns, uint64_t unserved);

/*
 * The best rate did not hold when it was tried for longer: go on below it.
 */
void bench_search_lower(struct bench_search *);
#endif
