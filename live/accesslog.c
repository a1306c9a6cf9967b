/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/accesslog.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *name, *text;
} named[] = {
	{ "common", "%h %l %u %t \"%r\" %>s %b" },
	{ "combined",
	    "%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\"" },
	{ "varykit",
	    "%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\" "
	    "\"%{Host}i\" \"%{Accept}i\" \"%{Accept-Encoding}i\" "
	    "\"%{Accept-Language}i\" \"%{Cookie}i\" \"%{Origin}i\" "
	    "\"%{Vary}o\" \"%{Cache-Control}o\" %D" },
	{ "varykit-ncsa",
	    "%h %l %u %t \"%r\" %s %b \"%{Referer}i\" \"%{User-Agent}i\" "
	    "\"%{Host}i\" \"%{Accept}i\" \"%{Accept-Encoding}i\" "
	    "\"%{Accept-Language}i\" \"%{Cookie}i\" \"%{Origin}i\" "
	    "\"%{Vary}o\" \"%{Cache-Control}o\" %D \"%{Age}o\" "
	    "%{Varnish:handling}x" },
	{ NULL, NULL },
};

/* --- Formats -------------------------------------------------------------- */

static enum live_field
field_of(char letter, const char *name, size_t len)
{
#define NAMED(s) (len == sizeof s - 1 && memcmp(name, s, sizeof s - 1) == 0)
	switch (letter) {
	case 't':
		if (len == 0)
			return (LIVE_FIELD_TIME);
		if (NAMED("sec") || NAMED("begin:sec") || NAMED("%s"))
			return (LIVE_FIELD_SECONDS);
		return (LIVE_FIELD_SKIP);
	case 'r': return (LIVE_FIELD_REQUEST);
	case 'm': return (LIVE_FIELD_METHOD);
	case 'U': return (LIVE_FIELD_URL);
	case 'q': return (LIVE_FIELD_QUERY);
	case 'v':
	case 'V': return (LIVE_FIELD_HOST);
	case 's': return (LIVE_FIELD_STATUS);
	case 'b':
	case 'B':
	case 'O': return (LIVE_FIELD_BYTES);
	case 'D': return (LIVE_FIELD_MICROSECONDS);
	case 'i': return (LIVE_FIELD_REQ_HEADER);
	case 'o': return (LIVE_FIELD_RESP_HEADER);
	case 'x':
		if (NAMED("Varnish:handling") || NAMED("Varnish:hitmiss"))
			return (LIVE_FIELD_HANDLING);
		if (NAMED("VSL:Timestamp:Req[1]") ||
		    NAMED("VSL:Timestamp:Start[1]"))
			return (LIVE_FIELD_SECONDS);
		return (LIVE_FIELD_SKIP);
	default: return (LIVE_FIELD_SKIP);
	}
#undef NAMED
}

int
live_log_format_init(struct live_log_format *f, const char *text)
{
	bool url = false, when = false;
	char lit[32];
	size_t lit_n = 0, i;

	assert(f != NULL && text != NULL);
	memset(f, 0, sizeof *f);
	if (strcmp(text, "json") == 0) {
		f->json = true;
		return (0);
	}
	for (i = 0; named[i].name != NULL; i++)
		if (strcmp(named[i].name, text) == 0)
			text = named[i].text;
	for (; *text != '\0'; text++) {
		const char *name = "";
		size_t len = 0;

		if (*text != '%' || text[1] == '%') {
			if (*text == '%' || (*text == '\\' && text[1] != '\0'))
				text++;
			if (lit_n == sizeof lit)
				return (-EINVAL);
			lit[lit_n++] = *text;
			continue;
		}
		text++;
		/* Conditions, "first" and "last": "%!200,304{Vary}o", "%>s". */
		while (*text != '\0' && strchr("<>!,0123456789", *text) != NULL)
			text++;
		if (*text == '{') {
			const char *e = strchr(text, '}');

			if (e == NULL)
				return (-EINVAL);
			name = text + 1;
			len = (size_t)(e - name);
			text = e + 1;
		}
		/* Two fields with nothing between them cannot be told apart. */
		if (*text == '\0' || f->n == LIVE_LOG_FIELDS ||
		    len >= sizeof f->f[0].name || (f->n > 0 && lit_n == 0))
			return (-EINVAL);
		f->f[f->n].field = field_of(*text, name, len);
		memcpy(f->f[f->n].name, name, len);
		memcpy(f->f[f->n].before, lit, lit_n);
		if (f->n > 0)
			f->f[f->n - 1].end = lit[0];
		url = url || f->f[f->n].field == LIVE_FIELD_REQUEST ||
		      f->f[f->n].field == LIVE_FIELD_URL;
		when = when || f->f[f->n].field == LIVE_FIELD_TIME ||
		       f->f[f->n].field == LIVE_FIELD_SECONDS;
		f->n++;
		lit_n = 0;
		memset(lit, 0, sizeof lit);
	}
	if (f->n == 0 || !url || !when || lit_n == sizeof f->after)
		return (-EINVAL);
	memcpy(f->after, lit, lit_n);
	if (lit_n > 0)
		f->f[f->n - 1].end = lit[0];
	return (0);
}

