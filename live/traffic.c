/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/traffic.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "live/hash.h"
#include "vary/name.h"

/*
 * What was last seen of a URL: a hit does not tell which backend filled it, a
 * 304 not what Vary the object had.  One place for several URLs, the last one
 * there; it serves attribution, and no decision.
 */
enum {
	RECENT = 32768
};

struct live_recent {
	uint64_t url;
	uint32_t mask; /* as the origin declared it last */
	uint8_t backend;
	bool known, spoilt; /* spoilt: by a Vary that could not be stored */
};

/* The Vary lines of one transaction. */
struct varies {
	struct live_vary declared, stored, hit;
};

/* The replay has decided: the group hears of it, whoever it is by now. */
static void
outcome(void *priv, const struct live_event *e, uint64_t hits, double weight)
{
	struct live_traffic *t = priv;
	struct live_group *g = live_groups_get(t->groups, e->group);
	bool base = hits & 1;
	unsigned i;
	int s;

	g->replayed += weight;
	g->replayed_hits += base ? weight : 0;
	s = live_replay_scenario(t->replay, LIVE_POLICY, 0);
	if (s < 0)
		s = live_replay_scenario(t->replay, LIVE_NO_VARY, 0);
	g->hits_fixed += (hits >> s & 1) ? weight : 0;
	for (i = 0; i < live_members_count(t->members); i++) {
		struct live_group_member *m;
		bool dropped = base, normalised = base;

		s = live_replay_scenario(t->replay, LIVE_DROPPED, i);
		if (s >= 0)
			dropped = hits >> s & 1;
		s = live_replay_scenario(t->replay, LIVE_NORMALISED, i);
		if (s >= 0)
			normalised = hits >> s & 1;
		/* Only the difference is kept: most members make none. */
		if (dropped == base && normalised == base)
			continue;
		if (live_group_member(g, i, &m) < 0) {
			t->error = -ENOMEM;
			return;
		}
		m->won_dropped += weight * (dropped - base);
		m->won_normalised += weight * (normalised - base);
	}
}

int
live_traffic_init(struct live_traffic *t, const struct live_traffic_options *o)
{
	struct live_replay_options ro = { o->storage, o->replay_memory,
		o->policy != NULL };

	memset(t, 0, sizeof *t);
	t->gzip = o->gzip;
	t->gzip_told = o->gzip != LIVE_GZIP_AUTO;
	t->recent = calloc(RECENT, sizeof *t->recent);
	if (t->recent == NULL ||
	    live_members_open(&t->members, o->policy) < 0 ||
	    live_groups_open(&t->groups, o->groups) < 0 ||
	    live_replay_open(&t->replay, t->members, &ro, outcome, t) < 0) {
		live_traffic_fini(t);
		return (-ENOMEM);
	}
	return (0);
}

void
live_traffic_fini(struct live_traffic *t)
{
	live_replay_close(&t->replay);
	live_groups_close(&t->groups);
	live_members_close(&t->members);
	free(t->recent);
	t->recent = NULL;
}

/*
 * With http_gzip_support, its default, Varnish makes Accept-Encoding "gzip" or
 * nothing before the lookup, and then keys on it no more.  Any other value at
 * the lookup tells that it is off.
 */
static void
watch_gzip(struct live_traffic *t, const struct live_transaction *x)
{
	size_t i;

	for (i = 0; i < x->headers_n; i++) {
		const struct live_header *h = &x->headers[i];

		if (h->name.len != 15 ||
		    !vary_name_eq(h->name, vary_span_str("Accept-Encoding")))
			continue;
		if (h->value.len == 4 && memcmp(h->value.b, "gzip", 4) == 0)
			return;
		t->gzip = LIVE_GZIP_OFF;
		t->gzip_told = true;
		return;
	}
}

static uint32_t
unkeyable(const struct live_traffic *t, uint32_t mask)
{
	uint32_t r = 0, m;

	for (m = mask; m != 0; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctz(m);

		if (live_members_get(t->members, i)->class ==
		    VARY_CLASS_UNKEYABLE)
			r |= UINT32_C(1) << i;
	}
	return (r);
}

/* Members of the mask whose value the fetch changed on its way. */
static uint32_t
mismatch(const struct live_traffic *t, const struct live_event *e)
{
	uint32_t r = 0, m;

	for (m = e->stored_mask; m != 0; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctz(m);
		const struct live_member *k = live_members_get(t->members, i);

		if (k->class == VARY_CLASS_UNKEYABLE ||
		    (k->accept_encoding && t->gzip != LIVE_GZIP_OFF))
			continue;
		if (e->req.raw[i] != e->bereq.raw[i])
			r |= UINT32_C(1) << i;
	}
	return (r);
}

