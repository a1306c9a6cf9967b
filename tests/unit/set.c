/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/unit.h"

#include <stdio.h>

#include "vary/set.h"

/* Lines are separated by "\n" in the table; the set as "a|b". */
static void
fill(struct vary_set *s, const char *lines)
{
	const char *e;

	vary_set_init(s);
	for (;; lines = e + 1) {
		e = strchr(lines, '\n');
		vary_set_add(
		    s, lines, e == NULL ? strlen(lines) : (size_t)(e - lines));
		if (e == NULL)
			return;
	}
}

static const char *
text(const struct vary_set *s, char *out)
{
	size_t n = 0;
	unsigned i;

	for (i = 0; i < s->n; i++)
		n += (size_t)sprintf(out + n, "%s%.*s", i > 0 ? "|" : "",
		    (int)s->name[i].len, s->name[i].b);
	out[n] = '\0';
	return (out);
}

static void
lines_are_a_union_in_the_order_met(void **state)
{
	static const struct {
		const char *in, *out;
		unsigned repeated, blanks, malformed;
		bool star;
	} t[] = {
		{ "", "", 0, 0, 0, false },
		{ "Host,Accept-Encoding,User-Agent",
		    "Host|Accept-Encoding|User-Agent", 0, 0, 0, false },
		{ "accept-encoding\naccept, content-type",
		    "accept-encoding|accept|content-type", 0, 0, 0, false },
		{ "Accept-Encoding\nAccept-Encoding\naccept-ENCODING",
		    "Accept-Encoding", 2, 0, 0, false },
		{ ", X-A,, X-B ,,", "X-A|X-B", 0, 0, 0, false },
		{ "*", "*", 0, 0, 0, true },
		{ "*, *", "*", 1, 0, 0, true },
		{ "*\n*", "*", 1, 0, 0, true },
		{ ", *", "*", 0, 0, 0, true },
		{ "\n*", "*", 0, 0, 0, true },
		{ "*, Foo", "*|Foo", 0, 0, 0, true },
		{ "Foo, *", "Foo|*", 0, 0, 0, true },
		{ "Foo *", "Foo|*", 0, 1, 0, true },
		{ "X-A X-B, c", "X-A|X-B|c", 0, 1, 0, false },
		{ "\"Accept\", b", "b", 0, 0, 1, false },
		{ "AE;UA, Foo:\n\tb", "b", 0, 0, 2, false },
	};
	char out[256];
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		struct vary_set s;

		fill(&s, t[i].in);
		assert_string_equal(t[i].out, text(&s, out));
		assert_int_equal(t[i].repeated, s.repeated);
		assert_int_equal(t[i].blanks, s.blanks);
		assert_int_equal(t[i].malformed, s.malformed);
		assert_int_equal(t[i].star, s.star);
		assert_int_equal(
		    t[i].blanks + t[i].malformed > 0, s.first_bad.b != NULL);
	}
}

static void
the_limit_is_said_and_a_star_past_it_still_seen(void **state)
{
	char names[VARY_SET_MAX + 1][8];
	struct vary_set s;
	int i;

	vary_set_init(&s);
	for (i = 0; i < VARY_SET_MAX; i++) {
		(void)snprintf(names[i], sizeof names[i], "n%d", i);
		vary_set_add(&s, names[i], strlen(names[i]));
	}
	assert_int_equal(VARY_SET_MAX, s.n);
	vary_set_add(&s, "N0", 2);
	assert_false(s.overflow);
	vary_set_add(&s, "more", 4);
	assert_true(s.overflow);
	assert_false(s.star);
	vary_set_add(&s, "*", 1);
	assert_true(s.star);
	assert_int_equal(VARY_SET_MAX, s.n);
}

static void
names_are_found_and_taken_out_whatever_their_case(void **state)
{
	struct vary_set s;
	char out[64];

	fill(&s, "Accept, *, Cookie");
	assert_true(vary_set_has(&s, vary_span_str("COOKIE")));
	assert_false(vary_set_has(&s, vary_span_str("Cook")));
	assert_true(vary_set_remove(&s, vary_span_str("accept")));
	assert_false(vary_set_remove(&s, vary_span_str("accept")));
	assert_string_equal("*|Cookie", text(&s, out));
	assert_true(s.star);
	assert_true(vary_set_remove(&s, vary_span_str("*")));
	assert_false(s.star);
	assert_string_equal("Cookie", text(&s, out));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_a_union_in_the_order_met),
		cmocka_unit_test(
		    the_limit_is_said_and_a_star_past_it_still_seen),
		cmocka_unit_test(
		    names_are_found_and_taken_out_whatever_their_case),
	};

	return (cmocka_run_group_tests_name("set", tests, NULL, NULL));
}
