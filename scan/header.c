/* SPDX-License-Identifier: BSD-2-Clause */
#include "scan/scope.h"

#include <string.h>

#include <apr_strings.h>

#include "httpdconf/regex.h"
#include "vary/field.h"

static void
member(struct scan_model *m, const struct scan_header_op *o,
    struct hconf_span name, enum scan_when when)
{
	struct scan_model_source *s = scan_source_add(m, o->scope, o->node,
	    name, SCAN_BY_HEADER, when, scan_versions_all(m));

	s->late = true;
	s->error_table = o->always;
	s->pub.any_status = o->always;
	s->if_empty = o->op == SCAN_OP_SETIFEMPTY;
	s->order = o->order;
}

static void
members(struct scan_model *m, const struct scan_header_op *o,
    struct hconf_span value, enum scan_when when)
{
	struct vary_field f;
	struct vary_span v;
	enum vary_status r;

	if (memchr(value.b != NULL ? value.b : "", '%', value.len) != NULL) {
		member(m, o, (struct hconf_span){ "(computed)", 10 },
		    SCAN_POSSIBLE);
		return;
	}
	vary_field_init(&f, value.b, value.len);
	while ((r = vary_field_next(&f, &v)) != VARY_END) {
		const char *e;

		if (r == VARY_OK || m->maker != SCAN_SERVER_APACHE) {
			if (r != VARY_OK)
				vary_field_skip(&f, &v);
			member(m, o, (struct hconf_span){ v.b, v.len }, when);
			continue;
		}
		/* httpd cuts at blanks, too, before it sends: "A B" is "A,B". */
		vary_field_skip(&f, &v);
		for (e = v.b + v.len; v.b < e; v.b += v.len) {
			for (v.len = 0;
			     v.b + v.len < e && !hconf_is_space(v.b[v.len]);)
				v.len++;
			if (v.len > 0)
				member(m, o, (struct hconf_span){ v.b, v.len },
				    when);
			else
				v.len = 1;
		}
	}
}

static bool
env_condition(struct hconf_span cond, struct hconf_span *ret)
{
	if (!hconf_span_starts(cond, "env="))
		return (false);
	ret->b = cond.b + 4;
	ret->len = cond.len - 4;
	if (ret->len > 0 && *ret->b == '!') {
		ret->b++;
		ret->len--;
	}
	return (true);
}

struct action {
	const char *name;
	int op;         /* enum scan_header_action; -1: nothing is changed */
	unsigned words; /* with header and values, without condition */
	int since;
};

static const struct action *
find_action(struct hconf_span name)
{
	static const struct action actions[] = {
		{ "add", SCAN_OP_ADD, 2, 0 },
		{ "append", SCAN_OP_ADD, 2, 0 },
		{ "merge", SCAN_OP_ADD, 2, 0 },
		{ "set", SCAN_OP_SET, 2, 0 },
		{ "setifempty", SCAN_OP_SETIFEMPTY, 2, HCONF_VERSION(2, 4, 7) },
		{ "unset", SCAN_OP_UNSET, 1, 0 },
		{ "edit", SCAN_OP_EDIT, 3, 0 },
		{ "edit*", SCAN_OP_EDIT, 3, 0 },
		{ "echo", SCAN_OP_ECHO, 1, 0 },
		{ "note", -1, 2, HCONF_VERSION(2, 4, 7) },
	};
	size_t k;

	for (k = 0; k < sizeof actions / sizeof *actions; k++)
		if (hconf_span_is(name, actions[k].name))
			return (&actions[k]);
	return (NULL);
}

/* One line, as its grammar has it. */
struct directive {
	struct hconf_words w;
	const struct action *action;
	const struct hconf_span *name; /* and the values behind it */
	struct hconf_span cond;        /* b == NULL: none */
	bool request, always;
};

/* False, and said, where httpd would not start with it. */
static bool
read_directive(
    struct scan_model *m, const struct hconf_node *n, struct directive *ret)
{
	struct hconf_words *w = &ret->w;
	unsigned i = 0, at, older;

