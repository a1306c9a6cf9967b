/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The methods that give request headers a normal form; .recv() applies it.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "cache/cache.h"
#include "vcl.h"
#include "vcc_vary_if.h"

#include "vmod/compat.h"
#include "vmod/policy.h"

/* What a word of this form is, with an example. */
static const char *
kind(enum vary_form form)
{
	switch (form) {
	case VARY_FORM_LANGUAGE:
		return ("language tag, as \"en\" or \"pt-BR\" are");
	case VARY_FORM_MEDIA:
		return ("media type, as \"image/webp\" is (no * and no q)");
	case VARY_FORM_ENCODING:
		return ("coding to choose, as \"br\" is (no *, identity, q)");
	case VARY_FORM_COOKIE: return ("cookie's name, as \"session\" is");
	case VARY_FORM_BUCKET: return ("number, as 320 or 1.5 are");
	case VARY_FORM_BRANDS: return ("brand, as Chromium is (no quotes)");
	case VARY_FORM_ALLOW:
	case VARY_FORM_PRESENCE:
	case VARY_FORM_LIST:
	case VARY_FORM_DROP: break;
	}
	return ("header value");
}

/* The words of a list, which commas separate; false: one does not suit. */
static bool
read_words(VRT_CTX, struct vmod_vary_policy *p, const char *verb,
    const char *list, struct policy_request *q)
{
	const char *b, *e, *end,
	    *text = policy_keep_text(p, list == NULL ? "" : list);
	struct vary_span w;

	q->rule.words.w = q->word;
	for (b = text, end = text + strlen(text); b < end; b = e + 1) {
		e = memchr(b, ',', (size_t)(end - b));
		if (e == NULL)
			e = end;
		w = vary_span_trim(b, e);
		if (w.len == 0)
			continue;
		if (q->rule.words.n == VARY_WORDS_MAX) {
			VRT_fail(ctx, "vary: %s.%s(): more than %d words",
			    p->name, verb, VARY_WORDS_MAX);
			return (false);
		}
		if (!vary_request_word_ok(q->rule.form, w)) {
			VRT_fail(ctx,
			    "vary: %s.%s(\"%s\"): \"%.*s\" is no %s;"
			    " commas separate them",
			    p->name, verb, text, (int)w.len, w.b,
			    kind(q->rule.form));
			return (false);
		}
		if (!vary_request_word_sent(&q->rule, w)) {
			VRT_fail(ctx,
			    "vary: %s.%s(\"%s\"): no client sends \"%.*s\":"
			    " whole values, as they are sent, no patterns",
			    p->name, verb, text, (int)w.len, w.b);
			return (false);
		}
		if (vary_request_has_word(&q->rule, w)) {
			VRT_fail(ctx,
			    "vary: %s.%s(\"%s\"): \"%.*s\" stands there"
			    " twice",
			    p->name, verb, text, (int)w.len, w.b);
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

/* What these choose among must be said; brands may be left out, not empty. */
static bool
needs_words(enum vary_form form, const char *words)
{
	switch (form) {
	case VARY_FORM_LANGUAGE:
	case VARY_FORM_MEDIA:
	case VARY_FORM_ENCODING:
	case VARY_FORM_COOKIE:
	case VARY_FORM_ALLOW:
	case VARY_FORM_BUCKET: return (true);
	case VARY_FORM_PRESENCE:
	case VARY_FORM_LIST:
	case VARY_FORM_DROP: break;
	case VARY_FORM_BRANDS: return (words != NULL && *words != '\0');
	}
	return (false);
}

/* Are the words what the client is given one of? */
static bool
is_choice(enum vary_form form)
{
	return (form == VARY_FORM_LANGUAGE || form == VARY_FORM_MEDIA ||
		form == VARY_FORM_ENCODING);
}

/*
 * A rule for each of the headers named, with these words.  Naming a header
 * here also makes it a known one for other = strip or bypass.
 */
static void
request_rules(VRT_CTX, struct vmod_vary_policy *p, const char *verb,
    const char *headers, const char *words, struct vary_request_rule like)
{
	struct vary_field f;
	struct vary_span s;
	enum vary_status st;
	struct policy_request *q, **t;
	struct vary_rule *r;
	const char *text, *why;
	unsigned u, n = 0;

	if (!policy_in_method(ctx, p, verb, VCL_MET_INIT, "vcl_init"))
		return;
	text = policy_keep_text(p, headers == NULL ? "" : headers);
	vary_field_init(&f, text, strlen(text));
	for (; (st = vary_field_next(&f, &s)) == VARY_OK; n++) {
		r = policy_rule_for(p, s);
		if (r == NULL)
			break;
		r->chosen = is_choice(like.form);
		if (!policy_makes_sense(ctx, p, verb, r))
			return;
		for (u = 0; u < p->n_request; u++)
			if (vary_name_eq(s, p->request[u]->rule.name)) {
				VRT_fail(ctx,
				    "vary: %s.%s(): %.*s has a normal form"
				    " already: say one of them",
				    p->name, verb, (int)s.len, s.b);
				return;
			}
		q = calloc(1, sizeof *q);
		AN(q);
		t = realloc(p->request, (p->n_request + 1) * sizeof *t);
		AN(t);
		p->request = t;
		t[p->n_request++] = q;
		q->rule = like;
		q->rule.name = s;
		AN(header_name_init(&q->name, s));
		why = policy_doubt_text(vary_request_doubt(&q->rule));
		if (why != NULL) {
			VRT_fail(ctx, "vary: %s.%s(): %.*s %s", p->name, verb,
			    (int)s.len, s.b, why);
			return;
		}
		if (!read_words(ctx, p, verb, words, q))
			return;
		if ((needs_words(like.form, words) && q->rule.words.n == 0) ||
		    (like.form == VARY_FORM_BUCKET && !rises(&q->rule.words))) {
			VRT_fail(ctx, "vary: %s.%s(): %s", p->name, verb,
			    q->rule.words.n == 0
				? "an empty list: say one"
				: "numbers must rise, as 1, 2, 3 do");
			return;
		}
	}
	if (st != VARY_END || n == 0)
		VRT_fail(ctx,
		    "vary: %s.%s(): \"%s\" is no header name; commas separate"
		    " them",
		    p->name, verb, text);
}

#define FORM(...) ((struct vary_request_rule){ .form = __VA_ARGS__ })

VCL_VOID
vmod_policy_language(VRT_CTX, struct vmod_vary_policy *p, VCL_STRING languages,
    VCL_STRING header)
{
	request_rules(
	    ctx, p, "language", header, languages, FORM(VARY_FORM_LANGUAGE));
}

VCL_VOID
vmod_policy_media(VRT_CTX, struct vmod_vary_policy *p, VCL_STRING types,
    VCL_STRING header, VCL_ENUM wildcard)
{
	enum vary_wildcard w = VARY_WILDCARD_AUTO;

	if (wildcard == VENUM(all))
		w = VARY_WILDCARD_ALL;
	else if (wildcard == VENUM(none))
		w = VARY_WILDCARD_NONE;
	request_rules(ctx, p, "media", header, types,
	    FORM(VARY_FORM_MEDIA, .wildcard = w));
}

VCL_VOID
vmod_policy_encoding(
    VRT_CTX, struct vmod_vary_policy *p, VCL_STRING codings, VCL_STRING header)
{
	request_rules(
	    ctx, p, "encoding", header, codings, FORM(VARY_FORM_ENCODING));
}

VCL_VOID
vmod_policy_cookie(VRT_CTX, struct vmod_vary_policy *p, VCL_STRING names)
{
	request_rules(
	    ctx, p, "cookie", "Cookie", names, FORM(VARY_FORM_COOKIE));
}

VCL_VOID
vmod_policy_allow(
    VRT_CTX, struct vmod_vary_policy *p, VCL_STRING header, VCL_STRING values)
{
	request_rules(ctx, p, "allow", header, values, FORM(VARY_FORM_ALLOW));
}

VCL_VOID
vmod_policy_presence(VRT_CTX, struct vmod_vary_policy *p, VCL_STRING headers)
{
	request_rules(
	    ctx, p, "presence", headers, NULL, FORM(VARY_FORM_PRESENCE));
}

VCL_VOID
vmod_policy_list(VRT_CTX, struct vmod_vary_policy *p, VCL_STRING headers,
    VCL_BOOL sort, VCL_BOOL lower)
{
	request_rules(ctx, p, "list", headers, NULL,
	    FORM(VARY_FORM_LIST, .sort = sort, .lower = lower));
}

VCL_VOID
vmod_policy_bucket(VRT_CTX, struct vmod_vary_policy *p, VCL_STRING header,
    VCL_STRING numbers, VCL_ENUM round)
{
	request_rules(ctx, p, "bucket", header, numbers,
	    FORM(VARY_FORM_BUCKET, .round = round == VENUM(down)
						? VARY_ROUND_DOWN
						: VARY_ROUND_UP));
}

VCL_VOID
vmod_policy_brands(
    VRT_CTX, struct vmod_vary_policy *p, VCL_STRING keep, VCL_STRING header)
{
	request_rules(ctx, p, "brands", header, keep, FORM(VARY_FORM_BRANDS));
}

VCL_VOID
vmod_policy_drop(VRT_CTX, struct vmod_vary_policy *p, VCL_STRING headers)
{
	request_rules(ctx, p, "drop", headers, NULL, FORM(VARY_FORM_DROP));
}
