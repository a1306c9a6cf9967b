/* SPDX-License-Identifier: BSD-2-Clause */
#include "vary/structured.h"

#include <assert.h>
#include <string.h>

/* The fourth kind of members: between parentheses, apart by blanks. */
#define INNER 3

/* Section 3.3.1, 3.3.2. */
#define INTEGER_DIGITS  15
#define DECIMAL_DIGITS  12
#define FRACTION_DIGITS 3

static bool
is_digit(char c)
{
	return (c >= '0' && c <= '9');
}

static bool
is_lcalpha(char c)
{
	return (c >= 'a' && c <= 'z');
}

static bool
is_alpha(char c)
{
	return (is_lcalpha(c) || (c >= 'A' && c <= 'Z'));
}

static int
hex(char c)
{
	return (is_digit(c)            ? c - '0'
		: c >= 'a' && c <= 'f' ? c - 'a' + 10
				       : -1);
}

/* In base64; "=" is not among them. */
static int
sextet(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (c - 'A');
	if (is_lcalpha(c))
		return (c - 'a' + 26);
	if (is_digit(c))
		return (c - '0' + 52);
	return (c == '+' ? 62 : c == '/' ? 63 : -1);
}

static void
skip_sp(const char **p, const char *e)
{
	while (*p < e && **p == ' ')
		(*p)++;
}

static void
skip_ows(const char **p, const char *e)
{
	while (*p < e && vary_is_ows(**p))
		(*p)++;
}

/* --- Bare items: section 4.2.3.1 and after ------------------------------- */

static bool
number(const char **pp, const char *e, struct vary_bare *ret)
{
	const char *p = *pp;
	long long v = 0, sign = 1;
	unsigned n, scale = 1000;

	if (p < e && *p == '-') {
		sign = -1;
		p++;
	}
	for (n = 0; p < e && is_digit(*p); p++) {
		if (++n > INTEGER_DIGITS)
			return (false);
		v = v * 10 + (*p - '0');
	}
	if (n == 0)
		return (false);
	ret->type = VARY_BARE_INTEGER;
	if (p < e && *p == '.') {
		if (n > DECIMAL_DIGITS)
			return (false);
		ret->type = VARY_BARE_DECIMAL;
		v *= 1000;
		for (n = 0, p++; p < e && is_digit(*p); p++) {
			if (++n > FRACTION_DIGITS)
				return (false);
			scale /= 10;
			v += (long long)(*p - '0') * scale;
		}
		if (n == 0)
			return (false);
	}
	ret->number = sign * v;
	*pp = p;
	return (true);
}

static bool
string(const char **pp, const char *e, struct vary_bare *ret)
{
	const char *p = *pp + 1, *b = p;

	for (; p < e && *p != '"'; p++) {
		if (*p == '\\') {
			p++;
			if (p == e || (*p != '"' && *p != '\\'))
				return (false);
		} else if (*p < ' ' || *p > '~') {
			return (false);
		}
	}
	if (p >= e)
		return (false);
	ret->type = VARY_BARE_STRING;
	ret->text = (struct vary_span){ b, (size_t)(p - b) };
	*pp = p + 1;
	return (true);
}

static bool
token(const char **pp, const char *e, struct vary_bare *ret)
{
	const char *p = *pp, *b = p;

	while (p < e && (vary_is_tchar(*p) || *p == ':' || *p == '/'))
		p++;
	ret->type = VARY_BARE_TOKEN;
	ret->text = (struct vary_span){ b, (size_t)(p - b) };
	*pp = p;
	return (true);
}

/* Padding may lack, and bits be set in it: a reader may allow for that. */
static bool
bytes(const char **pp, const char *e, struct vary_bare *ret)
{
	const char *p = *pp + 1, *b = p;
	size_t n;

	while (p < e && sextet(*p) >= 0)
		p++;
	n = (size_t)(p - b);
	while (p < e && *p == '=')
		p++;
	if (p == e || *p != ':' || n % 4 == 1 ||
	    (size_t)(p - b) - n > (4 - n % 4) % 4)
		return (false);
	ret->type = VARY_BARE_BYTES;
	ret->text = (struct vary_span){ b, (size_t)(p - b) };
	*pp = p + 1;
	return (true);
}

static bool
boolean(const char **pp, const char *e, struct vary_bare *ret)
{
	const char *p = *pp + 1;

	if (p == e || (*p != '0' && *p != '1'))
		return (false);
	ret->type = VARY_BARE_BOOLEAN;
	ret->number = *p - '0';
	*pp = p + 1;
	return (true);
}

