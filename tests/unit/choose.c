/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/unit.h"

#include "vary/choose.h"

struct row {
	const char *words, *value, *want; /* want NULL: nothing chosen */
};

static size_t
split(char *text, struct vary_span *w)
{
	size_t n = 0;
	char *save, *s;

	for (s = strtok_r(text, ",", &save); s != NULL;
	     s = strtok_r(NULL, ",", &save)) {
		while (*s == ' ')
			s++;
		w[n++] = vary_span_str(s);
	}
	return (n);
}

enum what {
	LANGUAGE,
	MEDIA,
	MEDIA_ALL,
	MEDIA_NONE,
	ENCODING,
	UP,
	DOWN
};

static void
check(const struct row *t, size_t n, enum what what)
{
	size_t i;

	for (i = 0; i < n; i++) {
		struct vary_span w[VARY_WORDS_MAX], value;
		char *text = strdup(t[i].words);
		char *in = unit_exact(t[i].value, strlen(t[i].value));
		struct vary_words words = { w, split(text, w) };
		bool capped = true;
		unsigned k = VARY_NONE;

		value = (struct vary_span){ in, strlen(t[i].value) };
		switch (what) {
		case LANGUAGE:
			k = vary_choose_language(&words, 0, value, &capped);
			break;
		case MEDIA:
			k = vary_choose_media(
			    &words, VARY_WILDCARD_AUTO, value, &capped);
			break;
		case MEDIA_ALL:
			k = vary_choose_media(
			    &words, VARY_WILDCARD_ALL, value, &capped);
			break;
		case MEDIA_NONE:
			k = vary_choose_media(
			    &words, VARY_WILDCARD_NONE, value, &capped);
			break;
		case ENCODING:
			k = vary_choose_encoding(&words, value, &capped);
			break;
		case UP:
			k = vary_choose_bucket(&words, VARY_ROUND_UP, value);
			capped = false;
			break;
		case DOWN:
			k = vary_choose_bucket(&words, VARY_ROUND_DOWN, value);
			capped = false;
			break;
		}
		assert_false(capped);
		if (t[i].want == NULL) {
			if (k != VARY_NONE)
				fail_msg("\"%s\" chose \"%.*s\"", t[i].value,
				    (int)w[k].len, w[k].b);
		} else {
			if (k == VARY_NONE)
				fail_msg("\"%s\" chose nothing", t[i].value);
			if (w[k].len != strlen(t[i].want) ||
			    memcmp(w[k].b, t[i].want, w[k].len) != 0)
				fail_msg("\"%s\" chose \"%.*s\"", t[i].value,
				    (int)w[k].len, w[k].b);
		}
		free(text);
		free(in);
	}
}
#define CHECK(t, what) check(t, sizeof(t) / sizeof *(t), what)

