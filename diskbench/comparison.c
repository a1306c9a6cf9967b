/* SPDX-License-Identifier: BSD-2-Clause */
#include "diskbench/comparison.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS_WANTED 8
#define RUN_MIN      UINT64_C(200000000)
/* Threads and buffers have to be made for each run. */
#define RUN_SETUP UINT64_C(50000000)

const struct bench_metric_kind bench_metric_kind[BENCH_METRICS] = {
	[BENCH_METRIC_IOPS] = { "iops", "1/s", true },
	[BENCH_METRIC_BYTES] = { "bytes_per_s", "B/s", true },
	[BENCH_METRIC_MEAN] = { "mean_ns", "ns", false },
	[BENCH_METRIC_P50] = { "p50_ns", "ns", false },
	[BENCH_METRIC_P99] = { "p99_ns", "ns", false },
	[BENCH_METRIC_P999] = { "p999_ns", "ns", false },
};

void
bench_comparison_read(
    double ret[BENCH_METRICS], const struct bench_result *result)
{
	static const double p[] = { 0.5, 0.99, 0.999 };
	struct bench_hist *h = calloc(1, sizeof *h);
	uint64_t ns;
	unsigned op, i;

	memset(ret, 0, BENCH_METRICS * sizeof *ret);
	for (op = 0; op < BENCH_OPS; op++) {
		ret[BENCH_METRIC_IOPS] +=
		    bench_result_iops(result, (enum bench_op)op);
		ret[BENCH_METRIC_BYTES] +=
		    bench_result_bytes_per_s(result, (enum bench_op)op);
	}
	/* Without memory they are not known. */
	if (h == NULL)
		return;
	bench_hist_init(h);
	for (op = 0; op < BENCH_OPS; op++)
		/* What comes at a rate waits for it; that counts. */
		bench_hist_merge(h, result->paced ? &result->side[op].response
						  : &result->side[op].service);
	ret[BENCH_METRIC_MEAN] = bench_hist_mean(h);
	for (i = 0; i < sizeof p / sizeof *p; i++)
		if (bench_hist_percentile(h, p[i], &ns) == 0)
			ret[BENCH_METRIC_P50 + i] = (double)ns;
	free(h);
}

int
bench_comparison_fit(uint64_t budget_ns, uint64_t ramp_ns, uint64_t *runtime_ns,
    unsigned *ret_pairs)
{
	uint64_t each = 2 * (ramp_ns + RUN_SETUP + *runtime_ns), n, left;

	n = budget_ns / each;
	if (n < PAIRS_WANTED) {
		left = budget_ns / (2 * PAIRS_WANTED);
		if (left < ramp_ns + RUN_SETUP + RUN_MIN)
			return (-EINVAL);
		*runtime_ns = left - ramp_ns - RUN_SETUP;
		n = PAIRS_WANTED;
	}
	*ret_pairs = n > BENCH_PAIRS_MAX ? BENCH_PAIRS_MAX : (unsigned)n;
	return (0);
}

/* The ratios of all metrics that every run has. */
static int
ratios(struct bench_comparison *c)
{
	double *a = calloc(c->n + 1, sizeof *a);
	double *b = calloc(c->n + 1, sizeof *b);
	unsigned m, i;
	int r = a != NULL && b != NULL ? 0 : -ENOMEM;

	for (m = 0; m < BENCH_METRICS && r == 0; m++) {
		for (i = 0; i < c->n; i++) {
			a[i] = c->pair[i].value[0][m];
			b[i] = c->pair[i].value[1][m];
		}
		if (c->kind == BENCH_COMPARED_FILES)
			r = bench_ratio_sides(&c->ratio[m], a, c->n_side[0], b,
			    c->n_side[1], c->seed);
		else
			r = bench_ratio_pairs(
			    &c->ratio[m], a, b, c->n, c->seed);
		c->known[m] = r == 0;
		/* Too few runs, or a run too short for this percentile. */
		if (r == -EINVAL)
			r = 0;
	}
	free(a);
	free(b);
	return (r);
}

