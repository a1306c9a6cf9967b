/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/unit.h"

#include "diskbench/devset.h"

/* A rack of disks below one array: the last one counts like the first. */
static void
a_set_holds_as_many_as_there_are(void **state)
{
	struct bench_devset s = { 0 };
	dev_t dev;

	for (dev = 1; dev <= 5000; dev++)
		assert_true(bench_devset_add(&s, dev));
	assert_int_equal(5000, s.n);
	assert_false(s.lost);
	for (dev = 1; dev <= 5000; dev++)
		assert_true(bench_devset_has(&s, dev));
	assert_false(bench_devset_has(&s, 5001));
	bench_devset_clear(&s);
	assert_false(bench_devset_has(&s, 1));
	bench_devset_fini(&s);
	assert_int_equal(0, s.n);
}

static void
nothing_and_what_is_there_already_are_not_added(void **state)
{
	struct bench_devset s = { 0 };

	assert_false(bench_devset_add(&s, 0));
	assert_false(bench_devset_has(&s, 0));
	assert_true(bench_devset_add(&s, 7));
	assert_false(bench_devset_add(&s, 7));
	assert_int_equal(1, s.n);
	bench_devset_fini(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_set_holds_as_many_as_there_are),
		cmocka_unit_test(
		    nothing_and_what_is_there_already_are_not_added),
	};

	return (cmocka_run_group_tests_name("devset", tests, NULL, NULL));
}