static void
languages_are_looked_up_as_rfc4647_says(void **state)
{
	static const struct row t[] = {
		{ "en, fr, de", "en-US,en;q=0.9,de;q=0.8", "en" },
		{ "en, fr, de", "de", "de" },
		{ "en, fr, de", "ja, zh;q=0.9", "en" }, /* none: the first */
		{ "en, fr, de", "", "en" },
		{ "en, fr, de", "*", "en" },
		{ "en, fr, de", "*, fr;q=0.1", "fr" },
		{ "en, fr, de", "fr;q=0.5, de;q=1.0", "de" },
		{ "en, fr, de", "FR-ca", "fr" },
		/* The client's order of equals makes no variants. */
		{ "en, fr, de", "de, en", "en" },
		{ "en, fr, de", "en, de", "en" },
		{ "en, fr, de", " eN ,   De", "en" },
		/* Lookup cuts the range, never the word. */
		{ "fr, en-GB", "en", "fr" },
		{ "fr, en-GB", "en-GB-oxendict", "en-GB" },
		{ "en, zh-Hant", "zh-Hant-CN-x-private1", "zh-Hant" },
		{ "en, de-CH, de", "de-CH-1996", "de-CH" },
		{ "en, de", "deu", "en" },
		/* A better weight first, cut down completely. */
		{ "en, fr, de", "de-AT;q=0.9, fr;q=0.8", "de" },
		/* q=0 rules out, the longest range that covers decides. */
		{ "en, fr, de", "en;q=0", "fr" },
		{ "en, fr, de", "en;q=0, fr;q=0", "de" },
		{ "en, fr, de", "en;q=0, fr;q=0, de;q=0", "en" },
		{ "en-GB, fr", "en;q=0", "fr" },
		{ "en-GB, fr", "en;q=0, en-GB;q=0.2", "en-GB" },
		{ "en, fr", "en;q=0, *", "fr" },
		{ "en, fr", "en;q=0.000, fr;q=0.001", "fr" },
		/* Malformed parts go, the rest stays. */
		{ "en, fr, de", "en_US, fr;q=2, de;q=0.5", "de" },
		{ "en, fr, de", "fr;q=, de;q=0.1", "de" },
		{ "en, fr, de", ";q=1, , de", "de" },
		{ "en, fr, de", "fr;q=0,5", "en" },
		{ "en, fr, de", "toolonglanguage, de", "de" },
		{ "en, fr, de", "\xff\xfe, de", "de" },
		{ "en, fr, de", "fr;Q=0.3, de;q=0.2", "fr" },
		{ "en, fr, de", "fr ; q=0.3, de ;\tq=0.4", "de" },
		/* A single letter goes with the subtag after it. */
		{ "fr, de-x, de", "de-x-foo", "de" },
	};

	CHECK(t, LANGUAGE);
}

static void
media_types_are_weighed_by_the_most_specific_range(void **state)
{
	static const struct row t[] = {
		{ "image/avif, image/webp",
		    "image/avif,image/webp,image/apng,image/svg+xml,image/*,"
		    "*/*;q=0.8",
		    "image/avif" },
		{ "image/avif, image/webp", "image/webp,*/*", "image/webp" },
		{ "image/avif, image/webp", "*/*", NULL },
		{ "image/avif, image/webp",
		    "image/png,image/svg+xml,image/*;q=0.8,video/*;q=0.8,"
		    "*/*;q=0.5",
		    NULL },
		{ "image/jxl, image/webp", "image/jxl;q=0, image/webp",
		    "image/webp" },
		{ "image/jxl, image/webp", "image/jxl;q=0, image/*", NULL },
		{ "image/webp", "IMAGE/WebP", "image/webp" },
		{ "image/webp", "", NULL },
		{ "image/webp", "image", NULL },
		{ "image/webp", "image/webp/x, image/, /webp, ;;;", NULL },
		{ "image/webp", "image/\xff, image/webp;q=0.1", "image/webp" },
		/* RFC 9110's own example, section 12.5.1. */
		{ "text/html;level=3",
		    "text/*;q=0.3, text/html;q=0.7, text/html;level=1, "
		    "text/html;level=2;q=0.4, */*;q=0.5",
		    "text/html;level=3" },
		{ "text/plain, text/html;level=2, text/html",
		    "text/*;q=0.3, text/html;q=0.7, text/html;level=1, "
		    "text/html;level=2;q=0.4, */*;q=0.5",
		    "text/html" },
		{ "text/html, text/html;level=1",
		    "text/*;q=0.3, text/html;q=0.7, text/html;level=1, "
		    "text/html;level=2;q=0.4, */*;q=0.5",
		    "text/html;level=1" },
		{ "text/html, application/json",
		    "text/*;q=0.5, "
		    "application/json;q=0.3",
		    "text/html" },
		{ "text/html, application/json", "application/json",
		    "application/json" },
		{ "text/html, application/json", "application/json, text/html",
		    "text/html" },
		{ "application/json", "application/json;profile=\"a,b;q=0\"",
		    NULL },
		/* q counts wherever it stands: vmod_accept saw it first only. */
		{ "text/html;level=1, text/plain",
		    "text/html;level=1;q=0.1, text/plain;q=0.2", "text/plain" },
		/* Chosen once is chosen twice. */
		{ "text/html;level=1, text/html", "text/html;q=0.5",
		    "text/html;level=1" },
		{ "text/html;level=1, text/html", "text/html", "text/html" },
		{ "text/html;level=1, text/html", "text/html;level=1",
		    "text/html;level=1" },
		/* What follows q is an extension, no parameter of the type. */
		{ "text/html", "text/html;q=0.5;ext=1", "text/html" },
		{ "text/html, text/plain",
		    "text/plain;q=0.9;q=0, text/html;q=0.1", "text/plain" },
	};
	char a[] = "text/html;level=\"1,2\"";
	struct vary_span whole = vary_span_str(a);

	CHECK(t, MEDIA);
	assert_true(vary_is_media_type(whole));
	assert_true(vary_is_media_type(vary_span_str("a/b ; c=d")));
	assert_false(vary_is_media_type(vary_span_str("a/*")));
	assert_false(vary_is_media_type(vary_span_str("*/*")));
	assert_false(vary_is_media_type(vary_span_str("a/b;c")));
	assert_false(vary_is_media_type(vary_span_str("a/b;c=d;Q=0.5")));
	assert_false(vary_is_media_type(vary_span_str("a")));
}

