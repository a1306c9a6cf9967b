/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Workload files: a profile as JSON, "schema": "varykit.workload/1".
 * Room: diskbench/, deciding: reads and writes text, opens nothing.
 *
 * schema/varykit.workload-1.schema.json and diskbench(1) describe it.
 * varylive --profile-disk writes such files.  What is not known is an error
 * that names it: a number that is ignored is a number that is believed.
 */
#ifndef DISKBENCH_WORKLOAD_FILE_H
#define DISKBENCH_WORKLOAD_FILE_H

#include <stddef.h>

#include "diskbench/profile.h"
#include "diskbench/refusal.h"

#define BENCH_WORKLOAD_SCHEMA "varykit.workload/1"
#define BENCH_WORKLOAD_MAX    (1 << 20) /* bytes of text */

/* file names it to people.  -EINVAL and *why: what is wrong, and where. */
int bench_workload_read(struct bench_profile *ret, const char *file,
    const char *text, size_t len, struct bench_refusal *why);

/* Heap text that ends in a line feed, the caller's to free; NULL: no memory. */
char *bench_workload_write(const struct bench_profile *);
#endif
