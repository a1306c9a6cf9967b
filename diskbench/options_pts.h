/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the options of precondition and pts come to.
 * Room: diskbench/, deciding.  For options.c.
 */
#ifndef DISKBENCH_OPTIONS_PTS_H
#define DISKBENCH_OPTIONS_PTS_H

#include "diskbench/options.h"

/* The words of --test, which is never precondition; the last one is NULL. */
extern const char *const bench_pts_tests[];

/*
 * Make a job that writes of what was given, and see that the test can be done.
 * NULL, or what is wrong with the command line.
 */
const char *bench_options_pts(struct bench_options *, struct bench_job *,
    enum bench_command, bool depth_given);
#endif
