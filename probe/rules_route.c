/* SPDX-License-Identifier: BSD-2-Clause */
/* What depends on how a request comes: the handshake's name, a preflight. */
#include "probe/rules.h"

#include <string.h>
#include <strings.h>

#include <apr_strings.h>

#define TRIAL(s, i) (&APR_ARRAY_IDX((s)->trials, (i), struct probe_trial))

enum {
	MISDIRECTED = 421 /* RFC 9110 section 15.5.20 */
};

static void
note(struct probe_result *r, const char *text)
{
	APR_ARRAY_PUSH(r->notes, const char *) = text;
}

void
probe_rules_sni(struct probe_subject *s, struct probe_result *r,
    const struct probe_member *m)
{
	struct probe_finding *f;
	int i;

	for (i = 0; i < s->trials->nelts; i++) {
		const struct probe_trial *t = TRIAL(s, i);

		if ((t->axis->flags & PROBE_AXIS_TLS) == 0)
			continue;
		if (t->status == MISDIRECTED) {
			note(r,
			    "with another name in the handshake of TLS (SNI) "
			    "the origin answers 421: a cache before it has to "
			    "send the URL's host there, and no other site's");
			return;
		}
		if (t->state == PROBE_T_FAILED) {
			note(r,
			    "with another name in the handshake of TLS (SNI) "
			    "there is no answer: a cache before the origin has "
			    "to send the URL's host there");
			return;
		}
	}
	if (m->effect <= PROBE_NONE_OBSERVED)
		return;
	f = probe_result_add(r, PROBE_VARY_HOP, PROBE_WARNING, m->name,
	    "the response depends on the name in the handshake of TLS (SNI), "
	    "with the same Host: no Vary can say that, and a cache that "
	    "connects by another name, or uses one connection for several "
	    "hosts, gets another site's page");
	f->evidence = m->evidence;
	f->fix_origin = "choose the site by Host, or answer 421 where SNI and "
			"Host differ (RFC 9110 section 15.5.20)";
	f->fix_vcl = "a backend of its own for each site, with .host_header, "
		     "whose TLS proxy sends that name as SNI";
}

static bool
is_found(const struct probe_result *r, const char *member)
{
	int i;

	for (i = 0; i < r->findings->nelts; i++) {
		const struct probe_finding *f =
		    &APR_ARRAY_IDX(r->findings, i, struct probe_finding);

		if (f->member != NULL && strcasecmp(f->member, member) == 0 &&
		    (f->rule == PROBE_VARY_MISSING ||
			f->rule == PROBE_VARY_INCONSISTENT))
			return (true);
	}
	return (false);
}

void
probe_rules_preflight(struct probe_subject *s, struct probe_result *r)
{
	struct probe_finding *f;
	char *name, *p;
	int i;

	for (i = 0; i < s->trials->nelts; i++) {
		const struct probe_trial *t = TRIAL(s, i);

		if (t->kind != PROBE_K_PREFLIGHT ||
		    t->state != PROBE_T_EFFECT || t->declares ||
		    is_found(r, t->axis->name))
			continue;
		name = apr_pstrdup(s->pool, t->axis->name);
		for (p = name; *p != '\0'; p++)
			if (*p >= 'A' && *p <= 'Z')
				*p = (char)(*p - 'A' + 'a');
		f = probe_result_add(r, PROBE_VARY_MISSING, PROBE_NOTE, name,
		    apr_psprintf(s->pool,
			"the answer to a preflight (OPTIONS) depends on %s, "
			"and its Vary does not name it; no cache stores it "
			"unless it is told to",
			t->axis->name));
		f->evidence = t->evidence;
		f->fix_origin = apr_psprintf(s->pool,
		    "name %s in the Vary of answers to OPTIONS", t->axis->name);
	}
}
