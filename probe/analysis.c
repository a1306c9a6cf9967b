/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/analysis.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#include "probe/check.h"
#include "probe/cookie.h"
#include "probe/declared.h"
#include "probe/evidence.h"
#include "probe/failure.h"
#include "probe/hash.h"
#include "probe/plan.h"
#include "probe/stage.h"
#include "vary/field.h"

#define TRIAL(s, i) (&APR_ARRAY_IDX((s)->trials, (i), struct probe_trial))

enum {
	MAX_HINTS = 16,
	SHORTEST_ECHO = 8, /* a shorter value may stand there by chance */
};

/* --- the features of an answer ------------------------------------------- */

struct digest {
	struct probe_features f;
	const char *body; /* decoded, or as it came in a coding unknown to us */
	size_t body_len;
};

static const char *
coding_of(const struct probe_exchange *x, size_t *ret_len)
{
	const struct probe_line *l = probe_exchange_line(x, "content-encoding");

	*ret_len = l != NULL ? l->value_len : 0;
	return (l != NULL ? l->value : "");
}

/* A transport's limit and ours: the decoded prefix is the same for every coding
 * of a body that is longer. */
static void
decode(const struct probe_subject *s, const struct probe_exchange *x,
    struct probe_decoded *scratch, struct digest *ret)
{
	const char *coding;
	size_t coding_len;

	memset(ret, 0, sizeof *ret);
	coding = coding_of(x, &coding_len);
	switch (probe_decode(scratch, coding, coding_len, x->body, x->body_len,
	    s->set->max_body)) {
	case PROBE_DECODED:
	case PROBE_CUT:
		ret->body = scratch->b;
		ret->body_len = scratch->len;
		break;
	default:
		ret->body = x->body;
		ret->body_len = x->body_len;
		break;
	}
}

/* The same body is not read a second time. */
static int
read_body(struct probe_subject *s, struct digest *d)
{
	uint64_t h = probe_hash_body(s->set->seed, d->body, d->body_len);
	int r, i;

	for (i = 0; i < 2; i++)
		if (s->known[i].f.n > 0 && s->known[i].hash == h)
			return (probe_features_merge(&d->f, &s->known[i].f));
	i = s->known_next;
	s->known_next = 1 - i;
	r = probe_features_of_body(
	    &s->known[i].f, s->set->seed, d->body, d->body_len);
	s->known[i].hash = h;
	if (r == 0)
		r = probe_features_merge(&d->f, &s->known[i].f);
	else
		s->known[i].f.n = 0;
	return (r);
}

static int
digest(struct probe_subject *s, int status, const struct probe_line *lines,
    size_t nlines, struct digest *d)
{
	int r;

	r = probe_features_of_head(&d->f, s->set->seed, status, lines, nlines);
	if (r == 0 && d->body_len > 0)
		r = read_body(s, d);
	return (r);
}

static bool
contains(const char *hay, size_t len, const char *needle, size_t n)
{
	return (len >= n && n > 0 && memmem(hay, len, needle, n) != NULL);
}

static bool
echoes(const struct probe_exchange *x, const char *body, size_t len,
    const char *value)
{
	size_t i, n = strlen(value);

	if (n < SHORTEST_ECHO)
		return (false);
	for (i = 0; i < x->nlines; i++)
		if (contains(
			x->lines[i].value, x->lines[i].value_len, value, n))
			return (true);
	return (contains(body, len, value, n));
}

/* --- baselines ----------------------------------------------------------- */

static void
add_hints(
    struct probe_subject *s, const struct probe_exchange *x, const char *field)
{
	size_t i;
	int added = 0;

	for (i = 0; i < x->nlines; i++) {
		struct vary_field f;
		struct vary_span n;
		enum vary_status st;

		if (!probe_line_is(&x->lines[i], field))
			continue;
		vary_field_init(&f, x->lines[i].value, x->lines[i].value_len);
		while ((st = vary_field_next(&f, &n)) != VARY_END) {
			if (st != VARY_OK) {
				vary_field_skip(&f, &n);
				continue;
			}
			if (n.len == 1 && *n.b == '*')
				continue;
			if (added++ == MAX_HINTS)
				return;
			probe_subject_add_axis(
			    s, apr_pstrndup(s->pool, n.b, n.len));
		}
	}
}

