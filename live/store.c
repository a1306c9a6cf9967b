/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/store.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "live/hash.h"

enum {
	HEADS_FIRST = 1024
};

static int
table_init(struct live_table *t)
{
	t->heads = HEADS_FIRST;
	t->head = malloc(t->heads * sizeof *t->head);
	if (t->head == NULL)
		return (-ENOMEM);
	memset(t->head, 0xff, t->heads * sizeof *t->head);
	t->spare = LIVE_STORE_NIL;
	return (0);
}

static size_t
memory(const struct live_store *st)
{
	return (st->ot.n * (sizeof *st->object + 2 * sizeof(uint32_t)) +
		st->ut.n * (sizeof *st->url + 2 * sizeof(uint32_t)));
}

static void
unlink_lru(struct live_store *st, struct live_object *o)
{
	if (o->older != LIVE_STORE_NIL)
		st->object[o->older].newer = o->newer;
	else
		st->lru_old[o->scenario] = o->newer;
	if (o->newer != LIVE_STORE_NIL)
		st->object[o->newer].older = o->older;
	else
		st->lru_new[o->scenario] = o->older;
}

static void
link_lru(struct live_store *st, struct live_object *o)
{
	uint32_t i = (uint32_t)(o - st->object);

	o->newer = LIVE_STORE_NIL;
	o->older = st->lru_new[o->scenario];
	if (o->older != LIVE_STORE_NIL)
		st->object[o->older].newer = i;
	else
		st->lru_old[o->scenario] = i;
	st->lru_new[o->scenario] = i;
}

void
live_store_drop_object(struct live_store *st, struct live_object *o)
{
	uint32_t *p = &st->ot.head[live_table_bucket(&st->ot, o->key)];
	uint32_t i = (uint32_t)(o - st->object);

	while (*p != i)
		p = &st->object[*p].next;
	*p = o->next;
	unlink_lru(st, o);
	st->resident[o->scenario] -= o->bytes;
	o->used = false;
	o->next = st->ot.spare;
	st->ot.spare = i;
	st->ot.n--;
}

static void
drop_url(struct live_store *st, struct live_url *u)
{
	uint32_t *p = &st->ut.head[live_table_bucket(&st->ut, u->key)];
	uint32_t i = (uint32_t)(u - st->url);

	while (*p != i)
		p = &st->url[*p].next;
	*p = u->next;
	u->used = false;
	u->next = st->ut.spare;
	st->ut.spare = i;
	st->ut.n--;
}

/* Two heads or more for each thing: what shares one is a walk through memory. */
static int
spread(struct live_store *st, struct live_table *t)
{
	uint32_t i, n, *head;

	if (2 * t->n < t->heads || t->heads >= UINT32_C(1) << 26)
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
		bool used = t == &st->ot ? st->object[i].used : st->url[i].used;
		uint64_t key =
		    t == &st->ot ? st->object[i].key : st->url[i].key;
		uint32_t *h = &head[live_table_bucket(t, key)];

		if (!used)
			continue;
		if (t == &st->ot)
			st->object[i].next = *h;
		else
			st->url[i].next = *h;
		*h = i;
	}
	return (0);
}

bool
live_store_sampled(const struct live_store *st, uint64_t url)
{
	return (live_hash_mix(url) >> 1 < st->threshold);
}

void
live_store_make_room(struct live_store *st, int64_t now)
{
	uint32_t i;

	for (i = 0; i < st->ot.top; i++)
		if (st->object[i].used && st->object[i].gone < now)
			live_store_drop_object(st, &st->object[i]);
	for (i = 0; i < st->ut.top; i++)
		if (st->url[i].used && st->url[i].gone < now)
			drop_url(st, &st->url[i]);
	while (memory(st) > st->memory / 4 * 3 && st->threshold > 1) {
		st->threshold /= 2;
		for (i = 0; i < st->ot.top; i++)
			if (st->object[i].used &&
			    !live_store_sampled(st, st->object[i].url))
				live_store_drop_object(st, &st->object[i]);
		for (i = 0; i < st->ut.top; i++)
			if (st->url[i].used &&
			    !live_store_sampled(st, st->url[i].key))
				drop_url(st, &st->url[i]);
	}
}

static void *
grow(void *old, uint32_t *cap, size_t size)
{
	uint32_t n = *cap == 0 ? 256 : *cap + *cap / 2;
	void *p;

	if (n >= LIVE_STORE_NIL - 1)
		return (NULL);
	p = realloc(old, n * size);
	if (p != NULL)
		*cap = n;
	return (p);
}

struct live_object *
live_store_new_object(struct live_store *st, uint64_t key, unsigned scenario)
{
	struct live_object *o;
	uint32_t i, *h;

	if (spread(st, &st->ot) < 0)
		return (NULL);
	if (st->ot.spare != LIVE_STORE_NIL) {
		i = st->ot.spare;
		st->ot.spare = st->object[i].next;
	} else {
		if (st->ot.top == st->ot.cap) {
			void *p = grow(st->object, &st->ot.cap, sizeof *o);

			if (p == NULL)
				return (NULL);
			st->object = p;
		}
		i = st->ot.top++;
	}
	o = &st->object[i];
	memset(o, 0, sizeof *o);
	o->key = key;
	o->used = true;
	o->scenario = (uint8_t)scenario;
	h = &st->ot.head[live_table_bucket(&st->ot, key)];
	o->next = *h;
	*h = i;
	st->ot.n++;
	link_lru(st, o);
	return (o);
}

struct live_url *
live_store_new_url(struct live_store *st, uint64_t key)
{
	struct live_url *u;
	uint32_t i, *h;

	if (spread(st, &st->ut) < 0)
		return (NULL);
	if (st->ut.spare != LIVE_STORE_NIL) {
		i = st->ut.spare;
		st->ut.spare = st->url[i].next;
	} else {
		if (st->ut.top == st->ut.cap) {
			void *p = grow(st->url, &st->ut.cap, sizeof *u);

			if (p == NULL)
				return (NULL);
			st->url = p;
		}
		i = st->ut.top++;
	}
	u = &st->url[i];
	memset(u, 0, sizeof *u);
	u->key = u->base = key;
	u->used = true;
	u->ttl = u->grace = -1;
	h = &st->ut.head[live_table_bucket(&st->ut, key)];
	u->next = *h;
	*h = i;
	st->ut.n++;
	return (u);
}

int
live_store_init(struct live_store *st, size_t memory_max)
{
	memset(st, 0, sizeof *st);
	memset(st->lru_old, 0xff, sizeof st->lru_old);
	memset(st->lru_new, 0xff, sizeof st->lru_new);
	st->threshold = UINT64_C(1) << 63;
	st->memory = memory_max;
	if (table_init(&st->ot) < 0 || table_init(&st->ut) < 0) {
		live_store_fini(st);
		return (-ENOMEM);
	}
	return (0);
}

void
live_store_fini(struct live_store *st)
{
	free(st->ot.head);
	free(st->ut.head);
	free(st->object);
	free(st->url);
	memset(st, 0, sizeof *st);
}

double
live_store_sample(const struct live_store *st)
{
	return ((double)st->threshold / (double)(UINT64_C(1) << 63));
}

bool
live_store_full(const struct live_store *st)
{
	return (memory(st) > st->memory);
}

void
live_store_touch(struct live_store *st, struct live_object *o)
{
	unlink_lru(st, o);
	link_lru(st, o);
}
