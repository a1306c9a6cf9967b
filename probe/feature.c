/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe/feature.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define KIND_SHIFT 60
#define HASH_MASK  ((UINT64_C(1) << KIND_SHIFT) - 1)

/* The n-th equal line is the first one's hash and n times this. */
#define AGAIN UINT64_C(0x9e3779b97f4a7c1)

enum {
	MAX_FEATURES = 256 * 1024,
	MAX_AGAIN = 64,
	MAX_DEPTH = 256, /* of JSON */
};

/* --- hashing ------------------------------------------------------------ */

static uint64_t
mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (z ^ (z >> 31));
}

uint64_t
probe_hash(uint64_t seed, const void *v, size_t len)
{
	const unsigned char *p = v;
	uint64_t h = seed ^ (len * UINT64_C(0x9e3779b97f4a7c15)), w;

	for (; len >= 8; p += 8, len -= 8) {
		memcpy(&w, p, 8);
		h = (h ^ w) * UINT64_C(0xff51afd7ed558ccd);
		h ^= h >> 32;
	}
	w = 0;
	if (len > 0)
		memcpy(&w, p, len);
	return (mix(h ^ w));
}

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

/* --- walking: the one place that says what a feature is ------------------ */

struct walk;
/* Return true to end the walk. */
typedef bool visitor(struct walk *, enum probe_feature_kind, uint64_t hash,
    const struct probe_place *);

struct walk {
	uint64_t seed;
	visitor *visit;
	/* collecting */
	struct probe_features *into;
	int error;
	/* finding */
	const struct probe_features *among;
	enum probe_feature_kind from, to;
	bool found;
	struct probe_place *place;
};

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
static bool
is_no_feature(const struct probe_line *l)
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
walk_words(struct walk *w, const struct probe_line *l, uint64_t name,
    const char *p, const char *e)
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
		if (p > b && w->visit(w, PROBE_F_HEADER_TOKEN,
				 probe_hash(name, b, (size_t)(p - b)), &at))
			return (true);
	}
	return (false);
}

static bool
walk_head(
    struct walk *w, int status, const struct probe_line *lines, size_t nlines)
{
	struct probe_place at = { .what = "status" };
	uint64_t name;
	size_t i;

	if (w->visit(w, PROBE_F_STATUS,
		probe_hash(w->seed, &status, sizeof status), &at))
		return (true);
	at.what = "header";
	for (i = 0; i < nlines; i++) {
		const struct probe_line *l = &lines[i];
		const char *p = l->value, *e = p + l->value_len, *eq, *semi;

		if (is_no_feature(l))
			continue;
		name = hash_name(w->seed, l->name, l->name_len);
		at.name = l->name;
		at.name_len = l->name_len;
		at.text = p;
		at.text_len = l->value_len;
		if (w->visit(w, PROBE_F_HEADER, name, &at))
			return (true);
		if (probe_line_is(l, "set-cookie")) {
			/* The value is anybody's; the name and the
			 * attributes say what kind of cookie it is. */
			eq = memchr(p, '=', l->value_len);
			semi = memchr(p, ';', l->value_len);
			if (eq == NULL || (semi != NULL && semi < eq))
				eq = semi != NULL ? semi : e;
			if (w->visit(w, PROBE_F_HEADER,
				probe_hash(name, p, (size_t)(eq - p)), &at) ||
			    (semi != NULL && walk_words(w, l, name, semi, e)))
				return (true);
			continue;
		}
		if (w->visit(w, PROBE_F_HEADER,
			probe_hash(name, p, l->value_len), &at) ||
		    walk_words(w, l, name, p, e))
			return (true);
	}
	return (false);
}

static bool
walk_text(struct walk *w, const char *body, size_t len)
{
	const char *p = body, *e = body + len, *b, *t, *prev = NULL;
	struct probe_place at = { .what = "line" };
	uint64_t h, last = 0, seed = mix(w->seed + 1);

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
		if (b < t && w->visit(w, PROBE_F_LINE,
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
			if (w->visit(w, PROBE_F_TOKEN, h, &at))
				return (true);
			/* With the one before it: a digit that stands
			 * elsewhere too is seen in its place. */
			if (prev != NULL &&
			    w->visit(w, PROBE_F_TOKEN, mix(last * 3 + h), &at))
				return (true);
			prev = b;
			last = h;
		}
		if (p < e)
			p++;
	}
	return (false);
}