/* A cache has answered from its store: the line that says so, or NULL. */
static const char *
cache_sign(apr_pool_t *pool, const struct probe_exchange *x)
{
	static const char *const fields[] = { "X-Cache", "CF-Cache-Status",
		"X-Cache-Status", "Cache-Status", "X-Proxy-Cache" };
	const struct probe_line *l;
	size_t i;

	l = probe_exchange_line(x, "Age");
	if (l != NULL && !(l->value_len == 1 && *l->value == '0'))
		return (apr_psprintf(
		    pool, "Age: %.*s", (int)l->value_len, l->value));
	l = probe_exchange_line(x, "X-Varnish");
	if (l != NULL && memchr(l->value, ' ', l->value_len) != NULL)
		return ("X-Varnish with two numbers");
	for (i = 0; i < sizeof fields / sizeof *fields; i++) {
		l = probe_exchange_line(x, fields[i]);
		/* X-Cache is there is not X-Cache says HIT. */
		if (l != NULL &&
		    (contains(l->value, l->value_len, "HIT", 3) ||
			contains(l->value, l->value_len, "hit", 3) ||
			contains(l->value, l->value_len, "Hit", 3)))
			return (apr_psprintf(pool, "%s: %.*s", fields[i],
			    (int)l->value_len, l->value));
	}
	return (NULL);
}

/*
 * Does a cache stand between us and the origin?  One that has a stored answer to
 * a word made for this very request does not key on its header.
 */
static void
look_for_cache(struct probe_subject *s, const struct probe_sample *a,
    const struct probe_exchange *x)
{
	const struct probe_trial *t = a->varied ? TRIAL(s, a->trial) : NULL;
	bool own = a->role == PROBE_R_SCREEN && t != NULL &&
		   t->kind == PROBE_K_VALUE && t->context < 0 &&
		   t->screened == 0 && t->value != NULL &&
		   strstr(t->value, s->canary) != NULL;
	const char *sign;

	if (s->cache_sign != NULL && !own)
		return;
	sign = cache_sign(s->pool, x);
	if (s->cache_sign == NULL)
		s->cache_sign = sign;
	if (own && sign != NULL)
		TRIAL(s, a->trial)->unkeyed = true;
}

static size_t
count_body(const struct probe_features *f)
{
	size_t i, n = 0;

	for (i = 0; i < f->n; i++)
		if (probe_feature_kind(f->f[i]) >= PROBE_F_JSON &&
		    probe_feature_kind(f->f[i]) != PROBE_F_WHOLE)
			n++;
	return (n);
}

static size_t
count_kind(const struct probe_features *f, enum probe_feature_kind k)
{
	size_t i, n = 0;

	for (i = 0; i < f->n; i++)
		if (probe_feature_kind(f->f[i]) == k)
			n++;
	return (n);
}

/* One baseline more; after the last one, are they fit to compare with? */
static void
finish_base(struct probe_subject *s)
{
	size_t lines;

	if (++s->base_seen < PROBE_NBASE)
		return;
	lines = count_kind(&s->any, PROBE_F_LINE) +
		count_kind(&s->any, PROBE_F_JSON);
	lines -= count_kind(&s->stable, PROBE_F_LINE) +
		 count_kind(&s->stable, PROBE_F_JSON);
	s->noise = lines > 1000 ? 1000 : (unsigned)lines;
	s->restless = s->any.n != s->stable.n;
	/* Nothing of the body stays the same: nothing can be compared. */
	if (count_kind(&s->any, PROBE_F_WHOLE) > 1 &&
	    count_body(&s->stable) == 0)
		s->body_unstable = true;
	if (s->status_unstable)
		probe_subject_end(s, PROBE_UNSTABLE,
		    "equal requests get different status codes");
	else if (s->body_unstable)
		probe_subject_end(s, PROBE_UNSTABLE,
		    "equal requests get bodies that have nothing in common");
}

/*
 * What is compared with the baseline is compared with its features.  Where every
 * answer is the baseline to the byte, as with most files, nobody needs them.
 */
static void
read_base(struct probe_subject *s)
{
	struct digest d = { .body = s->base.body,
		.body_len = s->base.body_len };

	if (s->base_read || s->base_seen == 0)
		return;
	s->base_read = true;
	s->nomem |=
	    digest(s, s->base.status, s->base.lines, s->base.nlines, &d);
	s->nomem |= probe_features_copy(&s->stable, &d.f);
	s->nomem |= probe_features_copy(&s->any, &d.f);
	probe_features_fini(&d.f);
}

