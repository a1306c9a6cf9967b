/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/stage.h"

#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#include "probe/axis.h"
#include "probe/cookie.h"

#define TRIAL(s, i) (&APR_ARRAY_IDX((s)->trials, (i), struct probe_trial))
#define AXIS(s, i)  APR_ARRAY_IDX((s)->axes, (i), const struct probe_axis *)

enum {
	MAX_CONTEXTS = 4,
	MAX_COOKIE = 4096, /* all that are known, in one header */
};

static const struct probe_axis rest_axis = { "(all without effect)", 0, NULL };

static bool
is_group_like(const struct probe_trial *t)
{
	return (t->kind == PROBE_K_GROUP || t->kind == PROBE_K_REST ||
		t->kind == PROBE_K_COOKIES);
}

/* It sends what is no group's, too. */
static bool
is_first_rest(const struct probe_trial *t)
{
	return (t->kind == PROBE_K_REST && t->part == 0 && t->turn == 0);
}

/* Is it one of the headers that this GROUP or REST trial sends at once? */
static bool
in_part(const struct probe_subject *s, const struct probe_trial *t,
    const struct probe_axis *a)
{
	int n = 0;
	size_t i;

	if ((a->flags & PROBE_AXIS_GROUP) == 0)
		return (is_first_rest(t));
	for (i = 0; i < s->set->naxes; i++)
		if (probe_subject_in_group(t, s->set->axes[i], &n) &&
		    s->set->axes[i] == a)
			return (true);
	return (false);
}

/* --- what hides what ----------------------------------------------------- */

/* Has a value of this axis an effect, alone or in any company? */
static bool
axis_has_effect(const struct probe_subject *s, const char *name)
{
	int i;

	for (i = 0; i < s->trials->nelts; i++) {
		const struct probe_trial *t = TRIAL(s, i);

		if (!is_group_like(t) && t->kind != PROBE_K_PREFLIGHT &&
		    strcasecmp(t->axis->name, name) == 0 &&
		    (t->state == PROBE_T_EFFECT || t->state == PROBE_T_LIKELY))
			return (true);
	}
	return (false);
}

/*
 * A header that may have been hidden: it was tried alone, or with many others,
 * and nothing came of it.  Not what is in the key, what is answered with 401, and
 * codings, of which the body shows nothing.
 */
static bool
may_be_hidden(const struct probe_subject *s, const struct probe_axis *a,
    const struct probe_trial *context)
{
	if ((a->flags &
		(PROBE_AXIS_KEYED | PROBE_AXIS_EXEMPT | PROBE_AXIS_TLS)) != 0 ||
	    strcasecmp(a->name, context->axis->name) == 0 ||
	    strcasecmp(a->name, "Accept-Encoding") == 0 ||
	    strncasecmp(a->name, "Access-Control-", 15) == 0 ||
	    probe_subject_set_by_edge(s, a->name))
		return (false);
	return (!axis_has_effect(s, a->name));
}

bool
probe_stage_is_context(
    const struct probe_subject *s, const struct probe_trial *t)
{
	int i;

	if (is_group_like(t))
		return (true);
	if (t->kind != PROBE_K_VALUE || t->context >= 0 || t->status >= 400 ||
	    (t->axis->flags &
		(PROBE_AXIS_KEYED | PROBE_AXIS_EXEMPT | PROBE_AXIS_TLS)) != 0 ||
	    strcasecmp(t->axis->name, "Accept-Encoding") == 0)
		return (false);
	/* One value of a header is enough. */
	for (i = 0; i < s->trials->nelts; i++)
		if (TRIAL(s, i) != t && TRIAL(s, i)->index == t->index &&
		    TRIAL(s, i)->state == PROBE_T_EFFECT &&
		    TRIAL(s, i)->any.n > 0)
			return (false);
	return (true);
}

void
probe_stage_base(struct probe_subject *s, const struct probe_trial *t,
    const struct probe_features **ret_stable,
    const struct probe_features **ret_any)
{
	const struct probe_trial *c =
	    t->context >= 0 ? TRIAL(s, t->context) : NULL;

	if (t->kind == PROBE_K_PREFLIGHT) {
		*ret_stable = &s->preflight.stable;
		*ret_any = &s->preflight.any;
	} else if (c != NULL && c->any.n > 0) {
		*ret_stable = &c->stable;
		*ret_any = &c->any;
	} else {
		/* a context without effect of its own */
		*ret_stable = &s->stable;
		*ret_any = &s->any;
	}
}

