/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a run of a profile comes to, as JSON.
 * Room: diskbench/.  For report_json.c.
 */
#ifndef DISKBENCH_REPORT_HEADLINE_H
#define DISKBENCH_REPORT_HEADLINE_H

#include "diskbench/record.h"
#include "diskbench/report.h"

/* Of a report that has one.  The caller's. */
json_t *bench_report_headline(const struct bench_report *);
#endif
