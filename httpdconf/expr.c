/* SPDX-License-Identifier: BSD-2-Clause */
#include "httpdconf/expr.h"

#include <assert.h>
#include <string.h>

#include <apr_strings.h>

/* Deeper than anybody writes; httpd's own parser stops at about the same. */
#define DEPTH_MAX 100

enum sure {
	NEVER,
	MAYBE,
	ALWAYS,
};

struct parse {
	const char *b, *p, *e;
	apr_array_header_t *refs, *regexes;
	apr_pool_t *pool;
	const char *error;
	size_t error_at;
	unsigned depth;
};

/* What a word is made of, as far as that is known beforehand. */
struct text {
	apr_array_header_t *bytes; /* char */
	bool dynamic;
};

static int parse_or(struct parse *, enum sure);
static void parse_word(struct parse *, enum sure, struct text *);

static void
fail(struct parse *x, const char *why)
{
	if (x->error == NULL) {
		x->error = why;
		x->error_at = (size_t)(x->p - x->b);
	}
}

static void
blanks(struct parse *x)
{
	while (x->p < x->e && (*x->p == ' ' || *x->p == '\t' || *x->p == '\n' ||
				  *x->p == '\r'))
		x->p++;
}

static bool
is_alpha(char c)
{
	return ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
}

static bool
is_ident(char c)
{
	return (is_alpha(c) || (c >= '0' && c <= '9') || c == '_');
}

static struct hconf_span
ident(struct parse *x)
{
	const char *b = x->p;

	if (x->p < x->e && is_alpha(*x->p))
		while (x->p < x->e && is_ident(*x->p))
			x->p++;
	return ((struct hconf_span){ b, (size_t)(x->p - b) });
}

/* A keyword or operator of letters, not merely the start of a longer one. */
static bool
keyword(struct parse *x, const char *k)
{
	size_t n = strlen(k);

	blanks(x);
	if ((size_t)(x->e - x->p) < n || strncmp(x->p, k, n) != 0)
		return (false);
	if (x->p + n < x->e && is_ident(x->p[n]))
		return (false);
	x->p += n;
	return (true);
}

static bool
sign(struct parse *x, const char *s)
{
	size_t n = strlen(s);

	blanks(x);
	if ((size_t)(x->e - x->p) < n || memcmp(x->p, s, n) != 0)
		return (false);
	x->p += n;
	return (true);
}

static void
add(struct parse *x, struct hconf_ref ref, enum sure sure)
{
	if (sure == NEVER)
		return;
	ref.certain = sure == ALWAYS;
	APR_ARRAY_PUSH(x->refs, struct hconf_ref) = ref;
}

static void variable(struct parse *, enum sure, const char *start);

/*
 * After "%{NAME:", up to the "}": a string, with variables of its own in it.
 * *ret is set where there are none, and what it says is known.
 */
static void
argument(struct parse *x, enum sure sure, struct hconf_span *ret)
{
	const char *b = x->p;
	bool dynamic = false;

	if (++x->depth > DEPTH_MAX)
		fail(x, "nested too deeply");
	while (x->error == NULL && x->p < x->e && *x->p != '}') {
		const char *start = x->p;

		if (*x->p++ != '%' || x->p >= x->e || *x->p != '{')
			continue;
		x->p++;
		dynamic = true;
		variable(x, sure, start);
	}
	x->depth--;
	if (x->error == NULL && !dynamic)
		*ret = (struct hconf_span){ b, (size_t)(x->p - b) };
}

/* After "%{": NAME} or NAME:text}. */
static void
variable(struct parse *x, enum sure sure, const char *start)
{
	struct hconf_ref ref = { .kind = HCONF_REF_VAR };

	ref.name = ident(x);
	if (ref.name.len == 0) {
		fail(x, "a variable needs a name");
		return;
	}
	if (x->p < x->e && *x->p == ':') {
		x->p++;
		ref.kind = HCONF_REF_FUNC;
		argument(x, sure, &ref.arg);
		if (x->error != NULL)
			return;
	}
	if (x->p >= x->e || *x->p != '}') {
		fail(x, "'%{' without its '}'");
		return;
	}
	x->p++;
	ref.where = (struct hconf_span){ start, (size_t)(x->p - start) };
	add(x, ref, sure);
}

/* Up to the quote, or to the end where there is none to look for. */
static void
string(struct parse *x, char quote, enum sure sure, struct text *t)
{
	for (; x->error == NULL;) {
		char c;

		if (x->p >= x->e) {
			if (quote != 0)
				fail(x, "a string without its closing quote");
			return;
		}
		c = *x->p;
		if (quote != 0 && c == quote) {
			x->p++;
			return;
		}
		if (c == '%' && x->p + 1 < x->e && x->p[1] == '{') {
			const char *start = x->p;

			x->p += 2;
			t->dynamic = true;
			variable(x, sure, start);
			continue;
		}
		if (c == '$' && x->p + 1 < x->e && x->p[1] >= '0' &&
		    x->p[1] <= '9')
			t->dynamic = true;
		if (c == '\\' && x->p + 1 < x->e && quote != 0)
			c = *++x->p;
		APR_ARRAY_PUSH(t->bytes, char) = c;
		x->p++;
	}
}

