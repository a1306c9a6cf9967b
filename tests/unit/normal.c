/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/unit.h"

#include <stdio.h>

#include "vary/name.h"
#include "vary/normal.h"

/* A policy in one line: "strip Host, map User-Agent X-Device, ensure Accept". */
static void
make(struct vary_policy *p, struct vary_rule *rule, size_t cap, char *text)
{
	static const struct {
		const char *word;
		enum vary_verb verb;
	} verbs[] = { { "keep", VARY_KEEP }, { "strip", VARY_STRIP },
		{ "hide", VARY_HIDE }, { "restore", VARY_RESTORE },
		{ "bypass", VARY_BYPASS } };
	char *outer, *inner, *clause;

	vary_policy_init(p, rule, cap);
	for (clause = strtok_r(text, ",", &outer); clause != NULL;
	     clause = strtok_r(NULL, ",", &outer)) {
		char *word = strtok_r(clause, " ", &inner);
		char *name = strtok_r(NULL, " ", &inner);
		struct vary_rule *r;
		size_t i;

		assert_non_null(name);
		assert_int_equal(
		    VARY_OK, vary_policy_rule(p, vary_span_str(name), &r));
		if (strcmp(word, "ensure") == 0)
			vary_policy_ensure(p, r);
		else if (strcmp(word, "promote") == 0)
			vary_policy_promote(p, r);
		else if (strcmp(word, "map") == 0)
			assert_int_equal(VARY_OK,
			    vary_policy_map(p, r,
				vary_span_str(strtok_r(NULL, " ", &inner))));
		for (i = 0; i < sizeof verbs / sizeof *verbs; i++)
			if (strcmp(word, verbs[i].word) == 0)
				vary_policy_say(p, r, verbs[i].verb);
	}
}

struct row {
	const char *policy, *in, *cache, *client;
	enum vary_share share;
};

static void
check(const struct row *t, enum vary_via via, bool normalised)
{
	struct vary_rule rule[16];
	struct vary_policy p;
	struct vary_set s;
	struct vary_normal v;
	char text[256], *buf, *in, *line, *save;
	size_t bound;

	(void)snprintf(text, sizeof text, "%s", t->policy);
	make(&p, rule, 16, text);
	p.normalised = normalised;
	in = strdup(t->in);
	vary_set_init(&s);
	for (line = strtok_r(in, "\n", &save); line != NULL;
	     line = strtok_r(NULL, "\n", &save))
		vary_set_add(&s, line, strlen(line));
	bound = vary_normal_bound(&p, &s);
	buf = malloc(bound + 1);
	if (bound > 0)
		assert_int_equal(VARY_NOSPACE,
		    vary_normal_apply(&p, &s, via, buf, bound - 1, &v));
	assert_int_equal(
	    VARY_OK, vary_normal_apply(&p, &s, via, buf, bound, &v));
	assert_int_equal(strlen(t->cache), v.cache.len);
	assert_memory_equal(t->cache, v.cache.b, v.cache.len);
	assert_int_equal(strlen(t->client), v.client.len);
	assert_memory_equal(t->client, v.client.b, v.client.len);
	assert_int_equal(t->share, v.share);
	free(buf);
	free(in);
}

