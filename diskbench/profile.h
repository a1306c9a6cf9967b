/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a cache does to its disk: streams of requests for each object that is
 * asked of the cache.  Profiles become jobs.
 * Room: diskbench/, deciding: no I/O, no clock, no allocation.
 *
 * The numbers of the built-in ones were traced at the block layer below real
 * caches, where the profile's basis says so.  All of them can be written out
 * as a workload file (workload_file.h), changed, and read back.
 */
#ifndef DISKBENCH_PROFILE_H
#define DISKBENCH_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "diskbench/job.h"

#define BENCH_STREAMS 8 /* of one profile */

enum bench_basis {
	BENCH_BASIS_TRACED = 0,  /* below the real thing, at the block layer */
	BENCH_BASIS_DOCUMENTED,  /* from its source and manuals */
	BENCH_BASIS_APPROXIMATE, /* what little is public */
	BENCH_BASIS_OBSERVED,    /* somebody's own traffic, or made up */
	BENCH_BASES              /* how many */
};
extern const char *const bench_basis_names[BENCH_BASES];

/*
 * Requests of one kind.  Of each object asked for, hit_percent are hits.  In a
 * second with n objects a stream begins
 *	n * hits * per_hit + n * misses * per_miss
 *	+ n * misses * miss_bytes * mean object / mean size + per_second
 * requests, or runs of requests where it has runs.  What only writes rests
 * while nothing is missed: its per_second does not count at 100 % hits.
 */
struct bench_stream {
	char name[24];
	unsigned read_percent; /* 100: reads; 0: writes */
	bool sequential;       /* else random */
	unsigned in_flight;    /* most at once; 1 .. 4096 */
	bool closed;           /* always in_flight: no rate */
	unsigned phase;        /* after those of lower phases; usually 0 */
	double per_hit, per_miss, miss_bytes, per_second;
	struct bench_size size[BENCH_SIZES];
	unsigned n_size;
	struct bench_size run[BENCH_SIZES]; /* random reads: see workload.h */
	unsigned n_run;
	unsigned follow_percent; /* random: begin where the last one ended */
	uint32_t align;          /* 0: smallest size */
	enum bench_sync sync;
	unsigned fsync; /* fdatasync after so many writes; 0: none */
};

struct bench_profile {
	char name[32];
	char help[128]; /* one line */
	char note[512]; /* what one should know about it; "": nothing */
	enum bench_basis basis;
	unsigned hit_percent;
	double object_bytes; /* the mean */
	struct bench_stream stream[BENCH_STREAMS];
	unsigned n;
};

/* The built-in one of number i, or of a name, into *ret.  false: none. */
bool bench_profile_get(unsigned i, struct bench_profile *ret);
bool bench_profile_find(const char *name, struct bench_profile *ret);

/* No stream is closed: it can be asked for at any rate. */
bool bench_profile_open(const struct bench_profile *);
bool bench_profile_writes(const struct bench_profile *);

/* Runs, or requests, that this stream begins a second; 0 if it is closed. */
double bench_profile_rate(
    const struct bench_profile *, unsigned stream, double objects);

/* Requests and bytes that one object costs, of this kind. */
double bench_profile_requests(const struct bench_profile *, enum bench_op);
double bench_profile_bytes(const struct bench_profile *, enum bench_op);

/*
 * Jobs for so many objects a second, from what is in *like: target, engine,
 * runtime, ramp, seed, span, data, errors ...  Streams that would do nothing
 * are left out.  threads: a synchronous engine has only one request in flight,
 * so each needs a thread.  Those of one phase are one group, reported together.
 * job has room for BENCH_STREAMS; returns how many.  Their ->stream is borrowed
 * from the profile.
 */
unsigned
bench_profile_jobs(const struct bench_profile *, const struct bench_job *like,
    double objects, bool threads, struct bench_job *job);

/*
 * The same without a rate, of all streams that hits need: how fast does it go?
 * For a first guess of what to ask for.
 */
unsigned bench_profile_flat_out(const struct bench_profile *,
    const struct bench_job *like, bool threads, struct bench_job *job);

/* NULL, or what is wrong with it. */
const char *bench_profile_check(const struct bench_profile *);
#endif
