/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "tests/unit/unit.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <apr_general.h>
#include <apr_pools.h>
#include <apr_strings.h>
#include <zlib.h>

#include "probe/cookie.h"
#include "probe/decode.h"
#include "probe/feature.h"
#include "probe/fix.h"
#include "probe/hash.h"
#include "probe/jar.h"
#include "probe/json.h"
#include "probe/list.h"
#include "probe/plan.h"
#include "probe/population.h"
#include "probe/profile.h"
#include "probe/random.h"
#include "probe/report.h"
#include "probe/robots.h"
#include "probe/run.h"
#include "probe/sockets.h"

static apr_pool_t *pool;

static void
pairs_keep_the_chance_of_a_false_finding_below_alpha(void **state)
{
	double tests;
	int n;

	/* facts: n=4 0.029, 5 0.0079, 6 0.0022, 8 1.6e-4, 10 1.1e-5 */
	assert_true(fabs(probe_plan_p(4) - 0.02857) < 1e-4);
	assert_true(fabs(probe_plan_p(8) - 1.554e-4) < 1e-6);
	assert_true(fabs(probe_plan_p(10) - 1.0825e-5) < 1e-8);
	assert_int_equal(8, probe_plan_pairs(60, 0.01));
	assert_int_equal(10, probe_plan_pairs(900, 0.01));
	assert_int_equal(12, probe_plan_pairs(13000, 0.01));
	for (tests = 1; tests < 1e15; tests *= 3) {
		n = probe_plan_pairs(tests, 0.01);
		assert_true(probe_plan_p(n) * tests < 0.01);
		assert_true(n == 4 || probe_plan_p(n - 1) * tests >= 0.01);
	}
}

/* The seed alone decides, and the order is no pattern. */
static void
random_numbers_repeat_and_are_even(void **state)
{
	struct probe_random a, b;
	int count[6] = { 0 }, i;
	char w[13];

	probe_random_init(&a, 1);
	probe_random_init(&b, 1);
	for (i = 0; i < 60000; i++) {
		uint64_t v = probe_random_below(&a, 6);

		assert_true(v == probe_random_below(&b, 6));
		count[v]++;
	}
	for (i = 0; i < 6; i++)
		assert_true(count[i] > 9500 && count[i] < 10500);
	probe_random_word(&a, w, sizeof w);
	assert_int_equal(12, strspn(w, "abcdefghijklmnopqrstuvwxyz"));
}

static struct probe_features
features(const char *body)
{
	struct probe_features f = { NULL, 0, 0 };

	assert_int_equal(0, probe_features_of_body(&f, 1, body, strlen(body)));
	return (f);
}

/* How many features of a are not in b. */
static size_t
beyond(const char *a, const char *b)
{
	struct probe_features x = features(a), y = features(b);
	size_t n, i, whole = 0;

	probe_features_subtract(&x, &y);
	for (i = 0; i < x.n; i++)
		whole += probe_feature_kind(x.f[i]) == PROBE_F_WHOLE;
	n = x.n - whole;
	probe_features_fini(&x);
	probe_features_fini(&y);
	return (n);
}

static void
what_a_body_consists_of(void **state)
{
	/* the order of lines is no feature, their number is */
	assert_int_equal(0, beyond("a\nb\n", "b\na\nb a b\n") > 2);
	assert_true(beyond("a\na\n", "a\n") > 0);
	assert_int_equal(0, beyond("  a  \r\n", "a\n"));
	/* one digit within a line is one */
	assert_true(beyond("x 1 y", "x 2 y") > 0);
	/* JSON: neither the order of names nor of elements */
	assert_int_equal(
	    0, beyond("{\"a\": 1, \"b\": [1, 2]}", "{\"b\":[2,1],\"a\":1}"));
	assert_true(beyond("{\"a\": 1}", "{\"b\": 1}") > 0);
	assert_true(beyond("[1, 1]", "[1]") > 0);
	assert_true(beyond("{}", "[]") > 0);
	/* what only looks like JSON is text */
	assert_true(beyond("{a b}", "{a c}") > 0);
}

