/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An origin that plays the cases of public reports, page noise, and malice.
 * Sockets of its own rather than a library: half of the cases are answers that
 * no library would send.
 *
 *	origin [-s SECONDS] [-d FOLDER]
 *		listen on a free port of 127.0.0.1, say "port N"; /files/NAME is
 *		what stands in FOLDER
 *
 * It ends when its stdin does (so that it never outlives a test), or after
 * SECONDS.
 */
#include "config.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <zlib.h>

enum {
	MAX_HEADERS = 128,
	MAX_REQUEST = 64 * 1024,
	LINES = 121,
};

struct text {
	char *b;
	size_t len, cap;
};

struct request {
	char method[16], path[2048];
	char *query;
	struct {
		const char *name, *value;
	} h[MAX_HEADERS];
	int nh;
	int fd;
	unsigned connection; /* its number */
};

struct response {
	int status;
	struct text head; /* lines, each with CRLF */
	struct text body;
	bool has_type, raw, close;
};

static atomic_uint connections, counter;

static void
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

static void add(struct text *, const char *, ...)
    __attribute__((__format__(__printf__, 2, 3)));

static void
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
static const char *
get(const struct request *q, const char *name)
{
	int i;

	for (i = 0; i < q->nh; i++)
		if (strcasecmp(q->h[i].name, name) == 0)
			return (q->h[i].value);
	return (NULL);
}

static bool
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

static bool
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
static const char *
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

static uint64_t
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

/* --- a page -------------------------------------------------------------- */

static void
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

static void
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

static bool
takes_gzip(const struct request *q)
{
	return (says(q, "Accept-Encoding", "gzip") &&
		!says(q, "Accept-Encoding", "gzip;q=0"));
}

static const char *
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

/* --- the cases of cases/audit.md ----------------------------------------- */

