/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/walk.h"

#include "probe/hash.h"

enum {
	MAX_DEPTH = 256,
};

struct reader {
	const struct probe_walk *w;
	const char *body, *p, *e;
	struct {
		uint64_t path;
		bool object;
	} stack[MAX_DEPTH];
	size_t depth;
	bool after; /* a value was read: "," or the end comes */
};

/* On to what is no blank; false: there is nothing more. */
static bool
next(struct reader *r)
{
	while (
	    r->p < r->e && (*r->p == ' ' || (*r->p >= '\t' && *r->p <= '\r')))
		r->p++;
	return (r->p < r->e);
}

static bool
is_of_word(unsigned char c)
{
	return ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		(c >= '0' && c <= '9') || c >= 0x80 || c == '-' || c == '+' ||
		c == '.');
}

/* From one quote to behind the other. */
static bool
string(struct reader *r)
{
	if (*r->p != '"')
		return (false);
	for (r->p++; r->p < r->e && *r->p != '"'; r->p++)
		if (*r->p == '\\')
			r->p++;
	if (r->p >= r->e)
		return (false);
	r->p++;
	return (true);
}

static bool
is_object(const struct reader *r)
{
	return (r->depth > 0 && r->stack[r->depth - 1].object);
}

/* A member's name and its colon: the path of the value that comes. */
static bool
name(struct reader *r, uint64_t *ret_path)
{
	const char *b = r->p + 1;
	size_t len;

	if (!string(r))
		return (false);
	len = (size_t)(r->p - 1 - b);
	if (!next(r) || *r->p++ != ':' || !next(r))
		return (false);
	*ret_path = probe_hash(r->stack[r->depth - 1].path, b, len);
	return (true);
}

static bool
show(struct reader *r, const char *b, size_t len, uint64_t hash)
{
	struct probe_place at = { .what = "json",
		.text = b,
		.text_len = len,
		.offset = (size_t)(b - r->body) };

	return (r->w->visit(r->w->baton, PROBE_F_JSON, hash, &at));
}

static bool
is_closed(const struct reader *r)
{
	return (*r->p == (is_object(r) ? '}' : ']'));
}

static enum probe_walk_end
open(struct reader *r, uint64_t path)
{
	bool object = *r->p == '{';

	if (r->depth == MAX_DEPTH)
		return (PROBE_WALK_NO_JSON);
	if (show(r, r->p, 1, probe_hash_mix(path ^ (object ? 2 : 3))))
		return (PROBE_WALK_ENDED);
	r->stack[r->depth].path = path;
	r->stack[r->depth].object = object;
	r->depth++;
	r->p++;
	if (next(r) && is_closed(r)) {
		r->p++;
		r->depth--;
		r->after = true;
	}
	return (PROBE_WALK_OVER);
}

/* A string, a number, or a word. */
static enum probe_walk_end
scalar(struct reader *r, uint64_t path)
{
	const char *b = r->p;
	size_t len;

	if (*b == '"') {
		if (!string(r))
			return (PROBE_WALK_NO_JSON);
	} else
		while (r->p < r->e && is_of_word((unsigned char)*r->p))
			r->p++;
	if (r->p == b)
		return (PROBE_WALK_NO_JSON);
	r->after = true;
	len = (size_t)(r->p - b);
	return (show(r, b, len, probe_hash(path, b, len)) ? PROBE_WALK_ENDED
							  : PROBE_WALK_OVER);
}

/* Behind a value: false, no JSON. */
static bool
go_on(struct reader *r)
{
	if (r->depth == 0)
		return (false);
	if (is_closed(r)) {
		r->depth--;
		r->p++;
		return (true);
	}
	r->after = false;
	return (*r->p++ == ',');
}

enum probe_walk_end
probe_walk_json(const struct probe_walk *w, const char *body, size_t len)
{
	struct reader r;
	enum probe_walk_end end = PROBE_WALK_OVER;
	uint64_t path;

	r.w = w;
	r.body = r.p = body;
	r.e = body + len;
	r.depth = 0;
	r.after = false;
	while (end == PROBE_WALK_OVER) {
		if (!next(&r))
			return (r.depth == 0 && r.after ? PROBE_WALK_OVER
							: PROBE_WALK_NO_JSON);
		if (r.after) {
			if (!go_on(&r))
				return (PROBE_WALK_NO_JSON);
			continue;
		}
		path = w->seed;
		if (is_object(&r)) {
			if (!name(&r, &path))
				return (PROBE_WALK_NO_JSON);
		} else if (r.depth > 0)
			path = probe_hash_mix(r.stack[r.depth - 1].path + 1);
		end = *r.p == '{' || *r.p == '[' ? open(&r, path)
						 : scalar(&r, path);
	}
	return (end);
}
