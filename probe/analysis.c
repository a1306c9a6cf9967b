/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/analysis.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#include "probe/plan.h"
#include "vary/field.h"
#include "vary/set.h"

#define TRIAL(s, i) (&APR_ARRAY_IDX((s)->trials, (i), struct probe_trial))

enum {
	KEEP_BODY = 256 * 1024,
	EXCERPT = 120,
	MAX_SLOW = 4,  /* requests to wait that we follow */
	MAX_WAIT = 60, /* seconds */
	MAX_COOKIES = 8,
	MAX_HINTS = 16,
	MAX_NAMED = 64,
	SHORTEST_ECHO = 8, /* a shorter value may stand there by chance */
};

static bool
line_is(const struct probe_line *l, const char *name)
{
	return (strlen(name) == l->name_len &&
		strncasecmp(name, l->name, l->name_len) == 0);
}

static const struct probe_line *
find_line(const struct probe_exchange *x, const char *name)
{
	size_t i;

	for (i = 0; i < x->nlines; i++)
		if (line_is(&x->lines[i], name))
			return (&x->lines[i]);
	return (NULL);
}

static const char *
copy_value(apr_pool_t *pool, const struct probe_line *l)
{
	return (l == NULL ? NULL : apr_pstrndup(pool, l->value, l->value_len));
}

static void
end(struct probe_subject *s, enum probe_outcome o, const char *reason)
{
	if (s->over)
		return;
	s->over = true;
	s->outcome = o;
	s->reason = reason;
}

/* --- keeping a copy ------------------------------------------------------ */

static int
keep(struct probe_kept *k, const struct probe_exchange *x, const char *body,
    size_t len)
{
	size_t i, n = 0;
	char *p;

	free(k->lines);
	free(k->head);
	free(k->body);
	memset(k, 0, sizeof *k);
	for (i = 0; i < x->nlines; i++)
		n += x->lines[i].name_len + x->lines[i].value_len;
	if (len > KEEP_BODY)
		len = KEEP_BODY;
	k->lines = malloc((x->nlines + 1) * sizeof *k->lines);
	k->head = p = malloc(n + 1);
	k->body = malloc(len + 1);
	if (k->lines == NULL || k->head == NULL || k->body == NULL)
		return (-ENOMEM);
	for (i = 0; i < x->nlines; i++) {
		k->lines[i] = x->lines[i];
		k->lines[i].name =
		    memcpy(p, x->lines[i].name, x->lines[i].name_len);
		p += x->lines[i].name_len;
		k->lines[i].value =
		    memcpy(p, x->lines[i].value, x->lines[i].value_len);
		p += x->lines[i].value_len;
	}
	k->nlines = x->nlines;
	k->status = x->status;
	if (len > 0)
		memcpy(k->body, body, len);
	k->body_len = len;
	k->raw = probe_hash(0, x->body, x->body_len);
	return (0);
}

/* --- the features of an answer ------------------------------------------- */

struct digest {
	struct probe_features f;
	const char *body;
	size_t body_len;
	bool whole; /* the body was not decoded */
};

static const char *
coding_of(const struct probe_exchange *x, size_t *ret_len)
{
	const struct probe_line *l = find_line(x, "content-encoding");

	*ret_len = l != NULL ? l->value_len : 0;
	return (l != NULL ? l->value : "");
}

static int
digest(struct probe_subject *s, const struct probe_exchange *x,
    struct probe_decoded *scratch, struct digest *ret)
{
	const char *coding;
	size_t coding_len;
	uint64_t h;
	int r, i;

	memset(ret, 0, sizeof *ret);
	coding = coding_of(x, &coding_len);
	/* A transport's limit and ours: the decoded prefix is the same for
	 * every coding of a body that is longer. */
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
		ret->whole = true;
		break;
	}
	r = probe_features_of_head(
	    &ret->f, s->set->seed, x->status, x->lines, x->nlines);
	if (r != 0 || ret->body_len == 0)
		return (r);
	h = probe_hash(s->set->seed, ret->body, ret->body_len);
	for (i = 0; i < 2; i++)
		if (s->known[i].f.n > 0 && s->known[i].hash == h)
			return (probe_features_merge(&ret->f, &s->known[i].f));
	i = s->known_next;
	s->known_next = 1 - i;
	r = probe_features_of_body(
	    &s->known[i].f, s->set->seed, ret->body, ret->body_len);
	s->known[i].hash = h;
	if (r == 0)
		r = probe_features_merge(&ret->f, &s->known[i].f);
	else
		s->known[i].f.n = 0;
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

