/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Structured fields (RFC 9651), as each kind, down to the parameters, and what
 * is learned from them.  What must hold: reading ends, stays within the value,
 * and texts decode into no more bytes than they have.
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "vary/avail.h"
#include "vary/structured.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
within(struct vary_span s, const char *b, size_t len)
{
	assert(s.len == 0 || (s.b >= b && s.b + s.len <= b + len));
}

static void
check_bare(const struct vary_bare *v, const char *b, size_t len)
{
	char *buf = malloc(v->text.len + 1);

	within(v->text, b, len);
	assert(
	    v->number >= -999999999999999LL && v->number <= 999999999999999LL);
	if (v->type != VARY_BARE_INNER)
		assert(vary_bare_decode(v, buf) <= v->text.len);
	free(buf);
}

static void
check(struct vary_structured *s, bool ok, const char *b, size_t len)
{
	struct vary_structured in;
	struct vary_member m;
	struct vary_span key;
	struct vary_bare v;
	enum vary_status st;
	size_t n = 0;

	while ((st = vary_structured_next(s, &m)) == VARY_OK) {
		assert(++n <= len);
		within(m.key, b, len);
		within(m.params, b, len);
		check_bare(&m.value, b, len);
		if (m.value.type == VARY_BARE_INNER) {
			vary_structured_inner(&in, &m.value);
			check(&in, true, b, len);
		}
		while ((st = vary_structured_param(&m.params, &key, &v)) ==
		       VARY_OK)
			check_bare(&v, b, len);
		assert(st == VARY_END);
	}
	assert((st == VARY_END) == ok);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *b = (const char *)data;
	struct vary_structured s;
	struct vary_avail a = { .state = VARY_AVAIL_UNKNOWN }, before;
	struct vary_span word[VARY_AVAIL_WORDS];
	struct vary_words w;
	unsigned k;
	bool ok;

	for (k = VARY_STRUCTURED_ITEM; k <= VARY_STRUCTURED_DICTIONARY; k++) {
		ok = vary_structured_ok((enum vary_structured_kind)k, b, size);
		vary_structured_init(&s, (enum vary_structured_kind)k, b, size);
		check(&s, ok, b, size);
	}
	for (k = 0; k < VARY_AVAIL_AXES; k++) {
		vary_avail_learn(&a, (enum vary_avail_axis)k,
		    &(struct vary_span){ b, size });
		if (a.state == VARY_AVAIL_KNOWN) {
			vary_avail_words(&a, word, &w);
			assert(w.n > 0 && w.n <= VARY_AVAIL_WORDS);
			assert(a.fallback < w.n);
		}
		/* Said again, it says nothing new. */
		before = a;
		vary_avail_learn(&a, (enum vary_avail_axis)k,
		    &(struct vary_span){ b, size });
		assert(memcmp(&before, &a, sizeof a) == 0);
		a = (struct vary_avail){ .state = VARY_AVAIL_UNKNOWN };
	}
	return (0);
}
