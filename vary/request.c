/* SPDX-License-Identifier: BSD-2-Clause */
#include "vary/request.h"

#include <assert.h>
#include <string.h>

#include "vary/name.h"

static bool
same_bytes(struct vary_span a, struct vary_span b)
{
	return (a.len == b.len && memcmp(a.b, b.b, a.len) == 0);
}

/* The next part that sep closes, outside of quotes; *p moves past sep. */
static bool
next_part(const char **p, const char *e, char sep, struct vary_span *ret)
{
	const char *b = *p, *q;
	bool quoted = false;

	if (b >= e)
		return (false);
	for (q = b; q < e && (quoted || *q != sep); q++) {
		if (*q == '"')
			quoted = !quoted;
		else if (quoted && *q == '\\' && q + 1 < e)
			q++;
	}
	*ret = vary_span_trim(b, q);
	*p = q < e ? q + 1 : e;
	return (true);
}

/* A quote that nothing ends makes one element of all that follows. */
static bool
quotes_end(const char *p, const char *e)
{
	bool quoted = false;

	for (; p < e; p++) {
		if (*p == '"')
			quoted = !quoted;
		else if (quoted && *p == '\\' && p + 1 < e)
			p++;
	}
	return (!quoted);
}

/* --- Cookie -------------------------------------------------------------- */

/*
 * The pair of each name, in one walk; NULL where there is none.
 *
 * cookie-string = cookie-pair *( ";" SP cookie-pair ) (RFC 6265 section 4.2.1).
 * A value may be quoted, but no ";" can be in it.  Of several cookies of one name
 * the first counts, the one of the longest path (section 5.4).
 */
static void
find_cookies(const struct vary_words *names, struct vary_span value,
    struct vary_span *ret)
{
	const char *p = value.b, *e = p + value.len, *end, *eq;
	struct vary_span pair, name;
	size_t i;

	for (i = 0; i < names->n; i++)
		ret[i] = (struct vary_span){ NULL, 0 };
	for (; p < e; p = end < e ? end + 1 : e) {
		end = memchr(p, ';', (size_t)(e - p));
		if (end == NULL)
			end = e;
		eq = memchr(p, '=', (size_t)(end - p));
		if (eq == NULL)
			continue;
		pair = vary_span_trim(p, end);
		name = vary_span_trim(p, eq);
		for (i = 0; i < names->n; i++)
			if (ret[i].b == NULL && same_bytes(names->w[i], name))
				ret[i] = pair;
	}
}

static void
cookie(const struct vary_request_rule *r, struct vary_span value, char *buf,
    struct vary_request_value *ret)
{
	struct vary_span pair[VARY_WORDS_MAX];
	char *p = buf;
	size_t i;

	find_cookies(&r->words, value, pair);
	for (i = 0; i < r->words.n; i++) {
		if (pair[i].b == NULL)
			continue;
		if (pair[i].len > VARY_COOKIE_LEN) {
			ret->capped = true;
			continue;
		}
		if (p > buf) {
			memcpy(p, "; ", 2);
			p += 2;
		}
		memcpy(p, pair[i].b, pair[i].len);
		p += pair[i].len;
	}
	ret->v = (struct vary_span){ buf, (size_t)(p - buf) };
	ret->present = p > buf;
}

/* --- Lists --------------------------------------------------------------- */

static int
compare(struct vary_span a, struct vary_span b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int r = n == 0 ? 0 : memcmp(a.b, b.b, n);

	return (r != 0 ? r : a.len == b.len ? 0 : a.len < b.len ? -1 : 1);
}

/* Put e into the sorted, so far repetition-free array. */
static unsigned
insert(struct vary_span *a, unsigned n, struct vary_span e)
{
	unsigned i = n;

	while (i > 0 && compare(e, a[i - 1]) < 0)
		i--;
	if (i > 0 && compare(e, a[i - 1]) == 0)
		return (n);
	memmove(&a[i + 1], &a[i], (n - i) * sizeof *a);
	a[i] = e;
	return (n + 1);
}

static char *
put(char *buf, char *p, struct vary_span s)
{
	if (p > buf) {
		memcpy(p, ", ", 2);
		p += 2;
	}
	memcpy(p, s.b, s.len);
	return (p + s.len);
}

static char
lower(char c)
{
	return (c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c);
}

/*
 * Blanks and empty elements are no part of a list's meaning (RFC 9110 section
 * 5.6.1).  Order and case are, unless the rule says that here they are not; a
 * list too long to sort, or with a quote left open, keeps its order.
 */