static void
take_base(
    struct probe_subject *s, const struct probe_exchange *x, struct digest *d)
{
	const char *why;
	const struct probe_line *l;

	if (s->base_seen == 0) {
		s->nomem |= probe_kept_copy(&s->base, x, d->body, d->body_len);
		if (s->base.cut) {
			s->base_read = true;
			s->nomem |=
			    digest(s, x->status, x->lines, x->nlines, d);
			s->nomem |= probe_features_copy(&s->stable, &d->f);
			s->nomem |= probe_features_copy(&s->any, &d->f);
		}
		probe_check_plan(s, x);
		s->base_coding = probe_line_copy(
		    probe_exchange_line(x, "Content-Encoding"), s->pool);
		s->for_all = probe_profile_stores(s->set->profile, x->status,
		    x->lines, x->nlines, true, &why);
		s->cacheable = probe_profile_stores(s->set->profile, x->status,
		    x->lines, x->nlines, s->set->authorized, &s->cacheable_why);
		add_hints(s, x, "Accept-CH");
		add_hints(s, x, "Critical-CH");
		add_hints(s, x, "Access-Control-Allow-Headers");
		l = probe_exchange_line(x, "Access-Control-Allow-Origin");
		if (l != NULL && l->value_len > 1 && l->value_len < 256)
			probe_subject_add_value(
			    s, "Origin", probe_line_copy(l, s->pool));
	} else {
		read_base(s);
		probe_features_intersect(&s->stable, &d->f);
		s->nomem |= probe_features_merge(&s->any, &d->f);
		if (s->base_coding == NULL &&
		    probe_exchange_line(x, "Content-Encoding") != NULL)
			s->base_coding = probe_line_copy(
			    probe_exchange_line(x, "Content-Encoding"),
			    s->pool);
	}
	probe_cookie_take(s, x, true);
	if (x->status != s->status)
		s->status_unstable = true;
	finish_base(s);
}

/* --- screening and pairs ------------------------------------------------- */

static void
quiet(struct probe_subject *s, struct probe_trial *t)
{
	/* It did differ at first. */
	s->restless |= t->screened > 1;
	t->state = PROBE_T_QUIET;
	t->effect = PROBE_NONE_OBSERVED;
	probe_features_fini(&t->plus);
	probe_features_fini(&t->minus);
	probe_features_fini(&t->stable);
	probe_features_fini(&t->any);
}

/* Its context's answer comes first, then its own, and then each once more. */
static void
take_rival(struct probe_subject *s, struct probe_trial *t, struct digest *d)
{
	switch (t->screened++) {
	case 0:
		s->nomem |= probe_features_copy(&t->minus, &d->f);
		s->nomem |= probe_features_copy(&t->any, &d->f);
		break;
	case 1:
		s->nomem |= probe_features_copy(&t->plus, &d->f);
		probe_features_subtract(&t->plus, &t->any);
		probe_features_subtract(&t->minus, &d->f);
		probe_features_fini(&t->any);
		break;
	case 2:
		probe_features_subtract(&t->plus, &d->f);
		probe_features_intersect(&t->minus, &d->f);
		break;
	default:
		probe_features_intersect(&t->plus, &d->f);
		probe_features_subtract(&t->minus, &d->f);
		break;
	}
	t->state = t->screened < 4 ? PROBE_T_NEW : PROBE_T_SUSPECT;
	if (t->screened > 1 && t->plus.n == 0 && t->minus.n == 0)
		quiet(s, t);
}

/*
 * What a suspect has of noise goes with a second sample of it: a nonce that is
 * in one response only.  It costs one request where the pairs would take several
 * to find out the same.
 */
static void
take_screen(struct probe_subject *s, struct probe_trial *t,
    const struct probe_exchange *x, struct digest *d)
{
	const struct probe_features *stable, *any;

	t->status = x->status;
	if (t->kind == PROBE_K_RIVAL) {
		take_rival(s, t, d);
		return;
	}
	if (t->screened++ == 0) {
		read_base(s);
		probe_stage_base(s, t, &stable, &any);
		s->nomem |= probe_features_copy(&t->plus, &d->f);
		probe_features_subtract(&t->plus, any);
		s->nomem |= probe_features_copy(&t->minus, stable);
		probe_features_subtract(&t->minus, &d->f);
		t->state = PROBE_T_NEW;
	} else {
		probe_features_intersect(&t->plus, &d->f);
		probe_features_subtract(&t->minus, &d->f);
		t->state = PROBE_T_SUSPECT;
	}
	if (t->plus.n == 0 && t->minus.n == 0)
		quiet(s, t);
}

