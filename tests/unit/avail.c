/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/unit.h"

#include <stdio.h>

#include "vary/avail.h"

static bool
learn(struct vary_avail *a, enum vary_avail_axis axis, const char *value)
{
	struct vary_span v = vary_span_str(value);

	return (vary_avail_learn(a, axis, value == NULL ? NULL : &v));
}

static const char *
text(const struct vary_avail *a, char out[VARY_AVAIL_TEXT + 16])
{
	struct vary_span word[VARY_AVAIL_WORDS];
	struct vary_words w;
	size_t i, n = 0;

	if (a->state != VARY_AVAIL_KNOWN)
		return (a->state == VARY_AVAIL_OFF ? "off" : "unknown");
	vary_avail_words(a, word, &w);
	assert_int_equal(a->n, w.n);
	for (i = 0; i < w.n; i++) {
		if (a->has_fallback && a->fallback == i)
			out[n++] = '!';
		memcpy(out + n, word[i].b, word[i].len);
		n += word[i].len;
		out[n++] = ' ';
	}
	out[n - 1] = '\0';
	return (out);
}

static void
one_hint_is_read_as_the_list_of_its_type(void **state)
{
	static const struct {
		enum vary_avail_axis axis;
		const char *in, *out;
	} t[] = {
		{ VARY_AVAIL_LANGUAGE, "en-uk, en-us;d, fr, de",
		    "en-uk !en-us fr de" },
		{ VARY_AVAIL_LANGUAGE, "fr, en;d=?0;d", "fr !en" },
		{ VARY_AVAIL_LANGUAGE, "fr, en;d=1", "fr en" },
		{ VARY_AVAIL_LANGUAGE, "fr;x=y, FR;d, en", "!fr en" },
		{ VARY_AVAIL_LANGUAGE, "fr;d, en;d", "off" },
		{ VARY_AVAIL_LANGUAGE, "fr, \"en\"", "off" },
		{ VARY_AVAIL_LANGUAGE, "fr en", "off" },
		{ VARY_AVAIL_LANGUAGE, "fr, *", "off" },
		{ VARY_AVAIL_LANGUAGE, "fr, en_GB", "off" },
		{ VARY_AVAIL_LANGUAGE, "", "off" },
		{ VARY_AVAIL_LANGUAGE, NULL, "off" },
		{ VARY_AVAIL_FORMAT, "image/png, image/gif;d",
		    "image/png !image/gif" },
		{ VARY_AVAIL_FORMAT, "image/*", "off" },
		{ VARY_AVAIL_FORMAT, "png", "off" },
		{ VARY_AVAIL_ENCODING, "gzip, br", "gzip br" },
		{ VARY_AVAIL_ENCODING, "identity, br", "br" },
		{ VARY_AVAIL_ENCODING, "identity", "off" },
		{ VARY_AVAIL_COOKIE, "\"id\", \"sid\"", "id sid" },
		{ VARY_AVAIL_COOKIE, "\"id\", \"ID\"", "id ID" },
		{ VARY_AVAIL_COOKIE, "id", "off" },
		{ VARY_AVAIL_COOKIE, "\"a b\"", "off" },
		{ VARY_AVAIL_COOKIE, "\"\"", "off" },
		{ VARY_AVAIL_COOKIE, "(\"id\")", "off" },
	};
	char out[VARY_AVAIL_TEXT + 16];
	struct vary_avail a;
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		memset(&a, 0, sizeof a);
		assert_true(learn(&a, t[i].axis, t[i].in));
		assert_string_equal(t[i].out, text(&a, out));
		assert_false(learn(&a, t[i].axis, t[i].in));
	}
}

static void
several_responses_add_up_and_one_without_a_hint_ends_it(void **state)
{
	struct vary_avail a = { .state = VARY_AVAIL_UNKNOWN };
	char out[VARY_AVAIL_TEXT + 16];

	assert_true(learn(&a, VARY_AVAIL_COOKIE, "\"lang\""));
	assert_true(learn(&a, VARY_AVAIL_COOKIE, "\"sid\", \"lang\""));
	assert_false(learn(&a, VARY_AVAIL_COOKIE, "\"lang\""));
	assert_string_equal("lang sid", text(&a, out));
	assert_true(learn(&a, VARY_AVAIL_COOKIE, NULL));
	assert_string_equal("off", text(&a, out));
	assert_false(learn(&a, VARY_AVAIL_COOKIE, "\"lang\""));
	assert_string_equal("off", text(&a, out));

	memset(&a, 0, sizeof a);
	assert_true(learn(&a, VARY_AVAIL_LANGUAGE, "en;d, fr"));
	assert_true(learn(&a, VARY_AVAIL_LANGUAGE, "de;d, fr"));
	assert_string_equal("off", text(&a, out));
}

static void
too_many_or_too_long_a_list_is_none(void **state)
{
	char value[2 * VARY_AVAIL_TEXT], out[VARY_AVAIL_TEXT + 16];
	struct vary_avail a;
	int i, n;

	for (i = VARY_AVAIL_WORDS; i <= VARY_AVAIL_WORDS + 1; i++) {
		memset(&a, 0, sizeof a);
		for (n = 0; n < i; n++)
			(void)snprintf(value + 5 * n, 6, "x-%02d,", n);
		value[5 * i - 1] = '\0';
		assert_true(learn(&a, VARY_AVAIL_LANGUAGE, value));
		assert_int_equal(
		    i <= VARY_AVAIL_WORDS ? VARY_AVAIL_KNOWN : VARY_AVAIL_OFF,
		    a.state);
	}
	for (i = VARY_AVAIL_TEXT - 1; i <= VARY_AVAIL_TEXT; i++) {
		memset(&a, 0, sizeof a);
		memset(value, 'x', (size_t)i);
		value[i] = '\0';
		(void)learn(&a, VARY_AVAIL_ENCODING, value);
		assert_string_equal(
		    i < VARY_AVAIL_TEXT ? value : "off", text(&a, out));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_hint_is_read_as_the_list_of_its_type),
		cmocka_unit_test(
		    several_responses_add_up_and_one_without_a_hint_ends_it),
		cmocka_unit_test(too_many_or_too_long_a_list_is_none),
	};

	return (cmocka_run_group_tests_name("avail", tests, NULL, NULL));
}
