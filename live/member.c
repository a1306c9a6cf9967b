/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/member.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "live/hash.h"
#include "vary/set.h"

/*
 * The same few values come again and again: what a rule made of one, and what
 * a Vary lists, is looked up before it is worked out.
 */
enum {
	FORMS = 8192, /* powers of two */
	VARIES = 256
};

struct form {
	uint64_t value; /* hash of member and value */
	uint32_t form;
	bool used;
};

struct vary_seen {
	uint64_t value;
	struct live_vary vary;
	bool used;
};

struct live_members {
	const struct live_policy *policy;
	struct live_member m[LIVE_MEMBERS_MAX];
	size_t len[LIVE_MEMBERS_MAX];
	unsigned n;
	uint64_t overflow;
	struct form form[FORMS];
	struct vary_seen seen[VARIES];
};

int
live_members_open(struct live_members **ret, const struct live_policy *policy)
{
	struct live_members *ms = calloc(1, sizeof *ms);

	assert(ret != NULL);
	if (ms == NULL)
		return (-ENOMEM);
	ms->policy = policy;
	*ret = ms;
	return (0);
}

void
live_members_close(struct live_members **mp)
{
	free(*mp);
	*mp = NULL;
}

unsigned
live_members_count(const struct live_members *ms)
{
	return (ms->n);
}

const struct live_member *
live_members_get(const struct live_members *ms, unsigned id)
{
	assert(id < ms->n);
	return (&ms->m[id]);
}

uint64_t
live_members_overflow(const struct live_members *ms)
{
	return (ms->overflow);
}

static int
find(const struct live_members *ms, struct vary_span name)
{
	unsigned i;

	/* Most names are told apart by their length and first letter. */
	for (i = 0; i < ms->n; i++)
		if (ms->len[i] == name.len && name.len > 0 &&
		    ((ms->m[i].name[0] ^ name.b[0]) & ~0x20) == 0 &&
		    vary_name_eq(
			(struct vary_span){ ms->m[i].name, name.len }, name))
			return ((int)i);
	return (-1);
}

static int
number(struct live_members *ms, struct vary_span name)
{
	struct live_member *m;
	struct vary_known known;
	const struct live_rule *r = NULL;
	int i = find(ms, name);

	if (i >= 0)
		return (i);
	if (ms->n == LIVE_MEMBERS_MAX || name.len >= sizeof m->name) {
		ms->overflow++;
		return (-1);
	}
	m = &ms->m[ms->n];
	known = vary_name_known(name);
	vary_name_spell(name, &known, m->name);
	m->name[name.len] = '\0';
	ms->len[ms->n] = name.len;
	m->class = known.class;
	m->accept_encoding =
	    vary_name_eq(name, vary_span_str("Accept-Encoding"));
	m->policy = LIVE_VERB_KEEP;
	if (ms->policy != NULL) {
		r = live_policy_find(ms->policy, name);
		if (r != NULL)
			m->policy = r->verb;
		else if (ms->policy->other_strip ||
			 (m->class == VARY_CLASS_UNKEYABLE &&
			     !ms->policy->keep_unkeyable) ||
			 (m->class == VARY_CLASS_INERT &&
			     !ms->policy->keep_inert))
			m->policy = LIVE_VERB_STRIP;
	}
	if (r != NULL && r->verb != LIVE_VERB_KEEP &&
	    r->verb != LIVE_VERB_STRIP) {
		m->rule = *r;
		m->ruled = true;
	} else
		m->ruled = live_policy_default(name, &m->rule);
	return ((int)ms->n++);
}

void
live_members_read(
    struct live_members *ms, struct vary_span value, struct live_vary *ret)
{
	uint64_t h = live_hash(value.b, value.len, 0);
	struct vary_seen *seen = &ms->seen[h % VARIES];
	struct vary_set set;
	unsigned i;

	if (seen->used && seen->value == h) {
		*ret = seen->vary;
		return;
	}
	memset(ret, 0, sizeof *ret);
	vary_set_init(&set);
	vary_set_add(&set, value.b, value.len);
	for (i = 0; i < set.n; i++) {
		int id;

		if (set.name[i].len == 1 && set.name[i].b[0] == '*')
			continue;
		id = number(ms, set.name[i]);
		if (id >= 0)
			ret->mask |= UINT32_C(1) << id;
		else
			ret->overflow = true;
	}
	ret->star = set.star;
	ret->malformed = set.malformed > 0 || set.blanks > 0;
	ret->overflow = ret->overflow || set.overflow;
	*seen = (struct vary_seen){ h, *ret, true };
}

static uint32_t
form(struct live_members *ms, unsigned id, struct vary_span v, uint64_t h)
{
	struct form *f;

	/* One that is as its value is costs nothing to work out again. */
	h = live_hash_mix(h + id + 1);
	f = &ms->form[h % FORMS];
	if (!f->used || f->value != h) {
		f->value = h;
		f->form = live_rule_apply(&ms->m[id].rule, v);
		f->used = true;
	}
	return (f->form);
}

void
live_members_values(struct live_members *ms, const struct live_header *h,
    size_t n, struct live_values *ret)
{
	static const struct vary_span absent = { NULL, 0 };
	uint32_t seen = 0;
	unsigned id;
	size_t i;

	memset(ret, 0, sizeof *ret);
	for (i = 0; i < n; i++) {
		uint32_t bit;
		uint64_t x;
		int k = find(ms, h[i].name);

		if (k < 0)
			continue;
		id = (unsigned)k;
		bit = UINT32_C(1) << id;
		if (seen & bit) {
			ret->repeated |= bit;
			continue;
		}
		seen |= bit;
		x = live_hash(h[i].value.b, h[i].value.len, 0);
		ret->raw[id] = (uint32_t)(x >> 32);
		if (ret->raw[id] == 0)
			ret->raw[id] = 1;
		ret->norm[id] = ms->m[id].ruled ? form(ms, id, h[i].value, x)
						: ret->raw[id];
	}
	/* Absent has a form as well: a default language, a robot. */
	for (id = 0; id < ms->n; id++)
		if (!(seen & UINT32_C(1) << id) && ms->m[id].ruled)
			ret->norm[id] =
			    live_rule_apply(&ms->m[id].rule, absent);
}
