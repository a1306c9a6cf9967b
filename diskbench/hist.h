/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How long did they take?  Latencies in, percentiles out.
 * Room: diskbench/, deciding: no I/O, no clock, no allocation.
 *
 * A million latencies a second cannot be kept, and their mean says nothing: a
 * disk that answers in 80 us and once in a thousand times in 80 ms has a mean
 * of 160 us, which no request ever saw.  So they are counted, in buckets whose
 * width grows with the value.  Equal buckets would be too coarse for a cache
 * hit of 3 us or too many for a stall of a minute; logarithmic ones cost a
 * logarithm for each I/O.  The usual way out, which fio and HdrHistogram go
 * too, is linear inside a power of two:
 *
 *	value (binary)            group e   bucket
 *	0 .. 255                  0         the value itself: exact
 *	1bbbbbbb x                1         128 * 1 + 1bbbbbbb
 *	1bbbbbbb xx               2         128 * 2 + 1bbbbbbb
 *	1bbbbbbb x..x (e times)   e         128 * e + 1bbbbbbb
 *
 * The leading one and the BENCH_HIST_BITS = 7 bits after it pick the bucket,
 * the rest is forgotten.  A bucket of group e is 2^e wide and begins at 128 *
 * 2^e or above, so its width is at most 1/128 = 0.78 % of anything inside it.
 * What is reported is the middle of the bucket, never outside [min, max] of
 * what was seen: at most 0.39 % off, and exact where all values are the same.
 * Finding the bucket is one count-leading-zeros, two shifts and an addition.
 *
 * Values are nanoseconds.  Those of 2^41 (36 minutes) and above share the last
 * bucket; count, sum, min and max stay exact.  Counts are of 64 bits: at ten
 * million a second they last 58,000 years.
 *
 * Two histograms merge by adding their counts, in any order and any grouping,
 * and nothing is lost that each had: that is what lets threads, seconds and
 * runs be measured apart and reported together.  Percentiles do not merge,
 * which is why this keeps none.
 *
 * A percentile is only worth printing when enough samples lie beyond it: p99.9
 * of 500 I/Os is the maximum under a finer name.  bench_hist_percentile()
 * wants ten on the far side, and says -ERANGE below that.
 */
#ifndef DISKBENCH_HIST_H
#define DISKBENCH_HIST_H

#include <stdint.h>

#define BENCH_HIST_BITS    7
#define BENCH_HIST_TOP     41 /* values of so many bits have own buckets */
#define BENCH_HIST_BUCKETS ((BENCH_HIST_TOP - BENCH_HIST_BITS + 1) * 128)

struct bench_hist {
	uint64_t count;
	uint64_t sum; /* ns */
	uint64_t min; /* ns; UINT64_MAX while empty */
	uint64_t max; /* ns */
	uint64_t bucket[BENCH_HIST_BUCKETS];
};

void bench_hist_init(struct bench_hist *);

/* The bucket of a value.  In the header because it runs once for each I/O. */
static inline unsigned
bench_hist_index(uint64_t ns)
{
	unsigned e;

	if (ns >= UINT64_C(1) << BENCH_HIST_TOP)
		return (BENCH_HIST_BUCKETS - 1);
	/* The OR makes group 0 of all that is below 256, and clz(0) no case. */
	e = 56 - (unsigned)__builtin_clzll(ns | 128);
	return ((e << BENCH_HIST_BITS) + (unsigned)(ns >> e));
}

/* Count one value. */
static inline void
bench_hist_add(struct bench_hist *h, uint64_t ns)
{
	h->bucket[bench_hist_index(ns)]++;
	h->count++;
	h->sum += ns;
	if (ns < h->min)
		h->min = ns;
	if (ns > h->max)
		h->max = ns;
}

/* Add all of the second to the first.  The second may be empty. */
void bench_hist_merge(struct bench_hist *, const struct bench_hist *);

/*
 * The value that a share p of the samples, 0 < p < 1, does not exceed: the
 * middle of the bucket with sample number ceil(p * count).
 *	-EINVAL		p is no such share
 *	-ERANGE		fewer than BENCH_HIST_ENOUGH samples beyond it (for p
 *			below one half: before it)
 */
#define BENCH_HIST_ENOUGH 10
int
bench_hist_percentile(const struct bench_hist *, double p, uint64_t *ret_ns);

/* The same without the minimum of samples: for fio's table and for plots. */
uint64_t bench_hist_quantile(const struct bench_hist *, double p);

/* Of the samples: exact mean, standard deviation from the buckets (<= 0.4 %
 * of the values off).  0 while empty. */
double bench_hist_mean(const struct bench_hist *);
double bench_hist_stddev(const struct bench_hist *);

/* How many samples are below ns, to the nearest bucket's edge. */
uint64_t bench_hist_below(const struct bench_hist *, uint64_t ns);

/* The first and the last value of a bucket. */
void bench_hist_edges(unsigned bucket, uint64_t *ret_first, uint64_t *ret_last);
#endif
