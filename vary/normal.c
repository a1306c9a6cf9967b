/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two lists are made from one set: members for the cache and members for the
 * client.  They differ where a verb says so, and both are written at the end,
 * so that nothing is half done when the buffer is too small.
 */
#include "vary/normal.h"

#include <assert.h>
#include <string.h>

#include "vary/name.h"

static const char separator[] = ", ";
#define SEPARATOR_LEN (sizeof separator - 1)

/* Every member and every rule may add one name to each list. */
#define LIST_MAX (2 * VARY_SET_MAX)

struct entry {
	struct vary_span name;
	struct vary_known known;
};

struct list {
	struct entry e[LIST_MAX];
	unsigned n;
	bool overflow;
};

static bool
add(struct list *l, struct vary_span name)
{
	unsigned i;

	for (i = 0; i < l->n; i++)
		if (vary_name_eq(l->e[i].name, name))
			return (false);
	if (l->n == LIST_MAX) {
		l->overflow = true;
		return (false);
	}
	l->e[l->n++].name = name;
	return (true);
}

static int
order(const struct entry *a, const struct entry *b)
{
	if (a->known.rank != b->known.rank)
		return (a->known.rank < b->known.rank ? -1 : 1);
	return (vary_name_cmp(a->name, b->name));
}

/* Insertion: lists are short, and most come in order. */
static void
sort(struct list *l)
{
	unsigned i, j;

	for (i = 0; i < l->n; i++)
		l->e[i].known = vary_name_known(l->e[i].name);
	for (i = 1; i < l->n; i++) {
		struct entry e = l->e[i];

		for (j = i; j > 0 && order(&e, &l->e[j - 1]) < 0; j--)
			l->e[j] = l->e[j - 1];
		l->e[j] = e;
	}
}

enum form {
	AS_MET,
	AS_REGISTERED,
	LOWER_CASE
};

static char *
put(const struct list *l, enum form form, char *p)
{
	unsigned i;

	for (i = 0; i < l->n; i++) {
		const struct entry *e = &l->e[i];

		if (i > 0) {
			memcpy(p, separator, SEPARATOR_LEN);
			p += SEPARATOR_LEN;
		}
		switch (form) {
		case AS_MET: memcpy(p, e->name.b, e->name.len); break;
		case AS_REGISTERED:
			vary_name_spell(e->name, &e->known, p);
			break;
		case LOWER_CASE: vary_name_lower(e->name, p); break;
		}
		p += e->name.len;
	}
	return (p);
}

static enum vary_verb
verb_for(const struct vary_policy *p, const struct vary_rule *r,
    struct vary_span name)
{
	/*
	 * A rule that only ensures a name has nothing to say of its class, but
	 * somebody who names a header has looked at it: his word counts.
	 */
	if (r != NULL)
		return (r->verb);
	switch (vary_name_known(name).class) {
	case VARY_CLASS_UNKEYABLE: return (p->unkeyable);
	case VARY_CLASS_INERT: return (p->inert);
	case VARY_CLASS_PLAIN: break;
	}
	return (p->other);
}

struct work {
	struct list cache, client;
	enum vary_share share;
	struct vary_tally *tally;
	enum vary_via via;
};

static void
unshare(struct work *w, enum vary_share why)
{
	if (w->share == VARY_SHARED)
		w->share = why;
}

static void
key(struct work *w, const struct vary_policy *p, struct vary_span name)
{
	if (!vary_policy_is_promoted(p, name))
		(void)add(&w->cache, name);
}

/* Several headers may be what one internal name is made from: all are told. */
static void
map(struct work *w, const struct vary_policy *p, const struct vary_rule *r)
{
	size_t i;

	key(w, p, r->to);
	(void)add(&w->client, r->name);
	for (i = 0; i < p->n; i++)
		if (p->rule[i].verb == VARY_MAP &&
		    vary_name_eq(p->rule[i].to, r->to))
			(void)add(&w->client, p->rule[i].name);
}

/* A name where this verb has it. */
static void
place(struct work *w, const struct vary_policy *p, const struct vary_rule *r,
    enum vary_verb verb, struct vary_span name)
{
	switch (verb) {
	case VARY_KEEP:
		key(w, p, name);
		(void)add(&w->client, name);
		break;
	case VARY_STRIP:
		if (w->via == VARY_VIA_PASS)
			(void)add(&w->client, name);
		break;
	case VARY_HIDE: key(w, p, name); break;
	case VARY_MAP: map(w, p, r); break;
	case VARY_RESTORE: (void)add(&w->client, name); break;
	case VARY_BYPASS:
		unshare(w, VARY_UNSHARED_BYPASS);
		(void)add(&w->client, name);
		break;
	}
}

