/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/replay.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "live/hash.h"

enum {
	WINDOW_MAX = 8192, /* lookups that wait */
	MASKS = 4,         /* different Vary of one URL */
	HEADS_FIRST = 1024,
	OBJECT_OVERHEAD = 1024 /* bytes Varnish needs beside the body */
};

#define NIL UINT32_MAX

struct object {
	uint64_t key, url;
	int64_t born, expires, gone; /* microseconds; gone: grace is over */
	uint64_t bytes;
	uint32_t next;         /* in the bucket; free list */
	uint32_t older, newer; /* least recently used first */
	uint8_t scenario;
	bool used, hit_for_miss;
};

struct url {
	uint64_t key;
	int64_t seen, gone;
	uint32_t mask[MASKS], declared[MASKS];
	uint32_t any, differs; /* members of all masks; req != bereq */
	uint32_t mask_last, declared_last;
	double ttl, grace; /* of the last that could be stored */
	uint64_t bytes;
	uint32_t next;
	uint8_t masks, declareds;
	bool used, storable, redeclared;
};

/* Things in an array that can be found by a key and given back. */
struct table {
	uint32_t *head;
	uint32_t heads, n, cap, top, spare;
};

struct live_replay {
	const struct live_members *members;
	struct live_replay_options opt;
	live_outcome_f *func;
	void *priv;

	struct live_event *event; /* WINDOW_MAX of them */
	uint32_t *heap, *spare_event;
	uint32_t waiting, spares;
	uint64_t order;

	struct table ot, ut;
	struct object *object;
	struct url *url;
	uint32_t lru_old[LIVE_SCENARIOS_MAX], lru_new[LIVE_SCENARIOS_MAX];

	struct live_scenario scenario[LIVE_SCENARIOS_MAX];
	int64_t since[LIVE_SCENARIOS_MAX];
	unsigned scenarios;
	int declared, dropped[LIVE_MEMBERS_MAX], normalised[LIVE_MEMBERS_MAX];
	uint32_t known; /* members that have their scenarios */
	uint32_t
	    encoding; /* the bit of Accept-Encoding, unless it is keyed on */
	bool key_on_encoding;
	uint64_t threshold; /* URLs with a hash below are in the sample */
	int64_t first, now;
	struct live_replay_result result;
};

/* --- Tables --------------------------------------------------------------- */

static int
table_init(struct table *t)
{
	t->heads = HEADS_FIRST;
	t->head = malloc(t->heads * sizeof *t->head);
	if (t->head == NULL)
		return (-ENOMEM);
	memset(t->head, 0xff, t->heads * sizeof *t->head);
	t->spare = NIL;
	return (0);
}

static inline uint32_t
bucket(const struct table *t, uint64_t key)
{
	return ((uint32_t)(key >> 20) & (t->heads - 1));
}

static struct object *
find_object(struct live_replay *r, uint64_t key)
{
	uint32_t i = r->ot.head[bucket(&r->ot, key)];

	while (i != NIL && r->object[i].key != key)
		i = r->object[i].next;
	return (i == NIL ? NULL : &r->object[i]);
}

static struct url *
find_url(struct live_replay *r, uint64_t key)
{
	uint32_t i = r->ut.head[bucket(&r->ut, key)];

	while (i != NIL && r->url[i].key != key)
		i = r->url[i].next;
	return (i == NIL ? NULL : &r->url[i]);
}

static size_t
memory(const struct live_replay *r)
{
	return (r->ot.n * (sizeof *r->object + sizeof(uint32_t)) +
		r->ut.n * (sizeof *r->url + sizeof(uint32_t)));
}

static void
unlink_lru(struct live_replay *r, struct object *o)
{
	if (o->older != NIL)
		r->object[o->older].newer = o->newer;
	else
		r->lru_old[o->scenario] = o->newer;
	if (o->newer != NIL)
		r->object[o->newer].older = o->older;
	else
		r->lru_new[o->scenario] = o->older;
}

static void
link_lru(struct live_replay *r, struct object *o)
{
	uint32_t i = (uint32_t)(o - r->object);

	o->newer = NIL;
	o->older = r->lru_new[o->scenario];
	if (o->older != NIL)
		r->object[o->older].newer = i;
	else
		r->lru_old[o->scenario] = i;
	r->lru_new[o->scenario] = i;
}