/* --- many headers at once ------------------------------------------------ */

static void
put(apr_array_header_t *h, const char *name, const char *value)
{
	struct probe_header *e = apr_array_push(h);

	e->name = name;
	e->value = value;
}

/* As a browser would send them together. */
static const char *
join_cookies(const char *all, const char *one, apr_pool_t *pool)
{
	return (all == NULL ? one : apr_pstrcat(pool, all, "; ", one, NULL));
}

static const char *
framework_cookies(const char *all, apr_pool_t *pool)
{
	size_t i;

	for (i = 0; probe_axis_cookies[i] != NULL; i++)
		all = join_cookies(all, probe_axis_cookies[i], pool);
	return (all);
}

/* The cookies that were tried alone, and those that were tried at once. */
static const char *
all_cookies(const struct probe_subject *s, int index, apr_pool_t *pool)
{
	const char *all = NULL;
	int i;

	for (i = 0; i < s->trials->nelts; i++) {
		const struct probe_trial *t = TRIAL(s, i);

		if (t->index != index || t->kind != PROBE_K_VALUE ||
		    t->context >= 0 || t->value == NULL ||
		    strchr(t->value, ';') != NULL ||
		    (all != NULL &&
			strlen(all) + strlen(t->value) > MAX_COOKIE))
			continue;
		all = join_cookies(all, t->value, pool);
	}
	return (framework_cookies(all, pool));
}

apr_array_header_t *
probe_stage_headers(const struct probe_subject *s, const struct probe_trial *t,
    apr_pool_t *pool)
{
	const struct probe_trial *context =
	    t->context >= 0 ? TRIAL(s, t->context) : NULL;
	apr_array_header_t *h =
	    apr_array_make(pool, 64, sizeof(struct probe_header));
	const char *value = NULL;
	int j, k, n = 0;
	size_t i;

	if (t->kind == PROBE_K_COOKIES) {
		put(h, "Cookie", framework_cookies(NULL, pool));
		return (h);
	}
	for (i = 0; i < s->set->naxes; i++) {
		const struct probe_axis *a = s->set->axes[i];

		if (!probe_subject_in_group(t, a, &n) ||
		    probe_subject_base_value(s, a->name) != NULL ||
		    probe_subject_set_by_edge(s, a->name) ||
		    (context != NULL && !may_be_hidden(s, a, context)))
			continue;
		put(h, a->name,
		    probe_subject_expand(s, probe_axis_value(a, t->turn)));
	}
	for (j = 0; is_first_rest(t) && j < s->axes->nelts; j++) {
		const struct probe_axis *a = AXIS(s, j);

		if ((a->flags & PROBE_AXIS_GROUP) != 0 ||
		    !may_be_hidden(s, a, context))
			continue;
		value = NULL;
		if (strcasecmp(a->name, "Cookie") == 0)
			value = all_cookies(s, j, pool);
		for (k = 0; value == NULL && k < s->trials->nelts; k++)
			if (TRIAL(s, k)->index == j &&
			    TRIAL(s, k)->kind == PROBE_K_VALUE &&
			    TRIAL(s, k)->state == PROBE_T_QUIET)
				value = TRIAL(s, k)->value;
		if (value != NULL)
			put(h, a->name, value);
	}
	return (h);
}

/* --- the stages ---------------------------------------------------------- */

/* Each value once, of whichever turn it is. */
static void
push_in_company(struct probe_subject *s, const struct probe_axis *a, int index,
    const char *value, int context)
{
	int i;

	for (i = 0; i < s->trials->nelts; i++) {
		const struct probe_trial *t = TRIAL(s, i);

		if (t->kind == PROBE_K_VALUE && t->index == index &&
		    t->context == context && t->value != NULL &&
		    strcmp(t->value, value) == 0)
			return;
	}
	probe_subject_push(s, PROBE_K_VALUE, a, index, value)->context =
	    context;
}

