/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/unit.h"

#include <stdio.h>

#include "vary/request.h"

struct rule_text {
	enum vary_form form;
	const char *words;
	bool sort, lower;
};

static struct vary_span words[VARY_WORDS_MAX];

static struct vary_request_rule
make(const struct rule_text *t)
{
	static char text[512];
	struct vary_request_rule r = { .form = t->form,
		.sort = t->sort,
		.lower = t->lower,
		.words = { words, 0 } };
	char *save, *s;

	(void)snprintf(text, sizeof text, "%s", t->words);
	for (s = strtok_r(text, ",", &save); s != NULL;
	     s = strtok_r(NULL, ",", &save)) {
		while (*s == ' ')
			s++;
		assert_true(vary_request_word_ok(t->form, vary_span_str(s)));
		words[r.words.n++] = vary_span_str(s);
	}
	return (r);
}

/* The result as text: "-" absent, "!" in front where it was capped. */
static void
apply(const struct vary_request_rule *r, const char *in, char *out, size_t cap)
{
	struct vary_request_value v;
	struct vary_span value, *vp = NULL;
	char *exact = NULL, *buf;
	size_t bound;

	if (in != NULL) {
		exact = unit_exact(in, strlen(in));
		value = (struct vary_span){ exact, strlen(in) };
		vp = &value;
	}
	bound = vary_request_bound(r, vp);
	buf = malloc(bound + 1);
	if (bound > 0)
		assert_int_equal(VARY_NOSPACE,
		    vary_request_apply(r, vp, buf, bound - 1, &v));
	assert_int_equal(VARY_OK, vary_request_apply(r, vp, buf, bound, &v));
	assert_true(v.v.len + 2 < cap);
	(void)snprintf(out, cap, "%s%.*s", v.capped ? "!" : "",
	    v.present ? (int)v.v.len : 1, v.present ? v.v.b : "-");
	free(buf);
	free(exact);
}

