/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/unit.h"

#include "vary/field.h"

/*
 * The reading of a value as text: members joined by "|", "!" and the whole
 * element for one that is malformed.
 */
static void
read_all(const char *value, size_t len, char *out, size_t cap)
{
	struct vary_field f;
	struct vary_span s;
	enum vary_status st;
	char *in = unit_exact(value, len);
	size_t n = 0;

	vary_field_init(&f, in, len);
	while ((st = vary_field_next(&f, &s)) != VARY_END) {
		if (n > 0)
			out[n++] = '|';
		if (st == VARY_SYNTAX) {
			vary_field_skip(&f, &s);
			out[n++] = '!';
		}
		assert_true(n + s.len + 2 < cap);
		memcpy(out + n, s.b, s.len);
		n += s.len;
	}
	assert_int_equal(VARY_END, vary_field_next(&f, &s));
	out[n] = '\0';
	free(in);
}

static void
members_are_read_as_rfc9110_has_them(void **state)
{
	static const struct {
		const char *in, *out;
	} t[] = {
		{ "", "" },
		{ " \t ", "" },
		{ ",", "" },
		{ ", ,\t,", "" },
		{ "Accept", "Accept" },
		{ "a,b", "a|b" },
		{ ", X-A,, X-B ,,", "X-A|X-B" },
		{ "\ta\t,\tb\t", "a|b" },
		{ "*", "*" },
		{ "*, Foo", "*|Foo" },
		{ "Foo,*", "Foo|*" },
		{ "Foo Bar", "!Foo Bar" },
		{ "Foo Bar, Baz", "!Foo Bar|Baz" },
		{ "\"Accept\"", "!\"Accept\"" },
		{ "\"a,b\"", "!\"a|!b\"" },
		{ "Foo;q=1, b", "!Foo;q=1|b" },
		{ "Accept:", "!Accept:" },
		{ "a/b", "!a/b" },
		{ "=", "!=" },
		{ "a,=,b", "a|!=|b" },
		{ "b , c d ", "b|!c d" },
		{ "!#$%&'*+-.^_`|~09AZaz", "!#$%&'*+-.^_`|~09AZaz" },
	};
	char out[128];
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		read_all(t[i].in, strlen(t[i].in), out, sizeof out);
		assert_string_equal(t[i].out, out);
	}
}

static void
every_byte_is_either_token_comma_blank_or_error(void **state)
{
	static const char tchars[] =
	    "!#$%&'*+-.^_`|~0123456789"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
	int c;

	for (c = 0; c < 256; c++) {
		char v[3] = { 'a', (char)c, 'b' };
		struct vary_field f;
		struct vary_span s;
		enum vary_status st;
		bool is_token = c != 0 && strchr(tchars, c) != NULL;

		vary_field_init(&f, v, 3);
		st = vary_field_next(&f, &s);
		assert_int_equal(is_token, vary_is_tchar((char)c));
		if (is_token || c == ',')
			assert_int_equal(VARY_OK, st);
		else
			assert_int_equal(VARY_SYNTAX, st);
	}
}

static void
the_position_stays_on_the_offending_byte(void **state)
{
	static const char v[] = "ok, foo  bar baz , next";
	struct vary_field f;
	struct vary_span s;

	vary_field_init(&f, v, sizeof v - 1);
	assert_int_equal(VARY_OK, vary_field_next(&f, &s));
	assert_int_equal(VARY_SYNTAX, vary_field_next(&f, &s));
	assert_ptr_equal(v + 9, f.p);
	vary_field_skip(&f, &s);
	assert_int_equal(12, s.len);
	assert_ptr_equal(v + 4, s.b);
	assert_int_equal(VARY_OK, vary_field_next(&f, &s));
	assert_int_equal(4, s.len);
}

static void
names_of_any_length_are_members(void **state)
{
	enum {
		LEN = 100000
	};
	char *v = malloc(LEN);
	struct vary_field f;
	struct vary_span s;

	assert_non_null(v);
	memset(v, 'x', LEN);
	vary_field_init(&f, v, LEN);
	assert_int_equal(VARY_OK, vary_field_next(&f, &s));
	assert_int_equal(LEN, s.len);
	assert_int_equal(VARY_END, vary_field_next(&f, &s));
	free(v);
}

static void
names_compare_without_case(void **state)
{
	assert_true(vary_name_eq(vary_span_str("ACCEPT-encoding"),
	    vary_span_str("accept-ENCODING")));
	assert_false(vary_name_eq(
	    vary_span_str("Accept"), vary_span_str("Accept-Encoding")));
	assert_true(vary_name_cmp(vary_span_str("a"), vary_span_str("B")) < 0);
	assert_true(vary_name_cmp(vary_span_str("aa"), vary_span_str("A")) > 0);
	/* The first byte counts as the others do. */
	assert_false(vary_name_eq(vary_span_str("DPR"), vary_span_str("XPR")));
	assert_false(vary_is_token("(a", 2));
	/* Not letters: 0x40/0x60 and 0x5b/0x7b differ by the case bit only. */
	assert_false(vary_name_eq(vary_span_str("@"), vary_span_str("`")));
	assert_false(vary_name_eq(vary_span_str("["), vary_span_str("{")));
	assert_true(vary_is_token("Accept", 6));
	assert_false(vary_is_token("", 0));
	assert_false(vary_is_token("a b", 3));
	assert_int_equal(0, vary_span_str(NULL).len);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_are_read_as_rfc9110_has_them),
		cmocka_unit_test(
		    every_byte_is_either_token_comma_blank_or_error),
		cmocka_unit_test(the_position_stays_on_the_offending_byte),
		cmocka_unit_test(names_of_any_length_are_members),
		cmocka_unit_test(names_compare_without_case),
	};

	return (cmocka_run_group_tests_name("field", tests, NULL, NULL));
}