static void
play_case(const struct request *q, struct response *r, int n, char letter)
{
	struct text *h = &r->head, *b = &r->body;
	const char *origin = get(q, "Origin"), *v;
	char buf[256], text[512];
	bool conditional = get(q, "If-None-Match") != NULL ||
			   get(q, "If-Modified-Since") != NULL;

	page(b, NULL);
	switch (n) {
	case 1:
		if (origin != NULL)
			add(h,
			    "Access-Control-Allow-Origin: %s\r\n"
			    "Vary: Origin\r\n",
			    origin);
		break;
	case 2:
		if (origin != NULL &&
		    strcmp(origin, "https://allowed.example") == 0)
			add(h,
			    "Access-Control-Allow-Origin: %s\r\n"
			    "Vary: Origin\r\n",
			    origin);
		break;
	case 4:
		add(h, "Cache-Control: public, max-age=604800\r\n");
		if (origin != NULL)
			add(h, "Access-Control-Allow-Origin: %s\r\n", origin);
		break;
	case 5:
		add(h, "Access-Control-Allow-Origin: *\r\nVary: Origin\r\n");
		break;
	case 7:
		/* a preflight's answer is made of what it asks */
		if (letter == 'b' && strcmp(q->method, "OPTIONS") == 0) {
			r->status = 204;
			b->len = 0;
			v = get(q, "Access-Control-Request-Headers");
			add(h,
			    "Access-Control-Allow-Origin: "
			    "https://allowed.example\r\n"
			    "Access-Control-Allow-Methods: %s\r\n"
			    "Access-Control-Allow-Headers: %s\r\n"
			    "Vary: Access-Control-Request-Headers\r\n",
			    says(q, "Access-Control-Request-Method", "DELETE")
				? "DELETE"
				: "GET, HEAD, PUT",
			    v != NULL ? v : "none");
			break;
		}
		if (origin != NULL &&
		    strcmp(origin, "https://allowed.example") == 0)
			add(h,
			    "Access-Control-Allow-Origin: %s\r\n"
			    "Access-Control-Allow-Credentials: true\r\n",
			    origin);
		break;
	case 8:
		if (takes_gzip(q)) {
			add(h, "Vary: Accept-Encoding\r\n");
			zip(r);
		}
		break;
	case 10:
		if (letter == 'a') {
			add(h, "Vary: Content-Encoding\r\n");
			if (takes_gzip(q))
				zip(r);
			break;
		}
		add(h, "Vary: Content-Type\r\n");
		__attribute__((fallthrough));
	case 11:
		if (says(q, "Accept", "application/json")) {
			b->len = 0;
			add(b, "{\"page\": [1, 2, 3]}\n");
			add(h, "Content-Type: application/json\r\n");
			r->has_type = true;
		}
		break;
	case 13:
		b->len = 0;
		r->has_type = true;
		if (letter == 'b') {
			add(h, "Content-Type: image/webp\r\nVary: Accept\r\n");
			add_bytes(b, "RIFF\0\0\0\0WEBP", 12);
		} else if (says(q, "Accept", "image/webp") &&
			   !says(q, "Accept", "image/webp;q=0")) {
			add(h, "Content-Type: image/webp\r\nVary: Accept\r\n");
			add_bytes(b, "RIFF\0\0\0\0WEBP", 12);
		} else {
			add(h, "Content-Type: image/jpeg\r\n");
			add_bytes(b, "\xff\xd8\xff\xe0\0\x10JFIF", 10);
		}
		break;
	case 14:
		r->has_type = true;
		b->len = 0;
		/* reads "image/jxl;q=0" as support */
		if (says(q, "Accept", "image/jxl")) {
			add(h, "Content-Type: image/jxl\r\n");
			add_bytes(b, "\xff\x0a\0\0", 4);
		} else {
			add(h, "Content-Type: image/jpeg\r\n");
			add_bytes(b, "\xff\xd8\xff\xe0\0\x10JFIF", 10);
		}
		break;
	case 16:
		add(h, "Vary: RSC\r\n");
		v = get(
		    q, letter == 'c' ? "Next-Router-State-Tree" : "Next-Url");
		if (v != NULL && letter == '6')
			add(b, "<!-- payload for %zu bytes of path -->\n",
			    strlen(v));
		if (!says(q, "RSC", "1"))
			break;
		/* as Next.js does: of payloads alone */
		b->len = 0;
		add(b, "1:\"$Sreact.fragment\"\n");
		if (v != NULL && letter != '6')
			add(b, "2:{\"intercepted\": true}\n");
		add(h, "Content-Type: text/x-component\r\n");
		r->has_type = true;
		break;
	case 17:
		add(h, "Vary: rsc\r\n");
		v = get(q, "RSC");
		if (v != NULL && strcmp(v, "1") == 0) {
			b->len = 0;
			add(b, "1:\"$Sreact.fragment\"\n");
			add(h, "Content-Type: text/x-component\r\n");
			r->has_type = true;
		}
		break;
	case 19:
		add(h, "Vary: Accept-Language\r\nContent-Language: de\r\n");
		break;
	case 20:
		add(h, "Vary: Cookie\r\n");
		if (cookie(q, "sessionid", buf, sizeof buf))
			add(b, "<p>Good day, %s</p>\n", buf);
		break;
	case 22:
		add(h, "Vary: Accept-Encoding, User-Agent\r\n");
		if (takes_gzip(q))
			zip(r);
		break;
	case 24:
		if (get(q, "X-Forwarded-Proto") != NULL)
			add(h, "Vary: X-Forwarded-Proto\r\n");
		break;
	case 25: add(h, "Vary: Host\r\n"); break;
	case 26:
		r->status = 301;
		b->len = 0;
		add(h, "Location: /%s/\r\n", language(q));
		break;
	case 28:
	case 29:
		v = get(q, "X-Forwarded-Host");
		add(b,
		    "<meta property=\"og:image\" "
		    "content=\"https://%s/image.png\">\n",
		    v != NULL ? v : "www.site.example");
		break;
	case 30:
		add(h, "ETag: \"one\"\r\nAccept-Ranges: bytes\r\n");
		if (conditional && letter == 'a') {
			r->status = 304;
			add(h, "Vary: Accept-Encoding\r\n");
		} else if (get(q, "Range") != NULL && letter == 'b') {
			r->status = 206;
			b->len = 2;
			add(h, "Content-Range: bytes 0-1/1000\r\n"
			       "Vary: Accept-Encoding\r\n");
		} else if (letter != 'c' || strcmp(q->method, "HEAD") != 0)
			add(h, "Vary: Accept-Encoding, Accept\r\n");
		if (says(q, "Accept", "application/json") && r->status == 200)
			add(b, "json\n");
		break;
	case 31:
		add(h, "Vary: Accept-Encoding\r\nETag: %s\"same%s\"\r\n",
		    letter == 'b' ? "W/" : "",
		    letter == 'c' && takes_gzip(q) ? "-gzip" : "");
		if (takes_gzip(q))
			zip(r);
		break;
	case 32:
		add(h, letter == 'b' ? "Vary: Accept-Encoding, *\r\n"
				     : "Vary: *\r\n");
		if (letter == 'd')
			add(h, "Vary:\r\n");
		/* as a cache would, that takes no notice */
		if (letter == 'c')
			add(h, "Age: 7\r\nX-Cache: HIT\r\n");
		break;
	case 34:
		add(h, "Vary: Origin\r\nAccess-Control-Allow-Origin: %s\r\n",
		    origin != NULL ? origin : "null");
		v = get(q, "X-Language");
		if (v != NULL)
			add(b, "<p>Sprache: %s</p>\n", v);
		break;
	case 35: add(h, "Vary: *\r\n"); break;
	case 37:
		r->status = 302;
		b->len = 0;
		add(h, "Location: /login?back=/case/37?%s\r\n",
		    q->query != NULL ? q->query : "");
		break;
	case 38:
		add(h, "Content-Type: application/gzip\r\n");
		r->has_type = true;
		zip(r);
		break;
	case 40:
		add(h, "Vary: Origin\r\n");
		if (letter == 'c') /* allowed or not, and to be stored */
			add(h, "Cache-Control: max-age=60\r\n");
		if (letter == 'b')
			/* one copy for all, of a cache that has no Origin in
			 * its key */
			add(h, "X-Cache: HIT\r\n");
		else if (origin != NULL)
			add(h, "Access-Control-Allow-Origin: %s\r\n", origin);
		break;
	case 41: /* a header that CORS names, and Vary does not */
		add(h, "Access-Control-Allow-Headers: X-Tenant, Content-Type"
		       "\r\n");
		v = get(q, "X-Tenant");
		if (v != NULL)
			add(b, "<p>Tenant %s</p>\n", v);
		break;
	case 42:
		if (letter == 'a' ? get(q, "x-now-route-matches") != NULL
				  : says(q, "RSC", "1")) {
			b->len = 0;
			add(b, "{\"pageProps\": {}}\n");
			add(h, "Content-Type: application/json\r\n");
			r->has_type = true;
		}
		break;
	case 43:
		add(h, "Vary: X-Forwarded-For\r\n");
		v = get(q, "X-Forwarded-For");
		(void)snprintf(text, sizeof text, "<p>You are %s</p>",
		    v != NULL ? v : "nobody");
		add(b, "%s\n", text);
		break;
	case 45:
		b->len = 0;
		add(b, "too small to be worth it\n");
		break;
	case 47:
		add(h, "ETag: \"one\"\r\n");
		if (conditional) {
			r->status = 304;
			add(h, "Vary: Accept-Encoding, Cookie\r\n");
		} else
			add(h, "Vary: Accept-Encoding\r\n");
		break;
	case 49:
		add(h, "Vary%s\r\n",
		    letter == 'a'   ? ": \"Foo\""
		    : letter == 'b' ? ": Foo;q=1"
		    : letter == 'c' ? ": Foo:"
		    : letter == 'd' ? ": Foo Bar"
				    : " : Foo");
		break;
	case 50:
		add(h, "Vary: Accept-Language\r\nContent-Language: %s\r\n",
		    says(q, "Accept-Language", "de") ? "de" : "en");
		break;
	case 51: /* a cookie pins the language, and it says what is said anyway */
		add(h, letter == 'b' ? "Vary: Accept-Language, Cookie\r\n"
				     : "Vary: Accept-Language\r\n");
		if (letter != 'c')
			add(h, "Set-Cookie: sprache=en; Path=/\r\n");
		add(b, "<p>Sprache: %s</p>\n",
		    cookie(q, "sprache", buf, sizeof buf) ? buf : language(q));
		break;
	case 52: /* two together, and neither alone */
		if (get(q, "DPR") != NULL && get(q, "Width") != NULL)
			add(b, "<p>small and thrifty</p>\n");
		break;
	case 53: /* a cookie that nobody was told of */
		if (cookie(q, "currency", buf, sizeof buf))
			add(b, "<p>Prices in %s</p>\n", buf);
		break;
	default: r->status = 404; break;
	}
}

