/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/disk.h"

#include <math.h>

static void
count(struct live_disk_side *s, uint64_t bytes)
{
	unsigned n = 0;
	uint64_t b;

	for (b = bytes; b != 0 && n < LIVE_DISK_BINS - 1; b >>= 1)
		n++;
	s->objects++;
	s->bytes += bytes;
	s->bin[n].n++;
	s->bin[n].bytes += bytes;
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
	if (t->start_us / 1000000 != d->second) {
		d->second = t->start_us / 1000000;
		d->per_second = 0;
		d->per_second_us = 0;
	}
	if (++d->per_second > d->per_second_max)
		d->per_second_max = d->per_second;
	if (t->end_us > t->start_us) {
		d->busy_us += t->end_us - t->start_us;
		d->per_second_us += t->end_us - t->start_us;
		if (d->per_second_us > d->per_second_us_max)
			d->per_second_us_max = d->per_second_us;
	}
	if (t->handling == LIVE_HIT && t->bytes > 0)
		count(&d->read, t->bytes);
	else if (t->handling == LIVE_HIT)
		d->empty++;
	if (f != NULL && !f->uncacheable && !f->failed && f->bytes > 0 &&
	    t->looked_up)
		count(&d->write, f->bytes);
}

double
live_disk_concurrency(const struct live_disk *d)
{
	if (d->requests == 0 || d->last_us <= d->first_us)
		return (0);
	return ((double)d->busy_us / (double)(d->last_us - d->first_us));
}

unsigned
live_disk_in_flight(const struct live_disk *d)
{
	double mean = (double)d->per_second_us_max / 1e6, n;

	/* Open at a time is then Poisson's: its mean and three deviations. */
	n = ceil(mean + 3.1 * sqrt(mean));
	return (n < 1 ? 1 : n > 256 ? 256 : (unsigned)n);
}

unsigned
live_disk_sizes(const struct live_disk_side *s, struct live_disk_size *ret)
{
	unsigned i, k, n = 0;

	for (i = 0; i < LIVE_DISK_BINS; i++) {
		uint64_t mean, pieces, bytes;

		if (s->bin[i].n == 0)
			continue;
		mean = s->bin[i].bytes / s->bin[i].n;
		pieces = (mean + LIVE_DISK_LARGEST - 1) / LIVE_DISK_LARGEST;
		if (pieces == 0)
			pieces = 1;
		bytes = (mean / pieces + LIVE_DISK_BLOCK - 1) /
			LIVE_DISK_BLOCK * LIVE_DISK_BLOCK;
		if (bytes == 0)
			bytes = LIVE_DISK_BLOCK;
		/* A large one in pieces may be as one that is not so large. */
		for (k = 0; k < n && ret[k].bytes != bytes; k++)
			continue;
		if (k == n)
			ret[n++] =
			    (struct live_disk_size){ (uint32_t)bytes, 0 };
		ret[k].requests += s->bin[i].n * pieces;
	}
	return (n);
}
