/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Did the rate stay what it was?  A drive whose cache is full, or that is too
 * hot, falls from one level to another, and the mean of both is neither.
 * Room: diskbench/, deciding: no I/O, no clock.
 */
#ifndef DISKBENCH_PLATEAU_H
#define DISKBENCH_PLATEAU_H

#include "diskbench/series.h"

#define BENCH_PLATEAUS 8

struct bench_plateau {
	uint64_t from_ns, to_ns; /* after the ramp */
	double bytes_per_s;      /* reads and writes together */
};

/*
 * The levels of a run over time, in their order; neighbours differ by a tenth
 * at least.  How many are in ret; 0: the run was too short to tell.
 */
unsigned bench_plateau_find(
    struct bench_plateau ret[BENCH_PLATEAUS], const struct bench_series *);
#endif
