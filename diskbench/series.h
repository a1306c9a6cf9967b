/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The run over time: what happened in each second.
 * Room: diskbench/, deciding: no I/O, no clock.
 *
 * A day has 86,400 seconds and nobody looks at so many.  The series has room
 * for BENCH_STEPS steps; when they are full, pairs of them become one and the
 * step is twice as long.  So a run of any length fits, and its last step is at
 * least 1/1024 of it.
 *
 * Latencies are kept coarser here than in the whole run's histogram: 8 buckets
 * for each power of two (<= 6.3 % off), enough for a curve over time.
 */
#ifndef DISKBENCH_SERIES_H
#define DISKBENCH_SERIES_H

#include <stdint.h>

#include "diskbench/hist.h"
#include "diskbench/workload.h"

#define BENCH_STEPS  1024
#define BENCH_COARSE (BENCH_HIST_BUCKETS / 16)

struct bench_step {
	uint64_t covered_ns; /* below the step's length in the last one only */
	uint64_t errors;
	unsigned heat_mc; /* the drive's temperature, the highest; 0: unknown */
	struct bench_step_side {
		uint64_t ios, bytes;
		uint64_t sum_ns, max_ns;
		uint32_t coarse[BENCH_COARSE];
	} side[BENCH_OPS];
};

struct bench_series {
	uint64_t step_ns;
	unsigned n; /* steps begun */
	struct bench_step step[BENCH_STEPS];
};

/* A new one of heap memory, or NULL.  free() it. */
struct bench_series *bench_series_new(uint64_t step_ns);

/*
 * Add what happened in the covered_ns that end at t_ns after the start.  It is
 * all counted in the step in which that time began.
 */
void bench_series_add(struct bench_series *, uint64_t t_ns, uint64_t covered_ns,
    const struct bench_hist hist[BENCH_OPS], const uint64_t bytes[BENCH_OPS],
    uint64_t errors);

/* The drive had so many thousandths of a degree C; beyond the last step begun
 * it is not kept. */
void bench_series_heat(struct bench_series *, uint64_t t_ns, unsigned mc);

/* Add one of the same time base: other threads of the same run. */
void bench_series_merge(struct bench_series *, const struct bench_series *);

/* A quantile of one step's latencies, ns; 0 if it has none. */
uint64_t bench_step_quantile(const struct bench_step_side *, double p);
#endif