static void
verbs_decide_who_hears_of_a_member(void **state)
{
	static const struct row t[] = {
		{ "strip Host,strip User-Agent",
		    "Host,Accept-Encoding,User-Agent", "Accept-Encoding",
		    "Accept-Encoding", VARY_SHARED },
		{ "strip Host", "Host", "", "", VARY_SHARED },
		{ "strip host", "HOST, x-a", "X-A", "x-a", VARY_SHARED },
		{ "hide X-User-Hash", "x-user-hash, Accept",
		    "Accept, X-User-Hash", "Accept", VARY_SHARED },
		{ "map User-Agent X-Device", "User-Agent", "X-Device",
		    "User-Agent", VARY_SHARED },
		{ "map User-Agent X-Device", "X-Device,Accept",
		    "Accept, X-Device", "User-Agent, Accept", VARY_SHARED },
		{ "map User-Agent X-Device", "User-Agent, x-device", "X-Device",
		    "User-Agent", VARY_SHARED },
		{ "ensure Accept", "", "Accept", "Accept", VARY_SHARED },
		{ "ensure Accept", "Origin, Accept", "Accept, Origin",
		    "Origin, Accept", VARY_SHARED },
		{ "map User-Agent X-Device,ensure User-Agent",
		    "Accept-Encoding", "Accept-Encoding, X-Device",
		    "Accept-Encoding, User-Agent", VARY_SHARED },
		{ "hide X-H,ensure X-H", "Accept", "Accept, X-H", "Accept",
		    VARY_SHARED },
		{ "restore Foo", "Foo, Bar", "Bar", "Foo, Bar", VARY_SHARED },
		{ "bypass Cookie", "Accept, Cookie", "Accept", "Accept, Cookie",
		    VARY_UNSHARED_BYPASS },
		/* The last word said of a name is the one that counts. */
		{ "strip User-Agent,map User-Agent X-D", "User-Agent", "X-D",
		    "User-Agent", VARY_SHARED },
		{ "", "accept, ACCEPT, Accept", "Accept", "accept",
		    VARY_SHARED },
	};
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++)
		check(&t[i], VARY_VIA_CACHE, false);
}

/* Several verbs of one name, in both orders: the last word said counts. */
static void
verbs_go_together(void **state)
{
	static const struct row t[] = {
		{ "map User-Agent X-D,hide X-D", "X-D", "X-D", "",
		    VARY_SHARED },
		{ "hide X-D,map User-Agent X-D", "X-D", "X-D", "User-Agent",
		    VARY_SHARED },
		{ "map User-Agent X-D,hide X-D", "User-Agent", "X-D",
		    "User-Agent", VARY_SHARED },
		{ "map User-Agent X-D,strip User-Agent", "X-D, User-Agent",
		    "X-D", "X-D", VARY_SHARED },
		/* To ensure the internal name says nothing else of it. */
		{ "ensure X-D,map User-Agent X-D", "Accept", "Accept, X-D",
		    "Accept, User-Agent", VARY_SHARED },
		{ "map User-Agent X-D,ensure X-D", "Accept", "Accept, X-D",
		    "Accept, User-Agent", VARY_SHARED },
		/* One internal name of several headers: all are told. */
		{ "map User-Agent X-D,map Sec-CH-UA-Mobile X-D", "X-D", "X-D",
		    "User-Agent, Sec-CH-UA-Mobile", VARY_SHARED },
		{ "map User-Agent X-D,map Sec-CH-UA-Mobile X-D",
		    "sec-ch-ua-mobile", "X-D", "Sec-CH-UA-Mobile, User-Agent",
		    VARY_SHARED },
		{ "map User-Agent X-D,map User-Agent X-E", "User-Agent, X-D",
		    "X-D, X-E", "User-Agent, X-D", VARY_SHARED },
		/* What is ensured is so as its verb says. */
		{ "ensure Origin,restore Origin", "", "", "Origin",
		    VARY_SHARED },
		{ "restore Origin,ensure Origin", "Accept", "Accept",
		    "Accept, Origin", VARY_SHARED },
		{ "bypass Cookie,ensure Cookie", "", "", "Cookie",
		    VARY_UNSHARED_BYPASS },
		{ "strip User-Agent,ensure User-Agent", "", "User-Agent",
		    "User-Agent", VARY_SHARED },
		{ "ensure User-Agent,strip User-Agent", "User-Agent, Accept",
		    "Accept", "Accept", VARY_SHARED },
		/* In the hash: out of the key, and told as ever. */
		{ "promote X-H", "X-H, Accept", "Accept", "X-H, Accept",
		    VARY_SHARED },
		{ "promote X-H,hide X-H", "X-H, Accept", "Accept", "Accept",
		    VARY_SHARED },
		{ "hide X-H,promote X-H", "X-H, Accept", "Accept", "Accept",
		    VARY_SHARED },
		{ "map Cookie X-H,promote X-H", "Cookie", "", "Cookie",
		    VARY_SHARED },
		{ "map Cookie X-H,promote X-H", "X-H", "", "Cookie",
		    VARY_SHARED },
		{ "promote X-H,map Cookie X-H,ensure Cookie", "", "", "Cookie",
		    VARY_SHARED },
		{ "promote X-H,ensure X-H", "", "", "X-H", VARY_SHARED },
		{ "strip User-Agent,promote User-Agent", "User-Agent", "",
		    "User-Agent", VARY_SHARED },
	};
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++)
		check(&t[i], VARY_VIA_CACHE, false);
}

