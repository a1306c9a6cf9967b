/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/subject.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#include "probe/hash.h"

#define TRIAL(s, i) (&APR_ARRAY_IDX((s)->trials, (i), struct probe_trial))

static const struct probe_axis group_axis = { "(all others)", PROBE_AXIS_GROUP,
	NULL };

void
probe_subject_end(
    struct probe_subject *s, enum probe_outcome o, const char *reason)
{
	if (s->over)
		return;
	s->over = true;
	s->outcome = o;
	s->reason = reason;
}

const char *
probe_subject_expand(const struct probe_subject *s, const char *t)
{
	apr_pool_t *pool = s->pool;
	const char *out = "", *p, *with;

	for (; (p = strchr(t, '%')) != NULL && p[1] != '\0'; t = p + 2) {
		switch (p[1]) {
		case 'c': with = s->canary; break;
		case 'h': with = s->host; break;
		case 'o': with = s->origin; break;
		default: with = "%"; break;
		}
		out =
		    apr_psprintf(pool, "%s%.*s%s", out, (int)(p - t), t, with);
	}
	return (apr_pstrcat(pool, out, t, NULL));
}

/* The name that a handshake with the URL's host has; NULL for an address. */
static const char *
sni(const struct probe_subject *s)
{
	size_t n = strcspn(s->host, ":");

	if (*s->host == '[' || s->host[strspn(s->host, "0123456789.:")] == '\0')
		return (NULL);
	return (apr_pstrndup(s->pool, s->host, n));
}

/* What the baseline sends under this name; NULL: nothing. */
const char *
probe_subject_base_value(const struct probe_subject *s, const char *name)
{
	size_t i;

	for (i = s->set->nheaders; i-- > 0;)
		if (strcasecmp(s->set->headers[i].name, name) == 0)
			return (s->set->headers[i].value);
	for (i = 0; i < PROBE_AXIS_NDEFAULTS; i++)
		if (strcasecmp(probe_axis_defaults[i].name, name) == 0)
			return (probe_axis_defaults[i].value);
	if (strcasecmp(name, "Host") == 0)
		return (s->host);
	if (strcmp(name, "SNI") == 0)
		return (sni(s));
	return (NULL);
}

bool
probe_subject_set_by_edge(const struct probe_subject *s, const char *name)
{
	const char *const *e = s->set->edge_sets;

	for (; e != NULL && *e != NULL; e++)
		if (strcasecmp(*e, name) == 0)
			return (true);
	return (false);
}

int
probe_subject_index(const struct probe_subject *s, const char *name)
{
	int i;

	for (i = 0; i < s->axes->nelts; i++)
		if (strcasecmp(
			APR_ARRAY_IDX(s->axes, i, const struct probe_axis *)
			    ->name,
			name) == 0)
			return (i);
	return (-1);
}

static bool
same(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		return (a == b);
	return (strcmp(a, b) == 0);
}

static void
add_trial(struct probe_subject *s, int index, const char *value)
{
	const struct probe_axis *a =
	    APR_ARRAY_IDX(s->axes, index, const struct probe_axis *);
	int i;

	if (same(value, probe_subject_base_value(s, a->name)))
		return;
	for (i = 0; i < s->trials->nelts; i++)
		if (TRIAL(s, i)->index == index &&
		    TRIAL(s, i)->kind == PROBE_K_VALUE &&
		    TRIAL(s, i)->context < 0 && same(TRIAL(s, i)->value, value))
			return;
	(void)probe_subject_push(s, PROBE_K_VALUE, a, index, value);
}

struct probe_trial *
probe_subject_push(struct probe_subject *s, enum probe_trial_kind kind,
    const struct probe_axis *a, int index, const char *value)
{
	struct probe_trial *t = apr_array_push(s->trials);

	memset(t, 0, sizeof *t);
	t->kind = kind;
	t->axis = a;
	t->index = index;
	t->value = value;
	t->context = -1;
	return (t);
}

bool
probe_subject_in_group(
    const struct probe_trial *t, const struct probe_axis *a, int *n)
{
	return ((a->flags & PROBE_AXIS_GROUP) != 0 &&
		probe_axis_value(a, t->turn) != NULL &&
		(*n)++ / PROBE_AT_ONCE == t->part);
}

void
probe_subject_push_groups(struct probe_subject *s, enum probe_trial_kind kind,
    const struct probe_axis *a, int context)
{
	struct probe_trial *t;
	int turn, part, n;
	size_t i;

	for (turn = 0;; turn++) {
		for (i = 0, n = 0; i < s->set->naxes; i++)
			n += (s->set->axes[i]->flags & PROBE_AXIS_GROUP) != 0 &&
			     probe_axis_value(s->set->axes[i], turn) != NULL;
		/* What is no group's waits for REST's first. */
		if (n == 0 && (turn > 0 || kind == PROBE_K_GROUP))
			return;
		for (part = 0; part == 0 || part * PROBE_AT_ONCE < n; part++) {
			t = probe_subject_push(s, kind, a, -1, NULL);
			t->context = context;
			t->turn = turn;
			t->part = part;
		}
	}
}

int
probe_subject_enter_axis(struct probe_subject *s, const struct probe_axis *a)
{
	int index = probe_subject_index(s, a->name);

	if (index >= 0)
		return (index);
	if (s->axes->nelts == PROBE_MAX_AXES ||
	    probe_subject_set_by_edge(s, a->name))
		return (-1);
	APR_ARRAY_PUSH(s->axes, const struct probe_axis *) = a;
	return (s->axes->nelts - 1);
}

