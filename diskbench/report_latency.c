/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/report_latency.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* How many, by the middle of their bucket: as fio has it. */
static json_t *
bins(const struct bench_hist *h)
{
	json_t *o = json_object();
	uint64_t first, last;
	char key[24];
	unsigned i;

	for (i = 0; i < BENCH_HIST_BUCKETS; i++) {
		if (h->bucket[i] == 0)
			continue;
		bench_hist_edges(i, &first, &last);
		(void)snprintf(
		    key, sizeof key, "%" PRIu64, first + (last - first) / 2);
		bench_record_set(o, key, bench_record_integer(h->bucket[i]));
	}
	return (o);
}

json_t *
bench_report_latency(
    const struct bench_hist *h, const struct bench_report *rep, bool table)
{
	json_t *o = json_object(), *p;
	char key[24];
	unsigned i;
	uint64_t v;

	bench_record_set(
	    o, "min", bench_record_integer(h->count > 0 ? h->min : 0));
	bench_record_set(o, "max", bench_record_integer(h->max));
	bench_record_set(o, "mean", bench_record_finite(bench_hist_mean(h)));
	bench_record_set(
	    o, "stddev", bench_record_finite(bench_hist_stddev(h)));
	bench_record_set(o, "N", bench_record_integer(h->count));
	if (!table || h->count == 0)
		return (o);
	p = json_object();
	for (i = 0; i < rep->n_percentile; i++) {
		(void)snprintf(key, sizeof key, "%f", rep->percentile[i] * 100);
		/* Too few beyond it: nothing is better than the maximum. */
		bench_record_set(p, key,
		    bench_hist_percentile(h, rep->percentile[i], &v) == 0
			? bench_record_integer(v)
			: json_null());
	}
	bench_record_set(o, "percentile", p);
	if (rep->bins)
		bench_record_set(o, "bins", bins(h));
	return (o);
}

/* [first, last, count] of each bucket that has one: merges and plots. */
json_t *
bench_report_buckets(const struct bench_hist *h)
{
	json_t *a = json_array();
	uint64_t first, last;
	unsigned i;

	for (i = 0; i < BENCH_HIST_BUCKETS; i++) {
		json_t *b;

		if (h->bucket[i] == 0)
			continue;
		bench_hist_edges(i, &first, &last);
		b = json_array();
		(void)json_array_append_new(b, bench_record_integer(first));
		(void)json_array_append_new(b, bench_record_integer(last));
		(void)json_array_append_new(
		    b, bench_record_integer(h->bucket[i]));
		(void)json_array_append_new(a, b);
	}
	return (a);
}

/* fio's three tables: the percent of latencies up to each limit. */
json_t *
bench_report_bands(const struct bench_result *r, const double *limit_ns,
    const char *const *name, unsigned n, double from_ns)
{
	json_t *o = json_object();
	uint64_t total = r->side[0].ios + r->side[1].ios, below, last = 0;
	unsigned i, op;

	for (op = 0; op < BENCH_OPS; op++)
		last +=
		    bench_hist_below(&r->side[op].service, (uint64_t)from_ns);
	for (i = 0; i < n; i++) {
		below = 0;
		for (op = 0; op < BENCH_OPS; op++)
			below += isinf(limit_ns[i])
				     ? r->side[op].service.count
				     : bench_hist_below(&r->side[op].service,
					   (uint64_t)limit_ns[i]);
		bench_record_set(o, name[i],
		    bench_record_finite(
			total > 0
			    ? 100.0 * (double)(below - last) / (double)total
			    : 0));
		last = below;
	}
	return (o);
}
