/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/unit.h"

#include <errno.h>
#include <math.h>

#include "diskbench/hist.h"
#include "diskbench/random.h"

static struct bench_hist *
hist_new(void)
{
	struct bench_hist *h = malloc(sizeof *h);

	assert_non_null(h);
	bench_hist_init(h);
	return (h);
}

static void
every_value_lies_in_its_bucket_and_buckets_touch(void **state)
{
	uint64_t first, last, expected = 0;
	unsigned i;

	for (i = 0; i < BENCH_HIST_BUCKETS; i++) {
		bench_hist_edges(i, &first, &last);
		assert_true(first == expected);
		assert_true(last >= first);
		assert_int_equal(i, bench_hist_index(first));
		assert_int_equal(i, bench_hist_index(last));
		/* The promise: a bucket is at most 1/128 of its values wide. */
		assert_true((last - first) * 128 <= first);
		expected = last + 1;
	}
	assert_true(expected == UINT64_C(1) << BENCH_HIST_TOP);
	assert_int_equal(BENCH_HIST_BUCKETS - 1, bench_hist_index(UINT64_MAX));
}

static void
an_empty_one_has_no_percentiles(void **state)
{
	struct bench_hist *h = hist_new();
	uint64_t v = 7;

	assert_int_equal(-ERANGE, bench_hist_percentile(h, 0.5, &v));
	assert_int_equal(7, v);
	assert_int_equal(0, bench_hist_quantile(h, 0.99));
	assert_true(bench_hist_mean(h) == 0);
	assert_true(bench_hist_stddev(h) == 0);
	free(h);
}

static void
a_percentile_needs_ten_samples_beyond_it(void **state)
{
	static const struct {
		unsigned n;
		double p;
		int r;
	} t[] = {
		{ 19, 0.5, -ERANGE },
		{ 20, 0.5, 0 },
		{ 999, 0.99, -ERANGE },
		{ 1000, 0.99, 0 },
		{ 9999, 0.999, -ERANGE },
		{ 10000, 0.999, 0 },
		{ 99, 0.1, -ERANGE },
		{ 100, 0.1, 0 },
		{ 100, 0, -EINVAL },
		{ 100, 1, -EINVAL },
		{ 100, -1, -EINVAL },
	};
	unsigned i, k;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		struct bench_hist *h = hist_new();
		uint64_t v;

		for (k = 0; k < t[i].n; k++)
			bench_hist_add(h, k);
		assert_int_equal(t[i].r, bench_hist_percentile(h, t[i].p, &v));
		free(h);
	}
}

static int
by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x < y ? -1 : x > y);
}

/* Against the sorted values themselves, over eight orders of magnitude. */
static void
percentiles_are_within_0_8_percent_of_the_true_ones(void **state)
{
	static const double ps[] = { 0.001, 0.01, 0.1, 0.5, 0.9, 0.95, 0.99,
		0.999, 0.9999 };
	enum {
		N = 200000
	};
	uint64_t *v = malloc(N * sizeof *v), got, want, sum = 0;
	struct bench_random r;
	struct bench_hist *h;
	unsigned kind, i;

	assert_non_null(v);
	for (kind = 0; kind < 4; kind++) {
		h = hist_new();
		bench_random_init(&r, 42, kind);
		for (i = 0, sum = 0; i < N; i++) {
			double u = bench_random_unit(&r);

			v[i] = kind == 0   ? 100000
			       : kind == 1 ? (uint64_t)(-log(u) * 1e5)
			       : kind == 2 ? (u < 0.9 ? 80000 : 80000000)
					   : (uint64_t)pow(10, 1 + 8 * u);
			bench_hist_add(h, v[i]);
			sum += v[i];
		}
		qsort(v, N, sizeof *v, by_value);
		assert_int_equal(N, h->count);
		assert_true(h->sum == sum);
		assert_true(h->min == v[0]);
		assert_true(h->max == v[N - 1]);
		for (i = 0; i < sizeof ps / sizeof *ps; i++) {
			want = v[(unsigned)ceil(ps[i] * N) - 1];
			assert_int_equal(
			    0, bench_hist_percentile(h, ps[i], &got));
			assert_true(fabs((double)got - (double)want) <=
				    0.0078 * (double)want);
			if (kind == 0)
				assert_true(got == want);
		}
		free(h);
	}
	free(v);
}

static void
merging_in_any_grouping_gives_the_same(void **state)
{
	struct bench_hist *all = hist_new(), *a = hist_new(), *b = hist_new(),
			  *c = hist_new(), *empty = hist_new();
	struct bench_random r;
	unsigned i;

	bench_random_init(&r, 1, 1);
	for (i = 0; i < 3000; i++) {
		uint64_t v =
		    bench_random_next(&r) >> bench_random_below(&r, 60);

		bench_hist_add(all, v);
		bench_hist_add(i % 3 == 0 ? a : i % 3 == 1 ? b : c, v);
	}
	bench_hist_merge(c, empty);
	bench_hist_merge(b, c);
	bench_hist_merge(a, b);
	assert_memory_equal(all, a, sizeof *all);
	bench_hist_merge(empty, all);
	assert_memory_equal(all, empty, sizeof *all);
	free(all);
	free(a);
	free(b);
	free(c);
	free(empty);
}

static void
mean_is_exact_and_deviation_close(void **state)
{
	struct bench_hist *h = hist_new();
	unsigned i;

	for (i = 1; i <= 1000; i++)
		bench_hist_add(h, i * 1000);
	assert_true(bench_hist_mean(h) == 500500);
	assert_true(fabs(bench_hist_stddev(h) - 288819.4) < 300);
	assert_true(bench_hist_below(h, 500000) >= 495 &&
		    bench_hist_below(h, 500000) <= 499);
	free(h);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    every_value_lies_in_its_bucket_and_buckets_touch),
		cmocka_unit_test(an_empty_one_has_no_percentiles),
		cmocka_unit_test(a_percentile_needs_ten_samples_beyond_it),
		cmocka_unit_test(
		    percentiles_are_within_0_8_percent_of_the_true_ones),
		cmocka_unit_test(merging_in_any_grouping_gives_the_same),
		cmocka_unit_test(mean_is_exact_and_deviation_close),
	};

	return (cmocka_run_group_tests_name("hist", tests, NULL, NULL));
}