static void
drop_object(struct live_replay *r, struct object *o)
{
	uint32_t *p = &r->ot.head[bucket(&r->ot, o->key)];
	uint32_t i = (uint32_t)(o - r->object);

	while (*p != i)
		p = &r->object[*p].next;
	*p = o->next;
	unlink_lru(r, o);
	r->scenario[o->scenario].resident -= o->bytes;
	o->used = false;
	o->next = r->ot.spare;
	r->ot.spare = i;
	r->ot.n--;
}

static void
drop_url(struct live_replay *r, struct url *u)
{
	uint32_t *p = &r->ut.head[bucket(&r->ut, u->key)];
	uint32_t i = (uint32_t)(u - r->url);

	while (*p != i)
		p = &r->url[*p].next;
	*p = u->next;
	u->used = false;
	u->next = r->ut.spare;
	r->ut.spare = i;
	r->ut.n--;
}

/* More heads when there are more things than heads. */
static int
spread(struct live_replay *r, struct table *t)
{
	uint32_t i, n, *head;

	if (t->n < t->heads || t->heads >= UINT32_C(1) << 26)
		return (0);
	n = 2 * t->heads;
	head = malloc(n * sizeof *head);
	if (head == NULL)
		return (-ENOMEM);
	memset(head, 0xff, n * sizeof *head);
	free(t->head);
	t->head = head;
	t->heads = n;
	for (i = 0; i < t->top; i++) {
		bool used = t == &r->ot ? r->object[i].used : r->url[i].used;
		uint64_t key = t == &r->ot ? r->object[i].key : r->url[i].key;
		uint32_t *h = &head[bucket(t, key)];

		if (!used)
			continue;
		if (t == &r->ot)
			r->object[i].next = *h;
		else
			r->url[i].next = *h;
		*h = i;
	}
	return (0);
}

static bool
sampled(const struct live_replay *r, uint64_t url)
{
	return (live_hash_mix(url) >> 1 < r->threshold);
}

/*
 * Make room: first what is dead, then half of the URLs.  What was counted so
 * far stays counted.
 */
static void
make_room(struct live_replay *r)
{
	uint32_t i;

	for (i = 0; i < r->ot.top; i++)
		if (r->object[i].used && r->object[i].gone < r->now)
			drop_object(r, &r->object[i]);
	for (i = 0; i < r->ut.top; i++)
		if (r->url[i].used && r->url[i].gone < r->now)
			drop_url(r, &r->url[i]);
	while (memory(r) > r->opt.memory / 4 * 3 && r->threshold > 1) {
		r->threshold /= 2;
		for (i = 0; i < r->ot.top; i++)
			if (r->object[i].used && !sampled(r, r->object[i].url))
				drop_object(r, &r->object[i]);
		for (i = 0; i < r->ut.top; i++)
			if (r->url[i].used && !sampled(r, r->url[i].key))
				drop_url(r, &r->url[i]);
	}
}

static void *
grow(void *old, uint32_t *cap, size_t size)
{
	uint32_t n = *cap == 0 ? 256 : *cap + *cap / 2;
	void *p;

	if (n >= NIL - 1)
		return (NULL);
	p = realloc(old, n * size);
	if (p != NULL)
		*cap = n;
	return (p);
}

static struct object *
new_object(struct live_replay *r, uint64_t key)
{
	struct object *o;
	uint32_t i, *h;

	if (spread(r, &r->ot) < 0)
		return (NULL);
	if (r->ot.spare != NIL) {
		i = r->ot.spare;
		r->ot.spare = r->object[i].next;
	} else {
		if (r->ot.top == r->ot.cap) {
			void *p = grow(r->object, &r->ot.cap, sizeof *o);

			if (p == NULL)
				return (NULL);
			r->object = p;
		}
		i = r->ot.top++;
	}
	o = &r->object[i];
	memset(o, 0, sizeof *o);
	o->key = key;
	o->used = true;
	h = &r->ot.head[bucket(&r->ot, key)];
	o->next = *h;
	*h = i;
	r->ot.n++;
	return (o);
}

