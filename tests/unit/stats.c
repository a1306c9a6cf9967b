/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/unit.h"

#include <errno.h>
#include <math.h>

#include "diskbench/random.h"
#include "diskbench/levels.h"
#include "diskbench/ranks.h"
#include "diskbench/stats.h"
#include "tests/unit/rig.h"

static void
near(double got, double want, double by)
{
	if (!(fabs(got - want) <= by))
		fail_msg("got %.9g, wanted %.9g", got, want);
}

/* Worked out by hand, or by counting all 2^n choices of signs. */
static void
signed_ranks_are_exact(void **state)
{
	static const double up[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	static const double one[] = { -1, 2, 3, 4, 5, 6, 7, 8 };
	static const double even[] = { 1, -1, 2, -2, 3, -3 };
	static const double tied[] = { 1, 1, 1, 1, 1, -1 };
	static const double zero[] = { 0, 0, 0 };
	static const double part[] = { 0, 1, 2, 3, 0 };

	near(bench_ranks_signed(up, 8), 2 / 256.0, 1e-12);
	near(bench_ranks_signed(up, 7), 2 / 128.0, 1e-12);
	/* W = 1: the empty set and {1}. */
	near(bench_ranks_signed(one, 8), 4 / 256.0, 1e-12);
	near(bench_ranks_signed(even, 6), 1, 1e-12);
	/* All ranks are 3.5: as a sign test, 7 of 64 in one tail. */
	near(bench_ranks_signed(tied, 6), 14 / 64.0, 1e-12);
	near(bench_ranks_signed(zero, 3), 1, 0);
	near(bench_ranks_signed(part, 5), 2 / 8.0, 1e-12);
	near(bench_ranks_signed(up, 0), 1, 0);
}

/* Where both can be had they agree, so the approximation is the right one. */
static void
the_approximation_joins_the_exact_ranks(void **state)
{
	double d[31], exact, normal_p;
	struct bench_random r;
	unsigned i, k;

	bench_random_init(&r, 5, 0);
	for (k = 0; k < 20; k++) {
		for (i = 0; i < 31; i++)
			d[i] = rig_normal(&r) + 0.4;
		/* The 31st is the smallest: it hardly moves the result. */
		d[30] = 1e-9;
		exact = bench_ranks_signed(d, 30);
		normal_p = bench_ranks_signed(d, 31);
		near(normal_p, exact, 0.02 + 0.1 * exact);
	}
}

static void
rank_sums_are_exact(void **state)
{
	static const double a[] = { 1, 2, 3, 4 }, b[] = { 5, 6, 7, 8 };
	static const double c[] = { 1, 2, 3, 5 }, d[] = { 4, 6, 7, 8 };
	static const double same[] = { 7, 7, 7, 7 };

	/* 2 of the 70 ways to pick 4 of 8. */
	near(bench_ranks_sum(a, 4, b, 4), 2 / 70.0, 1e-12);
	near(bench_ranks_sum(b, 4, a, 4), 2 / 70.0, 1e-12);
	near(bench_ranks_sum(c, 4, d, 4), 4 / 70.0, 1e-12);
	near(bench_ranks_sum(a, 3, b, 3), 2 / 20.0, 1e-12);
	near(bench_ranks_sum(same, 4, same, 4), 1, 1e-12);
	near(bench_ranks_sum(a, 0, b, 4), 1, 0);
}

static void
many_rank_sums_are_near_normal(void **state)
{
	double a[40], b[40];
	unsigned i;

	/* Interleaved: as even as it gets. */
	for (i = 0; i < 40; i++) {
		a[i] = 2 * i;
		b[i] = 2 * i + 1;
	}
	assert_true(bench_ranks_sum(a, 40, b, 40) > 0.8);
	for (i = 0; i < 40; i++)
		b[i] += 40;
	assert_true(bench_ranks_sum(a, 40, b, 40) < 1e-4);
}

static void
values_that_have_no_logarithm_are_refused(void **state)
{
	static const double good[] = { 1, 2, 3 }, bad[] = { 1, 0, 3 };
	static const double minus[] = { 1, -2, 3 };
	struct bench_ratio r;

	assert_int_equal(-EINVAL, bench_ratio_pairs(&r, good, bad, 3, 1));
	assert_int_equal(-EINVAL, bench_ratio_pairs(&r, minus, good, 3, 1));
	assert_int_equal(-EINVAL, bench_ratio_pairs(&r, good, good, 1, 1));
	assert_int_equal(-EINVAL, bench_ratio_sides(&r, good, 3, bad, 2, 1));
	assert_int_equal(-EINVAL, bench_ratio_sides(&r, good, 3, good, 1, 1));
	near(bench_stats_geomean(bad, 3), 0, 0);
	near(bench_stats_geomean(good, 0), 0, 0);
	near(bench_stats_geomean(good, 3), cbrt(6), 1e-12);
}

static void
runs_that_never_differ_have_an_interval_of_one_point(void **state)
{
	static const double a[] = { 200, 400, 100, 300, 500, 800, 700 };
	double b[7];
	struct bench_ratio r;
	unsigned i;

	for (i = 0; i < 7; i++)
		b[i] = a[i] / 2;
	assert_int_equal(0, bench_ratio_pairs(&r, a, b, 7, 1));
	near(r.ratio, 2, 1e-12);
	near(r.low, 2, 1e-9);
	near(r.high, 2, 1e-9);
	near(r.p, 2 / 128.0, 1e-12);
	near(r.mde, 0, 1e-9);
}

static void
the_same_seed_gives_the_same_interval(void **state)
{
	static const double a[] = { 90, 101, 115, 99, 104, 97, 120, 88 };
	static const double b[] = { 91, 100, 103, 98, 101, 99, 108, 92 };
	struct bench_ratio r, again, other;

	assert_int_equal(0, bench_ratio_pairs(&r, a, b, 8, 42));
	assert_int_equal(0, bench_ratio_pairs(&again, a, b, 8, 42));
	assert_int_equal(0, bench_ratio_pairs(&other, a, b, 8, 43));
	assert_memory_equal(&r, &again, sizeof r);
	assert_true(r.low < other.low || r.low > other.low);
	near(other.low, r.low, 0.01);
	assert_true(r.low < r.ratio && r.ratio < r.high);
}

static void
the_other_way_round_is_the_reciprocal(void **state)
{
	static const double a[] = { 90, 101, 115, 99, 104, 97, 120, 88 };
	static const double b[] = { 71, 80, 83, 78, 81, 79, 88, 72 };
	struct bench_ratio r, s;

	assert_int_equal(0, bench_ratio_pairs(&r, a, b, 8, 42));
	assert_int_equal(0, bench_ratio_pairs(&s, b, a, 8, 42));
	near(r.ratio * s.ratio, 1, 1e-12);
	near(r.low * s.high, 1, 0.01);
	near(r.p, s.p, 1e-12);
	assert_int_equal(0, bench_ratio_sides(&r, a, 8, b, 8, 42));
	assert_int_equal(0, bench_ratio_sides(&s, b, 8, a, 8, 42));
	near(r.ratio * s.ratio, 1, 1e-12);
	near(r.p, s.p, 1e-12);
}

static void
a_device_against_itself_shows_no_difference(void **state)
{
	static const struct rig t[] = {
		{ 1, 0.02, 0, 12, true },
		{ 1, 0.25, 0, 12, true },
		{ 1, 0.05, 0.1, 8, true },
		{ 1, 0.05, 0.1, 30, true },
		{ 1, 0.05, 0, 12, false },
		{ 1, 0.05, 0.1, 8, false },
	};
	struct rig_tally y;
	unsigned i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		y = rig_compare(&t[i], 200);
		/* 95 of 100 at least. */
		if (y.found > 200 * 5 / 100)
			fail_msg("case %u: %u of 200 differ", i, y.found);
	}
}

