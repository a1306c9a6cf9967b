/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The object's life and the verbs for members of Vary; what .recv() does is in
 * form.c.  No rule about Vary lives here.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "cache/cache.h"
#include "vcl.h"
#include "vcc_vary_if.h"
#include "VSC_vary.h"

#include "vary/name.h"
#include "vmod/compat.h"
#include "vmod/crowd.h"
#include "vmod/learn.h"
#include "vmod/policy.h"

const struct header_name header_vary = { "\005Vary:" };
const struct header_name header_side = { "\017X-Varykit-Vary:" };

int
VPFX(event)(VRT_CTX, struct vmod_priv *priv, enum vcl_event_e e)
{
	(void)ctx;
	(void)priv;
	(void)e;
	return (0);
}

bool
policy_in_method(VRT_CTX, const struct vmod_vary_policy *p, const char *verb,
    unsigned allowed, const char *where)
{
	CHECK_OBJ_NOTNULL(ctx, VRT_CTX_MAGIC);
	CHECK_OBJ_NOTNULL(p, POLICY_MAGIC);
	if ((ctx->method & allowed) != 0)
		return (true);
	VRT_fail(ctx, "vary: %s.%s() belongs in %s", p->name, verb, where);
	return (false);
}

void
policy_fail(VRT_CTX, const struct vmod_vary_policy *p, const char *verb,
    const char *why)
{
	policy_count(&p->vsc->failures, 1);
	VRT_fail(ctx, "vary: %s.%s(): %s", p->name, verb, why);
}

const char *
policy_keep_text(struct vmod_vary_policy *p, const char *s)
{
	char **t;

	t = realloc(p->text, (p->n_text + 1) * sizeof *t);
	AN(t);
	p->text = t;
	t[p->n_text] = strdup(s);
	AN(t[p->n_text]);
	return (t[p->n_text++]);
}

struct vary_rule *
policy_rule_for(struct vmod_vary_policy *p, struct vary_span name)
{
	struct vary_rule *r;

	if (p->vary.n == p->vary.cap) {
		p->vary.cap += 8;
		r = realloc(p->vary.rule, p->vary.cap * sizeof *r);
		AN(r);
		p->vary.rule = r;
	}
	if (vary_policy_rule(&p->vary, name, &r) != VARY_OK)
		return (NULL);
	return (r);
}

const char *
policy_doubt_text(enum vary_doubt d)
{
	switch (d) {
	case VARY_DOUBT_NONE: break;
	case VARY_DOUBT_ITSELF:
		return ("is the list, no member of it: name request headers");
	case VARY_DOUBT_UNKEYABLE:
		return ("does not reach the origin when Varnish fetches for the"
			" cache, so no variant would match: leave it, or"
			" .restore(), .strip() or .bypass() it first");
	case VARY_DOUBT_INERT:
		return ("stands in responses, not in requests: name the request"
			" header that it depends on");
	case VARY_DOUBT_ALWAYS:
		return ("is ensured and bypassed: nothing would ever be shared;"
			" say one of them");
	case VARY_DOUBT_CHOSEN:
		return (
		    "is chosen among and stripped: the first visitor's would"
		    " be everybody's; say one of them, or .promote() it before"
		    " and hash .key()");
	case VARY_DOUBT_REVERSED:
		return ("is the public name: .map(public, internal)");
	case VARY_DOUBT_COOKIE:
		return ("is no list that commas separate: use .cookie()");
	}
	return (NULL);
}

bool
policy_makes_sense(VRT_CTX, const struct vmod_vary_policy *p, const char *verb,
    const struct vary_rule *r)
{
	enum vary_doubt d = vary_policy_doubt(r);
	const char *why = policy_doubt_text(d);
	struct vary_span s = r->verb == VARY_MAP ? r->to : r->name;
	struct vary_span side = header_name_span(&header_side);

	/* Taken out of what the origin sends, and of what clients get. */
	if (vary_name_eq(r->name, side) || vary_name_eq(s, side)) {
		s = side;
		why = "is this module's own: take another name";
	}
	if (why == NULL)
		return (true);
	if (d == VARY_DOUBT_ITSELF)
		s = header_name_span(&header_vary);
	VRT_fail(
	    ctx, "vary: %s.%s(): %.*s %s", p->name, verb, (int)s.len, s.b, why);
	return (false);
}

