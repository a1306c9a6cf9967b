/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A run over its time, as JSON.
 * Room: diskbench/.  For report_json.c.
 */
#ifndef DISKBENCH_REPORT_SERIES_H
#define DISKBENCH_REPORT_SERIES_H

#include "diskbench/record.h"
#include "diskbench/result.h"

/* The steps, and the levels that the rate had.  The caller's. */
json_t *bench_report_series(const struct bench_result *);
#endif
