/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/report.h"

#include <errno.h>
#include <string.h>

/*
 * A job for diskbench fio, and for fio: the load as far as that language can
 * say it.
 */

/* Shares of block sizes, in whole percents that add up to 100. */
static void
split(FILE *f, const struct live_disk_side *s)
{
	struct live_disk_size size[LIVE_DISK_BINS];
	uint64_t share[LIVE_DISK_BINS] = { 0 }, all = 0;
	unsigned n = live_disk_sizes(s, size), i, most = 0, sum = 0;

	for (i = 0; i < n; i++)
		all += size[i].requests;
	for (i = 0; i < n; i++) {
		/* Rounded down, at least one where there is any. */
		share[i] = size[i].requests * 100 / all;
		if (share[i] == 0)
			share[i] = 1;
		sum += (unsigned)share[i];
		if (share[most] < share[i])
			most = i;
	}
	share[most] += 100;
	share[most] -= sum;
	for (i = 0; i < n; i++)
		(void)fprintf(f, "%s%uk/%llu", i == 0 ? "" : ":",
		    size[i].bytes / 1024, (unsigned long long)share[i]);
}

int
live_report_fio(const struct live_report *r, FILE *f)
{
	const struct live_disk *d = &r->traffic->disk;
	uint64_t all = d->read.objects + d->write.objects;
	double wall = (double)(d->last_us - d->first_us) / 1e6;

	if (all == 0)
		return (-ENODATA);
	(void)fprintf(f,
	    "; The load on the disk under this cache, seen by varylive.\n"
	    "; %llu hits and %llu stored fetches in %.1f s, %.2f requests open "
	    "at a time.\n"
	    "; Name the target: diskbench fio --filename=TARGET THIS-FILE\n"
	    "[cache]\n",
	    (unsigned long long)d->read.objects,
	    (unsigned long long)d->write.objects, wall,
	    live_disk_concurrency(d));
	if (d->write.objects == 0)
		(void)fprintf(f, "rw=randread\n");
	else if (d->read.objects == 0)
		(void)fprintf(f, "rw=randwrite\n");
	else
		(void)fprintf(f, "rw=randrw\nrwmixread=%llu\n",
		    (unsigned long long)(d->read.objects * 100 / all));
	(void)fputs("bssplit=", f);
	if (d->read.objects > 0)
		split(f, &d->read);
	if (d->read.objects > 0 && d->write.objects > 0)
		(void)fputc(',', f);
	if (d->write.objects > 0)
		split(f, &d->write);
	(void)fprintf(f, "\nblockalign=4k\niodepth=%u\ndirect=1\n",
	    live_disk_in_flight(d));
	return (fflush(f) != 0 || ferror(f) ? -EIO : 0);
}