static void
take_pair(struct probe_subject *s, const struct probe_sample *a,
    const struct probe_exchange *x, struct digest *d)
{
	struct probe_trial *t = TRIAL(s, a->trial);

	if (t->state != PROBE_T_CONFIRM)
		return; /* decided while this was on its way */
	if (a->varied) {
		probe_features_intersect(&t->plus, &d->f);
		probe_features_subtract(&t->minus, &d->f);
		s->nomem |= probe_kept_copy(&t->b, x, d->body, d->body_len);
		if (t->seen_b++ == 0) {
			s->nomem |= probe_features_copy(&t->stable, &d->f);
			s->nomem |= probe_features_copy(&t->any, &d->f);
		} else {
			probe_features_intersect(&t->stable, &d->f);
			s->nomem |= probe_features_merge(&t->any, &d->f);
		}
	} else {
		probe_features_subtract(&t->plus, &d->f);
		probe_features_intersect(&t->minus, &d->f);
		s->nomem |= probe_kept_copy(&t->a, x, d->body, d->body_len);
		t->seen_a++;
	}
	if (t->plus.n == 0 && t->minus.n == 0)
		quiet(s, t);
	else if (t->seen_a + t->seen_b == 2 * t->n)
		probe_evidence_conclude(s, t);
	if (t->state != PROBE_T_CONFIRM && !probe_stage_is_context(s, t)) {
		probe_features_fini(&t->stable);
		probe_features_fini(&t->any);
	}
}

static bool
has_cors(const struct probe_exchange *x)
{
	size_t i;

	for (i = 0; i < x->nlines; i++)
		if (x->lines[i].name_len > 21 &&
		    strncasecmp(
			x->lines[i].name, "Access-Control-Allow-", 21) == 0)
			return (true);
	return (false);
}

/* Is it compared with what came before?  The first baseline waits for one that
 * differs, and a preflight is the last one where the origin knows nothing of it. */
static bool
is_compared(const struct probe_subject *s, const struct probe_sample *a,
    const struct probe_exchange *x)
{
	switch (a->role) {
	case PROBE_R_BASE: return (s->base_seen > 0);
	case PROBE_R_PREFLIGHT: return (s->preflight.seen > 0 || has_cors(x));
	default: return (true);
	}
}

static void
take_preflight(
    struct probe_subject *s, const struct probe_exchange *x, struct digest *d)
{
	struct probe_preflight *p = &s->preflight;

	if (p->seen++ > 0) {
		probe_features_intersect(&p->stable, &d->f);
		s->nomem |= probe_features_merge(&p->any, &d->f);
		return;
	}
	p->status = x->status;
	p->cors = has_cors(x);
	s->nomem |= probe_features_copy(&p->stable, &d->f);
	s->nomem |= probe_features_copy(&p->any, &d->f);
}

/* A strong ETag that stands for two codings (RFC 9110 section 8.8.3.3). */
static void
take_etag(struct probe_subject *s, const struct probe_exchange *x)
{
	const struct probe_line *e = probe_exchange_line(x, "ETag");
	size_t len;

	if (e == NULL || x->status != 200 || e->value_len < 2 ||
	    *e->value != '"')
		return;
	(void)coding_of(x, &len);
	if (len > 0 && s->etag_coded == NULL)
		s->etag_coded = probe_line_copy(e, s->pool);
	else if (len == 0 && s->etag_identity == NULL)
		s->etag_identity = probe_line_copy(e, s->pool);
}