/* --- what Vary says ------------------------------------------------------ */

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

	if (!a->varied)
		return ("the plain request");
	t = TRIAL(s, a->trial);
	if (t->group)
		return ("a request with many headers more");
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

static const char *
normal(struct probe_subject *s, const struct probe_exchange *x)
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

static void
take_vary(struct probe_subject *s, const struct probe_sample *a,
    const struct probe_exchange *x)
{
	struct probe_trial *t = a->varied ? TRIAL(s, a->trial) : NULL;
	struct vary_set set;
	struct vary_span blank;
	struct probe_named *n;
	const char *meant, *example = NULL, *why;
	bool keyed, stored;
	unsigned i;
	int j;

	keyed = t != NULL && (t->axis->flags & PROBE_AXIS_KEYED) != 0;
	stored = probe_profile_stores(
	    s->set->profile, x->status, x->lines, x->nlines, false, &why);
	if (x->status != s->status && !stored)
		return;
	read_vary(x, &set, &blank);
	if (t != NULL) {
		t->declares = set.star ||
			      vary_set_has(&set, vary_span_str(t->axis->name));
		t->cacheable = stored;
	}
	if (a->role == PROBE_R_BASE && s->base_seen == 0)
		for (i = 0; i < x->nlines; i++)
			if (line_is(&x->lines[i], "vary"))
				APR_ARRAY_PUSH(s->vary_lines, const char *) =
				    copy_value(s->pool, &x->lines[i]);
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
			probe_plan_add_axis(s, n->name);
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
		if (set.n > 1 || set.lines > 1)
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
		s->repeated = normal(s, x);
}

/* --- baselines ----------------------------------------------------------- */

static bool
is_refusal(int status)
{
	return (status == 401 || status == 403 || status == 407 ||
		status == 429 || status == 503);
}

static void
add_cookies(struct probe_subject *s, const struct probe_exchange *x)
{
	size_t i, n;
	int added = 0;

	for (i = 0; i < x->nlines && added < MAX_COOKIES; i++) {
		const struct probe_line *l = &x->lines[i];
		const char *semi;

		if (!line_is(l, "set-cookie"))
			continue;
		semi = memchr(l->value, ';', l->value_len);
		n = semi != NULL ? (size_t)(semi - l->value) : l->value_len;
		if (n == 0 || n > 1024 || memchr(l->value, '=', n) == NULL)
			continue;
		probe_plan_add_value(
		    s, "Cookie", apr_pstrndup(s->pool, l->value, n));
		added++;
	}
}

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

		if (!line_is(&x->lines[i], field))
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
			probe_plan_add_axis(
			    s, apr_pstrndup(s->pool, n.b, n.len));
		}
	}
}

/* Does a cache stand between us and the origin, and has it answered? */
static void
look_for_cache(struct probe_subject *s, const struct probe_exchange *x)
{
	static const char *const fields[] = { "X-Cache", "CF-Cache-Status",
		"X-Cache-Status", "Cache-Status", "X-Proxy-Cache" };
	const struct probe_line *l;
	size_t i;

	if (s->cache_sign != NULL)
		return;
	l = find_line(x, "Age");
	if (l != NULL && !(l->value_len == 1 && *l->value == '0')) {
		s->cache_sign = apr_psprintf(
		    s->pool, "Age: %.*s", (int)l->value_len, l->value);
		return;
	}
	l = find_line(x, "X-Varnish");
	if (l != NULL && memchr(l->value, ' ', l->value_len) != NULL) {
		s->cache_sign = "X-Varnish with two numbers";
		return;
	}
	for (i = 0; i < sizeof fields / sizeof *fields; i++) {
		l = find_line(x, fields[i]);
		/* X-Cache is there is not X-Cache says HIT. */
		if (l != NULL &&
		    (contains(l->value, l->value_len, "HIT", 3) ||
			contains(l->value, l->value_len, "hit", 3) ||
			contains(l->value, l->value_len, "Hit", 3))) {
			s->cache_sign = apr_psprintf(s->pool, "%s: %.*s",
			    fields[i], (int)l->value_len, l->value);
			return;
		}
	}
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
	/* Nothing of the body stays the same: nothing can be compared. */
	if (count_kind(&s->any, PROBE_F_WHOLE) > 1 &&
	    count_body(&s->stable) == 0)
		s->body_unstable = true;
	if (s->status_unstable)
		end(s, PROBE_UNSTABLE,
		    "equal requests get different status codes");
	else if (s->body_unstable)
		end(s, PROBE_UNSTABLE,
		    "equal requests get bodies that have nothing in common");
}