static void
headers_that_differ_by_nature_are_no_features(void **state)
{
	static const struct probe_line a[] = { { "Date", 4, "Mon", 3 },
		{ "Vary", 4, "x", 1 }, { "X-A", 3, "1", 1 } };
	static const struct probe_line b[] = { { "date", 4, "Tue", 3 },
		{ "x-a", 3, "1", 1 }, { "Age", 3, "7", 1 } };
	static const struct probe_line c[] = { { "Set-Cookie", 10,
	    "id=123; Path=/", 14 } };
	static const struct probe_line d[] = { { "Set-Cookie", 10,
	    "id=987; Path=/", 14 } };
	struct probe_features x = { NULL, 0, 0 }, y = { NULL, 0, 0 };

	assert_int_equal(0, probe_features_of_head(&x, 1, 200, a, 3));
	assert_int_equal(0, probe_features_of_head(&y, 1, 200, b, 3));
	assert_int_equal(x.n, y.n);
	probe_features_subtract(&x, &y);
	assert_int_equal(0, x.n);
	/* of a cookie its name counts, not its value */
	assert_int_equal(0, probe_features_of_head(&x, 1, 200, c, 1));
	assert_int_equal(0, probe_features_of_head(&y, 1, 200, d, 1));
	probe_features_subtract(&x, &y);
	assert_int_equal(0, x.n);
	assert_int_equal(0, probe_features_of_head(&x, 1, 404, c, 1));
	probe_features_subtract(&x, &y);
	assert_int_equal(1, x.n);
	assert_int_equal(PROBE_F_STATUS, probe_feature_kind(x.f[0]));
	probe_features_fini(&x);
	probe_features_fini(&y);
}

static size_t
zip(char *out, size_t cap, const char *in, size_t len)
{
	z_stream z;

	memset(&z, 0, sizeof z);
	assert_int_equal(Z_OK,
	    deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY));
	z.next_in = (Bytef *)(size_t)in;
	z.avail_in = (uInt)len;
	z.next_out = (Bytef *)out;
	z.avail_out = (uInt)cap;
	assert_int_equal(Z_STREAM_END, deflate(&z, Z_FINISH));
	(void)deflateEnd(&z);
	return (cap - z.avail_out);
}

static void
codings_are_undone_and_bounded(void **state)
{
	struct probe_decoded d = { NULL, 0, 0 };
	char *big = calloc(1, 1 << 20), packed[8192];
	size_t n;

	assert_non_null(big);
	n = zip(packed, sizeof packed, "hello", 5);
	assert_int_equal(
	    PROBE_DECODED, probe_decode(&d, "GZIP", 4, packed, n, 100));
	assert_int_equal(5, d.len);
	assert_memory_equal("hello", d.b, 5);
	/* two members are one body */
	n += zip(packed + n, sizeof packed - n, " you", 4);
	assert_int_equal(PROBE_DECODED,
	    probe_decode(&d, "identity, x-gzip", 16, packed, n, 100));
	assert_int_equal(9, d.len);
	assert_int_equal(
	    PROBE_CUT, probe_decode(&d, "gzip", 4, packed, n - 6, 100));
	assert_int_equal(
	    PROBE_DAMAGED, probe_decode(&d, "gzip", 4, "hello", 5, 100));
	assert_int_equal(
	    PROBE_UNKNOWN, probe_decode(&d, "rot13", 5, "hello", 5, 100));
	assert_int_equal(
	    PROBE_DECODED, probe_decode(&d, "gzip", 4, "", 0, 100));
	n = zip(packed, sizeof packed, big, 1 << 20);
	assert_int_equal(
	    PROBE_CUT, probe_decode(&d, "gzip", 4, packed, n, 1000));
	assert_int_equal(1000, d.len);
	probe_decoded_fini(&d);
	free(big);
}