static int
count_members(struct live_traffic *t, struct live_group *g,
    const struct live_event *e, uint32_t mask, uint32_t wrong)
{
	uint32_t m;
	uint64_t variant = e->url;
	int r;

	for (m = mask; m != 0; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctz(m);
		struct live_group_member *gm;

		r = live_group_member(g, i, &gm);
		if (r < 0)
			return (r);
		gm->declared++;
		gm->mismatches += wrong >> i & 1;
		gm->repeated += e->req.repeated >> i & 1;
		r = live_sketch_add(
		    &gm->values, live_hash_mix(e->req.raw[i] + UINT64_C(1)));
		if (r < 0)
			return (r);
		if (!live_members_get(t->members, i)->accept_encoding ||
		    t->gzip == LIVE_GZIP_OFF)
			variant = live_hash_mix(variant + e->req.raw[i] + i);
	}
	r = live_sketch_add(&g->urls, live_hash_mix(e->url));
	return (r < 0 ? r : live_sketch_add(&g->variants, variant));
}

static int
count_traps(struct live_traffic *t, struct live_group *g,
    const struct live_transaction *x, const struct live_event *e,
    const struct varies *v, uint32_t wrong, const struct live_recent *was)
{
	const struct live_fetch *f = x->fetch;
	uint32_t mask = f != NULL ? e->stored_mask : e->hit_mask, m;
	int r = 0;

	if (wrong != 0)
		r = live_group_trap(g, LIVE_TRAP_MISMATCH, wrong, x->url);
	m = e->req.repeated & mask;
	if (r == 0 && m != 0 && x->looked_up)
		r = live_group_trap(g, LIVE_TRAP_REPEATED, m, x->url);
	if (r == 0 && x->variants > 0)
		r = live_group_trap(g, LIVE_TRAP_VARIANTS, 0, x->url);
	if (g->variants_max < x->variants)
		g->variants_max = x->variants;
	if (r < 0 || f == NULL)
		return (r);
	if (!f->uncacheable && !f->failed && x->looked_up) {
		if (f->has_stored && v->stored.star)
			r = live_group_trap(g, LIVE_TRAP_STAR, 0, x->url);
		m = unkeyable(t, e->stored_mask);
		if (r == 0 && m != 0)
			r = live_group_trap(g, LIVE_TRAP_UNKEYABLE, m, x->url);
		if (r == 0 && x->handling == LIVE_HITMISS && was->known &&
		    was->spoilt)
			r = live_group_trap(g, LIVE_TRAP_HIDDEN, 0, x->url);
	}
	if (r == 0 &&
	    (f->malformed || (f->has_declared && v->declared.malformed)))
		r = live_group_trap(g, LIVE_TRAP_MALFORMED, 0, x->url);
	if (r == 0 && f->revalidated_vary && was->known &&
	    was->mask != v->declared.mask)
		r = live_group_trap(
		    g, LIVE_TRAP_304, was->mask ^ v->declared.mask, x->url);
	return (r);
}

static void
count_fetch(struct live_group *g, const struct live_transaction *x)
{
	const struct live_fetch *f = x->fetch;

	g->fetches++;
	g->failed += f->failed;
	if (f->response_us > f->start_us)
		g->fetch_us += f->response_us - f->start_us;
	if (!f->uncacheable && !f->failed && x->looked_up)
		g->stored_bytes += f->bytes;
}

static void
varies_of(struct live_traffic *t, const struct live_transaction *x,
    struct varies *ret)
{
	static const struct live_vary none = { 0, false, false, false };
	const struct live_fetch *f = x->fetch;

	ret->declared = ret->stored = ret->hit = none;
	if (f != NULL && f->has_declared)
		live_members_read(t->members, f->declared, &ret->declared);
	if (f != NULL && f->has_stored)
		live_members_read(t->members, f->stored, &ret->stored);
	if (f == NULL && x->has_vary)
		live_members_read(t->members, x->vary, &ret->hit);
}

/* What Varnish hashes. */
static uint64_t
url_of(const struct live_transaction *x)
{
	if (x->hash != 0)
		return (live_hash_mix(x->hash));
	return (live_hash(
	    x->url.b, x->url.len, live_hash(x->host.b, x->host.len, 1)));
}

static int
purge(struct live_traffic *t, const struct live_transaction *x)
{
	struct live_event e = {
		.us = x->start_us, .url = url_of(x), .purge = true
	};

	return (live_replay_add(t->replay, &e));
}