/* --- noise, and effects within it ---------------------------------------- */

static bool
among(const char *list, const char *word)
{
	const char *p = strstr(list, word);

	return (p != NULL);
}

static void
noisy(const struct request *q, struct response *r)
{
	struct text *b = &r->body;
	char noise[256], effect[64], declare[256], axis[64], number[32];
	const char *v;
	int i, j, order[12], swap;
	bool ab, differs;
	size_t n;

	param(q, "noise", noise, sizeof noise);
	param(q, "effect", effect, sizeof effect);
	param(q, "declare", declare, sizeof declare);
	param(q, "axis", axis, sizeof axis);
	param(q, "n", number, sizeof number);
	if (*declare != '\0')
		add(&r->head, "Vary: %s\r\n", declare);
	v = *axis != '\0' ? get(q, axis) : NULL;
	/* What the axis does: to the value that is not a desktop browser's. */
	if (strcasecmp(axis, "User-Agent") == 0)
		differs = says(q, axis, "iPhone");
	else if (strcasecmp(axis, "Accept-Language") == 0)
		differs = strcmp(language(q), "de") == 0;
	else if (strcasecmp(axis, "Accept") == 0)
		differs = says(q, axis, "image/webp");
	else
		differs = v != NULL;
	ab = random64() % 2 == 0;
	add(b, "<!DOCTYPE html>\n<html>\n<head><title>Page %s</title>\n",
	    number);
	if (among(noise, "nonce"))
		add(b, "<script nonce=\"%016llx\"></script>\n",
		    (unsigned long long)random64());
	if (among(noise, "csrf"))
		add(b,
		    "<input name=\"csrf\" value=\"%016llx%016llx\"> %lld "
		    "%08llx-%04llx\n",
		    (unsigned long long)random64(),
		    (unsigned long long)random64(), (long long)time(NULL),
		    (unsigned long long)random64(),
		    (unsigned long long)random64() & 0xffff);
	if (among(noise, "rr"))
		add(b, "<!-- served by web%u -->\n", q->connection % 2);
	add(b, "</head>\n<body class=\"%s\">\n",
	    differs && strcmp(effect, "class") == 0 ? "mobile" : "plain");
	if (among(noise, "counter"))
		add(b, "<p>You are visitor %u</p>\n",
		    atomic_fetch_add(&counter, 1));
	if (among(noise, "ads"))
		add(b, "<div class=\"ad\">Buy thing number %d</div>\n",
		    (int)(random64() % 5));
	if (among(noise, "ab"))
		add(b, "<div class=\"%s\">%s%s</div>\n", ab ? "red" : "blue",
		    ab ? "Order now" : "Add to the basket",
		    differs && strcmp(effect, "inab") == 0 ? " by touch" : "");
	if (among(noise, "promo") && random64() % 10 == 0)
		add(b, "<div>Ten percent off today</div>\n");
	if (among(noise, "shuffle")) {
		for (i = 0; i < 12; i++)
			order[i] = i;
		for (i = 11; i > 0; i--) {
			j = (int)(random64() % (uint64_t)(i + 1));
			swap = order[i];
			order[i] = order[j];
			order[j] = swap;
		}
		for (i = 0; i < 12; i++)
			add(b, "<li>Recommended product %d</li>\n", order[i]);
	}
	n = b->len;
	for (i = 0; i < LINES; i++)
		add(b, "<p>Paragraph %d of page %s, price %d</p>\n", i, number,
		    i == 60 && differs && strcmp(effect, "digit") == 0
			? i * 7 + 1
			: i * 7);
	(void)n;
	if (differs && strcmp(effect, "text") == 0)
		add(b, "<p>Something that only some are told</p>\n");
	if (v != NULL && strcmp(effect, "reflect") == 0)
		add(b, "<link rel=\"canonical\" href=\"https://%s/\">\n", v);
	if (differs && strcmp(effect, "header") == 0)
		add(&r->head, "X-Variant: touch\r\n");
	if (differs && strcmp(effect, "status") == 0)
		r->status = 404;
	if (among(noise, "cookie"))
		add(&r->head, "X-Request-Id: %016llx\r\n",
		    (unsigned long long)random64());
	add(b, "</body>\n</html>\n");
}

