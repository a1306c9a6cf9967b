/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/report.h"

#include <errno.h>
#include <string.h>

/*
 * A job for diskbench fio, and for fio: the load as far as that language can
 * say it.
 */
enum {
	BLOCK = 4096,             /* what a cache's disk is read by */
	LARGEST = 4 * 1024 * 1024 /* larger objects are read in several */
};

/* Shares of block sizes, in whole percents that add up to 100. */
static void
split(FILE *f, const uint64_t bin[LIVE_DISK_BINS], uint64_t n)
{
	uint64_t share[LIVE_DISK_BINS], at = 0;
	uint64_t size[LIVE_DISK_BINS];
	unsigned i, k = 0, most = 0, sum = 0;
	bool first = true;

	memset(share, 0, sizeof share);
	/* Sizes below a block are one; those above the largest are that. */
	for (i = 0; i < LIVE_DISK_BINS; i++) {
		uint64_t bytes = UINT64_C(1) << i;

		if (bytes < BLOCK)
			bytes = BLOCK;
		if (bytes > LARGEST)
			bytes = LARGEST;
		if (k == 0 || size[k - 1] != bytes) {
			size[k] = bytes;
			k++;
		}
		share[k - 1] += bin[i];
	}
	for (i = 0; i < k; i++) {
		/* Rounded down, at least one where there is any. */
		at = share[i] * 100 / n;
		if (at == 0 && share[i] > 0)
			at = 1;
		share[i] = at;
		sum += (unsigned)at;
		if (share[most] < share[i])
			most = i;
	}
	share[most] += 100;
	share[most] -= sum;
	for (i = 0; i < k; i++) {
		if (share[i] == 0)
			continue;
		(void)fprintf(f, "%s%lluk/%llu", first ? "" : ":",
		    (unsigned long long)size[i] / 1024,
		    (unsigned long long)share[i]);
		first = false;
	}
}

int
live_report_fio(const struct live_report *r, FILE *f)
{
	const struct live_disk *d = &r->traffic->disk;
	uint64_t all = d->reads + d->writes;
	double c = live_disk_concurrency(d);
	double wall = (double)(d->last_us - d->first_us) / 1e6;

	(void)fprintf(f,
	    "; The load on the disk under this cache, seen by varylive.\n"
	    "; %llu hits and %llu stored fetches in %.1f s, %.2f requests open "
	    "at a time.\n"
	    "; Name the target: diskbench fio --filename=TARGET THIS-FILE\n"
	    "[cache]\n",
	    (unsigned long long)d->reads, (unsigned long long)d->writes, wall,
	    c);
	if (all == 0)
		(void)fprintf(f, "; nothing was read or stored\nrw=randread\n");
	else if (d->writes == 0)
		(void)fprintf(f, "rw=randread\n");
	else if (d->reads == 0)
		(void)fprintf(f, "rw=randwrite\n");
	else
		(void)fprintf(f, "rw=randrw\nrwmixread=%llu\n",
		    (unsigned long long)(d->reads * 100 / all));
	if (all > 0) {
		(void)fputs("bssplit=", f);
		if (d->reads > 0)
			split(f, d->read_bin, d->reads);
		else
			split(f, d->write_bin, d->writes);
		if (d->reads > 0 && d->writes > 0) {
			(void)fputc(',', f);
			split(f, d->write_bin, d->writes);
		}
		(void)fputc('\n', f);
	}
	(void)fprintf(f, "iodepth=%.0f\ndirect=1\n",
	    c < 1      ? 1
	    : c > 1024 ? 1024
		       : c);
	return (fflush(f) != 0 || ferror(f) ? -EIO : 0);
}
