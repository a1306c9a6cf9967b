/* SPDX-License-Identifier: BSD-2-Clause */
/* What an audit finds, of origins that are functions. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <strings.h>

#include <apr_general.h>
#include <apr_pools.h>
#include <apr_strings.h>

#include "probe/hash.h"
#include "tests/unit/site.h"

static void
plain(struct site *s, const struct probe_request *q, struct reply *r)
{
	reply_page(r, "en");
}

static void
a_page_for_everybody_has_no_finding(void **state)
{
	struct site s = { .answer = plain };

	site_audit(&s);
	assert_int_equal(PROBE_JUDGED, site_result->outcome);
	assert_int_equal(0, site_result->findings->nelts);
	assert_int_equal(-1, probe_result_worst(site_result));
	assert_int_equal(1, s.heads);
	assert_true(s.count >= PROBE_NBASE + 10);
}

static void
leak(struct site *s, const struct probe_request *q, struct reply *r)
{
	reply_line(r, "Vary", "User-Agent");
	reply_page(r, "en");
}

static void
a_name_without_effect_is_a_leak(void **state)
{
	struct site s = { .answer = leak };

	site_audit(&s);
	assert_int_equal(PROBE_JUDGED, site_result->outcome);
	assert_non_null(site_found(PROBE_VARY_LEAK, "user-agent"));
	assert_int_equal(1, site_result->findings->nelts);
	assert_int_equal(
	    PROBE_DECLARED_YES, site_member("user-agent")->declared);
	assert_int_equal(
	    PROBE_NONE_OBSERVED, site_member("user-agent")->effect);
}

static void
german(struct site *s, const struct probe_request *q, struct reply *r)
{
	reply_page(r, site_says(q, "Accept-Language", "de") ? "de" : "en");
}

static void
an_effect_that_is_not_declared_is_missing(void **state)
{
	struct site s = { .answer = german };
	const struct probe_finding *f;
	const struct probe_member *m;

	site_audit(&s);
	f = site_found(PROBE_VARY_MISSING, "accept-language");
	assert_true(f != NULL && f->level == PROBE_ERROR);
	assert_int_equal(1, site_result->findings->nelts);
	m = site_member("accept-language");
	assert_int_equal(PROBE_IN_BODY, m->effect);
	assert_true(m->p > 0 && m->p < 0.001);
	assert_true(m->evidence != NULL && m->evidence->a != NULL &&
		    m->evidence->b != NULL);
}

/* A nonce, a counter, an advertisement, and the order of two lines: in each
 * response others. */
static void
noisy(struct site *s, const struct probe_request *q, struct reply *r)
{
	reply_line(r, "Vary", "Accept-Language");
	reply_line(r, "X-Request-Id",
	    apr_psprintf(site_pool, "%08x", s->count * 2654435761u));
	reply_page(r, site_says(q, "Accept-Language", "de") ? "de" : "en");
	reply_text(r, "<script nonce=\"%08x\"></script>\n", s->count * 40503u);
	reply_text(r, "<p>You are visitor %u.</p>\n", s->count);
	reply_text(r, "<p>Buy %s!</p>\n",
	    (s->count * 7919u >> 3) % 3 == 0   ? "bread"
	    : (s->count * 7919u >> 3) % 3 == 1 ? "wine"
					       : "cheese");
	reply_text(r, "%s",
	    (s->count * 31337u >> 5) % 2 ? "<i>a</i>\n<i>b</i>\n"
					 : "<i>b</i>\n<i>a</i>\n");
}

static void
noise_is_no_effect_and_hides_none(void **state)
{
	struct site s = { .answer = noisy };

	site_audit(&s);
	assert_int_equal(PROBE_JUDGED, site_result->outcome);
	assert_int_equal(0, site_result->findings->nelts);
	assert_int_equal(PROBE_IN_BODY, site_member("accept-language")->effect);
}