/* --- Lines ---------------------------------------------------------------- */

bool
live_log_keep(
    struct live_log_line *l, const char *b, size_t len, struct vary_span *ret)
{
	if (len > sizeof l->text - l->text_n)
		return (false);
	if (len > 0)
		memcpy(l->text + l->text_n, b, len);
	*ret = (struct vary_span){ l->text + l->text_n, len };
	l->text_n += len;
	return (true);
}

static int
hex(char c)
{
	if (c >= '0' && c <= '9')
		return (c - '0');
	c = (char)(c | 0x20);
	return (c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1);
}

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
			    hex(v->b[i + 1]) >= 0 && hex(v->b[i + 2]) >= 0) {
				c = (char)(hex(v->b[i + 1]) * 16 +
					   hex(v->b[i + 2]));
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

static bool
digits(struct vary_span v, uint64_t *ret)
{
	uint64_t n = 0;
	size_t i;

	if (v.len == 0 || v.len > 18)
		return (false);
	for (i = 0; i < v.len; i++) {
		if (v.b[i] < '0' || v.b[i] > '9')
			return (false);
		n = n * 10 + (uint64_t)(v.b[i] - '0');
	}
	*ret = n;
	return (true);
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
#define PART(at, n, to) digits((struct vary_span){ v.b + (at), n }, to)
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
	if (!digits(whole, &s) || s > UINT64_C(1) << 40)
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
word(struct vary_span v, const char *s)
{
	return (v.len == strlen(s) && strncasecmp(v.b, s, v.len) == 0);
}

void
live_log_resp_header(
    struct live_log_facts *x, struct vary_span name, struct vary_span value)
{
	if (word(name, "Vary"))
		x->vary = value;
	else if (word(name, "Cache-Control"))
		x->cache_control = value;
	else if (word(name, "Age"))
		x->age = value;
}

static enum live_handling
handling(struct vary_span v)
{
	static const char *const w[LIVE_HANDLING__MAX] = { "unknown", "hit",
		"miss", "hitmiss", "hitpass", "pass", "pipe", "synth" };
	unsigned i;

	for (i = 0; i < LIVE_HANDLING__MAX; i++)
		if (v.b != NULL && word(v, w[i]))
			return ((enum live_handling)i);
	return (LIVE_UNKNOWN);
}

/* s-maxage, else max-age, as Varnish reads them.  False: not to be stored. */
static bool
lifetime(struct vary_span v, double *ret)
{
	uint64_t n, max_age = 0, s_maxage = 0;
	bool has_max = false, has_s = false;

	while (v.len > 0) {
		const char *c = memchr(v.b, ',', v.len);
		struct vary_span d = { v.b,
			c != NULL ? (size_t)(c - v.b) : v.len };

		v.b += d.len + (c != NULL);
		v.len -= d.len + (c != NULL);
		while (d.len > 0 && (*d.b == ' ' || *d.b == '\t')) {
			d.b++;
			d.len--;
		}
		while (d.len > 0 && d.b[d.len - 1] == ' ')
			d.len--;
		if (word(d, "no-store") || word(d, "private") ||
		    word(d, "no-cache"))
			return (false);
		if (d.len > 8 && strncasecmp(d.b, "max-age=", 8) == 0 &&
		    digits((struct vary_span){ d.b + 8, d.len - 8 }, &n)) {
			max_age = n;
			has_max = true;
		}
		if (d.len > 9 && strncasecmp(d.b, "s-maxage=", 9) == 0 &&
		    digits((struct vary_span){ d.b + 9, d.len - 9 }, &n)) {
			s_maxage = n;
			has_s = true;
		}
	}
	if (has_s || has_max)
		*ret = (double)(has_s ? s_maxage : max_age);
	return (true);
}

bool
live_log_finish(struct live_log_line *l, const struct live_log_facts *x,
    struct live_lifetime fallback)
{
	struct live_transaction *t = &l->t;
	struct live_fetch *f = &l->fetch;
	const char *p, *s;
	uint64_t n;
	size_t i;

	memset(t, 0, sizeof *t);
	memset(f, 0, sizeof *f);
	t->start_us = x->us;
	t->end_us = x->us + x->took_us;
	t->method = x->method;
	t->url = x->url;
	t->host = x->host;
	t->age = -1;
	t->left = (struct live_lifetime){ -1, -1, -1 };
	t->headers = l->header;
	t->headers_n = x->headers_n;
	for (i = 0; i < t->headers_n && t->host.b == NULL; i++)
		if (word(l->header[i].name, "Host"))
			t->host = l->header[i].value;
	/* An absolute URL brings its host. */
	p = t->url.len > 8 ? memchr(t->url.b, ':', 6) : NULL;
	if (p != NULL && t->url.b + t->url.len - p > 3 && p[1] == '/' &&
	    p[2] == '/') {
		p += 3;
		s = memchr(p, '/', (size_t)(t->url.b + t->url.len - p));
		if (s == NULL)
			s = t->url.b + t->url.len;
		if (t->host.b == NULL)
			t->host = (struct vary_span){ p, (size_t)(s - p) };
		t->url.len -= (size_t)(s - t->url.b);
		t->url.b = s;
	}
	if (x->query.len > 0) {
		struct vary_span u, q;

		/* Apache's %q brings its question mark. */
		if (!live_log_keep(l, t->url.b, t->url.len, &u) ||
		    !live_log_keep(l, x->query.b, x->query.len, &q))
			return (false);
		t->url = (struct vary_span){ u.b, u.len + q.len };
	}
	if (t->url.len == 0 || t->start_us <= 0)
		return (false);
	if (x->status.b != NULL && digits(x->status, &n) && n < 1000)
		t->status = (unsigned)n;
	if (x->bytes.b != NULL && digits(x->bytes, &n))
		t->bytes = n;
	if (x->age.b != NULL && digits(x->age, &n) && n < UINT64_C(1) << 32)
		t->age = (int64_t)n;
	t->handling = handling(x->handling);
	t->has_vary = x->vary.b != NULL;
	t->vary = x->vary;
	if (t->handling == LIVE_HIT) {
		t->looked_up = true;
		return (true);
	}
	if (t->handling == LIVE_SYNTH || t->handling == LIVE_PIPE)
		return (true);
	t->looked_up = t->handling != LIVE_PASS &&
		       (t->method.b == NULL || word(t->method, "GET") ||
			   word(t->method, "HEAD"));
	f->start_us = t->start_us;
	f->end_us = t->end_us;
	f->status = t->status;
	f->bytes = t->bytes;
	f->declared = f->stored = x->vary;
	f->has_declared = f->has_stored = x->vary.b != NULL;
	f->life = fallback;
	if (x->cache_control.b != NULL &&
	    !lifetime(x->cache_control, &f->life.ttl))
		f->uncacheable = true;
	/* What Varnish stores without being told (RFC 9110 section 15.1). */
	switch (t->status) {
	case 200:
	case 203:
	case 204:
	case 300:
	case 301:
	case 304:
	case 404:
	case 410:
	case 414: break;
	default: f->uncacheable = true; break;
	}
	if (f->uncacheable)
		f->life.ttl = -1;
	t->fetch = f;
	return (true);
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
		if (digits(v, &n) && n < UINT64_C(1) << 40)
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
