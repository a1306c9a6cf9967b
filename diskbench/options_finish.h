/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From options that may come in any order to jobs, a method each: what does not
 * go together is refused here.
 * Room: diskbench/, deciding.  For options.c.
 */
#ifndef DISKBENCH_OPTIONS_FINISH_H
#define DISKBENCH_OPTIONS_FINISH_H

#include <stdbool.h>

#include "diskbench/options.h"

/* What belongs together and may come in any order. */
struct bench_gathered {
	bool mixed, mix_given, gaps_given, depth_given, ramp_given;
	double rate;
	unsigned mix;
	const char *target[BENCH_JOBS];
	unsigned n_target;
	/* Of a profile. */
	const char *profile;
	const char *shape;    /* an option that a profile does not go with */
	const char *measures; /* one that results do not go with */
	bool hit_given, slo_given, advise;
	unsigned hit;
};

/* Each returns 0, or a negative errno and why. */

/* A built-in profile, or a workload file. */
int bench_find_profile(
    struct bench_options *, const char *name, struct bench_refusal *);
int bench_finish_run(struct bench_options *, const struct bench_job *template,
    const struct bench_gathered *, struct bench_refusal *);
int bench_finish_compare(struct bench_options *, struct bench_job *,
    struct bench_gathered *, struct bench_refusal *);
int bench_finish_curve(struct bench_options *, struct bench_job *,
    struct bench_gathered *, struct bench_refusal *);
int bench_finish_pts(struct bench_options *, struct bench_job *,
    struct bench_gathered *, enum bench_command, struct bench_refusal *);
#endif