/*
 * JSON (RFC 8259) as path=value, each with the members' names and "[]" for any
 * element: a list in another order is the same list.  Returns 1 when the visitor
 * ended the walk, 0 at the end of a text that is JSON, -1 when it is not.
 */
static int
walk_json(struct walk *w, const char *body, size_t len)
{
	struct {
		uint64_t path;
		bool object;
	} stack[MAX_DEPTH];
	const char *p = body, *e = body + len, *b;
	struct probe_place at = { .what = "json" };
	uint64_t path = w->seed;
	size_t depth = 0;
	bool after = false; /* a value was read: "," or the end comes */

	for (;;) {
		while (p < e && is_space((unsigned char)*p))
			p++;
		if (p == e)
			return (depth == 0 && after ? 0 : -1);
		if (after) {
			if (depth == 0)
				return (-1);
			if (*p == (stack[depth - 1].object ? '}' : ']')) {
				depth--;
				p++;
				continue;
			}
			if (*p++ != ',')
				return (-1);
			after = false;
			continue;
		}
		if (depth > 0 && stack[depth - 1].object) {
			/* a name */
			if (*p != '"')
				return (-1);
			for (b = ++p; p < e && *p != '"'; p++)
				if (*p == '\\')
					p++;
			if (p >= e)
				return (-1);
			path = probe_hash(
			    stack[depth - 1].path, b, (size_t)(p - b));
			for (p++; p < e && is_space((unsigned char)*p); p++)
				continue;
			if (p == e || *p++ != ':')
				return (-1);
			while (p < e && is_space((unsigned char)*p))
				p++;
			if (p == e)
				return (-1);
		} else if (depth > 0)
			path = mix(stack[depth - 1].path + 1);
		if (*p == '{' || *p == '[') {
			if (depth == MAX_DEPTH)
				return (-1);
			stack[depth].path = path;
			stack[depth].object = *p == '{';
			at.text = p;
			at.text_len = 1;
			at.offset = (size_t)(p - body);
			if (w->visit(w, PROBE_F_JSON,
				mix(path ^ (*p == '{' ? 2 : 3)), &at))
				return (1);
			depth++;
			for (p++; p < e && is_space((unsigned char)*p); p++)
				continue;
			if (p < e &&
			    *p == (stack[depth - 1].object ? '}' : ']')) {
				p++;
				depth--;
				after = true;
			}
			continue;
		}
		b = p;
		if (*p == '"') {
			for (p++; p < e && *p != '"'; p++)
				if (*p == '\\')
					p++;
			if (p >= e)
				return (-1);
			p++;
		} else {
			while (
			    p < e && (is_letter((unsigned char)*p) ||
					 is_digit((unsigned char)*p) ||
					 *p == '-' || *p == '+' || *p == '.'))
				p++;
			if (p == b)
				return (-1);
		}
		at.text = b;
		at.text_len = (size_t)(p - b);
		at.offset = (size_t)(b - body);
		if (w->visit(
			w, PROBE_F_JSON, probe_hash(path, b, at.text_len), &at))
			return (1);
		after = true;
	}
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
nothing(struct walk *w, enum probe_feature_kind k, uint64_t h,
    const struct probe_place *at)
{
	return (false);
}

static bool
walk_body(struct walk *w, const char *body, size_t len)
{
	struct probe_place at = {
		.what = "body", .text = body, .text_len = len
	};
	struct walk trial = { .seed = w->seed, .visit = nothing };

	if (len == 0)
		return (false);
	if (w->visit(w, PROBE_F_WHOLE, probe_hash(w->seed, body, len), &at))
		return (true);
	/* No text: one byte more or less shifts all the others. */
	if (memchr(body, '\0', len) != NULL)
		return (false);
	if (looks_like_json(body, len) && walk_json(&trial, body, len) == 0)
		return (walk_json(w, body, len) == 1);
	return (walk_text(w, body, len));
}

/* --- collecting ---------------------------------------------------------- */

static int
reserve(struct probe_features *f, size_t n)
{
	size_t cap;
	probe_feature *v;

	if (n <= f->cap)
		return (0);
	for (cap = f->cap > 0 ? f->cap : 64; cap < n; cap *= 2)
		continue;
	v = realloc(f->f, cap * sizeof *v);
	if (v == NULL)
		return (-ENOMEM);
	f->f = v;
	f->cap = cap;
	return (0);
}

static bool
collect(struct walk *w, enum probe_feature_kind k, uint64_t h,
    const struct probe_place *at)
{
	if (w->into->n == MAX_FEATURES) {
		w->error = -E2BIG;
		return (true);
	}
	w->error = reserve(w->into, w->into->n + 1);
	if (w->error != 0)
		return (true);
	w->into->f[w->into->n++] =
	    ((uint64_t)k << KIND_SHIFT) | (h & HASH_MASK);
	return (false);
}

static int
ascending(const void *a, const void *b)
{
	probe_feature x, y;

	memcpy(&x, a, sizeof x);
	memcpy(&y, b, sizeof y);
	return (x < y ? -1 : x > y);
}

/*
 * qsort() calls back for each comparison, and half of the features are
 * duplicates: three parts, inline.  The hashes are seeded, so that no page is
 * made to be slow; the smaller part is recursed into, so that none is deep.
 */
static void
sort(probe_feature *v, size_t n)
{
	probe_feature pivot, swap;
	size_t lt, gt, i;

	while (n > 16) {
		pivot = v[n / 2];
		lt = i = 0;
		gt = n;
		while (i < gt) {
			if (v[i] == pivot)
				i++;
			else if (v[i] < pivot) {
				swap = v[i];
				v[i++] = v[lt];
				v[lt++] = swap;
			} else {
				swap = v[i];
				v[i] = v[--gt];
				v[gt] = swap;
			}
		}
		if (lt < n - gt) {
			sort(v, lt);
			v += gt;
			n -= gt;
		} else {
			sort(v + gt, n - gt);
			n = lt;
		}
	}
	for (i = 1; i < n; i++) {
		swap = v[i];
		for (lt = i; lt > 0 && v[lt - 1] > swap; lt--)
			v[lt] = v[lt - 1];
		v[lt] = swap;
	}
}

static bool
counts(probe_feature f)
{
	return (probe_feature_kind(f) == PROBE_F_LINE ||
		probe_feature_kind(f) == PROBE_F_JSON);
}

static probe_feature
again(probe_feature f, unsigned n)
{
	return ((f & ~HASH_MASK) | ((f + n * AGAIN) & HASH_MASK));
}

/* Sort; equal tokens are one, equal lines are the first, second, ... */
static void
settle(struct probe_features *s)
{
	size_t i, j, n = 0, k;
	bool renamed = false;

	if (s->n == 0)
		return;
	sort(s->f, s->n);
	for (i = 0; i < s->n; i = j) {
		probe_feature f = s->f[i];

		for (j = i + 1; j < s->n && s->f[j] == f; j++)
			continue;
		k = counts(f) ? j - i : 1;
		if (k > MAX_AGAIN)
			k = MAX_AGAIN;
		/* n <= i: nothing unread is overwritten. */
		s->f[n++] = f;
		for (size_t m = 1; m < k; m++) {
			s->f[n++] = again(f, (unsigned)m);
			renamed = true;
		}
	}
	s->n = n;
	if (!renamed)
		return;
	sort(s->f, s->n);
	for (i = 1, n = 1; i < s->n; i++)
		if (s->f[i] != s->f[i - 1])
			s->f[n++] = s->f[i];
	s->n = n;
}

int
probe_features_of_head(struct probe_features *ret, uint64_t seed, int status,
    const struct probe_line *lines, size_t nlines)
{
	struct walk w = { .seed = seed, .visit = collect, .into = ret };

	ret->n = 0;
	(void)walk_head(&w, status, lines, nlines);
	settle(ret);
	/* A head of so many words is cut: no page has one. */
	return (w.error == -E2BIG ? 0 : w.error);
}

uint64_t
probe_features_signature(uint64_t seed, int status,
    const struct probe_line *lines, size_t nlines, const char *body, size_t len)
{
	uint64_t h = mix(seed + (uint64_t)status);
	size_t i;

	for (i = 0; i < nlines; i++) {
		if (is_no_feature(&lines[i]))
			continue;
		/* The spelling of a name is no feature, but two spellings are
		 * rare, and only cost time. */
		h = probe_hash(h, lines[i].name, lines[i].name_len);
		h = probe_hash(h, lines[i].value, lines[i].value_len);
	}
	return (probe_hash(h, body, len));
}

int
probe_features_of_body(
    struct probe_features *ret, uint64_t seed, const char *body, size_t len)
{
	struct walk w = { .seed = seed, .visit = collect, .into = ret };

	ret->n = 0;
	(void)walk_body(&w, body, len);
	if (w.error == -E2BIG) {
		/* The first one visited is the whole. */
		ret->n = 1;
		return (0);
	}
	settle(ret);
	return (w.error);
}

void
probe_features_fini(struct probe_features *s)
{
	free(s->f);
	memset(s, 0, sizeof *s);
}

/* --- sets ---------------------------------------------------------------- */

void
probe_features_intersect(
    struct probe_features *a, const struct probe_features *b)
{
	size_t i, j = 0, n = 0;

	for (i = 0; i < a->n; i++) {
		while (j < b->n && b->f[j] < a->f[i])
			j++;
		if (j < b->n && b->f[j] == a->f[i])
			a->f[n++] = a->f[i];
	}
	a->n = n;
}

void
probe_features_subtract(
    struct probe_features *a, const struct probe_features *b)
{
	size_t i, j = 0, n = 0;

	for (i = 0; i < a->n; i++) {
		while (j < b->n && b->f[j] < a->f[i])
			j++;
		if (j == b->n || b->f[j] != a->f[i])
			a->f[n++] = a->f[i];
	}
	a->n = n;
}

int
probe_features_merge(struct probe_features *a, const struct probe_features *b)
{
	size_t i = a->n, j = b->n, n, d;
	int r;

	r = reserve(a, a->n + b->n);
	if (r < 0)
		return (r);
	/* From the end, in place; then out with the duplicates. */
	for (n = a->n + b->n; j > 0;)
		if (i > 0 && a->f[i - 1] > b->f[j - 1])
			a->f[--n] = a->f[--i];
		else
			a->f[--n] = b->f[--j];
	a->n += b->n;
	for (d = 0, n = 0; d < a->n; d++)
		if (n == 0 || a->f[d] != a->f[n - 1])
			a->f[n++] = a->f[d];
	a->n = n;
	return (0);
}

bool
probe_features_has(const struct probe_features *s, probe_feature f)
{
	return (
	    s->n > 0 && bsearch(&f, s->f, s->n, sizeof f, ascending) != NULL);
}

int
probe_features_copy(struct probe_features *ret, const struct probe_features *s)
{
	int r = reserve(ret, s->n);

	if (r < 0)
		return (r);
	if (s->n > 0)
		memcpy(ret->f, s->f, s->n * sizeof *s->f);
	ret->n = s->n;
	return (0);
}

/* --- finding ------------------------------------------------------------- */

static bool
is_consequence(const struct probe_place *at)
{
	static const char *const names[] = { "etag", "last-modified",
		"content-location", "expires", "cache-control", "server" };
	size_t i;

	for (i = 0; at->name != NULL && i < sizeof names / sizeof *names; i++)
		if (strlen(names[i]) == at->name_len &&
		    strncasecmp(names[i], at->name, at->name_len) == 0)
			return (true);
	return (false);
}

static bool
match(struct walk *w, enum probe_feature_kind k, uint64_t h,
    const struct probe_place *at)
{
	probe_feature f = ((uint64_t)k << KIND_SHIFT) | (h & HASH_MASK);
	unsigned n, last = counts(f) ? 8 : 1;

	if (k < w->from || k > w->to)
		return (false);
	for (n = 0; n < last; n++)
		if (probe_features_has(w->among, again(f, n)))
			break;
	if (n == last)
		return (false);
	if (is_consequence(at)) {
		if (!w->found)
			*w->place = *at;
		w->found = true;
		return (false);
	}
	w->found = true;
	*w->place = *at;
	return (true);
}

bool
probe_features_first(const struct probe_features *set, uint64_t seed,
    enum probe_feature_kind from, enum probe_feature_kind to, int status,
    const struct probe_line *lines, size_t nlines, const char *body, size_t len,
    struct probe_place *ret)
{
	struct walk w = { .seed = seed,
		.visit = match,
		.among = set,
		.from = from,
		.to = to,
		.place = ret };

	if (from <= PROBE_F_HEADER_TOKEN &&
	    walk_head(&w, status, lines, nlines))
		return (true);
	if (!w.found && to > PROBE_F_HEADER_TOKEN)
		(void)walk_body(&w, body, len);
	return (w.found);
}
