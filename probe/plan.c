/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#include "probe/axis.h"

#define TRIAL(s, i) (&APR_ARRAY_IDX((s)->trials, (i), struct probe_trial))

enum {
	IN_FLIGHT = 4, /* pairs of one trial: an early end wastes no more */
};

double
probe_plan_p(int n)
{
	double c = 1;
	int i;

	/* C(2n,n) by its factors (n+i)/i */
	for (i = 1; i <= n; i++)
		c *= (double)(n + i) / i;
	return (2 / c);
}

int
probe_plan_pairs(double tests, double alpha)
{
	int n;

	for (n = 4; n < PROBE_MAX_PAIRS; n++)
		if (probe_plan_p(n) * tests < alpha)
			break;
	return (n);
}

/* --- what next ----------------------------------------------------------- */

/*
 * The share of the run's 1 % that this subject may spend.  Where the number of
 * URLs is not known, the j-th doubling of it gets 1/((j+1)(j+2)), which adds up
 * to one whatever the number turns out to be.
 */
static double
alpha(const struct probe_subject *s)
{
	uint64_t k, j = 0;

	if (s->set->expected > s->number)
		return (0.01 / (double)s->set->expected);
	for (k = s->number + 1; k > 1; k /= 2)
		j++;
	return (
	    0.01 / (double)((j + 1) * (j + 2)) / (double)(UINT64_C(1) << j));
}

static void
shuffle(struct probe_random *r, uint8_t *v, int n)
{
	int i, j;
	uint8_t swap;

	for (i = n - 1; i > 0; i--) {
		j = (int)probe_random_below(r, (uint64_t)i + 1);
		swap = v[i];
		v[i] = v[j];
		v[j] = swap;
	}
}

/*
 * n of A and n of B in random order: in turns, two origins behind a round robin
 * would answer A and B apart for ever.  Half of each on new connections, since
 * a kept one may be pinned to one of several origins.
 */
static void
begin_pairs(struct probe_subject *s, struct probe_trial *t)
{
	double tests;
	int i;

	tests = (double)s->trials->nelts + 32;
	tests *= 1 + (double)s->noise;
	t->n = s->set->pairs > 0 ? s->set->pairs
				 : probe_plan_pairs(tests, alpha(s));
	for (i = 0; i < 2 * t->n; i++)
		t->order[i] =
		    (uint8_t)((i < t->n ? 0 : 1) | (i % 2 == 0 ? 0 : 2));
	shuffle(&s->random, t->order, 2 * t->n);
	t->total = 2 * t->n;
	t->next = t->seen_a = t->seen_b = 0;
	t->tries = 0;
	t->state = PROBE_T_CONFIRM;
}

static const char *
buster(struct probe_subject *s)
{
	char *w;

	if (s->set->buster == NULL)
		return (NULL);
	w = apr_palloc(s->pool, 11);
	probe_random_word(&s->random, w, 11);
	return (w);
}

static bool
send_check(struct probe_subject *s, struct probe_check *c, enum probe_role role,
    struct probe_sample *ret)
{
	if (!c->planned || c->sent)
		return (false);
	c->sent = true;
	ret->role = role;
	ret->trial = -1;
	ret->buster = buster(s);
	return (true);
}

/* Does another value of this trial's header have a confirmed effect? */
static bool
sibling_has_effect(const struct probe_subject *s, const struct probe_trial *t)
{
	int i;

	for (i = 0; i < s->trials->nelts; i++)
		if (TRIAL(s, i)->axis == t->axis && !TRIAL(s, i)->lines &&
		    TRIAL(s, i)->state == PROBE_T_EFFECT)
			return (true);
	return (false);
}

/* The group has an effect: each of its headers is tried on its own. */
static bool
open_group(struct probe_subject *s)
{
	size_t i;
	int j;

	if (s->group_opened)
		return (false);
	for (j = 0; j < s->trials->nelts; j++)
		if (TRIAL(s, j)->group && TRIAL(s, j)->state == PROBE_T_EFFECT)
			break;
	if (j == s->trials->nelts)
		return (false);
	s->group_opened = true;
	for (i = 0; i < s->set->naxes; i++)
		if ((s->set->axes[i]->flags & PROBE_AXIS_GROUP) != 0)
			probe_subject_open_axis(s, s->set->axes[i]);
	return (true);
}