/* A group has an effect: each of its headers is tried on its own. */
static bool
take_apart(struct probe_subject *s, int which)
{
	int before = s->trials->nelts, i, j, context, n = 0;
	const apr_array_header_t *h;
	size_t k;

	context = TRIAL(s, which)->context;
	if (TRIAL(s, which)->kind == PROBE_K_COOKIES) {
		const struct probe_axis *a = TRIAL(s, which)->axis;
		int index = probe_subject_enter_axis(s, a);

		for (i = 0; index >= 0 && probe_axis_cookies[i] != NULL; i++)
			push_in_company(
			    s, a, index, probe_axis_cookies[i], context);
		return (s->trials->nelts > before);
	}
	if (TRIAL(s, which)->kind == PROBE_K_GROUP) {
		for (k = 0; k < s->set->naxes; k++)
			if (probe_subject_in_group(
				TRIAL(s, which), s->set->axes[k], &n))
				probe_subject_open_axis(s, s->set->axes[k]);
		return (s->trials->nelts > before);
	}
	h = probe_stage_headers(s, TRIAL(s, which), s->pool);
	for (i = 0; i < h->nelts; i++) {
		const struct probe_header *e =
		    &APR_ARRAY_IDX(h, i, struct probe_header);
		const struct probe_axis *a;
		bool tried = false;
		int index;

		a = probe_subject_axis(s, e->name);
		index = a != NULL ? probe_subject_enter_axis(s, a) : -1;
		if (index < 0)
			continue;
		/* The values that were tried alone; or that of the group. */
		for (j = 0; j < before; j++) {
			const struct probe_trial *t = TRIAL(s, j);

			if (t->index != index || t->kind != PROBE_K_VALUE ||
			    t->context >= 0 || t->state != PROBE_T_QUIET ||
			    t->value == NULL)
				continue;
			push_in_company(s, a, index, t->value, context);
			tried = true;
		}
		if (!tried)
			push_in_company(s, a, index, e->value, context);
		if (strcasecmp(a->name, "Cookie") == 0)
			probe_subject_push(s, PROBE_K_COOKIES, a, -1, NULL)
			    ->context = context;
	}
	return (s->trials->nelts > before);
}

/*
 * Together they have an effect, and none of them alone: it takes two or more.
 * Without one of those it is gone.
 */
static bool
leave_out(struct probe_subject *s, int which)
{
	int before = s->trials->nelts, i, index;
	const apr_array_header_t *h;

	if (TRIAL(s, which)->kind == PROBE_K_COOKIES)
		return (false);
	for (i = 0; i < before; i++) {
		const struct probe_trial *t = TRIAL(s, i);

		if (t->kind == PROBE_K_VALUE &&
		    t->context == TRIAL(s, which)->context &&
		    in_part(s, TRIAL(s, which), t->axis) &&
		    (t->state == PROBE_T_EFFECT || t->state == PROBE_T_LIKELY))
			return (false);
	}
	h = probe_stage_headers(s, TRIAL(s, which), s->pool);
	for (i = 0; i < h->nelts; i++) {
		const struct probe_header *e =
		    &APR_ARRAY_IDX(h, i, struct probe_header);
		const struct probe_axis *a = probe_subject_axis(s, e->name);

		index = a != NULL ? probe_subject_enter_axis(s, a) : -1;
		if (index >= 0)
			probe_subject_push(s, PROBE_K_OUT, a, index, e->value)
			    ->context = which;
	}
	return (s->trials->nelts > before);
}

/*
 * Without its cookie an answer has one of all arms of a test, and each arm is
 * found in some baseline: no value differs from those, but one from the other.
 * So does what each session has of its own.
 */
static bool
open_rivals(struct probe_subject *s)
{
	int i, j, n = s->trials->nelts, opened = 0;
	const char *value;

	if (s->rivals_opened || !s->restless)
		return (false);
	s->rivals_opened = true;
	for (i = 0; i < s->received->nelts; i++) {
		value = APR_ARRAY_IDX(s->received, i, const char *);
		if (probe_cookie_is_balancers(value))
			continue;
		for (j = 0; j < n; j++) {
			const struct probe_trial *t = TRIAL(s, j);

			if (t->kind == PROBE_K_VALUE && t->context < 0 &&
			    t->value != NULL &&
			    strcasecmp(t->axis->name, "Cookie") == 0 &&
			    probe_cookie_is_same(t->value, value))
				break;
		}
		/* The first value was compared with the baselines. */
		if (j == n || TRIAL(s, j)->effect >= PROBE_IN_BODY ||
		    strcmp(TRIAL(s, j)->value, value) == 0)
			continue;
		probe_subject_push(s, PROBE_K_RIVAL, TRIAL(s, j)->axis,
		    TRIAL(s, j)->index, value)
		    ->context = j;
		opened++;
	}
	return (opened > 0);
}

