/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/disk.h"

static unsigned
bin(uint64_t bytes)
{
	unsigned n = 0;

	for (; bytes != 0 && n < LIVE_DISK_BINS - 1; bytes >>= 1)
		n++;
	return (n);
}

void
live_disk_add(struct live_disk *d, const struct live_transaction *t)
{
	const struct live_fetch *f = t->fetch;

	if (d->requests == 0 || t->start_us < d->first_us)
		d->first_us = t->start_us;
	if (d->last_us < t->end_us)
		d->last_us = t->end_us;
	d->requests++;
	if (t->end_us > t->start_us)
		d->busy_us += t->end_us - t->start_us;
	if (t->start_us / 1000000 != d->second) {
		d->second = t->start_us / 1000000;
		d->per_second = 0;
	}
	if (++d->per_second > d->per_second_max)
		d->per_second_max = d->per_second;
	if (t->handling == LIVE_HIT) {
		d->reads++;
		d->read_bytes += t->bytes;
		d->read_bin[bin(t->bytes)]++;
	}
	if (f != NULL && !f->uncacheable && !f->failed && f->bytes > 0 &&
	    t->looked_up) {
		d->writes++;
		d->write_bytes += f->bytes;
		d->write_bin[bin(f->bytes)]++;
	}
}

double
live_disk_concurrency(const struct live_disk *d)
{
	if (d->requests == 0 || d->last_us <= d->first_us)
		return (0);
	return ((double)d->busy_us / (double)(d->last_us - d->first_us));
}
