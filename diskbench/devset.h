/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A set of block devices, by their numbers.
 * Room: diskbench/, deciding: memory alone.
 *
 * The guard looks for one device among many.  A set that leaves one out would
 * let a write through, so it grows, and one that could not says so.
 */
#ifndef DISKBENCH_DEVSET_H
#define DISKBENCH_DEVSET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* All zeros is an empty set; to be emptied with bench_devset_fini. */
struct bench_devset {
	dev_t *dev;
	size_t n, cap;
	bool lost; /* there was no memory for one of them */
};

bool bench_devset_has(const struct bench_devset *, dev_t);
/* True if it is new.  0 is no device and is not taken; nor is what there is no
 * memory for (lost). */
bool bench_devset_add(struct bench_devset *, dev_t);
/* Empties it; its memory and lost stay. */
void bench_devset_clear(struct bench_devset *);
void bench_devset_fini(struct bench_devset *);
#endif
