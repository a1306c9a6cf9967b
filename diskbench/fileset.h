/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A few regular files, by their numbers.
 * Room: diskbench/, deciding: memory alone.
 *
 * Whoever fills it has a handful: what one target stands on.  One that does
 * not fit is not forgotten: the set says so.
 */
#ifndef DISKBENCH_FILESET_H
#define DISKBENCH_FILESET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct bench_file_id {
	dev_t dev;
	ino_t ino;
};

/* All zeros is an empty set; there is nothing to free. */
struct bench_fileset {
	struct bench_file_id file[32];
	size_t n;
	bool lost; /* there was no room for one of them */
};

bool bench_fileset_has(const struct bench_fileset *, dev_t, ino_t);
void bench_fileset_add(struct bench_fileset *, dev_t, ino_t);
#endif
