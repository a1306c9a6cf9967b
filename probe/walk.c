/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/walk.h"

#include <string.h>

#include "probe/hash.h"

/* A header's name: without regard to case. */
static uint64_t
hash_name(uint64_t seed, const char *name, size_t len)
{
	char lower[64];
	size_t i;

	if (len > sizeof lower)
		return (probe_hash(seed, name, len));
	for (i = 0; i < len; i++)
		lower[i] = name[i] >= 'A' && name[i] <= 'Z'
			       ? (char)(name[i] - 'A' + 'a')
			       : name[i];
	return (probe_hash(seed, lower, len));
}

static bool
is_letter(unsigned char c)
{
	return ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80);
}

static bool
is_digit(unsigned char c)
{
	return (c >= '0' && c <= '9');
}

static bool
is_space(unsigned char c)
{
	return (c == ' ' || (c >= '\t' && c <= '\r'));
}

/* The end of the token that starts at p: letters, digits, or one mark. */
static const char *
token_end(const char *p, const char *e)
{
	const char *b = p;

	if (is_letter((unsigned char)*p))
		while (p < e && is_letter((unsigned char)*p))
			p++;
	else if (is_digit((unsigned char)*p))
		while (p < e && is_digit((unsigned char)*p))
			p++;
	return (p == b ? p + 1 : p);
}

/* Differs between two equal responses, or is what we judge. */
bool
probe_walk_passes_over(const struct probe_line *l)
{
	return (probe_line_is(l, "date") || probe_line_is(l, "age") ||
		probe_line_is(l, "content-length") ||
		probe_line_is(l, "transfer-encoding") ||
		probe_line_is(l, "connection") ||
		probe_line_is(l, "keep-alive") || probe_line_is(l, "vary") ||
		probe_line_is(l, "trailer") || probe_line_is(l, "x-varnish") ||
		probe_line_is(l, "variant-vary"));
}

static bool
walk_words(const struct probe_walk *w, const struct probe_line *l,
    uint64_t name, const char *p, const char *e)
{
	struct probe_place at = { .what = "header",
		.name = l->name,
		.name_len = l->name_len,
		.text = l->value,
		.text_len = l->value_len };
	const char *b;

	while (p < e) {
		while (p < e && strchr(" \t,;=\"'()<>", *p) != NULL)
			p++;
		for (b = p; p < e && strchr(" \t,;=\"'()<>", *p) == NULL; p++)
			continue;
		if (p > b && w->visit(w->baton, PROBE_F_HEADER_TOKEN,
				 probe_hash(name, b, (size_t)(p - b)), &at))
			return (true);
	}
	return (false);
}

bool
probe_walk_head(const struct probe_walk *w, int status,
    const struct probe_line *lines, size_t nlines)
{
	struct probe_place at = { .what = "status" };
	uint64_t name;
	size_t i;

	if (w->visit(w->baton, PROBE_F_STATUS,
		probe_hash(w->seed, &status, sizeof status), &at))
		return (true);
	at.what = "header";
	for (i = 0; i < nlines; i++) {
		const struct probe_line *l = &lines[i];
		const char *p = l->value, *e = p + l->value_len, *eq, *semi;

		if (probe_walk_passes_over(l))
			continue;
		name = hash_name(w->seed, l->name, l->name_len);
		at.name = l->name;
		at.name_len = l->name_len;
		at.text = p;
		at.text_len = l->value_len;
		if (w->visit(w->baton, PROBE_F_HEADER, name, &at))
			return (true);
		if (probe_line_is(l, "set-cookie")) {
			/* The value is anybody's; the name and the
			 * attributes say what kind of cookie it is. */
			eq = memchr(p, '=', l->value_len);
			semi = memchr(p, ';', l->value_len);
			if (eq == NULL || (semi != NULL && semi < eq))
				eq = semi != NULL ? semi : e;
			if (w->visit(w->baton, PROBE_F_HEADER,
				probe_hash(name, p, (size_t)(eq - p)), &at) ||
			    (semi != NULL && walk_words(w, l, name, semi, e)))
				return (true);
			continue;
		}
		if (w->visit(w->baton, PROBE_F_HEADER,
			probe_hash(name, p, l->value_len), &at) ||
		    walk_words(w, l, name, p, e))
			return (true);
	}
	return (false);
}

static bool
walk_text(const struct probe_walk *w, const char *body, size_t len)
{
	const char *p = body, *e = body + len, *b, *t, *prev = NULL;
	struct probe_place at = { .what = "line" };
	uint64_t h, last = 0, seed = probe_hash_mix(w->seed + 1);

	while (p < e) {
		for (b = p; p < e && *p != '\n'; p++)
			continue;
		for (t = p; t > b && is_space((unsigned char)t[-1]); t--)
			continue;
		while (b < t && is_space((unsigned char)*b))
			b++;
		at.what = "line";
		at.text = b;
		at.text_len = (size_t)(t - b);
		at.offset = (size_t)(b - body);
		if (b < t && w->visit(w->baton, PROBE_F_LINE,
				 probe_hash(w->seed, b, at.text_len), &at))
			return (true);
		at.what = "token";
		for (; b < t; b = at.text + at.text_len) {
			while (b < t && is_space((unsigned char)*b))
				b++;
			if (b == t)
				break;
			at.text = b;
			at.text_len = (size_t)(token_end(b, t) - b);
			at.offset = (size_t)(b - body);
			h = probe_hash(seed, b, at.text_len);
			if (w->visit(w->baton, PROBE_F_TOKEN, h, &at))
				return (true);
			/* With the one before it: a digit that stands
			 * elsewhere too is seen in its place. */
			if (prev != NULL &&
			    w->visit(w->baton, PROBE_F_TOKEN,
				probe_hash_mix(last * 3 + h), &at))
				return (true);
			prev = b;
			last = h;
		}
		if (p < e)
			p++;
	}
	return (false);
}

static bool
looks_like_json(const char *body, size_t len)
{
	size_t i;

	for (i = 0; i < len && is_space((unsigned char)body[i]); i++)
		continue;
	return (i < len && (body[i] == '{' || body[i] == '['));
}

static bool
nothing(void *baton, enum probe_feature_kind k, uint64_t h,
    const struct probe_place *at)
{
	return (false);
}

/* To the end: what breaks off in the middle is text. */
static bool
is_json(const struct probe_walk *w, const char *body, size_t len)
{
	const struct probe_walk trial = { .seed = w->seed, .visit = nothing };

	return (looks_like_json(body, len) &&
		probe_walk_json(&trial, body, len) == PROBE_WALK_OVER);
}

bool
probe_walk_body(const struct probe_walk *w, const char *body, size_t len)
{
	struct probe_place at = {
		.what = "body", .text = body, .text_len = len
	};

	if (len == 0)
		return (false);
	if (w->visit(w->baton, PROBE_F_WHOLE,
		probe_hash_body(w->seed, body, len), &at))
		return (true);
	/* No text: one byte more or less shifts all the others. */
	if (memchr(body, '\0', len) != NULL)
		return (false);
	if (is_json(w, body, len))
		return (probe_walk_json(w, body, len) == PROBE_WALK_ENDED);
	return (walk_text(w, body, len));
}