static void
certainty(struct bench_comparison *c, const struct bench_ratio *r)
{
	if (c->kind == BENCH_COMPARED_FILES) {
		(void)snprintf(c->certainty, sizeof c->certainty,
		    "%u runs of A and %u of B, not made in pairs: what changed "
		    "between them (temperature, neighbours, the drive itself) "
		    "is in the difference; differences below %.1f %% would "
		    "probably not be seen",
		    c->n_side[0], c->n_side[1], r->mde * 100);
		return;
	}
	(void)snprintf(c->certainty, sizeof c->certainty,
	    "%u pairs of %.1f s%s; differences below %.1f %% would probably "
	    "not be seen, and half of that takes four times as many pairs",
	    c->n, (double)c->job[0]->runtime_ns / 1e9,
	    c->shorter ? " (shortened to fit the time budget)" : "",
	    r->mde * 100);
}

static void
say(struct bench_comparison *c, const struct bench_ratio *r)
{
	bool more = bench_metric_kind[c->headline].higher_is_better;
	/* How much faster A is. */
	double f = more ? r->ratio : 1 / r->ratio;
	double low = more ? r->low : 1 / r->high;
	double high = more ? r->high : 1 / r->low;
	const char *what = more ? "speed" : "speed (1 / mean latency)";

	if (r->p > BENCH_STATS_ALPHA || (low <= 1 && high >= 1)) {
		c->verdict = "no difference shown";
		(void)snprintf(c->sentence, sizeof c->sentence,
		    "No difference shown: A has %.3f of B's %s (95 %% "
		    "interval %.3f to %.3f, p %.4f); that they are equal is "
		    "not shown either.",
		    f, what, low, high, r->p);
	} else {
		c->verdict = f > 1 ? "A faster" : "B faster";
		(void)snprintf(c->sentence, sizeof c->sentence,
		    "%s: A has %.3f of B's %s (95 %% interval %.3f to %.3f, "
		    "p %.4f).%s",
		    c->verdict, f, what, low, high, r->p,
		    c->kind == BENCH_COMPARED_AA
			? " But both are the same device: do not trust a "
			  "comparison on this machine as it is now."
			: "");
	}
	certainty(c, r);
}

/* Can so many runs have a p that is small enough, if they differ as clearly as
 * runs can? */
static bool
enough(const struct bench_comparison *c)
{
	unsigned a = c->n_side[0], b = c->n_side[1], i;
	double ways = 1;

	if (c->kind != BENCH_COMPARED_FILES)
		return (c->n >= BENCH_STATS_PAIRS_MIN);
	/* Of all ways to deal the ranks to A and B two are that clear. */
	for (i = 1; i <= a; i++)
		ways *= (double)(b + i) / i;
	return (2 / ways <= BENCH_STATS_ALPHA);
}

static void
say_too_few(struct bench_comparison *c)
{
	c->verdict = "too few runs";
	if (c->kind == BENCH_COMPARED_FILES)
		(void)snprintf(c->sentence, sizeof c->sentence,
		    "Too few runs: %u of A and %u of B answer nothing, "
		    "whatever their figures; a verdict takes five of each.",
		    c->n_side[0], c->n_side[1]);
	else
		(void)snprintf(c->sentence, sizeof c->sentence,
		    "Too few runs: %u pairs answer nothing, whatever their "
		    "figures; a verdict takes %d.",
		    c->n, BENCH_STATS_PAIRS_MIN);
	if (c->known[c->headline])
		certainty(c, &c->ratio[c->headline]);
}

int
bench_comparison_decide(struct bench_comparison *c)
{
	int r = ratios(c);

	if (r < 0)
		return (r);
	/* At a given rate both do what they are asked for; what differs is how
	 * long it takes. */
	c->headline =
	    bench_job_paced(c->job[0]) ? BENCH_METRIC_MEAN : BENCH_METRIC_IOPS;
	if (!c->known[c->headline] || !enough(c)) {
		say_too_few(c);
		return (0);
	}
	say(c, &c->ratio[c->headline]);
	return (0);
}