static void
hits_as_the_model_has_them(void **state)
{
	static const double want[] = { 0.073, 0.320, 0.630, 0.848, 0.947 };
	const struct probe_population *ua =
	    probe_population_builtin("User-Agent");
	struct probe_population p, q;
	static const char text[] = "# x\na\t3\n1\tb\r\n\nbad\t-1\n";
	double n = 1;
	int i;

	assert_true(fabs(probe_population_effective(ua) - 48.09) < 0.05);
	for (i = 0; i < 5; i++, n *= 10)
		assert_true(
		    fabs(probe_population_hits(ua, n) - want[i]) < 0.001);
	assert_int_equal(APR_SUCCESS,
	    probe_population_read(&p, "X", text, sizeof text - 1, pool));
	/* 3, 1, and "bad\t-1", which counts as a line without a weight */
	assert_true(fabs(probe_population_hits(&p, 1e9) - 1) < 1e-6);
	probe_population_multiply(&q, ua, ua, pool);
	assert_true(fabs(log(probe_population_effective(&q)) -
			 2 * log(probe_population_effective(ua))) < 0.02);
	assert_int_equal(
	    APR_EINVAL, probe_population_read(&p, "X", "#\n", 2, pool));
}

static bool
stores(const char *profile, int status, const char *name, const char *value)
{
	struct probe_line l = { name, strlen(name), value, strlen(value) };
	const char *why;

	return (probe_profile_stores(
	    probe_profile_find(profile), status, &l, 1, false, &why));
}

static void
caches_differ_in_what_they_store(void **state)
{
	static const struct probe_line both[] = {
		{ "Cache-Control", 13, "private", 7 },
		{ "Surrogate-Control", 17, "max-age=60", 10 },
	};
	const char *why;

	assert_true(stores("varnish", 200, "X", "y"));
	assert_false(stores("varnish", 200, "Set-Cookie", "a=b"));
	assert_true(stores("rfc9111", 200, "Set-Cookie", "a=b"));
	assert_false(stores("varnish", 200, "Cache-Control", "private"));
	assert_true(stores("browser", 200, "Cache-Control", "private"));
	assert_false(stores("varnish", 200, "cache-control", "no-cache"));
	assert_false(stores("rfc9111", 200, "Cache-Control", "NO-STORE"));
	assert_false(stores("varnish", 500, "X", "y"));
	/* No date is the past, and nothing at all for Varnish. */
	assert_false(stores("rfc9111", 200, "Expires", "0"));
	assert_true(stores("varnish", 200, "Expires", "0"));
	assert_true(
	    stores("rfc9111", 302, "Expires", "Thu, 01 Jan 2099 00:00:00 GMT"));
	assert_true(stores("varnish", 302, "Cache-Control", "max-age=10"));
	assert_false(stores("varnish", 200, "Cache-Control", "max-age=0"));
	assert_true(stores(
	    "varnish", 200, "Cache-Control", "max-age=0, s-maxage=\"60\""));
	assert_true(stores(
	    "varnish", 200, "Cache-Control", "ext=\"no-store, private\""));
	/* Fastly has a list of statuses, whatever the headers say. */
	assert_true(stores("fastly", 302, "X", "y"));
	assert_false(stores("fastly", 204, "X", "y"));
	assert_false(stores("fastly", 500, "Cache-Control", "max-age=10"));
	assert_true(stores("fastly", 200, "Expires", "0"));
	assert_false(stores("fastly", 200, "Cache-Control", "private"));
	assert_false(stores("fastly", 200, "Cache-Control", "no-store"));
	assert_true(stores("fastly", 200, "Cache-Control", "no-cache"));
	assert_true(stores("fastly", 200, "Surrogate-Control", "max-age=60"));
	assert_false(stores("fastly", 200, "Surrogate-Control", "max-age=0"));
	/* Varnish is told the one by the other; Fastly looks at each. */
	assert_true(probe_profile_stores(
	    probe_profile_find("varnish"), 200, both, 2, false, &why));
	assert_false(probe_profile_stores(
	    probe_profile_find("fastly"), 200, both, 2, false, &why));
	assert_null(probe_profile_find("none"));
}