static void
what_cannot_match_is_dropped_from_the_key_and_told(void **state)
{
	static const struct row t[] = {
		{ "", "Accept, Prefer, Range", "Accept, Prefer",
		    "Accept, Prefer, Range", VARY_SHARED },
		{ "", "If-None-Match,TE,X-Varnish,Cache-Control", "",
		    "If-None-Match, TE, X-Varnish, Cache-Control",
		    VARY_SHARED },
		{ "", "accept-encoding\naccept, content-type",
		    "Accept-Encoding, Accept",
		    "accept-encoding, accept, content-type", VARY_SHARED },
		{ "keep Range", "Range", "Range", "Range", VARY_SHARED },
		{ "bypass X-Varnish", "X-Varnish", "", "X-Varnish",
		    VARY_UNSHARED_BYPASS },
	};
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++)
		check(&t[i], VARY_VIA_CACHE, false);
}

static void
stars_and_malformed_values_are_never_shared(void **state)
{
	static const struct row t[] = {
		{ "", "*", "", "*", VARY_UNSHARED_STAR },
		{ "", "*, *", "", "*", VARY_UNSHARED_STAR },
		{ "", "*\n*", "", "*", VARY_UNSHARED_STAR },
		{ "", ", *", "", "*", VARY_UNSHARED_STAR },
		{ "", "\n*", "", "*", VARY_UNSHARED_STAR },
		{ "", "*, Foo", "Foo", "*, Foo", VARY_UNSHARED_STAR },
		{ "", "Foo, *", "Foo", "Foo, *", VARY_UNSHARED_STAR },
		{ "", "X-A X-B", "X-A, X-B", "X-A, X-B",
		    VARY_UNSHARED_MALFORMED },
		{ "", "\"Accept\"", "", "", VARY_UNSHARED_MALFORMED },
		{ "", "AE;UA, Foo", "Foo", "Foo", VARY_UNSHARED_MALFORMED },
	};
	char name[VARY_NAME_MAX + 2], upper[VARY_NAME_MAX + 2];
	struct row ok = { "", name, upper, name, VARY_SHARED };
	struct row bad = { "", name, "", name, VARY_UNSHARED_MALFORMED };
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++)
		check(&t[i], VARY_VIA_CACHE, false);
	memset(name, 'x', sizeof name);
	name[VARY_NAME_MAX] = '\0';
	memcpy(upper, name, sizeof upper);
	upper[0] = 'X';
	check(&ok, VARY_VIA_CACHE, false);
	name[VARY_NAME_MAX] = 'x';
	name[VARY_NAME_MAX + 1] = '\0';
	check(&bad, VARY_VIA_CACHE, false);
}

static void
a_blank_is_a_comma_where_the_policy_repairs(void **state)
{
	struct vary_policy p;
	struct vary_set s;
	struct vary_normal v;
	char buf[128];

	vary_policy_init(&p, NULL, 0);
	p.repair = VARY_REPAIR_BLANK;
	vary_set_init(&s);
	vary_set_add(&s, "X-A X-B", 7);
	assert_int_equal(VARY_OK,
	    vary_normal_apply(&p, &s, VARY_VIA_CACHE, buf, sizeof buf, &v));
	assert_int_equal(VARY_SHARED, v.share);
	assert_memory_equal("X-A, X-B", v.cache.b, v.cache.len);
	/* Nothing else is repaired. */
	vary_set_add(&s, "X-C;X-D", 7);
	assert_int_equal(VARY_OK,
	    vary_normal_apply(&p, &s, VARY_VIA_CACHE, buf, sizeof buf, &v));
	assert_int_equal(VARY_UNSHARED_MALFORMED, v.share);
}

