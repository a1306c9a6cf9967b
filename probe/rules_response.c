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
