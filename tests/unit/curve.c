/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/unit.h"

#include <math.h>

#include "diskbench/curve.h"

#define TB     UINT64_C(1000000000000)
#define SECOND UINT64_C(1000000000)

static struct bench_curve c;
static struct bench_dot dot[101];
static double scratch[102];

/* A drive of 2 TB that reads at `first` where it begins and falls (or rises) in
 * a straight line to `last`, with a wobble of so many hundredths. */
static void
drive(double first, double last, double wobble)
{
	unsigned i;

	memset(&c, 0, sizeof c);
	c.planned = 32;
	c.seed = 1;
	bench_curve_plan(&c, 0, 2 * TB);
	for (i = 0; i < c.planned; i++) {
		c.point[i].bytes_per_s = (first + (last - first) * i / 31) *
					 (1 + wobble / 100 * (i % 3 - 1.0));
		c.n++;
	}
	bench_curve_decide(&c, scratch);
}

static void
a_slope_is_found_with_its_size(void **state)
{
	(void)state;
	/* A hard disk: half as fast at its end. */
	drive(200e6, 100e6, 2);
	assert_true(c.p < 0.001);
	/* The first quarter is points 0 to 7, the last one 24 to 31. */
	assert_true(fabs(c.begin / 188.5e6 - 1) < 0.01);
	assert_true(fabs(c.end / 111e6 - 1) < 0.01);
	assert_non_null(strstr(c.sentence, "slower than the first"));
	assert_non_null(strstr(c.sentence, "read 41 % slower"));
	/* All of it once: the time counts, not the points. */
	assert_true(fabs(c.mean / (100e6 / log(2)) - 1) < 0.01);

	drive(100e6, 200e6, 2);
	assert_non_null(strstr(c.sentence, "faster than the first"));
	assert_true(c.slowest < 101e6 && c.fastest > 198e6);
}

static void
a_flat_drive_has_no_slope(void **state)
{
	(void)state;
	drive(500e6, 500e6, 5);
	assert_true(c.p > 0.02);
	assert_non_null(strstr(c.sentence, "No difference"));
	drive(500e6, 500e6, 0);
	assert_true(c.p > 0.99);
	/* Two points a quarter say nothing, whatever they are. */
	memset(&c, 0, sizeof c);
	c.planned = 8;
	bench_curve_plan(&c, 0, 2 * TB);
	c.point[0].bytes_per_s = c.point[1].bytes_per_s = 2e8;
	c.point[6].bytes_per_s = c.point[7].bytes_per_s = 1e8;
	bench_curve_decide(&c, scratch);
	assert_non_null(strstr(c.sentence, "No difference"));
}

static void
points_cover_the_span_and_come_in_any_order(void **state)
{
	unsigned order[BENCH_CURVE_POINTS_MAX], seen[32] = { 0 }, i, moved = 0;

	(void)state;
	memset(&c, 0, sizeof c);
	c.planned = 32;
	c.seed = 7;
	bench_curve_plan(&c, TB, 2 * TB);
	assert_int_equal(32, c.planned);
	for (i = 0; i < 32; i++) {
		assert_true(c.point[i].offset >= TB);
		assert_true(c.point[i].offset + c.part <= 3 * TB);
		assert_true((c.point[i].offset - TB) % BENCH_CURVE_BLOCK == 0);
		if (i > 0)
			assert_true(c.point[i].offset >=
				    c.point[i - 1].offset + c.part);
	}
	bench_curve_order(&c, order);
	for (i = 0; i < 32; i++) {
		seen[order[i]]++;
		moved += order[i] != i;
	}
	for (i = 0; i < 32; i++)
		assert_int_equal(1, seen[i]);
	assert_true(moved > 20);
	/* Fewer blocks than points: a point a block. */
	c.planned = 32;
	bench_curve_plan(&c, 0, 5 * (uint64_t)BENCH_CURVE_BLOCK + 17);
	assert_int_equal(5, c.planned);
}

static void
accesses_have_their_quantiles(void **state)
{
	unsigned i;

	(void)state;
	memset(&c, 0, sizeof c);
	c.planned = 1;
	bench_curve_plan(&c, 0, TB);
	for (i = 0; i < 101; i++)
		dot[i].ns = 1000 + (i * 37 % 101) * 10;
	c.access.dot = dot;
	c.access.n = c.access.max = 101;
	bench_curve_decide(&c, scratch);
	assert_true(c.low == 1000 && c.high == 2000);
	assert_true(c.median == 1500 && c.p95 == 1950);
	assert_non_null(strstr(c.sentence, "Too little"));
}

static void
a_budget_is_kept(void **state)
{
	static const uint64_t budgets[] = { 1, 2, 5, 10, 60, 600 };
	uint64_t runtime, access;
	unsigned i, points;

	(void)state;
	for (i = 0; i < 6; i++) {
		runtime = SECOND / 2;
		points = 32;
		assert_int_equal(0, bench_curve_fit(budgets[i] * SECOND,
					&runtime, &points, &access));
		assert_true(points * (runtime + SECOND / 20) + access <=
			    budgets[i] * SECOND);
		assert_true(points >= 8 && runtime >= SECOND / 50);
	}
	runtime = SECOND / 2;
	points = 32;
	assert_true(
	    bench_curve_fit(SECOND / 10, &runtime, &points, &access) < 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slope_is_found_with_its_size),
		cmocka_unit_test(a_flat_drive_has_no_slope),
		cmocka_unit_test(points_cover_the_span_and_come_in_any_order),
		cmocka_unit_test(accesses_have_their_quantiles),
		cmocka_unit_test(a_budget_is_kept),
	};

	return (cmocka_run_group_tests_name("curve", tests, NULL, NULL));
}
