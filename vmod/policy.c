/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The object's life and its verbs.  No rule about Vary lives here.
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

/* A copy that lives as long as the policy. */
static char *
keep_text(struct vmod_vary_policy *p, const char *s)
{
	char **t;

	t = realloc(p->text, (p->n_text + 1) * sizeof *t);
	AN(t);
	p->text = t;
	t[p->n_text] = strdup(s);
	AN(t[p->n_text]);
	return (t[p->n_text++]);
}

static struct vary_rule *
rule_for(struct vmod_vary_policy *p, struct vary_span name)
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

/*
 * Each name of a list, as a rule.  A list that is no list of names stops the
 * VCL from loading: a policy half understood is worse than none.
 */
static bool
each_rule(VRT_CTX, struct vmod_vary_policy *p, const char *verb,
    const char *names, void (*set)(struct vary_rule *))
{
	struct vary_field f;
	struct vary_span s;
	enum vary_status st;
	struct vary_rule *r;
	const char *text;
	unsigned n = 0;

	if (!policy_in_method(ctx, p, verb, VCL_MET_INIT, "vcl_init"))
		return (false);
	text = keep_text(p, names == NULL ? "" : names);
	vary_field_init(&f, text, strlen(text));
	while ((st = vary_field_next(&f, &s)) != VARY_END) {
		if (st != VARY_OK)
			vary_field_skip(&f, &s);
		r = st == VARY_OK ? rule_for(p, s) : NULL;
		if (r == NULL) {
			VRT_fail(ctx,
			    "vary: %s.%s(\"%s\"): \"%.*s\" is no header name",
			    p->name, verb, text, (int)s.len, s.b);
			return (false);
		}
		set(r);
		n++;
	}
	if (n == 0) {
		VRT_fail(ctx, "vary: %s.%s(\"%s\"): no header name", p->name,
		    verb, text);
		return (false);
	}
	return (true);
}

static void
set_strip(struct vary_rule *r)
{
	r->verb = VARY_STRIP;
}

static void
set_keep(struct vary_rule *r)
{
	r->verb = VARY_KEEP;
}

static void
set_hide(struct vary_rule *r)
{
	r->verb = VARY_HIDE;
}

static void
set_restore(struct vary_rule *r)
{
	r->verb = VARY_RESTORE;
}

static void
set_bypass(struct vary_rule *r)
{
	r->verb = VARY_BYPASS;
}