static void
declares_sometimes(
    struct site *s, const struct probe_request *q, struct reply *r)
{
	if (site_says(q, "Accept-Language", "de"))
		reply_line(r, "Vary", "Accept-Language");
	reply_page(r, site_says(q, "Accept-Language", "de") ? "de" : "en");
}

static void
a_name_in_some_responses_only_is_inconsistent(void **state)
{
	struct site s = { .answer = declares_sometimes };

	site_audit(&s);
	assert_non_null(site_found(PROBE_VARY_INCONSISTENT, "accept-language"));
	assert_int_equal(
	    PROBE_DECLARED_SOME, site_member("accept-language")->declared);
}

/* --- outcomes ------------------------------------------------------------ */

static void
two_states(struct site *s, const struct probe_request *q, struct reply *r)
{
	r->status = s->count % 2 ? 200 : 500;
	reply_page(r, "en");
}

static void
chaos(struct site *s, const struct probe_request *q, struct reply *r)
{
	uint64_t h = s->count;
	unsigned i, j;

	for (i = 0; i < 20; i++)
		for (j = 0; j < 12; j++) {
			h = h * UINT64_C(6364136223846793005) + 1442695041;
			reply_text(r, "%c%s", 'a' + (int)(h >> 40) % 26,
			    j == 11 ? "\n" : "");
		}
}

static void
what_equal_requests_do_not_share_is_unstable(void **state)
{
	struct site a = { .answer = two_states }, b = { .answer = chaos };

	site_audit(&a);
	assert_int_equal(PROBE_UNSTABLE, site_result->outcome);
	assert_non_null(strstr(site_result->reason, "status"));
	assert_int_equal(PROBE_NBASE, a.count);
	site_audit(&b);
	assert_int_equal(PROBE_UNSTABLE, site_result->outcome);
	assert_non_null(strstr(site_result->reason, "nothing in common"));
}

static int told_status;

static void
refuses(struct site *s, const struct probe_request *q, struct reply *r)
{
	r->status = told_status;
}

static void
a_refusal_of_the_plain_request_says_what_to_do(void **state)
{
	static const struct {
		int status;
		const char *words;
	} t[] = { { 401, "--user" }, { 407, "the proxy" }, { 403, "403" } };
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		struct site s = { .answer = refuses };

		told_status = t[i].status;
		site_audit(&s);
		assert_int_equal(PROBE_INTERFERED, site_result->outcome);
		assert_non_null(strstr(site_result->reason, t[i].words));
		assert_int_equal(1, s.count);
	}
}

static enum probe_end told_end;
static unsigned told_from, told_to; /* the requests that fail */

static void
fails(struct site *s, const struct probe_request *q, struct reply *r)
{
	if (s->count >= told_from && s->count <= told_to)
		r->end = told_end;
	reply_page(r, "en");
}

static void
failures_are_tried_again_as_far_as_that_helps(void **state)
{
	static const struct {
		enum probe_end end;
		unsigned from, to;
		enum probe_outcome outcome;
		unsigned count; /* 0: many */
	} t[] = {
		{ PROBE_NO_CONNECT, 1, SITE_MOST, PROBE_UNREACHABLE, 1 },
		{ PROBE_NO_ADDRESS, 1, SITE_MOST, PROBE_UNREACHABLE, 1 },
		{ PROBE_BROKEN, 1, SITE_MOST, PROBE_UNREACHABLE, 2 },
		{ PROBE_BROKEN, 1, 1, PROBE_JUDGED, 0 },
		{ PROBE_TIMEOUT, 2, 2, PROBE_INTERFERED, 2 },
		{ PROBE_BROKEN, 4, 4, PROBE_JUDGED, 0 }, /* a screen, once */
		{ PROBE_BROKEN, 4, 5, PROBE_JUDGED, 0 }, /* it for good */
		{ PROBE_BROKEN, 4, SITE_MOST, PROBE_INTERFERED, 0 },
	};
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		struct site s = { .answer = fails };

		told_end = t[i].end;
		told_from = t[i].from;
		told_to = t[i].to;
		site_audit(&s);
		assert_int_equal(t[i].outcome, site_result->outcome);
		if (t[i].count > 0)
			assert_int_equal(t[i].count, s.count);
	}
}