static void
ten_percent_are_found_and_the_interval_holds_them(void **state)
{
	static const struct rig t[] = {
		{ 1.1, 0.02, 0, 12, true },
		{ 1.1, 0.03, 0, 12, true },
		{ 1 / 1.1, 0.03, 0, 16, true },
		{ 1.1, 0.05, 0, 30, true },
		{ 1.1, 0.03, 0, 12, false },
	};
	struct rig_tally y;
	unsigned i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		y = rig_compare(&t[i], 200);
		if (y.found < 200 * 95 / 100)
			fail_msg("case %u: found in %u of 200", i, y.found);
		if (y.holds < 200 * 90 / 100)
			fail_msg("case %u: holds in %u of 200", i, y.holds);
		assert_int_equal(0, y.wrong);
	}
}

static void
the_interval_holds_the_truth_where_nothing_is_found(void **state)
{
	static const struct rig t[] = {
		{ 1, 0.25, 0, 8, true },
		{ 1.02, 0.1, 0, 12, true },
		{ 1.1, 0.25, 0.05, 12, true },
		{ 1.1, 0.25, 0, 4, false },
	};
	struct rig_tally y;
	unsigned i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		y = rig_compare(&t[i], 200);
		if (y.holds < 200 * 90 / 100)
			fail_msg("case %u: holds in %u of 200", i, y.holds);
	}
}

