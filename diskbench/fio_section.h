/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A section of fio's, and where in its lines and files we are.
 * Room: diskbench/, deciding.  For fio.c, fio_set.c and fio_side.c.
 */
#ifndef DISKBENCH_FIO_SECTION_H
#define DISKBENCH_FIO_SECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/diag.h"
#include "diskbench/fio_word.h"
#include "diskbench/options.h"

/* A section as fio has it: a job, and what only makes sense once it ends. */
struct bench_fio_section {
	struct bench_job job;
	bool named;
	const char *filename, *directory;
	uint64_t size, filesize, io_size, offset_increment, loops;
	unsigned size_percent, io_percent, numjobs;
	unsigned complete_min, complete_max; /* of those that came back */
	unsigned mix; /* percent of reads, where rw is of both */
	bool time_based, norandommap, randrepeat, group, new_group;
	bool rw_mixed, direct, stonewall;
	uint64_t seed;
};

struct bench_fio_parser {
	struct bench_options *o;
	struct bench_refusal *why;
	const char *where; /* "fio: ", or the job file and line */
	uint64_t entropy;
	struct bench_fio_section global, now;
	bool open; /* now is a job not yet added */
	bool readonly;
	unsigned groups;
	bool any;
};

/* -EINVAL, with where it was and what is wrong for people in p->why. */
int bench_fio_fail(const struct bench_fio_parser *, const char *fmt, ...)
    CLI_PRINTF(2, 3);
/* The same, of a value that is not what this option wants. */
int bench_fio_bad(const struct bench_fio_parser *,
    const struct bench_fio_word *, const char *value, const char *expected);

/* fio's defaults, not ours. */
void bench_fio_section_init(struct bench_fio_section *);
#endif