static void
robots_as_rfc9309_has_them(void **state)
{
	static const char text[] =
	    "Disallow: /before\n"
	    "User-Agent: other\nuser-agent: VaryProbe/2\n"
	    "disallow: /a # comment\nAllow: /a/b\n"
	    "Disallow: /*.pdf$\nDisallow: /%7ex\n"
	    "Allow:\nnonsense\n"
	    "User-agent: *\nDisallow: /\n";
	struct probe_robots *r =
	    probe_robots_parse(text, sizeof text - 1, "varyprobe", pool);

	assert_true(probe_robots_allow(r, "/"));
	assert_true(probe_robots_allow(r, "/before"));
	assert_false(probe_robots_allow(r, "/a"));
	assert_false(probe_robots_allow(r, "/abc"));
	assert_true(probe_robots_allow(r, "/a/b/c"));
	assert_false(probe_robots_allow(r, "/x/y.pdf"));
	assert_true(probe_robots_allow(r, "/x/y.pdf?z"));
	assert_false(probe_robots_allow(r, "/~x"));
	r = probe_robots_parse(text, sizeof text - 1, "stranger", pool);
	assert_false(probe_robots_allow(r, "/x"));
	assert_true(probe_robots_allow(r, "/robots.txt"));
	r = probe_robots_parse("", 0, "varyprobe", pool);
	assert_null(r);
	assert_true(probe_robots_allow(r, "/x"));
}

/* Both groups of one agent count; of two rules as long, the one that allows. */
static void
robots_as_people_write_them(void **state)
{
	static const char text[] =
	    "\xef\xbb\xbfUser-agent: varyprobe\r\nCrawl-delay: 10\r\n"
	    "Disallow: /a\r\n\r\nUser-agent: *\r\nDisallow: /\r\n\r\n"
	    "Sitemap: http://a.example/\r\n"
	    "User-agent: varyprobe\r\nDisallow : /b\r\nAllow: /b\r\n"
	    "Allow: /a*c$\r\nDisallow: /late";
	struct probe_robots *r =
	    probe_robots_parse(text, sizeof text - 1, "varyprobe", pool);
	const size_t size = 500 * 1024;
	char *big;

	assert_true(probe_robots_allow(r, "/"));
	assert_false(probe_robots_allow(r, "/a"));
	assert_false(probe_robots_allow(r, "/axcd"));
	assert_true(probe_robots_allow(r, "/axc"));
	assert_true(probe_robots_allow(r, "/b"));
	assert_false(probe_robots_allow(r, "/late"));
	r = probe_robots_parse(text, sizeof text - 1, "other", pool);
	assert_false(probe_robots_allow(r, "/b"));
	/* RFC 9309 section 2.5: at least 500 kibibytes are read */
	big = malloc(size);
	assert_non_null(big);
	memset(big, '#', size);
	memcpy(big + size - sizeof text, "\n", 1);
	memcpy(big + size - sizeof text + 1, text, sizeof text - 1);
	memcpy(big + size - sizeof text + 1, "   ", 3);
	r = probe_robots_parse(big, size, "varyprobe", pool);
	free(big);
	assert_false(probe_robots_allow(r, "/a"));
	assert_true(probe_robots_allow(r, "/axc"));
}

