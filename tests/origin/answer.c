/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "tests/origin/answer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include <zlib.h>

atomic_uint counter;

void
add_bytes(struct text *t, const void *b, size_t len)
{
	if (t->len + len + 1 > t->cap) {
		t->cap = (t->len + len + 1) * 2;
		t->b = realloc(t->b, t->cap);
		if (t->b == NULL)
			abort();
	}
	memcpy(t->b + t->len, b, len);
	t->len += len;
	t->b[t->len] = '\0';
}

void
add(struct text *t, const char *fmt, ...)
{
	char *s;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (n < 0)
		abort();
	add_bytes(t, s, (size_t)n);
	free(s);
}

/* The first line of this name; NULL: none. */
const char *
get(const struct request *q, const char *name)
{
	int i;

	for (i = 0; i < q->nh; i++)
		if (strcasecmp(q->h[i].name, name) == 0)
			return (q->h[i].value);
	return (NULL);
}

bool
says(const struct request *q, const char *name, const char *part)
{
	int i;

	/* All lines: an origin that joins them. */
	for (i = 0; i < q->nh; i++)
		if (strcasecmp(q->h[i].name, name) == 0 &&
		    strstr(q->h[i].value, part) != NULL)
			return (true);
	return (false);
}

bool
cookie(const struct request *q, const char *name, char *ret, size_t cap)
{
	const char *c = get(q, "Cookie"), *p;
	size_t n = strlen(name);

	for (p = c; p != NULL && *p != '\0'; p = strchr(p, ';')) {
		while (*p == ';' || *p == ' ')
			p++;
		if (strncmp(p, name, n) == 0 && p[n] == '=') {
			(void)snprintf(ret, cap, "%.*s",
			    (int)strcspn(p + n + 1, ";"), p + n + 1);
			return (true);
		}
	}
	return (false);
}

/* A parameter of the query, "" if it is not there. */
const char *
param(const struct request *q, const char *name, char *buf, size_t cap)
{
	const char *p = q->query;
	size_t n = strlen(name);

	buf[0] = '\0';
	while (p != NULL && *p != '\0') {
		if (strncmp(p, name, n) == 0 && p[n] == '=') {
			(void)snprintf(buf, cap, "%.*s",
			    (int)strcspn(p + n + 1, "&"), p + n + 1);
			break;
		}
		p = strchr(p, '&');
		if (p != NULL)
			p++;
	}
	return (buf);
}

uint64_t
random64(void)
{
	static _Thread_local uint64_t s;
	struct timespec t;

	if (s == 0) {
		(void)clock_gettime(CLOCK_REALTIME, &t);
		s = (uint64_t)t.tv_nsec * 1000003 + (uint64_t)t.tv_sec +
		    atomic_fetch_add(&counter, 1) *
			UINT64_C(0x9e3779b97f4a7c15);
	}
	s ^= s << 13;
	s ^= s >> 7;
	s ^= s << 17;
	return (s * UINT64_C(0x2545f4914f6cdd1d) >> 11);
}

void
page(struct text *t, const char *extra)
{
	int i;

	add(t, "<!DOCTYPE html>\n<html>\n<head><title>A page</title></head>\n"
	       "<body class=\"plain\">\n");
	for (i = 0; i < LINES / 2; i++)
		add(t, "<p>Paragraph %d of a page like any other.</p>\n", i);
	if (extra != NULL)
		add(t, "%s\n", extra);
	for (; i < LINES; i++)
		add(t, "<p>Paragraph %d of a page like any other.</p>\n", i);
	add(t, "</body>\n</html>\n");
}

void
zip(struct response *r)
{
	z_stream z;
	struct text out = { NULL, 0, 0 };
	char buf[65536];
	int st;

	memset(&z, 0, sizeof z);
	if (deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) !=
	    Z_OK)
		abort();
	z.next_in = (Bytef *)r->body.b;
	z.avail_in = (uInt)r->body.len;
	do {
		z.next_out = (Bytef *)buf;
		z.avail_out = sizeof buf;
		st = deflate(&z, Z_FINISH);
		add_bytes(&out, buf, sizeof buf - z.avail_out);
	} while (st == Z_OK);
	(void)deflateEnd(&z);
	free(r->body.b);
	r->body = out;
	add(&r->head, "Content-Encoding: gzip\r\n");
}

bool
takes_gzip(const struct request *q)
{
	return (says(q, "Accept-Encoding", "gzip") &&
		!says(q, "Accept-Encoding", "gzip;q=0"));
}

void
negotiate(const struct request *q, struct response *r)
{
	if (takes_gzip(q))
		zip(r);
}

const char *
language(const struct request *q)
{
	const char *a = get(q, "Accept-Language");

	if (a != NULL && strncmp(a, "de", 2) == 0)
		return ("de");
	if (a != NULL && strncmp(a, "fr", 2) == 0)
		return ("fr");
	/* also in a second line, as one that joins lines sees it */
	if (says(q, "Accept-Language", "de"))
		return ("de");
	return ("en");
}

void
play_named(
    const struct play *p, size_t n, const struct request *q, struct response *r)
{
	const char *name = strchr(q->path + 1, '/') + 1;
	size_t i;

	for (i = 0; i < n; i++)
		if (strcmp(p[i].name, name) == 0) {
			page(&r->body, NULL);
			p[i].play(q, r);
			return;
		}
	r->status = 404;
	add(&r->body, "nothing here\n");
}