void
probe_subject_open_axis(struct probe_subject *s, const struct probe_axis *a)
{
	int index;
	size_t i;

	/* There is no name in a handshake where there is no handshake. */
	if ((a->flags & PROBE_AXIS_TLS) != 0 &&
	    (s->set->no_sni || strncmp(s->url, "https:", 6) != 0))
		return;
	if (probe_subject_index(s, a->name) >= 0)
		return;
	index = probe_subject_enter_axis(s, a);
	if (index < 0)
		return;
	for (i = 0; a->values[i] != NULL; i++)
		add_trial(s, index, probe_subject_expand(s, a->values[i]));
	if (probe_subject_base_value(s, a->name) != NULL &&
	    (a->flags & PROBE_AXIS_ALWAYS) == 0)
		add_trial(s, index, NULL);
}

const struct probe_axis *
probe_subject_axis(const struct probe_subject *s, const char *name)
{
	int i = probe_subject_index(s, name);
	size_t j;

	if (i >= 0)
		return (APR_ARRAY_IDX(s->axes, i, const struct probe_axis *));
	for (j = 0; j < s->set->naxes; j++)
		if (strcasecmp(s->set->axes[j]->name, name) == 0)
			return (s->set->axes[j]);
	return (probe_axis_find(name, strlen(name)));
}

void
probe_subject_add_axis(struct probe_subject *s, const char *name)
{
	const char *const values[] = { "1", "%c", NULL };
	const struct probe_axis *a = probe_subject_axis(s, name);
	struct probe_axis *own;

	if (a == NULL) {
		own = apr_palloc(s->pool, sizeof *own);
		own->name = apr_pstrdup(s->pool, name);
		own->flags = PROBE_AXIS_EACH;
		own->values = values;
		a = own;
	}
	probe_subject_open_axis(s, a);
}

void
probe_subject_add_value(
    struct probe_subject *s, const char *name, const char *value)
{
	int i = probe_subject_index(s, name);

	if (i < 0) {
		probe_subject_add_axis(s, name);
		i = probe_subject_index(s, name);
	}
	if (i >= 0)
		add_trial(s, i, apr_pstrdup(s->pool, value));
}

/* Each cookie that fits, and all together: a session may take two. */
static void
open_jar(struct probe_subject *s)
{
	const apr_array_header_t *a;
	const char *one, *all = NULL;
	int i, index = probe_subject_index(s, "Cookie");

	if (s->set->jar == NULL || index < 0)
		return;
	a = probe_jar_fit(s->set->jar, s->url, s->host, s->set->now, s->pool);
	for (i = 0; i < a->nelts; i++) {
		one = APR_ARRAY_IDX(a, i, const char *);
		add_trial(s, index, one);
		all = all == NULL ? one
				  : apr_pstrcat(s->pool, all, "; ", one, NULL);
	}
	if (a->nelts > 1)
		add_trial(s, index, all);
}

apr_status_t
probe_subject_init(struct probe_subject *s, const struct probe_settings *set,
    const char *url, const char *host, uint64_t number, apr_pool_t *pool)
{
	const char *colon;
	size_t i;

	memset(s, 0, sizeof *s);
	s->pool = pool;
	s->set = set;
	s->url = apr_pstrdup(pool, url);
	s->host = apr_pstrdup(pool, host);
	colon = strstr(url, "://");
	assert(colon != NULL);
	s->origin =
	    apr_psprintf(pool, "%.*s://%s", (int)(colon - url), url, host);
	s->number = number;
	s->recheck = -1;
	probe_random_init(
	    &s->random, probe_hash(set->seed, &number, sizeof number));
	probe_random_word(&s->random, s->canary, sizeof s->canary);
	s->axes = apr_array_make(pool, 16, sizeof(const struct probe_axis *));
	s->trials = apr_array_make(pool, 48, sizeof(struct probe_trial));
	s->named = apr_array_make(pool, 8, sizeof(struct probe_named *));
	s->received = apr_array_make(pool, 4, sizeof(const char *));
	s->vary_lines = apr_array_make(pool, 2, sizeof(const char *));
	for (i = 0; i < set->naxes; i++)
		if ((set->axes[i]->flags & PROBE_AXIS_GROUP) == 0)
			probe_subject_open_axis(s, set->axes[i]);
	open_jar(s);
	i = (size_t)probe_subject_index(s, "Cookie");
	if ((int)i >= 0)
		(void)probe_subject_push(s, PROBE_K_COOKIES,
		    APR_ARRAY_IDX(s->axes, i, const struct probe_axis *), -1,
		    NULL);
	probe_subject_push_groups(s, PROBE_K_GROUP, &group_axis, -1);
	s->preflight.planned = set->checks;
	return (APR_SUCCESS);
}

void
probe_subject_fini(struct probe_subject *s)
{
	int i;

	for (i = 0; i < s->trials->nelts; i++) {
		struct probe_trial *t = TRIAL(s, i);

		probe_features_fini(&t->plus);
		probe_features_fini(&t->minus);
		probe_features_fini(&t->stable);
		probe_features_fini(&t->any);
		probe_kept_fini(&t->a);
		probe_kept_fini(&t->b);
	}
	probe_features_fini(&s->preflight.stable);
	probe_features_fini(&s->preflight.any);
	probe_features_fini(&s->stable);
	probe_features_fini(&s->any);
	probe_kept_fini(&s->base);
	for (i = 0; i < 2; i++)
		probe_features_fini(&s->known[i].f);
}