static void
members_without_a_rule_follow_other(void **state)
{
	struct vary_rule rule[2];
	struct vary_policy p;
	struct vary_set s;
	struct vary_normal v;
	char buf[256], text[] = "keep Accept";

	make(&p, rule, 2, text);
	vary_set_init(&s);
	vary_set_add(&s, "Accept, Foo", 11);
	p.other = VARY_STRIP;
	assert_int_equal(VARY_OK,
	    vary_normal_apply(&p, &s, VARY_VIA_CACHE, buf, sizeof buf, &v));
	assert_int_equal(6, v.cache.len);
	assert_int_equal(6, v.client.len);
	assert_int_equal(1, v.tally.stripped);
	assert_int_equal(1, v.tally.kept);
	p.other = VARY_BYPASS;
	assert_int_equal(VARY_OK,
	    vary_normal_apply(&p, &s, VARY_VIA_CACHE, buf, sizeof buf, &v));
	assert_int_equal(VARY_UNSHARED_BYPASS, v.share);
}

static void
on_pass_the_client_sees_the_origin(void **state)
{
	static const struct row t[] = {
		{ "strip Host,hide X-H", "Host, X-H, Accept", "Accept, X-H",
		    "Host, Accept", VARY_SHARED },
		{ "strip Host,map User-Agent X-D,ensure Origin", "Host, X-D",
		    "Origin, X-D", "Host, User-Agent, Origin", VARY_SHARED },
	};
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++)
		check(&t[i], VARY_VIA_PASS, false);
}

static void
a_normalised_client_value_has_public_names_in_order(void **state)
{
	static const struct row t[] = {
		{ "map User-Agent X-D,hide X-H",
		    "x-d, x-h, foo, ACCEPT-encoding",
		    "Accept-Encoding, Foo, X-D, X-H",
		    "Accept-Encoding, User-Agent, Foo", VARY_SHARED },
	};

	check(&t[0], VARY_VIA_CACHE, true);
}

/* Golden: a changed order or spelling makes every stored variant cold. */
static void
the_normal_form_never_changes_between_releases(void **state)
{
	static const struct row t[] = {
		{ "",
		    "x-zebra, RSC, dpr, save-data, sec-ch-ua, "
		    "x-requested-with, "
		    "host, x-forwarded-host, referer, user-agent, "
		    "authorization, "
		    "cookie, origin, accept-language, accept, accept-encoding, "
		    "a_b-c",
		    "Accept-Encoding, Accept, Accept-Language, Origin, Cookie, "
		    "Authorization, User-Agent, Referer, Save-Data, Sec-CH-UA, "
		    "X-Forwarded-Host, Host, X-Requested-With, DPR, RSC, "
		    "A_B-C, "
		    "X-Zebra",
		    "x-zebra, RSC, dpr, save-data, sec-ch-ua, "
		    "x-requested-with, "
		    "host, x-forwarded-host, referer, user-agent, "
		    "authorization, "
		    "cookie, origin, accept-language, accept, accept-encoding, "
		    "a_b-c",
		    VARY_SHARED },
	};

	check(&t[0], VARY_VIA_CACHE, false);
}

static uint64_t seed = 20170213;

static unsigned
rnd(unsigned n)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return ((unsigned)(seed >> 33) % n);
}

static size_t
write_form(const char *in, size_t len, char *out, size_t cap)
{
	struct vary_set s;
	size_t n = 0;

	vary_set_init(&s);
	vary_set_add(&s, in, len);
	assert_int_equal(VARY_OK, vary_normal_write(&s, out, cap, &n));
	return (n);
}

/*
 * Of random lists: normalising twice changes nothing, and neither order nor
 * case of the input changes the result; for the stateless form and for both
 * values of a policy.
 */
