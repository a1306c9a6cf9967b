/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fio's options, one by one: what each does to a job.
 * Room: diskbench/, deciding.  For fio.c, which reads lines and files.
 */
#ifndef DISKBENCH_FIO_WORD_H
#define DISKBENCH_FIO_WORD_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/diag.h"
#include "diskbench/options.h"

enum bench_fio_code {
	F_BLOCKALIGN = 1,
	F_BS,
	F_BSRANGE,
	F_BSSPLIT,
	F_BUFFERED,
	F_CLAT_PERCENTILES,
	F_COMPRESS,
	F_CONTINUE,
	F_CPUS_ALLOWED,
	F_DEDUPE,
	F_DESCRIPTION,
	F_DIRECT,
	F_DIRECTORY,
	F_ETA,
	F_ETA_NEWLINE,
	F_FDATASYNC,
	F_FILENAME,
	F_FIXEDBUFS,
	F_FSYNC,
	F_GROUP,
	F_GTOD,
	F_HELP,
	F_HIPRI,
	F_IODEPTH,
	F_IODEPTH_BATCH,
	F_IODEPTH_BATCH_COMPLETE,
	F_IOENGINE,
	F_IO_SIZE,
	F_LOOPS,
	F_MIXREAD,
	F_MIXWRITE,
	F_NAME,
	F_NEW_GROUP,
	F_NORANDOMMAP,
	F_NUMBER_IOS,
	F_NUMJOBS,
	F_OFFSET,
	F_OFFSET_INCREMENT,
	F_OUTPUT,
	F_OUTPUT_FORMAT,
	F_OVERWRITE_DATA,
	F_PARSE_ONLY,
	F_PERCENTILE_LIST,
	F_RAMP,
	F_RANDOM_DISTRIBUTION,
	F_RANDREPEAT,
	F_RANDSEED,
	F_RATE,
	F_RATE_IOPS,
	F_RATE_PROCESS,
	F_READONLY,
	F_REFILL,
	F_REGISTERFILES,
	F_RUNTIME,
	F_RW,
	F_SCRAMBLE,
	F_SIZE,
	F_STARTDELAY,
	F_STONEWALL,
	F_SYNC,
	F_THREAD,
	F_TIME_BASED,
	F_VERSION,
	F_WRITE,
};

enum bench_fio_place {
	ANY = 0,  /* the command line and a job file */
	LINE = 1, /* the command line only: it is about the whole run */
};

/* Ours, fio's other name for it, whether a value may be missing (then 1). */
struct bench_fio_word {
	enum bench_fio_code code;
	const char *name, *other;
	bool flag;
	enum bench_fio_place place;
	const char *help;
};

/* In the order of --help; ends with a name of NULL. */
extern const struct bench_fio_word bench_fio_words[];

/* A section as fio has it: a job, and what only makes sense once it ends. */
struct bench_fio_section {
	struct bench_job job;
	bool named;
	const char *filename, *directory;
	uint64_t size, io_size, offset_increment, loops;
	unsigned size_percent, numjobs;
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

/* By either name; NULL: not one that we know. */
const struct bench_fio_word *bench_fio_word_find(const char *name, size_t len);

/* fio's defaults, not ours. */
void bench_fio_section_init(struct bench_fio_section *);

/* Apply one to a section, or to the whole run.  The value is writable and
 * outlives the run.  -EINVAL as bench_fio_fail(). */
int bench_fio_set(struct bench_fio_parser *, struct bench_fio_section *,
    const struct bench_fio_word *, char *value);
#endif