static bool
date(const char **pp, const char *e, struct vary_bare *ret)
{
	(*pp)++;
	if (!number(pp, e, ret) || ret->type != VARY_BARE_INTEGER)
		return (false);
	ret->type = VARY_BARE_DATE;
	return (true);
}

/*
 * One more byte of UTF-8 (RFC 3629 section 4).  *need: continuation bytes
 * still to come; *low, *high: what the next of them may be.
 */
static bool
utf8(unsigned c, unsigned *need, unsigned *low, unsigned *high)
{
	if (*need > 0) {
		if (c < *low || c > *high)
			return (false);
		*low = 0x80;
		*high = 0xbf;
		(*need)--;
		return (true);
	}
	*low = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
	*high = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
	*need = c < 0x80 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
	return (c < 0x80 || (c >= 0xc2 && c <= 0xf4));
}

static bool
display(const char **pp, const char *e, struct vary_bare *ret)
{
	const char *p = *pp + 1, *b;
	unsigned c, need = 0, low = 0, high = 0;

	if (p == e || *p != '"')
		return (false);
	for (b = ++p; p < e && *p != '"'; p++) {
		if (*p < ' ' || *p > '~')
			return (false);
		c = (unsigned char)*p;
		if (*p == '%') {
			if (e - p < 3 || hex(p[1]) < 0 || hex(p[2]) < 0)
				return (false);
			c = (unsigned)(hex(p[1]) * 16 + hex(p[2]));
			p += 2;
		}
		if (!utf8(c, &need, &low, &high))
			return (false);
	}
	if (p >= e || need > 0)
		return (false);
	ret->type = VARY_BARE_DISPLAY;
	ret->text = (struct vary_span){ b, (size_t)(p - b) };
	*pp = p + 1;
	return (true);
}

static bool
bare(const char **pp, const char *e, struct vary_bare *ret)
{
	*ret = (struct vary_bare){ .number = 0 };
	if (*pp >= e)
		return (false);
	switch (**pp) {
	case '"': return (string(pp, e, ret));
	case ':': return (bytes(pp, e, ret));
	case '?': return (boolean(pp, e, ret));
	case '@': return (date(pp, e, ret));
	case '%': return (display(pp, e, ret));
	case '*': return (token(pp, e, ret));
	default: break;
	}
	if (is_alpha(**pp))
		return (token(pp, e, ret));
	return (number(pp, e, ret));
}

/* --- What bare items are part of ----------------------------------------- */

static bool
key(const char **pp, const char *e, struct vary_span *ret)
{
	const char *p = *pp, *b = p;

	if (p == e || (!is_lcalpha(*p) && *p != '*'))
		return (false);
	while (p < e && (is_lcalpha(*p) || is_digit(*p) || *p == '_' ||
			    *p == '-' || *p == '.' || *p == '*'))
		p++;
	*ret = (struct vary_span){ b, (size_t)(p - b) };
	*pp = p;
	return (true);
}

/* One of *( ";" *SP key [ "=" bare-item ] ), from its ";". */
static bool
parameter(const char **pp, const char *e, struct vary_span *ret_key,
    struct vary_bare *ret)
{
	(*pp)++;
	skip_sp(pp, e);
	if (!key(pp, e, ret_key))
		return (false);
	*ret = (struct vary_bare){ .type = VARY_BARE_BOOLEAN, .number = 1 };
	if (*pp < e && **pp == '=') {
		(*pp)++;
		return (bare(pp, e, ret));
	}
	return (true);
}

static bool
parameters(const char **pp, const char *e, struct vary_span *ret)
{
	const char *b = *pp;
	struct vary_span name;
	struct vary_bare value;

	while (*pp < e && **pp == ';')
		if (!parameter(pp, e, &name, &value))
			return (false);
	*ret = (struct vary_span){ b, (size_t)(*pp - b) };
	return (true);
}

static bool
inner(const char **pp, const char *e, struct vary_bare *ret)
{
	const char *b = ++*pp;
	struct vary_bare value;
	struct vary_span params;

	for (;;) {
		skip_sp(pp, e);
		if (*pp < e && **pp == ')')
			break;
		if (!bare(pp, e, &value) || !parameters(pp, e, &params) ||
		    *pp == e || (**pp != ' ' && **pp != ')'))
			return (false);
	}
	*ret = (struct vary_bare){ .type = VARY_BARE_INNER,
		.text = { b, (size_t)(*pp - b) } };
	(*pp)++;
	return (true);
}

