/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdio.h>

#include "live/accesslog.h"
#include "live/assembly.h"
#include "live/device.h"
#include "live/group.h"
#include "live/hash.h"
#include "live/policy.h"
#include "live/replay.h"
#include "live/sketch.h"

/* --- sketch --------------------------------------------------------------- */

static void
sketches_are_exact_and_then_near(void **state)
{
	struct live_sketch s, even, odd;
	uint64_t i;

	memset(&s, 0, sizeof s);
	memset(&even, 0, sizeof even);
	memset(&odd, 0, sizeof odd);
	assert_int_equal(0, live_sketch_count(&s));
	for (i = 0; i < LIVE_SKETCH_EXACT; i++) {
		assert_int_equal(0, live_sketch_add(&s, live_hash_mix(i)));
		assert_int_equal(0, live_sketch_add(&s, live_hash_mix(i)));
		assert_int_equal(i + 1, live_sketch_count(&s));
	}
	assert_true(live_sketch_is_exact(&s));
	for (; i < 100000; i++)
		assert_int_equal(0, live_sketch_add(&s, live_hash_mix(i)));
	assert_false(live_sketch_is_exact(&s));
	assert_in_range(live_sketch_count(&s), 87000, 113000);
	for (i = 0; i < 100000; i++)
		assert_int_equal(0, live_sketch_add(i % 2 == 0 ? &even : &odd,
					live_hash_mix(i)));
	assert_int_equal(0, live_sketch_merge(&even, &odd));
	assert_int_equal(live_sketch_count(&s), live_sketch_count(&even));
	live_sketch_fini(&s);
	live_sketch_fini(&even);
	live_sketch_fini(&odd);
}

/* --- groups --------------------------------------------------------------- */

static unsigned
visit(struct live_groups *gs, const char *url)
{
	unsigned g;

	assert_int_equal(0, live_groups_find(gs, vary_span_str("h"),
				vary_span_str(url), 0, &g));
	live_groups_get(gs, g)->requests++;
	return (g);
}

static void
paths_fold_and_keep_what_was_counted(void **state)
{
	struct live_groups *gs;
	unsigned first, last, i;
	char url[64], name[64];

	assert_int_equal(0, live_groups_open(&gs, 512));
	first = visit(gs, "/blog/0?page=1");
	live_groups_name(gs, live_groups_get(gs, first), name, sizeof name);
	assert_string_equal("h/blog/0", name);
	assert_int_equal(first, visit(gs, "/blog/0"));
	(void)visit(gs, "/about");
	for (i = 1; i <= LIVE_GROUP_FANOUT; i++) {
		(void)snprintf(url, sizeof url, "/blog/%u", i);
		last = visit(gs, url);
	}
	/* The first number still stands for what it was counted under. */
	assert_ptr_equal(live_groups_get(gs, first), live_groups_get(gs, last));
	assert_int_equal(
	    LIVE_GROUP_FANOUT + 2, live_groups_get(gs, first)->requests);
	live_groups_name(gs, live_groups_get(gs, first), name, sizeof name);
	assert_string_equal("h/blog/*", name);
	live_groups_close(&gs);
}

static void
groups_and_hosts_are_bounded(void **state)
{
	struct live_groups *gs;
	unsigned i, g, n = 0;
	uint64_t sum = 0;

	assert_int_equal(0, live_groups_open(&gs, 64));
	for (i = 0; i < 20000; i++) {
		char host[32], url[64];

		(void)snprintf(host, sizeof host, "h%u", i % 1000);
		(void)snprintf(url, sizeof url, "/%u/%u/%u", i % 7, i % 11, i);
		assert_int_equal(0, live_groups_find(gs, vary_span_str(host),
					vary_span_str(url), 0, &g));
		live_groups_get(gs, g)->requests++;
	}
	for (i = 0; i < live_groups_end(gs); i++) {
		if (live_groups_at(gs, i) == NULL)
			continue;
		n++;
		sum += live_groups_at(gs, i)->requests;
	}
	assert_int_equal(20000, sum);
	assert_true(n <= 64 + 2 * LIVE_GROUP_HOSTS);
	live_groups_close(&gs);
}

/* --- policy --------------------------------------------------------------- */

