/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What was asked for.
 * Room: diskbench/, deciding: opens nothing but job files, prints nothing.
 */
#ifndef DISKBENCH_OPTIONS_H
#define DISKBENCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "diskbench/comparison.h"
#include "diskbench/curve.h"
#include "diskbench/job.h"
#include "diskbench/profile.h"
#include "diskbench/pts.h"
#include "diskbench/refusal.h"

enum bench_command {
	BENCH_CMD_HELP = 0,
	BENCH_CMD_VERSION,
	BENCH_CMD_LIST,
	BENCH_CMD_IDENTIFY,
	BENCH_CMD_RUN,
	BENCH_CMD_FIO,
	BENCH_CMD_COMPARE,
	BENCH_CMD_CURVE,
	BENCH_CMD_PRECONDITION,
	BENCH_CMD_PTS,
	BENCH_CMD_REPORT,
	BENCH_CMD_PROFILES,
	BENCH_COMMANDS /* how many */
};

enum bench_format {
	BENCH_FORMAT_HUMAN = 0,
	BENCH_FORMAT_JSON,
};

/* Of a time budget, what the run has in which a search ends. */
#define BENCH_BUDGET_PARTS 5

#define BENCH_TEXTS 512 /* copies of words, job files, made-up names */

struct bench_options {
	enum bench_command command;
	enum bench_command help_for; /* of BENCH_CMD_HELP; HELP: all */
	enum bench_format format;
	const char *output;           /* a file; NULL: stdout */
	const char *file[BENCH_JOBS]; /* results to read; n_file of them */
	unsigned n_file;
	const char *token;   /* consent to write; NULL: none */
	bool overwrite_data; /* also over data that looks like somebody's */
	bool show_fio;       /* print the fio command instead */
	bool parse_only;
	bool status; /* a status line, also without a terminal */
	bool no_status;
	bool status_newline; /* each on a line of its own */
	bool seed_given;
	/* run --profile: then job[0] is what all its jobs are made from. */
	bool profiled;
	struct bench_profile profile;
	uint64_t slo_ns;       /* the limit of the 99th percentile */
	double rate;           /* objects a second; 0: search */
	bool advise;           /* say what that means for storage */
	double percentile[32]; /* 0 < p < 1, rising; n_percentile of them */
	unsigned n_percentile;
	bool bins; /* fio's json+ */
	struct bench_job job[BENCH_JOBS];
	unsigned n_job;
	/* Of compare, which has two jobs, A and B; or file[], of which the
	 * first n_a are A's. */
	unsigned n_a;   /* 0: it measures */
	bool different; /* compare also what differs in more than the drive */
	enum bench_compared compared;
	unsigned pairs;
	uint64_t budget_ns; /* 0: none */
	bool shorter;       /* the runs, to fit the budget */
	/* Of curve: job[0] reads on, job[1] here and there. */
	unsigned points, accesses;
	struct bench_pts_wish pts; /* of precondition and pts */
	char *text[BENCH_TEXTS];   /* owned: of job files, and names made up */
	unsigned n_text;
};

/* All zeros is none. */
void bench_options_fini(struct bench_options *);

/*
 * A small file of text ("-": stdin), kept until _fini.  what names its kind to
 * people.  -EINVAL: not readable, no text, or above 1 MiB.
 */
int bench_options_file(struct bench_options *, const char *what,
    const char *file, char **ret, size_t *ret_len, struct bench_refusal *why);

/* Keep a string of the heap until _fini.  NULL if it is NULL or does not fit,
 * and then it is freed. */
char *bench_options_keep(struct bench_options *, char *);

/* "50,99,99.9", rising: shares between 0 and 1.  -EINVAL. */
int bench_options_percentiles(
    const char *, char separator, double *ret, unsigned max, unsigned *ret_n);
#endif
