/* SPDX-License-Identifier: BSD-2-Clause */
#include "vary/choose.h"

#include <assert.h>
#include <string.h>

/* --- Language ------------------------------------------------------------ */

static bool
is_alnum(char c)
{
	return ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		(c >= '0' && c <= '9'));
}

bool
vary_is_language(struct vary_span s)
{
	size_t i, n = 0;

	for (i = 0; i < s.len; i++) {
		if (s.b[i] == '-') {
			if (n == 0)
				return (false);
			n = 0;
		} else if (!is_alnum(s.b[i]) || ++n > 8) {
			return (false);
		}
	}
	return (n > 0);
}

static bool
is_star(struct vary_span s)
{
	return (s.len == 1 && *s.b == '*');
}

/* "en" covers "en" and "en-GB", not "eng" (RFC 4647 section 3.3.1). */
static bool
covers(struct vary_span range, struct vary_span tag)
{
	if (tag.len < range.len ||
	    (tag.len > range.len && tag.b[range.len] != '-'))
		return (false);
	tag.len = range.len;
	return (vary_name_eq(range, tag));
}

/* Does the longest range that covers this word have q=0? */
static bool
is_ruled_out(const struct vary_weighted *r, unsigned n, struct vary_span word)
{
	unsigned i, q = 1;
	size_t len = 0;

	for (i = 0; i < n; i++)
		if (r[i].value.len >= len && covers(r[i].value, word)) {
			if (r[i].value.len > len || r[i].q > q)
				q = r[i].q;
			len = r[i].value.len;
		}
	return (q == 0);
}

/*
 * RFC 4647 section 3.4: cut subtags off the end until a word is left, together
 * with a single letter or digit before the cut.
 */
static unsigned
look_up(const struct vary_words *w, struct vary_span range, const bool *out)
{
	unsigned i;

	while (range.len > 0) {
		for (i = 0; i < w->n; i++)
			if (!out[i] && vary_name_eq(w->w[i], range))
				return (i);
		while (range.len > 0 && range.b[range.len - 1] != '-')
			range.len--;
		if (range.len > 0)
			range.len--;
		if (range.len >= 2 && range.b[range.len - 2] == '-')
			range.len -= 2;
	}
	return (VARY_NONE);
}

unsigned
vary_choose_language(const struct vary_words *w, unsigned fallback,
    struct vary_span value, bool *ret_capped)
{
	struct vary_weighted r[VARY_ACCEPT_ELEMENTS];
	bool out[VARY_WORDS_MAX];
	unsigned n, m, i, level, next, best = VARY_NONE;
	bool refusals = false;

	assert(w->n <= VARY_WORDS_MAX);
	*ret_capped = !vary_accept_read(value, r, &n);
	if (w->n == 0)
		return (VARY_NONE);
	assert(fallback < w->n);
	if (*ret_capped)
		return (fallback);
	for (i = m = 0; i < n; i++) {
		if (!vary_is_language(r[i].value))
			continue;
		refusals |= r[i].q == 0;
		r[m++] = r[i];
	}
	n = m;
	for (i = 0; i < w->n; i++)
		out[i] = refusals && is_ruled_out(r, n, w->w[i]);
	/* One weight after the other, from the top. */
	for (level = 1000; level > 0 && best == VARY_NONE; level = next) {
		next = 0;
		for (i = 0; i < n; i++) {
			if (r[i].q == level) {
				m = look_up(w, r[i].value, out);
				if (m < best)
					best = m;
			} else if (r[i].q < level && r[i].q > next) {
				next = r[i].q;
			}
		}
	}
	if (best == VARY_NONE && !out[fallback])
		best = fallback;
	for (i = 0; best == VARY_NONE && i < w->n; i++)
		if (!out[i])
			best = i;
	return (best == VARY_NONE ? fallback : best);
}

/* --- Media --------------------------------------------------------------- */

struct media {
	struct vary_span type, subtype, params;
};

/*
 * Not whether both are tokens: a range that has no token there covers no word,
 * which has.
 */
static bool
read_media(struct vary_span value, struct vary_span params, struct media *ret)
{
	const char *slash =
	    value.len == 0 ? NULL : memchr(value.b, '/', value.len);

	if (slash == NULL)
		return (false);
	ret->type = (struct vary_span){ value.b, (size_t)(slash - value.b) };
	ret->subtype =
	    (struct vary_span){ slash + 1, value.len - ret->type.len - 1 };
	ret->params = params;
	return (true);
}

