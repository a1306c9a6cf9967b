/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/failure.h"

#include <string.h>

#include <apr_date.h>
#include <apr_strings.h>

#define TRIAL(s, i) (&APR_ARRAY_IDX((s)->trials, (i), struct probe_trial))

enum {
	MAX_SLOW = 4,  /* requests to wait that we follow */
	MAX_WAIT = 60, /* seconds */
};

bool
probe_failure_refuses(int status)
{
	return (status == 401 || status == 403 || status == 407 ||
		status == 429 || status == 503);
}

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
	case PROBE_R_CHECK: s->checks[a->check].sent = false; break;
	case PROBE_R_PREFLIGHT: s->preflight.sent--; break;
	}
}

bool
probe_failure_answered(const struct probe_exchange *x)
{
	return (x->end == PROBE_ANSWERED &&
		!(x->proxied && (x->status == 407 || x->status == 502 ||
				    x->status == 503 || x->status == 504)));
}

const char *
probe_failure_reason(const struct probe_exchange *x, apr_pool_t *pool)
{
	int status = x->end == PROBE_ANSWERED ? x->status : x->proxy_status;

	if (status == 407)
		return ("the proxy answers 407: it wants a user name and a "
			"password that it knows, give --proxy-user");
	if (x->end == PROBE_ANSWERED)
		return (apr_psprintf(pool,
		    "status %d, of the proxy or of the origin behind it",
		    status));
	if (status != 0)
		return (apr_psprintf(pool,
		    "the proxy answers %d: it does not connect us to the "
		    "origin",
		    status));
	return (apr_pstrdup(pool,
	    x->error != NULL && *x->error != '\0' ? x->error : "no answer"));
}

/* Another try cures a reset and a proxy's bad luck, not a name or a refusal. */
static bool
is_hopeless(const struct probe_exchange *x)
{
	int status = x->end == PROBE_ANSWERED ? x->status : x->proxy_status;

	return (x->end != PROBE_BROKEN && x->end != PROBE_TIMEOUT &&
		status / 100 != 5);
}

void
probe_failure_take(struct probe_subject *s, const struct probe_sample *a,
    const struct probe_exchange *x)
{
	struct probe_trial *t = a->trial >= 0 ? TRIAL(s, a->trial) : NULL;
	const char *why = probe_failure_reason(x, s->pool);

	switch (a->role) {
	case PROBE_R_BASE:
		if (s->base_seen > 0)
			probe_subject_end(s, PROBE_INTERFERED,
			    apr_psprintf(
				s->pool, "answers, then does not: %s", why));
		else if (is_hopeless(x) || ++s->base_failed == 2)
			probe_subject_end(s, PROBE_UNREACHABLE, why);
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
		probe_subject_end(s, PROBE_INTERFERED,
		    apr_psprintf(s->pool, "no answer any more, after %s: %s",
			s->recheck >= 0 ? TRIAL(s, s->recheck)->axis->name
					: "a header",
			why));
		break;
	default: break; /* no answer to a check is no finding */
	}
}

/*
 * Seconds until the date of Retry-After, by the origin's own clock, which its
 * Date says.  Without one, the shortest wait.
 */
static double
until(const struct probe_exchange *x, const struct probe_line *retry)
{
	apr_time_t then = probe_line_date(retry);
	apr_time_t now = probe_line_date(probe_exchange_line(x, "Date"));

	if (then == APR_DATE_BAD || now == APR_DATE_BAD)
		return (1);
	return (then > now ? (double)(then - now) / APR_USEC_PER_SEC : 0);
}

static double
retry_after(const struct probe_exchange *x)
{
	const struct probe_line *l = probe_exchange_line(x, "Retry-After");
	double v = 0;
	size_t i;

	if (l == NULL)
		return (-1);
	for (i = 0; i < l->value_len && l->value[i] >= '0' &&
		    l->value[i] <= '9' && v < 1e6;
	     i++)
		v = v * 10 + (l->value[i] - '0');
	return (i == 0 ? until(x, l) : v);
}

bool
probe_failure_slow(struct probe_subject *s, const struct probe_sample *a,
    const struct probe_exchange *x)
{
	double w = retry_after(x);

	if (x->status != 429 && !(x->status == 503 && w >= 0))
		return (false);
	s->slow++;
	s->wait = w >= 0 ? w : (double)(1 << s->slow) / 2;
	if (s->slow > MAX_SLOW || s->wait > MAX_WAIT) {
		s->wait = 0;
		probe_subject_end(s, PROBE_INTERFERED,
		    apr_psprintf(s->pool,
			"status %d%s: the origin limits our requests; "
			"try a lower --rate",
			x->status,
			w > MAX_WAIT ? " with a long Retry-After" : ""));
	} else
		again(s, a);
	return (true);
}
