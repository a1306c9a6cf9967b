/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Noun: a result file as JSON.
 * Room: diskbench/.  Reads files; what is in them is nobody's promise.
 */
#ifndef DISKBENCH_SHEET_H
#define DISKBENCH_SHEET_H

#include "diskbench/page_json.h"
#include "diskbench/refusal.h"

#define BENCH_SHEET_BYTES (64L << 20) /* of a file; more: refused */

/*
 * Read a file ("-": stdin), or what is in memory and called name.  *ret is the
 * caller's.  -errno and *why, whose code is BENCH_EXIT_RESULT, or
 * BENCH_EXIT_INTERNAL.
 */
int bench_sheet_read(const char *path, json_t **ret, struct bench_refusal *why);
int bench_sheet_parse(const char *name, const char *text, size_t len,
    json_t **ret, struct bench_refusal *why);

/* Is it a result of run, or of fio?  0, or -EINVAL and *why. */
int bench_sheet_jobs(const struct bench_sheet *, struct bench_refusal *why);

/* "NAME: is no result, because"; -EINVAL. */
int bench_sheet_none(
    struct bench_refusal *why, const char *name, const char *because);
#endif