void
probe_analysis_take(struct probe_subject *s, const struct probe_sample *a,
    const struct probe_exchange *x, struct probe_decoded *scratch)
{
	struct probe_trial *t;
	struct digest d;
	uint64_t signature;
	bool preflight;
	int i;

	assert(s->busy > 0);
	s->busy--;
	s->requests++;
	if (s->over)
		return;
	if (probe_failure_slow(s, a, x))
		return;
	if (!probe_failure_answered(x)) {
		probe_failure_take(s, a, x);
		return;
	}
	look_for_cache(s, a, x);
	if (a->role == PROBE_R_CHECK) {
		probe_check_take(s, a->check, x);
		return;
	}
	if (a->role == PROBE_R_RECHECK) {
		if (x->status != s->status)
			probe_subject_end(s, PROBE_INTERFERED,
			    apr_psprintf(s->pool,
				"status %d for what was %d before: something "
				"on the way blocks us after %s",
				x->status, s->status,
				TRIAL(s, s->recheck)->axis->name));
		s->recheck = -1;
		return;
	}
	if (a->role == PROBE_R_BASE && s->base_seen == 0)
		s->status = x->status;
	if (a->role == PROBE_R_BASE && probe_failure_refuses(x->status)) {
		probe_subject_end(s, PROBE_INTERFERED,
		    apr_psprintf(s->pool, "status %d for the plain request%s",
			x->status,
			x->status == 401
			    ? ": give --user or -H 'Authorization: ...'"
			: x->status == 407 ? ": the proxy wants a user name"
					   : ""));
		return;
	}
	if (a->role == PROBE_R_PAIR && !a->varied &&
	    probe_failure_refuses(x->status)) {
		probe_subject_end(s, PROBE_INTERFERED,
		    apr_psprintf(s->pool,
			"status %d for what was %d before: something on the "
			"way blocks us",
			x->status, s->status));
		return;
	}
	t = a->trial >= 0 ? TRIAL(s, a->trial) : NULL;
	preflight = a->role == PROBE_R_PREFLIGHT ||
		    (t != NULL && t->kind == PROBE_K_PREFLIGHT);
	/* Another method's answer says nothing of this one's Vary. */
	if (!preflight) {
		probe_declared_take(s, a, x);
		/* A name that was new there may have moved the trials. */
		t = a->trial >= 0 ? TRIAL(s, a->trial) : NULL;
	} else if (t != NULL && probe_declared_names(x, t->axis->name))
		t->declares = true;
	if (a->varied && !preflight && TRIAL(s, a->trial)->axis->name != NULL &&
	    strcasecmp(TRIAL(s, a->trial)->axis->name, "Accept-Encoding") == 0)
		take_etag(s, x);
	if (a->role == PROBE_R_BASE)
		take_etag(s, x);
	/* What is a baseline to the byte has nothing to compare. */
	signature = probe_features_signature(
	    s->set->seed, x->status, x->lines, x->nlines, x->body, x->body_len);
	for (i = 0; i < s->base_seen; i++)
		if (s->signature[i] == signature)
			break;
	/* ... but where it is compared with something else. */
	if (i < s->base_seen && a->role == PROBE_R_SCREEN && !preflight &&
	    t->context < 0) {
		t->status = x->status;
		t->screened++;
		quiet(s, t);
		return;
	}
	if (a->role == PROBE_R_BASE) {
		s->signature[s->base_seen] = signature;
		if (i < s->base_seen) {
			probe_cookie_take(s, x, true);
			finish_base(s);
			return;
		}
	}
	if (a->role == PROBE_R_SCREEN && !preflight)
		probe_cookie_take(s, x, false);
	decode(s, x, scratch, &d);
	if (is_compared(s, a, x))
		s->nomem |= digest(s, x->status, x->lines, x->nlines, &d);
	switch (a->role) {
	case PROBE_R_BASE: take_base(s, x, &d); break;
	case PROBE_R_PREFLIGHT: take_preflight(s, x, &d); break;
	case PROBE_R_SCREEN:
		if (t->value != NULL)
			t->reflected = echoes(x, d.body, d.body_len,
					   strstr(t->value, s->canary) != NULL
					       ? s->canary
					       : t->value) &&
				       !contains(s->base.body, s->base.body_len,
					   t->value, strlen(t->value));
		take_screen(s, t, x, &d);
		if (probe_failure_refuses(x->status) &&
		    x->status != s->status) {
			s->recheck = a->trial;
			s->recheck_sent = false;
		}
		break;
	case PROBE_R_PAIR: take_pair(s, a, x, &d); break;
	default: break;
	}
	probe_features_fini(&d.f);
	if (s->nomem != 0)
		probe_subject_end(s, PROBE_INTERFERED, "out of memory");
}