static void
a_policy_is_read_from_vcl(void **state)
{
	static const char vcl[] =
	    "vcl 4.1; # site.strip(\"Comment\");\n"
	    "import vary; /* site.strip(\"Comment\"); */\n"
	    "sub vcl_init {\n"
	    "	new site = vary.policy(strip = \"Host\", bypass_ttl = 1.5m,\n"
	    "	    other = strip);\n"
	    "	site.strip(\"X-Debug, X-Trace\");\n"
	    "	site.language(\"en, fr\");\n"
	    "	site.map(\"User-Agent\", \"X-Device\");\n"
	    "	site.keep({\"Cookie\"});\n"
	    "}\n";
	struct live_policy p;
	unsigned line = 0;
	const struct live_rule *r;

	assert_int_equal(0, live_policy_read(&p, vcl, sizeof vcl - 1, &line));
	assert_true(p.declared);
	assert_true(p.other_strip);
	assert_null(live_policy_find(&p, vary_span_str("Comment")));
	r = live_policy_find(&p, vary_span_str("x-trace"));
	assert_non_null(r);
	assert_int_equal(LIVE_VERB_STRIP, r->verb);
	r = live_policy_find(&p, vary_span_str("Accept-Language"));
	assert_non_null(r);
	assert_int_equal(live_rule_apply(r, vary_span_str("fr-CH, de;q=0.5")),
	    live_rule_apply(r, vary_span_str("fr")));
	assert_int_not_equal(live_rule_apply(r, vary_span_str("fr")),
	    live_rule_apply(r, vary_span_str("en")));
	assert_int_equal(live_rule_apply(r, (struct vary_span){ NULL, 0 }),
	    live_rule_apply(r, vary_span_str("xx")));
	assert_int_equal(LIVE_VERB_DEVICE,
	    live_policy_find(&p, vary_span_str("User-Agent"))->verb);
	assert_int_equal(LIVE_VERB_KEEP,
	    live_policy_find(&p, vary_span_str("Cookie"))->verb);
	assert_int_equal(
	    -EINVAL, live_policy_read(
			 &p, "new a = vary.policy();\na.strip(x);", 33, &line));
	assert_int_equal(2, line);
}

static void
devices_are_told_apart(void **state)
{
#define D(s) live_device_of(vary_span_str(s))
	assert_int_equal(LIVE_DEVICE_DESKTOP,
	    D("Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/1"));
	assert_int_equal(LIVE_DEVICE_MOBILE,
	    D("Mozilla/5.0 (Linux; Android 10; K) Chrome/1 Mobile Safari"));
	assert_int_equal(LIVE_DEVICE_TABLET,
	    D("Mozilla/5.0 (Linux; Android 10; K) Chrome/1 Safari"));
	assert_int_equal(LIVE_DEVICE_BOT, D("Mozilla/5.0 (a; Googlebot/2.1)"));
	assert_int_equal(LIVE_DEVICE_BOT, D("curl/8"));
	assert_int_equal(
	    LIVE_DEVICE_BOT, live_device_of((struct vary_span){ NULL, 0 }));
#undef D
}

/* --- replay --------------------------------------------------------------- */

struct stage {
	struct live_members *ms;
	struct live_replay *r;
	uint32_t mask;
};

static void
ignore(void *priv, const struct live_event *e, uint64_t hits, double w)
{
}

static void
raise_curtain(
    struct stage *s, const char *vary, uint64_t storage, size_t memory)
{
	struct live_replay_options o = { storage, memory, false };
	struct live_vary v;

	assert_int_equal(0, live_members_open(&s->ms, NULL));
	live_members_read(s->ms, vary_span_str(vary), &v);
	s->mask = v.mask;
	assert_int_equal(0, live_replay_open(&s->r, s->ms, &o, ignore, NULL));
}

static void
drop_curtain(struct stage *s)
{
	live_replay_close(&s->r);
	live_members_close(&s->ms);
}

/* A lookup at `at` seconds of one URL, by a client whose members all say `v`. */
static void
look_up(struct stage *s, double at, uint64_t url, uint32_t v, uint32_t bv,
    enum live_observed seen)
{
	struct live_event e;
	unsigned i;