/* One is left out where no part of a part explains it, either. */
static bool
open_groups(struct probe_subject *s)
{
	int i, step, n = s->trials->nelts;

	for (step = 0; step < 2; step++)
		for (i = 0; i < n; i++) {
			struct probe_trial *t = TRIAL(s, i);

			if (!is_group_like(t) || t->state != PROBE_T_EFFECT ||
			    t->opened != step)
				continue;
			t->opened++; /* the array may move */
			if (step == 0 ? take_apart(s, i) : leave_out(s, i))
				return (true);
		}
	return (false);
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
	const char *value = NULL;
	bool opened = false;
	size_t i;
	int j;

	if (s->lines_opened || !s->set->profile->first_line)
		return (false);
	s->lines_opened = true;
	for (i = 0; i < sizeof lists / sizeof *lists; i++) {
		const struct probe_axis *a = NULL;
		const struct probe_trial *t;
		int index = -1;

		for (j = 0; j < s->trials->nelts; j++) {
			t = TRIAL(s, j);
			if (t->state != PROBE_T_EFFECT || t->value == NULL ||
			    !t->declares || t->context >= 0 ||
			    strcasecmp(t->axis->name, lists[i]) != 0)
				continue;
			a = t->axis;
			index = t->index;
			value = t->value;
			break;
		}
		if (a == NULL || probe_subject_base_value(s, lists[i]) == NULL)
			continue;
		(void)probe_subject_push(s, PROBE_K_LINES, a, index, value);
		opened = true;
	}
	return (opened);
}

/* A header of -H goes with every request: what does it hide? */
static bool
is_pinned(const struct probe_subject *s, const struct probe_trial *t)
{
	size_t i;

	if (t->kind != PROBE_K_VALUE || t->value != NULL || t->context >= 0 ||
	    t->state != PROBE_T_QUIET)
		return (false);
	for (i = 0; i < s->set->nheaders; i++)
		if (s->set->headers[i].value != NULL &&
		    strcasecmp(s->set->headers[i].name, t->axis->name) == 0)
			return (true);
	return (false);
}

/*
 * One header can hide another: the origin reads Next-Url of a payload alone, and
 * no Accept-Language where a cookie says the language.  So what had no effect is
 * tried again in the company of what had one.
 */
static bool
open_contexts(struct probe_subject *s)
{
	int i, n = s->trials->nelts, opened = 0;

	if (s->contexts_opened)
		return (false);
	s->contexts_opened = true;
	for (i = 0; i < n && opened < MAX_CONTEXTS; i++) {
		const struct probe_trial *t = TRIAL(s, i);

		if (is_group_like(t) ||
		    !((t->state == PROBE_T_EFFECT && t->any.n > 0) ||
			is_pinned(s, t)))
			continue;
		probe_subject_push_groups(s, PROBE_K_REST, &rest_axis, i);
		opened++;
	}
	return (opened > 0);
}

static bool
open_preflight(struct probe_subject *s)
{
	static const char *const names[] = { "Access-Control-Request-Method",
		"Access-Control-Request-Headers", "Origin" };
	const struct probe_axis *a;
	const char *value;
	size_t i;
	int j;

	if (s->preflight.opened || s->preflight.seen < 2 ||
	    !s->preflight.cors || s->preflight.status >= 400)
		return (false);
	s->preflight.opened = true;
	for (i = 0; i < sizeof names / sizeof *names; i++) {
		a = probe_axis_find(names[i], strlen(names[i]));
		for (j = 0; a != NULL && a->values[j] != NULL; j++) {
			value = probe_subject_expand(s, a->values[j]);
			/* the site itself asks for no leave */
			if (strcmp(value, s->origin) == 0)
				continue;
			(void)probe_subject_push(
			    s, PROBE_K_PREFLIGHT, a, -1, value);
			break;
		}
	}
	return (true);
}

bool
probe_stage_open(struct probe_subject *s)
{
	return (open_groups(s) || open_rivals(s) || open_lines(s) ||
		open_contexts(s) || open_preflight(s));
}
