/* SPDX-License-Identifier: BSD-2-Clause */
#include "live/policy.h"

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "live/device.h"
#include "live/hash.h"

/* The verbs that have a header of their own, and those that are told it. */
static const struct {
	const char *word;
	const char *name; /* NULL: the first argument says it */
	enum live_verb verb;
} verbs[] = {
	{ "strip", NULL, LIVE_VERB_STRIP },
	{ "restore", NULL, LIVE_VERB_STRIP }, /* for the cache it is gone */
	{ "presence", NULL, LIVE_VERB_PRESENCE },
	{ "language", "Accept-Language", LIVE_VERB_LANGUAGE },
	{ "media", "Accept", LIVE_VERB_MEDIA },
	{ "encoding", "Accept-Encoding", LIVE_VERB_ENCODING },
	{ "cookie", "Cookie", LIVE_VERB_COOKIE },
	{ "allow", NULL, LIVE_VERB_ALLOW },
	{ "list", NULL, LIVE_VERB_LIST },
	{ "map", NULL, LIVE_VERB_DEVICE },
	{ "keep", NULL, LIVE_VERB_KEEP },
	{ "hide", NULL, LIVE_VERB_KEEP },
	{ "ensure", NULL, LIVE_VERB_KEEP },
	{ NULL, NULL, LIVE_VERB_KEEP },
};

/* --- Reading VCL ---------------------------------------------------------- */

struct reader {
	const char *p, *e;
	unsigned line;
};

static void
blanks(struct reader *r)
{
	while (r->p < r->e) {
		char c = *r->p;

		if (c == '\n')
			r->line++;
		if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
			r->p++;
		} else if (c == '#' ||
			   (c == '/' && r->e - r->p > 1 && r->p[1] == '/')) {
			while (r->p < r->e && *r->p != '\n')
				r->p++;
		} else if (c == '/' && r->e - r->p > 1 && r->p[1] == '*') {
			for (r->p += 2; r->p < r->e; r->p++) {
				if (*r->p == '\n')
					r->line++;
				if (r->p[-1] == '*' && *r->p == '/') {
					r->p++;
					break;
				}
			}
		} else
			break;
	}
}

/* A string: "..." or {"..."}.  False: there is none here, or no end of it. */
static bool
string(struct reader *r, struct vary_span *ret)
{
	const char *b;

	if (r->p < r->e && *r->p == '"') {
		for (b = ++r->p; r->p < r->e && *r->p != '"'; r->p++)
			if (*r->p == '\n')
				return (false);
		if (r->p == r->e)
			return (false);
		*ret = (struct vary_span){ b, (size_t)(r->p - b) };
		r->p++;
		return (true);
	}
	if (r->e - r->p > 1 && r->p[0] == '{' && r->p[1] == '"') {
		for (b = r->p += 2; r->e - r->p > 1; r->p++) {
			if (*r->p == '\n')
				r->line++;
			if (r->p[0] == '"' && r->p[1] == '}') {
				*ret =
				    (struct vary_span){ b, (size_t)(r->p - b) };
				r->p += 2;
				return (true);
			}
		}
	}
	return (false);
}

static struct vary_span
word(struct reader *r)
{
	const char *b = r->p;

	while (
	    r->p < r->e &&
	    ((*r->p >= 'a' && *r->p <= 'z') || (*r->p >= 'A' && *r->p <= 'Z') ||
		(*r->p >= '0' && *r->p <= '9') || *r->p == '_' || *r->p == '-'))
		r->p++;
	return ((struct vary_span){ b, (size_t)(r->p - b) });
}

static bool
is(struct vary_span s, const char *w)
{
	return (s.len == strlen(w) && memcmp(s.b, w, s.len) == 0);
}

