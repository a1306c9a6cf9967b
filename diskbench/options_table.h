/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The commands and options there are: what --help prints, what the parser knows
 * and what the manual is compared with.
 * Room: diskbench/, deciding.  For options_line.c and main.c.
 */
#ifndef DISKBENCH_OPTIONS_TABLE_H
#define DISKBENCH_OPTIONS_TABLE_H

#include <stdio.h>

#include "diskbench/options.h"

enum bench_option_code {
	O_AA = 1,
	O_ACCESSES,
	O_ADVISE,
	O_ALLOW_UNWRITTEN,
	O_BATCH,
	O_BS,
	O_BUFFERED,
	O_CREATE,
	O_CPU,
	O_DATA_COMPRESS,
	O_DATA_DEDUPE,
	O_DIFFERENT,
	O_DISCARD,
	O_ENGINE,
	O_FORMAT,
	O_FSYNC,
	O_GAPS,
	O_HELP,
	O_HIT,
	O_IODEPTH,
	O_MADVISE,
	O_MIX,
	O_MODE,
	O_NAME,
	O_NO_REGISTER,
	O_OFFSET,
	O_ON_ERROR,
	O_OPEN_LOOP,
	O_OUTPUT,
	O_OVERLAP,
	O_OVERWRITE_DATA,
	O_PAIRS,
	O_PERCENTILES,
	O_PICK,
	O_POINTS,
	O_POLL,
	O_PREPARED,
	O_PROFILE,
	O_PURGE,
	O_QUICK,
	O_RAMP,
	O_RATE,
	O_ROUNDS,
	O_RUNTIME,
	O_RW,
	O_SEED,
	O_SHOW_FIO,
	O_SIM,
	O_SIZE,
	O_SLO,
	O_STATUS,
	O_SYNC,
	O_TEST,
	O_THREADS,
	O_TIME_BUDGET,
	O_VERSION,
	O_VS,
	O_WRITE,
};

struct bench_option {
	unsigned commands; /* 1 << enum bench_command, or-ed */
	enum bench_option_code code;
	const char *name;
	const char *arg; /* NULL: takes none */
	const char *help;
};

/* Both end with a name of NULL and are in the order of --help. */
extern const struct bench_option bench_option_table[];

struct bench_command_row {
	enum bench_command code;
	const char *name, *args, *help;
};

extern const struct bench_command_row bench_command_table[];

/* Of a command, or of all (HELP); fio's has a table of its own. */
void bench_options_help(FILE *, enum bench_command);
#endif
