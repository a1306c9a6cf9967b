/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What each option's value means.
 * Room: diskbench/, deciding.  For options_line.c, which reads the command line.
 */
#ifndef DISKBENCH_OPTIONS_VALUE_H
#define DISKBENCH_OPTIONS_VALUE_H

#include "diskbench/options.h"
#include "diskbench/options_finish.h"
#include "diskbench/options_table.h"

/* An option as it was given; the value is NULL where it takes none. */
struct bench_option_given {
	const struct bench_option *opt;
	const char *value;
	struct bench_refusal *why;
};

/* Note it down.  -EINVAL and *why: it cannot have this value. */
int bench_options_apply(struct bench_options *, struct bench_job *,
    struct bench_gathered *, const struct bench_option_given *);
#endif
