/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a record says about the request or fetch that it belongs to.
 */
#include "live/open.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

/* Numbers as Varnish writes them: digits, one point, a sign at most. */
static const char *
decimal(const char *p, const char *e, double *ret)
{
	double v = 0, scale = 1;
	bool neg = false;
	const char *b;

	while (p < e && *p == ' ')
		p++;
	if (p < e && *p == '-') {
		neg = true;
		p++;
	}
	for (b = p; p < e && *p >= '0' && *p <= '9'; p++)
		v = v * 10 + (*p - '0');
	if (p == b)
		return (NULL);
	if (p < e && *p == '.')
		for (p++; p < e && *p >= '0' && *p <= '9'; p++) {
			scale /= 10;
			v += (*p - '0') * scale;
		}
	*ret = neg ? -v : v;
	return (p);
}

/* Seconds since 1970 with six places, as microseconds and without rounding. */
static bool
moment(const char *p, const char *e, int64_t *ret)
{
	int64_t v = 0;
	int places = 0;
	const char *b;

	while (p < e && *p == ' ')
		p++;
	for (b = p; p < e && *p >= '0' && *p <= '9' && p - b < 12; p++)
		v = v * 10 + (*p - '0');
	if (p == b)
		return (false);
	if (p < e && *p == '.')
		for (p++; p < e && *p >= '0' && *p <= '9' && places < 6;
		     p++, places++)
			v = v * 10 + (*p - '0');
	for (; places < 6; places++)
		v *= 10;
	*ret = v;
	return (true);
}

/* "Vary: value" in any case: the value. */
static bool
is_vary(const struct live_record *r, struct vary_span *ret)
{
	if (r->len < 5 || r->b[4] != ':' || strncasecmp(r->b, "Vary", 4) != 0)
		return (false);
	*ret = vary_span_trim(r->b + 5, r->b + r->len);
	return (true);
}

static void
take_timestamp(struct live_open *o, const struct live_record *r)
{
	const char *p = memchr(r->b, ':', r->len), *e = r->b + r->len;
	struct live_stamp s;

	if (p == NULL)
		return;
	for (p++; p < e && *p == ' '; p++)
		continue;
	if (p == e || *p < '0' || *p > '9')
		return;
	/* A constant size is a move or two; the rest of it is not looked at. */
	s.n = sizeof s.b;
	if ((size_t)(e - p) >= sizeof s.b)
		memcpy(s.b, p, sizeof s.b);
	else
		memcpy(s.b, p, s.n = (unsigned char)(e - p));
	o->last = s;
	if (live_record_starts(r, "Start:") ||
	    (o->kind == LIVE_OPEN_REQ && live_record_starts(r, "Req:")))
		o->first = s;
	if (o->kind == LIVE_OPEN_BEREQ && live_record_starts(r, "Beresp:") &&
	    moment(s.b, s.b + s.n, &o->f.response_us))
		o->f.origin_us = o->f.response_us;
}

void
live_open_times(struct live_open *o)
{
	bool req = o->kind == LIVE_OPEN_REQ;

	(void)moment(o->first.b, o->first.b + o->first.n,
	    req ? &o->t.start_us : &o->f.start_us);
	(void)moment(o->last.b, o->last.b + o->last.n,
	    req ? &o->t.end_us : &o->f.end_us);
}

/* "bereq 1002 fetch" in a request, "bereq 1003 retry" in a fetch. */
static void
take_link(struct live_open *o, const struct live_record *r)
{
	const char *p, *e = r->b + r->len;
	uint64_t vxid;

	if (!live_record_starts(r, "bereq "))
		return;
	p = live_record_integer(r->b + 6, e, &vxid);
	if (p == NULL)
		return;
	if (o->kind == LIVE_OPEN_BEREQ) {
		o->retried = true;
		o->links_n = 0;
	}
	/* Once is enough: a fetch is waited for once, and given out once. */
	if (o->links_n < LIVE_OPEN_LINKS &&
	    !live_open_linked(o, o->links_n, vxid)) {
		o->links[o->links_n].vxid = vxid;
		o->links[o->links_n].background =
		    e - p == 8 && memcmp(p, " bgfetch", 8) == 0;
		o->links_n++;
	}
}

static void
take_call(struct live_open *o, const struct live_record *r)
{
	if (o->kind == LIVE_OPEN_BEREQ) {
		if (live_record_starts(r, "BACKEND_RESPONSE"))
			o->past_origin = true;
		else if (live_record_is(r, "BACKEND_ERROR"))
			o->f.failed = o->past_origin = true;
		return;
	}
	if (live_record_is(r, "MISS")) {
		if (o->t.handling != LIVE_HITMISS)
			o->t.handling = LIVE_MISS;
	} else if (live_record_is(r, "HIT"))
		o->t.handling = LIVE_HIT;
	else if (live_record_is(r, "PASS")) {
		if (o->t.handling != LIVE_HITPASS)
			o->t.handling = LIVE_PASS;
	} else if (live_record_is(r, "PIPE"))
		o->t.handling = LIVE_PIPE;
	else if (live_record_is(r, "SYNTH")) {
		if (o->t.handling == LIVE_UNKNOWN)
			o->t.handling = LIVE_SYNTH;
		o->delivered = true;
	} else if (live_record_is(r, "PURGE"))
		o->t.purges = true;
	else if (live_record_is(r, "DELIVER"))
		o->delivered = true;
}

