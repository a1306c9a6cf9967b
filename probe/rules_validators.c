/* SPDX-License-Identifier: BSD-2-Clause */
/* ETags, and what must agree with the 200: 304, 206 and the answer to HEAD. */
#include "probe/rules.h"

#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#include "vary/field.h"

#define TRIAL(s, i) (&APR_ARRAY_IDX((s)->trials, (i), struct probe_trial))

static const char *
sorted_vary(struct probe_subject *s)
{
	const char *v[64], *n, *out = "";
	int i, j, k = 0;

	for (i = 0; i < s->named->nelts && k < 64; i++) {
		const struct probe_named *x =
		    APR_ARRAY_IDX(s->named, i, struct probe_named *);

		if (x->with < s->responses)
			continue;
		n = x->name;
		for (j = k++; j > 0 && strcmp(v[j - 1], n) > 0; j--)
			v[j] = v[j - 1];
		v[j] = n;
	}
	if (s->star)
		out = "*";
	for (i = 0; i < k; i++)
		out = apr_pstrcat(
		    s->pool, out, *out != '\0' ? ", " : "", v[i], NULL);
	return (out);
}

/* Without accept-encoding, which stands first of its kind in a sorted list. */
static const char *
without_encoding(apr_pool_t *pool, const char *vary)
{
	static const char name[] = "accept-encoding";
	const char *p = strstr(vary, name), *e;

	if (p == NULL || (p > vary && p[-1] != ' '))
		return (vary);
	e = p + sizeof name - 1;
	if (*e == ',')
		e += 2;
	else if (*e != '\0')
		return (vary);
	else if (p > vary)
		p -= 2; /* it was the last: its comma goes too */
	return (apr_psprintf(pool, "%.*s%s", (int)(p - vary), vary, e));
}

static void
judge_check(struct probe_subject *s, struct probe_result *r,
    const struct probe_check *c, const char *what, int want)
{
	struct probe_finding *f;
	const char *full = sorted_vary(s);

	if (!c->answered || c->status != want || strcmp(c->vary, full) == 0)
		return;
	/* nginx says gzip_vary's in the 200 alone: every second site, and
	 * whoever compresses by himself loses nothing by it. */
	f = probe_result_add(r, PROBE_VARY_VALIDATOR,
	    strcmp(without_encoding(s->pool, c->vary),
		without_encoding(s->pool, full)) == 0
		? PROBE_NOTE
		: PROBE_WARNING,
	    NULL,
	    apr_psprintf(s->pool,
		"the Vary of %s is \"%s\", that of the %d is \"%s\": a cache "
		"that takes the one for the other keeps the wrong key",
		what, c->vary, s->status, full));
	f->fix_origin = "send the same Vary with 200, 206, 304 and to HEAD "
			"(RFC 9110 sections 15.3.7 and 15.4.5)";
}

/* What stands between the quotes, without a mark of its coding. */
static struct vary_span
opaque(const char *etag)
{
	static const char *const marks[] = { "-gzip", "-br", "--gzip", "--br",
		";gzip", ";br" };
	struct vary_span o = vary_span_str(etag);
	size_t i, n;

	if (strncmp(etag, "W/", 2) == 0)
		o = vary_span_str(etag + 2);
	if (o.len > 1 && *o.b == '"' && o.b[o.len - 1] == '"') {
		o.b++;
		o.len -= 2;
	}
	for (i = 0; i < sizeof marks / sizeof *marks; i++) {
		n = strlen(marks[i]);
		if (o.len > n && memcmp(o.b + o.len - n, marks[i], n) == 0) {
			o.len -= n;
			break;
		}
	}
	return (o);
}

static bool
is_same_tag(const char *a, const char *b)
{
	struct vary_span x = opaque(a), y = opaque(b);

	return (x.len == y.len && memcmp(x.b, y.b, x.len) == 0);
}