static struct url *
new_url(struct live_replay *r, uint64_t key)
{
	struct url *u;
	uint32_t i, *h;

	if (spread(r, &r->ut) < 0)
		return (NULL);
	if (r->ut.spare != NIL) {
		i = r->ut.spare;
		r->ut.spare = r->url[i].next;
	} else {
		if (r->ut.top == r->ut.cap) {
			void *p = grow(r->url, &r->ut.cap, sizeof *u);

			if (p == NULL)
				return (NULL);
			r->url = p;
		}
		i = r->ut.top++;
	}
	u = &r->url[i];
	memset(u, 0, sizeof *u);
	u->key = key;
	u->used = true;
	u->ttl = u->grace = -1;
	h = &r->ut.head[bucket(&r->ut, key)];
	u->next = *h;
	*h = i;
	r->ut.n++;
	return (u);
}

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
	if (*n == MASKS) {
		memmove(list, list + 1, (MASKS - 1) * sizeof *list);
		(*n)--;
	}
	list[(*n)++] = mask;
}

struct looked_up {
	struct object *best;
	bool fresh;
};

/* Of two that match Varnish takes the one that came last. */
static void
consider(struct object *o, int64_t now, struct looked_up *l)
{
	if (o == NULL || now < o->born || now >= o->gone)
		return;
	if (l->best != NULL && l->best->born >= o->born)
		return;
	l->best = o;
	l->fresh = now < o->expires;
}

static void
touch(struct live_replay *r, struct object *o)
{
	if (r->opt.storage == 0)
		return;
	unlink_lru(r, o);
	link_lru(r, o);
}

/* Put an object there, in the place of one that was. */
static int
store(struct live_replay *r, unsigned s, uint64_t key, uint64_t url,
    int64_t born, int64_t origin, double ttl, double grace, uint64_t bytes,
    bool hfm)
{
	struct live_scenario *sc = &r->scenario[s];
	struct object *o = find_object(r, key);

	if (o == NULL) {
		o = new_object(r, key);
		if (o == NULL)
			return (-ENOMEM);
		o->scenario = (uint8_t)s;
		link_lru(r, o);
	} else {
		sc->resident -= o->bytes;
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
	sc->resident += o->bytes;
	if (r->opt.storage > 0) {
		/* One that is larger than the store goes like any other. */
		while (sc->resident > r->opt.storage && r->lru_old[s] != NIL) {
			drop_object(r, &r->object[r->lru_old[s]]);
			sc->evicted++;
		}
	}
	if (sc->resident_max < sc->resident)
		sc->resident_max = sc->resident;
	return (0);
}

/* What a fetch brings in this scenario, when the log has none for it. */
static int
refill(struct live_replay *r, unsigned s, const struct live_event *e,
    struct url *u, uint32_t drop, uint32_t form)
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
	return (store(r, s, key_of(s, u->key, mask, form, v, differs), u->key,
	    e->us, e->fetched ? e->origin_us : e->us, ttl, grace,
	    hfm ? 0 : bytes, hfm));
}

/* One lookup in one scenario.  Sets *ret_hit; 0 or -ENOMEM. */
static int
play(struct live_replay *r, unsigned s, const struct live_event *e,
    struct url *u, bool *ret_hit, bool *ret_assumed)
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
		struct object *o;

		/*
		 * What a scenario does not affect is the same in the cache as
		 * it was; with a storage size only until they went apart.
		 */
		shares = s != 0 && !declared && (mask[i] & sc->affects) == 0;
		if (shares) {
			uint32_t d = r->key_on_encoding ? 0 : r->encoding;

			o = find_object(
			    r, key_of(0, u->key, mask[i] & ~d, 0, &e->req, 0));
			if (o != NULL && o->born < since)
				consider(o, e->us, &l);
		}
		o = find_object(
		    r, key_of(s, u->key, mask[i] & ~drop, form, &e->req, 0));
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
		return (store(r, s, key_of(s, u->key, m, form, &e->req, 0),
		    u->key, e->us, e->us, e->left_ttl > 0 ? e->left_ttl : 0,
		    e->left_grace, u->bytes, false));
	}
	/* A miss, or a stale hit that sets off a fetch. */
	return (refill(r, s, e, u, drop, form));
}