	memset(&e, 0, sizeof e);
	e.us = (int64_t)(at * 1e6);
	e.origin_us = e.us;
	e.url = live_hash_mix(url);
	e.observed = seen;
	e.hit_mask = seen == LIVE_SEEN_HIT ? s->mask : 0;
	e.born_us = e.us;
	e.left_ttl = 1;
	e.fetched = e.storable = seen == LIVE_SEEN_MISS;
	e.stored_mask = e.declared_mask = s->mask;
	e.ttl = 10;
	e.bytes = 1000;
	for (i = 0; i < LIVE_MEMBERS_MAX; i++) {
		e.req.raw[i] = v;
		e.bereq.raw[i] = bv;
		e.req.norm[i] = e.bereq.norm[i] = 1;
	}
	assert_int_equal(0, live_replay_add(s->r, &e));
}

static double
hits(struct stage *s, enum live_scenario_kind kind)
{
	struct live_replay_result x;
	int n = live_replay_scenario(s->r, kind, 0);

	assert_int_equal(0, live_replay_settle(s->r, INT64_MAX));
	live_replay_result(s->r, &x);
	assert_true(n >= 0 || live_replay_scenario(s->r, kind, 0) >= 0);
	return (x.scenario[live_replay_scenario(s->r, kind, 0)].hits);
}

static void
variants_are_lost_hits(void **state)
{
	struct stage s;

	raise_curtain(&s, "User-Agent", 0, 1 << 20);
	look_up(&s, 1, 1, 1, 1, LIVE_SEEN_MISS);
	look_up(&s, 2, 1, 2, 2, LIVE_SEEN_MISS);
	look_up(&s, 3, 1, 3, 3, LIVE_SEEN_MISS);
	look_up(&s, 4, 1, 1, 1, LIVE_SEEN_HIT);
	/* Older than ten seconds, all of them. */
	look_up(&s, 15, 1, 1, 1, LIVE_SEEN_MISS);
	assert_true(hits(&s, LIVE_AS_IT_WAS) == 1);
	/* Its object is of the first second: it, too, is gone at 15. */
	assert_true(hits(&s, LIVE_DROPPED) == 3);
	assert_true(hits(&s, LIVE_NORMALISED) == 3);
	assert_true(hits(&s, LIVE_NO_VARY) == 3);
	drop_curtain(&s);
}

static void
what_the_backend_changes_never_hits(void **state)
{
	struct stage s;

	raise_curtain(&s, "Host", 0, 1 << 20);
	look_up(&s, 1, 1, 1, 9, LIVE_SEEN_MISS);
	look_up(&s, 2, 1, 1, 9, LIVE_SEEN_MISS);
	look_up(&s, 3, 1, 1, 9, LIVE_SEEN_MISS);
	assert_true(hits(&s, LIVE_AS_IT_WAS) == 0);
	assert_true(hits(&s, LIVE_DROPPED) == 2);
	drop_curtain(&s);
}

static void
late_records_are_put_in_order(void **state)
{
	struct stage s;

	/* The hit waited for the miss, and was logged before it. */
	raise_curtain(&s, "User-Agent", 0, 1 << 20);
	look_up(&s, 1.5, 1, 1, 1, LIVE_SEEN_HIT);
	look_up(&s, 1.0, 1, 1, 1, LIVE_SEEN_MISS);
	assert_true(hits(&s, LIVE_AS_IT_WAS) == 1);
	drop_curtain(&s);
}

static void
a_small_cache_evicts_the_least_recently_used(void **state)
{
	struct stage s;
	struct live_replay_result x;

	/* Room for two objects of 1000 + 1024 bytes. */
	raise_curtain(&s, "User-Agent", 5000, 1 << 20);
	look_up(&s, 1, 1, 1, 1, LIVE_SEEN_MISS);
	look_up(&s, 2, 2, 1, 1, LIVE_SEEN_MISS);
	look_up(&s, 3, 1, 1, 1, LIVE_SEEN_HIT);
	look_up(&s, 4, 3, 1, 1, LIVE_SEEN_MISS);
	look_up(&s, 5, 1, 1, 1, LIVE_SEEN_HIT);
	look_up(&s, 6, 2, 1, 1, LIVE_SEEN_MISS);
	assert_true(hits(&s, LIVE_AS_IT_WAS) == 2);
	live_replay_result(s.r, &x);
	assert_int_equal(2, x.scenario[0].evicted);
	assert_true(x.scenario[0].resident_max <= 5000);
	drop_curtain(&s);
}

