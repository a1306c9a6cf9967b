/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/unit.h"

#include <math.h>

#include "diskbench/steady.h"

/* Vectors worked out by hand from the rule. */
static void
the_rule_is_exact(void **state)
{
	static const struct {
		double y[5];
		bool steady;
		double range, slope;
	} t[] = {
		{ { 100, 100, 100, 100, 100 }, true, 0, 0 },
		/* 20 % exactly. */
		{ { 110, 90, 100, 90, 110 }, true, 20, 0 },
		{ { 111, 90, 100, 90, 110 }, false, 20.958, 0.798 },
		/* The range would do (18 %), the slope does not. */
		{ { 91, 95, 100, 105, 109 }, false, 18, 18.4 },
		/* 10 % exactly, up and down. */
		{ { 95, 97.5, 100, 102.5, 105 }, true, 10, 10 },
		{ { 105, 102.5, 100, 97.5, 95 }, true, 10, 10 },
		{ { 94.9, 97.4, 100, 102.6, 105.1 }, false, 10.2, 10.24 },
		/* On the limit in decimals only. */
		{ { 1.1, 0.9, 1.0, 0.9, 1.1 }, true, 20, 0 },
		{ { 0.95, 0.975, 1.0, 1.025, 1.05 }, true, 10, 10 },
		{ { 0, 0, 0, 0, 0 }, false, 0, 0 },
	};
	struct bench_steady s;
	unsigned i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		bench_steady_window(&s, t[i].y);
		assert_int_equal(t[i].steady, s.reached);
		assert_true(fabs(s.range_percent - t[i].range) < 0.001);
		assert_true(fabs(s.slope_percent - t[i].slope) < 0.001);
	}
}

static void
the_line_is_the_least_squares_line(void **state)
{
	static const double y[] = { 3, 5, 4, 8, 10 };
	struct bench_steady s;

	bench_steady_window(&s, y);
	assert_true(fabs(s.average - 6) < 1e-12);
	assert_true(fabs(s.slope - 1.7) < 1e-12);
	assert_true(fabs(s.fit_first - 2.6) < 1e-12);
	assert_true(fabs(s.fit_last - 9.4) < 1e-12);
	assert_true(s.low == 3 && s.high == 10);
}

static void
four_rounds_are_never_steady(void **state)
{
	static const double y[] = { 100, 100, 100, 100, 100 };
	struct bench_steady s;

	assert_false(bench_steady_find(&s, y, 4));
	assert_false(s.reached);
	assert_true(bench_steady_find(&s, y, 5));
	assert_true(s.reached);
	assert_int_equal(0, s.first);
}

static void
the_first_steady_window_is_found_or_none(void **state)
{
	static const double falls[] = { 900, 500, 300, 120, 108, 105, 101, 100,
		99, 300 };
	static const double never[] = { 100, 130, 100, 130, 100, 130, 100, 130,
		100, 130 };
	struct bench_steady s;

	assert_true(bench_steady_find(&s, falls, 10));
	assert_true(s.reached);
	/* From 120 on the line falls by 17.6 %, from 108 on by 9.0 %. */
	assert_int_equal(4, s.first);
	assert_true(bench_steady_find(&s, never, 10));
	assert_false(s.reached);
	assert_int_equal(5, s.first);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rule_is_exact),
		cmocka_unit_test(the_line_is_the_least_squares_line),
		cmocka_unit_test(four_rounds_are_never_steady),
		cmocka_unit_test(the_first_steady_window_is_found_or_none),
	};

	return (cmocka_run_group_tests_name("steady", tests, NULL, NULL));
}
