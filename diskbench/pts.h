/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tests of SNIA's Performance Test Specification (PTS, 2.0): which cells a
 * round has, when it is enough, and what can be said of the rounds.
 * Room: diskbench/, deciding: no I/O, no clock, no print, no allocation.
 *
 * A cell is a mix of reads and writes of one size, measured for a minute.  A
 * round is all cells of a test, one after the other.  One of them is tracked:
 * when five rounds of it are steady (steady.h), these five are the result.
 *
 *	bench_pts_plan(&p, &wish, ...);
 *	... fill the drive up to p.fill.wanted bytes, tell p.fill what came ...
 *	while (bench_pts_more(&p)) {
 *		... measure each cell into bench_pts_at(&p, round, cell) ...
 *		p.rounds++;
 *	}
 *	bench_pts_decide(&p);
 */
#ifndef DISKBENCH_PTS_H
#define DISKBENCH_PTS_H

#include <stdbool.h>
#include <stdint.h>

#include "diskbench/steady.h"
#include "diskbench/verdict.h"

#define BENCH_PTS_CELLS    56   /* of the IOPS test */
#define BENCH_PTS_ROUNDS   1440 /* of one cell: WSAT, a day of minutes */
#define BENCH_PTS_LEFT_OUT 8
#define BENCH_PTS_LEVELS   8
#define BENCH_PTS_FILL     (UINT32_C(128) << 10) /* size of a filling write */
#define BENCH_PTS_TRACE    256 /* values kept of the filling over time */

enum bench_pts_test {
	BENCH_PTS_PRECONDITION = 0, /* fill it, and stop */
	BENCH_PTS_IOPS,
	BENCH_PTS_THROUGHPUT,
	BENCH_PTS_LATENCY,
	BENCH_PTS_WSAT, /* write saturation, from a purged drive on */
	BENCH_PTS_TESTS
};

extern const char *const bench_pts_names[BENCH_PTS_TESTS];

/* What the command line asks for. */
struct bench_pts_wish {
	enum bench_pts_test test;
	bool quick, discard;
	const char *purge;    /* how it was purged, in the user's words; NULL */
	const char *prepared; /* what it was filled with instead of by us */
	unsigned rounds;      /* at most; 0: the test's own */
	uint64_t runtime_ns;  /* of a cell; 0: the test's own */
	uint64_t budget_ns;   /* 0: none */
	uint32_t bytes;       /* of the throughput test; 0: 1 MiB */
};

struct bench_pts_cell {
	unsigned read_percent;
	uint32_t bytes;
};

/* 0: not measured, or too few I/Os. */
struct bench_pts_value {
	double iops, bytes_per_s, mean_ns, p99_ns, max_ns;
};

/* Values that lie between two changes of level. */
struct bench_pts_level {
	unsigned first, n;
	double mean;
};

/* The preconditioning: writes in a row over all of the span. */
struct bench_pts_fill {
	uint64_t wanted;   /* bytes; 0: none */
	uint64_t limit_ns; /* 0: none */
	uint64_t written, elapsed_ns;
	/* Bytes a second over time, each of step_ns. */
	double trace[BENCH_PTS_TRACE];
	unsigned n;
	uint64_t step_ns;
};

struct bench_pts {
	struct bench_pts_wish wish;
	bool shorter; /* than PTS has it, to fit the budget */
	struct bench_pts_cell cell[BENCH_PTS_CELLS];
	unsigned cells, tracked; /* the tracked one's index */
	bool by_latency;         /* what is tracked: mean latency, not IOPS */
	bool random;
	unsigned rounds_max;
	uint64_t runtime_ns; /* of a cell */
	char left_out[BENCH_PTS_LEFT_OUT][160];
	unsigned n_left_out;
	uint64_t span;

	/* What was done. */
	bool discarded;
	struct bench_pts_fill fill;
	struct bench_pts_value value[BENCH_PTS_ROUNDS];
	unsigned rounds;  /* complete ones */
	uint64_t written; /* by the rounds */
	bool interrupted;

	/* What _decide() fills in. */
	bool known; /* five rounds there were: steady says how they are */
	struct bench_steady steady;
	struct bench_pts_value mean[BENCH_PTS_CELLS]; /* over the window */
	struct bench_pts_level level[BENCH_PTS_LEVELS];
	unsigned n_level;
	/* The last level, and the first one if that was faster; B/s, or 0. */
	double burst, sustained;
	/* "steady", "not steady", "too few rounds", "preconditioned",
	 * "partial" */
	const char *verdict;
	char sentence[640], certainty[512];
};

/*
 * Cells, rounds and times of a test on a span of so many bytes; what does not
 * fit a drive that takes multiples of align is left out.  -EINVAL: the budget
 * is too small, and *ret_least is what would do.
 */
int bench_pts_plan(struct bench_pts *, const struct bench_pts_wish *,
    uint64_t span, uint32_t align, uint64_t *ret_least);

/* Of a round from 0 on. */
struct bench_pts_value *
bench_pts_at(struct bench_pts *, unsigned round, unsigned cell);

/* What is tracked, of each complete round: room for rounds. */
void bench_pts_tracked(const struct bench_pts *, double *ret);

/* Is another round due? */
bool bench_pts_more(const struct bench_pts *);

/* "4 KiB random writes": a cell in words; ret_len of 64 is enough. */
void bench_pts_cell_text(
    const struct bench_pts *, unsigned cell, char *ret, unsigned ret_len);

/* From what was done to the verdict. */
void bench_pts_decide(struct bench_pts *);
#endif
