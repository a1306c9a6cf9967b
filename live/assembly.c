/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/assembly.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "live/open.h"

struct live_assembly {
	live_transaction_f *func;
	void *priv;
	size_t limit;
	struct live_open **bucket;
	size_t mask;
	struct live_open *oldest, *newest;
	struct live_open *spare;
	struct live_open *last; /* records come in runs of one transaction */
	struct live_header req[LIVE_OPEN_LINES], bereq[LIVE_OPEN_LINES];
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
	a->bucket = calloc(n, sizeof(struct live_open *));
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

static struct live_open **
slot(struct live_assembly *a, uint64_t vxid)
{
	return (
	    &a->bucket[(vxid * UINT64_C(0x9e3779b97f4a7c15) >> 32) & a->mask]);
}

static struct live_open *
find(struct live_assembly *a, uint64_t vxid)
{
	struct live_open *o;

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

static struct live_open *
begin(struct live_assembly *a, uint64_t vxid, enum live_open_kind kind)
{
	struct live_open **s, *o = a->spare;

	if (o != NULL)
		a->spare = o->hash_next;
	else if ((o = live_open_new()) == NULL)
		return (NULL);
	live_open_begin(o, vxid, kind);
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
drop(struct live_assembly *a, struct live_open *o)
{
	struct live_open **s;

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

/*
 * The request that waits for a fetch, or NULL.  By number: it may have been
 * given out long since, and its place be that of another.
 */
static struct live_open *
waiting_for(struct live_assembly *a, const struct live_open *b)
{
	struct live_open *p = b->parent != 0 ? find(a, b->parent) : NULL;

	return (
	    p != NULL && p->kind == LIVE_OPEN_REQ && p->waits > 0 ? p : NULL);
}

static void
emit(struct live_assembly *a, struct live_open *o)
{
	struct live_transaction *t = &o->t;
	struct live_open *w = NULL;
	struct live_fetch f;
	unsigned i;

	/* Of several fetches the last is what the client got. */
	for (i = 0; i < o->links_n; i++) {
		struct live_open *b = find(a, o->links[i].vxid);

		if (b == NULL || b->kind != LIVE_OPEN_BEREQ)
			continue;
		b->parent = 0;
		if (b->ended && b != w) {
			if (w != NULL)
				drop(a, w);
			w = b;
			w->f.background = o->links[i].background;
		}
	}
	live_open_times(o);
	t->fetch = NULL;
	if (w != NULL) {
		live_open_times(w);
		f = w->f;
		f.headers_n = live_open_headers(w, a->bereq);
		f.headers = a->bereq;
		f.backend = live_open_span(w, w->backend);
		f.declared = live_open_span(w, w->declared);
		f.stored = live_open_span(w, w->stored);
		f.has_declared = w->has_declared;
		f.has_stored = w->has_stored;
		t->fetch = &f;
	}
	t->headers_n = live_open_headers(o, a->req);
	t->headers = a->req;
	t->method = live_open_span(o, o->method);
	t->host = live_open_span(o, o->host);
	t->url = live_open_span(o, o->url);
	t->vary = live_open_span(o, o->vary);
	t->has_vary = o->has_vary;
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
	struct live_open *o = a->oldest;

	if (o->kind == LIVE_OPEN_REQ) {
		o->t.incomplete = !o->ended || o->waits > 0;
		emit(a, o);
	} else {
		struct live_open *p = waiting_for(a, o);

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
	enum live_open_kind kind;
	struct live_open *o;

	if (live_record_starts(r, "req "))
		kind = LIVE_OPEN_REQ;
	else if (live_record_starts(r, "bereq "))
		kind = LIVE_OPEN_BEREQ;
	else
		return (0);
	o = find(a, r->vxid);
	if (o != NULL) {
		/* A number begun twice: the log lost the end of the first. */
		if (o->kind == LIVE_OPEN_REQ) {
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
	if (kind == LIVE_OPEN_REQ && r->len > 8 &&
	    memcmp(r->b + r->len - 8, " restart", 8) == 0)
		o->t.restarted = true;
	return (0);
}

/* A fetch is over: its request may have waited for that. */
static void
end_fetch(struct live_assembly *a, struct live_open *o)
{
	struct live_open *p = waiting_for(a, o), *n;
	uint64_t next;
	unsigned i;

	if (p == NULL)
		return;
	next = o->retried && o->links_n > 0 ? o->links[0].vxid : o->vxid;
	if (next != o->vxid) {
		/* The next attempt stands in for this one. */
		bool known = live_open_linked(p, p->links_n, next);

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
end_request(struct live_assembly *a, struct live_open *o)
{
	unsigned i = 0;

	while (i < o->links_n) {
		struct live_open *b;
		unsigned hops = 0;

		/* Follow the attempts that are over already. */
		while ((b = find(a, o->links[i].vxid)) != NULL && b->ended &&
		       b->retried && b->links_n > 0 && hops++ < 16) {
			o->links[i].vxid = b->links[0].vxid;
			drop(a, b);
		}
		/* An attempt may be linked as a fetch, too. */
		if (live_open_linked(o, i, o->links[i].vxid)) {
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

/* A fetch that begins after its request has ended: the request waits for it. */
static void
adopt(struct live_assembly *a, const struct live_record *r, struct live_open *b)
{
	struct live_open *p, *before = NULL;
	uint64_t vxid;

	if (live_record_integer(r->b + 6, r->b + r->len, &vxid) == NULL)
		return;
	p = find(a, vxid);
	if (p == NULL || !p->ended)
		return;
	if (p->kind == LIVE_OPEN_BEREQ) {
		before = p;
		p = waiting_for(a, before);
	}
	if (p == NULL || p->kind != LIVE_OPEN_REQ ||
	    !live_open_linked(p, p->links_n, b->vxid))
		return;
	b->parent = p->vxid;
	if (before != NULL)
		drop(a, before);
	a->last = b;
}

int
live_assembly_take(struct live_assembly *a, const struct live_record *r)
{
	struct live_open *o;
	int e;

	assert(a != NULL && r != NULL && (r->b != NULL || r->len == 0));
	if (r->vxid == 0 || r->tag == LIVE_TAG_OTHER)
		return (0);
	if (r->tag == LIVE_TAG_BEGIN) {
		e = take_begin(a, r);
		if (e == 0 && (o = find(a, r->vxid)) != NULL &&
		    o->kind == LIVE_OPEN_BEREQ)
			adopt(a, r, o);
		return (e);
	}
	/* Without its beginning a transaction would be told wrong. */
	o = find(a, r->vxid);
	if (o == NULL || o->ended)
		return (0);
	if (r->tag != LIVE_TAG_END)
		return (live_open_take(o, r));
	o->ended = true;
	if (o->kind == LIVE_OPEN_BEREQ)
		end_fetch(a, o);
	else
		end_request(a, o);
	return (0);
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
	struct live_open *o;

	if (a == NULL)
		return;
	while (a->oldest != NULL)
		drop(a, a->oldest);
	while ((o = a->spare) != NULL) {
		a->spare = o->hash_next;
		live_open_free(o);
	}
	free(a->bucket);
	free(a);
	*ap = NULL;
}