static void
wildcards_choose_what_the_policy_lets_them(void **state)
{
	static const struct row all[] = {
		{ "image/avif, image/webp", "*/*", "image/avif" },
		{ "image/avif, image/webp", "image/*, image/avif;q=0.1",
		    "image/webp" },
		{ "text/html", "*/*;q=0", NULL },
	};
	static const struct row none[] = {
		{ "text/html, text/plain", "text/*", NULL },
		{ "text/html, text/plain", "text/*, text/plain;q=0.1",
		    "text/plain" },
	};
	static const struct row automatic[] = {
		{ "text/html, application/json", "*/*", NULL },
		{ "text/html, application/json", "text/*", "text/html" },
		{ "video/mp4", "video/*", NULL },
		{ "text/html", "text/html;q=0, text/*", NULL },
	};

	CHECK(all, MEDIA_ALL);
	CHECK(none, MEDIA_NONE);
	CHECK(automatic, MEDIA);
}

static void
codings_follow_weight_then_policy(void **state)
{
	static const struct row t[] = {
		{ "br, gzip", "gzip, deflate, br, zstd", "br" },
		{ "br, gzip", "gzip, deflate", "gzip" },
		{ "br, gzip", "gzip;q=1.0, br;q=0.5", "gzip" },
		{ "br, gzip", "br;q=0, gzip;q=0", NULL },
		{ "br, gzip", "*", "br" },
		{ "br, gzip", "br;q=0, *;q=0.1", "gzip" },
		{ "br, gzip", "*;q=0", NULL },
		{ "br, gzip", "", NULL },
		{ "br, gzip", "identity", NULL },
		{ "br, gzip", "identity;q=0, gzip;q=0.2", "gzip" },
		{ "br, gzip", "identity;q=0", NULL },
		{ "br, gzip", "identity, gzip;q=0.5", NULL },
		{ "br, gzip", "identity;q=0.5, gzip;q=0.5", "gzip" },
		{ "br, gzip", "x-gzip", "gzip" },
		{ "br, gzip", "GZIP", "gzip" },
		{ "br, gzip", "gzip;q=1.001, br;q=0.001", "br" },
		{ "zstd, br, gzip", "gzip, br", "br" },
	};

	CHECK(t, ENCODING);
}