/* --- malice -------------------------------------------------------------- */

static bool
put(int fd, const char *b, size_t len)
{
	ssize_t n;

	while (len > 0) {
		n = send(fd, b, len, MSG_NOSIGNAL);
		if (n <= 0)
			return (false);
		b += n;
		len -= (size_t)n;
	}
	return (true);
}

static void
reset(int fd)
{
	struct linger l = { 1, 0 };

	(void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &l, sizeof l);
}

/* Returns true when it has answered in its own way. */
static bool
hostile(const struct request *q, struct response *r)
{
	static const char ok[] =
	    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
	const char *what = q->path + strlen("/hostile/");
	char junk[16384];
	int fd = q->fd, i;
	size_t n;

	memset(junk, 'x', sizeof junk);
	r->close = true;
	if (strcmp(what, "endless-head") == 0) {
		(void)put(fd, ok, sizeof ok - 1);
		for (i = 0; i < 10000000; i++) {
			int len = snprintf(
			    junk, sizeof junk, "X-Junk-%d: %.900d\r\n", i, 0);

			if (!put(fd, junk, (size_t)len))
				break;
		}
	} else if (strcmp(what, "endless-line") == 0) {
		(void)put(fd, ok, sizeof ok - 1);
		(void)put(fd, "Vary: ", 6);
		while (put(fd, junk, sizeof junk))
			continue;
	} else if (strcmp(what, "big-vary") == 0) {
		(void)put(fd, ok, sizeof ok - 1);
		(void)put(fd, "Vary: a", 7);
		for (n = 0; n < 10 * 1024 * 1024; n += sizeof junk)
			if (!put(fd, junk, sizeof junk))
				break;
		(void)put(fd, "\r\nContent-Length: 2\r\n\r\nok", 25);
	} else if (strcmp(what, "many-vary") == 0) {
		(void)put(fd, ok, sizeof ok - 1);
		for (i = 0; i < 5000; i++) {
			int len = snprintf(
			    junk, sizeof junk, "Vary: X-Name-%d\r\n", i);

			if (!put(fd, junk, (size_t)len))
				break;
		}
		(void)put(fd, "Content-Length: 2\r\n\r\nok", 23);
	} else if (strcmp(what, "endless-body") == 0) {
		(void)put(fd, ok, sizeof ok - 1);
		(void)put(fd, "\r\n", 2);
		while (put(fd, junk, sizeof junk))
			continue;
	} else if (strcmp(what, "drip") == 0) {
		(void)put(fd, ok, sizeof ok - 1);
		(void)put(fd, "Content-Length: 100000\r\n\r\n", 26);
		for (i = 0; i < 600; i++) {
			if (!put(fd, "x", 1))
				break;
			(void)poll(NULL, 0, 100);
		}
	} else if (strcmp(what, "bad-chunk") == 0) {
		(void)put(fd, ok, sizeof ok - 1);
		(void)put(fd, "Transfer-Encoding: chunked\r\n\r\n", 30);
		(void)put(fd, "5\r\nhello\r\nzz\r\nworld\r\n", 21);
	} else if (strcmp(what, "short-body") == 0) {
		(void)put(fd, ok, sizeof ok - 1);
		(void)put(fd, "Content-Length: 1000\r\n\r\nshort", 29);
	} else if (strcmp(what, "reset-before") == 0) {
		reset(fd);
	} else if (strcmp(what, "reset-head") == 0) {
		(void)put(fd, ok, 20);
		reset(fd);
	} else if (strcmp(what, "reset-body") == 0) {
		(void)put(fd, ok, sizeof ok - 1);
		(void)put(fd, "Content-Length: 1000\r\n\r\nshort", 29);
		reset(fd);
	} else if (strcmp(what, "no-http") == 0) {
		(void)put(fd, "220 mail.example ESMTP\r\n", 24);
	} else if (strcmp(what, "bomb") == 0) {
		/* 64 MB of nothing in 64 kB of gzip */
		memset(junk, 0, sizeof junk);
		for (n = 0; n < 64 * 1024 * 1024; n += sizeof junk)
			add_bytes(&r->body, junk, sizeof junk);
		zip(r);
		return (false);
	} else if (strcmp(what, "not-gzip") == 0) {
		page(&r->body, NULL);
		add(&r->head, "Content-Encoding: gzip\r\n");
		return (false);
	} else if (strcmp(what, "binary") == 0) {
		for (n = 0; n < 5000; n++) {
			char c = (char)(n * 7919 >> 3);

			add_bytes(&r->body, &c, 1);
		}
		add(&r->head, "X-Odd: \x01\x02\xff\xfe\r\n");
		return (false);
	} else if (strcmp(what, "loop") == 0) {
		r->status = 302;
		add(&r->head, "Location: /hostile/loop\r\n");
		return (false);
	} else if (strcmp(what, "refuses-later") == 0) {
		/* 403 for everything from the 10th request on */
		if (atomic_fetch_add(&counter, 1) >= 10)
			r->status = 403;
		page(&r->body, NULL);
		r->close = false;
		return (false);
	} else if (strcmp(what, "slow-down") == 0) {
		r->status = atomic_fetch_add(&counter, 1) % 6 == 5 ? 429 : 200;
		if (r->status == 429)
			add(&r->head, "Retry-After: 0\r\n");
		page(&r->body, NULL);
		r->close = false;
		return (false);
	} else if (strcmp(what, "limited") == 0) {
		r->status = atomic_fetch_add(&counter, 1) < 10 ? 200 : 429;
		page(&r->body, NULL);
		return (false);
	} else if (strcmp(what, "blocks-bots") == 0) {
		r->status = says(q, "User-Agent", "Googlebot") ? 403 : 200;
		page(&r->body, NULL);
		return (false);
	} else if (strcmp(what, "random-status") == 0) {
		r->status = atomic_fetch_add(&counter, 1) % 2 == 0 ? 200 : 500;
		page(&r->body, NULL);
		return (false);
	} else if (strcmp(what, "random-body") == 0) {
		for (i = 0; i < 64; i++) {
			uint64_t v = random64();

			add_bytes(&r->body, &v, sizeof v);
			add_bytes(&r->body, "\0", 1);
		}
		return (false);
	} else {
		r->status = 404;
		return (false);
	}
	return (true);
}

