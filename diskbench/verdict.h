/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a reader of the numbers should be told before believing them.
 * Room: diskbench/, deciding: no I/O, no clock, no allocation.
 */
#ifndef DISKBENCH_VERDICT_H
#define DISKBENCH_VERDICT_H

#include "diskbench/content.h"
#include "diskbench/result.h"

#define BENCH_WARNINGS 32

struct bench_warning {
	const char *id; /* stable; the manual explains each */
	char text[320];
};

struct bench_verdict {
	struct bench_warning warning[BENCH_WARNINGS];
	unsigned n;
};

void bench_verdict_init(struct bench_verdict *);

/* Add one; the first of an id stays. */
void bench_verdict_add(struct bench_verdict *, const char *id, const char *fmt,
    ...) CLI_PRINTF(3, 4);

/* What several runs had to be warned of, once. */
void
bench_verdict_merge(struct bench_verdict *, const struct bench_verdict *more);

/* Take one back that the reader need not be told. */
void bench_verdict_drop(struct bench_verdict *, const char *id);

/* Look at a result: all warnings about how it was measured. */
void bench_verdict_judge(struct bench_verdict *, const struct bench_result *);

/*
 * Before measuring reads: is there anything to read?  Adds warnings; with
 * nothing there and no leave to measure that, -EINVAL and *why.
 */
int bench_verdict_content(struct bench_verdict *, const struct bench_content *,
    const char *path, bool allow_unwritten, struct bench_refusal *why);

/* Before measuring: how is it addressed? */
void bench_verdict_align(struct bench_verdict *, const struct bench_job *,
    const struct bench_target *);

/* Before measuring: do these jobs get in each other's way? */
void bench_verdict_jobs(
    struct bench_verdict *, const struct bench_job *, unsigned n);
#endif
