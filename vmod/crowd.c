/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cache/cache.h"

#include "vmod/crowd.h"

struct crowd_variant {
	uint32_t hash;
	uint32_t until;
};

struct crowd_url {
	uint64_t key; /* of the hash's 32 bytes, eight: they are SHA-256 */
	double last;  /* 0: free */
	unsigned n;
	struct crowd_variant variant[CROWD_MAX];
};

struct crowd_set {
	pthread_mutex_t mtx; /* held for one walk over a URL's variants */
	struct crowd_url url[CROWD_WAYS];
};

struct crowd {
	unsigned magic;
#define CROWD_MAGIC 0x2c8d70b5
	struct crowd_set set[CROWD_SETS];
};

void
crowd_open(struct crowd **ret)
{
	struct crowd *c;
	unsigned u;

	ALLOC_OBJ(c, CROWD_MAGIC);
	AN(c);
	for (u = 0; u < CROWD_SETS; u++)
		AZ(pthread_mutex_init(&c->set[u].mtx, NULL));
	*ret = c;
}

void
crowd_close(struct crowd **cp)
{
	struct crowd *c;
	unsigned u;

	if (*cp == NULL)
		return;
	TAKE_OBJ_NOTNULL(c, cp, CROWD_MAGIC);
	for (u = 0; u < CROWD_SETS; u++)
		AZ(pthread_mutex_destroy(&c->set[u].mtx));
	FREE_OBJ(c);
}

/* Its place in the set: its own, a free one, or the one that rests longest. */
static struct crowd_url *
url_of(struct crowd_set *s, uint64_t key)
{
	struct crowd_url *url = &s->url[0];
	unsigned u;

	for (u = 0; u < CROWD_WAYS; u++) {
		if (s->url[u].last != 0 && s->url[u].key == key)
			return (&s->url[u]);
		if (s->url[u].last < url->last)
			url = &s->url[u];
	}
	url->key = key;
	url->n = 0;
	return (url);
}

unsigned
crowd_add(struct crowd *c, const uint8_t digest[DIGEST_LEN], uint32_t variant,
    double now, double until)
{
	struct crowd_set *s;
	struct crowd_url *url;
	struct crowd_variant *v;
	unsigned u, n = 0;
	uint64_t key;
	bool known = false;

	CHECK_OBJ_NOTNULL(c, CROWD_MAGIC);
	memcpy(&key, digest, sizeof key);
	s = &c->set[digest[DIGEST_LEN - 1] % CROWD_SETS];
	AZ(pthread_mutex_lock(&s->mtx));
	url = url_of(s, key);
	url->last = now;
	for (u = 0; u < url->n; u++) {
		v = &url->variant[u];
		if (v->until < now)
			continue;
		if (v->hash == variant)
			known = true;
		else
			url->variant[n++] = *v;
	}
	/* A full list takes no more: what is new then is new each time. */
	if (n < CROWD_MAX) {
		v = &url->variant[n++];
		v->hash = variant;
		v->until = until < UINT32_MAX ? (uint32_t)until : UINT32_MAX;
	}
	url->n = n;
	AZ(pthread_mutex_unlock(&s->mtx));
	return (known ? 0 : n);
}
