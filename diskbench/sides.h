/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Noun: two sides that were measured before, each by some result files.
 * Room: diskbench/.  Reads files; what is in them is nobody's promise.
 *
 * Runs that were made at different times are no pairs, so the test is the rank
 * sum.  And they need not be runs of one test: what they were made with (depth,
 * engine, span, how the drive was prepared) is held against each other first.
 */
#ifndef DISKBENCH_SIDES_H
#define DISKBENCH_SIDES_H

#include "diskbench/comparison.h"

#define BENCH_SIDES_MAX 64   /* files in all */
#define BENCH_DIFFERS   4928 /* all that two results can differ in */

struct bench_sides {
	const char *file[BENCH_SIDES_MAX]; /* borrowed: A's, then B's */
	unsigned n[2];
	bool different; /* compare also what differs in more than the drive */
	/* What _open() fills in. */
	struct bench_job job[2]; /* as the first file of each side says */
	char path[2][256];
	char differs[BENCH_DIFFERS]; /* with `different`: what; "" nothing */
	void *root[BENCH_SIDES_MAX]; /* owned: the JSON */
	struct bench_pair pair[BENCH_SIDES_MAX];
};

/*
 * Read all files into c, whose strings are then borrowed from *s.  The caller
 * passes s to _close whatever comes back.  -errno and *why: BENCH_EXIT_RESULT of
 * what is no result of one job, BENCH_EXIT_STATES of results that differ in more
 * than the drive, unless that is wanted.
 */
int bench_sides_open(struct bench_sides *s, struct bench_comparison *c,
    struct bench_refusal *why);
void bench_sides_close(struct bench_sides *);
#endif
