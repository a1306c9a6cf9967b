/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A test of PTS, for people and as JSON.
 * Room: diskbench/.  Prints results, and nothing else, on the stream it gets.
 */
#ifndef DISKBENCH_REPORT_PTS_H
#define DISKBENCH_REPORT_PTS_H

#include <stdio.h>

#include "diskbench/identity.h"
#include "diskbench/pts.h"

/* On what and how it was measured. */
struct bench_pts_record {
	const char *path; /* borrowed, like argv */
	char *const *argv;
	int argc;
	char engine[16];
	struct bench_identity identity;
	struct bench_verdict warned;
	uint64_t seed, errors, offset;
	unsigned depth, threads;
	int signal;
};

/* 0, or -errno of the writing. */
int bench_report_pts_text(
    FILE *, const struct bench_pts *, const struct bench_pts_record *);
int bench_report_pts_json(
    FILE *, const struct bench_pts *, const struct bench_pts_record *);
#endif
