/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/unit.h"

#include "diskbench/pts.h"

#define GIB    (UINT64_C(1) << 30)
#define SECOND UINT64_C(1000000000)

static struct bench_pts p;
static uint64_t least;

static int
plan(enum bench_pts_test test, bool quick, uint64_t budget, uint32_t align)
{
	struct bench_pts_wish w = {
		.test = test, .quick = quick, .budget_ns = budget
	};

	return (bench_pts_plan(&p, &w, GIB, align, &least));
}

/* A round in which each cell has v, the tracked one v as well. */
static void
feed(double v)
{
	unsigned i;

	for (i = 0; i < p.cells; i++)
		*bench_pts_at(&p, p.rounds, i) = (struct bench_pts_value){
			.iops = v + i,
			.bytes_per_s = v * 4096,
			.mean_ns = v,
			.p99_ns = 2 * v,
			.max_ns = 3 * v,
		};
	bench_pts_at(&p, p.rounds, p.tracked)->iops = v;
	p.rounds++;
}

static void
the_cells_are_those_of_the_specification(void **state)
{
	char what[64];

	(void)state;
	assert_int_equal(0, plan(BENCH_PTS_IOPS, false, 0, 512));
	assert_int_equal(56, p.cells);
	assert_int_equal(25, p.rounds_max);
	assert_true(p.runtime_ns == 60 * SECOND && p.random);
	assert_true(p.fill.wanted == 2 * GIB);
	assert_int_equal(0, p.n_left_out);
	/* Mixes outside, sizes inside, both falling. */
	assert_int_equal(100, p.cell[0].read_percent);
	assert_int_equal(1 << 20, p.cell[0].bytes);
	assert_int_equal(512, p.cell[7].bytes);
	assert_int_equal(95, p.cell[8].read_percent);
	bench_pts_cell_text(&p, p.tracked, what, sizeof what);
	assert_string_equal("4 KiB random writes", what);
	bench_pts_cell_text(&p, 23, what, sizeof what);
	assert_string_equal("0.5 KiB random reads/writes 65/35", what);

	assert_int_equal(0, plan(BENCH_PTS_THROUGHPUT, false, 0, 512));
	assert_int_equal(2, p.cells);
	assert_false(p.random);
	bench_pts_cell_text(&p, p.tracked, what, sizeof what);
	assert_string_equal("1024 KiB sequential writes", what);
	assert_int_equal(0, plan(BENCH_PTS_LATENCY, false, 0, 512));
	assert_int_equal(9, p.cells);
	assert_true(p.by_latency);
	assert_int_equal(0, plan(BENCH_PTS_WSAT, false, 0, 512));
	assert_int_equal(1, p.cells);
	assert_int_equal(1440, p.rounds_max);
	assert_true(p.fill.wanted == 0);
	assert_int_equal(0, plan(BENCH_PTS_PRECONDITION, false, 0, 512));
	assert_int_equal(0, p.cells);
	assert_true(p.fill.wanted == 2 * GIB);
	assert_false(bench_pts_more(&p));
}

static void
what_is_left_out_is_said(void **state)
{
	(void)state;
	assert_int_equal(0, plan(BENCH_PTS_IOPS, false, 0, 4096));
	/* No half KiB on a drive of 4 KiB sectors. */
	assert_int_equal(49, p.cells);
	assert_int_equal(1, p.n_left_out);
	assert_non_null(strstr(p.left_out[0], "4096"));
	assert_int_equal(4096, p.cell[p.tracked].bytes);
	assert_int_equal(0, p.cell[p.tracked].read_percent);

	assert_int_equal(0, plan(BENCH_PTS_IOPS, true, 0, 512));
	assert_int_equal(6, p.cells);
	assert_true(p.fill.wanted == GIB);
	assert_int_equal(3, p.n_left_out);
	assert_int_equal(0, plan(BENCH_PTS_LATENCY, true, 0, 512));
	assert_int_equal(3, p.cells);
	assert_int_equal(3, p.n_left_out);
}

static void
a_budget_is_kept_or_refused(void **state)
{
	static const uint64_t budgets[] = { 10, 60, 600, 3600, 36000 };
	unsigned t, q, b, kept = 0;

	(void)state;
	for (t = BENCH_PTS_IOPS; t < BENCH_PTS_TESTS; t++)
		for (q = 0; q < 2; q++)
			for (b = 0; b < 5; b++) {
				uint64_t all = budgets[b] * SECOND;

				if (plan(t, q == 1, all, 512) < 0) {
					/* What it says would do, does. */
					assert_true(least > all);
					assert_int_equal(
					    0, plan(t, q == 1, least, 512));
					all = least;
				}
				kept++;
				assert_true(
				    p.fill.limit_ns +
					(uint64_t)p.rounds_max * p.cells *
					    (p.runtime_ns + SECOND / 20) <=
				    all);
				assert_true(p.rounds_max >= 5);
				assert_true(p.runtime_ns >= SECOND / 10);
				assert_true(p.shorter ||
					    p.runtime_ns == 60 * SECOND ||
					    q == 1);
			}
	assert_int_equal(40, kept);
	/* IOPS in ten minutes: six cells of 10 rounds, none of 60 s. */
	assert_int_equal(0, plan(BENCH_PTS_IOPS, false, 600 * SECOND, 512));
	assert_true(p.shorter && p.rounds_max < 25);
}

