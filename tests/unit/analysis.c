/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A whole audit without a network: plan asks, an origin that is a function
 * answers, analysis takes, rules judge.
 */
#include "config.h"

#include "tests/unit/unit.h"

#include <stdio.h>
#include <strings.h>

#include <apr_general.h>
#include <apr_pools.h>
#include <apr_strings.h>
#include <zlib.h>

#include "probe/analysis.h"
#include "probe/hash.h"
#include "probe/plan.h"
#include "probe/rules.h"

enum {
	MOST = 4000, /* requests of an audit: it ends */
	MAX_LINES = 16,
	MAX_AXES = 256,
	MAX_WINDOW = 8,
};

struct reply {
	enum probe_end end;
	int status;
	struct probe_line lines[MAX_LINES];
	size_t n;
	char body[16384];
	size_t len;
};

struct site {
	void (*answer)(
	    struct site *, const struct probe_request *, struct reply *);
	unsigned count; /* requests so far, this one with it */
	unsigned options, heads, with_hint;
	/* how it is asked */
	unsigned window; /* answers that may be on their way; 0: one */
	uint64_t number; /* not 0: of so many URLs that nobody has counted */
	const char *buster;
};

static apr_pool_t *pool;

/* --- what an origin is made of ------------------------------------------- */

static const char *
sent(const struct probe_request *q, const char *name)
{
	size_t i;

	for (i = 0; i < q->nheaders; i++)
		if (strcasecmp(q->headers[i].name, name) == 0)
			return (q->headers[i].value);
	return (NULL);
}

static bool
says(const struct probe_request *q, const char *name, const char *part)
{
	const char *v = sent(q, name);

	return (v != NULL && strstr(v, part) != NULL);
}

static void
line(struct reply *r, const char *name, const char *value)
{
	assert_true(r->n < MAX_LINES);
	r->lines[r->n].name = name;
	r->lines[r->n].name_len = strlen(name);
	r->lines[r->n].value = apr_pstrdup(pool, value);
	r->lines[r->n++].value_len = strlen(value);
}

static void __attribute__((format(printf, 2, 3)))
text(struct reply *r, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(r->body + r->len, sizeof r->body - r->len, fmt, ap);
	va_end(ap);
	assert_true(n >= 0 && (size_t)n < sizeof r->body - r->len);
	r->len += (size_t)n;
}

/* A page that is the same for everybody, in a language. */
static void
page(struct reply *r, const char *language)
{
	int i;

	text(r, "<!DOCTYPE html>\n<html lang=\"%s\">\n<title>Page</title>\n",
	    language);
	for (i = 0; i < 20; i++)
		text(r, "<p>Paragraph %d in %s.</p>\n", i, language);
	text(r, "</html>\n");
}

static void
compress_body(struct reply *r)
{
	char out[sizeof r->body];
	z_stream z;

	memset(&z, 0, sizeof z);
	assert_int_equal(Z_OK, deflateInit2(&z, 9, Z_DEFLATED, 31, 9, 0));
	z.next_in = (unsigned char *)r->body;
	z.avail_in = (uInt)r->len;
	z.next_out = (unsigned char *)out;
	z.avail_out = sizeof out;
	assert_int_equal(Z_STREAM_END, deflate(&z, Z_FINISH));
	r->len = z.total_out;
	memcpy(r->body, out, r->len);
	deflateEnd(&z);
}

/* --- an audit ------------------------------------------------------------ */

static struct probe_settings settings;
static struct probe_subject subject;
static struct probe_result *result;

/* One answer: what the origin says to a sample. */
static void
answer(struct site *s, const struct probe_sample *sample,
    struct probe_decoded *scratch)
{
	static struct reply reply;
	struct probe_exchange x;
	struct probe_request q;

	s->count++;
	probe_plan_request(&subject, sample, &q, pool);
	if (q.method == PROBE_OPTIONS)
		s->options++;
	if (q.method == PROBE_HEAD)
		s->heads++;
	memset(&reply, 0, sizeof reply);
	reply.status = 200;
	s->answer(s, &q, &reply);
	memset(&x, 0, sizeof x);
	x.end = reply.end;
	if (x.end == PROBE_ANSWERED) {
		x.status = reply.status;
		x.http = 11;
		x.lines = reply.lines;
		x.nlines = reply.n;
		if (q.method != PROBE_HEAD && x.status != 304) {
			x.body = reply.body;
			x.body_len = reply.len;
		}
	} else
		x.error = "as told";
	probe_analysis_take(&subject, sample, &x, scratch);
}