static void
hosts_are_known_for_a_while_and_do_not_add_up(void **state)
{
	struct probe_run *r;
	struct probe_host *first;
	apr_pool_t *own;
	char name[32];
	int i;

	(void)state;
	apr_pool_create(&own, pool);
	r = apr_pcalloc(own, sizeof *r);
	r->pool = own;
	probe_hosts_open(r);
	first = probe_host_get(r, "first.example");
	assert_ptr_equal(first, probe_host_get(r, "first.example"));
	probe_host_put(r, first);
	for (i = 0; i < 5000; i++) {
		(void)snprintf(name, sizeof name, "h%d.example", i);
		probe_host_put(r, probe_host_get(r, name));
	}
	assert_int_equal(1024, apr_hash_count(r->hosts));
	/* One that is in use stays, and one that was is known still. */
	assert_ptr_equal(first, probe_host_get(r, "first.example"));
	assert_string_equal("first.example", first->name);
	assert_non_null(apr_hash_get(r->hosts, "h0.example", 10));
	apr_pool_destroy(own);
}

/* The cookies of the jar that go to a URL, with blanks between. */
static const char *
fit(const char *text, const char *url, const char *host)
{
	struct probe_jar jar = { NULL };
	const apr_array_header_t *a;
	const char *why = NULL, *all = "";
	int i;

	if (probe_jar_read(&jar, text, strlen(text), &why, pool) != APR_SUCCESS)
		return (why);
	a = probe_jar_fit(&jar, url, host, 1000, pool);
	for (i = 0; i < a->nelts; i++)
		all = apr_pstrcat(pool, all, i > 0 ? " " : "",
		    APR_ARRAY_IDX(a, i, const char *), NULL);
	return (all);
}

static void
a_jar_gives_what_a_browser_would_send(void **state)
{
	static const char jar[] =
	    "# Netscape HTTP Cookie File\r\n\r\n"
	    "a.example\tFALSE\t/\tFALSE\t0\thost\t1\r\n"
	    "#HttpOnly_.a.example\tTRUE\t/\tTRUE\t0\tsecure\t2\n"
	    "a.example\tFALSE\t/x\tFALSE\t2000.5\tdeep\t3\n"
	    "a.example\tFALSE\t/\tFALSE\t1000\tover\t4\n"
	    "a.example\tTRUE\t/\tFALSE\t0\tempty\n";
	static const char soon[] = "a.example\tFALSE\t/\tFALSE\t0\tx\t1\n"
				   "a.example\tFALSE\t/\tFALSE\tsoon\ty\t1\n";
	struct probe_jar rest = { NULL };
	const char *why = NULL;

	assert_string_equal("deep=3 host=1 secure=2 empty=",
	    fit(jar, "https://a.example/x/y?z", "a.example"));
	assert_string_equal("host=1 empty=",
	    fit(jar, "http://A.example:81/xy", "A.example:81"));
	/* below the domain, and beside it */
	assert_string_equal(
	    "secure=2 empty=", fit(jar, "https://b.a.example", "b.a.example"));
	assert_string_equal("", fit(jar, "http://ba.example/", "ba.example"));
	assert_string_equal("", fit("", "http://a.example/", "a.example"));
	/* What no request can have, and what is no jar. */
	assert_non_null(
	    strstr(fit("a.example\tFALSE\t/\tFALSE\t0\tx y\t1\n", "", ""),
		"line 1 has a name or value"));
	assert_non_null(
	    strstr(fit("\na.example\tFALSE\t/\tFALSE\t0\tx\t1;b=2\n", "", ""),
		"line 2 has a name or value"));
	assert_non_null(
	    strstr(fit("a.example\tFALSE\t/\tFALSE\tsoon\tx\t1\n", "", ""),
		"no number of seconds"));
	/* Of a wrong line nothing stays: half a cookie least of all. */
	assert_int_equal(
	    APR_EINVAL, probe_jar_read(&rest, soon, strlen(soon), &why, pool));
	assert_int_equal(1, rest.cookies->nelts);
	assert_non_null(strstr(
	    fit("{\"cookies\": []}", "", ""), "line 1 has no seven fields"));
}