static void
each_form_has_its_result(void **state)
{
	static const struct {
		struct rule_text rule;
		const char *in, *want;
	} t[] = {
		{ { VARY_FORM_LANGUAGE, "en, fr", 0, 0 }, NULL, "en" },
		{ { VARY_FORM_LANGUAGE, "en, fr", 0, 0 }, "fr-CA", "fr" },
		{ { VARY_FORM_MEDIA, "image/webp", 0, 0 }, NULL, "-" },
		{ { VARY_FORM_MEDIA, "image/webp", 0, 0 }, "image/webp",
		    "image/webp" },
		{ { VARY_FORM_ENCODING, "br, gzip", 0, 0 }, NULL, "-" },
		{ { VARY_FORM_ENCODING, "br, gzip", 0, 0 }, "gzip, br", "br" },
		{ { VARY_FORM_COOKIE, "session, lang", 0, 0 }, NULL, "-" },
		{ { VARY_FORM_COOKIE, "session, lang", 0, 0 },
		    "_ga=GA1.2; lang=de;session=s1 ; x=y",
		    "session=s1; lang=de" },
		{ { VARY_FORM_COOKIE, "session, lang", 0, 0 }, "_ga=1", "-" },
		{ { VARY_FORM_COOKIE, "session, lang", 0, 0 }, "", "-" },
		{ { VARY_FORM_COOKIE, "session", 0, 0 }, "session=a; session=b",
		    "session=a" },
		/* Names are compared with their case; a part of one is none. */
		{ { VARY_FORM_COOKIE, "session", 0, 0 },
		    "Session=a; xsession=b; sessionx=c; session", "-" },
		{ { VARY_FORM_COOKIE, "a", 0, 0 }, "a=\"x; y\"", "a=\"x" },
		{ { VARY_FORM_COOKIE, "a", 0, 0 }, "a=", "a=" },
		{ { VARY_FORM_COOKIE, "a", 0, 0 }, "a=b=c", "a=b=c" },
		{ { VARY_FORM_COOKIE, "a", 0, 0 }, ";; ;a=\"q\";", "a=\"q\"" },
		{ { VARY_FORM_COOKIE, "a[b]", 0, 0 }, "a=1; a[b]=2", "a[b]=2" },
		{ { VARY_FORM_ALLOW, "https://a.example, https://b.example", 0,
		      0 },
		    "https://b.example", "https://b.example" },
		{ { VARY_FORM_ALLOW, "https://a.example", 0, 0 },
		    "https://a.example.evil", "-" },
		{ { VARY_FORM_ALLOW, "https://a.example", 0, 0 }, "null", "-" },
		{ { VARY_FORM_ALLOW, "https://a.example", 0, 0 }, NULL, "-" },
		{ { VARY_FORM_PRESENCE, "", 0, 0 }, "anything", "1" },
		{ { VARY_FORM_PRESENCE, "", 0, 0 }, "", "1" },
		{ { VARY_FORM_PRESENCE, "", 0, 0 }, NULL, "-" },
		{ { VARY_FORM_LIST, "", 0, 0 }, " 1 ,,2,\t3 , ", "1, 2, 3" },
		{ { VARY_FORM_LIST, "", 0, 0 }, "1,2", "1, 2" },
		{ { VARY_FORM_LIST, "", 0, 0 }, "b, A, b", "b, A, b" },
		{ { VARY_FORM_LIST, "", 1, 0 }, "b, A, b", "A, b" },
		{ { VARY_FORM_LIST, "", 1, 1 }, "b, A, B", "a, b" },
		{ { VARY_FORM_LIST, "", 0, 1 }, "b, A", "b, a" },
		{ { VARY_FORM_LIST, "", 0, 0 }, "\"a,b\" , c", "\"a,b\", c" },
		{ { VARY_FORM_LIST, "", 0, 0 }, "\"a\\\",b\" , c",
		    "\"a\\\",b\", c" },
		{ { VARY_FORM_LIST, "", 0, 0 }, ", ,", "-" },
		{ { VARY_FORM_LIST, "", 0, 0 }, "", "-" },
		{ { VARY_FORM_LIST, "", 0, 0 }, NULL, "-" },
		{ { VARY_FORM_BUCKET, "320, 640", 0, 0 }, "400", "640" },
		{ { VARY_FORM_BUCKET, "320, 640", 0, 0 }, "wide", "-" },
		{ { VARY_FORM_BRANDS, "", 0, 0 },
		    "\"Not_A Brand\";v=\"8\", \"Google Chrome\";v=\"120.0.1\", "
		    "\"Chromium\";v=\"120\"",
		    "\"Chromium\";v=\"120\", \"Google Chrome\";v=\"120\"" },
		{ { VARY_FORM_BRANDS, "", 0, 0 },
		    "\"Chromium\";v=\"120\",\"Not;A=Brand\";v=\"24\"",
		    "\"Chromium\";v=\"120\"" },
		{ { VARY_FORM_BRANDS, "", 0, 0 }, "\"(Not(A:Brand\";v=\"8\"",
		    "-" },
		{ { VARY_FORM_BRANDS, "", 0, 0 }, "Chromium;v=120, \"X\"",
		    "-" },
		{ { VARY_FORM_BRANDS, "chromium", 0, 0 },
		    "\"Evil 17\";v=\"1\", \"Chromium\";v=\"9\"",
		    "\"Chromium\";v=\"9\"" },
		{ { VARY_FORM_BRANDS, "Chromium", 0, 0 },
		    "\"Evil 17\";v=\"1\", \"Chromium\";v=\"9\"",
		    "\"Chromium\";v=\"9\"" },
		{ { VARY_FORM_BRANDS, "", 0, 0 }, "\"A\";v=\"123456\"", "-" },
		{ { VARY_FORM_BRANDS, "", 0, 0 }, "\"A\";v=\"x\"", "-" },
		{ { VARY_FORM_BRANDS, "", 0, 0 }, "\"A\";x=\"1\";v=\"120\"",
		    "\"A\";v=\"120\"" },
		{ { VARY_FORM_DROP, "", 0, 0 }, "x", "-" },
	};
	char out[512];
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		struct vary_request_rule r = make(&t[i].rule);

		apply(&r, t[i].in, out, sizeof out);
		assert_string_equal(t[i].want, out);
	}
}

