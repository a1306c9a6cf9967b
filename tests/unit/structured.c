/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/unit.h"

#include <stdio.h>

#include "vary/structured.h"

struct text {
	char b[512];
	size_t n;
};

static void
put(struct text *t, const char *s, size_t len)
{
	assert_true(t->n + len < sizeof t->b);
	memcpy(t->b + t->n, s, len);
	t->n += len;
	t->b[t->n] = '\0';
}

static void put_members(struct text *, struct vary_structured *);

/* The type's first letter and the value: I1 D1500 Sx Tx Bx ?1 @1 Ux (…). */
static void
put_bare(struct text *t, const struct vary_bare *v)
{
	struct vary_structured in;
	char b[64], *buf;

	if (v->type == VARY_BARE_INNER) {
		put(t, "(", 1);
		vary_structured_inner(&in, v);
		put_members(t, &in);
		put(t, ")", 1);
		return;
	}
	put(t, &"IDSTB?@U"[v->type], 1);
	if (v->text.b == NULL) {
		(void)snprintf(b, sizeof b, "%lld", v->number);
		put(t, b, strlen(b));
	} else {
		buf = malloc(v->text.len + 1);
		put(t, buf, vary_bare_decode(v, buf));
		free(buf);
	}
}

static void
put_members(struct text *t, struct vary_structured *s)
{
	struct vary_member m;
	struct vary_span key;
	struct vary_bare v;
	enum vary_status st;
	bool first = true;

	while ((st = vary_structured_next(s, &m)) == VARY_OK) {
		if (!first)
			put(t, "|", 1);
		first = false;
		if (m.key.len > 0) {
			put(t, m.key.b, m.key.len);
			put(t, "=", 1);
		}
		put_bare(t, &m.value);
		while ((st = vary_structured_param(&m.params, &key, &v)) ==
		       VARY_OK) {
			put(t, ";", 1);
			put(t, key.b, key.len);
			put(t, "=", 1);
			put_bare(t, &v);
		}
		assert_int_equal(VARY_END, st);
	}
	if (st == VARY_SYNTAX)
		put(t, "!", 1);
	assert_int_equal(VARY_END, vary_structured_next(s, &m));
}

struct row {
	const char *in, *out;
};

static void
read_rows(enum vary_structured_kind kind, const struct row *r, size_t n)
{
	struct vary_structured s;
	struct text t;
	char *in;
	size_t i, len;

	for (i = 0; i < n; i++) {
		len = strlen(r[i].in);
		in = unit_exact(r[i].in, len);
		t.n = 0;
		t.b[0] = '\0';
		vary_structured_init(&s, kind, in, len);
		put_members(&t, &s);
		assert_string_equal(r[i].out, t.b);
		assert_int_equal(strchr(t.b, '!') == NULL,
		    vary_structured_ok(kind, in, len));
		free(in);
	}
}
#define READ(kind, rows) read_rows(kind, rows, sizeof rows / sizeof *rows)