/* A firewall: once it has seen what it does not like, it refuses all. */
static void
firewall(struct site *s, const struct probe_request *q, struct reply *r)
{
	if (site_says(q, "Cookie", "="))
		s->with_hint = 1;
	if (s->with_hint)
		r->status = 403;
	reply_page(r, "en");
}

static void
picky(struct site *s, const struct probe_request *q, struct reply *r)
{
	if (site_sent(q, "User-Agent") == NULL ||
	    site_says(q, "User-Agent", "curl"))
		r->status = 403;
	reply_page(r, "en");
}

static void
being_blocked_is_told_from_an_answer_to_a_header(void **state)
{
	struct site a = { .answer = firewall }, b = { .answer = picky };

	site_audit(&a);
	assert_int_equal(PROBE_INTERFERED, site_result->outcome);
	assert_non_null(strstr(site_result->reason, "blocks us"));
	site_audit(&b);
	assert_int_equal(PROBE_JUDGED, site_result->outcome);
	assert_int_equal(PROBE_IN_STATUS, site_member("user-agent")->effect);
}

static const char *told_retry;

static void
slow(struct site *s, const struct probe_request *q, struct reply *r)
{
	if (s->count >= told_from && s->count <= told_to) {
		r->status = 429;
		reply_line(r, "Date", "Wed, 21 Oct 2026 07:00:00 GMT");
		if (told_retry != NULL)
			reply_line(r, "Retry-After", told_retry);
	}
	reply_page(r, "en");
}

static void
a_limit_is_kept_and_ends_the_audit_when_it_is_too_low(void **state)
{
	static const struct {
		const char *retry;
		unsigned from, to;
		enum probe_outcome outcome;
	} t[] = {
		{ "1", 5, 6, PROBE_JUDGED },
		{ NULL, 2, 3, PROBE_JUDGED },
		/* Dates, by the origin's own clock. */
		{ "Wed, 21 Oct 2026 07:00:09 GMT", 9, 9, PROBE_JUDGED },
		{ "Wed, 21 Oct 2026 06:59:00 GMT", 9, 9, PROBE_JUDGED },
		{ "Wed, 21 Oct 2026 07:28:00 GMT", 9, 9, PROBE_INTERFERED },
		{ "soon", 9, 9, PROBE_JUDGED },
		{ "3600", 5, 5, PROBE_INTERFERED },
		{ "1", 5, SITE_MOST, PROBE_INTERFERED },
	};
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		struct site s = { .answer = slow };

		told_retry = t[i].retry;
		told_from = t[i].from;
		told_to = t[i].to;
		site_audit(&s);
		assert_int_equal(t[i].outcome, site_result->outcome);
		if (t[i].outcome == PROBE_JUDGED)
			assert_int_equal(0, site_result->findings->nelts);
		else
			assert_non_null(strstr(site_result->reason, "--rate"));
	}
}

/* --- what an answer says of the question --------------------------------- */

/* A cache on the way that keys on the URL alone. */
static void
stored(struct site *s, const struct probe_request *q, struct reply *r)
{
	if (s->count > 1) {
		reply_line(r, "X-Cache", "HIT from cache");
		reply_line(r, "Age", "12");
	}
	reply_line(r, "Vary", "Origin");
	reply_page(r, "en");
}

static void
a_cache_that_has_an_answer_to_a_word_just_made_is_a_hop(void **state)
{
	struct site s = { .answer = stored };

	site_audit(&s);
	assert_non_null(site_found(PROBE_VARY_HOP, "origin"));
	assert_non_null(site_subject.cache_sign);
}