static struct text
text_new(struct parse *x)
{
	return ((struct text){ apr_array_make(x->pool, 16, 1), false });
}

static void
call(struct parse *x, struct hconf_span name, const char *start, enum sure sure,
    struct text *t)
{
	struct hconf_ref ref = { .kind = HCONF_REF_FUNC, .name = name };
	struct text arg = text_new(x);

	t->dynamic = true;
	if (++x->depth > DEPTH_MAX) {
		fail(x, "nested too deeply");
		return;
	}
	parse_word(x, sure, &arg);
	while (x->error == NULL && sign(x, ",")) {
		struct text more = text_new(x);

		parse_word(x, sure, &more);
	}
	if (x->error == NULL && !sign(x, ")"))
		fail(x, "')' expected after a function's argument");
	x->depth--;
	if (x->error != NULL)
		return;
	if (!arg.dynamic)
		ref.arg = (struct hconf_span){ arg.bytes->elts,
			(size_t)arg.bytes->nelts };
	ref.where = (struct hconf_span){ start, (size_t)(x->p - start) };
	add(x, ref, sure);
}

static void
word_part(struct parse *x, enum sure sure, struct text *t)
{
	const char *start;
	struct hconf_span name;

	blanks(x);
	if (x->p >= x->e) {
		fail(x, "the expression ends where a word is expected");
		return;
	}
	start = x->p;
	if (*x->p == '"' || *x->p == '\'') {
		x->p++;
		string(x, *start, sure, t);
		return;
	}
	if (*x->p == '%' && x->p + 1 < x->e && x->p[1] == '{') {
		x->p += 2;
		t->dynamic = true;
		variable(x, sure, start);
		return;
	}
	if (*x->p == '$' && x->p + 1 < x->e && x->p[1] >= '0' &&
	    x->p[1] <= '9') {
		x->p += 2;
		t->dynamic = true;
		return;
	}
	if (*x->p == '-' || (*x->p >= '0' && *x->p <= '9')) {
		if (*x->p == '-')
			x->p++;
		if (x->p >= x->e || *x->p < '0' || *x->p > '9') {
			x->p = start;
			fail(x, "a word is expected here");
			return;
		}
		while (x->p < x->e && *x->p >= '0' && *x->p <= '9')
			x->p++;
		for (const char *c = start; c < x->p; c++)
			APR_ARRAY_PUSH(t->bytes, char) = *c;
		return;
	}
	name = ident(x);
	if (name.len > 0) {
		if (sign(x, "(")) {
			call(x, name, start, sure, t);
			return;
		}
		x->p = start;
		fail(x, "a word has to be quoted, or be a function call");
		return;
	}
	fail(x, "a word is expected here");
}

static void
parse_word(struct parse *x, enum sure sure, struct text *t)
{
	word_part(x, sure, t);
	while (x->error == NULL && sign(x, "."))
		word_part(x, sure, t);
}

static void
regex(struct parse *x)
{
	const char *b;
	char stop;

	blanks(x);
	if (x->p < x->e && *x->p == '/') {
		stop = '/';
	} else if (x->p + 1 < x->e && *x->p == 'm' && x->p[1] != '\0' &&
		   strchr("/#$%^,;:?|-!.'\"", x->p[1]) != NULL) {
		x->p++;
		stop = *x->p;
	} else {
		fail(x, "a regular expression, /like this/, is expected here");
		return;
	}
	/* A backslash does not hide the end: for a "/" write m#...#. */
	b = ++x->p;
	while (x->p < x->e && *x->p != stop)
		x->p++;
	if (x->p >= x->e) {
		fail(x, "a regular expression without its end");
		return;
	}
	APR_ARRAY_PUSH(x->regexes, struct hconf_span) =
	    (struct hconf_span){ b, (size_t)(x->p - b) };
	x->p++;
	if (x->p < x->e && *x->p == 'i')
		x->p++;
}

/* What stands right of -in: {a, b}, or a function that makes a list. */
static void
list(struct parse *x, enum sure sure)
{
	struct text t = text_new(x);

	if (!sign(x, "{")) {
		parse_word(x, sure, &t);
		return;
	}
	do {
		t = text_new(x);
		parse_word(x, sure, &t);
		if (sure == ALWAYS)
			sure = MAYBE; /* stops at the one that is equal */
	} while (x->error == NULL && sign(x, ","));
	if (x->error == NULL && !sign(x, "}"))
		fail(x, "'}' expected after a list of words");
}

/* Of numbers, with a hyphen or without. */
static const char *const of_letters[] = { "eq", "ne", "lt", "le", "gt", "ge",
	NULL };

