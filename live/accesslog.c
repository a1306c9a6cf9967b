/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/accesslog.h"

#include <assert.h>
#include <string.h>

#include "live/accesslog_fact.h"

/* Apache and varnishncsa write \" \\ \t \n and \xhh. */
static void
unescape(struct vary_span *v, char *b)
{
	size_t i, o = 0;

	for (i = 0; i < v->len; i++) {
		char c = v->b[i];

		if (c == '\\' && i + 1 < v->len) {
			c = v->b[++i];
			if (c == 'x' && i + 2 < v->len &&
			    live_log_hex(v->b[i + 1]) >= 0 &&
			    live_log_hex(v->b[i + 2]) >= 0) {
				c = (char)(live_log_hex(v->b[i + 1]) * 16 +
					   live_log_hex(v->b[i + 2]));
				i += 2;
			} else if (c == 't')
				c = '\t';
			else if (c == 'n')
				c = '\n';
		}
		b[o++] = c;
	}
	v->b = b;
	v->len = o;
}

/* Days since 1970 of a date of the Gregorian calendar. */
static int64_t
days(int64_t y, int64_t m, int64_t d)
{
	int64_t era, yoe, doy;

	y -= m <= 2;
	era = (y >= 0 ? y : y - 399) / 400;
	yoe = y - era * 400;
	doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	return (era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468);
}

/* "02/Dec/2026:01:40:54 +0000", with brackets or without. */
static bool
clf_time(struct vary_span v, int64_t *ret)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	uint64_t d, y, h, mi, s, zh, zm;
	int64_t t, zone;
	unsigned m;

	if (v.len > 0 && *v.b == '[') {
		v.b++;
		v.len--;
	}
	if (v.len < 26)
		return (false);
#define PART(at, n, to) live_log_number((struct vary_span){ v.b + (at), n }, to)
	if (!PART(0, 2, &d) || !PART(7, 4, &y) || !PART(12, 2, &h) ||
	    !PART(15, 2, &mi) || !PART(18, 2, &s) || !PART(22, 2, &zh) ||
	    !PART(24, 2, &zm))
		return (false);
#undef PART
	for (m = 0; m < 12; m++)
		if (memcmp(months + (size_t)3 * m, v.b + 3, 3) == 0)
			break;
	if (m == 12 || d < 1 || d > 31 || h > 23 || mi > 59 || s > 60)
		return (false);
	zone = (int64_t)(zh * 3600 + zm * 60);
	if (v.b[21] == '-')
		zone = -zone;
	t = days((int64_t)y, (int64_t)m + 1, (int64_t)d) * 86400 +
	    (int64_t)(h * 3600 + mi * 60 + s) - zone;
	*ret = t * 1000000;
	return (true);
}

static bool
seconds(struct vary_span v, int64_t *ret)
{
	const char *dot = v.len > 0 ? memchr(v.b, '.', v.len) : NULL;
	struct vary_span whole = v;
	uint64_t s, f = 0;
	unsigned places = 0;

	if (dot != NULL) {
		whole.len = (size_t)(dot - v.b);
		for (dot++; dot < v.b + v.len && places < 6; dot++, places++) {
			if (*dot < '0' || *dot > '9')
				return (false);
			f = f * 10 + (uint64_t)(*dot - '0');
		}
	}
	for (; places < 6; places++)
		f *= 10;
	if (!live_log_number(whole, &s) || s > UINT64_C(1) << 40)
		return (false);
	*ret = (int64_t)(s * 1000000 + f);
	return (true);
}

/* "GET http://host/path HTTP/1.1": varnishncsa writes the host with it. */
static void
request(struct live_log_facts *x, struct vary_span v)
{
	const char *e = v.b + v.len, *p, *q;

	p = v.len > 0 ? memchr(v.b, ' ', v.len) : NULL;
	if (p == NULL)
		return;
	x->method = (struct vary_span){ v.b, (size_t)(p - v.b) };
	p++;
	for (q = e; q > p && q[-1] != ' '; q--)
		continue;
	/* HTTP/0.9 has no protocol behind the URL. */
	q = q > p ? q - 1 : e;
	x->url = (struct vary_span){ p, (size_t)(q - p) };
}

