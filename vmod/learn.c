/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cache/cache.h"

#include "vmod/compat.h"
#include "vmod/headers.h"
#include "vmod/learn.h"

struct folder {
	double born; /* 0: free */
	struct learn_key key;
	struct vary_avail axis[VARY_AVAIL_AXES];
};

struct learn_set {
	pthread_mutex_t mtx; /* held for a comparison and a copy, no longer */
	struct folder folder[LEARN_WAYS];
};

struct learn {
	unsigned magic;
#define LEARN_MAGIC 0x5e0a41d3
	struct header_name hint[VARY_AVAIL_AXES];
	struct learn_set set[LEARN_SETS];
};

void
learn_open(struct learn **ret)
{
	struct learn *l;
	unsigned u;

	ALLOC_OBJ(l, LEARN_MAGIC);
	AN(l);
	for (u = 0; u < VARY_AVAIL_AXES; u++)
		AN(header_name_init(
		    &l->hint[u], vary_span_str(vary_avail_name(u)->hint)));
	for (u = 0; u < LEARN_SETS; u++)
		AZ(pthread_mutex_init(&l->set[u].mtx, NULL));
	*ret = l;
}

void
learn_close(struct learn **lp)
{
	struct learn *l;
	unsigned u;

	if (*lp == NULL)
		return;
	TAKE_OBJ_NOTNULL(l, lp, LEARN_MAGIC);
	for (u = 0; u < LEARN_SETS; u++)
		AZ(pthread_mutex_destroy(&l->set[u].mtx));
	FREE_OBJ(l);
}

bool
learn_key_init(struct learn_key *k, const struct http *hp)
{
	const char *method = hp->hd[HTTP_HDR_METHOD].b, *host, *b, *e;
	struct vary_span url;
	size_t n;

	/*
	 * A form that is sent may need cookies that no page is chosen by: only
	 * what can be answered from the cache is looked up.
	 */
	if (method == NULL ||
	    (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0) ||
	    !http_GetHdr(hp, H_Host, &host))
		return (false);
	n = strlen(host);
	b = hp->hd[HTTP_HDR_URL].b;
	if (b == NULL || n >= sizeof k->b)
		return (false);
	url = (struct vary_span){ b, (size_t)(hp->hd[HTTP_HDR_URL].e - b) };
	e = memchr(b, '?', url.len);
	e = e == NULL ? b + url.len : e;
	while (e > b && e[-1] != '/')
		e--;
	url.len = (size_t)(e - b);
	if (url.len == 0 || n + url.len > sizeof k->b)
		return (false);
	vary_name_lower((struct vary_span){ host, n }, k->b);
	memcpy(k->b + n, url.b, url.len);
	k->len = n + url.len;
	return (true);
}

/* FNV-1a: who floods one set on purpose has lost no more than that set. */
static struct learn_set *
set_of(struct learn *l, const struct learn_key *k)
{
	uint32_t h = 2166136261U;
	size_t i;

	CHECK_OBJ_NOTNULL(l, LEARN_MAGIC);
	for (i = 0; i < k->len; i++)
		h = (h ^ (unsigned char)k->b[i]) * 16777619U;
	return (&l->set[(h ^ h >> 16) % LEARN_SETS]);
}

/* Its place in the set; with make, one that is free or the oldest one's. */
static struct folder *
folder_of(struct learn_set *s, const struct learn_key *k, double now, bool make)
{
	struct folder *f, *oldest = &s->folder[0];
	unsigned u;

	for (u = 0; u < LEARN_WAYS; u++) {
		f = &s->folder[u];
		if (f->born != 0 && f->born + LEARN_TTL < now)
			f->born = 0;
		if (f->born != 0 && f->key.len == k->len &&
		    memcmp(f->key.b, k->b, k->len) == 0)
			return (f);
		if (f->born < oldest->born)
			oldest = f;
	}
	if (!make)
		return (NULL);
	memset(oldest, 0, sizeof *oldest);
	oldest->born = now;
	oldest->key = *k;
	return (oldest);
}

/*
 * The lines of a hint are one value, with a comma between them (RFC 9651 section
 * 4.2); an empty one is an empty member, which no list has.  False: too long.
 */
static bool
join_lines(const struct http *hp, const struct header_name *h,
    char buf[LEARN_LINES_MAX], struct vary_span *ret)
{
	struct vary_span v;
	unsigned pos = 0, n = 0;
	size_t len = 0;

	while (header_next(hp, h, &pos, &v)) {
		if (v.len + 2 > LEARN_LINES_MAX - len)
			return (false);
		if (n++ > 0) {
			memcpy(buf + len, ", ", 2);
			len += 2;
		}
		if (v.len > 0)
			memcpy(buf + len, v.b, v.len);
		len += v.len;
	}
	*ret = (struct vary_span){ buf, len };
	return (true);
}

unsigned
learn_response(struct learn *l, const struct learn_key *k, double now,
    const struct http *hp, const struct vary_set *set)
{
	struct header_seek s[VARY_AVAIL_AXES];
	struct learn_set *place = set_of(l, k);
	struct folder *f;
	struct vary_span joined[VARY_AVAIL_AXES], *value[VARY_AVAIL_AXES];
	char buf[VARY_AVAIL_AXES][LEARN_LINES_MAX];
	unsigned u, any = 0, silent = 0, changed = 0;

	for (u = 0; u < VARY_AVAIL_AXES; u++)
		s[u].name = &l->hint[u];
	header_seek(hp, s, VARY_AVAIL_AXES);
	for (u = 0; u < VARY_AVAIL_AXES; u++) {
		any |= s[u].n > 0;
		value[u] = s[u].n > 0 ? &s[u].first : NULL;
		if (s[u].n > 1)
			value[u] =
			    join_lines(hp, &l->hint[u], buf[u], &joined[u])
				? &joined[u]
				: NULL;
		if (s[u].n == 0 && set != NULL &&
		    vary_set_has(
			set, vary_span_str(vary_avail_name(u)->request)))
			silent |= 1U << u;
	}
	AZ(pthread_mutex_lock(&place->mtx));
	/* Who never gives a hint takes nobody's place. */
	f = folder_of(place, k, now, any);
	for (u = 0; f != NULL && u < VARY_AVAIL_AXES; u++) {
		if ((s[u].n > 0 || (silent >> u & 1U)) &&
		    vary_avail_learn(&f->axis[u], u, value[u]))
			changed |= 1U << u;
	}
	AZ(pthread_mutex_unlock(&place->mtx));
	return (changed);
}

bool
learn_look_up(struct learn *l, const struct learn_key *k, double now,
    struct vary_avail ret[VARY_AVAIL_AXES])
{
	struct learn_set *place = set_of(l, k);
	struct folder *f;

	AZ(pthread_mutex_lock(&place->mtx));
	f = folder_of(place, k, now, false);
	if (f != NULL)
		memcpy(ret, f->axis, sizeof f->axis);
	AZ(pthread_mutex_unlock(&place->mtx));
	return (f != NULL);
}
