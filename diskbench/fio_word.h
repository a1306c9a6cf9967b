/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fio's options by name.
 * Room: diskbench/, deciding.  For fio.c, which reads lines and files.
 */
#ifndef DISKBENCH_FIO_WORD_H
#define DISKBENCH_FIO_WORD_H

#include <stdbool.h>
#include <stddef.h>

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
	F_FALLOCATE,
	F_FDATASYNC,
	F_FILENAME,
	F_FILESIZE,
	F_FIXEDBUFS,
	F_FSYNC,
	F_GROUP,
	F_GTOD,
	F_HELP,
	F_HIPRI,
	F_IODEPTH,
	F_IODEPTH_BATCH,
	F_IODEPTH_BATCH_COMPLETE,
	F_IODEPTH_BATCH_MOST,
	F_INVALIDATE,
	F_IOENGINE,
	F_IO_SIZE,
	F_LOOPS,
	F_MIXREAD,
	F_MIXWRITE,
	F_NAME,
	F_NEW_GROUP,
	F_NORANDOMMAP,
	F_NOTHING,
	F_NRFILES,
	F_NUMBER_IOS,
	F_NUMJOBS,
	F_OFFSET,
	F_OFFSET_INCREMENT,
	F_OUTPUT,
	F_OUTPUT_FORMAT,
	F_OVERWRITE,
	F_OVERWRITE_DATA,
	F_PARSE_ONLY,
	F_PERCENTILE_LIST,
	F_RAMP,
	F_RANDOM_GENERATOR,
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
	F_SOFTRANDOMMAP,
	F_STARTDELAY,
	F_STONEWALL,
	F_SYNC,
	F_THREAD,
	F_TIME_BASED,
	F_USERSPACE_REAP,
	F_VERSION,
	F_WRITE,
	F_ZERO,
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

/* By either name; NULL: not one that we know. */
const struct bench_fio_word *bench_fio_word_find(const char *name, size_t len);
#endif
