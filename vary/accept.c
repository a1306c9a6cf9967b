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

static bool
element(struct vary_span whole, struct vary_weighted *ret)
{
	const char *e = whole.b + whole.len;
	const char *semi = part_end(whole.b, e, ';');
	struct vary_span rest = { semi, (size_t)(e - semi) }, left, name, value;
	enum vary_status st;

	ret->value = vary_span_trim(whole.b, semi);
	ret->params = (struct vary_span){ semi, rest.len };
	ret->q = 1000;
	if (ret->value.len == 0)
		return (false);
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
	struct vary_weighted w;
	const char *end;

	while (a->p < a->e && (*a->p == ',' || vary_is_ows(*a->p)))
		a->p++;
	if (a->p == a->e)
		return (VARY_END);
	end = part_end(a->p, a->e, ',');
	if (!element(vary_span_trim(a->p, end), &w)) {
		a->p = end;
		return (VARY_SYNTAX);
	}
	a->p = end;
	*ret = w;
	return (VARY_OK);
}

bool
vary_accept_read(struct vary_span value,
    struct vary_weighted ret[VARY_ACCEPT_ELEMENTS], unsigned *ret_n)
{
	struct vary_accept a;
	struct vary_weighted w;
	enum vary_status st;
	unsigned n = 0;

	if (value.len > VARY_ACCEPT_LEN)
		return (false);
	vary_accept_init(&a, value.b, value.len);
	while ((st = vary_accept_next(&a, &w)) != VARY_END) {
		if (st != VARY_OK)
			continue;
		if (n == VARY_ACCEPT_ELEMENTS)
			return (false);
		ret[n++] = w;
	}
	*ret_n = n;
	return (true);
}