static void
freeze(struct live_open *o)
{
	size_t i;

	o->frozen = true;
	for (i = 0; i < o->lines_n; i++) {
		const struct live_open_line *l = &o->lines[i];
		const char *b = o->text + l->off;

		if (l->name_len == 4 && strncasecmp(b, "Host", 4) == 0) {
			struct vary_span v = vary_span_trim(b + 5, b + l->len);

			o->host =
			    (struct live_piece){ (uint32_t)(v.b - o->text),
				    (uint32_t)v.len };
			break;
		}
	}
}

/* "RFC 100 10 0 1796175655 ... cacheable", "VCL 120 0 60 ... uncacheable". */
static void
take_ttl(struct live_open *o, const struct live_record *r)
{
	const char *p, *e = r->b + r->len;
	struct live_lifetime l = o->f.life;
	uint64_t origin;

	o->f.hit_for_pass = live_record_starts(r, "HFP ");
	if (r->len < 4)
		return;
	p = decimal(r->b + 4, e, &l.ttl);
	if (p != NULL)
		p = decimal(p, e, &l.grace);
	if (p != NULL)
		p = decimal(p, e, &l.keep);
	if (p == NULL)
		return;
	o->f.life = l;
	/*
	 * Whole seconds: told only where an upstream cache's Age makes a
	 * difference that is more than rounding.
	 */
	if (live_record_integer(p, e, &origin) != NULL &&
	    origin < UINT64_C(1) << 40 &&
	    (int64_t)origin * 1000000 < o->f.response_us - 1500000)
		o->f.origin_us = (int64_t)origin * 1000000;
	if (r->len >= 12 && memcmp(e - 12, " uncacheable", 12) == 0)
		o->f.uncacheable = true;
	else if (r->len >= 10 && memcmp(e - 10, " cacheable", 10) == 0)
		o->f.uncacheable = false;
}

static void
take_status(struct live_open *o, const struct live_record *r)
{
	uint64_t v;

	if (live_record_integer(r->b, r->b + r->len, &v) == NULL || v > 999)
		return;
	if (o->kind == LIVE_OPEN_REQ) {
		o->t.status = (unsigned)v;
		return;
	}
	/*
	 * A 304 is logged, and then, with a status of its own, the response
	 * that it was merged into: what stands before is the 304's.
	 */
	if (o->has_status && o->f.status == 304) {
		o->f.revalidated = true;
		o->f.revalidated_vary = o->has_declared;
	}
	o->has_status = true;
	o->f.status = (unsigned)v;
}

static int
take_response_line(struct live_open *o, const struct live_record *r)
{
	struct vary_span v;
	uint64_t age;
	int e = 0;

	if (o->kind == LIVE_OPEN_REQ && !o->delivered && r->len < 16 &&
	    live_record_starts(r, "Age: ") &&
	    live_record_integer(r->b + 5, r->b + r->len, &age) != NULL)
		o->t.age = (int64_t)age;
	if (!is_vary(r, &v))
		return (0);
	if (o->kind == LIVE_OPEN_REQ) {
		if (!o->delivered)
			e = live_open_join(o, &o->vary, &o->has_vary, v);
		return (e);
	}
	if (!o->past_origin)
		e = live_open_join(o, &o->declared, &o->has_declared, v);
	return (e < 0 ? e : live_open_join(o, &o->stored, &o->has_stored, v));
}

static void
take_response_unset(struct live_open *o, const struct live_record *r)
{
	struct vary_span v;

	/* The core joins lines before VCL: one unset takes the lot. */
	if (o->kind == LIVE_OPEN_BEREQ && is_vary(r, &v))
		o->has_stored = false;
	if (o->kind == LIVE_OPEN_REQ && !o->delivered && is_vary(r, &v))
		o->has_vary = false;
}

static void
take_hit(struct live_open *o, const struct live_record *r)
{
	const char *e = r->b + r->len, *p;
	struct live_lifetime l = { -1, -1, -1 };
	uint64_t vxid;

	p = live_record_integer(r->b, e, &vxid);
	if (p != NULL)
		p = decimal(p, e, &l.ttl);
	if (p != NULL)
		p = decimal(p, e, &l.grace);
	if (p != NULL)
		(void)decimal(p, e, &l.keep);
	o->t.left = l;
}

