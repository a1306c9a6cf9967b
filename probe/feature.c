/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/feature.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "probe/hash.h"

#define KIND_SHIFT 60
#define HASH_MASK  ((UINT64_C(1) << KIND_SHIFT) - 1)

/* The n-th equal line is the first one's hash and n times this. */
#define AGAIN UINT64_C(0x9e3779b97f4a7c1)

enum {
	MAX_FEATURES = 256 * 1024,
	MAX_AGAIN = 64,
};

/* --- collecting ---------------------------------------------------------- */

static int
reserve(struct probe_features *f, size_t n)
{
	size_t cap;
	probe_feature *v;

	if (n <= f->cap)
		return (0);
	for (cap = f->cap > 0 ? f->cap : 64; cap < n; cap *= 2)
		continue;
	v = realloc(f->f, cap * sizeof *v);
	if (v == NULL)
		return (-ENOMEM);
	f->f = v;
	f->cap = cap;
	return (0);
}

struct collection {
	struct probe_features *into;
	int error;
};

static probe_feature
feature(enum probe_feature_kind k, uint64_t h)
{
	return (((uint64_t)k << KIND_SHIFT) | (h & HASH_MASK));
}

static bool
collect(void *baton, enum probe_feature_kind k, uint64_t h,
    const struct probe_place *at)
{
	struct collection *c = baton;

	if (c->into->n == MAX_FEATURES)
		c->error = -E2BIG;
	else
		c->error = reserve(c->into, c->into->n + 1);
	if (c->error != 0)
		return (true);
	c->into->f[c->into->n++] = feature(k, h);
	return (false);
}

static int
ascending(const void *a, const void *b)
{
	probe_feature x, y;

	memcpy(&x, a, sizeof x);
	memcpy(&y, b, sizeof y);
	return (x < y ? -1 : x > y);
}

/*
 * qsort() calls back for each comparison, and half of the features are
 * duplicates: three parts, inline.  The hashes are seeded, so that no page is
 * made to be slow; the smaller part is recursed into, so that none is deep.
 */
static void
sort(probe_feature *v, size_t n)
{
	probe_feature pivot, swap;
	size_t lt, gt, i;

	while (n > 16) {
		pivot = v[n / 2];
		lt = i = 0;
		gt = n;
		while (i < gt) {
			if (v[i] == pivot)
				i++;
			else if (v[i] < pivot) {
				swap = v[i];
				v[i++] = v[lt];
				v[lt++] = swap;
			} else {
				swap = v[i];
				v[i] = v[--gt];
				v[gt] = swap;
			}
		}
		if (lt < n - gt) {
			sort(v, lt);
			v += gt;
			n -= gt;
		} else {
			sort(v + gt, n - gt);
			n = lt;
		}
	}
	for (i = 1; i < n; i++) {
		swap = v[i];
		for (lt = i; lt > 0 && v[lt - 1] > swap; lt--)
			v[lt] = v[lt - 1];
		v[lt] = swap;
	}
}

static bool
counts(probe_feature f)
{
	return (probe_feature_kind(f) == PROBE_F_LINE ||
		probe_feature_kind(f) == PROBE_F_JSON);
}

static probe_feature
again(probe_feature f, unsigned n)
{
	return ((f & ~HASH_MASK) | ((f + n * AGAIN) & HASH_MASK));
}

/* Sort; equal tokens are one, equal lines are the first, second, ... */
static void
settle(struct probe_features *s)
{
	size_t i, j, n = 0, k;
	bool renamed = false;

	if (s->n == 0)
		return;
	sort(s->f, s->n);
	for (i = 0; i < s->n; i = j) {
		probe_feature f = s->f[i];

		for (j = i + 1; j < s->n && s->f[j] == f; j++)
			continue;
		k = counts(f) ? j - i : 1;
		if (k > MAX_AGAIN)
			k = MAX_AGAIN;
		/* n <= i: nothing unread is overwritten. */
		s->f[n++] = f;
		for (size_t m = 1; m < k; m++) {
			s->f[n++] = again(f, (unsigned)m);
			renamed = true;
		}
	}
	s->n = n;
	if (!renamed)
		return;
	sort(s->f, s->n);
	for (i = 1, n = 1; i < s->n; i++)
		if (s->f[i] != s->f[i - 1])
			s->f[n++] = s->f[i];
	s->n = n;
}

int
probe_features_of_head(struct probe_features *ret, uint64_t seed, int status,
    const struct probe_line *lines, size_t nlines)
{
	struct collection c = { .into = ret };
	const struct probe_walk w = { seed, collect, &c };

	ret->n = 0;
	(void)probe_walk_head(&w, status, lines, nlines);
	settle(ret);
	/* A head of so many words is cut: no page has one. */
	return (c.error == -E2BIG ? 0 : c.error);
}

int
probe_features_of_body(
    struct probe_features *ret, uint64_t seed, const char *body, size_t len)
{
	struct collection c = { .into = ret };
	const struct probe_walk w = { seed, collect, &c };

