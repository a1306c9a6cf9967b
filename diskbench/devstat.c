/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/devstat.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#ifdef __linux__
#include <sys/sysmacros.h>
#endif

void
bench_devstat_read(dev_t dev, struct bench_devstat *ret)
{
	memset(ret, 0, sizeof *ret);
#ifdef __linux__
	char path[64];
	uint64_t in_flight;
	FILE *f;

	(void)snprintf(path, sizeof path, "/sys/dev/block/%u:%u/stat",
	    major(dev), minor(dev));
	f = fopen(path, "r");
	if (f == NULL)
		return;
	ret->known = fscanf(f,
			 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64
			 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64
			 "%" SCNu64,
			 &ret->ios[0], &ret->merges[0], &ret->sectors[0],
			 &ret->ticks_ms[0], &ret->ios[1], &ret->merges[1],
			 &ret->sectors[1], &ret->ticks_ms[1], &in_flight,
			 &ret->busy_ms, &ret->in_queue_ms) == 11;
	(void)fclose(f);
#else
	(void)dev;
#endif
}

void
bench_devstat_diff(const struct bench_devstat *before,
    const struct bench_devstat *after, struct bench_devstat *ret)
{
	unsigned i;

	memset(ret, 0, sizeof *ret);
	ret->known = before->known && after->known;
	if (!ret->known)
		return;
	for (i = 0; i < 2; i++) {
		ret->ios[i] = after->ios[i] - before->ios[i];
		ret->merges[i] = after->merges[i] - before->merges[i];
		ret->sectors[i] = after->sectors[i] - before->sectors[i];
		ret->ticks_ms[i] = after->ticks_ms[i] - before->ticks_ms[i];
	}
	ret->in_queue_ms = after->in_queue_ms - before->in_queue_ms;
	ret->busy_ms = after->busy_ms - before->busy_ms;
}

void
bench_load_read(struct bench_load *ret)
{
	uint64_t v[8];
	unsigned i;
	FILE *f;

	memset(ret, 0, sizeof *ret);
	f = fopen("/proc/stat", "r");
	if (f != NULL) {
		ret->known = fscanf(f,
				 "cpu %" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64
				 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64,
				 &v[0], &v[1], &v[2], &v[3], &v[4], &v[5],
				 &v[6], &v[7]) == 8;
		(void)fclose(f);
	}
	if (ret->known) {
		for (i = 0; i < 8; i++)
			ret->total += v[i];
		ret->steal = v[7];
	}
	f = fopen("/proc/loadavg", "r");
	if (f != NULL) {
		if (fscanf(f, "%lf", &ret->load1) != 1)
			ret->load1 = 0;
		(void)fclose(f);
	}
}