static const struct probe_header own_headers[] = { { "X-Own", "yes" } };

static void
audit(struct site *s)
{
	static const struct probe_axis *axes[MAX_AXES];
	struct probe_sample pending[MAX_WINDOW], next;
	struct probe_decoded scratch;
	const struct probe_axis *a;
	enum probe_plan_step step;
	size_t n;
	unsigned waiting = 0, window = s->window > 0 ? s->window : 1;

	memset(&settings, 0, sizeof settings);
	settings.profile = probe_profile_find("varnish");
	settings.checks = true;
	settings.max_body = 1 << 20;
	settings.expected = s->number > 0 ? 0 : 1;
	settings.seed = 7;
	settings.buster = s->buster;
	settings.headers = own_headers;
	settings.nheaders = sizeof own_headers / sizeof *own_headers;
	/* As the options choose them. */
	for (a = probe_axes, n = 0; a->name != NULL; a++) {
		if ((a->flags & (PROBE_AXIS_MAIN | PROBE_AXIS_GROUP)) == 0)
			continue;
		assert_true(n < MAX_AXES);
		axes[n++] = a;
	}
	settings.axes = axes;
	settings.naxes = n;
	memset(&scratch, 0, sizeof scratch);
	assert_int_equal(APR_SUCCESS,
	    probe_subject_init(&subject, &settings, "http://site.example/",
		"site.example", s->number, pool));
	while ((step = probe_plan_next(&subject, &next)) != PROBE_PLAN_DONE) {
		assert_true(s->count < MOST);
		if (step == PROBE_PLAN_SEND)
			pending[waiting++] = next;
		/* It waits for what is on its way, and for nothing else. */
		assert_true(waiting > 0);
		if (step == PROBE_PLAN_WAIT || waiting == window) {
			next = pending[0];
			memmove(
			    pending, pending + 1, --waiting * sizeof *pending);
			answer(s, &next, &scratch);
		}
	}
	assert_int_equal(0, waiting);
	result = probe_rules_judge(&subject, pool);
	assert_int_equal(s->count, subject.requests);
	probe_decoded_fini(&scratch);
	probe_subject_fini(&subject);
}

static const struct probe_finding *
found(enum probe_rule rule, const char *member)
{
	const struct probe_finding *f;
	int i;

	for (i = 0; i < result->findings->nelts; i++) {
		f = &APR_ARRAY_IDX(result->findings, i, struct probe_finding);
		if (f->rule == rule &&
		    (member == NULL ||
			(f->member != NULL && strcmp(f->member, member) == 0)))
			return (f);
	}
	return (NULL);
}

static const struct probe_member *
member(const char *name)
{
	const struct probe_member *m;
	int i;

	for (i = 0; i < result->members->nelts; i++) {
		m = &APR_ARRAY_IDX(result->members, i, struct probe_member);
		if (strcasecmp(m->name, name) == 0)
			return (m);
	}
	fail_msg("%s is no member of the result", name);
	abort();
}

/* --- origins, and what is found ------------------------------------------ */

static void
plain(struct site *s, const struct probe_request *q, struct reply *r)
{
	page(r, "en");
}

static void
a_page_for_everybody_has_no_finding(void **state)
{
	struct site s = { .answer = plain };

	audit(&s);
	assert_int_equal(PROBE_JUDGED, result->outcome);
	assert_int_equal(0, result->findings->nelts);
	assert_int_equal(-1, probe_result_worst(result));
	assert_int_equal(1, s.heads);
	assert_true(s.count >= PROBE_NBASE + 10);
}

static void
leak(struct site *s, const struct probe_request *q, struct reply *r)
{
	line(r, "Vary", "User-Agent");
	page(r, "en");
}

static void
a_name_without_effect_is_a_leak(void **state)
{
	struct site s = { .answer = leak };

	audit(&s);
	assert_int_equal(PROBE_JUDGED, result->outcome);
	assert_non_null(found(PROBE_VARY_LEAK, "user-agent"));
	assert_int_equal(1, result->findings->nelts);
	assert_int_equal(PROBE_DECLARED_YES, member("user-agent")->declared);
	assert_int_equal(PROBE_NONE_OBSERVED, member("user-agent")->effect);
}