	*ret = (struct directive){ .request = n->id == HCONF_REQUESTHEADER };
	hconf_words(n->args, w, m->pool);
	if (!ret->request && w->n > 0 &&
	    (hconf_span_is(w->v[0], "always") ||
		hconf_span_is(w->v[0], "onsuccess"))) {
		ret->always = hconf_span_is(w->v[0], "always");
		i++;
	}
	if (w->n < i + 2) {
		scan_lint_add(m, SCAN_LINT_ERROR, n, n->versions,
		    "Header takes an action and a header", NULL);
		return (false);
	}
	ret->action = find_action(w->v[i]);
	if (ret->action == NULL) {
		scan_lint_add(m, SCAN_LINT_ERROR, n, n->versions,
		    apr_psprintf(m->pool, "Header: there is no action \"%.*s\"",
			(int)w->v[i].len, w->v[i].b),
		    NULL);
		return (false);
	}
	older = n->versions & ~scan_since(m, ret->action->since);
	if (older != 0)
		scan_lint_add(m, SCAN_LINT_ERROR, n, older,
		    apr_psprintf(m->pool, "Header %s needs Apache 2.4.7",
			ret->action->name),
		    NULL);
	at = i + 1 + ret->action->words;
	if (w->n < at) {
		scan_lint_add(m, SCAN_LINT_ERROR, n, n->versions,
		    apr_psprintf(m->pool, "Header %s: an argument is missing",
			ret->action->name),
		    NULL);
		return (false);
	}
	if (w->n > at + 1) {
		scan_lint_add(m, SCAN_LINT_ERROR, n, n->versions,
		    "Header has too many arguments; a comment needs a line of "
		    "its own",
		    NULL);
		return (false);
	}
	ret->name = &w->v[i + 1];
	if (w->n == at + 1)
		ret->cond = w->v[at];
	return (true);
}

/* The last argument.  False, and said, where it is none. */
static bool
condition(struct scan_model *m, const struct hconf_node *n,
    struct scan_scope *s, const struct directive *d, struct scan_header_op *o)
{
	struct scan_ask u = { .node = n,
		.scope = s,
		.when = SCAN_ALWAYS,
		.versions = n->versions,
		.late = !d->request };
	struct hconf_span var;

	if (d->cond.b == NULL)
		return (true);
	if (hconf_span_is(d->cond, "early")) {
		o->early = true;
		return (true);
	}
	o->conditional = true;
	if (hconf_span_starts(d->cond, "expr=")) {
		u.text = (struct hconf_span){ d->cond.b + 5, d->cond.len - 5 };
		scan_ask_bool(m, &u);
		return (true);
	}
	if (env_condition(d->cond, &var) && var.len > 0)
		return (true);
	scan_lint_add(m, SCAN_LINT_ERROR, n, n->versions,
	    "Header: the last argument is early, env=NAME or "
	    "expr=EXPRESSION",
	    NULL);
	return (false);
}

/* A regular expression for names of request headers, which are sent back. */
static void
echo(struct scan_model *m, const struct scan_header_op *o,
    struct hconf_span pattern)
{
	struct scan_model_source *x;
	struct hconf_regex_match found;
	/* A client writes the name as it likes. */
	const char *any_case =
	    apr_psprintf(m->pool, "(?i)%.*s", (int)pattern.len, pattern.b);

	if (!hconf_regex_find((struct hconf_span){ any_case, strlen(any_case) },
		"Vary", 0, &found) ||
	    found.group[0].b == NULL)
		return;
	x = scan_source_add(m, o->scope, o->node,
	    (struct hconf_span){ "(request's Vary)", 16 }, SCAN_BY_HEADER,
	    SCAN_POSSIBLE, o->node->versions);
	x->late = true;
	x->error_table = x->pub.any_status = o->always;
	x->order = o->order;
}

/* Not Vary, but its value may depend on the request. */
static void
other_header(struct scan_model *m, const struct scan_header_op *o,
    const struct directive *d, struct hconf_span name)
{
	const struct hconf_node *n = o->node;
	struct hconf_span v = o->value, var;
	struct scan_env_use *u;

	if (o->op == SCAN_OP_UNSET)
		return;
	if (hconf_span_starts(v, "expr="))
		scan_ask_string(m,
		    &(struct scan_ask){ .node = n,
			.scope = o->scope,
			.text = { v.b + 5, v.len - 5 },
			.when = o->conditional ? SCAN_POSSIBLE : SCAN_ALWAYS,
			.versions = n->versions },
		    hconf_span_dup(name, m->pool), 0);
	if (d->cond.b == NULL || !env_condition(d->cond, &var)) {
		if (v.len <= 4 || !hconf_span_starts(v, "%{") ||
		    !hconf_span_is(
			(struct hconf_span){ v.b + v.len - 2, 2 }, "}e"))
			return;
		var = (struct hconf_span){ v.b + 2, v.len - 4 };
	}
	u = apr_array_push(m->env_uses);
	*u = (struct scan_env_use){ n, o->scope, var,
		hconf_span_dup(name, m->pool) };
}