static void
it_ends_with_the_first_steady_window(void **state)
{
	static const double y[] = { 900, 500, 300, 120, 108, 105, 101, 100,
		99 };
	unsigned i;

	(void)state;
	assert_int_equal(0, plan(BENCH_PTS_IOPS, false, 0, 512));
	for (i = 0; i < 9; i++) {
		assert_true(bench_pts_more(&p));
		feed(y[i]);
	}
	assert_false(bench_pts_more(&p));
	p.fill.written = p.fill.wanted;
	p.wish.purge = "nvme format";
	bench_pts_decide(&p);
	assert_string_equal("steady", p.verdict);
	assert_int_equal(4, p.steady.first);
	assert_non_null(strstr(p.sentence, "rounds 5 to 9 of 9"));
	assert_true(
	    p.mean[p.tracked].iops > 102.59 && p.mean[p.tracked].iops < 102.61);
	assert_true(p.mean[0].max_ns == 324);
	/* All of it was done: nothing to be warned of. */
	assert_null(strstr(p.certainty, "can look steady"));
	assert_null(strstr(p.certainty, "purged"));
}

static void
never_steady_has_its_own_verdict(void **state)
{
	unsigned i;

	(void)state;
	assert_int_equal(0, plan(BENCH_PTS_IOPS, true, 0, 512));
	for (i = 0; bench_pts_more(&p); i++)
		feed(i % 2 == 0 ? 100 : 130);
	assert_int_equal(25, p.rounds);
	bench_pts_decide(&p);
	assert_string_equal("not steady", p.verdict);
	assert_int_equal(20, p.steady.first);
	assert_non_null(strstr(p.sentence, "not reached"));
	assert_non_null(strstr(p.certainty, "can look steady"));

	assert_int_equal(0, plan(BENCH_PTS_IOPS, true, 0, 512));
	for (i = 0; i < 4; i++)
		feed(100);
	p.interrupted = true;
	assert_false(bench_pts_more(&p));
	bench_pts_decide(&p);
	assert_string_equal("too few rounds", p.verdict);
	assert_false(p.known);
}

/* A drive whose cache takes 30 rounds at 500 MB/s, and then does 60. */
static void
a_burst_is_told_from_what_is_sustained(void **state)
{
	static const double wobble[] = { 1, 1.01, 0.99, 1.02, 0.98 };
	unsigned i;

	(void)state;
	assert_int_equal(0, plan(BENCH_PTS_WSAT, false, 0, 512));
	for (i = 0; bench_pts_more(&p); i++) {
		double rate = (i < 30 ? 500e6 : 60e6) * wobble[i % 5];

		feed(rate / 4096);
		/* A twentieth of the span in each round of the burst. */
		p.written += (uint64_t)(rate / 500e6 * (double)GIB / 20);
	}
	/* It does not end while the cache is steady, nor before 4 times. */
	assert_true(p.written >= 4 * GIB);
	bench_pts_decide(&p);
	assert_string_equal("steady", p.verdict);
	assert_int_equal(p.rounds - 5, p.steady.first);
	assert_int_equal(2, p.n_level);
	assert_int_equal(30, p.level[1].first);
	assert_true(p.burst > 495e6 && p.burst < 505e6);
	assert_true(p.sustained > 59e6 && p.sustained < 61e6);
	assert_non_null(strstr(p.sentence, "500.0 MB/s (burst)"));

	/* Quick: the first steady state after the drive was filled once. */
	assert_int_equal(0, plan(BENCH_PTS_WSAT, true, 0, 512));
	for (i = 0; bench_pts_more(&p); i++) {
		feed(1000);
		p.written += GIB / 10;
	}
	assert_int_equal(11, p.rounds);
}

static void
filling_shows_its_levels(void **state)
{
	unsigned i;

	(void)state;
	assert_int_equal(0, plan(BENCH_PTS_PRECONDITION, false, 0, 512));
	for (i = 0; i < 40; i++)
		p.fill.trace[i] = i < 10 ? 400e6 + i * 1e5 : 90e6 - i * 1e4;
	p.fill.n = 40;
	p.fill.step_ns = SECOND;
	p.fill.written = GIB;
	bench_pts_decide(&p);
	assert_string_equal("partial", p.verdict);
	assert_int_equal(2, p.n_level);
	assert_int_equal(10, p.level[1].first);
	p.fill.written = p.fill.wanted;
	bench_pts_decide(&p);
	assert_string_equal("preconditioned", p.verdict);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cells_are_those_of_the_specification),
		cmocka_unit_test(what_is_left_out_is_said),
		cmocka_unit_test(a_budget_is_kept_or_refused),
		cmocka_unit_test(it_ends_with_the_first_steady_window),
		cmocka_unit_test(never_steady_has_its_own_verdict),
		cmocka_unit_test(a_burst_is_told_from_what_is_sustained),
		cmocka_unit_test(filling_shows_its_levels),
	};

	return (cmocka_run_group_tests_name("pts", tests, NULL, NULL));
}
