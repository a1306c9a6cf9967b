/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/replay.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "live/hash.h"
#include "live/store.h"
#include "live/window.h"

enum {
	AHEAD = 8,             /* lookups whose objects are asked for early */
	KEYS = 24,             /* of each of these */
	OBJECT_OVERHEAD = 1024 /* bytes Varnish needs beside the body */
};

struct live_replay {
	const struct live_members *members;
	struct live_replay_options opt;
	live_outcome_f *func;
	void *priv;

	struct live_window window;
	struct live_store store;

	struct live_scenario scenario[LIVE_SCENARIOS_MAX];
	int64_t since[LIVE_SCENARIOS_MAX];
	unsigned scenarios;
	int declared, dropped[LIVE_MEMBERS_MAX], normalised[LIVE_MEMBERS_MAX];
	uint32_t known; /* members that have their scenarios */
	uint32_t
	    encoding; /* the bit of Accept-Encoding, unless it is keyed on */
	bool key_on_encoding;
	int64_t first, now;
	unsigned added;
	struct live_replay_result result;
};

/* --- Scenarios ------------------------------------------------------------ */

static int
add_scenario(struct live_replay *r, enum live_scenario_kind kind,
    unsigned member, uint32_t affects)
{
	struct live_scenario *s = &r->scenario[r->scenarios];

	assert(r->scenarios < LIVE_SCENARIOS_MAX);
	memset(s, 0, sizeof *s);
	s->kind = kind;
	s->member = member;
	s->affects = affects;
	/* So far it was as the real one: nothing had made a difference yet. */
	s->hits = r->scenario[0].hits;
	s->fetched = r->scenario[0].fetched;
	r->since[r->scenarios] = r->now;
	return ((int)r->scenarios++);
}

static void
learn_members(struct live_replay *r, uint32_t mask)
{
	unsigned i;

	for (i = 0; i < live_members_count(r->members); i++) {
		const struct live_member *m = live_members_get(r->members, i);
		uint32_t bit = UINT32_C(1) << i;
		unsigned k;

		if (!(mask & bit) || (r->known & bit))
			continue;
		r->known |= bit;
		if (m->accept_encoding)
			r->encoding = bit;
		for (k = 0; k < r->scenarios; k++) {
			struct live_scenario *s = &r->scenario[k];

			if (s->kind == LIVE_NO_VARY ||
			    (s->kind == LIVE_POLICY &&
				m->policy != LIVE_VERB_KEEP))
				s->affects |= bit;
		}
		r->dropped[i] = add_scenario(r, LIVE_DROPPED, i, bit);
		if (m->ruled)
			r->normalised[i] =
			    add_scenario(r, LIVE_NORMALISED, i, bit);
	}
}

/* Members that no cache keys on. */
static inline uint32_t
unkeyed(const struct live_replay *r)
{
	return (r->key_on_encoding ? 0 : r->encoding);
}

/* The members that a scenario does not key on, and those it gives a form. */
static void
forms(const struct live_replay *r, unsigned s, uint32_t *ret_drop,
    uint32_t *ret_form)
{
	const struct live_scenario *sc = &r->scenario[s];
	uint32_t drop = unkeyed(r), form = 0;
	unsigned i;

	switch (sc->kind) {
	case LIVE_NO_VARY: drop = UINT32_MAX; break;
	case LIVE_DROPPED: drop |= sc->affects; break;
	case LIVE_NORMALISED: form = sc->affects; break;
	case LIVE_POLICY:
		for (i = 0; i < live_members_count(r->members); i++) {
			const struct live_member *m =
			    live_members_get(r->members, i);

			if (m->policy == LIVE_VERB_STRIP)
				drop |= UINT32_C(1) << i;
			else if (m->policy != LIVE_VERB_KEEP)
				form |= UINT32_C(1) << i;
		}
		break;
	case LIVE_AS_IT_WAS:
	case LIVE_AS_DECLARED:
	default: break;
	}
	*ret_drop = drop;
	*ret_form = form;
}

/* Where an object lies: URL, scenario, the members and their values. */
static uint64_t
key_of(unsigned s, uint64_t url, uint32_t mask, uint32_t form,
    const struct live_values *v, uint32_t differs)
{
	uint64_t h = live_hash_mix(url + s * UINT64_C(0x9e3779b97f4a7c15));

	h ^= mask;
	for (; mask != 0; mask &= mask - 1) {
		unsigned i = (unsigned)__builtin_ctz(mask);
		uint64_t x = (form >> i & 1) ? v->norm[i] : v->raw[i];

		/* What VCL or the core changes on the way never matches. */
		x += (uint64_t)(differs >> i & 1) << 40;
		h = (h ^ x) * UINT64_C(0xff51afd7ed558ccd);
		h ^= h >> 29;
	}
	return (live_hash_mix(h));
}

