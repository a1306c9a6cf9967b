/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Result files become a page.
 * Room: diskbench/.  Reads files; what is in them is nobody's promise.
 */
#ifndef DISKBENCH_PAGE_READ_H
#define DISKBENCH_PAGE_READ_H

#include <stddef.h>

#include "diskbench/page.h"
#include "diskbench/refusal.h"

#define BENCH_PAGE_JOBS 256 /* of all files; more: refused */

/*
 * Read each file ("-": stdin) and fill page, which the caller made with
 * bench_page_init and finishes whatever comes back.  All files or none: the
 * first that is no result is described in *why.
 *	-errno	why->code is BENCH_EXIT_RESULT, or BENCH_EXIT_INTERNAL
 */
int bench_page_read(struct bench_page *, const char *const *path, unsigned n,
    struct bench_refusal *why);

/* The same of text in memory, as one file called name. */
int bench_page_parse(struct bench_page *, const char *name, const char *text,
    size_t len, struct bench_refusal *why);
#endif