static void
german(struct site *s, const struct probe_request *q, struct reply *r)
{
	page(r, says(q, "Accept-Language", "de") ? "de" : "en");
}

static void
an_effect_that_is_not_declared_is_missing(void **state)
{
	struct site s = { .answer = german };
	const struct probe_finding *f;
	const struct probe_member *m;

	audit(&s);
	f = found(PROBE_VARY_MISSING, "accept-language");
	assert_true(f != NULL && f->level == PROBE_ERROR);
	assert_int_equal(1, result->findings->nelts);
	m = member("accept-language");
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
	line(r, "Vary", "Accept-Language");
	line(r, "X-Request-Id",
	    apr_psprintf(pool, "%08x", s->count * 2654435761u));
	page(r, says(q, "Accept-Language", "de") ? "de" : "en");
	text(r, "<script nonce=\"%08x\"></script>\n", s->count * 40503u);
	text(r, "<p>You are visitor %u.</p>\n", s->count);
	text(r, "<p>Buy %s!</p>\n",
	    (s->count * 7919u >> 3) % 3 == 0   ? "bread"
	    : (s->count * 7919u >> 3) % 3 == 1 ? "wine"
					       : "cheese");
	text(r, "%s",
	    (s->count * 31337u >> 5) % 2 ? "<i>a</i>\n<i>b</i>\n"
					 : "<i>b</i>\n<i>a</i>\n");
}

static void
noise_is_no_effect_and_hides_none(void **state)
{
	struct site s = { .answer = noisy };

	audit(&s);
	assert_int_equal(PROBE_JUDGED, result->outcome);
	assert_int_equal(0, result->findings->nelts);
	assert_int_equal(PROBE_IN_BODY, member("accept-language")->effect);
}

static void
declares_sometimes(
    struct site *s, const struct probe_request *q, struct reply *r)
{
	if (says(q, "Accept-Language", "de"))
		line(r, "Vary", "Accept-Language");
	page(r, says(q, "Accept-Language", "de") ? "de" : "en");
}

static void
a_name_in_some_responses_only_is_inconsistent(void **state)
{
	struct site s = { .answer = declares_sometimes };

	audit(&s);
	assert_non_null(found(PROBE_VARY_INCONSISTENT, "accept-language"));
	assert_int_equal(
	    PROBE_DECLARED_SOME, member("accept-language")->declared);
}

/* --- outcomes ------------------------------------------------------------ */

static void
two_states(struct site *s, const struct probe_request *q, struct reply *r)
{
	r->status = s->count % 2 ? 200 : 500;
	page(r, "en");
}

static void
chaos(struct site *s, const struct probe_request *q, struct reply *r)
{
	uint64_t h = s->count;
	unsigned i, j;

	for (i = 0; i < 20; i++)
		for (j = 0; j < 12; j++) {
			h = h * UINT64_C(6364136223846793005) + 1442695041;
			text(r, "%c%s", 'a' + (int)(h >> 40) % 26,
			    j == 11 ? "\n" : "");
		}
}

static void
what_equal_requests_do_not_share_is_unstable(void **state)
{
	struct site a = { .answer = two_states }, b = { .answer = chaos };

	audit(&a);
	assert_int_equal(PROBE_UNSTABLE, result->outcome);
	assert_non_null(strstr(result->reason, "status"));
	assert_int_equal(PROBE_NBASE, a.count);
	audit(&b);
	assert_int_equal(PROBE_UNSTABLE, result->outcome);
	assert_non_null(strstr(result->reason, "nothing in common"));
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
		audit(&s);
		assert_int_equal(PROBE_INTERFERED, result->outcome);
		assert_non_null(strstr(result->reason, t[i].words));
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
	page(r, "en");
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
		{ PROBE_NO_CONNECT, 1, MOST, PROBE_UNREACHABLE, 1 },
		{ PROBE_NO_ADDRESS, 1, MOST, PROBE_UNREACHABLE, 1 },
		{ PROBE_BROKEN, 1, MOST, PROBE_UNREACHABLE, 2 },
		{ PROBE_BROKEN, 1, 1, PROBE_JUDGED, 0 },
		{ PROBE_TIMEOUT, 2, 2, PROBE_INTERFERED, 2 },
		{ PROBE_BROKEN, 4, 4, PROBE_JUDGED, 0 }, /* a screen, once */
		{ PROBE_BROKEN, 4, 5, PROBE_JUDGED, 0 }, /* it for good */
		{ PROBE_BROKEN, 4, MOST, PROBE_INTERFERED, 0 },
	};
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		struct site s = { .answer = fails };

		told_end = t[i].end;
		told_from = t[i].from;
		told_to = t[i].to;
		audit(&s);
		assert_int_equal(t[i].outcome, result->outcome);
		if (t[i].count > 0)
			assert_int_equal(t[i].count, s.count);
	}
}