static void
remember(uint32_t *list, uint8_t *n, uint32_t mask)
{
	unsigned i;

	for (i = 0; i < *n; i++)
		if (list[i] == mask)
			return;
	/* The oldest goes: its objects are out of reach from here. */
	if (*n == LIVE_STORE_MASKS) {
		memmove(list, list + 1, (LIVE_STORE_MASKS - 1) * sizeof *list);
		(*n)--;
	}
	list[(*n)++] = mask;
}

struct looked_up {
	struct live_object *best;
	bool fresh;
};

/* Of two that match Varnish takes the one that came last. */
static void
consider(struct live_object *o, int64_t now, struct looked_up *l)
{
	if (o == NULL || now < o->born || now >= o->gone)
		return;
	if (l->best != NULL && l->best->born >= o->born)
		return;
	l->best = o;
	l->fresh = now < o->expires;
}

static void
touch(struct live_replay *r, struct live_object *o)
{
	if (r->opt.storage == 0)
		return;
	live_store_touch(&r->store, o);
}

/* Put an object there, in the place of one that was. */
static int
store(struct live_replay *r, unsigned s, uint64_t key, uint64_t url,
    int64_t born, int64_t origin, double ttl, double grace, uint64_t bytes,
    bool hfm)
{
	struct live_scenario *sc = &r->scenario[s];
	struct live_object *o = live_store_object(&r->store, key);
	uint64_t *resident = &r->store.resident[s];

	if (o == NULL) {
		o = live_store_new_object(&r->store, key, s);
		if (o == NULL)
			return (-ENOMEM);
	} else {
		*resident -= o->bytes;
		touch(r, o);
	}
	if (ttl > 1e9)
		ttl = 1e9;
	if (grace < 0)
		grace = 0;
	if (grace > 1e9)
		grace = 1e9;
	o->url = url;
	o->born = born;
	o->expires = origin + (int64_t)(ttl * 1e6);
	o->gone = o->expires + (hfm ? 0 : (int64_t)(grace * 1e6));
	o->bytes = bytes + OBJECT_OVERHEAD;
	o->hit_for_miss = hfm;
	*resident += o->bytes;
	if (r->opt.storage > 0) {
		/* One that is larger than the store goes like any other. */
		while (*resident > r->opt.storage &&
		       r->store.lru_old[s] != LIVE_STORE_NIL) {
			live_store_drop_object(
			    &r->store, &r->store.object[r->store.lru_old[s]]);
			sc->evicted++;
		}
	}
	if (sc->resident_max < *resident)
		sc->resident_max = *resident;
	return (0);
}

/* What a fetch brings in this scenario, when the log has none for it. */
static int
refill(struct live_replay *r, unsigned s, const struct live_event *e,
    struct live_url *u, uint32_t drop, uint32_t form)
{
	bool declared = r->scenario[s].kind == LIVE_AS_DECLARED;
	uint32_t mask, differs = 0;
	const struct live_values *v = &e->req;
	double ttl, grace;
	uint64_t bytes;
	bool hfm = false;

	if (e->fetched) {
		if (!e->storable && !e->hit_for_miss)
			return (0);
		hfm = e->hit_for_miss;
		mask = declared ? e->declared_mask : e->stored_mask;
		ttl = e->ttl;
		grace = e->grace;
		bytes = e->bytes;
		v = &e->bereq;
	} else {
		if (!u->storable)
			return (0);
		mask = declared ? u->declared_last : u->mask_last;
		ttl = u->ttl;
		grace = u->grace;
		bytes = u->bytes;
		differs = u->differs & ~drop;
	}
	if (ttl < 0 || (ttl <= 0 && grace <= 0))
		return (0);
	if (!hfm)
		r->scenario[s].fetched += (double)bytes;
	mask &= ~drop;
	return (store(r, s, key_of(s, u->base, mask, form, v, differs), u->key,
	    e->us, e->fetched ? e->origin_us : e->us, ttl, grace,
	    hfm ? 0 : bytes, hfm));
}