static void
characters_are_utf8_or_none(void **state)
{
	static const struct {
		const char *s;
		size_t n;
	} t[] = { { "a", 1 }, { "\x7f", 1 }, { "\x80", 0 }, { "\xc1\xbf", 0 },
		{ "\xc2\x80", 2 }, { "\xc3", 0 }, { "\xc3z", 0 },
		{ "\xe0\x9f\xbf", 0 }, { "\xe2\x82\xac", 3 },
		{ "\xed\xa0\x80", 0 }, { "\xef\xbf\xbd", 3 }, { "\xe2\x82", 0 },
		{ "\xf0\x8f\xbf\xbf", 0 }, { "\xf0\x9f\x98\x80", 4 },
		{ "\xf4\x8f\xbf\xbf", 4 }, { "\xf4\x90\x80\x80", 0 },
		{ "\xf5\x80\x80\x80", 0 }, { "\xff", 0 } };
	char *text = NULL;
	size_t i, n;
	FILE *f;

	for (i = 0; i < sizeof t / sizeof *t; i++)
		assert_int_equal(t[i].n, probe_report_character(t[i].s));
	f = open_memstream(&text, &n);
	assert_non_null(f);
	probe_report_put(f, "a\x01\xff\xc3\xa4\xe2\x82");
	(void)fclose(f);
	assert_string_equal("a?\?\xc3\xa4??", text);
	free(text);
}

/* The text so far; and another begins. */
static void
assert_json(struct probe_json *j, const char *expected)
{
	assert_false(j->nomem);
	assert_int_equal(strlen(expected), j->len);
	assert_memory_equal(expected, j->b, j->len);
	probe_json_reset(j);
}

static void
some_json(struct probe_json *j)
{
	probe_json_open(j, '{');
	probe_json_name(j, "none");
	probe_json_open(j, '[');
	probe_json_close(j, ']');
	probe_json_name(j, "two");
	probe_json_open(j, '[');
	probe_json_bool(j, true);
	probe_json_string(j, NULL);
	probe_json_open(j, '{');
	probe_json_close(j, '}');
	probe_json_close(j, ']');
	probe_json_name(j, "n");
	probe_json_integer(j, -7);
	probe_json_close(j, '}');
}

static void
json_is_written_for_people_and_on_one_line(void **state)
{
	struct probe_json j = { .compact = true };
	static const struct {
		double d;
		const char *text;
	} reals[] = { { 1, "1.0" }, { 0.5, "0.5" }, { 1e-5, "1e-5" },
		{ 1.5e30, "1.5e30" }, { 1.0 / 3, "0.33333333" }, { 0, "0.0" } };
	size_t i;

	some_json(&j);
	assert_json(&j, "{\"none\":[],\"two\":[true,null,{}],\"n\":-7}");
	j.compact = false;
	some_json(&j);
	assert_json(&j,
	    "{\n \"none\": [],\n \"two\": [\n  true,\n  null,\n  {}\n ],\n"
	    " \"n\": -7\n}");
	probe_json_string(&j, "a\"\\\n\x1f\x7f/\xc3\xa4");
	assert_json(&j, "\"a\\\"\\\\\\n\\u001F\x7f/\xc3\xa4\"");
	/* Half of a character, and one that is none: no reader takes them. */
	probe_json_string(&j, "\xc3\xa4\xc3z\xff");
	assert_json(
	    &j, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz\xef\xbf\xbd\"");
	for (i = 0; i < sizeof reals / sizeof *reals; i++) {
		probe_json_real(&j, reals[i].d);
		assert_json(&j, reals[i].text);
	}
	probe_json_fini(&j);
}

