/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How many different things were seen, in bounded memory: exact up to
 * LIVE_SKETCH_EXACT, from then on estimated with a standard error of 3.25 %
 * (HyperLogLog of 1,024 registers).
 * Room: live/.  Pure.
 */
#ifndef LIVE_SKETCH_H
#define LIVE_SKETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIVE_SKETCH_EXACT 96

/* All zero is an empty one.  The members are private to sketch.c. */
struct live_sketch {
	uint64_t *exact;          /* an open table of cap, 0 is a free place */
	unsigned char *registers; /* in its stead, once it is full */
	unsigned n, cap;
};

/* Add one thing by its hash, which must be well mixed.  0 or -ENOMEM. */
int live_sketch_add(struct live_sketch *, uint64_t hash);

/* Add all that the other has seen.  0 or -ENOMEM. */
int live_sketch_merge(struct live_sketch *, const struct live_sketch *);

uint64_t live_sketch_count(const struct live_sketch *);
bool live_sketch_is_exact(const struct live_sketch *);
void live_sketch_fini(struct live_sketch *);
#endif