/*
 * A cache that keys on the first line of a repeated request header gives the
 * second line's content to those that sent the first alone: does the origin read
 * the second one?  Asked for what Vary names, and has an effect.
 */
static bool
open_lines(struct probe_subject *s)
{
	static const char *const lists[] = { "Accept-Language", "Accept" };
	const char *base, *value = NULL;
	bool opened = false;
	size_t i;
	int j;

	if (s->lines_opened || !s->set->profile->first_line)
		return (false);
	s->lines_opened = true;
	for (i = 0; i < sizeof lists / sizeof *lists; i++) {
		const struct probe_axis *a = NULL;
		struct probe_trial *t;
		int index = -1;

		base = probe_subject_base_value(s, lists[i]);
		for (j = 0; j < s->trials->nelts; j++) {
			t = TRIAL(s, j);
			if (t->state != PROBE_T_EFFECT || t->value == NULL ||
			    !t->declares ||
			    strcasecmp(t->axis->name, lists[i]) != 0)
				continue;
			a = t->axis;
			index = t->index;
			value = t->value;
			break;
		}
		if (a == NULL || base == NULL)
			continue;
		t = apr_array_push(s->trials);
		memset(t, 0, sizeof *t);
		t->axis = a;
		t->index = index;
		t->value = value;
		t->lines = true;
		opened = true;
	}
	return (opened);
}

static enum probe_plan_step
next_trial(struct probe_subject *s, struct probe_sample *ret)
{
	struct probe_trial *t;
	int i;

	for (i = 0; i < s->trials->nelts; i++) {
		t = TRIAL(s, i);
		if (t->state != PROBE_T_NEW)
			continue;
		t->state = PROBE_T_SENT;
		ret->role = PROBE_R_SCREEN;
		ret->trial = i;
		ret->varied = true;
		ret->buster = buster(s);
		return (PROBE_PLAN_SEND);
	}
	for (i = 0; i < s->trials->nelts; i++) {
		t = TRIAL(s, i);
		if (t->state == PROBE_T_SENT)
			return (PROBE_PLAN_WAIT);
		if (t->state == PROBE_T_SUSPECT) {
			if (!t->group && !t->lines &&
			    (t->axis->flags & PROBE_AXIS_EACH) == 0 &&
			    sibling_has_effect(s, t)) {
				t->state = PROBE_T_LIKELY;
				continue;
			}
			begin_pairs(s, t);
		}
		if (t->state != PROBE_T_CONFIRM)
			continue;
		if (s->busy >= IN_FLIGHT || t->next == t->total)
			return (PROBE_PLAN_WAIT);
		ret->role = PROBE_R_PAIR;
		ret->trial = i;
		ret->varied = (t->order[t->next] & 1) != 0;
		ret->fresh = (t->order[t->next] & 2) != 0;
		/* The same for both of a pair. */
		if (t->next % 2 == 0 || t->buster == NULL)
			t->buster = buster(s);
		ret->buster = t->buster;
		t->next++;
		return (PROBE_PLAN_SEND);
	}
	return (PROBE_PLAN_DONE);
}