static void
memory_is_bounded_by_sampling(void **state)
{
	struct live_replay_result x;
	struct stage s;
	unsigned i;

	raise_curtain(&s, "User-Agent", 0, 256 * 1024);
	for (i = 0; i < 40000; i++)
		look_up(&s, 1 + i / 40000.0, i, 1, 1, LIVE_SEEN_MISS);
	for (i = 0; i < 40000; i++)
		look_up(&s, 4 + i / 40000.0, i, 1, 1, LIVE_SEEN_HIT);
	assert_true(hits(&s, LIVE_AS_IT_WAS) > 0);
	live_replay_result(s.r, &x);
	assert_true(x.sample < 1);
	assert_true(x.objects * 64 + x.urls * 100 < 300 * 1024);
	/* A sample of the URLs, so the ratio is the same. */
	assert_true(x.only_replayed == 0);
	assert_true(x.lookups > 0.7 * 80000 && x.lookups < 1.3 * 80000);
	drop_curtain(&s);
}

/* --- assembly ------------------------------------------------------------- */

struct seen {
	unsigned n, fetched, incomplete;
	char last[64];
};

static void
see(void *priv, const struct live_transaction *t)
{
	struct seen *s = priv;

	s->n++;
	s->fetched += t->fetch != NULL;
	s->incomplete += t->incomplete;
	(void)snprintf(s->last, sizeof s->last, "%.*s%.*s", (int)t->host.len,
	    t->host.b, (int)t->url.len, t->url.b);
}

static void
feed(struct live_assembly *a, uint64_t vxid, enum live_tag tag, const char *b)
{
	struct live_record r = { vxid, tag, NULL, strlen(b) };
	char *in = unit_exact(b, r.len);

	r.b = in;
	assert_int_equal(0, live_assembly_take(a, &r));
	free(in);
}

static void
feed_request(struct live_assembly *a, uint64_t vxid, const char *link)
{
	feed(a, vxid, LIVE_TAG_BEGIN, "req 1 rxreq");
	feed(a, vxid, LIVE_TAG_TIMESTAMP, "Start: 1796175654.777563 0 0");
	feed(a, vxid, LIVE_TAG_URL, "/a");
	feed(a, vxid, LIVE_TAG_REQ_HEADER, "host: h");
	feed(a, vxid, LIVE_TAG_VCL_CALL, "HASH");
	feed(a, vxid, LIVE_TAG_VCL_RETURN, "lookup");
	feed(a, vxid, LIVE_TAG_VCL_CALL, "MISS");
	if (link != NULL)
		feed(a, vxid, LIVE_TAG_LINK, link);
	feed(a, vxid, LIVE_TAG_END, "");
}

static void
requests_and_fetches_find_each_other(void **state)
{
	struct live_assembly *a;
	struct seen s = { 0, 0, 0, "" };

	assert_int_equal(0, live_assembly_open(&a, 10, see, &s));
	/* The fetch before its request. */
	feed(a, 3, LIVE_TAG_BEGIN, "bereq 2 fetch");
	feed(a, 3, LIVE_TAG_END, "");
	feed_request(a, 2, "bereq 3 fetch");
	assert_int_equal(1, s.n);
	assert_int_equal(1, s.fetched);
	assert_string_equal("h/a", s.last);
	/* And after it. */
	feed_request(a, 4, "bereq 5 fetch");
	assert_int_equal(1, s.n);
	feed(a, 5, LIVE_TAG_BEGIN, "bereq 4 fetch");
	feed(a, 5, LIVE_TAG_END, "");
	assert_int_equal(2, s.fetched);
	/* By way of a second attempt. */
	feed_request(a, 6, "bereq 7 fetch");
	feed(a, 7, LIVE_TAG_BEGIN, "bereq 6 fetch");
	feed(a, 7, LIVE_TAG_LINK, "bereq 8 retry");
	feed(a, 7, LIVE_TAG_END, "");
	assert_int_equal(2, s.n);
	feed(a, 8, LIVE_TAG_BEGIN, "bereq 7 retry");
	feed(a, 8, LIVE_TAG_END, "");
	assert_int_equal(3, s.fetched);
	/* One whose fetch never comes is given out when there is no room. */
	feed_request(a, 10, "bereq 11 fetch");
	live_assembly_flush(a);
	assert_int_equal(4, s.n);
	assert_int_equal(1, s.incomplete);
	assert_int_equal(0, live_assembly_count(a)->open);
	live_assembly_close(&a);
}

