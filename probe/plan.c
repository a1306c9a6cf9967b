/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#include "probe/axis.h"
#include "probe/check.h"
#include "probe/cookie.h"
#include "probe/evidence.h"
#include "probe/stage.h"

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
send_check(struct probe_subject *s, struct probe_sample *ret)
{
	if (!probe_check_next(s, ret))
		return (false);
	ret->buster = buster(s);
	return (true);
}

/* Does another value of this trial's header have a confirmed effect? */
static bool
sibling_has_effect(const struct probe_subject *s, const struct probe_trial *t)
{
	int i;

	for (i = 0; i < s->trials->nelts; i++)
		if (TRIAL(s, i)->axis == t->axis &&
		    TRIAL(s, i)->kind == PROBE_K_VALUE &&
		    TRIAL(s, i)->context == t->context &&
		    TRIAL(s, i)->state == PROBE_T_EFFECT)
			return (true);
	return (false);
}

/* Another session's cookie has done at least the same. */
static bool
same_cookie_has_effect(
    const struct probe_subject *s, const struct probe_trial *t)
{
	int i;

	if (strcasecmp(t->axis->name, "Cookie") != 0 || t->value == NULL)
		return (false);
	for (i = 0; i < s->trials->nelts; i++)
		if (TRIAL(s, i)->index == t->index &&
		    TRIAL(s, i)->kind == PROBE_K_VALUE &&
		    TRIAL(s, i)->context == t->context &&
		    TRIAL(s, i)->state == PROBE_T_EFFECT &&
		    TRIAL(s, i)->effect >= probe_evidence_effect(t) &&
		    TRIAL(s, i)->value != NULL &&
		    probe_cookie_is_same(TRIAL(s, i)->value, t->value))
			return (true);
	return (false);
}

/* Has a cookie an effect that nobody can know? */
static bool
any_cookie(const struct probe_subject *s)
{
	int i;

	for (i = 0; i < s->trials->nelts; i++) {
		const struct probe_trial *t = TRIAL(s, i);

		if (t->kind == PROBE_K_VALUE && t->value != NULL &&
		    t->state == PROBE_T_EFFECT &&
		    strcasecmp(t->axis->name, "Cookie") == 0 &&
		    strncmp(t->value, s->canary, strlen(s->canary)) == 0)
			return (true);
	}
	return (false);
}

/*
 * The first alone: most origins know nothing of it.  The second shows what is
 * noise in it.
 */
static bool
send_preflight(struct probe_subject *s, struct probe_sample *ret)
{
	struct probe_preflight *p = &s->preflight;

	if (!p->planned || p->sent > p->seen || p->seen == 2 ||
	    (p->seen == 1 && !p->cors))
		return (false);
	p->sent++;
	ret->role = PROBE_R_PREFLIGHT;
	ret->trial = -1;
	ret->buster = buster(s);
	return (true);
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
		ret->varied = t->kind != PROBE_K_RIVAL || t->screened % 2 != 0;
		ret->buster = buster(s);
		return (PROBE_PLAN_SEND);
	}
	for (i = 0; i < s->trials->nelts; i++) {
		t = TRIAL(s, i);
		if (t->state == PROBE_T_SENT)
			return (PROBE_PLAN_WAIT);
		if (t->state == PROBE_T_SUSPECT) {
			if (t->kind == PROBE_K_COOKIES && any_cookie(s)) {
				t->state = PROBE_T_LIKELY;
				continue;
			}
			if (t->kind == PROBE_K_VALUE &&
			    ((t->axis->flags & PROBE_AXIS_EACH) == 0
				    ? sibling_has_effect(s, t)
				    : same_cookie_has_effect(s, t))) {
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
	if (step == PROBE_PLAN_DONE && s->busy == 0 && probe_stage_open(s))
		step = next_trial(s, ret);
	if (step == PROBE_PLAN_DONE &&
	    (send_check(s, ret) || send_preflight(s, ret)))
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
		/* Letters in either case, but nearly always other ones. */
		if ((e->name[0] & 0x1f) == (name[0] & 0x1f) &&
		    strcasecmp(e->name, name) == 0) {
			e->value = value;
			return;
		}
	}
	e = apr_array_push(h);
	e->name = name;
	e->value = value;
}

/* What this trial adds, or takes away, in h and *ret. */
static void
apply(const struct probe_subject *s, const struct probe_trial *t,
    apr_array_header_t *h, struct probe_request *ret, apr_pool_t *pool)
{
	const apr_array_header_t *many;
	struct probe_header *second;
	int i;

	switch (t->kind) {
	case PROBE_K_GROUP:
	case PROBE_K_REST:
	case PROBE_K_COOKIES:
		if (t->context >= 0)
			apply(s, TRIAL(s, t->context), h, ret, pool);
		many = probe_stage_headers(s, t, pool);
		for (i = 0; i < many->nelts; i++)
			put(h, APR_ARRAY_IDX(many, i, struct probe_header).name,
			    APR_ARRAY_IDX(many, i, struct probe_header).value);
		break;
	case PROBE_K_LINES:
		second = apr_array_push(h);
		second->name = t->axis->name;
		second->value = t->value;
		break;
	case PROBE_K_OUT:
		put(h, t->axis->name,
		    probe_subject_base_value(s, t->axis->name));
		break;
	case PROBE_K_VALUE:
	case PROBE_K_PREFLIGHT:
	case PROBE_K_RIVAL:
	default:
		if ((t->axis->flags & PROBE_AXIS_TLS) != 0) {
			ret->other_sni = true;
			ret->sni = t->value;
		} else
			put(h, t->axis->name, t->value);
		break;
	}
}

/* A browser's question before it sends a PUT; its origin is one that works, if
 * there was one. */
static void
preflight(const struct probe_subject *s, apr_array_header_t *h,
    struct probe_request *ret)
{
	const char *origin = NULL;
	int i;

	for (i = 0; i < s->trials->nelts; i++) {
		const struct probe_trial *t = TRIAL(s, i);

		if (t->kind == PROBE_K_VALUE && t->value != NULL &&
		    strcasecmp(t->axis->name, "Origin") == 0 &&
		    (origin == NULL || t->state == PROBE_T_EFFECT)) {
			origin = t->value;
			if (t->state == PROBE_T_EFFECT)
				break;
		}
	}
	ret->method = PROBE_OPTIONS;
	put(h, "Origin", origin != NULL ? origin : s->origin);
	put(h, "Access-Control-Request-Method", "DELETE");
	put(h, "Access-Control-Request-Headers", "x-requested-with");
}

static void
check(const struct probe_subject *s, enum probe_check_kind kind,
    apr_array_header_t *h, struct probe_request *ret)
{
	struct probe_header more[PROBE_CHECK_HEADERS];
	size_t i, n = probe_check_headers(s, kind, more);

	if (kind == PROBE_CHECK_HEAD)
		ret->method = PROBE_HEAD;
	for (i = 0; i < n; i++)
		put(h, more[i].name, more[i].value);
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
	if (a->trial >= 0) {
		t = TRIAL(s, a->trial);
		if (t->kind == PROBE_K_PREFLIGHT)
			preflight(s, h, ret);
		if (t->context >= 0)
			apply(s, TRIAL(s, t->context), h, ret, pool);
		if (a->varied)
			apply(s, t, h, ret, pool);
	}
	switch (a->role) {
	case PROBE_R_CHECK: check(s, a->check, h, ret); break;
	case PROBE_R_PREFLIGHT: preflight(s, h, ret); break;
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
		/* HEAD and OPTIONS */
		(s->set->checks ? 2 : 0));
}