/* "-eq", "-ipmatch": it has to be one of httpd's own. */
static bool
known_binary(struct parse *x)
{
	static const char *const any_case[] = { "ipmatch", "fnmatch",
		"strmatch", "strcmatch", NULL };
	const char *start = x->p++;
	struct hconf_span name = ident(x);
	int i;

	for (i = 0; of_letters[i] != NULL; i++)
		if (name.len == 2 && strncmp(name.b, of_letters[i], 2) == 0)
			return (true);
	if (hconf_span_in(name, any_case))
		return (true);
	x->p = start;
	fail(x, "there is no such operator");
	return (false);
}

static void
comparison(struct parse *x, enum sure sure)
{
	static const char *const signs[] = { "==", "!=", "<=", ">=", "=", "<",
		">", NULL };
	struct text t = text_new(x);
	int i;

	parse_word(x, sure, &t);
	if (x->error != NULL)
		return;
	if (sign(x, "=~") || sign(x, "!~")) {
		regex(x);
		return;
	}
	if (keyword(x, "-in") || keyword(x, "in")) {
		list(x, sure);
		return;
	}
	t = text_new(x);
	for (i = 0; signs[i] != NULL; i++)
		if (sign(x, signs[i])) {
			parse_word(x, sure, &t);
			return;
		}
	for (i = 0; of_letters[i] != NULL; i++)
		if (keyword(x, of_letters[i])) {
			parse_word(x, sure, &t);
			return;
		}
	blanks(x);
	if (x->p + 1 < x->e && *x->p == '-' && is_alpha(x->p[1])) {
		if (!known_binary(x))
			return;
		parse_word(x, sure, &t);
		return;
	}
	fail(x, "a comparison is expected here");
}

static int
primary(struct parse *x, enum sure sure)
{
	struct text t;
	int truth;

	if (++x->depth > DEPTH_MAX) {
		fail(x, "nested too deeply");
		return (-1);
	}
	truth = -1;
	blanks(x);
	if (sign(x, "(")) {
		truth = parse_or(x, sure);
		if (x->error == NULL && !sign(x, ")"))
			fail(x, "')' expected");
	} else if (keyword(x, "not") ||
		   (x->p < x->e && *x->p == '!' && sign(x, "!"))) {
		truth = primary(x, sure);
		truth = truth < 0 ? truth : !truth;
	} else if (keyword(x, "true")) {
		truth = 1;
	} else if (keyword(x, "false")) {
		truth = 0;
	} else if (x->p + 1 < x->e && *x->p == '-' && is_alpha(x->p[1]) &&
		   (x->p + 2 == x->e || !is_ident(x->p[2]))) {
		/* -n, -z, -f ...: one word follows. */
		if (strchr("nzRTdefsLhxFUA", x->p[1]) == NULL)
			fail(x, "there is no such operator");
		x->p += 2;
		t = text_new(x);
		if (x->error == NULL)
			parse_word(x, sure, &t);
	} else {
		comparison(x, sure);
	}
	x->depth--;
	return (truth);
}

/* How sure the right operand is, where "decides" ends the evaluation. */
static enum sure
right(enum sure sure, int left, int decides)
{
	if (sure == NEVER || left == decides)
		return (NEVER);
	return (left < 0 ? MAYBE : sure);
}

static int
parse_and(struct parse *x, enum sure sure)
{
	int truth = primary(x, sure);

	while (x->error == NULL && (sign(x, "&&") || keyword(x, "and"))) {
		int t;

		sure = right(sure, truth, 0);
		t = primary(x, sure);
		truth = truth == 0 || t == 0   ? 0
			: truth == 1 && t == 1 ? 1
					       : -1;
	}
	return (truth);
}

static int
parse_or(struct parse *x, enum sure sure)
{
	int truth = parse_and(x, sure);

	while (x->error == NULL && (sign(x, "||") || keyword(x, "or"))) {
		int t;

		sure = right(sure, truth, 1);
		t = parse_and(x, sure);
		truth = truth == 1 || t == 1   ? 1
			: truth == 0 && t == 0 ? 0
					       : -1;
	}
	return (truth);
}

void
hconf_expr_parse(struct hconf_span text, enum hconf_expr_kind kind,
    struct hconf_expr *ret, apr_pool_t *result_pool)
{
	struct parse x = {
		.b = text.b,
		.p = text.b,
		.e = text.b + text.len,
		.refs =
		    apr_array_make(result_pool, 4, sizeof(struct hconf_ref)),
		.regexes =
		    apr_array_make(result_pool, 1, sizeof(struct hconf_span)),
		.pool = result_pool,
	};
	struct text t;

	assert(ret != NULL);
	ret->truth = -1;
	if (kind == HCONF_EXPR_STRING) {
		t = text_new(&x);
		string(&x, 0, ALWAYS, &t);
	} else {
		ret->truth = parse_or(&x, ALWAYS);
		blanks(&x);
		if (x.error == NULL && x.p < x.e)
			fail(&x, "the expression should end here");
	}
	ret->refs = x.refs;
	ret->regexes = x.regexes;
	ret->error = x.error;
	ret->error_at = x.error_at;
}
