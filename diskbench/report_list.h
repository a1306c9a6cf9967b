/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A drive, as JSON.
 * Room: diskbench/.  For the report_*.c that print it.
 */
#ifndef DISKBENCH_REPORT_LIST_H
#define DISKBENCH_REPORT_LIST_H

#include "diskbench/record.h"
#include "diskbench/identity.h"

/* All that is known of it.  The caller's. */
json_t *bench_report_identity(const struct bench_identity *);
#endif
