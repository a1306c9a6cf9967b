/* SPDX-License-Identifier: BSD-2-Clause */
#include "httpdconf/word.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include <apr_strings.h>
#include <apr_tables.h>

static void
skip(struct hconf_span *s)
{
	while (s->len > 0 && hconf_is_space(*s->b)) {
		s->b++;
		s->len--;
	}
}

/* The word without its escapes; borrowed where it has none. */
static struct hconf_span
plain(const char *b, size_t len, char quote, apr_pool_t *pool)
{
	char *w, *p;
	size_t i;

	if (memchr(b, '\\', len) == NULL)
		return ((struct hconf_span){ b, len });
	p = w = apr_palloc(pool, len + 1);
	for (i = 0; i < len; i++) {
		if (b[i] == '\\' && i + 1 < len &&
		    (b[i + 1] == '\\' || (quote != 0 && b[i + 1] == quote)))
			i++;
		*w++ = b[i];
	}
	*w = '\0';
	return ((struct hconf_span){ p, (size_t)(w - p) });
}

bool
hconf_word(
    struct hconf_span *rest, struct hconf_span *ret, apr_pool_t *result_pool)
{
	const char *b, *p, *e;

	assert(rest != NULL && ret != NULL);
	skip(rest);
	if (rest->len == 0)
		return (false);
	b = p = rest->b;
	e = b + rest->len;
	if (*b == '"' || *b == '\'') {
		for (p = b + 1; p < e && *p != *b; p++)
			if (*p == '\\' && p + 1 < e &&
			    (p[1] == *b || p[1] == '\\'))
				p++;
		*ret = plain(b + 1, (size_t)(p - b - 1), *b, result_pool);
		if (p < e)
			p++;
	} else {
		while (p < e && !hconf_is_space(*p))
			p++;
		*ret = plain(b, (size_t)(p - b), 0, result_pool);
	}
	rest->b = p;
	rest->len = (size_t)(e - p);
	skip(rest);
	return (true);
}

void
hconf_words(
    struct hconf_span text, struct hconf_words *ret, apr_pool_t *result_pool)
{
	struct hconf_span few[8], w, *v;
	apr_array_header_t *more = NULL;
	unsigned n = 0, i;

	/* Measured: an array that grows in the pool was most of the memory. */
	while (hconf_word(&text, &w, result_pool)) {
		if (n < sizeof few / sizeof *few) {
			few[n++] = w;
			continue;
		}
		if (more == NULL) {
			more = apr_array_make(result_pool, 32, sizeof w);
			for (i = 0; i < n; i++)
				APR_ARRAY_PUSH(more, struct hconf_span) =
				    few[i];
		}
		APR_ARRAY_PUSH(more, struct hconf_span) = w;
	}
	if (more != NULL) {
		ret->v = (const struct hconf_span *)(const void *)more->elts;
		ret->n = (unsigned)more->nelts;
		return;
	}
	v = apr_palloc(result_pool, (n == 0 ? 1 : n) * sizeof *v);
	memcpy(v, few, n * sizeof *v);
	ret->v = v;
	ret->n = n;
}

static bool
rewrite_word(struct hconf_span *s, struct hconf_span *ret)
{
	const char *p, *e;
	char quote = 0;

	skip(s);
	if (s->len == 0)
		return (false);
	p = s->b;
	e = p + s->len;
	if (*p == '"' || *p == '\'')
		quote = *p++;
	ret->b = p;
	for (; p < e; p++) {
		if (quote != 0 ? *p == quote : hconf_is_space(*p))
			break;
		if (*p == '\\' && p + 1 < e && hconf_is_space(p[1]))
			p++;
	}
	ret->len = (size_t)(p - ret->b);
	if (p < e)
		p++;
	s->b = p;
	s->len = (size_t)(e - p);
	return (true);
}

bool
hconf_rewrite_words(struct hconf_span text, struct hconf_span ret[3])
{
	ret[0] = ret[1] = ret[2] = (struct hconf_span){ NULL, 0 };
	if (!rewrite_word(&text, &ret[0]) || !rewrite_word(&text, &ret[1]))
		return (false);
	(void)rewrite_word(&text, &ret[2]);
	return (true);
}

bool
hconf_span_eq(struct hconf_span a, struct hconf_span b)
{
	return (a.len == b.len &&
		(a.len == 0 || strncasecmp(a.b, b.b, a.len) == 0));
}

char *
hconf_span_dup(struct hconf_span s, apr_pool_t *result_pool)
{
	return (apr_pstrmemdup(result_pool, s.b != NULL ? s.b : "", s.len));
}