enum probe_plan_step
probe_plan_next(struct probe_subject *s, struct probe_sample *ret)
{
	enum probe_plan_step step;

	memset(ret, 0, sizeof *ret);
	ret->trial = -1;
	if (s->over)
		return (s->busy > 0 ? PROBE_PLAN_WAIT : PROBE_PLAN_DONE);
	if (s->recheck >= 0) {
		if (s->recheck_sent)
			return (PROBE_PLAN_WAIT);
		s->recheck_sent = true;
		ret->role = PROBE_R_RECHECK;
		ret->buster = buster(s);
		s->busy++;
		return (PROBE_PLAN_SEND);
	}
	if (s->base_seen < PROBE_NBASE) {
		/* The first one alone: it may be the last. */
		if (s->base_sent == PROBE_NBASE ||
		    (s->base_seen == 0 && s->busy > 0))
			return (PROBE_PLAN_WAIT);
		s->base_sent++;
		ret->role = PROBE_R_BASE;
		ret->fresh = s->base_sent == 2;
		ret->buster = buster(s);
		s->busy++;
		return (PROBE_PLAN_SEND);
	}
	step = next_trial(s, ret);
	if (step == PROBE_PLAN_DONE && s->busy == 0 &&
	    (open_group(s) || open_lines(s)))
		step = next_trial(s, ret);
	if (step == PROBE_PLAN_DONE &&
	    (send_check(s, &s->head, PROBE_R_HEAD, ret) ||
		send_check(s, &s->c304, PROBE_R_304, ret) ||
		send_check(s, &s->c206, PROBE_R_206, ret)))
		step = PROBE_PLAN_SEND;
	if (step == PROBE_PLAN_DONE && s->busy > 0)
		step = PROBE_PLAN_WAIT;
	if (step == PROBE_PLAN_SEND)
		s->busy++;
	return (step);
}

/* --- the request --------------------------------------------------------- */

static void
put(apr_array_header_t *h, const char *name, const char *value)
{
	struct probe_header *e;
	int i;

	for (i = 0; i < h->nelts; i++) {
		e = &APR_ARRAY_IDX(h, i, struct probe_header);
		if (strcasecmp(e->name, name) == 0) {
			e->value = value;
			return;
		}
	}
	e = apr_array_push(h);
	e->name = name;
	e->value = value;
}

void
probe_plan_request(const struct probe_subject *s, const struct probe_sample *a,
    struct probe_request *ret, apr_pool_t *pool)
{
	apr_array_header_t *h = apr_array_make(
	    pool, PROBE_AXIS_NDEFAULTS + 4, sizeof(struct probe_header));
	const struct probe_trial *t;
	size_t i;

	memset(ret, 0, sizeof *ret);
	for (i = 0; i < PROBE_AXIS_NDEFAULTS; i++)
		put(h, probe_axis_defaults[i].name,
		    probe_axis_defaults[i].value);
	for (i = 0; i < s->set->nheaders; i++)
		put(h, s->set->headers[i].name, s->set->headers[i].value);
	if (a->varied) {
		t = TRIAL(s, a->trial);
		if (t->lines) {
			struct probe_header *second = apr_array_push(h);

			second->name = t->axis->name;
			second->value = t->value;
		} else if (!t->group)
			put(h, t->axis->name, t->value);
		for (i = 0; t->group && i < s->set->naxes; i++) {
			const struct probe_axis *x = s->set->axes[i];

			if ((x->flags & PROBE_AXIS_GROUP) != 0 &&
			    probe_subject_base_value(s, x->name) == NULL &&
			    !probe_subject_set_by_edge(s, x->name))
				put(h, x->name,
				    probe_subject_expand(s, x->values[0]));
		}
	}
	switch (a->role) {
	case PROBE_R_HEAD: ret->method = PROBE_HEAD; break;
	case PROBE_R_304:
		if (s->base_etag != NULL)
			put(h, "If-None-Match", s->base_etag);
		else
			put(h, "If-Modified-Since", s->base_modified);
		break;
	case PROBE_R_206: put(h, "Range", "bytes=0-1"); break;
	default: break;
	}
	ret->url = s->url;
	if (a->buster != NULL)
		ret->url = apr_psprintf(pool, "%s%s%s=%s", s->url,
		    strchr(s->url, '?') != NULL ? "&" : "?", s->set->buster,
		    a->buster);
	ret->headers = (const struct probe_header *)(const void *)h->elts;
	ret->nheaders = (size_t)h->nelts;
	ret->fresh = a->fresh;
}

unsigned
probe_plan_size(const struct probe_subject *s)
{
	return (PROBE_NBASE + (unsigned)s->trials->nelts +
		(s->set->checks ? 3 : 0));
}
