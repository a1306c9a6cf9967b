/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A shape and a seed give the next request.
 * Room: diskbench/, deciding: no I/O, no clock.  bench_workload_init() may
 * allocate nothing either: a workload lives in its thread.
 */
#ifndef DISKBENCH_WORKLOAD_H
#define DISKBENCH_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "diskbench/random.h"

enum bench_op {
	BENCH_OP_READ = 0,
	BENCH_OP_WRITE,
	BENCH_OPS /* how many */
};

#define BENCH_SIZES 32 /* entries of a size mix */

/* One size of a mix, and its share of the requests in any unit. */
struct bench_size {
	uint32_t bytes;
	uint32_t share;
};

enum bench_pick {
	BENCH_PICK_UNIFORM = 0, /* any block, again and again */
	BENCH_PICK_ONCE,        /* every block once, in random order */
	BENCH_PICK_ZIPF,        /* popular blocks, scattered over the span */
};

/* What the requests look like.  All sizes and offsets in bytes. */
struct bench_shape {
	uint64_t offset; /* where the span begins on the target */
	/* fio's: so many percent of the target further on, and step times so
	 * many, up to the next multiple of the smallest block. */
	unsigned offset_percent, step_percent, step;
	uint64_t span;         /* how much of the target is used; 0: all */
	unsigned span_percent; /* 0: span says it */
	uint32_t align; /* every offset is a multiple of it; 0: smallest size */
	unsigned read_percent; /* 0 .. 100 */
	bool random;           /* else sequential */
	/*
	 * Sequential streams of one job have ranges of their own, unless they
	 * share: N threads that all begin at the same block read it N times,
	 * N - 1 of them from somebody's cache, and the sum is fiction.
	 */
	bool overlap;
	enum bench_pick pick;
	bool each;    /* once: by each thread, not by all together */
	bool again;   /* once: and then in another order, without end */
	double theta; /* of BENCH_PICK_ZIPF, > 0 and not 1 */
	/* Uniform: how many of 100 begin where the last of their kind ended. */
	unsigned follow_percent;
	struct bench_size size[BENCH_OPS][BENCH_SIZES];
	unsigned n_size[BENCH_OPS];
	/*
	 * Uniform reads in runs: an object that is read piece by piece, as
	 * Varnish's file storage does.  Each begins at a random block; where it
	 * goes on is for whoever asks: only he knows when a piece has come.
	 * n_run 0: runs of one request.
	 */
	struct bench_size run[BENCH_SIZES];
	unsigned n_run;
};

struct bench_request {
	uint64_t offset;
	uint64_t more; /* bytes of the run behind this request */
	uint32_t len;
	enum bench_op op;
};

/* An alias table (Walker, Vose): a size in O(1), whatever the mix. */
struct bench_mix {
	unsigned n;
	uint32_t bytes[BENCH_SIZES];
	uint32_t other[BENCH_SIZES];
	uint32_t keep[BENCH_SIZES]; /* of 2^32 */
};

/* The members are private to workload.c and to what is inline here. */
struct bench_workload {
	struct bench_random random;
	uint64_t read_below;       /* of 2^32: the share of reads */
	uint64_t plain[BENCH_OPS]; /* uniform, of one size: so many places */
	uint32_t plain_len[BENCH_OPS];
	uint64_t base, span, align;
	struct bench_mix mix[BENCH_OPS], run;
	uint64_t follow_below;      /* of 2^32 */
	uint64_t tail[BENCH_OPS];   /* uniform: where the last one ended */
	uint64_t blocks;            /* span / align */
	uint64_t cursor[BENCH_OPS]; /* sequential: next, from base */
	uint64_t turn, turns;       /* pick once: next index, period */
	uint64_t first;
	bool again;
	uint64_t key[4];
	unsigned half;
	bool random_offset;
	enum bench_pick pick;
	double theta, h_x1, h_n, s;
};

/*
 * Thread number `thread` of `threads`; the shape is only read.
 *	-EINVAL		a mix without sizes or shares, no size above 0,
 *			theta out of range
 *	-ENOSPC		the span (of this thread) is smaller than a request
 */
int bench_workload_init(struct bench_workload *, const struct bench_shape *,
    uint64_t seed, unsigned thread, unsigned threads);

/* Of any shape; for bench_workload_next_op(). */
bool bench_workload_next_shaped(
    struct bench_workload *, enum bench_op, struct bench_request *ret);

/*
 * The next request of this kind: where somebody else decides on the mix.
 * false: none is left (only with BENCH_PICK_ONCE, which ends when every block
 * was asked for).  In the header because it runs once for each I/O, and mostly
 * is but a random number.
 */
static inline bool
bench_workload_next_op(
    struct bench_workload *w, enum bench_op op, struct bench_request *ret)
{
	if (w->plain[op] == 0)
		return (bench_workload_next_shaped(w, op, ret));
	ret->offset =
	    w->base + bench_random_below(&w->random, w->plain[op]) * w->align;
	ret->len = w->plain_len[op];
	ret->more = 0;
	ret->op = op;
	return (true);
}

/* The next request. */
static inline bool
bench_workload_next(struct bench_workload *w, struct bench_request *ret)
{
	enum bench_op op;

	if (w->read_below == 0)
		op = BENCH_OP_WRITE;
	else if (w->read_below >> 32 != 0)
		op = BENCH_OP_READ;
	else
		op = (bench_random_next(&w->random) >> 32) < w->read_below
			 ? BENCH_OP_READ
			 : BENCH_OP_WRITE;
	return (bench_workload_next_op(w, op, ret));
}

/* Smallest and largest request of a shape, of both kinds together. */
uint32_t bench_shape_smallest(const struct bench_shape *);
uint32_t bench_shape_largest(const struct bench_shape *);
bool bench_shape_does(const struct bench_shape *, enum bench_op);

/* The longest run, or request. */
uint32_t bench_shape_longest(const struct bench_shape *);

/* The mean of a mix; 0 if it has no shares. */
double bench_size_mean(const struct bench_size *, unsigned n);
#endif