static void
take_base(
    struct probe_subject *s, const struct probe_exchange *x, struct digest *d)
{
	const struct probe_line *l;

	if (s->base_seen == 0) {
		s->nomem |= probe_features_copy(&s->stable, &d->f);
		s->nomem |= probe_features_copy(&s->any, &d->f);
		s->nomem |= keep(&s->base, x, d->body, d->body_len);
		l = find_line(x, "ETag");
		s->base_etag = copy_value(s->pool, l);
		s->base_modified =
		    copy_value(s->pool, find_line(x, "Last-Modified"));
		l = find_line(x, "Accept-Ranges");
		s->base_ranges =
		    l != NULL && contains(l->value, l->value_len, "bytes", 5);
		s->base_coding =
		    copy_value(s->pool, find_line(x, "Content-Encoding"));
		if (s->set->checks) {
			s->c304.planned =
			    s->status == 200 &&
			    (s->base_etag != NULL || s->base_modified != NULL);
			s->c206.planned = s->status == 200 && s->base_ranges;
		}
		s->cacheable = probe_profile_stores(s->set->profile, x->status,
		    x->lines, x->nlines, false, &s->cacheable_why);
		add_hints(s, x, "Accept-CH");
		add_hints(s, x, "Critical-CH");
		l = find_line(x, "Access-Control-Allow-Origin");
		if (l != NULL && l->value_len > 1 && l->value_len < 256)
			probe_plan_add_value(
			    s, "Origin", copy_value(s->pool, l));
	} else {
		probe_features_intersect(&s->stable, &d->f);
		s->nomem |= probe_features_merge(&s->any, &d->f);
		if (s->base_coding == NULL &&
		    find_line(x, "Content-Encoding") != NULL)
			s->base_coding = copy_value(
			    s->pool, find_line(x, "Content-Encoding"));
	}
	add_cookies(s, x);
	if (x->status != s->status)
		s->status_unstable = true;
	finish_base(s);
}

/* --- screening and pairs ------------------------------------------------- */

static void
quiet(struct probe_trial *t)
{
	t->state = PROBE_T_QUIET;
	t->effect = PROBE_NONE_OBSERVED;
	probe_features_fini(&t->plus);
	probe_features_fini(&t->minus);
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
	t->status = x->status;
	if (t->screened++ == 0) {
		s->nomem |= probe_features_copy(&t->plus, &d->f);
		probe_features_subtract(&t->plus, &s->any);
		s->nomem |= probe_features_copy(&t->minus, &s->stable);
		probe_features_subtract(&t->minus, &d->f);
		t->state = PROBE_T_NEW;
	} else {
		probe_features_intersect(&t->plus, &d->f);
		probe_features_subtract(&t->minus, &d->f);
		t->state = PROBE_T_SUSPECT;
	}
	if (t->plus.n == 0 && t->minus.n == 0)
		quiet(t);
}

static const char *
excerpt(apr_pool_t *pool, const char *p, size_t len)
{
	char *out;
	size_t i;

	if (len > EXCERPT)
		len = EXCERPT;
	out = apr_pstrndup(pool, p, len);
	/* Never half a character, never a control. */
	while (len > 0 && ((unsigned char)p[len - 1] & 0xc0) == 0x80)
		len--;
	if (len > 0 && (unsigned char)p[len - 1] >= 0xc0)
		len--;
	if (len == 0)
		len = strlen(out);
	out[len] = '\0';
	for (i = 0; out[i] != '\0'; i++)
		if ((unsigned char)out[i] < 0x20 || out[i] == 0x7f)
			out[i] = ' ';
	return (out);
}