/* A policy's word: type, subtype and parameters in one span. */
static bool
read_word(struct vary_span word, struct media *ret)
{
	const char *semi = word.len == 0 ? NULL : memchr(word.b, ';', word.len);
	struct vary_span params = { NULL, 0 };

	if (semi != NULL) {
		params = (struct vary_span){ semi,
			word.len - (size_t)(semi - word.b) };
		word = vary_span_trim(word.b, semi);
	}
	return (read_media(word, params, ret));
}

bool
vary_is_media_type(struct vary_span s)
{
	struct media m;
	struct vary_span name, value;
	enum vary_status st;

	if (!read_word(s, &m) || !vary_is_token(m.type.b, m.type.len) ||
	    !vary_is_token(m.subtype.b, m.subtype.len) || is_star(m.type) ||
	    is_star(m.subtype))
		return (false);
	while ((st = vary_param_next(&m.params, &name, &value)) == VARY_OK)
		/* A weight is a client's to give, no parameter of a type. */
		if (vary_name_eq(name, vary_span_str("q")))
			return (false);
	return (st == VARY_END);
}

/* Parameter values are compared as they stand, but for quotes and case. */
static bool
same_value(struct vary_span a, struct vary_span b)
{
	if (a.len >= 2 && *a.b == '"') {
		a.b++;
		a.len -= 2;
	}
	if (b.len >= 2 && *b.b == '"') {
		b.b++;
		b.len -= 2;
	}
	return (vary_name_eq(a, b));
}

static bool
has_param(
    struct vary_span params, struct vary_span name, struct vary_span value)
{
	struct vary_span n, v;

	while (vary_param_next(&params, &n, &v) == VARY_OK)
		if (vary_name_eq(n, name))
			return (same_value(v, value));
	return (false);
}

/*
 * How specific this range is for this type: 0 if it does not cover it; 1 for
 * the full wildcard, 2 for a type wildcard, 3 for the type itself, and one more
 * for each parameter of the range, which must all be the type's, too.
 */
static unsigned
specificity(const struct media *range, const struct media *type)
{
	struct vary_span params = range->params, name, value;
	unsigned s;

	if (is_star(range->type))
		s = is_star(range->subtype) ? 1 : 0;
	else if (!vary_name_eq(range->type, type->type))
		s = 0;
	else if (is_star(range->subtype))
		s = 2;
	else
		s = vary_name_eq(range->subtype, type->subtype) ? 3 : 0;
	while (s > 0 && vary_param_next(&params, &name, &value) == VARY_OK) {
		if (!has_param(type->params, name, value))
			return (0);
		s++;
	}
	return (s);
}

static bool
is_decoded_type(struct vary_span type)
{
	return (vary_name_eq(type, vary_span_str("image")) ||
		vary_name_eq(type, vary_span_str("audio")) ||
		vary_name_eq(type, vary_span_str("video")) ||
		vary_name_eq(type, vary_span_str("font")));
}

static bool
may_choose(const struct media *range, enum vary_wildcard wildcard)
{
	if (!is_star(range->subtype) || wildcard == VARY_WILDCARD_ALL)
		return (true);
	return (wildcard == VARY_WILDCARD_AUTO && !is_star(range->type) &&
		!is_decoded_type(range->type));
}

unsigned
vary_choose_media(const struct vary_words *w, enum vary_wildcard wildcard,
    struct vary_span value, bool *ret_capped)
{
	struct vary_weighted r[VARY_ACCEPT_ELEMENTS];
	struct media range[VARY_ACCEPT_ELEMENTS];
	unsigned n, m, i, j, q, best = VARY_NONE, best_q = 0;

	*ret_capped = !vary_accept_read(value, r, &n);
	if (*ret_capped)
		return (VARY_NONE);
	/*
	 * What was chosen before stays chosen: "text/html" alone would cover an
	 * earlier "text/html;level=1", too.
	 */
	best = vary_choose_exact(w, value);
	if (best != VARY_NONE)
		return (best);
	for (i = m = 0; i < n; i++)
		if (read_media(r[i].value, r[i].params, &range[m]))
			r[m++].q = r[i].q;
	for (i = 0; i < w->n; i++) {
		struct media type;
		unsigned most = 0, s;

		if (!read_word(w->w[i], &type))
			continue;
		for (j = q = 0; j < m; j++) {
			s = specificity(&range[j], &type);
			if (s < most || s == 0)
				continue;
			/* Said twice: the better weight, whatever the order. */
			if (s > most || r[j].q > q)
				q = may_choose(&range[j], wildcard) ? r[j].q
								    : 0;
			most = s;
		}
		if (q > best_q) {
			best_q = q;
			best = i;
		}
	}
	return (best);
}

/* --- Encoding ------------------------------------------------------------ */