static void
set_ensure(struct vary_rule *r)
{
	r->ensure = true;
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
    VCL_ENUM malformed)
{
	struct vmod_vary_policy *p;

	CHECK_OBJ_NOTNULL(ctx, VRT_CTX_MAGIC);
	AN(pp);
	AZ(*pp);
	if (!(bypass_ttl >= 0)) {
		VRT_fail(ctx, "vary: %s: bypass_ttl is negative", name);
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
	p->vsc =
	    VSC_vary_New(NULL, &p->vsc_seg, "%s.%s", VCL_Name(ctx->vcl), name);
	AN(p->vsc);
	/* An empty list is a policy that strips nothing. */
	if (strip != NULL && *strip != '\0')
		(void)each_rule(ctx, p, "policy", strip, set_strip);
}

/* --- What .recv() will do ------------------------------------------------ */

static bool
is_blank(char c)
{
	return (c == ' ' || c == '\t');
}

/* The words of a list, which commas separate; false: one does not suit. */
static bool
read_words(VRT_CTX, struct vmod_vary_policy *p, const char *verb,
    const char *list, struct policy_request *q)
{
	const char *b, *e, *end, *text = keep_text(p, list == NULL ? "" : list);
	struct vary_span w;

	q->rule.words.w = q->word;
	for (b = text, end = text + strlen(text); b < end; b = e + 1) {
		e = memchr(b, ',', (size_t)(end - b));
		if (e == NULL)
			e = end;
		w = (struct vary_span){ b, (size_t)(e - b) };
		for (; w.len > 0 && is_blank(*w.b); w.b++, w.len--)
			continue;
		for (; w.len > 0 && is_blank(w.b[w.len - 1]); w.len--)
			continue;
		if (w.len == 0)
			continue;
		if (q->rule.words.n == VARY_WORDS_MAX) {
			VRT_fail(ctx, "vary: %s.%s(): more than %d words",
			    p->name, verb, VARY_WORDS_MAX);
			return (false);
		}
		if (!vary_request_word_ok(q->rule.form, w) ||
		    vary_choose_exact(&q->rule.words, w) != VARY_NONE) {
			VRT_fail(ctx, "vary: %s.%s(\"%s\"): \"%.*s\" %s",
			    p->name, verb, text, (int)w.len, w.b,
			    vary_request_word_ok(q->rule.form, w)
				? "stands there twice"
				: "is none of its kind");
			return (false);
		}
		q->word[q->rule.words.n++] = w;
	}
	return (true);
}

/* Numbers must rise, so that the first that is large enough is the nearest. */
static bool
rises(const struct vary_words *w)
{
	long long a, b;
	size_t i;

	for (i = 1; i < w->n; i++)
		if (!vary_number(w->w[i - 1], &a) ||
		    !vary_number(w->w[i], &b) || a >= b)
			return (false);
	return (true);
}

/*
 * A rule for each of the headers named, with these words.  Naming a header
 * here also makes it a known one for other = strip or bypass.
 */
static void
request_rules(VRT_CTX, struct vmod_vary_policy *p, const char *verb,
    const char *headers, const struct vary_request_rule *like,
    const char *words, bool needs_words)
{
	struct vary_field f;
	struct vary_span s;
	enum vary_status st;
	struct policy_request *q, **t;
	const char *text;
	unsigned u, n = 0;

	if (!policy_in_method(ctx, p, verb, VCL_MET_INIT, "vcl_init"))
		return;
	text = keep_text(p, headers == NULL ? "" : headers);
	vary_field_init(&f, text, strlen(text));
	for (; (st = vary_field_next(&f, &s)) == VARY_OK; n++) {
		if (rule_for(p, s) == NULL)
			break;
		for (u = 0; u < p->n_request; u++)
			if (vary_name_eq(s, p->request[u]->rule.name)) {
				VRT_fail(ctx,
				    "vary: %s.%s(): %.*s has a normal form"
				    " already",
				    p->name, verb, (int)s.len, s.b);
				return;
			}
		q = calloc(1, sizeof *q);
		AN(q);
		t = realloc(p->request, (p->n_request + 1) * sizeof *t);
		AN(t);
		p->request = t;
		t[p->n_request++] = q;
		q->rule = *like;
		q->rule.name = s;
		AN(header_name_init(&q->name, s));
		if (!read_words(ctx, p, verb, words, q))
			return;
		if ((needs_words && q->rule.words.n == 0) ||
		    (like->form == VARY_FORM_BUCKET &&
			!rises(&q->rule.words))) {
			VRT_fail(ctx, "vary: %s.%s(): %s", p->name, verb,
			    q->rule.words.n == 0 ? "an empty list"
						 : "numbers must rise");
			return;
		}
	}
	if (st != VARY_END || n == 0)
		VRT_fail(ctx, "vary: %s.%s(): \"%s\" is no header name",
		    p->name, verb, text);
}

VCL_VOID
vmod_policy_language(VRT_CTX, struct vmod_vary_policy *p, VCL_STRING languages,
    VCL_STRING header)
{
	struct vary_request_rule r = { .form = VARY_FORM_LANGUAGE };

	request_rules(ctx, p, "language", header, &r, languages, true);
}

VCL_VOID
vmod_policy_media(VRT_CTX, struct vmod_vary_policy *p, VCL_STRING types,
    VCL_STRING header, VCL_ENUM wildcard)
{
	struct vary_request_rule r = { .form = VARY_FORM_MEDIA };

	if (wildcard == VENUM(all))
		r.wildcard = VARY_WILDCARD_ALL;
	else if (wildcard == VENUM(none))
		r.wildcard = VARY_WILDCARD_NONE;
	request_rules(ctx, p, "media", header, &r, types, true);
}

VCL_VOID
vmod_policy_encoding(
    VRT_CTX, struct vmod_vary_policy *p, VCL_STRING codings, VCL_STRING header)
{
	struct vary_request_rule r = { .form = VARY_FORM_ENCODING };

	request_rules(ctx, p, "encoding", header, &r, codings, true);
}

VCL_VOID
vmod_policy_cookie(VRT_CTX, struct vmod_vary_policy *p, VCL_STRING names)
{
	struct vary_request_rule r = { .form = VARY_FORM_COOKIE };

	request_rules(ctx, p, "cookie", "Cookie", &r, names, true);
}

VCL_VOID
vmod_policy_allow(
    VRT_CTX, struct vmod_vary_policy *p, VCL_STRING header, VCL_STRING values)
{
	struct vary_request_rule r = { .form = VARY_FORM_ALLOW };

	request_rules(ctx, p, "allow", header, &r, values, true);
}

VCL_VOID
vmod_policy_presence(VRT_CTX, struct vmod_vary_policy *p, VCL_STRING headers)
{
	struct vary_request_rule r = { .form = VARY_FORM_PRESENCE };

	request_rules(ctx, p, "presence", headers, &r, NULL, false);
}

VCL_VOID
vmod_policy_list(VRT_CTX, struct vmod_vary_policy *p, VCL_STRING headers,
    VCL_BOOL sort, VCL_BOOL lower)
{
	struct vary_request_rule r = {
		.form = VARY_FORM_LIST, .sort = sort, .lower = lower
	};

	request_rules(ctx, p, "list", headers, &r, NULL, false);
}

VCL_VOID
vmod_policy_bucket(VRT_CTX, struct vmod_vary_policy *p, VCL_STRING header,
    VCL_STRING numbers, VCL_ENUM round)
{
	struct vary_request_rule r = { .form = VARY_FORM_BUCKET };

	r.round = round == VENUM(down) ? VARY_ROUND_DOWN : VARY_ROUND_UP;
	request_rules(ctx, p, "bucket", header, &r, numbers, true);
}

VCL_VOID
vmod_policy_brands(
    VRT_CTX, struct vmod_vary_policy *p, VCL_STRING keep, VCL_STRING header)
{
	struct vary_request_rule r = { .form = VARY_FORM_BRANDS };

	request_rules(ctx, p, "brands", header, &r, keep, false);
}

VCL_VOID
vmod_policy_drop(VRT_CTX, struct vmod_vary_policy *p, VCL_STRING headers)
{
	struct vary_request_rule r = { .form = VARY_FORM_DROP };

	request_rules(ctx, p, "drop", headers, &r, NULL, false);
}

VCL_VOID
vmod_policy_promote(VRT_CTX, struct vmod_vary_policy *p, VCL_STRING headers)
{
	struct vary_field f;
	struct vary_span s;
	struct header_name *t;

	if (!each_rule(ctx, p, "promote", headers, set_restore))
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

/* ------------------------------------------------------------------------- */

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
	(void)each_rule(ctx, p, "ensure", names, set_ensure);
}

VCL_VOID
vmod_policy_map(
    VRT_CTX, struct vmod_vary_policy *p, VCL_STRING public, VCL_STRING internal)
{
	struct vary_rule *r = NULL;
	struct vary_span to;

	if (!policy_in_method(ctx, p, "map", VCL_MET_INIT, "vcl_init"))
		return;
	to = vary_span_str(keep_text(p, internal == NULL ? "" : internal));
	if (public != NULL)
		r = rule_for(p, vary_span_str(keep_text(p, public)));
	if (r == NULL || !vary_is_token(to.b, to.len) ||
	    to.len > VARY_NAME_MAX) {
		VRT_fail(ctx,
		    "vary: %s.map(\"%s\", \"%s\"): not two header"
		    " names",
		    p->name, public == NULL ? "" : public, to.b);
		return;
	}
	r->verb = VARY_MAP;
	r->to = to;
}