static const char *
kept_etag(apr_pool_t *pool, const struct probe_kept *k)
{
	size_t i;

	for (i = 0; i < k->nlines; i++)
		if (probe_line_is(&k->lines[i], "etag"))
			return (apr_pstrndup(
			    pool, k->lines[i].value, k->lines[i].value_len));
	return (NULL);
}

/* By some response; what none declares is missing, and no ETag's fault. */
static bool
is_declared(const struct probe_result *r, const char *name)
{
	int i;

	for (i = 0; i < r->members->nelts; i++) {
		const struct probe_member *m =
		    &APR_ARRAY_IDX(r->members, i, struct probe_member);

		if (strcasecmp(m->name, name) == 0)
			return (m->declared != PROBE_DECLARED_NO);
	}
	return (false);
}

/*
 * Two texts under one ETag, weak or strong: whoever has one and asks for the
 * other, with If-None-Match, is told that nothing has changed.  A weak one may
 * say that the two are as good as each other.
 */
static void
judge_etag(struct probe_subject *s, struct probe_result *r)
{
	struct probe_finding *f;
	const char *a, *b;
	int i;

	for (i = 0; i < s->trials->nelts; i++) {
		const struct probe_trial *t = TRIAL(s, i);

		if (t->state != PROBE_T_EFFECT || t->effect != PROBE_IN_BODY ||
		    t->a.status != 200 || t->b.status != 200 ||
		    (t->axis->flags & (PROBE_AXIS_KEYED | PROBE_AXIS_TLS)) !=
			0 ||
		    !is_declared(r, t->axis->name))
			continue;
		a = kept_etag(s->pool, &t->a);
		b = kept_etag(s->pool, &t->b);
		if (a == NULL || b == NULL || strcmp(a, b) != 0)
			continue;
		f = probe_result_add(r, PROBE_VARY_VALIDATOR,
		    *a == '"' ? PROBE_WARNING : PROBE_NOTE, NULL,
		    apr_psprintf(s->pool,
			"with another %s the body is another, and the ETag is "
			"still %s: who has the one and asks for the other gets "
			"a 304, and keeps the wrong one",
			t->axis->name, a));
		f->evidence = t->evidence;
		f->fix_origin = "make the ETag of what is sent, or of what "
				"decides it, too (RFC 9110 section 8.8.3)";
		return;
	}
}

static void
judge_304_etag(struct probe_subject *s, struct probe_result *r)
{
	const struct probe_check *c = &s->checks[PROBE_CHECK_304];
	struct probe_finding *f;

	if (!c->answered || c->status != 304 || c->etag == NULL ||
	    s->base_etag == NULL || is_same_tag(c->etag, s->base_etag))
		return;
	f = probe_result_add(r, PROBE_VARY_VALIDATOR, PROBE_WARNING, NULL,
	    apr_psprintf(s->pool,
		"If-None-Match: %s is answered with 304 and ETag: %s: a cache "
		"takes what it has for what that names",
		s->base_etag, c->etag));
	f->fix_origin = "send with a 304 the ETag of the 200 that it stands "
			"for (RFC 9110 section 15.4.5)";
}

/* All of it was promised, and there is no more than what the range named. */
static bool
is_cut(const struct probe_subject *s, const struct probe_check *c)
{
	return (c->answered && c->status == 200 && c->body_len <= 2 &&
		s->base.body_len > 2);
}

/* As if If-Range were another condition, or the range one that is not there. */
static bool
is_refused(const struct probe_check *c)
{
	return (c->answered &&
		(c->status == 304 || c->status == 412 || c->status == 416));
}

/* What is wrong with the answers to Range, and to Range with If-Range; NULL:
 * nothing. */