/* A firewall: once it has seen what it does not like, it refuses all. */
static void
firewall(struct site *s, const struct probe_request *q, struct reply *r)
{
	if (says(q, "Cookie", "="))
		s->with_hint = 1;
	if (s->with_hint)
		r->status = 403;
	page(r, "en");
}

static void
picky(struct site *s, const struct probe_request *q, struct reply *r)
{
	if (sent(q, "User-Agent") == NULL || says(q, "User-Agent", "curl"))
		r->status = 403;
	page(r, "en");
}

static void
being_blocked_is_told_from_an_answer_to_a_header(void **state)
{
	struct site a = { .answer = firewall }, b = { .answer = picky };

	audit(&a);
	assert_int_equal(PROBE_INTERFERED, result->outcome);
	assert_non_null(strstr(result->reason, "blocks us"));
	audit(&b);
	assert_int_equal(PROBE_JUDGED, result->outcome);
	assert_int_equal(PROBE_IN_STATUS, member("user-agent")->effect);
}

static const char *told_retry;

static void
slow(struct site *s, const struct probe_request *q, struct reply *r)
{
	if (s->count >= told_from && s->count <= told_to) {
		r->status = 429;
		line(r, "Date", "Wed, 21 Oct 2026 07:00:00 GMT");
		if (told_retry != NULL)
			line(r, "Retry-After", told_retry);
	}
	page(r, "en");
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
		{ "1", 5, MOST, PROBE_INTERFERED },
	};
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		struct site s = { .answer = slow };

		told_retry = t[i].retry;
		told_from = t[i].from;
		told_to = t[i].to;
		audit(&s);
		assert_int_equal(t[i].outcome, result->outcome);
		if (t[i].outcome == PROBE_JUDGED)
			assert_int_equal(0, result->findings->nelts);
		else
			assert_non_null(strstr(result->reason, "--rate"));
	}
}

/* --- what an answer says of the question --------------------------------- */

/* A cache on the way that keys on the URL alone. */
static void
stored(struct site *s, const struct probe_request *q, struct reply *r)
{
	if (s->count > 1) {
		line(r, "X-Cache", "HIT from cache");
		line(r, "Age", "12");
	}
	line(r, "Vary", "Origin");
	page(r, "en");
}

static void
a_cache_that_has_an_answer_to_a_word_just_made_is_a_hop(void **state)
{
	struct site s = { .answer = stored };

	audit(&s);
	assert_non_null(found(PROBE_VARY_HOP, "origin"));
	assert_non_null(subject.cache_sign);
}

static void
coded(struct site *s, const struct probe_request *q, struct reply *r)
{
	line(r, "ETag", "\"one\"");
	page(r, "en");
	if (says(q, "Accept-Encoding", "gzip")) {
		line(r, "Content-Encoding", "gzip");
		compress_body(r);
	}
	line(r, "Vary", "Accept-Encoding");
	if (sent(q, "If-None-Match") != NULL) {
		r->status = 304;
		r->n = 1; /* and no Vary */
	}
}

static void
one_strong_etag_for_two_codings_is_a_validator(void **state)
{
	struct site s = { .answer = coded };
	const struct probe_evidence *e;

	audit(&s);
	assert_int_equal(PROBE_JUDGED, result->outcome);
	assert_non_null(found(PROBE_VARY_VALIDATOR, NULL));
	assert_null(found(PROBE_VARY_LEAK, NULL));
	assert_true(subject.c304.answered);
	assert_int_equal(304, subject.c304.status);
	e = member("accept-encoding")->evidence;
	assert_true(e != NULL && e->coding_only);
}

