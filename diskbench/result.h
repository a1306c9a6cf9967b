/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Noun: what a run measured.
 * Room: diskbench/.  run makes it, verdict judges it, report prints it.
 */
#ifndef DISKBENCH_RESULT_H
#define DISKBENCH_RESULT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "diskbench/devstat.h"
#include "diskbench/hist.h"
#include "diskbench/job.h"
#include "diskbench/series.h"
#include "diskbench/target.h"

#define BENCH_ERRORS_LISTED 16

struct bench_error {
	uint64_t offset;
	uint32_t len;
	enum bench_op op;
	int error; /* errno; 0: fewer bytes than asked for */
};

/* One kind of I/O.  Failed ones are in errors and in nothing else. */
struct bench_side {
	uint64_t ios, bytes;
	uint64_t window_ios, window_bytes; /* of these: what the rate is of */
	uint64_t errors;
	uint64_t all_ios, all_bytes; /* with those before the ramp's end */
	struct bench_hist service;   /* from handing it to the kernel */
	struct bench_hist response;  /* from when it was due; paced jobs only */
};

struct bench_result {
	const struct bench_job *job;       /* borrowed */
	const struct bench_target *target; /* borrowed; NULL for fake engines */
	char engine[16];                   /* that did it */
	char engine_note[512]; /* what was asked for and not had, and why */
	unsigned depth;        /* of each thread, as the engine has it */
	unsigned threads;
	bool complete; /* not interrupted, nothing given up */
	bool paced;
	struct bench_side side[BENCH_OPS];
	struct bench_hist lag; /* paced: how late we ourselves were */
	uint64_t late;     /* paced: due while all of depth were in flight */
	uint64_t unserved; /* paced: due, and not sent before the end */
	uint64_t lost;     /* in flight, and never came back */
	struct bench_series *series; /* owned */
	uint64_t elapsed_ns;         /* counted part, to the last completion */
	/*
	 * The time that the rate is of.  A closed loop sends nothing after its
	 * end, and only waits for what is in flight: their latencies count,
	 * but a straggler among them does not make the rate lower.
	 */
	uint64_t window_ns;
	uint64_t whole_ns; /* with ramp: what device counts */
	uint64_t busy_ns;  /* CPU of the busiest thread, counted part */
	/* Of the threads; of a job that runs alone, with those that the system
	 * makes for it. */
	uint64_t usr_ns, sys_ns;
	uint64_t wait_ns; /* that the thread worst off waited for a CPU */
	uint64_t ctx, majf, minf;
	struct bench_error error[BENCH_ERRORS_LISTED];
	unsigned n_error;
	struct timespec started; /* wall clock */
	struct bench_devstat device;
	double steal_percent, load1;
	unsigned heat_mc; /* the highest temperature; 0: not known */
	uint64_t nodes; /* NUMA nodes that its threads were seen on, as bits */
};

/* A new one of heap memory, or NULL. */
struct bench_result *bench_result_new(uint64_t step_ns);
void bench_result_free(struct bench_result **);

/* Threads of one job, or jobs of one group: counts add, times do not. */
void bench_result_merge(struct bench_result *, const struct bench_result *);

/* Of one kind of I/O, a second. */
double bench_result_iops(const struct bench_result *, enum bench_op);
double bench_result_bytes_per_s(const struct bench_result *, enum bench_op);

/*
 * Mean number of I/Os in the device (Little's law: the time that all of them
 * were in it, over the time).  Negative: not known.
 */
double bench_result_device_depth(const struct bench_result *);
#endif