static bool
first(const struct probe_subject *s, const struct probe_features *f,
    const struct probe_kept *k, enum probe_effect e, struct probe_place *at)
{
	enum probe_feature_kind from, to, kind;

	from = e == PROBE_IN_STATUS ? PROBE_F_STATUS
	       : e == PROBE_IN_BODY ? PROBE_F_JSON
				    : PROBE_F_HEADER;
	to = e == PROBE_IN_STATUS ? PROBE_F_STATUS
	     : e == PROBE_IN_BODY ? PROBE_F_WHOLE
				  : PROBE_F_HEADER_TOKEN;
	for (kind = from; kind <= to; kind++)
		if (probe_features_first(f, s->set->seed, kind, kind, k->status,
			k->lines, k->nlines, k->body, k->body_len, at))
			return (true);
	return (false);
}

static const char *
kept_header(apr_pool_t *pool, const struct probe_kept *k, const char *name)
{
	size_t i;

	for (i = 0; i < k->nlines; i++)
		if (line_is(&k->lines[i], name))
			return (excerpt(
			    pool, k->lines[i].value, k->lines[i].value_len));
	return (NULL);
}

static void
conclude(struct probe_subject *s, struct probe_trial *t)
{
	struct probe_evidence *ev = apr_pcalloc(s->pool, sizeof *ev);
	struct probe_place pa, pb;
	bool ina, inb;
	size_t i;

	t->state = PROBE_T_EFFECT;
	t->effect = PROBE_IN_HEADERS;
	for (i = 0; i < t->plus.n + t->minus.n; i++) {
		probe_feature f =
		    i < t->plus.n ? t->plus.f[i] : t->minus.f[i - t->plus.n];
		enum probe_effect e = PROBE_IN_HEADERS;

		if (probe_feature_kind(f) == PROBE_F_STATUS)
			e = PROBE_IN_STATUS;
		else if (probe_feature_kind(f) >= PROBE_F_JSON)
			e = PROBE_IN_BODY;
		if (e > t->effect)
			t->effect = e;
	}
	ev->tried = t->value;
	inb = first(s, &t->plus, &t->b, t->effect, &pb);
	ina = first(s, &t->minus, &t->a, t->effect, &pa);
	ev->what = inb ? pb.what : ina ? pa.what : "body";
	ev->offset = inb ? pb.offset : ina ? pa.offset : 0;
	if (t->effect == PROBE_IN_STATUS) {
		ev->what = "status";
		ev->a = apr_psprintf(s->pool, "%d", t->a.status);
		ev->b = apr_psprintf(s->pool, "%d", t->b.status);
	} else if (t->effect == PROBE_IN_HEADERS && (inb || ina)) {
		ev->header = inb ? apr_pstrndup(s->pool, pb.name, pb.name_len)
				 : apr_pstrndup(s->pool, pa.name, pa.name_len);
		ev->a = kept_header(s->pool, &t->a, ev->header);
		ev->b = kept_header(s->pool, &t->b, ev->header);
	} else if (strcmp(ev->what, "body") != 0) {
		if (ina)
			ev->a = excerpt(s->pool, pa.text, pa.text_len);
		if (inb)
			ev->b = excerpt(s->pool, pb.text, pb.text_len);
	}
	ev->coding_only = t->effect == PROBE_IN_HEADERS && ev->header != NULL &&
			  strcasecmp(ev->header, "content-encoding") == 0;
	t->evidence = ev;
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
		s->nomem |= keep(&t->b, x, d->body, d->body_len);
		t->seen_b++;
	} else {
		probe_features_subtract(&t->plus, &d->f);
		probe_features_intersect(&t->minus, &d->f);
		s->nomem |= keep(&t->a, x, d->body, d->body_len);
		t->seen_a++;
	}
	if (t->plus.n == 0 && t->minus.n == 0)
		quiet(t);
	else if (t->seen_a + t->seen_b == 2 * t->n)
		conclude(s, t);
}