static void
coded(struct site *s, const struct probe_request *q, struct reply *r)
{
	reply_line(r, "ETag", "\"one\"");
	reply_page(r, "en");
	if (site_says(q, "Accept-Encoding", "gzip")) {
		reply_line(r, "Content-Encoding", "gzip");
		reply_compress(r);
	}
	reply_line(r, "Vary", "Accept-Encoding");
	if (site_sent(q, "If-None-Match") != NULL) {
		r->status = 304;
		r->n = 1; /* and no Vary */
	}
}

static void
one_strong_etag_for_two_codings_is_a_validator(void **state)
{
	struct site s = { .answer = coded };
	const struct probe_evidence *e;

	site_audit(&s);
	assert_int_equal(PROBE_JUDGED, site_result->outcome);
	assert_non_null(site_found(PROBE_VARY_VALIDATOR, NULL));
	assert_null(site_found(PROBE_VARY_LEAK, NULL));
	assert_true(site_subject.checks[PROBE_CHECK_304].answered);
	assert_int_equal(304, site_subject.checks[PROBE_CHECK_304].status);
	e = site_member("accept-encoding")->evidence;
	assert_true(e != NULL && e->coding_only);
}

/* What a response names is tried, too: hints, cookies, origins. */
static void
hints(struct site *s, const struct probe_request *q, struct reply *r)
{
	reply_line(r, "Accept-CH", "X-Made-Up, *, , Sec-CH-DPR");
	reply_line(r, "Accept-CH",
	    "b\xff"
	    "d, X-Other");
	reply_line(r, "Set-Cookie", "shop=blue; Path=/");
	reply_line(r, "Set-Cookie", "novalue; Path=/");
	reply_line(r, "Access-Control-Allow-Origin", "https://friend.example");
	reply_line(r, "Access-Control-Allow-Methods", "GET, DELETE");
	if (site_sent(q, "X-Made-Up") != NULL)
		s->with_hint |= 1;
	if (site_sent(q, "X-Other") != NULL)
		s->with_hint |= 2;
	if (site_says(q, "Cookie", "shop=blue"))
		s->with_hint |= 4;
	if (site_says(q, "Cookie", "novalue"))
		s->with_hint |= 8;
	if (site_says(q, "Origin", "https://friend.example"))
		s->with_hint |= 16;
	reply_page(r, site_says(q, "Cookie", "shop=blue") ? "blue" : "en");
}

static void
hints_cookies_and_origins_of_the_answer_are_tried(void **state)
{
	struct site s = { .answer = hints };

	site_audit(&s);
	assert_int_equal(PROBE_JUDGED, site_result->outcome);
	assert_int_equal(1 | 2 | 4 | 16, s.with_hint);
	assert_non_null(site_found(PROBE_VARY_MISSING, "cookie"));
	/* Twice: the second shows what is noise. */
	assert_true(s.options >= 2);
}

static void
echo(struct site *s, const struct probe_request *q, struct reply *r)
{
	const char *h = site_sent(q, "X-Forwarded-Host");

	reply_page(r, "en");
	reply_text(r, "<a href=\"http://%s/\">home</a>\n",
	    h != NULL ? h : "site.example");
}

static void
what_a_proxy_says_and_comes_back_is_reflected(void **state)
{
	struct site s = { .answer = echo };

	site_audit(&s);
	assert_non_null(site_found(PROBE_VARY_REFLECTED, "x-forwarded-host"));
}

static void
star(struct site *s, const struct probe_request *q, struct reply *r)
{
	reply_line(r, "Vary", "Accept-Language, *");
	reply_page(r, "en");
}

static void
malformed(struct site *s, const struct probe_request *q, struct reply *r)
{
	reply_line(r, "Vary", "Accept-Encoding; Cookie");
	reply_page(r, "en");
}

