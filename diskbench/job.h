/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Noun: one job, as the command line or a job file asks for it.
 * Room: diskbench/.  Options make it, run does it, report names it.
 */
#ifndef DISKBENCH_JOB_H
#define DISKBENCH_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "diskbench/engine.h"
#include "diskbench/refusal.h"
#include "diskbench/workload.h"

#define BENCH_JOBS 64 /* on one command line, clones included */

enum bench_mode {
	BENCH_MODE_LATENCY = 0, /* reap as soon as one is there */
	BENCH_MODE_PEAK,        /* reap by the batch; one time for each batch */
};

enum bench_gaps {
	BENCH_GAPS_FIXED = 0,
	BENCH_GAPS_EXPONENTIAL, /* a Poisson process, as many clients make it */
};

enum bench_on_error {
	BENCH_ON_ERROR_STOP = 0,
	BENCH_ON_ERROR_CONTINUE,
};

enum bench_sync {
	BENCH_SYNC_NONE = 0,
	BENCH_SYNC_DSYNC, /* O_DSYNC: each write is on the medium */
	BENCH_SYNC_SYNC,  /* O_SYNC */
};

/* Where each I/O was and how long it took, in the order they came back. */
struct bench_dot {
	uint64_t offset, ns;
};

struct bench_trail {
	struct bench_dot *dot; /* the first max of them */
	unsigned n, max;
};

/* How the written data look. */
struct bench_data {
	unsigned compress_percent; /* how much of each block is zeros */
	unsigned dedupe_percent;   /* how many blocks are copies */
	bool refill;               /* new random bytes for each write */
};

struct bench_job {
	char name[64];
	const char *stream; /* of a profile, what it is there; borrowed; NULL */
	const char *target; /* a path; borrowed from argv or the job file */
	struct bench_shape shape;
	struct bench_data data;
	const char *engine;         /* NULL: the best that works here */
	const char *sim;            /* of engine sim: its distribution */
	enum bench_madvise madvise; /* of engine mmap */
	unsigned depth;             /* I/Os in flight for each thread */
	unsigned batch; /* submitted and, in peak mode, reaped at once */
	unsigned reap;  /* the most taken back at once; 0: all there are */
	unsigned threads;
	enum bench_mode mode;
	uint64_t seed;
	uint64_t start_ns;               /* before the first request */
	uint64_t ramp_ns;                /* not counted */
	uint64_t runtime_ns;             /* 0: until the limit */
	uint64_t limit_bytes, limit_ios; /* a thread's; 0: none */
	/* limit_bytes: so much of the span (0: all), limit_rounds times. */
	bool limit_whole_span;
	unsigned limit_percent, limit_rounds;
	double rate[BENCH_OPS];       /* requests a second a thread; 0: any */
	double rate_bytes[BENCH_OPS]; /* the same in bytes */
	bool open_loop; /* they come, whether the last ones are done or not */
	enum bench_gaps gaps;
	enum bench_on_error on_error;
	enum bench_sync sync;
	unsigned fsync;  /* fdatasync after so many writes; 0: none */
	bool buffered;   /* no O_DIRECT */
	bool invalidate; /* the page cache forgets the span before each run */
	bool poll;       /* IOPOLL */
	bool plain_buffers, plain_files; /* nothing registered */
	bool plain_reap; /* libaio: a call for what is done, each time */
	bool allow_unwritten;
	uint64_t create;     /* make the file, of so many bytes */
	bool create_missing; /* if it is not there, of the size of the span */
	/* Thread i is number part + i of parts, where jobs share a target as
	 * the threads of one do; parts 0: they do not. */
	unsigned part, parts;
	int cpu;        /* of the first thread; -1: where the kernel likes */
	unsigned group; /* those of one group are reported together */
	/* Paced: how long after its time what is still due is served. */
	uint64_t drain_ns; /* 0: half a minute */
	bool stonewall;    /* not before the jobs in front are done */
	/* Of one thread; borrowed.  NULL: none is kept. */
	struct bench_trail *trail;
};

/* 4 KiB random reads, one thread, depth 32, no end. */
void bench_job_init(struct bench_job *);

/* All requests of this size. */
void bench_job_size(struct bench_job *, uint32_t bytes);

/* Each thread ends when it has moved so many bytes, the last request being a whole
 * one: with fio it begins as long as a byte is left. */
void bench_job_limit(struct bench_job *, uint64_t bytes);

bool bench_job_writes(const struct bench_job *);
bool bench_job_paced(const struct bench_job *);

/* The most I/Os that one call hands over: fio's iodepth_batch. */
unsigned bench_job_batch(const struct bench_job *);
/* The most that are taken back at once: its iodepth_batch_complete_max. */
unsigned bench_job_reap(const struct bench_job *);

/*
 * Fit the shape to a target of so many bytes whose offsets and lengths have to
 * be multiples of align: a span of 0 becomes what there is.  `where` names the
 * target to people.  -errno and *why if it does not fit.
 */
int bench_job_fit(struct bench_job *, const char *where, uint64_t size,
    uint32_t align, struct bench_refusal *why);
#endif