static bool
take(struct live_log_line *l, struct live_log_facts *x, enum live_field field,
    const char *name, struct vary_span v)
{
	uint64_t n;

	/* "-" is what logs have for nothing. */
	if (v.len == 1 && *v.b == '-')
		return (true);
	switch (field) {
	case LIVE_FIELD_TIME: return (clf_time(v, &x->us));
	case LIVE_FIELD_SECONDS: return (seconds(v, &x->us));
	case LIVE_FIELD_REQUEST: request(x, v); break;
	case LIVE_FIELD_METHOD: x->method = v; break;
	case LIVE_FIELD_URL: x->url = v; break;
	case LIVE_FIELD_QUERY: x->query = v; break;
	case LIVE_FIELD_HOST: x->host = v; break;
	case LIVE_FIELD_STATUS: x->status = v; break;
	case LIVE_FIELD_BYTES: x->bytes = v; break;
	case LIVE_FIELD_HANDLING: x->handling = v; break;
	case LIVE_FIELD_MICROSECONDS:
		if (live_log_number(v, &n) && n < UINT64_C(1) << 40)
			x->took_us = (int64_t)n;
		break;
	case LIVE_FIELD_REQ_HEADER:
		if (x->headers_n < LIVE_LOG_FIELDS)
			l->header[x->headers_n++] =
			    (struct live_header){ vary_span_str(name), v };
		break;
	case LIVE_FIELD_RESP_HEADER:
		live_log_resp_header(x, vary_span_str(name), v);
		break;
	case LIVE_FIELD_SKIP:
	default: break;
	}
	return (true);
}

bool
live_log_read(struct live_log_line *l, const struct live_log_format *f,
    const char *b, size_t len, struct live_lifetime fallback)
{
	struct live_log_facts x;
	const char *p = b, *e;
	unsigned i;

	assert(l != NULL && f != NULL && (b != NULL || len == 0));
	memset(&x, 0, sizeof x);
	l->text_n = 0;
	while (len > 0 && (b[len - 1] == '\n' || b[len - 1] == '\r'))
		len--;
	if (len == 0 || len >= LIVE_LOG_LINE / 2)
		return (false);
	if (f->json)
		return (live_log_json(l, b, len, &x) &&
			live_log_finish(l, &x, fallback));
	e = b + len;
	for (i = 0; i < f->n; i++) {
		struct vary_span v, kept;
		size_t lit = strlen(f->f[i].before);
		char end = f->f[i].end;

		if ((size_t)(e - p) < lit ||
		    memcmp(p, f->f[i].before, lit) != 0)
			return (false);
		p += lit;
		v.b = p;
		/* The date has blanks inside, and its brackets around. */
		if (f->f[i].field == LIVE_FIELD_TIME && p < e && *p == '[')
			end = ']';
		while (p < e && (end == '\0' || *p != end)) {
			/* Only in quotes is a backslash an escape. */
			if (end == '"' && *p == '\\' && p + 1 < e)
				p++;
			p++;
		}
		v.len = (size_t)(p - v.b);
		if (end == ']' && p < e)
			p++;
		if (end != '\0' && p == e && f->f[i].end != '\0')
			return (false);
		if (!live_log_keep(l, v.b, v.len, &kept))
			return (false);
		if (end == '"')
			unescape(&kept, (char *)(uintptr_t)kept.b);
		if (!take(l, &x, f->f[i].field, f->f[i].name, kept))
			return (false);
	}
	if ((size_t)(e - p) < strlen(f->after) ||
	    memcmp(p, f->after, strlen(f->after)) != 0)
		return (false);
	return (live_log_finish(l, &x, fallback));
}