static void
one_other_byte_makes_another_body(void **state)
{
	unsigned char b[100];
	uint64_t h[sizeof b];
	size_t i, k;

	memset(b, 'x', sizeof b);
	for (i = 0; i < sizeof b; i++) {
		b[i]++;
		h[i] = probe_hash_body(1, b, sizeof b);
		b[i]--;
		assert_true(h[i] != probe_hash_body(1, b, sizeof b));
		assert_true(
		    probe_hash_body(1, b, i) != probe_hash_body(1, b, i + 1));
		for (k = 0; k < i; k++)
			assert_true(h[k] != h[i]);
	}
	/* What fingerprints of reports are made of. */
	assert_true(probe_hash(1, "https://example.com/a", 21) ==
		    UINT64_C(0x9190d7090d992c96));
}

static void
a_socket_is_awaited_once_and_until_it_is_not(void **state)
{
	struct probe_sockets s = { 0 };
	int i;

	for (i = 0; i < 300; i++)
		assert_int_equal(
		    0, probe_sockets_await(&s, i * 3 % 300 + 5, POLLIN));
	assert_int_equal(100, s.n);
	for (i = 5; i < 305; i += 6)
		assert_int_equal(0, probe_sockets_await(&s, i, 0));
	assert_int_equal(0, probe_sockets_await(&s, 5, 0));
	assert_int_equal(0, probe_sockets_await(&s, 100000, 0));
	assert_int_equal(50, s.n);
	assert_int_equal(0, probe_sockets_await(&s, 8, POLLOUT));
	assert_int_equal(50, s.n);
	for (i = 0; i < s.n; i++) {
		assert_int_equal(2, s.p[i].fd % 6);
		assert_int_equal(
		    s.p[i].fd == 8 ? POLLOUT : POLLIN, s.p[i].events);
	}
	probe_sockets_fini(&s);
}

static void
a_fix_names_cookies_and_makes_no_variant_of_each_address(void **state)
{
	apr_array_header_t *names = apr_array_make(pool, 2, sizeof(char *));
	struct probe_finding f = { 0 };

	(void)state;
	assert_null(probe_cookie_name("novalue", pool));
	assert_null(probe_cookie_name("a\");=1", pool));
	APR_ARRAY_PUSH(names, const char *) = probe_cookie_name("id=1", pool);
	APR_ARRAY_PUSH(names, const char *) = probe_cookie_name("sid=", pool);
	assert_string_equal(
	    "\"id\", \"sid\"", probe_cookie_list(names, "\"", pool));
	probe_fix_missing(pool, &f, "Cookie", 0, names);
	assert_non_null(strstr(f.fix_vcl, "site.cookie(\"id, sid\");"));
	probe_fix_missing(pool, &f, "X-Forwarded-For",
	    PROBE_AXIS_HOP | PROBE_AXIS_MANY, names);
	assert_null(strstr(f.fix_vcl, "ensure"));
	assert_null(strstr(f.fix_origin, "Header"));
}

static void
what_the_module_would_refuse_is_no_fix(void **state)
{
	apr_array_header_t *none = apr_array_make(pool, 1, sizeof(char *));
	struct probe_finding f = { 0 };

	(void)state;
	probe_fix_missing(pool, &f, "Accept-Language", 0, none);
	assert_string_equal("site.ensure(\"Accept-Language\");", f.fix_vcl);
	probe_fix_missing(pool, &f, "Range", 0, none);
	assert_string_equal("if (req.http.Range) { return (pass); } in "
			    "vcl_recv: Varnish cannot key on it",
	    f.fix_vcl);
}

static void
say(int fd, const char *text)
{
	assert_int_equal(strlen(text), write(fd, text, strlen(text)));
}

/* What comes next: a URL, or a status in words. */
static const char *
next_of(struct probe_list *l)
{
	const char *url = NULL;
	apr_status_t st = probe_list_next(l, &url);

	return (st == APR_SUCCESS        ? url
		: st == APR_EAGAIN       ? "later"
		: st == APR_EOF          ? "over"
		: st == APR_ENAMETOOLONG ? "long"
					 : "broken");
}