/*
 * Each name of a list, as a rule.  A list that is no list of names stops the
 * VCL from loading: a policy half understood is worse than none.
 */
static bool
each_rule(VRT_CTX, struct vmod_vary_policy *p, const char *verb,
    const char *names, void (*set)(struct vary_policy *, struct vary_rule *))
{
	struct vary_field f;
	struct vary_span s;
	enum vary_status st;
	struct vary_rule *r;
	const char *text;
	unsigned n = 0;

	if (!policy_in_method(ctx, p, verb, VCL_MET_INIT, "vcl_init"))
		return (false);
	text = policy_keep_text(p, names == NULL ? "" : names);
	vary_field_init(&f, text, strlen(text));
	while ((st = vary_field_next(&f, &s)) != VARY_END) {
		if (st != VARY_OK)
			vary_field_skip(&f, &s);
		r = st == VARY_OK ? policy_rule_for(p, s) : NULL;
		if (r == NULL) {
			VRT_fail(ctx,
			    "vary: %s.%s(\"%s\"): \"%.*s\" is no header name;"
			    " commas separate them",
			    p->name, verb, text, (int)s.len, s.b);
			return (false);
		}
		set(&p->vary, r);
		if (!policy_makes_sense(ctx, p, verb, r))
			return (false);
		n++;
	}
	if (n == 0) {
		VRT_fail(ctx, "vary: %s.%s(\"%s\"): no header name: say one",
		    p->name, verb, text);
		return (false);
	}
	return (true);
}

static void
set_strip(struct vary_policy *p, struct vary_rule *r)
{
	vary_policy_say(p, r, VARY_STRIP);
}

static void
set_keep(struct vary_policy *p, struct vary_rule *r)
{
	vary_policy_say(p, r, VARY_KEEP);
}

static void
set_hide(struct vary_policy *p, struct vary_rule *r)
{
	vary_policy_say(p, r, VARY_HIDE);
}

static void
set_restore(struct vary_policy *p, struct vary_rule *r)
{
	vary_policy_say(p, r, VARY_RESTORE);
}

static void
set_bypass(struct vary_policy *p, struct vary_rule *r)
{
	vary_policy_say(p, r, VARY_BYPASS);
}

static enum vary_verb
verb_of(VCL_ENUM word)
{
	if (word == VENUM(strip))
		return (VARY_STRIP);
	if (word == VENUM(bypass))
		return (VARY_BYPASS);
	if (word == VENUM(restore))
		return (VARY_RESTORE);
	return (VARY_KEEP);
}

VCL_VOID
vmod_policy__init(VRT_CTX, struct vmod_vary_policy **pp, const char *name,
    VCL_STRING strip, VCL_ENUM other, VCL_BOOL observe, VCL_ENUM downstream,
    VCL_DURATION bypass_ttl, VCL_ENUM unkeyable, VCL_ENUM inert,
    VCL_ENUM malformed, VCL_BOOL learn, VCL_INT notice)
{
	struct vmod_vary_policy *p;

	CHECK_OBJ_NOTNULL(ctx, VRT_CTX_MAGIC);
	AN(pp);
	AZ(*pp);
	if (!(bypass_ttl > 0)) {
		VRT_fail(ctx,
		    "vary: %s: bypass_ttl is not above 0s: without the mark"
		    " that it is for, requests for such a URL wait for each"
		    " other",
		    name);
		return;
	}
	if (notice < 0 || notice >= CROWD_MAX) {
		VRT_fail(
		    ctx, "vary: %s: notice is 0 to %d", name, CROWD_MAX - 1);
		return;
	}
	ALLOC_OBJ(p, POLICY_MAGIC);
	AN(p);
	*pp = p;
	p->name = strdup(name);
	AN(p->name);
	vary_policy_init(&p->vary, NULL, 0);
	p->observe = observe;
	p->bypass_ttl = bypass_ttl;
	p->vary.other = verb_of(other);
	p->vary.unkeyable = verb_of(unkeyable);
	p->vary.inert = verb_of(inert);
	p->vary.normalised = downstream == VENUM(normalised);
	p->vary.repair =
	    malformed == VENUM(repair) ? VARY_REPAIR_BLANK : VARY_REPAIR_NONE;
	if (learn)
		learn_open(&p->learn);
	p->notice = (unsigned)notice;
	if (notice > 0)
		crowd_open(&p->crowd);
	p->vsc =
	    VSC_vary_New(NULL, &p->vsc_seg, "%s.%s", VCL_Name(ctx->vcl), name);
	AN(p->vsc);
	/* An empty list is a policy that strips nothing. */
	if (strip != NULL && *strip != '\0')
		(void)each_rule(ctx, p, "policy", strip, set_strip);
}