static void
normal_forms_are_idempotent_and_blind_to_order_and_case(void **state)
{
	static const char *const names[] = { "Accept", "X-a", "HOST", "cookie",
		"user-agent", "Range", "content-TYPE", "b_C", "x-Device",
		"Z9" };
	enum {
		NAMES = sizeof names / sizeof *names
	};
	int round;

	for (round = 0; round < 20000; round++) {
		unsigned order[NAMES], i, n = rnd(NAMES + 1);
		char in[2][256], out[3][256];
		size_t len[2] = { 0, 0 }, olen[3];
		int k;

		for (i = 0; i < NAMES; i++)
			order[i] = i;
		for (k = 0; k < 2; k++) {
			/* The second time: the same names, shuffled, recased. */
			for (i = n; k == 1 && i > 1; i--) {
				unsigned j = rnd(i), o = order[i - 1];

				order[i - 1] = order[j];
				order[j] = o;
			}
			for (i = 0; i < n; i++) {
				const char *c = names[order[i]];

				while (rnd(4) == 0)
					in[k][len[k]++] = rnd(2) ? ' ' : ',';
				for (; *c != '\0'; c++)
					in[k][len[k]++] =
					    rnd(2) == 0 ? *c
					    : *c >= 'a' && *c <= 'z'
						? (char)(*c - 32)
					    : *c >= 'A' && *c <= 'Z'
						? (char)(*c + 32)
						: *c;
				in[k][len[k]++] = ',';
				if (len[k] > 200)
					break;
			}
			if (len[k] > 200)
				break;
		}
		if (k < 2)
			continue;
		olen[0] = write_form(in[0], len[0], out[0], 256);
		olen[1] = write_form(in[1], len[1], out[1], 256);
		olen[2] = write_form(out[0], olen[0], out[2], 256);
		assert_int_equal(olen[0], olen[1]);
		assert_memory_equal(out[0], out[1], olen[0]);
		assert_int_equal(olen[0], olen[2]);
		assert_memory_equal(out[0], out[2], olen[0]);
	}
}

static void
a_policy_applied_to_its_own_result_changes_nothing(void **state)
{
	static const char alphabet[] = "abXY-*,, \t;\"Hh";
	char text[] = "strip h,hide x,map y x-y,ensure b,bypass a-a";
	struct vary_rule rule[8];
	struct vary_policy p;
	int round;

	make(&p, rule, 8, text);
	for (round = 0; round < 50000; round++) {
		char in[64], buf[2][1024];
		struct vary_set s;
		struct vary_normal v[2];
		size_t len = rnd(sizeof in), i;

		for (i = 0; i < len; i++)
			in[i] = alphabet[rnd(sizeof alphabet - 1)];
		vary_set_init(&s);
		vary_set_add(&s, in, len);
		assert_int_equal(
		    VARY_OK, vary_normal_apply(&p, &s, VARY_VIA_CACHE, buf[0],
				 sizeof buf[0], &v[0]));
		assert_true(v[0].share != VARY_SHARED || !s.star);
		assert_true(v[0].share != VARY_SHARED || s.malformed == 0);
		vary_set_init(&s);
		vary_set_add(&s, v[0].cache.b, v[0].cache.len);
		assert_int_equal(0, s.malformed + s.blanks + s.star);
		assert_int_equal(
		    VARY_OK, vary_normal_apply(&p, &s, VARY_VIA_CACHE, buf[1],
				 sizeof buf[1], &v[1]));
		assert_int_equal(v[0].cache.len, v[1].cache.len);
		assert_memory_equal(v[0].cache.b, v[1].cache.b, v[0].cache.len);
	}
}

static void
the_stateless_form_is_lower_case_in_byte_order(void **state)
{
	static const char *const t[][2] = {
		{ "User-Agent, Accept,, HOST", "accept, host, user-agent" },
		{ "", "" },
		{ "Foo, *", "*" },
		{ "b, B, a", "a, b" },
		{ "x-b, x_a, xa", "x-b, x_a, xa" },
	};
	char out[128];
	size_t i, n;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		n = write_form(t[i][0], strlen(t[i][0]), out, sizeof out);
		assert_int_equal(strlen(t[i][1]), n);
		assert_memory_equal(t[i][1], out, n);
	}
}

