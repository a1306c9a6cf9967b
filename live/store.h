/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The objects of replayed caches, and the URLs that they are of, in bounded
 * memory: when both no longer fit, half of the URLs are left out.
 * Room: live/.  Pure.
 *
 * Pointers to objects and URLs are good until the next is made.
 */
#ifndef LIVE_STORE_H
#define LIVE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "live/replay.h"

#define LIVE_STORE_MASKS 4 /* different Vary of one URL */
#define LIVE_STORE_NIL   UINT32_MAX

/* What a look at one needs is in front: it is one line of the processor's cache. */
struct live_object {
	uint64_t key;
	int64_t born, expires, gone; /* microseconds; gone: grace is over */
	uint32_t next;               /* in the bucket; free list */
	uint8_t scenario;
	bool used, hit_for_miss;
	uint32_t older, newer; /* least recently used first */
	uint64_t url, bytes;
};

struct live_url {
	uint64_t key;
	uint64_t base; /* of its objects' keys; another one after a purge */
	int64_t seen, gone;
	uint32_t mask[LIVE_STORE_MASKS], declared[LIVE_STORE_MASKS];
	uint32_t any, differs; /* members of all masks; req != bereq */
	uint32_t mask_last, declared_last;
	double ttl, grace; /* of the last that could be stored */
	uint64_t bytes;
	uint32_t next;
	uint8_t masks, declareds;
	bool used, storable, redeclared;
};

/* Things in an array that can be found by a key and given back. */
struct live_table {
	uint32_t *head;
	uint32_t heads, n, cap, top, spare;
};

struct live_store {
	struct live_table ot, ut;
	struct live_object *object;
	struct live_url *url;
	uint32_t lru_old[LIVE_SCENARIOS_MAX], lru_new[LIVE_SCENARIOS_MAX];
	uint64_t resident[LIVE_SCENARIOS_MAX]; /* bytes of their objects */
	uint64_t threshold; /* URLs with a hash below are in the sample */
	size_t memory;      /* bytes for objects and URLs */
};

/* 0 or -ENOMEM. */
int live_store_init(struct live_store *, size_t memory);
void live_store_fini(struct live_store *);

/* Is this URL in the sample? */
bool live_store_sampled(const struct live_store *, uint64_t url);

/* The part of all URLs that is; 1: all. */
double live_store_sample(const struct live_store *);

bool live_store_full(const struct live_store *);

/*
 * Make room: first what is gone by now, then half of the URLs.  What was counted
 * so far stays counted.
 */
void live_store_make_room(struct live_store *, int64_t now);

/* A new one, all zero; NULL: no memory. */
struct live_object *
live_store_new_object(struct live_store *, uint64_t key, unsigned scenario);
struct live_url *live_store_new_url(struct live_store *, uint64_t key);

void live_store_drop_object(struct live_store *, struct live_object *);

/* It was used: others go before it. */
void live_store_touch(struct live_store *, struct live_object *);

/* A bucket is a power of two; its low bits are those of neither sketch nor memo. */
static inline uint32_t
live_table_bucket(const struct live_table *t, uint64_t key)
{
	return ((uint32_t)(key >> 20) & (t->heads - 1));
}

/* NULL: there is none. */
static inline struct live_object *
live_store_object(struct live_store *st, uint64_t key)
{
	uint32_t i = st->ot.head[live_table_bucket(&st->ot, key)];

	while (i != LIVE_STORE_NIL && st->object[i].key != key)
		i = st->object[i].next;
	return (i == LIVE_STORE_NIL ? NULL : &st->object[i]);
}

static inline struct live_url *
live_store_url(struct live_store *st, uint64_t key)
{
	uint32_t i = st->ut.head[live_table_bucket(&st->ut, key)];

	while (i != LIVE_STORE_NIL && st->url[i].key != key)
		i = st->url[i].next;
	return (i == LIVE_STORE_NIL ? NULL : &st->url[i]);
}
#endif