/* What no Varnish writes, but a corrupt log may hold. */
static void
links_that_cannot_be_end_no_one(void **state)
{
	struct live_assembly *a;
	struct seen s = { 0, 0, 0, "" };

	assert_int_equal(0, live_assembly_open(&a, 10, see, &s));
	/* The same fetch twice, before the request and after it. */
	feed(a, 3, LIVE_TAG_BEGIN, "bereq 2 fetch");
	feed(a, 3, LIVE_TAG_END, "");
	feed(a, 2, LIVE_TAG_BEGIN, "req 1 rxreq");
	feed(a, 2, LIVE_TAG_LINK, "bereq 3 fetch");
	feed(a, 2, LIVE_TAG_LINK, "bereq 3 fetch");
	feed(a, 2, LIVE_TAG_END, "");
	assert_int_equal(1, s.fetched);
	feed(a, 4, LIVE_TAG_BEGIN, "req 1 rxreq");
	feed(a, 4, LIVE_TAG_LINK, "bereq 5 fetch");
	feed(a, 4, LIVE_TAG_LINK, "bereq 5 fetch");
	feed(a, 4, LIVE_TAG_END, "");
	feed(a, 5, LIVE_TAG_BEGIN, "bereq 4 fetch");
	feed(a, 5, LIVE_TAG_END, "");
	assert_int_equal(2, s.fetched);
	/* A second attempt with the number of a fetch that is linked already. */
	feed(a, 6, LIVE_TAG_BEGIN, "req 1 rxreq");
	feed(a, 6, LIVE_TAG_LINK, "bereq 7 fetch");
	feed(a, 6, LIVE_TAG_LINK, "bereq 8 fetch");
	feed(a, 7, LIVE_TAG_BEGIN, "bereq 6 fetch");
	feed(a, 7, LIVE_TAG_LINK, "bereq 8 retry");
	feed(a, 8, LIVE_TAG_BEGIN, "bereq 7 retry");
	feed(a, 7, LIVE_TAG_END, "");
	feed(a, 6, LIVE_TAG_END, "");
	feed(a, 8, LIVE_TAG_END, "");
	assert_int_equal(3, s.fetched);
	feed(a, 9, LIVE_TAG_BEGIN, "req 1 rxreq");
	feed(a, 9, LIVE_TAG_LINK, "bereq 10 fetch");
	feed(a, 9, LIVE_TAG_LINK, "bereq 11 fetch");
	feed(a, 9, LIVE_TAG_END, "");
	feed(a, 10, LIVE_TAG_BEGIN, "bereq 9 fetch");
	feed(a, 11, LIVE_TAG_BEGIN, "bereq 10 retry");
	feed(a, 10, LIVE_TAG_LINK, "bereq 11 retry");
	feed(a, 10, LIVE_TAG_END, "");
	assert_int_equal(3, s.fetched);
	feed(a, 11, LIVE_TAG_END, "");
	assert_int_equal(4, s.fetched);
	/* An attempt that is its own next one. */
	feed_request(a, 12, "bereq 13 fetch");
	feed(a, 13, LIVE_TAG_BEGIN, "bereq 12 fetch");
	feed(a, 13, LIVE_TAG_LINK, "bereq 13 retry");
	feed(a, 13, LIVE_TAG_END, "");
	assert_int_equal(5, s.fetched);
	assert_int_equal(0, live_assembly_count(a)->open);
	assert_int_equal(5, live_assembly_count(a)->transactions);
	/* A log that ends before the second attempt: the request goes first. */
	feed_request(a, 14, "bereq 15 fetch");
	feed(a, 15, LIVE_TAG_BEGIN, "bereq 14 fetch");
	feed(a, 15, LIVE_TAG_LINK, "bereq 16 retry");
	feed(a, 15, LIVE_TAG_END, "");
	live_assembly_flush(a);
	assert_int_equal(6, s.n);
	assert_int_equal(1, s.incomplete);
	assert_int_equal(0, live_assembly_count(a)->open);
	live_assembly_close(&a);
}