/* --- what goes wrong ----------------------------------------------------- */

static void
again(struct probe_subject *s, const struct probe_sample *a)
{
	struct probe_trial *t = a->trial >= 0 ? TRIAL(s, a->trial) : NULL;

	switch (a->role) {
	case PROBE_R_BASE: s->base_sent--; break;
	case PROBE_R_SCREEN: t->state = PROBE_T_NEW; break;
	case PROBE_R_PAIR:
		if (t->state != PROBE_T_CONFIRM)
			break;
		if (t->total == 2 * t->n + PROBE_MAX_REPEATS)
			t->state = PROBE_T_FAILED;
		else
			t->order[t->total++] =
			    (uint8_t)((a->varied ? 1 : 0) | (a->fresh ? 2 : 0));
		break;
	case PROBE_R_RECHECK: s->recheck_sent = false; break;
	case PROBE_R_HEAD: s->head.sent = false; break;
	case PROBE_R_304: s->c304.sent = false; break;
	case PROBE_R_206: s->c206.sent = false; break;
	}
}

static const char *
failure(struct probe_subject *s, const struct probe_exchange *x)
{
	return (apr_pstrdup(s->pool,
	    x->error != NULL && *x->error != '\0' ? x->error : "no answer"));
}

static void
take_failure(struct probe_subject *s, const struct probe_sample *a,
    const struct probe_exchange *x)
{
	struct probe_trial *t = a->trial >= 0 ? TRIAL(s, a->trial) : NULL;
	bool hopeless;

	switch (a->role) {
	case PROBE_R_BASE:
		/* Another try cures a reset, not a name or a refusal. */
		hopeless = x->end != PROBE_BROKEN && x->end != PROBE_TIMEOUT;
		if (s->base_seen > 0)
			end(s, PROBE_INTERFERED,
			    apr_psprintf(s->pool, "answers, then does not: %s",
				failure(s, x)));
		else if (hopeless || ++s->base_failed == 2)
			end(s, PROBE_UNREACHABLE, failure(s, x));
		else
			again(s, a);
		break;
	case PROBE_R_SCREEN:
		if (t->tries++ == 0)
			again(s, a);
		else {
			t->state = PROBE_T_FAILED;
			s->recheck = a->trial;
			s->recheck_sent = false;
		}
		break;
	case PROBE_R_PAIR:
		if (t->tries++ < 3)
			again(s, a);
		else {
			t->state = PROBE_T_FAILED;
			s->recheck = a->trial;
			s->recheck_sent = false;
		}
		break;
	case PROBE_R_RECHECK:
		end(s, PROBE_INTERFERED,
		    apr_psprintf(s->pool, "no answer any more, after %s: %s",
			s->recheck >= 0 ? TRIAL(s, s->recheck)->axis->name
					: "a header",
			failure(s, x)));
		break;
	default: break; /* no answer to a check is no finding */
	}
}

static double
retry_after(const struct probe_exchange *x)
{
	const struct probe_line *l = find_line(x, "Retry-After");
	double v = 0;
	size_t i;

	if (l == NULL)
		return (-1);
	for (i = 0; i < l->value_len && l->value[i] >= '0' &&
		    l->value[i] <= '9' && v < 1e6;
	     i++)
		v = v * 10 + (l->value[i] - '0');
	/* A date: the clock is not ours to read; the shortest wait. */
	return (i == 0 ? 1 : v);
}

/* True: the answer asks us to come back later, and the sample is repeated. */
static bool
take_slow(struct probe_subject *s, const struct probe_sample *a,
    const struct probe_exchange *x)
{
	double w = retry_after(x);

	if (x->status != 429 && !(x->status == 503 && w >= 0))
		return (false);
	s->slow++;
	s->wait = w >= 0 ? w : (double)(1 << s->slow) / 2;
	if (s->slow > MAX_SLOW || s->wait > MAX_WAIT) {
		s->wait = 0;
		end(s, PROBE_INTERFERED,
		    apr_psprintf(s->pool,
			"status %d%s: the origin limits our requests; "
			"try a lower --rate",
			x->status,
			w > MAX_WAIT ? " with a long Retry-After" : ""));
	} else
		again(s, a);
	return (true);
}