static void
words_must_suit_their_form(void **state)
{
	static const struct {
		enum vary_form form;
		const char *word;
		bool ok;
	} t[] = {
		{ VARY_FORM_LANGUAGE, "en-GB", true },
		{ VARY_FORM_LANGUAGE, "*", false },
		{ VARY_FORM_LANGUAGE, "en_GB", false },
		{ VARY_FORM_LANGUAGE, "en-", false },
		{ VARY_FORM_MEDIA, "image/webp", true },
		{ VARY_FORM_MEDIA, "image/*", false },
		{ VARY_FORM_MEDIA, "webp", false },
		{ VARY_FORM_ENCODING, "br", true },
		{ VARY_FORM_ENCODING, "*", false },
		{ VARY_FORM_ENCODING, "identity", false },
		{ VARY_FORM_COOKIE, "a b", false },
		{ VARY_FORM_COOKIE, "user[lang]", true },
		{ VARY_FORM_COOKIE, "__Host-sid", true },
		{ VARY_FORM_COOKIE, "a=b", false },
		{ VARY_FORM_COOKIE, "a; b", false },
		{ VARY_FORM_COOKIE, "a\"", false },
		{ VARY_FORM_COOKIE, "\xc3\xa9", false },
		{ VARY_FORM_BRANDS, "Google Chrome", true },
		{ VARY_FORM_BRANDS, "\"Google Chrome\"", false },
		{ VARY_FORM_BRANDS, "Not A;Brand", false },
		{ VARY_FORM_MEDIA, "image/webp;q=0.5", false },
		{ VARY_FORM_LANGUAGE, "en;q=0.5", false },
		{ VARY_FORM_ENCODING, "gzip;q=0.5", false },
		{ VARY_FORM_BUCKET, "1.3333", false },
		{ VARY_FORM_BUCKET, "1.5", true },
		{ VARY_FORM_BUCKET, "x", false },
		{ VARY_FORM_ALLOW, "https://a.example", true },
		{ VARY_FORM_ALLOW, "", false },
		{ VARY_FORM_ALLOW, "a\nb", false },
		{ VARY_FORM_PRESENCE, "x", false },
	};
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++)
		assert_int_equal(t[i].ok,
		    vary_request_word_ok(t[i].form, vary_span_str(t[i].word)));
}

static void
words_must_be_what_clients_send(void **state)
{
	static const struct {
		enum vary_form form;
		const char *header, *word;
		bool sent;
	} t[] = {
		{ VARY_FORM_ALLOW, "Origin", "https://a.example", true },
		{ VARY_FORM_ALLOW, "origin", "http://a.example:8080", true },
		{ VARY_FORM_ALLOW, "Origin", "https://[2001:db8::1]", true },
		{ VARY_FORM_ALLOW, "Origin", "app-x://abc_d", true },
		{ VARY_FORM_ALLOW, "Origin", "null", true },
		{ VARY_FORM_ALLOW, "Origin", "https://*.a.example", false },
		{ VARY_FORM_ALLOW, "Origin", "*", false },
		{ VARY_FORM_ALLOW, "Origin", "https://a.example/", false },
		{ VARY_FORM_ALLOW, "Origin", "https://a.example/x", false },
		{ VARY_FORM_ALLOW, "Origin", "https://A.example", false },
		{ VARY_FORM_ALLOW, "Origin", "HTTPS://a.example", false },
		{ VARY_FORM_ALLOW, "Origin", "https://a.example:443", false },
		{ VARY_FORM_ALLOW, "Origin", "http://a.example:80", false },
		{ VARY_FORM_ALLOW, "Origin", "http://a.example:443", true },
		{ VARY_FORM_ALLOW, "Origin", "a.example", false },
		{ VARY_FORM_ALLOW, "Origin", "//a.example", false },
		{ VARY_FORM_ALLOW, "Origin", "://a.example", false },
		{ VARY_FORM_ALLOW, "Origin", "https:/a.example", false },
		{ VARY_FORM_ALLOW, "Origin", "https://", false },
		{ VARY_FORM_ALLOW, "Origin", "https:", false },
		{ VARY_FORM_ALLOW, "Origin", "https", false },
		{ VARY_FORM_ALLOW, "Origin", "/", false },
		{ VARY_FORM_ALLOW, "Origin", "https://a.example b", false },
		{ VARY_FORM_ALLOW, "Origin", "https://\xc3\xa9.example",
		    false },
		{ VARY_FORM_ALLOW, "X-Plan", "gold", true },
		{ VARY_FORM_ALLOW, "X-Plan", "gold *", false },
		{ VARY_FORM_ALLOW, "Accept", "*/*", true },
		{ VARY_FORM_ALLOW, "accept-language", "*", true },
		{ VARY_FORM_ALLOW, "Acc", "*", false },
		{ VARY_FORM_COOKIE, "Cookie", "SESS*", false },
		{ VARY_FORM_COOKIE, "Cookie", "SESS", true },
		{ VARY_FORM_BUCKET, "DPR", "1", true },
	};
	struct vary_request_rule r = { .form = VARY_FORM_ALLOW };
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		char *exact = unit_exact(t[i].word, strlen(t[i].word));

		r.form = t[i].form;
		r.name = vary_span_str(t[i].header);
		if (vary_request_word_sent(
			&r, (struct vary_span){ exact, strlen(t[i].word) }) !=
		    t[i].sent)
			fail_msg("%s: %s", t[i].header, t[i].word);
		free(exact);
	}
}