/* RFC 9110 section 8.4.1: "x-gzip" and "x-compress" are the same codings. */
static struct vary_span
coding(struct vary_span s)
{
	if (s.len > 2 && s.b[1] == '-' &&
	    (vary_name_eq(s, vary_span_str("x-gzip")) ||
		vary_name_eq(s, vary_span_str("x-compress")))) {
		s.b += 2;
		s.len -= 2;
	}
	return (s);
}

/* The weight that the value gives a coding by its name; false: not named. */
static bool
weight(const struct vary_weighted *r, unsigned n, struct vary_span name,
    unsigned *ret)
{
	bool found = false;
	unsigned i, q = 0;

	name = coding(name);
	for (i = 0; i < n; i++)
		if (vary_name_eq(coding(r[i].value), name)) {
			found = true;
			if (r[i].q > q)
				q = r[i].q;
		}
	if (found)
		*ret = q;
	return (found);
}

unsigned
vary_choose_encoding(
    const struct vary_words *w, struct vary_span value, bool *ret_capped)
{
	struct vary_weighted r[VARY_ACCEPT_ELEMENTS];
	unsigned n, i, q, star = 0, identity = 0, best = VARY_NONE, best_q = 0;

	*ret_capped = !vary_accept_read(value, r, &n);
	if (*ret_capped)
		return (VARY_NONE);
	(void)weight(r, n, vary_span_str("*"), &star);
	(void)weight(r, n, vary_span_str("identity"), &identity);
	for (i = 0; i < w->n; i++) {
		if (!weight(r, n, w->w[i], &q))
			q = star;
		if (q > best_q) {
			best_q = q;
			best = i;
		}
	}
	return (identity > best_q ? VARY_NONE : best);
}

/* --- Numbers and exact values -------------------------------------------- */

/*
 * *ret: thousandths, cut off; *ret_rest: was there anything more?  Signed
 * numbers are cut towards 0.
 */
static bool
read_number(struct vary_span s, long long *ret, bool *ret_rest)
{
	long long v = 0, scale = 100;
	size_t i = 0, from;
	bool minus = false, rest = false;

	if (s.len > 0 && s.b[0] == '-') {
		minus = true;
		i++;
	}
	for (from = i; i < s.len && s.b[i] >= '0' && s.b[i] <= '9'; i++) {
		if (i - from == 15)
			return (false);
		v = v * 10 + (s.b[i] - '0');
	}
	if (i == from)
		return (false);
	if (i < s.len && i - from > 12)
		return (false);
	v *= 1000;
	if (i < s.len) {
		if (s.b[i++] != '.' || i == s.len)
			return (false);
		for (; i < s.len; i++, scale /= 10) {
			if (s.b[i] < '0' || s.b[i] > '9')
				return (false);
			v += (long long)(s.b[i] - '0') * scale;
			rest |= scale == 0 && s.b[i] != '0';
		}
	}
	*ret = minus ? -v : v;
	*ret_rest = rest;
	return (true);
}

bool
vary_number(struct vary_span s, long long *ret)
{
	const char *dot = s.len == 0 ? NULL : memchr(s.b, '.', s.len);
	bool rest;

	if (dot != NULL && s.b + s.len - dot > 4)
		return (false);
	return (read_number(s, ret, &rest));
}

unsigned
vary_choose_bucket(
    const struct vary_words *w, enum vary_round round, struct vary_span value)
{
	const char *semi;
	long long v, x;
	unsigned i, best = VARY_NONE;
	bool rest;

	/* Parameters of an item mean nothing to who does not know them. */
	semi = value.len == 0 ? NULL : memchr(value.b, ';', value.len);
	if (semi != NULL)
		value.len = (size_t)(semi - value.b);
	if (!read_number(value, &v, &rest))
		return (VARY_NONE);
	/* Of more than three places (a DPR of 1.33333) the side matters. */
	if (rest && *value.b != '-' && round == VARY_ROUND_UP)
		v++;
	else if (rest && *value.b == '-' && round == VARY_ROUND_DOWN)
		v--;
	for (i = 0; i < w->n; i++) {
		if (!vary_number(w->w[i], &x))
			continue;
		if (round == VARY_ROUND_UP) {
			best = i;
			if (x >= v)
				break;
		} else if (x <= v || best == VARY_NONE) {
			best = i;
		}
	}
	return (best);
}

unsigned
vary_choose_exact(const struct vary_words *w, struct vary_span value)
{
	unsigned i;

	for (i = 0; i < w->n; i++)
		if (w->w[i].len == value.len &&
		    memcmp(w->w[i].b, value.b, value.len) == 0)
			return (i);
	return (VARY_NONE);
}
