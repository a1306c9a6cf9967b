/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Noun: how fast a drive reads at each place, and how long it takes to get to
 * any of them.
 * Room: diskbench/, deciding: no I/O, no clock, no print, no allocation.
 */
#ifndef DISKBENCH_CURVE_H
#define DISKBENCH_CURVE_H

#include <stdbool.h>
#include <stdint.h>

#include "diskbench/job.h"
#include "diskbench/verdict.h"

#define BENCH_CURVE_POINTS     32 /* unless asked for others */
#define BENCH_CURVE_POINTS_MAX 1024
#define BENCH_CURVE_LEAST      8 /* below it nothing is shortened to fit */
#define BENCH_CURVE_ACCESSES   512
#define BENCH_CURVE_DOTS_MAX   65536
#define BENCH_CURVE_BLOCK      (UINT32_C(1) << 20) /* of the sequential reads */
#define BENCH_CURVE_DEPTH      4

struct bench_curve_point {
	uint64_t offset; /* on the target, bytes */
	uint64_t bytes, elapsed_ns;
	double bytes_per_s; /* 0: not measured */
	bool whole; /* all of its part was read before the time was up */
};

struct bench_curve {
	struct bench_curve_point point[BENCH_CURVE_POINTS_MAX];
	unsigned planned, n; /* points: by offset; n of them measured */
	uint64_t part;       /* bytes from one point to the next, at most */
	uint64_t runtime_ns, access_ns, budget_ns; /* budget 0: none */
	bool shorter;                              /* to fit the budget */
	struct bench_trail access;                 /* dots are the caller's */
	uint64_t seed, errors;
	const char *path; /* borrowed */
	uint64_t offset, span;
	char engine[16];
	struct bench_identity identity;
	struct bench_verdict warned;
	bool complete;
	int signal;

	/* What _decide() fills in: 0 where nothing was measured. */
	double slowest, fastest, mean; /* bytes a second */
	double begin, end;             /* of the first and last quarter */
	double p; /* that they differ by chance alone (rank sums) */
	double low, median, p95, high; /* of the accesses, ns */
	char sentence[320], certainty[256];
};

/*
 * What fits into budget_ns: *runtime_ns of each of *points, then *ret_access_ns
 * for the accesses.  What does not fit becomes shorter, to 20 ms a point, then
 * fewer points, to eight.  -EINVAL: not even so.
 */
int bench_curve_fit(uint64_t budget_ns, uint64_t *runtime_ns, unsigned *points,
    uint64_t *ret_access_ns);

/*
 * Spread c->planned points over the span (of at least one block) from offset
 * on.  In a span that has not as many blocks there are fewer points.
 */
void bench_curve_plan(struct bench_curve *, uint64_t offset, uint64_t span);

/* In which order to measure them: order[] has room for c->planned.  Shuffled,
 * so that a drive that slows down with time does not look slower at its end. */
void bench_curve_order(const struct bench_curve *, unsigned *order);

/* From the points and accesses to what can be said.  scratch has room for as
 * many doubles as there are dots. */
void bench_curve_decide(struct bench_curve *, double *scratch);
#endif