static void
learn_url(struct live_replay *r, const struct live_event *e, struct url *u)
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
goes_its_own_way(const struct live_replay *r, unsigned s, const struct url *u)
{
	const struct live_scenario *sc = &r->scenario[s];

	if (r->opt.storage > 0)
		return (true);
	return (sc->kind == LIVE_AS_DECLARED ? u->redeclared
					     : (u->any & sc->affects) != 0);
}

static int
decide(struct live_replay *r, const struct live_event *e)
{
	struct live_replay_result *t = &r->result;
	struct url *u;
	uint64_t hits = 0;
	double w;
	bool hit, base, assumed;
	unsigned s;
	int x;

	if (r->now < e->us)
		r->now = e->us;
	if (!sampled(r, e->url))
		return (0);
	if (memory(r) > r->opt.memory) {
		make_room(r);
		if (!sampled(r, e->url))
			return (0);
	}
	w = (double)(UINT64_C(1) << 63) / (double)r->threshold;
	u = find_url(r, e->url);
	if (u == NULL && (u = new_url(r, e->url)) == NULL)
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

static bool
earlier(const struct live_replay *r, uint32_t a, uint32_t b)
{
	/* Of one moment the one that was logged first. */
	if (r->event[a].us != r->event[b].us)
		return (r->event[a].us < r->event[b].us);
	return (r->event[a].order < r->event[b].order);
}

static void
push(struct live_replay *r, uint32_t e)
{
	uint32_t i = r->waiting++;

	while (i > 0 && earlier(r, e, r->heap[(i - 1) / 2])) {
		r->heap[i] = r->heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	r->heap[i] = e;
}

static uint32_t
pop(struct live_replay *r)
{
	uint32_t top = r->heap[0], last = r->heap[--r->waiting], i = 0;

	for (;;) {
		uint32_t c = 2 * i + 1;

		if (c >= r->waiting)
			break;
		if (c + 1 < r->waiting &&
		    earlier(r, r->heap[c + 1], r->heap[c]))
			c++;
		if (!earlier(r, r->heap[c], last))
			break;
		r->heap[i] = r->heap[c];
		i = c;
	}
	r->heap[i] = last;
	return (top);
}

int
live_replay_settle(struct live_replay *r, int64_t before)
{
	while (r->waiting > 0 && r->event[r->heap[0]].us < before) {
		uint32_t e = pop(r);
		int x = decide(r, &r->event[e]);

		r->spare_event[r->spares++] = e;
		if (x < 0)
			return (x);
	}
	return (0);
}

int
live_replay_add(struct live_replay *r, const struct live_event *e)
{
	uint32_t i;
	int x;

	if (r->first == INT64_MAX || e->us < r->first)
		r->first = e->us;
	if (r->waiting == WINDOW_MAX) {
		/* A burst: the window is shorter than it should be. */
		x = live_replay_settle(r, r->event[r->heap[0]].us + 1);
		if (x < 0)
			return (x);
	}
	i = r->spare_event[--r->spares];
	r->event[i] = *e;
	r->event[i].order = r->order++;
	push(r, i);
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
	r->threshold = UINT64_C(1) << 63;
	r->declared = -1;
	memset(r->lru_old, 0xff, sizeof r->lru_old);
	memset(r->lru_new, 0xff, sizeof r->lru_new);
	for (i = 0; i < LIVE_MEMBERS_MAX; i++)
		r->dropped[i] = r->normalised[i] = -1;
	r->event = malloc(WINDOW_MAX * sizeof *r->event);
	r->heap = malloc(WINDOW_MAX * sizeof *r->heap);
	r->spare_event = malloc(WINDOW_MAX * sizeof *r->spare_event);
	if (r->event == NULL || r->heap == NULL || r->spare_event == NULL ||
	    table_init(&r->ot) < 0 || table_init(&r->ut) < 0) {
		live_replay_close(&r);
		return (-ENOMEM);
	}
	for (i = 0; i < WINDOW_MAX; i++)
		r->spare_event[r->spares++] = WINDOW_MAX - 1 - i;
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
	free(r->event);
	free(r->heap);
	free(r->spare_event);
	free(r->ot.head);
	free(r->ut.head);
	free(r->object);
	free(r->url);
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
	ret->sample = (double)r->threshold / (double)(UINT64_C(1) << 63);
	ret->objects = r->ot.n;
	ret->urls = r->ut.n;
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
