/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/assembly.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/*
 * What one request may make us keep.  Varnish's own limits are below these
 * (http_max_hdr 64, workspaces of 96k); they bound what a log can do to us.
 */
enum {
	LINES_MAX = 256,
	TEXT_MAX = 256 * 1024,
	LINKS_MAX = 8,
	TEXT_FIRST = 2048
};

/* A piece of text; an offset, for the text moves as it grows. */
struct piece {
	uint32_t off, len;
};

struct line {
	uint32_t off;
	uint32_t name_len, len; /* of the name; of all of it */
};

enum kind {
	KIND_REQ,
	KIND_BEREQ
};

struct open {
	uint64_t vxid;
	struct open *hash_next;     /* in the bucket */
	struct open *older, *newer; /* in the order of Begin */
	uint64_t parent;            /* the request that waits for us, or 0 */
	enum kind kind;
	bool ended, frozen, delivered, past_origin, has_status;
	bool retried;
	bool has[3]; /* has_declared, has_stored, has_vary */
	unsigned links_n, waits;
	struct {
		uint64_t vxid;
		bool background;
	} links[LINKS_MAX];
	struct live_transaction t;
	struct live_fetch f;
	struct piece method, host, url, backend, declared, stored, vary;
	struct line lines[LINES_MAX];
	size_t lines_n;
	char *text;
	size_t text_n, text_cap;
};

struct live_assembly {
	live_transaction_f *func;
	void *priv;
	size_t limit;
	struct open **bucket;
	size_t mask;
	struct open *oldest, *newest;
	struct open *spare;
	struct open *last; /* records come in runs of one transaction */
	struct live_header req[LINES_MAX], bereq[LINES_MAX];
	struct live_assembly_count count;
};

int
live_assembly_open(struct live_assembly **ret, size_t limit,
    live_transaction_f *func, void *priv)
{
	struct live_assembly *a;
	size_t n = 64;

	assert(ret != NULL && func != NULL && limit > 0);
	a = calloc(1, sizeof *a);
	if (a == NULL)
		return (-ENOMEM);
	while (n < 2 * limit && n < (SIZE_MAX / sizeof(void *)) / 4)
		n *= 2;
	a->bucket = calloc(n, sizeof(struct open *));
	if (a->bucket == NULL) {
		free(a);
		return (-ENOMEM);
	}
	a->mask = n - 1;
	a->limit = limit;
	a->func = func;
	a->priv = priv;
	*ret = a;
	return (0);
}

static struct open **
slot(struct live_assembly *a, uint64_t vxid)
{
	return (
	    &a->bucket[(vxid * UINT64_C(0x9e3779b97f4a7c15) >> 32) & a->mask]);
}

static struct open *
find(struct live_assembly *a, uint64_t vxid)
{
	struct open *o;

	if (a->last != NULL && a->last->vxid == vxid)
		return (a->last);
	for (o = *slot(a, vxid); o != NULL; o = o->hash_next) {
		if (o->vxid == vxid) {
			a->last = o;
			return (o);
		}
	}
	return (NULL);
}

static struct open *
begin(struct live_assembly *a, uint64_t vxid, enum kind kind)
{
	struct open **s, *o = a->spare;

	if (o != NULL) {
		char *text = o->text;
		size_t cap = o->text_cap;

		a->spare = o->hash_next;
		/* The lines need no clearing: lines_n says how many there are. */
		memset(o, 0, offsetof(struct open, lines));
		o->lines_n = o->text_n = 0;
		o->text = text;
		o->text_cap = cap;
	} else {
		o = calloc(1, sizeof *o);
		if (o == NULL)
			return (NULL);
		o->text = malloc(TEXT_FIRST);
		if (o->text == NULL) {
			free(o);
			return (NULL);
		}
		o->text_cap = TEXT_FIRST;
	}
	o->vxid = vxid;
	o->kind = kind;
	o->t.age = -1;
	o->t.left = o->f.life = (struct live_lifetime){ -1, -1, -1 };
	s = slot(a, vxid);
	o->hash_next = *s;
	*s = o;
	o->older = a->newest;
	if (a->newest != NULL)
		a->newest->newer = o;
	else
		a->oldest = o;
	a->newest = o;
	a->count.open++;
	a->last = o;
	return (o);
}

