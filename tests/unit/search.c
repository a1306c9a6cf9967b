/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/unit.h"

#include <math.h>

#include "diskbench/advice.h"
#include "diskbench/search.h"

#define SLO UINT64_C(10000000)

/* A drive with a knee: up to `knee` a second in time, and beyond it not. */
static double
hunt(double knee, double guess, double least, unsigned *ret_trials)
{
	struct bench_search s;

	bench_search_init(&s, SLO, guess, least);
	while (s.next > 0) {
		assert_true(s.n < BENCH_TRIALS);
		assert_true(s.next >= least);
		if (s.next <= knee)
			bench_search_feed(&s, s.next, SLO / 2, 0);
		else
			bench_search_feed(&s, knee, SLO * 50, 10);
	}
	if (ret_trials != NULL)
		*ret_trials = s.n;
	return (s.good);
}

static void
it_finds_the_knee_from_anywhere(void **state)
{
	static const double knees[] = { 60, 999, 12345, 4e6 };
	static const double guesses[] = { 1, 60, 700, 1e5, 1e7 };
	unsigned i, k, n;
	double found;

	for (i = 0; i < sizeof knees / sizeof *knees; i++) {
		for (k = 0; k < sizeof guesses / sizeof *guesses; k++) {
			found = hunt(knees[i], guesses[k], 50, &n);
			assert_true(found <= knees[i]);
			assert_true(found >= knees[i] / 1.06);
			assert_true(n <= 36);
		}
	}
	/* A guess that is about right takes few. */
	(void)hunt(1000, 600, 50, &n);
	assert_true(n <= 7);
}

static void
below_the_least_it_gives_up(void **state)
{
	unsigned n;

	assert_true(hunt(10, 1000, 50, &n) <= 0);
	/* The least itself was tried. */
	assert_true(hunt(51, 1000, 50, &n) >= 50);
}

static void
what_did_not_hold_for_longer_is_lowered(void **state)
{
	struct bench_search s;

	bench_search_init(&s, SLO, 1000, 50);
	bench_search_feed(&s, 1000, SLO, 0);
	assert_true(s.trial[0].held);
	bench_search_feed(&s, s.next, SLO + 1, 0);
	assert_false(s.trial[1].held);
	bench_search_lower(&s);
	assert_true(s.next < 1000 && s.next > 800);
	bench_search_feed(&s, s.next, SLO / 2, 0);
	assert_true(s.good < 1000 && s.good > 800);
	/* Unserved, or fewer than asked for: not held, whatever the times. */
	bench_search_init(&s, SLO, 1000, 50);
	bench_search_feed(&s, 1000, 1, 1);
	assert_false(s.trial[0].held);
	bench_search_feed(&s, s.next * 0.8, 1, 0);
	assert_false(s.trial[1].held);
}

static void
advice_follows_the_facts(void **state)
{
	struct bench_facts f = { .object_bytes = 40960,
		.slo_ns = SLO,
		.amplification = { 1.0, 33, 31 } };
	struct bench_advice a;

	/* Nothing that serves anybody. */
	f.objects_file = 2;
	f.objects_raw = 20;
	bench_advice_give(&a, &f);
	assert_int_equal(BENCH_STORAGE_MALLOC, a.storage);
	assert_int_equal(BENCH_MADVISE_RANDOM, a.madvise);
	/* One read instead of ten: worth another cache. */
	f.objects_file = 1000;
	f.objects_raw = 9000;
	bench_advice_give(&a, &f);
	assert_int_equal(BENCH_STORAGE_RAW, a.storage);
	assert_non_null(strstr(a.text[a.n - 1], "9.0 times"));
	/* 1,000 a second of 40 KiB. */
	assert_true(fabs(a.gbit_file - 0.32768) < 1e-9);
	/* A rate that is none is no number to compare with. */
	f.objects_file = 0;
	bench_advice_give(&a, &f);
	assert_int_equal(BENCH_STORAGE_RAW, a.storage);
	assert_null(strstr(a.text[a.n - 1], "times"));
	assert_non_null(strstr(a.text[a.n - 2], "no rate of hits"));
	f.objects_file = 1000;
	/* About the same: nothing to gain. */
	f.objects_raw = 1200;
	bench_advice_give(&a, &f);
	assert_int_equal(BENCH_STORAGE_FILE, a.storage);
	/* Readahead that wastes nothing. */
	f.amplification[BENCH_MADVISE_SEQUENTIAL] = 0.5;
	bench_advice_give(&a, &f);
	assert_int_equal(BENCH_MADVISE_SEQUENTIAL, a.madvise);
	/* Not measured: Varnish's default, and no sentence about it. */
	f.amplification[0] = f.amplification[1] = f.amplification[2] = -1;
	bench_advice_give(&a, &f);
	assert_int_equal(BENCH_MADVISE_RANDOM, a.madvise);
	assert_int_equal(1, a.n);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_finds_the_knee_from_anywhere),
		cmocka_unit_test(below_the_least_it_gives_up),
		cmocka_unit_test(what_did_not_hold_for_longer_is_lowered),
		cmocka_unit_test(advice_follows_the_facts),
	};

	return (cmocka_run_group_tests_name("search", tests, NULL, NULL));
}