/* --- the server ---------------------------------------------------------- */

static const char *folder;

static bool
serve_file(const struct request *q, struct response *r)
{
	char name[4096], buf[65536];
	const char *base = q->path + 7;
	size_t n;
	FILE *f;

	if (folder == NULL || strchr(base, '/') != NULL || *base == '.')
		return (false);
	(void)snprintf(name, sizeof name, "%s/%s", folder, base);
	f = fopen(name, "r");
	if (f == NULL)
		return (false);
	while ((n = fread(buf, 1, sizeof buf, f)) > 0)
		add_bytes(&r->body, buf, n);
	(void)fclose(f);
	return (true);
}

static void
answer(const struct request *q, struct response *r)
{
	char letter = 0;
	int n;

	if (strncmp(q->path, "/case/", 6) == 0) {
		n = atoi(q->path + 6);
		letter = q->path[strlen(q->path) - 1];
		play_case(q, r, n, letter);
	} else if (strncmp(q->path, "/noise", 6) == 0)
		noisy(q, r);
	else if (strcmp(q->path, "/robots.txt") == 0) {
		add(&r->body, "User-agent: *\nDisallow: /private/\n"
			      "Allow: /private/open\nDisallow: /*.pdf$\n\n"
			      "User-agent: varyprobe\nDisallow: /no-probe\n"
			      "Disallow: /private/\nAllow: /private/open\n");
	} else if (strncmp(q->path, "/plain", 6) == 0 ||
		   strncmp(q->path, "/private", 8) == 0)
		page(&r->body, NULL);
	else if (strncmp(q->path, "/files/", 7) != 0 || !serve_file(q, r)) {
		r->status = 404;
		add(&r->body, "nothing here\n");
	}
}