static const char *
fault_of_ranges(const struct probe_subject *s)
{
	const struct probe_check *plain = &s->checks[PROBE_CHECK_206],
				 *same = &s->checks[PROBE_CHECK_IF_RANGE],
				 *stale = &s->checks[PROBE_CHECK_STALE];

	if (is_cut(s, plain) || is_cut(s, same) || is_cut(s, stale))
		return ("a range is answered with its bytes and the status "
			"200: a cache keeps a part as the whole");
	if (stale->answered && stale->status == 206)
		return (apr_psprintf(s->pool,
		    "Range with If-Range: %s, which is no version that there "
		    "is, is answered with 206: who has a part of an older one "
		    "gets the rest of another",
		    s->stale));
	if (same->answered && same->status == 206 && same->etag != NULL &&
	    s->base_etag != NULL && !is_same_tag(same->etag, s->base_etag))
		return (apr_psprintf(s->pool,
		    "Range with If-Range: %s is answered with 206 and ETag: "
		    "%s: who has a part of the one gets the rest of another",
		    s->base_etag, same->etag));
	if (is_refused(same) || is_refused(stale)) {
		const bool old = !is_refused(same);

		return (apr_psprintf(s->pool,
		    "Range with If-Range: %s is answered with %d, and never "
		    "with 206 or 200: who has a part gets neither the rest nor "
		    "the whole",
		    old ? s->stale : s->validator,
		    old ? stale->status : same->status));
	}
	return (NULL);
}

static void
judge_ranges(struct probe_subject *s, struct probe_result *r)
{
	const char *fault = fault_of_ranges(s);

	if (fault == NULL)
		return;
	probe_result_add(r, PROBE_VARY_VALIDATOR, PROBE_WARNING, NULL, fault)
	    ->fix_origin = "answer a range with 206 where If-Range is missing "
			   "or names what is sent, by strong comparison, and "
			   "else with 200 and all of it (RFC 9110 section "
			   "13.1.5)";
}

/* A 206 without Vary is one finding, with If-Range or without. */
static void
judge_if_range_vary(struct probe_subject *s, struct probe_result *r)
{
	const struct probe_check *plain = &s->checks[PROBE_CHECK_206],
				 *same = &s->checks[PROBE_CHECK_IF_RANGE],
				 *stale = &s->checks[PROBE_CHECK_STALE];

	if (same->answered && strcmp(same->vary, plain->vary) != 0)
		judge_check(s, r, same, "the 206 to If-Range", 206);
	judge_check(s, r, stale->answered ? stale : same,
	    "the 200 to Range with If-Range", 200);
}

void
probe_rules_validators(struct probe_subject *s, struct probe_result *r)
{
	struct probe_finding *f;
	int i;

	judge_etag(s, r);
	judge_304_etag(s, r);
	judge_ranges(s, r);
	if (s->etag_coded != NULL && s->etag_identity != NULL &&
	    strcmp(s->etag_coded, s->etag_identity) == 0) {
		f = probe_result_add(r, PROBE_VARY_VALIDATOR, PROBE_WARNING,
		    NULL,
		    apr_psprintf(s->pool,
			"the compressed and the plain body have the same "
			"strong ETag %s: a cache that revalidates mixes them "
			"up",
			s->etag_coded));
		f->fix_origin = "make it weak (W/) or give each coding its own "
				"(RFC 9110 section 8.8.3.3)";
		f->fix_vcl = NULL;
	}
	/* Where the 200s themselves do not agree there is no "same". */
	for (i = 0; i < s->named->nelts; i++)
		if (APR_ARRAY_IDX(s->named, i, struct probe_named *)->with <
			s->responses &&
		    strcmp(
			APR_ARRAY_IDX(s->named, i, struct probe_named *)->name,
			"host") != 0)
			return;
	judge_check(s, r, &s->checks[PROBE_CHECK_HEAD], "the answer to HEAD",
	    s->status);
	judge_check(s, r, &s->checks[PROBE_CHECK_304], "the 304", 304);
	judge_check(s, r, &s->checks[PROBE_CHECK_206], "the 206", 206);
	judge_if_range_vary(s, r);
}