static void
tally(struct vary_tally *t, enum vary_verb verb, bool promoted)
{
	switch (verb) {
	case VARY_KEEP:
		t->kept += !promoted;
		t->restored += promoted;
		break;
	case VARY_STRIP: t->stripped++; break;
	case VARY_HIDE: t->hidden++; break;
	case VARY_MAP: t->mapped++; break;
	case VARY_RESTORE: t->restored++; break;
	case VARY_BYPASS: break;
	}
}

static void
member(struct work *w, const struct vary_policy *p, struct vary_span name)
{
	const struct vary_rule *r = vary_policy_find(p, name);
	enum vary_verb verb = verb_for(p, r, name);

	tally(w->tally, verb, r != NULL && r->promoted);
	place(w, p, r, verb, name);
}

static void
ensure(struct work *w, const struct vary_policy *p)
{
	const struct vary_rule *r;
	unsigned before;
	size_t i;

	for (i = 0; i < p->n; i++) {
		if (!p->rule[i].ensure)
			continue;
		before = w->cache.n + w->client.n;
		r = vary_policy_find(p, p->rule[i].name);
		place(w, p, r, r->verb, p->rule[i].name);
		w->tally->ensured += w->cache.n + w->client.n > before;
	}
}

size_t
vary_normal_bound(const struct vary_policy *p, const struct vary_set *s)
{
	size_t len = 0, i;

	for (i = 0; i < s->n; i++)
		len += s->name[i].len + SEPARATOR_LEN;
	if (p == NULL)
		return (len);
	for (i = 0; i < p->n; i++)
		len +=
		    p->rule[i].name.len + p->rule[i].to.len + 2 * SEPARATOR_LEN;
	return (2 * len);
}

enum vary_status
vary_normal_apply(const struct vary_policy *p, const struct vary_set *s,
    enum vary_via via, char *buf, size_t cap, struct vary_normal *ret)
{
	struct vary_tally tally = { 0 };
	struct work w; /* large: only the counts are set, the lists grow */
	unsigned i;
	char *q;

	if (cap < vary_normal_bound(p, s))
		return (VARY_NOSPACE);
	w.cache.n = w.client.n = 0;
	w.cache.overflow = w.client.overflow = false;
	w.share = VARY_SHARED;
	w.tally = &tally;
	w.via = via;
	if (s->star)
		unshare(&w, VARY_UNSHARED_STAR);
	if (s->malformed > 0 ||
	    (s->blanks > 0 && p->repair == VARY_REPAIR_NONE))
		unshare(&w, VARY_UNSHARED_MALFORMED);
	if (s->overflow)
		unshare(&w, VARY_UNSHARED_OVERFLOW);
	for (i = 0; i < s->n; i++) {
		if (s->name[i].len == 1 && *s->name[i].b == '*') {
			(void)add(&w.client, s->name[i]);
		} else if (s->name[i].len > VARY_NAME_MAX) {
			/* Varnish would turn the whole URL into hit-for-miss. */
			unshare(&w, VARY_UNSHARED_MALFORMED);
			(void)add(&w.client, s->name[i]);
		} else {
			member(&w, p, s->name[i]);
		}
	}
	ensure(&w, p);
	/* What is stored must be readable again, when a 304 brings it back. */
	if (w.cache.overflow || w.client.overflow || w.cache.n > VARY_SET_MAX)
		unshare(&w, VARY_UNSHARED_OVERFLOW);

	sort(&w.cache);
	q = put(&w.cache, AS_REGISTERED, buf);
	ret->cache = (struct vary_span){ buf, (size_t)(q - buf) };
	buf = q;
	if (p->normalised) {
		sort(&w.client);
		q = put(&w.client, AS_REGISTERED, buf);
	} else {
		q = put(&w.client, AS_MET, buf);
	}
	ret->client = (struct vary_span){ buf, (size_t)(q - buf) };
	ret->share = w.share;
	ret->tally = tally;
	return (VARY_OK);
}

enum vary_status
vary_normal_write(
    const struct vary_set *s, char *buf, size_t cap, size_t *ret_len)
{
	struct list l;
	unsigned i, j;

	if (cap < vary_normal_bound(NULL, s))
		return (VARY_NOSPACE);
	if (s->star) {
		buf[0] = '*';
		*ret_len = 1;
		return (VARY_OK);
	}
	l.n = 0;
	for (i = 0; i < s->n; i++) {
		for (j = l.n++;
		     j > 0 && vary_name_cmp(s->name[i], l.e[j - 1].name) < 0;
		     j--)
			l.e[j].name = l.e[j - 1].name;
		l.e[j].name = s->name[i];
	}
	*ret_len = (size_t)(put(&l, LOWER_CASE, buf) - buf);
	return (VARY_OK);
}