static bool
serve_one(struct request *q)
{
	struct response r;
	struct text out = { NULL, 0, 0 };
	bool ok, keep;
	const char *c;

	memset(&r, 0, sizeof r);
	r.status = 200;
	if (strncmp(q->path, "/hostile/", 9) == 0 && hostile(q, &r)) {
		free(r.head.b);
		free(r.body.b);
		return (false);
	}
	if (strncmp(q->path, "/hostile/", 9) != 0)
		answer(q, &r);
	c = get(q, "Connection");
	keep = !r.close && (c == NULL || strcasecmp(c, "close") != 0);
	add(&out, "HTTP/1.1 %d Whatever\r\n", r.status);
	if (!r.has_type && r.status != 304)
		add(&out, "Content-Type: text/html; charset=utf-8\r\n");
	if (r.head.len > 0)
		add_bytes(&out, r.head.b, r.head.len);
	if (r.status != 304)
		add(&out, "Content-Length: %zu\r\n", r.body.len);
	add(&out, "%s\r\n", keep ? "" : "Connection: close\r\n");
	if (strcmp(q->method, "HEAD") != 0 && r.status != 304 && r.body.len > 0)
		add_bytes(&out, r.body.b, r.body.len);
	ok = put(q->fd, out.b, out.len);
	free(out.b);
	free(r.head.b);
	free(r.body.b);
	return (ok && keep);
}

