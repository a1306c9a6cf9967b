/* SPDX-License-Identifier: BSD-2-Clause */
#include "vary/name.h"

#include <stdbool.h>
#include <string.h>

struct known {
	const char *name;
	unsigned char len;
	struct vary_known what;
};

/* clang-format off */
#define N(s, r, c) { s, sizeof(s) - 1, { s, r, VARY_CLASS_##c } }

/* By length, so that a look-up compares a handful of names only. */
static const struct known known[] = {
	N("*", VARY_RANK_NONE, PLAIN),
	N("TE", VARY_RANK_NONE, UNKEYABLE),
	N("Age", VARY_RANK_NONE, INERT),
	N("DNT", 20, PLAIN),
	N("DPR", 21, PLAIN),
	N("ECT", 22, PLAIN),
	N("RSC", 23, PLAIN),
	N("RTT", 24, PLAIN),
	N("Via", VARY_RANK_NONE, PLAIN),
	N("Date", VARY_RANK_NONE, INERT),
	N("ETag", VARY_RANK_NONE, INERT),
	N("Host", 15, PLAIN),
	N("Range", VARY_RANK_NONE, UNKEYABLE),
	N("Width", 25, PLAIN),
	N("Accept", 2, PLAIN),
	N("Cookie", 5, PLAIN),
	N("Origin", 4, PLAIN),
	N("Prefer", 26, PLAIN),
	N("Server", VARY_RANK_NONE, INERT),
	N("Expires", VARY_RANK_NONE, INERT),
	N("Referer", 9, PLAIN),
	N("Sec-GPC", 27, PLAIN),
	N("Trailer", VARY_RANK_NONE, UNKEYABLE),
	N("Upgrade", VARY_RANK_NONE, UNKEYABLE),
	N("Downlink", 28, PLAIN),
	N("If-Match", VARY_RANK_NONE, UNKEYABLE),
	N("If-Range", VARY_RANK_NONE, UNKEYABLE),
	N("Location", VARY_RANK_NONE, INERT),
	N("Forwarded", 14, PLAIN),
	N("Save-Data", 10, PLAIN),
	N("Sec-CH-UA", 11, PLAIN),
	N("X-Varnish", VARY_RANK_NONE, UNKEYABLE),
	N("Connection", VARY_RANK_NONE, UNKEYABLE),
	N("HX-Request", 29, PLAIN),
	N("Keep-Alive", VARY_RANK_NONE, UNKEYABLE),
	N("Sec-CH-DPR", 30, PLAIN),
	N("Set-Cookie", VARY_RANK_NONE, INERT),
	N("User-Agent", 7, PLAIN),
	N("Content-MD5", VARY_RANK_NONE, INERT),
	N("Retry-After", VARY_RANK_NONE, INERT),
	N("Content-Type", VARY_RANK_NONE, INERT),
	N("Sec-CH-Width", 31, PLAIN),
	N("Accept-Ranges", VARY_RANK_NONE, UNKEYABLE),
	N("Authorization", 6, PLAIN),
	N("Cache-Control", VARY_RANK_NONE, UNKEYABLE),
	N("Content-Range", VARY_RANK_NONE, UNKEYABLE),
	N("If-None-Match", VARY_RANK_NONE, UNKEYABLE),
	N("Last-Modified", VARY_RANK_NONE, INERT),
	N("Accept-Charset", 8, PLAIN),
	N("Content-Length", VARY_RANK_NONE, INERT),
	N("HTTP2-Settings", VARY_RANK_NONE, UNKEYABLE),
	N("Sec-Fetch-Dest", 32, PLAIN),
	N("Sec-Fetch-Mode", 33, PLAIN),
	N("Sec-Fetch-Site", 34, PLAIN),
	N("Viewport-Width", 35, PLAIN),
	N("Accept-Datetime", 36, PLAIN),
	N("Accept-Encoding", 1, PLAIN),
	N("Accept-Language", 3, PLAIN),
	N("Sec-CH-UA-Model", 37, PLAIN),
	N("X-Forwarded-For", VARY_RANK_NONE, PLAIN),
	N("Content-Encoding", VARY_RANK_NONE, INERT),
	N("Content-Language", VARY_RANK_NONE, INERT),
	N("Content-Location", VARY_RANK_NONE, INERT),
	N("Sec-CH-UA-Mobile", 12, PLAIN),
	N("WWW-Authenticate", VARY_RANK_NONE, INERT),
	N("X-Forwarded-Host", 13, PLAIN),
	N("X-Requested-With", 16, PLAIN),
	N("If-Modified-Since", VARY_RANK_NONE, UNKEYABLE),
	N("Transfer-Encoding", VARY_RANK_NONE, UNKEYABLE),
	N("X-Forwarded-Proto", 17, PLAIN),
	N("Proxy-Authenticate", VARY_RANK_NONE, UNKEYABLE),
	N("Sec-CH-UA-Platform", 18, PLAIN),
	N("If-Unmodified-Since", VARY_RANK_NONE, UNKEYABLE),
	N("Proxy-Authorization", VARY_RANK_NONE, UNKEYABLE),
	N("Available-Dictionary", 39, PLAIN),
	N("Sec-CH-Viewport-Width", 38, PLAIN),
	N("Upgrade-Insecure-Requests", 40, PLAIN),
	N("Sec-CH-Prefers-Color-Scheme", 19, PLAIN),
	N("Access-Control-Request-Method", 41, PLAIN),
	N("Access-Control-Request-Headers", 42, PLAIN),
};
#undef N
/* clang-format on */

struct vary_known
vary_name_known(struct vary_span name)
{
	static const struct vary_known unknown = { NULL, VARY_RANK_NONE,
		VARY_CLASS_PLAIN };
	size_t lo = 0, hi = sizeof known / sizeof *known, mid;

	/* The first entry that is not shorter than the name. */
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (known[mid].len < name.len)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < sizeof known / sizeof *known && known[lo].len == name.len;
	     lo++)
		if (vary_name_eq(name,
			(struct vary_span){ known[lo].name, known[lo].len }))
			return (known[lo].what);
	return (unknown);
}

static char
lower(char c)
{
	return (c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c);
}

static char
upper(char c)
{
	return (c >= 'a' && c <= 'z' ? (char)(c - ('a' - 'A')) : c);
}

void
vary_name_spell(struct vary_span name, const struct vary_known *k, char *buf)
{
	bool first = true;
	size_t i;

	if (k->spelling != NULL) {
		memcpy(buf, k->spelling, name.len);
		return;
	}
	for (i = 0; i < name.len; i++) {
		buf[i] = first ? upper(name.b[i]) : lower(name.b[i]);
		first = name.b[i] == '-' || name.b[i] == '_';
	}
}

void
vary_name_lower(struct vary_span name, char *buf)
{
	size_t i;

	for (i = 0; i < name.len; i++)
		buf[i] = lower(name.b[i]);
}