	ret->n = 0;
	(void)probe_walk_body(&w, body, len);
	if (c.error == -E2BIG) {
		/* The first one visited is the whole. */
		ret->n = 1;
		return (0);
	}
	settle(ret);
	return (c.error);
}

uint64_t
probe_features_signature(uint64_t seed, int status,
    const struct probe_line *lines, size_t nlines, const char *body, size_t len)
{
	uint64_t h = probe_hash_mix(seed + (uint64_t)status);
	size_t i;

	for (i = 0; i < nlines; i++) {
		if (probe_walk_passes_over(&lines[i]))
			continue;
		/* The spelling of a name is no feature, but two spellings are
		 * rare, and only cost time. */
		h = probe_hash(h, lines[i].name, lines[i].name_len);
		h = probe_hash(h, lines[i].value, lines[i].value_len);
	}
	return (probe_hash_body(h, body, len));
}

void
probe_features_fini(struct probe_features *s)
{
	free(s->f);
	memset(s, 0, sizeof *s);
}

/* --- sets ---------------------------------------------------------------- */

void
probe_features_intersect(
    struct probe_features *a, const struct probe_features *b)
{
	size_t i, j = 0, n = 0;

	for (i = 0; i < a->n; i++) {
		while (j < b->n && b->f[j] < a->f[i])
			j++;
		if (j < b->n && b->f[j] == a->f[i])
			a->f[n++] = a->f[i];
	}
	a->n = n;
}

void
probe_features_subtract(
    struct probe_features *a, const struct probe_features *b)
{
	size_t i, j = 0, n = 0;

	for (i = 0; i < a->n; i++) {
		while (j < b->n && b->f[j] < a->f[i])
			j++;
		if (j == b->n || b->f[j] != a->f[i])
			a->f[n++] = a->f[i];
	}
	a->n = n;
}

int
probe_features_merge(struct probe_features *a, const struct probe_features *b)
{
	size_t i = a->n, j = b->n, n, d;
	int r;

	r = reserve(a, a->n + b->n);
	if (r < 0)
		return (r);
	/* From the end, in place; then out with the duplicates. */
	for (n = a->n + b->n; j > 0;)
		if (i > 0 && a->f[i - 1] > b->f[j - 1])
			a->f[--n] = a->f[--i];
		else
			a->f[--n] = b->f[--j];
	a->n += b->n;
	for (d = 0, n = 0; d < a->n; d++)
		if (n == 0 || a->f[d] != a->f[n - 1])
			a->f[n++] = a->f[d];
	a->n = n;
	return (0);
}

bool
probe_features_has(const struct probe_features *s, probe_feature f)
{
	return (
	    s->n > 0 && bsearch(&f, s->f, s->n, sizeof f, ascending) != NULL);
}

int
probe_features_copy(struct probe_features *ret, const struct probe_features *s)
{
	int r = reserve(ret, s->n);

	if (r < 0)
		return (r);
	if (s->n > 0)
		memcpy(ret->f, s->f, s->n * sizeof *s->f);
	ret->n = s->n;
	return (0);
}

/* --- finding ------------------------------------------------------------- */

static bool
is_consequence(const struct probe_place *at)
{
	static const char *const names[] = { "etag", "last-modified",
		"content-location", "expires", "cache-control", "server" };
	size_t i;

	for (i = 0; at->name != NULL && i < sizeof names / sizeof *names; i++)
		if (strlen(names[i]) == at->name_len &&
		    strncasecmp(names[i], at->name, at->name_len) == 0)
			return (true);
	return (false);
}

struct search {
	const struct probe_features *among;
	enum probe_feature_kind from, to;
	bool found;
	struct probe_place *place;
};

static bool
match(void *baton, enum probe_feature_kind k, uint64_t h,
    const struct probe_place *at)
{
	struct search *s = baton;
	probe_feature f = feature(k, h);
	unsigned n, last = counts(f) ? 8 : 1;

	if (k < s->from || k > s->to)
		return (false);
	for (n = 0; n < last; n++)
		if (probe_features_has(s->among, again(f, n)))
			break;
	if (n == last)
		return (false);
	if (is_consequence(at)) {
		if (!s->found)
			*s->place = *at;
		s->found = true;
		return (false);
	}
	s->found = true;
	*s->place = *at;
	return (true);
}

bool
probe_features_first(const struct probe_features *set, uint64_t seed,
    enum probe_feature_kind from, enum probe_feature_kind to, int status,
    const struct probe_line *lines, size_t nlines, const char *body, size_t len,
    struct probe_place *ret)
{
	struct search s = {
		.among = set, .from = from, .to = to, .place = ret
	};
	const struct probe_walk w = { seed, match, &s };

	if (from <= PROBE_F_HEADER_TOKEN &&
	    probe_walk_head(&w, status, lines, nlines))
		return (true);
	if (!s.found && to > PROBE_F_HEADER_TOKEN)
		(void)probe_walk_body(&w, body, len);
	return (s.found);
}