static void
list(const struct vary_request_rule *r, struct vary_span value, char *buf,
    struct vary_request_value *ret)
{
	struct vary_span a[VARY_LIST_MAX + 1], s;
	const char *b = value.b, *e = b + value.len, *q;
	char *low = NULL, *p = buf;
	unsigned n = 0, i;
	bool sort = r->sort && quotes_end(b, e);

	if (r->lower) {
		/* Behind the place for the result: see vary_request_bound(). */
		low = buf + 2 * value.len;
		for (q = b; q < e; q++)
			low[q - b] = lower(*q);
		e = low + value.len;
		b = low;
	}
	for (q = b; sort && next_part(&q, e, ',', &s);) {
		if (s.len == 0)
			continue;
		if (n == VARY_LIST_MAX) {
			ret->capped = true;
			break;
		}
		n = insert(a, n, s);
	}
	if (sort && !ret->capped)
		for (i = 0; i < n; i++)
			p = put(buf, p, a[i]);
	else
		for (q = b; next_part(&q, e, ',', &s);)
			if (s.len > 0)
				p = put(buf, p, s);
	ret->v = (struct vary_span){ buf, (size_t)(p - buf) };
	ret->present = p > buf;
}

/* --- Brands -------------------------------------------------------------- */

static bool
contains(struct vary_span s, const char *word)
{
	size_t len = strlen(word), i;

	for (i = 0; i + len <= s.len; i++)
		if (vary_name_eq((struct vary_span){ s.b + i, len },
			(struct vary_span){ word, len }))
			return (true);
	return (false);
}

/*
 * Chromium's made-up brands, "Not A;Brand", "Not_A Brand", "(Not(A:Brand" …:
 * both words, or a character that no real brand has
 * (https://wicg.github.io/ua-client-hints/#grease).
 */
static bool
is_grease(struct vary_span brand)
{
	size_t i;

	for (i = 0; i < brand.len; i++)
		if (strchr("()/:;?_=\\", brand.b[i]) != NULL)
			return (true);
	return (contains(brand, "not") && contains(brand, "brand"));
}

/* "Chromium";v="120.0.1" → the brand, and the version as far as its first dot. */
static bool
read_brand(struct vary_span e, struct vary_span *ret_brand,
    struct vary_span *ret_major)
{
	const char *q;
	struct vary_span rest, name, v;
	size_t i;

	if (e.len < 2 || *e.b != '"')
		return (false);
	q = memchr(e.b + 1, '"', e.len - 1);
	if (q == NULL || q == e.b + 1)
		return (false);
	*ret_brand = (struct vary_span){ e.b + 1, (size_t)(q - e.b - 1) };
	rest = (struct vary_span){ q + 1, e.len - (size_t)(q + 1 - e.b) };
	while (vary_param_next(&rest, &name, &v) == VARY_OK) {
		if (name.len != 1 || *name.b != 'v')
			continue;
		if (v.len >= 2 && *v.b == '"') {
			v.b++;
			v.len -= 2;
		}
		for (i = 0; i < v.len && v.b[i] >= '0' && v.b[i] <= '9'; i++)
			continue;
		if (i == 0 || i > 5 || (i < v.len && v.b[i] != '.'))
			return (false);
		*ret_major = (struct vary_span){ v.b, i };
		return (true);
	}
	return (false);
}

static void
brands(const struct vary_request_rule *r, struct vary_span value, char *buf,
    struct vary_request_value *ret)
{
	struct vary_span a[VARY_LIST_MAX + 1], s, brand, major;
	const char *q = value.b, *e = q + value.len;
	/* Each element is rewritten behind the place for the result. */
	char *p = buf, *w = buf + 2 * value.len;
	unsigned n = 0, i;

	while (next_part(&q, e, ',', &s)) {
		char *from = w;

		if (!read_brand(s, &brand, &major) || is_grease(brand))
			continue;
		if (r->words.n > 0 && !vary_request_has_word(r, brand))
			continue;
		if (n == VARY_LIST_MAX) {
			ret->capped = true;
			return;
		}
		*w++ = '"';
		memcpy(w, brand.b, brand.len);
		w += brand.len;
		memcpy(w, "\";v=\"", 5);
		w += 5;
		memcpy(w, major.b, major.len);
		w += major.len;
		*w++ = '"';
		n = insert(
		    a, n, (struct vary_span){ from, (size_t)(w - from) });
	}
	for (i = 0; i < n; i++)
		p = put(buf, p, a[i]);
	ret->v = (struct vary_span){ buf, (size_t)(p - buf) };
	ret->present = p > buf;
}