/* Find the words of the argument: "en, fr" and what blanks are around them. */
static int
split(struct live_rule *r)
{
	size_t at = 0, len = strlen(r->arg);

	r->words = 0;
	while (at < len) {
		size_t e;

		while (at < len && strchr(", \t\r\n", r->arg[at]) != NULL)
			at++;
		for (e = at; e < len && r->arg[e] != ','; e++)
			continue;
		if (e > at) {
			size_t end = e;

			while (end > at &&
			       strchr(" \t\r\n", r->arg[end - 1]) != NULL)
				end--;
			if (r->words == VARY_WORDS_MAX)
				return (-E2BIG);
			r->word[r->words].at = (unsigned short)at;
			r->word[r->words].len = (unsigned short)(end - at);
			r->words++;
		}
		at = e;
	}
	return (0);
}

static int
add(struct live_policy *p, struct vary_span name, enum live_verb verb,
    struct vary_span arg)
{
	struct live_rule *r = NULL;
	size_t i;

	if (!vary_is_token(name.b, name.len))
		return (-EINVAL);
	if (name.len >= LIVE_POLICY_NAME || arg.len >= LIVE_POLICY_ARG)
		return (-E2BIG);
	for (i = 0; i < p->n; i++)
		if (vary_name_eq(vary_span_str(p->rule[i].name), name))
			r = &p->rule[i];
	if (r == NULL) {
		if (p->n == LIVE_POLICY_MAX)
			return (-E2BIG);
		r = &p->rule[p->n++];
	} else if (verb == LIVE_VERB_KEEP && r->verb != LIVE_VERB_STRIP) {
		/* hide() and ensure() leave the form of the value alone. */
		return (0);
	}
	memcpy(r->name, name.b, name.len);
	r->name[name.len] = '\0';
	memcpy(r->arg, arg.b != NULL ? arg.b : "", arg.len);
	r->arg[arg.len] = '\0';
	r->verb = verb;
	return (split(r));
}

/* "Host, User-Agent": the verbs that take names take several. */
static int
add_names(struct live_policy *p, struct vary_span list, enum live_verb verb)
{
	struct vary_span name;
	struct vary_field f;
	enum vary_status st;
	int e;

	vary_field_init(&f, list.b, list.len);
	while ((st = vary_field_next(&f, &name)) == VARY_OK)
		if ((e = add(p, name, verb, vary_span_str(""))) < 0)
			return (e);
	return (st == VARY_END ? 0 : -EINVAL);
}

/* The arguments of vary.policy(): the list to strip, and a word for others. */
static int
constructor(struct live_policy *p, struct reader *r)
{
	struct vary_span strip = vary_span_str("Host, User-Agent"), v;
	unsigned place = 0;

	p->declared = true;
	for (;;) {
		struct vary_span key = { NULL, 0 };

		blanks(r);
		if (r->p < r->e && *r->p == ')')
			break;
		if (r->p == r->e)
			return (-EINVAL);
		if (*r->p == '"' || *r->p == '{') {
			if (!string(r, &v))
				return (-EINVAL);
			if (place++ == 0)
				strip = v;
		} else {
			key = word(r);
			if (key.len == 0)
				return (-EINVAL);
			blanks(r);
			if (r->p < r->e && *r->p == '=') {
				r->p++;
				blanks(r);
				if (is(key, "strip")) {
					if (!string(r, &strip))
						return (-EINVAL);
				} else {
					/* "120s", "restore", "1", "1.5m" */
					v = word(r);
					while (r->p < r->e && *r->p == '.') {
						r->p++;
						(void)word(r);
					}
					if (is(key, "other"))
						p->other_strip = is(v, "strip");
					if (is(key, "unkeyable"))
						p->keep_unkeyable =
						    is(v, "keep");
					if (is(key, "inert"))
						p->keep_inert = is(v, "keep");
				}
			} else if (place++ == 1)
				p->other_strip = is(key, "strip");
		}
		blanks(r);
		if (r->p < r->e && *r->p == ',')
			r->p++;
	}
	return (add_names(p, strip, LIVE_VERB_STRIP));
}

