/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Jobs with their targets: opened, examined, ready to be run, as often as one
 * likes.
 * Room: diskbench/, doing: prints nothing but that a file is being made.
 *
 * This is the way to measure for whoever needs more than one measurement
 * (preconditioning, steady state, comparisons, searches):
 *
 *	struct bench_stand s;
 *	struct bench_report rep;
 *
 *	bench_job_init(&job);			one job, or several
 *	r = bench_stand_open(&s, &job, 1, &consent, &stop, &why);
 *	while (r == 0 && more) {
 *		job.shape.read_percent = ...;	between runs: see below
 *		r = bench_stand_run(&s, &control, &rep, &why);
 *		... rep.group[0].result: histograms, counts, time series ...
 *		bench_report_fini(&rep);
 *	}
 *	bench_stand_close(&s);
 *
 * Between two runs the jobs may be changed, as long as what was examined stays
 * so: not the target, the span, buffered, sync; writes only if the stand was
 * opened for a job that writes; sizes that are multiples of
 * s.target[i]->geometry.align and fit into the span.
 */
#ifndef DISKBENCH_STAND_H
#define DISKBENCH_STAND_H

#include "diskbench/report.h"
#include "diskbench/run.h"
#include "diskbench/target.h"
#include "diskbench/verdict.h"

/* To write.  All zeros: none. */
struct bench_consent {
	const char *token; /* of "diskbench identify"; NULL: none */
	bool overwrite_data;
};

struct bench_stand {
	struct bench_job *job; /* borrowed, fitted to their targets */
	unsigned n;
	struct bench_target *target[BENCH_JOBS]; /* of each; may be shared */
	struct bench_verdict before; /* what speaks against any number */
};

/*
 * Open the targets of n jobs, n at most BENCH_JOBS, for writing where one of
 * them writes; fit each job to its target; look at what there is to be read.
 * A job without a target (a fake engine's) is left as it is.
 * On an error nothing is open, and *why says what to tell people.
 */
int bench_stand_open(struct bench_stand *, struct bench_job *, unsigned n,
    const struct bench_consent *, const volatile sig_atomic_t *stop,
    struct bench_refusal *why);

/*
 * Run all jobs, those of one lot at once.  *ret gets the results in their
 * groups, with all warnings; the caller passes it to bench_report_fini() while
 * the jobs and the stand are still there.  Not set: percentiles, argv, signal.
 * An interrupted run is no error: *ret says complete = false.
 */
int
bench_stand_run(const struct bench_stand *, const struct bench_run_control *,
    struct bench_report *ret, struct bench_refusal *why);
void bench_stand_close(struct bench_stand *);
#endif
