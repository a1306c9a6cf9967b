/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What all that is printed as JSON shares: strings that may be anything, and
 * the writing.
 * Room: diskbench/.  For report_json.c and report_compare.c.
 */
#ifndef DISKBENCH_REPORT_VALUE_H
#define DISKBENCH_REPORT_VALUE_H

#include <jansson.h>
#include <stdio.h>

/* A new string; of what is not UTF-8 a note that says so.  NULL: no memory. */
json_t *bench_report_string(const char *);

/* The same, and null where there is nothing: NULL or "". */
json_t *bench_report_string_or_null(const char *);

/*
 * Write o, which may be NULL (then -ENOMEM), and drop it whatever comes back:
 * 0, or -EIO.
 */
int bench_report_dump(FILE *, json_t *o);
#endif