/* One lookup in one scenario.  Sets *ret_hit; 0 or -ENOMEM. */
static int
play(struct live_replay *r, unsigned s, const struct live_event *e,
    struct live_url *u, bool *ret_hit, bool *ret_assumed)
{
	const struct live_scenario *sc = &r->scenario[s];
	bool declared = sc->kind == LIVE_AS_DECLARED, shares, known = false;
	const uint32_t *mask = declared ? u->declared : u->mask;
	unsigned n = declared ? u->declareds : u->masks, i;
	struct looked_up l = { NULL, false };
	uint32_t drop, form;
	int64_t since = r->opt.storage > 0 ? r->since[s] : INT64_MAX;

	forms(r, s, &drop, &form);
	for (i = 0; i < n; i++) {
		struct live_object *o;

		/*
		 * What a scenario does not affect is the same in the cache as
		 * it was; with a storage size only until they went apart.
		 */
		shares = s != 0 && !declared && (mask[i] & sc->affects) == 0;
		if (shares) {
			uint32_t d = r->key_on_encoding ? 0 : r->encoding;

			o = live_store_object(&r->store,
			    key_of(0, u->base, mask[i] & ~d, 0, &e->req, 0));
			if (o != NULL && o->born < since)
				consider(o, e->us, &l);
		}
		o = live_store_object(&r->store,
		    key_of(s, u->base, mask[i] & ~drop, form, &e->req, 0));
		known = known || o != NULL;
		consider(o, e->us, &l);
	}
	*ret_hit = l.best != NULL && !l.best->hit_for_miss;
	*ret_assumed = false;
	if (*ret_hit && l.best->scenario == s)
		touch(r, l.best);
	if (*ret_hit && l.fresh) {
		/* The log knows of a fetch that nobody waited for. */
		if (s == 0 && e->fetched && e->background)
			return (refill(r, s, e, u, drop, form));
		return (0);
	}
	if (!*ret_hit && e->observed == LIVE_SEEN_HIT && !known &&
	    e->born_us >= 0 && e->born_us < r->first) {
		/*
		 * The object is older than the log.  It was there, and would
		 * have been in all scenarios.
		 */
		uint32_t m = e->hit_mask & ~drop;

		*ret_hit = *ret_assumed = true;
		return (store(r, s, key_of(s, u->base, m, form, &e->req, 0),
		    u->key, e->us, e->us, e->left_ttl > 0 ? e->left_ttl : 0,
		    e->left_grace, u->bytes, false));
	}
	/* A miss, or a stale hit that sets off a fetch. */
	return (refill(r, s, e, u, drop, form));
}

static void
learn_url(struct live_replay *r, const struct live_event *e, struct live_url *u)
{
	uint32_t mask = e->hit_mask, declared = e->hit_mask;
	double life;
	unsigned i;

	u->seen = e->us;
	if (e->fetched && (e->storable || e->hit_for_miss)) {
		mask = e->stored_mask;
		declared = e->declared_mask;
		for (i = 0; i < live_members_count(r->members); i++) {
			uint32_t bit = UINT32_C(1) << i;

			if (!((mask | declared) & bit))
				continue;
			u->differs &= ~bit;
			if (e->req.raw[i] != e->bereq.raw[i])
				u->differs |= bit;
		}
		if (e->storable) {
			u->storable = true;
			u->ttl = e->ttl;
			u->grace = e->grace;
			u->bytes = e->bytes;
			u->mask_last = mask;
			u->declared_last = declared;
		}
	} else if (e->observed == LIVE_SEEN_HIT) {
		if (u->masks > 0 && u->mask_last != mask)
			declared = mask;
		else if (u->masks > 0)
			declared = u->declared_last;
		if (!u->storable && e->left_ttl > 0) {
			/* Better than nothing: the ttl was more than that. */
			u->ttl = e->left_ttl;
			u->grace = e->left_grace;
			u->bytes = e->bytes;
			u->mask_last = mask;
			u->declared_last = declared;
			u->storable = true;
		}
	} else
		return;
	remember(u->mask, &u->masks, mask);
	remember(u->declared, &u->declareds, declared);
	u->any |= mask | declared;
	if (mask != declared)
		u->redeclared = true;
	life = u->ttl > 0 ? u->ttl + (u->grace > 0 ? u->grace : 0) : 0;
	if (life > 1e9)
		life = 1e9;
	life *= 1e6;
	if (u->gone < e->us + (int64_t)life)
		u->gone = e->us + (int64_t)life;
	learn_members(r, mask | declared);
	if (u->redeclared && r->declared < 0)
		r->declared = add_scenario(r, LIVE_AS_DECLARED, 0, 0);
}