static void
forms_suit_their_header(void **state)
{
	static const struct {
		enum vary_form form;
		const char *header;
		enum vary_doubt doubt;
	} t[] = {
		{ VARY_FORM_LIST, "X-Feature", VARY_DOUBT_NONE },
		{ VARY_FORM_LIST, "vary", VARY_DOUBT_ITSELF },
		{ VARY_FORM_LIST, "Cookie", VARY_DOUBT_COOKIE },
		{ VARY_FORM_LANGUAGE, "cookie", VARY_DOUBT_COOKIE },
		{ VARY_FORM_PRESENCE, "Cookie", VARY_DOUBT_NONE },
		{ VARY_FORM_DROP, "Cookie", VARY_DOUBT_NONE },
		{ VARY_FORM_COOKIE, "Cookie", VARY_DOUBT_NONE },
		{ VARY_FORM_LANGUAGE, "Content-Language", VARY_DOUBT_INERT },
		{ VARY_FORM_DROP, "Set-Cookie", VARY_DOUBT_INERT },
		{ VARY_FORM_PRESENCE, "Range", VARY_DOUBT_UNKEYABLE },
		{ VARY_FORM_DROP, "Range", VARY_DOUBT_NONE },
	};
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		struct vary_request_rule r = { .form = t[i].form,
			.name = vary_span_str(t[i].header) };

		assert_int_equal(t[i].doubt, vary_request_doubt(&r));
	}
}

static void
words_differ_in_case_where_it_counts(void **state)
{
	static const struct {
		enum vary_form form;
		bool eq;
	} t[] = { { VARY_FORM_LANGUAGE, true }, { VARY_FORM_MEDIA, true },
		{ VARY_FORM_ENCODING, true }, { VARY_FORM_COOKIE, false },
		{ VARY_FORM_ALLOW, false }, { VARY_FORM_BRANDS, true } };
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		assert_int_equal(
		    t[i].eq, vary_request_word_eq(t[i].form,
				 vary_span_str("a/B"), vary_span_str("A/b")));
		assert_true(vary_request_word_eq(
		    t[i].form, vary_span_str("a/b"), vary_span_str("a/b")));
		assert_false(vary_request_word_eq(
		    t[i].form, vary_span_str("a/b"), vary_span_str("a/bc")));
	}
}