static bool
member(struct vary_structured *s, struct vary_member *ret)
{
	ret->key = (struct vary_span){ NULL, 0 };
	if (s->kind == VARY_STRUCTURED_DICTIONARY) {
		if (!key(&s->p, s->e, &ret->key))
			return (false);
		if (s->p == s->e || *s->p != '=') {
			ret->value =
			    (struct vary_bare){ .type = VARY_BARE_BOOLEAN,
				    .number = 1 };
			return (parameters(&s->p, s->e, &ret->params));
		}
		s->p++;
	}
	if (s->p < s->e && *s->p == '(' &&
	    (s->kind == VARY_STRUCTURED_LIST ||
		s->kind == VARY_STRUCTURED_DICTIONARY)) {
		if (!inner(&s->p, s->e, &ret->value))
			return (false);
	} else if (!bare(&s->p, s->e, &ret->value)) {
		return (false);
	}
	return (parameters(&s->p, s->e, &ret->params));
}

/* Past what stands between two members, or to the end.  False: neither. */
static bool
separator(struct vary_structured *s)
{
	switch (s->kind) {
	case VARY_STRUCTURED_ITEM: return (false);
	case INNER:
		/* inner() has seen that a blank is there. */
		skip_sp(&s->p, s->e);
		return (true);
	default: break;
	}
	if (*s->p != ',')
		return (false);
	s->p++;
	skip_ows(&s->p, s->e);
	return (s->p < s->e);
}

void
vary_structured_init(struct vary_structured *s, enum vary_structured_kind kind,
    const char *value, size_t len)
{
	assert(value != NULL || len == 0);
	s->p = value;
	s->e = value == NULL ? NULL : value + len;
	s->kind = kind;
	s->n = 0;
	skip_sp(&s->p, s->e);
	while (s->e > s->p && s->e[-1] == ' ')
		s->e--;
}

void
vary_structured_inner(struct vary_structured *s, const struct vary_bare *b)
{
	assert(b->type == VARY_BARE_INNER);
	vary_structured_init(s, VARY_STRUCTURED_LIST, b->text.b, b->text.len);
	s->kind = INNER;
}

enum vary_status
vary_structured_next(struct vary_structured *s, struct vary_member *ret)
{
	struct vary_member m;

	/* An empty list is one; an empty item is none. */
	if (s->p == s->e && (s->n > 0 || s->kind != VARY_STRUCTURED_ITEM))
		return (VARY_END);
	if (!member(s, &m))
		goto bad;
	if (s->kind == VARY_STRUCTURED_LIST ||
	    s->kind == VARY_STRUCTURED_DICTIONARY)
		skip_ows(&s->p, s->e);
	if (s->p < s->e && !separator(s))
		goto bad;
	s->n++;
	*ret = m;
	return (VARY_OK);
bad:
	s->p = s->e;
	s->n++;
	return (VARY_SYNTAX);
}

enum vary_status
vary_structured_param(
    struct vary_span *params, struct vary_span *ret_key, struct vary_bare *ret)
{
	const char *p = params->b, *e;
	struct vary_span name;
	struct vary_bare value;

	if (params->len == 0)
		return (VARY_END);
	e = p + params->len;
	if (*p != ';' || !parameter(&p, e, &name, &value))
		return (VARY_SYNTAX);
	*params = (struct vary_span){ p, (size_t)(e - p) };
	*ret_key = name;
	*ret = value;
	return (VARY_OK);
}

bool
vary_structured_ok(
    enum vary_structured_kind kind, const char *value, size_t len)
{
	struct vary_structured s;
	struct vary_member m;
	enum vary_status st;

	vary_structured_init(&s, kind, value, len);
	while ((st = vary_structured_next(&s, &m)) == VARY_OK)
		continue;
	return (st == VARY_END);
}

static size_t
decode_base64(struct vary_span s, char *buf)
{
	unsigned long bits = 0;
	size_t i, n = 0;
	unsigned have = 0;

	for (i = 0; i < s.len && s.b[i] != '='; i++) {
		bits = (bits << 6 | (unsigned long)sextet(s.b[i])) & 0xffff;
		have += 6;
		if (have >= 8) {
			have -= 8;
			buf[n++] = (char)(bits >> have & 0xff);
		}
	}
	return (n);
}

size_t
vary_bare_decode(const struct vary_bare *b, char *buf)
{
	struct vary_span s = b->text;
	size_t i, n = 0;

	if (b->type == VARY_BARE_BYTES)
		return (decode_base64(s, buf));
	for (i = 0; i < s.len; i++) {
		if (b->type == VARY_BARE_STRING && s.b[i] == '\\') {
			buf[n++] = s.b[++i];
		} else if (b->type == VARY_BARE_DISPLAY && s.b[i] == '%') {
			buf[n++] =
			    (char)(hex(s.b[i + 1]) * 16 + hex(s.b[i + 2]));
			i += 2;
		} else {
			buf[n++] = s.b[i];
		}
	}
	return (n);
}