VCL_VOID
vmod_policy__fini(struct vmod_vary_policy **pp)
{
	struct vmod_vary_policy *p;
	unsigned u;

	/* 6.0 calls this also for an object that was never made. */
	if (pp == NULL || *pp == NULL)
		return;
	TAKE_OBJ_NOTNULL(p, pp, POLICY_MAGIC);
	if (p->vsc_seg != NULL)
		VSC_vary_Destroy(&p->vsc_seg);
	learn_close(&p->learn);
	crowd_close(&p->crowd);
	for (u = 0; u < p->n_text; u++)
		free(p->text[u]);
	free(p->text);
	for (u = 0; u < p->n_request; u++)
		free(p->request[u]);
	free(p->request);
	free(p->promoted);
	free(p->vary.rule);
	free(p->name);
	FREE_OBJ(p);
}

VCL_VOID
vmod_policy_strip(VRT_CTX, struct vmod_vary_policy *p, VCL_STRING names)
{
	(void)each_rule(ctx, p, "strip", names, set_strip);
}

VCL_VOID
vmod_policy_keep(VRT_CTX, struct vmod_vary_policy *p, VCL_STRING names)
{
	(void)each_rule(ctx, p, "keep", names, set_keep);
}

VCL_VOID
vmod_policy_hide(VRT_CTX, struct vmod_vary_policy *p, VCL_STRING names)
{
	(void)each_rule(ctx, p, "hide", names, set_hide);
}

VCL_VOID
vmod_policy_restore(VRT_CTX, struct vmod_vary_policy *p, VCL_STRING names)
{
	(void)each_rule(ctx, p, "restore", names, set_restore);
}

VCL_VOID
vmod_policy_bypass(VRT_CTX, struct vmod_vary_policy *p, VCL_STRING names)
{
	(void)each_rule(ctx, p, "bypass", names, set_bypass);
}

VCL_VOID
vmod_policy_ensure(VRT_CTX, struct vmod_vary_policy *p, VCL_STRING names)
{
	(void)each_rule(ctx, p, "ensure", names, vary_policy_ensure);
}

VCL_VOID
vmod_policy_map(
    VRT_CTX, struct vmod_vary_policy *p, VCL_STRING public, VCL_STRING internal)
{
	struct vary_rule *r = NULL;
	struct vary_span to;
	enum vary_status st = VARY_SYNTAX;

	if (!policy_in_method(ctx, p, "map", VCL_MET_INIT, "vcl_init"))
		return;
	to = vary_span_str(
	    policy_keep_text(p, internal == NULL ? "" : internal));
	if (public != NULL)
		r = policy_rule_for(
		    p, vary_span_str(policy_keep_text(p, public)));
	if (r != NULL)
		st = vary_policy_map(&p->vary, r, to);
	if (st == VARY_OK)
		(void)policy_makes_sense(ctx, p, "map", r);
	else
		VRT_fail(ctx, "vary: %s.map(\"%s\", \"%s\"): %s", p->name,
		    public == NULL ? "" : public, to.b,
		    st == VARY_CONFLICT
			? "a map leads to a map: map each public name to"
			  " one that only exists inside"
			: "not two header names; call it once for each"
			  " header");
}

VCL_VOID
vmod_policy_promote(VRT_CTX, struct vmod_vary_policy *p, VCL_STRING headers)
{
	struct vary_field f;
	struct vary_span s;
	struct header_name *t;

	if (!each_rule(ctx, p, "promote", headers, vary_policy_promote))
		return;
	headers = p->text[p->n_text - 1];
	vary_field_init(&f, headers, strlen(headers));
	while (vary_field_next(&f, &s) == VARY_OK) {
		t = realloc(p->promoted, (p->n_promoted + 1) * sizeof *t);
		AN(t);
		p->promoted = t;
		AN(header_name_init(&t[p->n_promoted++], s));
	}
}