static void
take_notice(struct live_open *o, const struct live_record *r)
{
	static const char text[] = "vsl: High number of variants (";
	uint64_t n;

	if (o->kind == LIVE_OPEN_REQ && live_record_starts(r, text) &&
	    live_record_integer(r->b + sizeof text - 1, r->b + r->len, &n) !=
		NULL)
		o->t.variants = n > UINT32_MAX ? UINT32_MAX : (unsigned)n;
}

/* ReqAcct: header, body, total received; header, body, total sent. */
static void
take_acct(struct live_open *o, const struct live_record *r)
{
	const char *p = r->b, *e = r->b + r->len;
	uint64_t v = 0;
	int i;

	for (i = 0; i < 5 && p != NULL; i++)
		p = live_record_integer(p, e, &v);
	if (p != NULL)
		o->t.bytes = v;
}

static uint64_t
fnv(uint64_t h, const char *b, size_t len)
{
	size_t i;

	if (h == 0)
		h = UINT64_C(0xcbf29ce484222325);
	for (i = 0; i < len; i++)
		h = (h ^ (unsigned char)b[i]) * UINT64_C(0x100000001b3);
	return (h);
}

/* A backend's name is the second word: "24 default 127.0.0.1 80 ...". */
static int
take_backend(struct live_open *o, const struct live_record *r)
{
	const char *e = r->b + r->len, *p, *q;

	p = r->len > 0 ? memchr(r->b, ' ', r->len) : NULL;
	if (p == NULL)
		return (0);
	p++;
	q = memchr(p, ' ', (size_t)(e - p));
	if (q == NULL)
		q = e;
	return (live_open_keep(o, p, (size_t)(q - p), &o->backend));
}

int
live_open_take(struct live_open *o, const struct live_record *r)
{
	struct live_piece p = { 0, 0 };
	int e = 0;

	switch (r->tag) {
	case LIVE_TAG_LINK: take_link(o, r); break;
	case LIVE_TAG_TIMESTAMP: take_timestamp(o, r); break;
	case LIVE_TAG_METHOD:
		if (!o->frozen &&
		    (e = live_open_keep(o, r->b, r->len, &p)) == 0)
			o->method = p;
		break;
	case LIVE_TAG_URL:
		if (!o->frozen &&
		    (e = live_open_keep(o, r->b, r->len, &p)) == 0)
			o->url = p;
		break;
	case LIVE_TAG_REQ_HEADER:
		if (!o->frozen)
			e = live_open_add_line(o, r);
		break;
	case LIVE_TAG_REQ_UNSET:
		if (!o->frozen)
			live_open_unset_line(o, r);
		break;
	case LIVE_TAG_STATUS: take_status(o, r); break;
	case LIVE_TAG_RESP_HEADER: e = take_response_line(o, r); break;
	case LIVE_TAG_RESP_UNSET: take_response_unset(o, r); break;
	case LIVE_TAG_VCL_CALL: take_call(o, r); break;
	case LIVE_TAG_VCL_RETURN:
		if (o->kind == LIVE_OPEN_REQ && !o->frozen &&
		    live_record_is(r, "lookup")) {
			freeze(o);
		}
		if (o->kind == LIVE_OPEN_REQ && live_record_is(r, "restart"))
			o->t.restarts = true;
		/* VCL threw it away, whatever it has said of its ttl. */
		if (o->kind == LIVE_OPEN_BEREQ && live_record_is(r, "abandon"))
			o->f.failed = true;
		break;
	case LIVE_TAG_HIT:
		if (o->kind == LIVE_OPEN_REQ)
			take_hit(o, r);
		break;
	case LIVE_TAG_HITMISS:
		if (o->kind == LIVE_OPEN_REQ)
			o->t.handling = LIVE_HITMISS;
		break;
	case LIVE_TAG_HITPASS:
		if (o->kind == LIVE_OPEN_REQ)
			o->t.handling = LIVE_HITPASS;
		break;
	case LIVE_TAG_TTL: take_ttl(o, r); break;
	case LIVE_TAG_LENGTH:
		(void)live_record_integer(r->b, r->b + r->len, &o->f.bytes);
		break;
	case LIVE_TAG_BACKEND:
		if (o->kind == LIVE_OPEN_BEREQ)
			e = take_backend(o, r);
		break;
	case LIVE_TAG_ERROR:
		if (live_record_starts(r, "Illegal 'Vary' header"))
			o->f.malformed = o->f.uncacheable = true;
		break;
	case LIVE_TAG_FETCH_ERROR: o->f.failed = true; break;
	case LIVE_TAG_NOTICE: take_notice(o, r); break;
	case LIVE_TAG_HASH: o->t.hash = fnv(o->t.hash, r->b, r->len); break;
	case LIVE_TAG_ACCT: take_acct(o, r); break;
	case LIVE_TAG_BEGIN:
	case LIVE_TAG_END:
	case LIVE_TAG_OTHER:
	case LIVE_TAG__MAX: break;
	}
	return (e);
}
