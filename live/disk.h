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

struct live_disk {
	uint64_t reads, writes; /* hits and stored fetches */
	uint64_t read_bytes, write_bytes;
	uint64_t read_bin[LIVE_DISK_BINS], write_bin[LIVE_DISK_BINS];
	int64_t first_us, last_us;
	/* Time that requests were open, summed: over the wall, concurrency. */
	int64_t busy_us;
	uint64_t requests;
	uint64_t per_second, per_second_max; /* requests in the second below */
	int64_t second;
};

void live_disk_add(struct live_disk *, const struct live_transaction *);

/* Requests open at a time, on average; 0 where nothing was seen. */
double live_disk_concurrency(const struct live_disk *);
#endif
