/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/declared.h"

#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#include "probe/plan.h"
#include "vary/field.h"
#include "vary/set.h"

#define TRIAL(s, i) (&APR_ARRAY_IDX((s)->trials, (i), struct probe_trial))

enum {
	EXCERPT = 120,
	MAX_NAMED = 64,
};

static const char *
lower_copy(apr_pool_t *pool, struct vary_span n)
{
	char *c = apr_pstrndup(pool, n.b, n.len), *p;

	for (p = c; *p != '\0'; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
	return (c);
}

static struct probe_named *
named(struct probe_subject *s, struct vary_span name, bool make)
{
	struct probe_named *n;
	int i;

	for (i = 0; i < s->named->nelts; i++) {
		n = APR_ARRAY_IDX(s->named, i, struct probe_named *);
		if (vary_name_eq(vary_span_str(n->name), name))
			return (n);
	}
	if (!make || s->named->nelts == MAX_NAMED || name.len > 256)
		return (NULL);
	n = apr_pcalloc(s->pool, sizeof *n);
	n->name = lower_copy(s->pool, name);
	n->first = s->responses;
	APR_ARRAY_PUSH(s->named, struct probe_named *) = n;
	return (n);
}

static const char *
describe(const struct probe_subject *s, const struct probe_sample *a)
{
	const struct probe_trial *t;

	if (a->trial < 0)
		return ("the plain request");
	t = TRIAL(s, a->trial);
	if (!a->varied) {
		if (t->context < 0)
			return ("the plain request");
		t = TRIAL(s, t->context);
	}
	if (t->kind == PROBE_K_COOKIES)
		return ("a request with cookies of many frameworks");
	if (t->kind != PROBE_K_VALUE && t->kind != PROBE_K_LINES &&
	    t->kind != PROBE_K_RIVAL)
		return ("a request with many headers more");
	return (probe_declared_trial(s, t));
}

const char *
probe_declared_trial(const struct probe_subject *s, const struct probe_trial *t)
{
	if (t->value == NULL)
		return (apr_psprintf(
		    s->pool, "a request without %s", t->axis->name));
	return (apr_psprintf(s->pool, "%s: %.60s", t->axis->name, t->value));
}

static void
syntax(struct probe_subject *s, const char *kind, struct vary_span at)
{
	s->syntax_with++;
	if (s->syntax != NULL)
		return;
	if (at.len > EXCERPT)
		at.len = EXCERPT;
	s->syntax = apr_pstrndup(s->pool, at.b, at.len);
	s->syntax_kind = kind;
}

/* All Vary lines as one set.  A name with a blank before its colon counts: a
 * cache may read it so, or not. */
static void
read_vary(const struct probe_exchange *x, struct vary_set *set,
    struct vary_span *ret_blank)
{
	const struct probe_line *l;
	size_t i, n;

	vary_set_init(set);
	*ret_blank = (struct vary_span){ NULL, 0 };
	for (i = 0; i < x->nlines; i++) {
		l = &x->lines[i];
		for (n = l->name_len;
		     n > 0 && (l->name[n - 1] == ' ' || l->name[n - 1] == '\t');
		     n--)
			continue;
		if (n != 4 || strncasecmp(l->name, "vary", 4) != 0)
			continue;
		if (n != l->name_len)
			*ret_blank = (struct vary_span){ l->name,
				(size_t)(l->value + l->value_len - l->name) };
		vary_set_add(set, l->value, l->value_len);
	}
}

/* How the list is written tells who wrote it. */
static void
spelling(struct probe_subject *s, const struct probe_exchange *x)
{
	const struct probe_line *l;
	const char *comma;
	size_t i, n, lines = 0;

	for (i = 0; i < x->nlines; i++) {
		l = &x->lines[i];
		if (!probe_line_is(l, "vary"))
			continue;
		lines++;
		for (n = l->value_len, comma = l->value;
		     n > 1 && (comma = memchr(comma, ',', n - 1)) != NULL;
		     n = l->value_len - (size_t)(comma - l->value)) {
			comma++;
			if (*comma == ' ')
				s->spaced = true;
			else
				s->folded = true;
		}
	}
	s->several |= lines > 1;
}

/* As builtin.vcl looks for it: "*," is another thing for it. */
static bool
is_lone_star(const struct probe_exchange *x)
{
	const struct probe_line *l = probe_exchange_line(x, "vary");

	return (l != NULL && l->value_len == 1);
}

const char *
probe_declared_normal(struct probe_subject *s, const struct probe_exchange *x)
{
	struct vary_set set;
	struct vary_span blank;
	const char **v;
	char *out = NULL;
	unsigned i, j;

	read_vary(x, &set, &blank);
	if (set.n == 0)
		return ("");
	v = apr_palloc(s->pool, set.n * sizeof *v);
	for (i = 0; i < set.n; i++) {
		const char *n = lower_copy(s->pool, set.name[i]);

		for (j = i; j > 0 && strcmp(v[j - 1], n) > 0; j--)
			v[j] = v[j - 1];
		v[j] = n;
	}
	for (i = 0; i < set.n; i++)
		out = out == NULL ? apr_pstrdup(s->pool, v[i])
				  : apr_pstrcat(s->pool, out, ", ", v[i], NULL);
	return (out);
}

bool
probe_declared_names(const struct probe_exchange *x, const char *name)
{
	struct vary_set set;
	struct vary_span blank;

	read_vary(x, &set, &blank);
	return (set.star || vary_set_has(&set, vary_span_str(name)));
}

void
probe_declared_take(struct probe_subject *s, const struct probe_sample *a,
    const struct probe_exchange *x)
{
	struct probe_trial *t = a->varied ? TRIAL(s, a->trial) : NULL;
	struct vary_set set;
	struct vary_span blank;
	struct probe_named *n;
	const char *meant, *example = NULL, *why;
	bool keyed, stored, authorized;
	unsigned i;
	int j;

	keyed = t != NULL &&
		(t->axis->flags & (PROBE_AXIS_KEYED | PROBE_AXIS_TLS)) != 0;
	authorized = t != NULL && (t->axis->flags & PROBE_AXIS_EXEMPT) != 0
			 ? t->value != NULL
			 : s->set->authorized;
	stored = probe_profile_stores(
	    s->set->profile, x->status, x->lines, x->nlines, authorized, &why);
	if (x->status != s->status && !stored)
		return;
	read_vary(x, &set, &blank);
	spelling(s, x);
	if (t != NULL) {
		t->declares = set.star ||
			      vary_set_has(&set, vary_span_str(t->axis->name));
		t->cacheable = stored;
	}
	if (a->role == PROBE_R_BASE && s->base_seen == 0)
		for (i = 0; i < x->nlines; i++)
			if (probe_line_is(&x->lines[i], "vary"))
				APR_ARRAY_PUSH(s->vary_lines, const char *) =
				    apr_pstrndup(s->pool, x->lines[i].value,
					x->lines[i].value_len);
	/* Another host is another URL: only that it is named counts. */
	if (keyed) {
		if (vary_set_has(&set, vary_span_str("host")))
			(void)named(s, vary_span_str("host"), true);
		return;
	}
	for (i = 0; i < set.n; i++) {
		if (set.name[i].len == 1 && *set.name[i].b == '*')
			continue;
		n = named(s, set.name[i], true);
		if (n == NULL)
			continue;
		if (n->with++ == 0)
			n->with_example = describe(s, a);
		if (probe_axis_is_response_header(
			set.name[i].b, set.name[i].len, &meant) != 0) {
			s->meant_bad = n->name;
			s->meant = meant;
		} else if (s->trials->nelts < 4 * PROBE_MAX_AXES)
			probe_subject_add_axis(s, n->name);
	}
	s->responses++;
	for (j = 0; j < s->named->nelts; j++) {
		n = APR_ARRAY_IDX(s->named, j, struct probe_named *);
		if (n->without_example == NULL && n->with < s->responses &&
		    !vary_set_has(&set, vary_span_str(n->name))) {
			if (example == NULL)
				example = describe(s, a);
			n->without_example = example;
		}
	}
	if (set.star) {
		s->star_with++;
		s->star = true;
		if (set.n > 1 || set.lines > 1 || !is_lone_star(x))
			s->star_in_list = true;
	}
	if (blank.len > 0)
		syntax(s, "a blank before the colon", blank);
	else if (set.overflow)
		syntax(s, "more than 64 names", set.name[0]);
	else if (set.malformed > 0)
		syntax(s, "no field name", set.first_bad);
	else if (set.blanks > 0)
		syntax(s, "a blank in place of a comma", set.first_bad);
	if (set.repeated > 0 && s->repeated == NULL)
		s->repeated = probe_declared_normal(s, x);
}