/* "%t", "%{NAME}e": what mod_headers puts in their place. */
static void
check_format(
    struct scan_model *m, const struct hconf_node *n, struct hconf_span v)
{
	const char *p = v.b, *e = v.b + v.len;

	while (p < e && (p = memchr(p, '%', (size_t)(e - p))) != NULL) {
		const char *start = p++;

		if (p == e || *p == '%') {
			p += p < e;
			continue;
		}
		if (*p == '{')
			while (p < e && *p++ != '}')
				continue;
		if (p < e && strchr("Dteslib", *p) != NULL) {
			p++;
			continue;
		}
		scan_lint_add(m, SCAN_LINT_ERROR, n, n->versions,
		    apr_psprintf(m->pool,
			"Header: there is no format \"%.*s\"; a percent sign "
			"is %%%%",
			(int)(p - start) + (p < e), start),
		    NULL);
		return;
	}
}

static void
check_value(
    struct scan_model *m, const struct hconf_node *n, const struct directive *d)
{
	unsigned exprs = n->versions & scan_since(m, HCONF_VERSION(2, 4, 10));
	struct hconf_span v;

	if (m->maker != SCAN_SERVER_APACHE || d->action->words < 2)
		return;
	v = d->name[d->action->words - 1];
	if (v.len >= 5 && memcmp(v.b, "expr=", 5) == 0)
		scan_string_check(
		    m, n, exprs, (struct hconf_span){ v.b + 5, v.len - 5 });
	else
		check_format(m, n, v);
}

void
scan_header(
    struct scan_model *m, const struct hconf_node *n, struct scan_scope *s)
{
	struct directive d;
	struct hconf_span name;
	struct scan_header_op o = { .node = n,
		.scope = s,
		.conditional = n->unless != NULL,
		.order = m->order++ };

	if (!read_directive(m, n, &d) || !condition(m, n, s, &d, &o))
		return;
	if (d.action->op == SCAN_OP_EDIT)
		scan_pattern(m, n, n->versions, d.name[1]);
	else if (d.action->op == SCAN_OP_ECHO)
		scan_pattern(m, n, n->versions, *d.name);
	check_value(m, n, &d);
	if (d.request || d.action->op == -1)
		return;
	name = *d.name;
	if (name.len > 0 && name.b[name.len - 1] == ':')
		name.len--;
	o.always = d.always;
	o.op = (enum scan_header_action)d.action->op;
	o.once = strcmp(d.action->name, "edit") == 0;
	if (d.action->words > 1)
		o.value = d.name[1];
	if (d.action->words > 2)
		o.replacement = d.name[2];
	if (o.op == SCAN_OP_ECHO) {
		echo(m, &o, *d.name);
		return;
	}
	if (!hconf_span_is(name, "Vary")) {
		other_header(m, &o, &d, name);
		return;
	}
	/* That is for the server and its hosts: here it comes too late. */
	if (o.early && s->perdir)
		return;
	APR_ARRAY_PUSH(s->ops, struct scan_header_op) = o;
	if (o.op == SCAN_OP_ADD || o.op == SCAN_OP_SET ||
	    o.op == SCAN_OP_SETIFEMPTY)
		members(m, &o, o.value,
		    o.conditional ? SCAN_POSSIBLE : SCAN_ALWAYS);
	/* A name in place of another; "$1" and the like bring nothing new. */
	if (o.op == SCAN_OP_EDIT &&
	    memchr(o.replacement.b, '$', o.replacement.len) == NULL &&
	    memchr(o.replacement.b, '\\', o.replacement.len) == NULL)
		members(m, &o, o.replacement, SCAN_POSSIBLE);
}