static void
a_star_and_a_malformed_list_are_found(void **state)
{
	struct site a = { .answer = star }, b = { .answer = malformed };

	site_audit(&a);
	assert_non_null(site_found(PROBE_VARY_STAR, NULL));
	site_audit(&b);
	assert_non_null(site_found(PROBE_VARY_SYNTAX, NULL));
}

/* Each request as it should be: with -H, its own word in the URL, conditions of the
 * validators that there are. */
static void
careful(struct site *s, const struct probe_request *q, struct reply *r)
{
	reply_line(r, "Last-Modified", "Wed, 21 Oct 2015 07:28:00 GMT");
	reply_line(r, "Accept-Ranges", "bytes");
	if (!site_says(q, "X-Own", "yes") ||
	    strncmp(q->url, "http://site.example/?vk=", 24) != 0 ||
	    strlen(q->url) < 30) {
		r->status = 400;
		return;
	}
	if (site_says(q, "If-Modified-Since", "2015")) {
		s->with_hint |= 1;
		r->status = 304;
	} else if (site_says(q, "Range", "bytes=0-1")) {
		s->with_hint |= 2;
		r->status = 206;
	}
	noisy(s, q, r);
}

static void
answers_may_come_late_and_urls_be_uncounted(void **state)
{
	unsigned window;

	for (window = 1; window <= SITE_MAX_WINDOW; window++) {
		struct site s = { .answer = careful,
			.window = window,
			.number = 4 * window,
			.buster = "vk" };

		site_audit(&s);
		assert_int_equal(PROBE_JUDGED, site_result->outcome);
		assert_int_equal(200, site_result->status);
		assert_int_equal(0, site_result->findings->nelts);
		assert_int_equal(
		    PROBE_IN_BODY, site_member("accept-language")->effect);
		assert_int_equal(1 | 2, s.with_hint);
	}
}

/* The same questions in the same order: a run can be repeated. */
/* A test of two pages: who has been given one stays with it. */
static void
arms(struct site *s, const struct probe_request *q, struct reply *r)
{
	const char *c = site_sent(q, "Cookie");
	bool b = (s->count * 40503u >> 4) % 2 != 0;

	if (c != NULL && strncmp(c, "arm=", 4) == 0)
		b = c[4] == 'b';
	else
		reply_line(r, "Set-Cookie", b ? "arm=b" : "arm=a; Path=/");
	reply_page(r, "en");
	reply_text(r, "<p>%s</p>\n", b ? "Order now" : "Into the basket");
}

/* The machine's name is no arm. */
static void
balanced(struct site *s, const struct probe_request *q, struct reply *r)
{
	const char *c = site_sent(q, "Cookie");
	bool b = (s->count * 40503u >> 4) % 2 != 0;

	if (c != NULL && strncmp(c, "SERVERID=", 9) == 0)
		b = c[9] == 'b';
	else
		reply_line(r, "Set-Cookie", b ? "SERVERID=b" : "SERVERID=a");
	reply_page(r, "en");
	reply_text(r, "<!-- %s -->\n", b ? "web-b" : "web-a");
}

static void
two_values_of_a_cookie_are_compared_with_each_other(void **state)
{
	struct site a = { .answer = arms }, b = { .answer = balanced };
	const struct probe_finding *f;

	site_audit(&a);
	f = site_found(PROBE_VARY_MISSING, "cookie");
	assert_non_null(f);
	assert_int_equal(PROBE_ERROR, f->level);
	assert_true(f->evidence->rival);
	assert_non_null(strstr(f->message, "in place of Cookie: arm="));
	site_audit(&b);
	f = site_found(PROBE_VARY_MISSING, "cookie");
	assert_non_null(f);
	assert_int_equal(PROBE_NOTE, f->level);
}

/* Each visitor has a cookie of his own, and nothing else. */
static void
visits(struct site *s, const struct probe_request *q, struct reply *r)
{
	if (!site_says(q, "Cookie", "sid="))
		reply_line(r, "Set-Cookie",
		    apr_psprintf(site_pool, "sid=%08x", s->count * 40503u));
	reply_page(r, "en");
}

