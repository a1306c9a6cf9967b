/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <string.h>

#include "cache/cache.h"

#include "vmod/compat.h"
#include "vmod/headers.h"

bool
header_name_init(struct header_name *h, struct vary_span name)
{
	if (!vary_is_token(name.b, name.len) || name.len > VARY_NAME_MAX)
		return (false);
	h->bytes[0] = (char)(name.len + 1);
	memcpy(h->bytes + 1, name.b, name.len);
	h->bytes[name.len + 1] = ':';
	h->bytes[name.len + 2] = '\0';
	return (true);
}

struct vary_span
header_name_span(const struct header_name *h)
{
	return ((struct vary_span){
	    h->bytes + 1, (size_t)(unsigned char)h->bytes[0] - 1 });
}

/* Inline: nearly every line has another length, and the colon tells. */
static inline bool
is_named(const struct http *hp, unsigned u, struct vary_span name)
{
	const char *b = hp->hd[u].b;

	return (b != NULL && (size_t)(hp->hd[u].e - b) > name.len &&
		b[name.len] == ':' && vary_name_same(name.b, b, name.len));
}

static struct vary_span
value_of(const struct http *hp, unsigned u, struct vary_span name)
{
	return (vary_span_trim(hp->hd[u].b + name.len + 1, hp->hd[u].e));
}

bool
header_next(const struct http *hp, const struct header_name *h, unsigned *pos,
    struct vary_span *ret)
{
	struct vary_span name = header_name_span(h);
	unsigned u = *pos < HTTP_HDR_FIRST ? HTTP_HDR_FIRST : *pos;

	for (; u < hp->nhd; u++) {
		if (!is_named(hp, u, name))
			continue;
		*ret = value_of(hp, u, name);
		*pos = u + 1;
		return (true);
	}
	return (false);
}

void
header_seek(const struct http *hp, struct header_seek *s, unsigned n_seek)
{
	struct vary_span name;
	unsigned u, i;

	for (i = 0; i < n_seek; i++) {
		s[i].n = s[i].at = 0;
		s[i].first = (struct vary_span){ NULL, 0 };
		name = header_name_span(s[i].name);
		for (u = HTTP_HDR_FIRST; u < hp->nhd; u++) {
			if (!is_named(hp, u, name))
				continue;
			if (s[i].n++ == 0) {
				s[i].first = value_of(hp, u, name);
				s[i].at = u;
			}
		}
	}
}

bool
header_has_room(const struct http *hp)
{
	return (hp->nhd < hp->shd);
}

const char *
header_line(struct ws *ws, const struct header_name *h, struct vary_span value)
{
	struct vary_span name = header_name_span(h);
	char *p;

	p = WS_Alloc(ws, (unsigned)(name.len + 2 + value.len + 1));
	if (p == NULL)
		return (NULL);
	memcpy(p, name.b, name.len);
	memcpy(p + name.len, ": ", 2);
	if (value.len > 0)
		memcpy(p + name.len + 2, value.b, value.len);
	p[name.len + 2 + value.len] = '\0';
	return (p);
}

const char *
header_line_value(const struct header_name *h, const char *line)
{
	return (line == NULL ? NULL : line + header_name_span(h).len + 2);
}

void
header_remove(struct http *hp, const struct header_name *h)
{
	http_Unset(hp, VK_HDR(h->bytes));
}

void
header_replace(struct http *hp, const struct header_seek *now, const char *line)
{
	if (now->n != 1) {
		if (now->n > 0)
			header_remove(hp, now->name);
		http_SetHeader(hp, line);
		return;
	}
	/*
	 * In its place, with the records that core writes of a header unset and
	 * one set.  http_Unset() would look at every line again, and measure
	 * the name's length for each.
	 */
	if (hp->vsl != NULL)
		VSLbt(hp->vsl,
		    (enum VSL_tag_e)((unsigned)hp->logtag + HTTP_HDR_UNSET -
				     HTTP_HDR_METHOD),
		    hp->hd[now->at]);
	http_SetH(hp, now->at, line);
}

static bool
name_of(const struct http *hp, unsigned u, struct vary_span *ret)
{
	const char *b = hp->hd[u].b, *colon;

	if (b == NULL)
		return (false);
	colon = memchr(b, ':', (size_t)(hp->hd[u].e - b));
	if (colon == NULL || colon == b)
		return (false);
	*ret = (struct vary_span){ b, (size_t)(colon - b) };
	return (true);
}

/* A line that comes later and has the name of line u? */
static bool
repeats_later(const struct http *hp, unsigned u, struct vary_span name)
{
	struct vary_span other;

	for (u++; u < hp->nhd; u++)
		if (name_of(hp, u, &other) && vary_name_eq(name, other))
			return (true);
	return (false);
}

static int
join(struct http *hp, struct ws *ws, const struct header_name *h)
{
	struct vary_span name = header_name_span(h), v;
	struct header_seek now = { .name = h };
	const char *sep = ", ";
	unsigned pos;
	size_t len = 0;
	char *line, *p;

	if (vary_name_eq(name, vary_span_str("Cookie")))
		sep = "; ";
	for (pos = 0; header_next(hp, h, &pos, &v); now.n++)
		len += v.len + 2;
	line = WS_Alloc(ws, (unsigned)(name.len + 2 + len + 1));
	if (line == NULL)
		return (-1);
	p = line;
	memcpy(p, name.b, name.len);
	p += name.len;
	*p++ = ':';
	*p++ = ' ';
	for (pos = 0, len = 0; header_next(hp, h, &pos, &v);) {
		if (v.len == 0)
			continue;
		if (len++ > 0) {
			memcpy(p, sep, 2);
			p += 2;
		}
		memcpy(p, v.b, v.len);
		p += v.len;
	}
	*p = '\0';
	header_replace(hp, &now, line);
	return (0);
}

int
header_join_all(struct http *hp, struct ws *ws)
{
	struct header_name h;
	struct vary_span name;
	uint64_t seen[4] = { 0 };
	bool maybe = false;
	unsigned u;
	int n = 0;

	/*
	 * Nearly every request has each name once: a glance at length and ends
	 * of the names clears most of them.
	 */
	for (u = HTTP_HDR_FIRST; u < hp->nhd; u++) {
		unsigned k;

		if (!name_of(hp, u, &name))
			continue;
		k = (unsigned)name.len * 5U +
		    ((unsigned)name.b[0] & 0x1fU) * 33U +
		    ((unsigned)name.b[name.len - 1] & 0x1fU) * 91U;
		k &= 0xffU;
		maybe |= (seen[k >> 6] >> (k & 63U)) & 1U;
		seen[k >> 6] |= UINT64_C(1) << (k & 63U);
	}
	for (u = HTTP_HDR_FIRST; maybe && u < hp->nhd; u++) {
		if (!name_of(hp, u, &name) || !repeats_later(hp, u, name) ||
		    !header_name_init(&h, name))
			continue;
		if (join(hp, ws, &h) < 0)
			return (-1);
		n++;
		u--; /* the line at u is gone, another is in its place */
	}
	return (n);
}
