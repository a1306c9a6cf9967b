/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How warm is the drive?  NVMe drives say it, SATA drives with the driver
 * drivetemp; all in thousandths of a degree C, 0: not known.
 * Room: diskbench/, doing: reads /sys, and knows nothing elsewhere.
 */
#ifndef DISKBENCH_HEAT_H
#define DISKBENCH_HEAT_H

#include <stdint.h>
#include <sys/types.h>

struct bench_heat {
	unsigned now_mc;
	unsigned limit_mc; /* above it the drive protects itself */
};

/* Of the drive with this folder in sysfs; a partition's is as good. */
void bench_heat_read(const char *dir, struct bench_heat *ret);

/* Of the drive with this device number. */
void bench_heat_of(dev_t, struct bench_heat *ret);

/* Samples of a run of any length: when it is full, every other one goes, and
 * from then on every other one is not kept. */
#define BENCH_HEAT_SAMPLES 512
struct bench_heat_log {
	struct {
		uint64_t t_ns;
		unsigned mc;
	} at[BENCH_HEAT_SAMPLES];
	unsigned n;
	unsigned every, skipped;
};
void bench_heat_log_add(struct bench_heat_log *, uint64_t t_ns, unsigned mc);
#endif
