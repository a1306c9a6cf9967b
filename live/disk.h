/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the site asks of the disk under its cache: object sizes, reads and
 * writes, how many at a time.
 * Room: live/.  Pure.
 */
#ifndef LIVE_DISK_H
#define LIVE_DISK_H

#include <stdint.h>

#include "live/transaction.h"

#define LIVE_DISK_BINS 40 /* bin n: sizes of n bits, up to 2^n - 1 bytes */

/* Hits with a body, or fetches that were stored. */
struct live_disk_side {
	uint64_t objects, bytes;
	struct {
		uint64_t n, bytes;
	} bin[LIVE_DISK_BINS];
};

struct live_disk {
	struct live_disk_side read, write;
	uint64_t empty; /* hits without a body: they need no disk */
	int64_t first_us, last_us;
	/* Time that requests were open, summed: over the wall, concurrency. */
	int64_t busy_us;
	uint64_t requests;
	/* Requests in the second below, and the time they were open. */
	uint64_t per_second, per_second_max;
	int64_t per_second_us, per_second_us_max;
	int64_t second;
};

void live_disk_add(struct live_disk *, const struct live_transaction *);

/* Requests open at a time, on average; 0 where nothing was seen. */
double live_disk_concurrency(const struct live_disk *);

/*
 * As many as were open at once but for one moment in a thousand, in the busiest
 * second, if they came independently of each other; from 1 to 256.
 */
unsigned live_disk_in_flight(const struct live_disk *);

/*
 * What a disk is asked for these objects: requests of whole blocks, a large
 * object in several of at most LIVE_DISK_LARGEST.  Each size once; *ret has room
 * for LIVE_DISK_BINS.  Returns how many.
 */
#define LIVE_DISK_BLOCK   4096
#define LIVE_DISK_LARGEST (1024 * 1024)
struct live_disk_size {
	uint32_t bytes;
	uint64_t requests;
};
unsigned
live_disk_sizes(const struct live_disk_side *, struct live_disk_size *ret);
#endif