/* Does this scenario make a difference to this URL? */
static bool
goes_its_own_way(
    const struct live_replay *r, unsigned s, const struct live_url *u)
{
	const struct live_scenario *sc = &r->scenario[s];

	if (r->opt.storage > 0)
		return (true);
	if (sc->kind == LIVE_AS_DECLARED)
		return (u->redeclared);
	return ((u->any & sc->affects & ~unkeyed(r)) != 0);
}

static int
decide(struct live_replay *r, const struct live_event *e)
{
	struct live_replay_result *t = &r->result;
	struct live_url *u;
	uint64_t hits = 0;
	double w;
	bool hit, base, assumed;
	unsigned s;
	int x;

	if (r->now < e->us)
		r->now = e->us;
	if (!live_store_sampled(&r->store, e->url))
		return (0);
	if (live_store_full(&r->store)) {
		live_store_make_room(&r->store, r->now);
		if (!live_store_sampled(&r->store, e->url))
			return (0);
	}
	w = 1 / live_store_sample(&r->store);
	u = live_store_url(&r->store, e->url);
	if (e->purge) {
		/*
		 * In all of the caches at once: what there was is not found any
		 * more, and goes when its time is over.
		 */
		if (u != NULL)
			u->base = live_hash_mix(u->base);
		return (0);
	}
	if (u == NULL && (u = live_store_new_url(&r->store, e->url)) == NULL)
		return (-ENOMEM);
	learn_url(r, e, u);
	/*
	 * The cache as it was comes last: what it fetches now is not there yet
	 * for those that share its objects.
	 */
	for (s = 1; s < r->scenarios; s++) {
		if (!goes_its_own_way(r, s, u))
			continue;
		x = play(r, s, e, u, &hit, &assumed);
		if (x < 0)
			return (x);
		hits |= (uint64_t)hit << s;
	}
	x = play(r, 0, e, u, &base, &assumed);
	if (x < 0)
		return (x);
	hits |= (uint64_t)base;
	for (s = 0; s < r->scenarios; s++) {
		struct live_scenario *sc = &r->scenario[s];

		if (s > 0 && !goes_its_own_way(r, s, u)) {
			hits |= (uint64_t)base << s;
			if (!base && e->fetched && e->storable)
				sc->fetched += (double)e->bytes;
		}
		sc->hits += (hits >> s & 1) ? w : 0;
	}
	t->lookups += w;
	if (e->observed != LIVE_SEEN_UNKNOWN) {
		bool seen = e->observed == LIVE_SEEN_HIT;

		t->observed += w;
		t->observed_hits += seen ? w : 0;
		t->replayed_hits += base ? w : 0;
		t->only_observed += seen && !base ? w : 0;
		t->only_replayed += base && !seen ? w : 0;
		t->assumed += assumed ? w : 0;
	}
	r->func(r->priv, e, hits, w);
	return (0);
}

/* --- The window ----------------------------------------------------------- */

/* The buckets of the objects that a lookup will ask for; how many. */
static unsigned
buckets(struct live_replay *r, const struct live_event *e, uint32_t *ret)
{
	const struct live_url *u = live_store_url(&r->store, e->url);
	unsigned s, i, n = 0;

	if (u == NULL)
		return (0);
	for (s = 0; s < r->scenarios; s++) {
		bool declared = r->scenario[s].kind == LIVE_AS_DECLARED;
		const uint32_t *mask = declared ? u->declared : u->mask;
		uint32_t drop, form;

		if (s > 0 && !goes_its_own_way(r, s, u))
			continue;
		forms(r, s, &drop, &form);
		for (i = 0; i < (declared ? u->declareds : u->masks); i++) {
			if (n == KEYS)
				return (n);
			ret[n++] = live_table_bucket(
			    &r->store.ot, key_of(s, u->base, mask[i] & ~drop,
					      form, &e->req, 0));
		}
	}
	return (n);
}

/*
 * Tables of millions of objects are far from the processor, and each lookup goes
 * to a dozen places in them.  Those of several lookups are asked for at once, in
 * three steps, each of which needs what the one before has brought; a place that
 * is another by the time it is needed costs time, and nothing else.
 */