static void
drop(struct live_assembly *a, struct open *o)
{
	struct open **s;

	for (s = slot(a, o->vxid); *s != o; s = &(*s)->hash_next)
		assert(*s != NULL);
	*s = o->hash_next;
	if (o->older != NULL)
		o->older->newer = o->newer;
	else
		a->oldest = o->newer;
	if (o->newer != NULL)
		o->newer->older = o->older;
	else
		a->newest = o->older;
	if (a->last == o)
		a->last = NULL;
	a->count.open--;
	o->hash_next = a->spare;
	a->spare = o;
}

/* Text beyond the limit is left out, not cut: a cut value is another value. */
static int
keep(struct open *o, const char *b, size_t len, struct piece *ret)
{
	if (len > TEXT_MAX - o->text_n)
		return (0);
	if (o->text_n + len > o->text_cap) {
		size_t cap = o->text_cap;
		char *p;

		while (cap < o->text_n + len)
			cap *= 2;
		p = realloc(o->text, cap);
		if (p == NULL)
			return (-ENOMEM);
		o->text = p;
		o->text_cap = cap;
	}
	if (len > 0)
		memcpy(o->text + o->text_n, b, len);
	*ret = (struct piece){ (uint32_t)o->text_n, (uint32_t)len };
	o->text_n += len;
	return (0);
}

static struct vary_span
span(const struct open *o, struct piece p)
{
	return ((struct vary_span){ o->text + p.off, p.len });
}

/* The length of the name in "Name: value"; 0: this is no header line. */
static size_t
name_len(const char *b, size_t len)
{
	const char *c = len > 0 ? memchr(b, ':', len) : NULL;

	return (c != NULL ? (size_t)(c - b) : 0);
}

static int
add_line(struct open *o, const struct live_record *r)
{
	struct piece p = { 0, 0 };
	size_t n = name_len(r->b, r->len);
	int e;

	if (n == 0 || o->lines_n == LINES_MAX)
		return (0);
	e = keep(o, r->b, r->len, &p);
	if (e == 0 && p.len > 0)
		o->lines[o->lines_n++] =
		    (struct line){ p.off, (uint32_t)n, p.len };
	return (e);
}

static void
unset_line(struct open *o, const struct live_record *r)
{
	size_t i;

	/* The log has the line that went, whole; so one of several is found. */
	for (i = 0; i < o->lines_n; i++) {
		const struct line *l = &o->lines[i];

		if (l->len == r->len &&
		    memcmp(o->text + l->off, r->b, r->len) == 0)
			break;
	}
	if (i == o->lines_n)
		return;
	o->lines_n--;
	memmove(&o->lines[i], &o->lines[i + 1],
	    (o->lines_n - i) * sizeof o->lines[0]);
}

static struct vary_span
trim(const char *b, size_t len)
{
	while (len > 0 && (*b == ' ' || *b == '\t')) {
		b++;
		len--;
	}
	while (len > 0 && (b[len - 1] == ' ' || b[len - 1] == '\t'))
		len--;
	return ((struct vary_span){ b, len });
}

static size_t
headers(const struct open *o, struct live_header *h)
{
	size_t i;

	for (i = 0; i < o->lines_n; i++) {
		const struct line *l = &o->lines[i];
		const char *b = o->text + l->off;

		h[i].name = (struct vary_span){ b, l->name_len };
		h[i].value =
		    trim(b + l->name_len + 1, l->len - l->name_len - 1);
	}
	return (o->lines_n);
}

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

