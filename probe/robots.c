/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/robots.h"

#include <string.h>
#include <strings.h>

#include <apr_strings.h>
#include <apr_tables.h>

struct rule {
	const char *pattern; /* normalised */
	size_t len;          /* of the pattern: the longest match wins */
	bool allow;
};

struct probe_robots {
	apr_array_header_t *rules; /* struct rule */
};

static int
hex(char c)
{
	if (c >= '0' && c <= '9')
		return (c - '0');
	if (c >= 'a' && c <= 'f')
		return (c - 'a' + 10);
	if (c >= 'A' && c <= 'F')
		return (c - 'A' + 10);
	return (-1);
}

static bool
unreserved(unsigned char c)
{
	return ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		(c >= '0' && c <= '9') ||
		(c != 0 && strchr("-._~", c) != NULL));
}

/*
 * RFC 9309 section 2.2.2: octets are compared as they would be percent-encoded;
 * what need not be encoded is not.
 */
static char *
normalise(const char *b, size_t len, apr_pool_t *pool)
{
	static const char digits[] = "0123456789ABCDEF";
	char *out = apr_palloc(pool, 3 * len + 1), *o = out;
	size_t i;

	for (i = 0; i < len; i++) {
		unsigned char c = (unsigned char)b[i];
		bool coded = false;

		if (c == '%' && i + 2 < len && hex(b[i + 1]) >= 0 &&
		    hex(b[i + 2]) >= 0) {
			c = (unsigned char)(hex(b[i + 1]) * 16 + hex(b[i + 2]));
			i += 2;
			coded = true;
		}
		if (unreserved(c) || (!coded && c > 0x20 && c < 0x7f))
			*o++ = (char)c;
		else {
			*o++ = '%';
			*o++ = digits[c >> 4];
			*o++ = digits[c & 15];
		}
	}
	*o = '\0';
	return (out);
}

/* '*' is any run of bytes, '$' at the end is the end; a prefix otherwise. */
static bool
matches(const char *pattern, const char *path)
{
	const char *p = pattern, *s = path, *star = NULL, *back = NULL;

	for (;;) {
		if (*p == '\0')
			return (true);
		if (*p == '$' && p[1] == '\0') {
			if (*s == '\0')
				return (true);
		} else if (*p == '*') {
			star = ++p;
			back = s;
			continue;
		} else if (*s != '\0' && *p == *s) {
			p++;
			s++;
			continue;
		}
		if (star == NULL || *back == '\0')
			return (false);
		p = star;
		s = ++back;
	}
}

static bool
is_blank(char c)
{
	return (c == ' ' || c == '\t' || c == '\r');
}

struct line {
	const char *key, *value;
	size_t key_len, value_len;
};

/* The next "key: value"; false at the end. */
static bool
next(const char **pp, const char *e, struct line *ret)
{
	const char *p = *pp, *nl, *end, *colon, *k;

	while (p < e) {
		for (nl = p; nl < e && *nl != '\n' && *nl != '\r'; nl++)
			continue;
		*pp = nl < e ? nl + 1 : e;
		end = memchr(p, '#', (size_t)(nl - p));
		if (end == NULL)
			end = nl;
		colon = memchr(p, ':', (size_t)(end - p));
		if (colon == NULL) {
			p = *pp;
			continue;
		}
		while (p < colon && is_blank(*p))
			p++;
		for (k = colon; k > p && is_blank(k[-1]); k--)
			continue;
		ret->key = p;
		ret->key_len = (size_t)(k - p);
		for (colon++; colon < end && is_blank(*colon); colon++)
			continue;
		while (end > colon && is_blank(end[-1]))
			end--;
		ret->value = colon;
		ret->value_len = (size_t)(end - colon);
		return (true);
	}
	return (false);
}

static bool
key_is(const struct line *l, const char *name)
{
	return (strlen(name) == l->key_len &&
		strncasecmp(name, l->key, l->key_len) == 0);
}

/* The rules of all groups for one token ("*" or ours); false: no such group. */
static bool
collect(struct probe_robots *r, const char *text, size_t len, const char *token,
    apr_pool_t *pool)
{
	const char *p = text, *e = text + len;
	bool in = false, naming = false, found = false;
	struct line l;
	size_t n = strlen(token);

	if (len >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
		p += 3;
	while (next(&p, e, &l)) {
		if (key_is(&l, "user-agent")) {
			if (!naming)
				in = false;
			naming = true;
			/* "varyprobe/1.0" is varyprobe */
			if (l.value_len >= n &&
			    strncasecmp(l.value, token, n) == 0 &&
			    (l.value_len == n || l.value[n] == '/' ||
				is_blank(l.value[n])))
				in = found = true;
			continue;
		}
		if (!key_is(&l, "allow") && !key_is(&l, "disallow"))
			continue;
		naming = false;
		if (in && l.value_len > 0) {
			struct rule *x = apr_array_push(r->rules);

			x->pattern = normalise(l.value, l.value_len, pool);
			x->len = strlen(x->pattern);
			x->allow = key_is(&l, "allow");
		}
	}
	return (found);
}

struct probe_robots *
probe_robots_parse(
    const char *text, size_t len, const char *token, apr_pool_t *pool)
{
	struct probe_robots *r = apr_palloc(pool, sizeof *r);

	if (len > PROBE_ROBOTS_MAX)
		len = PROBE_ROBOTS_MAX;
	r->rules = apr_array_make(pool, 16, sizeof(struct rule));
	if (!collect(r, text, len, token, pool))
		(void)collect(r, text, len, "*", pool);
	return (r->rules->nelts > 0 ? r : NULL);
}

bool
probe_robots_allow(const struct probe_robots *r, const char *path)
{
	const struct rule *x;
	apr_pool_t *pool;
	size_t best = 0;
	bool allow = true;
	char *p;
	int i;

	if (r == NULL || strcmp(path, "/robots.txt") == 0)
		return (true);
	apr_pool_create(&pool, NULL);
	p = normalise(path, strlen(path), pool);
	for (i = 0; i < r->rules->nelts; i++) {
		x = &APR_ARRAY_IDX(r->rules, i, struct rule);
		if (x->len < best || !matches(x->pattern, p))
			continue;
		/* Of two of the same length, the one that allows. */
		if (x->len > best || x->allow)
			allow = x->allow;
		best = x->len;
	}
	apr_pool_destroy(pool);
	return (allow);
}