static void
what_is_open_is_bounded(void **state)
{
	struct live_assembly *a;
	struct seen s = { 0, 0, 0, "" };
	uint64_t i;

	assert_int_equal(0, live_assembly_open(&a, 10, see, &s));
	for (i = 2; i < 1000; i++) {
		feed(a, i, LIVE_TAG_BEGIN,
		    i % 2 == 0 ? "req 1 rxreq" : "bereq 0 fetch");
		assert_true(live_assembly_count(a)->open <= 10);
	}
	live_assembly_close(&a);
}

/* --- access logs ---------------------------------------------------------- */

static bool
read_line(struct live_log_line *l, const char *format, const char *line)
{
	static const struct live_lifetime fallback = { 120, 10, 0 };
	struct live_log_format f;
	char *in = unit_exact(line, strlen(line));
	bool ok;

	assert_int_equal(0, live_log_format_init(&f, format));
	ok = live_log_read(l, &f, in, strlen(line), fallback);
	free(in);
	return (ok);
}

static void
access_logs_are_read(void **state)
{
	struct live_log_line *l = malloc(sizeof *l);
	struct live_log_format f;

	assert_non_null(l);
	assert_true(read_line(l, "combined",
	    "1.2.3.4 - - [02/Dec/2026:01:40:54 +0100] \"GET /a?b HTTP/1.1\" "
	    "200 17 \"-\" \"A \\\"quoted\\\" \\x41gent\""));
	assert_int_equal(INT64_C(1796172054000000), l->t.start_us);
	assert_int_equal(4, l->t.url.len);
	assert_int_equal(1, l->t.headers_n);
	assert_int_equal(16, l->t.headers[0].value.len);
	assert_memory_equal("A \"quoted\" Agent", l->t.headers[0].value.b, 16);
	assert_int_equal(17, l->t.bytes);
	assert_non_null(l->t.fetch);
	assert_true(l->t.fetch->life.ttl == 120);
	assert_true(read_line(l,
	    "%{sec}t \"%r\" %s \"%{Cache-Control}o\" "
	    "\"%{Vary}o\" %{Varnish:handling}x",
	    "1796175654 \"GET http://h/x HTTP/1.1\" 200 "
	    "\"max-age=5, s-maxage=7\" \"Foo\" miss"));
	assert_int_equal(1, l->t.host.len);
	assert_int_equal(2, l->t.url.len);
	assert_true(l->t.fetch->life.ttl == 7);
	assert_int_equal(LIVE_MISS, l->t.handling);
	assert_true(read_line(l, "json",
	    "{\"time\": 1796175654.5, \"url\": \"/\", \"host\": \"h\", "
	    "\"status\": 200, \"handling\": \"hit\", \"req\": {\"A\": \"b\"}, "
	    "\"resp\": {\"Vary\": \"A\"}}"));
	assert_int_equal(LIVE_HIT, l->t.handling);
	assert_true(l->t.has_vary);
	assert_int_equal(INT64_C(1796175654500000), l->t.start_us);
	assert_false(read_line(l, "combined", "nonsense"));
	assert_false(read_line(l, "combined", ""));
	assert_false(read_line(l, "json", "{"));
	assert_int_equal(-EINVAL, live_log_format_init(&f, "%h"));
	assert_int_equal(-EINVAL, live_log_format_init(&f, "%t %r%b"));
	assert_int_equal(-EINVAL, live_log_format_init(&f, "%t %r %{x"));
	free(l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sketches_are_exact_and_then_near),
		cmocka_unit_test(paths_fold_and_keep_what_was_counted),
		cmocka_unit_test(groups_and_hosts_are_bounded),
		cmocka_unit_test(a_policy_is_read_from_vcl),
		cmocka_unit_test(devices_are_told_apart),
		cmocka_unit_test(variants_are_lost_hits),
		cmocka_unit_test(what_the_backend_changes_never_hits),
		cmocka_unit_test(late_records_are_put_in_order),
		cmocka_unit_test(a_small_cache_evicts_the_least_recently_used),
		cmocka_unit_test(memory_is_bounded_by_sampling),
		cmocka_unit_test(requests_and_fetches_find_each_other),
		cmocka_unit_test(links_that_cannot_be_end_no_one),
		cmocka_unit_test(what_is_open_is_bounded),
		cmocka_unit_test(access_logs_are_read),
	};

	return (cmocka_run_group_tests_name("live", tests, NULL, NULL));
}
