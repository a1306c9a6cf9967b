/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Everything in vary/ that reads bytes of the network: lines of Vary under a
 * policy of every verb, and request values under every form.  What must hold is
 * asserted: a result fits its bound, says what may be stored, and is its own
 * normal form.
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "vary/name.h"
#include "vary/normal.h"
#include "vary/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define S(s)                                                                   \
	{                                                                      \
		s, sizeof(s) - 1                                               \
	}

static void
response(const char *b, size_t len)
{
	static const struct {
		struct vary_span name, to;
		enum vary_verb verb;
		bool ensure, promote;
	} said[] = {
		{ S("Host"), { NULL, 0 }, VARY_STRIP, false, false },
		{ S("X-Hash"), { NULL, 0 }, VARY_HIDE, true, false },
		{ S("User-Agent"), S("X-Device"), VARY_MAP, false, false },
		{ S("DNT"), S("X-Device"), VARY_MAP, false, false },
		{ S("Cookie"), { NULL, 0 }, VARY_BYPASS, false, false },
		{ S("Accept"), { NULL, 0 }, VARY_KEEP, true, false },
		{ S("X-User"), { NULL, 0 }, VARY_HIDE, false, true },
	};
	enum {
		SAID = sizeof said / sizeof *said
	};
	struct vary_rule rules[SAID], *r;
	struct vary_policy p;
	struct vary_set set, again;
	struct vary_normal v, w;
	struct vary_field f;
	struct vary_span s;
	size_t bound, n;
	char *buf, *buf2;
	const char *line, *e;

	vary_policy_init(&p, rules, SAID);
	for (n = 0; n < SAID; n++) {
		assert(vary_policy_rule(&p, said[n].name, &r) == VARY_OK);
		if (said[n].verb == VARY_MAP)
			assert(vary_policy_map(&p, r, said[n].to) == VARY_OK);
		else
			vary_policy_say(&p, r, said[n].verb);
		if (said[n].ensure)
			vary_policy_ensure(&p, r);
		if (said[n].promote)
			vary_policy_promote(&p, r);
	}
	p.normalised = len % 2 == 0;
	p.repair = len % 3 == 0 ? VARY_REPAIR_BLANK : VARY_REPAIR_NONE;
	vary_set_init(&set);
	for (line = b;; line = e + 1) {
		e = memchr(line, '\n', (size_t)(b + len - line));
		vary_set_add(
		    &set, line, (size_t)((e == NULL ? b + len : e) - line));
		if (e == NULL)
			break;
	}
	bound = vary_normal_bound(&p, &set);
	buf = malloc(bound + 1);
	assert(vary_normal_apply(&p, &set, VARY_VIA_CACHE, buf, bound, &v) ==
	       VARY_OK);
	if (v.share == VARY_SHARED)
		assert(!set.star && set.malformed == 0 && !set.overflow);
	/* Nothing is stored that Varnish would refuse. */
	vary_field_init(&f, v.cache.b, v.cache.len);
	while (vary_field_next(&f, &s) == VARY_OK)
		assert(s.len <= VARY_NAME_MAX && (s.len != 1 || *s.b != '*'));
	vary_set_init(&again);
	vary_set_add(&again, v.cache.b, v.cache.len);
	assert(again.malformed == 0 && again.blanks == 0);
	assert(!again.overflow || v.share != VARY_SHARED);
	if (!set.overflow && !again.overflow) {
		buf2 = malloc(vary_normal_bound(&p, &again) + 1);
		assert(vary_normal_apply(&p, &again, VARY_VIA_CACHE, buf2,
			   vary_normal_bound(&p, &again), &w) == VARY_OK);
		assert(w.cache.len == v.cache.len &&
		       memcmp(w.cache.b, v.cache.b, v.cache.len) == 0);
		free(buf2);
	}
	assert(vary_normal_write(&set, buf, bound, &n) == VARY_OK);
	assert(n <= vary_normal_bound(NULL, &set));
	free(buf);
}

static void
request(
    const struct vary_request_rule *r, const struct vary_span *in, int depth)
{
	struct vary_request_value v, w;
	size_t bound = vary_request_bound(r, in);
	char *buf = malloc(bound + 1), *buf2;

	assert(vary_request_apply(r, in, buf, bound, &v) == VARY_OK);
	assert(v.v.len <= bound || r->form < VARY_FORM_COOKIE ||
	       r->form == VARY_FORM_ALLOW || r->form == VARY_FORM_PRESENCE ||
	       r->form == VARY_FORM_BUCKET);
	if (depth == 0) {
		bound = vary_request_bound(r, v.present ? &v.v : NULL);
		buf2 = malloc(bound + 1);
		assert(vary_request_apply(r, v.present ? &v.v : NULL, buf2,
			   bound, &w) == VARY_OK);
		assert(v.present == w.present);
		assert(!v.present || (v.v.len == w.v.len &&
					 memcmp(v.v.b, w.v.b, v.v.len) == 0));
		free(buf2);
	}
	free(buf);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct vary_span languages[] = { S("en"), S("fr-CA"),
		S("zh-Hant") };
	static const struct vary_span media[] = { S("image/avif"),
		S("text/html;level=1"), S("text/html") };
	static const struct vary_span codings[] = { S("br"), S("gzip") };
	static const struct vary_span cookies[] = { S("sid"), S("a") };
	static const struct vary_span numbers[] = { S("1"), S("1.5"),
		S("640") };
	const struct vary_request_rule rules[] = {
		{ .form = VARY_FORM_LANGUAGE, .words = { languages, 3 } },
		{ .form = VARY_FORM_MEDIA, .words = { media, 3 } },
		{ .form = VARY_FORM_MEDIA,
		    .words = { media, 3 },
		    .wildcard = VARY_WILDCARD_ALL },
		{ .form = VARY_FORM_ENCODING, .words = { codings, 2 } },
		{ .form = VARY_FORM_COOKIE, .words = { cookies, 2 } },
		{ .form = VARY_FORM_ALLOW, .words = { codings, 2 } },
		{ .form = VARY_FORM_PRESENCE },
		{ .form = VARY_FORM_LIST },
		{ .form = VARY_FORM_LIST, .sort = true, .lower = true },
		{ .form = VARY_FORM_BUCKET, .words = { numbers, 3 } },
		{ .form = VARY_FORM_BRANDS },
	};
	struct vary_span in = { (const char *)data, size };
	size_t i;

	response((const char *)data, size);
	for (i = 0; i < sizeof rules / sizeof *rules; i++)
		request(&rules[i], &in, 0);
	return (0);
}