/* So many values of this header were confirmed by pairs. */
static int
confirmed(const char *name)
{
	const struct probe_trial *t;
	int i, n = 0;

	for (i = 0; i < site_subject.trials->nelts; i++) {
		t = &APR_ARRAY_IDX(site_subject.trials, i, struct probe_trial);
		n += t->state == PROBE_T_EFFECT &&
		     strcasecmp(t->axis->name, name) == 0;
	}
	return (n);
}

static void
of_many_sessions_one_is_confirmed(void **state)
{
	struct site s = { .answer = visits };

	site_audit(&s);
	assert_non_null(site_found(PROBE_VARY_MISSING, "cookie"));
	/* Three baselines set one each. */
	assert_int_equal(1, confirmed("Cookie"));
}

/* Of two addresses it knows the second one. */
static void
addressed(struct site *s, const struct probe_request *q, struct reply *r)
{
	reply_page(
	    r, site_says(q, "X-Forwarded-For", "203.0.113.") ? "ja" : "en");
}

static void
second_values_of_headers_tried_together_are_tried(void **state)
{
	struct site s = { .answer = addressed };

	site_audit(&s);
	assert_non_null(site_found(PROBE_VARY_MISSING, "x-forwarded-for"));
}

static uint64_t asked;

static void
remembers(struct site *s, const struct probe_request *q, struct reply *r)
{
	size_t i;

	for (i = 0; i < q->nheaders; i++)
		if (q->headers[i].value != NULL)
			asked = probe_hash(asked, q->headers[i].value,
			    strlen(q->headers[i].value));
	german(s, q, r);
}

static void
the_seed_decides_what_is_asked_when(void **state)
{
	struct site s = { .answer = remembers };
	uint64_t first;

	asked = 1;
	site_audit(&s);
	first = asked;
	asked = 1;
	s.count = 0;
	site_audit(&s);
	assert_true(first == asked);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_for_everybody_has_no_finding),
		cmocka_unit_test(a_name_without_effect_is_a_leak),
		cmocka_unit_test(an_effect_that_is_not_declared_is_missing),
		cmocka_unit_test(noise_is_no_effect_and_hides_none),
		cmocka_unit_test(a_name_in_some_responses_only_is_inconsistent),
		cmocka_unit_test(what_equal_requests_do_not_share_is_unstable),
		cmocka_unit_test(
		    a_refusal_of_the_plain_request_says_what_to_do),
		cmocka_unit_test(failures_are_tried_again_as_far_as_that_helps),
		cmocka_unit_test(
		    being_blocked_is_told_from_an_answer_to_a_header),
		cmocka_unit_test(
		    a_limit_is_kept_and_ends_the_audit_when_it_is_too_low),
		cmocka_unit_test(
		    a_cache_that_has_an_answer_to_a_word_just_made_is_a_hop),
		cmocka_unit_test(
		    one_strong_etag_for_two_codings_is_a_validator),
		cmocka_unit_test(
		    hints_cookies_and_origins_of_the_answer_are_tried),
		cmocka_unit_test(what_a_proxy_says_and_comes_back_is_reflected),
		cmocka_unit_test(a_star_and_a_malformed_list_are_found),
		cmocka_unit_test(answers_may_come_late_and_urls_be_uncounted),
		cmocka_unit_test(
		    two_values_of_a_cookie_are_compared_with_each_other),
		cmocka_unit_test(of_many_sessions_one_is_confirmed),
		cmocka_unit_test(
		    second_values_of_headers_tried_together_are_tried),
		cmocka_unit_test(the_seed_decides_what_is_asked_when),
	};
	int r;

	if (apr_initialize() != APR_SUCCESS)
		return (99);
	apr_pool_create(&site_pool, NULL);
	r = cmocka_run_group_tests(tests, NULL, NULL);
	apr_pool_destroy(site_pool);
	apr_terminate();
	return (r);
}
