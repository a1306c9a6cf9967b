/* SPDX-License-Identifier: BSD-2-Clause */
#include "vary/avail.h"

#include <assert.h>
#include <string.h>

#include "vary/structured.h"

const struct vary_avail_name *
vary_avail_name(enum vary_avail_axis axis)
{
	static const struct vary_avail_name names[VARY_AVAIL_AXES] = {
		[VARY_AVAIL_LANGUAGE] = { "Avail-Language", "Accept-Language",
		    VARY_FORM_LANGUAGE },
		[VARY_AVAIL_FORMAT] = { "Avail-Format", "Accept",
		    VARY_FORM_MEDIA },
		[VARY_AVAIL_ENCODING] = { "Avail-Encoding", "Accept-Encoding",
		    VARY_FORM_ENCODING },
		[VARY_AVAIL_COOKIE] = { "Cookie-Indices", "Cookie",
		    VARY_FORM_COOKIE },
	};

	assert(axis < VARY_AVAIL_AXES);
	return (&names[axis]);
}

void
vary_avail_words(const struct vary_avail *a,
    struct vary_span ret_word[VARY_AVAIL_WORDS], struct vary_words *ret)
{
	const char *p = a->text, *e = p + a->len, *comma;
	size_t n;

	for (n = 0; p < e && n < VARY_AVAIL_WORDS; n++, p = comma + 1) {
		comma = memchr(p, ',', (size_t)(e - p));
		assert(comma != NULL);
		ret_word[n] = (struct vary_span){ p, (size_t)(comma - p) };
	}
	*ret = (struct vary_words){ ret_word, n };
}

/* Index of the word, put behind the others if it is new; VARY_NONE: no room. */
static unsigned
add(struct vary_avail *a, enum vary_form form, struct vary_span s)
{
	struct vary_span word[VARY_AVAIL_WORDS];
	struct vary_words w;
	unsigned i;

	vary_avail_words(a, word, &w);
	for (i = 0; i < w.n; i++)
		/* Names of cookies have case, all else has none. */
		if (form == VARY_FORM_COOKIE
			? s.len == word[i].len &&
			      memcmp(s.b, word[i].b, s.len) == 0
			: vary_name_eq(s, word[i]))
			return (i);
	if (w.n == VARY_AVAIL_WORDS ||
	    s.len >= (size_t)VARY_AVAIL_TEXT - a->len)
		return (VARY_NONE);
	memcpy(a->text + a->len, s.b, s.len);
	a->len = (unsigned short)(a->len + s.len);
	a->text[a->len++] = ',';
	return (a->n++);
}

static bool
is_default(struct vary_span params)
{
	struct vary_span key;
	struct vary_bare v;
	bool is = false;

	while (vary_structured_param(&params, &key, &v) == VARY_OK)
		if (key.len == 1 && *key.b == 'd')
			is = v.type == VARY_BARE_BOOLEAN && v.number == 1;
	return (is);
}

/* All of the value, or false. */
static bool
add_all(
    struct vary_avail *a, const struct vary_avail_name *n, struct vary_span v)
{
	enum vary_bare_type type =
	    n->form == VARY_FORM_COOKIE ? VARY_BARE_STRING : VARY_BARE_TOKEN;
	struct vary_structured s;
	struct vary_member m;
	enum vary_status st;
	bool marked = false;
	unsigned i;

	vary_structured_init(&s, VARY_STRUCTURED_LIST, v.b, v.len);
	while ((st = vary_structured_next(&s, &m)) == VARY_OK) {
		if (m.value.type != type)
			return (false);
		/* There always, and nobody's choice. */
		if (n->form == VARY_FORM_ENCODING &&
		    vary_name_eq(m.value.text, vary_span_str("identity")))
			continue;
		if (!vary_request_word_ok(n->form, m.value.text))
			return (false);
		i = add(a, n->form, m.value.text);
		if (i == VARY_NONE)
			return (false);
		if (!is_default(m.params))
			continue;
		/* "A single member": of two, or of two responses, neither. */
		if (marked || (a->has_fallback && a->fallback != i))
			return (false);
		marked = a->has_fallback = true;
		a->fallback = (unsigned char)i;
	}
	return (st == VARY_END && a->n > 0);
}

bool
vary_avail_learn(struct vary_avail *a, enum vary_avail_axis axis,
    const struct vary_span *value)
{
	struct vary_avail next = *a;

	if (a->state == VARY_AVAIL_OFF)
		return (false);
	if (value != NULL && add_all(&next, vary_avail_name(axis), *value)) {
		next.state = VARY_AVAIL_KNOWN;
	} else {
		memset(&next, 0, sizeof next);
		next.state = VARY_AVAIL_OFF;
	}
	if (memcmp(a, &next, sizeof next) == 0)
		return (false);
	*a = next;
	return (true);
}
