/* SPDX-License-Identifier: BSD-2-Clause */
#include "vary/field.h"

#include <assert.h>
#include <string.h>

/* tchar = "!#$%&'*+-.^_`|~" DIGIT ALPHA; the value is the byte in lower case. */
/* clang-format off */
static const char tchar[256] = {
	['!'] = '!', ['#'] = '#', ['$'] = '$', ['%'] = '%', ['&'] = '&',
	['\''] = '\'', ['*'] = '*', ['+'] = '+', ['-'] = '-', ['.'] = '.',
	['^'] = '^', ['_'] = '_', ['`'] = '`', ['|'] = '|', ['~'] = '~',
	['0'] = '0', ['1'] = '1', ['2'] = '2', ['3'] = '3', ['4'] = '4',
	['5'] = '5', ['6'] = '6', ['7'] = '7', ['8'] = '8', ['9'] = '9',
	['A'] = 'a', ['B'] = 'b', ['C'] = 'c', ['D'] = 'd', ['E'] = 'e',
	['F'] = 'f', ['G'] = 'g', ['H'] = 'h', ['I'] = 'i', ['J'] = 'j',
	['K'] = 'k', ['L'] = 'l', ['M'] = 'm', ['N'] = 'n', ['O'] = 'o',
	['P'] = 'p', ['Q'] = 'q', ['R'] = 'r', ['S'] = 's', ['T'] = 't',
	['U'] = 'u', ['V'] = 'v', ['W'] = 'w', ['X'] = 'x', ['Y'] = 'y',
	['Z'] = 'z', ['a'] = 'a', ['b'] = 'b', ['c'] = 'c', ['d'] = 'd',
	['e'] = 'e', ['f'] = 'f', ['g'] = 'g', ['h'] = 'h', ['i'] = 'i',
	['j'] = 'j', ['k'] = 'k', ['l'] = 'l', ['m'] = 'm', ['n'] = 'n',
	['o'] = 'o', ['p'] = 'p', ['q'] = 'q', ['r'] = 'r', ['s'] = 's',
	['t'] = 't', ['u'] = 'u', ['v'] = 'v', ['w'] = 'w', ['x'] = 'x',
	['y'] = 'y', ['z'] = 'z',
};
/* clang-format on */

bool
vary_is_tchar(char c)
{
	return (tchar[(unsigned char)c] != 0);
}

bool
vary_is_token(const char *b, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!vary_is_tchar(b[i]))
			return (false);
	return (len > 0);
}

/* Bytes that are no tchar compare as themselves: names may be malformed. */
static inline unsigned char
lower(char c)
{
	char l = tchar[(unsigned char)c];

	return ((unsigned char)(l != 0 ? l : c));
}

int
vary_name_cmp(struct vary_span a, struct vary_span b)
{
	size_t i;

	for (i = 0; i < a.len && i < b.len; i++)
		if (lower(a.b[i]) != lower(b.b[i]))
			return (lower(a.b[i]) < lower(b.b[i]) ? -1 : 1);
	return (a.len == b.len ? 0 : a.len < b.len ? -1 : 1);
}

bool
vary_name_same(const char *a, const char *b, size_t n)
{
	size_t i;

	/*
	 * Most pairs of one length differ in their ends ("Accept-Encoding",
	 * "Accept-Language"), and most equal ones are spelled alike.
	 */
	if (lower(a[n - 1]) != lower(b[n - 1]))
		return (false);
	if (memcmp(a, b, n) == 0)
		return (true);
	for (i = 0; i < n; i++)
		if (lower(a[i]) != lower(b[i]))
			return (false);
	return (true);
}

void
vary_field_init(struct vary_field *f, const char *value, size_t len)
{
	assert(f != NULL && (value != NULL || len == 0));
	f->p = f->element = value;
	f->e = value == NULL ? NULL : value + len;
}

enum vary_status
vary_field_next(struct vary_field *f, struct vary_span *ret)
{
	const char *b, *p = f->p, *e = f->e;

	while (p < e && (*p == ',' || vary_is_ows(*p)))
		p++;
	f->p = f->element = p;
	if (p == e)
		return (VARY_END);
	for (b = p; p < e && vary_is_tchar(*p); p++)
		continue;
	f->p = p;
	if (p == b)
		return (VARY_SYNTAX);
	while (p < e && vary_is_ows(*p))
		p++;
	if (p < e && *p != ',') {
		f->p = p;
		return (VARY_SYNTAX);
	}
	*ret = (struct vary_span){ b, (size_t)(f->p - b) };
	f->p = p;
	return (VARY_OK);
}

void
vary_field_skip(struct vary_field *f, struct vary_span *ret)
{
	const char *p = f->p;

	while (p < f->e && *p != ',')
		p++;
	*ret = vary_span_trim(f->element, p);
	f->p = f->element = p;
}
