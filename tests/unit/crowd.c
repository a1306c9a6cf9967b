/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of variants by URL, with a clock of the test's own.
 */
#include "tests/unit/unit.h"
#include "tests/unit/varnish.h"

#include "vmod/crowd.h"

struct url {
	uint8_t digest[DIGEST_LEN];
};

/* All of one set, which the last byte chooses. */
static struct url
url(unsigned n)
{
	struct url u;

	memset(&u, 0, sizeof u);
	memcpy(u.digest, &n, sizeof n);
	u.digest[DIGEST_LEN - 1] = 7;
	return (u);
}

static unsigned
add(struct crowd *c, unsigned n, uint32_t variant, double now, double until)
{
	struct url u = url(n);

	return (crowd_add(c, u.digest, variant, now, until));
}

static void
each_variant_counts_once(void **state)
{
	struct crowd *c;

	(void)state;
	crowd_open(&c);
	assert_int_equal(add(c, 1, 11, 1000, 1100), 1);
	assert_int_equal(add(c, 1, 12, 1000, 1100), 2);
	assert_int_equal(add(c, 1, 11, 1001, 1101), 0);
	assert_int_equal(add(c, 1, 12, 1001, 1101), 0);
	assert_int_equal(add(c, 2, 12, 1001, 1101), 1);
	assert_int_equal(add(c, 1, 13, 1001, 1101), 3);
	crowd_close(&c);
	assert_null(c);
}

static void
what_is_over_does_not_count(void **state)
{
	struct crowd *c;

	(void)state;
	crowd_open(&c);
	assert_int_equal(add(c, 1, 11, 1000, 1010), 1);
	assert_int_equal(add(c, 1, 12, 1000, 1100), 2);
	assert_int_equal(add(c, 1, 13, 1011, 1100), 2);
	/* It comes again: new it is, and lives on when stored once more. */
	assert_int_equal(add(c, 1, 11, 1012, 1020), 3);
	assert_int_equal(add(c, 1, 11, 1015, 1200), 0);
	assert_int_equal(add(c, 1, 14, 1101, 1200), 2);
	/* A life longer than the clock's number is no short one. */
	assert_int_equal(add(c, 2, 1, 1e9, 1e30), 1);
	assert_int_equal(add(c, 2, 2, 1e9 + 1, 1e30), 2);
	crowd_close(&c);
}

static void
a_full_list_stays_full(void **state)
{
	struct crowd *c;
	unsigned u;

	(void)state;
	crowd_open(&c);
	for (u = 1; u <= CROWD_MAX; u++)
		assert_int_equal(add(c, 1, u, 1000, 1100), u);
	assert_int_equal(add(c, 1, 1000, 1001, 1100), CROWD_MAX);
	assert_int_equal(add(c, 1, 1001, 1001, 1100), CROWD_MAX);
	assert_int_equal(add(c, 1, 1, 1001, 1100), 0);
	assert_int_equal(add(c, 1, 1, 1200, 1300), 1);
	crowd_close(&c);
}

static void
the_longest_at_rest_gives_way(void **state)
{
	struct crowd *c;
	unsigned u;

	(void)state;
	crowd_open(&c);
	for (u = 1; u <= CROWD_WAYS; u++)
		assert_int_equal(add(c, u, 1, 1000 + u, 9000), 1);
	assert_int_equal(add(c, 1, 2, 1050, 9000), 2);
	/* The second URL is the one now. */
	assert_int_equal(add(c, 99, 1, 1060, 9000), 1);
	assert_int_equal(add(c, 1, 3, 1070, 9000), 3);
	assert_int_equal(add(c, 3, 2, 1070, 9000), 2);
	assert_int_equal(add(c, 2, 2, 1080, 9000), 1);
	crowd_close(&c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_variant_counts_once),
		cmocka_unit_test(what_is_over_does_not_count),
		cmocka_unit_test(a_full_list_stays_full),
		cmocka_unit_test(the_longest_at_rest_gives_way),
	};

	return (cmocka_run_group_tests_name("crowd", tests, NULL, NULL));
}