/* What a response names is tried, too: hints, cookies, origins. */
static void
hints(struct site *s, const struct probe_request *q, struct reply *r)
{
	line(r, "Accept-CH", "X-Made-Up, *, , Sec-CH-DPR");
	line(r, "Accept-CH",
	    "b\xff"
	    "d, X-Other");
	line(r, "Set-Cookie", "shop=blue; Path=/");
	line(r, "Set-Cookie", "novalue; Path=/");
	line(r, "Access-Control-Allow-Origin", "https://friend.example");
	line(r, "Access-Control-Allow-Methods", "GET, DELETE");
	if (sent(q, "X-Made-Up") != NULL)
		s->with_hint |= 1;
	if (sent(q, "X-Other") != NULL)
		s->with_hint |= 2;
	if (says(q, "Cookie", "shop=blue"))
		s->with_hint |= 4;
	if (says(q, "Cookie", "novalue"))
		s->with_hint |= 8;
	if (says(q, "Origin", "https://friend.example"))
		s->with_hint |= 16;
	page(r, says(q, "Cookie", "shop=blue") ? "blue" : "en");
}

static void
hints_cookies_and_origins_of_the_answer_are_tried(void **state)
{
	struct site s = { .answer = hints };

	audit(&s);
	assert_int_equal(PROBE_JUDGED, result->outcome);
	assert_int_equal(1 | 2 | 4 | 16, s.with_hint);
	assert_non_null(found(PROBE_VARY_MISSING, "cookie"));
	/* Twice: the second shows what is noise. */
	assert_true(s.options >= 2);
}

static void
echo(struct site *s, const struct probe_request *q, struct reply *r)
{
	const char *h = sent(q, "X-Forwarded-Host");

	page(r, "en");
	text(r, "<a href=\"http://%s/\">home</a>\n",
	    h != NULL ? h : "site.example");
}

static void
what_a_proxy_says_and_comes_back_is_reflected(void **state)
{
	struct site s = { .answer = echo };

	audit(&s);
	assert_non_null(found(PROBE_VARY_REFLECTED, "x-forwarded-host"));
}

static void
star(struct site *s, const struct probe_request *q, struct reply *r)
{
	line(r, "Vary", "Accept-Language, *");
	page(r, "en");
}

static void
malformed(struct site *s, const struct probe_request *q, struct reply *r)
{
	line(r, "Vary", "Accept-Encoding; Cookie");
	page(r, "en");
}

static void
a_star_and_a_malformed_list_are_found(void **state)
{
	struct site a = { .answer = star }, b = { .answer = malformed };

	audit(&a);
	assert_non_null(found(PROBE_VARY_STAR, NULL));
	audit(&b);
	assert_non_null(found(PROBE_VARY_SYNTAX, NULL));
}

/* Each request as it should be: with -H, its own word in the URL, conditions of the
 * validators that there are. */
static void
careful(struct site *s, const struct probe_request *q, struct reply *r)
{
	line(r, "Last-Modified", "Wed, 21 Oct 2015 07:28:00 GMT");
	line(r, "Accept-Ranges", "bytes");
	if (!says(q, "X-Own", "yes") ||
	    strncmp(q->url, "http://site.example/?vk=", 24) != 0 ||
	    strlen(q->url) < 30) {
		r->status = 400;
		return;
	}
	if (says(q, "If-Modified-Since", "2015")) {
		s->with_hint |= 1;
		r->status = 304;
	} else if (says(q, "Range", "bytes=0-1")) {
		s->with_hint |= 2;
		r->status = 206;
	}
	noisy(s, q, r);
}

static void
answers_may_come_late_and_urls_be_uncounted(void **state)
{
	unsigned window;

	for (window = 1; window <= MAX_WINDOW; window++) {
		struct site s = { .answer = careful,
			.window = window,
			.number = 4 * window,
			.buster = "vk" };

		audit(&s);
		assert_int_equal(PROBE_JUDGED, result->outcome);
		assert_int_equal(200, result->status);
		assert_int_equal(0, result->findings->nelts);
		assert_int_equal(
		    PROBE_IN_BODY, member("accept-language")->effect);
		assert_int_equal(1 | 2, s.with_hint);
	}
}

/* The same questions in the same order: a run can be repeated. */
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
	audit(&s);
	first = asked;
	asked = 1;
	s.count = 0;
	audit(&s);
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
		cmocka_unit_test(the_seed_decides_what_is_asked_when),
	};
	int r;

	if (apr_initialize() != APR_SUCCESS)
		return (99);
	apr_pool_create(&pool, NULL);
	r = cmocka_run_group_tests(tests, NULL, NULL);
	apr_pool_destroy(pool);
	apr_terminate();
	return (r);
}