static void
a_list_gives_a_line_when_it_is_there_and_waits_for_none(void **state)
{
	char name[] = "/tmp/list.XXXXXX", a[PROBE_LIST_LINE / 2 + 1];
	struct probe_list l;
	int fd, i;

	(void)state;
	fd = mkstemp(name);
	assert_true(fd >= 0);
	(void)close(fd);
	(void)unlink(name);
	assert_int_equal(0, mkfifo(name, 0600));
	probe_list_init(&l);
	assert_int_equal(APR_SUCCESS, probe_list_open(&l, name));
	assert_string_equal("later", next_of(&l)); /* nobody writes yet */
	fd = open(name, O_WRONLY);
	say(fd, "\xef\xbb\xbfhttp://a/\nhttp:");
	assert_string_equal("http://a/", next_of(&l));
	assert_string_equal("later", next_of(&l));
	say(fd, "//b/\r\n\n # no\n\t http://c/ \t\n#");
	assert_string_equal("http://b/", next_of(&l));
	assert_string_equal("http://c/", next_of(&l));
	assert_string_equal("later", next_of(&l));
	say(fd, "\n");
	assert_string_equal("later", next_of(&l));
	/* The longest there may be, and one byte more. */
	memset(a, 'a', sizeof a);
	a[sizeof a - 1] = '\0';
	for (i = 0; i < 2; i++) {
		say(fd, a);
		assert_string_equal("later", next_of(&l));
		say(fd, a);
		assert_string_equal("later", next_of(&l));
		say(fd, i == 0 ? "\n" : "b");
		assert_int_equal(i == 0 ? PROBE_LIST_LINE : 5,
		    strlen(next_of(&l))); /* "later" */
	}
	say(fd, "c\nhttp://d/");
	assert_string_equal("long", next_of(&l));
	assert_int_equal(8, l.number);
	assert_string_equal("later", next_of(&l));
	(void)close(fd);
	assert_string_equal("http://d/", next_of(&l)); /* without a newline */
	assert_string_equal("over", next_of(&l));
	assert_string_equal("over", next_of(&l));
	probe_list_close(&l);
	(void)unlink(name);
	assert_int_equal(ENOENT, APR_TO_OS_ERROR(probe_list_open(&l, name)));
	assert_int_equal(APR_SUCCESS, probe_list_open(&l, "/"));
	assert_string_equal("broken", next_of(&l));
	probe_list_fini(&l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    pairs_keep_the_chance_of_a_false_finding_below_alpha),
		cmocka_unit_test(random_numbers_repeat_and_are_even),
		cmocka_unit_test(what_a_body_consists_of),
		cmocka_unit_test(
		    a_fix_names_cookies_and_makes_no_variant_of_each_address),
		cmocka_unit_test(what_the_module_would_refuse_is_no_fix),
		cmocka_unit_test(headers_that_differ_by_nature_are_no_features),
		cmocka_unit_test(codings_are_undone_and_bounded),
		cmocka_unit_test(hits_as_the_model_has_them),
		cmocka_unit_test(caches_differ_in_what_they_store),
		cmocka_unit_test(robots_as_rfc9309_has_them),
		cmocka_unit_test(robots_as_people_write_them),
		cmocka_unit_test(hosts_are_known_for_a_while_and_do_not_add_up),
		cmocka_unit_test(a_jar_gives_what_a_browser_would_send),
		cmocka_unit_test(characters_are_utf8_or_none),
		cmocka_unit_test(json_is_written_for_people_and_on_one_line),
		cmocka_unit_test(one_other_byte_makes_another_body),
		cmocka_unit_test(
		    a_list_gives_a_line_when_it_is_there_and_waits_for_none),
		cmocka_unit_test(a_socket_is_awaited_once_and_until_it_is_not),
	};
	int r;

	if (apr_initialize() != APR_SUCCESS)
		return (99);
	apr_pool_create(&pool, NULL);
	r = cmocka_run_group_tests_name("probe", tests, NULL, NULL);
	apr_pool_destroy(pool);
	apr_terminate();
	return (r);
}
