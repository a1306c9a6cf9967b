/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/unit.h"

#include <errno.h>

#include "cli/num.h"

static void
sizes_are_powers_of_1024_unless_SI(void **state)
{
	static const struct {
		const char *in;
		int r;
		uint64_t v;
	} t[] = {
		{ "4096", 0, 4096 },
		{ "4k", 0, 4096 },
		{ "4K", 0, 4096 },
		{ "4KiB", 0, 4096 },
		{ "4kB", 0, 4000 },
		{ "1.5m", 0, 1572864 },
		{ "2g", 0, UINT64_C(2) << 30 },
		{ "0", 0, 0 },
		{ "0.5k", 0, 512 },
		{ "0.5", -EINVAL, 0 },
		{ "", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "+1", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 },
		{ "1 k", -EINVAL, 0 },
		{ "4kk", -EINVAL, 0 },
		{ "k", -EINVAL, 0 },
		{ "1.", -EINVAL, 0 },
		{ ".5k", -EINVAL, 0 },
		{ "0x10", -EINVAL, 0 },
		{ "1e3", -EINVAL, 0 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "16384p", -ERANGE, 0 },
		{ "16383p", 0, UINT64_C(16383) << 50 },
	};
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		uint64_t v = 0;

		assert_int_equal(
		    t[i].r, cli_num_size(t[i].in, 0, UINT64_MAX, &v));
		assert_int_equal(t[i].v, v);
	}
}

static void
durations_are_nanoseconds(void **state)
{
	static const struct {
		const char *in;
		int r;
		uint64_t v;
	} t[] = {
		{ "10", 0, UINT64_C(10000000000) },
		{ "10s", 0, UINT64_C(10000000000) },
		{ "1.5m", 0, UINT64_C(90000000000) },
		{ "500ms", 0, 500000000 },
		{ "50us", 0, 50000 },
		{ "0.25s", 0, 250000000 },
		{ "0.0000000019s", 0, 1 },
		{ "10x", -EINVAL, 0 },
		{ "s", -EINVAL, 0 },
		{ "999999999d", -ERANGE, 0 },
	};
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		uint64_t v = 0;

		assert_int_equal(
		    t[i].r, cli_num_duration(t[i].in, 0, UINT64_MAX, &v));
		assert_int_equal(t[i].v, v);
	}
}

static void
limits_hold_and_leave_the_result_alone(void **state)
{
	uint64_t v = 7;
	double d = 7;

	assert_int_equal(-ERANGE, cli_num_count("0", 1, 10, &v));
	assert_int_equal(-ERANGE, cli_num_count("11", 1, 10, &v));
	assert_int_equal(-EINVAL, cli_num_count("1k", 1, 10, &v));
	assert_int_equal(-EINVAL, cli_num_count("1.5", 1, 10, &v));
	assert_int_equal(-EINVAL, cli_num_count(NULL, 1, 10, &v));
	assert_int_equal(7, v);
	assert_int_equal(0, cli_num_count("10", 1, 10, &v));
	assert_int_equal(10, v);
	assert_int_equal(-ERANGE, cli_num_decimal("1.5", 0, 1, &d));
	assert_int_equal(-EINVAL, cli_num_decimal("1e-3", 0, 1, &d));
	assert_int_equal(-EINVAL, cli_num_decimal("nan", 0, 1, &d));
	assert_true(d == 7);
	assert_int_equal(0, cli_num_decimal("0.25", 0, 1, &d));
	assert_true(d == 0.25);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_powers_of_1024_unless_SI),
		cmocka_unit_test(durations_are_nanoseconds),
		cmocka_unit_test(limits_hold_and_leave_the_result_alone),
	};

	return (cmocka_run_group_tests_name("num", tests, NULL, NULL));
}
