/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One thread of one job: the loop that asks for I/O, and its clock.
 * Room: diskbench/, doing.  For run.c, which starts and watches them all.
 */
#ifndef DISKBENCH_LANE_H
#define DISKBENCH_LANE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/time.h>

#include "diskbench/engine.h"
#include "diskbench/heat.h"
#include "diskbench/job.h"
#include "diskbench/result.h"

#define BENCH_SECOND UINT64_C(1000000000)

/* What the lanes share. */
struct bench_start {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	unsigned ready, lanes;
	bool go, failed;
	atomic_bool stop;    /* no new I/O, from anybody */
	atomic_bool partial; /* because somebody was told to stop */
};

/* One thread of one job. */
struct bench_lane {
	/* What the loop touches all the time. */
	struct bench_engine *engine;
	const struct bench_engine_type *type;
	struct bench_io **free; /* a stack */
	unsigned n_free;
	struct bench_io **run; /* a stack: those whose run goes on */
	unsigned n_run;
	unsigned batch, min, most; /* sent; taken back at once */
	bool paced, peak;
	uint64_t full_until; /* paced: when a slot was free again */
	uint64_t now, t_begin, t_count, t_end, t_drain;
	uint64_t t_fold, folded; /* next and last end of a step */
	uint64_t left_ios, left_bytes;
	struct bench_workload workload;
	uint64_t due[BENCH_OPS]; /* paced: when the next one is */
	struct bench_hist *step; /* of BENCH_OPS: this second's latencies */
	uint64_t step_bytes[BENCH_OPS], step_errors;
	atomic_uint_fast64_t seen_ios[BENCH_OPS], seen_bytes[BENCH_OPS];

	/* The rest. */
	const struct bench_job *job;
	struct bench_target *target;
	unsigned number; /* of the job's threads */
	struct bench_start *start;
	pthread_t thread;
	bool created;
	atomic_bool running;
	struct bench_io *ios;
	struct bench_io **batch_io;
	void *arena;
	size_t arena_len;
	struct bench_random data;
	uint64_t written;
	unsigned since_sync;
	struct bench_result *result;
	int error; /* -errno: it could not start */
	char why[512];
	struct bench_random gaps;
	struct rusage usage;
	uint64_t waited;            /* for a CPU, before it began */
	struct bench_heat_log heat; /* of a job's first lane; run.c's */
	uint64_t stamp;             /* makes each written block another */
	bool exhausted;             /* no more requests */
};

/* What a thread runs: opens its engine, waits for the others in l->start, runs
 * the job, and leaves its result, or its error, in the lane. */
void *bench_lane_main(void *);

/* All that a lane owns, also one that was never run. */
void bench_lane_fini(struct bench_lane *);

/* The one clock: CLOCK_MONOTONIC, ns. */
uint64_t bench_lane_clock(void);
uint64_t bench_lane_timeval(struct timeval);
#endif