static const struct rule_text all_forms[] = {
	{ VARY_FORM_LANGUAGE, "a, b-a, q", 0, 0 },
	{ VARY_FORM_MEDIA, "a/b, b/a;q1=b", 0, 0 },
	{ VARY_FORM_ENCODING, "a, b", 0, 0 },
	{ VARY_FORM_COOKIE, "a, b", 0, 0 },
	{ VARY_FORM_ALLOW, "a, =1", 0, 0 },
	{ VARY_FORM_PRESENCE, "", 0, 0 },
	{ VARY_FORM_LIST, "", 0, 0 },
	{ VARY_FORM_LIST, "", 1, 0 },
	{ VARY_FORM_LIST, "", 1, 1 },
	{ VARY_FORM_LIST, "", 0, 1 },
	{ VARY_FORM_BUCKET, "1, 11", 0, 0 },
	{ VARY_FORM_BRANDS, "", 0, 0 },
	{ VARY_FORM_DROP, "", 0, 0 },
};

/* f(f(x)) = f(x), of random input, for every form. */
static void
every_form_is_idempotent(void **state)
{
	static const char *const bits[] = { "a", "b", "q", "1", "0", ".", "=",
		";", ",", "\"", "\\", " ", "\t", "/", "*", "-", ";q=0.5",
		"\"a\";v=\"1\"", "a/b", "a=1", "A", "\x80" };
	uint64_t seed = 42;
	char in[256], once[2048], twice[2048];
	size_t f, i;
	int round;

	for (f = 0; f < sizeof all_forms / sizeof *all_forms; f++) {
		struct vary_request_rule r = make(&all_forms[f]);

		for (round = 0; round < 20000; round++) {
			size_t n = 0, parts;

			seed = seed * UINT64_C(6364136223846793005) + 12345;
			parts = (size_t)(seed >> 33) % 20;
			for (i = 0; i < parts; i++) {
				seed = seed * UINT64_C(6364136223846793005) +
				       12345;
				n += (size_t)sprintf(in + n, "%s",
				    bits[(seed >> 33) %
					 (sizeof bits / sizeof *bits)]);
			}
			in[n] = '\0';
			apply(&r, in, once, sizeof once);
			apply(&r, strcmp(once, "-") == 0 ? NULL : once, twice,
			    sizeof twice);
			if (strcmp(once, twice) != 0)
				fail_msg("form %zu: [%s] -> [%s] -> [%s]", f,
				    in, once, twice);
		}
	}
}

static void
too_much_is_capped(void **state)
{
	struct rule_text cookie = { VARY_FORM_COOKIE, "a, b", 0, 0 };
	struct rule_text sorted = { VARY_FORM_LIST, "", 1, 0 };
	struct rule_text brands = { VARY_FORM_BRANDS, "", 0, 0 };
	struct vary_request_rule r = make(&cookie);
	char *in = malloc(20000), *out = malloc(20000);
	size_t n, i;

	n = (size_t)sprintf(in, "a=%*d; b=1", VARY_COOKIE_LEN, 0);
	assert_int_equal(VARY_COOKIE_LEN + 7, n);
	apply(&r, in, out, 20000);
	assert_string_equal("!b=1", out);
	r = make(&sorted);
	for (i = n = 0; i <= VARY_LIST_MAX; i++)
		n += (size_t)sprintf(in + n, "%zu,", VARY_LIST_MAX - i);
	apply(&r, in, out, 20000);
	assert_memory_equal("!64, 63, 62", out, 11);
	r = make(&brands);
	for (i = n = 0; i <= VARY_LIST_MAX; i++)
		n += (size_t)sprintf(in + n, "\"B%zu\";v=\"1\",", i);
	apply(&r, in, out, 20000);
	assert_string_equal("!-", out);
	free(in);
	free(out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_form_has_its_result),
		cmocka_unit_test(words_must_suit_their_form),
		cmocka_unit_test(words_must_be_what_clients_send),
		cmocka_unit_test(forms_suit_their_header),
		cmocka_unit_test(words_differ_in_case_where_it_counts),
		cmocka_unit_test(every_form_is_idempotent),
		cmocka_unit_test(too_much_is_capped),
	};

	return (cmocka_run_group_tests_name("request", tests, NULL, NULL));
}