/* ------------------------------------------------------------------------- */

size_t
vary_request_bound(
    const struct vary_request_rule *r, const struct vary_span *value)
{
	if (value == NULL)
		return (0);
	switch (r->form) {
	case VARY_FORM_COOKIE:
		/* Each word takes one pair; several may take the same. */
		return ((value->len + 2) * (r->words.n > 0 ? r->words.n : 1));
	case VARY_FORM_LIST:
	case VARY_FORM_BRANDS:
		/* "a,b" → "a, b", and as much again to rewrite elements in:
		 * v=1 becomes v="1". */
		return (5 * value->len);
	case VARY_FORM_LANGUAGE:
	case VARY_FORM_MEDIA:
	case VARY_FORM_ENCODING:
	case VARY_FORM_ALLOW:
	case VARY_FORM_PRESENCE:
	case VARY_FORM_BUCKET:
	case VARY_FORM_DROP: break;
	}
	return (0);
}

static void
word(const struct vary_request_rule *r, unsigned i,
    struct vary_request_value *ret)
{
	if (i == VARY_NONE)
		return;
	ret->present = true;
	ret->v = r->words.w[i];
}

enum vary_status
vary_request_apply(const struct vary_request_rule *r,
    const struct vary_span *value, char *buf, size_t cap,
    struct vary_request_value *ret)
{
	struct vary_request_value v = { .present = false };

	assert(r->words.n <= VARY_WORDS_MAX);
	if (cap < vary_request_bound(r, value))
		return (VARY_NOSPACE);
	if (value == NULL) {
		if ((r->form == VARY_FORM_LANGUAGE || r->has_fallback) &&
		    r->words.n > 0)
			word(r, r->fallback, &v);
		*ret = v;
		return (VARY_OK);
	}
	switch (r->form) {
	case VARY_FORM_LANGUAGE:
		word(r,
		    vary_choose_language(
			&r->words, r->fallback, *value, &v.capped),
		    &v);
		break;
	case VARY_FORM_MEDIA:
		word(r,
		    vary_choose_media(
			&r->words, r->wildcard, *value, &v.capped),
		    &v);
		break;
	case VARY_FORM_ENCODING:
		word(r, vary_choose_encoding(&r->words, *value, &v.capped), &v);
		break;
	case VARY_FORM_COOKIE: cookie(r, *value, buf, &v); break;
	case VARY_FORM_ALLOW:
		word(r, vary_choose_exact(&r->words, *value), &v);
		break;
	case VARY_FORM_PRESENCE:
		v.present = true;
		v.v = (struct vary_span){ "1", 1 };
		break;
	case VARY_FORM_LIST: list(r, *value, buf, &v); break;
	case VARY_FORM_BUCKET:
		word(r, vary_choose_bucket(&r->words, r->round, *value), &v);
		break;
	case VARY_FORM_BRANDS: brands(r, *value, buf, &v); break;
	case VARY_FORM_DROP: break;
	}
	if (!v.present && r->has_fallback)
		word(r, r->fallback, &v);
	*ret = v;
	return (VARY_OK);
}

/* What may stand in a header value: no control characters (RFC 9110 section
 * 5.5), and no comma, which would end the word in the policy's list. */
static bool
is_value(struct vary_span s)
{
	size_t i;

	for (i = 0; i < s.len; i++)
		if ((unsigned char)s.b[i] < ' ' || s.b[i] == 0x7f)
			return (false);
	return (s.len > 0);
}

/*
 * A name that PHP and others make may have what no token has ("a[b]"): all that
 * cannot be mistaken for something else of a Cookie.
 */
static bool
is_cookie_name(struct vary_span s)
{
	size_t i;

	for (i = 0; i < s.len; i++)
		if (s.b[i] <= ' ' || s.b[i] > '~' ||
		    memchr(";,=\"\\", s.b[i], 5) != NULL)
			return (false);
	return (s.len > 0);
}

static bool
ends_in(struct vary_span s, const char *end)
{
	size_t len = strlen(end);

	return (s.len >= len && memcmp(s.b + s.len - len, end, len) == 0);
}

/*
 * scheme "://" host [ ":" port ], in lower case, the port where it is not the
 * scheme's own; or "null".
 */
