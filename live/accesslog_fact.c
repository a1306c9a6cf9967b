/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/accesslog_fact.h"

#include <string.h>
#include <strings.h>

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

int
live_log_hex(char c)
{
	if (c >= '0' && c <= '9')
		return (c - '0');
	c = (char)(c | 0x20);
	return (c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1);
}

bool
live_log_number(struct vary_span v, uint64_t *ret)
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
		    live_log_number(
			(struct vary_span){ d.b + 8, d.len - 8 }, &n)) {
			max_age = n;
			has_max = true;
		}
		if (d.len > 9 && strncasecmp(d.b, "s-maxage=", 9) == 0 &&
		    live_log_number(
			(struct vary_span){ d.b + 9, d.len - 9 }, &n)) {
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
	if (x->status.b != NULL && live_log_number(x->status, &n) && n < 1000)
		t->status = (unsigned)n;
	if (x->bytes.b != NULL && live_log_number(x->bytes, &n))
		t->bytes = n;
	if (x->age.b != NULL && live_log_number(x->age, &n) &&
	    n < UINT64_C(1) << 32)
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
