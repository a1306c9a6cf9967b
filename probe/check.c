/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/check.h"

#include <apr_date.h>
#include <apr_strings.h>

#include "probe/declared.h"

/*
 * What If-Range may say of this answer (RFC 9110 section 13.1.5): its ETag, if
 * it is a strong one; its date only where there is no ETag, and where the answer
 * is so much younger that it could not have changed twice in that second, nor be
 * dated by another clock (section 8.8.2.2; RFC 7232 said what is enough).
 */
static void
plan_if_range(struct probe_subject *s, const struct probe_exchange *x)
{
	const apr_time_t enough = apr_time_from_sec(60);
	apr_time_t modified, now;
	char *old;

	if (s->base_etag != NULL) {
		if (*s->base_etag != '"')
			return;
		s->validator = s->base_etag;
		s->stale = apr_psprintf(s->pool, "\"%s\"", s->canary);
		return;
	}
	modified = probe_line_date(probe_exchange_line(x, "Last-Modified"));
	now = probe_line_date(probe_exchange_line(x, "Date"));
	if (modified == APR_DATE_BAD || now == APR_DATE_BAD ||
	    now - modified < enough)
		return;
	old = apr_palloc(s->pool, APR_RFC822_DATE_LEN);
	if (apr_rfc822_date(old, modified - apr_time_from_sec(86400)) !=
	    APR_SUCCESS)
		return;
	s->validator = s->base_modified;
	s->stale = old;
}

void
probe_check_plan(struct probe_subject *s, const struct probe_exchange *x)
{
	const struct probe_line *ranges =
	    probe_exchange_line(x, "Accept-Ranges");

	s->base_etag = probe_line_copy(probe_exchange_line(x, "ETag"), s->pool);
	s->base_modified =
	    probe_line_copy(probe_exchange_line(x, "Last-Modified"), s->pool);
	if (!s->set->checks)
		return;
	s->checks[PROBE_CHECK_HEAD].planned = true;
	if (s->status != 200)
		return;
	s->checks[PROBE_CHECK_304].planned =
	    s->base_etag != NULL || s->base_modified != NULL;
	s->checks[PROBE_CHECK_206].planned =
	    ranges != NULL &&
	    memmem(ranges->value, ranges->value_len, "bytes", 5) != NULL;
	plan_if_range(s, x);
}

bool
probe_check_next(struct probe_subject *s, struct probe_sample *ret)
{
	int i;

	for (i = 0; i < PROBE_NCHECKS; i++) {
		struct probe_check *c = &s->checks[i];

		if (!c->planned || c->sent)
			continue;
		c->sent = true;
		ret->role = PROBE_R_CHECK;
		ret->check = (enum probe_check_kind)i;
		ret->trial = -1;
		return (true);
	}
	return (false);
}

size_t
probe_check_headers(const struct probe_subject *s, enum probe_check_kind kind,
    struct probe_header ret[PROBE_CHECK_HEADERS])
{
	static const struct probe_header range = { "Range", "bytes=0-1" };

	switch (kind) {
	case PROBE_CHECK_304:
		ret[0] =
		    s->base_etag != NULL
			? (struct probe_header){ "If-None-Match", s->base_etag }
			: (struct probe_header){ "If-Modified-Since",
				  s->base_modified };
		return (1);
	case PROBE_CHECK_206: ret[0] = range; return (1);
	case PROBE_CHECK_IF_RANGE:
	case PROBE_CHECK_STALE:
		ret[0] = range;
		ret[1].name = "If-Range";
		ret[1].value =
		    kind == PROBE_CHECK_STALE ? s->stale : s->validator;
		return (2);
	case PROBE_CHECK_HEAD:
	case PROBE_NCHECKS:
	default: return (0);
	}
}

void
probe_check_take(struct probe_subject *s, enum probe_check_kind kind,
    const struct probe_exchange *x)
{
	struct probe_check *c = &s->checks[kind];

	c->answered = true;
	c->status = x->status;
	c->vary = probe_declared_normal(s, x);
	c->etag = probe_line_copy(probe_exchange_line(x, "ETag"), s->pool);
	c->body_len = x->body_len;
	/* Whoever answers no range has no condition for one, either. */
	if (kind == PROBE_CHECK_206 && x->status == 206)
		s->checks[PROBE_CHECK_IF_RANGE].planned =
		    s->checks[PROBE_CHECK_STALE].planned = s->validator != NULL;
}
