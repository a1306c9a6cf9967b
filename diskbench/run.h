/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The one loop and the only clock: jobs and targets in, results out.
 * Room: diskbench/, doing.
 */
#ifndef DISKBENCH_RUN_H
#define DISKBENCH_RUN_H

#include <signal.h>
#include <stddef.h>

#include "diskbench/job.h"
#include "diskbench/refusal.h"
#include "diskbench/result.h"

/* How far it is, for a status line. */
struct bench_progress {
	uint64_t elapsed_ns, expected_ns; /* expected 0: not known */
	double done;                      /* 0 .. 1; 0 where not known */
	unsigned running;                 /* threads */
	uint64_t ios[BENCH_OPS], bytes[BENCH_OPS]; /* since the start */
};

struct bench_run_control {
	/* Not 0: stop, with what there is.  Looked at ten times a second. */
	const volatile sig_atomic_t *stop;
	/* Called about every half second; NULL: nobody looks. */
	void (*progress)(void *, const struct bench_progress *);
	void *progress_arg;
};

/*
 * Run n jobs at once, target[i] for job[i], and write a result for each; the
 * caller frees them.  SIGUSR1 is taken as long as this runs.
 * On an error nothing was written, and *why says what to tell people.
 */
int bench_run(const struct bench_job *job, struct bench_target *const *target,
    unsigned n, const struct bench_run_control *, struct bench_result **ret,
    struct bench_refusal *why);
#endif
