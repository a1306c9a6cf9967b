/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/view.h"

#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#include "probe/cookie.h"
#include "probe/plan.h"

#define TRIAL(s, i) (&APR_ARRAY_IDX((s)->trials, (i), struct probe_trial))

static const char *
lower(apr_pool_t *pool, const char *s)
{
	char *c = apr_pstrdup(pool, s), *p;

	for (p = c; *p != '\0'; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
	return (c);
}

static const struct probe_named *
find_named(const struct probe_subject *s, const char *name)
{
	int i;

	for (i = 0; i < s->named->nelts; i++) {
		const struct probe_named *n =
		    APR_ARRAY_IDX(s->named, i, struct probe_named *);

		if (strcasecmp(n->name, name) == 0)
			return (n);
	}
	return (NULL);
}

static const char *
shown(const struct probe_trial *t)
{
	return (t->value != NULL ? t->value : "(absent)");
}

/* False: it is there already. */
static bool
list(apr_array_header_t *a, const char *s, apr_pool_t *pool)
{
	if (probe_result_lists(a, s))
		return (false);
	APR_ARRAY_PUSH(a, const char *) = apr_pstrdup(pool, s);
	return (true);
}

/* An effect, or a likely one, with this value of the header. */
static void
view_effect(struct probe_view *v, const struct probe_trial *t,
    const char *value, const struct probe_subject *s, apr_pool_t *pool)
{
	v->with_effect++;
	(void)list(v->m->works, value, pool);
	v->danger |= t->cacheable || s->cacheable;
	v->beyond_cookies |= t->evidence != NULL && !t->evidence->cookie_only;
	v->beyond_coding |= t->evidence != NULL && !t->evidence->coding_only;
}

/* The strongest so far is the member's. */
static bool
take_strongest(struct probe_view *v, const struct probe_trial *t)
{
	if (t->state != PROBE_T_EFFECT || v->m->effect >= t->effect)
		return (false);
	v->m->effect = t->effect;
	v->m->evidence = t->evidence;
	v->m->pairs = t->n;
	v->m->p = probe_plan_p(t->n);
	return (true);
}

/*
 * What has an effect only where this header is away hides behind this header,
 * which so has an effect too.
 */
static void
view_hidden(struct probe_view *v, const struct probe_trial *t,
    const struct probe_trial *context, const struct probe_subject *s,
    apr_pool_t *pool)
{
	if (t->state != PROBE_T_EFFECT || context->state != PROBE_T_QUIET)
		return;
	view_effect(v, t, shown(context), s, pool);
	(void)take_strongest(v, t);
}

static void
view_trial(struct probe_view *v, const struct probe_trial *t,
    const struct probe_subject *s, apr_pool_t *pool)
{
	/* It was tried alone, too, and that is what is listed. */
	if (t->context >= 0 && t->state != PROBE_T_EFFECT &&
	    t->state != PROBE_T_LIKELY)
		return;
	if (t->state == PROBE_T_FAILED || t->state == PROBE_T_NEW ||
	    t->state == PROBE_T_SENT || t->state == PROBE_T_SUSPECT ||
	    t->state == PROBE_T_CONFIRM) {
		v->failed = true;
		return;
	}
	if (list(v->m->tried, shown(t), pool))
		v->tried++;
	if (t->state == PROBE_T_QUIET) {
		v->without_effect++;
		if (v->m->effect < PROBE_NONE_OBSERVED)
			v->m->effect = PROBE_NONE_OBSERVED;
		return;
	}
	view_effect(v, t, shown(t), s, pool);
	v->open |= t->cacheable;
	v->reflected |= t->reflected;
	if (take_strongest(v, t))
		v->best = t;
}

void
probe_view_fill(struct probe_view *v, struct probe_subject *s,
    struct probe_result *r, const char *name)
{
	struct probe_member *m = apr_array_push(r->members);
	int i;

	memset(v, 0, sizeof *v);
	memset(m, 0, sizeof *m);
	v->m = m;
	v->index = -1;
	m->name = lower(s->pool, name);
	m->p = 1;
	m->tried = apr_array_make(s->pool, 4, sizeof(const char *));
	m->works = apr_array_make(s->pool, 4, sizeof(const char *));
	v->named = find_named(s, name);
	m->declared =
	    v->named == NULL ? PROBE_DECLARED_NO
	    : v->named->with >= s->responses || strcasecmp(name, "Host") == 0
		? PROBE_DECLARED_YES
		: PROBE_DECLARED_SOME;
	for (i = 0; i < s->trials->nelts; i++) {
		const struct probe_trial *t = TRIAL(s, i);

		if (t->kind == PROBE_K_GROUP || t->kind == PROBE_K_REST ||
		    t->kind == PROBE_K_COOKIES || t->kind == PROBE_K_PREFLIGHT)
			continue;
		if (t->kind == PROBE_K_VALUE && t->context >= 0 &&
		    strcasecmp(TRIAL(s, t->context)->axis->name, name) == 0)
			view_hidden(v, t, TRIAL(s, t->context), s, s->pool);
		if (strcasecmp(t->axis->name, name) != 0)
			continue;
		if (t->kind == PROBE_K_LINES) {
			v->lines = t;
			continue;
		}
		v->axis = t->axis;
		v->unkeyed |= t->unkeyed;
		v->index = t->index;
		view_trial(v, t, s, s->pool);
	}
}

bool
probe_view_presence_only(
    const struct probe_subject *s, const struct probe_view *v)
{
	const struct probe_trial *one = NULL;
	int i, n = 0;

	for (i = 0; i < s->trials->nelts; i++) {
		const struct probe_trial *t = TRIAL(s, i);
		size_t j;

		if (t->index != v->index || t->kind != PROBE_K_VALUE ||
		    t->context >= 0 || t->value == NULL)
			continue;
		if (t->state != PROBE_T_EFFECT || *t->value == '\0')
			return (false);
		n++;
		if (one == NULL) {
			one = t;
			continue;
		}
		if (t->plus.n != one->plus.n || t->minus.n != one->minus.n)
			return (false);
		for (j = 0; j < t->plus.n; j++)
			if (t->plus.f[j] != one->plus.f[j])
				return (false);
		for (j = 0; j < t->minus.n; j++)
			if (t->minus.f[j] != one->minus.f[j])
				return (false);
	}
	return (n >= 2);
}

apr_array_header_t *
probe_view_cookies(const struct probe_subject *s, const struct probe_view *v,
    bool beyond, apr_pool_t *pool)
{
	apr_array_header_t *names =
	    apr_array_make(pool, 4, sizeof(const char *));
	const char *name;
	int i;

	for (i = 0; i < s->trials->nelts; i++) {
		const struct probe_trial *t = TRIAL(s, i);

		if (t->index != v->index || t->index < 0 || t->value == NULL ||
		    t->state != PROBE_T_EFFECT || t->kind == PROBE_K_LINES ||
		    t->evidence->cookie_only == beyond)
			continue;
		name = probe_cookie_name(t->value, pool);
		if (name != NULL && !probe_result_lists(names, name))
			APR_ARRAY_PUSH(names, const char *) = name;
	}
	return (names);
}