static bool
is_origin(struct vary_span s)
{
	static const char other[] = "+-._:[]";
	size_t i, slashes = 0;

	if (same_bytes(s, vary_span_str("null")))
		return (true);
	for (i = 0; i < s.len; i++) {
		char c = s.b[i];

		if (c == '/' && i > 0 && s.b[i - 1] == (slashes ? '/' : ':') &&
		    slashes < 2)
			slashes++;
		else if (slashes == 1 || c == '\0' ||
			 (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') &&
			     strchr(other, c) == NULL))
			return (false);
	}
	if (slashes != 2 || *s.b == ':' || s.b[s.len - 1] == '/')
		return (false);
	return (!(memcmp(s.b, "http:", 5) == 0 && ends_in(s, ":80")) &&
		!(memcmp(s.b, "https:", 6) == 0 && ends_in(s, ":443")));
}

bool
vary_request_word_sent(const struct vary_request_rule *r, struct vary_span word)
{
	static const char wild[] = "Accept";
	size_t len = sizeof wild - 1;

	if (r->form != VARY_FORM_ALLOW && r->form != VARY_FORM_COOKIE)
		return (true);
	if (vary_name_eq(r->name, vary_span_str("Origin")))
		return (is_origin(word));
	/* Accept and its kin are where a star is a value. */
	if (r->name.len >= len && vary_name_same(wild, r->name.b, len))
		return (true);
	return (word.len == 0 || memchr(word.b, '*', word.len) == NULL);
}

enum vary_doubt
vary_request_doubt(const struct vary_request_rule *r)
{
	enum vary_class class = vary_name_known(r->name).class;

	if (vary_name_eq(r->name, vary_span_str("Vary")))
		return (VARY_DOUBT_ITSELF);
	if (class == VARY_CLASS_INERT)
		return (VARY_DOUBT_INERT);
	if (class == VARY_CLASS_UNKEYABLE && r->form != VARY_FORM_DROP)
		return (VARY_DOUBT_UNKEYABLE);
	if (!vary_name_eq(r->name, vary_span_str("Cookie")))
		return (VARY_DOUBT_NONE);
	switch (r->form) {
	case VARY_FORM_LANGUAGE:
	case VARY_FORM_MEDIA:
	case VARY_FORM_ENCODING:
	case VARY_FORM_LIST:
	case VARY_FORM_BUCKET:
	case VARY_FORM_BRANDS: return (VARY_DOUBT_COOKIE);
	case VARY_FORM_COOKIE:
	case VARY_FORM_ALLOW:
	case VARY_FORM_PRESENCE:
	case VARY_FORM_DROP: break;
	}
	return (VARY_DOUBT_NONE);
}

bool
vary_request_word_ok(enum vary_form form, struct vary_span w)
{
	long long v;

	switch (form) {
	case VARY_FORM_LANGUAGE: return (vary_is_language(w));
	case VARY_FORM_MEDIA: return (vary_is_media_type(w));
	case VARY_FORM_ENCODING:
		return (vary_is_token(w.b, w.len) && *w.b != '*' &&
			!vary_name_eq(w, vary_span_str("identity")));
	case VARY_FORM_COOKIE: return (is_cookie_name(w));
	case VARY_FORM_BUCKET: return (vary_number(w, &v));
	case VARY_FORM_ALLOW: return (is_value(w));
	case VARY_FORM_BRANDS:
		/* Quotes are the header's; a made-up brand is never kept. */
		return (is_value(w) && !is_grease(w) &&
			memchr(w.b, '"', w.len) == NULL &&
			memchr(w.b, '\\', w.len) == NULL);
	case VARY_FORM_PRESENCE:
	case VARY_FORM_LIST:
	case VARY_FORM_DROP: break;
	}
	return (false);
}

bool
vary_request_word_eq(
    enum vary_form form, struct vary_span a, struct vary_span b)
{
	switch (form) {
	case VARY_FORM_LANGUAGE:
	case VARY_FORM_MEDIA:
	case VARY_FORM_ENCODING:
	/* No two brands differ in case alone. */
	case VARY_FORM_BRANDS: return (vary_name_eq(a, b));
	case VARY_FORM_COOKIE:
	case VARY_FORM_ALLOW:
	case VARY_FORM_PRESENCE:
	case VARY_FORM_LIST:
	case VARY_FORM_BUCKET:
	case VARY_FORM_DROP: break;
	}
	return (same_bytes(a, b));
}

bool
vary_request_has_word(const struct vary_request_rule *r, struct vary_span w)
{
	size_t i;

	for (i = 0; i < r->words.n; i++)
		if (vary_request_word_eq(r->form, r->words.w[i], w))
			return (true);
	return (false);
}
