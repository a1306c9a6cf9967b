/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/heat.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#ifdef __linux__
#include <sys/sysmacros.h>
#endif

/* A sensor that says more has nothing behind it. */
#define ABSURD_MC 200000

static unsigned
sensor(const char *dir, const char *hwmon, const char *file)
{
	char path[PATH_MAX];
	long v = 0;
	FILE *f;

	if (snprintf(path, sizeof path, "%s/%s/%s", dir, hwmon, file) >=
	    (int)sizeof path)
		return (0);
	f = fopen(path, "r");
	if (f == NULL)
		return (0);
	if (fscanf(f, "%ld", &v) != 1)
		v = 0;
	(void)fclose(f);
	return (v > 0 && v < ABSURD_MC ? (unsigned)v : 0);
}

/* The first sensor in a folder that has one. */
static bool
folder(const char *dir, struct bench_heat *ret)
{
	struct bench_heat h = { 0, 0 };
	struct dirent *e;
	DIR *d = opendir(dir);

	if (d == NULL)
		return (false);
	while (h.now_mc == 0 && (e = readdir(d)) != NULL) {
		if (strncmp(e->d_name, "hwmon", 5) != 0)
			continue;
		h.now_mc = sensor(dir, e->d_name, "temp1_input");
		/* The warning threshold; not every drive has one. */
		h.limit_mc = sensor(dir, e->d_name, "temp1_max");
		if (h.limit_mc == 0)
			h.limit_mc = sensor(dir, e->d_name, "temp1_crit");
	}
	(void)closedir(d);
	if (h.now_mc > 0)
		*ret = h;
	return (h.now_mc > 0);
}

void
bench_heat_read(const char *dir, struct bench_heat *ret)
{
	/* Where kernels have put it: below the drive, below NVMe's controller,
	 * below the controller's PCI device; of a partition all one up. */
	static const char *const places[] = { "device/hwmon", "device",
		"device/device/hwmon", "../device/hwmon", "../device",
		"../device/device/hwmon" };
	char path[PATH_MAX];
	unsigned i;

	memset(ret, 0, sizeof *ret);
	for (i = 0; i < sizeof places / sizeof *places; i++) {
		if (snprintf(path, sizeof path, "%s/%s", dir, places[i]) <
			(int)sizeof path &&
		    folder(path, ret))
			return;
	}
}

void
bench_heat_of(dev_t dev, struct bench_heat *ret)
{
#ifdef __linux__
	char dir[64];

	(void)snprintf(
	    dir, sizeof dir, "/sys/dev/block/%u:%u", major(dev), minor(dev));
	bench_heat_read(dir, ret);
#else
	(void)dev;
	memset(ret, 0, sizeof *ret);
#endif
}

void
bench_heat_log_add(struct bench_heat_log *l, uint64_t t_ns, unsigned mc)
{
	unsigned i;

	if (l->skipped < l->every) {
		l->skipped++;
		return;
	}
	l->skipped = 0;
	if (l->n == BENCH_HEAT_SAMPLES) {
		for (i = 0; i < BENCH_HEAT_SAMPLES / 2; i++)
			l->at[i] = l->at[2 * i];
		l->n = BENCH_HEAT_SAMPLES / 2;
		l->every = 2 * l->every + 1;
	}
	l->at[l->n].t_ns = t_ns;
	l->at[l->n++].mc = mc;
}