static void
numbers_fall_into_buckets(void **state)
{
	static const struct row up[] = {
		{ "320, 640, 1024", "1", "320" },
		{ "320, 640, 1024", "320", "320" },
		{ "320, 640, 1024", "320.001", "640" },
		{ "320, 640, 1024", "99999", "1024" },
		{ "1, 1.5, 2", "1.25", "1.5" },
		{ "1, 1.5, 2", "-3", "1" },
		{ "1, 2", "", NULL },
		{ "1, 2", "abc", NULL },
		{ "1, 2", "1e3", NULL },
		{ "1, 2", "1.", NULL },
		{ "1, 2", ".5", NULL },
		{ "1, 2", "1.0000", "1" },
		/* What browsers send for a page at 133 %, 110 %. */
		{ "1, 1.333, 2", "1.33333", "2" },
		{ "1, 1.5, 2", "1.100000023841858", "1.5" },
		{ "1, 2", "1.00000000000000000000000000000000000000", "1" },
		{ "-1, 0, 1", "-1.0001", "-1" },
		{ "-1, 0, 1", "-0.9999", "0" },
		{ "-1, 0, 1", "-0.0001", "0" },
		{ "-1, 0, 1", "0.0001", "1" },
		{ "-1, 0, 1", "-0", "0" },
		{ "1, 2", "1.0000x", NULL },
		{ "1, 2", "1.2.3", NULL },
		{ "1, 2", "2;a=b;c", "2" },
		{ "1, 2", ";2", NULL },
		{ "1, 2", "2, 2", NULL },
		{ "1, 2", "007", "2" },
		{ "1, 2", "-", NULL },
		{ "1, 2", "999999999999999", "2" },
		{ "1, 2", "9999999999999999", NULL },
		{ "1, 2", "999999999999.5", "2" },
		{ "1, 2", "9999999999999.5", NULL },
		{ "1, 2", "0x1", NULL },
		{ "1, 2", "+1", NULL },
	};
	static const struct row down[] = {
		{ "320, 640, 1024", "1", "320" },
		{ "320, 640, 1024", "639", "320" },
		{ "320, 640, 1024", "640", "640" },
		{ "320, 640, 1024", "99999", "1024" },
		{ "1, 1.333, 2", "1.33333", "1.333" },
		{ "1, 1.333, 2", "1.33299999", "1" },
		{ "-1, 0, 1", "-0.0001", "-1" },
		{ "-1, 0, 1", "-1.0001", "-1" },
		{ "-1, 0, 1", "0.9999", "0" },
	};

	CHECK(up, UP);
	CHECK(down, DOWN);
}

static void
over_a_limit_is_answered_as_absent(void **state)
{
	struct vary_span w[] = { { "en", 2 }, { "de", 2 } };
	struct vary_words words = { w, 2 };
	char *big = malloc(VARY_ACCEPT_LEN + 1);
	char many[VARY_ACCEPT_ELEMENTS * 3 + 3];
	bool capped;
	size_t i;

	memset(big, 'a', VARY_ACCEPT_LEN + 1);
	memcpy(big, "de,", 3);
	assert_int_equal(
	    1, vary_choose_language(&words, 0,
		   (struct vary_span){ big, VARY_ACCEPT_LEN }, &capped));
	assert_false(capped);
	assert_int_equal(
	    0, vary_choose_language(&words, 0,
		   (struct vary_span){ big, VARY_ACCEPT_LEN + 1 }, &capped));
	assert_true(capped);
	for (i = 0; i <= VARY_ACCEPT_ELEMENTS; i++)
		memcpy(many + 3 * i, "de,", 3);
	assert_int_equal(1,
	    vary_choose_language(&words, 0,
		(struct vary_span){ many, VARY_ACCEPT_ELEMENTS * 3 }, &capped));
	assert_false(capped);
	assert_int_equal(VARY_NONE,
	    vary_choose_encoding(&words,
		(struct vary_span){ many, VARY_ACCEPT_ELEMENTS * 3 + 3 },
		&capped));
	assert_true(capped);
	free(big);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(languages_are_looked_up_as_rfc4647_says),
		cmocka_unit_test(
		    media_types_are_weighed_by_the_most_specific_range),
		cmocka_unit_test(wildcards_choose_what_the_policy_lets_them),
		cmocka_unit_test(codings_follow_weight_then_policy),
		cmocka_unit_test(numbers_fall_into_buckets),
		cmocka_unit_test(over_a_limit_is_answered_as_absent),
	};

	return (cmocka_run_group_tests_name("choose", tests, NULL, NULL));
}