/* What the detectable effect promises: found in eight of ten. */
static void
the_detectable_effect_is_detected(void **state)
{
	struct rig t = { 1, 0.1, 0, 16, true };
	struct rig_tally y;

	/* The difference of two has a deviation of sqrt(2) of one. */
	t.ratio = 1 + bench_stats_mde(0.1 * sqrt(2) / 4, 15);
	y = rig_compare(&t, 400);
	if (y.found < 280 || y.found > 360)
		fail_msg("found in %u of 400", y.found);
}

static void
levels_are_found_where_they_change(void **state)
{
	struct bench_random r;
	double y[400];
	unsigned at[8], i, n, flat = 0, k;

	bench_random_init(&r, 3, 0);
	/* A cache that is full after 120, and a second one after 300. */
	for (i = 0; i < 400; i++)
		y[i] = (i < 120      ? 5000
			   : i < 300 ? 900
				     : 600) *
		       exp(0.1 * rig_normal(&r));
	n = bench_levels_find(y, 400, 5, at, 8);
	assert_int_equal(2, n);
	near(at[0], 120, 1);
	near(at[1], 300, 6);
	assert_int_equal(1, bench_levels_find(y, 400, 5, at, 1));
	assert_int_equal(0, bench_levels_find(y, 100, 5, at, 8));
	assert_int_equal(0, bench_levels_find(y, 4, 5, at, 8));
	assert_int_equal(0, bench_levels_find(y, 0, 5, at, 8));
	/* Nothing in noise, whatever its size. */
	for (k = 0; k < 100; k++) {
		for (i = 0; i < 200; i++)
			y[i] = exp(0.3 * rig_normal(&r));
		flat += bench_levels_find(y, 200, 5, at, 8) == 0;
	}
	assert_true(flat >= 98);
	/* Two values are enough where there is no noise at all. */
	for (i = 0; i < 20; i++)
		y[i] = i < 10 ? 200 : 100;
	assert_int_equal(1, bench_levels_find(y, 20, 2, at, 8));
	assert_int_equal(10, at[0]);
}

static void
quantiles_lie_between_the_values(void **state)
{
	double v[] = { 5, 1, 3, 2, 4 }, one[] = { 7 };

	near(bench_stats_quantile(v, 5, 0.5), 3, 0);
	near(bench_stats_quantile(v, 5, 0.25), 2, 0);
	near(bench_stats_quantile(v, 5, 0.9), 4.6, 1e-12);
	near(bench_stats_quantile(v, 5, 1), 5, 0);
	near(bench_stats_quantile(one, 1, 0.3), 7, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(signed_ranks_are_exact),
		cmocka_unit_test(the_approximation_joins_the_exact_ranks),
		cmocka_unit_test(rank_sums_are_exact),
		cmocka_unit_test(many_rank_sums_are_near_normal),
		cmocka_unit_test(values_that_have_no_logarithm_are_refused),
		cmocka_unit_test(
		    runs_that_never_differ_have_an_interval_of_one_point),
		cmocka_unit_test(the_same_seed_gives_the_same_interval),
		cmocka_unit_test(the_other_way_round_is_the_reciprocal),
		cmocka_unit_test(a_device_against_itself_shows_no_difference),
		cmocka_unit_test(
		    ten_percent_are_found_and_the_interval_holds_them),
		cmocka_unit_test(
		    the_interval_holds_the_truth_where_nothing_is_found),
		cmocka_unit_test(the_detectable_effect_is_detected),
		cmocka_unit_test(levels_are_found_where_they_change),
		cmocka_unit_test(quantiles_lie_between_the_values),
	};

	return (cmocka_run_group_tests_name("stats", tests, NULL, NULL));
}