static const char *
integer(const char *p, const char *e, uint64_t *ret)
{
	const char *b;
	uint64_t v = 0;

	while (p < e && *p == ' ')
		p++;
	for (b = p; p < e && *p >= '0' && *p <= '9'; p++)
		v = v * 10 + (uint64_t)(*p - '0');
	if (p == b)
		return (NULL);
	*ret = v;
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

static bool
starts(const struct live_record *r, const char *s, size_t n)
{
	return (r->len >= n && memcmp(r->b, s, n) == 0);
}
#define STARTS(r, s) starts(r, s, sizeof s - 1)
#define IS(r, s)     ((r)->len == sizeof s - 1 && STARTS(r, s))

/* "Vary: value" in any case: the value, else NULL. */
static bool
is_vary(const struct live_record *r, struct vary_span *ret)
{
	if (r->len < 5 || r->b[4] != ':' || strncasecmp(r->b, "Vary", 4) != 0)
		return (false);
	*ret = trim(r->b + 5, r->len - 5);
	return (true);
}

/* Join another line to a value, as RFC 9110 section 5.3 has it. */
static int
join(struct open *o, struct piece *p, bool *has, struct vary_span v)
{
	struct piece out = *p;
	int e;

	if (!*has)
		e = keep(o, v.b, v.len, &out);
	else {
		char *b = malloc(p->len + 2 + v.len);

		if (b == NULL)
			return (-ENOMEM);
		memcpy(b, o->text + p->off, p->len);
		memcpy(b + p->len, ", ", 2);
		if (v.len > 0)
			memcpy(b + p->len + 2, v.b, v.len);
		e = keep(o, b, p->len + 2 + v.len, &out);
		free(b);
	}
	if (e == 0) {
		*p = out;
		*has = true;
	}
	return (e);
}

/* Is the number among the first n links? */
static bool
linked(const struct open *o, unsigned n, uint64_t vxid)
{
	unsigned i;

	for (i = 0; i < n; i++)
		if (o->links[i].vxid == vxid)
			return (true);
	return (false);
}

/*
 * The request that waits for a fetch, or NULL.  By number: it may have been
 * given out long since, and its place be that of another.
 */
static struct open *
waiting_for(struct live_assembly *a, const struct open *b)
{
	struct open *p = b->parent != 0 ? find(a, b->parent) : NULL;

	return (p != NULL && p->kind == KIND_REQ && p->waits > 0 ? p : NULL);
}

static void
emit(struct live_assembly *a, struct open *o)
{
	struct live_transaction *t = &o->t;
	struct open *w = NULL;
	struct live_fetch f;
	unsigned i;

	/* Of several fetches the last is what the client got. */
	for (i = 0; i < o->links_n; i++) {
		struct open *b = find(a, o->links[i].vxid);

		if (b == NULL || b->kind != KIND_BEREQ)
			continue;
		b->parent = 0;
		if (b->ended && b != w) {
			if (w != NULL)
				drop(a, w);
			w = b;
			w->f.background = o->links[i].background;
		}
	}
	t->fetch = NULL;
	if (w != NULL) {
		f = w->f;
		f.headers_n = headers(w, a->bereq);
		f.headers = a->bereq;
		f.backend = span(w, w->backend);
		f.declared = span(w, w->declared);
		f.stored = span(w, w->stored);
		f.has_declared = w->has[0];
		f.has_stored = w->has[1];
		t->fetch = &f;
	}
	t->headers_n = headers(o, a->req);
	t->headers = a->req;
	t->method = span(o, o->method);
	t->host = span(o, o->host);
	t->url = span(o, o->url);
	t->vary = span(o, o->vary);
	t->has_vary = o->has[2];
	t->looked_up =
	    o->frozen && t->handling >= LIVE_HIT && t->handling <= LIVE_HITPASS;
	a->count.transactions++;
	if (t->incomplete)
		a->count.incomplete++;
	a->func(a->priv, t);
	t->fetch = NULL;
	if (w != NULL)
		drop(a, w);
	drop(a, o);
}

/* The oldest goes, whatever it waits for. */
static void
force(struct live_assembly *a)
{
	struct open *o = a->oldest;

	if (o->kind == KIND_REQ) {
		o->t.incomplete = !o->ended || o->waits > 0;
		emit(a, o);
	} else {
		struct open *p = waiting_for(a, o);

		/* Its request waits for nothing any more. */
		if (p != NULL && --p->waits == 0) {
			p->t.incomplete = true;
			o->ended = true;
			emit(a, p);
		} else {
			a->count.orphans++;
			drop(a, o);
		}
	}
}

/* "req 1000 rxreq": what was begun, by whom, why. */
static int
take_begin(struct live_assembly *a, const struct live_record *r)
{
	enum kind kind;
	struct open *o;

	if (STARTS(r, "req "))
		kind = KIND_REQ;
	else if (STARTS(r, "bereq "))
		kind = KIND_BEREQ;
	else
		return (0);
	o = find(a, r->vxid);
	if (o != NULL) {
		/* A number begun twice: the log lost the end of the first. */
		if (o->kind == KIND_REQ) {
			o->t.incomplete = true;
			emit(a, o);
		} else
			drop(a, o);
	}
	while (a->count.open >= a->limit)
		force(a);
	o = begin(a, r->vxid, kind);
	if (o == NULL)
		return (-ENOMEM);
	if (kind == KIND_REQ && r->len > 8 &&
	    memcmp(r->b + r->len - 8, " restart", 8) == 0)
		o->t.restarted = true;
	return (0);
}

/* "bereq 1002 fetch" in a request, "bereq 1003 retry" in a fetch. */
static void
take_link(struct open *o, const struct live_record *r)
{
	const char *p, *e = r->b + r->len;
	uint64_t vxid;

	if (!STARTS(r, "bereq "))
		return;
	p = integer(r->b + 6, e, &vxid);
	if (p == NULL)
		return;
	if (o->kind == KIND_BEREQ) {
		o->retried = true;
		o->links_n = 0;
	}
	/* Once is enough: a fetch is waited for once, and given out once. */
	if (o->links_n < LINKS_MAX && !linked(o, o->links_n, vxid)) {
		o->links[o->links_n].vxid = vxid;
		o->links[o->links_n].background =
		    e - p == 8 && memcmp(p, " bgfetch", 8) == 0;
		o->links_n++;
	}
}

static void
take_timestamp(struct open *o, const struct live_record *r)
{
	const char *c = memchr(r->b, ':', r->len), *e = r->b + r->len;
	int64_t us;

	if (c == NULL || !moment(c + 1, e, &us))
		return;
	if (o->kind == KIND_REQ) {
		if (STARTS(r, "Start:") || STARTS(r, "Req:"))
			o->t.start_us = us;
		o->t.end_us = us;
	} else {
		if (STARTS(r, "Start:"))
			o->f.start_us = us;
		if (STARTS(r, "Beresp:"))
			o->f.response_us = o->f.origin_us = us;
		o->f.end_us = us;
	}
}

static void
take_call(struct open *o, const struct live_record *r)
{
	if (o->kind == KIND_BEREQ) {
		if (STARTS(r, "BACKEND_RESPONSE"))
			o->past_origin = true;
		else if (IS(r, "BACKEND_ERROR"))
			o->f.failed = o->past_origin = true;
		return;
	}
	if (IS(r, "MISS")) {
		if (o->t.handling != LIVE_HITMISS)
			o->t.handling = LIVE_MISS;
	} else if (IS(r, "HIT"))
		o->t.handling = LIVE_HIT;
	else if (IS(r, "PASS")) {
		if (o->t.handling != LIVE_HITPASS)
			o->t.handling = LIVE_PASS;
	} else if (IS(r, "PIPE"))
		o->t.handling = LIVE_PIPE;
	else if (IS(r, "SYNTH")) {
		if (o->t.handling == LIVE_UNKNOWN)
			o->t.handling = LIVE_SYNTH;
		o->delivered = true;
	} else if (IS(r, "DELIVER"))
		o->delivered = true;
}

static void
freeze(struct open *o)
{
	size_t i;

	o->frozen = true;
	for (i = 0; i < o->lines_n; i++) {
		const struct line *l = &o->lines[i];
		const char *b = o->text + l->off;

		if (l->name_len == 4 && strncasecmp(b, "Host", 4) == 0) {
			struct vary_span v = trim(b + 5, l->len - 5);

			o->host = (struct piece){ (uint32_t)(v.b - o->text),
				(uint32_t)v.len };
			break;
		}
	}
}

/* "RFC 100 10 0 1796175655 ... cacheable", "VCL 120 0 60 ... uncacheable". */
static void
take_ttl(struct open *o, const struct live_record *r)
{
	const char *p, *e = r->b + r->len;
	struct live_lifetime l = o->f.life;
	uint64_t origin;

	o->f.hit_for_pass = STARTS(r, "HFP ");
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
	if (integer(p, e, &origin) != NULL && origin < UINT64_C(1) << 40 &&
	    (int64_t)origin * 1000000 < o->f.response_us - 1500000)
		o->f.origin_us = (int64_t)origin * 1000000;
	if (r->len >= 12 && memcmp(e - 12, " uncacheable", 12) == 0)
		o->f.uncacheable = true;
	else if (r->len >= 10 && memcmp(e - 10, " cacheable", 10) == 0)
		o->f.uncacheable = false;
}

static void
take_status(struct open *o, const struct live_record *r)
{
	uint64_t v;

	if (integer(r->b, r->b + r->len, &v) == NULL || v > 999)
		return;
	if (o->kind == KIND_REQ) {
		o->t.status = (unsigned)v;
		return;
	}
	/*
	 * A 304 is logged, and then, with a status of its own, the response
	 * that it was merged into: what stands before is the 304's.
	 */
	if (o->has_status && o->f.status == 304) {
		o->f.revalidated = true;
		o->f.revalidated_vary = o->has[0];
	}
	o->has_status = true;
	o->f.status = (unsigned)v;
}

static int
take_response_line(struct open *o, const struct live_record *r)
{
	struct vary_span v;
	uint64_t age;
	int e = 0;

	if (o->kind == KIND_REQ && !o->delivered && r->len < 16 &&
	    STARTS(r, "Age: ") &&
	    integer(r->b + 5, r->b + r->len, &age) != NULL)
		o->t.age = (int64_t)age;
	if (!is_vary(r, &v))
		return (0);
	if (o->kind == KIND_REQ) {
		if (!o->delivered)
			e = join(o, &o->vary, &o->has[2], v);
		return (e);
	}
	if (!o->past_origin)
		e = join(o, &o->declared, &o->has[0], v);
	return (e < 0 ? e : join(o, &o->stored, &o->has[1], v));
}

static void
take_response_unset(struct open *o, const struct live_record *r)
{
	struct vary_span v;

	/* The core joins lines before VCL: one unset takes the lot. */
	if (o->kind == KIND_BEREQ && is_vary(r, &v))
		o->has[1] = false;
	if (o->kind == KIND_REQ && !o->delivered && is_vary(r, &v))
		o->has[2] = false;
}

static void
take_hit(struct open *o, const struct live_record *r)
{
	const char *e = r->b + r->len, *p;
	struct live_lifetime l = { -1, -1, -1 };
	uint64_t vxid;

	p = integer(r->b, e, &vxid);
	if (p != NULL)
		p = decimal(p, e, &l.ttl);
	if (p != NULL)
		p = decimal(p, e, &l.grace);
	if (p != NULL)
		(void)decimal(p, e, &l.keep);
	o->t.left = l;
}

static void
take_notice(struct open *o, const struct live_record *r)
{
	static const char text[] = "vsl: High number of variants (";
	uint64_t n;

	if (o->kind == KIND_REQ && STARTS(r, text) &&
	    integer(r->b + sizeof text - 1, r->b + r->len, &n) != NULL)
		o->t.variants = n > UINT32_MAX ? UINT32_MAX : (unsigned)n;
}

/* ReqAcct: header, body, total received; header, body, total sent. */
static void
take_acct(struct open *o, const struct live_record *r)
{
	const char *p = r->b, *e = r->b + r->len;
	uint64_t v = 0;
	int i;

	for (i = 0; i < 5 && p != NULL; i++)
		p = integer(p, e, &v);
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
take_backend(struct open *o, const struct live_record *r)
{
	const char *e = r->b + r->len, *p, *q;

	p = r->len > 0 ? memchr(r->b, ' ', r->len) : NULL;
	if (p == NULL)
		return (0);
	p++;
	q = memchr(p, ' ', (size_t)(e - p));
	if (q == NULL)
		q = e;
	return (keep(o, p, (size_t)(q - p), &o->backend));
}

/* A fetch is over: its request may have waited for that. */
static void
end_fetch(struct live_assembly *a, struct open *o)
{
	struct open *p = waiting_for(a, o), *n;
	uint64_t next;
	unsigned i;

	if (p == NULL)
		return;
	next = o->retried && o->links_n > 0 ? o->links[0].vxid : o->vxid;
	if (next != o->vxid) {
		/* The next attempt stands in for this one. */
		bool known = linked(p, p->links_n, next);

		for (i = 0; i < p->links_n && !known; i++)
			if (p->links[i].vxid == o->vxid)
				p->links[i].vxid = next;
		n = find(a, next);
		if (n == NULL && !known)
			return; /* adopt() will look for us */
		drop(a, o);
		if (n != NULL)
			n->parent = p->vxid;
		/* What is waited for already needs no second wait. */
		if (!known && !n->ended)
			return;
	}
	if (--p->waits == 0)
		emit(a, p);
}

static void
end_request(struct live_assembly *a, struct open *o)
{
	unsigned i = 0;

	while (i < o->links_n) {
		struct open *b;
		unsigned hops = 0;

		/* Follow the attempts that are over already. */
		while ((b = find(a, o->links[i].vxid)) != NULL && b->ended &&
		       b->retried && b->links_n > 0 && hops++ < 16) {
			o->links[i].vxid = b->links[0].vxid;
			drop(a, b);
		}
		/* An attempt may be linked as a fetch, too. */
		if (linked(o, i, o->links[i].vxid)) {
			o->links_n--;
			memmove(&o->links[i], &o->links[i + 1],
			    (o->links_n - i) * sizeof o->links[0]);
			continue;
		}
		if (b == NULL || !b->ended) {
			o->waits++;
			if (b != NULL)
				b->parent = o->vxid;
		}
		i++;
	}
	if (o->waits == 0)
		emit(a, o);
}

static void
take_end(struct live_assembly *a, struct open *o)
{
	o->ended = true;
	if (o->kind == KIND_BEREQ)
		end_fetch(a, o);
	else
		end_request(a, o);
}

/* A fetch that begins after its request has ended: the request waits for it. */
static void
adopt(struct live_assembly *a, const struct live_record *r, struct open *b)
{
	struct open *p, *before = NULL;
	uint64_t vxid;

	if (integer(r->b + 6, r->b + r->len, &vxid) == NULL)
		return;
	p = find(a, vxid);
	if (p == NULL || !p->ended)
		return;
	if (p->kind == KIND_BEREQ) {
		before = p;
		p = waiting_for(a, before);
	}
	if (p == NULL || p->kind != KIND_REQ || !linked(p, p->links_n, b->vxid))
		return;
	b->parent = p->vxid;
	if (before != NULL)
		drop(a, before);
	a->last = b;
}

int
live_assembly_take(struct live_assembly *a, const struct live_record *r)
{
	struct open *o;
	struct piece p = { 0, 0 };
	int e = 0;

	assert(a != NULL && r != NULL && (r->b != NULL || r->len == 0));
	a->count.records++;
	if (r->vxid == 0 || r->tag == LIVE_TAG_OTHER)
		return (0);
	if (r->tag == LIVE_TAG_BEGIN) {
		e = take_begin(a, r);
		if (e == 0 && (o = find(a, r->vxid)) != NULL &&
		    o->kind == KIND_BEREQ)
			adopt(a, r, o);
		return (e);
	}
	/* Without its beginning a transaction would be told wrong. */
	o = find(a, r->vxid);
	if (o == NULL || o->ended)
		return (0);
	switch (r->tag) {
	case LIVE_TAG_END: take_end(a, o); break;
	case LIVE_TAG_LINK: take_link(o, r); break;
	case LIVE_TAG_TIMESTAMP: take_timestamp(o, r); break;
	case LIVE_TAG_METHOD:
		if (!o->frozen && (e = keep(o, r->b, r->len, &p)) == 0)
			o->method = p;
		break;
	case LIVE_TAG_URL:
		if (!o->frozen && (e = keep(o, r->b, r->len, &p)) == 0)
			o->url = p;
		break;
	case LIVE_TAG_REQ_HEADER:
		if (!o->frozen)
			e = add_line(o, r);
		break;
	case LIVE_TAG_REQ_UNSET:
		if (!o->frozen)
			unset_line(o, r);
		break;
	case LIVE_TAG_STATUS: take_status(o, r); break;
	case LIVE_TAG_RESP_HEADER: e = take_response_line(o, r); break;
	case LIVE_TAG_RESP_UNSET: take_response_unset(o, r); break;
	case LIVE_TAG_VCL_CALL: take_call(o, r); break;
	case LIVE_TAG_VCL_RETURN:
		if (o->kind == KIND_REQ && !o->frozen && IS(r, "lookup")) {
			freeze(o);
		}
		break;
	case LIVE_TAG_HIT:
		if (o->kind == KIND_REQ)
			take_hit(o, r);
		break;
	case LIVE_TAG_HITMISS:
		if (o->kind == KIND_REQ)
			o->t.handling = LIVE_HITMISS;
		break;
	case LIVE_TAG_HITPASS:
		if (o->kind == KIND_REQ)
			o->t.handling = LIVE_HITPASS;
		break;
	case LIVE_TAG_TTL: take_ttl(o, r); break;
	case LIVE_TAG_LENGTH:
		(void)integer(r->b, r->b + r->len, &o->f.bytes);
		break;
	case LIVE_TAG_BACKEND:
		if (o->kind == KIND_BEREQ)
			e = take_backend(o, r);
		break;
	case LIVE_TAG_ERROR:
		if (STARTS(r, "Illegal 'Vary' header"))
			o->f.malformed = o->f.uncacheable = true;
		break;
	case LIVE_TAG_FETCH_ERROR: o->f.failed = true; break;
	case LIVE_TAG_NOTICE: take_notice(o, r); break;
	case LIVE_TAG_HASH: o->t.hash = fnv(o->t.hash, r->b, r->len); break;
	case LIVE_TAG_ACCT: take_acct(o, r); break;
	case LIVE_TAG_BEGIN:
	case LIVE_TAG_OTHER:
	case LIVE_TAG__MAX: break;
	}
	return (e);
}

void
live_assembly_flush(struct live_assembly *a)
{
	while (a->oldest != NULL)
		force(a);
}

const struct live_assembly_count *
live_assembly_count(const struct live_assembly *a)
{
	return (&a->count);
}

void
live_assembly_close(struct live_assembly **ap)
{
	struct live_assembly *a = *ap;
	struct open *o;

	if (a == NULL)
		return;
	while (a->oldest != NULL)
		drop(a, a->oldest);
	while ((o = a->spare) != NULL) {
		a->spare = o->hash_next;
		free(o->text);
		free(o);
	}
	free(a->bucket);
	free(a);
	*ap = NULL;
}
