/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/rules.h"

#include <string.h>

#include <apr_strings.h>

void
probe_rules_response(struct probe_subject *s, struct probe_result *r)
{
	apr_pool_t *pool = s->pool;
	struct probe_finding *f;

	if (s->star) {
		f = probe_result_add(r, PROBE_VARY_STAR, PROBE_WARNING, "*",
		    s->star_in_list
			? "* does not stand alone: RFC 9110 makes the "
			  "whole Vary a *, but stock Varnish looks for a lone "
			  "* and stores this for everybody, or under a header "
			  "named *"
		    : s->star_with < s->responses
			? "some responses say Vary: *, others do not: a cache "
			  "stores what it can and gives it to all"
			: "Vary: * forbids every cache to reuse the response");
		if (s->star_in_list || s->star_with < s->responses)
			f->level = PROBE_ERROR;
		f->fix_origin = "name the headers that have an effect; to keep "
				"caches out, say Cache-Control: no-store";
		f->fix_vcl = "site.fetch(); in vcl_backend_response takes a * "
			     "anywhere for what it is";
	}
	if (s->star && s->cache_sign != NULL) {
		f = probe_result_add(r, PROBE_VARY_HOP, PROBE_ERROR, "*",
		    apr_psprintf(pool,
			"Vary has a *, and a cache on the way answers from "
			"its store all the same (%s)",
			s->cache_sign));
		f->fix_origin = "say Cache-Control: no-store to keep caches "
				"out";
		f->fix_vcl = "site.fetch(); in vcl_backend_response takes a * "
			     "anywhere for what it is";
	}
	if (s->syntax != NULL) {
		f = probe_result_add(r, PROBE_VARY_SYNTAX, PROBE_ERROR, NULL,
		    apr_psprintf(pool, "%s in Vary: \"%s\"; %s", s->syntax_kind,
			s->syntax,
			strcmp(s->syntax_kind, "a blank in place of a comma") ==
				0
			    ? "Varnish refuses the whole header and does not "
			      "cache the response"
			: strcmp(s->syntax_kind, "a blank before the colon") ==
				0
			    ? "most readers do not take it for Vary at all"
			    : "Varnish takes it for a header of that name and "
			      "serves the wrong variant, nginx and others "
			      "ignore it"));
		f->fix_origin = "send field names, separated by commas: no "
				"quotes, parameters or colons";
		f->fix_vcl = "site.fetch(); does not share a malformed Vary";
	}
	if (s->meant_bad != NULL) {
		f = probe_result_add(r, PROBE_VARY_SYNTAX, PROBE_WARNING,
		    s->meant_bad,
		    apr_psprintf(pool,
			"%s is a header of responses, no request has it%s%s",
			s->meant_bad, s->meant != NULL ? "; meant was " : "",
			s->meant != NULL ? s->meant : ""));
		f->fix_origin =
		    s->meant != NULL
			? apr_psprintf(pool, "name %s in its place", s->meant)
			: "take it out";
		f->fix_vcl =
		    apr_psprintf(pool, "site.strip(\"%s\");", s->meant_bad);
	}
	if (s->repeated != NULL) {
		f = probe_result_add(r, PROBE_VARY_REDUNDANT, PROBE_NOTE, NULL,
		    apr_psprintf(pool,
			"a name stands twice in one Vary; it says: %s",
			s->repeated));
		f->fix_origin = "set Vary in one place";
	}
}

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

void
probe_rules_validators(struct probe_subject *s, struct probe_result *r)
{
	struct probe_finding *f;
	int i;

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
	judge_check(s, r, &s->head, "the answer to HEAD", s->status);
	judge_check(s, r, &s->c304, "the 304", 304);
	judge_check(s, r, &s->c206, "the 206", 206);
}