static void
rules_take_field_names_only(void **state)
{
	struct vary_rule rule[1], *r = NULL;
	struct vary_policy p;
	char name[VARY_NAME_MAX + 2];

	memset(name, 'x', sizeof name);
	name[sizeof name - 1] = '\0';
	vary_policy_init(&p, rule, 1);
	assert_int_equal(
	    VARY_SYNTAX, vary_policy_rule(&p, vary_span_str("a b"), &r));
	assert_int_equal(
	    VARY_SYNTAX, vary_policy_rule(&p, vary_span_str(""), &r));
	assert_int_equal(
	    VARY_SYNTAX, vary_policy_rule(&p, vary_span_str("*"), &r));
	assert_int_equal(
	    VARY_SYNTAX, vary_policy_rule(&p, vary_span_str(name), &r));
	assert_null(r);
	assert_int_equal(VARY_OK, vary_policy_rule(&p, vary_span_str("A"), &r));
	assert_int_equal(
	    VARY_SYNTAX, vary_policy_map(&p, r, vary_span_str("*")));
	assert_int_equal(
	    VARY_SYNTAX, vary_policy_map(&p, r, vary_span_str(name)));
	assert_int_equal(VARY_KEEP, r->verb);
	assert_int_equal(VARY_OK, vary_policy_rule(&p, vary_span_str("a"), &r));
	assert_int_equal(1, p.n);
	assert_int_equal(
	    VARY_NOSPACE, vary_policy_rule(&p, vary_span_str("b"), &r));
	assert_ptr_equal(rule, vary_policy_find(&p, vary_span_str("a")));
	assert_null(vary_policy_find(&p, vary_span_str("b")));
}

static void
a_map_leads_to_no_map(void **state)
{
	static const struct {
		const char *public, *internal;
		enum vary_status want;
	} t[] = {
		{ "A", "I", VARY_OK },
		{ "B", "i", VARY_OK },       /* several make one */
		{ "I", "J", VARY_CONFLICT }, /* A, I, J */
		{ "C", "B", VARY_CONFLICT }, /* C, B, I */
		{ "C", "c", VARY_CONFLICT },
		{ "a", "K", VARY_OK }, /* the last word counts */
		{ "B", "K", VARY_OK },
		{ "I", "J", VARY_OK }, /* nobody's internal name now */
	};
	struct vary_rule rule[8], *r;
	struct vary_policy p;
	size_t i;

	vary_policy_init(&p, rule, 8);
	for (i = 0; i < sizeof t / sizeof *t; i++) {
		assert_int_equal(VARY_OK,
		    vary_policy_rule(&p, vary_span_str(t[i].public), &r));
		if (vary_policy_map(&p, r, vary_span_str(t[i].internal)) !=
		    t[i].want)
			fail_msg("%s to %s", t[i].public, t[i].internal);
	}
}

static void
rules_that_can_do_nothing_are_doubted(void **state)
{
	static const struct {
		const char *policy;
		enum vary_doubt want;
	} t[] = {
		{ "keep X", VARY_DOUBT_NONE },
		{ "strip VARY", VARY_DOUBT_ITSELF },
		{ "map X Vary", VARY_DOUBT_ITSELF },
		{ "map Vary X", VARY_DOUBT_ITSELF },
		{ "keep Range", VARY_DOUBT_UNKEYABLE },
		{ "name Range", VARY_DOUBT_NONE },
		{ "hide if-match", VARY_DOUBT_UNKEYABLE },
		{ "ensure X-Varnish", VARY_DOUBT_UNKEYABLE },
		{ "promote TE", VARY_DOUBT_UNKEYABLE },
		{ "map X Range", VARY_DOUBT_UNKEYABLE },
		{ "map Range X", VARY_DOUBT_NONE },
		{ "strip Range", VARY_DOUBT_NONE },
		{ "restore Range", VARY_DOUBT_NONE },
		{ "restore Range,ensure Range", VARY_DOUBT_NONE },
		{ "keep Content-Type", VARY_DOUBT_NONE },
		{ "ensure Set-Cookie", VARY_DOUBT_INERT },
		{ "promote Content-Type", VARY_DOUBT_INERT },
		{ "map X ETag", VARY_DOUBT_INERT },
		{ "ensure X,bypass X", VARY_DOUBT_ALWAYS },
		{ "bypass X,ensure X", VARY_DOUBT_ALWAYS },
		{ "ensure X,strip X", VARY_DOUBT_NONE },
		{ "map X-Device User-Agent", VARY_DOUBT_REVERSED },
		{ "map Forwarded X-Forwarded-Proto", VARY_DOUBT_NONE },
		{ "map X-Scheme X-Forwarded-Proto", VARY_DOUBT_NONE },
		{ "map User-Agent Sec-CH-UA-Mobile", VARY_DOUBT_NONE },
	};
	struct vary_rule rule[4];
	struct vary_policy p;
	char text[64];
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		(void)snprintf(text, sizeof text, "%s", t[i].policy);
		make(&p, rule, 4, text);
		if (vary_policy_doubt(&rule[0]) != t[i].want)
			fail_msg("%s", t[i].policy);
	}
	(void)snprintf(text, sizeof text, "keep X");
	make(&p, rule, 4, text);
	rule[0].chosen = true;
	assert_int_equal(VARY_DOUBT_NONE, vary_policy_doubt(&rule[0]));
	vary_policy_say(&p, &rule[0], VARY_STRIP);
	assert_int_equal(VARY_DOUBT_CHOSEN, vary_policy_doubt(&rule[0]));
}

