/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Latencies, as JSON.
 * Room: diskbench/.  For the report_*.c that print a run.
 */
#ifndef DISKBENCH_REPORT_LATENCY_H
#define DISKBENCH_REPORT_LATENCY_H

#include "diskbench/record.h"
#include "diskbench/report.h"

/* Each is the caller's. */

/* As fio has it; with the percentiles that are asked for if `table`. */
json_t *bench_report_latency(
    const struct bench_hist *, const struct bench_report *, bool table);
/* [first, last, count] of each bucket that has one: merges and plots. */
json_t *bench_report_buckets(const struct bench_hist *);
/* fio's three tables: the percent of latencies up to each of n limits, and above
 * the one before. */
json_t *bench_report_bands(const struct bench_result *, const double *limit_ns,
    const char *const *name, unsigned n, double from_ns);
#endif