static void
take_check(struct probe_subject *s, struct probe_check *c,
    const struct probe_exchange *x)
{
	c->answered = true;
	c->status = x->status;
	c->vary = normal(s, x);
	c->etag = copy_value(s->pool, find_line(x, "ETag"));
}

/* A strong ETag that stands for two codings (RFC 9110 section 8.8.3.3). */
static void
take_etag(struct probe_subject *s, const struct probe_exchange *x)
{
	const struct probe_line *e = find_line(x, "ETag");
	size_t len;

	if (e == NULL || x->status != 200 || e->value_len < 2 ||
	    *e->value != '"')
		return;
	(void)coding_of(x, &len);
	if (len > 0 && s->etag_coded == NULL)
		s->etag_coded = copy_value(s->pool, e);
	else if (len == 0 && s->etag_identity == NULL)
		s->etag_identity = copy_value(s->pool, e);
}

void
probe_analysis_take(struct probe_subject *s, const struct probe_sample *a,
    const struct probe_exchange *x, struct probe_decoded *scratch)
{
	struct probe_trial *t;
	struct digest d;
	uint64_t signature;
	int i;

	assert(s->busy > 0);
	s->busy--;
	s->requests++;
	if (s->over)
		return;
	if (x->end != PROBE_ANSWERED) {
		take_failure(s, a, x);
		return;
	}
	if (take_slow(s, a, x))
		return;
	look_for_cache(s, x);
	switch (a->role) {
	case PROBE_R_HEAD: take_check(s, &s->head, x); return;
	case PROBE_R_304: take_check(s, &s->c304, x); return;
	case PROBE_R_206: take_check(s, &s->c206, x); return;
	default: break;
	}
	if (a->role == PROBE_R_RECHECK) {
		if (x->status != s->status)
			end(s, PROBE_INTERFERED,
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
	if (a->role == PROBE_R_BASE && is_refusal(x->status)) {
		end(s, PROBE_INTERFERED,
		    apr_psprintf(s->pool, "status %d for the plain request%s",
			x->status,
			x->status == 401
			    ? ": give --user or -H 'Authorization: ...'"
			: x->status == 407 ? ": the proxy wants a user name"
					   : ""));
		return;
	}
	if (a->role == PROBE_R_PAIR && !a->varied && is_refusal(x->status)) {
		end(s, PROBE_INTERFERED,
		    apr_psprintf(s->pool,
			"status %d for what was %d before: something on the "
			"way blocks us",
			x->status, s->status));
		return;
	}
	take_vary(s, a, x);
	if (a->varied && TRIAL(s, a->trial)->axis->name != NULL &&
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
	if (i < s->base_seen && a->role == PROBE_R_SCREEN) {
		t = TRIAL(s, a->trial);
		t->status = x->status;
		quiet(t);
		return;
	}
	if (a->role == PROBE_R_BASE) {
		s->signature[s->base_seen] = signature;
		if (i < s->base_seen) {
			add_cookies(s, x);
			finish_base(s);
			return;
		}
	}
	s->nomem |= digest(s, x, scratch, &d);
	switch (a->role) {
	case PROBE_R_BASE: take_base(s, x, &d); break;
	case PROBE_R_SCREEN:
		t = TRIAL(s, a->trial);
		if (t->value != NULL)
			t->reflected = echoes(x, d.body, d.body_len,
					   strstr(t->value, s->canary) != NULL
					       ? s->canary
					       : t->value) &&
				       !contains(s->base.body, s->base.body_len,
					   t->value, strlen(t->value));
		take_screen(s, t, x, &d);
		if (is_refusal(x->status) && x->status != s->status) {
			s->recheck = a->trial;
			s->recheck_sent = false;
		}
		break;
	case PROBE_R_PAIR: take_pair(s, a, x, &d); break;
	default: break;
	}
	probe_features_fini(&d.f);
	if (s->nomem != 0)
		end(s, PROBE_INTERFERED, "out of memory");
}