static int
call(struct live_policy *p, struct reader *r, struct vary_span verb)
{
	struct vary_span a = { "", 0 }, b = { "", 0 };
	size_t i;

	for (i = 0; verbs[i].word != NULL; i++)
		if (is(verb, verbs[i].word))
			break;
	if (verbs[i].word == NULL)
		return (0);
	blanks(r);
	if (r->p < r->e && *r->p == ')' && verbs[i].name == NULL)
		return (-EINVAL);
	if (!string(r, &a))
		return (-EINVAL);
	blanks(r);
	if (r->p < r->e && *r->p == ',') {
		r->p++;
		blanks(r);
		if (!string(r, &b))
			return (-EINVAL);
	}
	if (verbs[i].name != NULL)
		return (add(p, vary_span_str(verbs[i].name), verbs[i].verb, a));
	if (verbs[i].verb == LIVE_VERB_STRIP ||
	    verbs[i].verb == LIVE_VERB_KEEP ||
	    verbs[i].verb == LIVE_VERB_PRESENCE ||
	    verbs[i].verb == LIVE_VERB_LIST)
		return (add_names(p, a, verbs[i].verb));
	return (add(p, a, verbs[i].verb, b));
}

int
live_policy_read(
    struct live_policy *p, const char *vcl, size_t len, unsigned *ret_line)
{
	struct reader r = { vcl, vcl + len, 1 };

	assert(p != NULL && (vcl != NULL || len == 0) && ret_line != NULL);
	memset(p, 0, sizeof *p);
	while (blanks(&r), r.p < r.e) {
		struct vary_span obj, verb, skip;
		int e = 0;

		if (string(&r, &skip))
			continue;
		obj = word(&r);
		if (obj.len == 0) {
			r.p++;
			continue;
		}
		if (r.p == r.e || *r.p != '.')
			continue;
		r.p++;
		verb = word(&r);
		blanks(&r);
		if (r.p == r.e || *r.p != '(')
			continue;
		r.p++;
		*ret_line = r.line;
		if (is(obj, "vary") && is(verb, "policy"))
			e = constructor(p, &r);
		else if (p->declared)
			e = call(p, &r, verb);
		if (e < 0)
			return (e);
	}
	return (0);
}

const struct live_rule *
live_policy_find(const struct live_policy *p, struct vary_span name)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		if (vary_name_eq(vary_span_str(p->rule[i].name), name))
			return (&p->rule[i]);
	return (NULL);
}

bool
live_policy_default(struct vary_span name, struct live_rule *ret)
{
	static const struct {
		const char *name, *arg;
		enum live_verb verb;
	} t[] = {
		{ "User-Agent", "", LIVE_VERB_DEVICE },
		{ "Cookie", "", LIVE_VERB_PRESENCE },
		{ "Origin", "", LIVE_VERB_PRESENCE },
		{ "Referer", "", LIVE_VERB_PRESENCE },
		{ "Accept-Language", "", LIVE_VERB_LANGUAGE },
		{ "Accept", "image/avif, image/webp", LIVE_VERB_MEDIA },
		{ "Accept-Encoding", "br, gzip", LIVE_VERB_ENCODING },
	};
	size_t i;

	for (i = 0; i < sizeof t / sizeof t[0]; i++) {
		if (!vary_name_eq(vary_span_str(t[i].name), name))
			continue;
		memset(ret, 0, sizeof *ret);
		strcpy(ret->name, t[i].name);
		strcpy(ret->arg, t[i].arg);
		ret->verb = t[i].verb;
		return (split(ret) == 0);
	}
	return (false);
}

/* --- Values --------------------------------------------------------------- */

static unsigned
number(struct vary_span v)
{
	unsigned n = (unsigned)(live_hash(v.b, v.len, 0) >> 32);

	return (n != 0 ? n : 1);
}