/* The head of a request in place; false if it is none. */
static bool
parse(struct request *q, char *p)
{
	char *line, *state, *sp, *colon;

	line = strtok_r(p, "\r\n", &state);
	if (line == NULL)
		return (false);
	q->nh = 0;
	q->query = NULL;
	sp = strchr(line, ' ');
	if (sp == NULL)
		return (false);
	*sp++ = '\0';
	(void)snprintf(q->method, sizeof q->method, "%s", line);
	(void)snprintf(
	    q->path, sizeof q->path, "%.*s", (int)strcspn(sp, " "), sp);
	q->query = strchr(q->path, '?');
	if (q->query != NULL)
		*q->query++ = '\0';
	while ((line = strtok_r(NULL, "\r\n", &state)) != NULL &&
	       q->nh < MAX_HEADERS) {
		colon = strchr(line, ':');
		if (colon == NULL)
			continue;
		*colon++ = '\0';
		while (*colon == ' ' || *colon == '\t')
			colon++;
		q->h[q->nh].name = line;
		q->h[q->nh++].value = colon;
	}
	return (true);
}

static void *
serve(void *arg)
{
	struct request *q = arg;
	char *buf = malloc(MAX_REQUEST + 1), *end;
	size_t len = 0, used;
	ssize_t n;
	bool more = buf != NULL;

	while (more) {
		buf[len] = '\0';
		while ((end = strstr(buf, "\r\n\r\n")) == NULL) {
			if (len == MAX_REQUEST)
				goto out;
			n = recv(q->fd, buf + len, MAX_REQUEST - len, 0);
			if (n <= 0)
				goto out;
			len += (size_t)n;
			buf[len] = '\0';
		}
		used = (size_t)(end - buf) + 4;
		*end = '\0';
		more = parse(q, buf) && serve_one(q);
		memmove(buf, buf + used, len - used);
		len -= used;
	}
out:
	(void)close(q->fd);
	free(buf);
	free(q);
	return (NULL);
}

int
main(int argc, char **argv)
{
	struct sockaddr_in sa;
	socklen_t sl = sizeof sa;
	struct pollfd p[2];
	pthread_attr_t attr;
	pthread_t t;
	int s, fd, on = 1;
	char c;

	while ((fd = getopt(argc, argv, "s:d:")) != -1) {
		if (fd == 's')
			(void)alarm((unsigned)atoi(optarg));
		else if (fd == 'd')
			folder = optarg;
		else
			return (2);
	}
	(void)signal(SIGPIPE, SIG_IGN);
	memset(&sa, 0, sizeof sa);
	sa.sin_family = AF_INET;
	sa.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (s < 0 || bind(s, (struct sockaddr *)&sa, sizeof sa) != 0 ||
	    listen(s, 512) != 0 ||
	    getsockname(s, (struct sockaddr *)&sa, &sl) != 0) {
		perror("origin");
		return (1);
	}
	printf("port %d\n", ntohs(sa.sin_port));
	(void)fflush(stdout);
	(void)pthread_attr_init(&attr);
	(void)pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	(void)pthread_attr_setstacksize(&attr, 512 * 1024);
	p[0].fd = s;
	p[1].fd = STDIN_FILENO;
	p[0].events = p[1].events = POLLIN;
	for (;;) {
		if (poll(p, 2, -1) < 0 && errno != EINTR)
			return (1);
		if (p[1].revents != 0 && read(STDIN_FILENO, &c, 1) <= 0)
			return (0);
		if ((p[0].revents & POLLIN) == 0)
			continue;
		fd = accept4(s, NULL, NULL, SOCK_CLOEXEC);
		if (fd < 0)
			continue;
		(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
		{
			struct request *q = calloc(1, sizeof *q);

			if (q == NULL)
				return (1);
			q->fd = fd;
			q->connection = atomic_fetch_add(&connections, 1);
			if (pthread_create(&t, &attr, serve, q) != 0) {
				(void)close(fd);
				free(q);
			}
		}
	}
}
