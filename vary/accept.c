/* SPDX-License-Identifier: BSD-2-Clause */
#include "vary/accept.h"

#include <assert.h>

/* Where the quoted string that starts at p ends; e if it does not. */
static const char *
past_quoted(const char *p, const char *e)
{
	assert(p < e && *p == '"');
	for (p++; p < e; p++) {
		if (*p == '\\' && p + 1 < e)
			p++;
		else if (*p == '"')
			return (p + 1);
	}
	return (e);
}

/* The end of the part that c closes; a quoted c closes nothing. */
static const char *
part_end(const char *p, const char *e, char c)
{
	while (p < e && *p != c) {
		if (*p == '"')
			p = past_quoted(p, e);
		else
			p++;
	}
	return (p);
}

/*
 * The end of an element, and its first ";", NULL if it has none, in one walk:
 * nearly every byte of a value is walked over here and nowhere else.
 */
static const char *
element_end(const char *p, const char *e, const char **ret_semi)
{
	static const bool special[256] = {
		[','] = true, [';'] = true, ['"'] = true
	};

	*ret_semi = NULL;
	for (;;) {
		while (p < e && !special[(unsigned char)*p])
			p++;
		if (p == e || *p == ',')
			return (p);
		if (*p == '"') {
			p = past_quoted(p, e);
			continue;
		}
		if (*ret_semi == NULL)
			*ret_semi = p;
		p++;
	}
}

/* qvalue = ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] ) */
static bool
qvalue(struct vary_span s, unsigned *ret)
{
	unsigned q, scale = 100;
	size_t i;

	if (s.len < 1 || s.len > 5 || (s.b[0] != '0' && s.b[0] != '1'))
		return (false);
	q = s.b[0] == '1' ? 1000 : 0;
	if (s.len > 1 && s.b[1] != '.')
		return (false);
	for (i = 2; i < s.len; i++, scale /= 10) {
		if (s.b[i] < '0' || s.b[i] > '9')
			return (false);
		q += (unsigned)(s.b[i] - '0') * scale;
	}
	if (q > 1000)
		return (false);
	*ret = q;
	return (true);
}

void
vary_accept_init(struct vary_accept *a, const char *value, size_t len)
{
	assert(value != NULL || len == 0);
	a->p = value;
	a->e = value == NULL ? NULL : value + len;
}

static bool
is_quoted(struct vary_span v)
{
	return (v.len >= 2 && *v.b == '"' &&
		past_quoted(v.b, v.b + v.len) == v.b + v.len &&
		v.b[v.len - 1] == '"');
}

enum vary_status
vary_param_next(struct vary_span *params, struct vary_span *ret_name,
    struct vary_span *ret_value)
{
	const char *p = params->b, *e, *end, *eq;
	struct vary_span part, name, value;

	if (params->len == 0)
		return (VARY_END);
	for (e = p + params->len;;) {
		while (p < e && (*p == ';' || vary_is_ows(*p)))
			p++;
		if (p >= e)
			return (VARY_END);
		end = part_end(p, e, ';');
		part = vary_span_trim(p, end);
		if (part.len > 0)
			break;
		p = end;
	}
	for (eq = part.b; eq < part.b + part.len && *eq != '='; eq++)
		continue;
	if (eq == part.b + part.len)
		return (VARY_SYNTAX);
	name = (struct vary_span){ part.b, (size_t)(eq - part.b) };
	value =
	    (struct vary_span){ eq + 1, (size_t)(part.b + part.len - eq - 1) };
	if (!vary_is_token(name.b, name.len) ||
	    (!vary_is_token(value.b, value.len) && !is_quoted(value)))
		return (VARY_SYNTAX);
	*ret_name = name;
	*ret_value = value;
	*params = (struct vary_span){ end, (size_t)(e - end) };
	return (VARY_OK);
}

/* ";q=0.8" and no more, which is what most elements have, if anything. */
static bool
only_weight(struct vary_span params, unsigned *ret)
{
	struct vary_span v =
	    vary_span_trim(params.b + 1, params.b + params.len);

	if (v.len < 3 || (*v.b != 'q' && *v.b != 'Q') || v.b[1] != '=')
		return (false);
	return (qvalue((struct vary_span){ v.b + 2, v.len - 2 }, ret));
}

/* From b to before e, the first ";" at semi. */
static bool
element(
    const char *b, const char *semi, const char *e, struct vary_weighted *ret)
{
	struct vary_span rest, left, name, value;
	enum vary_status st;

	ret->q = 1000;
	if (semi == NULL) {
		ret->value = vary_span_trim(b, e);
		ret->params = (struct vary_span){ e, 0 };
		return (ret->value.len > 0);
	}
	ret->value = vary_span_trim(b, semi);
	if (ret->value.len == 0)
		return (false);
	rest = (struct vary_span){ semi, (size_t)(e - semi) };
	ret->params = (struct vary_span){ semi, 0 };
	if (only_weight(rest, &ret->q))
		return (true);
	ret->params.len = rest.len;
	for (left = rest;
	     (st = vary_param_next(&rest, &name, &value)) == VARY_OK;
	     left = rest) {
		if (name.len != 1 || (*name.b != 'q' && *name.b != 'Q'))
			continue;
		/* What stands behind q is an extension, not a parameter. */
		ret->params.len = (size_t)(left.b - semi);
		return (qvalue(value, &ret->q));
	}
	return (st == VARY_END);
}

enum vary_status
vary_accept_next(struct vary_accept *a, struct vary_weighted *ret)
{
	const char *b, *semi;

	while (a->p < a->e && (*a->p == ',' || vary_is_ows(*a->p)))
		a->p++;
	if (a->p == a->e)
		return (VARY_END);
	b = a->p;
	a->p = element_end(b, a->e, &semi);
	return (element(b, semi, a->p, ret) ? VARY_OK : VARY_SYNTAX);
}

bool
vary_accept_read(struct vary_span value,
    struct vary_weighted ret[VARY_ACCEPT_ELEMENTS], unsigned *ret_n)
{
	struct vary_accept a;
	struct vary_weighted over;
	enum vary_status st;
	unsigned n = 0;

	if (value.len > VARY_ACCEPT_LEN)
		return (false);
	vary_accept_init(&a, value.b, value.len);
	while ((st = vary_accept_next(&a,
		    n < VARY_ACCEPT_ELEMENTS ? &ret[n] : &over)) != VARY_END) {
		if (st != VARY_OK)
			continue;
		if (n == VARY_ACCEPT_ELEMENTS)
			return (false);
		n++;
	}
	*ret_n = n;
	return (true);
}