static void
known_names_have_a_class(void **state)
{
	static const char *const unkeyable[] = { "Range", "if-match",
		"IF-NONE-MATCH", "If-Modified-Since", "If-Unmodified-Since",
		"If-Range", "Cache-Control", "TE", "Connection", "Keep-Alive",
		"Upgrade", "HTTP2-Settings", "Trailer", "Transfer-Encoding",
		"Proxy-Authorization", "Proxy-Authenticate", "Accept-Ranges",
		"Content-Range", "x-varnish" };
	static const char *const inert[] = { "Content-Type", "Content-Length",
		"content-encoding", "ETag", "Last-Modified", "Set-Cookie" };
	static const char *const plain[] = { "Accept", "Accept-Encoding",
		"Host", "Sec-CH-Prefers-Color-Scheme", "X-Nobody", "R", "Rang",
		"Via", "X-Forwarded-For" };
	size_t i;

	for (i = 0; i < sizeof unkeyable / sizeof *unkeyable; i++)
		assert_int_equal(VARY_CLASS_UNKEYABLE,
		    vary_name_known(vary_span_str(unkeyable[i])).class);
	for (i = 0; i < sizeof inert / sizeof *inert; i++)
		assert_int_equal(VARY_CLASS_INERT,
		    vary_name_known(vary_span_str(inert[i])).class);
	for (i = 0; i < sizeof plain / sizeof *plain; i++)
		assert_int_equal(VARY_CLASS_PLAIN,
		    vary_name_known(vary_span_str(plain[i])).class);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verbs_decide_who_hears_of_a_member),
		cmocka_unit_test(verbs_go_together),
		cmocka_unit_test(
		    what_cannot_match_is_dropped_from_the_key_and_told),
		cmocka_unit_test(stars_and_malformed_values_are_never_shared),
		cmocka_unit_test(a_blank_is_a_comma_where_the_policy_repairs),
		cmocka_unit_test(members_without_a_rule_follow_other),
		cmocka_unit_test(on_pass_the_client_sees_the_origin),
		cmocka_unit_test(
		    a_normalised_client_value_has_public_names_in_order),
		cmocka_unit_test(
		    the_normal_form_never_changes_between_releases),
		cmocka_unit_test(
		    normal_forms_are_idempotent_and_blind_to_order_and_case),
		cmocka_unit_test(
		    a_policy_applied_to_its_own_result_changes_nothing),
		cmocka_unit_test(
		    the_stateless_form_is_lower_case_in_byte_order),
		cmocka_unit_test(rules_take_field_names_only),
		cmocka_unit_test(a_map_leads_to_no_map),
		cmocka_unit_test(rules_that_can_do_nothing_are_doubted),
		cmocka_unit_test(known_names_have_a_class),
	};

	return (cmocka_run_group_tests_name("normal", tests, NULL, NULL));
}
