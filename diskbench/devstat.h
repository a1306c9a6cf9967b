/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the kernel counted for a block device: /sys/dev/block/M:m/stat.
 * Room: diskbench/, doing.  Linux only; elsewhere there is nothing to read.
 */
#ifndef DISKBENCH_DEVSTAT_H
#define DISKBENCH_DEVSTAT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct bench_devstat {
	bool known;
	uint64_t ios[2], merges[2], sectors[2], ticks_ms[2]; /* read, write */
	uint64_t in_queue_ms; /* time weighted by the number in flight */
	uint64_t busy_ms;
};

/* Sets known and the counters; 512-byte sectors whatever the device's own. */
void bench_devstat_read(dev_t, struct bench_devstat *ret);

/* What happened in between. */
void bench_devstat_diff(const struct bench_devstat *before,
    const struct bench_devstat *after, struct bench_devstat *ret);

/* Jiffies of the machine: all of them, and those that a hypervisor took. */
struct bench_load {
	bool known;
	uint64_t total, steal;
	double load1; /* runnable processes, one-minute average */
};
void bench_load_read(struct bench_load *ret);
#endif