static void
an_item_is_one_bare_item_with_parameters(void **state)
{
	static const struct row t[] = {
		{ "", "!" },
		{ "  ", "!" },
		{ "5", "I5" },
		{ "  -15 ", "I-15" },
		{ "-0", "I0" },
		{ "042", "I42" },
		{ "999999999999999", "I999999999999999" },
		{ "1000000000000000", "!" },
		{ "-", "!" },
		{ "--1", "!" },
		{ "+1", "!" },
		{ "4.5", "D4500" },
		{ "-0.001", "D-1" },
		{ "999999999999.999", "D999999999999999" },
		{ "1000000000000.0", "!" },
		{ "1.1234", "!" },
		{ "1.", "!" },
		{ ".1", "!" },
		{ "1 2", "!" },
		{ "5\t", "!" },
		{ "\t5", "!" },
		{ "\"\"", "S" },
		{ "\"hello, world\"", "Shello, world" },
		{ "\"a\\\"b\\\\c\"", "Sa\"b\\c" },
		{ "\"a", "!" },
		{ "\"a\\", "!" },
		{ "\"a\\n\"", "!" },
		{ "\"a\tb\"", "!" },
		{ "\"\x7f\"", "!" },
		{ "\"\xc3\xbc\"", "!" },
		{ "foo123/456", "Tfoo123/456" },
		{ "*a:b", "T*a:b" },
		{ "a\xc3\xbc", "!" },
		{ "1a", "!" },
		{ ":cHJldGVuZA==:", "Bpretend" },
		{ ":cHJldGVuZA:", "Bpretend" },
		{ "::", "B" },
		{ ":cHJl", "!" },
		{ ":a:", "!" },
		{ ":YQ===:", "!" },
		{ ":Y=Q=:", "!" },
		{ ":_-AH:", "!" },
		{ "?1", "?1" },
		{ "?0", "?0" },
		{ "?", "!" },
		{ "?2", "!" },
		{ "?10", "!" },
		{ "@1659578233", "@1659578233" },
		{ "@-1", "@-1" },
		{ "@1.5", "!" },
		{ "@", "!" },
		{ "%\"f%c3%bc%22\"", "Uf\xc3\xbc\"" },
		{ "%\"%F0\"", "!" },
		{ "%\"%C3%BC\"", "!" },
		{ "%\"%c3\"", "!" },
		{ "%\"%c0%80\"", "!" },
		{ "%\"%ed%a0%80\"", "!" },
		{ "%\"%f4%90%80%80\"", "!" },
		{ "%\"%f0%9f%8d%87\"", "U\xf0\x9f\x8d\x87" },
		{ "%\"a%2", "!" },
		{ "%\"a", "!" },
		{ "%a", "!" },
		{ "5; foo=bar;a;  b=?0", "I5;foo=Tbar;a=?1;b=?0" },
		{ "5 ;a", "!" },
		{ "5;", "!" },
		{ "5;A=1", "!" },
		{ "5;a=", "!" },
		{ "5;a =1", "!" },
		{ "5;*=1;a-b_c.d*9=2", "I5;*=I1;a-b_c.d*9=I2" },
		{ "(1 2)", "!" },
		{ "1,2", "!" },
	};

	READ(VARY_STRUCTURED_ITEM, t);
}

static void
a_list_has_items_and_inner_lists(void **state)
{
	static const struct row t[] = {
		{ "", "" },
		{ "   ", "" },
		{ "sugar, tea, rum", "Tsugar|Ttea|Trum" },
		{ "a \t,\tb", "Ta|Tb" },
		{ "a\t", "Ta" },
		{ "a,", "!" },
		{ "a, ", "!" },
		{ ",a", "!" },
		{ "a,,b", "Ta!" },
		{ "a b", "!" },
		{ "a,\xff", "Ta!" },
		{ "(\"foo\" \"bar\"), (\"baz\"), ()", "(Sfoo|Sbar)|(Sbaz)|()" },
		{ "(\"foo\"; a=1;b=2);lvl=5, x;lvl=1",
		    "(Sfoo;a=I1;b=I2);lvl=I5|Tx;lvl=I1" },
		{ "(  1   2  )", "(I1|I2)" },
		{ "(1\t2)", "!" },
		{ "(1,2)", "!" },
		{ "(1\"a\")", "!" },
		{ "(1 2", "!" },
		{ "(", "!" },
		{ "((1))", "!" },
		{ "(1 ;a)", "!" },
		{ "fr, en;d", "Tfr|Ten;d=?1" },
	};

	READ(VARY_STRUCTURED_LIST, t);
}

static void
a_dictionary_has_keys_and_what_is_not_said_is_true(void **state)
{
	static const struct row t[] = {
		{ "", "" },
		{ "en=\"Applepie\", da=:w4ZibGV0w6ZydGU=:",
		    "en=SApplepie|da=B\xc3\x86"
		    "blet\xc3\xa6rte" },
		{ "a=?0, b, c; foo=bar", "a=?0|b=?1|c=?1;foo=Tbar" },
		{ "rating=1.5, feelings=(joy sadness)",
		    "rating=D1500|feelings=(Tjoy|Tsadness)" },
		{ "a=(1 2), b=3, c=4;aa=bb, d=(5 6);valid",
		    "a=(I1|I2)|b=I3|c=I4;aa=Tbb|d=(I5|I6);valid=?1" },
		{ "a=1,b=2;x=1;y=2,a=3", "a=I1|b=I2;x=I1;y=I2|a=I3" },
		{ "A=1", "!" },
		{ "1=1", "!" },
		{ "a=", "!" },
		{ "a =1", "!" },
		{ "a= 1", "!" },
		{ "a=1,", "!" },
		{ "a;b=1 ,\tc", "a=?1;b=I1|c=?1" },
	};

	READ(VARY_STRUCTURED_DICTIONARY, t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_item_is_one_bare_item_with_parameters),
		cmocka_unit_test(a_list_has_items_and_inner_lists),
		cmocka_unit_test(
		    a_dictionary_has_keys_and_what_is_not_said_is_true),
	};

	return (cmocka_run_group_tests_name("structured", tests, NULL, NULL));
}