/* The primary language that is liked best: what most sites can tell apart. */
static unsigned
first_language(struct vary_span v)
{
	struct vary_weighted e[VARY_ACCEPT_ELEMENTS];
	unsigned n, i, best = 0;
	char low[9];
	size_t k;

	if (!vary_accept_read(v, e, &n))
		return (0);
	for (i = 1; i < n; i++)
		if (e[i].q > e[best].q)
			best = i;
	if (n == 0 || e[best].q == 0)
		return (0);
	for (k = 0; k < sizeof low && k < e[best].value.len &&
		    e[best].value.b[k] != '-';
	     k++)
		low[k] = (char)(e[best].value.b[k] | 0x20);
	return (number((struct vary_span){ low, k }));
}

static enum vary_form
form_of(enum live_verb v)
{
	switch (v) {
	case LIVE_VERB_LANGUAGE: return (VARY_FORM_LANGUAGE);
	case LIVE_VERB_MEDIA: return (VARY_FORM_MEDIA);
	case LIVE_VERB_ENCODING: return (VARY_FORM_ENCODING);
	case LIVE_VERB_COOKIE: return (VARY_FORM_COOKIE);
	case LIVE_VERB_ALLOW: return (VARY_FORM_ALLOW);
	case LIVE_VERB_PRESENCE: return (VARY_FORM_PRESENCE);
	case LIVE_VERB_LIST: return (VARY_FORM_LIST);
	case LIVE_VERB_STRIP:
	case LIVE_VERB_KEEP:
	case LIVE_VERB_DEVICE:
	default: return (VARY_FORM_DROP);
	}
}

/* What the VMOD would make of it, by the very same function. */
static unsigned
by_form(const struct live_rule *r, struct vary_span v)
{
	struct vary_span words[VARY_WORDS_MAX];
	struct vary_request_rule q;
	struct vary_request_value out;
	const struct vary_span *in = v.b != NULL ? &v : NULL;
	char small[1024], *buf = small;
	size_t need;
	unsigned i, n = 0;

	memset(&q, 0, sizeof q);
	for (i = 0; i < r->words; i++)
		words[i] = (struct vary_span){ r->arg + r->word[i].at,
			r->word[i].len };
	q.name = vary_span_str(r->name);
	q.form = form_of(r->verb);
	q.words = (struct vary_words){ words, r->words };
	need = vary_request_bound(&q, in);
	if (need > sizeof small && (buf = malloc(need)) == NULL)
		return (number(v));
	if (vary_request_apply(&q, in, buf,
		need > sizeof small ? need : sizeof small, &out) == VARY_OK)
		n = out.present ? number(out.v) : 0;
	if (buf != small)
		free(buf);
	return (n);
}

unsigned
live_rule_apply(const struct live_rule *r, struct vary_span v)
{
	switch (r->verb) {
	case LIVE_VERB_STRIP: return (0);
	case LIVE_VERB_KEEP: return (v.b == NULL ? 0 : number(v));
	case LIVE_VERB_DEVICE: return (1 + (unsigned)live_device_of(v));
	case LIVE_VERB_LANGUAGE:
		if (r->words == 0)
			return (v.b == NULL ? 0 : first_language(v));
		return (by_form(r, v));
	case LIVE_VERB_PRESENCE:
	case LIVE_VERB_MEDIA:
	case LIVE_VERB_ENCODING:
	case LIVE_VERB_COOKIE:
	case LIVE_VERB_ALLOW:
	case LIVE_VERB_LIST:
	default: return (by_form(r, v));
	}
}

const char *
live_rule_text(const struct live_rule *r)
{
	switch (r->verb) {
	case LIVE_VERB_STRIP: return ("stripped");
	case LIVE_VERB_PRESENCE: return ("presence alone");
	case LIVE_VERB_LANGUAGE:
		return (r->words > 0 ? "one of the site's languages"
				     : "the primary language");
	case LIVE_VERB_MEDIA: return ("the best image type");
	case LIVE_VERB_ENCODING: return ("the best coding");
	case LIVE_VERB_COOKIE: return ("the named cookies");
	case LIVE_VERB_ALLOW: return ("the allowed values");
	case LIVE_VERB_LIST: return ("one spelling");
	case LIVE_VERB_DEVICE: return ("the device class");
	case LIVE_VERB_KEEP:
	default: return ("as it is");
	}
}