static void
fetch_ahead(struct live_replay *r, struct live_event *const *e, unsigned n)
{
	struct live_store *st = &r->store;
	uint32_t at[AHEAD][KEYS], head;
	unsigned many[AHEAD], i, k;

	for (i = 0; i < n; i++)
		__builtin_prefetch(
		    &st->ut.head[live_table_bucket(&st->ut, e[i]->url)]);
	for (i = 0; i < n; i++) {
		head = st->ut.head[live_table_bucket(&st->ut, e[i]->url)];
		if (head != LIVE_STORE_NIL) {
			__builtin_prefetch(&st->url[head]);
			__builtin_prefetch((char *)&st->url[head] + 64);
		}
	}
	for (i = 0; i < n; i++) {
		many[i] = buckets(r, e[i], at[i]);
		for (k = 0; k < many[i]; k++)
			__builtin_prefetch(&st->ot.head[at[i][k]]);
	}
	for (i = 0; i < n; i++) {
		for (k = 0; k < many[i]; k++) {
			head = st->ot.head[at[i][k]];
			if (head != LIVE_STORE_NIL)
				__builtin_prefetch(&st->object[head]);
		}
	}
}

int
live_replay_settle(struct live_replay *r, int64_t before)
{
	struct live_event *e[AHEAD];
	unsigned n, i;
	int x = 0;

	while (x == 0 && live_window_next(&r->window) < before) {
		for (n = 0; n < AHEAD && live_window_next(&r->window) < before;
		     n++)
			e[n] = live_window_pop(&r->window);
		fetch_ahead(r, e, n);
		for (i = 0; i < n; i++) {
			if (x == 0)
				x = decide(r, e[i]);
			live_window_release(&r->window, e[i]);
		}
	}
	return (x);
}

int
live_replay_add(struct live_replay *r, const struct live_event *e)
{
	int x;

	if (r->first == INT64_MAX || e->us < r->first)
		r->first = e->us;
	if (live_window_full(&r->window)) {
		/* A burst: the window is shorter than it should be. */
		x = live_replay_settle(r, live_window_next(&r->window) + 1);
		if (x < 0)
			return (x);
	}
	live_window_push(&r->window, e);
	/* Several at a time go quicker; none waits much longer for that. */
	if (++r->added % AHEAD != 0)
		return (0);
	return (live_replay_settle(r, e->us - LIVE_REPLAY_WINDOW_US));
}

/* --- Opening and closing -------------------------------------------------- */

int
live_replay_open(struct live_replay **ret, const struct live_members *members,
    const struct live_replay_options *opt, live_outcome_f *func, void *priv)
{
	struct live_replay *r = calloc(1, sizeof *r);
	unsigned i;

	assert(ret != NULL && members != NULL && opt != NULL && func != NULL);
	if (r == NULL)
		return (-ENOMEM);
	r->members = members;
	r->opt = *opt;
	r->func = func;
	r->priv = priv;
	r->first = INT64_MAX;
	r->declared = -1;
	for (i = 0; i < LIVE_MEMBERS_MAX; i++)
		r->dropped[i] = r->normalised[i] = -1;
	if (live_window_init(&r->window) < 0 ||
	    live_store_init(&r->store, opt->memory) < 0) {
		live_replay_close(&r);
		return (-ENOMEM);
	}
	(void)add_scenario(r, LIVE_AS_IT_WAS, 0, 0);
	(void)add_scenario(r, LIVE_NO_VARY, 0, 0);
	if (opt->policy)
		(void)add_scenario(r, LIVE_POLICY, 0, 0);
	*ret = r;
	return (0);
}

void
live_replay_close(struct live_replay **rp)
{
	struct live_replay *r = *rp;

	if (r == NULL)
		return;
	live_window_fini(&r->window);
	live_store_fini(&r->store);
	free(r);
	*rp = NULL;
}

void
live_replay_key_on_encoding(struct live_replay *r, bool on)
{
	r->key_on_encoding = on;
}

void
live_replay_result(const struct live_replay *r, struct live_replay_result *ret)
{
	*ret = r->result;
	ret->sample = live_store_sample(&r->store);
	ret->objects = r->store.ot.n;
	ret->urls = r->store.ut.n;
	ret->scenario = r->scenario;
	ret->scenarios = r->scenarios;
}

int
live_replay_scenario(
    const struct live_replay *r, enum live_scenario_kind kind, unsigned member)
{
	switch (kind) {
	case LIVE_AS_IT_WAS: return (0);
	case LIVE_NO_VARY: return (1);
	case LIVE_POLICY: return (r->opt.policy ? 2 : -1);
	case LIVE_AS_DECLARED: return (r->declared);
	case LIVE_DROPPED: return (r->dropped[member]);
	case LIVE_NORMALISED: return (r->normalised[member]);
	default: return (-1);
	}
}
