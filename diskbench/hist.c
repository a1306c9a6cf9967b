/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/hist.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

void
bench_hist_init(struct bench_hist *h)
{
	memset(h, 0, sizeof *h);
	h->min = UINT64_MAX;
}

void
bench_hist_merge(struct bench_hist *h, const struct bench_hist *more)
{
	unsigned i;

	if (more->count == 0)
		return;
	for (i = 0; i < BENCH_HIST_BUCKETS; i++)
		h->bucket[i] += more->bucket[i];
	h->count += more->count;
	h->sum += more->sum;
	if (more->min < h->min)
		h->min = more->min;
	if (more->max > h->max)
		h->max = more->max;
}

void
bench_hist_edges(unsigned bucket, uint64_t *ret_first, uint64_t *ret_last)
{
	unsigned e;

	assert(bucket < BENCH_HIST_BUCKETS);
	if (bucket < 256) {
		*ret_first = *ret_last = bucket;
		return;
	}
	e = (bucket >> BENCH_HIST_BITS) - 1;
	*ret_first = (uint64_t)(bucket - (e << BENCH_HIST_BITS)) << e;
	*ret_last = *ret_first + (UINT64_C(1) << e) - 1;
}

static uint64_t
middle(const struct bench_hist *h, unsigned bucket)
{
	uint64_t first, last, mid;

	bench_hist_edges(bucket, &first, &last);
	mid = first + (last - first) / 2;
	if (mid < h->min)
		return (h->min);
	return (mid > h->max ? h->max : mid);
}

uint64_t
bench_hist_quantile(const struct bench_hist *h, double p)
{
	uint64_t rank, seen = 0;
	unsigned i;

	if (h->count == 0)
		return (0);
	rank = (uint64_t)ceil(p * (double)h->count);
	if (rank < 1)
		rank = 1;
	if (rank >= h->count)
		return (h->max);
	for (i = 0; i < BENCH_HIST_BUCKETS; i++) {
		seen += h->bucket[i];
		if (seen >= rank)
			return (middle(h, i));
	}
	return (h->max);
}

int
bench_hist_percentile(const struct bench_hist *h, double p, uint64_t *ret_ns)
{
	double beyond;

	if (!(p > 0 && p < 1))
		return (-EINVAL);
	beyond = (double)h->count * (p < 0.5 ? p : 1 - p);
	/* 1 - 0.999 is a little more or less than a thousandth. */
	if (beyond + 1e-6 < BENCH_HIST_ENOUGH)
		return (-ERANGE);
	*ret_ns = bench_hist_quantile(h, p);
	return (0);
}

double
bench_hist_mean(const struct bench_hist *h)
{
	return (h->count == 0 ? 0 : (double)h->sum / (double)h->count);
}

double
bench_hist_stddev(const struct bench_hist *h)
{
	double mean = bench_hist_mean(h), d, sq = 0;
	unsigned i;

	if (h->count < 2)
		return (0);
	for (i = 0; i < BENCH_HIST_BUCKETS; i++) {
		if (h->bucket[i] == 0)
			continue;
		d = (double)middle(h, i) - mean;
		sq += d * d * (double)h->bucket[i];
	}
	return (sqrt(sq / (double)(h->count - 1)));
}

uint64_t
bench_hist_below(const struct bench_hist *h, uint64_t ns)
{
	uint64_t n = 0;
	unsigned i, end = bench_hist_index(ns);

	for (i = 0; i < end; i++)
		n += h->bucket[i];
	return (n);
}
