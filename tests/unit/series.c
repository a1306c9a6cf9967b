/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/unit.h"

#include "diskbench/series.h"

#define SECOND UINT64_C(1000000000)

static struct bench_hist hist[BENCH_OPS];

/* n I/Os of 4 KiB, latency ns each, in the step that ends at t. */
static void
step(struct bench_series *s, uint64_t t, uint64_t covered, unsigned n,
    uint64_t ns)
{
	uint64_t bytes[BENCH_OPS] = { n * UINT64_C(4096), 0 };
	unsigned i;

	bench_hist_init(&hist[0]);
	bench_hist_init(&hist[1]);
	for (i = 0; i < n; i++)
		bench_hist_add(&hist[0], ns);
	bench_series_add(s, t, covered, hist, bytes, 0);
}

static void
a_day_fits_and_loses_nothing(void **state)
{
	struct bench_series *s = bench_series_new(SECOND);
	uint64_t ios = 0, bytes = 0, covered = 0;
	unsigned i;

	assert_non_null(s);
	for (i = 1; i <= 86400; i++)
		step(s, i * SECOND, SECOND, 3, 100000);
	assert_true(s->n <= BENCH_STEPS && s->n > BENCH_STEPS / 2);
	assert_true(s->step_ns == 128 * SECOND);
	for (i = 0; i < s->n; i++) {
		ios += s->step[i].side[0].ios;
		bytes += s->step[i].side[0].bytes;
		covered += s->step[i].covered_ns;
	}
	assert_true(ios == 3 * 86400);
	assert_true(bytes == ios * 4096);
	assert_true(covered == 86400 * SECOND);
	free(s);
}

static void
a_stall_leaves_empty_steps_that_are_covered(void **state)
{
	struct bench_series *s = bench_series_new(SECOND);
	unsigned i;

	assert_non_null(s);
	step(s, 1 * SECOND, SECOND, 10, 1000);
	step(s, 5 * SECOND, 4 * SECOND, 1, 4 * SECOND);
	assert_int_equal(5, s->n);
	for (i = 0; i < 5; i++)
		assert_true(s->step[i].covered_ns == SECOND);
	assert_int_equal(10, s->step[0].side[0].ios);
	assert_int_equal(1, s->step[1].side[0].ios);
	assert_int_equal(0, s->step[3].side[0].ios);
	free(s);
}

static void
threads_merge_into_the_same_seconds(void **state)
{
	struct bench_series *a = bench_series_new(SECOND);
	struct bench_series *b = bench_series_new(SECOND);
	unsigned i;

	assert_non_null(a);
	assert_non_null(b);
	for (i = 1; i <= 4; i++) {
		step(a, i * SECOND, SECOND, 5, 1000);
		step(b, i * SECOND, SECOND, 7, 2000000);
	}
	bench_series_merge(a, b);
	assert_int_equal(4, a->n);
	for (i = 0; i < 4; i++) {
		assert_int_equal(12, a->step[i].side[0].ios);
		assert_true(a->step[i].covered_ns == SECOND);
		assert_true(a->step[i].side[0].max_ns == 2000000);
	}
	free(a);
	free(b);
}

static void
quantiles_of_a_step_are_near(void **state)
{
	struct bench_series *s = bench_series_new(SECOND);
	const struct bench_step_side *side;
	uint64_t bytes[BENCH_OPS] = { 0, 0 }, v;
	unsigned i;

	assert_non_null(s);
	bench_hist_init(&hist[0]);
	bench_hist_init(&hist[1]);
	for (i = 1; i <= 1000; i++)
		bench_hist_add(&hist[0], i * 1000);
	bench_series_add(s, SECOND, SECOND, hist, bytes, 0);
	side = &s->step[0].side[0];
	v = bench_step_quantile(side, 0.5);
	assert_true(v > 468000 && v < 532000);
	v = bench_step_quantile(side, 0.99);
	assert_true(v > 927000 && v <= 1000000);
	assert_int_equal(1000000, bench_step_quantile(side, 1));
	assert_int_equal(0, bench_step_quantile(&s->step[0].side[1], 0.5));
	free(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_day_fits_and_loses_nothing),
		cmocka_unit_test(a_stall_leaves_empty_steps_that_are_covered),
		cmocka_unit_test(threads_merge_into_the_same_seconds),
		cmocka_unit_test(quantiles_of_a_step_are_near),
	};

	return (cmocka_run_group_tests_name("series", tests, NULL, NULL));
}
