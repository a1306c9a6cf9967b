/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a run was asked for, as JSON.
 * Room: diskbench/.  For report_json.c.
 */
#ifndef DISKBENCH_REPORT_ASKED_H
#define DISKBENCH_REPORT_ASKED_H

#include "diskbench/record.h"
#include "diskbench/report.h"

/* fio's "job options": strings, all of them.  The caller's. */
json_t *bench_report_options(const struct bench_result *);

/* Of a profile, each kind of requests: it is many at once, and options have
 * room for one.  The caller's. */
json_t *bench_report_streams(const struct bench_group *);
#endif