/* What the transaction is to the replay. */
static void
event_of(struct live_traffic *t, const struct live_transaction *x,
    const struct varies *v, struct live_event *e)
{
	const struct live_fetch *f = x->fetch;

	memset(e, 0, offsetof(struct live_event, req));
	e->us = x->start_us;
	e->url = url_of(x);
	e->observed = x->handling == LIVE_HIT       ? LIVE_SEEN_HIT
		      : x->handling == LIVE_UNKNOWN ? LIVE_SEEN_UNKNOWN
						    : LIVE_SEEN_MISS;
	e->hit_mask = v->hit.mask;
	e->left_ttl = x->left.ttl;
	e->left_grace = x->left.grace;
	e->born_us = x->age >= 0 ? x->start_us - x->age * 1000000 : -1;
	live_members_values(t->members, x->headers, x->headers_n, &e->req);
	if (f != NULL) {
		e->fetched = true;
		e->background = f->background;
		e->storable = !f->uncacheable && !f->failed && !x->incomplete;
		e->hit_for_miss =
		    f->uncacheable && !f->failed && f->life.ttl > 0;
		/* Refused: the mark that is left has no Vary and hides all. */
		e->stored_mask = f->malformed ? 0 : v->stored.mask;
		e->declared_mask = f->malformed ? 0 : v->declared.mask;
		e->origin_us = f->origin_us > 0 ? f->origin_us : x->start_us;
		e->ttl = f->life.ttl;
		e->grace = f->life.grace;
		e->bytes = f->bytes;
		if (f->headers != NULL)
			live_members_values(
			    t->members, f->headers, f->headers_n, &e->bereq);
		else
			e->bereq = e->req;
	} else
		e->bytes = x->bytes;
}

/* What had no look-up, or no answer of its own, decides nothing. */
static bool
is_replayed(const struct live_transaction *x)
{
	if (x->handling == LIVE_HITPASS || !x->looked_up)
		return (false);
	return (x->fetch != NULL || x->handling == LIVE_HIT ||
		x->handling == LIVE_UNKNOWN);
}

int
live_traffic_take(struct live_traffic *t, const struct live_transaction *x)
{
	const struct live_fetch *f = x->fetch;
	struct live_recent *recent, was;
	struct varies v;
	struct live_event e;
	struct live_group *g;
	uint32_t mask, wrong = 0;
	unsigned backend;
	int r;

	assert(t != NULL && x != NULL);
	/* Nothing but a piece of it was seen: nothing can be said. */
	if (x->url.len == 0 || x->start_us == 0) {
		t->incomplete++;
		return (0);
	}
	if (t->requests == 0 || x->start_us < t->first_us)
		t->first_us = x->start_us;
	if (t->last_us < x->end_us)
		t->last_us = x->end_us;
	if (x->purges && (r = purge(t, x)) < 0)
		return (r);
	/* A visit is one request, however often VCL begins anew with it. */
	if (x->restarts && !x->looked_up)
		return (0);
	t->requests += !x->restarts;
	t->by[x->handling]++;
	t->incomplete += x->incomplete;
	t->restarted += x->restarted;
	live_disk_add(&t->disk, x);

	/* Names first: a value is worth looking at once its name is known. */
	varies_of(t, x, &v);
	if (x->looked_up && !t->gzip_told)
		watch_gzip(t, x);

	event_of(t, x, &v, &e);
	if (e.storable && x->looked_up)
		wrong = mismatch(t, &e);

	recent = &t->recent[e.url % RECENT];
	was = *recent;
	if (was.url != e.url)
		was = (struct live_recent){ e.url, 0, 0, false, false };
	backend = was.backend;
	if (f != NULL && f->backend.len > 0)
		backend = live_groups_backend(t->groups, f->backend);
	r = live_groups_find(t->groups, x->host, x->url, backend, &e.group);
	if (r < 0)
		return (r);
	g = live_groups_get(t->groups, e.group);
	g->requests += !x->restarts;
	g->by[x->handling]++;
	g->bytes += x->bytes;
	if (x->handling == LIVE_HIT && x->left.ttl <= 0 && x->left.grace > 0) {
		g->grace_hits++;
		t->grace_hits++;
	}
	mask = f != NULL ? v.declared.mask | v.stored.mask : v.hit.mask;
	if (f != NULL) {
		count_fetch(g, x);
		r = live_group_vary(g, f->declared, f->has_declared);
	}
	if (r == 0)
		r = count_traps(t, g, x, &e, &v, wrong, &was);
	if (r == 0)
		r = count_members(t, g, &e, mask, wrong);
	if (r < 0)
		return (r);
	was.backend = (uint8_t)backend;
	if (f != NULL && !f->failed) {
		was.known = true;
		was.mask = v.declared.mask;
		was.spoilt = f->malformed || v.declared.star ||
			     (was.spoilt && f->uncacheable);
	}
	*recent = was;
	if (!is_replayed(x))
		return (0);
	if (v.declared.overflow || v.stored.overflow || v.hit.overflow) {
		t->unreplayed++;
		return (0);
	}
	live_replay_key_on_encoding(t->replay, t->gzip == LIVE_GZIP_OFF);
	r = live_replay_add(t->replay, &e);
	return (r < 0 ? r : t->error);
}

int
live_traffic_settle(struct live_traffic *t, int64_t before)
{
	int r = live_replay_settle(t->replay, before);

	return (r < 0 ? r : t->error);
}
