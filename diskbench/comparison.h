/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Noun: two sides, measured in pairs, and what can be said of them.
 * Room: diskbench/, deciding: no I/O, no clock, no print.
 */
#ifndef DISKBENCH_COMPARISON_H
#define DISKBENCH_COMPARISON_H

#include <stdbool.h>

#include "diskbench/report.h"
#include "diskbench/stats.h"

#define BENCH_PAIRS_MAX     1000
#define BENCH_PAIRS_DEFAULT 12

enum bench_compared {
	BENCH_COMPARED_TARGETS = 0, /* two of them */
	BENCH_COMPARED_AA,          /* one with itself: the rig's own noise */
	BENCH_COMPARED_BUFFERED,    /* A through the page cache, B without */
	BENCH_COMPARED_FILES,       /* results of before: no pairs (sides.h) */
};

enum bench_metric {
	BENCH_METRIC_IOPS = 0, /* reads and writes together, a second */
	BENCH_METRIC_BYTES,
	BENCH_METRIC_MEAN, /* of the latencies of one run, ns */
	BENCH_METRIC_P50,
	BENCH_METRIC_P99,
	BENCH_METRIC_P999,
	BENCH_METRICS /* how many */
};

extern const struct bench_metric_kind {
	const char *name, *unit;
	bool higher_is_better;
} bench_metric_kind[BENCH_METRICS];

/* One pair of runs, side 0 (A) and side 1 (B).  0: not known, too few I/Os. */
struct bench_pair {
	bool b_first;
	double value[2][BENCH_METRICS];
};

struct bench_comparison {
	enum bench_compared kind;
	const char *path[2]; /* borrowed, like job */
	const struct bench_job *job[2];
	struct bench_identity identity[2];
	char engine[2][16];
	struct bench_pair *pair; /* owned by whoever measured */
	unsigned n, planned;
	/* Of files: the runs of each side, the i-th in pair[i]; n is the longer
	 * one.  What the sides differ in besides; "" nothing. */
	unsigned n_side[2];
	const char *const *file; /* A's, then B's */
	const char *differs;
	uint64_t seed, budget_ns; /* budget 0: none */
	bool complete, shorter;   /* runs shortened to fit the budget */

	/* What _decide() fills in. */
	enum bench_metric headline;
	bool known[BENCH_METRICS];
	struct bench_ratio ratio[BENCH_METRICS]; /* A / B */
	/* "A faster", "B faster", "no difference shown", "too few runs" */
	const char *verdict;
	char sentence[512], certainty[320];
};

/* The figures of one run. */
void
bench_comparison_read(double ret[BENCH_METRICS], const struct bench_result *);

/*
 * How many pairs of runs of *runtime_ns, each after ramp_ns, fit into
 * budget_ns.  Fewer than eight: the runs become shorter, to 200 ms at the
 * least.  -EINVAL: not even so.
 */
int bench_comparison_fit(uint64_t budget_ns, uint64_t ramp_ns,
    uint64_t *runtime_ns, unsigned *ret_pairs);

/* From the pairs to the verdict.  -ENOMEM. */
int bench_comparison_decide(struct bench_comparison *);

/* 0, or -errno of the writing. */
int bench_report_compare_text(FILE *, const struct bench_comparison *);
int bench_report_compare_json(FILE *, const struct bench_comparison *,
    char *const *argv, int argc, int signal);
#endif
